"""The question within bounds that were found first: what an answer is really of, from what was released of it alone."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from workbench.core.number_text import shown
from workbench.core.schema import ColumnSpec, Kind
from workbench.query.answer import ReleasedAnswer
from workbench.query.catalogue import NoiseSource
from workbench.query.grid import Grid
from workbench.query.narrowed import Narrowed
from workbench.query.numeric import Numeric

NARROWED = "narrowed"
"""The kind of question whose bounds are found first."""


def found_within(question: Mapping[str, Any], released: ReleasedAnswer, rows_per_person: int) -> Numeric | None:
    """The question within the bounds that were found for it; None of any other, or of another version's answer.

    All of it is public: the bounds follow from the noisy counts that stand in the answer.

    Parameters
    ----------
    question
        As it stands in the ledger, whichever version wrote it.
    """
    if question.get("query") != NARROWED or question.get("engine", str(NoiseSource.GRID)) != str(NoiseSource.GRID):
        return None
    # What another version wrote may look like anything.
    with contextlib.suppress(KeyError, TypeError, ValueError, ArithmeticError, AttributeError, IndexError):
        (frame,) = question["frames"]
        spec = ColumnSpec(frame["column"], Kind(question["columns"][frame["column"]]["kind"]))
        low, high, step = (Fraction(frame[name]) for name in ("lower", "upper", "resolution"))
        grid, figure = Grid(spec, low, high, step), str(question["values"]["figure"])
        whole = Narrowed(grid, figure, Fraction(question["epsilon"]), rows_per_person)
        inner = whole.found_within(np.array([released.noisy["cells"]], dtype=np.float64))
        sums = {part.name: np.array(released.noisy[part.name], dtype=np.float64) for part in inner.parts}
        return inner if inner.shaped(inner.finish(sums)) == released.value else None
    return None


def as_answered(question: Mapping[str, Any], released: ReleasedAnswer, rows_per_person: int) -> Mapping[str, Any]:
    """The question about the values it is of: within the bounds that were found, where some were found first."""
    inner = found_within(question, released, rows_per_person)
    return question if inner is None else within_found(question, inner)


def within_found(question: Mapping[str, Any], inner: Numeric) -> dict[str, Any]:
    """The question as if the bounds that were found had been asked for: about the same values as the answer.

    Parameters
    ----------
    inner
        As `found_within` gives it.
    """
    (frame,) = question["frames"]
    lower, upper, spec = inner.grid.lower, inner.grid.upper, inner.grid.spec
    ends = {name: shown(float(end), spec, grouped=False) for name, end in (("lower", lower), ("upper", upper))}
    return {
        **question,
        "values": {**question["values"], **ends},
        "frames": [{**frame, "lower": str(lower), "upper": str(upper)}],
        "parts": with_used(question.get("parts", ()), inner),
    }


def with_used(parts: Any, inner: Numeric) -> list[dict[str, Any]]:
    """The parts of the question with what the noise was really drawn for, which the charge did not know before."""
    used = {part.name: part for part in inner.parts}
    return [
        {**part, "sensitivity": str(used[part["name"]].sensitivity), "epsilon": str(used[part["name"]].epsilon)}
        if part["name"] in used
        else dict(part)
        for part in parts
    ]
