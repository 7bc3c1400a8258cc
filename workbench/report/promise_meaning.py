"""The meaning of a promise of an (ε, δ) release: for a person, for a value of theirs, and between which tables."""

from __future__ import annotations

import math

from workbench.anonymise.claim import Claim
from workbench.anonymise.note_versions import (
    COUNTS_AT_MOST,
    LEVELS_SHOWN,
    MAY_FOLLOW,
    NUMBER_APART,
    READ_FIRST,
    REPLACED_WHOLE,
    SAID_ONCE,
    SPELT_AS_IN_FILE,
    TOLD_AS_SEEN,
    VALUES_BOUNDED,
)
from workbench.anonymise.terms import ADD_REMOVE, REPLACE_BY_ONE, REPLACE_PERSON, REPLACE_ROWS
from workbench.core.number_text import rounded_up
from workbench.report.plain_promise import factor_above, promises_something
from workbench.report.stated_facts import Facts

PERSONS_NAMED = 4
"""The version of notes whose statements speak of persons, where those before spoke of rows if everybody has one."""

_ONE_ROW = "Everybody has at most one row in the table: where this page counts rows, it counts people."
_ONE_TAKES_PART = "At most one row of everybody takes part: where this page counts rows, it counts people."
_ONE_IN_FILE = "Nobody has more than one row in the file: where this page counts rows, it counts people."

_ONE_OF_SEVERAL = "Who has rows with different values in a column counts with one of them only."


def rows_are_people(release: Facts, version: int) -> list[str]:
    """That rows are people where everybody has one, so that whoever signed for people knows what is counted."""
    one = release["rows_per_person"] == 1 and lawful(release)
    if version < VALUES_BOUNDED or not one or people_first(release, version):
        return []
    if version >= READ_FIRST:
        return [_ONE_IN_FILE]
    return [_ONE_ROW if version < COUNTS_AT_MOST else _ONE_TAKES_PART]  # others of theirs may stand in the table


def of_each(release: Facts) -> str:
    """That only so many rows of each person were chosen, without its end; "" where the program chose none.

    It follows from the settings: whether anybody has more rows is not told.
    """
    if not (release["terms"] or {}).get("limited_by"):
        return ""
    rows = release["rows_per_person"]
    most = "one row" if rows == 1 else f"{rows:,} rows"
    return (
        f"of each person at most {most} took part, chosen at random by the program, so further rows of theirs are not "
        "in the file"
    )


def people_first(release: Facts, version: int) -> str:
    """That rows are people where the program chose one row of each, before all else; "" where it did not."""
    chosen = of_each(release)
    if version < READ_FIRST or not chosen or release["rows_per_person"] != 1 or not lawful(release):
        return ""
    once = f" {_ONE_OF_SEVERAL}" if version >= TOLD_AS_SEEN else ""
    return f"Where this page counts rows, it counts people: {chosen}.{once}"


_OF_A_VALUE = (
    "The same factor and δ bound what the file tells about a value of theirs, such as a salary or a diagnosis: "
    "the probability of whatever somebody concludes about it from the file differs by no more than that from what it "
    "would be if {instead}. What the rows of others show about people like them is not hidden."
)
_OF_A_VALUE_SHORTLY = (
    "The same factor and δ bound the probability of whatever somebody concludes from the file about a value of theirs, "
    "such as a salary or a diagnosis, against what it would be if {instead}. What the rows of others show about people "
    "like them is not hidden."
)
_OF_TWO_VALUES = (
    " Where it is known that they are in the table, one value set against another counts ε twice, and δ 1 + e^ε "
    "times{why}."
)
_WHY = ": so much follows from ε and δ alone"
"""Of the draw more is known, and said where the number of people is: there δ counts twice."""


def of_a_value(law: Facts, version: int) -> str:
    """The promise as it bears on what stands in the rows of a person; "" in versions that do not say it.

    A conclusion is a set of files, whose probabilities with and without the person differ by e^ε and δ at most. Two
    values of somebody who is there are two such steps apart: e^(2ε), and δ (1 + e^ε). Where one person is replaced by
    another, another value is one step, and ε is already that of it.
    """
    if version < VALUES_BOUNDED or not promises_something(law["epsilon"], law["delta"]):
        return ""
    bounded = _OF_A_VALUE_SHORTLY if version >= SAID_ONCE else _OF_A_VALUE
    if law["neighbours"] != ADD_REMOVE:
        return bounded.format(instead="something else stood in its place")
    two = _OF_TWO_VALUES.format(why=_WHY if version >= SPELT_AS_IN_FILE else "")
    return bounded.format(instead="that person were not in the table") + two


def has_several(release: Facts) -> bool:
    """Whether somebody may have more than one row in the table, of which perhaps one takes part."""
    return bool(release["rows_per_person"] > 1 or (release["terms"] or {}).get("limited_by"))


def in_words(claim: Claim) -> str:
    """The meaning of (ε, δ) in full."""
    rows, about = claim.guarantee.rows_per_person, claim.terms.neighbours
    return meaning(claim.epsilon, claim.delta, rows, neighbours=about)


def meaning(
    epsilon: float,
    delta: float,
    rows_per_person: int,
    version: int = MAY_FOLLOW,
    neighbours: str = ADD_REMOVE,
    *,
    limited: bool = False,
) -> str:
    """The same of the numbers, as statements with notes of that version have it.

    Parameters
    ----------
    neighbours
        What the tables differ in, as notes have it.
    limited
        Whether the program saw to it that no more than `rows_per_person` rows of a person take part, which notes of
        version 14 do not say in the neighbours, and those up to version 25 not of somebody who is there or not.
    """
    if neighbours != ADD_REMOVE:
        if _by_one(neighbours, version, limited=limited):
            changed = f"any one person were replaced by {_with_as_many(rows_per_person)}"
        else:
            changed = _replaced(rows_per_person, neighbours, version)
        return _meaning_of_replacing(epsilon, delta, changed)
    if version >= NUMBER_APART:
        factor = f"{factor_above(epsilon)} (e^ε, rounded up)"
    else:
        factor = f"e^ε = {rounded_up(math.exp(epsilon))}"
    who = "any one row" if version < PERSONS_NAMED else "any one person"
    if rows_per_person > 1:
        who = f"all rows of any one person, up to {rows_per_person:,} of them,"
        if limited and version >= READ_FIRST:  # in the table a person may have more
            who = f"any one person, with all their rows, of which at most {_taking_part(rows_per_person)},"
    return (
        f"Whether {who} had been in the table or not, every possible released file is about as likely: its "
        f"probability differs by a factor of at most {factor}, apart from an excess probability "
        f"of at most δ = {rounded_up(delta)}."
    )


def _by_one(neighbours: str, version: int, *, limited: bool) -> bool:
    """Whether a person is replaced by one other; up to version 14 notes call it as if it were by others."""
    return neighbours == REPLACE_BY_ONE or (neighbours == REPLACE_ROWS and limited and version >= REPLACED_WHOLE)


def _with_as_many(rows_per_person: int) -> str:
    """Whom a person is replaced by where rows are counted before they are limited: not by rows of several persons."""
    return f"another one with as many rows, of which at most {_taking_part(rows_per_person)}"


def _taking_part(rows_per_person: int) -> str:
    return "one takes part" if rows_per_person == 1 else f"{rows_per_person:,} take part"


def _replaced(rows_per_person: int, neighbours: str, version: int) -> str:
    """The replacement that a promise hides, where nobody has more rows, or notes of that version say no more."""
    several = rows_per_person > 1
    if neighbours == REPLACE_ROWS:
        whose = "the rows of any one person, " + f"up to {rows_per_person:,} of them, " * several
        if version >= REPLACED_WHOLE:
            own = f", up to {rows_per_person:,}," if several else ""
            return f"the rows of any one person{own} were replaced by as many others"
        return f"in the place of {whose}stood as many others"
    rows = f", with up to {rows_per_person:,} rows," if several else ""
    other = f"another one{rows} with anything else in their {'rows' if several else 'row'}"
    if version >= REPLACED_WHOLE:
        return f"any one person were replaced by {other}"
    return f"in the place of any one person stood {other}"


def _meaning_of_replacing(epsilon: float, delta: float, changed: str) -> str:
    """The meaning where it is known how many people there are."""
    return (
        f"If {changed}, every possible released file would be about as likely: its probability differs "
        f"by a factor of at most {factor_above(epsilon)} (e^ε, rounded up), apart from an excess probability of at "
        f"most δ = {rounded_up(delta)}."
    )


def lawful(release: Facts) -> bool:
    """Whether ε and δ of the draw are told, be they claimed for the file or for its choices as they are."""
    return bool(release["claim"]) or release.get("given") is not None


def law_of(release: Facts) -> Facts | None:
    """ε and δ that are told of a draw, be they claimed for the file or for its choices as they are; None if neither."""
    found: Facts | None = release["promised"] if release["claim"] else release.get("given")
    return found


def meaning_in(release: Facts, law: Facts, version: int) -> str:
    """The meaning of what a note promises, or of the draw for its choices as they are."""
    rows, limited = release["rows_per_person"], bool((release["terms"] or {}).get("limited_by"))
    return meaning(law["epsilon"], law["delta"], rows, version, law["neighbours"], limited=limited)


def neighbours(release: Facts, version: int) -> str:
    """Which tables must look alike."""
    rows_per_person, about = release["rows_per_person"], (law_of(release) or {}).get("neighbours", ADD_REMOVE)
    limited = bool((release["terms"] or {}).get("limited_by"))
    if _by_one(about, version, limited=limited):
        return f"differ by replacing one person by {_with_as_many(rows_per_person)}"
    if about == REPLACE_ROWS:
        rows = f", up to {rows_per_person:,}," if rows_per_person > 1 else ""
        return f"differ by replacing the rows of one person{rows} by as many others"
    if version >= LEVELS_SHOWN and limited and about != REPLACE_ROWS:
        change = "replacing one person by another, each" if about == REPLACE_PERSON else "adding or removing one person"
        return f"differ by {change} with all their rows, of which at most {_taking_part(rows_per_person)}"
    if about == REPLACE_PERSON:
        each = "who has one row" if rows_per_person == 1 else f"each with up to {rows_per_person:,} rows"
        return f"differ by replacing one person by another, {each}"
    if rows_per_person == 1:
        row = "one row" if version < PERSONS_NAMED else "one person, who has one row"
        return f"differ by adding or removing {row}"
    return f"differ by adding or removing one person with up to {rows_per_person:,} rows"
