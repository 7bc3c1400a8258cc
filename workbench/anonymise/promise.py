"""The whole promise to a person: the guarantee of the release and the cost of choosing its levels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.sample_guarantee import Accounting, Guarantee
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import TWICE, KnownNumber
from workbench.core.number_text import count, estimate, rounded_down, rounded_up
from workbench.core.rationals import float_above, rational
from workbench.core.release_spending import for_replacing_in_groups
from workbench.core.times_as_likely import no_likelier

ReleaseGuarantee: TypeAlias = Guarantee | TrimGuarantee
"""Guarantee of the release alone, by either mechanism: an ε, a δ, the rows of a person, the class that survives."""


def sampling_guarantee(promised: ReleaseGuarantee) -> Guarantee:
    """The same, of a release by sampling.

    Raises
    ------
    WorkbenchError
        If groups are trimmed, so that there is no β and no k.
    """
    if isinstance(promised, Guarantee):
        return promised
    raise WorkbenchError(
        "This is about sampling with β and k, and the release trims groups.",
        hint="Choose sampling as the mechanism to see it.",
        field="mechanism",
    )


@dataclass(frozen=True)
class Promise:
    """The (ε, δ) of a release together with the private choice of its levels, if they were chosen so.

    The choice is (ε_search, 0)-private, the release (ε, δ) whatever levels were drawn, and both are for the same rows
    per person; in sequence they are (ε_search + ε, δ). Another choice is a release of its own.

    Parameters
    ----------
    release
        The guarantee of the release alone.
    search
        How the levels were drawn; None if they were fixed without the data.
    """

    release: ReleaseGuarantee
    search: PrivateSearch | None = None

    def __post_init__(self) -> None:
        if self.search is not None:
            object.__setattr__(self, "search", self.search.of_mechanism(self.mechanism))

    @property
    def search_epsilon(self) -> float:
        """ε of the draw of levels; 0 if they were fixed without the data."""
        return self.search.epsilon if self.search is not None else 0.0

    @property
    def epsilon(self) -> float:
        """ε of everything, not rounded down."""
        if self.search is None:
            return self.release.epsilon
        return float_above(rational(self.search.epsilon) + rational(self.release.epsilon))

    @property
    def delta(self) -> float:
        return self.release.delta

    @property
    def exactly(self) -> tuple[Fraction, Fraction]:
        """ε and δ of everything, as they were typed."""
        return rational(self.search_epsilon) + rational(self.release.epsilon), rational(self.release.delta)

    @property
    def mechanism(self) -> ReleaseMechanism:
        return ReleaseMechanism.SAMPLE if self.trimmed is None else ReleaseMechanism.TRIM

    @property
    def trimmed(self) -> TrimGuarantee | None:
        """The guarantee of a trimmed release; None of a sampled one."""
        return self.release if isinstance(self.release, TrimGuarantee) else None

    @property
    def beta(self) -> float:
        """Of a sampled release."""
        return sampling_guarantee(self.release).beta

    @property
    def k(self) -> int:
        """Of a sampled release."""
        return sampling_guarantee(self.release).k

    @property
    def accounting(self) -> Accounting:
        """Of a sampled release."""
        return sampling_guarantee(self.release).accounting

    @property
    def rows_per_person(self) -> int:
        return self.release.rows_per_person

    @property
    def smallest_class(self) -> float:
        return self.release.smallest_class

    @property
    def split(self) -> str:
        """Where ε goes, in words; "" if all of it is the release's."""
        if self.search is None:
            return ""
        return split_in_words(self.epsilon, self.search_epsilon, self.release.epsilon)

    @property
    def meaning(self) -> tuple[str, str]:
        """Meaning of the promise: how many rows a group needs, and what is promised to a person."""
        return self.means()

    def means(self, *, replacing: bool = False) -> tuple[str, str]:
        """The same, also where only replacing a person is hidden."""
        rows, (epsilon, delta) = self.rows_per_person, self.about(replacing=replacing)
        whose = "one person’s row" if rows == 1 else f"one person’s {rows:,} rows"
        which = f"with {whose} or another’s" if replacing else f"with or without {whose}"
        factor = "e^2ε" if replacing else "e^ε"
        return (
            self._survives,
            f"If the claim holds: {which}, the probability of any outcome differs at most by the factor {factor} ≈ "
            f"{estimate(math.exp(epsilon))}, plus {'almost 2δ' if replacing else 'δ'} = {rounded_up(delta)}.",
        )

    def about(self, *, replacing: bool) -> tuple[float, float]:
        """ε and δ, or those with which it hides that one person is replaced by another; not rounded down."""
        if not replacing:
            return self.epsilon, self.delta
        epsilon, delta = for_replacing_in_groups(*self.exactly)
        return float_above(epsilon), float_above(delta)

    def in_short(self, *, replacing: bool = False) -> str:
        """Promise to a person, in words for readers who have never heard of ε: a line for each thing guessed at.

        Both answers to who knows the number have the same lines in the same order, so that they can be compared.

        Parameters
        ----------
        replacing
            Whether it is known how many people there are, so that only what stands in their rows is hidden.
        """
        right = whole_up(guessed_right(*self.about(replacing=replacing)))
        if replacing:
            # Said first, as without it the answer that hides more would seem to hide less.
            return (
                "Is somebody in the table? Not hidden: the number may be known.\n"
                f"Which of two values is theirs? Guessed right at most {right} %.\n{_WITHOUT}"
            )
        known = whole_up(guessed_of_known(self.epsilon, self.delta))
        return (
            f"Is somebody in the table? Guessed right at most {right} %.\n"
            f"If so, which of two values is theirs? At most {known} %.\n{_WITHOUT}"
        )

    @property
    def supposed(self) -> str:
        """Supposition of `in_short`, which bounds the best of all guesses."""
        return "It holds even for whoever knows everyone else, if without the file both answers are as likely."

    def told_besides(self, *, replacing: bool = False) -> str:
        """What belongs to `in_short` and is longer than a glance."""
        return " ".join((self.supposed, self.deniable(replacing=replacing), self.in_letters(replacing=replacing)))

    def deniable(self, *, replacing: bool = False) -> str:
        """Deniability by the same promise: how often even the guess of `in_short` is wrong, rounded down."""
        wrong = math.floor(100 * (1 - guessed_right(*self.about(replacing=replacing))))
        if wrong >= _DENIABLE:
            return f"At least {wrong} in 100 guesses fail."
        return f"{f'As few as {wrong} in 100 guesses' if wrong else 'Next to no guess'} may fail."

    def compared(self, *, replacing: bool = False) -> str:
        """The same of other ε, for whoever has to choose one: beside a choice of levels half of what counts twice."""
        low, high = self._usual(replacing=replacing)
        least, most = (rounded_up(epsilon / 2 if replacing and self.search else epsilon) for epsilon in _COMMON)
        return f"Usual: ε {least} ({low} %) to {most} ({high} %)"

    def usual(self, *, replacing: bool = False) -> str:
        """How often a guess is right with files of usual ε, in a short sentence beside the same of this one."""
        low, high = self._usual(replacing=replacing)
        return f"Usual with one: {low} to {high} %."

    def _usual(self, *, replacing: bool) -> tuple[str, str]:
        delta = self.about(replacing=replacing)[1]
        low, high = (whole_up(guessed_right(epsilon, delta)) for epsilon in _COMMON)
        return low, high

    def counted(self, known: KnownNumber) -> tuple[str, str]:
        """Calculation of the price from a typed ε that counts twice, for beside it, and in words.

        Both are empty where the ε is the price.
        """
        if not known:
            return "", ""
        typed, price = rounded_up(self.release.epsilon), rounded_up(self.about(replacing=True)[0])
        searched = "" if self.search is None else rounded_up(self.search_epsilon)
        short = f"+ {searched}, {TWICE}: ε {price}" if searched else f"{TWICE}: ε {price}"
        levels = f" + {searched} for the levels" if searched else ""
        return short, f"{typed}{levels} counts twice, as the number is known: ε {price} in all"

    def charged(self, known: KnownNumber) -> str:
        """Price of a draw as its button shows it, and of a sum with the choice of levels what counts twice."""
        epsilon, delta = map(rounded_up, self.about(replacing=bool(known)))
        once = f" ({rounded_up(self.epsilon)} {TWICE})" if known and self.search is not None else ""
        return f"ε {epsilon}{once}, δ {delta}"

    def in_letters(self, *, replacing: bool = False) -> str:
        """Which part of that ε has, and which δ."""
        likelier = no_likelier(self.about(replacing=replacing)[0], replacing=replacing)
        return (
            f"ε sets this: {likelier}, but for δ. "
            f"A group that holds one person alone is in the file with a chance of δ at most, {rounded_up(self.delta)}: "
            "the percentage includes that."
        )

    @property
    def price(self) -> str:
        """Price of a draw, as buttons and plans show it."""
        return f"ε {rounded_up(self.epsilon)}, δ {rounded_up(self.delta)}"

    @property
    def _survives(self) -> str:
        trimmed = self.trimmed
        if trimmed is None:
            return f"A group needs about {count(self.smallest_class)} rows in the table to survive (k ÷ β)."
        return trimmed.survival


_WITHOUT = "Without the file: 50 %."
SURE = 0.9999
"""From this chance on a guess is called all but sure."""
_ROUNDING = 1 + 1e-15
_FAR = 700.0
"""From this ε on e^ε is more than a number can hold, and every guess is right."""
_COMMON = (0.1, 3.0)
"""Between these lies the ε of most releases that are talked about; nothing here depends on it."""
_DENIABLE = 5
"""From so many wrong guesses in 100 on, who is asked can say that this was one."""


def weakness(epsilon: float, delta: float, *, first: bool = False) -> str:
    """That a promise is weak, beside how sure a guess about one person can be where ε is 1.

    Parameters
    ----------
    first
        Whether two guesses are told of before it: then it is of the first, whether a person is in the table.

    Returns
    -------
    str
        "" up to the largest ε that is called usual where one is chosen.
    """
    if epsilon <= _COMMON[1]:
        return ""
    it = "the first" if first else "it"
    return f"That is a weak promise: at ε = 1 {it} would be {whole_up(guessed_right(1.0, delta))} %."


def whole_up(chance: float) -> str:
    """A chance in whole percent, rounded up, as more digits would be read as known; those near 1 keep theirs.

    >>> whole_up(0.7311), whole_up(0.5), whole_up(0.9934), whole_up(0.99996), whole_up(1)
    ('74', '50', '99.34', '99.996', '100')
    """
    whole = math.ceil(100 * chance)
    return rounded_up(100 * chance) if whole == 100 and chance < 1 else str(whole)


def guessed_right(epsilon: float, delta: float) -> float:
    """The largest probability to guess right who is in the table, where a coin is right half of the time.

    Returns
    -------
    float
        (e^ε + δ)/(e^ε + 1), not rounded down; at most 1.
    """
    away = math.exp(-epsilon)
    return min(1.0, (1 + delta * away) / (1 + away) * _ROUNDING)


def guessed_of_known(epsilon: float, delta: float) -> float:
    """The largest probability to guess which of two things is true of somebody who is known to be in the table.

    One row in the place of another is one fewer and one more: ε counts twice, and δ 1 + e^ε times.
    """
    return guessed_right(2 * epsilon, min(1.0, (1 + math.exp(min(epsilon, _FAR))) * delta))


def safe_to_type(name: str, value: float) -> float:
    """A computed ε, δ, β or k as it may be shown and typed: ε and δ rounded up, β down, k as it is."""
    if name == "k":
        return value
    if name == "beta":
        return float(rounded_down(value))
    shown = float(rounded_up(value))
    # Rounding a δ just below 1 up must not make it 1.
    return value if name == "delta" and shown >= 1 else shown


def split_in_words(whole: float, levels: float, release: float) -> str:
    """Where ε goes: into the draw of the levels and into the release."""
    return (
        f"ε {rounded_up(whole)} = {rounded_up(levels)} for choosing the levels + {rounded_up(release)} for the release"
    )
