"""Entries of a ledger: charges, answers, files, looks and the budget, as objects and as JSON records.

Fractions are written as "numerator/denominator", with the decimal number beside them for people.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, ReleaseSpending, TablePart
from workbench.core.content import OF_ROWS
from workbench.core.exact import parse_fraction
from workbench.core.json_values import named, number, text, texts, truth, whole
from workbench.core.typed_fields import typed_fields

JSON: TypeAlias = Any
"""None, a truth value, a finite number, a text, or lists and text-keyed mappings of these."""

COLLECTION = "collection"
"""The kind of charge that is for perturbed reports."""
PARTICIPATION, HIDDEN, OPEN = "participation", "hidden", "open"
"""The parameter of a collection that says whether who takes part in it is hidden, and its values."""
ASKED_OF = "data"
"""The parameter of questions that says which data they were asked of. Its fingerprint stays in the ledger."""


@dataclass(frozen=True)
@typed_fields
class Charge:
    """What is spent, and for what.

    Parameters
    ----------
    kind
        "query", "collection", "search" or "release".
    what
        One line for a person, without anything computed from true values.
    epsilon, delta
        The promise to a person with up to `rows_per_person` rows.
    engine
        What makes the answer, such as "grid", "diffprivlib" or "anonymise".
    neighbours
        Which tables count as neighbours, as in `core.composition`.
    parameters
        Everything public that the answer was made with, and `ASKED_OF`, which is not.
    cells
        The part of the table that is looked at, where that is public and exact; None for the whole table.
    claimed
        Whether the (ε, δ) holds. What has no claim counts as much, and leaves the whole without a bound.
    key
        Identifies one random draw: a charge with a key that was charged before costs nothing. "" for always new.
    """

    kind: str
    what: str
    epsilon: Fraction
    delta: Fraction = Fraction(0)
    rows_per_person: int = 1
    engine: str = ""
    neighbours: str = ADD_REMOVE
    parameters: Mapping[str, JSON] = field(default_factory=lambda: MappingProxyType({}))
    cells: TablePart | None = None
    claimed: bool = True
    key: str = ""

    def __post_init__(self) -> None:
        # A ledger edited by hand must not make a total smaller than it is.
        if not isinstance(self.epsilon, Fraction) or not isinstance(self.delta, Fraction):
            raise TypeError("ε and δ of a charge are fractions")
        if not (self.epsilon >= 0 and 0 <= self.delta <= 1) or (self.claimed and self.epsilon == self.delta == 0):
            raise ValueError("a charge with an impossible ε or δ")
        if self.rows_per_person < 1:
            raise ValueError("a charge for less than one row per person")
        if self.neighbours not in (ADD_REMOVE, REPLACE_ONE):
            raise ValueError("unknown neighbours")

    @property
    def open_participation(self) -> bool:
        """Whether it may show who takes part, where that depends on values.

        A collection hides it only where it says so: earlier programs did not, and left out who had no value.
        """
        return self.kind == COLLECTION and self.parameters.get(PARTICIPATION) != HIDDEN

    @property
    def public(self) -> dict[str, JSON]:
        """The parameters that may leave: a fingerprint differs for any two tables, however little they differ."""
        return {name: value for name, value in self.parameters.items() if name != ASKED_OF}

    @property
    def released(self) -> ReleaseSpending:
        """What matters when charges are added up."""
        return ReleaseSpending(
            self.epsilon,
            self.delta,
            self.rows_per_person,
            self.claimed,
            self.cells,
            self.neighbours,
            self.open_participation,
        )


@dataclass(frozen=True)
@typed_fields
class LeftFile:
    """A file that left the house, or a folder of parts: its name and the SHA-256 of its bytes."""

    name: str
    sha256: str


@dataclass(frozen=True)
@typed_fields
class LedgerEntry:
    """A charge in the ledger, with its answer once there is one, and the files that were written of one draw."""

    id: str
    when: str
    charge: Charge
    answer: JSON = None
    files: tuple[LeftFile, ...] = ()

    def with_files(self, files: Iterable[LeftFile]) -> LedgerEntry:
        """The entry that also knows these files, each once."""
        together = tuple(dict.fromkeys((*self.files, *files)))
        return self if together == self.files else replace(self, files=together)

    @property
    def released(self) -> ReleaseSpending:
        return self.charge.released


@dataclass(frozen=True)
@typed_fields
class RecordedLook:
    """Somebody saw what came of a recipe on this data. It costs nothing, but whoever chooses afterwards was not blind.

    Parameters
    ----------
    recipe
        Digest of what was done to the data.
    drawn
        Whether it was a sample that could be released, and not a simulation.
    """

    id: str
    when: str
    recipe: str
    drawn: bool

    @classmethod
    def now(cls, recipe: str, *, drawn: bool) -> RecordedLook:
        """A look at this moment."""
        return cls(secrets.token_hex(16), now(), recipe, drawn)


@dataclass(frozen=True)
@typed_fields
class Budget:
    """The largest (ε, δ) all releases of the table together may have."""

    epsilon: Fraction
    delta: Fraction

    def __post_init__(self) -> None:
        if not (self.epsilon > 0 and 0 <= self.delta < 1):
            raise ValueError("an impossible budget")


@dataclass(frozen=True)
@typed_fields
class LedgerHistory:
    """What a ledger knows, apart from its file: the copy that a project carries to other machines.

    Parameters
    ----------
    entries, looks
        Oldest first.
    budget
        None if none was set.
    aliases
        Other fingerprints of the data: of the bytes it was read from, and of its rows without their headings.
    """

    entries: tuple[LedgerEntry, ...] = ()
    budget: Budget | None = None
    looks: tuple[RecordedLook, ...] = ()
    aliases: frozenset[str] = frozenset()

    def with_history(self, other: LedgerHistory) -> LedgerHistory:
        """Both together: each entry and look once, an answer wherever one of them has it, the smaller budget."""
        if not other:
            return self
        entries = {entry.id: entry for entry in self.entries}
        for entry in other.entries:
            known = entries.setdefault(entry.id, entry).with_files(entry.files)
            if known.answer is None and entry.answer is not None:
                known = replace(known, answer=entry.answer)
            entries[entry.id] = known
        budgets = [history.budget for history in (self, other) if history.budget is not None]
        return LedgerHistory(
            tuple(sorted(entries.values(), key=lambda entry: entry.when)),
            Budget(min(b.epsilon for b in budgets), min(b.delta for b in budgets)) if budgets else None,
            _each_once((*self.looks, *other.looks)),
            self.aliases | other.aliases,
        )

    @property
    def continued(self) -> bool:
        """Whether releases of other tables count as well, because the person continued their count."""
        return any(alias.startswith(OF_ROWS) for alias in self.aliases)

    def of_several_tables(self) -> LedgerHistory:
        """The same without parts of a table: a person may be in another part of another table, or in several."""
        entries = (replace(entry, charge=replace(entry.charge, cells=None)) for entry in self.entries)
        return replace(self, entries=tuple(entries))

    def __bool__(self) -> bool:
        return bool(self.entries or self.looks or self.aliases) or self.budget is not None


@dataclass(frozen=True)
class Remaining:
    """What is left of a budget, for charges on the whole table, these persons and these neighbouring tables."""

    epsilon: Fraction
    delta: Fraction
    rows_per_person: int
    neighbours: str = ADD_REMOVE


Record: TypeAlias = Mapping[str, Any]


def charge_record(entry: LedgerEntry) -> Record:
    charge = entry.charge
    return {
        "type": "charge",
        "id": entry.id,
        "when": entry.when,
        "kind": charge.kind,
        "what": charge.what,
        "epsilon": str(charge.epsilon),
        "delta": str(charge.delta),
        "decimals": [float(charge.epsilon), float(charge.delta)],
        "rows_per_person": charge.rows_per_person,
        "engine": charge.engine,
        "neighbours": charge.neighbours,
        "parameters": dict(charge.parameters),
        "cells": None if charge.cells is None else [charge.cells.column, *sorted(charge.cells.values)],
        "claimed": charge.claimed,
        "key": charge.key,
    }


def answer_record(entry_id: str, when: str, answer: JSON) -> Record:
    return {"type": "answer", "id": entry_id, "when": when, "answer": answer}


def file_records(entry: LedgerEntry, noted: Collection[LeftFile] = ()) -> list[Record]:
    """Records of the files of an entry, without those that are `noted` already."""
    return [
        {"type": "file", "id": entry.id, "name": file.name, "sha256": file.sha256}
        for file in entry.files
        if file not in noted
    ]


def budget_record(budget: Budget, when: str) -> Record:
    decimals = [float(budget.epsilon), float(budget.delta)]
    return {
        "type": "budget",
        "when": when,
        "epsilon": str(budget.epsilon),
        "delta": str(budget.delta),
        "decimals": decimals,
    }


def look_record(look: RecordedLook) -> Record:
    return {"type": "look", "id": look.id, "when": look.when, "recipe": look.recipe, "drawn": look.drawn}


def alias_record(fingerprint: str) -> Record:
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


def history_from_records(records: Iterable[Record]) -> LedgerHistory:
    """What records say together.

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
            entries[known.id] = known.with_files([LeftFile(text(record["name"]), text(record["sha256"]))])
        elif kind == "budget":
            found = Budget(_fraction(record["epsilon"]), _fraction(record["delta"]))
            if budget is not None:
                found = Budget(min(budget.epsilon, found.epsilon), min(budget.delta, found.delta))
            budget = found
        elif kind == "look":
            looks.append(_look(record))
        elif kind == "alias":
            aliases.add(text(record["of"]))
        else:
            raise ValueError("a record of an unknown type")
    by_time = tuple(sorted(entries.values(), key=lambda entry: entry.when))
    return LedgerHistory(by_time, budget, _each_once(looks), frozenset(aliases))


def now() -> str:
    """The time as it stands in a ledger."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _each_once(looks: Iterable[RecordedLook]) -> tuple[RecordedLook, ...]:
    """Oldest first; those of one moment in the order they came."""
    return tuple(sorted({look.id: look for look in looks}.values(), key=lambda look: look.when))


def _look(record: Record) -> RecordedLook:
    return RecordedLook(text(record["id"]), text(record["when"]), text(record["recipe"]), truth(record["drawn"]))


def _entry(record: Record) -> LedgerEntry:
    cells = record["cells"]
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
            engine=text(record["engine"]),
            neighbours=record["neighbours"],
            parameters=MappingProxyType(dict(named(record["parameters"]))),
            cells=None if cells is None else _cells(cells),
            claimed=truth(record["claimed"]),
            key=text(record["key"]),
        ),
    )


def _cells(listed: object) -> TablePart:
    column, *values = texts(listed, "the cells of a charge")
    return TablePart(column, frozenset(values))


def _fraction(written: object) -> Fraction:
    """A fraction that can also be written as a decimal number, as a ledger does beside it."""
    found = parse_fraction(text(written))
    number(found.numerator // found.denominator, "a number of the ledger")
    return found
