"""A tick whose text goes on in a second line, or ends in …, where it is too narrow."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from workbench.gui import tokens


class ElidingCheckBox(QCheckBox):
    """Takes the room it is given; `full_text` is what it was given, which is also its accessible name.

    Parameters
    ----------
    lines
        Over so many lines the text may go; what is longer than those ends in ….
    """

    def __init__(self, text: str, parent: QWidget | None = None, *, lines: int = 1) -> None:
        self._lines = lines
        super().__init__(text, parent)
        self.full_text = text
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        """Say something else, in the room there is."""
        self.full_text = text
        self.setAccessibleName(text)
        self.setText(self._broken(max(self.width() - self._beside(), 1)))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        self.ensurePolished()
        width = self.fontMetrics().horizontalAdvance(self.full_text) + self._beside()
        return QSize(width, self._height())

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.COLUMN_MIN, self._height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._keep_room()

    def _keep_room(self) -> None:
        """Lines below each other are never squeezed, whatever font and theme there are by now."""
        if self._lines > 1:
            self.setMinimumHeight(self._height())

    def _height(self) -> int:
        self.ensurePolished()
        lines = self.text().count("\n") + 1
        needed = lines * self.fontMetrics().lineSpacing() + tokens.SPACE_S if lines > 1 else 0
        return max(super().sizeHint().height(), needed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        shown = self._broken(max(self.width() - self._beside(), 1))
        if shown != self.text():
            self.setText(shown)
        self._keep_room()

    def _broken(self, room: int) -> str:
        """The text in as many lines as it needs and may take, each no wider than the room."""
        metrics, lines, rest = self.fontMetrics(), list[str](), self.full_text
        while len(lines) + 1 < self._lines and metrics.horizontalAdvance(rest) > room:
            words = rest.split(" ")
            fitting = [n for n in range(1, len(words)) if metrics.horizontalAdvance(" ".join(words[:n])) <= room]
            if not fitting:
                break
            lines.append(" ".join(words[: fitting[-1]]))
            rest = " ".join(words[fitting[-1] :])
        if metrics.horizontalAdvance(rest) > room:  # of what just fits, Qt may cut the last letters by how it rounds
            rest = metrics.elidedText(rest, Qt.TextElideMode.ElideRight, room)
        return "\n".join([*lines, rest])

    def _beside(self) -> int:
        """Width that is taken by the box and the space after it."""
        return tokens.ICON + tokens.SPACE_S + tokens.SPACE_XS
