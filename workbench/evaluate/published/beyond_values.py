"""Beyond the figures: from 2 values to 300."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from workbench.core.number_text import estimate
from workbench.evaluate.experiment import Axis
from workbench.evaluate.published.beyond import (
    BEYOND,
    BY_DISTANCE,
    BY_KANTOROVICH,
    BY_MANHATTAN,
    DISTANCES,
    EPSILON,
    ESTIMATOR,
    FOUR,
    MANY,
    PEOPLE,
    by,
    unit_of_error,
)
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Make, Panels, Tell
from workbench.evaluate.published.frame import FigureSweep
from workbench.evaluate.published.local_runs import LN20, ages
from workbench.evaluate.published.reach_lines import too_far
from workbench.evaluate.published.winners import STANDARD_ERRORS, best_at, of_people
from workbench.evaluate.question import Metric

_BINS = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 300.0)


def _by_bins(title: str, metric: Metric, up: str = "") -> Make:
    """By how many values there are; a distance that is moved is in years of the sample."""
    sweep = FigureSweep(title, ages, FOUR, _BINS, metric, Axis.BINS, LN20, PEOPLE)

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        people = of_people(sweep.experiment(given).users or 0)  # one's own column may have fewer

        def named(panels: Panels) -> Panels:
            return tuple(
                replace(
                    one,
                    title=f"{title}, {people}",
                    across="Values",
                    up=one.up if given.own or not up else up,
                )
                for one in panels
            )

        side = sweep(given, lambda panels: tell(named(panels)))
        return replace(side, panels=named(side.panels))

    return make


def _empty_bands(outcome: FigureOutcome) -> str:
    """Why narrow bands suit an estimator that sets bands to 0."""
    if outcome.own:
        return "Where bands are narrower than the steps of the column, some are empty, which suits Norm-Sub."
    bands = int(_BINS[-1])
    return (
        f"The ages are whole years, so of {bands} bands of {estimate(12 * 50 / bands, 3)} months {bands - 50} are "
        "empty. That alone favours direct and unary encoding there, as Norm-Sub sets small estimates to 0."
    )


def _size_line(distance: str, side: Callable[[FigureOutcome], FigureSide]) -> Callable[[FigureOutcome], str]:
    def line(outcome: FigureOutcome) -> str:
        (panel,) = side(outcome).panels
        return best_at(
            panel,
            distance,
            {_BINS[0]: "2 values", 50.0: "50", _BINS[-1]: "300"},
            unit=unit_of_error(outcome) if distance == "Kantorovich" else "",
        )

    return line


BEYOND_VALUES = replace(BEYOND, repetitions=40).figure(
    "Values d",
    61,
    "From 2 values to 300",
    "Four protocols, with the range of the column in 2 to 300 equal bands; ε = ln 20.",
    settings=(
        EPSILON,
        ("answers", "–", "ages in whole years, in bands from 17.5 to 67.5, of the people of figure 4.2"),
        MANY,
        *DISTANCES,
        ("repetitions", "–", "40"),
        ESTIMATOR,
    ),
    published=_by_bins("By Manhattan", BY_MANHATTAN),
    mended=_by_bins("By Kantorovich", BY_KANTOROVICH, "Kantorovich distance, years"),
    differs=(
        by("Manhattan", _size_line("Manhattan", lambda outcome: outcome.published)),
        by("Kantorovich", _size_line("Kantorovich", lambda outcome: outcome.mended)),
        STANDARD_ERRORS,
        _empty_bands,
        too_far,
    ),
    seconds=8.0,
    words=BY_DISTANCE,
    name="beyond-values",
)
