"""The words of certificates on answers, neighbouring tables and other releases, and on what the program checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from workbench.core.composition import ADD_REMOVE, OPEN_PARTICIPATION, Total
from workbench.core.number_text import rounded_up
from workbench.core.rationals import float_above
from workbench.core.trust import Origin
from workbench.query.answer import ReleasedAnswer as Answer
from workbench.query.circumstances import values_answered
from workbench.query.found_bounds import as_answered
from workbench.query.ledger import LedgerEntry
from workbench.report.certificate_page import CONDITIONS_NAMED, PERSONS_NAMED
from workbench.report.plain_promise import factor_above

_COUNTABLE = 700


def answers_in_words(entry: LedgerEntry) -> list[str]:
    """The answers in words, as far as the ledger has them."""
    plain: Any = entry.answer
    if not isinstance(plain, Mapping) or not isinstance(plain.get("answers"), Sequence):
        return []
    shown = []
    questions = entry.charge.parameters.get("questions")
    asked: Sequence[Any] = questions if isinstance(questions, Sequence) else ()
    for place, one in enumerate(plain["answers"]):
        try:
            released = Answer.from_json(one)
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
        cells = len(released.labels[0]) if released.labels else 0
        text = f"{released.said} {released.unit}".strip() or f"{cells:,} figures, in the ledger"
        question = asked[place] if place < len(asked) else None
        of = ""
        if isinstance(question, Mapping):
            of = values_answered(as_answered(question, released, entry.charge.rows_per_person))
        shown.append(f"{text}, of {of}" if of else text)
    return shown


def notes_of(entry: LedgerEntry) -> tuple[str, ...]:
    """The notes needed to read the answers; among them the known edges of an engine."""
    plain: Any = entry.answer
    listed = plain.get("answers", ()) if isinstance(plain, Mapping) else ()
    found = (note for one in listed if isinstance(one, Mapping) for note in one.get("notes") or ())
    return tuple(dict.fromkeys(map(str, found)))


def neighbours_in_words(kind: str, rows: int, version: int) -> str:
    """In what the tables of a promise differ, as pages of that version word it.

    Where one row counts, one of each person's may have been drawn, which the ledger does not tell.
    """
    whose = f"one person's rows, up to {rows:,}"
    if rows == 1 and version < PERSONS_NAMED:
        whose = "one row"
    elif rows == 1 and version >= CONDITIONS_NAMED:
        whose = "one person, of whom at most one row takes part"
    elif rows == 1:
        whose = "one person, who has one row" if kind == ADD_REMOVE else "one person's row"
    return f"differ by adding or removing {whose}" if kind == ADD_REMOVE else f"differ by replacing {whose}"


def factor_in_words(epsilon: Fraction) -> str:
    """e^ε, rounded up, and that it is; what is beyond counting promises nothing anyway."""
    if epsilon >= _COUNTABLE:
        return "e^ε, which is more than 10^300"
    return f"{factor_above(float_above(epsilon))} (e^ε, rounded up)"


def number_in_words(value: object) -> str:
    """A whole number with its thousands separated, "" for anything else."""
    return f"{value:,}" if isinstance(value, int) else ""


def _others(count: int) -> str:
    return f"{count:,} {'other' if count == 1 else 'others'}"


def joint_promise(count: int, sum_: Total | None) -> str:
    """The joint promise of a release and `count` others of the same data; `sum_` is None where there is no other."""
    if not count or sum_ is None:
        return "The ledger of this data knows of no other release."
    if sum_.open_participation and not sum_.unclaimed:
        return f"The ledger of this data knows of {_others(count)}. {OPEN_PARTICIPATION}"
    if not sum_.bounded:
        without = "not both have a claim" if count == 1 else "some have no claim"
        return (
            f"The ledger of this data knows of {_others(count)}, and {without}: nothing can be promised for all of "
            "them together."
        )
    together = (
        f"With the {_others(count)} that the ledger of this data knows: ({rounded_up(sum_.epsilon)}, "
        f"{rounded_up(sum_.delta)}), {sum_.how}."
    )
    return " ".join((together, *sum_.scope))


def ways_to_ask_again(origins: Collection[Origin]) -> tuple[str, ...]:
    """The ways to restore the claim of answers."""
    found = ["Ask again with the grid engine, and publish that answer."]
    if origins:
        named = " and ".join(origin.name for origin in origins)
        found = [
            f"Ask a question of the program's own instead. Or check {named} yourself, trust it by name "
            "(“--trust-plugin”, or the switch beside the question) and ask again."
        ]
    return tuple(found)


AROUND = (
    "The budget was charged before any noise was drawn.",
    "Where a column says which rows are whose, nobody had more rows than were accounted for.",
)
"""The sentences on what the program does around a mechanism, whoever wrote that."""

CHECKED_ANSWERS = (
    AROUND[0],
    "The noise came from the operating system's random source; nobody can predict or repeat it.",
    "No bound or list of values that was read from the data was used.",
    AROUND[1],
)
# The first is the protocol's own doing, which the program cannot say of one that it did not bring.
CHECKED_REPORTS = (
    "Each answer was randomised with fresh numbers that nobody can predict or repeat.",
    "The reports were put in random order.",
    "Values outside the list were not reported.",
    "Where a column says who is who, nobody made more reports than were accounted for.",
)
CHECK_YOURSELF = (
    "Use a protocol of the program's own, or check the plug-in yourself, trust it by name and collect again."
)
SIMULATED_OR_ASSUMED = (
    "The reports were drawn with a seed, or the list of values or the bounds were read from the data. Declare them "
    "from public knowledge and collect without a seed."
)
