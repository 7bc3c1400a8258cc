"""Coverage of the data by each hierarchy, counted off the GUI thread and kept until one of the two changes.

Rows are counted in the working table, so that they are those that take part; values that a hierarchy misses are looked
for in all that were read, so that none turns up when other rows are chosen.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from workbench.core.column_facts import Coverage, coverage
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.interval_labels import misplaced
from workbench.core.progress import Progress
from workbench.core.public_values import PublicView
from workbench.core.table import Column
from workbench.gui.document import Document
from workbench.session import Session

COVERAGE_JOB = "hierarchies.coverage"

_Pair = tuple[Column, Hierarchy, str]
"""A column as it was read, its hierarchy, and the key of the working table."""

_Found = tuple[Coverage, int]
"""Coverage that was counted, and the number of labels that do not hold their numbers."""


class CoverageKeeper(QObject):
    """Counts rows per value and uncovered values of every attached hierarchy.

    Signals
    -------
    arrived()
        New counts are there.
    """

    arrived = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: dict[str, tuple[_Pair, _Found]] = {}
        self.looked = document.looked
        document.changed.connect(self._on_changed)
        self.refresh()

    def of(self, name: str) -> Coverage | None:
        """The counts of a column's hierarchy as it stands, None while they are being made."""
        found = self._found(name)
        return None if found is None else found[0]

    def faults(self, name: str) -> int:
        """How many labels of a column's list do not hold their numbers; what was added from the data does not count."""
        found = self._found(name)
        return 0 if found is None else found[1]

    def _found(self, name: str) -> _Found | None:
        known, pair = self._known.get(name), self._pair(name)
        return known[1] if known is not None and pair is not None and _same(known[0], pair) else None

    def public(self, name: str) -> PublicView | None:
        """View of a column's hierarchy before a look at the data, None if nothing can be shown."""
        return self._document.session.unseen.hierarchy(name)

    def uncovered_count(self, name: str) -> int:
        """How many values of the data the column's hierarchy is known to miss, as is seen after a look."""
        found = self.of(name) if self.looked else None
        return len(found.uncovered) if found is not None else 0

    def refresh(self) -> None:
        """Count what is not up to date."""
        pairs = {name: self._pair(name) for name in self._document.project.hierarchies}
        self._known = {name: known for name, known in self._known.items() if name in pairs}
        stale = [pair for name, pair in pairs.items() if pair is not None and self.of(name) is None]
        if stale:
            self._document.runner.start(
                "Checking the hierarchies",
                partial(_count, stale, self._document.session.snapshot()),
                on_done=self._take,
                key=COVERAGE_JOB,
                latest_wins=True,
            )

    def _pair(self, name: str) -> _Pair | None:
        hierarchy = self._document.project.hierarchies.get(name)
        if hierarchy is None or not self._document.has_data:
            return None
        table = self._document.session.data.reading.table
        return (table[name], hierarchy, self._document.session.data.working_key) if table.lists(name) else None

    def _on_changed(self, section: str) -> None:
        before, self.looked = self.looked, self._document.looked
        if section in ("data", "hierarchies", "schema", "rows"):
            self.refresh()
        elif before != self.looked:
            self.arrived.emit()

    def _take(self, counted: list[tuple[_Pair, _Found]]) -> None:
        for pair, found in counted:
            self._known[pair[0].name] = (pair, found)
        self.arrived.emit()


def _same(one: _Pair, other: _Pair) -> bool:
    # A corrected provenance makes another hierarchy of the same labels, which counts alike.
    return one[0] is other[0] and one[1].maps is other[1].maps and one[2] == other[2]


def _count(pairs: list[_Pair], session: Session, progress: Progress) -> list[tuple[_Pair, _Found]]:
    counted = []
    try:
        table = session.data.prepared_table(progress.part(0.0, 0.3)).table if session.data.working_key else None
    except WorkbenchError:
        table = None  # Data says why there is no working table
    for position, pair in enumerate(pairs):
        column, hierarchy, _ = pair
        progress(0.3 + 0.7 * position / len(pairs), column.name)
        found = coverage(hierarchy, column)
        if table is not None:
            found = replace(found, rows=coverage(hierarchy, table[column.name]).rows)
        counted.append((pair, (found, len(misplaced(hierarchy)))))
    return counted
