"""An answer as a chart: bars with their intervals, or one number on a line."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from workbench.plots.answer_interval import AnswerInterval
from workbench.plots.file_stem import file_stem
from workbench.plots.private_bars import PrivateBars
from workbench.query.answer import AnswerForm
from workbench.query.partition import beyond_words
from workbench.session.answer_numbers import rounded_values
from workbench.session.answer_shares import share_ends, shares_headline, shares_of, together_words, whole_of
from workbench.session.plain_answers import PlainAnswer
from workbench.session.query_answers import PaidAnswer
from workbench.session.query_words import (
    BOUNDS,
    estimate_words,
    interval_words,
    is_plain,
    value_of,
    value_words,
)
from workbench.session.row_counts import drawn_words, with_draw


def caption(
    answered: PaidAnswer,
    made: str,
    notes: Sequence[str] = (),
    source: str = "",
    *,
    shares: bool = False,
    known: int = 0,
) -> str:
    """What stands below a picture of an answer that leaves: the question, its answer, and how that was made.

    All of it is from settings and from the answer as it was released.

    Parameters
    ----------
    made
        When, for what ε, for whom and with which noise, in words.
    notes
        What must be known to read it.
    source
        The name of the file that was asked; "" where nobody knows it any more.
    shares
        Whether the picture is one of shares.
    known
        As in `shares_of`.
    """
    whose = interval_words(answered.told, answered.limited, answered.whose_value)
    unclaimed = f"No guarantee of ours: {answered.unclaimed}" if answered.unclaimed else ""
    asked = f"{source}: {answered.what}" if source else answered.what
    said = estimate_words(answered.told, str(answered.question.get("query", "")), answered.names)
    if shares:
        line = shares_headline(answered.released, answered.question, answered.names, known)
        said = ", ".join(filter(None, ("shares", *line)))
    # Of a number of rows that nobody knows no margin of all shares at once is worked out.
    counts = not shares or bool(known)
    if said and counts and (together := together_words(answered.released, answered.question, known if shares else 0)):
        said = f"{said}, {together}"
    drawn = with_draw(answered)
    if said and drawn is not None:
        said = f"{said} for the noise, {drawn.bound(answered.released)} with the draw of rows counted"
    first = f"{asked}: {said}." if said else f"{asked}."
    return " ".join(filter(None, (first, whose, drawn_words(answered), *notes, f"{made}.", unclaimed)))


def stem_of(answered: PaidAnswer, source: str = "") -> str:
    """A name for a file of an answer, without its ending: what was asked, and of which file.

    It begins otherwise than those of comparisons, which often are of the same question.
    """
    given = answered.question.get("values", {})
    # A count of rows by groups is of no column, whichever is still set.
    named = () if given.get("statistic") == "count" else ("column", "second_column")
    of = " and ".join(str(given[name]) for name in named if given.get(name))
    by = f" by {given['by_column']}" if given.get("by_column") else ""
    title = str(given["statistic"]) if by and given.get("statistic") else answered.title
    return file_stem(f"answer {title}{f' of {of}' if of else ''}{by}", source, "answer")


def interval_chart(answered: PaidAnswer | PlainAnswer) -> AnswerInterval | None:
    """A number with the interval of the true one; None where the answer is something else, or has no such interval."""
    released = answered.told
    if released.form is not AnswerForm.NUMBER or released.interval is None:
        return None
    low, high = released.interval
    if not all(isinstance(number, int | float) and math.isfinite(number) for number in (low, released.value, high)):
        return None
    shown = value_words(released)
    value, _ = value_of(answered.whose_value)
    drawn = with_draw(answered) if isinstance(answered, PaidAnswer) else None
    wider = None if drawn is None or not is_plain(released) else (drawn.low, drawn.high)
    return AnswerInterval(
        float(released.value), float(low), float(high), shown, released.unit, answered.limited, value, wider,
        ends=released.said_between, dated=released.dated,
    )  # fmt: skip


def bars_chart(answered: PaidAnswer | PlainAnswer) -> PrivateBars | None:
    """A number for each cell; None where the answer is something else."""
    released, given = answered.told, answered.question.get("values", {})
    if released.form is not AnswerForm.LIST or answered.question.get("query") == BOUNDS:
        return None
    low, high = (
        (None, None)
        if released.interval is None
        else (np.asarray(side, dtype=np.float64) for side in released.interval)
    )
    # What makes bars unlike each other leaves with the chart; how many numbers a bar without an end holds, nobody asks.
    uneven = "" if beyond_words(answered.question) else answered.uneven
    marked = f"{axis_of(answered)} · {uneven}".rstrip(" ·.")
    said = released.unit[:1].upper() + released.unit[1:]
    if not said:
        statistic, of = given.get("statistic"), given.get("column")
        said = f"{statistic} · {of}" if statistic and of else answered.title
    values = np.asarray(released.value, dtype=np.float64)
    return PrivateBars(
        released.labels[0], values, low, high, marked, said, told="bars: 95 % each", numbered=True,
        names=answered.names[0], written=rounded_values(released),
    )  # fmt: skip


def shares_chart(answered: PaidAnswer | PlainAnswer, known: int = 0) -> PrivateBars | None:
    """The share of all rows in these cells that each cell has, in per cent; None of what is no histogram.

    Parameters
    ----------
    known
        As in `shares_of`.
    """
    released, question = answered.released, answered.question
    said = shares_of(released, question, known)
    counts = bars_chart(answered)
    if not said or counts is None:
        return None
    ends = share_ends(released, question, known)
    low, high = (None, None) if ends is None else (np.asarray(side, dtype=np.float64) for side in ends)
    values = np.minimum(100 * counts.values / whole_of(released, known), 100.0)
    written = tuple(one.partition(" ± ")[0].removesuffix(" %") for one in said)
    return replace(counts, values=values, low=low, high=high, y=f"{share_words(known)}, %", written=written)


def share_words(known: int = 0) -> str:
    """What a share is of."""
    return f"Share of all {known:,} rows" if known else "Share of these counts"


def axis_of(answered: PaidAnswer | PlainAnswer) -> str:
    """The title of the axis of an answer's cells: their column, or the question."""
    given = answered.question.get("values", {})
    return str(given.get("by_column") or given.get("column") or answered.title)
