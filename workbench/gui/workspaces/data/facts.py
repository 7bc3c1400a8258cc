"""The counts of every column, made off the GUI thread and kept until something changes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from workbench.core.column_facts import ColumnFacts
from workbench.core.progress import Progress
from workbench.core.schema import ColumnSpec
from workbench.gui.document import Document
from workbench.session.column_counts import Counted, Described, count_columns

FACTS_JOB = "data.facts"

_MANY_ROWS = 100_000
_FIRST_PAINT_SECONDS = 0.15


class FactsKeeper(QObject):
    """Counts the columns of the document's data whenever their description changes.

    Until a new count arrives the old one of the same column is given, so that nothing on the screen jumps.

    What the program itself needs of them, such as which column repeats as people do, it has in any case; what a person
    is shown is `seen`, and there is none before a look at the data.

    Signals
    -------
    arrived()
        New counts are there, or a look lets them be seen.
    """

    arrived = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._known: dict[str, tuple[Described, ColumnFacts]] = {}
        self._absent: dict[str, tuple[str, ...]] = {}
        self.looked = document.looked
        document.changed.connect(self._on_changed)
        self.refresh()

    def of(self, name: str) -> ColumnFacts | None:
        """The counts of a column, None if they were never made."""
        entry = self._known.get(name)
        return entry[1] if entry is not None else None

    def seen(self, name: str) -> ColumnFacts | None:
        """The counts of a column as far as a person may see them."""
        return self.of(name) if self.looked else None

    def likely_missing(self, name: str) -> tuple[str, ...]:
        """Texts of a column that often stand for "no value", whether or not they do here."""
        return self._absent.get(name, ())

    def refresh(self) -> None:
        """Count what is not up to date."""
        if not self._document.has_data:
            self._known.clear()
            self._absent.clear()
            return
        session = self._document.session
        table = session.data.reading.table
        current = {
            spec.name: (table[spec.name], spec) for spec in session.project.schema.columns if table.lists(spec.name)
        }
        for name in list(self._known):
            if name not in current or self._known[name][0][0] is not current[name][0]:
                del self._known[name]
        stale = [entry for name, entry in current.items() if not self._is_current(name, entry)]
        if stale:
            self._document.runner.start(
                "Looking at the columns",
                partial(_count, stale),
                on_done=self._take,
                key=FACTS_JOB,
                latest_wins=True,
            )

    def _is_current(self, name: str, entry: Described) -> bool:
        known = self._known.get(name)
        return known is not None and known[0][0] is entry[0] and _reads_alike(known[0][1], entry[1])

    def _on_changed(self, section: str) -> None:
        before, self.looked = self.looked, self._document.looked
        if section in ("data", "schema"):
            self.refresh()
        elif before != self.looked:
            self.arrived.emit()

    def _take(self, counted: list[Counted]) -> None:
        if not self._document.has_data:
            return
        table = self._document.session.data.reading.table
        for entry, facts, absent in counted:
            name = entry[0].name
            if name in table and table[name] is entry[0]:
                self._known[name] = (entry, facts)
                self._absent[name] = absent
        self.arrived.emit()


def _reads_alike(one: ColumnSpec, other: ColumnSpec) -> bool:
    # A domain decides what fits where values are ordered.
    return (one.kind, one.format, one.missing, one.domain) == (other.kind, other.format, other.missing, other.domain)


def _count(entries: Sequence[Described], progress: Progress) -> list[Counted]:
    if len(entries[0][0]) > _MANY_ROWS:
        # Painting new data for the first time is slow beside a busy thread.
        time.sleep(_FIRST_PAINT_SECONDS)
    return count_columns(entries, progress)
