"""What leaves: nothing that must stay, read back before it leaves, and checked again with `workbench verify`."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections import namedtuple
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.said_numbers import whole_numbers
from workbench.anonymise.privacy import ModelChoice
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.core.table import Table
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.io.formats import csv as csv_format
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.ldp.choice import ProtocolChoice
from workbench.project.anonymise_settings import AnonymityKind
from workbench.project.model import GuaranteeSettings
from workbench.project.names_beside import note_beside, statement_beside
from workbench.query.catalogue import QueryDraft
from workbench.session import Session
from workbench.session.export import Exported, Targets
from workbench.session.syntactic.results import Recoded

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 70)], origin="tens")
FORMS = [name for name, form in FORMATS.items() if form.missing is None]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """4,001 people; names, a rare age and the file's own name must never leave."""
    folder = tmp_path / "private"
    folder.mkdir()
    file = folder / "TAINTFILE.csv"
    rows = [f"TAINT{i},{20 + i % 40},{'=flu' if i % 3 else 'gout'}" for i in range(4000)]
    file.write_text("\n".join(["name,age,illness", *rows, "TAINT-last,69,TAINTILL"]) + "\n", encoding="utf-8")
    write_hierarchy(AGES, folder / "age.csv")
    return file


def opened(file: Path, approach: AnonymityKind = AnonymityKind.DP) -> Session:
    session = Session()
    session.data.open(file)
    session.data.attach_hierarchy("age", AGES)
    session.release.columns.set_level("age", 1)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-5))
    session.data.set_role(["illness"], Role.SENSITIVE)
    session.syntactic.set_approach(approach)
    if approach is AnonymityKind.SYNTACTIC:
        session.syntactic.set_models([ModelChoice("k-anonymity", {"k": 5}), ModelChoice.parse("t=0.9:illness")])
        session.syntactic.set_suppression_limit(0.5)
    return session


def release(session: Session, path: Path, style: ExportFormat | None = None, **allowed: bool) -> Exported:
    beside = {"statement": statement_beside(path), "note": note_beside(path)}
    if not session.syntactic.wanted:
        session.release.anonymise()
        return session.release.export(path, beside["statement"], style=style, note=beside["note"], **allowed)
    made = session.syntactic.recoder()(SILENT)
    assert isinstance(made, Recoded), made
    session.syntactic.accept_recoded(made)
    exported = session.syntactic.recoded_writer(path, beside["statement"], style=style, note=beside["note"], **allowed)(
        SILENT
    )
    session.syntactic.record_recoded(path, made, exported)
    return exported


def ask(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, Any]]:
    code = main([*map(str, words), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else {"error": said.err}


@pytest.mark.parametrize("form", FORMS)
def test_no_true_value_leaves(people: Path, tmp_path: Path, form: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    session = opened(people)
    exported = release(session, out / f"one.{form}")
    assert exported.rechecked.holds
    assert session.release.result is not None
    secret = ["TAINT", session.data.fingerprint, "4,001", "4001"]
    if session.release.result.outcome.suppressed:
        secret.append(str(len(session.release.result.outcome.sampled_rows)))
    written = sorted(path.name for path in out.iterdir())
    assert written == sorted(
        [f"one.{form}", statement_beside(out / f"one.{form}").name, note_beside(out / f"one.{form}").name]
    )
    for path in out.iterdir():
        content = path.read_bytes()
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                content += b"".join(archive.read(name) for name in archive.namelist())
        for word in secret:
            numbers_only = word.replace(",", "").isdigit()
            if numbers_only and path.suffix not in (".html", ".json"):
                continue
            text = content.decode("utf-8", "replace").replace(exported.file.fingerprint, "").replace(
                str(exported.file.size), ""
            )  # fmt: skip
            if numbers_only:  # digits inside another checksum say nothing
                assert int(word.replace(",", "")) not in whole_numbers(text), (path.name, word)
            else:
                assert word not in text, (path.name, word)


def test_a_suppressed_sensitive_value_does_not_leave_with_a_syntactic_release(people: Path, tmp_path: Path) -> None:
    lines = people.read_text("utf-8").replace("69,TAINTILL", "TAINTAGE,TAINTILL")
    people.write_text(lines, encoding="utf-8")
    session = opened(people, AnonymityKind.SYNTACTIC)
    session.data.attach_hierarchy("age", AGES.covering(["TAINTAGE"]))
    for form in FORMS:
        out = tmp_path / f"s.{form}"
        exported = release(session, out)
        assert exported.rechecked.holds
        for path in (out, statement_beside(out), note_beside(out)):
            content = path.read_bytes()
            if zipfile.is_zipfile(path):
                with zipfile.ZipFile(path) as archive:
                    content = b"".join(archive.read(name) for name in archive.namelist())
            assert b"TAINT" not in content, path.name
            path.unlink()
        # How far the classes are from the true table is for the analyst.
        close = exported.rechecked.to_json(public=True)["models"][1]
        assert (close["model"], close["holds"], close["value"]) == ("t-closeness", True, None)


@pytest.mark.parametrize("approach", list(AnonymityKind))
def test_whoever_gets_the_files_can_verify_them(
    people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], approach: AnonymityKind
) -> None:
    out = tmp_path / "out.csv"
    exported = release(opened(people, approach), out, ExportFormat(delimiter=";", encoding="utf-16", quote_all=True))
    hierarchy = ("--hierarchy", f"age={people.with_name('age.csv')}")
    for beside in (statement_beside(out), note_beside(out)):
        code, found = ask(capsys, "verify", out, "--statement", beside, *hierarchy)
        assert (code, found["holds"]) == (0, True)
        assert found["sha256"] == exported.file.fingerprint == hashlib.sha256(out.read_bytes()).hexdigest()
        assert found["models"][0]["value"] == exported.rechecked.models[0].found.value
    text = out.read_bytes().decode("utf-16")
    out.write_bytes((text + text.splitlines()[1].replace('"', "'").replace("s", "!") + "\n").encode("utf-16"))
    code, found = ask(capsys, "verify", out, "--statement", note_beside(out), *hierarchy)
    assert (code, found["holds"]) == (1, False)
    assert len(found["faults"]) >= 3  # fingerprint, rows, a label that is none
    assert not found["models"][0]["holds"]


def test_verify_by_hand(people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "r.csv"
    words = ("anonymise", people, "--hierarchy", f"age={people.with_name('age.csv')}", "--level", "age=1",
             "--model", "k=5", "--model", "l=2:illness", "--suppression-limit", "0.1", "--out", out)  # fmt: skip
    assert ask(capsys, *words)[0] == 0
    checked = ("verify", out, "--hierarchy", f"age={people.with_name('age.csv')}")
    code, found = ask(capsys, *checked, "--model", "k=5", "--model", "t=0.9:illness", "--original", people)
    assert (code, found["holds"]) == (0, True)
    assert found["models"][0]["value"] >= 5
    assert found["models"][1]["analyst_only"]
    shares = tmp_path / "d.csv"
    shares.write_text("illness,rows\n=flu,2666\ngout,1334\n", encoding="utf-8")
    code, found = ask(capsys, *checked, "--model", "t=0.01:illness", "--distribution", f"illness={shares}")
    assert found["models"][0]["note"] == "Compared with the given distribution."
    assert ask(capsys, *checked, "--model", "k=999999")[0] == 1
    assert ask(capsys, *checked, "--level", "age=0", "--model", "k=5")[0] == 1
    assert ask(capsys, *checked, "--model", "k=5", "--all-grouped")[0] == 1  # illness is not grouped
    for wrong in (("verify", out), ("verify", tmp_path / "none.csv", "--model", "k=5"),
                  ("verify", out, "--statement", people), (*checked, "--model", "l=2:nothing")):  # fmt: skip
        code, found = ask(capsys, *wrong)
        assert code == 2
        assert json.loads(found["error"])["error"]["message"]


@pytest.mark.parametrize("approach", list(AnonymityKind))
def test_a_file_that_is_not_what_it_should_be_never_leaves(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, approach: AnonymityKind
) -> None:
    session = opened(people, approach)
    right: Callable[..., Any] = csv_format.csv_into

    def wrong(table: Table, *args: Any, **more: Any) -> Any:
        column = table["age"]
        spoilt = type(column)("age", column.codes, tuple(f"{text}?" for text in column.values))
        return right(Table((spoilt, *table.columns[1:])), *args, **more)

    monkeypatch.setattr(csv_format, "csv_into", wrong)
    with pytest.raises(WorkbenchError, match="Nothing was released"):
        release(session, tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["private"]
    assert not any(entry.left for entry in session.ledger.current.entries)


def test_beside_files_come_back_if_the_release_fails(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    out = tmp_path / "out.csv"
    release(session, out)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    session.ledger.current.set_budget(Fraction(1), Fraction(1, 10_000))
    session.release.set_seed(1)  # a simulation is charged when it leaves
    session.release.anonymise()
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        session.release.export(
            out, out.with_name("out_statement.html"), note=out.with_name("out_metadata.json"), force=True,
            without_claim=True,
        )  # fmt: skip
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
    with pytest.raises(WorkbenchError, match="vouch"):
        session.release.exporter(out)


KILLED = """
import hashlib, json, os, random, signal, sys, time
from pathlib import Path
from workbench.anonymise.recipe import Treatment
from workbench.session import Session
folder = Path(sys.argv[1])
os.environ["WORKBENCH_LEDGERS"] = str(folder / "ledgers")
rng = random.Random(11)
data = folder / "data.csv"
data.write_text("age\\n" + "".join(f"{i % 10}\\n" for i in range(2000)))
out, page, note = folder / "out.csv", folder / "out_statement.html", folder / "out_metadata.json"
session = Session()
session.data.open(data)
session.release.columns.set_treatment("age", Treatment.GENERALISE)
for trial in range(25):
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            while True:
                session.release.draw_again()
                exported = session.release.export(out, page, note=note, force=True)
                os.write(writer, b"+")
        finally:
            os._exit(1)
    os.close(writer)
    os.read(reader, 1)
    time.sleep(rng.uniform(0, 0.06))
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    more = b""
    while piece := os.read(reader, 1 << 16):
        more += piece
    os.close(reader)
    content = out.read_bytes()
    assert content.startswith(b"age\\n") and content.endswith(b"\\n"), "half a file"
    said = json.loads(note.read_text())  # whole, too
    assert page.read_text().rstrip().endswith("</html>")
    if said["file"]["sha256"] == hashlib.sha256(content).hexdigest():
        assert said["file"]["bytes"] == len(content)
    # Whatever stands there was paid for, each draw once.
    assert len(session.ledger.current.entries) >= trial + 1 + len(more)
entries = session.ledger.current.entries
assert session.ledger.current.spent().epsilon == len(entries), "paid twice"
left = [p.name for p in folder.iterdir() if p.name.endswith(".part")]
print("fine", len(entries), len(left))
"""


@pytest.mark.skipif(os.name != "posix", reason="needs fork and kill")
def test_killed_at_any_moment_nothing_is_half_written(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)],
        capture_output=True, text=True, timeout=50, check=False, cwd=Path(__file__).resolve().parents[1],
    )  # fmt: skip
    assert done.stdout.startswith("fine"), done.stderr


def test_certificates_say_what_was_promised_and_what_not(
    people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = opened(people)
    release(session, tmp_path / "one.csv")
    session.release.columns.set_levels_blind(False)
    release(session, tmp_path / "two.csv", without_claim=True)
    session.queries.ask(QueryDraft(epsilon="0.1"))
    holds, void, answer = [session.ledger.certificate(entry) for entry in session.ledger.current.entries]
    assert (holds.holds, void.holds, answer.holds) == (True, False, True)
    assert "(1, " in holds.sentence
    assert "what would restore it" in void.body()
    assert "some have no claim" in answer.body()
    assert "factor of at most 1.106 (e^ε, rounded up)" in answer.body()
    code, found = ask(capsys, "ledger", people, "--statements", tmp_path / "said")
    assert code == 0
    assert [Path(name).name for name in found["statements"]] == [
        "001_release.html",
        "002_release.html",
        "003_query.html",
    ]
    for one, name in zip((holds, void, answer), found["statements"], strict=True):
        assert one.body() in Path(name).read_text("utf-8")
        assert "TAINT" not in one.page()
        assert one.page().endswith("</html>\n")
        assert "Together with other releases" in one.body()


@pytest.mark.parametrize("seed", [None, 3])
def test_the_certificate_of_perturbed_reports(people: Path, tmp_path: Path, seed: int | None) -> None:
    session = opened(people)
    session.data.set_domain("age", [str(a) for a in range(20, 70)])
    desk = session.collection
    desk.change(column="age", epsilon=2.0)
    desk.exporter(ProtocolChoice("grr"), tmp_path / "reports.csv", seed=seed)(SILENT)
    said = session.ledger.certificate(session.ledger.current.entries[-1])
    assert said.holds is (seed is None)
    if seed is None:
        assert "2-locally differentially private" in said.sentence
    else:
        assert "drawn with a seed" in said.body()
    assert "TAINT" not in said.page()


def test_formats_of_one_release_do_not_take_each_other_s_statements(
    people: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = opened(people)
    session.release.anonymise()
    paths = [tmp_path / f"r.{form}" for form in FORMS]
    for path in paths:
        session.release.export(path, statement_beside(path), note=note_beside(path))
    for path in paths:
        for beside in (statement_beside(path), note_beside(path)):
            assert ask(capsys, "verify", path, "--statement", beside)[0] == 0, beside
    other = statement_beside(paths[0])
    kept = other.read_bytes()
    for named in ({"statement": other}, {"note": other}):
        with pytest.raises(WorkbenchError, match="belongs to"):
            session.release.export(tmp_path / "s.csv", **named)
    assert other.read_bytes() == kept
    assert not (tmp_path / "s.csv").exists()
    session.release.export(paths[0], other, note=note_beside(paths[0]))  # its own may be written anew


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("missing/out.csv", None, None), "no folder"),
        (("TAINTFILE.csv", None, None), "must not be overwritten"),
        (("out.csv", "out.csv", None), "must not be overwritten"),
        (("out.csv", "TAINTFILE.csv", None), "must not be overwritten"),
        (("out.csv", None, "missing/note.json"), "no folder"),
    ],
)
def test_targets_are_refused_before_anything_is_drawn(
    people: Path, tmp_path: Path, names: tuple[str | None, ...], told: str
) -> None:
    session = opened(people)
    path, statement, note = (people if one == people.name else one and tmp_path / one for one in names)
    assert isinstance(path, Path)
    targets = Targets(path, ExportFormat.of(path), statement or None, note or None)
    with pytest.raises(WorkbenchError, match=told):
        session.release.refuse_before_drawing(targets)
    session.release.refuse_before_drawing(Targets(tmp_path / "fine.csv", ExportFormat()))
    assert not (tmp_path / "fine.csv").exists()


def test_a_full_disk_is_told_before_anything_is_drawn_and_charged(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line had paid for the draw by then, and kept nothing of it."""
    session = opened(people)
    full = namedtuple("full", "total used free")(1 << 30, 1 << 30, 0)
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _: full)
        with pytest.raises(WorkbenchError, match="0 MB are free there"):
            session.release.refuse_before_drawing(Targets(tmp_path / "out.csv", ExportFormat()))
        session.release.refuse_draw()  # that may be written elsewhere
    session.release.refuse_before_drawing(Targets(tmp_path / "out.csv", ExportFormat()))
    assert session.ledger.current.entries == ()


def test_a_budget_that_does_not_suffice_is_told_before_anything_is_drawn(people: Path, tmp_path: Path) -> None:
    session = opened(people)
    promised = session.release.promise()
    session.ledger.current.set_budget(Fraction(promised.epsilon) / 2, Fraction(promised.delta))
    with pytest.raises(WorkbenchError, match="budget"):
        session.release.refuse_before_drawing(Targets(tmp_path / "out.csv", ExportFormat()))
