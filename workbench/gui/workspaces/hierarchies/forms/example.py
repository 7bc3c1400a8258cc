"""One value on its way up the levels."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.core.hierarchy import Hierarchy
from workbench.gui.theme import monospace_font, set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section

_LOOKED_AT = 500
_MOST_LEVELS = 12


class Example(Section):
    """A value of the data and what becomes of it, level by level."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("One value", parent=parent)
        self.add_action(analyst_badge())
        self.chain = label(wrap=True, selectable=True)
        self.chain.setFont(monospace_font())
        self.chain.setAccessibleName("One value, level by level")
        self._box = boxes.column(self.chain)
        self.add(self._box)
        self.show_hierarchy(None)

    def show_hierarchy(self, hierarchy: Hierarchy | None) -> None:
        """Show the value that changes in most levels, of the first few hundred."""
        if hierarchy is None:
            self.chain.setText("Appears as soon as a hierarchy can be built.")
            set_look(self.chain, muted=True)
            return
        best: list[str] = []
        for place in range(min(len(hierarchy.values), _LOOKED_AT)):
            chain = [labels[codes[place]] for labels, codes in zip(hierarchy.labels, hierarchy.maps, strict=True)]
            if (len(set(chain)), len(chain[0])) > (len(set(best)), len(best[0]) if best else 0):
                best = chain
        shown = best if len(best) <= _MOST_LEVELS else [*best[: _MOST_LEVELS - 1], "…", best[-1]]
        self.chain.setText("\n".join(shown))
        set_look(self.chain, muted=False)
