"""Words that are folded take the lines that a table on their page has no rows for."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from pytestqt.qtbot import QtBot

from workbench.gui.widgets import boxes
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.widgets.records import RecordColumn, RecordsModel, records_view

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
