"""Statements in the publisher's name, where the disk is full or somebody cancels: all is there, or what was before."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import workbench as wb
from tests.forging import WORDS, png
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, Progress
from workbench.io.export_format import ExportFormat
from workbench.project.names_beside import statement_beside
from workbench.session import Session
from workbench.session.export import Targets
from workbench.session.pseudonyms import new_pseudonym_key, pseudonymiser


@pytest.fixture
def template(tmp_path: Path) -> Path:
    (tmp_path / "logo.png").write_bytes(png(40, 10))
    (tmp_path / "template.json").write_text(json.dumps(WORDS), encoding="utf-8")
    return tmp_path / "template.json"


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("\n".join(["id,age", *(f"P{i},{20 + i % 4 * 10}" for i in range(400))]) + "\n", encoding="utf-8")
    return path


def state(folder: Path) -> dict[str, bytes]:
    return {str(one.relative_to(folder)): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def full_disks(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Let the n-th time that something is forced to the disk fail, for n = 1, 2, … until nothing fails any more."""
    force = os.fsync
    for number in range(1, 40):
        left = [number]

        def full(descriptor: int, left: list[int] = left) -> None:
            left[0] -= stat.S_ISREG(os.fstat(descriptor).st_mode)
            if not left[0]:
                left[0] = -1
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            force(descriptor)

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            yield number
        if left[0] > 0:
            return
    raise AssertionError("it never comes to an end")


def test_pages_of_a_ledger_are_written_all_or_none(
    tmp_path: Path, people: Path, template: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind in ("count", "mean"):
        more = ["--column", "age", "--bounds", "0,99", "--resolution", "1"] if kind == "mean" else []
        assert main(["query", str(people), "--query", kind, "--epsilon", "0.5", *more]) == 0
    pages = tmp_path / "new" / "pages"
    words = ["ledger", str(people), "--statements", str(pages), "--template", str(template), "--force"]
    for number in full_disks(monkeypatch):
        before = state(tmp_path)
        code = main(words)
        told = capsys.readouterr().err
        assert code == 0 or ("not enough room" in told and state(tmp_path) == before), f"{number}: {told}"
    assert number > 2 and code == 0 and len(list(pages.iterdir())) == 2
    monkeypatch.setattr("workbench.report.page.today", lambda: "2031-01-01")
    monkeypatch.setattr("workbench.report.certificate_page.today", lambda: "2031-01-01")
    before = state(tmp_path)
    for _ in full_disks(monkeypatch):
        code = main(words)
        assert (code == 0) == (state(tmp_path) != before), "the older pages stay, all of them"
    assert code == 0 and all("2031-01-01" in page.read_text("utf-8") for page in pages.iterdir())


def cancelled_at(number: int) -> Progress:
    left = [number]

    def progress(_share: float, _text: str) -> None:
        left[0] -= 1
        if not left[0]:
            raise Cancelled

    return Progress(progress)


def pseudonyms(people: Path, template: Path, out: Path, key: Path, *, force: bool) -> Callable[..., object]:
    session = Session()
    session.data.open(people)
    session.use_template(template)
    targets = Targets(out, ExportFormat(), statement=statement_beside(out), force=force)
    return pseudonymiser(session, ["id"], targets, key=key)


@pytest.mark.parametrize("there", [False, True], ids=["new", "replaced"])
def test_a_file_with_pseudonyms_leaves_with_its_statement_or_not_at_all(
    there: bool, tmp_path: Path, people: Path, template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key, folder = new_pseudonym_key(tmp_path / "secret" / "key.pem"), tmp_path / "out"
    folder.mkdir()
    if there:
        pseudonyms(people, template, folder / "out.csv", key, force=False)()
        people.write_text(people.read_text("utf-8") + "P400,20\n", encoding="utf-8")
    failed = 0
    for number in full_disks(monkeypatch):
        before = state(folder)
        try:
            pseudonyms(people, template, folder / "out.csv", key, force=there)()
        except WorkbenchError as error:
            failed += "not enough room" in error.message
            assert state(folder) == before, f"{number}: {error}"
        else:  # what failed is only told, as a sketch of the data that cannot be kept
            assert state(folder) != before or there
            if not there:
                for one in folder.iterdir():
                    one.unlink()
    assert failed > 1
    pseudonyms(people, template, folder / "out.csv", key, force=True)()
    assert set(state(folder)) == {"out.csv", "out_statement.html"}
    whole, stopped = state(folder), 0
    for number in range(1, 40):
        people.write_text(people.read_text("utf-8") + f"P{500 + number},20\n", encoding="utf-8")
        try:
            pseudonyms(people, template, folder / "out.csv", key, force=True)(cancelled_at(number))
        except Cancelled:
            stopped += 1
            assert state(folder) == whole
        else:
            break
    assert stopped and state(folder) != whole, "cancelled at each step once"


@pytest.mark.filterwarnings("ignore:The release could not be recorded in the project")
def test_a_project_that_is_run_leaves_file_statement_and_note_or_none(
    tmp_path: Path, template: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ages = tmp_path / "ages.csv"
    ages.write_text("\n".join(["age", *(str(20 + i % 4 * 10) for i in range(400))]) + "\n", encoding="utf-8")
    data = wb.open(ages)
    data.forecast(hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
    project, folder = data.save_project(tmp_path / "ages.wbench"), tmp_path / "out"
    folder.mkdir()
    failed = 0
    for number in full_disks(monkeypatch):
        try:
            wb.run_project(project, folder / "r.csv", template=template, chosen=number > 1)
        except wb.Refused as error:
            failed += 1
            assert not state(folder), f"{number}: {error}"
        else:
            assert set(state(folder)) == {"r.csv", "r_statement.html", "r_metadata.json"}
            assert WORDS["institution"].split()[0] in (folder / "r_statement.html").read_text("utf-8")
            assert wb.verify(folder / "r.csv").holds
            for one in folder.iterdir():
                one.unlink()
    assert failed > 2
