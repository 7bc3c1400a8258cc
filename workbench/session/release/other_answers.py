"""Other answers to a sentence that a claim rests on, where it is not so, and what is claimed then."""

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
    about_hierarchies,
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
        It, as it can be chosen.
    means
        What is claimed then.
    kept
        What is asked before it is taken back; "" to take it back without a word.
    question
        Where the sentence and this are two equal answers: to what; "" where it is said against the sentence.
    hides, hides_less
        What is hidden where the sentence is so, and where this is; "" without a question.
    settled
        Whether it was answered for a file that has left, so that nobody answers otherwise.
    """

    said: str
    words: str
    means: str
    kept: str = ""
    question: str = ""
    hides: str = ""
    hides_less: str = ""
    settled: bool = False

    @property
    def in_short(self) -> tuple[str, str]:
        """What each of both answers hides, in few words."""
        first, second = (said.split(",")[0].removesuffix(".") for said in (self.hides, self.hides_less))
        return first, second

    def at(self, prices: tuple[str, str]) -> OtherAnswer:
        """The same with the ε of each answer: of the sentence, and of this."""
        priced = (f"{price}: {hides}" for price, hides in zip(prices, (self.hides, self.hides_less), strict=True))
        hides, hides_less = priced
        return replace(self, hides=hides, hides_less=hides_less)


OTHERS = frozenset({BY_DATA, PEOPLE_KNOWN, ROWS_KNOWN})
"""The answers that can stand instead of sentences. Another claim follows from each."""

NOT_SO = "Not so, or unsure?"
"""What is pressed by whoever cannot say a sentence, whatever follows from it."""
NOBODY_TOLD = "No, nobody is told"
"""The answer that says a sentence about a number, wherever the question is asked or the answer is told."""


@dataclass(frozen=True)
class WayOut:
    """A case in which a sentence without another answer is not so, and where it is put right.

    Parameters
    ----------
    words
        The case, and what follows from it.
    room
        Where it is put right; "" where it is put right outside the program, or not at all.
    unclaimed
        Whether the file can only leave without a claim.
    """

    words: str
    room: str = ""
    unclaimed: bool = False


LEAVE_OPEN = "Leave it open as long as one of these is so:"
NOTHING_PROMISED = "“Without claim…” promises nothing: hand that file only to those who may have the original."
NOT_COUNTED_HERE = WayOut("Made here, not counted: open the data with that ledger.", "data")
NEVER_GIVEN_OUT = WayOut("Made, never given out, and it decided nothing: delete it, then tick.")
"""What nobody outside has seen tells nobody anything, unless it comes out later, or decided what is published."""
COUNTS_WANTED = WayOut("Counts of groups, not told yet: ask with noise, counted too.", "query")
PUBLIC_ROWS = WayOut("Rows that are public themselves: nothing is left to hide.", unclaimed=True)
CHOSEN_BY_LOOKING = WayOut("Chosen after looking at one not counted: nothing can be claimed.", unclaimed=True)
OTHERS_MADE = WayOut("Other files or figures given out, or unsure: nothing can be claimed.", unclaimed=True)
KNOWN_WITHOUT_YOU = WayOut("Others count groups without you: tick all the same. That is not hidden.")
"""What somebody knows anyway this file neither tells nor hides; what is promised is about what it adds."""


def ways_out(*, parts: bool) -> tuple[WayOut, ...]:
    """The cases for whoever knows of another release, or is not sure that there is none.

    Parameters
    ----------
    parts
        Whether the sentence is about counts of groups too.
    """
    wanted, without = ((COUNTS_WANTED,), (KNOWN_WITHOUT_YOU,)) if parts else ((), ())
    return (NOT_COUNTED_HERE, NEVER_GIVEN_OUT, *wanted, CHOSEN_BY_LOOKING, OTHERS_MADE, PUBLIC_ROWS, *without)


SAID_BY_LOOKING = WayOut("Typed by what the rows show: say what you know without them, and draw anew.", "anonymise")
MADE_BY_LOOKING = WayOut("A hierarchy made from these rows: attach or build another, and draw anew.", "hierarchies")


def ways_out_of_hierarchies(sentence: str) -> tuple[WayOut, ...]:
    """The cases for whoever cannot say that hierarchies were not made from the data; none of another sentence."""
    return (SAID_BY_LOOKING, MADE_BY_LOOKING) if about_hierarchies(sentence) else ()


NUMBERS_TOLD = (
    "Beside true counts of groups nothing can be claimed. What was not published yet, ask for in Query: with noise, "
    "and counted together with this file. Else “Without claim…” exports it, and its statement promises nothing: hand "
    "it only to those who may have the original."
)
"""The way out for whoever told counts of groups, as in official statistics, or does not know."""

_KEPT = (
    "You said that others know how many {whom} there are, or that you do not know whether they do. Take that back only "
    "if it was a mistake. Where it is known, the file tells twice as much as a claim without it admits, and you would "
    "sign what is not so. That the budget has no room for it is no reason."
)
WHO_KNOWS = (
    "Of a staff, a school or a census others often know it; of patients, or of a sample, mostly not, unless a report "
    "or whoever gets the file has the exact number. How many rows the file has is not this number, as rows are left "
    "out at random."
)
"""Help with the question about a number; it says which answer is true, and favours none."""

_BY_DATA = OtherAnswer(
    BY_DATA,
    NOT_SO,
    "Then ε and δ hold for these choices as they are, and the statement says that what the choices tell is not "
    "counted. Together with other releases of this data nothing is promised.",
    "You said that the data decided some of these choices, or that you are not sure. Take that back only if it was a "
    "mistake: what was chosen by the data tells of it, and you would sign that it does not.",
)
_PEOPLE = OtherAnswer(
    PEOPLE_KNOWN,
    "Yes, or unsure",
    f"{WHO_KNOWS} Whoever is not sure answers so too. Then who is in the table is not hidden, but what stands in their "
    "rows: one person could be another. ε and δ count twice. The statement says so. It cannot be unsaid once a file "
    "has left.",
    _KEPT.format(whom="people"),
    "Do others know exactly how many people there are?",
    "hides who is in the table.",
    "hides what their rows say.",
)
_NUMBERS = MappingProxyType(
    {
        PEOPLE_NOT_TOLD: _PEOPLE,
        BOTH_NOT_TOLD: replace(
            _PEOPLE,
            question="Do others know exactly how many people, or rows, there are?",
            words="Yes, how many people, or I do not know",
            hides="hides who is in the table, and their rows.",
            hides_less="hides what their rows say, not who is in the table.",
        ),
        ROWS_NOT_TOLD: OtherAnswer(
            ROWS_KNOWN,
            "Yes, or unsure",
            "Then neither who is in the table nor how many rows they have is hidden, but what stands in these: they "
            "could be as many others. ε and δ count twice. It cannot be unsaid once a file has left.",
            _KEPT.format(whom="rows"),
            "Do others know exactly how many rows there are too?",
            "hides the rows of a person, and how many they are.",
            "hides what stands in a person's rows, not how many they are.",
        ),
    }
)


def number_question(*, several_rows: bool) -> tuple[OtherAnswer, str]:
    """The first question about how many people, or rows, there are, by its other answer; and what a no asserts."""
    sentence = BOTH_NOT_TOLD if several_rows else PEOPLE_NOT_TOLD
    return _NUMBERS[sentence], sentence


def with_number_known(said: Collection[str], known: KnownNumber) -> frozenset[str]:
    """The sentences on a draw with this answer to which number of the table is known, and no other."""
    words = {KnownNumber.PEOPLE: [PEOPLE_KNOWN], KnownNumber.ROWS: [ROWS_KNOWN]}
    # Both cannot be so.
    denied = (
        {PEOPLE_NOT_TOLD, BOTH_NOT_TOLD, *([ROWS_NOT_TOLD] if known is KnownNumber.ROWS else [])} if known else set()
    )
    return frozenset((*set(said) - {PEOPLE_KNOWN, ROWS_KNOWN} - denied, *words.get(known, [])))


def other_answers(claim: Claim, said: Collection[str]) -> Mapping[str, OtherAnswer]:
    """By the sentence that it can stand for: the other answer, be it given or not."""
    found = {}
    choices = choices_line(claim.terms)
    if claim.holds or BY_DATA in said:  # also where nothing is claimed then: it can be taken back
        found[choices] = _BY_DATA
    several = claim.terms.several_rows
    for sentence in (BOTH_NOT_TOLD if several else PEOPLE_NOT_TOLD, *((ROWS_NOT_TOLD,) if several else ())):
        if sentence in claim.asserted or _NUMBERS[sentence].said in said:
            found[sentence] = _NUMBERS[sentence]
    if ROWS_NOT_TOLD in found and BOTH_NOT_TOLD not in found:
        # Both numbers were asked for at once, in Anonymise.
        found[ROWS_NOT_TOLD] = replace(found[ROWS_NOT_TOLD], question=_NUMBERS[BOTH_NOT_TOLD].question)
    if not claim.asserted:
        return {sentence: other for sentence, other in found.items() if other.said == BY_DATA}
    return found


def asked(claim: Claim, said: Collection[str]) -> tuple[str, ...]:
    """The sentences that are asked for, in the order in which they stand where none is answered otherwise."""
    others = other_answers(claim, said)
    first = asserted_lines(replace(claim.terms, given=False, known=KnownNumber.NONE))
    # A question about rows comes after that about people, whose other answer makes it one.
    every = dict.fromkeys((*first, *claim.asserted, *others))
    return tuple(line for line in every if line in claim.asserted or (line in others and others[line].said in said))


def numbers_said(said: Collection[str]) -> frozenset[str]:
    """The sentences among them that answer which number of the table is known."""
    return frozenset(said) & {PEOPLE_KNOWN, ROWS_KNOWN}


def settled(others: Mapping[str, OtherAnswer], said: Collection[str]) -> dict[str, OtherAnswer]:
    """The questions that were answered for a file that has left; nothing else is said of it any more."""
    return {
        sentence: replace(other, settled=True)
        for sentence, other in others.items()
        if other.question and (sentence in said or other.said in said)
    }


def unanswered(sentences: Collection[str], others: Mapping[str, OtherAnswer]) -> tuple[int, int]:
    """How many of these are questions with two answers, and how many have a tick."""
    questions = sum(bool(others[sentence].question) for sentence in sentences if sentence in others)
    return questions, len(sentences) - questions


def still_open(sentences: Collection[str], others: Mapping[str, OtherAnswer], said: Collection[str]) -> list[str]:
    """The sentences that were neither said nor answered otherwise."""
    given = {sentence for sentence, other in others.items() if other.said in said}
    return [sentence for sentence in sentences if sentence not in said and sentence not in given]
