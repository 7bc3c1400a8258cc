"""Errors at the places that lines speak of, in more runs than a chart has: of ten runs the luck of a few decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.core.number_text import count, estimate
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.entry import FigureInput, FigureSide, Make, Tell
from workbench.evaluate.published.frame import FigureSweep
from workbench.evaluate.published.panel import PanelCurve

TIMES = 10
"""So many times as many runs as the chart has."""


def with_more_runs(make: Make, sweep: FigureSweep, names: Sequence[str], places: Sequence[float] = ()) -> Make:
    """A side, and errors at places of its sweep where lines speak of them: of the sample as published.

    Parameters
    ----------
    names
        Of which protocols, beside a guess; none: of all.
    places
        Where, and there the chart shows these errors too; nowhere: at the first, which has the fewest people.
    """
    asked = replace(sweep, places=tuple(places) or sweep.places[:1])

    def both(given: FigureInput, tell: Tell) -> FigureSide:
        if given.own or given.changed:
            return make(given, tell)
        side = make(replace(given, progress=given.progress.part(0.0, 0.8)), tell)
        side = replace(side, numbers=_errors(asked, replace(given, progress=given.progress.part(0.8, 1.0)), names))
        return _shown(side) if places else side

    return both


def _errors(sweep: FigureSweep, given: FigureInput, names: Sequence[str]) -> dict[str, OurValue]:
    of = tuple(
        one
        for one in sweep.methods
        if one.identifier == "uniform" or (one.label in names if names else one.identifier == "local")
    )
    many = replace(sweep, methods=of, repetitions=TIMES * given.repetitions)
    (panel,) = many(given, lambda panels: None).panels
    found = ((_kept(curve.name, place), curve.at(place)) for curve in panel.curves for place in curve.places)
    return {name: error for name, error in found if error is not None}


def _shown(side: FigureSide) -> FigureSide:
    """The side with curves through the errors of more runs, so that a chart does not contradict its lines."""

    def curve_with(curve: PanelCurve) -> PanelCurve:
        kept = [side.numbers.get(_kept(curve.name, place)) for place in curve.places]
        if not any(kept):
            return curve
        each = [
            OurValue(mean, curve.deviations[number], curve.repetitions) if more is None else more
            for number, (mean, more) in enumerate(zip(curve.means, kept, strict=True))
        ]
        means, deviations = tuple(one.mean for one in each), tuple(one.deviation for one in each)
        return replace(curve, means=means, deviations=deviations, runs=tuple(one.repetitions for one in each))

    panels = tuple(replace(one, curves=tuple(map(curve_with, one.curves))) for one in side.panels)
    return replace(side, panels=panels)


def _kept(name: str, place: float) -> str:
    return f"{name}, in more runs at {estimate(place, 5)}"


def at_place(side: FigureSide, name: str, place: float) -> OurValue | None:
    """The error of a curve at a place: of all these runs where they were made, else as its chart has it."""
    if (kept := side.numbers.get(_kept(name, place))) is not None:
        return kept
    curves = (one for panel in side.panels for one in panel.curves if one.name == name)
    return next((found for one in curves if (found := one.at(place)) is not None), None)


def _first(side: FigureSide) -> float | None:
    """The first place of all curves, which is that of the fewest people."""
    return min((one.places[0] for panel in side.panels for one in panel.curves if one.places), default=None)


def at_fewest(side: FigureSide, name: str) -> OurValue | None:
    """The same with the fewest people."""
    place = _first(side)
    return None if place is None else at_place(side, name, place)


def of_more_runs(side: FigureSide, name: str, place: float | None = None) -> str:
    """Such as “, each the mean of 100 runs, ten times as many as in the chart”; "" where the chart has no other.

    Parameters
    ----------
    place
        Where; None: with the fewest people.
    """
    at = _first(side) if place is None else place
    kept = None if at is None else side.numbers.get(_kept(name, at))
    if kept is None:
        return ""
    elsewhere = "elsewhere " if place is not None else ""
    return f", each the mean of {count(kept.repetitions)} runs, ten times as many as {elsewhere}in the chart"
