"""Ledgers of data that is nearly the same as a table."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.likeness import is_nearly_the_same
from workbench.core.progress import SILENT, Progress
from workbench.core.sketch import HashedTable, KeyedHash, Sketch, sketch_of
from workbench.core.table import Table
from workbench.query.ledger import Ledger
from workbench.query.ledger_file import SUFFIX, ledgers_folder
from workbench.query.ledger_folder import LedgerFolder
from workbench.query.sketch_folder import SketchFolder


class NearData:
    """A table among the data that something was released of. Safe on any thread.

    Parameters
    ----------
    table
        As it was read.
    fingerprint, aliases
        Under which its own ledger is kept, and by what else ledgers of the same data are found.
    """

    def __init__(self, table: Table, fingerprint: str, aliases: Iterable[str] = ()) -> None:
        self.fingerprint = fingerprint
        self._table = table
        self._aliases = frozenset(aliases)
        self._folders: dict[Path, _Compared] = {}
        self._lock = threading.Lock()

    def near(self, progress: Progress = SILENT) -> frozenset[str]:
        """The fingerprints of other data that is nearly the same; rows are looked at only where it is not known yet."""
        if not self._table.rows:
            return frozenset()
        with self._lock:
            return self._compared().with_all(progress)

    def keep(self, progress: Progress = SILENT) -> None:
        """Keep a sketch, by which later data is recognised. It never fails; `problems` says what went wrong."""
        if not self._table.rows:
            return
        with self._lock:
            self._compared().keep(progress)

    @property
    def problems(self) -> tuple[str, ...]:
        """Why nearly the same data may not have been recognised. Analyst only."""
        return tuple(self._compared().sketches.problems)

    def _compared(self) -> _Compared:
        folder = ledgers_folder()
        if folder not in self._folders:
            self._folders[folder] = _Compared(self._table, self.fingerprint, self._aliases, folder)
        return self._folders[folder]


class _Compared:
    """A table and the sketches of one folder."""

    def __init__(self, table: Table, fingerprint: str, aliases: frozenset[str], folder: Path) -> None:
        self._table, self._fingerprint, self._aliases = table, fingerprint, aliases
        self._ledgers = LedgerFolder(folder)
        self._own = folder / f"{fingerprint}{SUFFIX}"
        self.sketches = SketchFolder(folder)
        self._seen: set[str] = set()
        self._near: set[str] = set()
        self._hashed: tuple[bytes, HashedTable] | None = None
        self._first = True

    def with_all(self, progress: Progress) -> frozenset[str]:
        if self._first and not self.sketches.has(self._fingerprint) and self._charged():
            self.keep(progress.part(0.0, 0.5))  # its ledger is from before there were sketches, or the key was lost
        # A ledger that begins later keeps its sketch when it is charged, beside the window and not in its way.
        self._first = False
        new = [name for name in self.sketches.names() if name not in self._seen and name != self._fingerprint]
        if new:
            self._look(new, progress.part(0.5, 1.0))
        return frozenset(self._near)

    def _charged(self) -> bool:
        """Whether something was released of the table, as far as its ledger can be read."""
        if not self._own.exists():
            return False
        try:
            return bool(Ledger(self._own, self._fingerprint).entries)
        except WorkbenchError:
            return False  # nothing can be charged either while this is so

    def _look(self, new: list[str], progress: Progress) -> None:
        known = self.sketches.near(self._fingerprint)
        self._near.update(known & set(new))
        family = set(self._ledgers.family({self._fingerprint, *self._aliases}))
        key = self.sketches.key()
        if key is None and not self.sketches.problems:
            self.sketches.tell(f"There is no key in {self.sketches.folder}, so the sketches there cannot be read.")
        for number, name in enumerate(new):
            self._seen.add(name)
            if name in self._near or name in family or key is None:
                continue
            sketch = self.sketches.read(name, key)
            part = progress.part(number / len(new), (number + 1) / len(new))
            if sketch is not None and self._is_near(sketch, key, part):
                self._near.add(name)
                self.sketches.remember_near(self._fingerprint, name)
                family |= self._ledgers.family({name})  # whoever continues that count continues these too
        self._hashed = None  # as large as what tells the values apart, and hardly needed again

    def _is_near(self, sketch: Sketch, key: bytes, progress: Progress) -> bool:
        try:
            return is_nearly_the_same(sketch, self._with(key), progress)
        except WorkbenchError as error:  # such as of an engine that is gone
            self.sketches.tell(error.message)
            return False

    def keep(self, progress: Progress) -> None:
        if self.sketches.has(self._fingerprint):
            return
        key = self.sketches.key(make=True)
        if key is None:
            return
        try:
            sketch = sketch_of(self._with(key), progress)
        except WorkbenchError as error:
            self.sketches.tell(error.message)
            return
        if sketch is not None:
            self.sketches.write(self._fingerprint, sketch, key)

    def _with(self, key: bytes) -> HashedTable:
        if self._hashed is None or self._hashed[0] != key:
            self._hashed = (key, HashedTable(self._table, KeyedHash(key)))
        return self._hashed[1]
