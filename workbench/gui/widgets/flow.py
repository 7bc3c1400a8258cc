"""A layout that fills lines from the left and begins a new one where there is no room."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLabel, QLayout, QLayoutItem, QWidget

from workbench.gui import tokens

_WHOLE_LINE = 1 << 20
"""More pixels than a line has."""


class FlowingLabel(QLabel):
    """Plain text in one line where there is room for it, else in as many as it needs.

    Parameters
    ----------
    muted, small
        As of `labels.label`.

    Attributes
    ----------
    alone
        Whether nothing stands beside it in a `FlowLayout`, however short it is.
    """

    alone = False

    def __init__(self, text: str = "", *, muted: bool = False, small: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setWordWrap(True)
        for name, wanted in (("muted", muted), ("small", small)):
            if wanted:
                self.setProperty(name, "true")

    def sizeHint(self) -> QSize:
        # A label that wraps asks for the width of a paragraph, and this is one line.
        self.ensurePolished()  # else it is measured in letters of another size
        metrics = self.fontMetrics()
        return QSize(_WHOLE_LINE if self.alone else self.text_width(), metrics.height())

    def text_width(self) -> int:
        """The width of the text in one line."""
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance(self.text()) + metrics.averageCharWidth()


class FlowLayout(QLayout):
    """Widgets one after the other, in as many lines as the width asks for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self.setContentsMargins(0, 0, 0, 0)
        self.setSpacing(tokens.SPACE_XS)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        left = 0
        for item in self._items:
            if item.isEmpty():
                continue
            hint = item.sizeHint()
            width = min(hint.width(), rect.width())
            size = QSize(width, item.heightForWidth(width) if item.hasHeightForWidth() else hint.height())
            if not lines or width > left:
                lines.append([])
                left = rect.width()
            lines[-1].append((item, size))
            left -= width + self.spacing()
        y = rect.y()
        for line in lines:
            x, height = rect.x(), max(size.height() for _, size in line)
            for item, size in line if move else ():
                item.setGeometry(QRect(QPoint(x, y + (height - size.height()) // 2), size))
                x += size.width() + self.spacing()
            y += height + self.spacing()
        return max(0, y - self.spacing() - rect.y()) if lines else 0
