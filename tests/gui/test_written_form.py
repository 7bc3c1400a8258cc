"""In the window: what of a draw is in the file, and what a reader who verifies it is told to do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from tests.gui.helpers import data_is_there
from workbench.anonymise.after_draw import AS_DRAWN
from workbench.anonymise.terms import BY_DATA
from workbench.gui.verify_findings import FindingsView
from workbench.gui.workspaces.release import ReleaseWorkspace
from workbench.session.release.written_form import Labels, WrittenForm
from workbench.session.verifying.beside import received_files, verify_received


@pytest.fixture
def room(drawn: ReleaseWorkspace, monkeypatch: pytest.MonkeyPatch) -> ReleaseWorkspace:
    """Every question gets a No."""
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.No)
    return drawn


def test_what_is_in_the_file_is_chosen_and_stated(qtbot: QtBot, room: ReleaseWorkspace) -> None:
    form = room.page.form
    assert not form.isHidden() and form.button.text().startswith("In the file: 3 columns")
    before = len(room.assertions.ticks)
    qtbot.mouseClick(form.button, Qt.MouseButton.LeftButton)
    form.boxes["job"].click()
    assert "2 of 3 columns" in form.button.text() and len(room.assertions.ticks) == before + 1
    assert "left out of the file after the draw" in room.statement.toPlainText()
    form.labels.choose(Labels.ONE_LEVEL.value)
    form.labels.activated.emit(form.labels.currentIndex())
    assert "one level" in form.button.text() and "one level" in form.button.accessibleName()
    form.boxes["pay"].click()
    assert not form.boxes["since"].isEnabled(), "one column has to stay"
    form.boxes["pay"].click()
    form.boxes["job"].click()
    form.labels.choose(Labels.WITH_STEP.value)
    form.labels.activated.emit(form.labels.currentIndex())
    assert len(room.assertions.ticks) == before, "what a step column tells is promised too"
    assert "the column “step” says which" in room.statement.toPlainText()


def test_another_form_of_the_same_draw_is_another_file(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    export, form = room.export, room.page.form
    for tick in room.assertions.ticks:
        tick.click()
    first = Path(export.file.text())
    export.export.click()
    data_is_there(qtbot, room.document)
    assert first.read_text("utf-8").startswith("job,pay,since\n") and export.export.text() == "&Export again"
    export.again.button.click()
    form.boxes["job"].click()
    data_is_there(qtbot, room.document)
    assert Path(export.file.text()) != first and export.export.text() == "&Export release"
    assert room.assertions.open == 1 and not export.export.isEnabled()
    next(tick for tick in room.assertions.ticks if not tick.isChecked()).click()
    export.export.click()
    data_is_there(qtbot, room.document)
    second = Path(export.file.text())
    assert second.read_text("utf-8").startswith("pay,since\n") and first.read_text("utf-8").startswith("job,")
    for path in (first, second):
        assert verify_received(received_files(path)).holds
    export.again.button.click()
    form.boxes["job"].click()
    data_is_there(qtbot, room.document)
    assert Path(export.file.text()) == first, "it may be written again where it is"


def test_who_verifies_is_told_what_to_do(qtbot: QtBot, room: ReleaseWorkspace, tmp_path: Path) -> None:
    release = room.document.session.release
    release.say(release.current_result().draw, [BY_DATA])
    file, page = tmp_path / "out.csv", tmp_path / "out_statement.html"
    release.export(file, page, without_claim=True, chosen=None)
    view = FindingsView()
    qtbot.addWidget(view)
    view.show_verified(verify_received(received_files(file)))
    assert "Ask the publisher which choices the data decided" in view.text
    file.write_bytes(file.read_bytes() + b"cook,*,*\n")
    view.show_verified(verify_received(received_files(file)))
    assert "Do not use the file." in view.text


def test_what_is_settled_with_the_draw_says_so_beside_a_good_file(room: ReleaseWorkspace) -> None:
    release = room.document.session.release
    release.say(release.current_result().draw, [BY_DATA])
    room.document.changed.emit("result")
    told = "\n".join(label.text() for label in room.checks.findChildren(QLabel))
    assert "stated so" in told and "must be put right" not in told
    assert "points at nobody" in told and "A floor" not in told


def test_a_column_that_is_always_a_star_is_not_called_mostly_one() -> None:
    starred = {"age": 1.0, "city": 0.92, "job": 0.99999, "pay": 0.1}
    assert WrittenForm(starred).words == "4 columns, 1 always *, 2 mostly *"
    assert WrittenForm({"age": 1.0, "pay": 0.0}).words == "2 columns, 1 always *"
    left = replace(AS_DRAWN, left_out=("age",))
    assert WrittenForm(starred, after=left).words == "3 of 4 columns, 2 mostly *"
