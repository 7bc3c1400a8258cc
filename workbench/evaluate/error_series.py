"""Curves of an experiment and their points: the errors of one method along an axis. Analyst only."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from workbench.core.chance import chance_of, told_mean
from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import Approach, MethodChoice

TOLD_DIGITS = 3
"""Digits of an error: so many that whoever divides one by another finds the times that are said."""


@dataclass(frozen=True)
class Point:
    """One place of a curve, for the metric that was asked for.

    Parameters
    ----------
    method, axis_value
        The name of the curve, and where it is.
    mean, low, high, error_of_mean
        Mean error, limits of 95 % of the repetitions, standard error of the mean; nan where there is nothing. Of a
        family the mean is that by formula where there is one, which chance does not move, and so are the limits where
        the law of its errors is known.
    repetitions, unanswered
        How often it was tried, and how often without an answer.
    theory
        The expected error by formula, nan where there is none.
    epsilon
        What a person really spends.
    problem
        Why there is nothing, or "".
    by
        Of a family: the setting that answers here.
    shapes
        Mean error and its standard error on each public shape, in the order of `Experiment.shapes`; the point is about
        the worst of them. () where there is one or none.
    shape
        The public shape that the point is about; None on true values.
    tried
        Where the mean is that by formula, the mean of the repetitions; else nan.
    as_good
        Of a family: the settings that neither tries nor formulas tell from the one that answers here.
    means
        From how many independent tries its standard error is estimated; 0 where it is known.
    ends_known
        Whether the limits are those of the law, over the people of some tries, whose own noise has no part in it.
    """

    method: str
    axis_value: float
    mean: float
    low: float
    high: float
    repetitions: int
    error_of_mean: float = math.nan
    unanswered: int = 0
    theory: float = math.nan
    epsilon: float = 0.0
    problem: str = ""
    by: MethodChoice | None = None
    shapes: tuple[tuple[float, float], ...] = ()
    shape: Basis | None = None
    tried: float = math.nan
    as_good: tuple[MethodChoice, ...] = ()
    means: int = 0
    ends_known: bool = False

    @property
    def by_formula(self) -> bool:
        """Whether its mean error is that by formula."""
        return math.isfinite(self.tried)

    @property
    def chance(self) -> float:
        """How far chance may have moved its mean, a mean of tries, in 95 of 100 cases; 0 by formula or if unknown."""
        moved = 0.0 if self.by_formula else chance_of(self.means) * self.error_of_mean
        return moved if math.isfinite(moved) and math.isfinite(self.mean) else 0.0

    def mean_text(self, digits: int = 4) -> str:
        """Its mean, of tries with as many digits as chance leaves it, and how far that may have moved it."""
        return told_mean(self.mean, self.chance, min(digits, TOLD_DIGITS) if self.chance > 0 else digits)

    def to_json(self) -> dict[str, Any]:
        """As JSON; numbers that are none become null."""
        plain = {name: _plain(value) if isinstance(value, float) else value for name, value in vars(self).items()}
        del plain["by"], plain["shapes"], plain["shape"], plain["as_good"], plain["means"], plain["ends_known"]
        if not self.by_formula:
            del plain["tried"]
        if self.shape is not None:
            plain["shape"] = self.shape.value
        return plain if self.by is None else {**plain, "setting": self.by.name, "choice": self.by.to_json()}


@dataclass(frozen=True)
class ErrorSeries:
    """One curve; places that are not there yet are missing.

    Parameters
    ----------
    choice, name, approach
        Which method it is.
    points
        In the order of the axis.
    notes
        What must be known to read it.
    rest
        Of a family: the curves of all its settings, of which the best at each place make this one.
    """

    choice: MethodChoice
    name: str
    approach: Approach
    points: tuple[Point, ...]
    notes: tuple[str, ...] = ()
    rest: tuple[ErrorSeries, ...] = ()

    @property
    def drawn(self) -> tuple[Point, ...]:
        """The points that have an error."""
        return tuple(point for point in self.points if math.isfinite(point.mean))

    @property
    def changes(self) -> tuple[Point, ...]:
        """The points of a family at which another setting answers than at the one before, so that it may have a kink.

        A setting that stands at a larger ε with what it does at a smaller one is no other.
        """
        return tuple(
            after
            for before, after in pairwise(self.drawn)
            if before.by is not None and after.by is not None and not alike_but_for_epsilon(before.by, after.by)
        )

    def at(self, place: float) -> Point | None:
        """The point at a place, if it has an error."""
        return next((point for point in self.drawn if point.axis_value == place), None)


def alike_but_for_epsilon(one: MethodChoice, other: MethodChoice) -> bool:
    return one.identifier == other.identifier and one.checked() == other.checked()


def _plain(value: float) -> float | None:
    return value if math.isfinite(value) else None
