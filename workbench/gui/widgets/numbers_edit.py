"""A line for several numbers, such as the edges of bins."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import typed
from workbench.gui.theme import set_look
from workbench.gui.widgets.inputs import LongLine


class NumbersEdit(LongLine):
    """Numbers with commas, semicolons or spaces between them; what is none stays there, marked.

    Parameters
    ----------
    name
        For screen readers.
    placeholder
        What an empty field shows, which also tells how to mend a text that holds no numbers.

    Signals
    -------
    typed(object)
        The numbers that were typed, a tuple.
    """

    typed = Signal(object)

    def __init__(self, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.problem = ""
        self.editingFinished.connect(self._tell)

    @property
    def valid(self) -> bool:
        """Whether what stands here was read and not refused."""
        return not self.problem

    def show_numbers(self, values: tuple[float, ...]) -> None:
        """Show these numbers, unless others are being typed."""
        text = ", ".join(map(typed, values))
        if self.text() != text and not (self.hasFocus() and self.isModified()):
            self.setText(text)
            self.refuse("")

    def refuse(self, problem: str) -> None:
        """Mark the field and say why; with "" it is right."""
        self.problem = problem
        set_look(self, invalid=bool(problem))
        self.setToolTip(problem)

    def _tell(self) -> None:
        self.setModified(False)
        try:
            values = tuple(float(part) for part in re.split(r"[,;\s]+", self.text().strip(" ,;")) if part)
        except ValueError:
            values = (math.nan,)
        if not all(map(math.isfinite, values)):
            self.refuse(f"Numbers with commas between them, such as {self.placeholderText()}")
            return
        self.refuse("")
        self.typed.emit(values)
