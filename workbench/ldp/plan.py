"""The plan of a collection: the numbers of people and values, ε, and the assumed distributions.

Nothing here comes from data. Protocols and estimators that smooth do well where the shares of neighbouring values are
alike, and several times worse than they promise where they are not, so a prediction for one distribution alone says
little: unless one is declared, a smooth, a spiky and an even one are assumed, and the worst error counts. That of
unbiased estimates after they were made non-negative is often largest where all values are equally frequent.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.worded import Worded
from workbench.ldp.estimation import AUTOMATIC, EstimationMethod
from workbench.ldp.public_shapes import PAIR, PublicShape, evenly_moved, shape_shares

Floats = NDArray[np.float64]

MOST_USERS = 10**9
"""Collections of more people than this are not planned."""


class Shape(Worded):
    """The distribution of the values that is assumed."""

    AUTO = "auto", "Worst shape"
    """None is declared, so `WORSE` is assumed."""
    WORSE = "worse", "Worst of three shapes"
    """All three are assumed, and what counts is the worst of them."""
    UNIFORM = "uniform", "Equal shares"
    HUMP = "hump", "Smooth humps"
    """One hump that leans to the low side and lies anywhere, as ages or incomes may have."""
    FALLING = "falling", "Falling"
    """The second value half as frequent as the first, the third a third, and so on (Zipf), as names may be."""
    SPIKY = "spiky", "Spiky"
    """Falling shares scattered over the domain, so that frequent values stand beside rare ones, as rounded answers or
    prices may."""
    OWN = "own", "Own shares"
    """A guess that was typed."""

    @property
    def heading(self) -> str:
        """One of several that are assumed, as the heading of a column."""
        return {Shape.HUMP: "smooth", Shape.SPIKY: "spiky", Shape.UNIFORM: "equal"}.get(self, self.value)


ASSUMED = (Shape.HUMP, Shape.SPIKY, Shape.UNIFORM)
"""Shapes assumed where nothing is known: a smooth distribution, a spiky one and one in which all values are alike."""

SMOOTH = (Shape.HUMP, Shape.UNIFORM)
"""Who declares one of these says that neighbouring values are about equally frequent."""

_ASSUMPTIONS = {
    Shape.WORSE: "for the worst of smooth, spiky and equal shares",
    Shape.UNIFORM: "for equal shares",
    Shape.HUMP: "for many smooth humps",
    Shape.FALLING: "for falling shares",
    Shape.SPIKY: "for many spiky shapes",
    Shape.OWN: "for your own shares",
}

_MANY_OF = {Shape.HUMP: "many smooth humps", Shape.SPIKY: "many spiky shapes"}
"""Shapes that lie anywhere, so that a prediction is the average over many; what is simulated is one of them."""
_MANY = 400
"""Places of a shape of two values over which its larger share is averaged."""
_PUBLIC = {
    Shape.UNIFORM: PublicShape.UNIFORM,
    Shape.HUMP: PublicShape.SMOOTH,
    Shape.SPIKY: PublicShape.SPIKY,
}


@dataclass(frozen=True)
class CollectionPlan:
    """The plan of a collection: what is asked of how many people, at which ε.

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
    of_one_person
        How many of the reports, which `users` counts, one person may send. They are no draws of their own from all
        people, so a sampling error is that of as many people as can have sent them at least.
    apart
        Whether who takes part is hidden: everybody reports, and who takes no part a further answer, by every protocol
        that has room for it. It makes the others less exact, and is taken off again; nobody is taken to give it.
    largest
        No share is taken to be larger by the margin of each share; no other error goes by it.
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
    of_one_person: int = 1
    apart: bool = False
    largest: float = 1.0

    def __post_init__(self) -> None:
        if self.users < 1:
            raise WorkbenchError("There must be at least one person.", hint="Give 1 or more.", field="users")
        if self.of_one_person < 1:
            raise WorkbenchError("A person sends at least one report.", hint="Give 1 or more.", field="of_one_person")
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
        """The plan for each distribution that is assumed: the declared one, or all of `ASSUMED`."""
        if self.assumed is Shape.WORSE:
            return tuple(replace(self, shape=shape) for shape in ASSUMED)
        if self.shape is self.assumed:
            return (self,)
        return (replace(self, shape=self.assumed, guess=()),)

    @property
    def people(self) -> int:
        """How many people a sampling error is that of, at least 1: the fewest who can have sent so many reports.

        Notes
        -----
        If person i sends wᵢ reports that are all alike, a share p is estimated with the variance
        p(1 − p) Σ wᵢ² ÷ (Σ wᵢ)², as from (Σ wᵢ)² ÷ Σ wᵢ² people who are asked once (Kish, Survey Sampling, 1965).
        Nobody sends more than r, so Σ wᵢ² ≤ r Σ wᵢ, and n reports stand for n ÷ r people at least. Reports of a
        person that differ say more; how much more no plan knows.
        """
        return max(self.users // self.of_one_person, 1)

    @property
    def assumed(self) -> Shape:
        """The declared distribution, or that none is; own shares that are all the same are equal shares."""
        if self.shape is Shape.OWN and min(self.guess) == max(self.guess):
            return Shape.UNIFORM
        return Shape.WORSE if self.shape is Shape.AUTO else self.shape

    @property
    def assumption(self) -> str:
        """Which distribution a prediction is for, in words."""
        if self.domain_size == PAIR and self.assumed in (Shape.WORSE, Shape.HUMP, Shape.SPIKY):
            if self.assumed is not Shape.WORSE:
                return f"for {self.shares_of(self.assumed)}"
            return f"for the worst of {self.heading(Shape.HUMP)}, {self.heading(Shape.SPIKY)} and equal shares"
        return _ASSUMPTIONS[self.assumed]

    def heading(self, shape: Shape) -> str:
        """One of several shapes that are assumed, as the heading of a column: of two values by their shares.

        Two values are neither smooth nor spiky: a hump has nearly everything on one of them.
        """
        if self.domain_size > PAIR or shape not in (Shape.HUMP, Shape.SPIKY):
            return shape.heading
        larger = round(100.0 * float(evenly_moved(_PUBLIC[shape], PAIR, _MANY).max(axis=1).mean()))
        return f"{larger}\u00a0:\u00a0{100 - larger}"

    def shares_of(self, shape: Shape) -> str:
        """One of the shapes that are assumed, in a sentence: two values have about the shares of its heading.

        A shape of two values is several shares close by, so that a guess errs a little more or less than by them.
        """
        heading = self.heading(shape)
        if heading != shape.heading:
            return f"shares of about {heading}"
        return _MANY_OF.get(shape, f"{heading} shares")

    @property
    def smooth(self) -> bool:
        """Whether neighbouring values are taken to be about equally frequent."""
        return self.assumed in SMOOTH

    @property
    def shares(self) -> Floats:
        """The assumed distribution as it usually is, the first if there are several; shape (domain size,)."""
        # EM starts from the uniform distribution, which alone would flatter it beyond measure: it never comes first.
        public = _PUBLIC.get(self.cases[0].shape)
        return self._fixed if public is None else shape_shares(public, self.domain_size)

    def drawn_shares(self, number: int) -> Floats:
        """The assumed distribution in so many places and widths, where it is none in particular.

        Returns
        -------
        array
            Shape (number, domain size); of the first distribution if there are several.
        """
        public = _PUBLIC.get(self.cases[0].shape)
        if public is None:
            return np.tile(self._fixed, (number, 1))
        return evenly_moved(public, self.domain_size, number)

    @property
    def _fixed(self) -> Floats:
        if self.cases[0].shape is Shape.OWN:
            given = np.array(self.guess)
        else:
            given = 1.0 / np.arange(1.0, self.domain_size + 1.0)
        return np.asarray(given / given.sum())
