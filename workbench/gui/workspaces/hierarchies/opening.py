"""The column the room opens on: one that needs something, else the one that changed last."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.hierarchy import Hierarchy
from workbench.gui.document import Document
from workbench.gui.workspaces.hierarchies.attributes import AttributesModel
from workbench.gui.workspaces.hierarchies.coverage import CoverageKeeper
from workbench.gui.workspaces.hierarchies.lacking import Lacking


class Opening:
    """Columns that need something, and the one whose hierarchy changed last."""

    def __init__(self, document: Document, model: AttributesModel, coverage: CoverageKeeper, lacking: Lacking) -> None:
        self._document, self._model, self._coverage, self._lacking = document, model, coverage, lacking
        self._known: Mapping[str, Hierarchy] = document.project.hierarchies
        self._changed = ""

    @property
    def wrong(self) -> tuple[str, ...]:
        """Columns whose hierarchy misses values, then those with a list whose intervals do not hold theirs."""
        coverage = self._coverage
        names = tuple(self._document.project.hierarchies)
        missed = tuple(name for name in names if coverage.uncovered_count(name))
        faulty = (name for name in names if coverage.faults(name) and not self._model.left_out(name))
        return (*missed, *(name for name in faulty if name not in missed))

    @property
    def needing(self) -> tuple[str, ...]:
        """Columns whose hierarchy is wrong, else those of which nobody declared theirs, else those without one."""
        return self.wrong or self._lacking.unsaid or self._lacking.without

    def follow(self) -> None:
        """Take in which hierarchy changed since."""
        known, now = self._known, self._document.project.hierarchies
        changed = [name for name, one in now.items() if known.get(name) is not one]
        if len(changed) == 1:  # of several that came at once none was meant
            self._changed = changed[0]
        self._known = now

    def column(self, shown: str) -> str:
        """The column to show to whoever comes into the room while `shown` is chosen, "" before anything was."""
        needing = self.needing
        if shown in needing:
            return shown
        if needing:
            return self._model.first_worth_showing(needing)
        changed, self._changed = self._changed, ""
        if changed in self._document.project.hierarchies:
            return changed
        return shown or self._model.first_worth_showing()
