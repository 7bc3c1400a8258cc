"""The number of shown levels, where some tell no listed value from another, and the way to see all of them.

Intervals so narrow that each of a few listed values has one of its own say what the values themselves say.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import counted
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.workspaces.hierarchies.levels_work import repeating

_TIP = "The others join none of these values that the level before keeps apart"


class HiddenLevels(QWidget):
    """Shows all levels, or only those that join values, at a press; not to be seen where these are the same.

    Signals
    -------
    pressed()
        The others are to be shown, or no longer.
    """

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._all = False
        self.button = push_button("", self._turn, tip=_TIP, name="Show all levels", inline=True)
        boxes.row(self.button, inside=self)
        self.hide()

    def of(self, hierarchy: Hierarchy, *, few: bool, anew: bool) -> frozenset[int]:
        """The levels that are not shown, of which it says how many are.

        Parameters
        ----------
        few
            Whether all values that can occur are listed.
        anew
            Whether it is another hierarchy, of which nobody asked to see all.
        """
        self._all = self._all and not anew
        repeated, levels = repeating(hierarchy) if few else frozenset[int](), hierarchy.height
        shown = levels - len(repeated)
        self.setHidden(not repeated)
        self.button.setText(
            f"All {levels:,} levels shown. Show {shown:,}"
            if self._all
            else f"{shown:,} of {counted(levels, 'level')} shown. Show all"
        )
        self.button.setAccessibleName(self.button.text())
        return frozenset() if self._all else repeated

    def _turn(self) -> None:
        self._all = not self._all
        self.pressed.emit()
