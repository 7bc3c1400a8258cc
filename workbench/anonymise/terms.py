"""The terms of a claim, and what its publisher asserts, which follows from them alone as `checked_lines` does.

The sentences are functions of a few public facts, so whoever is given these can tell whether one was changed.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from types import MappingProxyType

from workbench.anonymise.after_draw import AS_DRAWN, AfterDraw
from workbench.anonymise.note_versions import (
    CHOICES_APART,
    COUNTED_BY_GROUPS,
    LOOKS_TOLD,
    NUMBER_APART,
    REPLACED_BY_ONE,
    SAID_WITH_HIERARCHIES,
    SHAPED_AFTER,
    SPELT_AS_IN_FILE,
    TAKE_PART,
    WAYS_APART,
)
from workbench.anonymise.older_assertions import (
    GIVEN_UP_BEFORE,
    HAS_OR_GAVE_UP,
    KNOWN_AT_FIRST,
    MAY_BE_TOLD,
    TOLD,
    TOLD_AT_FIRST,
)
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.row_orders import BY_LABELS
from workbench.core.known_number import KnownNumber
from workbench.core.near_releases import NearReleases
from workbench.core.schema import KNOWN_BEFOREHAND

ADD_REMOVE = "add or remove one person"
REPLACE_PERSON = "replace one person by another"
REPLACE_ROWS = "replace the rows of one person by as many others"
REPLACE_BY_ONE = "replace one person by another with as many rows"
"""Differences between neighbours of a promise, as notes name them."""


def for_neighbours(neighbours: str) -> str:
    """Words that follow (ε, δ) where it is not for a person who is there or not; "" otherwise."""
    return "" if neighbours == ADD_REMOVE else f", for {neighbours.replace('replace', 'replacing', 1)}"


@dataclass(frozen=True)
class Terms:
    """Under which terms a claim holds. All of it is public.

    Parameters
    ----------
    rows_per_person
        The most rows one person may have.
    degree
        The degree from which the levels follow; "" if they were given one by one or drawn.
    split
        Where ε goes, in words, if the levels were drawn privately; "" if they were not.
    where
        The filter in words, "" if there is none.
    sample
        Probability with which each row was drawn into a research sample.
    limited_by
        The column that tells persons apart, if the program left at most as many rows of each as are accounted for.
    public
        The columns whose hierarchies decide about the release, and are public.
    order
        How the released rows are ordered: one of `ORDERS`.
    near
        What the publisher says of releases of data that is nearly the same.
    made_by
        Pairs of a column of `public` and the plug-in that made its hierarchy, where it was not the program itself.
    mechanism
        How rows were given up.
    steps, degrees
        Of a trimmed release, how many steps there are, and the degree that each of them follows from; none if they do
        not.
    floor
        Groups of which fewer rows would be released are left out at their step; 1 for none.
    step_column, count_column
        The columns that tell at which step a row was released, and how many rows a line stands for; "" for none.
    expected
        Whether a number of rows that was typed decided how ε and δ are shared among the steps.
    counted
        How many releases of this data the claim adds up, because this one was chosen among them; 0 if it was not.
    balanced
        Whether the levels of the steps follow from how many labels the hierarchies have left.
    by_rule
        Columns of `public` whose hierarchies the program made from kind and name alone.
    only
        Whether the ledger counts no other draw of this data.
    given
        Whether what is said holds for the choices as they are, because what the data shows decided some of them, or
        may have.
    looked
        What was seen first of the data before the draw was made, if what is said holds for the choices alone: one of
        `looking.SEEN`; "" for nothing.
    known
        Whether how many people, or rows, there are in the table is known, so that the claim is for replacing one.
    occurring
        Whether somebody said of columns what can occur in them, which balanced steps follow.
    after
        What was done to the released rows after the draw.
    said
        By column what was said to occur in it, in words (`said_words`), where balanced steps follow it.
    """

    rows_per_person: int = 1
    degree: str = ""
    split: str = ""
    where: str = ""
    sample: float = 1.0
    limited_by: str = ""
    public: tuple[str, ...] = ()
    order: str = BY_LABELS
    near: NearReleases = NearReleases.NONE
    made_by: tuple[tuple[str, str], ...] = ()
    mechanism: ReleaseMechanism = ReleaseMechanism.SAMPLE
    steps: int = 1
    degrees: tuple[str, ...] = ()
    floor: int = 1
    step_column: str = ""
    count_column: str = ""
    expected: bool = False
    counted: int = 0
    balanced: bool = False
    by_rule: tuple[str, ...] = ()
    only: bool = False
    given: bool = False
    looked: str = ""
    known: KnownNumber = KnownNumber.NONE
    occurring: bool = False
    after: AfterDraw = AS_DRAWN
    said: tuple[tuple[str, str], ...] = ()

    @property
    def narrowed(self) -> bool:
        """Whether rows of the table were set aside before anything was made of them."""
        return bool(self.limited_by or self.where) or self.sample < 1

    @property
    def several_rows(self) -> bool:
        """Whether people can have several rows in the table, so that its rows are another number than its people."""
        return self.rows_per_person > 1 or bool(self.limited_by)

    @property
    def rows_known(self) -> bool:
        """Whether others may know how many rows take part: not only how many people, nor only those of the table."""
        counted = self.known is KnownNumber.ROWS or (bool(self.known) and not self.several_rows)
        return counted and not self.narrowed

    @property
    def neighbours(self) -> str:
        """Difference between the tables that must look alike, as notes name it."""
        if self.known is KnownNumber.ROWS and self.several_rows:
            # Rows are counted before they are limited: of several others more of them would take part.
            return REPLACE_BY_ONE if self.limited_by else REPLACE_ROWS
        return REPLACE_PERSON if self.known else ADD_REMOVE


def neighbours_in(terms: Terms, version: int) -> str:
    """Difference between the tables, as notes of that version name it."""
    return REPLACE_ROWS if terms.neighbours == REPLACE_BY_ONE and version < REPLACED_BY_ONE else terms.neighbours


def asserted_lines(terms: Terms, version: int = SPELT_AS_IN_FILE) -> tuple[str, ...]:
    """Assertions that no program can check, in the publisher's name and in the wording of notes of that version."""
    if version >= CHOICES_APART:
        said = [rows_line(terms, version)]
        said += [] if terms.given else [choices_line(terms, version)]
        said += [PUBLISHED_ANYWAY] if terms.given and version >= LOOKS_TOLD else []
        said += [] if terms.only else [_picked(terms, version)]
        said += [nothing_else_line(terms)] if version < NUMBER_APART else _not_told(terms, version)
        said += [hierarchies_line(terms, version)] if declared_hierarchies(terms) else []
        said += terms.after.asserted
    else:
        said = _asserted_at_first(terms, version)
    said += [
        f"The hierarchy of “{name}” comes from {maker}, which the publisher trusts." for name, maker in terms.made_by
    ]
    return tuple(said)


def choices_line(terms: Terms, version: int = TAKE_PART) -> str:
    """Assertion about what was chosen and must not follow from what stands in the table.

    It is enough that a choice does not depend on the data; whoever has seen the data can know that of their choice.
    That it would have been the same with any one person more or less is not enough: another table, not far from this
    one, would then have led to another choice, and to no claim.
    """
    *first, last = [piece for line in _chosen(terms, version) for piece in line]
    words = f"{', '.join(first)} and {last} would have been the same whoever is in the table{_but(terms)}."
    return words[0].upper() + words[1:]


def choices_in_short(terms: Terms) -> tuple[str, str]:
    """What `choices_line` says, in a sentence, and what would be against it; what it is about is named by its ends.

    That the table was seen decides nothing: what would decide is said there, for whoever hesitates because they saw it.
    """
    columns, (*_, first, second) = _chosen(terms)
    rows = " and rows" if any(one in _where(terms) for one in columns) else ""
    return (
        f"None of your choices depends on who is in the table{_but(terms)}",
        f"From columns{rows} to {first} and {second}, nothing was picked by looking at rows or counting them.",
    )


def _chosen(terms: Terms, version: int = TAKE_PART) -> list[list[str]]:
    """Choices in lines that belong together: of columns and values, and of levels and amounts."""
    whom = "people" if terms.rows_per_person == 1 and version >= WAYS_APART else "rows"
    expected = [f"how many {whom} were expected"] if terms.expected else []
    spent = ["β", "k"] if terms.mechanism is ReleaseMechanism.SAMPLE else ["ε", "δ"]
    columns = "take part" if version >= TAKE_PART else "are released"
    return [
        [f"which columns {columns}", "how they are named and read", "what counts as missing", *_where(terms)],
        [*_deciding(terms), *expected, *spent],
    ]


def nothing_else_line(terms: Terms) -> str:
    """Assertion about what else of the data may be published, in one line, as in notes of version 5."""
    return f"{_others(terms)} {TOLD[terms.mechanism]}"


_NO_OTHER = "No other draw or release"
_NO_OTHER_EXISTS = f"{_NO_OTHER} of the same data exists besides those"
_NONE_BUT = "None, by anybody, but those"
"""The same in a line, below `_NO_OTHER_IN_SHORT`."""
_NO_OTHER_IN_SHORT, _SHORT = f"{_NO_OTHER} of this data exists", 9
_UNSURE = "Unsure: leave open."
WHOSE = f"By anybody. {_UNSURE}"
"""Whose releases they are, and what to do for whoever cannot know; what is signed is the sentence alone."""


def _others(terms: Terms) -> str:
    return terms.near.asserted("counted here").replace("No other release", _NO_OTHER, 1)


def nothing_else_in_short(terms: Terms, public: KnownNumber = KnownNumber.NONE) -> dict[str, tuple[str, str, str, str]]:
    """The sentence of what else must not be published: what it says, for a reader in haste, that in a line, and halves.

    That what stands in the file and its statement may be told is said with the second half, in fewer words.

    Parameters
    ----------
    public
        Which number was answered before to be known, or perhaps known; it may be told.
    """
    others, told = _others(terms), _GIVEN_UP[terms.mechanism]
    half = f"Besides the file and its statement, n{told.split(MAY_BE_TOLD)[0].removeprefix('N').strip()}"
    part = next((f"{name} or other part" for name in terms.public if len(name) <= _SHORT), "part of the table")
    numbers = _NO_NUMBERS[terms.mechanism].format(whom="rows" if terms.several_rows else "people", part=part)
    line = f"{others.replace(_NO_OTHER_EXISTS, _NONE_BUT, 1)} {_UNSURE} {numbers}{_TOTAL_TOLD[public]}"
    return {f"{others} {told}": (_NO_OTHER_IN_SHORT, line, others, half)}


def about_others(sentence: str) -> bool:
    """Whether a sentence asserts that there is no other release of the data."""
    return sentence.startswith(_NO_OTHER)


def about_hierarchies(sentence: str) -> bool:
    """Whether a sentence asserts that hierarchies were made without the data."""
    return "hierarchies were made without this data" in sentence or "hierarchy was made without this data" in sentence


def _not_told(terms: Terms, version: int) -> list[str]:
    """Assertions about what else of the data must not be published. Those with another answer stand by themselves.

    Where it is known how many people there are, nothing is asserted of that.
    """
    told = (_GIVEN_UP if version >= COUNTED_BY_GROUPS else GIVEN_UP_BEFORE)[terms.mechanism]
    if version < SPELT_AS_IN_FILE and told == _GIVEN_UP[ReleaseMechanism.TRIM]:
        told = HAS_OR_GAVE_UP
    said = [f"{_others(terms)} {told}"]
    if not terms.known:
        said.append(BOTH_NOT_TOLD if terms.several_rows else PEOPLE_NOT_TOLD)
    elif terms.several_rows and terms.known is not KnownNumber.ROWS:
        said.append(ROWS_NOT_TOLD)
    return said


BOTH_NOT_TOLD = "Nobody is told how many people or how many rows there are in the table."
PEOPLE_NOT_TOLD = "Nobody is told how many people there are in the table."
PEOPLE_KNOWN = "It is known how many people there are in the table."
ROWS_NOT_TOLD = "Nobody is told how many rows there are in the table."
ROWS_KNOWN = "It is known how many rows there are in the table."
"""Publisher's words on these numbers: that they are not told, or, instead, that they are known."""


def known_of(said: Collection[str]) -> KnownNumber:
    """Which number is known by what a publisher says."""
    if ROWS_KNOWN in said:
        return KnownNumber.ROWS
    return KnownNumber.PEOPLE if PEOPLE_KNOWN in said else KnownNumber.NONE


PUBLISHED_ANYWAY = "This draw would have been published whatever it showed, and whatever else was seen of the table."
"""Assertion about a draw whose settings follow from the data: that at least its publication does not."""

BY_DATA = "What this data shows decided some of that."
"""Publisher's words instead of `choices_line` where that would not be true."""


def _where(terms: Terms) -> list[str]:
    return ["which rows take part"] if terms.where else []


def _deciding(terms: Terms) -> list[str]:
    """Choices that decide about the levels."""
    found = []
    if terms.split:
        found += ["the ε of choosing the levels", "which levels come into question"]
    if terms.balanced:
        found.append("what was asked of each")
        found += ["what was said to occur in them"] if terms.occurring else []
    elif terms.degrees:
        found.append("the degrees of the steps")
    elif terms.degree:
        found.append("the degree of generalisation")
    elif not terms.split:
        found.append("their levels at each step" if terms.steps > 1 else "their levels")
    return found


def declared_hierarchies(terms: Terms) -> tuple[str, ...]:
    """The columns whose hierarchies are public because somebody says so."""
    return tuple(name for name in terms.public if name not in terms.by_rule)


def _asserted_at_first(terms: Terms, version: int) -> list[str]:
    """The same as notes before had it, which put what the program knows in the publisher's mouth."""
    said = [
        rows_line(terms, version),
        _fixed(terms),
        terms.near.asserted("counted here"),
        _picked(terms, version),
        KNOWN_BEFOREHAND if version > 3 else KNOWN_AT_FIRST,
        (TOLD if version > 3 else TOLD_AT_FIRST)[terms.mechanism],
    ]
    if terms.expected:
        said.append("How many rows were expected is a guess or public, and was not read off this data.")
    if terms.where:
        said.append(f"Which rows take part was fixed without looking at this data{_but(terms)}.")
    if terms.public:
        said.append(
            f"These hierarchies were fixed without looking at this data{_but(terms)}: {', '.join(terms.public)}."
        )
    return said


NOT_PICKED = (
    "The released sample was not picked from several for its content.",
    "The released table was not picked from several for its content.",
)
"""Assertions about a draw by sampling, and about one by trimming."""

_GIVEN_UP = MappingProxyType(
    {
        ReleaseMechanism.SAMPLE: "Nobody is told how many rows were dropped, who was sampled, or how many rows a part "
        f"of the table has. {MAY_BE_TOLD}",
        ReleaseMechanism.TRIM: "Nobody is told how many rows a group or another part of the table has, such as one "
        f"town or age, or how many of them were dropped. {MAY_BE_TOLD}",
    }
)
_NO_NUMBERS = MappingProxyType(
    {
        ReleaseMechanism.SAMPLE: "Beyond file and statement, you tell nobody who was sampled, or how many rows were "
        "dropped or a part of the table has.",
        ReleaseMechanism.TRIM: "Beyond file and statement, tell nobody how many {whom} of any {part} there are or "
        "were left out.",
    }
)
"""What `_GIVEN_UP` says, in a line; the whole of the table is asked about by itself."""
_TOTAL_TOLD = MappingProxyType(
    {
        KnownNumber.NONE: "",
        KnownNumber.PEOPLE: " How many people there are may be told.",
        KnownNumber.ROWS: " How many rows there are may be told.",
    }
)
"""What follows from the answer that others may know a number: nothing is asserted of it."""


def rows_line(terms: Terms, version: int = LOOKS_TOLD) -> str:
    """How many rows a person has; where the program counted them, what it counted by and nobody but a person knows."""
    if terms.limited_by and version >= SHAPED_AFTER:
        return f"Nobody has rows under two values of “{terms.limited_by}”, by which the program told people apart."
    if terms.limited_by:
        return f"All rows of a person have the same value in “{terms.limited_by}”."
    who = "one row" if terms.rows_per_person == 1 else f"{terms.rows_per_person:,} rows"
    return f"No person has more than {who} in the table."


def hierarchies_line(terms: Terms, version: int = SAID_WITH_HIERARCHIES) -> str:
    """How the hierarchies came about that decide about the release, and that the program did not make by its rules.

    It begins with what was said to occur in their columns: who typed from where to where ages run said that.
    """
    names = declared_hierarchies(terms)
    every = dict(terms.said) if version >= SAID_WITH_HIERARCHIES else {}
    said = [every[name] for name in names if name in every]  # in the order of the columns, which the note has, too
    begins = "".join(f"{words}. " for words in said)
    if said and len(names) == 1:
        return f"{begins}Its hierarchy was made without this data{_but(terms)}."
    return f"{begins}These hierarchies were made without this data{_but(terms)}: {', '.join(names)}."


def _picked(terms: Terms, version: int = COUNTED_BY_GROUPS) -> str:
    """How this draw was chosen among others, if it was."""
    if terms.counted and version >= COUNTED_BY_GROUPS:
        return f"This file was chosen by the {terms.counted:,} releases counted here, and by nothing else of this data."
    if terms.counted:
        return f"Nothing else of this data than the {terms.counted:,} releases counted here decided which is published."
    return NOT_PICKED[terms.mechanism is ReleaseMechanism.TRIM]


def _but(terms: Terms) -> str:
    """Exception for what may have been looked at, because the claim counts it."""
    return f", other than through the {terms.counted:,} releases counted here" if terms.counted else ""


def _fixed(terms: Terms) -> str:
    """Settings that decide about the release and must not have been chosen by what it leads to."""
    if terms.mechanism is ReleaseMechanism.TRIM:
        steps = ", the steps" if terms.steps > 1 else ""
        if terms.split:
            which = f"ε, δ{steps}, the ε of choosing the levels and which levels come into question"
        else:
            which = f"The levels{steps}, ε and δ"
        return f"{which} were fixed without looking at this data{_but(terms)}."
    if terms.split:
        return (
            "β, k, the ε of choosing the levels and which levels come into question were fixed without looking at "
            f"this data{_but(terms)}."
        )
    return f"The levels, β and k were fixed without looking at this data{_but(terms)}."
