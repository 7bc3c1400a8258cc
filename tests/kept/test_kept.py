"""What was promised to programs and to files stays: flags, keys of answers, and everything that was ever written.

Recorded from the program once, and only added to. A deliberate change is listed in `changed.json` with its reason.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.fitting import fits, reprs
from tests.kept import recording
from tests.kept.recording import ANSWERS, FLAGS, HERE, Shape
from workbench.cli.answers import schemas
from workbench.cli.main import main
from workbench.core.json_schema import schema_of

FLAGS_KEPT: dict[str, dict[str, dict[str, Any]]] = json.loads(FLAGS.read_text(encoding="utf-8"))
SCHEMAS = schemas()
ANSWERED = sorted(file.stem for file in ANSWERS.glob("*.json"))
MEANINGFUL = {f"{file.parent.name}/{file.stem}": file for file in recording.meaningful()}
RELEASES = sorted(folder.name for folder in (HERE / "releases").iterdir() if folder.is_dir())
CERTIFICATES = sorted(folder.name for folder in (HERE / "certificates").iterdir())

CHANGED = json.loads((HERE / "changed.json").read_text(encoding="utf-8"))
DIFFERENCES: dict[str, str] = CHANGED["differences"]
WORDS: dict[str, dict[str, Any]] = CHANGED["words"]


def listed(subject: str) -> set[str]:
    """The differences that are meant, of one subject."""
    return {one for one in DIFFERENCES if one.startswith(f"{subject}: ")}


# Flags


def flag_differences(command: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """What somebody who used the flags of a command would stumble over."""
    for name, kept in before.items():
        there = now.get(name)
        subject = f"{command}: {name}"
        if there is None:
            yield f"{subject} is gone"
            continue
        for what, value in kept.items():
            fine = there[what] == value
            if what in ("names", "choices"):
                fine = there[what] is None if value is None else set(value) <= set(there[what] or ())
            elif what == "required":
                fine = value or not there[what]
            if not fine:
                yield f"{subject} {what}"
    for name, there in now.items():
        if name not in before and there["required"]:
            yield f"{command}: {name} is required"


@pytest.fixture(scope="module")
def flags_now() -> dict[str, dict[str, dict[str, Any]]]:
    return recording.all_flags()


@pytest.mark.parametrize("command", FLAGS_KEPT)
def test_the_flags_of_a_command_are_as_they_were(command: str, flags_now: dict[str, dict[str, Any]]) -> None:
    assert set(flag_differences(command, FLAGS_KEPT[command], flags_now.get(command, {}))) == listed(command)


def test_a_changed_flag_is_noticed() -> None:
    kept = {"names": ["--out", "-o"], "default": "", "choices": None, "required": True}

    def differences(**now: Any) -> list[str]:
        return list(flag_differences("run", {"--out": kept}, {"--out": {**kept, **now}}))

    assert not differences(names=["--out", "-o", "--to"], required=False)
    assert differences(names=["--out"]) == ["run: --out names"]
    assert differences(default="x") == ["run: --out default"]
    assert differences(choices=["a"]) == ["run: --out choices"]
    assert list(flag_differences("run", {"--out": kept}, {})) == ["run: --out is gone"]
    assert not list(flag_differences("run", {}, {"--new": {**kept, "required": False}}))
    assert list(flag_differences("run", {}, {"--new": kept})) == ["run: --new is required"]


# Answers of commands


def answer_differences(subject: str, step: Mapping[str, Any], code: int, answer: Any) -> Iterator[str]:
    """What a program that reads an answer would stumble over."""
    if code != step["code"]:
        yield f"{subject}: ends with {code}"
        return
    now: Shape = recording.shape(answer)
    for key, types in step["keys"].items():
        if key not in now:
            yield f"{subject}: {key} is gone"
        elif not set(now[key]) <= {*types, *(["integer"] if "number" in types else [])}:
            yield f"{subject}: {key} is {' or '.join(now[key])}"


def answers_again(name: str, place: Path, *, changed: bool) -> set[str]:
    """Run the commands of a recorded file again, with or without the words they need since; what differs."""
    found: set[str] = set()
    for number, step in enumerate(recording.steps(ANSWERS / f"{name}.json"), 1):
        subject = f"{name} {number}"
        more = WORDS.get(subject, {}).get("add", []) if changed else []
        code, answer = recording.run(recording.words_of(step, place, more))
        found |= set(answer_differences(subject, step, code, answer))
        if answer is not None and code == step["code"]:
            schema = SCHEMAS[recording.command_of(step["words"])]
            assert fits(answer, schema, closed=True) == [] == reprs(answer), subject
    return found


@pytest.mark.parametrize("name", ANSWERED)
def test_the_keys_of_an_answer_are_as_they_were(name: str, tmp_path: Path) -> None:
    meant = {one for one in DIFFERENCES if re.match(rf"{re.escape(name)} \d+: ", one)}
    assert answers_again(name, recording.workplace(tmp_path), changed=True) == meant


@pytest.mark.parametrize("subject", WORDS or [None])
def test_words_that_a_command_needs_since_are_needed(subject: str | None, tmp_path: Path) -> None:
    if subject is None:
        return  # every command that was recorded still does the same
    name = subject.rpartition(" ")[0]
    found = answers_again(name, recording.workplace(tmp_path), changed=False)
    assert {one for one in found if one.startswith(f"{subject}: ")} - set(DIFFERENCES)


@pytest.mark.parametrize(("file", "made"), [pytest.param(*one, id=one[0].stem) for one in recording.declarations()])
def test_a_version_of_a_schema_keeps_what_it_promised(file: Path, made: Any) -> None:
    """What goes, is no longer always there or has another type makes a new version, recorded beside the old one."""
    assert file.exists(), "record it with: python3 tests/kept/recording.py"
    kept, found = json.loads(file.read_text(encoding="utf-8")), recording.promises(schema_of(made))
    assert [path for path in kept if path not in found] == []
    for path, kinds in kept.items():
        more = {"integer"} if "number" in kinds else set[str]()
        known = set(kinds) - {"always"}  # nothing, where it was recorded that anything may be there
        assert not known or set(found[path]) - {"always"} <= {*kinds, *more}, path
        assert "always" in found[path] or "always" not in kinds, path


def test_a_changed_answer_is_noticed() -> None:
    step = {"code": 0, "keys": recording.shape({"epsilon": 1.0, "list": [{"a": "x"}], "none": None, "rows": 1})}

    def differences(answer: Any, code: int = 0) -> list[str]:
        return list(answer_differences("x 1", step, code, answer))

    fine = {"epsilon": 1, "list": [{"a": "y", "more": 1}], "none": None, "rows": 2, "new": []}
    assert not differences(fine)
    assert differences(fine, 2) == ["x 1: ends with 2"]
    assert differences({**fine, "rows": 2.0}) == ["x 1: rows is number"]
    assert differences({**fine, "epsilon": "1"}) == ["x 1: epsilon is text"]
    assert differences({**fine, "list": [{}]}) == ["x 1: list[].a is gone"]
    assert differences({**fine, "none": "now something"}) == ["x 1: none is text"]


# Files


def lost(before: Any, now: Any, path: str = "") -> Iterator[str]:
    """The paths at which something else stands than before; what was added does not count."""
    if isinstance(before, dict) and isinstance(now, dict):
        for name, one in before.items():
            if name in now:
                yield from lost(one, now[name], f"{path}.{name}" if path else name)
            else:
                yield f"{path}.{name}" if path else name
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, two) in enumerate(zip(before, now, strict=True)):
            yield from lost(one, two, f"{path}[{number}]")
    elif isinstance(before, float) and isinstance(now, float):
        if not math.isclose(before, now, rel_tol=1e-6, abs_tol=1e-9):
            yield path
    elif before != now:
        yield path


@pytest.mark.parametrize("name", MEANINGFUL)
def test_a_kept_file_means_what_it_meant(name: str, tmp_path: Path) -> None:
    place = recording.workplace(tmp_path)  # some kinds of files are written to when they are read
    file = MEANINGFUL[name]
    recorded = json.loads(recording.record_of(file).read_text(encoding="utf-8"))
    now = recording.meaning(place / "kept" / file.relative_to(HERE))
    assert {f"{name}: {path}" for path in lost(recorded, now)} == listed(name)


def test_another_meaning_is_noticed() -> None:
    before = {"a": [{"b": 1.0, "c": "x"}], "d": None}
    assert not list(lost(before, {"a": [{"b": 1.0 + 1e-9, "c": "x", "e": 1}], "d": None, "f": 2}))
    assert list(lost(before, {"a": [{"b": 1.1, "c": "x"}], "d": None})) == ["a[0].b"]
    assert list(lost(before, {"a": [], "d": None})) == ["a"]
    assert list(lost(before, {"a": [{"b": 1.0}], "d": 0})) == ["a[0].c", "d"]


@pytest.mark.parametrize("said", ["statement.html", "note.json"])
@pytest.mark.parametrize("name", RELEASES)
def test_a_kept_release_is_what_its_statement_and_its_note_say(name: str, said: str) -> None:
    folder = HERE / "releases" / name
    code, found = recording.run(["verify", str(released(folder)), "--statement", str(folder / said), "--json"])
    assert (code, found["holds"], found["faults"]) == (0, True, [])


@pytest.mark.parametrize("said", ["statement.html", "note.json"])
def test_one_row_less_is_another_release(said: str, tmp_path: Path) -> None:
    folder = shutil.copytree(HERE / "releases" / "claim", tmp_path / "claim")
    lines = released(folder).read_bytes().splitlines(keepends=True)
    released(folder).write_bytes(b"".join(lines[:-1]))
    code, found = recording.run(["verify", str(released(folder)), "--statement", str(folder / said), "--json"])
    assert (code, found["holds"]) == (1, False)


def released(folder: Path) -> Path:
    """The released file in a folder of kept files, or the folder of its parts."""
    (found,) = folder.glob("release*")
    return found


@pytest.mark.parametrize("name", CERTIFICATES)
def test_the_ledger_still_gives_the_numbers_of_its_certificates(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = recording.workplace(tmp_path) / "kept"
    ledger, pages = place / "ledgers" / f"{name}.jsonl", tmp_path / "pages"
    words = ["ledger", place / "material" / f"{name}.csv", "--ledger", ledger, "--statements", pages]
    assert main([str(word) for word in words]) == 0
    capsys.readouterr()
    for kept in sorted((HERE / "certificates" / name).iterdir()):
        before, now = (numbers(file.read_text(encoding="utf-8")) for file in (kept, pages / kept.name))
        assert before - now == set(), kept.name


def numbers(page: str) -> set[str]:
    """All numbers that a reader of a page sees."""
    text = re.sub(r"<style.*?</style>|<[^>]*>", " ", page, flags=re.DOTALL)
    return set(re.findall(r"\d+(?:[.,]\d+)*", text))


# The list itself


def subjects() -> Sequence[str]:
    steps = [f"{name} {n}" for name in ANSWERED for n, _ in enumerate(recording.steps(ANSWERS / f"{name}.json"), 1)]
    return [*FLAGS_KEPT, *steps, *MEANINGFUL]


def test_every_listed_change_is_of_something_recorded_and_says_why() -> None:
    for one, why in DIFFERENCES.items():
        assert one.partition(": ")[0] in subjects(), one
        assert len(why.split()) > 3, f"{one}: a sentence says why"
    for subject, change in WORDS.items():
        assert subject in subjects(), subject
        assert change["add"]
        assert len(change["why"].split()) > 3, f"{subject}: a sentence says why"


def test_everything_kept_is_recorded() -> None:
    assert [name for name, file in MEANINGFUL.items() if not recording.record_of(file).exists()] == []
    for name in ANSWERED:
        assert all("code" in step for step in recording.steps(ANSWERS / f"{name}.json")), name
    assert set(recording.sums()) == set(recording.kept_files())


def test_nothing_kept_was_edited() -> None:
    edited = [name for name, kept in recording.sums().items() if recording.sum_of(HERE / name) != kept]
    assert edited == []
