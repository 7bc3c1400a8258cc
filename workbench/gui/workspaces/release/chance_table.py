"""A few lines of words and chances: as high as its lines, the words get the room that is left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.heat_table import HeatTable


class ChanceTable(HeatTable):
    """Shows all of its lines without scrolling; numbers on the right."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self._numbers = 0
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_lines(self, heads: Sequence[str], lines: Sequence[tuple[str, ...]]) -> None:
        """Show these lines: words first, then numbers."""
        self._numbers = len(heads) - 1
        self.show_rows(heads, lines)
        self.setFixedHeight(
            self.horizontalHeader().sizeHint().height() + len(lines) * tokens.ROW_HEIGHT + 2 * self.frameWidth()
        )
        self.show()
        self.fit_columns()

    def fit_columns(self) -> None:
        super().fit_columns()
        if not self._numbers:
            return
        cells, head = self.fontMetrics(), self.horizontalHeader().fontMetrics()
        rest = self.viewport().width()
        for place, column in enumerate(self._cells.table.columns[1:], start=1):
            widest = max([head.horizontalAdvance(column.name) * 1.1, *map(cells.horizontalAdvance, column.values)])
            width = max(round(widest) + 3 * tokens.SPACE_S, tokens.METER_WIDTH)
            self.setColumnWidth(place, width)
            rest -= width
        self.setColumnWidth(0, max(rest, tokens.COLUMN_MIN))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_columns()
