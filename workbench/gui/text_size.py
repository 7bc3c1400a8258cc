"""The text that no stylesheet reaches when its size is changed: tables have fonts and rows of their own."""

from __future__ import annotations

from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.table_view import DataTableView


def resize_tables(root: QWidget, before: int, after: int) -> None:
    """Give all tables below a widget the text, the rows and the columns of another size of text.

    Parameters
    ----------
    before, after
        Pixels of plain text, as they were and as they are now.
    """
    heights = {tokens.scaled(high, before): tokens.scaled(high, after) for high in tokens.HEIGHTS.values()}
    double = 2 * tokens.scaled(tokens.HEIGHTS["ROW_HEIGHT"], before)
    heights[double] = 2 * tokens.ROW_HEIGHT
    smallest = tokens.TEXT_SIZES[0]
    letters = {max(before - 1, smallest): max(after - 1, smallest), before: after}
    for table in root.findChildren(QTableView):
        rows, across = table.verticalHeader(), table.horizontalHeader()
        for part in (table, rows, across):
            font = part.font()
            if font.pixelSize() in letters:
                font.setPixelSize(letters[font.pixelSize()])
                part.setFont(font)
        high = heights.get(rows.defaultSectionSize(), rows.defaultSectionSize())
        if rows.minimumSectionSize() in heights:
            rows.setMinimumSectionSize(min(high, heights[rows.minimumSectionSize()]))
        rows.setDefaultSectionSize(high)
        if across.minimumHeight() == across.maximumHeight() in heights:
            across.setFixedHeight(heights[across.maximumHeight()])
        if isinstance(table, DataTableView) and table.is_fitted:
            table.fit_columns()
        else:
            _widen(across, after / before)


def _widen(header: QHeaderView, ratio: float) -> None:
    for column in range(header.count()):
        if header.sectionResizeMode(column) is QHeaderView.ResizeMode.Interactive:
            header.resizeSection(column, round(header.sectionSize(column) * ratio))
