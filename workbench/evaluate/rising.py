"""Private curves whose error rises where more ε is spent, and why."""

from __future__ import annotations

from itertools import pairwise

from workbench.core.number_text import exact
from workbench.evaluate.error_series import ErrorSeries, Point
from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import Findings, clearly
from workbench.evaluate.method import Approach

_SEEN = 1.1
"""From so many times the error before it, a rise is seen."""
_STEPS = "what is released changes in steps, and a step may cost more than the noise saves"


def rises(series: ErrorSeries) -> tuple[Point, Point] | None:
    """Two places between which the error of a private curve rises with ε beyond chance; None if there are none."""
    if series.approach is Approach.BASELINE:
        return None
    return next(((one, two) for one, two in pairwise(series.drawn) if two.mean > one.mean and clearly(one, two)), None)


def trembles(series: ErrorSeries) -> tuple[Point, Point] | None:
    """Two places between which its error is seen to rise, be it by chance; None if there are none."""
    if series.approach is Approach.BASELINE:
        return None
    return next((pair for pair in pairwise(series.drawn) if pair[1].mean > _SEEN * pair[0].mean), None)


def rising_sentences(findings: Findings) -> list[str]:
    """Why the error of a private curve rises where more ε is spent, if not by chance; or how it was kept from it."""
    if findings.experiment.axis is not Axis.EPSILON:
        return []
    said, by_chance = [kept for series in findings.series if (kept := _kept(series))], []
    for series in findings.series:
        if (rise := rises(series)) is not None:
            said.append(_sentence(series, *rise))
        elif (rise := trembles(series)) is not None:
            by_chance.append(f"of {series.name} {_where(*rise)}")
    if by_chance:
        said.append(f"The error rises by no more than chance explains: {'; '.join(by_chance)}.")
    return said


def _kept(series: ErrorSeries) -> str:
    """At which places a way stands with what it does at a smaller ε; "" for none."""
    kept = [(point.axis_value, point.by.epsilon) for point in series.drawn if point.by is not None]
    where = [f"at ε = {exact(place)} as with {exact(own)}" for place, own in kept if own is not None]
    if not where:
        return ""
    # That none is better there is more than tries can say.
    why = "what a smaller ε promises holds with more, and no setting tried came out better"
    return f"{series.name} answers {', '.join(where)}: {why}."


def _sentence(series: ErrorSeries, one: Point, two: Point) -> str:
    why = (two.by or series.choice).method.rising or _STEPS
    if one.by is not None and two.by is not None and one.by != two.by:
        why = f"another setting came out best in the tries that choose, {two.by.name} after {one.by.name}; {why}"
    return f"The error of {series.name} rises {_where(one, two)}: {why}."


def _where(one: Point, two: Point) -> str:
    return f"between ε = {exact(one.axis_value)} and {exact(two.axis_value)}"
