"""Inputs are never outputs: what a command or the window reads, nothing is written over, whatever name it has."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sqlite3
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.kept import recording
from tests.test_printing import STEPS
from workbench.cli import files
from workbench.cli.commands import whole_parser
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.io import protected_files
from workbench.io.atomic import atomic_write
from workbench.io.export_format import ExportFormat
from workbench.io.protected_files import Protected, refuse_protected
from workbench.query.ledger import Charge, Ledger
from workbench.query.ledger_file import ledgers_folder
from workbench.session import Session
from workbench.session.export import Targets

WRITTEN = (files.written_file, files.written_folder, files.ledger_file)
LOOKS_LIKE_A_FILE = ("FILE", "DIR", ".csv", ".json", ".html", ".wbench", "RELEASE", "REPORTS")


def leaves() -> dict[str, argparse.ArgumentParser]:
    """Every command that can be typed, with its parser."""
    found = dict(recording.commands(whole_parser()))
    return {name.removeprefix("workbench "): one for name, one in found.items() if one.get_default("command")}


def state(folder: Path) -> dict[str, bytes]:
    """All files below a folder and what they hold; folders too."""
    return {str(one): one.read_bytes() if one.is_file() else b"" for one in folder.rglob("*")}


def pairs() -> list[Any]:
    """For each command, each option that names a written file, and each other one: by their places in the parser."""
    found = []
    for command, parser in leaves().items():
        named = [action for action in parser._actions if action.type in files.ROLES]
        for written in named:
            for other in named:
                if written.type in WRITTEN and other is not written:
                    flags = [max(one.option_strings, default=one.dest) for one in (written, other)]
                    found.append(
                        pytest.param(command, written.dest, other.dest, id=f"{command}: {' over '.join(flags)}")
                    )
    return found


def value(action: argparse.Action, path: Path) -> list[str]:
    text = f"age={path}" if action.type is files.column_file else str(path)
    return [f"{max(action.option_strings, key=len)}={text}"] if action.option_strings else [text]


def words_for(parser: argparse.ArgumentParser, given: dict[argparse.Action, Path], place: Path) -> list[str]:
    """The fewest words that a command understands, with files for these options."""
    words = [word for action, path in given.items() for word in value(action, path)]
    needed = {action for action in parser._actions if action.required and action not in given}
    for group in parser._mutually_exclusive_groups:
        if group.required and not set(group._group_actions) & set(given):
            needed.add(group._group_actions[0])
    for number, action in enumerate(sorted(needed, key=lambda one: one.dest)):
        if action.type in files.ROLES:
            path = place / f"needed {number}"
            if action.type not in WRITTEN:
                path.write_text("age\n30\n", encoding="utf-8")
            words += value(action, path)
        else:
            words.append(f"{max(action.option_strings, key=len)}=count")
    return words


@pytest.mark.parametrize(("command", "wanted", "victim"), pairs())
def test_no_option_writes_over_what_another_one_names(
    command: str, wanted: str, victim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = leaves()[command]
    by_dest = {action.dest: action for action in parser._actions}
    written, other = by_dest[wanted], by_dest[victim]
    shared = tmp_path / "shared.csv"
    if other.type not in (files.written_file, files.written_folder):
        shared.write_text("age\n30\n", encoding="utf-8")
    words = [*command.split(), *words_for(parser, {written: shared, other: shared}, tmp_path)]
    before = state(tmp_path)
    assert main(words) == 2, words
    assert "must not be overwritten" in (said := capsys.readouterr().err), said
    assert state(tmp_path) == before
    assert not ledgers_folder().exists()


def test_every_option_that_names_a_file_says_what_happens_to_it() -> None:
    """Take a type of `workbench.cli.files` for a new option: then the matrix above tries it."""
    for command, parser in leaves().items():
        for action in parser._actions:
            looks = any(sign in str(action.metavar or "") for sign in LOOKS_LIKE_A_FILE)
            assert action.type is not Path, (command, action.dest)
            assert not looks or action.type in files.ROLES, (command, action.dest)


def test_the_matrix_is_not_empty() -> None:
    found = [one.id for one in pairs()]
    for wanted in ("audit: --out over --channel", "hierarchy build: --out over --data", "ledger: --csv over file"):
        assert wanted in found
    assert len(found) > 60


# The second wall: what is written asks by itself


@pytest.fixture
def only_the_writers_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "refuse_overlaps", lambda named: None)


PEOPLE = "{material}/people.csv"
ASKING = ["--column", "age", "--bounds", "0,100", "--bins", "4", "--protocol", "grr", "--epsilon", "1"]
WRITING = STEPS | {
    "audit": [["audit", "survey", "--out", "{out}/c.csv"], ["audit", "--channel", "{out}/c.csv", "--out", "{out}/d"]],
    "ledger": [["ledger", PEOPLE, "--csv", "{out}/ledger.csv"]],
    "collect": [["collect", PEOPLE, *ASKING, "--reports", "{out}/reports.csv"]],
}


def recorded(command: str, place: Path) -> list[str]:
    """The words of a command that writes something, after what it needs was run."""
    for words in WRITING[command][:-1]:
        assert main(recording.words_of({"words": words}, place)) == 0
    return recording.words_of({"words": WRITING[command][-1]}, place)


@pytest.mark.parametrize(
    "command", ["anonymise", "audit", "hierarchy", "ledger", "collect", "report", "run", "compare"]
)
def test_each_writer_refuses_by_itself(
    command: str, tmp_path: Path, only_the_writers_ask: None, capsys: pytest.CaptureFixture[str]
) -> None:
    place = recording.workplace(tmp_path)
    words = recorded(command, place)
    tried = 0
    options = whole_parser().parse_args(words)
    named = files.named_files(options)
    force = ["--force"] if hasattr(options, "force") else []
    for written in (one for one in named if one.role in (files.written_file, files.written_folder)):
        for other in (one for one in named if one.role in (files.data_path, files.read_file, files.column_file)):
            if other.path.is_file() and other.flag in [*words, str(other.flag)]:
                for words_now in meeting(words, written, other, force):
                    before = state(tmp_path)
                    assert main(words_now) == 2, words_now
                    assert state(tmp_path) == before, words_now
                    capsys.readouterr()
                    tried += 1
    assert tried


def meeting(words: list[str], written: files.Named, other: files.Named, force: list[str]) -> Iterator[list[str]]:
    """The words with one file for both; of a folder, for each of the files that the command writes in it."""
    if written.role is files.written_file:
        yield [*(str(other.path) if word == str(written.path) else word for word in words), *force]
        return
    outside = written.path.parent / "first"
    first = [str(outside) if word == str(written.path) else word for word in words]
    assert main(first) == 0
    names = [one.name for one in outside.iterdir()]
    shutil.rmtree(outside)
    for name in names:
        written.path.mkdir(exist_ok=True)
        there = written.path / name
        shutil.copy(other.path, there)
        if str(other.path) in words:
            yield [*(str(there) if word == str(other.path) else word for word in words), *force]
        shutil.rmtree(written.path)


# Witnesses


def ages(folder: Path) -> tuple[Path, Path]:
    """A column of ages, and a specification that its values can be built from."""
    data, spec = folder / "ages.csv", folder / "ages_spec.json"
    data.write_text("age\n" + "".join(f"{20 + row % 50}\n" for row in range(2000)), encoding="utf-8")
    shutil.copy(next(iter(sorted((recording.HERE / "specifications").glob("intervals*.json")))), spec)
    return data, spec


RELEASE = ["--group", "age", "--epsilon", "1", "--delta", "1e-2"]


def test_a_hierarchy_is_not_built_over_the_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, spec = ages(tmp_path)
    before = state(tmp_path)
    words = ["hierarchy", "build", str(spec), "--data", str(data), "--column", "age", "--out", str(data)]
    assert main(words) == 2 and main([*words, "--force"]) == 2
    assert "must not be overwritten" in capsys.readouterr().err
    assert state(tmp_path) == before


@pytest.mark.parametrize("spelling", ["itself", "symbolic", "hard", "around", "other capitals"])
def test_an_input_is_recognised_under_any_name(
    spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = ages(tmp_path)
    name = tmp_path / "link.csv"
    if spelling == "symbolic":
        name.symlink_to(data)
    elif spelling == "hard":
        name.hardlink_to(data)
    elif spelling == "around":
        (tmp_path / "sub").mkdir()
        name = tmp_path / "sub" / ".." / "ages.csv"
    elif spelling == "other capitals":
        monkeypatch.setattr(protected_files, "_SPELLED_ALIKE", True)
        name = tmp_path / "AGES.csv"
    else:
        name = data
    before = state(tmp_path)
    for flag in ("--out", "--statement", "--metadata"):
        out = [] if flag == "--out" else ["--out", str(tmp_path / "o.csv")]
        assert main(["anonymise", str(data), *RELEASE, *out, flag, str(name), "--force"]) == 2
        assert "must not be overwritten" in capsys.readouterr().err
    assert state(tmp_path) == before and not ledgers_folder().exists()


@pytest.mark.parametrize("flags", [["--out", "L"], ["--out", "o.csv", "--statement", "L"],
                                   ["--out", "o.csv", "--metadata", "L"]])  # fmt: skip
@pytest.mark.parametrize("spent", [True, False])
def test_no_release_takes_the_place_of_its_own_ledger(
    flags: list[str], spent: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = ages(tmp_path)
    ledger = tmp_path / "L"
    if spent:
        words = ["query", str(data), "--query", "count", "--epsilon", "2", "--ledger", str(ledger)]
        assert main(words) == 0
    before = state(tmp_path)
    given = [str(tmp_path / word) if not word.startswith("--") else word for word in flags]
    words = ["anonymise", str(data), *RELEASE, *given, "--out-format", "csv", "--ledger", str(ledger), "--force"]
    assert main(words) == 2
    assert "must not be overwritten" in capsys.readouterr().err
    assert state(tmp_path) == before


def test_a_table_of_probabilities_does_not_replace_other_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = ages(tmp_path)
    table = tmp_path / "c.csv"
    assert main(["audit", "survey", "--out", str(table)]) == 0
    assert main(["audit", "survey", "--out", str(table)]) == 0, "its own kind is written anew"
    before = state(tmp_path)
    assert main(["audit", "--channel", str(table), "--out", str(table), "--force"]) == 2
    capsys.readouterr()
    assert main(["audit", "survey", "--out", str(data)]) == 2
    assert "--force" in capsys.readouterr().err
    assert state(tmp_path) == before
    assert main(["audit", "survey", "--out", str(data), "--force"]) == 0
    assert data.read_bytes() == table.read_bytes()


def test_a_hierarchy_does_not_replace_other_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, spec = ages(tmp_path)
    out = tmp_path / "h.csv"
    words = ["hierarchy", "build", str(spec), "--data", str(data), "--column", "age", "--out", str(out)]
    assert main(words) == 0 and main(words) == 0
    (tmp_path / "h.json").unlink()
    before = state(tmp_path)
    assert main(words) == 2 and "--force" in capsys.readouterr().err
    assert state(tmp_path) == before
    assert main([*words, "--force"]) == 0


def test_the_table_of_a_ledger_replaces_only_its_own_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, _ = ages(tmp_path)
    other, table, pages = tmp_path / "letters.csv", tmp_path / "table.csv", tmp_path / "pages"
    other.write_text("a,b\n1,2\n", encoding="utf-8")
    assert main(["query", str(data), "--query", "count", "--epsilon", "1"]) == 0
    assert main(["ledger", str(data), "--csv", str(table), "--statements", str(pages)]) == 0
    assert main(["ledger", str(data), "--csv", str(table), "--statements", str(pages)]) == 0
    (page,) = pages.iterdir()
    page.write_text("mine", encoding="utf-8")
    before = state(tmp_path)
    capsys.readouterr()
    assert main(["ledger", str(data), "--csv", str(other)]) == 2 and "--force" in capsys.readouterr().err
    assert main(["ledger", str(data), "--statements", str(pages), "--set-budget", "9,0"]) == 2
    assert state(tmp_path) == before
    capsys.readouterr()
    assert main(["ledger", str(data), "--json"]) == 0 and '"budget": null' in capsys.readouterr().out
    assert main(["ledger", str(data), "--csv", str(other), "--statements", str(pages), "--force"]) == 0
    assert other.read_bytes() == table.read_bytes() and b"<footer>" in page.read_bytes()


def test_the_data_of_a_project_is_protected_without_being_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = ages(tmp_path)
    session = Session()
    session.data.open(data)
    session.save(tmp_path / "p.wbench")
    before = state(tmp_path)
    assert main(["ledger", str(tmp_path / "p.wbench"), "--csv", str(data), "--force"]) == 2
    assert "must not be overwritten" in capsys.readouterr().err
    with pytest.raises(WorkbenchError, match="must not be overwritten"):
        session.save(data)
    assert state(tmp_path) == before


@pytest.mark.parametrize("command", ["run", "report"])
def test_nothing_is_written_into_the_folder_of_ledgers(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = recording.workplace(tmp_path)
    words = recorded(command, place)
    before = state(tmp_path)
    words[words.index("--out") + 1] = str(ledgers_folder())
    ledgers_folder().mkdir(parents=True, exist_ok=True)
    kept = state(ledgers_folder())
    capsys.readouterr()
    assert main(words) == 2 and "only this program writes" in capsys.readouterr().err
    assert state(tmp_path) == before and state(ledgers_folder()) == kept


@pytest.mark.parametrize(
    "words",
    [
        ["audit", "survey", "--out"],
        ["ledger", "{data}", "--csv"],
        ["anonymise", "{data}", *RELEASE, "--out-format", "csv", "--out"],
        ["anonymise", "{data}", *RELEASE, "--out-format", "xlsx", "--out"],
        ["anonymise", "{data}", *RELEASE, "--out", "{out}", "--statement"],
        ["collect", "{data}", *ASKING, "--reports"],
    ],
    ids=" ".join,
)
def test_no_command_writes_over_a_key_to_sign_with(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """There is no second one: whoever knows the public key would take what is signed from now on for forged."""
    data, _ = ages(tmp_path)
    key, link = tmp_path / "elsewhere" / "key.pem", tmp_path / "link"
    key.parent.mkdir()
    key.write_text("-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n", encoding="ascii")
    link.symlink_to(key)
    before = state(tmp_path)
    for name in (key, link):
        given = [word.format(data=data, out=tmp_path / "o.csv") for word in words]
        assert main([*given, str(name), "--force"]) == 2
        assert "private key, which must not be overwritten" in capsys.readouterr().err
    assert state(tmp_path) == before and not [*ledgers_folder().glob("*.jsonl")]


def test_no_command_writes_over_a_ledger_wherever_it_lies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that nobody named, such as a copy: what was spent is known nowhere else."""
    data, _ = ages(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    ledger = tmp_path / "elsewhere" / "spent.jsonl"
    Ledger(ledger, "0" * 64).charge(Charge("query", "x", Fraction(1)))
    before = state(tmp_path)
    assert main(["ledger", str(data), "--csv", str(ledger), "--force"]) == 2
    assert "is a ledger, which must not be overwritten" in capsys.readouterr().err
    assert state(tmp_path) == before


def test_a_note_beside_a_hierarchy_is_an_input_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, spec = ages(tmp_path)
    hierarchy = tmp_path / "h.csv"
    words = ["hierarchy", "build", str(spec), "--data", str(data), "--column", "age", "--out", str(hierarchy)]
    assert main(words) == 0
    before = state(tmp_path)
    words = ["anonymise", str(data), "--hierarchy", f"age={hierarchy}", *RELEASE[2:], "--out", str(tmp_path / "o.csv")]
    assert main([*words, "--metadata", str(tmp_path / "h.json"), "--force"]) == 2
    assert "must not be overwritten" in capsys.readouterr().err
    assert state(tmp_path) == before


def test_a_folder_that_a_failed_run_made_is_gone(tmp_path: Path) -> None:
    place = recording.workplace(tmp_path)
    words = recorded("run", place)
    out = tmp_path / "new" / "deep"
    words[words.index("--out") + 1] = str(out)
    os.environ["WORKBENCH_LEDGERS"] = "/dev/null/nowhere"  # the fixture of all tests puts it back
    assert main(words) == 2
    assert not out.parent.exists()


@pytest.mark.parametrize("side", ["-wal", "-shm", "-journal"])
def test_what_lies_beside_a_database_is_read_with_it(
    side: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows that another program has just committed are there and nowhere else."""
    database, linked = tmp_path / "people.db", tmp_path / "linked.csv"
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("create table people (age integer)")
        connection.executemany("insert into people values (?)", [(20 + row % 50,) for row in range(100)])
        connection.commit()
        beside = tmp_path / f"people.db{side}"
        if side == "-journal":
            beside.write_bytes(b"pages")
        linked.hardlink_to(beside)
        before = state(tmp_path)
        for name in (beside, linked):
            words = ["anonymise", str(database), *RELEASE, "--out", str(name), "--out-format", "csv", "--force"]
            assert main(words) == 2 and "must not be overwritten" in capsys.readouterr().err
        with protected_files.protecting(Protected((database,))), pytest.raises(WorkbenchError, match="belongs to"):
            refuse_protected(beside)
        assert state(tmp_path) == before
    assert not ledgers_folder().exists()


def test_what_is_protected_is_so_while_it_is_read(tmp_path: Path) -> None:
    data, project = tmp_path / "data.csv", tmp_path / "p.wbench"
    for path in (data, project):
        path.write_bytes(b"x")
    with protected_files.protecting(Protected((data, tmp_path / "parts" / "*.csv"), (project,))):
        for path, own in ((data, True), (data, False), (project, False)):
            with pytest.raises(WorkbenchError, match="must not be overwritten"), atomic_write(path, own=own):
                pass
        with pytest.raises(WorkbenchError, match="among the parts"):
            refuse_protected(tmp_path / "parts" / "new.csv")
        with atomic_write(project, own=True) as file:
            file.write(b"y")
    with atomic_write(data) as file:
        file.write(b"z")
    assert (data.read_bytes(), project.read_bytes()) == (b"z", b"y")


# Names that are no text

NO_TEXT = os.fsdecode(b"M\xfcller.csv")
"""As it was given where names are Latin-1, or came out of an old zip."""


def test_a_name_that_no_ledger_could_hold_is_refused_before_anything_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, _ = ages(tmp_path)
    before = state(tmp_path)
    words = ["anonymise", str(data), *RELEASE]
    for flags in (["--out", NO_TEXT], [f"--out={NO_TEXT}"], ["--out", "o.csv", "--statement", NO_TEXT]):
        assert main([*words, *flags]) == 2
        said = capsys.readouterr().err
        assert "M\ufffdller.csv” is not spelled in UTF-8" in said and "charged" not in said
    for command, parser in leaves().items():
        for action in parser._actions:
            if action.type in files.ROLES:
                named = value(action, tmp_path / NO_TEXT)
                assert main([*command.split(), *named]) == 2
                assert "is not spelled in UTF-8" in capsys.readouterr().err, (command, action.dest)
    assert state(tmp_path) == before and not ledgers_folder().exists()


def test_neither_is_it_read_saved_or_released_by_a_session(tmp_path: Path) -> None:
    data, _ = ages(tmp_path)
    session = Session()
    session.data.open(data)
    before = state(tmp_path)
    targets = Targets(tmp_path / "o.csv", ExportFormat(), statement=tmp_path / NO_TEXT)
    for act in (
        lambda: Session().data.open(tmp_path / NO_TEXT),
        lambda: session.save(tmp_path / "J\udce4ger.wbench"),
        lambda: targets.check(()),
        lambda: Targets(tmp_path / NO_TEXT, ExportFormat()).check(()),
    ):
        with pytest.raises(WorkbenchError, match="not spelled in UTF-8"):
            act()
    assert state(tmp_path) == before
