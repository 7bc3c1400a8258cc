"""Migrations of documents from earlier versions, step by step, as plain JSON.

Nothing of what is read here has been checked: what is not as it should be raises one of the usual errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from workbench.project.checked import number, typed
from workbench.project.model import ReleaseRecord, digest
from workbench.query.ledger_entries import LedgerEntry, LedgerHistory
from workbench.query.ledger_records import history_from_records, records_of
from workbench.query.recorded_look import RecordedLook

VERSION = 4

Document = dict[str, Any]

_ADDED = {"models", "levels_epsilon", "mechanism"}
"""Fields of releases that the first programs of version 1 did not have."""

_MOST_DRAWS = 100_000


def migrated(document: Document) -> Document:
    """The document as this version would have written it.

    Raises
    ------
    KeyError, TypeError, ValueError, WorkbenchError
        If something that has to be changed is not as an earlier version wrote it.
    """
    for version in range(document["version"], VERSION):
        document = {**_STEPS[version](document), "version": version + 1}
    return document


def _with_ledgers(document: Document) -> Document:
    """Version 1 had a list of releases; each becomes an entry in the copy of the ledger of its data."""
    found = _ledgers(document)
    counted: Counter[ReleaseRecord] = Counter()
    for plain in typed(document.get("releases", []), list):
        record = _release(plain)
        counted[record] += 1  # records that are alike are still different draws
        said = {name: value for name, value in vars(record).items() if name != "mechanism"}  # there was one
        entry = LedgerEntry(digest([said, counted[record]]), record.when, record.charge())
        known = found.get(record.fingerprint, LedgerHistory())
        found[record.fingerprint] = known.with_history(LedgerHistory((entry,)))
    return _with(document, found, without="releases")


def _without_values(document: Document) -> Document:
    """Version 2 listed the values of the data in hierarchies that were built; what they were built from suffices."""
    entries = []
    for entry in typed(document["hierarchies"], list):
        built = typed(entry, dict).get("specification") is not None
        entries.append({**entry, "file": None} if built else entry)
    return {**document, "hierarchies": entries}


def _looks_in_ledgers(document: Document) -> Document:
    """Version 3 kept looks beside the ledgers, with the number of their draws, the first ones first."""
    found = _ledgers(document)
    for plain in typed(document["looks"], list):
        fingerprint, recipe = typed(plain["fingerprint"], str), typed(plain["recipe"], str)
        draws = typed(plain["draws"], int)
        if not 0 <= draws <= _MOST_DRAWS:
            raise ValueError("an impossible number of draws")
        # Whoever opens a copy of the file must find the same looks in it.
        looks = [
            RecordedLook(digest(["look", fingerprint, recipe, number]), "", recipe, drawn=draws > 0)
            for number in range(max(draws, 1))
        ]
        found[fingerprint] = found.get(fingerprint, LedgerHistory()).with_history(LedgerHistory(looks=tuple(looks)))
    return _with(document, found, without="looks")


def _ledgers(document: Document) -> dict[str, LedgerHistory]:
    return {
        typed(fingerprint, str): history_from_records(typed(records, list))
        for fingerprint, records in typed(document.get("ledgers", {}), dict).items()
    }


def _with(document: Document, ledgers: Mapping[str, LedgerHistory], *, without: str) -> Document:
    rest = {name: value for name, value in document.items() if name != without}
    return {**rest, "ledgers": {fingerprint: records_of(history) for fingerprint, history in ledgers.items()}}


def _release(plain: Any) -> ReleaseRecord:
    types: dict[str, type] = {"str": str, "int": int, "bool": bool}
    wanted = {one.name: str(one.type) for one in fields(ReleaseRecord)}
    if not set(wanted) - _ADDED <= set(typed(plain, dict)) <= set(wanted):
        raise ValueError("unexpected fields of a release")
    values: dict[str, Any] = {
        name: number(plain[name]) if hint == "float" else typed(plain[name], types[hint])
        for name, hint in wanted.items()
        if name in plain
    }
    return ReleaseRecord(**values)


_STEPS: Mapping[int, Callable[[Document], Document]] = MappingProxyType(
    {1: _with_ledgers, 2: _without_values, 3: _looks_in_ledgers}
)
