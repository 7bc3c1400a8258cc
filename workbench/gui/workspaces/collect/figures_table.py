"""A table of protocols and their figures."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.widgets.heat_table import HeatTable


class FiguresTable(HeatTable):
    """The first column has room for the longest names; Enter or a double click takes a row.

    Signals
    -------
    chosen(int)
        A row was taken.
    """

    chosen = Signal(int)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setSelectionBehavior(self.SelectionBehavior.SelectRows)
        self.doubleClicked.connect(self._enter)

    def fit_columns(self) -> None:
        super().fit_columns()
        # Figures are never cut, names only where they are very long.
        heads = self.horizontalHeader()
        for place, texts in enumerate(zip(*self.texts(), strict=True)):
            widest = max(map(self.fontMetrics().horizontalAdvance, texts)) + 2 * tokens.SPACE_M
            width = (
                max(widest, self.columnWidth(place), heads.sectionSizeHint(place))
                if place
                else min(widest, tokens.EXPLAIN_WIDTH)
            )
            self.setColumnWidth(place, width)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.currentIndex().isValid():
            self.chosen.emit(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _enter(self, index: Any) -> None:
        self.chosen.emit(index.row())
