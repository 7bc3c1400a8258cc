"""An export from the Release workspace: what is written, with a claim or without."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect, Qt
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.release.helpers import VERIFIED, click, questions, run, say, words
from workbench.cli.main import main
from workbench.core.number_text import rounded_up
from workbench.gui.next_step import Way
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.project.storage import load_project
from workbench.query.ledger import LedgerHistory, RecordedLook
from workbench.session.publishing import named_publisher
from workbench.session.release.knowledge import answer_number

pytestmark = pytest.mark.usefixtures("sampling")


def test_export_with_another_delimiter_and_history(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    room.export.file_style.delimiter.setCurrentIndex(1)
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_text(encoding="utf-8").splitlines()[0] == "age"
    assert not out.with_name("out_statement.html").exists()
    assert room.history.table.model().rowCount() == 1
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 1  # the same file again is the same release
    run(room)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert room.history.table.model().rowCount() == 2
    room.tabs.setCurrentWidget(room.released)
    assert "ε 2" in words(room)


@pytest.mark.parametrize("known", [False, True])
def test_each_line_of_what_was_released_has_the_price_that_adds_up(
    qtbot: QtBot, room: ReleaseWorkspace, *, known: bool
) -> None:
    answer_number(room.document.session, known=known)
    run(room)
    click(qtbot, room)
    room.tabs.setCurrentWidget(room.released)
    lines = room.released.history.table.model()
    spent = room.document.session.standing.spent
    assert lines.rowCount() == 1 and spent.epsilon == (2 if known else 1)
    shown = [lines.index(0, column) for column in (2, 3)]
    assert [one.data() for one in shown] == [rounded_up(spent.epsilon), rounded_up(spent.delta)]
    assert f"ε {shown[0].data()}, δ {shown[1].data()}" in words(room)
    tips = [one.data(Qt.ItemDataRole.ToolTipRole) for one in shown]
    assert all("counted twice" in tip for tip in tips) if known else tips == [None, None]


def test_no_statement_vouches_for_another_file(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    out = tmp_path / "out.csv"
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    before = out.read_bytes()
    room.document.apply("void", lambda s: s.release.columns.set_levels_blind(False))
    run(room)
    room.export.file.setText(str(out))  # rather than the name that is proposed
    room.export.statement.setChecked(False)
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert out.read_bytes() == before
    assert "vouch" in room.messages.messages[0].text


def test_the_exported_file_is_checked_again_and_the_check_can_be_copied(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path
) -> None:
    run(room)
    assert not room.export.command.isEnabled()
    assert (room.next_hint(), room.next_field()) == ("Export the release", "export")
    room.checks.more.set_open(True)
    assert "read back" not in words(room), "nothing that nobody could do anything about is a warning"
    out, written = tmp_path / "out.csv", list[str]()
    room.document.noted.connect(lambda _kind, text: written.append(text))
    room.export.file.setText(str(out))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    qtbot.waitUntil(lambda: VERIFIED in words(room))
    assert not room.checks.isVisible(), "what was checked of the file stands beside it"
    room.export.again.button.click()
    assert "counted again from the file" in words(room)
    room.export.again.button.click()
    assert (room.next_hint(), room.next_field()) == ("Open the folder of out.csv and 2 more files", "hand over")
    assert Way(towards="release").step("", {"release": room}) == ("", "", ""), "on the first page other work begins"
    names = ["out.csv", "out_statement.html", "out_metadata.json"]
    assert room.export.written.isVisible() and room.export.written.names == names, "each is named"
    seen = [line for line in room.export.written.lines if line.isVisible()]
    assert [line.toolTip() for line in seen] == [str(tmp_path / name) for name in names]
    assert not written and not room.verdict.isVisible(), "one sign is enough: it lists the files, and says what holds"
    assert "read back and counted again" in room.statement.toPlainText()
    command = room.export.verify_command()
    assert command == f"workbench verify {out} --statement {tmp_path / 'out_statement.html'}"
    assert main(command.split()[1:]) == 0
    out.write_text(out.read_text("utf-8") + "20s\n", encoding="utf-8")
    assert main(command.split()[1:]) == 1


def test_what_was_written_is_told_to_whoever_is_elsewhere(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    written = list[str]()
    room.document.noted.connect(lambda _kind, text: written.append(text))
    room.export.file.setText(str(tmp_path / "out.csv"))
    qtbot.mouseClick(room.export.export, Qt.MouseButton.LeftButton)
    room.hide()
    idle(qtbot, room)
    assert written and written[-1].endswith("rows were written, read back and counted again: out.csv")


def test_without_a_claim_the_button_says_so(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    run(room)
    assert room.export.export.text() == "&Export release"
    # What was promised on the screen is not exported without: the claim was lost meanwhile.
    room.document.session.ledger.current.carried = LedgerHistory(looks=(RecordedLook("z", "", "older", True),))
    click(qtbot, room)
    assert "cannot be claimed" in room.messages.messages[-1].text
    assert not list(tmp_path.glob("**/people_release*"))
    assert not any(entry.left for entry in room.document.session.ledger.current.entries)
    room.document.changed.emit("result")
    assert room.export.export.text() == "&Export without claim"
    click(qtbot, room)
    assert "No (ε, δ) claim is made" in (tmp_path / "released" / "people_release_statement.html").read_text("utf-8")
    idle(qtbot, room)
    assert room.next_hint() == "Done: handle the file like the original data"


def test_exporting_puts_nothing_into_the_saved_project(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    document, path = room.document, tmp_path / "p.wbench"
    assert document.save(path)
    before = path.read_bytes()
    run(room)
    click(qtbot, room)
    assert (tmp_path / "released" / "people_release.csv").exists()
    assert path.read_bytes() == before
    assert document.modified
    assert [entry.left for entry in document.session.ledger.current.entries] == [True]
    assert document.save(path) and not document.modified
    assert [record.file for record in load_project(path).releases] == ["people_release.csv"]


def test_whoever_cannot_say_it_exports_without_a_claim(
    qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(room, said=False)

    def on_page(button: QWidget) -> QRect:
        return QRect(button.mapTo(room, QPoint()), button.size())

    place = on_page(room.export.unclaimed)
    room.assertions.ticks[0].click()
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    qtbot.mouseClick(room.export.unclaimed, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not list(tmp_path.glob("**/people_release*")), "it cannot be taken back, so it is asked about"
    assert str(tmp_path / "released" / "people_release.csv") in asked[0], "it is said where it would be"
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    qtbot.mouseClick(room.export.unclaimed, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert not any(place.intersects(on_page(one)) for one in (room.export.check, room.export.folder))
    page = tmp_path / "released" / "people_release_statement.html"
    text = page.read_text("utf-8")
    assert "No (ε, δ) claim is made" in text
    assert text.count("It can be asserted only before the file is written") >= 2
    assert "The publisher does not assert: “Which columns take part" in text
    assert "The publisher does not assert: “No other draw or release" in text, "whatever is missing is named"
    assert "The publisher does not assert: “Nobody is told how many people" not in text, "that was said"
    assert "What the publisher asserts" not in text
    assert room.status() is Status.WARNING and room.export.written.state.text() == "Written without a claim"
    assert "No (ε, δ) claim" in room.verdict.text and not room.assertions.isVisible()
    assert main(["verify", str(tmp_path / "released" / "people_release.csv"), "--statement", str(page)]) == 0
    assert not room.document.session.ledger.current.entries[-1].charge.claimed


def test_that_nobody_is_named_is_no_fault_beside_the_button_that_exports(room: ReleaseWorkspace) -> None:
    """The field for the name says so, and no click is more."""
    run(room)
    panel = room.export
    QCoreApplication.processEvents()  # what stood beside it has gone
    for name in (None, "The union"):
        room.document.speak_as(None if name is None else named_publisher(None, name))
        assert panel.state.full_text == "" and panel.export.isEnabled()
        assert room.page.publisher.field.placeholderText() == "leave empty to name nobody"


def test_the_last_tick_moves_nothing(room: ReleaseWorkspace) -> None:
    """What can be left out by then goes, and its room stays."""
    run(room, said=False)
    panel = room.export
    parts = (panel.file_style.form, panel.details.button, panel.browse, panel.export, room.statement)
    assert panel.unclaimed.isVisible()
    seen = [(part.mapTo(room, part.pos()), part.size()) for part in parts]
    say(room)
    QCoreApplication.processEvents()
    assert not panel.unclaimed.isVisible()
    assert [(part.mapTo(room, part.pos()), part.size()) for part in parts] == seen


def test_a_double_click_exports_once_and_asks_nothing(
    qtbot: QtBot, room: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its second half may come when the first is writing, and would ask to replace what that one wrote."""
    asked = questions(monkeypatch, QMessageBox.StandardButton.No)
    run(room)
    button, pressed = room.export.export, list[bool]()
    button.clicked.connect(lambda: pressed.append(True))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.mouseDClick(button, Qt.MouseButton.LeftButton)  # the press of the second half
    qtbot.mouseRelease(button, Qt.MouseButton.LeftButton)
    idle(qtbot, room)
    assert len(pressed) == 1 and asked == [] and room.export.written.isVisibleTo(room)
