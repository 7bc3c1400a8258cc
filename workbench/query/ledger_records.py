"""Entries of a ledger as JSON records, and back.

Fractions are written as "numerator/denominator", with the decimal number beside them for people.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from workbench.core.charged_mechanism import mechanism_from_json, mechanism_to_json
from workbench.core.composition import ADD_REMOVE, REPLACE_ONE
from workbench.core.exact import parse_fraction
from workbench.core.json_values import listed, named, number, text, truth, whole
from workbench.core.known_number import KnownNumber
from workbench.query.ledger_entries import (
    JSON,
    Budget,
    Charge,
    ClaimedTogether,
    LedgerEntry,
    LedgerHistory,
    LeftFile,
    each_once,
)
from workbench.query.ledger_plans import cells_from_json, cells_to_json, slots_from_json
from workbench.query.recorded_look import Record, RecordedLook, look_of_record, look_record, now


def charge_record(entry: LedgerEntry) -> Record:
    """The record of a charge."""
    charge = entry.charge
    record = {
        "type": "charge",
        "id": entry.id,
        "when": entry.when,
        "kind": charge.kind,
        "what": charge.what,
        "epsilon": str(charge.epsilon),
        "delta": str(charge.delta),
        "decimals": [float(charge.epsilon), float(charge.delta)],
        "rows_per_person": charge.rows_per_person,
        "engine": charge.made_by,
        "neighbours": charge.neighbours,
        "parameters": dict(charge.parameters),
        "cells": cells_to_json(charge.cells),
        "claimed": charge.claimed,
        "key": charge.key,
    }
    if charge.mechanism:
        record["mechanism"] = mechanism_to_json(charge.mechanism)
    if charge.slots:
        record["slots"] = [slot.to_json() for slot in charge.slots]
    if charge.slot is not None:
        record["slot"] = list(charge.slot)
    return record


def answer_record(entry_id: str, when: str, answer: JSON) -> Record:
    """The record of an answer to a charge."""
    return {"type": "answer", "id": entry_id, "when": when, "answer": answer}


def file_records(entry: LedgerEntry, noted: Collection[LeftFile] = ()) -> list[Record]:
    """Records of the files of an entry, without those that are `noted` already."""
    return [
        {
            "type": "file",
            "id": entry.id,
            "name": file.name,
            "sha256": file.sha256,
            **_together_record(file.together),
            **({"number_known": file.number_known.value} if file.number_known else {}),
        }
        for file in entry.files
        if file not in noted
    ]


def _together_record(together: ClaimedTogether | None) -> Record:
    """The record of a statement's promise of several releases together; empty where it is of its own file alone."""
    if together is None:
        return {}
    sums = {"epsilon": str(together.epsilon), "delta": str(together.delta)}
    decimals = [float(together.epsilon), float(together.delta)]
    return {"together": {"releases": together.releases, **sums, "decimals": decimals}}


def _together(record: Record) -> ClaimedTogether | None:
    written = record.get("together")
    if written is None:
        return None
    sums = named(written)
    return ClaimedTogether(whole(sums["releases"]), _fraction(sums["epsilon"]), _fraction(sums["delta"]))


def budget_record(budget: Budget, when: str) -> Record:
    """The record of the budget."""
    decimals = [float(budget.epsilon), float(budget.delta)]
    record = {
        "type": "budget",
        "when": when,
        "epsilon": str(budget.epsilon),
        "delta": str(budget.delta),
        "decimals": decimals,
    }
    return {**record, "order": budget.order} if budget.order else record


def alias_record(fingerprint: str) -> Record:
    """The record that says what the data was known as, too."""
    return {"type": "alias", "of": fingerprint}


def records_of(history: LedgerHistory) -> list[Record]:
    """Everything a history knows; `history_from_records` reads it back."""
    records = [] if history.budget is None else [budget_record(history.budget, "")]
    records += [alias_record(fingerprint) for fingerprint in sorted(history.aliases)]
    records += [look_record(look) for look in history.looks]
    for entry in history.entries:
        records.append(charge_record(entry))
        if entry.answer is not None:
            records.append(answer_record(entry.id, entry.when, entry.answer))
        records += file_records(entry)
    return records


def missing_records(written: LedgerHistory, whole: LedgerHistory) -> list[Record]:
    """The records that bring into a file what is known from elsewhere and not written there."""
    known = {entry.id: entry for entry in written.entries}
    missing: list[Record] = []
    for entry in whole.entries:
        if entry.id not in known:
            missing.append(charge_record(entry))
        if entry.answer is not None and (entry.id not in known or known[entry.id].answer is None):
            missing.append(answer_record(entry.id, now(), entry.answer))
        missing += file_records(entry, known[entry.id].files if entry.id in known else ())
    seen = {look.id for look in written.looks}
    missing += [look_record(look) for look in whole.looks if look.id not in seen]
    missing += [alias_record(fingerprint) for fingerprint in sorted(whole.aliases - written.aliases)]
    if whole.budget is not None and whole.budget != written.budget:
        missing.append(budget_record(whole.budget, now()))
    return missing


def history_from_records(records: Iterable[Record]) -> LedgerHistory:
    """The history that records tell together.

    Raises
    ------
    KeyError, TypeError, ValueError, WorkbenchError
        If one of them is not as this program writes it, or an answer or a file has no charge.
    """
    entries: dict[str, LedgerEntry] = {}
    budget: Budget | None = None
    looks: list[RecordedLook] = []
    aliases: set[str] = set()
    for record in records:
        kind = record["type"]
        if kind == "charge":
            entry = _entry(record)
            entries.setdefault(entry.id, entry)
        elif kind == "answer":
            known = entries[record["id"]]
            if known.answer is None:
                entries[known.id] = replace(known, answer=record["answer"])
        elif kind == "file":
            known = entries[record["id"]]
            number_known = KnownNumber(record.get("number_known", ""))
            file = LeftFile(text(record["name"]), text(record["sha256"]), _together(record), number_known)
            entries[known.id] = known.with_files([file])
        elif kind == "budget":
            found = Budget(_fraction(record["epsilon"]), _fraction(record["delta"]), number(record.get("order", 0.0)))
            budget = found if budget is None else budget.within(found)
        elif kind == "look":
            looks.append(look_of_record(record))
        elif kind == "alias":
            aliases.add(text(record["of"]))
        else:
            raise ValueError("a record of an unknown type")
    by_time = tuple(sorted(entries.values(), key=lambda entry: entry.when))
    return LedgerHistory(by_time, budget, each_once(looks), frozenset(aliases))


def _entry(record: Record) -> LedgerEntry:
    slot = record.get("slot")
    if record["neighbours"] not in (ADD_REMOVE, REPLACE_ONE):
        raise ValueError("unknown neighbours")
    return LedgerEntry(
        text(record["id"]),
        text(record["when"]),
        Charge(
            kind=text(record["kind"]),
            what=text(record["what"]),
            epsilon=_fraction(record["epsilon"]),
            delta=_fraction(record["delta"]),
            rows_per_person=whole(record["rows_per_person"]),
            made_by=text(record["engine"]),
            neighbours=record["neighbours"],
            parameters=MappingProxyType(dict(named(record["parameters"]))),
            cells=cells_from_json(record["cells"]),
            claimed=truth(record["claimed"]),
            key=text(record["key"]),
            mechanism=mechanism_from_json(record.get("mechanism", [])),
            slots=slots_from_json(record.get("slots", [])),
            slot=None if slot is None else _slot(slot),
        ),
    )


def _slot(written: object) -> tuple[str, int]:
    plan, place = listed(written)
    return text(plan), whole(place)


def _fraction(written: object) -> Fraction:
    """A fraction that can also be written as a decimal number, as a ledger does beside it."""
    found = parse_fraction(text(written))
    number(found.numerator // found.denominator, "a number of the ledger")
    return found
