"""The margin of a mean against ε or against the number of people: protocols, and a trusted curator, by formula."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.rationals import rational
from workbench.core.schema import ColumnSpec, Kind
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.mean_prediction import MeanPlan, mean_margin
from workbench.ldp.predicted_curves import Against, usual_places
from workbench.query.averages import Averages
from workbench.query.grid import Grid

_Z = 1.96
STEPS = 1000
"""Into so many steps the range is divided for a curator; finer ones change no digit that is shown."""


@dataclass(frozen=True, eq=False)
class MeanCurves:
    """Margins of a mean at several places, in units of the column.

    Parameters
    ----------
    plan
        What is asked; one of its numbers is replaced by each place.
    against
        Which.
    places
        Rising, shape (points,).
    choices, margins
        The protocols, and for each its margins at all places; nan where it cannot be used.
    curator
        The margins of a trusted curator at all places, shape (points,).
    """

    plan: MeanPlan
    against: Against
    places: NDArray[np.float64]
    choices: tuple[ProtocolChoice, ...]
    margins: tuple[NDArray[np.float64], ...]
    curator: NDArray[np.float64]


def mean_curves(
    plan: MeanPlan, choices: Sequence[ProtocolChoice], against: Against, progress: Progress = SILENT
) -> MeanCurves:
    """The margins of some protocols, and of a curator, around what is planned.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    places = usual_places(plan, against)
    found: list[list[float]] = [[] for _ in choices]
    curator = []
    for number, place in enumerate(places.tolist()):
        progress(number / len(places))
        here = replace(plan, epsilon=place) if against == "epsilon" else replace(plan, users=max(1, round(place)))
        curator.append(curator_mean_margin(here))
        for margins, choice in zip(found, choices, strict=True):
            margin = mean_margin(here, choice)
            margins.append(margin if math.isfinite(margin) else math.nan)
    progress(1.0)
    return MeanCurves(plan, against, places, tuple(choices), tuple(map(np.array, found)), np.array(curator))


def curator_mean_margin(plan: MeanPlan) -> float:
    """The 95 % margin of a mean by a trusted curator, in units of the column, with sampling where asked for.

    It is the one that Query says of a mean before it is asked: of the values whose mean the noise moves most.
    """
    noise = 2.0 * plan.half_range * _share_of_range(plan.users, rational(plan.epsilon))
    return math.hypot(noise, plan.half_range * _Z / math.sqrt(plan.people)) if plan.sampling else noise


def curator_of_mean(epsilon: Fraction) -> Averages:
    """How a trusted curator answers a mean of numbers from 0 to 1."""
    grid = Grid(ColumnSpec("mean", Kind.DECIMAL), Fraction(0), Fraction(1), Fraction(1, STEPS))
    return Averages(grid, None, epsilon, 1)


@lru_cache(maxsize=256)
def _share_of_range(users: int, epsilon: Fraction) -> float:
    mechanism = curator_of_mean(epsilon)
    half = mechanism.expected(mechanism.assumed(users)).half_width
    return 1.0 if half is None else half
