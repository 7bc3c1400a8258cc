"""What a person declares of hierarchies from files, which nobody declares in their name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label

_WORDS = "I declare that these files were made without this data. Unless that is so, the release can promise nothing."


class Declaration(QWidget):
    """A box to tick, unticked until the person ticks it, with words that take as many lines as they need."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = QCheckBox()
        self.box.setAccessibleName(_WORDS)
        set_explain(self, "hierarchies.provenance")
        words = label(_WORDS, small=True, wrap=True)
        words.setMinimumWidth(1)
        boxes.row((self.box, Qt.AlignmentFlag.AlignTop), (words, 1), spacing="s", inside=self)
        self.setToolTip(
            "Unless you say so, files without a note of where they come from count as data-derived and void a claim."
        )

    def take(self) -> bool:
        """Whether it is ticked; it holds once, and the next file is asked about anew."""
        ticked = self.box.isChecked()
        self.box.setChecked(False)
        return ticked

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.box.toggle()
        super().mouseReleaseEvent(event)
