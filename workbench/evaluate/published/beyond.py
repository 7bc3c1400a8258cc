"""Beyond the figures: what the thesis leaves open (p. 61), each as a figure of its own."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from workbench.core.number_text import estimate
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import Needs, SampleColumn, TableRows
from workbench.evaluate.published.entry import (
    FigureInput,
    FigureOutcome,
    FigureSide,
    PublishedFigure,
    PublishedPanel,
    PublishedText,
    Tell,
)
from workbench.evaluate.published.experiment_runs import experiments
from workbench.evaluate.published.local_runs import LN20, ages
from workbench.evaluate.question import Distance, Metric
from workbench.evaluate.subject import subject_of

_CHAPTER = "Beyond the figures"
_SPIKY = SampleColumn("spiky_ages.csv", "age")
_USERS = (10.0, 20.0, 35.0, 60.0, 100.0, 200.0, 500.0, 1_000.0, 4_000.0)
_LINEAR, _EM, _UNARY, _DIRECT = (
    "Distance-sensitive, linear",
    "Distance-sensitive, EM",
    "Unary (OUE), linear",
    "Direct, linear",
)

Makers = Callable[[FigureInput, Tell], FigureSide]


def _local(protocol: str, label: str, estimator: str = "auto", postprocess: str = "auto") -> MethodChoice:
    values = {"protocol": protocol, "estimator": estimator, "postprocess": postprocess}
    return MethodChoice("local", MappingProxyType(values), label=label)


def _run(
    title: str, distance: Distance, methods: tuple[MethodChoice, ...], axis: Axis, places: tuple[float, ...]
) -> Makers:
    """Methods at ε = ln 20, against people or values."""

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        rows = len(subject_of(given.material, ages(given)))
        experiment = Experiment(
            question=ages(given),
            metric=Metric(distance, normalised=True),
            methods=methods,
            axis=axis,
            places=tuple(one for one in places if axis is not Axis.USERS or one <= rows),
            users=None if axis is Axis.USERS else min(1_000, rows),
            epsilon=LN20,
            repetitions=given.repetitions,
            seed=given.seed,
        )
        return experiments(given, [(title, experiment)], tell)

    return make


def _leads(side: FigureSide, one: str, other: str) -> list[float]:
    """Where the first of two curves is above the second."""
    curves = {curve.name: curve for panel in side.panels for curve in panel.curves}
    pairs = zip(curves[one].places, curves[one].means, curves[other].means, strict=True)
    return [place for place, error, another in pairs if error > another]


def _least(panel: PublishedPanel, place: float) -> str:
    """The curve with the smallest error at a place."""
    found = [(value.mean, curve.name) for curve in panel.curves if (value := curve.at(place)) is not None]
    return min(found)[1]


def _estimator_lines(outcome: FigureOutcome) -> tuple[str, ...]:
    worse = _leads(outcome.published, _LINEAR, _UNARY)
    lost = f"from {estimate(worse[0])} people" if worse else "nowhere"
    first = outcome.mended.panels[0].curves[0]
    return (
        f"With the linear estimator of both, distance-sensitive encoding errs more than unary encoding {lost}.",
        f"Estimated by EM it errs {estimate(first.means[-1], 3)} at {estimate(first.places[-1])} people.",
        "So the estimator decides, not the protocol; unary encoding has no EM here: its reports are too many to count.",
    )


_SETTINGS: TableRows = (("ε", "–", "ln 20"), ("error", "–", "of two distributions"), ("repetitions", "–", "20"))


def _figure(
    name: str,
    number: str,
    title: str,
    caption: str,
    left: Makers,
    right: Makers,
    lines: Callable[[FigureOutcome], tuple[str, ...]],
    seconds: float,
) -> PublishedFigure:
    return PublishedFigure(
        name, number, PublishedText.THESIS, 61, _CHAPTER, title, caption, _SETTINGS, (), left, right, lines,
        Needs.NUMBERS, _SPIKY, repetitions=20, seconds=seconds,
    )  # fmt: skip


BEYOND_ESTIMATOR = _figure(
    "beyond-estimator",
    "Estimator",
    "Is it the protocol or its estimator",
    "Left the linear estimators, right the usual ones. Distance-sensitive encoding leads unary encoding by EM alone.",
    _run(
        "Linear estimators",
        Distance.KANTOROVICH,
        (
            _local("ds", _LINEAR, "unbiased", "none"),
            _local("oue", _UNARY, "unbiased", "none"),
            _local("grr", _DIRECT, "unbiased", "none"),
        ),
        Axis.USERS,
        _USERS,
    ),
    _run(
        "Usual estimators",
        Distance.KANTOROVICH,
        (_local("ds", _EM), _local("oue", "Unary (OUE), Norm-Sub"), _local("square-wave", "Square Wave, EM")),
        Axis.USERS,
        _USERS,
    ),
    _estimator_lines,
    8.0,
)


def _theta(distance: Distance, title: str) -> Makers:
    methods = tuple(_local(f"ds=theta:{theta}", f"θ = {theta}") for theta in (1, 2, 3, 4))
    return _run(title, distance, methods, Axis.USERS, _USERS)


def _theta_lines(outcome: FigureOutcome) -> tuple[str, ...]:
    (near,), (moved,) = outcome.published.panels, outcome.mended.panels
    few, many = near.curves[0].places[0], near.curves[0].places[-1]
    return (
        f"By Manhattan {_least(near, few)} is best with {estimate(few)} people, {_least(near, many)} with "
        f"{estimate(many)}.",
        f"By Kantorovich {_least(moved, few)} is best with {estimate(few)} people, {_least(moved, many)} with "
        f"{estimate(many)}.",
        "A smaller θ spends less: ln 2, ln 6, ln 12 and ln 20.",
    )


BEYOND_THETA = _figure(
    "beyond-theta",
    "Reach θ",
    "Which reach θ is best",
    "The same ε allows every θ up to 4; the largest errs least at both ends of the axis.",
    _theta(Distance.MANHATTAN, "By Manhattan"),
    _theta(Distance.KANTOROVICH, "By Kantorovich"),
    _theta_lines,
    10.0,
)
_FOUR = (
    _local("grr", "Direct encoding"),
    _local("oue", "Unary (OUE)"),
    _local("ds", "Distance-sensitive"),
    _local("square-wave", "Square Wave"),
)
_BINS = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0)


def _size_lines(outcome: FigureOutcome) -> tuple[str, ...]:
    (near,), (moved,) = outcome.published.panels, outcome.mended.panels
    return tuple(
        f"By {name} {_least(panel, _BINS[0])} is best with 5 values, {_least(panel, 50.0)} with 50, "
        f"{_least(panel, _BINS[-1])} with 200."
        for name, panel in (("Manhattan", near), ("Kantorovich", moved))
    )


BEYOND_VALUES = _figure(
    "beyond-values",
    "Values d",
    "From 5 values to 200",
    "Direct encoding suits few values, unary encoding many; by Kantorovich Square Wave leads at every size.",
    _run("By Manhattan, 1,000 people", Distance.MANHATTAN, _FOUR, Axis.BINS, _BINS),
    _run("By Kantorovich, 1,000 people", Distance.KANTOROVICH, _FOUR, Axis.BINS, _BINS),
    _size_lines,
    10.0,
)
