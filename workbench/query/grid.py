"""The public grid of a numeric column: bounds and a resolution that are known without the data."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.exact import refuse_larger, refuse_smaller
from workbench.core.number_text import estimate, exact, file_text, shown
from workbench.core.rationals import rational
from workbench.core.schema import ColumnSpec, Kind
from workbench.query.readings import Readings, number_of

MOST_STEPS = 1 << 40
"""A finer grid answers nothing better, and would only make the arithmetic slow."""

_RESOLUTIONS = {
    Kind.INTEGER: Fraction(1),
    Kind.MONEY: Fraction(1, 100),
    Kind.PERCENT: Fraction(1, 100),
    Kind.DATE: Fraction(1),
    Kind.DATETIME: Fraction(1),
}
_FEWEST, _MOST = 100_000, 1_000_000_000
"""Steps where none is usual: what values are rounded by is hardly ever as much as the noise, and sums stay quick."""
_POWERS = range(18, -19, -1)


@dataclass(frozen=True)
class Bounds:
    """A public range of a column, and the value that missing ones count as; None leaves such rows out."""

    spec: ColumnSpec
    lower: Fraction
    upper: Fraction
    missing: Fraction | None = None

    @property
    def public(self) -> dict[str, Any]:
        """The public facts that are written down about it beside an answer."""
        plain: dict[str, Any] = {"column": self.spec.name, "lower": str(self.lower), "upper": str(self.upper)}
        return plain if self.missing is None else {**plain, "missing": str(self.missing)}

    @property
    def in_words(self) -> str:
        """The same for a person."""
        return f"{self.ends}{self.blanks}"

    @property
    def ends(self) -> str:
        """From where to where it goes."""
        low, high = (shown(float(end), self.spec) for end in (self.lower, self.upper))
        return f"{low} to {high}"

    @property
    def blanks(self) -> str:
        """The value that missing ones count as, in words; "" if they are left out."""
        return "" if self.missing is None else f", missing values as {shown(float(self.missing), self.spec)}"


@dataclass(frozen=True)
class Grid:
    """The points lower, lower + resolution, …, upper. A value counts as the nearest point, halves upwards.

    Parameters
    ----------
    spec
        The column, as it was declared.
    lower, upper, resolution
        Exact and public; the resolution divides the range.
    missing
        Step in whose place a missing or misfitting value counts; None leaves such rows out.
    """

    spec: ColumnSpec
    lower: Fraction
    upper: Fraction
    resolution: Fraction
    missing: int | None = None

    @property
    def steps(self) -> int:
        """The number of the last point; the first is 0."""
        return int((self.upper - self.lower) / self.resolution)

    @property
    def middle(self) -> Fraction:
        return (self.lower + self.upper) / 2

    @property
    def unit(self) -> Fraction:
        """The largest number of which every point is a whole multiple."""
        top = math.gcd(
            self.lower.numerator * self.resolution.denominator, self.resolution.numerator * self.lower.denominator
        )
        return Fraction(top, self.lower.denominator * self.resolution.denominator)

    def place(self, readings: Readings) -> NDArray[np.int64]:
        """The step of every distinct value, shape (values,): clipped and rounded; -1 for those that are left out."""
        found = readings.steps(self.lower - self.resolution / 2, self.resolution, self.steps)
        if self.missing is not None:
            found[found < 0] = self.missing
        return found

    @property
    def bounds(self) -> Bounds:
        """Its range, and the value that missing ones count as."""
        missing = None if self.missing is None else self.lower + self.missing * self.resolution
        return Bounds(self.spec, self.lower, self.upper, missing)

    @property
    def public(self) -> dict[str, Any]:
        """The public facts that are written down about it beside an answer."""
        return {**self.bounds.public, "resolution": str(self.resolution)}

    @property
    def in_words(self) -> str:
        """The same for a person."""
        own = self.spec.unit or self.spec.format.symbol
        unit = {Kind.DATE: " days", Kind.DATETIME: " seconds"}.get(self.spec.kind, f" {own}" if own else "")
        return f"{self.bounds.ends} in steps of {exact(float(self.resolution))}{unit}{self.bounds.blanks}"


def usual_step(kind: Kind) -> Fraction | None:
    """The step of a kind that counts where none is typed; None where it follows from the bounds."""
    return _RESOLUTIONS.get(kind)


def untyped_step(spec: ColumnSpec, lower: str = "", upper: str = "") -> Fraction | None:
    """The step that counts where none is typed, from the kind of a column or else from its public bounds.

    Parameters
    ----------
    lower, upper
        As they are typed; empty for the declared ones.

    Returns
    -------
    Fraction
        None where bounds are missing or impossible, or no power of ten divides their range.
    """
    if spec.kind in _RESOLUTIONS:
        return usual_step(spec.kind)
    with contextlib.suppress(WorkbenchError):
        return _step_between(*bounds_of(spec, lower, upper))
    return None


def with_step(values: dict[str, Any], frames: Iterable[object]) -> dict[str, Any]:
    """The parameters of a question with the step that follows from the bounds, written down as if it was typed.

    Parameters
    ----------
    frames
        Of its mechanism, of which a grid has the step that counts.
    """
    found = next((one for one in frames if isinstance(one, Grid)), None)
    if found is None or usual_step(found.spec.kind) is not None or str(values.get("resolution", "")).strip():
        return values
    return {**values, "resolution": file_text(float(found.resolution))}


def _step_between(low: Fraction, high: Fraction) -> Fraction | None:
    """The largest power of ten that divides a range into so many whole steps; None if there is none.

    A finer one costs nothing: every sum has noise in proportion to its steps.
    """
    powers = (Fraction(10) ** power for power in _POWERS)
    fits = ((step, (high - low) / step) for step in powers)
    return next((step for step, many in fits if _FEWEST <= many <= _MOST and many.denominator == 1), None)


def bounds_of(
    spec: ColumnSpec,
    lower: str,
    upper: str,
    prefix: str = "",
    needed_for: str = "without them one person's influence on the answer has no limit",
) -> tuple[Fraction, Fraction]:
    """Public bounds: as typed, else as declared for the column; `needed_for` says why there must be some.

    Raises
    ------
    WorkbenchError
        If the column holds no numbers, there are no bounds that were not read from the data, or they are in the
        wrong order.
    """
    if not (spec.kind.numeric or spec.kind.temporal):
        raise WorkbenchError(
            f"Column “{spec.name}” holds {'text' if spec.kind is Kind.TEXT else 'categories'}, and this question "
            "needs numbers or dates.",
            hint="Choose another column; if this one does hold numbers, say so in the window, under Data. Of ranges, "
            "such as a release has, a histogram counts the rows of each.",
            field=f"{prefix}column" if prefix else "column",
        )
    declared = spec.declared().bounds
    if bool(lower.strip()) != bool(upper.strip()):
        side = "upper" if lower.strip() else "lower"
        raise WorkbenchError(
            f"The {side} bound of “{spec.name}” is missing.", hint="Give both.", field=f"{prefix}{side}"
        )
    if lower.strip():
        bounds = number_of(lower, spec, f"{prefix}lower"), number_of(upper, spec, f"{prefix}upper")
    elif declared is not None:
        ends = (
            refuse_larger(rational(end), field=f"{prefix}{side}")
            for end, side in zip(declared, ("lower", "upper"), strict=True)
        )
        bounds = next(ends), next(ends)
    elif spec.bounds is not None:
        raise WorkbenchError(
            f"The bounds of “{spec.name}” were read from the data, so they give away the smallest and largest value "
            "of somebody, whatever noise is added to the answer.",
            hint="Type bounds that are known without this data, such as 0 and 120 for an age, or pay for private "
            "ones with the question “bounds”.",
            field=f"{prefix}lower",
        )
    else:
        named = prefix.replace("_", "-")
        flags = f"--{named}lower and --{named}upper" if named else "--bounds"
        raise WorkbenchError(
            f"The bounds of “{spec.name}” are missing: {needed_for}.",
            hint="Type the smallest and largest value that is possible, known without this data. Reading them from "
            "the data would give somebody's value away.",
            field=f"{prefix}lower",
            flags=flags,
        )
    if bounds[0] >= bounds[1]:
        raise WorkbenchError(
            f"The lower bound of “{spec.name}” is not below the upper bound.",
            hint="Give the smaller number first; two equal bounds would leave nothing to ask.",
            field=f"{prefix}lower",
        )
    return bounds


def grid_of(
    spec: ColumnSpec, lower: str = "", upper: str = "", resolution: str = "", missing: str = "", prefix: str = ""
) -> Grid:
    """The grid from what was typed, each part with what the column declares in its place.

    Raises
    ------
    WorkbenchError
        If bounds or the step are missing or impossible.
    """
    low, high = bounds_of(spec, lower, upper, prefix)
    field = f"{prefix}resolution"
    if resolution.strip():
        step = refuse_smaller(rational(resolution, field), resolution, field)
    elif (usual := usual_step(spec.kind) or _step_between(low, high)) is not None:
        step = usual
    else:
        raise WorkbenchError(
            f"The step to which “{spec.name}” is rounded is missing.",
            hint="Give one of which the range of its bounds is a whole multiple, such as 0.1, known without this data.",
            field=field,
        )
    if step <= 0:
        raise WorkbenchError(
            "The step must be above 0.", hint="Give the step values are rounded to, such as 0.1.", field=field
        )
    steps = (high - low) / step
    if steps.denominator != 1:
        fitting = low + max(math.floor(steps), 1) * step
        raise WorkbenchError(
            f"The range from {shown(float(low), spec)} to {shown(float(high), spec)} is no whole number of steps of "
            f"{exact(float(step))}.",
            hint=f"Take {shown(float(fitting), spec)} or {shown(float(fitting + step), spec)} as the upper bound, or "
            "another step.",
            field=field,
        )
    if steps > MOST_STEPS:
        raise WorkbenchError(
            f"A grid of {int(steps):,} steps is too fine.",
            hint=f"Take a coarser step, for example {estimate(float((high - low) / 1_000_000), 1)}.",
            field=field,
        )
    grid = Grid(spec, low, high, step)
    if not missing.strip():
        return grid
    value = min(max(number_of(missing, spec, f"{prefix}missing"), low), high)
    return Grid(spec, low, high, step, int((value - low) / step + Fraction(1, 2)))
