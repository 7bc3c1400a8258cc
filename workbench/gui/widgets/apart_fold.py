"""A fold whose button stands elsewhere, wherever there is room for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets.buttons import push_button


class ApartFold(QWidget):
    """A fold that is opened and closed by `button`, which is placed by whoever makes it.

    Parameters
    ----------
    title
        What the button says.
    is_open
        Whether it is open at first.
    above
        Whether it opens above its button.

    Signals
    -------
    opened(bool)
        It was opened, or closed.
    """

    opened = Signal(bool)

    def __init__(
        self, title: str, parent: QWidget | None = None, *, is_open: bool = False, above: bool = False
    ) -> None:
        super().__init__(parent)
        self._opened_sign = "chevron-up" if above else "chevron-down"
        self.button = push_button(title, name=title, checkable=True, inline=True)
        self.button.setIconSize(QSize(tokens.ICON, tokens.ICON))
        self.button.toggled.connect(self._show_open)
        self.button.setChecked(is_open)
        self._show_open(is_open)

    def _show_open(self, is_open: bool) -> None:
        self.setHidden(not is_open)
        self.button.setIcon(icon(self._opened_sign if is_open else "chevron-right", "muted"))
        self.opened.emit(is_open)
