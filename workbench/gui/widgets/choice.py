"""A choice of several, small: an icon, a title and a sentence in one line or two."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import IconLabel, label


class ChoiceCard(QFrame):
    """Taken by a click, Space or Enter; then `activated` is emitted.

    Parameters
    ----------
    sentence
        Below the title; without one the title stands alone.
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
        heading = boxes.row((label(title, strong=True, wrap=True), 1), spacing="s")
        if note:
            heading.addWidget(label(note, muted=True, small=True))
        words = boxes.column(heading, spacing="hair")
        if sentence:
            words.addWidget(label(sentence, muted=True, small=True, wrap=True))
            words.addStretch(1)
        boxes.row(
            (IconLabel(icon_name, tokens.ICON_LARGE, "accent"), Qt.AlignmentFlag.AlignTop),
            (words, 1),
            margins="m s m s",
            spacing="m",
            inside=self,
        )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.activated.emit()
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit()
        else:
            super().keyPressEvent(event)
