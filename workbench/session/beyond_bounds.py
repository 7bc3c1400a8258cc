"""The number of values that the bounds of an answer limited, where a count of them was paid for."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from workbench.core.number_text import estimate, margin_up
from workbench.query.answer import AnswerForm
from workbench.query.circumstances import of_drawn_rows
from workbench.session.query_answers import PaidAnswer

LIMITED = "limited"
"""The kind of question that counts values beyond bounds."""
_MEAN = "mean"


def counted_beyond(answered: PaidAnswer, known: Sequence[PaidAnswer]) -> PaidAnswer | None:
    """The latest count of the values that the bounds of an answer limited; None if nobody paid for one.

    It must be of just the values that are in the answer. So an answer for groups has none, since rows of no group are
    counted too, nor one in which missing values count as a number. One about drawn rows has none either: no entry says
    which draw it was, and the count may be of another.

    Parameters
    ----------
    known
        The answers that were given on the same data, oldest first.
    """
    if not answered.limited:
        return None
    asked = answered.as_answered
    return next((one for one in reversed(known) if _counts_beyond(one, asked)), None)


def _counts_beyond(count: PaidAnswer, question: Mapping[str, Any]) -> bool:
    # What another version wrote may look like anything.
    with contextlib.suppress(KeyError, TypeError, ValueError, ZeroDivisionError, AttributeError):
        (counted,), (frame,) = count.question["frames"], question["frames"]
        name = frame["column"]
        return (
            count.question["query"] == LIMITED
            and not count.unclaimed
            and "missing" not in frame
            and not of_drawn_rows(question)
            and count.released.form is AnswerForm.LIST
            and count.released.interval is not None
            and len(count.released.value) == 2
            and counted["column"] == name
            and [Fraction(edge) for edge in counted["beyond"]] == [Fraction(frame[end]) for end in ("lower", "upper")]
            and (count.question["where"], count.question["table"]) == (question["where"], question["table"])
            and count.question["columns"][name] == question["columns"][name]
        )
    return False


def beyond_said(answered: PaidAnswer, count: PaidAnswer | None) -> str:
    """Sentences on how many values were limited, to stand beside the answer; "" without a count.

    There cannot be fewer than none, so what noise made of a count below 0 is said as the most there may be.
    """
    if count is None:
        return ""
    released = count.released
    low, high = released.interval or ((), ())
    sides = zip(released.labels[0], released.value, low, high, strict=True)
    said = [_side(name, value, least, most) for name, value, least, most in sides]
    words = f"Of its values {said[0]} and {said[1]}, by a count that was paid for (95 % each)."
    if answered.question.get("query") != _MEAN:
        return words
    none = [max(most, 0) == 0 for most in high]
    some = [least > 0 for least in low]
    for side, way in ((1, "smaller"), (0, "larger")):
        if some[side] and none[1 - side]:
            # Rounding to the grid and noise may move it further the other way.
            return f"{words} If both hold, the bounds alone make the mean {way}, rounding and noise aside."
    return words


def beyond_to_json(count: PaidAnswer) -> dict[str, Any]:
    """That count as JSON, to stand under “counted_beyond” in what says the answer."""
    released = count.released
    return {
        "answer": released.by_label(released.value),
        "interval": [released.by_label(side) for side in released.interval or ()],
        "epsilon": float(count.epsilon),
        "entry": count.entry.id,
    }


def _side(name: str, value: float, low: float, high: float) -> str:
    if max(high, 0) == 0:
        return f"none were {name}"
    if value <= 0:
        return f"at most {estimate(high)} were {name}"
    return f"about {estimate(value)} ± {margin_up(max(value - low, high - value), 3)} were {name}"
