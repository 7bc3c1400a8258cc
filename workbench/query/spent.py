"""Spending during an action, for whoever must report it when the action failed afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # every command counts what it spends, and most never load a ledger
    from workbench.query.ledger_entries import LedgerEntry


@dataclass
class Spent:
    """The entries that were written, in order, and which of them have their answer beside them on the disk.

    `written` names the files of a release that were written whole.
    """

    entries: list[LedgerEntry] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    written: list[str] = field(default_factory=list)


_watched: ContextVar[Spent | None] = ContextVar("spent", default=None)


@contextmanager
def watching() -> Iterator[Spent]:
    """Collect what ledgers are charged on this thread while the context lasts."""
    spent = Spent()
    token = _watched.set(spent)
    try:
        yield spent
    finally:
        _watched.reset(token)


def charged(entry: LedgerEntry) -> None:
    """Notice a charge that was just written. What is drawn in a plan costs nothing more."""
    if (spent := _watched.get()) is not None and entry.released.spends and entry.charge.slot is None:
        spent.entries.append(entry)


def written(names: Iterable[str]) -> None:
    """Notice that the files of a release took their place."""
    if (spent := _watched.get()) is not None:
        spent.written.extend(names)


def answered(entry_id: str) -> None:
    """Notice that the answer of a charge is on the disk."""
    if (spent := _watched.get()) is not None:
        spent.answered.add(entry_id)
