"""Errors with the fewest people of a figure, in more runs than its chart has: of ten runs the luck of a few decides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.core.number_text import count
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.entry import FigureInput, FigureSide, Make, Tell
from workbench.evaluate.published.frame import FigureSweep

TIMES = 10
"""So many times as many runs as the chart has."""
_KEPT = "{}, with the fewest people"


def with_fewest(make: Make, sweep: FigureSweep, names: Sequence[str]) -> Make:
    """A side, and errors at the first place of its sweep where lines speak of them: of the sample as published.

    Parameters
    ----------
    names
        Of which protocols, beside a guess; none: of all.
    """

    def both(given: FigureInput, tell: Tell) -> FigureSide:
        if given.own or given.changed:
            return make(given, tell)
        side = make(replace(given, progress=given.progress.part(0.0, 0.8)), tell)
        return replace(side, numbers=_errors(sweep, replace(given, progress=given.progress.part(0.8, 1.0)), names))

    return both


def _errors(sweep: FigureSweep, given: FigureInput, names: Sequence[str]) -> dict[str, OurValue]:
    of = tuple(
        one
        for one in sweep.methods
        if one.identifier == "uniform" or (one.label in names if names else one.identifier == "local")
    )
    once = replace(sweep, places=sweep.places[:1], methods=of, repetitions=TIMES * given.repetitions)
    (panel,) = once(given, lambda panels: None).panels
    found = ((curve.name, curve.at(curve.places[0])) for curve in panel.curves if curve.places)
    return {_KEPT.format(name): error for name, error in found if error is not None}


def at_fewest(side: FigureSide, name: str) -> OurValue | None:
    """The error of a curve with the fewest people: of all these runs where they were made, else as its chart has it."""
    if (kept := side.numbers.get(_KEPT.format(name))) is not None:
        return kept
    curves = {one.name: one for panel in side.panels for one in panel.curves}
    return curves[name].at(min(curves[name].places)) if name in curves and curves[name].places else None


def of_more_runs(side: FigureSide, name: str) -> str:
    """Such as “, each the mean of 100 runs, ten times as many as in the chart”; "" where the chart has them all."""
    kept = side.numbers.get(_KEPT.format(name))
    return (
        "" if kept is None else f", each the mean of {count(kept.repetitions)} runs, ten times as many as in the chart"
    )
