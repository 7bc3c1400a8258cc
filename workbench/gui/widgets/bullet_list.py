"""Sentences below each other, each with a mark before it: read one by one, where a block of them is read not at all."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label


class BulletList(QWidget):
    """It is as high as its sentences need, and hidden while there are none.

    Nothing is made anew for other sentences, as far as there are lines for them.
    """

    def __init__(self, parent: QWidget | None = None, *, muted: bool = False) -> None:
        super().__init__(parent)
        self._muted = muted
        self.texts: list[QLabel] = []
        self._lines: list[QWidget] = []
        self._column = boxes.column(spacing="hair", inside=self)
        self.hide()

    def show_lines(self, lines: Sequence[str]) -> None:
        """Show these, whose texts are safe to be read, and no others."""
        while len(self.texts) < len(lines):
            text = label(small=True, muted=self._muted, wrap=True)
            mark = label("•", small=True, muted=self._muted), Qt.AlignmentFlag.AlignTop
            line = boxes.boxed(boxes.row(mark, (text, 1), spacing="xs"))
            self.texts.append(text)
            self._lines.append(line)
            self._column.addWidget(line)
        for place, line in enumerate(self._lines):
            line.setVisible(place < len(lines))
            self.texts[place].setText(lines[place] if place < len(lines) else "")
        self.setHidden(not lines)

    def text(self) -> str:
        """The sentences, a line each."""
        return "\n".join(filter(None, (one.text() for one in self.texts)))
