"""Answers that nobody gave: so many people with the assumed shares, in the place of rows. Nothing of it is data."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import percent
from workbench.core.table import Column
from workbench.ldp.encoding import Domain, Encoded
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.scaling import Numbers
from workbench.ldp.simulated_reports import people

_PAIR = 2
_NAMED = {
    Shape.HUMP: "one smooth hump",
    Shape.SPIKY: "one spiky shape",
    Shape.FALLING: "falling shares, as 1 : 1/2 : 1/3",
}
_FEW = 4
_YES, _FURTHER = 10.0, 5.0
"""Per cent of the people who say yes to a question that is asked so, and who give any further answer."""
_MANY = 400
"""Places of a shape of two answers over which its larger share is averaged, as of `CollectionPlan.heading`."""
_PLACES = 1000
"""So many places between the bounds have the people of whom a mean alone is asked."""
_PARTS = 1 << 48
"""Shares are rounded to one of so many parts before people are counted by them."""
_OF_ANSWER = " % “"
"""Stands between the share of an answer and its name, as `shares_words` writes them."""
_NEXT_ANSWER = re.compile(r"”, [0-9.]+ % “")
"""Ends one answer and begins the next but the last; a comma alone may be in a name."""


class CountedColumn(Column):
    """People who are made up, and so only counted: there are no rows, and no codes of them.

    Parameters
    ----------
    values
        The different answers, as texts.
    counts
        People with each of them, shape (values,).
    """

    def __init__(self, name: str, values: tuple[str, ...], counts: NDArray[np.int64]) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "values", values)
        self.__dict__["counts"] = counts

    def __len__(self) -> int:
        return int(self.counts.sum())

    @property
    def in_memory(self) -> bool:
        return False


def rare_yes(domain: Domain | None) -> tuple[float, ...]:
    """The usual shares of a question that is answered by yes or no, where few say yes; () of other questions.

    Who is asked so that no answer tells of a person is asked something that few would admit, and the order in which
    answers are typed says nothing of how many give them. Further answers, such as “don't know”, are rarer still.
    """
    named = () if domain is None else tuple(label.strip().casefold() for label in domain.labels)
    if len(named) > _FEW or named.count("yes") != 1 or named.count("no") != 1:
        return ()
    others = _FURTHER * (len(named) - _PAIR)
    return tuple({"yes": _YES, "no": 100 - _YES - others}.get(one, _FURTHER) for one in named)


def simulated_case(plan: CollectionPlan, domain: Domain | None = None) -> CollectionPlan:
    """The plan with the one distribution that is simulated: the declared one, else the first of those assumed.

    Of two answers that is not the hump, which has nearly everybody at one of them. More answers without an order have
    no neighbours that could be alike: theirs are falling shares, one of the spiky shapes that are predicted. Of yes
    and no it is the usual shares of these.
    """
    cases = plan.cases
    if len(cases) > 1 and (usual := rare_yes(domain)):
        return replace(cases[0], shape=Shape.OWN, guess=usual)
    if len(cases) > 1 and plan.domain_size > _PAIR and not plan.ordinal:
        return replace(cases[0], shape=Shape.FALLING)
    return next((one for one in cases if plan.domain_size > _PAIR or one.shape is not Shape.HUMP), cases[0])


def assumed_answers(column: str, domain: Domain, plan: CollectionPlan) -> Encoded:
    """As many people as are planned, each with one of the possible answers, by the assumed shares."""
    places = np.arange(domain.size, dtype=np.int32)
    return Encoded(domain, CountedColumn(column, domain.labels, _counts(plan)), places, 0, 0, 0.0)


def assumed_numbers(column: str, bounds: tuple[float, float], plan: CollectionPlan, at: NDArray[np.float64]) -> Numbers:
    """The same with numbers between bounds.

    Parameters
    ----------
    at
        The number of each answer, in the order of the plan, shape (answers,).
    """
    low, high = bounds
    scaled = np.clip((at - (low + high) / 2) / ((high - low) / 2), -1.0, 1.0)
    names = tuple(map(str, at.tolist()))
    return Numbers(CountedColumn(column, names, _counts(plan)), scaled, bounds, True, 0, 0)


def finely(users: int, epsilon: float, shape: Shape) -> CollectionPlan:
    """The plan of many places between bounds, for a mean, of which no answers are listed."""
    return CollectionPlan(users, _PLACES, epsilon, shape=Shape.AUTO if shape is Shape.OWN else shape).cases[0]


def places_between(bounds: tuple[float, float], size: int) -> NDArray[np.float64]:
    """The middles of so many equal parts, shape (size,)."""
    low, high = bounds
    return low + (high - low) * (np.arange(size) + 0.5) / size


def shares_words(domain: Domain | None, plan: CollectionPlan) -> str:
    """Which shares are assumed: “one smooth hump”, or of two answers how large they are.

    A prediction for a smooth hump is the average over many of them; what is simulated is one.
    """
    usual = plan.shape is Shape.OWN and plan.guess == rare_yes(domain)
    if domain is None or plan.shape is Shape.UNIFORM or not (domain.size == _PAIR or usual):
        return _NAMED.get(plan.shape) or plan.assumption.removeprefix("for ")
    first, *further = map(float, _shares(plan))
    shares = (first, *further) if usual else (first, 1.0 - first)
    each = [f"{percent(share)} “{name}”" for name, share in zip(domain.names, shares, strict=True)]
    return f"{', '.join(each[:-1])} and {each[-1]}"


def first_words(said: str) -> str:
    """Such words up to their first comma, but for those within the name of an answer.

    >>> first_words("falling shares, as 1 : 1/2 : 1/3"), first_words("85 % “no”, 10 % “yes” and 5 % “no answer”")
    ('falling shares', '85 % “no”')
    >>> first_words("70 % “in town, near” and 30 % “out of town”")
    '70 % “in town, near” and 30 % “out of town”'
    """
    if (following := _NEXT_ANSWER.search(said)) is not None:
        return said[: following.start() + 1]
    return said if _OF_ANSWER in said else said.partition(",")[0]


def _shares(plan: CollectionPlan) -> NDArray[np.float64]:
    """The assumed shares, shape (domain size,)."""
    if plan.domain_size != _PAIR or plan.shape not in (Shape.HUMP, Shape.SPIKY):
        return plan.shares
    # Two are neither a hump nor spiky: as large as they are on average, as predictions name these shapes.
    larger = round(float(plan.drawn_shares(_MANY).max(axis=1).mean()), 2)
    return np.array([larger, 1.0 - larger])


def _counts(plan: CollectionPlan) -> NDArray[np.int64]:
    """People with each answer, by largest remainders, shape (domain size,)."""
    return people(np.rint(_shares(plan) * _PARTS).astype(np.int64), plan.users)
