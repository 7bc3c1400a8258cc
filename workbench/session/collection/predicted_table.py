"""Predictions in words and as lines of a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from workbench.core.number_text import rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import Shape
from workbench.ldp.prediction import Prediction
from workbench.ldp.share_margin import MARGIN
from workbench.session.collection.listed_once import OtherNames, called
from workbench.session.collection.margin_decision import curator_margin
from workbench.session.collection.results import Planned
from workbench.session.collection.two_answers import named, other_names
from workbench.session.collection.words import (
    CURATOR,
    bits_text,
    metrics_shown,
    points_in_column,
    protocol_words,
    scale_of,
)

Line = tuple[ProtocolChoice | None, tuple[str, ...]]


def figure_headings(planned: Planned, ranked: str) -> list[str]:
    """The headings of `figure_lines`: the error that ranks comes first, so that it is seen in a narrow window too."""
    several = len(planned.plan.cases) > 1
    shapes = [planned.plan.heading(case.shape) for case in planned.plan.cases] if several else []
    others = [scale_of(metric).short for metric in _others(planned, ranked)]
    first = "{error}, the worst" if several else "{error} (standard error)"
    if ranked == MARGIN:
        leading = [f"{scale_of(MARGIN).short}, {scale_of(MARGIN).unit}"]
    else:
        leading = [first.format(error=scale_of(ranked).short), *shapes]
    return ["Protocol", *leading, "ε", "Bits", *(first.format(error=error) for error in others)]


def heading_tips(planned: Planned) -> dict[str, str]:
    """What headings of several shapes are of: a simulation is of one such shape, in one place."""
    plan = planned.plan
    moved = [case.shape for case in plan.cases if case.shape is not Shape.UNIFORM] if len(plan.cases) > 1 else []
    return {plan.heading(shape): f"The average over {plan.shares_of(shape)}" for shape in moved}


def figure_lines(planned: Planned, ranked: str) -> list[Line]:
    """The protocols, the smallest error first, then what brackets them, then those that cannot be used."""
    return [*_usable(planned, ranked), *_brackets(planned, ranked), *_unusable(planned, ranked)]


def _others(planned: Planned, ranked: str) -> list[str]:
    shown = metrics_shown(ordinal=planned.plan.ordinal, chosen=ranked)
    return [metric for metric in shown if metric != ranked]


def _usable(planned: Planned, ranked: str) -> Iterator[Line]:
    several = len(planned.plan.cases) > 1

    def shown(one: Prediction, metric: str) -> str:
        # What simulating leaves open is said only where the other shapes are not, which matters far more.
        return scale_of(metric).predicted(one.error(metric), *(() if several else (one.se(metric),)))

    listed = planned.by_margin if ranked == MARGIN else [(one, math.nan) for one in planned.predictions]
    names = OtherNames([one for one, _ in listed])
    for one, margin in listed:
        if not one.problem and not names.told(one.choice):
            cost = rounded_up(one.epsilon), bits_text(one.bits)
            others = (shown(one, metric) for metric in _others(planned, ranked))
            if ranked == MARGIN:
                leading = [_margin(margin)]
            else:
                leading = [shown(one, ranked), *_by_shape(planned, one.cases, ranked)]
            others_of = [name.lower() for name in other_names(one.choice, names.of(one.choice), planned.plan)]
            yield one.choice, (called(named(one.choice, planned.plan), others_of), *leading, *cost, *others)


def _brackets(planned: Planned, ranked: str) -> Iterator[Line]:
    wrong = planned.reference
    for name, found, cases, spent, margin in (
        (
            CURATOR,
            wrong.curator,
            wrong.curator_cases,
            rounded_up(planned.plan.epsilon),
            curator_margin(planned.plan),
        ),
        ("A uniform guess", wrong.uniform, wrong.uniform_cases, "0", math.nan),
    ):
        others = (scale_of(metric).predicted(found[metric]) for metric in _others(planned, ranked))
        if ranked == MARGIN:
            leading = [_margin(margin)]
        else:
            leading = [scale_of(ranked).predicted(found[ranked]), *_by_shape(planned, cases, ranked)]
        yield None, (name, *leading, spent, "–", *others)


def _unusable(planned: Planned, ranked: str) -> Iterator[Line]:
    blank = ["–"] * (len(figure_headings(planned, ranked)) - 1)
    for one in planned.predictions:
        if one.problem:
            yield one.choice, (f"{protocol_words(one.choice)}: {one.problem}", *blank)


def _margin(margin: float) -> str:
    return points_in_column(margin) if math.isfinite(margin) else "–"


def _by_shape(planned: Planned, cases: Mapping[Shape, Mapping[str, float]], metric: str) -> list[str]:
    if len(planned.plan.cases) < 2:
        return []
    return [scale_of(metric).predicted(cases[case.shape][metric]) for case in planned.plan.cases]
