"""Beyond the figures: what the thesis leaves open (p. 61), each as a figure of its own."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.number_text import estimate
from workbench.evaluate.experiment import Axis
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import TableRows
from workbench.evaluate.published.chapter4 import SPIKY, local
from workbench.evaluate.published.entry import FigureOutcome, FigureSide, PublishedPanel, PublishedText
from workbench.evaluate.published.frame import ChapterFrame, FigureSweep
from workbench.evaluate.published.local_runs import LN20, ages
from workbench.evaluate.question import Distance, Metric

_BEYOND = ChapterFrame(PublishedText.THESIS, "Beyond the figures").of(SPIKY, 20)
_USERS = (10.0, 20.0, 35.0, 60.0, 100.0, 200.0, 500.0, 1_000.0, 4_000.0)
_LINEAR, _EM, _UNARY, _DIRECT = (
    "Distance-sensitive, linear",
    "Distance-sensitive, EM",
    "Unary (OUE), linear",
    "Direct, linear",
)

_BY_MANHATTAN, _BY_KANTOROVICH = (Metric(one, normalised=True) for one in (Distance.MANHATTAN, Distance.KANTOROVICH))


def _by_people(title: str, metric: Metric, methods: tuple[MethodChoice, ...]) -> FigureSweep:
    return FigureSweep(title, ages, methods, _USERS, metric, Axis.USERS, LN20)


def _leads(side: FigureSide, one: str, other: str) -> list[float]:
    """Where the first of two curves is above the second."""
    curves = {curve.name: curve for panel in side.panels for curve in panel.curves}
    pairs = zip(curves[one].places, curves[one].means, curves[other].means, strict=True)
    return [place for place, error, another in pairs if error > another]


def _least(panel: PublishedPanel, place: float) -> str:
    """The curve with the smallest error at a place."""
    found = [(value.mean, curve.name) for curve in panel.curves if (value := curve.at(place)) is not None]
    return min(found)[1]


def _loses(outcome: FigureOutcome) -> str:
    worse = _leads(outcome.published, _LINEAR, _UNARY)
    lost = f"from {estimate(worse[0])} people" if worse else "nowhere"
    return f"With the linear estimator of both, distance-sensitive encoding errs more than unary encoding {lost}."


def _by_em(outcome: FigureOutcome) -> str:
    first = outcome.mended.panels[0].curves[0]
    return f"Estimated by EM it errs {estimate(first.means[-1], 3)} at {estimate(first.places[-1])} people."


_SETTINGS: TableRows = (("ε", "–", "ln 20"), ("error", "–", "of two distributions"), ("repetitions", "–", "20"))
BEYOND_ESTIMATOR = _BEYOND.figure(
    "Estimator",
    61,
    "Is it the protocol or its estimator",
    "Left the linear estimators, right the usual ones. Distance-sensitive encoding leads unary encoding by EM alone.",
    settings=_SETTINGS,
    published=_by_people(
        "Linear estimators",
        _BY_KANTOROVICH,
        tuple(
            local(one, name, estimator="unbiased", postprocess="none")
            for one, name in (("ds", _LINEAR), ("oue", _UNARY), ("grr", _DIRECT))
        ),
    ),
    mended=_by_people(
        "Usual estimators",
        _BY_KANTOROVICH,
        (local("ds", _EM), local("oue", "Unary (OUE), Norm-Sub"), local("square-wave", "Square Wave, EM")),
    ),
    differs=(_loses, _by_em, "So the estimator decides, not the protocol."),
    seconds=8.0,
    name="beyond-estimator",
)

_THETAS = tuple(local(f"ds=theta:{theta}", f"θ = {theta}") for theta in (1, 2, 3, 4))


def _best(distance: str, side: Callable[[FigureOutcome], FigureSide]) -> Callable[[FigureOutcome], str]:
    def line(outcome: FigureOutcome) -> str:
        (panel,) = side(outcome).panels
        few, many = panel.curves[0].places[0], panel.curves[0].places[-1]
        return (
            f"By {distance} {_least(panel, few)} is best with {estimate(few)} people, {_least(panel, many)} with "
            f"{estimate(many)}."
        )

    return line


BEYOND_THETA = _BEYOND.figure(
    "Reach θ",
    61,
    "Which reach θ is best",
    "The same ε allows every θ up to 4; the largest errs least at both ends of the axis.",
    settings=_SETTINGS,
    published=_by_people("By Manhattan", _BY_MANHATTAN, _THETAS),
    mended=_by_people("By Kantorovich", _BY_KANTOROVICH, _THETAS),
    differs=(
        _best("Manhattan", lambda outcome: outcome.published),
        _best("Kantorovich", lambda outcome: outcome.mended),
        "A smaller θ spends less: ln 2, ln 6, ln 12 and ln 20.",
    ),
    seconds=10.0,
    name="beyond-theta",
)
_FOUR = (
    local("grr", "Direct encoding"),
    local("oue", "Unary (OUE)"),
    local("ds", "Distance-sensitive"),
    local("square-wave", "Square Wave"),
)
_BINS = (5.0, 10.0, 20.0, 50.0, 100.0, 200.0)


def _by_bins(title: str, metric: Metric) -> FigureSweep:
    return FigureSweep(title, ages, _FOUR, _BINS, metric, Axis.BINS, LN20, 1_000)


def _size_line(distance: str, side: Callable[[FigureOutcome], FigureSide]) -> Callable[[FigureOutcome], str]:
    def line(outcome: FigureOutcome) -> str:
        (panel,) = side(outcome).panels
        return (
            f"By {distance} {_least(panel, _BINS[0])} is best with 5 values, {_least(panel, 50.0)} with 50, "
            f"{_least(panel, _BINS[-1])} with 200."
        )

    return line


BEYOND_VALUES = _BEYOND.figure(
    "Values d",
    61,
    "From 5 values to 200",
    "Direct encoding suits few values, unary encoding many; by Kantorovich Square Wave leads at every size.",
    settings=_SETTINGS,
    published=_by_bins("By Manhattan, 1,000 people", _BY_MANHATTAN),
    mended=_by_bins("By Kantorovich, 1,000 people", _BY_KANTOROVICH),
    differs=(
        _size_line("Manhattan", lambda outcome: outcome.published),
        _size_line("Kantorovich", lambda outcome: outcome.mended),
    ),
    seconds=10.0,
    name="beyond-values",
)
