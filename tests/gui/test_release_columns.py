"""A release of many columns is in sight: smaller letters, then cells of two lines, before one must scroll."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import OnScreen
from workbench.core.table import Column, Table
from workbench.gui import tokens
from workbench.gui.text_size import resize_tables
from workbench.gui.workspaces.anonymise.folded_model import FoldedModel
from workbench.gui.workspaces.anonymise.release_table import FoldedView
from workbench.gui.workspaces.anonymise.wrapped_columns import ColumnTexts, fit, letters_of
from workbench.session.folded import FoldedTable

PEOPLE = {
    "sex": ("Male", "Female"),
    "age": ("40-79", "0-39"),
    "marital-status": ("spouse not present", "spouse present"),
    "education": ("Higher education", "Secondary education"),
    "native-country": ("North America", "*"),
    "workclass": ("Non-Government", "Government"),
    "occupation": ("Nontechnical", "Technical"),
    "salary-class": ("<=50K", ">50K"),
}


def folded(values: dict[str, tuple[str, str]], lines: int = 60) -> FoldedTable:
    codes = np.arange(lines, dtype=np.int64) % 2
    columns = [Column.from_texts(name, [texts[code] for code in codes]) for name, texts in values.items()]
    return FoldedTable(Table(tuple(columns)), np.arange(lines, 0, -1) * 7, lines)


def view_of(on_screen: OnScreen, width: int, values: dict[str, tuple[str, str]] = PEOPLE) -> FoldedView:
    view: FoldedView = on_screen(FoldedView(), width=width, height=400)
    view.lines.show(folded(values), {})
    view.fit_columns()
    return view


def across(view: FoldedView) -> int:
    return sum(view.columnWidth(place) for place in range(view.lines.columnCount()))


def heading(view: FoldedView, place: int) -> str:
    return str(view.lines.headerData(place, Qt.Orientation.Horizontal))


def whole_in_lines(view: FoldedView) -> bool:
    """Whether every cell is whole, in as many lines as its row has room for."""
    metrics, side = QFontMetrics(view.font()), 2 * tokens.SPACE_XS
    flags = int(Qt.TextFlag.TextWordWrap)
    for place, texts in enumerate(PEOPLE.values(), start=1):
        room = QRect(0, 0, view.columnWidth(place) - side, view.rowHeight(0))
        for text in texts:
            taken = metrics.boundingRect(room, flags, text)
            if taken.width() > room.width() or taken.height() > room.height():
                return False
    return True


def test_with_less_room_letters_are_smaller_then_cells_have_two_lines_and_then_one_scrolls(on_screen: OnScreen) -> None:
    view = view_of(on_screen, 1500)
    seen = []
    for width in (*range(1500, 700, -20), *range(700, 600, -1), *range(600, 380, -20)):
        view.resize(width, 400)
        fits, lines = across(view) <= view.viewport().width(), view.rowHeight(0) > tokens.ROW_HEIGHT
        seen.append((not fits, lines, -view.font().pixelSize()))
        assert not fits or lines or view.font().pixelSize() >= tokens.FONT_SMALL
        assert not fits or whole_in_lines(view), width
        assert fits or (not lines and view.font().pixelSize() == tokens.FONT_BASE), "nothing is cramped for nothing"
    assert [one for one in seen if not one[0]] == sorted(one for one in seen if not one[0])
    assert seen == sorted(seen, key=lambda one: one[0]), "it is scrolled only where nothing else has room"
    kinds = {(one[0], one[1]) for one in seen}
    assert kinds == {(False, False), (False, True), (True, False)}


def narrow(on_screen: OnScreen) -> FoldedView:
    """One with as little room as two lines need, or nearly."""
    view = view_of(on_screen, 1000)
    while across(view) <= view.viewport().width():
        view.resize(view.width() - 20, 400)
    view.resize(view.width() + 20, 400)
    assert view.rowHeight(0) > tokens.ROW_HEIGHT
    return view


def test_headings_of_two_lines_are_copied_as_one(on_screen: OnScreen) -> None:
    view = narrow(on_screen)
    lines = view.horizontalHeader().height() / QFontMetrics(view.font()).lineSpacing()
    aligned = view.lines.headerData(3, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    assert lines > 2 and isinstance(aligned, int) and aligned & int(Qt.TextFlag.TextWordWrap)
    assert [heading(view, place) for place in range(1, 9)] == list(PEOPLE)
    text = QFontMetrics(view.font()).boundingRect(view.rect(), 0, "native-\ncountry").height()
    around = 2 * tokens.SPACE_XS + 1  # of the style, and the line below
    assert view.horizontalHeader().height() >= text + around, "the tail of a y is whole"
    view.selectAll()
    view.copy_selection(headings=True)
    first = QGuiApplication.clipboard().text().split("\n")[0]
    assert first.split("\t") == ["Rows", *PEOPLE]


def test_a_cell_that_needs_more_lines_is_cut_and_the_others_are_not_higher_for_it(on_screen: OnScreen) -> None:
    long = PEOPLE | {
        "education": ("a word or two and then some more, and more than that, until nobody reads on", "none")
    }
    usual = narrow(on_screen).rowHeight(0)
    view = view_of(on_screen, 1000, long)
    heights = set()
    for width in range(1000, 600, -20):
        view.resize(width, 400)
        heights.add(view.rowHeight(0))
    assert max(heights) <= max(usual, tokens.ROW_HEIGHT) + tokens.SPACE_S


def test_letters_and_rows_follow_the_size_of_text(qtbot: QtBot, on_screen: OnScreen) -> None:
    view = narrow(on_screen)
    root = QWidget()
    qtbot.addWidget(root)
    view.setParent(root)
    root.show()
    view.show()
    size, high = view.font().pixelSize(), view.rowHeight(0)
    try:
        tokens.set_text_size(18)
        resize_tables(root, 13, 18)
        assert view.font().pixelSize() >= 17 and view.rowHeight(0) >= tokens.ROW_HEIGHT > 26
    finally:
        tokens.set_text_size(13)
    resize_tables(root, 18, 13)
    assert (view.font().pixelSize(), view.rowHeight(0)) == (size, high)


@pytest.mark.parametrize("tall", [True, False])
def test_a_cell_is_drawn_in_two_lines_where_its_row_is_high_enough(on_screen: OnScreen, tall: bool) -> None:
    view = view_of(on_screen, 1000)
    side = 60
    image = QImage(90, side, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    option = QStyleOptionViewItem()
    view.initViewItemOption(option)
    option.rect = QRect(0, 0, 90, side if tall else side // 3)
    painter = QPainter(image)
    place = list(PEOPLE).index("marital-status") + 1
    view.itemDelegate().paint(painter, option, view.lines.index(0, place, QModelIndex()))
    painter.end()
    inked = [y for y in range(side) if any(image.pixelColor(x, y).lightness() < 128 for x in range(90))]
    assert (inked[-1] - inked[0] > QFontMetrics(view.font()).lineSpacing()) is tall


def test_labels_are_shown_as_the_file_spells_them(qtbot: QtBot) -> None:
    """As in what is said of them above the table, and in the statement."""
    texts = ("40000 to under 80000", "80000 to under 120000")
    model = FoldedModel()
    model.show(folded({"pay": texts}, 1), {})
    assert model.seen(0, 1).after == texts[0] == model.samples(1)[0][1]
    assert model.data(model.index(0, 1)) == texts[0], "what is copied is as in the file"


@pytest.mark.usefixtures("qtbot")
def test_what_cells_were_gives_way_before_a_table_scrolls_and_no_heading_is_cut_for_it() -> None:
    """As beside the settings in a window of 1280 pixels: what a line was stands in the rows that a press unfolds."""
    columns = [ColumnTexts("Rows", ["919"], tokens.ICON_LARGE, kept=True)]
    columns += [
        ColumnTexts(name, [f"10 values → {one}" for one in texts], least=texts) for name, texts in PEOPLE.items()
    ]
    wide = fit(columns, 3_000)
    assert (wide.size, wide.lines, wide.heading_lines) == (tokens.FONT_BASE, 1, 1), "where there is room nothing does"
    found = fit(columns, 860)
    assert sum(found.widths) <= 860 and found.lines == 1
    metrics, head = QFontMetrics(letters_of(found.size)), letters_of(found.size)
    head.setWeight(QFont.Weight.DemiBold)
    for column, width in zip(columns, found.widths, strict=True):
        room = QRect(0, 0, width - column.mark - 2 * tokens.SPACE_XS, found.heading_lines * metrics.height())
        assert all(metrics.horizontalAdvance(one) <= room.width() for one in column.least), "what it is now is whole"
        taken = QFontMetrics(head).boundingRect(room, int(Qt.TextFlag.TextWordWrap), column.heading)
        assert taken.width() <= room.width() and taken.height() <= room.height(), column.heading
    assert sum(fit(columns, 640).widths) <= 640, "then cells have several lines"
