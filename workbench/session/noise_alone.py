"""Interval for the noise alone of an answer within bounds that were found first, from what was released of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.core.number_text import shown
from workbench.query.answer import ReleasedAnswer
from workbench.query.circumstances import rounded
from workbench.query.ledger_entries import QUESTIONS, LedgerEntry
from workbench.session.answer_numbers import margins
from workbench.session.query_answers import KIND, PaidAnswer, answers_of


@dataclass(frozen=True)
class NoiseAlone:
    """Between which numbers the exact answer to values limited to the bounds that were found lies, with 95 %.

    Parameters
    ----------
    released
        The answer with that interval, which it has not by itself: what limiting the values shifts is in none.
    statistic
        What was asked within them, in words.
    bounds
        The bounds that were found.
    limited
        The values within them in words, as in `PaidAnswer.limited`.
    rounded
        To which steps they count, in words; "" where that changes none.
    """

    released: ReleasedAnswer
    statistic: str
    bounds: tuple[str, str]
    limited: str
    rounded: str = ""

    @property
    def brief(self) -> str:
        """To stand beside the answer."""
        (margin,) = margins(self.released)
        return f"{margin} for the noise, with 95 %, of {self.limited}"

    @property
    def within(self) -> tuple[str, str]:
        """The ends, rounded outwards as far as the margin lets them be read."""
        ends = self.released.said_between
        assert ends is not None
        return ends

    @property
    def sentence(self) -> str:
        """The same in full, with what it leaves out."""
        low, high = self.within
        these = f"these, {self.rounded}," if self.rounded else "these"
        return (
            f"Values beyond {' and '.join(self.bounds)}, which were found with a quarter of ε, count as the nearer of "
            f"the two. The {self.statistic} of {these} lies between {low} and {high} with 95 % confidence. That is for "
            "the noise alone: how far limiting the values shifts it is not known."
        )

    @property
    def of(self) -> str:
        """What lies between the ends."""
        return f"{self.statistic} of {self.limited}, for the noise alone; how far limiting shifts it is not known"

    def to_json(self) -> dict[str, Any]:
        """As it is saved and printed: an interval is worth nothing without what it is of."""
        assert self.released.interval is not None
        low, high = self.released.interval
        bounds = [one.replace(",", "") for one in self.bounds]  # as they are typed
        return {"low": low, "high": high, "of": self.of, "bounds": bounds}


def noise_alone(answered: PaidAnswer) -> NoiseAlone | None:
    """The interval of an answer within bounds that were found first; None of any other, or of another version's.

    All of it is public: the bounds follow from the noisy counts that stand in the answer, and its noise was drawn
    apart from theirs, so that whichever were found it covers the same share.
    """
    inner, released = answered.inner, answered.released
    if inner is None:
        return None
    sums = {part.name: np.array(released.noisy[part.name], dtype=np.float64) for part in inner.parts}
    least, most = (float(one[0]) for one in inner.between(sums))
    low, high = (shown(float(end), inner.grid.spec) for end in (inner.grid.lower, inner.grid.upper))
    figure = str(answered.question["values"]["figure"]).replace("-", " ")
    found = NoiseAlone(
        replace(answered.told, interval=(least, most)),
        figure,
        (low, high),
        answered.limited,
        rounded(answered.question),
    )
    return found if margins(found.released) else None


def noise_to_json(answered: PaidAnswer) -> dict[str, Any]:
    """That interval under its key, to stand beside the answer; nothing of an answer without one."""
    alone = noise_alone(answered)
    return {} if alone is None else {"noise_alone": alone.to_json()}


def told_with_noise(entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
    """Entries of a ledger as they are exported: with these intervals, and the parts that noise was drawn for.

    A charge is written before the bounds are found, so it names the parts as they are at most.
    """
    entries = tuple(entries)
    batches = {entry.id: entry for entry in entries if entry.is_batch}
    return tuple(_told(entry, batches) for entry in entries)


def _told(entry: LedgerEntry, batches: Mapping[str, LedgerEntry]) -> LedgerEntry:
    if entry.answer is None or entry.charge.kind != KIND:
        return entry
    slot = entry.charge.slot
    answers = answers_of(entry, None if slot is None else batches.get(slot[0]))
    if all(one.inner is None for one in answers):
        return entry
    parameters = {**entry.charge.parameters, QUESTIONS: [dict(one.as_drawn) for one in answers]}
    answer = {
        **entry.answer,
        "answers": [
            {**plain, **noise_to_json(one)} for plain, one in zip(entry.answer["answers"], answers, strict=True)
        ],
    }
    return replace(entry, charge=replace(entry.charge, parameters=MappingProxyType(parameters)), answer=answer)
