"""The ledger of a session's data: what was released of it before, by whatever project or command."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from workbench.core.composition import Released
from workbench.core.errors import WorkbenchError
from workbench.project.model import Project
from workbench.query.ledger import Entry, History, Ledger
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
        """Keep the ledger in this file instead of the person's own folder."""
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
                Ledger.for_data(fingerprint) if self._ledger_file is None else Ledger(self._ledger_file, fingerprint)
            )
            self._ledgers[fingerprint] = ledger
        history = self.project.history(fingerprint)
        if history is not self._carried.get(fingerprint):
            self._carried[fingerprint] = history
            ledger.carried = ledger.carried.with_history(history)
        return ledger

    def copy_ledger(self, fingerprint: str) -> None:
        """Take what the ledger of this data knows into the project, which carries it to other machines."""
        self.project = self.project.with_history(fingerprint, self.ledger_of(fingerprint).history)

    def earlier_releases(self, itself: Entry | None = None) -> tuple[tuple[Released, ...], str]:
        """What was released of this data besides `itself`, and why that is not known, or ""."""
        try:
            entries = self.ledger.entries
        except WorkbenchError as error:
            return (), str(error)
        return tuple(entry.released for entry in entries if itself is None or entry.id != itself.id), ""

    def entry_of(self, fingerprint: str, key: str) -> Entry | None:
        """The charge with this key; None also while the ledger cannot be read, which the claim says."""
        try:
            return self.ledger_of(fingerprint).find(key)
        except WorkbenchError:
            return None
