"""The decision where a mean is asked for: what to take, whether that beats a guess, and what a margin takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np

from workbench.core.number_text import estimate, exact, margin_up, rounded, rounded_up
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPlan, MeanPrediction
from workbench.plots.error_curves import ErrorCurves, ProtocolCurve
from workbench.session.collection.answered import Answered
from workbench.session.collection.decision import (
    WITH_SAMPLING,
    by_words,
    figure_of,
    so_often,
)
from workbench.session.collection.guessing import WORTHWHILE, closer
from workbench.session.collection.mean_curves import MeanCurves
from workbench.session.collection.needed import Needed, Suggested
from workbench.session.collection.results import Asked
from workbench.session.collection.words import (
    CURATOR,
    DIGITS,
    bits_text,
    look_of,
    margin_in_column,
    protocol_words,
    significant,
    suffices,
    with_unit,
)

GUESS = "The middle as a guess"
MEAN = "mean"
"""What is to be reached where a mean is asked for: its margin."""
OF_RANGE = "%"
"""Unit of the margin of a mean that is to be reached: per cent of the range, which is the distance of the bounds."""


@dataclass(frozen=True, eq=False)
class PlannedMean:
    """The expectations of a mean before anybody is asked: from numbers alone.

    Parameters
    ----------
    means
        The protocols, the smallest worst error first.
    curator
        The 95 % margin of a trusted curator.
    unit
        Of the column.
    asked
        Who is asked.
    cautions
        What came from the data, in words.
    """

    plan: MeanPlan
    means: tuple[MeanPrediction, ...]
    curator: float
    unit: str = ""
    asked: Asked | None = None
    cautions: tuple[str, ...] = ()

    @property
    def best(self) -> MeanPrediction | None:
        """The protocol to take; None if none can be used."""
        return next((one for one in self.means if not one.problem), None)

    def in_units(self, target: float) -> float:
        """A margin to reach in units of the column, from per cent of the range."""
        return target / 100 * 2 * self.plan.half_range


def mean_to_take(planned: PlannedMean, target: float) -> Answered:
    """The protocol, its margin whatever people answer, and whether that is within the margin to reach.

    Parameters
    ----------
    target
        In units of the column.
    """
    if (best := planned.best) is None:
        return Answered("No protocol", "None keeps this ε.", "error")
    reached, goal = best.margin <= target, _goal(planned, target)
    met = f"{goal} is reached" if reached else f"Wider than {goal}"
    usual = best.worst * math.sqrt(2 / math.pi)  # of a normal distribution, as the estimate as good as has
    sampling = f" {WITH_SAMPLING}" if planned.plan.sampling else ""
    return Answered(
        best.title,
        f"Of {'all people' if best.of_all else 'those asked'}, with 95 %, whatever they answer. {met}.",
        "" if reached else "warning",
        measure=f"± {margin_up(best.margin, DIGITS)} {planned.unit}".strip() + " for the mean",
        rest=f"Its standard deviation is at most {estimate(best.worst)}, so it is off by {estimate(usual)} on average."
        f"{sampling}",
    )


def mean_beats_guessing(planned: PlannedMean) -> Answered:
    """Whether asking tells more of a mean than saying the middle of the bounds, off by half the range at most."""
    if (best := planned.best) is None:
        return Answered("–", "")
    half = planned.plan.half_range
    detail = f"{CURATOR}: ± {_margin(planned.curator)}."
    answered = partial(Answered, rest=f"Asking nobody, the middle is right to ± {_margin(half)}.")
    measure = f"± {_margin(best.margin)} instead of ± {_margin(half)}"
    if best.margin >= half:
        return answered("No", f"Too few people, or too small an ε. {detail}", "error", measure=measure)
    times = rounded(half / best.margin, 2)
    if times < WORTHWHILE:
        return answered(f"Hardly: {closer(times)}", detail, "warning", measure=measure)
    return answered("Yes", detail, measure=measure)


def enough_for_mean(planned: PlannedMean, people: Needed[int], epsilon: Needed[float], target: float) -> Answered:
    """How many people, or which ε, a margin of a mean takes, and with which protocol; why, where that cannot be said.

    Parameters
    ----------
    target
        In units of the column.
    """
    plan, parts, reasons, given = planned.plan, [], [], list[tuple[str, str]]()
    here = _just_reached(planned, people, target)
    if people.amount is not None:
        parts.append(so_often(plan.users if here else suffices(people.amount), plan.of_one_person))
        given.append((people.title, f"that many at ε {rounded_up(plan.epsilon)}"))
    else:
        reasons.append(people.problem or "No number of people suffices.")
    if here:
        parts = [f"Reached with {part}" for part in parts]
    elif epsilon.amount is not None:
        parts.append(f"ε\u00a0{exact(suffices(epsilon.amount))}")
        given.append((epsilon.title, f"that ε with {plan.users:,}"))
    else:
        reasons.append(epsilon.problem or f"No ε suffices with {plan.users:,}.")
    # One's own goal is a part of the range; in units of the column it stands where the card is pointed at.
    goal = f"Goal: {_goal(planned, target)}, {exact(rounded(50 * target / plan.half_range, 6))} % of the range."
    words = [*reasons[:1], f"{by_words(given, parts).removesuffix('.')}, whatever they answer." if parts else ""]
    figure = figure_of(parts, given)
    tone = "" if parts else "error"
    return Answered(figure or "Out of reach", " ".join(filter(None, words)), tone, rest=goal)


def _just_reached(planned: PlannedMean, people: Needed[int], target: float) -> bool:
    """Whether the plan reaches it with no more people than would be told, which are rounded up."""
    if people.amount is None or planned.plan.users > suffices(people.amount):
        return False
    return any(one.choice == people.by and not one.problem and one.margin <= target for one in planned.means)


def suggested_for_mean(planned: PlannedMean, people: Needed[int], epsilon: Needed[float], target: float) -> Suggested:
    """The amounts that were found and are not set yet, to be set at a press; none if the plan reaches it just."""
    found: list[tuple[str, dict[str, float]]] = []
    noun = "people" if planned.plan.of_one_person == 1 else "reports"
    if _just_reached(planned, people, target):
        return ()
    if people.amount is not None and (number := int(suffices(people.amount))) != planned.plan.users:
        found.append((f"Use {number:,} {noun}", {"users": number}))
    if epsilon.amount is not None and (least := suffices(epsilon.amount)) != planned.plan.epsilon:
        found.append((f"Use ε {exact(least)}", {"epsilon": least}))
    return tuple(found)


def mean_headings(planned: PlannedMean) -> list[str]:
    """The headings of `mean_lines`."""
    return ["Protocol", "SD, worst", "SD, middle", f"Margin{f', {planned.unit}' if planned.unit else ''}", "Bits", "ε"]


def mean_lines(planned: PlannedMean) -> list[tuple[ProtocolChoice | None, tuple[str, ...]]]:
    """The protocols, the smallest error first, with the curator behind those that can be used."""
    lines: list[tuple[ProtocolChoice | None, tuple[str, ...]]] = [
        (
            one.choice,
            (
                protocol_words(one.choice) + (f": {one.problem}" if one.problem else ""),
                *(significant(sd, 4) for sd in (one.worst, one.middle)),
                "–" if one.problem else margin_in_column(one.margin),
                bits_text(one.bits),
                "–" if one.problem else rounded_up(one.epsilon),
            ),
        )
        for one in planned.means
    ]
    usable = sum(not one.problem for one in planned.means)
    curator = (CURATOR, "–", "–", margin_in_column(planned.curator), "–", rounded_up(planned.plan.epsilon))
    return [*lines[:usable], (None, curator), *lines[usable:]]


def mean_chart(curves: MeanCurves, unit: str, best: ProtocolChoice | None, target: float | None) -> ErrorCurves:
    """The margins of a mean, with those of a curator and of a guess; the best protocol's stands out.

    Parameters
    ----------
    target
        The margin to reach in units of the column, at which a line is; None for none.
    """
    plan, places = curves.plan, curves.places
    found = [
        ProtocolCurve(protocol_words(choice), places, margins, taken=choice == best, look=look_of(choice))
        for choice, margins in zip(curves.choices, curves.margins, strict=True)
        if np.isfinite(margins).any()
    ]
    found.append(ProtocolCurve(CURATOR, places, curves.curator, role="curator"))
    found.append(ProtocolCurve(GUESS, places, np.full(len(places), plan.half_range), role="uniform"))
    whom = "all, with sampling error" if plan.sampling else "those asked"
    title = f"95 % margin of the mean{f', {unit}' if unit else ''}, of {whom}"
    now = plan.epsilon if curves.against == "epsilon" else float(plan.users)
    return ErrorCurves(tuple(found), title, curves.against, now, target=target)


def _goal(planned: PlannedMean, target: float) -> str:
    return f"±\u00a0{with_unit(target, planned.unit)}"


def _margin(margin: float) -> str:
    return margin_up(margin, DIGITS)
