"""The ledger of a session's data: what was released of it before, by whatever project or command."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Self

from workbench.core.composition import Released
from workbench.core.errors import WorkbenchError
from workbench.project.model import Project
from workbench.query.ledger import Entry, History, Ledger, Look
from workbench.session.data import DataSession


class SpendingSession(DataSession):
    """A session that knows the ledger of its data."""

    def __init__(self, project: Project | None = None) -> None:
        super().__init__(project)
        self._ledgers: dict[str, Ledger] = {}
        self._carried: dict[str, History] = {}
        self._ledger_file: Path | None = None

    def snapshot(self) -> Self:
        copy = super().snapshot()
        copy._ledgers, copy._carried, copy._ledger_file = self._ledgers, self._carried, self._ledger_file
        return copy

    def use_ledger(self, file: Path) -> None:
        """Keep the ledger in this file instead of the person's own folder, whose ledger of the data still counts."""
        self._ledger_file = file
        self._ledgers, self._carried = {}, {}

    @property
    def ledger(self) -> Ledger:
        """The ledger of the data that is open. What the project knows of it counts, whether the file has it or not."""
        return self.ledger_of(self.data_fingerprint)

    def ledger_of(self, fingerprint: str) -> Ledger:
        """The ledger of the data with this fingerprint, which need not be open any more."""
        ledger = self._ledgers.get(fingerprint)
        if ledger is None:
            ledger = (
                Ledger.for_data(fingerprint)
                if self._ledger_file is None
                else Ledger.in_file(self._ledger_file, fingerprint)
            )
            self._ledgers[fingerprint] = ledger
        history = self.project.history(fingerprint)
        if history is not self._carried.get(fingerprint):
            self._carried[fingerprint] = history
            ledger.carried = ledger.carried.with_history(history)
        aliases = self._aliases(fingerprint)
        if not aliases <= ledger.carried.aliases:
            ledger.carried = ledger.carried.with_history(History(aliases=aliases))
        return ledger

    def _aliases(self, fingerprint: str) -> frozenset[str]:
        """By what else the data with this fingerprint is recognised: the bytes of its file, its rows without headings.

        Of a table without rows nothing is recognised.
        """
        data, loaded, found = self.project.data, self.loaded, set[str]()
        if data is not None and data.content == fingerprint and data.rows:
            found.add(data.fingerprint)
        if loaded is not None and loaded.content == fingerprint and loaded.reading.table.rows:
            found |= {loaded.reading.fingerprint, loaded.texts}
        return frozenset(found)

    def copy_ledger(self, fingerprint: str) -> None:
        """Take what the ledger of this data knows into the project, which carries it to other machines."""
        self.project = self.project.with_history(fingerprint, self.ledger_of(fingerprint).history)

    def earlier_releases(self, but: Collection[str] = ()) -> tuple[tuple[Released, ...], str]:
        """What was released of this data, without what has one of these keys, and why that is not known, or ""."""
        try:
            entries = self.ledger.entries
        except WorkbenchError as error:
            return (), str(error)
        return tuple(entry.released for entry in entries if not entry.charge.key or entry.charge.key not in but), ""

    def looks(self, fingerprint: str) -> tuple[Look, ...]:
        """What was seen of this data, the first first; while its ledger cannot be read, as far as the project knows."""
        try:
            return self.ledger_of(fingerprint).history.looks
        except WorkbenchError:
            return self.project.history(fingerprint).looks

    def saw(self, fingerprint: str, recipe: str, *, drawn: bool = False) -> None:
        """Remember that what came of a recipe was seen, before it is shown.

        Parameters
        ----------
        drawn
            It was a sample that could be released; each of these counts.
        """
        try:
            look = self.ledger_of(fingerprint).saw(recipe, drawn=drawn)
        except WorkbenchError:
            # Nothing can be charged either as long as this is so; the project remembers until it can.
            look = Look.now(recipe, drawn=drawn)
        self.project = self.project.with_history(fingerprint, History(looks=(look,)))

    def known_entries(self, fingerprint: str) -> frozenset[str]:
        """The entries of the ledger by their ids; none while it cannot be read, when nothing can be charged either."""
        try:
            return frozenset(entry.id for entry in self.ledger_of(fingerprint).entries)
        except WorkbenchError:
            return frozenset()

    def entry_of(self, fingerprint: str, key: str) -> Entry | None:
        """The charge with this key; None also while the ledger cannot be read, which the claim says."""
        try:
            return self.ledger_of(fingerprint).find(key)
        except WorkbenchError:
            return None
