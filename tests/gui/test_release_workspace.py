"""The Release workspace: verdict, checklist, statement and export as a person meets them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.runner import Runner
from workbench.gui.theme import Theme
from workbench.gui.workspaces.release import ReleaseWorkspace


@pytest.fixture
def room(qtbot: QtBot, light: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ReleaseWorkspace]:
    """The workspace with 4,000 people whose ages have a public hierarchy; not run yet. Every question gets a Yes."""
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    data = tmp_path / "people.csv"
    data.write_text("age\n" + "".join(f"{20 + i % 40}\n" for i in range(4000)), encoding="utf-8")
    messages = MessageBar()
    runner = Runner(messages)
    document = Document(runner)
    document.failed.connect(messages.show_error)
    room = ReleaseWorkspace(document)
    room.messages = messages  # type: ignore[attr-defined]
    qtbot.addWidget(messages)
    qtbot.addWidget(room)
    room.resize(900, 700)
    room.show()
    document.open_data(data)
    qtbot.waitUntil(lambda: document.has_data and not runner.jobs, timeout=10_000)
    document.apply("attach", lambda s: s.attach_hierarchy("age", tens(Provenance.PUBLIC)))
    yield room
    runner.shutdown()


def tens(provenance: Provenance) -> Hierarchy:
    return Hierarchy.from_rows(
        [(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)], provenance=provenance, origin="tens"
    )


def run(room: ReleaseWorkspace) -> None:
    document = room.document
    document._accept(document.session.anonymiser()())


def idle(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    qtbot.waitUntil(lambda: not room.document.runner.jobs, timeout=10_000)


def words(room: ReleaseWorkspace) -> str:
    return "\n".join(label.text() for label in room.findChildren(QLabel) if label.isVisibleTo(room))


def test_empty_it_says_what_belongs_here(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    assert "Nothing to release yet" in words(room)
    with qtbot.waitSignal(room.go_to) as asked:
        next(b for b in room.findChildren(QPushButton) if b.text() == "Go to Anonymise").click()
    assert asked.args == ["anonymise"]


def test_a_claim_that_holds(room: ReleaseWorkspace) -> None:
    run(room)
    assert "the claim holds" in room.verdict.text
    assert "differentially private release" in room.statement.toPlainText()
    assert room.export.export.isEnabled()


def test_a_void_claim_leads_to_where_it_is_put_right(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    room.document.apply("derived", lambda s: s.attach_hierarchy("age", tens(Provenance.DERIVED)))
    run(room)
    assert "No (ε, δ) claim" in room.verdict.text
    assert "No (ε, δ) claim" in room.statement.toPlainText()
    show = [b for b in room.checks.findChildren(QPushButton) if "Hierarchies" in b.accessibleName()]
    with qtbot.waitSignal(room.go_to) as asked:
        qtbot.mouseClick(show[0], Qt.MouseButton.LeftButton)
    assert asked.args == ["hierarchies"]


def test_after_a_change_nothing_can_be_exported(room: ReleaseWorkspace) -> None:
    run(room)
    room.document.apply("level", lambda s: s.set_level("age", 2))
    assert not room.export.export.isEnabled()
    assert "changed after the last run" in words(room)


def test_export_with_another_delimiter_and_history(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    room.export.delimiter.setCurrentIndex(1)
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_text(encoding="utf-8").splitlines()[0] == "age"
    assert not out.with_name("out_statement.html").exists()
    assert room.history.table.rowCount() == 1
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.rowCount() == 1  # the same file again is the same release
    run(room)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.rowCount() == 2
    room.tabs.setCurrentIndex(3)
    assert "ε 2" in words(room)


@pytest.mark.parametrize("place", ["missing/out.csv", ".", "people.csv"])
def test_places_that_cannot_be_written_are_told(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, place: str
) -> None:
    run(room)
    before = (tmp_path / "people.csv").read_bytes()
    room.export.file.setText(str(tmp_path / place))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.messages.messages  # type: ignore[attr-defined]
    assert room.document.project.releases == ()
    assert (tmp_path / "people.csv").read_bytes() == before


def test_in_both_themes_text_follows_the_theme(room: ReleaseWorkspace, theme: Theme) -> None:
    run(room)
    assert not room.grab().isNull()


def test_a_file_of_somebody_else_is_not_replaced_unasked(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room)
    out = tmp_path / "mine.csv"
    out.write_text("precious", encoding="utf-8")
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.No)
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_text(encoding="utf-8") == "precious"
    room.export.file.setText(str(tmp_path / "p.wbench"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not (tmp_path / "p.wbench").exists()


def test_no_statement_vouches_for_another_file(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    before = out.read_bytes()
    room.document.apply("void", lambda s: s.set_levels_blind(False))
    run(room)
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_bytes() == before
    assert "vouch" in room.messages.messages[0].text  # type: ignore[attr-defined]
