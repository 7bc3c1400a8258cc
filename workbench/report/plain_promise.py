"""The meaning of (ε, δ) for a reader who knows no formula, and of groups of few rows in a file.

The first is a bound on guessing. Let somebody know everything about all others, and let it be as likely as not that one
person is in the table. Whatever rule they guess by, (ε, δ)-differential privacy bounds the difference of its rates of
true and false alarms by (e^ε − 1 + 2δ)/(e^ε + 1), so they are right with a probability of at most
(e^ε + δ)/(e^ε + 1) (Kairouz, Oh and Viswanath 2015, Theorem 2.1). It needs no more than the claim, at every ε. δ is
counted in it: the bound is reached by whoever learns everything with probability δ, and else no more than ε allows.
"""

from __future__ import annotations

import math

from workbench.anonymise.note_versions import (
    COUNTS_AT_MOST,
    DELTA_INCLUDED,
    READ_FIRST,
    ROWS_GUESSED,
    TOLD_AS_SEEN,
)
from workbench.anonymise.promise import guessed_of_known, guessed_right, weakness, whole_up
from workbench.anonymise.terms import ADD_REMOVE
from workbench.core.number_text import rounded_up

_SURE = 0.9999
_COUNTABLE = 700


def factor_above(epsilon: float) -> str:
    """e^ε, rounded up, of what a float tells of ε."""
    return rounded_up(math.exp(epsilon)) if epsilon < _COUNTABLE else "more than 10^300"


def promises_something(epsilon: float, delta: float) -> bool:
    """Whether a guess from the file may be wrong more than hardly ever."""
    return guessed_right(epsilon, delta) <= _SURE


def plainly(epsilon: float, delta: float, neighbours: str = ADD_REMOVE, version: int = TOLD_AS_SEEN) -> str:
    """The promise as anybody can read it.

    Parameters
    ----------
    neighbours
        What the tables differ in that must look alike, as notes have it.
    version
        Of the notes that word it so.
    """
    right = guessed_right(epsilon, delta)
    included = ", δ included" if version >= DELTA_INCLUDED and delta > 0 else ""
    if neighbours != ADD_REMOVE:
        return _of_rows(right, included, version)
    if not promises_something(epsilon, delta):
        return (
            "What is promised is very little: somebody who knows everything about all others may be all but sure from "
            "this file whether one person is in the table."
        )
    if version >= READ_FIRST:
        there = _GUESSED.format(asked=_IS_THERE, right=_percent(right, version), included=included)
        return f"{there}{_of_known(epsilon, delta, included, version)}"
    return (
        "What this file tells about any one person is limited. Let somebody know everything about all others, and let "
        "it be as likely as not that one person is in the table: who then guesses from the file whether they are in it "
        f"is right with a probability of at most {rounded_up(100 * right)} %{included}. Without the file it is 50 %."
        f"{_of_known(epsilon, delta, included, version) if version >= ROWS_GUESSED else ''}"
    )


_GUESSED = (
    "What this file tells about any one person is limited. {asked} Whoever knows everything about all others, and to "
    "whom one answer is as likely as the other, guesses right from the file with a probability of at most {right} "
    "%{included}. Without the file it is 50 %."
)
_IS_THERE = "Is one person in the table?"
_WHICH = "Which of two things is true of one person who is known to be in the table, by what stands in their rows?"


def _of_known(epsilon: float, delta: float, included: str, version: int) -> str:
    """The same of what is true of somebody who is known to be there: one row less and another more, so twice the ε."""
    right = guessed_of_known(epsilon, delta)
    where = "the table" if version >= READ_FIRST else "it"
    if right > _SURE:
        return f" Of somebody who is known to be in {where}, they may be all but sure which of two things is true."
    if version >= READ_FIRST:
        return (
            f" Which of two things is true of somebody who is known to be in {where}? Where one is as likely as the "
            f"other, that is guessed right with a probability of at most {_percent(right, version)} %{included}."
        )
    return (
        " Of somebody who is known to be in it let one of two things be as likely as the other: which is true is then "
        f"guessed right with a probability of at most {rounded_up(100 * right)} %{included}."
    )


def in_short(epsilon: float, delta: float, neighbours: str = ADD_REMOVE) -> str:
    """The promise in a breath for who publishes, and how weak it is where it is; nothing of it is in a statement."""
    weak = weakness(epsilon, delta, first=neighbours == ADD_REMOVE) or _weaker(epsilon, delta)
    right = guessed_right(epsilon, delta)
    guessed = f"{_often(right)} what is true of somebody"
    if neighbours == ADD_REMOVE:
        known = guessed_of_known(epsilon, delta)
        guessed = f"{_often(right)} who is there, {_often(known, shortly=True)} what is true"
    return f"Whoever knows all others guesses right {guessed}.{weak and f' {weak}'}"


def _often(right: float, *, shortly: bool = False) -> str:
    if right > _SURE:
        return "nearly always"
    return f"{whole_up(right)} %" if shortly else f"at most {whole_up(right)} % of the time"


def _percent(right: float, version: int) -> str:
    """A chance in percent: since version 27 as the rooms say it, so that a number has one form."""
    return whole_up(right) if version >= TOLD_AS_SEEN else rounded_up(100 * right)


def odds_in_short(epsilon: float, neighbours: str = ADD_REMOVE) -> str:
    """The factor of the promise, for whoever computes with it."""
    with_whom = (
        "With or without one person" if neighbours == ADD_REMOVE else "With one person or another in their place"
    )
    return f"{with_whom}: odds change at most × {factor_above(epsilon)}, but for δ."


def _weaker(epsilon: float, delta: float) -> str:
    """That it promises less than ε = 1 does, where it does."""
    if epsilon <= 1:
        return ""
    at_one, here = (whole_up(guessed_right(one, delta)) for one in (1.0, epsilon))
    # In whole percent both may be alike.
    return f"That is weaker than ε = 1{f', where it would be {at_one} %' if at_one != here else ''}."


def _of_rows(right: float, included: str, version: int) -> str:
    """The same where it is known how many people there are, so that only what stands in their rows is hidden."""
    if right > _SURE:
        return (
            "What is promised is very little: somebody who knows everything about all others may be all but sure from "
            "this file which of two things is true of one person."
        )
    if version >= READ_FIRST:
        return _GUESSED.format(asked=_WHICH, right=_percent(right, version), included=included)
    return (
        "What this file tells about any one person is limited. Let somebody know everything about all others, and that "
        "this person is in the table; and let it be as likely as not that one thing stands in their rows, or another: "
        f"who then guesses from the file which it is, is right with a probability of at most {rounded_up(100 * right)} "
        f"%{included}. Without the file it is 50 %."
    )


def alone(delta: float, version: int = COUNTS_AT_MOST) -> str:
    """The meaning of a group of one row in a file: how likely it is that it holds one person alone in the table.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    most = f"with a probability of at most δ = {rounded_up(delta)}."
    if version < COUNTS_AT_MOST:
        return (
            "Groups of one row, or of few, point at nobody: a group that holds one person alone is in the file " + most
        )
    return (
        "Groups of one row, or of few, are what is left of groups that gave up rows: one that holds one person alone "
        f"in the table is in the file {most}"
    )
