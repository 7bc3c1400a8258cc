"""Where things stand on the page of a published figure: what is in sight, scrolls, is dragged and is never cut."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS
from tests.gui.published.helpers import finish
from workbench.evaluate.published.catalogue import figure_named
from workbench.gui import tokens
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces.compare.figure_page import FigurePage
from workbench.gui.workspaces.compare.side_view import unbroken
from workbench.gui.workspaces.compare.workspace import CompareWorkspace
from workbench.session.published_figures import MARKS


@pytest.mark.parametrize("figure", ["figure-4.2", "chapter-randomised-response"])
def test_pictures_and_few_values_are_seen_without_scrolling(qtbot: QtBot, room: CompareWorkspace, figure: str) -> None:
    page = room.figure
    room.show_figure(figure)
    area = page.split.parentWidget().parentWidget().parentWidget()
    assert isinstance(area, QScrollArea)
    bar = area.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() == 0, timeout=PATIENCE_MS)
    before = page.below.y()
    room.run()
    finish(qtbot, page, figure)
    qtbot.waitUntil(lambda: page.values.texts()[0][2] != "" and bar.maximum() == 0, timeout=PATIENCE_MS)
    assert page.below.y() == before, "nothing moves when it is there"
    assert page.values.verticalScrollBar().maximum() == 0, "every value is in sight"


def assert_in_one_view(qtbot: QtBot, page: FigurePage) -> None:
    """The pictures, the heading of the values and three of them at least: where they are many, only they scroll."""
    header = page.values.horizontalHeader()

    def seen() -> bool:
        low = page.published.mapTo(page, page.published.rect().bottomLeft()).y()
        rows = page.values.viewport().height() // page.values.rowHeight(0)
        return (
            page._area.verticalScrollBar().maximum() == 0
            and low < page.below.mapTo(page, QPoint(0, 0)).y()
            and page.values.mapTo(page, page.values.rect().bottomLeft()).y() < page.height()
            and header.isVisible()
            and rows >= min(3, page.values.model().rowCount())
        )

    qtbot.waitUntil(seen, timeout=PATIENCE_MS)


@pytest.mark.parametrize("identifier", ["figure-3.4", "figure-4.3", "figure-4.9", "chapter-unary-encoding"])
def test_pictures_and_values_are_seen_at_once(qtbot: QtBot, room: CompareWorkspace, identifier: str) -> None:
    room.show_figure(identifier)
    assert_in_one_view(qtbot, room.figure)


def test_every_value_is_in_sight_and_says_what_its_verdict_stands_on(qtbot: QtBot, room: CompareWorkspace) -> None:
    room.show_figure("table-3.2")
    page = room.figure
    assert "fixed before a run" in page.marks.text()
    assert all(f"{mark} {said}:" in page.marks.text() for said, mark in MARKS.items() if mark not in "≈≉")
    joined = {ord("\N{NO-BREAK SPACE}"): " ", ord("\N{WORD JOINER}"): None}
    rows = [[cell.translate(joined) for cell in row] for row in page.values.texts()]
    assert len(rows) == len(figure_named("table-3.2").values) == 8
    assert [row[6] for row in rows[:3]] == [
        "p. 23; a slip: the sum again; 18,855.1 is cut after one decimal",
        "p. 23; California in the author's code; another sample: ± 10 %",
        "p. 23; 1 run, 100 here",
    ], "what differs comes first, also in the recorded run, and what is fitted last"
    assert rows[2][1] == "1.2 (∣answer − truth∣)"
    qtbot.waitUntil(page.values.isVisible, timeout=PATIENCE_MS)
    assert_in_one_view(qtbot, page)
    assert not page.published.title.isHidden()
    assert page.published.choice.isHidden()


def test_the_way_back_stays_and_the_buttons_of_views_do_not_move(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page = room.figure
    room.gallery.figures["figure-3.1"].activated.emit()
    page.run()
    finish(qtbot, page, "figure-3.1")
    qtbot.wait(100)
    page._area.verticalScrollBar().setValue(page._area.verticalScrollBar().maximum())
    for one in (page.back_button, page.title, page.button):
        assert not page._area.isAncestorOf(one)
    assert page.values.verticalScrollBar().maximum() == 0, "all of a few values are seen"
    places = set()
    for button in page.below.buttons:
        button.click()
        qtbot.wait(50)
        places.add(button.mapTo(page._inside, QPoint(0, 0)).y())
    assert len(places) == 1


def test_the_bar_between_pictures_and_values_is_dragged_and_stays_where_it_is(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page = room.figure
    room.show_figure("figure-4.10")
    page.run()
    finish(qtbot, page, "figure-4.10")
    qtbot.waitUntil(lambda: page.values.isVisible() and page.values.height() > 100, timeout=PATIENCE_MS)
    split, before, rows = page.split, page.below.height(), page.values.height()
    assert split.sizes() == [], "nobody chose any: nothing is remembered"
    split.moveSplitter(split.handle(1).y() - 20, 1)
    qtbot.waitUntil(lambda: page.values.height() == rows + 20, timeout=PATIENCE_MS)
    assert page.below.height() == before + 20
    room.show_figure("figure-4.5")
    qtbot.waitUntil(lambda: page.below.height() == before + 20, timeout=PATIENCE_MS)
    kept = split.sizes()
    assert kept[1] == before + 20
    # What another window had is taken up; no part becomes too low to be read.
    split.setSizes([kept[0] + 200, 1])
    page._fit_below()
    qtbot.waitUntil(lambda: page.below.height() == page.below.minimumHeight(), timeout=PATIENCE_MS)
    split.setSizes([1, 5_000])
    page._fit_below()
    qtbot.waitUntil(lambda: page.published.height() == 220, timeout=PATIENCE_MS)


def test_a_figure_opens_at_its_top_however_far_another_was_scrolled(
    qtbot: QtBot, room: CompareWorkspace, quick: None
) -> None:
    page, bar = room.figure, room.figure._area.verticalScrollBar()
    room.show_figure("figure-3.1")
    page.run()
    finish(qtbot, page, "figure-3.1")
    qtbot.waitUntil(lambda: bar.maximum() > 0, timeout=PATIENCE_MS)
    bar.setValue(bar.maximum())
    room.show_figure("figure-3.2")
    page.run()
    qtbot.waitUntil(lambda: not page._opened, timeout=PATIENCE_MS)
    assert bar.value() == 0
    finish(qtbot, page, "figure-3.2")
    bar.setValue(bar.maximum())
    page._fit_below()
    assert bar.value() == bar.maximum(), "who scrolls stays there"


def test_rows_of_both_tables_are_equally_high(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("table-3.5")
    page.run()
    finish(qtbot, page, "table-3.5")
    tables = (page.published.table, page.mended.table)
    assert len({table.rowHeight(row) for table in tables for row in range(table.model().rowCount())}) == 1
    broken = [cell for row in page.values.texts() for cell in row if "± " in cell or " = " in cell]
    assert not broken, "numbers stay with what belongs to them"


def test_short_tables_leave_their_room_to_what_is_said_of_them(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("table-3.4")
    qtbot.waitUntil(lambda: page.published.height() == page.published.wanted, timeout=PATIENCE_MS)

    def below() -> int:
        return page.below.mapTo(page, QPoint(0, 0)).y()

    before = below()
    page.run()
    finish(qtbot, page, "table-3.4")
    qtbot.wait(100)
    assert below() == before, "nothing moves when the rows come"
    for side in (page.published, page.mended):
        low = side.table.mapTo(page, side.table.rect().bottomLeft()).y()
        assert before - 2 * tokens.ROW_HEIGHT < low < before
        last = side.table.model().rowCount() - 1
        end = side.table.rowViewportPosition(last) + side.table.rowHeight(last)
        assert end <= side.table.viewport().height() < end + tokens.SPACE_M
    room.show_figure("table-3.5")
    page.run()
    finish(qtbot, page, "table-3.5")
    qtbot.waitUntil(lambda: page.values.verticalScrollBar().maximum() == 0, timeout=PATIENCE_MS)
    end = page.values.mapTo(page, page.values.rect().bottomLeft()).y()
    assert end < page.height(), "six values below six rows are all in sight"


def test_many_values_leave_a_high_window_its_pictures(qtbot: QtBot, window: MainWindow, room: CompareWorkspace) -> None:
    page = room.figure
    window.resize(1600, 1080)
    room.show_figure("chapter-unary-encoding")
    qtbot.waitUntil(lambda: page.published.height() > 0.4 * page.split.height(), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: page.values.verticalScrollBar().maximum() > 0, timeout=PATIENCE_MS)


def test_names_give_way_to_longer_texts_and_rows_fit_after_another_view(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("table-3.2")
    table = page.values
    qtbot.waitUntil(table.isVisible, timeout=PATIENCE_MS)
    for view in (1, 0):
        page.below.buttons[view].click()
        qtbot.wait(50)
    metrics, last = table.fontMetrics(), table.model().columnCount() - 1
    for row, cells in enumerate(table.texts()):
        for column, cell in enumerate(cells):
            room_of = table.columnWidth(column) - 3 * tokens.SPACE_S
            if metrics.horizontalAdvance(cell) <= room_of:
                continue
            box = metrics.boundingRect(0, 0, room_of, 10_000, Qt.TextFlag.TextWordWrap.value, cell)
            assert box.height() <= table.rowHeight(row), cell
            assert "\N{WORD JOINER}" not in cell, "a table would write it out"
    # All columns are filled, as the values of the recorded run are there before a run.
    assert table.columnWidth(last) > 2 * tokens.FIELD_WIDTH - 5 * tokens.SPACE_S
    assert table.rowHeight(2) <= table.rowHeight(1) + 2 * metrics.lineSpacing()
    broken = unbroken("it is at most ln 4 + 2 ln 2 = 2.773, 0.701 ± 0.031").split(" ")
    joined = [one.replace("\N{NO-BREAK SPACE}", " ") for one in broken]
    assert joined == ["it", "is", "at", "most", "ln 4", "+", "2 ln 2 = 2.773,", "0.701 ± 0.031"]


def test_no_text_of_a_table_is_cut(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("beyond-told-attacks")
    page.run()
    finish(qtbot, page, "beyond-told-attacks")
    table = page.published.table
    qtbot.waitUntil(table.isVisible, timeout=PATIENCE_MS)
    metrics = table.fontMetrics()
    for row, cells in enumerate(table.texts()):
        for column, cell in enumerate(cells):
            cut = metrics.horizontalAdvance(cell) > table.columnWidth(column) - 3 * tokens.SPACE_S
            assert not cut or table.rowHeight(row) >= 2 * metrics.lineSpacing()


def test_in_a_narrow_window_every_column_of_the_values_is_seen_but_the_ratio(
    qtbot: QtBot, window: MainWindow, room: CompareWorkspace
) -> None:
    page = room.figure
    room.show_figure("figure-4.10")
    table = page.values
    titles = [str(table.model().headerData(one, Qt.Orientation.Horizontal)) for one in range(7)]
    ratio, last = titles.index("ratio"), len(titles) - 1
    qtbot.waitUntil(lambda: table.isVisible() and not table.isColumnHidden(ratio), timeout=PATIENCE_MS)
    room.show_figure("table-3.2")
    window.resize(1024, 700)
    qtbot.waitUntil(lambda: table.isColumnHidden(ratio), timeout=PATIENCE_MS)
    qtbot.waitUntil(
        lambda: table.columnViewportPosition(last) + tokens.COLUMN_MIN <= table.viewport().width(),
        timeout=PATIENCE_MS,
    )
    assert max(table.rowHeight(row) for row in range(table.model().rowCount())) < 300
    room.show_figure("figure-4.10")
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: not table.isColumnHidden(ratio), timeout=PATIENCE_MS)


def test_in_a_small_window_only_the_page_scrolls_and_the_title_has_its_line(
    qtbot: QtBot, window: MainWindow, room: CompareWorkspace
) -> None:
    page = room.figure
    window.resize(1024, 700)
    for identifier in ("figure-4.9", "table-3.2"):
        room.show_figure(identifier)
        # A scroll within a scroll hides where one is.
        qtbot.waitUntil(
            lambda: page.values.isVisible() and page.values.verticalScrollBar().maximum() == 0, timeout=PATIENCE_MS
        )
        assert page._area.verticalScrollBar().maximum() > 0
    room.show_figure("figure-4.9")
    qtbot.waitUntil(lambda: page.command.text() == page.save.text() == "", timeout=PATIENCE_MS)
    assert page.command.accessibleName() == "Copy as command"
    assert page.command.toolTip()
    assert page.save.toolTip()
    qtbot.waitUntil(lambda: page.title.height() < 2 * page.title.fontMetrics().lineSpacing(), timeout=PATIENCE_MS)
    assert page.source.height() < 2 * page.source.fontMetrics().lineSpacing()
    assert page.source.toolTip() == figure_named("4.9").source
    window.resize(1600, 900)
    qtbot.waitUntil(lambda: page.command.text() == "Copy as command", timeout=PATIENCE_MS)


def test_a_table_takes_the_width_that_the_other_side_does_not_need(
    qtbot: QtBot, window: MainWindow, room: CompareWorkspace
) -> None:
    page = room.figure
    window.resize(1024, 700)
    room.show_figure("table-3.1")
    page.run()
    finish(qtbot, page, "table-3.1")
    table = page.published.table
    metrics = table.horizontalHeader().fontMetrics()

    def whole() -> bool:
        names = [str(table.model().headerData(one, Qt.Orientation.Horizontal)) for one in range(4)]
        return all(metrics.horizontalAdvance(name) < table.columnWidth(at) for at, name in enumerate(names))

    qtbot.waitUntil(lambda: page.published.width() > page.mended.width() and whole(), timeout=PATIENCE_MS)
    room.show_figure("figure-4.1")
    qtbot.waitUntil(lambda: abs(page.published.width() - page.mended.width()) <= 1, timeout=PATIENCE_MS)


def test_rows_are_scrolled_to_their_end_and_the_page_stays(qtbot: QtBot, room: CompareWorkspace) -> None:
    page = room.figure
    room.show_figure("chapter-unary-encoding")
    qtbot.waitUntil(lambda: page.values.verticalScrollBar().maximum() > 0, timeout=PATIENCE_MS)
    rows = page.values.verticalScrollBar()
    rows.setValue(rows.maximum())
    where = QPointF(page.values.viewport().rect().center())
    turned = QWheelEvent(
        where,
        page.values.viewport().mapToGlobal(where),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    turned.ignore()
    page.values.wheelEvent(turned)
    assert turned.isAccepted(), "what is beyond the last row is not for the page"
