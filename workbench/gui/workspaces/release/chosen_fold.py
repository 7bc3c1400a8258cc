"""A fold below a sentence, with what was chosen of that which it is about: to be seen before it is signed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.labels import label

_SHOW = "Your choices"


class ChosenFold(QWidget):
    """The lines; `button` opens and closes them, and stands wherever there is room for it.

    Signals
    -------
    opened(bool)
        They were opened, or closed.
    """

    opened = Signal(bool)

    def __init__(self, parent: QWidget | None = None, *, is_open: bool = False) -> None:
        super().__init__(parent)
        self._lines: tuple[str, ...] = ()
        self.button = push_button(_SHOW, name=_SHOW, checkable=True, inline=True)
        self.button.setIconSize(QSize(tokens.ICON, tokens.ICON))
        self._inside = boxes.column(spacing="hair", inside=self)
        self.button.toggled.connect(self._show_open)
        self.button.setChecked(is_open)
        self._show_open(is_open)

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
        for text in lines:
            self._inside.addWidget(label(visible(text), small=True, wrap=True))
        self.button.setAccessibleDescription("\n".join(lines))

    def _show_open(self, is_open: bool) -> None:
        self.setHidden(not is_open)
        self.button.setIcon(icon("chevron-down" if is_open else "chevron-right", "muted"))
        self.opened.emit(is_open)
