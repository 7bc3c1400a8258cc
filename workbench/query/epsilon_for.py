"""The ε that a question needs for an error, and the errors that it has at several."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, Decimal, localcontext
from fractions import Fraction
from typing import Literal

from workbench.core.errors import WorkbenchError
from workbench.core.exact import parse_fraction
from workbench.core.schema import Schema
from workbench.query.amounts import LARGEST_EPSILON, SMALLEST_EPSILON
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.query.mechanism import Expected
from workbench.query.plans import RowCount, plan

_STEPS = 60


def solve(
    draft: QueryDraft,
    schema: Schema,
    target: str,
    of: Literal["half_width", "error"] = "half_width",
    counted: RowCount | None = None,
) -> str:
    """The smallest ε, with three digits, at which an answer is expected to be at most so far off.

    Parameters
    ----------
    draft, schema
        The question.
    target
        The error, a number as text.
    of
        Which error is meant.
    counted
        What was released of the number of matching rows.

    Raises
    ------
    WorkbenchError
        If no ε is large enough, or the question has no such figure.
    """
    wanted = parse_fraction(target, field="target")
    if wanted <= 0:
        raise WorkbenchError("The error must be above 0.", hint="Such as 10.", field="target")
    if not QUERIES[draft.kind].needs_epsilon:
        raise WorkbenchError(
            "ε of this question follows from its own parameters.", hint="Change those.", field="epsilon"
        )

    def reached(epsilon: Fraction) -> bool:
        found = getattr(replace(plan(draft, schema, epsilon=epsilon), counted=counted).expected, of)
        if found is None:
            raise WorkbenchError("This question has no such error.", hint="Ask for the half-width.", field="target")
        return bool(found <= float(wanted))

    low, high = SMALLEST_EPSILON, Fraction(LARGEST_EPSILON)
    if not reached(high):
        raise WorkbenchError(
            "No ε makes the answer that exact.",
            hint="Ask about more rows, with narrower bounds, or allow a larger error.",
            field="target",
        )
    with contextlib.suppress(WorkbenchError):  # with a δ, the smallest ε may be too small for any answer
        if reached(low):
            return _three_digits(low)
    for _ in range(_STEPS):
        if high / low < Fraction(1001, 1000):
            break
        # The middle of the exponents; a float is good enough for a place to look at.
        middle = Fraction(float(low) ** 0.5 * float(high) ** 0.5).limit_denominator(10**12)
        try:
            enough = reached(middle)
        except WorkbenchError:
            enough = False
        low, high = (low, middle) if enough else (middle, high)
    return _three_digits(high)


def _three_digits(value: Fraction) -> str:
    """Rounded up to three significant digits, as decimal text."""
    with localcontext() as context:
        context.prec = 3
        context.rounding = ROUND_CEILING
        found = Decimal(value.numerator) / Decimal(value.denominator)
    return f"{found.normalize():f}"


def curve(
    draft: QueryDraft, schema: Schema, epsilons: Sequence[Fraction], counted: RowCount | None = None
) -> list[tuple[float, Expected]]:
    """The expected error at each ε, to be drawn."""
    plans = (plan(draft, schema, epsilon=epsilon) for epsilon in epsilons)
    return [(float(one.epsilon), replace(one, counted=counted).expected) for one in plans]
