"""The common parts of the statements of all (ε, δ) releases, whichever mechanism made them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from types import MappingProxyType

from workbench.anonymise.level_scores import LevelScoring
from workbench.anonymise.looking import looked_before
from workbench.anonymise.note_versions import (
    COUNTING_FIRST,
    FILE_FIRST,
    LEVELS_SHOWN,
    MAY_FOLLOW,
    READ_ONCE,
    REPLACED_WHOLE,
    SPELT_AS_IN_FILE,
)
from workbench.anonymise.promise import split_in_words
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.terms import for_neighbours
from workbench.core.first_few import first_few
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import counted, rounded_up
from workbench.core.rationals import float_above, rational
from workbench.core.visible import visible
from workbench.report.page import bullets, paragraph, section, verdict
from workbench.report.plain_promise import how_counted, plainly
from workbench.report.promise_meaning import (
    PERSONS_NAMED,
    has_several,
    law_of,
    lawful,
    meaning_in,
    of_a_value,
    people_first,
)
from workbench.report.said_to_occur import occurring_line
from workbench.report.stated_facts import Facts

BEFORE_COUNTING = "Before you count with the file"
RARE = (
    "Rare values are counted too low, or are not in the file at all: what few people have, such as a very high income, "
    "can be missing from it though it is in the table."
)
"""The caution that stands high in every statement, because readers who do not know it count wrongly."""


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
    if version >= READ_ONCE and not has_several(release):
        hidden = hidden.replace("in their rows.", "in their row.")
    knows = "Others may know" if version >= LEVELS_SHOWN else "It is known"
    return (
        f"{knows} how many {_KNOWN_OF[known]} there are in the table. {hidden} By itself the draw is {own} "
        "for one person who is added or removed; one who is replaced "
        f"is both, so ε counts twice, and δ {_AT_MOST if version >= SPELT_AS_IN_FILE else 'almost twice'}."
    )


_AT_MOST = "at most twice, as each group is drawn for by itself"


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


def promise_of(release: Facts, version: int) -> str:
    """The verdict of a claim that holds, and up to version 18 what it means exactly, as HTML."""
    promised = release["promised"]
    epsilon, delta, about = promised["epsilon"], promised["delta"], promised["neighbours"]
    several = has_several(release)
    plain = plainly(epsilon, delta, about, version, several=several) if version >= PERSONS_NAMED else ""
    if version >= FILE_FIRST:
        return verdict(claimed(promised, version), holds=True) + what_it_is(release, version) + paragraph(plain)
    said = f"<p>{escape(plain)}</p>" if plain else ""
    said += verdict(claimed(promised, version), holds=True)
    return said if version >= COUNTING_FIRST else said + _exact_words(release, version)


_NAMED = 12
"""So many columns are named where the file is described."""


def what_it_is(release: Facts, version: int) -> str:
    """What the file is: its rows and columns, and whether its rows are people, as HTML; "" in versions without it."""
    if version < FILE_FIRST:
        return ""
    rows, names = counted(release["rows"], "row"), [visible(one["name"]) for one in release["columns"]]
    has = f"Its lines stand for {rows}, in" if release.get("count_column") else f"It has {rows} and"
    said = f"{has} {counted(len(names), 'column')}: {first_few(names, _NAMED)}."
    return paragraph(" ".join(filter(None, [said, people_first(release, version)])))


_EXACTLY = "What exactly is promised"


def exactly(release: Facts, version: int) -> str:
    """The meaning of a claim that holds as a section, as HTML; "" where none does, or it stands with the verdict."""
    if version < COUNTING_FIRST or not release["claim"]:
        return ""
    return section(_EXACTLY, _exact_words(release, version))


def _exact_words(release: Facts, version: int) -> str:
    """What the numbers of a claim mean, what is counted in it and where ε goes, as HTML."""
    promised, split = release["promised"], split_of(release)
    said = [meaning_in(release, promised, version)]
    said += [how_counted(promised["epsilon"], promised["delta"], promised["neighbours"], version)]
    said += [of_a_value(promised, version), number_known(release, version)]
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
        said += what_it_is(release, version)
        return said, section("Why not, and what would restore it", reasons(release["against"])) + cautions
    grounds = section("What the program checked", bullets(release["checked"]))
    said_to_occur = paragraph(occurring_line(release, version)) if "steps" in release else ""
    grounds += section("What the publisher asserts", bullets(release["asserted"]) + said_to_occur)
    if release["claim"]:
        return promise_of(release, version), grounds + cautions + section(
            "What would void this statement", bullets(voids)
        )
    grounds += section("Why no more, and what would restore it", reasons(release["against"]))
    return given_of(release, version) + what_it_is(release, version), grounds + cautions
