"""The meaning of (ε, δ) for a reader who knows no formula, and of groups of few rows in a file.

The first is a bound on guessing. Let somebody know everything about all others, and let it be as likely as not that one
person is in the table. Whatever rule they guess by, (ε, δ)-differential privacy bounds the difference of its rates of
true and false alarms by (e^ε − 1 + 2δ)/(e^ε + 1), so they are right with a probability of at most
(e^ε + δ)/(e^ε + 1) (Kairouz, Oh and Viswanath 2015, Theorem 2.1). It needs no more than the claim, at every ε. δ is
counted in it: the bound is reached by whoever learns everything with probability δ, and else no more than ε allows.
"""

from __future__ import annotations

import math

from workbench.anonymise.note_versions import COUNTS_AT_MOST, FILE_FIRST, READ_ONCE, SAID_ONCE
from workbench.anonymise.promise import SURE, guessed_of_known, guessed_right, weakness, whole_up
from workbench.anonymise.terms import ADD_REMOVE
from workbench.core.number_text import rounded_up
from workbench.report.older_promise import plainly_once, plainly_supposed

_COUNTABLE = 700


def factor_above(epsilon: float) -> str:
    """e^ε, rounded up, of what a float tells of ε."""
    return rounded_up(math.exp(epsilon)) if epsilon < _COUNTABLE else "more than 10^300"


def promises_something(epsilon: float, delta: float) -> bool:
    """Whether a guess from the file may be wrong more than hardly ever."""
    return guessed_right(epsilon, delta) <= SURE


def plainly(
    epsilon: float, delta: float, neighbours: str = ADD_REMOVE, version: int = FILE_FIRST, *, several: bool = False
) -> str:
    """The promise as anybody can read it: how often a guess is right, and after that what is supposed of whoever does.

    Parameters
    ----------
    neighbours
        What the tables differ in that must look alike, as notes have it.
    version
        Of the notes that word it so.
    several
        Whether somebody may have more than one row in the table.
    """
    if version < READ_ONCE:
        return plainly_once(epsilon, delta, neighbours, version)
    if version < FILE_FIRST:
        return plainly_supposed(epsilon, delta, neighbours, several=several)
    rows = "rows" if several else "row"
    if not promises_something(epsilon, delta):
        sure = _SURE_WHO if neighbours == ADD_REMOVE else _SURE_WHICH.format(rows=rows)
        return f"What is promised is very little: {sure}"
    right = whole_up(guessed_right(epsilon, delta))
    if neighbours != ADD_REMOVE:
        return f"{_LIMITED} {_WHICH.format(rows=rows, right=right)} {_WITHOUT.format(it='it')} {_EVEN_THERE}"
    return (
        f"{_LIMITED} {_WHO.format(right=right)} {_of_known(epsilon, delta)} {_WITHOUT.format(it='either')} {_EVEN_SO}"
    )


_LIMITED = "What this file tells about any one person is limited."
_WHO = "Whether somebody is in the table is guessed right at most {right} % of the time."
_WHICH = (
    "Which of two things stands in somebody's {rows}, such as one salary or another, is guessed right at most {right} "
    "% of the time."
)
_WITHOUT = "Without this file, {it} is guessed right 50 % of the time."
_EVEN_SO = (
    "This holds even for whoever knows everything about everyone else, where one answer is as likely as the other "
    "before they see the file."
)
_EVEN_THERE = (
    "This holds even for whoever knows everything about everyone else, and that this person is in the table. Before "
    "they see the file, one thing is as likely as the other."
)
_SURE_WHO = (
    "with this file, whoever knows everything about everyone else may be all but sure whether somebody is in the table."
)
_SURE_WHICH = (
    "with this file, whoever knows everything about everyone else, and that this person is in the table, may be all "
    "but sure which of two things stands in somebody's {rows}."
)


def _of_known(epsilon: float, delta: float) -> str:
    """The same of what is true of somebody who is known to be there: one row less and another more, so twice the ε."""
    right = guessed_of_known(epsilon, delta)
    if right > SURE:
        return "Which of two things is true of them, if they are known to be in it, may be all but sure."
    return (
        "Which of two things is true of them, if they are known to be in it, is guessed right at most "
        f"{whole_up(right)} % of the time."
    )


def how_counted(epsilon: float, delta: float, neighbours: str, version: int) -> str:
    """How the percentages of `plainly` follow from ε and δ; "" where there is none, or a version does not say it."""
    if version < READ_ONCE or not promises_something(epsilon, delta):
        return ""
    known = neighbours == ADD_REMOVE and guessed_of_known(epsilon, delta) <= SURE
    of_known = (
        "; of somebody who is known to be in the table it is the same with 2ε in the place of ε, and (1 + e^ε) δ in "
        "that of δ"
        if version < SAID_ONCE
        else ", and of somebody who is known to be in the table with 2ε for ε and (1 + e^ε) δ for δ"
    )
    return (
        "How often a guess is right, as told first, follows from ε and δ: at most (e^ε + δ) ÷ (e^ε + 1) of the time, "
        f"rounded up{of_known if known else ''}."
    )


def in_short(epsilon: float, delta: float, neighbours: str = ADD_REMOVE) -> str:
    """The promise in a breath for who publishes, and how weak it is where it is; nothing of it is in a statement."""
    weak = weakness(epsilon, delta, first=neighbours == ADD_REMOVE) or _weaker(epsilon, delta)
    right = guessed_right(epsilon, delta)
    guessed = f"what is true of somebody right {_often(right)}"
    if neighbours == ADD_REMOVE:
        known = guessed_of_known(epsilon, delta)
        guessed = f"who is there right {_often(right)}, what is true {_often(known, shortly=True)}"
    return f"Whoever knows everyone else guesses {guessed}.{weak and f' {weak}'}"


def _often(right: float, *, shortly: bool = False) -> str:
    if right > SURE:
        return "nearly always"
    return f"{whole_up(right)} %" if shortly else f"at most {whole_up(right)} % of the time"


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
