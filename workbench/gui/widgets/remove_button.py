"""The small button beside an entry of a list that takes it away."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton, QWidget

from workbench.gui.icons import icon
from workbench.gui.widgets.haste import pressed_once


class RemoveButton(QToolButton):
    """Takes one entry away, also when it is clicked twice in haste.

    The next entry moves up under the pointer, and its button would take the second half of a double click.
    """

    def __init__(self, name: str = "", *, picture: str = "remove", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setIcon(icon(picture, "muted"))
        self.set_name(name)
        pressed_once(self)

    def set_name(self, name: str) -> None:
        """Say what is taken away, as “Remove level 2”."""
        self.setAccessibleName(name)
        self.setToolTip(name)
