"""The table as a view of cells: what is shown, copied, marked, and how wide."""

from __future__ import annotations

import re

import numpy as np
import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QFontMetrics, QGuiApplication, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from workbench.core.schema import Role
from workbench.core.table import Column, Table
from workbench.gui import tokens
from workbench.gui.stylesheet import build_stylesheet
from workbench.gui.text_size import resize_tables
from workbench.gui.theme import Theme
from workbench.gui.widgets.column_widths import ColumnWidths
from workbench.gui.widgets.table_view import CodesTableModel, DataTableView
from workbench.session.folded import alternating


@pytest.fixture
def table() -> Table:
    return Table(
        (
            Column.from_texts("name", ["Ann", "Bob\tJr", "Cyd", "Dee"]),
            Column.from_texts("age", ["30", "41", "30", "7"]),
        )
    )


@pytest.fixture
def view(qtbot, light: Theme, table: Table) -> DataTableView:
    made = DataTableView("Rows")
    qtbot.addWidget(made)
    made.show_table(table)
    return made


def model_of(view: DataTableView) -> CodesTableModel:
    model = view.model()
    assert isinstance(model, CodesTableModel)
    return model


def test_cells_show_the_texts_of_the_table(view: DataTableView, table: Table) -> None:
    model = model_of(view)
    shown = [
        tuple(model.index(row, column).data() for column in range(model.columnCount()))
        for row in range(model.rowCount())
    ]
    assert shown == [table.row(row) for row in range(table.rows)]


def test_numbers_stand_right_and_headings_tell_roles(view: DataTableView) -> None:
    model = model_of(view)
    model.set_numeric(["age"])
    model.set_roles({"age": Role.QUASI})
    model.set_header_tips({"age": "in years"})
    alignment = model.index(0, 1).data(Qt.ItemDataRole.TextAlignmentRole)
    assert Qt.AlignmentFlag(alignment) & Qt.AlignmentFlag.AlignRight
    horizontal = Qt.Orientation.Horizontal
    tip = model.headerData(1, horizontal, Qt.ItemDataRole.ToolTipRole)
    assert tip == "age\nOthers may know it\nin years"
    assert model.headerData(1, horizontal, Qt.ItemDataRole.DecorationRole) is not None
    assert model.headerData(0, horizontal, Qt.ItemDataRole.DecorationRole) is None


def test_a_heading_is_cut_for_the_letters_it_is_drawn_in(view: DataTableView, light: Theme) -> None:
    """Qt counts those of the widget, and a number's long name lost its first letters where they are lighter."""
    heads = view.horizontalHeader()
    drawn = re.search(r"QHeaderView::section {[^}]*font-weight: (\d+)", build_stylesheet(light))
    assert drawn is not None and heads.font().weight() == int(drawn[1])


def test_the_selection_is_copied_with_tabs(qtbot, view: DataTableView) -> None:
    view.selectAll()
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == 'Ann\t30\n"Bob\tJr"\t41\nCyd\t30\nDee\t7'
    view.copy_selection(headings=True)
    assert QGuiApplication.clipboard().text().startswith("name\tage\nAnn")


def test_another_order_shows_copies_and_numbers_those_rows(view: DataTableView) -> None:
    model = model_of(view)
    model.set_order(np.array([3, 0]))
    view.selectAll()
    view.copy_selection()
    assert QGuiApplication.clipboard().text() == "Dee\t7\nAnn\t30"
    assert model.headerData(0, Qt.Orientation.Vertical) == "4"


def test_bands_change_with_the_class(view: DataTableView) -> None:
    model = model_of(view)
    model.set_shaded(alternating(np.array([7, 7, 2, 7])))
    shaded = [model.index(row, 0).data(Qt.ItemDataRole.BackgroundRole) is not None for row in range(4)]
    assert shaded == [False, False, True, False]
    with pytest.raises(ValueError, match="one class per row"):
        model.set_shaded(alternating(np.array([1])))


def test_widths_come_from_a_sample_and_stay_within_limits(qtbot, light: Theme) -> None:
    rows = 200_000
    wide = Column("wide", np.zeros(rows, np.int32), ("x" * 5000,))
    narrow = Column("n", np.zeros(rows, np.int32), ("1",))
    view = DataTableView("Rows")
    qtbot.addWidget(view)
    view.show_table(Table((wide, narrow)))
    assert view.columnWidth(0) == 320 and view.columnWidth(1) == 64


def test_columns_give_up_room_where_all_are_in_sight_then_and_keep_widths_that_were_chosen(qtbot, light: Theme) -> None:
    columns = tuple(Column(f"column {place}", np.zeros(3, np.int32), ("12.12.2012",)) for place in range(7))
    usual, view = DataTableView("Rows"), DataTableView("Rows", squeezes=True)
    for one in (usual, view):
        qtbot.addWidget(one)
        one.show()
        one.show_table(Table(columns))

    def wide(one: DataTableView) -> int:
        return sum(one.columnWidth(place) for place in range(7))

    beside = view.width() - view.viewport().width()
    view.resize(wide(usual) - 20 + beside, 300)
    assert wide(view) <= view.viewport().width() < wide(usual), "all are in sight"
    view.resize(wide(usual) // 2, 300)
    assert wide(view) == wide(usual), "where that cannot be, nothing is cramped for nothing"
    view.setColumnWidth(0, 200)
    view.resize(wide(usual) - 20 + beside, 300)
    assert view.columnWidth(0) == 200


def staff(squeezes: bool) -> DataTableView:
    """Rows of seven columns, of which two have words."""
    values = ("20.05.1980", "1294", "121189", "26.12.2025", "99", "Person 1250", "Logistics")
    names = ("born", "postcode", "salary", "start", "of rank", "name", "department")
    view = DataTableView("Rows", squeezes=squeezes)
    view.show()
    view.show_table(
        Table(tuple(Column(name, np.zeros(3, np.int32), (value,)) for name, value in zip(names, values, strict=True)))
    )
    return view


def around(view: DataTableView, column: int) -> int:
    """Pixels that a column has beside those of its value."""
    return view.columnWidth(column) - view.fontMetrics().horizontalAdvance(model_of(view).text(0, column))


def test_where_room_is_scarce_headings_give_way_before_values_and_words_before_numbers(qtbot, light: Theme) -> None:
    usual, view = staff(False), staff(True)
    for one in (usual, view):
        qtbot.addWidget(one)
    model, size = model_of(view), usual.font().pixelSize()
    model.set_roles(dict.fromkeys(model.table.names, Role.QUASI))
    most = sum(usual.columnWidth(place) for place in range(7))
    beside = view.width() - view.viewport().width()
    least, tight = most, 0
    for width in range(most, 0, -5):
        view.resize(width + beside, 300)
        wide = sum(view.columnWidth(place) for place in range(7))
        mark = model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.DecorationRole)
        assert mark is None, "a mark neither comes nor goes with the room"
        if wide > view.viewport().width():
            break
        least, tight = width, tight + (view.font().pixelSize() < size)
        assert all(around(view, place) > 8 for place in range(5)), "no number and no date is ever cut"
    assert tight > 5 and least < most * 0.65, "all were in sight so far"
    assert wide == most and view.font().pixelSize() == size, "below that nothing is cramped for nothing"
    assert "born" in str(model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole))


def test_smaller_letters_follow_the_size_of_text_and_so_do_widths(qtbot, light: Theme) -> None:
    root, view = QWidget(), staff(True)
    qtbot.addWidget(root)
    view.setParent(root)
    root.resize(900, 400)
    root.show()
    view.show()
    beside, widest = view.width() - view.viewport().width(), sum(view.columnWidth(place) for place in range(7))
    view.resize(round(widest * 0.66) + beside, 300)
    small, wide = view.font().pixelSize(), view.columnWidth(0)
    assert small == tokens.FONT_SMALL
    try:
        tokens.set_text_size(18)
        resize_tables(root, 13, 18)
        assert view.font().pixelSize() == 18 and view.verticalHeader().font().pixelSize() == 18, "nothing fits by now"
        assert view.columnWidth(0) > wide
    finally:
        tokens.set_text_size(13)
    resize_tables(root, 18, 13)
    assert (view.font().pixelSize(), view.columnWidth(0)) == (small, wide)


def test_a_value_that_is_cut_is_said_whole_where_it_is_pointed_at(qtbot, light: Theme) -> None:
    view = staff(True)
    qtbot.addWidget(view)
    view.setColumnWidth(5, 40)
    shown = []
    for column in (4, 5):
        QToolTip.hideText()
        spot = view.visualRect(model_of(view).index(0, column)).center()
        event = QHelpEvent(QEvent.Type.ToolTip, spot, view.viewport().mapToGlobal(spot))
        QApplication.sendEvent(view.viewport(), event)
        shown.append(QToolTip.text())
    QToolTip.hideText()
    assert shown == ["", "Person 1250"]


def test_another_table_keeps_the_model_and_the_marks(view: DataTableView, table: Table) -> None:
    model = model_of(view)
    model.set_numeric(["age"])
    view.show_table(Table((table["age"],)))
    assert view.model() is model and model.columnCount() == 1
    alignment = Qt.AlignmentFlag(model.index(0, 0).data(Qt.ItemDataRole.TextAlignmentRole))
    assert alignment & Qt.AlignmentFlag.AlignRight


def test_what_is_left_of_the_room_is_given_to_the_columns() -> None:
    """In smaller letters too nothing is cut while there is room beside the table."""
    widths = ColumnWidths(ample=(100, 300), least=(90, 280), values=(50, 150), whole=(60, 200), cut=(50, 60))
    assert widths.within(330) == ([80, 250], True), "all of it, each by what it lacks"
    assert widths.within(260) == ([60, 200], True) and widths.within(400) == ((100, 300), False)


def test_headings_without_room_stand_in_two_lines_and_are_one_again_with_it(qtbot, light: Theme) -> None:
    names = ("marital-status", "native country", "age", "salary-class")
    view = DataTableView("Rows", squeezes=True)
    qtbot.addWidget(view)
    view.resize(900, 300)
    view.show()
    view.show_table(Table(tuple(Column(name, np.zeros(3, np.int32), ("12345",)) for name in names)))
    across, model = view.horizontalHeader(), model_of(view)

    def lines() -> tuple[bool, bool]:
        aligned = model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        wraps = isinstance(aligned, int) and bool(aligned & int(Qt.TextFlag.TextWordWrap))
        return wraps, across.height() > tokens.CONTROL_HEIGHT

    assert lines() == (False, False)
    widest = sum(view.columnWidth(place) for place in range(4))
    shown = []
    for part in range(100, 55, -5):
        view.resize(widest * part // 100, 300)
        shown.append(lines())
        if shown[-1] == (True, True):
            break
    assert (
        set(shown[:-1]) == {(False, False)} and lines() == (True, True) and view.font().pixelSize() == tokens.FONT_SMALL
    )
    bold = QFont(across.font())
    bold.setWeight(QFont.Weight.DemiBold)
    for place, name in enumerate(names):
        longest = max(re.split(r"(?<=-)| ", name), key=QFontMetrics(bold).horizontalAdvance)
        assert QFontMetrics(bold).horizontalAdvance(longest) < view.columnWidth(place), "no word is cut"
    assert [model.headerData(place, Qt.Orientation.Horizontal) for place in range(4)] == list(names)
    view.resize(900, 300)
    assert lines() == (False, False)
