"""Row counts for a question, from answers that were paid for: to reckon with them costs nothing."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

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
