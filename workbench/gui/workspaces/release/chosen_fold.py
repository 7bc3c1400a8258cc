"""A fold below a sentence, with what was chosen of that which it is about: to be seen before it is signed."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.core.number_text import counted
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.apart_fold import ApartFold
from workbench.gui.widgets.labels import label

_HEADING = "What you chose"


class ChosenFold(ApartFold):
    """The lines; `button` opens and closes them, and stands wherever there is room for it."""

    def __init__(self, parent: QWidget | None = None, *, is_open: bool = False) -> None:
        super().__init__("See your choices", parent, is_open=is_open)
        self._lines: tuple[str, ...] = ()
        self._inside = boxes.column(spacing="hair", inside=self)

    def open_where_room(self, area: QScrollArea) -> None:
        """Open if all stays in sight, what is asked and what is below: what is signed is recognised without a press."""
        inside, beside = area.widget(), self.parentWidget()
        if self.button.isChecked() or inside is None or beside is None:
            return
        # It may be higher than it needs to be.
        ends = inside.heightForWidth(inside.width())
        needed = ends + self._inside.totalHeightForWidth(beside.width()) + tokens.SPACE_S
        self.button.setChecked(needed <= area.viewport().height())

    def show_lines(self, lines: tuple[str, ...]) -> None:
        """Show these; where they are those that are shown, nothing is made anew."""
        if lines == self._lines:
            return
        self._lines = lines
        while (item := self._inside.takeAt(0)) is not None:
            line = item.widget()
            if line is not None:
                line.hide()
                line.deleteLater()
        if lines:
            self._inside.addWidget(label(_HEADING, strong=True, small=True))
        for text in lines:
            self._inside.addWidget(label(visible(text), small=True, wrap=True))
        self.button.setText(f"See your {counted(len(lines), 'choice')}" if len(lines) > 1 else "See your choice")
        self.button.setAccessibleDescription("\n".join(lines))
