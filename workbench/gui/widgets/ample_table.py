"""A table that cuts nothing: its columns are as wide as their texts, and the last takes what is left."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.gui import tokens
from workbench.gui.widgets.heat_table import HeatTable


class AmpleTable(HeatTable):
    """Shows few rows of texts, all of them at once, where the page scrolls rather than the table."""

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

    def fit_height(self, most: int) -> int:
        """Be as high as so many rows at most, and say how high that is."""
        rows = min(self.model().rowCount(), most)
        head = self.horizontalHeader().sizeHint().height()
        self.setFixedHeight(head + rows * self.verticalHeader().defaultSectionSize() + tokens.SPACE_S)
        return self.height()
