"""A field for a sentence, such as a question, that grows by lines so that all of it is seen."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QKeyEvent

from workbench.gui.widgets.listed_values import ListedValues


class GrowingLine(ListedValues):
    """One line as far as the text goes: Enter ends it, and ends of lines that are pasted become spaces."""

    fewest = 2
    """As many as a question mostly has."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.editingFinished.emit()
        else:
            super().keyPressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.insertPlainText(" ".join(source.text().split()))
