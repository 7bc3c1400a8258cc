"""Errors of simulated collections as a chart: what came out, and what was predicted of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.share_margin import MARGIN
from workbench.ldp.simulation import FrequencyResult, MeanResult, SimulationErrors
from workbench.plots.error_ranges import ErrorRange, ErrorRanges, Role
from workbench.session.collection.beside_margins import curator_within, guess_off
from workbench.session.collection.captions import SIMULATED_MARGIN
from workbench.session.collection.foreseen import foreseen_error, ordering_error
from workbench.session.collection.mean_decision import GUESS, MEAN
from workbench.session.collection.results import Simulated
from workbench.session.collection.two_answers import names_in
from workbench.session.collection.words import (
    CURATOR,
    CURATOR_BRIEFLY,
    DIGITS,
    of_tries,
    points_in_column,
    scale_of,
    short_names,
    significant,
    with_own_epsilon,
)

_MARGIN_BARS = "bar, ±: left to chance, 95 %"


def error_chart(found: Simulated, metric: str, recommended: ProtocolChoice | None = None) -> ErrorRanges:
    """The errors of one metric with both baselines: the smallest first, by prediction where one is of these answers.

    Parameters
    ----------
    recommended
        The protocol that a prediction takes, which is marked: the picture may leave without what is said above it.
    """
    scale, placed = scale_of(metric), list[tuple[float, ErrorRange]]()
    results: Sequence[FrequencyResult | MeanResult] = found.means if metric == MEAN else found.results
    plan = None if metric == MEAN else found.plan
    for name, one in zip(names_in([one.choice for one in results], plan, recommended), results, strict=True):
        errors = one.errors if isinstance(one, MeanResult) else one.errors_by(metric)
        if errors is None:
            continue
        told = name if isinstance(one, MeanResult) else with_own_epsilon(name, one.choice, one.epsilon)
        entry = _range(told, errors, scale.factor, expected=foreseen_error(found, metric, one))
        entry = replace(entry, short=min(short_names(one.choice, told), key=len))
        placed.append((scale.factor * ordering_error(found, metric, one), entry))
    placed += [(one.mean, one) for one in _beside(found, metric)]
    ordered = tuple(entry for _, entry in sorted(placed, key=lambda one: one[0]))
    if metric == MARGIN:
        return ErrorRanges(f"{SIMULATED_MARGIN}, {scale.unit} of {found.of_whom}", ordered, _MARGIN_BARS)
    return ErrorRanges(scale.of(found.of_whom), ordered)


def _beside(found: Simulated, metric: str) -> list[ErrorRange]:
    """The baselines of an error; of a margin that of a curator is known by formula."""
    factor = scale_of(metric).factor
    if metric == MEAN:
        if (beside := found.mean_baselines) is None:
            return []
        return [_range(CURATOR, beside.curator, role="curator"), _exactly(GUESS, beside.guess, "uniform")]
    if metric == MARGIN:
        curator, off = curator_within(found), guess_off(found)
        entries = [] if curator is None else [_exactly(CURATOR, factor * curator, "curator", points_in_column(curator))]
        return entries + ([] if off is None else [_exactly("A uniform guess", factor * off, "uniform")])
    if found.baselines is None:
        return []
    guess = factor * found.baselines.uniform[metric]
    return [
        _range(CURATOR, found.baselines.curator[metric], factor, role="curator"),
        _exactly("A uniform guess", guess, "uniform"),
    ]


def _exactly(name: str, off: float, role: Role, said: str = "") -> ErrorRange:
    return ErrorRange(name, off, off, off, role, said or significant(off, DIGITS), short=_short(name))


def _range(
    name: str, errors: SimulationErrors, factor: float = 1.0, *, role: Role = "local", expected: float | None = None
) -> ErrorRange:
    low, high = errors.band
    foreseen = None if expected is None else factor * expected
    said = of_tries(errors, factor)
    return ErrorRange(name, factor * errors.mean, factor * low, factor * high, role, said, foreseen, _short(name))


def _short(name: str) -> str:
    return CURATOR_BRIEFLY if name == CURATOR else ""
