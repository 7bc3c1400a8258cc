"""Which rows take part: filter, sample, limit, and what happens when they cannot be chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from pytestqt.qtbot import QtBot

from tests.gui.data_room.people import open_text
from tests.gui.helpers import PATIENCE_MS, choose_row, idle
from workbench.core.schema import Misfits, Role
from workbench.core.working_table import Preparation
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.data import DataWorkspace

pytestmark = pytest.mark.usefixtures("after_a_look")


def test_every_row_takes_part_at_first(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    assert workspace.which_rows.words.full_text == "All 61 rows take part"


def test_a_filter_is_tried_and_applied(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    dialog = workspace.which_rows.show_dialog()
    qtbot.keyClicks(dialog.filter, "city = 'Basel'")
    qtbot.waitUntil(lambda: dialog.message.text() == "20 of 61 rows fit", timeout=PATIENCE_MS)
    assert workspace.document.project.preparation == Preparation(), "only tried"
    dialog.apply.click()
    idle(qtbot, workspace)
    assert workspace.document.project.preparation == Preparation("city = 'Basel'")
    assert workspace.document.session.data.table.rows == 20
    assert workspace.which_rows.words.full_text == "20 of 61 rows take part · city = 'Basel'"
    workspace.document.undo_stack.undo()
    assert workspace.which_rows.words.full_text == "All 61 rows take part"


def test_a_filter_that_fits_no_row_is_a_warning(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.protected.every_row.click()
    workspace.document.apply("role", lambda session: session.data.set_role(["city"], Role.QUASI))
    assert workspace.status() is not Status.WARNING
    workspace.document.apply("rows", lambda session: session.data.set_preparation(Preparation("city = 'Chur'")))
    idle(qtbot, workspace)
    assert workspace.status() is Status.WARNING
    assert workspace.which_rows.words.full_text == "None of 61 rows takes part · city = 'Chur'"
    workspace.document.undo_stack.undo()
    idle(qtbot, workspace)
    assert workspace.status() is not Status.WARNING


def test_a_filter_that_cannot_be_read_is_underlined(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    dialog = workspace.which_rows.show_dialog()
    qtbot.keyClicks(dialog.filter, "age >= 3 and citty = 'Basel'")
    qtbot.waitUntil(lambda: dialog.filter.marked == "citty", timeout=PATIENCE_MS)
    assert not dialog.apply.isEnabled()
    assert "city" in dialog.hint.text()
    dialog.clear.click()
    qtbot.waitUntil(dialog.apply.isEnabled, timeout=PATIENCE_MS)
    assert dialog.filter.marked == ""
    dialog.reject()


def test_names_and_values_are_completed(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    dialog = workspace.which_rows.show_dialog()
    edit = dialog.filter

    def offered(text: str) -> list[str]:
        edit.setPlainText(text)
        edit.moveCursor(QTextCursor.MoveOperation.End)
        found, prefix = edit.offers()
        return [offer for offer in found if offer.casefold().startswith(prefix.casefold())]

    assert offered("ci") == ["city"]
    assert "is missing" in offered("city ")
    assert offered("city = ") == ["'Bern'", "'Basel'", "'-'"]
    assert offered("city = 'Ba") == ["'Basel'"]
    assert offered("city in ('Bern', 'B") == ["'Bern'", "'Basel'"]
    assert offered("city = 'Bern' a") == ["and"]
    assert offered("city = 'Bern' and gra") == ["grade"]
    edit.setPlainText("")
    qtbot.keyClicks(edit, "ci")
    assert edit.popup.isVisible()
    qtbot.keyClick(edit.popup, Qt.Key.Key_Return)
    assert edit.toPlainText() == "city "
    dialog.reject()


def test_a_research_sample(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    dialog = workspace.which_rows.show_dialog()
    assert not dialog.share.isEnabled()
    dialog.sampled.click()
    dialog.share.set_value(0)
    assert not dialog.apply.isEnabled()
    dialog.share.set_value(50)
    dialog.apply.click()
    idle(qtbot, workspace)
    assert workspace.document.project.preparation == Preparation(sample=0.5)
    rows = workspace.document.session.data.table.rows
    assert f"{rows} of 61 rows take part · a random 50 %" in workspace.which_rows.words.full_text


def test_rows_per_person_are_limited_and_the_limit_goes_with_the_column(
    qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path
) -> None:
    open_text(qtbot, workspace, tmp_path)
    who = workspace.protected
    who.persons.click()
    idle(qtbot, workspace)
    assert workspace.document.session.data.table.rows == 41, "no claim holds by chance"
    assert "rows are left out: of each person one is kept" in who.said
    who.limit.click()
    idle(qtbot, workspace)
    assert "someone has 2" in who.said
    who.limit.click()
    idle(qtbot, workspace)
    choose_row(who.choice, 0)
    idle(qtbot, workspace)
    assert not workspace.document.project.preparation.limit_rows
    assert not who.limit.isVisible()


def test_a_value_at_which_to_stop_is_named(qtbot: QtBot, workspace: DataWorkspace, tmp_path: Path) -> None:
    open_text(qtbot, workspace, tmp_path)
    workspace.columns.select("age")
    policy = workspace.detail.misfits.policy
    policy.setCurrentIndex(list(Misfits).index(Misfits.STOP))
    policy.activated.emit(policy.currentIndex())
    idle(qtbot, workspace)
    assert "“old” in line 62" in workspace.which_rows.words.full_text
    assert workspace.status() is Status.ERROR
    workspace.document.undo_stack.undo()
    assert workspace.which_rows.words.full_text == "All 61 rows take part"
    assert workspace.status() is not Status.ERROR
