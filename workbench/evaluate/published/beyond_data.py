"""Beyond the figures: what the shape of the data decides, and the same question put to other libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, with_places
from workbench.evaluate.curator import curator
from workbench.evaluate.experiment import Axis, Basis, Experiment
from workbench.evaluate.experiment_run import run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.beyond import (
    BEYOND,
    BY_DISTANCE,
    BY_KANTOROVICH,
    BY_MANHATTAN,
    DISTANCES,
    ESTIMATOR,
    by,
    unit_of_error,
)
from workbench.evaluate.published.chapter3 import DISCRETE
from workbench.evaluate.published.chapter4 import local
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Make, Tell
from workbench.evaluate.published.experiment_runs import heading_of, unit_of
from workbench.evaluate.published.frame import FigureSweep, LineBelow, value_at
from workbench.evaluate.published.local_runs import LN20, ages, deviation
from workbench.evaluate.published.panel import PanelCurve, PanelWords, PublishedPanel, PublishedText
from workbench.evaluate.published.winners import STANDARD_ERRORS, best_at, error_text
from workbench.evaluate.question import Distance, Floats, Metric, Question, Statistic, measured
from workbench.evaluate.samples import SampleColumn
from workbench.evaluate.subject import subject_of
from workbench.ldp.encoding import EncodingChoice, EncodingKind, Outside
from workbench.query.draws import Draws
from workbench.query.opendp_mechanism import OpenDPNoise

# The shape of the data

_SHAPES = (Basis.UNIFORM, Basis.SMOOTH, Basis.TAIL, Basis.SPIKY)
_NAMES = ("Equal shares", "Smooth", "Long tail", "Spiky")
_WAYS = (
    local("grr", "Direct encoding"),
    local("oue", "Unary (OUE)"),
    local("ds", "Distance-sensitive"),
    local("square-wave", "Square Wave"),
)
_PEOPLE = 1_000


def _by_shape(title: str, metric: Metric) -> Make:
    """One group of bars for each public shape."""

    def panel(found: Sequence[Findings], given: FigureInput) -> PublishedPanel:
        """The bars there are so far; of the last shape perhaps not those of every way."""
        places: dict[str, list[float]] = {}
        means: dict[str, list[float]] = {}
        spreads: dict[str, list[float]] = {}
        for number, findings in enumerate(found):
            for series in findings.series:
                for point in series.drawn:
                    places.setdefault(series.name, []).append(float(number))
                    means.setdefault(series.name, []).append(point.mean)
                    spread = point.error_of_mean * np.sqrt(point.repetitions)
                    spreads.setdefault(series.name, []).append(float(np.nan_to_num(spread)))
        curves = tuple(
            PanelCurve(name, Approach.LOCAL, tuple(at), tuple(means[name]), tuple(spreads[name]), given.repetitions)
            for name, at in places.items()
        )
        return PublishedPanel(
            title,
            "Shape of the answers",
            heading_of(metric, unit_of(given)),
            curves,
            labels=_NAMES[: len(found)] if curves else (),
        )

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        done: tuple[Findings, ...] = ()
        for number, shape in enumerate(_SHAPES):
            experiment = Experiment(
                question=ages(given),
                metric=metric,
                methods=_WAYS,
                axis=Axis.EPSILON,
                places=(LN20,),
                basis=shape,
                users=_PEOPLE,
                repetitions=given.repetitions,
                seed=given.seed,
            )
            before = done

            def told(findings: Findings, before: tuple[Findings, ...] = before) -> None:
                tell((panel((*before, findings), given),))

            found = run(
                experiment,
                shaped(experiment, given.material.schema, {}),
                partial=told,
                gate=given.running.gate,
                workers=given.running.workers,
                progress=given.progress.part(number / len(_SHAPES), (number + 1) / len(_SHAPES)),
            )
            done = (*done, found)
            tell((panel(done, given),))
        return FigureSide((panel(done, given),))

    return make


def _winners(distance: str, side: Callable[[FigureOutcome], FigureSide]) -> Callable[[FigureOutcome], str]:
    def line(outcome: FigureOutcome) -> str:
        (panel,) = side(outcome).panels
        places = {float(place): f"“{shape.lower()}”" for place, shape in enumerate(panel.labels)}
        return best_at(panel, distance, places, "for", unit_of_error(outcome) if distance == "Kantorovich" else "")

    return line


def _public(outcome: FigureOutcome) -> str:
    """Sentence on what is taken from data: the bounds alone."""
    if outcome.own:
        return "Only the bounds are taken from your column; the shapes are public."
    return "The shapes are public. Their 50 answers are those of figure 4.2, of which only the bounds are taken."


BEYOND_SHAPE = replace(BEYOND, document=PublishedText.BESIDE).figure(
    "Shape",
    47,
    "Smooth, spiky or equal answers",
    f"Four protocols on four public shapes of 50 answers, {count(_PEOPLE)} people.",
    settings=(
        ("answers", "one table of ages", "four public shapes, moved and stretched at random in every run"),
        ("people", "–", count(_PEOPLE)),
        ("ε", "–", "ln 20"),
        ("repetitions", "–", "20"),
        *DISTANCES,
        ESTIMATOR,
    ),
    published=_by_shape("By Manhattan", BY_MANHATTAN),
    mended=_by_shape("By Kantorovich", BY_KANTOROVICH),
    differs=(
        by("Manhattan", _winners("Manhattan", lambda outcome: outcome.published)),
        by("Kantorovich", _winners("Kantorovich", lambda outcome: outcome.mended)),
        STANDARD_ERRORS,
        _public,
    ),
    words=BY_DISTANCE,
    seconds=2.0,
    name="beyond-shape",
)


# Other libraries

_SALARIES = SampleColumn("baltimore_salaries.csv", "annual salary")
_EPSILONS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
OPENDP = "Global DP (OpenDP)"
NO_OPENDP = "OpenDP is not installed: “pip install opendp” adds its curve."
"""Of this computer, not of the figure: below a picture that is printed it does not stand."""
_EXACT, _LIBRARY, _MEAN = DISCRETE, "Global DP (diffprivlib)", "Mean"


def _mean(given: FigureInput) -> Question:
    return Question(Statistic.MEAN, given.column, EncodingChoice(bounds=None if given.own else (0.0, 300_000.0)))


def _histogram(given: FigureInput) -> Question:
    bounds = None if given.own else (0.0, 300_000.0)
    encoding = EncodingChoice(how=EncodingKind.BINS, bins=19, bounds=bounds, outside=Outside.CLIP)
    return Question(Statistic.HISTOGRAM, given.column, encoding)


def _drawn_by_opendp(given: FigureInput, question: Question, metric: Metric) -> PanelCurve:
    """Errors of answers whose noise OpenDP drew, from the operating system: no seed repeats them.

    Raises
    ------
    WorkbenchError
        If OpenDP is not there.
    """
    subject = subject_of(given.material, question)
    found: list[Floats] = []
    for epsilon in _EPSILONS:
        asked = curator(
            "opendp", subject, epsilon, lambda kind, query: OpenDPNoise(kind.identifier, kind.compile(query))
        )
        asked.mechanism.get_ready()
        statistic = subject.everyone.statistic("opendp", asked.mechanism.measure)
        # It draws by itself.
        answers = [asked.mechanism.release(statistic, cast(Draws, None)).value for _ in range(given.repetitions)]
        drawn = np.asarray(answers, dtype=np.float64).reshape(given.repetitions, -1)
        size = subject.size_of(len(subject))
        found.append(measured(metric, subject.truth, drawn, size, subject.domain.positions))
    return PanelCurve(
        OPENDP,
        Approach.GLOBAL,
        _EPSILONS,
        tuple(float(one.mean()) for one in found),
        tuple(deviation(one) for one in found),
        given.repetitions,
    )


def _asked_of_all(title: str, question: Callable[[FigureInput], Question], metric: Metric) -> Make:
    sweep = FigureSweep(
        title,
        question,
        (
            MethodChoice("global-grid", label=_EXACT),
            MethodChoice("global-diffprivlib", label=_LIBRARY),
        ),
        _EPSILONS,
        metric,
    )

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        (panel,) = sweep(given, tell).panels
        drawn = tuple(one for one in panel.curves if not one.formula)
        truth = subject_of(given.material, question(given)).truth
        numbers = {_MEAN: OurValue(float(truth[0]))} if len(truth) == 1 else {}
        # It is an extra; where it is not installed a line below says so.
        with suppress(WorkbenchError):
            drawn = (*drawn, _drawn_by_opendp(given, question(given), metric))
        return FigureSide((replace(panel, curves=drawn),), numbers)

    return make


def _beside_opendp(outcome: FigureOutcome) -> str:
    if all(value_at(side, OPENDP, 1.0) is None for side in (outcome.published, outcome.mended)):
        return NO_OPENDP
    return (
        "OpenDP draws discrete noise of the same distribution with code of its own; its ε is the one that its privacy "
        "map states."
    )


def _diffprivlib(outcome: FigureOutcome) -> str:
    exact, other = (error_text(outcome.published, name, 1.0) for name in (_EXACT, _LIBRARY))
    made = outcome.published.panels[0].made if outcome.own else None
    unit = made.unit if isinstance(made, Findings) else "" if outcome.own else "$"
    other, exact = (f"${one}" if unit == "$" else f"{one} {unit}".rstrip() for one in (other, exact))
    with_noise = f" and by {exact} with discrete noise (± is one standard error)"
    if value_at(outcome.published, _EXACT, 1.0) is None:  # bounds too far apart for a grid, say
        with_noise = " (± is one standard error); discrete noise has no answer"
    return (
        "For the mean diffprivlib takes the number of rows as public, and its ε protects replacing a row; that of "
        "discrete noise protects adding or leaving out a row, so replacing one at 2ε. At ε = 1 the mean errs "
        f"by {other} with diffprivlib{with_noise}."
    )


def _cut(outcome: FigureOutcome) -> str:
    exact, other = (error_text(outcome.mended, name, 1.0) for name in (_EXACT, _LIBRARY))
    return (
        f"At ε = 1 the histogram, summed over its 19 bars (Manhattan distance), errs by {other} rows with diffprivlib "
        f"and by {exact} with discrete noise. diffprivlib sets counts below 0 to 0, so that empty bars err half as "
        "much. For a histogram both protect adding or leaving out a row."
    )


def _wider(outcome: FigureOutcome) -> str:
    """Effect of the other upper bound on the mean."""
    if outcome.own:
        return "The bounds are those that are declared for your column."
    times = error_by_bound(outcome.published.numbers[_MEAN].mean)
    return (
        "The bounds are those of the bars of the code of p. 28; the text has $500,000 as the upper one (p. 27), "
        f"with which the mean would err 5/3 times as much with diffprivlib, and {with_places(times, 2)} times with "
        "discrete noise."
    )


def error_by_bound(mean: float) -> float:
    """How many times as much the mean errs with the upper bound 500,000 as with 300,000, by discrete noise.

    One sum is of what is below each salary, the other of what is above it up to the bound u. With x = mean/u the mean
    is off by u·((1 − x)·Y − x·Z) for noises Y and Z of equal scale, and for Laplace noise E|aY − bZ| is as
    (a² + ab + b²)/(a + b).
    """

    def errs(upper: float) -> float:
        below = mean / upper
        return upper * (1 - below * (1 - below))

    return errs(500_000.0) / errs(300_000.0)


_OF_MEAN, _OF_BARS = "Mean", "Histogram, 19 bars"
BEYOND_LIBRARIES = replace(BEYOND, sample=_SALARIES, repetitions=50).figure(
    "Libraries",
    61,
    "The same question to each",
    "A mean and a histogram, asked of each library with the same bounds and ε.",
    settings=(
        ("bounds", "–", "$0 to $300,000"),
        ("ε", "–", "0.1 to 5"),
        ("repetitions", "–", "50"),
        ("rows", "–", "13,811"),
        (
            "mechanism",
            "–",
            "discrete Laplace, also OpenDP's where it is installed; Laplace and geometric, truncated (diffprivlib)",
        ),
    ),
    published=_asked_of_all(_OF_MEAN, _mean, Metric()),
    mended=_asked_of_all(_OF_BARS, _histogram, Metric(Distance.MANHATTAN)),
    differs=(
        _beside_opendp,
        LineBelow(_diffprivlib, (_OF_MEAN,)),
        LineBelow(_cut, (_OF_BARS,)),
        LineBelow(_wider, (_OF_MEAN,)),
    ),
    words={
        _OF_MEAN: PanelWords("A mean, asked of each library with the same bounds and ε."),
        _OF_BARS: PanelWords("A histogram, asked of each library with the same bounds and ε."),
    },
    seconds=5.0,
    name="beyond-libraries",
)
