"""One way at one place of the axis, and all of them together: what is known of each, and which one to take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from workbench.evaluate.experiment import Basis
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.told_apart import TileStanding

WAYS = (Approach.GLOBAL, Approach.ANONYMISED, Approach.LOCAL)
"""The ways that have a tile, in their order."""
FAMILIES = {
    Approach.GLOBAL: "best-global",
    Approach.ANONYMISED: "best-anonymised",
    Approach.LOCAL: "best-local",
}
TRUST = {
    Approach.GLOBAL: "Trust: a curator",
    Approach.ANONYMISED: "Trust: a curator, once",
    Approach.LOCAL: "Trust: nobody",
}
LEAVES = {
    Approach.GLOBAL: "Leaves: one noisy answer",
    Approach.ANONYMISED: "Leaves: a table",
    Approach.LOCAL: "Leaves: perturbed reports",
}

STRONGEST = (Approach.LOCAL, Approach.GLOBAL, Approach.ANONYMISED)
"""Order of the ways by what they promise at the same ε, most first: nobody is trusted, or no δ stands beside ε."""
TRUSTED = {
    Approach.GLOBAL: " if a curator is trusted",
    Approach.ANONYMISED: " if a curator is trusted, once",
    Approach.LOCAL: "",
}
"""On which condition a way can be taken at all."""
PROMISES = {Approach.LOCAL: "it trusts nobody", Approach.GLOBAL: "it needs no δ"}
"""Why a way is taken before one that is as good, or that tries do not tell from it."""


class Remedy(StrEnum):
    """The change by which one click makes a way possible."""

    NONE = "none"
    ADD = "add"
    """The way is not among the methods: add it."""
    HIERARCHY = "hierarchy"
    """No group is large enough to be released: build a hierarchy."""
    MORE = "more"
    """Nothing can be answered at so little ε."""


@dataclass(frozen=True)
class Tile:
    """One way at one place.

    Parameters
    ----------
    approach
        Which way.
    error
        Its mean error there, nan if there is none; between two places that were tried, of the curve that is drawn.
    spread
        The standard error of that mean.
    means
        From how many independent tries that is estimated; 0 where it is known.
    by_formula
        Whether a formula says the error, so that no tries are needed to know it.
    times
        How many times the error of the best way it is; 1 for the best one, nan if unknown.
    standing, between
        How it stands beside the way to take, and between what so many times the error of that its own is.
    guessed
        Whether a guess errs no more: on each public shape, of equal shares apart, which a guess meets by assumption.
    setting
        The method that errs least there, with all its parameters; None if nothing does.
    as_good
        The other settings of the way that neither tries nor formulas tell from it.
    shape
        The public shape that the error is about: of those tried the worst for this way. None on true values.
    worst_on
        The public shapes that the error may be about: those that tries do not show to be better.
    on_one_shape
        Of several shapes, the fewest and the most times that it errs as much as the way to take on one and the same.
    trust, leaves
        Who must be trusted, and what leaves.
    problem
        Why there is no error, or "" (also while it is not there yet).
    remedy
        What mends that.
    """

    approach: Approach
    error: float = math.nan
    spread: float = math.nan
    means: int = 0
    by_formula: bool = False
    times: float = math.nan
    standing: TileStanding = TileStanding.UNKNOWN
    between: tuple[float, float] = (math.nan, math.nan)
    guessed: bool = False
    setting: MethodChoice | None = None
    as_good: tuple[MethodChoice, ...] = ()
    shape: Basis | None = None
    worst_on: tuple[Basis, ...] = ()
    on_one_shape: tuple[float, float] = (math.nan, math.nan)
    trust: str = ""
    leaves: str = ""
    problem: str = ""
    remedy: Remedy = Remedy.NONE

    @property
    def known(self) -> bool:
        """Whether there is an error."""
        return math.isfinite(self.error)

    @property
    def alike(self) -> bool:
        """Whether it is the way to take, or tries show that it is as good."""
        return self.standing in (TileStanding.TAKEN, TileStanding.ALIKE)

    def worst_elsewhere(self, taken: Tile) -> bool:
        """Whether it errs most on another public shape than the way to take, so that each error is at its own worst."""
        return bool(self.worst_on and taken.worst_on) and not set(self.worst_on) & set(taken.worst_on)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "way": self.approach.value,
            "error": _known(self.error),
            "times": _known(self.times),
            "alike": self.alike,
            "standing": self.standing.value,
            "times_between": [_known(one) for one in self.between],
            "guessed": self.guessed,
            "setting": None if self.setting is None else self.setting.to_json(),
            "as_good": [one.to_json() for one in self.as_good],
            "shape": None if self.shape is None else self.shape.value,
            "trust": self.trust,
            "leaves": self.leaves,
            "problem": self.problem,
        }


@dataclass(frozen=True)
class Unless:
    """A public shape on which another way than the recommended one errs least, or a guess.

    Parameters
    ----------
    shape
        Which one.
    approach
        What errs least there; `Approach.BASELINE` for a guess.
    error, instead
        What it errs by there, and what the recommended way does.
    """

    shape: Basis
    approach: Approach
    error: float
    instead: float


@dataclass(frozen=True)
class Verdict:
    """All tiles at one place.

    Parameters
    ----------
    place
        Where on the axis.
    tiles
        One per way, in the order of `WAYS`.
    recommended
        Of the ways that err least, or that tries do not show to err more, the one that promises most; None while
        unknown, or where none does better than a guess.
    guess
        The error of guessing that all values are equally likely, on the worst shape; nan if that was not tried.
    sentence
        What it comes to.
    unless
        The shapes on which another way errs clearly less, so that it depends on the shape which one to take.
    waits
        Whether some way was not run here yet, so that none is recommended.
    """

    place: float
    tiles: tuple[Tile, ...]
    recommended: Approach | None
    guess: float
    sentence: str
    unless: tuple[Unless, ...] = ()
    waits: bool = False

    @property
    def taken(self) -> Tile | None:
        """The tile that others are measured by: that of the recommended way, else of the one that errs least."""
        known = [one for one in self.tiles if math.isfinite(one.error)]
        mine = (one for one in known if one.approach is self.recommended)
        return next(mine, min(known, key=lambda one: one.error, default=None))

    def which(self, standing: TileStanding) -> list[Tile]:
        """The ways that stand so beside the one to take."""
        return [one for one in self.tiles if one.standing is standing]

    @property
    def near(self) -> bool:
        """Whether another way is as good as the one to take, or not told apart from it."""
        return bool(self.which(TileStanding.ALIKE) or self.which(TileStanding.UNTOLD))

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "place": self.place,
            "recommended": None if self.recommended is None else self.recommended.value,
            "guess": _known(self.guess),
            "sentence": self.sentence,
            "unless": [
                {"shape": one.shape.value, "way": one.approach.value, "error": one.error, "instead": one.instead}
                for one in self.unless
            ],
            "tiles": [one.to_json() for one in self.tiles],
        }


def _known(value: float) -> float | None:
    return value if math.isfinite(value) else None
