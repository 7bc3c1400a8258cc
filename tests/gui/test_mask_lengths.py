"""Whether what was typed of codes are whole codes is asked beside it, and where their hierarchy is shown."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import knowledge_asked
from tests.gui.helpers import put_off_is_done
from workbench.core.schema import Role
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.knowledge_dialog import KnowledgeDialog
from workbench.gui.workspaces.anonymise.known_line import KnownLine
from workbench.gui.workspaces.hierarchies import HierarchiesWorkspace
from workbench.gui.workspaces.hierarchies.attributes import ASKED
from workbench.session.release.knowledge import say_matters_most

CODES = [1200 + i % 40 for i in range(200)]


@pytest.fixture
def staff(qtbot: QtBot, window: MainWindow, tmp_path: Path) -> MainWindow:
    """The window with a table that has post codes of four digits, for which the usual rule was taken."""
    path = tmp_path / "staff.csv"
    path.write_text("ward,postcode\n" + "".join(f"{'AB'[i % 2]},{code}\n" for i, code in enumerate(CODES)))
    document = window.document
    document.open_data(path)
    put_off_is_done(qtbot, window)
    document.apply("Roles", lambda session: session.data.set_role(["ward", "postcode"], Role.QUASI))
    build = document.session.data.hierarchy_suggester(["ward", "postcode"])
    document.apply("Build", lambda session: session.data.attach_hierarchies(build(lambda _: None)))
    put_off_is_done(qtbot, window)
    return window


def path_of(window: MainWindow, code: str = "1201") -> tuple[str, ...]:
    return next(row for row in window.document.project.hierarchies["postcode"].rows() if row[0] == code)


def asking(window: MainWindow) -> tuple[KnowledgeDialog, KnownLine]:
    """The dialog, and its line of post codes."""
    window.show_workspace("anonymise")
    room = window.workspaces["anonymise"]
    assert isinstance(room, AnonymiseWorkspace)
    room.outlook.reach_requested.emit("occurring:")
    dialog = knowledge_asked(room)
    return dialog, next(line for line in dialog.lines if line.name == "postcode")


def test_a_question_that_comes_up_takes_nothing_that_is_typed_next(qtbot: QtBot, staff: MainWindow) -> None:
    dialog, _ = asking(staff)
    first, second = dialog.lines[:2]
    first.whole.show()
    first.edit.setFocus()
    qtbot.keyClick(first.edit, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is second.edit
    dialog.reject()


def test_whole_codes_are_said_with_one_press_and_masked_as_they_are_written(qtbot: QtBot, staff: MainWindow) -> None:
    document = staff.document
    assert path_of(staff)[1:] == ("1201*", "120**", "12***", "1****", "*")
    before, told = document.project, []
    document.noted.connect(lambda _kind, words: told.append(words))
    dialog, line = asking(staff)
    assert not line.whole.isVisible(), "nothing is said yet"
    line.edit.setFocus()
    qtbot.keyClicks(line.edit, "1200-1299")
    assert line.whole.isVisible() and line.whole.text() == "Whole codes, not beginnings" and not line.whole.isChecked()
    qtbot.keyClick(line.edit, Qt.Key.Key_Tab)
    assert dialog.focusWidget() is line.whole, "it is the last of the fields"
    qtbot.keyClick(line.whole, Qt.Key.Key_Space)
    dialog.use.click()
    put_off_is_done(qtbot, staff)
    assert path_of(staff)[1:] == ("120*", "12**", "1***", "*")
    assert told == ["New masks by rule, from what you said: postcode."]
    document.undo_stack.undo()
    put_off_is_done(qtbot, staff)
    assert document.project.hierarchies == before.hierarchies, "it is one step"
    assert not document.project.anonymise.trim.occurring


def test_unasked_they_are_how_codes_begin_as_ever(qtbot: QtBot, staff: MainWindow) -> None:
    before = staff.document.project.hierarchies["postcode"]
    dialog, line = asking(staff)
    line.edit.setText("1200-1299")
    dialog.use.click()
    put_off_is_done(qtbot, staff)
    assert staff.document.project.hierarchies["postcode"] is before
    dialog, line = asking(staff)
    assert not line.whole.isChecked()
    line.edit.setText("0, 12")
    assert not line.whole.isVisible(), "those are no codes of one length"
    line.edit.setText("12000-12999")
    assert not line.whole.isVisible(), "as long as the rule has them"
    others = [one for one in dialog.lines if one is not line]
    others[0].edit.setText("1200")
    assert not others[0].whole.isVisible(), "it has no mask"
    dialog.reject()


def test_the_answer_is_there_again_and_can_be_taken_back(qtbot: QtBot, staff: MainWindow) -> None:
    dialog, line = asking(staff)
    line.edit.setText("1200-1299")
    line.whole.click()
    line.edit.setText("1200-1299, 1")
    assert not line.whole.isVisible()
    line.edit.setText("1200-1299, 1300")
    assert line.whole.isVisible() and line.whole.isChecked(), "an answer stays while somebody types on"
    dialog.use.click()
    put_off_is_done(qtbot, staff)
    dialog, line = asking(staff)
    assert line.whole.isVisible() and line.whole.isChecked()
    line.whole.click()
    dialog.use.click()
    put_off_is_done(qtbot, staff)
    assert path_of(staff)[1] == "1201*", "the usual rule"


def test_all_codes_of_a_length_are_whole_codes_unless_somebody_says_otherwise(qtbot: QtBot, staff: MainWindow) -> None:
    dialog, line = asking(staff)
    for typed, whole in (("1000-9999", True), ("1000-8999", False), ("0000 to 9999", True), ("100-999", True)):
        line.edit.setText(typed)
        assert line.whole.isVisible() and line.whole.isChecked() is whole, typed
    line.whole.click()
    line.edit.setText("1000-9999")
    assert line.whole.isVisible() and not line.whole.isChecked(), "what somebody answered stays"
    line.edit.clear()
    line.whole.click()
    line.edit.setText("1000-9999")
    dialog.use.click()
    put_off_is_done(qtbot, staff)
    assert path_of(staff)[1:] == ("120*", "12**", "1***", "*")


def test_a_column_that_is_left_out_is_not_asked_of(qtbot: QtBot, staff: MainWindow) -> None:
    dialog, line = asking(staff)
    line.edit.setText("1200-1299")
    line.whole.click()
    line.needed.click()
    assert not line.whole.isEnabled()
    dialog.use.click()
    put_off_is_done(qtbot, staff)
    dialog, line = asking(staff)
    assert not line.needed.isChecked() and not line.whole.isEnabled()
    dialog.reject()


def hierarchies(qtbot: QtBot, window: MainWindow, column: str) -> HierarchiesWorkspace:
    window.show_workspace("hierarchies")
    room = window.workspaces["hierarchies"]
    assert isinstance(room, HierarchiesWorkspace)
    room.attributes.pick(column)
    put_off_is_done(qtbot, window)
    return room


def test_the_length_of_a_mask_is_changed_where_the_mask_is_shown(qtbot: QtBot, staff: MainWindow) -> None:
    document = staff.document
    room = hierarchies(qtbot, staff, "postcode")
    field, before = room.panel.mask_length.field, document.project.hierarchies["postcode"]
    assert room.panel.mask_length.isVisible() and field.value == 5
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "4")
    qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    put_off_is_done(qtbot, staff)
    assert path_of(staff)[1:] == ("120*", "12**", "1***", "*")
    assert room.panel.badge.text == ASKED, "nobody has said yet that the length is not read off the file"
    assert document.undo_stack.undoText() == "Mask postcode as codes of 4 characters"
    document.undo_stack.undo()
    put_off_is_done(qtbot, staff)
    assert document.project.hierarchies["postcode"] is before and field.value == 5
    hierarchies(qtbot, staff, "ward")
    assert not room.panel.mask_length.isVisible(), "it has no mask"


def test_what_cannot_be_a_length_changes_nothing(qtbot: QtBot, staff: MainWindow) -> None:
    room = hierarchies(qtbot, staff, "postcode")
    before, field = staff.document.project.hierarchies["postcode"], room.panel.mask_length.field
    for typed in ("0", "x", "5"):
        field.edit.selectAll()
        qtbot.keyClicks(field.edit, typed)
        qtbot.keyClick(field.edit, Qt.Key.Key_Return)
        put_off_is_done(qtbot, staff)
        assert staff.document.project.hierarchies["postcode"] is before


def test_enter_in_the_number_of_rows_goes_on_to_what_is_asked_next_and_spends_nothing(
    qtbot: QtBot, staff: MainWindow
) -> None:
    staff.show_workspace("anonymise")
    room = staff.workspaces["anonymise"]
    assert isinstance(room, AnonymiseWorkspace)
    put_off_is_done(qtbot, staff)
    edit = room.outlook.rows.edit
    edit.setFocus()
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    assert room.findChild(KnowledgeDialog) is None, "nothing was typed yet"
    qtbot.keyClicks(edit, "150")
    put_off_is_done(qtbot, staff)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: staff.focusWidget() is room.outlook.public.no)  # what is asked in sight comes first
    room.outlook.public.no.click()
    put_off_is_done(qtbot, staff)
    edit.setFocus()
    edit.end(False)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: staff.focusWidget() is room.foot.mend)  # ticks of both columns would change nothing
    for name in staff.document.project.hierarchies:
        staff.document.apply(name, partial(say_matters_most, name=name, most=True))
    put_off_is_done(qtbot, staff)
    edit.setFocus()
    edit.end(False)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: staff.focusWidget() is room.foot.mend)
    assert room.findChild(KnowledgeDialog) is None, "nothing opens unasked"
    qtbot.keyClick(room.foot.mend, Qt.Key.Key_Return)
    dialog = knowledge_asked(room)
    assert dialog.rows.value == 150
    for line in dialog.lines:
        line.edit.setText("A, B" if line.name == "ward" else "12")
    dialog.use.click()
    put_off_is_done(qtbot, staff)
    edit.setFocus()
    edit.end(False)
    qtbot.keyClicks(edit, "0000")
    put_off_is_done(qtbot, staff)
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    put_off_is_done(qtbot, staff)
    assert staff.document.session.release.result is None, "Enter there never draws"
