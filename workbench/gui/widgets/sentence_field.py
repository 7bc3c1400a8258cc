"""A field for a sentence, such as a question, with room for all of it from the start."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QKeyEvent

from workbench.gui.widgets.listed_values import ListedValues


class SentenceField(ListedValues):
    """One line as far as the text goes: Enter ends it, and ends of lines that are pasted become spaces.

    It is as high whatever is typed, so that nothing below it moves; a text that is longer scrolls.
    """

    fewest = most = 3
    """As many as a long question has."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.editingFinished.emit()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(" ".join(source.text().split()))
