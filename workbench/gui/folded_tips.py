"""Tooltips in lines that one can read, wherever in the program they are shown."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QCursor, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QProxyStyle, QWidget

_LINE = 72
"""Characters of a line, about."""
_BESIDE, _ABOVE = 2, 3
"""Pixels between the pointer and a tooltip beside and above it, as Qt has them."""


class FoldingStyle(QProxyStyle):
    """Fusion, which folds the lines of tooltips.

    Qt shows a plain text in one line up to the width of the screen. The label of a tooltip is its own, and comes anew
    with each: only the style that it is polished with sees them all.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")
        self._folder = _Folder()

    def polish(self, what: QApplication | QWidget | QPalette) -> None:  # type: ignore[override]
        super().polish(what)
        if isinstance(what, QLabel) and what.metaObject().className() == "QTipLabel":
            what.installEventFilter(self._folder)


class _Folder(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # A tooltip that is seen already takes another text with another size.
        if event.type() in (QEvent.Type.Show, QEvent.Type.Resize) and isinstance(watched, QLabel):
            _fold(watched)
        return False


def _fold(tip: QLabel) -> None:
    """Break lines that are too long between words; nothing is added to the text, which may be somebody else's."""
    metrics, screen = tip.fontMetrics(), tip.screen().geometry()
    around = 2 * (tip.margin() + tip.frameWidth()) + tip.contentsMargins().left() + tip.contentsMargins().right()
    longest = max(map(metrics.horizontalAdvance, tip.text().split()), default=0)
    width = min(max(_LINE * metrics.averageCharWidth(), longest) + around, screen.width())
    if tip.width() <= width:
        return
    tip.setWordWrap(True)
    height, pointer = tip.heightForWidth(width), QCursor.pos()
    top = tip.y() if tip.y() >= pointer.y() else tip.geometry().bottom() + 1 - height
    if top + height > screen.bottom():
        top = pointer.y() - _ABOVE - height
    left = tip.x() if tip.x() >= pointer.x() else pointer.x() + _BESIDE
    left, top = min(left, screen.right() - width), min(top, screen.bottom() - height)
    tip.setGeometry(max(left, screen.left()), max(top, screen.top()), width, height)
