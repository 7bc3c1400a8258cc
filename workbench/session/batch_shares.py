"""The ε of each question of a batch, and batches with one more or fewer, where the others keep theirs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from fractions import Fraction

from workbench.core.errors import WorkbenchError
from workbench.core.rationals import rational
from workbench.query.amounts import epsilon_of, shares
from workbench.query.catalogue import QueryDraft

_PLACES = 30


def shares_of(drafts: Sequence[QueryDraft], total: str) -> tuple[Fraction, ...]:
    """The ε of each question.

    Raises
    ------
    WorkbenchError
        If the total or a weight is no number above 0.
    """
    return shares(epsilon_of(total, "batch_epsilon"), tuple(rational(draft.weight, "weight") for draft in drafts))


def share_of(drafts: Sequence[QueryDraft], total: str, place: int) -> str:
    """The ε of the question at this place, as it may be typed; its own where the batch says none."""
    try:
        return _text(shares_of(drafts, total)[place])
    except WorkbenchError:
        return drafts[place].epsilon


def with_question(drafts: Sequence[QueryDraft], total: str, added: QueryDraft) -> tuple[tuple[QueryDraft, ...], str]:
    """The batch and its total with one more question, which gets the ε that was chosen for it.

    Where nobody changed a weight or the total, weights are the ε of the questions.

    Raises
    ------
    WorkbenchError
        If its ε, the total or a weight is no number above 0.
    """
    own = epsilon_of(added.epsilon)
    if not drafts:
        return (replace(added, weight=_text(own)),), _text(own)
    before = sum(shares_of(drafts, total), Fraction(0))
    weights = sum((rational(draft.weight, "weight") for draft in drafts), Fraction(0))
    return (*drafts, replace(added, weight=_text(own * weights / before))), _text(before + own)


def without_questions(
    drafts: Sequence[QueryDraft], total: str, places: Collection[int]
) -> tuple[tuple[QueryDraft, ...], str]:
    """The batch and its total without the questions at these places."""
    left = tuple(draft for place, draft in enumerate(drafts) if place not in places)
    try:
        parts = shares_of(drafts, total)
    except WorkbenchError:
        return left, total
    kept = sum((part for place, part in enumerate(parts) if place not in places), Fraction(0))
    return left, _text(kept) if left else total


def _text(value: Fraction) -> str:
    """The number exactly: with a point where it ends, else as a fraction."""
    for places in range(_PLACES):
        digits = value * 10**places
        if digits.denominator == 1:
            text = str(digits.numerator).rjust(places + 1, "0")
            return f"{text[:-places]}.{text[-places:]}" if places else text
    return str(value)
