"""The agreement of a published value with ours, by a tolerance that is fixed before anything is run."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from workbench.core.number_text import NONE, count, estimate, exact, rounded, spelled, with_places

STANDARD_ERRORS = 3.29
"""How many standard errors two means may differ before they disagree."""
OF_ONE_ERROR = 6.0
"""The same for a single error: as skewed as an exponential number, it exceeds its mean by 6 of them 1 time in 1,000."""
FALSE_ALARMS = 1_000
"""Of so many right values one is refused by chance: a normal number exceeds 3.29 deviations 1 time in 1,000."""
WIDE = 0.25
"""Where more than this part of a published value is allowed, that ours lies within tells nothing."""


class Accord(StrEnum):
    """The result of comparing two values."""

    AGREES = "agrees"
    UNCLEAR = "cannot tell"
    """Ours lies within what is allowed, and so would much else."""
    DIFFERS = "differs"
    MADE = "fitted"
    """Ours lies within what is allowed because the sample was made, or a setting chosen, so: that is no agreement."""


class Said(StrEnum):
    """The name of a comparison where it is shown: one word for each value, and two for a whole figure."""

    AGREES = "agrees"
    WITHIN = "within range"
    """It lies within what is allowed, which is so much that chance decides nothing."""
    UNCHECKED = "cannot be checked"
    """More is allowed than the value itself is: nothing that is likely to come out would differ."""
    DIFFERS = "differs"
    MADE = "fitted"
    COMPUTED = "as computed"
    """It agrees with what nobody published: a check, and no agreement with a text."""
    TOGETHER = "agrees together"
    """Of a figure, not of its values: those that are taken together agree."""
    APART = "differs together"
    """Of a figure, not of its values: each lies within what is allowed for it alone, and together they do not."""


@dataclass(frozen=True)
class OurValue:
    """A value of ours: a mean, the deviation of one repetition, how many there were, and as it is written.

    It is written as a number unless it is given as a text.
    """

    mean: float
    deviation: float = 0.0
    repetitions: int = 1
    written: str = ""


class ValueStanding(StrEnum):
    """The standing of a value: only those that are printed, or can be read off a picture, count as published."""

    PRINTED = "published"
    COMPUTED = "computed"
    CODE = "in the author's code or data alone"


@dataclass(frozen=True)
class PublishedValue:
    """A number that is printed or can be read off the published picture, or follows from what was published.

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
        Where the number stands, such as “p. 28”, “read off the picture” or “author's code”; "" is its figure or page.
    mark
        What is wrong with the published number itself, in a few words.
    made
        Whether the sample was made, or a setting chosen, to come to it.
    skewed
        Whether it is the error of a single run, which is no normal number.
    basis
        What may be misread or be otherwise, where that is no reading off a picture: such as “rounded in print”.
    drawn
        Whether it is drawn at its place although it stands in no curve.
    follows
        How it follows from what was published, where nobody published it itself.
    code
        Whether it is printed nowhere, and stands in the author's code or data alone.
    judged
        Whether the tolerance is how far another sample may be off, which is judged and not computed: what lies within
        it agrees with nothing.
    scale
        What a tolerance is measured by, where that is not the value itself, as of a mean its error; 0 is the value.
    many
        How many published values it stands for: labels of a table; 1 if all follow from one number; 0 of a repetition.
    written
        As it is printed, where that is no number.
    key
        By what it is recorded and called in files, where that is not what it is.
    again
        Whether other figures have it as well, so that among all it is not counted again.
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
    follows: str = ""
    code: bool = False
    judged: bool = False
    scale: float = 0.0
    many: int = 1
    written: str = ""
    key: str = ""
    again: bool = False

    @property
    def name(self) -> str:
        """By what it is recorded and called in files."""
        return self.key or self.what

    @property
    def standing(self) -> ValueStanding:
        """Whether it is published, computed from that, or in the author's code alone."""
        return ValueStanding.COMPUTED if self.follows else ValueStanding.CODE if self.code else ValueStanding.PRINTED


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
    def compared(self) -> bool:
        """Whether anything is compared: not where as much is allowed as the value is, whatever chance does."""
        return not self.value.reading or self.value.reading != abs(self.value.value)

    @property
    def wide(self) -> bool:
        """Whether so much is allowed that agreeing would tell nothing."""
        return self.allowed > WIDE * self._scale

    @property
    def undecided(self) -> bool:
        """Whether more is allowed than the value itself is, so that hardly anything could differ."""
        return self.allowed >= self._scale

    @property
    def _scale(self) -> float:
        return self.value.scale or abs(self.value.value)

    @property
    def accord(self) -> Accord | None:
        """Whether they agree; None while ours is not there."""
        if self.ours is None:
            return None
        if abs(self.ours.mean - self.value.value) > self.allowed:
            return Accord.DIFFERS
        if self.value.made:
            return Accord.MADE
        return Accord.UNCLEAR if self.wide or self.value.judged else Accord.AGREES

    @property
    def basis(self) -> str:
        """Basis of the tolerance, such as “± 0.3; 100 runs each”."""
        value, parts = self.value, []
        if value.basis:
            parts.append(value.basis)
        elif value.reading:
            parts.append(f"± {spelled(estimate(value.reading, 2))}")
        if self.error:
            theirs, ours = count(value.repetitions), count(self.times)
            several = f"{theirs} {'run' if value.repetitions == 1 else 'runs'}"
            runs = f"{several} each" if theirs == ours else f"{several}, {ours} here"
            parts.append(runs if value.repetitions else "chance")
        return "; ".join(parts) or "exact"

    def text(self, basis: str) -> str:
        """Such as “error: published 22, here 24.9, may differ by 3.1”, and what that stands on."""
        published = f"{self.published_text} ({self.source})" if self.source else self.published_text
        allowed = "not compared" if not self.compared else f"may differ by {self.allowed_text}"
        stands = "not printed" if self.value.standing is ValueStanding.CODE else self.value.standing
        return f"{self.value.what}: {stands} {published}, here {self.ours_text or 'not there'}, {allowed} ({basis})"

    def to_json(self) -> dict[str, Any]:
        """As JSON: numbers by the names that are kept, and how people read them."""
        return {
            "what": self.value.name,
            "published": self.value.value,
            "ours": self.our_number,
            "label": self.value.what,
            "published_text": self.published_text,
            "ours_text": self.ours_text,
            "allowed": self.allowed,
            "agrees": self.verdict == Accord.AGREES,
            "loose": self.accord is Accord.UNCLEAR,
            "verdict": self.verdict,
            "basis": self.basis,
            "source": self.value.source,
            "mark": self.value.mark,
            "follows": self.value.follows,
            "standing": self.value.standing,
            "many": self.value.many,
        }

    @property
    def verdict(self) -> str:
        """Its accord in JSON, where only what is published agrees; "" while ours is not there."""
        (said,) = said_of((self,))
        return Said.COMPUTED if said is Said.COMPUTED else self.accord or ""

    @property
    def our_number(self) -> float | None:
        """Ours, None where it is not there or nothing is compared."""
        return self.ours.mean if self.ours is not None and self.compared else None

    @property
    def source(self) -> str:
        """Where the published value stands, unless it is said beside it, and what is wrong with it."""
        beside = self.value.standing is ValueStanding.CODE
        return "; ".join(filter(None, ("" if beside else self.value.source, self.value.mark)))

    @property
    def published_text(self) -> str:
        """The published value, with all its digits; of one that nobody printed, how it follows or where it stands."""
        return f"{self.value.written or spelled(exact(self.value.value))}{self._unprinted}"

    @property
    def _unprinted(self) -> str:
        how = self.value.source if self.value.standing is ValueStanding.CODE else self.value.follows
        return f" ({how})" if how else ""

    @property
    def ratio_text(self) -> str:
        """How many times the published value ours is, where chance alone moves it; "" elsewhere, and of one below 0."""
        random = self.value.repetitions and not self.value.judged and self.value.value > 0
        return spelled(with_places(self.ours.mean / self.value.value, 2)) if self.ours and random else ""

    @property
    def ours_text(self) -> str:
        """Ours in one digit more than is published, as far as they are compared; a mean beside a whole one is whole."""
        if self.ours is None:
            return ""
        if not self.compared:
            return NONE
        if self.ours.written:
            return self.ours.written
        compared = abs(self.value.value) / max(self.allowed, 1e-6 * abs(self.value.value), 1e-12)
        most = min(max(math.ceil(math.log10(max(compared, 1.0))) + 3, 4), 9)
        whole, point, rest = (self.value.written or exact(self.value.value)).partition(".")
        if not self.error and (self.ours.mean.is_integer() or math.isclose(self.ours.mean, self.value.value)):
            return spelled(with_places(self.ours.mean, len(rest)))
        before = math.floor(math.log10(abs(self.ours.mean))) + 1 if self.ours.mean else 1
        wanted = before + len(rest) + 1 if point else max(len(re.sub(r"\D|0+$", "", whole)), 2) + 1
        digits = max(min(most, wanted if point or not self.error else min(wanted, before)), 1)
        places = max(digits - before, 0)
        text = with_places(self.ours.mean, places) if places else estimate(rounded(self.ours.mean, digits), digits)
        return spelled(text)

    @property
    def allowed_text(self) -> str:
        """How far they may be apart, in words; a dash where that is all of the value, so that nothing is compared."""
        if not self.compared:
            return NONE
        return spelled(estimate(self.allowed, 2)) if self.value.reading or self.error else "0"


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
    """The random values of a figure that are taken together; none where there is only one.

    Those that tell nothing alone; where fewer than two do, all. Left out are errors of single runs, too skewed, values
    most of which is a constant, whose ratio is near 1 whatever the rest is, fitted ones, and those of another sample.
    """
    random = (one for one in found if one.error and not (one.value.skewed or one.value.made or one.value.judged))
    noisy = tuple(one for one in random if 2 * one._scale >= abs(one.value.value))
    wide = tuple(one for one in noisy if one.wide)
    return next((several for several in (wide, noisy) if len(several) > 1), ())


def together(found: Sequence[Agreement]) -> Agreement | None:
    """The pooled values together: how many times the published ones ours are; None where none are pooled.

    A published value x is the mean of n runs, ours y of m, and each has the variance σ² of one run, as recorded. If y
    were ρ·x but for chance, the score of ρ at 1 is the sum of μ(y − x)/v, with μ = (nx + my)/(n + m), which is the best
    estimate of what both would be if they were equal. So each ratio y/x has the weight μx/v: about the inverse of its
    variance, as v = σ²/n + σ²/m + misreading². Nothing in it was chosen by what came out.

    False alarms: where all are equal, y − x is independent of μ, whatever was misread, so given all μ the sum is
    normal with the variance Σ(μ/v)²(σ²/n + σ²/m). It exceeds 3.29 deviations 1 time in 1,000 at most, as misreadings
    are allowed for as if all went one way. With x for μ it would err more often, as x is on both sides of the ratio.
    Chances are independent, as every place has random numbers of its own there and here. Until ours are there, what is
    allowed is computed as if they were equal.
    """
    noisy = pooled(found)
    if not noisy:
        return None
    whole, parts = 0.0, []
    for one in noisy:
        published, n, m = one.value.value, one.value.repetitions, one.times
        both = published if one.ours is None else (n * published + m * one.ours.mean) / (n + m)
        parts.append(both / (one.error**2 + one.value.reading**2))
        whole += parts[-1] * published
    parts = [part / whole for part in parts]
    apart = [part * (one.ours.mean - one.value.value) for part, one in zip(parts, noisy, strict=True) if one.ours]
    ratio = 1 + sum(apart) if len(apart) == len(noisy) else None
    reading = sum(abs(part) * one.value.reading for part, one in zip(parts, noisy, strict=True))
    error = math.hypot(*(part * one.error for part, one in zip(parts, noisy, strict=True)))
    value = PublishedValue(f"{len(noisy)} ratios together", 1.0, reading, follows="if equal")
    bare = Agreement(value, None, error)
    if ratio is None:
        return bare
    places = max(2, 1 - math.floor(math.log10(bare.allowed)))  # what is allowed has two digits
    return Agreement(value, OurValue(ratio, written=with_places(ratio, places)), error)


def said_together(found: Sequence[Agreement]) -> str:
    """Sentence on what the pooled values come to together; "" without any, or where that adds nothing."""
    whole, alone = together(found), {one.accord for one in pooled(found)}
    if whole is None or whole.ours is None or Accord.DIFFERS in alone or {whole.accord, *alone} == {Accord.AGREES}:
        return ""
    ratios = [one for one in found if one.ratio_text]
    several, every = (sum(one.value.many for one in some) for some in (pooled(found), ratios))
    of = f"all {count(every)} ratios"
    if several != every:
        of = f"{count(several)} of {count(every)} ratios (marked “together”)"
    allowed = float(estimate(whole.allowed, 2))  # the same digits as in the table
    places = len(whole.ours_text.partition(".")[2])
    low, high = (spelled(with_places(max(1 + sign * allowed, 0.0), places)) for sign in (-1, 1))
    much = ", too wide to tell much" if whole.accord is Accord.UNCLEAR else ""
    return f"The weighted mean of {of}, ours to published, is {whole.ours_text}; chance allows {low} to {high}{much}."


_SAID = {Accord.AGREES: Said.AGREES, Accord.UNCLEAR: Said.WITHIN, Accord.DIFFERS: Said.DIFFERS, Accord.MADE: Said.MADE}


def said_of(found: Sequence[Agreement]) -> tuple[Said | None, ...]:
    """Name of what the comparison of each value of one figure came to; None while ours is not there.

    One that lies within its own tolerance never differs, whatever all do together: that is said of the figure. Nor does
    it agree where its tolerance is larger than itself, as −92.5 and 16.7 are within 514 of each other, or because
    others are near: of each value only what it tells alone is said. Only one that is published agrees.
    """

    def said(one: Agreement) -> Said | None:
        if one.accord is Accord.UNCLEAR and one.undecided:
            return Said.UNCHECKED
        if one.accord is Accord.AGREES and one.value.standing is not ValueStanding.PRINTED:
            return Said.COMPUTED
        return None if one.accord is None else _SAID[one.accord]

    return tuple(map(said, found))


def agree_together(found: Sequence[Agreement]) -> int:
    """How many values of one figure agree together; 0 where they do not, or where none of them tells little alone."""
    whole, several = together(found), pooled(found)
    little = any(one.accord is Accord.UNCLEAR and not one.undecided for one in several)
    if whole is None or whole.accord is not Accord.AGREES or not little:
        return 0
    return sum(one.value.many for one in several)


def said_of_all(found: Sequence[Agreement]) -> Said | None:
    """Name of what a figure whose values are taken together came to; None where that adds nothing."""
    return Said.APART if apart_together(found) else Said.TOGETHER if agree_together(found) else None


def apart_together(found: Sequence[Agreement]) -> int:
    """How many values of one figure differ together though none of them does alone; 0 where they do not."""
    whole, several = together(found), pooled(found)
    if whole is None or whole.accord is not Accord.DIFFERS or any(one.accord is Accord.DIFFERS for one in several):
        return 0
    return sum(one.value.many for one in several)


def tallied(*figures: Sequence[Agreement], standing: ValueStanding | None = None) -> dict[Said, int]:
    """How many values of these figures are said to be what.

    Parameters
    ----------
    standing
        Count only those that are published, or computed, or in the author's code. Of several figures nothing twice.
    """
    every = [
        (said, 0 if one.value.again and len(figures) > 1 else one.value.many)
        for found in figures
        for said, one in zip(said_of(found), found, strict=True)
        if standing is None or one.value.standing is standing
    ]
    return {one: sum(many for said, many in every if said is one) for one in Said}
