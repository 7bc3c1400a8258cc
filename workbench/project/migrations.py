"""What documents of earlier versions become in this one, step by step, as plain JSON.

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
from workbench.query.ledger_entries import Entry, History, history_from_records, records_of

VERSION = 3

Document = dict[str, Any]

_ADDED = {"models", "search_epsilon", "search_draws"}
"""Fields of releases that the first programs of version 1 did not have."""


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
    found = {
        typed(fingerprint, str): history_from_records(typed(records, list))
        for fingerprint, records in typed(document.get("ledgers", {}), dict).items()
    }
    counted: Counter[ReleaseRecord] = Counter()
    for plain in typed(document.get("releases", []), list):
        record = _release(plain)
        counted[record] += 1  # records that are alike are still different draws
        entry = Entry(digest([vars(record), counted[record]]), record.when, record.charge())
        known = found.get(record.fingerprint, History())
        found[record.fingerprint] = known.with_history(History((entry,)))
    rest = {name: value for name, value in document.items() if name != "releases"}
    return {**rest, "ledgers": {fingerprint: records_of(history) for fingerprint, history in found.items()}}


def _without_values(document: Document) -> Document:
    """Version 2 listed the values of the data in hierarchies that were built; what they were built from suffices."""
    entries = []
    for entry in typed(document["hierarchies"], list):
        built = typed(entry, dict).get("specification") is not None
        entries.append({**entry, "file": None} if built else entry)
    return {**document, "hierarchies": entries}


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


_STEPS: Mapping[int, Callable[[Document], Document]] = MappingProxyType({1: _with_ledgers, 2: _without_values})
