"""What a prediction comes to: the protocol to take, whether it beats guessing, and how many people would be enough."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.number_text import count, counted, estimate, exact, percent, rounded, rounded_up
from workbench.session.collection.results import Asked, Planned

_HARDLY = math.log(1000)
"""From here on whoever sees the reports may become almost certain."""

_MUCH = math.log(10)


@dataclass(frozen=True)
class Answered:
    """One answer on a card.

    Parameters
    ----------
    figure
        The answer in a few words.
    detail
        What it rests on.
    tone
        "error" or "warning" where it should stop somebody, "success" where it is good news, else "".
    """

    figure: str
    detail: str
    tone: str = ""


def crowd(asked: Asked) -> str:
    """Who is asked and how often."""
    if asked.reports_per_person == 1:
        return f"{asked.people:,} {'person' if asked.people == 1 else 'people'}, one report each"
    if not asked.known:
        return f"{counted(asked.reports, 'report')}, up to {asked.reports_per_person:,} of one person"
    return f"{asked.people:,} people, {asked.reports_per_person:,} reports each at most"


def gives_away(epsilon: Fraction) -> Answered:
    """What everything one person reports reveals."""
    words = f"A person gives away ε = {rounded_up(epsilon)}"
    if epsilon >= _HARDLY:
        return Answered(f"{words}: hardly a promise at all", "", "error")
    return Answered(words, "", "warning" if epsilon > _MUCH else "")


def to_take(planned: Planned) -> Answered:
    """The protocol, and how wrong its estimate will be at worst: in per cent and in people."""
    if not planned.best:
        return Answered("No protocol", "None keeps this ε with these answers.", "error")
    first, others = planned.best[0], len(planned.best) - 1
    share = min(upwards(first.l1 / 2), 1.0)
    misplaced = count(upwards(share * planned.plan.users))
    words = f"Off by {percent(share, 2)}: about {misplaced} {reporting(planned)}"
    also = f" {counted(others, 'other')} as good." if others else ""
    return Answered(first.title, f"{words}, {planned.plan.assumption}.{also}")


def beats_guessing(planned: Planned, metric: str) -> Answered:
    """Whether asking is worth it at all."""
    if not planned.best:
        return Answered("–", "")
    guess, curator = planned.reference.uniform[metric], planned.reference.curator[metric]
    detail = f"A guess errs by {estimate(guess, 2)}, a trusted curator by {estimate(curator, 2)}."
    if planned.guessed:
        shapes = " or ".join(shape.heading for shape in planned.guessed)
        figure = "No" if len(planned.guessed) == len(planned.plan.cases) else f"Not if {shapes}"
        return Answered(figure, f"Too few people, or too small an ε. {detail}", "error")
    wrong = planned.best[0].error(metric)
    times = rounded(guess / wrong, 2) if wrong > 0 else math.inf
    return Answered(f"Yes, {estimate(times, 2)} times" if math.isfinite(times) else "Yes", detail, "success")


def reporting(planned: Planned) -> str:
    """What is counted: people, where each of them reports once."""
    return "reports" if planned.asked is not None and planned.asked.reports_per_person > 1 else "people"


def enough(planned: Planned, people: int | str, epsilon: float | str) -> Answered:
    """How many people, or which ε, an error takes; why, where neither can be said.

    What is found is simulated and so not known to the last digit: it is rounded up to two.
    """
    plan, noun = planned.plan, reporting(planned)
    parts, reasons = [], []
    if isinstance(people, int):
        parts.append(f"{count(upwards(people))} {noun}")
    else:
        reasons.append(people)
    if isinstance(epsilon, float):
        parts.append(f"ε {exact(upwards(epsilon))}")
    else:
        reasons.append(epsilon)
    now = f"At ε {rounded_up(plan.epsilon)}, or with {plan.users:,} {noun}." if len(parts) == 2 else ""
    return Answered(" or ".join(parts) or "Out of reach", " ".join(reasons[:1]) or now, "" if parts else "error")


def upwards(value: float, digits: int = 2) -> float:
    """A number of so many significant digits that is not below the value."""
    if value <= 0 or not math.isfinite(value):
        return value
    step = 10.0 ** (math.floor(math.log10(value)) - digits + 1)
    return rounded(math.ceil(rounded(value / step, 9)) * step, digits + 1)
