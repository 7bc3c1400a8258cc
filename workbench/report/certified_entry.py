"""All that the page about an entry of the ledger is made from, as the page holds it for programs.

Nothing else of the ledger stands in it: no fingerprint, no figure that the page only points to, and of other releases
of the data no more than what they come to together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Self

from workbench.core.composition import Total, total
from workbench.core.exact import parse_fraction
from workbench.core.json_values import named, number, text, texts, truth, whole
from workbench.core.near_releases import NearReleases
from workbench.query.ledger import LedgerEntry
from workbench.query.ledger_records import charge_record, file_records, history_from_records
from workbench.report.certificate_words import answers_in_words, notes_of

ENTRY = "entry"
"""The kind of a page about an entry, for programs."""
_SAID = (
    *("beta", "cautions", "charged", "column", "columns", "draw", "file", "k", "left_out", "levels_epsilon"),
    *("mechanism", "models", "participation", "plugin", "protocol", "questions", "reports", "score"),
)
"""The parameters of a charge that pages tell something of."""
_TYPES: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    dict.fromkeys(("charged", "column", "draw", "file", "mechanism", "models", "protocol", "score"), text)
    | {"beta": number, "levels_epsilon": number, "k": whole, "reports": whole, "cautions": texts}
)
"""What reads these parameters, as far as they are there; whatever a page says by them must be what it seems."""
_OF_QUESTION = ("plugin", "table", "unclaimed", "what")
_APART = ("id", "key", "cells", "slot", "decimals")
"""The fields of the record of a charge that no page tells."""
_COUNTS = ("rows_per_person", "count", "unclaimed", "rows_public", "open_participation", "plans", "number_known")


@dataclass(frozen=True)
class CertifiedEntry:
    """An entry, as far as its page tells it.

    Parameters
    ----------
    entry
        Without its answer, and without what tells it from other entries.
    answers, notes
        Its answers in words, and what must be known to read them.
    others, together
        How many other releases of the data there are, and what all of them come to; None if there is none.
    near
        Whether something was released of data that is nearly the same.
    """

    entry: LedgerEntry
    answers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    others: int = 0
    together: Total | None = None
    near: NearReleases = NearReleases.NONE

    def __post_init__(self) -> None:
        if (self.together is None) != (self.others == 0) or self.others < 0:
            raise ValueError("how many other releases there are and what they come to are at odds")
        sum_, charge = self.together, self.entry.charge
        if sum_ is None:
            return
        if min(sum_.epsilon, sum_.delta, *(getattr(sum_, name) for name in _COUNTS)) < 0:
            raise ValueError("a sum of releases that is impossible")
        if sum_.count != self.others + (not charge.slots) or sum_.unclaimed < (not charge.claimed):
            raise ValueError("the releases together are others than those that are counted")
        if not sum_.plans and not charge.slots and (sum_.epsilon < charge.epsilon or sum_.delta < charge.delta):
            raise ValueError("all releases together are stated to be more private than this one alone")

    @classmethod
    def of(cls, entry: LedgerEntry, others: Sequence[LedgerEntry], near: NearReleases) -> Self:
        """The content of the page about an entry; `others` are those of the same data."""
        rest = [other.released for other in others if other.id != entry.id]
        count = sum(not other.slots for other in rest)
        sum_ = total([entry.released, *rest]) if count else None
        return cls(entry, tuple(answers_in_words(entry)), notes_of(entry), count, sum_, near)

    def to_json(self) -> dict[str, Any]:
        """As a page holds it."""
        entry = self.entry
        charge = replace(entry.charge, parameters=MappingProxyType(_told(entry.charge.parameters)))
        record = charge_record(replace(entry, charge=charge))
        return {
            "about": ENTRY,
            "charge": {name: value for name, value in record.items() if name not in _APART},
            "files": file_records(replace(entry, id="")),
            "after_look": entry.after_look,
            "answers": list(self.answers),
            "notes": list(self.notes),
            "others": self.others,
            "together": None if self.together is None else _sum_to_json(self.together),
            "near": self.near.value,
        }

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """The content that `to_json` wrote.

        Raises
        ------
        ValueError, TypeError, KeyError, WorkbenchError
            If it is not as this program writes it.
        """
        record = {**dict.fromkeys(("id", "key"), ""), "cells": None, **named(plain["charge"])}
        _refuse_mistyped(named(record.get("parameters", {})))
        (entry,) = history_from_records([record, *plain["files"]]).entries
        together = plain["together"]
        return cls(
            replace(entry, after_look=truth(plain["after_look"])),
            texts(plain["answers"]),
            texts(plain["notes"]),
            whole(plain["others"]),
            None if together is None else _sum_from_json(named(together)),
            NearReleases(text(plain["near"])),
        )


def _refuse_mistyped(parameters: Mapping[str, Any]) -> None:
    """Raise ValueError or TypeError where a parameter that a page tells is of another type than it must be."""
    for name, value in parameters.items():
        found = _TYPES[name](value) if name in _TYPES else 0
        if isinstance(found, int | float) and found < 0:
            raise ValueError(f"“{name}” is {found}")
    questions = parameters.get("questions", [])
    if not isinstance(questions, Sequence) or isinstance(questions, str):
        raise TypeError("questions must be a list")
    for one in questions:
        for name in ("what", "unclaimed"):
            text(named(one).get(name, ""))


def _told(parameters: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in parameters.items() if name in _SAID}
    asked = found.get("questions")
    if isinstance(asked, Sequence) and not isinstance(asked, str):
        found["questions"] = [
            {name: value for name, value in one.items() if name in _OF_QUESTION}
            for one in asked
            if isinstance(one, Mapping)
        ]
    return found


def _sum_to_json(sum_: Total) -> dict[str, Any]:
    counts = {name: getattr(sum_, name) for name in _COUNTS}
    return {"epsilon": str(sum_.epsilon), "delta": str(sum_.delta), **counts}


def _sum_from_json(plain: Mapping[str, Any]) -> Total:
    epsilon, delta = (_fraction(plain[name]) for name in ("epsilon", "delta"))
    return Total(epsilon, delta, **{name: whole(plain[name]) for name in _COUNTS})


def _fraction(plain: object) -> Fraction:
    return parse_fraction(text(plain))
