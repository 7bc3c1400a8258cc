"""Ledgers of the same data in a folder.

A ledger belongs to the rows of a table, so the same file read in another encoding, or without its headings, has another
one, although the people in it are the same. Ledgers therefore remember other fingerprints of their data, its aliases;
those that share one are of the same data, and so are those that share one with them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from workbench.core.content import OF_ROWS
from workbench.core.errors import WorkbenchError
from workbench.io.atomic import why_not
from workbench.query.ledger_entries import LedgerHistory
from workbench.query.ledger_file import SUFFIX, LedgerFile
from workbench.query.ledger_records import history_from_records
from workbench.query.recorded_look import Record

_NAMED = re.compile(rb'"(?:ledger":"[^"]*","version":\d+,"fingerprint|type":"alias","of)":"([^"]*)"')
"""Where a ledger names its data. No text in it can look so, because its quotation marks are escaped."""

_Stamp = tuple[int, int, int]


class LedgerFolder:
    """The ledgers of a folder, which need not exist.

    What was read is remembered until a file changes.

    Parameters
    ----------
    folder
        Where they lie.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._named: dict[str, tuple[_Stamp, frozenset[str]]] = {}
        self._files: dict[str, LedgerFile] = {}
        self._together: tuple[tuple[tuple[Record, ...], ...], LedgerHistory] = ((), LedgerHistory())

    def related(self, names: Iterable[str], itself: Path) -> LedgerHistory:
        """The history in other ledgers of the data with one of these fingerprints.

        A ledger of a table with other headings, or with texts that were read otherwise, is known by that table's name:
        its parts are not told from those of this one, and its answers are none of this one's.

        Parameters
        ----------
        names
            Fingerprints and aliases.
        itself
            The file that is not asked.

        Returns
        -------
        LedgerHistory
            The same object as long as nothing has changed.

        Raises
        ------
        WorkbenchError
            If one of them is damaged, or a file cannot be read, so that nobody knows whose it is.
        """
        others, known = self._ledgers(), frozenset(names)
        others.pop(str(itself), None)
        found, _ = _family(known, others)
        records = tuple(self._file(path).read() for path in found)
        before = self._together
        if len(before[0]) != len(records) or any(one is not two for one, two in zip(before[0], records, strict=True)):
            together = LedgerHistory()
            for path, one in zip(found, records, strict=True):
                table = {name for name in (self._file(path).data(),) if name.startswith(OF_ROWS)} - known
                together = together.with_history(_history(path, one)).with_history(
                    LedgerHistory(aliases=frozenset(table))
                )
            self._together = before = (records, together)
        return before[1]

    def family(self, names: Iterable[str]) -> frozenset[str]:
        """All fingerprints and aliases of the ledgers that are of the data with one of these, and these.

        Ledgers that cannot be read are of nobody here; whoever uses one is told by `related`.
        """
        try:
            return frozenset(_family(names, self._ledgers())[1])
        except WorkbenchError:
            return frozenset(names)

    def _ledgers(self) -> dict[str, frozenset[str]]:
        """The ledgers there are and what they say their data is called."""
        try:
            with os.scandir(self.folder) as listed:
                files = [entry.path for entry in listed if entry.name.endswith(SUFFIX) and entry.is_file()]
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise _unreadable(self.folder, error) from error
        return {path: self._names_in(path) for path in files}

    def _names_in(self, path: str) -> frozenset[str]:
        try:
            stat = Path(path).stat()
            stamp = (stat.st_ino, stat.st_size, stat.st_mtime_ns)
            known = self._named.get(path)
            if known is not None and known[0] == stamp:
                return known[1]
            content = Path(path).read_bytes()
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise _unreadable(path, error) from error
        names = frozenset(name.decode("utf-8", "replace") for name in _NAMED.findall(content))
        self._named[path] = (stamp, names)
        return names

    def _file(self, path: str) -> LedgerFile:
        return self._files.setdefault(path, LedgerFile(Path(path), None))


def _family(names: Iterable[str], ledgers: Mapping[str, frozenset[str]]) -> tuple[list[str], set[str]]:
    """The ledgers that share a name with these, or with one that does, and all their names."""
    known, found = set(names), list[str]()
    while more := [path for path, named in ledgers.items() if path not in found and named & known]:
        found += more
        known.update(*(ledgers[path] for path in more))
    return sorted(found), known  # whichever way they were found and listed


def _history(path: str, records: tuple[Record, ...]) -> LedgerHistory:
    try:
        return history_from_records(records)
    except (KeyError, TypeError, ValueError, WorkbenchError) as error:
        raise not_understood(path) from error


def not_understood(path: Path | str) -> WorkbenchError:
    """Why a ledger with records of another kind cannot be used."""
    return WorkbenchError(
        f"The ledger {path} holds something this program does not understand.",
        hint="Update the program, or put back a backup. Nothing can be released while nobody knows what was spent.",
        field="ledger",
    )


def _unreadable(path: Path | str, error: OSError) -> WorkbenchError:
    return WorkbenchError(
        f"The ledger {path} cannot be read: {why_not(error)}.",
        hint="It may be of this data, and without it nobody knows what was spent. Make it readable and try again.",
        field="ledger",
    )
