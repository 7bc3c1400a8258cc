"""The pages of the window, below messages that come and go."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize
from PySide6.QtWidgets import QStackedWidget, QWidget


class Pages(QStackedWidget):
    """A stack of pages that gives way to the messages above it: the window never grows because of one.

    Parameters
    ----------
    above
        What lies above. While it is shown the pages ask for that much less, and on a small screen lose their end
        for as long.
    """

    def __init__(self, above: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._above = above
        above.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        least = super().minimumSizeHint()
        taken = self._above.height() if self._above.isVisible() else 0
        return QSize(least.width(), max(least.height() - taken, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._above and event.type() in (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize):
            self.updateGeometry()
        return super().eventFilter(watched, event)
