"""Room for a table that ends after a whole row where it scrolls."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTableView, QWidget


class WholeRows(QWidget):
    """Holds a table that ends after a whole row where it scrolls: nobody takes half of a row for the last one."""

    def __init__(self, view: QTableView) -> None:
        super().__init__()
        self._view = view
        view.setParent(self)
        self.setMinimumSize(view.minimumSizeHint())
        model = view.model()
        if model is not None:
            model.modelReset.connect(self.place)
        view.verticalHeader().sectionCountChanged.connect(self.place)
        # As no signal tells that rows are higher by now.
        view.verticalScrollBar().rangeChanged.connect(self.place)

    def sizeHint(self) -> QSize:
        return self._view.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.place()

    @property
    def left(self) -> int:
        """How many pixels are left below the table, as they are too few for a row."""
        return self.height() - self._view.height()

    def place(self) -> None:
        """End after a whole row, however high rows are by now."""
        rows, across = self._view.verticalHeader(), self._view.horizontalScrollBar()
        head = self._view.horizontalHeader()
        high = min(max(head.sizeHint().height(), head.minimumHeight()), head.maximumHeight())
        around = high + 2 * self._view.frameWidth()
        around += across.sizeHint().height() if across.maximum() > 0 else 0
        room, row = self.height() - around, rows.defaultSectionSize()
        cut = room % row if rows.length() > room > row else 0
        self._view.setGeometry(0, 0, self.width(), self.height() - cut)
