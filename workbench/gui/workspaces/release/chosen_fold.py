"""A fold below a sentence about choices: what was chosen, and what is signed of it, more than its short form says."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.core.number_text import counted
from workbench.core.visible import visible
from workbench.gui.widgets import boxes
from workbench.gui.widgets.apart_fold import ApartFold
from workbench.gui.widgets.labels import label

_SIGNED = "You sign"


class ChosenFold(ApartFold):
    """The lines and, below them, what is signed; `button` opens and closes it, and stands wherever there is room.

    Parameters
    ----------
    sentence
        What is signed, as it stands in the statement.
    """

    def __init__(self, sentence: str, parent: QWidget | None = None, *, is_open: bool = False) -> None:
        super().__init__("", parent, is_open=is_open)
        self.sentence = sentence
        self._lines: tuple[str, ...] | None = None
        self._inside = boxes.column(spacing="hair", inside=self)

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show these above what is signed; where they are those that are shown, nothing is made anew."""
        if lines == self._lines:
            return
        self._lines = lines
        while (item := self._inside.takeAt(0)) is not None:
            line = item.widget()
            if line is not None:
                line.hide()
                line.deleteLater()
        for text in lines:
            self._inside.addWidget(label(visible(text), small=True, wrap=True))
        signed = f"{_SIGNED}: {self.sentence}"
        self._inside.addWidget(label(visible(signed), small=True, muted=True, wrap=True))
        choices = f"See your {counted(len(lines), 'choice')}" if len(lines) > 1 else "See your choice"
        self.button.setText(choices)
        self.button.setAccessibleDescription("\n".join((*lines, signed)))
