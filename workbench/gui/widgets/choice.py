"""A choice of several, small: an icon, a title and a sentence in one line or two."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.widgets.labels import IconLabel, label


class Choice(QFrame):
    """Taken by a click, Space or Enter; then `activated` is emitted.

    Parameters
    ----------
    note
        A word at the right of the title, such as where it comes from.
    """

    activated = Signal()

    def __init__(
        self, icon_name: str, title: str, sentence: str, note: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("card", "true")
        self.setProperty("clickable", "true")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{title}, {note}" if note else title)
        self.setAccessibleDescription(sentence)
        heading = QHBoxLayout()
        heading.setSpacing(tokens.SPACE_S)
        heading.addWidget(label(title, strong=True, wrap=True), 1)
        if note:
            heading.addWidget(label(note, muted=True, small=True))
        words = QVBoxLayout()
        words.setSpacing(tokens.SPACE_HAIR)
        words.addLayout(heading)
        words.addWidget(label(sentence, muted=True, small=True, wrap=True))
        words.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(IconLabel(icon_name, tokens.ICON_LARGE, "accent"), 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words, 1)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.activated.emit()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit()
        else:
            super().keyPressEvent(event)
