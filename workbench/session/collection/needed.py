"""Amounts that a goal takes, people or ε: as they were found, whether the plan has them, and what is offered."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact, rounded_up, with_places
from workbench.core.progress import Progress
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.share_margin import MARGIN, margin_or_none
from workbench.session.collection.results import Planned
from workbench.session.collection.two_answers import named
from workbench.session.collection.words import protocol_words, suffices

_NEARLY = 99
"""Per cent; a guess that may rise above them is nearly certain."""
Number = TypeVar("Number", int, float)
Suggested: TypeAlias = tuple[tuple[str, dict[str, float]], ...]
"""Settings that may be taken over: what each is called, and its name and value."""


def reporting(planned: Planned) -> str:
    """The word for what is counted: people, where each of them reports once, and otherwise reports."""
    return "reports" if planned.asked is not None and planned.asked.reports_per_person > 1 else "people"


@dataclass(frozen=True)
class Needed(Generic[Number]):
    """The people or the ε that an error takes.

    Parameters
    ----------
    amount
        How many people, or which ε; None if nothing suffices.
    by
        The protocol that needs no more than this; None if nothing suffices.
    problem
        Why nothing was found, "" if it was or if nothing suffices.
    """

    amount: Number | None = None
    by: ProtocolChoice | None = None
    problem: str = ""

    @property
    def title(self) -> str:
        """Of the protocol."""
        return "" if self.by is None else protocol_words(self.by)

    def named(self, plan: CollectionPlan) -> str:
        """The protocol, by the name that it has of so many answers."""
        return "" if self.by is None else named(self.by, plan)


def with_guess(words: str, epsilon: float, before: float) -> tuple[str, str]:
    """An ε that is offered, with what it lets a guess rise to: in few words, and in full beside the ε in force.

    More people cost time, a larger ε costs those who answer: who takes either must see which it is.
    """
    there, now = (100 / (1 + math.exp(-one)) for one in (epsilon, before))
    brief = f"guess ≤ {_tenth_up(there)} %" if there <= _NEARLY else f"guess over {_NEARLY} %"
    full = "a 50 : 50 guess between two values of a person may rise to"
    return f"{words}: {brief}", f"{words}: {full} {rounded_up(there)} %, not {rounded_up(now)} %"


def _tenth_up(share: float) -> str:
    """A share in per cent, rounded up to one decimal."""
    return with_places(math.ceil(10 * share) / 10, 1)


def needed(look: Callable[[Progress], tuple[Number, ProtocolChoice]]) -> Callable[[Progress], Needed[Number]]:
    """A search of `CollectionDesk.people_needed` or `epsilon_needed` that returns its problem instead of raising it."""

    def work(progress: Progress) -> Needed[Number]:
        try:
            return Needed(*look(progress))
        except WorkbenchError as error:
            return Needed(problem="" if error.field == "target" else error.message)

    return work


def reached(planned: Planned, people: Needed[int], epsilon: Needed[float], metric: str, target: float) -> bool:
    """Whether the plan reaches it, so that an ε above its own would be told for rounding alone."""
    if people.amount is None:
        return False
    if _just_reached(planned, people, metric, target):
        return True
    plan = planned.plan
    return (
        epsilon.amount is not None
        and plan.users >= suffices(people.amount)
        and suffices(epsilon.amount) >= plan.epsilon
    )


def _just_reached(planned: Planned, people: Needed[int], metric: str, target: float) -> bool:
    """Whether the plan reaches it with no more people than would be told, which are rounded up."""
    enough_people = people.amount is not None and planned.plan.users <= suffices(people.amount)
    return enough_people and _within(planned, people.by, metric, target)


def _within(planned: Planned, choice: ProtocolChoice | None, metric: str, target: float) -> bool:
    """Whether a protocol errs by so much at most in the plan as it is."""
    if choice is None:
        return False
    if metric != MARGIN:
        return any(one.choice == choice and one.error(metric) <= target for one in planned.predictions)
    found = planned.narrowest
    # What is set for a margin may be another number with a few people more.
    same = found is not None and found[0].choice.identifier == choice.identifier
    return (found[1] if found is not None and same else margin_or_none(planned.plan, choice)) <= target


def suggested(planned: Planned, people: Needed[int], epsilon: Needed[float], metric: str, target: float) -> Suggested:
    """The amounts that were found and are not set yet, for a press; no more people where the plan has enough."""
    found: list[tuple[str, dict[str, float]]] = []
    if people.amount is not None and not _just_reached(planned, people, metric, target):
        number = int(suffices(people.amount))
        if number != planned.plan.users:
            found.append((f"Use {number:,} {reporting(planned)}", {"users": number}))
    if epsilon.amount is None or reached(planned, people, epsilon, metric, target):
        return tuple(found)
    if (least := suffices(epsilon.amount)) != planned.plan.epsilon:
        found.append((f"Use ε {exact(least)}", {"epsilon": least}))
    return tuple(found)
