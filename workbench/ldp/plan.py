"""The plan of a collection: the numbers of people and values, ε, and the assumed distributions.

Nothing here comes from data. Protocols and estimators that smooth do well where the shares of neighbouring values are
alike, and several times worse than they promise where they are not, so a prediction for one distribution alone says
little: unless one is declared, a smooth and a spiky one are assumed, and the worse error counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.worded import Worded
from workbench.ldp.estimation import AUTOMATIC, EstimationMethod

Floats = NDArray[np.float64]


class Shape(Worded):
    """What distribution of the values is assumed."""

    AUTO = "auto", "What suits the answers"
    """None is declared: bands of numbers are assumed to form a smooth hump, other answers as `WORSE` says."""
    WORSE = "worse", "Smooth or spiky: the worse"
    """A smooth and a spiky one are assumed, and what counts is the worse of the two."""
    UNIFORM = "uniform", "All alike"
    HUMP = "hump", "A smooth hump"
    """A bell around the middle of the domain, a sixth of it wide, as ages or incomes may have."""
    FALLING = "falling", "Falling"
    """The second value half as frequent as the first, the third a third, and so on (Zipf), as names may be."""
    SPIKY = "spiky", "Spiky"
    """The same shares as falling ones, scattered over the domain, so that frequent values stand beside rare ones, as
    rounded answers or prices may."""
    OWN = "own", "Own shares"
    """A guess of one's own."""

    @property
    def heading(self) -> str:
        """One of several that are assumed, as the heading of a column."""
        return {Shape.HUMP: "smooth", Shape.SPIKY: "spiky"}.get(self, self.value)


ASSUMED = (Shape.HUMP, Shape.SPIKY)
"""What is assumed where nothing is known: a smooth and a spiky distribution."""

SMOOTH = (Shape.HUMP, Shape.UNIFORM)
"""Who declares one of these says that neighbouring values are about equally frequent."""

_ASSUMPTIONS = {
    Shape.WORSE: "at worst, for smooth or spiky shares",
    Shape.UNIFORM: "for equal shares",
    Shape.HUMP: "for a smooth hump",
    Shape.FALLING: "for falling shares",
    Shape.SPIKY: "for spiky shares",
    Shape.OWN: "for your own shares",
}

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


@dataclass(frozen=True)
class CollectionPlan:
    """What is asked.

    Parameters
    ----------
    users, domain_size, epsilon
        n, d and ε.
    ordinal
        Whether neighbouring values are alike; protocols that use distances are left out if not.
    shape
        What distribution is declared, or `Shape.AUTO`.
    guess
        Its shares in any scale for `Shape.OWN`. They must be public.
    positions
        Places of the values for the Kantorovich distance; 0, 1, … if empty.
    method
        The way to estimate.
    sampling
        Whether the error is the one against all people from whom those who are asked are drawn, and not the one
        against those who are asked alone.
    bands
        Whether the answers are bands of numbers, of which neighbours are about as frequent unless something else is
        declared.
    """

    users: int
    domain_size: int
    epsilon: float
    ordinal: bool = False
    shape: Shape = Shape.AUTO
    guess: tuple[float, ...] = ()
    positions: tuple[float, ...] = ()
    method: EstimationMethod = AUTOMATIC
    sampling: bool = False
    bands: bool = False

    def __post_init__(self) -> None:
        if self.users < 1:
            raise WorkbenchError("There must be at least one person.", hint="Give 1 or more.", field="users")
        if self.domain_size < 2:
            raise WorkbenchError(
                "A question needs at least two possible answers.", hint="Declare more values.", field="domain"
            )
        for what, given in (("guess", self.guess), ("positions", self.positions)):
            if given and len(given) != self.domain_size:
                raise WorkbenchError(
                    f"There are {len(given):,} numbers for {self.domain_size:,} values.",
                    hint="Give one for each value.",
                    field=what,
                )
        if (self.shape is Shape.OWN) != bool(self.guess):
            raise WorkbenchError(
                "An own guess needs shares, and shares need to be chosen as the guess.",
                hint="Give the shares of all values, or choose another assumption.",
                field="guess",
            )
        if self.guess and not (min(self.guess) >= 0 and math.isfinite(sum(self.guess)) and sum(self.guess) > 0):
            raise WorkbenchError(
                "The guess must be shares of 0 or more that are not all 0.", hint="Correct it.", field="guess"
            )

    @property
    def cases(self) -> tuple[CollectionPlan, ...]:
        """The plan for each distribution that is assumed: the declared one, or a smooth and a spiky one."""
        if self.assumed is Shape.WORSE:
            return tuple(replace(self, shape=shape) for shape in ASSUMED)
        return (self if self.shape is self.assumed else replace(self, shape=self.assumed),)

    @property
    def assumed(self) -> Shape:
        """The declared distribution, or what suits the answers."""
        if self.shape is not Shape.AUTO:
            return self.shape
        return Shape.HUMP if self.bands else Shape.WORSE

    @property
    def assumption(self) -> str:
        """Which distribution a prediction is for, in words."""
        return _ASSUMPTIONS[self.assumed]

    @property
    def smooth(self) -> bool:
        """Whether neighbouring values are taken to be about equally frequent."""
        return self.assumed in SMOOTH

    @property
    def shares(self) -> Floats:
        """The assumed distribution, the first if there are several; shape (domain size,)."""
        # EM starts from the uniform distribution, so that one is never assumed, which would flatter it beyond measure.
        shape = self.cases[0].shape
        if shape is Shape.OWN:
            given = np.array(self.guess)
        elif shape is Shape.HUMP:
            place = (np.arange(self.domain_size) + 0.5) / self.domain_size
            given = np.exp(-np.square((place - 0.5) * 6.0) / 2.0)
        elif shape is Shape.FALLING:
            given = 1.0 / np.arange(1.0, self.domain_size + 1.0)
        elif shape is Shape.SPIKY:
            # Multiples of the golden ratio, less their whole part, are as evenly scattered as may be.
            order = np.argsort(np.arange(self.domain_size) * _GOLDEN % 1.0, kind="stable")
            given = np.empty(self.domain_size)
            given[order] = 1.0 / np.arange(1.0, self.domain_size + 1.0)
        else:
            given = np.ones(self.domain_size)
        return np.asarray(given / given.sum())
