"""Whether a published value and ours agree, by a tolerance that is fixed before anything is run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any

from workbench.core.number_text import count, estimate, exact
from workbench.core.paths import resources

RECORDED = "published_values.json"
"""What a run with seed 1 came to, and the noise of one repetition, from a longer run; tests make it again."""
STANDARD_ERRORS = 3.29
"""How many standard errors two means may differ before they disagree."""
OF_ONE_ERROR = 6.0
"""The same for a single error: as skewed as an exponential number, it exceeds its mean by 6 of them 1 time in 1,000."""
FALSE_ALARMS = 1_000
"""Of so many right values one is refused by chance: a normal number exceeds 3.29 deviations 1 time in 1,000."""
WIDE = 0.25
"""Where more than this part of a published value is allowed, that ours lies within tells nothing."""


class Accord(StrEnum):
    """What comparing two values came to."""

    AGREES = "agrees"
    UNCLEAR = "cannot tell"
    """Ours lies within what is allowed, and so would much else."""
    DIFFERS = "differs"
    MADE = "fitted"
    """Ours lies within what is allowed because the synthetic sample was made so: that is no agreement."""


class Said(StrEnum):
    """What a comparison is called where it is shown: its accord, and whether others had to help."""

    AGREES = "agrees"
    TOGETHER = "agrees together"
    """It tells nothing alone, and agrees as one with the others of its figure that tell nothing alone."""
    UNDECIDED = "undecided"
    DIFFERS = "differs"
    MADE = "fitted"


@dataclass(frozen=True)
class OurValue:
    """What came out here: a mean, the deviation of one repetition, and how many there were."""

    mean: float
    deviation: float = 0.0
    repetitions: int = 1


@dataclass(frozen=True)
class PublishedValue:
    """A number that is printed or can be read off the published picture.

    Parameters
    ----------
    what
        What it is.
    value, reading
        The number, and how far it may be misread; 0 if it is printed. Of data that are synthetic here, how far they
        may be from the published ones.
    repetitions
        How many runs it is the mean of; 0 if nothing about it is random.
    panel, curve, place
        Where the same number stands on the side made as published; the curve "" looks among its numbers.
    source
        Where the number stands, such as “p. 28”, “picture” or “program”; "" is its figure or page.
    mark
        What is wrong with the published number itself, in a few words.
    made
        Whether the sample was made to come to it.
    skewed
        Whether it is the error of a single run, which is no normal number.
    basis
        What may be misread or be otherwise, where that is no reading off a picture: such as “rounded in print”.
    drawn
        Whether it is drawn at its place although it stands in no curve.
    """

    what: str
    value: float
    reading: float = 0.0
    repetitions: int = 0
    panel: int = 0
    curve: str = ""
    place: float = 0.0
    source: str = ""
    mark: str = ""
    made: bool = False
    skewed: bool = False
    basis: str = ""
    drawn: bool = False


@dataclass(frozen=True)
class Agreement:
    """A published value beside ours.

    Parameters
    ----------
    value
        The published one.
    ours
        Ours, None while it is not there.
    error
        The standard error of their difference, 0 where nothing is random; known before ours is.
    times
        How many repetitions ours is or will be the mean of.
    """

    value: PublishedValue
    ours: OurValue | None
    error: float = 0.0
    times: int = 1

    @property
    def allowed(self) -> float:
        """How far they may be apart: what can be misread, and what chance allows. The same before and after a run."""
        errors = OF_ONE_ERROR if self.value.skewed else STANDARD_ERRORS
        return self.value.reading + errors * self.error + 1e-9 * abs(self.value.value)

    @property
    def wide(self) -> bool:
        """Whether so much is allowed that agreeing would tell nothing."""
        return self.allowed > WIDE * abs(self.value.value)

    @property
    def accord(self) -> Accord | None:
        """Whether they agree; None while ours is not there."""
        if self.ours is None:
            return None
        if abs(self.ours.mean - self.value.value) > self.allowed:
            return Accord.DIFFERS
        if self.value.made:
            return Accord.MADE
        return Accord.UNCLEAR if self.wide else Accord.AGREES

    @property
    def basis(self) -> str:
        """What the tolerance stands on, such as “chance, 100 and 100 runs; reading ± 0.3”."""
        value, parts = self.value, []
        if self.error:
            runs = f", {count(value.repetitions)} and {count(self.times)} runs" if value.repetitions else ""
            parts.append(f"chance{runs}")
        if value.basis:
            parts.append(value.basis)
        elif value.reading:
            parts.append(f"reading ± {estimate(value.reading, 2)}")
        return "; ".join(parts) or "exact"

    def text(self, basis: str) -> str:
        """Such as “error: published 22, here 24.9, may differ by 3.1”, and what that stands on."""
        where = "; ".join(filter(None, (self.value.source, self.value.mark)))
        published = f"{self.published_text} ({where})" if where else self.published_text
        return (
            f"{self.value.what}: published {published}, here "
            f"{self.ours_text or 'not there'}, "
            f"may differ by {self.allowed_text} ({basis})"
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "what": self.value.what,
            "published": self.value.value,
            "ours": None if self.ours is None else self.ours.mean,
            "allowed": self.allowed,
            "agrees": self.accord is Accord.AGREES,
            "loose": self.accord is Accord.UNCLEAR,
            "verdict": self.accord.value if self.accord is not None else "",
            "basis": self.basis,
            "source": self.value.source,
            "mark": self.value.mark,
        }

    @property
    def published_text(self) -> str:
        """The published value, with all its digits."""
        return exact(self.value.value)

    @property
    def ours_text(self) -> str:
        """Ours in as many digits as are compared; "" while it is not there."""
        if self.ours is None:
            return ""
        compared = abs(self.value.value) / max(self.allowed, 1e-6 * abs(self.value.value), 1e-12)
        return estimate(self.ours.mean, min(max(math.ceil(math.log10(max(compared, 1.0))) + 3, 4), 9))

    @property
    def allowed_text(self) -> str:
        """How far they may be apart, in words."""
        return estimate(self.allowed, 2) if self.allowed > 1e-6 * abs(self.value.value) else "nothing"


def agreement(value: PublishedValue, ours: OurValue | None, deviation: float = 0.0, repetitions: int = 1) -> Agreement:
    """A published value beside ours.

    Parameters
    ----------
    deviation, repetitions
        The noise of one repetition, as recorded, and how many ours is or will be the mean of.
    """
    if not value.repetitions:
        return Agreement(value, ours)
    return Agreement(value, ours, deviation * math.sqrt(1 / value.repetitions + 1 / repetitions), repetitions)


def pooled(found: Sequence[Agreement]) -> tuple[Agreement, ...]:
    """The values that tell nothing alone, so that `together` takes them; none where there is only one.

    Errors of single runs are left out, as they are too skewed for that.
    """
    noisy = tuple(one for one in found if one.wide and one.error and not one.value.skewed)
    return noisy if len(noisy) > 1 else ()


def together(found: Sequence[Agreement]) -> Agreement | None:
    """The pooled values as one: how many times the published ones ours are; None where none are pooled.

    The ratios are weighted by 1/variance, as their chances are independent; misreadings may all go one way.
    """
    noisy = pooled(found)
    if not noisy:
        return None
    weights = [(one.value.value / one.error) ** 2 for one in noisy]
    whole = sum(weights)
    ours = [one.ours.mean / one.value.value for one in noisy if one.ours is not None]
    ratio = sum(w * r for w, r in zip(weights, ours, strict=True)) / whole if len(ours) == len(noisy) else None
    reading = sum(w * one.value.reading / abs(one.value.value) for w, one in zip(weights, noisy, strict=True)) / whole
    value = PublishedValue(f"The {len(noisy)} values together: times the published", 1.0, reading)
    return Agreement(value, None if ratio is None else OurValue(ratio), 1 / math.sqrt(whole))


def counted(found: Sequence[Agreement]) -> dict[Accord, int]:
    """How many agree, cannot tell and differ."""
    return {one: sum(other.accord is one for other in found) for one in Accord}


_SAID = {
    Accord.AGREES: Said.AGREES,
    Accord.UNCLEAR: Said.UNDECIDED,
    Accord.DIFFERS: Said.DIFFERS,
    Accord.MADE: Said.MADE,
}


def said_of(found: Sequence[Agreement]) -> tuple[Said | None, ...]:
    """What each value of one figure is said to be; None while ours is not there."""
    whole = together(found)
    helped = whole is not None and whole.accord is Accord.AGREES
    of_pool = {one.value.what for one in pooled(found)} if helped else set()
    return tuple(
        None
        if one.accord is None
        else Said.TOGETHER
        if one.accord is Accord.UNCLEAR and one.value.what in of_pool
        else _SAID[one.accord]
        for one in found
    )


def tallied(*figures: Sequence[Agreement]) -> dict[Said, int]:
    """How many values of these figures are said to be what; the values of one figure stand together."""
    every = [one for found in figures for one in said_of(found)]
    return {one: every.count(one) for one in Said}


def verdict_on(*figures: Sequence[Agreement]) -> str:
    """Such as “2 agree · 2 undecided”."""
    if not any(figures):
        return "Nothing published to compare with"
    many = {Said.AGREES: "agree", Said.TOGETHER: "agree together", Said.DIFFERS: "differ"}
    return " · ".join(f"{n} {many.get(one, one) if n > 1 else one}" for one, n in tallied(*figures).items() if n)


@cache
def recorded() -> Mapping[str, Mapping[str, OurValue]]:
    """By figure and value what a run with seed 1 came to; its deviation is that of a longer run with another seed."""
    with (resources() / RECORDED).open(encoding="utf-8") as stream:
        plain = json.load(stream)
    return {
        figure: {what: OurValue(mean, deviation, int(times)) for what, (mean, deviation, times) in values.items()}
        for figure, values in plain.items()
    }
