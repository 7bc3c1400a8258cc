"""Beyond the figures: unary encoding estimated from all bits at once, by expectation maximisation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from workbench.evaluate.experiment import Axis
from workbench.evaluate.method import Approach
from workbench.evaluate.published.agreement import OurValue
from workbench.evaluate.published.beyond import (
    BEYOND,
    BY_DISTANCE,
    BY_KANTOROVICH,
    BY_MANHATTAN,
    DISTANCES,
    by,
    unit_of_error,
)
from workbench.evaluate.published.chapter4 import local
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Make, Tell
from workbench.evaluate.published.experiment_runs import heading_of, unit_of
from workbench.evaluate.published.frame import FigureSweep
from workbench.evaluate.published.local_runs import LN20, ages, deviation
from workbench.evaluate.published.panel import PanelCurve, PublishedPanel, PublishedText
from workbench.evaluate.published.setting_rows import SMOOTHED
from workbench.evaluate.published.unary_em import draw_bits, maximised
from workbench.evaluate.published.winners import (
    ONE_ERROR,
    error_text,
    of_people,
    standard_error,
    told_apart,
    with_error,
)
from workbench.evaluate.question import Floats, Metric, measured
from workbench.evaluate.subject import subject_of
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.postprocessing import Noise, postprocess
from workbench.ldp.protocol import Support
from workbench.ldp.simulated_reports import seed_of
from workbench.ldp.unary import PureRandomiser

_SOME = (10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1_000.0, 2_000.0)
_NORM_SUB, _MOST_LIKELY = "{}, Norm-Sub", "{}, EM"
_UNARIES = (("oue", "Unary (OUE)"), ("sue", "Unary (symmetric)"))
_EM = "Distance-sensitive, EM"
_LEFT = 1e-3
"""So small a part of the error EM may leave: it stops where a step changes all shares by less than 1e-4 in sum."""
_LESS = "Norm-Sub less EM"
"""How much less EM errs from the same bits, of OUE with the most people, is kept under this name."""


def _unary_by_people(metric: Metric) -> Make:
    """Unary protocols by Norm-Sub and by EM from the same bits, and beside them distance-sensitive encoding."""

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        subject = subject_of(given.material, ages(given))
        adjust, everyone = postprocess("norm-sub"), subject.everyone.counts
        errors: dict[str, dict[float, Floats]] = {}
        title = f"By {str(metric.distance).capitalize()}"
        panel = PublishedPanel(title)
        places = [place for place in _SOME if place <= everyone.sum()] or [float(everyone.sum())]
        for done, place in enumerate(places):
            generator = np.random.Generator(np.random.PCG64(seed_of(given.seed, "unary by EM", place)))
            for protocol, name in _UNARIES:
                randomiser = ProtocolChoice.parse(protocol).frequency(len(everyone), LN20)
                assert isinstance(randomiser, PureRandomiser)
                p, q = randomiser.pure
                found: dict[str, list[float]] = {_NORM_SUB.format(name): [], _MOST_LIKELY.format(name): []}
                for _ in range(given.repetitions):
                    given.progress(0.7 * done / len(places))
                    counts = generator.multivariate_hypergeometric(everyone, int(place))
                    bits = draw_bits(counts, p, q, generator)
                    linear = randomiser.estimate(Support(int(place), bits.sum(axis=0)))
                    for way, answer in zip(
                        found,
                        (adjust(linear, place, Noise(1.0)), place * maximised(bits, p, q)),
                        strict=True,
                    ):
                        wrong = measured(metric, counts, answer[np.newaxis], 1.0, subject.domain.positions)
                        found[way].append(float(wrong[0]))
                for way, several in found.items():
                    errors.setdefault(way, {})[place] = np.array(several)
            curves = tuple(
                PanelCurve(
                    way,
                    Approach.LOCAL,
                    tuple(at),
                    tuple(float(one.mean()) for one in at.values()),
                    tuple(deviation(one) for one in at.values()),
                    given.repetitions,
                )
                for way, at in errors.items()
            )
            panel = PublishedPanel(title, "People", heading_of(metric, unit_of(given)), curves)
            tell((panel,))
        rest = replace(given, progress=given.progress.part(0.7, 1.0))
        beside = FigureSweep("", ages, (local("ds", _EM),), _SOME, metric, Axis.USERS, LN20)(rest, lambda panels: None)
        name, last = _UNARIES[0][1], places[-1]
        less = errors[_NORM_SUB.format(name)][last] - errors[_MOST_LIKELY.format(name)][last]
        numbers = {_LESS: OurValue(float(less.mean()), deviation(less), given.repetitions)}
        return FigureSide((replace(panel, curves=(*panel.curves, *beside.panels[0].curves)),), numbers)

    return make


def _paired(less: OurValue, unit: str, error: float) -> str:
    """Whether EM errs less, from the differences of errors of the same bits: each error alone says less of that.

    A difference far smaller than the error itself is what is left where EM stops.
    """
    size = replace(less, mean=abs(less.mean))
    if not standard_error(less) or not told_apart(size, OurValue(0.0)) or size.mean < _LEFT * error:
        return "; from the same bits, these two cannot be told apart"
    return f"; from the same bits, EM errs {'less' if less.mean > 0 else 'more'}, by {with_error(size)}{unit}"


def _em_lines(distance: str, side: Callable[[FigureOutcome], FigureSide]) -> Callable[[FigureOutcome], str]:
    def line(outcome: FigureOutcome) -> str:
        made, name = side(outcome), _UNARIES[0][1]
        unit = unit_of_error(outcome) if distance == "Kantorovich" else ""
        places = made.panels[0].curves[0].places
        told = [
            f"by {error_text(made, _MOST_LIKELY.format(name), place)}{unit} with EM and "
            f"{error_text(made, _NORM_SUB.format(name), place)} with Norm-Sub at {of_people(place)}"
            for place in dict.fromkeys((places[0], places[-1]))  # one's own column may have too few for both
        ]
        less = made.numbers.get(_LESS)
        return (
            f"By {distance} distance, unary encoding (OUE) errs {', and '.join(told)}"
            f"{_paired(less, unit, _error_at_end(made)) if less else ''}. {_beside_unary(made, unit)}"
        )

    return line


def _error_at_end(side: FigureSide) -> float:
    """What OUE errs by with the most people, estimated by EM."""
    name = _MOST_LIKELY.format(_UNARIES[0][1])
    return next(one.means[-1] for one in side.panels[0].curves if one.name == name)


def _beside_unary(side: FigureSide, unit: str) -> str:
    """Error of distance-sensitive encoding with the most people, and whether that is more than all others."""
    found = {one.name: value for one in side.panels[0].curves if (value := one.at(one.places[-1])) is not None}
    own = found.pop(_EM)
    most = all(told_apart(own, other) for other in found.values())
    return (
        f"There distance-sensitive encoding errs by {with_error(own)}{unit}{', more than all others' if most else ''}."
    )


BEYOND_UNARY = replace(BEYOND, document=PublishedText.AFTER).figure(
    "EM for unary",
    0,
    "From all bits, beside Norm-Sub",
    "The same bits, estimated by Norm-Sub and by EM from every report. Distance-sensitive encoding, whose EM is "
    "smoothed, is drawn beside them.",
    settings=(
        ("answers", "–", "50 ages, of the people of figure 4.2"),
        ("people", "–", "10 to 2,000"),
        ("ε", "–", "ln 20"),
        *DISTANCES,
        ("repetitions", "–", "20"),
        ("protocols", "–", "OUE and symmetric (p + q = 1) unary encoding, distance-sensitive encoding"),
        ("estimator", "–", f"Norm-Sub and EM from all bits, not smoothed; of distance-sensitive encoding {SMOOTHED}"),
    ),
    published=_unary_by_people(BY_MANHATTAN),
    mended=_unary_by_people(BY_KANTOROVICH),
    differs=(
        by("Manhattan", _em_lines("Manhattan", lambda outcome: outcome.published)),
        by("Kantorovich", _em_lines("Kantorovich", lambda outcome: outcome.mended)),
        ONE_ERROR,
    ),
    words=BY_DISTANCE,
    seconds=4.5,
    name="beyond-unary-em",
)
