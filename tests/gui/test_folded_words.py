"""Words that are folded take the lines that a table on their page has no rows for."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.widgets import boxes
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.widgets.records import RecordColumn, RecordsModel, records_view
from workbench.gui.widgets.whole_rows import WholeRows

_LONG = "Shares that are counted in this file are not those of the table, as small groups are lost first. " * 3


class Page:
    """A table with words below it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.model = RecordsModel[str]((RecordColumn("Column", str),))
        self.view: QTableView = records_view("Rows", self.model)
        self.words, self.window = FoldedWords("Said", 1, self.view), QWidget()
        boxes.column((self.view, 1), self.words, inside=self.window)
        qtbot.addWidget(self.window)
        self.window.resize(400, 400)
        self.window.show()
        qtbot.waitExposed(self.window)

    def show(self, rows: int, words: str = _LONG) -> None:
        self.model.show_records([f"row {place}" for place in range(rows)])
        self.words.setText(words)
        for _ in range(3):
            QApplication.processEvents()


@pytest.fixture
def page(qtbot: QtBot) -> Page:
    return Page(qtbot)


def test_words_are_whole_where_the_table_leaves_room(page: Page) -> None:
    page.show(3)
    assert not page.words.button.isVisible() and "".join(page.words.brief.text().split()) == "".join(_LONG.split())
    assert page.view.viewport().height() >= page.view.verticalHeader().length(), "and hide no row of it"
    high = page.words.brief.height()
    page.show(3, "Little.")
    assert page.words.brief.height() == page.words.folded_height < high / 2


def test_words_are_folded_where_every_line_is_a_row_of_the_table(page: Page) -> None:
    page.show(100)
    assert page.words.button.isVisible() and page.words.brief.text().endswith("…")
    page.show(3)
    assert not page.words.button.isVisible()
    page.window.resize(400, 160)
    QApplication.processEvents()
    assert page.words.button.isVisible(), "a lower window has less room"


def test_rows_that_come_by_a_press_move_nothing(page: Page) -> None:
    page.show(3)
    height = page.words.height()
    page.view.verticalHeader().resizeSection(0, 1000)
    QApplication.processEvents()
    assert page.words.height() == height


@pytest.mark.parametrize("high", range(170, 300, 7))
def test_two_share_the_room_of_a_table_and_come_to_rest(qtbot: QtBot, high: int) -> None:
    page = Page(qtbot)
    first = FoldedWords("Said first", 2, page.view)
    second = FoldedWords("Said below", 1, page.view, first)
    window = QWidget()
    boxes.column(first, (page.view, 1), second, spacing=0, inside=window)
    qtbot.addWidget(window)
    window.resize(400, high)
    window.show()
    qtbot.waitExposed(window)
    page.model.show_records(["a row", "another"])
    for one in (first, second):
        one.setText(_LONG)
    for _ in range(10):
        QApplication.processEvents()
    places = [one.geometry() for one in (first, page.view, second)]
    for _ in range(10):
        QApplication.processEvents()
        assert [one.geometry() for one in (first, page.view, second)] == places
    assert places[0].bottom() < places[1].top() and places[1].bottom() < places[2].top()
    assert first.height() >= first.folded_height and second.height() >= second.folded_height


def test_what_no_row_says_is_whole_in_the_place_of_rows_that_are_reached_by_scrolling(qtbot: QtBot) -> None:
    page = Page(qtbot)
    holder, window = WholeRows(page.view), QWidget()
    first = FoldedWords("Said first", 2, page.view, keeping=3)
    boxes.column(first, (holder, 1), spacing=0, inside=window)
    qtbot.addWidget(window)
    window.resize(400, 300)
    window.show()
    qtbot.waitExposed(window)
    page.model.show_records([f"row {place}" for place in range(100)])
    first.setText(_LONG)
    for high, whole in ((300, True), (170, False), (301, True), (317, True)):
        window.resize(400, high)
        for _ in range(10):
            QApplication.processEvents()
        assert first.button.isVisible() is not whole
        rows = page.view.verticalHeader().defaultSectionSize()
        assert page.view.viewport().height() % rows == 0, "no row is cut through"


def test_no_name_is_cut_where_more_follows(page: Page) -> None:
    words = "* in: native-country 35 %, occupation 32 %, race 31 %, marital-status 12 %"
    advance = page.words.brief.fontMetrics().horizontalAdvance
    page.show(100, _LONG)
    button = page.words.width() - page.words.brief.width()
    page.show(100, words)
    for fits, shown in (
        ("occupation 32 %, ra…", "occupation 32 %, …"),
        ("occupation…", "occupation…"),
        ("* i…", "* …"),
    ):
        before = words[: words.index(fits.removesuffix("…"))]
        page.words.resize(advance(f"{before}{fits}") + button + 1, page.words.height())
        assert page.words.brief.text() == f"{before}{shown}"


def test_each_line_of_a_text_begins_one_where_that_is_asked_for(qtbot: QtBot) -> None:
    words = FoldedWords("Said", 2, by_line=True)
    qtbot.addWidget(words)
    words.resize(600, 100)
    words.show()
    qtbot.waitExposed(words)
    words.setText("Much is missing.\n* in: city 40 %")
    assert words.brief.text() == "Much is missing.\n* in: city 40 %" and not words.button.isVisible()
    words.setText("Much is missing.\n* in: city 40 %\nNo row says city: Genf.")
    said = "Much is missing.\n* in: city 40 % No row says city: Genf."
    assert words.brief.text() == said and not words.button.isVisible(), "the last line has the room that it needs"
    words.resize(260, 100)
    assert words.brief.text() == "Much is missing.\n* in: city 40 % No row …" and words.button.isVisible()
