"""What can be said instead of a sentence that a claim rests on, where that is not so, and what is claimed then."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from workbench.anonymise.claim import Claim
from workbench.anonymise.terms import (
    BOTH_NOT_TOLD,
    BY_DATA,
    PEOPLE_KNOWN,
    PEOPLE_NOT_TOLD,
    ROWS_KNOWN,
    ROWS_NOT_TOLD,
    asserted_lines,
    choices_line,
)
from workbench.core.known_number import KnownNumber


@dataclass(frozen=True)
class OtherAnswer:
    """The other answer to a sentence.

    Parameters
    ----------
    said
        What is remembered of a draw where it is given; one of `OTHERS`.
    words
        It, beside its tick.
    means
        What is claimed then.
    instead
        It in a few words, for whoever says at once that all else is so; "" if another question follows from it.
    kept
        What is asked before it is taken back; "" to take it back without a word.
    """

    said: str
    words: str
    means: str
    kept: str = ""
    instead: str = ""


OTHERS = frozenset({BY_DATA, PEOPLE_KNOWN, ROWS_KNOWN})
"""What can be said instead of sentences. Another claim follows from each."""

_KEPT = (
    "You said that it is known how many {whom} there are. Take that back only if it was a mistake. Where it is known, "
    "the file tells twice as much as a claim without it admits, and you would sign what is not so. That the budget has "
    "no room for it is no reason."
)
_BY_DATA = OtherAnswer(
    BY_DATA,
    "Not so: the data decided some of it",
    "Then ε and δ hold for these choices as they are, and the statement says that what the choices tell is not "
    "counted. Together with other releases of this data nothing is promised.",
    "You said that the data decided some of these choices. Take that back only if it was a mistake: what was chosen by "
    "the data tells of it, and you would sign that it does not.",
)
_PEOPLE = OtherAnswer(
    PEOPLE_KNOWN,
    "Known already, as of a staff or a census",
    "Then who is in the table is not hidden, but what stands in their rows: one person "
    "could be another, at twice the ε and δ. The statement says so. It cannot be unsaid once a file has left.",
    _KEPT.format(whom="people"),
    "the number is known, as of a staff",
)
_NUMBERS = MappingProxyType(
    {
        PEOPLE_NOT_TOLD: _PEOPLE,
        BOTH_NOT_TOLD: replace(_PEOPLE, instead=""),
        ROWS_NOT_TOLD: OtherAnswer(
            ROWS_KNOWN,
            "How many rows is known already",
            "Then neither who is in the table nor how many rows they have is hidden, but what stands in these: they "
            "could be as many others, at twice the ε and δ. It cannot be unsaid once a file has left.",
            _KEPT.format(whom="rows"),
        ),
    }
)


def with_number_known(said: Collection[str], known: KnownNumber) -> frozenset[str]:
    """What is said of a draw with this answer to which number of the table is known, and no other."""
    words = {KnownNumber.PEOPLE: [PEOPLE_KNOWN], KnownNumber.ROWS: [ROWS_KNOWN]}
    return frozenset((*set(said) - {PEOPLE_KNOWN, ROWS_KNOWN}, *words.get(known, [])))


def other_answers(claim: Claim, said: Collection[str]) -> Mapping[str, OtherAnswer]:
    """By the sentence that it can stand for: the other answer, be it given or not."""
    found = {}
    choices = choices_line(claim.terms)
    if claim.holds or (BY_DATA in said and claim.given):
        found[choices] = _BY_DATA
    several = claim.terms.several_rows
    for sentence in (BOTH_NOT_TOLD if several else PEOPLE_NOT_TOLD, *((ROWS_NOT_TOLD,) if several else ())):
        if sentence in claim.asserted or _NUMBERS[sentence].said in said:
            found[sentence] = _NUMBERS[sentence]
    return found if claim.asserted else {}


def asked(claim: Claim, said: Collection[str]) -> tuple[str, ...]:
    """The sentences that are asked for, in the order in which they stand where none is answered otherwise."""
    others = other_answers(claim, said)
    first = asserted_lines(replace(claim.terms, given=False, known=KnownNumber.NONE))
    # A question about rows comes after that about people, whose other answer makes it one.
    every = dict.fromkeys((*first, *claim.asserted, *others))
    return tuple(line for line in every if line in claim.asserted or (line in others and others[line].said in said))


def still_open(sentences: Collection[str], others: Mapping[str, OtherAnswer], said: Collection[str]) -> list[str]:
    """The sentences that were neither said nor answered otherwise."""
    given = {sentence for sentence, other in others.items() if other.said in said}
    return [sentence for sentence in sentences if sentence not in said and sentence not in given]
