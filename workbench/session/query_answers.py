"""Questions and answers as they stand in the ledger."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

from workbench.core.unit_words import ROWS
from workbench.query.answer import ReleasedAnswer
from workbench.query.catalogue import QUERIES, NoiseSource
from workbench.query.charged_noise import drawn_for_all
from workbench.query.circumstances import asserted_of, unit_shown, values_answered, whose_value
from workbench.query.found_bounds import found_within, with_used, within_found
from workbench.query.ledger import Charge, Ledger, LedgerEntry
from workbench.query.ledger_entries import ASKED_OF
from workbench.query.ledger_plans import cells_together
from workbench.query.numeric import Numeric
from workbench.query.partition import cell_names, uneven_cells
from workbench.query.plans import QueryPlan
from workbench.query.recorded_look import AFTER_LOOK
from workbench.query.relevance import PREFIXES

KIND = "query"
"""The kind of the entries of queries in the ledger."""

_ENDS = frozenset({"lower", "edges", "beyond"})
"""What a frame tells its bounds by: both of them, the edges of ranges between them, or those beyond which it counts."""


ANOTHER_QUESTION = "Another question"


@dataclass(frozen=True)
class PaidAnswer:
    """An answer that was paid for. It may be published and shown again for nothing.

    Parameters
    ----------
    entry
        Its entry in the ledger; the answers of a batch share one.
    position
        Its place in the batch.
    question
        Everything public it was made with: "query", "values", "where", "what", "epsilon", "parts", …
    released
        The answer.
    problem
        Why it could not be kept in the ledger, or ""; then it must be copied now.
    plan
        The entry of the batch that paid for it, where it was planned with others.
    """

    entry: LedgerEntry
    position: int
    question: Mapping[str, Any]
    released: ReleasedAnswer
    problem: str = ""
    plan: LedgerEntry | None = None

    @property
    def paid(self) -> Charge:
        """The charge that paid for it: with others, where they were asked together."""
        return (self.plan or self.entry).charge

    @property
    def what(self) -> str:
        return str(self.question.get("what", self.entry.charge.what))

    @property
    def asked_of(self) -> str:
        """The fingerprint of the table that was asked, which is never published; "" where it was not noted."""
        return str(self.entry.charge.parameters.get(ASKED_OF, ""))

    @property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """The labels of each axis of the answer, as they are shown."""
        return cell_names(self.released.labels, self.question)

    @property
    def uneven(self) -> str:
        """Which bins are wider than the others, or ""."""
        return " ".join(uneven_cells(self.question))

    @property
    def epsilon(self) -> Fraction:
        """ε of this answer alone."""
        return Fraction(self.question["epsilon"])

    @property
    def delta(self) -> Fraction:
        """δ of this answer alone."""
        return Fraction(self.question.get("delta", 0))

    @property
    def unclaimed(self) -> str:
        """Why this program makes no promise for it, or ""."""
        return str(self.question.get("unclaimed", ""))

    @property
    def plugin(self) -> dict[str, Any] | None:
        """Whose its mechanism is and whether that was trusted; None for the program's own."""
        found = self.question.get("plugin")
        return dict(found) if isinstance(found, Mapping) else None

    @property
    def asserted(self) -> tuple[str, ...]:
        """The assertions that the user made by asking."""
        return asserted_of(self.entry.charge, self.question)

    @property
    def after_look(self) -> str:
        """The warning of what rests on the asker's word, as a look was recorded before; "" if none was."""
        return AFTER_LOOK if self.entry.after_look else ""

    @cached_property
    def inner(self) -> Numeric | None:
        """The question within the bounds that were found for it first; None of any other."""
        return found_within(self.question, self.released, self.paid.rows_per_person)

    @property
    def as_answered(self) -> Mapping[str, Any]:
        """The question about the values it is of: within the bounds that were found, where some were found first."""
        return self.question if self.inner is None else within_found(self.question, self.inner)

    @property
    def as_drawn(self) -> Mapping[str, Any]:
        """The question as it was asked, with the parts that its noise was drawn for: what was charged is the same."""
        if self.inner is None:
            return self.question
        return {**self.question, "parts": with_used(self.question.get("parts", ()), self.inner)}

    @property
    def limited(self) -> str:
        """Which values it is about, such as "values limited to 0…100"; "" where all count as they are.

        Where their steps may be coarser than what stands in the column, also to which they are rounded.
        """
        return values_answered(self.as_answered)

    @property
    def told(self) -> ReleasedAnswer:
        """The answer as it is shown, with the unit of `unit_shown`; `released` is as it is recorded."""
        return replace(self.released, unit=unit_shown(self.released.unit, self.question))

    @property
    def counted(self) -> str:
        """What its counts are of, as it is shown: rows, or people of whom one row each takes part."""
        return unit_shown(ROWS, self.question)

    @property
    def whose_value(self) -> str:
        """Whose value or values the answer comes near to, as of a sentence."""
        return whose_value(self.question, self.released.unit)

    @property
    def title(self) -> str:
        """The kind of question in words."""
        kind = str(self.question.get("query", ""))
        return QUERIES[kind].title if kind in QUERIES else kind

    def to_json(self) -> dict[str, Any]:
        """The answer with everything public, to be exported."""
        charge = self.entry.charge
        return {
            "question": dict(self.as_drawn),
            "answer": self.released.to_json(),
            "epsilon": float(self.epsilon),
            "delta": float(self.delta),
            "engine": charge.made_by,
            "neighbours": charge.neighbours,
            "rows_per_person": charge.rows_per_person,
            "claim": charge.claimed,
            "unclaimed": self.unclaimed,
            "limited": self.limited,
            "asserted": list(self.asserted),
            "after_look": self.after_look,
            "plugin": self.plugin,
            "when": self.entry.when,
            "entry": self.entry.id,
        }


def charge_for(plans: Sequence[QueryPlan]) -> Charge:
    """The charge for questions that are asked together, and promise the same."""
    questions = [question_of(one) for one in plans]
    what = plans[0].what if len(plans) == 1 else f"{len(plans)} questions: {'; '.join(one.what for one in plans)}"
    return Charge(
        kind=KIND,
        what=what,
        epsilon=sum((one.epsilon for one in plans), Fraction(0)),
        delta=sum((one.delta for one in plans), Fraction(0)),
        rows_per_person=plans[0].rows_per_person,
        made_by=" and ".join(sorted({one.draft.noise.value for one in plans})),
        neighbours=plans[0].neighbours,
        parameters=MappingProxyType({"questions": questions}),
        cells=cells_together([one.cells for one in plans]),
        claimed=not plans[0].unclaimed,
        mechanism=drawn_for_all([(one.mechanism, one.epsilon, one.delta) for one in plans]),
    )


def question_of(one: QueryPlan) -> dict[str, Any]:
    """Everything public about a question, by which its answer is found again."""
    return {
        **one.parameters,
        "what": one.what,
        "epsilon": str(one.epsilon),
        "engine": one.draft.noise.value,
        "neighbours": one.neighbours,
        "rows_per_person": one.rows_per_person,
        "unclaimed": one.unclaimed,
    }


def rate_of(question: Mapping[str, Any], part: str) -> Fraction | None:
    """The rate of the two-sided geometric noise on a part of an answer, as in `NoisyPart.rate`; None of other noise."""
    if question.get("engine") not in (NoiseSource.GRID.value, NoiseSource.OPENDP.value):
        return None
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        found = next((one for one in question.get("parts", ()) if one["name"] == part), None)
        rate = Fraction(0) if found is None else Fraction(found["epsilon"]) / Fraction(found["sensitivity"])
        return rate if rate > 0 else None
    return None


def as_compared(question: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of a question that make it the same as another: all but its words, which each version may change.

    Bounds are those that its frames tell: typed or declared for the column, they ask the same.
    """
    found = {name: value for name, value in question.items() if name != "what"}
    # What another version wrote may look like anything.
    with contextlib.suppress(KeyError, TypeError, AttributeError):
        values, told = question["values"], {frame["column"] for frame in question["frames"] if _ENDS & frame.keys()}
        columns = {prefix: values.get(f"{prefix}column") for prefix in PREFIXES}
        typed = {f"{prefix}{end}" for prefix, name in columns.items() if name in told for end in ("lower", "upper")}
        found["values"] = {name: value for name, value in values.items() if name not in typed}
    return found


def beside_words(answered: PaidAnswer, asked: QueryPlan) -> str:
    """What an answer is to the question in hand, which has another answer or none."""
    if _at_any_price(answered.question) != _at_any_price(question_of(asked)):
        return ANOTHER_QUESTION
    return "Another answer to this question" if answered.epsilon == asked.epsilon else "Same question at another ε"


def _at_any_price(question: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in as_compared(question).items() if name not in ("epsilon", "delta", "parts")}


def answers_in(ledger: Ledger) -> tuple[PaidAnswer, ...]:
    """The answers to questions in a ledger, oldest first. One that another program wrote in its own way is left out."""
    entries = ledger.history.told
    batches = {entry.id: entry for entry in entries if entry.is_batch}
    found: list[PaidAnswer] = []
    for entry in entries:
        if entry.answer is not None and entry.charge.kind == KIND:
            found += answers_of(entry, None if entry.charge.slot is None else batches.get(entry.charge.slot[0]))
    return tuple(found)


def answers_of(entry: LedgerEntry, plan: LedgerEntry | None = None) -> tuple[PaidAnswer, ...]:
    """The answers in an entry: one, or those of a batch of an earlier version; none if there are none.

    Parameters
    ----------
    plan
        The batch that paid for it.
    """
    first = entry.charge.slot[1] if plan is not None and entry.charge.slot is not None else 0
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        questions, answers = entry.charge.parameters["questions"], entry.answer["answers"]
        return tuple(
            PaidAnswer(entry, first + place, dict(question), ReleasedAnswer.from_json(plain), plan=plan)
            for place, (question, plain) in enumerate(zip(questions, answers, strict=True))
        )
    return ()
