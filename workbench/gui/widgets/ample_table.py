"""A table that cuts nothing: its columns are as wide as their texts, and the last takes what is left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.widgets.heat_table import HeatTable

_LAST, _NAME = tokens.FIELD_WIDTH + 8 * tokens.SPACE_S, tokens.FIELD_WIDTH + 10 * tokens.SPACE_S
"""What the last column has at least where there is little room, and how narrow the first one may become."""


class AmpleTable(HeatTable):
    """Shows few rows of texts, all of them at once, where the page scrolls rather than the table."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_texts(self, headings: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()) -> None:
        """Show these; the columns named as numbers are aligned to the right."""
        self.show_rows(headings, rows, left=len(headings))
        self._cells.set_numeric(list(numbers))
        self.horizontalHeader().setStretchLastSection(True)
        self.fit_columns()
        self.scrollToTop()

    def fit_columns(self) -> None:
        for column in range(self.model().columnCount() - 1):
            self.resizeColumnToContents(column)
            wide = max(self.columnWidth(column), self.horizontalHeader().sectionSizeHint(column) + tokens.SPACE_S)
            self.setColumnWidth(column, min(wide, tokens.COLUMN_MAX + tokens.FIELD_WIDTH))
        # Names give way to what the last column says, as far as they can be told apart.
        before = sum(self.columnWidth(column) for column in range(self.model().columnCount() - 1))
        over = before + _LAST - self.viewport().width()
        if over > 0 and before:
            self.setColumnWidth(0, max(self.columnWidth(0) - over, min(self.columnWidth(0), _NAME)))

    def fit_height(self, most: int) -> int:
        """Be as high as so many rows at most, and say how high that is."""
        rows = min(self.model().rowCount(), most)
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + rows * self.verticalHeader().defaultSectionSize() + tokens.SPACE_S)
        return self.height()
