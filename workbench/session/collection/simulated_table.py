"""Errors of simulated collections as lines of a table, beside those that were predicted."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.core.chance import chance_of
from workbench.core.number_text import estimate, rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.prediction import Prediction
from workbench.ldp.simulation import FrequencyResult, MeanResult, SimulationErrors
from workbench.session.collection.mean_decision import CURATOR
from workbench.session.collection.results import Planned, Simulated
from workbench.session.collection.two_answers import named, names_in
from workbench.session.collection.words import (
    DIGITS,
    bits_text,
    of_tries,
    protocol_words,
    scale_of,
    significant,
)

_NONE = "–"
_JOINED = "\u00a0"
"""A space at which no line ends."""
_TIP = "As the page “Prediction” has it: before anybody answers, for the assumed shapes of the shares"
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
    """A prediction that is of the same error as what was simulated: of as many people, and of those asked alone."""
    if planned is None or planned.plan.sampling or planned.plan.users != found.users:
        return None
    return planned


def simulated_table(
    found: Simulated,
    metrics: tuple[str, ...],
    epsilon: float,
    recommended: ProtocolChoice | None = None,
    planned: Planned | None = None,
) -> NumbersTable:
    """All numbers of a simulation.

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
    """
    if not (found.results or found.baselines is not None):
        return _of_means(found, recommended)
    ranked = "" if planned is None else planned.ranked
    chance, means = _chance(found), bool(found.means)
    heads, tips = ["Protocol"], dict[str, str]()
    for place, metric in enumerate(metrics):
        heads.append(f"{scale_of(metric).short}{chance if place == 0 else chance[:2]}")  # of 95 %, too
        if planned is not None and metric == ranked:
            heads.append("Predicted, the worst" if len(planned.plan.cases) > 1 else "Predicted")
            tips[heads[-1]] = _TIP
    heads += ["Mean", f"Off by{chance[:2]}"] if means else []
    heads += ["ε", "Bits", "Estimator"]
    blank = (_NONE,) * 2 * means

    def errors(each: Mapping[str, str], predicted: str) -> list[str]:
        cells = []
        for metric in metrics:
            cells += [each[metric], predicted] if metric == ranked else [each[metric]]
        return cells

    lines = []
    for name, one in zip(_names(found, found.results, recommended), found.results, strict=True):
        each = {metric: scale_of(metric).cell(one.errors[metric]) for metric in metrics}
        estimator = one.estimator if one.postprocess == "none" else f"{one.estimator}, {one.postprocess}"
        costs = rounded_up(one.epsilon), bits_text(one.bits), estimator
        foreseen = _prediction(planned, one.choice)
        said = errors(each, _NONE if foreseen is None else scale_of(ranked).predicted(foreseen.error(ranked)))
        lines.append((name, *said, *blank, *costs))
    if found.baselines is not None:
        curator, guess = found.baselines.curator, found.baselines.uniform
        each = {metric: scale_of(metric).cell(curator[metric]) for metric in metrics}
        wrong = {} if planned is None else planned.reference.curator
        said = errors(each, _worst(wrong, ranked))
        lines.append((CURATOR, *said, *blank, rounded_up(epsilon), _NONE, _NONE))
        each = {metric: significant(scale_of(metric).factor * guess[metric], DIGITS) for metric in metrics}
        wrong = {} if planned is None else planned.reference.uniform
        lines.append(("A uniform guess", *errors(each, _worst(wrong, ranked)), *blank, "0", _NONE, _NONE))
    for name, mean in zip(_names(found, found.means, recommended), found.means, strict=True):
        each = dict.fromkeys(metrics, _NONE)
        lines.append((name, *errors(each, _NONE), *_mean_cells(mean), _NONE))
    return NumbersTable(tuple(heads), tuple(lines), (False, *[True] * (len(heads) - 2), False), tips)


def _of_means(found: Simulated, recommended: ProtocolChoice | None) -> NumbersTable:
    heads = ("Protocol", "Mean", f"Off by{_chance(found)}", "Predicted", "ε", "Bits")
    lines = []
    for name, one in zip(_names(found, found.means, recommended), found.means, strict=True):
        mean, off, *costs = _mean_cells(one)
        # The estimate is as good as normal, and so off by √(2/π) of its standard deviation on average.
        predicted = significant(math.sqrt(2 / math.pi) * one.deviation, DIGITS)
        lines.append((name, mean, off, predicted, *costs))
    tips = {"Predicted": "How far the estimate is off on average, by the formula of its variance for these values"}
    return NumbersTable(heads, tuple(lines), (False, *[True] * 5), tips)


def _names(
    found: Simulated, results: Sequence[FrequencyResult | MeanResult], recommended: ProtocolChoice | None
) -> tuple[str, ...]:
    return names_in([one.choice for one in results], found.plan, recommended)


def _mean_cells(one: MeanResult) -> tuple[str, str, str, str]:
    mean = estimate(float(np.mean(one.estimates)))
    return mean, of_tries(one.errors), rounded_up(one.epsilon), bits_text(one.bits)


def _prediction(planned: Planned | None, choice: ProtocolChoice) -> Prediction | None:
    known = () if planned is None else planned.predictions
    return next((one for one in known if one.choice == choice and not one.problem), None)


def _worst(errors: Mapping[str, float], metric: str) -> str:
    return scale_of(metric).predicted(errors[metric]) if metric in errors else _NONE


def beside_predicted(
    found: Simulated, planned: Planned | None, metric: str, recommended: ProtocolChoice | None = None
) -> str:
    """The simulated beside the predicted error of one protocol, the one to take or else the best; "" for none."""
    if planned is None or metric != planned.ranked or not found.results:
        return ""
    best = min(found.results, key=lambda one: (one.choice != recommended, one.errors[metric].mean))
    if (foreseen := _prediction(planned, best.choice)) is None:
        return ""
    scale, errors = scale_of(metric), best.errors[metric]
    known = [case[metric] for case in foreseen.cases.values()]
    ends = " to ".join(dict.fromkeys(scale.predicted(one) for one in (min(known), max(known))))
    name = protocol_words(best.choice) if found.plan is None else named(best.choice, found.plan)
    words = f"{name}: predicted {ends}, simulated {scale.cell(errors).replace(' ', _JOINED)}"
    words = f"{words} {scale.unit}".strip() + "."
    # Assumed shares are one of the shapes, in one of its places only.
    return words if found.assumed or _agree(errors, known) else f"{words} {_UNLIKE}"


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
