"""The common parts of the statements of all (ε, δ) releases, whichever mechanism made them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from types import MappingProxyType

from workbench.anonymise.claim import Claim
from workbench.anonymise.level_scores import LevelScoring
from workbench.anonymise.looking import looked_before
from workbench.anonymise.promise import split_in_words
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.terms import (
    ADD_REMOVE,
    COUNTING_FIRST,
    COUNTS_AT_MOST,
    LEVELS_SHOWN,
    MAY_FOLLOW,
    NUMBER_APART,
    REPLACE_BY_ONE,
    REPLACE_PERSON,
    REPLACE_ROWS,
    REPLACED_WHOLE,
    VALUES_BOUNDED,
    for_neighbours,
)
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_up
from workbench.core.rationals import float_above, rational
from workbench.report.page import bullets, section, verdict
from workbench.report.plain_promise import factor_above, plainly, promises_something
from workbench.report.stated_facts import Facts

PERSONS_NAMED = 4
"""The version of notes whose statements speak of persons, where those before spoke of rows if everybody has one."""


BEFORE_COUNTING = "Before you count with the file"
RARE = (
    "Rare values are counted too low, or are not in the file at all: what few people have, such as a very high income, "
    "can be missing from it though it is in the table."
)
"""The caution that stands high in every statement, because readers who do not know it count wrongly."""


_ONE_ROW = "Everybody has at most one row in the table: where this page counts rows, it counts people."
_ONE_TAKES_PART = "At most one row of everybody takes part: where this page counts rows, it counts people."


def rows_are_people(release: Facts, version: int) -> list[str]:
    """That rows are people where everybody has one, so that whoever signed for people knows what is counted."""
    one = release["rows_per_person"] == 1 and lawful(release)
    if version < VALUES_BOUNDED or not one:
        return []
    return [_ONE_ROW if version < COUNTS_AT_MOST else _ONE_TAKES_PART]  # others of theirs may stand in the table


_OF_A_VALUE = (
    "The same factor and δ bound what the file tells about a value of theirs, such as a salary or a diagnosis: "
    "the probability of whatever somebody concludes about it from the file differs by no more than that from what it "
    "would be if {instead}. What the rows of others show about people like them is not hidden."
)
_OF_TWO_VALUES = (
    " Where it is known that they are in the table, one value set against another counts ε twice, and δ 1 + e^ε times."
)


def of_a_value(law: Facts, version: int) -> str:
    """The promise as it bears on what stands in the rows of a person; "" in versions that do not say it.

    A conclusion is a set of files, whose probabilities with and without the person differ by e^ε and δ at most. Two
    values of somebody who is there are two such steps apart: e^(2ε), and δ (1 + e^ε). Where one person is replaced by
    another, another value is one step, and ε is already that of it.
    """
    if version < VALUES_BOUNDED or not promises_something(law["epsilon"], law["delta"]):
        return ""
    if law["neighbours"] != ADD_REMOVE:
        return _OF_A_VALUE.format(instead="something else stood in its place")
    return _OF_A_VALUE.format(instead="that person were not in the table") + _OF_TWO_VALUES


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
        version 14 do not say in the neighbours.
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
    most = "one takes part" if rows_per_person == 1 else f"{rows_per_person:,} take part"
    return f"another one with as many rows, of which at most {most}"


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


def known_in(release: Facts) -> KnownNumber:
    """Which number of the table is known, as the note of a release says."""
    return KnownNumber((release["terms"] or {}).get("known", ""))


_KNOWN_OF = MappingProxyType({KnownNumber.PEOPLE: "people", KnownNumber.ROWS: "rows"})
_NOT_HIDDEN = MappingProxyType(
    {
        KnownNumber.PEOPLE: "So it is not hidden who they are, to whoever knows all others: what is promised is about "
        "what stands in their rows.",
        KnownNumber.ROWS: "So neither who is in it is hidden, to whoever knows all others, nor how many rows they "
        "have: what is promised is about what stands in their rows.",
    }
)


_NOT_HIDDEN_FROM = MappingProxyType(
    {
        KnownNumber.PEOPLE: "So who is in it is not hidden from whoever knows all others: what is promised is about "
        "what stands in their rows.",
        KnownNumber.ROWS: "So who is in it, and how many rows they have, is not hidden from whoever knows all others: "
        "what is promised is about what stands in their rows.",
    }
)


def number_known(release: Facts, version: int) -> str:
    """The consequences of a number that is known, or may be, in sentences; "" if none is.

    Whoever does not know whether others know it answers as if they did, so that no more than this is said.
    """
    known = known_in(release)
    if not known:
        return ""
    law, of_levels = draw_of(release), search_of(release)
    shares = [rational(one["epsilon"]) for one in (law, of_levels) if one is not None]
    own = f"({rounded_up(sum(shares, Fraction(0)))}, {rounded_up(law['delta'])})"
    hidden = (_NOT_HIDDEN_FROM if version >= REPLACED_WHOLE else _NOT_HIDDEN)[known]
    knows = "Others may know" if version >= LEVELS_SHOWN else "It is known"
    return (
        f"{knows} how many {_KNOWN_OF[known]} there are in the table. {hidden} By itself the draw is {own} "
        "for one person who is added or removed; one who is replaced "
        "is both, so ε counts twice, and δ almost twice."
    )


def lawful(release: Facts) -> bool:
    """Whether ε and δ of the draw are told, be they claimed for the file or for its choices as they are."""
    return bool(release["claim"]) or release.get("given") is not None


def law_of(release: Facts) -> Facts | None:
    """ε and δ that are told of a draw, be they claimed for the file or for its choices as they are; None if neither."""
    found: Facts | None = release["promised"] if release["claim"] else release.get("given")
    return found


GIVEN_MEANS = (
    "Which columns are in the file, how coarse they are, or ε and δ {were} chosen by what the table shows. What that "
    "choice tells about anybody has no bound and is not counted. What is said of the draw is for the choices "
    "as they are."
)


GIVEN_AFTER_LOOK = (
    "{look} Which columns are in the file, how coarse they are, and ε and δ may follow from that. What that choice "
    "tells about anybody has no bound and is not counted. What is said of the draw is for the choices as they are."
)


def given_means(release: Facts, version: int = MAY_FOLLOW) -> str:
    """The limits of what holds for the choices as they are alone."""
    return given_words((release["terms"] or {}).get("looked", ""), version)


def given_words(looked: str, version: int = MAY_FOLLOW) -> str:
    """The same by what was seen first before the draw was made; "" where the choices are said to follow from data."""
    if looked:
        return GIVEN_AFTER_LOOK.format(look=looked_before(looked).partition(":")[0] + ".")
    return GIVEN_MEANS.format(were="may have been" if version >= MAY_FOLLOW else "were")


def given_sentence(given: Facts) -> str:
    """The sentence on what holds for the choices as they are, where that is all that holds."""
    level, about = level_of(given["epsilon"], given["delta"]), for_neighbours(given["neighbours"])
    draw = f"{level}-differentially private draw{about}"
    return f"No (ε, δ) claim is made for this file. For its choices as they are, it is {draw}."


def given_of(release: Facts, version: int) -> str:
    """The same with what it means and what it leaves out, as HTML."""
    given = release["given"]
    said = meaning_in(release, given, version)
    said = f"Had the same been chosen without this table: {said[0].lower()}{said[1:]}"
    lines = (given_means(release, version), said, number_known(release, version))
    return verdict(given_sentence(given), holds=False) + "".join(f"<p>{escape(one)}</p>" for one in lines if one)


def meaning_in(release: Facts, law: Facts, version: int) -> str:
    """The meaning of what a note promises, or of the draw for its choices as they are."""
    rows, limited = release["rows_per_person"], bool((release["terms"] or {}).get("limited_by"))
    return meaning(law["epsilon"], law["delta"], rows, version, law["neighbours"], limited=limited)


def promise_of(release: Facts, version: int) -> str:
    """The verdict of a claim that holds, and up to version 18 what it means exactly, as HTML."""
    promised = release["promised"]
    epsilon, delta, about = promised["epsilon"], promised["delta"], promised["neighbours"]
    plain = plainly(epsilon, delta, about, version) if version >= PERSONS_NAMED else ""
    said = f"<p>{escape(plain)}</p>" if plain else ""
    said += verdict(claimed(promised, version), holds=True)
    return said if version >= COUNTING_FIRST else said + _exact_words(release, version)


_EXACTLY = "What exactly is promised"


def exactly(release: Facts, version: int) -> str:
    """The meaning of a claim that holds as a section, as HTML; "" where none does, or it stands with the verdict."""
    if version < COUNTING_FIRST or not release["claim"]:
        return ""
    return section(_EXACTLY, _exact_words(release, version))


def _exact_words(release: Facts, version: int) -> str:
    """What the numbers of a claim mean, what is counted in it and where ε goes, as HTML."""
    promised, split = release["promised"], split_of(release)
    said = [meaning_in(release, promised, version), of_a_value(promised, version), number_known(release, version)]
    said += [chosen_among(release), f"{split}." if split else ""]
    return "".join(f"<p>{escape(one)}</p>" for one in said if one)


def claimed(promised: Facts, version: int = PERSONS_NAMED) -> str:
    """The verdict of a claim that holds."""
    level = level_of(promised["epsilon"], promised["delta"], version)
    return f"This file is {level}-differentially private release{for_neighbours(promised['neighbours'])}."


def level_of(epsilon: float, delta: float, version: int = PERSONS_NAMED) -> str:
    """(ε, δ) with its article, as it is spoken."""
    article = "a" if version < PERSONS_NAMED else "an"
    return f"{article} (ε = {rounded_up(epsilon)}, δ = {rounded_up(delta)})"


def counted_in(release: Facts) -> int:
    """How many releases the claim adds up, because this one was chosen among them; 0 if it was not."""
    return int((release["terms"] or {}).get("counted", 0))


def chosen_among(release: Facts) -> str:
    """That more is promised than the draw of this file by itself, and why; "" if it is not."""
    number = counted_in(release)
    if not number:
        return ""
    epsilon, delta = _own_epsilon(release), draw_of(release)["delta"]
    return (
        f"The file was chosen among {number:,} releases of the same data, published or not, or its settings were. So "
        f"what is promised is what all of them promise together; its own draw is ({rounded_up(epsilon)}, "
        f"{rounded_up(delta)})."
    )


def _own_epsilon(release: Facts) -> float:
    """ε of the draw of this file, and of its levels, for one person who is added or removed."""
    if not counted_in(release) and not known_in(release):
        law = law_of(release)
        assert law is not None
        return float(law["epsilon"])
    shares = (rational(one["epsilon"]) for one in release["mechanisms"])
    return float_above(sum(shares, Fraction(0)))


def split_of(release: Facts) -> str:
    """Where ε goes, in words; "" if all of it is the release's, or nothing is promised."""
    search = search_of(release)
    if search is None or not lawful(release):
        return ""
    return split_in_words(_own_epsilon(release), search["epsilon"], draw_of(release)["epsilon"])


def draw_of(release: Facts) -> Facts:
    """The mechanism of the draw of the file itself, with its cost.

    Raises
    ------
    ValueError
        If the release is stated to consist of other mechanisms.
    """
    found: list[Facts] = [one for one in release["mechanisms"] if one["kind"] != "private-levels"]
    if len(found) != 1:
        raise ValueError("it is made by no one mechanism")
    return found[0]


def search_of(release: Facts) -> Facts | None:
    """How the levels were drawn privately; None if they were not."""
    return next((one for one in release["mechanisms"] if one["kind"] == "private-levels"), None)


def drawn_levels(release: Facts, before: str, scoring: LevelScoring) -> list[tuple[str, str]]:
    """How the levels were drawn, if they were, as lines of a table."""
    search = search_of(release)
    if search is None:
        return []
    return [
        ("Levels", f"drawn privately ({search['draw']}) before {before}, judged by {scoring.words}"),
        ("ε of the draw of levels", rounded_up(search["epsilon"])),
    ]


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
        most = "one takes part" if rows_per_person == 1 else f"{rows_per_person:,} take part"
        change = "replacing one person by another, each" if about == REPLACE_PERSON else "adding or removing one person"
        return f"differ by {change} with all their rows, of which at most {most}"
    if about == REPLACE_PERSON:
        each = "who has one row" if rows_per_person == 1 else f"each with up to {rows_per_person:,} rows"
        return f"differ by replacing one person by another, {each}"
    if rows_per_person == 1:
        row = "one row" if version < PERSONS_NAMED else "one person, who has one row"
        return f"differ by adding or removing {row}"
    return f"differ by adding or removing one person with up to {rows_per_person:,} rows"


def spreadsheets(neutralised: int) -> list[tuple[str, str]]:
    """The line of a table on texts that were made safe for spreadsheets, if any were."""
    if not neutralised:
        return []
    words = f"{neutralised:,} different cell texts that a spreadsheet would run as a formula begin with an apostrophe"
    return [("Safe for spreadsheets", words)]


def origin_of(hierarchy: Facts) -> str:
    """Where a hierarchy comes from."""
    return str(hierarchy["provenance"]) + (f": {hierarchy['origin']}" if hierarchy["origin"] else "")


def in_this_file(shown: str, grouped: bool) -> str:
    """The description of a column in the file, without its hierarchy."""
    if not grouped:
        return f"{AS_IT_IS}, not grouped"
    return f"{AS_IT_IS}, part of the grouping" if shown == AS_IT_IS else shown


def cautions_of(release: Facts) -> str:
    """The cautions that the reader should know beside the claim, as HTML."""
    cautions = release["cautions"]
    return section("What the reader should know", reasons(cautions)) if cautions else ""


def reasons(found: Sequence[Facts]) -> str:
    """Reasons with their remedies, as HTML."""
    items = (f"<li>{escape(one['text'])} <em>{escape(one['remedy'])}</em></li>" for one in found)
    return f"<ul>{''.join(items)}</ul>"


def verdict_with_grounds(
    release: Facts, version: int, voids: Sequence[str], without_claim: tuple[str, str]
) -> tuple[str, str]:
    """The promise, at the head of a statement, and the grounds that it rests on, at its end, as HTML.

    Parameters
    ----------
    voids
        What would void a claim.
    without_claim
        The verdict where there is none, and what that means.
    """
    cautions = cautions_of(release)
    if not release["claim"] and release.get("given") is None:
        said = verdict(without_claim[0], holds=False) + f"<p>{escape(without_claim[1])}</p>"
        return said, section("Why not, and what would restore it", reasons(release["against"])) + cautions
    grounds = section("What the program checked", bullets(release["checked"]))
    grounds += section("What the publisher asserts", bullets(release["asserted"]))
    if release["claim"]:
        return promise_of(release, version), grounds + cautions + section(
            "What would void this statement", bullets(voids)
        )
    grounds += section("Why no more, and what would restore it", reasons(release["against"]))
    return given_of(release, version), grounds + cautions
