"""The promise as anybody could read it in statements of notes up to version 28, made again as it was."""

from __future__ import annotations

from workbench.anonymise.note_versions import DELTA_INCLUDED, READ_FIRST, ROWS_GUESSED, TOLD_AS_SEEN
from workbench.anonymise.promise import SURE, guessed_of_known, guessed_right, whole_up
from workbench.anonymise.terms import ADD_REMOVE
from workbench.core.number_text import rounded_up

_GUESSED = (
    "What this file tells about any one person is limited. {asked} Whoever knows everything about all others, and to "
    "whom one answer is as likely as the other, guesses right from the file with a probability of at most {right} "
    "%{included}. Without the file it is 50 %."
)
_IS_THERE = "Is one person in the table?"
_WHICH = "Which of two things is true of one person who is known to be in the table, by what stands in their rows?"


def plainly_once(epsilon: float, delta: float, neighbours: str, version: int) -> str:
    """The promise in the words of a version before `READ_ONCE`."""
    right = guessed_right(epsilon, delta)
    included = ", δ included" if version >= DELTA_INCLUDED and delta > 0 else ""
    if neighbours != ADD_REMOVE:
        return _of_rows(right, included, version)
    if right > SURE:
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


def _of_known(epsilon: float, delta: float, included: str, version: int) -> str:
    """The same of what is true of somebody who is known to be there: one row less and another more, so twice the ε."""
    right = guessed_of_known(epsilon, delta)
    where = "the table" if version >= READ_FIRST else "it"
    if right > SURE:
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


def _of_rows(right: float, included: str, version: int) -> str:
    """The same where it is known how many people there are, so that only what stands in their rows is hidden."""
    if right > SURE:
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


def _percent(right: float, version: int) -> str:
    """A chance in percent: since version 27 as the rooms say it, so that a number has one form."""
    return whole_up(right) if version >= TOLD_AS_SEEN else rounded_up(100 * right)


def plainly_supposed(epsilon: float, delta: float, neighbours: str, *, several: bool) -> str:
    """The promise in the words of version 28, which began with what is supposed of somebody."""
    whose = "A's rows" if several else "A's row"
    if guessed_right(epsilon, delta) > SURE:
        sure = _SURE_WHO if neighbours == ADD_REMOVE else _SURE_WHO_THERE.format(whose=whose)
        return f"What is promised is very little: {sure}"
    right = whole_up(guessed_right(epsilon, delta))
    if neighbours != ADD_REMOVE:
        return f"{_TOLD_IS_LIMITED} {_SUPPOSED_THERE.format(whose=whose)} {_GUESS.format(right=right)}"
    return f"{_TOLD_IS_LIMITED} {_SUPPOSED} {_GUESS.format(right=right)} {_IF_KNOWN} {_of_known_there(epsilon, delta)}"


_TOLD_IS_LIMITED = "What this file tells about any one person is limited."
_SUPPOSED = (
    "Suppose somebody knows everything about everyone else, but not whether person A is in the table: yes is as likely "
    "as no."
)
_SUPPOSED_THERE = (
    "Suppose somebody knows everything about everyone else, and that person A is in the table. They guess which of two "
    "things stands in {whose}, such as one salary or another: one is as likely as the other."
)
_GUESS = "Without this file they guess right 50 % of the time. With it, they guess right at most {right} % of the time."
_IF_KNOWN = (
    "Now suppose they know that A is in the table, but not which of two things is true of A, such as one salary or "
    "another: one is as likely as the other."
)
_SURE_WHO = (
    "with this file, somebody who knows everything about everyone else may be all but sure whether person A is in the "
    "table."
)
_SURE_WHO_THERE = (
    "with this file, somebody who knows everything about everyone else, and that person A is in the table, may be all "
    "but sure which of two things stands in {whose}."
)


def _of_known_there(epsilon: float, delta: float) -> str:
    """The same of what is true of somebody who is known to be there: one row less and another more, so twice the ε."""
    right = guessed_of_known(epsilon, delta)
    if right > SURE:
        return "With this file they may be all but sure which it is."
    return f"With this file they guess right at most {whole_up(right)} % of the time."
