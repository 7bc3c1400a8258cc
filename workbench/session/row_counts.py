"""Row counts for a question, from answers that were paid for: to reckon with them costs nothing."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workbench.core.number_text import margin_up
from workbench.core.unit_words import in_unit
from workbench.evaluate.sampling_error import most_of_a_mean
from workbench.query.plans import QueryPlan, RowCount
from workbench.session.query_answers import PaidAnswer

_SUMS = {"steps": 1, "squares": 2}
"""Parts whose sums add up to the number of rows, times this power of the steps of the grid."""


@dataclass(frozen=True)
class _Found:
    """A noisy number of rows, the scale of its noise, and whether it is of just the rows that have a value."""

    rows: float
    scale: float
    exact: bool
    source: str

    @property
    def telling(self) -> bool:
        """Whether it says more than the noise in it."""
        return self.rows > 6 * self.scale


def rows_released(plan: QueryPlan, answers: Iterable[PaidAnswer]) -> RowCount | None:
    """The number of rows that answers tell of the filter of a question, or None.

    An average tells how many rows have a value in its column, which for that column is better than a count of all rows
    with and without one, unless its noise is too large.
    """
    wanted = plan.parameters
    found = [one for answer in answers if (one := _told(wanted, answer)) is not None]
    if not found:
        return None
    best = min(found, key=lambda one: (not (one.exact and one.telling), one.scale))
    return RowCount(max(round(best.rows), 0), best.source)


def drawn_words(answer: PaidAnswer) -> str:
    """By how much the draw of one row of each person moves a mean at most on average; "" for other answers.

    From the bounds that were typed and the number of rows that the answer itself tells, so from nothing but what was
    released; four times its noise is taken off that number. See `evaluate.sampling_error.most_of_a_mean`.
    """
    question = answer.question
    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
        table = question["table"]
        if question["query"] != "mean" or table.get("sample") or table["limit"]["rows"] != 1:
            return ""
        found, (frame,) = _told(question, answer), question["frames"]
        if found is None or not found.telling:
            return ""
        people = max(math.floor(found.rows - 4 * found.scale), 1)
        moved = float(Fraction(frame["upper"]) - Fraction(frame["lower"])) * most_of_a_mean(people)
        by = in_unit(margin_up(moved), answer.released.unit)
        return f"Which row of each person chance took moves it by at most {by} on average, in no margin here."
    return ""


def _told(wanted: Mapping[str, Any], answer: PaidAnswer) -> _Found | None:
    question = answer.question
    # Answers of another engine promise other things; those of another version may look like anything.
    with contextlib.suppress(KeyError, TypeError, ValueError, IndexError, ZeroDivisionError, AttributeError):
        if answer.unclaimed or (question["where"], question["table"]) != (wanted["where"], wanted["table"]):
            return None
        columns = question["columns"]
        if any(columns[name] != read for name, read in wanted["columns"].items() if name in columns):
            return None
        when, noisy = answer.entry.when[:10], answer.released.noisy
        parts = {part["name"]: part for part in question["parts"]}
        if question["query"] == "count":
            return _Found(noisy["count"][0], _scale(parts["count"]), False, f"count released on {when}")
        name = next((name for name in (*_SUMS, "count") if name in parts), "")
        (frame,) = question["frames"]
        if not name or not _same_rows(frame, wanted["frames"]):
            return None
        unit = 1 if name == "count" else _steps(frame) ** _SUMS[name]
        scale = _scale(parts[name]) * len(noisy[name]) ** 0.5 / unit
        return _Found(sum(noisy[name]) / unit, scale, True, f"{answer.title.lower()} released on {when}")
    return None


def _same_rows(frame: Mapping[str, Any], frames: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the same rows have a value for both."""
    kept = (frame["column"], "missing" in frame)
    return {"lower", "upper"} <= set(frame) and any(
        kept == (other["column"], "missing" in other) for other in frames if "lower" in other
    )


def _steps(frame: Mapping[str, Any]) -> int:
    return int((Fraction(frame["upper"]) - Fraction(frame["lower"])) / Fraction(frame["resolution"]))


def _scale(part: Mapping[str, Any]) -> float:
    return float(Fraction(part["sensitivity"]) / Fraction(part["epsilon"]))
