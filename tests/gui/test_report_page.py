"""The Reports page of the Release workspace."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen, data_is_there, idle
from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.widgets.badge import Badge
from workbench.gui.workspaces.release import ReleaseWorkspace

pytestmark = pytest.mark.usefixtures("sampling")


@pytest.fixture
def room(
    qtbot: QtBot, document: Document, messages: MessageBar, on_screen: OnScreen, tmp_path: Path
) -> Iterator[ReleaseWorkspace]:
    """The workspace with a current result."""
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(4000)), encoding="utf-8")
    document.noted.connect(lambda _, text: messages.info(text))
    room = ReleaseWorkspace(document)
    room.messages = messages  # type: ignore[attr-defined]
    document.open_data(data)
    data_is_there(qtbot, document)
    rows = [(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)]
    document.apply("attach", lambda s: s.data.attach_hierarchy("age", Hierarchy.from_rows(rows, origin="tens")))
    document._accept(document.session.release.anonymiser()())
    document.look(publish=True)
    on_screen(room)
    yield room
    document.runner.shutdown()
    document.close()


def choosing(monkeypatch: pytest.MonkeyPatch, path: Path | str, kind: str = "Web page (*.html)") -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), kind))


def test_both_reports_are_saved_in_both_formats(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choosing(monkeypatch, tmp_path / "r.html")
    room.reports.release.click()
    idle(qtbot, room)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "differentially private release" in page and "Analyst only" not in page
    choosing(monkeypatch, tmp_path / "a", "PDF document (*.pdf)")
    room.reports.analyst.click()
    idle(qtbot, room)
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    assert "a.pdf" in room.messages.messages[0].text  # type: ignore[attr-defined]


def test_nothing_is_written_if_no_file_is_chosen(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    choosing(monkeypatch, "")
    idle(qtbot, room)
    room.reports.release.click()
    assert room.document.runner.jobs == ()


def test_a_report_does_not_replace_the_data(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "people.pdf").symlink_to(tmp_path / "people.csv")
    before = (tmp_path / "people.csv").read_bytes()
    choosing(monkeypatch, tmp_path / "people.pdf")
    room.reports.release.click()
    idle(qtbot, room)
    assert "must not be overwritten" in room.messages.messages[0].text  # type: ignore[attr-defined]
    assert (tmp_path / "people.csv").read_bytes() == before


def test_the_rows_are_in_it_once_the_file_has_left(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    choosing(monkeypatch, tmp_path / "r.html")
    assert not room.reports.not_left.isHidden()
    room.reports.release.click()
    idle(qtbot, room)
    assert "The file has" not in (tmp_path / "r.html").read_text(encoding="utf-8")
    room.document.export(tmp_path / "out.csv", None)
    idle(qtbot, room)
    assert room.reports.not_left.isHidden()
    room.reports.release.click()
    idle(qtbot, room)
    assert "The file has" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_what_is_out_of_date_is_not_reported(room: ReleaseWorkspace) -> None:
    assert room.reports.release.isEnabled() and room.reports.analyst.isEnabled()
    room.document.apply("level", lambda session: session.release.columns.set_level("age", 2))
    assert not room.reports.release.isEnabled() and not room.reports.analyst.isEnabled()
    assert not room.reports._stale.isHidden()


def test_the_analyst_report_has_its_badge(room: ReleaseWorkspace) -> None:
    assert [badge for badge in room.reports.findChildren(Badge) if "Analyst" in badge.text]


def test_the_command_does_the_same(room: ReleaseWorkspace, tmp_path: Path) -> None:
    room.reports.command.click()
    assert "Save the project first" in room.messages.messages[0].text  # type: ignore[attr-defined]
    path = tmp_path / "my project.wbench"
    assert room.document.save(path)
    room.reports.command.click()
    said = QGuiApplication.clipboard().text()
    assert said == f"workbench report '{path}' --out '{tmp_path / 'my project_reports'}'"
