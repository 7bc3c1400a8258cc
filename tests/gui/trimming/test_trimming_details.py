"""The detail of a column, chosen in the table of what is likely to come out, with what each choice costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from tests.gui.anonymise_steps import seen
from tests.gui.helpers import idle
from tests.gui.trimming.helpers import source, write
from workbench.anonymise.balanced import Importance
from workbench.core.progress import Progress
from workbench.gui.workspaces.anonymise import AnonymiseWorkspace, detail_menu
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.gui.workspaces.anonymise.detail_menu import DetailMenu
from workbench.session import Session
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.detail_choices import DetailChoice
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import least_of


@pytest.fixture
def table(qtbot: QtBot, room: AnonymiseWorkspace) -> DetailTable:
    source(qtbot, room, LevelSource.BALANCED)
    write(qtbot, room, room.plan.rows, "400")
    return room.result.details


def cell(table: DetailTable, name: str) -> QModelIndex:
    """The detail of a column."""
    rows = range(table.model.rowCount())
    return next(table.model.index(row, 1) for row in rows if table.model.index(row, 0).data() == name)


def opened(table: DetailTable) -> DetailMenu:
    (menu,) = (one for one in table.view.findChildren(DetailMenu) if one.isVisible())
    return menu


def choices(menu: DetailMenu) -> dict[str, QAction]:
    return {action.text().partition("\t")[0]: action for action in menu.actions() if action.isCheckable()}


def press(qtbot: QtBot, table: DetailTable, name: str) -> DetailMenu:
    place = table.view.visualRect(cell(table, name)).center()
    qtbot.mouseClick(table.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    return opened(table)


def levels(room: AnonymiseWorkspace, name: str) -> set[int]:
    return {step[name] for step in room.document.session.release.chain().vectors}


def test_a_press_on_a_detail_shows_what_each_costs_and_chooses_it(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    menu = press(qtbot, table, "age")
    assert [name for name, one in choices(menu).items() if one.isChecked()] == ["Let the program choose"]
    assert list(choices(menu))[1:3] == ["Keep it longest: * comes last", "as it is"]
    assert list(choices(menu))[-1] == "Leave it out"
    said = [action.text() for action in menu.actions()]
    apart = said.index("Equally fine in every row")
    assert said[0].startswith("How fine age comes out") and said[apart + 1].startswith("as it is")
    assert said[apart - 2].startswith("Keep it longest"), "one detail may stand for two choices that cost differently"
    idle(qtbot, room)
    costs = {name: one.text().partition("\t")[2] for name, one in choices(menu).items()}
    assert all(costs.values()) and not any("…" in one for one in costs.values()), costs
    wanted = list(choices(menu))[3]
    choices(menu)[wanted].trigger()
    idle(qtbot, room)
    assert levels(room, "age") == {1} and least_of(room.document.session, "age") == 1
    lines = [one for one in table.model.records if isinstance(one, DetailOutlook) and one.column == "age"]
    assert [one.words for one in lines] == [wanted]
    assert lines[0].rows_words == costs[wanted].partition(",")[0], "the forecast is the one that was seen"
    menu.close()
    again = choices(press(qtbot, table, "age"))
    assert [name for name, one in again.items() if one.isChecked()] == [wanted]
    again["Let the program choose"].trigger()
    idle(qtbot, room)
    assert least_of(room.document.session, "age") is None
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert levels(room, "age") == {1}, "each choice is one step back"


@pytest.mark.parametrize(
    ("key", "place"),
    [
        (Qt.Key.Key_Return, 0),
        (Qt.Key.Key_F4, 0),
        (Qt.Key.Key_F2, 0),
        (Qt.Key.Key_Return, 1),
        (Qt.Key.Key_Space, 1),  # on the name it ticks
    ],
)
def test_keys_open_the_choices_of_the_column_they_are_on(
    qtbot: QtBot, table: DetailTable, key: Qt.Key, place: int
) -> None:
    table.view.setCurrentIndex(cell(table, "city").siblingAtColumn(place))
    qtbot.keyClick(table.view, key)
    assert opened(table).accessibleName() == "How fine city is"


def test_a_press_outside_closes_the_choices_and_the_second_half_of_a_double_click_does_not(
    qtbot: QtBot, table: DetailTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    menu = press(qtbot, table, "age")
    outside = QPoint(5, -10)
    qtbot.mouseDClick(menu, Qt.MouseButton.LeftButton, pos=outside)
    assert menu.isVisible()
    monkeypatch.setattr(QApplication, "doubleClickInterval", lambda: 0)
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=outside)
    assert not menu.isVisible()


def test_left_out_here_the_column_is_not_released(qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable) -> None:
    choices(press(qtbot, table, "city"))["Leave it out"].trigger()
    idle(qtbot, room)
    assert "city" not in room.document.session.release.columns.quasi_identifiers()
    row = next(row for row in range(table.model.rowCount()) if table.model.index(row, 0).data() == "city")
    assert table.model.index(row, 1).data() == "not in the file", "a tick takes it in again"
    assert not table.model.offers(table.model.index(row, 1)) and table.model.is_ticked(row) is False


def test_only_the_first_line_of_a_column_has_the_arrow_and_none_where_degrees_decide(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    offered = [row for row in range(table.model.rowCount()) if table.model.offers(table.model.index(row, 1))]
    assert offered == [row for row in range(table.model.rowCount()) if table.model.index(row, 0).data()]
    assert not any(table.model.offers(table.model.index(row, 0)) for row in offered)
    source(qtbot, room, LevelSource.STEPS)
    assert not any(table.model.offers(table.model.index(row, 1)) for row in range(table.model.rowCount()))
    assert table.offer_details(0) is None and table.offer_details(-1) is None


def test_a_menu_that_was_closed_before_its_costs_are_known_asks_for_nothing(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    before = room.document.project
    press(qtbot, table, "age").close()
    idle(qtbot, room)
    assert room.document.project is before


def test_the_column_before_which_the_others_become_a_star_is_chosen_there(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable
) -> None:
    write(qtbot, room, room.plan.rows, "100")
    steps = room.document.session.release.steps

    def stars() -> set[str]:
        return {one.column for one in table.model.records if one.words == "*"}

    assert stars() == {"age"} and seen(table.asks, room)
    menu = press(qtbot, table, "age")
    choices(menu)["Keep it longest: * comes last"].trigger()
    menu.close()
    idle(qtbot, room)
    assert steps.importance("age") is Importance.KEEP and stars() == {"city"}
    assert table.view.currentIndex().siblingAtColumn(0).data() == "age", "the next key changes what the last one did"
    again = choices(press(qtbot, table, "age"))
    assert [name for name, one in again.items() if one.isChecked()] == ["Let the program choose"], "and no detail"
    assert "Keep it longest: * comes last" not in again, "it is what the tick says, which is there now"
    room.document.undo_stack.undo()
    idle(qtbot, room)
    assert steps.importance("age") is Importance.NORMAL and stars() == {"age"}
    source(qtbot, room, LevelSource.STEPS)
    assert table.asks.isHidden(), "by degree all columns become coarser together"


def test_a_line_of_the_menu_says_what_comes_out_and_its_tip_what_others_lose(
    qtbot: QtBot, room: AnonymiseWorkspace, table: DetailTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worked_out(
        _session: Session, _name: str, choices: Sequence[DetailChoice], _progress: Progress
    ) -> tuple[DetailChoice, ...]:
        first, *others = (replace(one, rows=(60, 90)) for one in choices)
        return replace(first, lost=("city",), doubtful=("trade",)), *others

    monkeypatch.setattr(detail_menu, "with_rows", worked_out)
    menu = press(qtbot, table, "age")
    idle(qtbot, room)
    lines = [one for one in menu.actions() if "60–90" in one.text()]
    assert menu.toolTipsVisible() and {one.text().partition("\t")[2] for one in lines} == {"60–90"}
    assert lines[0].toolTip().startswith("60–90, * in city, perhaps * in trade")
    assert "city" not in lines[1].toolTip(), "nothing more is to be said of it"
