"""Errors of simulated collections as lines of a table, beside those that were predicted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from workbench.core.chance import chance_of, reach_of_deviation
from workbench.core.number_text import counted, estimate, margin_down, margin_up, rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import Shape
from workbench.ldp.prediction import Prediction
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulated_errors import SimulatedMargin
from workbench.ldp.simulation import METRICS, FrequencyResult, MeanResult, SimulationErrors
from workbench.plots.ticks import csv_cell
from workbench.session.collection.beside_margins import curator_within, guess_off
from workbench.session.collection.foreseen import ordering_error
from workbench.session.collection.mean_decision import GUESS, MEAN
from workbench.session.collection.results import Planned, Simulated
from workbench.session.collection.two_answers import named, names_in
from workbench.session.collection.words import (
    CURATOR,
    DIGITS,
    bits_text,
    of_tries,
    points_in_column,
    protocol_words,
    scale_of,
    significant,
)

_NONE = "–"
_JOINED = "\u00a0"
"""A space at which no line ends."""
_TIP = "As the page “Prediction” has it: before anybody answers, for {}"
_MARGIN_TIP = "By formula, for these shares, of the one of them of which the margin is widest"
_SHORT_ERRORS = [scale_of(metric).short for metric in METRICS]
_ONE_CASE = "Of {} in one place; the page “Prediction” has the average over many such, and the worst of three shapes"
_FALLING = "Of {}; where no shares are declared the page “Prediction” has the worst of three shapes"
_JUDGED = 3
"""Digits of a mean that is judged, and of the ends of what chance leaves it."""
_DUST = 1e-9
"""What computing leaves of an error, as a part of it."""
_UNLIKE = "The shares of these rows are like none of the shapes that are assumed."


@dataclass(frozen=True)
class NumbersTable:
    """A table of texts.

    Parameters
    ----------
    headings, lines
        The texts; as many in each line as there are headings.
    numbers
        Which columns are numbers, and not words.
    tips
        What else is to be said of a heading.
    """

    headings: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    numbers: tuple[bool, ...]
    tips: Mapping[str, str]


def comparable(planned: Planned | None, found: Simulated) -> Planned | None:
    """A prediction that is of the same error as what was simulated: of as many people, and as much drawn from all."""
    if planned is None or planned.plan.sampling is not found.sampled or planned.plan.users != found.users:
        return None
    return planned


def assumed_beside(found: Simulated) -> str:
    """Behind the shape that was simulated, in one of its many places, that a prediction is of many; "" elsewhere."""
    return " (Prediction: many)" if found.assumed.startswith("one ") else ""


def simulated_table(
    found: Simulated,
    metrics: tuple[str, ...],
    epsilon: float,
    recommended: ProtocolChoice | None = None,
    planned: Planned | None = None,
    by: str = "",
) -> NumbersTable:
    """All numbers of a simulation, the smallest error first: the predicted one, where it is of these very answers.

    Parameters
    ----------
    metrics
        The errors of shares that are shown.
    epsilon
        The ε that is set, with which a curator answers.
    recommended
        The protocol that a prediction takes, which is said of it.
    planned
        The prediction, whose error stands behind the one that it ranks by; None where there is none of the same people.
    by
        The error by which lines are sorted; "" for the first that is shown.
    """
    if not (found.results or found.baselines is not None):
        return _of_means(found, epsilon, recommended)
    order = by if by in metrics else metrics[0]
    beside: _Beside = _BesideMargin(found) if order == MARGIN else _BesideErrors(found, planned, order)
    chance, means = _chance(found), bool(found.means)
    heads, tips = ["Protocol"], dict[str, str]()
    for place, metric in enumerate(metrics):
        short = (
            f"{scale_of(MARGIN).short},\u00a0{scale_of(MARGIN).unit}" if metric == MARGIN else scale_of(metric).short
        )
        heads.append(f"{short}{chance if place == 0 else chance[:2]}")  # of 95 %, too
        if metric == beside.metric:
            heads.append(beside.heading)
            tips[heads[-1]] = beside.tip
    heads += ["Mean", f"Off by{chance[:2]}"] if means else []
    heads += ["ε", "Bits", "Estimator"]
    blank = (_NONE,) * 2 * means

    def errors(each: Mapping[str, str], predicted: str) -> list[str]:
        cells = []
        for metric in metrics:
            cells += [each[metric], predicted] if metric == beside.metric else [each[metric]]
        return cells

    lines = list[tuple[float, tuple[str, ...]]]()
    for name, one in zip(_names(found, found.results, recommended), found.results, strict=True):
        by_metric = {metric: one.errors_by(metric) for metric in metrics}
        each = {metric: _NONE if each is None else scale_of(metric).cell(each) for metric, each in by_metric.items()}
        estimator = one.estimator if one.postprocess == "none" else f"{one.estimator}, {one.postprocess}"
        said = errors(each, beside.of(one))
        costs = rounded_up(one.epsilon), bits_text(one.bits), estimator
        lines.append((ordering_error(found, order, one), (name, *said, *blank, *costs)))
    if found.baselines is not None:
        curator, guess = found.baselines.curator, {**found.baselines.uniform, MARGIN: guess_off(found) or 0.0}
        each = {metric: scale_of(metric).cell(curator[metric]) if metric in curator else _NONE for metric in metrics}
        said = errors(each, beside.curator)
        near = curator[order].mean if order in curator else curator_within(found) or 0.0
        lines.append((near, (CURATOR, *said, *blank, rounded_up(epsilon), _NONE, _NONE)))
        each = {metric: significant(scale_of(metric).factor * guess[metric], DIGITS) for metric in metrics}
        said = errors(each, beside.uniform)
        lines.append((guess[order], ("A uniform guess", *said, *blank, "0", _NONE, _NONE)))
    ordered = [line for _, line in sorted(lines, key=lambda one: one[0])]
    for name, mean in zip(_names(found, found.means, recommended), found.means, strict=True):
        each = dict.fromkeys(metrics, _NONE)
        ordered.append((name, *errors(each, _NONE), *_mean_cells(mean), _NONE))
    if found.assumed and found.shape in (Shape.HUMP, Shape.SPIKY, Shape.FALLING):
        # Else it is read as the same error of the page “Prediction”, which is of another shape by the same word.
        of_one = _FALLING if found.shape is Shape.FALLING else _ONE_CASE
        tips |= {head: of_one.format(found.assumed) for head in heads if head.startswith(tuple(_SHORT_ERRORS))}
    return NumbersTable(tuple(heads), tuple(ordered), (False, *[True] * (len(heads) - 2), False), tips)


class _Beside(Protocol):
    """What stands in the column behind the error by which lines are sorted."""

    metric: str
    heading: str
    tip: str

    def of(self, one: FrequencyResult) -> str:
        """Of a protocol."""

    @property
    def curator(self) -> str:
        """Of a trusted curator."""

    @property
    def uniform(self) -> str:
        """Of a uniform guess."""


class _BesideMargin:
    """The margin by formula of the very shares that were simulated."""

    metric, heading, tip = MARGIN, "Predicted", _MARGIN_TIP
    uniform = _NONE

    def __init__(self, found: Simulated) -> None:
        self.curator = _margin_cell(curator_within(found))

    def of(self, one: FrequencyResult) -> str:
        return _margin_cell(None if one.margin is None else one.margin.expected)


def _margin_cell(margin: float | None) -> str:
    return _NONE if margin is None else points_in_column(margin)


class _BesideErrors:
    """The prediction beside a simulation: of the very shares that were simulated, else of the shapes assumed."""

    def __init__(self, found: Simulated, planned: Planned | None, by: str) -> None:
        own, several = found.foreseen, planned is not None and len(planned.plan.cases) > 1
        self.metric, self._known, self._reference = "", tuple[Prediction, ...](), None
        if own is not None:
            self.metric, self._known, self._reference = by, own.predictions, own.reference
        elif planned is not None:
            self.metric, self._known, self._reference = planned.ranked, _known(planned), planned.reference
        self.heading = "Predicted, the worst" if own is None and several else "Predicted"
        self.tip = _TIP.format("the assumed shapes of the shares" if own is None else found.assumed)

    def of(self, one: FrequencyResult) -> str:
        found = _prediction(self._known, one.choice)
        return _NONE if found is None else scale_of(self.metric).predicted(found.error(self.metric))

    @property
    def curator(self) -> str:
        return self._written({} if self._reference is None else self._reference.curator)

    @property
    def uniform(self) -> str:
        return self._written({} if self._reference is None else self._reference.uniform)

    def _written(self, errors: Mapping[str, float]) -> str:
        return scale_of(self.metric).predicted(errors[self.metric]) if self.metric in errors else _NONE


def numbers_csv(numbers: NumbersTable) -> str:
    """The lines as CSV: each margin in a column of its own, and no commas in numbers."""
    columns = list(zip(numbers.headings, *numbers.lines, strict=True))
    written = list[list[str]]()
    for (heading, *cells), number in zip(columns, numbers.numbers, strict=True):
        if not number:
            written.append([heading, *cells])
            continue
        parts = [cell.replace(_JOINED, " ").replace(",", "").partition(" ± ") for cell in cells]
        name, _, chance = heading.replace(_JOINED, " ").partition(" ±")
        written.append([name, *("" if part[0] == _NONE else part[0].strip() for part in parts)])
        if any(part[1] for part in parts):
            written.append([f"{name} ±{chance}", *(part[2].strip() for part in parts)])
    return "".join(f"{','.join(map(csv_cell, row))}\n" for row in zip(*written, strict=True))


def _of_means(found: Simulated, epsilon: float, recommended: ProtocolChoice | None) -> NumbersTable:
    heads = ("Protocol", "Mean", f"Off by{_chance(found)}", "Predicted", "ε", "Bits")
    lines = list[tuple[float, tuple[str, ...]]]()
    for name, one in zip(_names(found, found.means, recommended), found.means, strict=True):
        mean, off, spent, bits = _mean_cells(one)
        place = ordering_error(found, MEAN, one)
        predicted = significant(place, DIGITS)
        lines.append((place, (name, mean, off, predicted, spent, bits)))
    if (beside := found.mean_baselines) is not None:
        off = of_tries(beside.curator)
        answered = CURATOR, estimate(beside.curator_mean), off, _NONE, rounded_up(epsilon), _NONE
        lines.append((beside.curator.mean, answered))
        off = significant(beside.guess, DIGITS)
        lines.append((beside.guess, (GUESS, estimate(beside.middle), off, _NONE, "0", _NONE)))
    tips = {"Predicted": "How far the estimate is off on average, by the formula of its variance for these values"}
    ordered = tuple(line for _, line in sorted(lines, key=lambda one: one[0]))
    return NumbersTable(heads, ordered, (False, *[True] * 5), tips)


def _names(
    found: Simulated, results: Sequence[FrequencyResult | MeanResult], recommended: ProtocolChoice | None
) -> tuple[str, ...]:
    return names_in([one.choice for one in results], found.plan, recommended)


def _mean_cells(one: MeanResult) -> tuple[str, str, str, str]:
    mean = estimate(float(np.mean(one.estimates)))
    return mean, of_tries(one.errors), rounded_up(one.epsilon), bits_text(one.bits)


def _known(planned: Planned) -> tuple[Prediction, ...]:
    return (*planned.predictions, *(one for one, _ in planned.tuned))


def _prediction(known: Sequence[Prediction], choice: ProtocolChoice) -> Prediction | None:
    return next((one for one in known if one.choice == choice and not one.problem), None)


def beside_predicted(
    found: Simulated, planned: Planned | None, metric: str, recommended: ProtocolChoice | None = None
) -> str:
    """The simulated beside the predicted error of one protocol, the one to take or else the best; "" for none."""
    if not found.results:
        return ""
    if metric == MARGIN:
        return _beside_margin(found, planned, recommended)
    # By what is predicted: the one that came out least would as a rule be below its prediction, by chance alone.
    best = min(found.results, key=lambda one: (one.choice != recommended, ordering_error(found, metric, one)))
    shapes = None if planned is None or metric != planned.ranked else _prediction(_known(planned), best.choice)
    exactly = None if found.foreseen is None else _prediction(found.foreseen.predictions, best.choice)
    scale, errors = scale_of(metric), best.errors[metric]
    known = [] if shapes is None else [case[metric] for case in shapes.cases.values()]
    if exactly is not None:
        predicted = f"{scale.predicted(exactly.error(metric))} for these shares"
        beside = _on_average(found, shapes, metric)
        if len(known) > 1:
            beside.append(f"{scale.predicted(max(known))} at worst")
        predicted += f" ({', '.join(beside)})" if beside else ""
    elif known:
        predicted = " to ".join(dict.fromkeys(scale.predicted(one) for one in (min(known), max(known))))
    else:
        return ""
    name = protocol_words(best.choice) if found.plan is None else named(best.choice, found.plan)
    chance = "" if exactly is None else _as_chance(errors, exactly, metric)
    words = f"{name}: predicted {predicted}, simulated {_came_to(errors, metric, known=bool(chance))}{chance}."
    # Assumed shares are one of the shapes, in one of its places only.
    return words if found.assumed or _agree(errors, known) else f"{words} {_UNLIKE}"


def _beside_margin(found: Simulated, planned: Planned | None, recommended: ProtocolChoice | None) -> str:
    """The same of the margin, whose formula is of the very people who are simulated, whoever they are."""
    known = [(one, one.margin) for one in found.results if one.margin is not None]
    if not known:
        return ""
    best, margin = min(known, key=lambda pair: (pair[0].choice != recommended, pair[1].expected))
    by_margin = () if planned is None else planned.by_margin
    widest = next((wide for one, wide in by_margin if one.choice == best.choice and math.isfinite(wide)), None)
    expected, most = _margin_cell(margin.expected), _margin_cell(widest)
    at_most = "" if most in (expected, _NONE) else f" (of any shares {most} at most)"
    name = protocol_words(best.choice) if found.plan is None else named(best.choice, found.plan)
    tries, encoded = len(margin.values), found.asked.encoded
    # One answer, chosen by formula before anything is simulated: the largest of several figures would be too large.
    answer = "" if encoded is None else f" of “{encoded.domain.labels[margin.answer]}”, the widest by formula"
    chance = _margin_as_chance(margin)
    return (
        f"{name}: predicted {expected} for these shares{at_most}; the margin{answer}, came to "
        f"{_came_to(margin, MARGIN, known=bool(chance))} in {counted(tries, 'collection')}{chance}."
    )


def _came_to(errors: SimulationErrors, metric: str, *, known: bool) -> str:
    """The mean error that simulations came to, and ± unless another interval follows by which it is judged.

    ± is from the spread of the simulated ones alone and as wide to both sides, so that the two may not agree.
    """
    scale = scale_of(metric)
    shown = estimate(scale.factor * errors.mean, _JUDGED) if known else scale.cell(errors)
    return f"{shown} {scale.unit}".strip().replace(" ", _JOINED)


def _as_chance(errors: SimulationErrors, predicted: Prediction, metric: str) -> str:
    """Whether chance explains how far a mean error is off what is predicted of it; "" of a single collection.

    By the spread that is predicted, and that of the simulated ones as far as those are many beside it: of a few alone
    it is small where they happen to be alike, which says nothing.
    """
    if (tries := len(errors.values)) < 2:
        return ""
    drawn, simulated = predicted.draws - 1, tries - 1
    squares = drawn * predicted.spread(metric) ** 2 + float(np.square(errors.values - errors.mean).sum())
    # What is predicted is drawn, too, as far as it is no formula, and is off by some chance of its own.
    spread = math.hypot(math.sqrt(squares / (drawn + simulated) / tries), predicted.se(metric))
    expected, known = predicted.error(metric), chance_of(drawn + simulated + 1)
    moved = known * spread + _DUST * expected
    return _told(errors.mean, expected - moved, expected + moved, scale_of(metric).factor)


def _margin_as_chance(margin: SimulatedMargin) -> str:
    """The same of a margin: by the law of 1.96 standard deviations of normal numbers, and not wider to be safe."""
    if (tries := len(margin.values)) < 2:
        return ""
    low, high = reach_of_deviation(tries)
    return _told(margin.mean, low * margin.normal, high * margin.normal, scale_of(MARGIN).factor)


def _told(mean: float, low: float, high: float, factor: float) -> str:
    """Between what chance leaves a mean in 95 of 100 such simulations, and whether it is there."""
    explained = low <= mean <= high
    # Rounded so that what is read says the same as the verdict.
    ends = (margin_down, margin_up) if explained else (margin_up, margin_down)
    least, most = (how(factor * max(end, 0.0), _JUDGED) for how, end in zip(ends, (low, high), strict=True))
    judged = "as chance allows" if explained else "farther off than chance moves 95 of 100 such simulations"
    return f" (by chance {least} to {most}), {judged}"


def _on_average(found: Simulated, shapes: Prediction | None, metric: str) -> list[str]:
    """What the page “Prediction” has under the name of the shape that was simulated in one of its many places."""
    if shapes is None or found.plan is None or found.shape not in (Shape.HUMP, Shape.SPIKY):
        return []
    known = shapes.cases.get(found.shape)
    if known is None:
        return []
    return [f"{scale_of(metric).predicted(known[metric])} on average over {found.plan.shares_of(found.shape)}"]


def _agree(errors: SimulationErrors, known: Sequence[float]) -> bool:
    """Whether a mean error can be that of one of the shapes, or of one between them."""
    tries = len(errors.values)
    moved = chance_of(tries) * errors.se if tries > 1 else math.inf
    return min(known) - moved <= errors.mean <= max(known) + moved


def _chance(found: Simulated) -> str:
    """What ± is, behind a heading; "" where a single collection leaves nothing to say of chance."""
    return " ±\u00a095\u00a0%" if repetitions(found) > 1 else ""


def repetitions(found: Simulated) -> int:
    """How many collections were simulated by each protocol."""
    counts = [len(one.errors["l1"].values) for one in found.results] + [len(one.errors.values) for one in found.means]
    return max(counts, default=0)
