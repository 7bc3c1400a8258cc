"""What the statements of all (ε, δ) releases have in common, whichever mechanism made them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from workbench.anonymise.level_scores import LevelScoring
from workbench.anonymise.promise import Promise, split_in_words
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.core.number_text import rounded_up
from workbench.report.page import section, verdict

Facts = Mapping[str, Any]


def in_words(promised: Promise) -> str:
    """The meaning of (ε, δ) for a reader who knows no formula."""
    return meaning(promised.epsilon, promised.delta, promised.rows_per_person)


def meaning(epsilon: float, delta: float, rows_per_person: int) -> str:
    """The same of the numbers."""
    factor = math.exp(epsilon)
    who = "any one row" if rows_per_person == 1 else f"all rows of any one person, up to {rows_per_person:,} of them,"
    return (
        f"Whether {who} had been in the table or not, every possible released file is about as likely: its "
        f"probability differs by a factor of at most e^ε = {rounded_up(factor)}, apart from an excess probability "
        f"of at most δ = {rounded_up(delta)}."
    )


def promise_of(release: Facts) -> str:
    """The verdict of a claim that holds, what it means, and where ε goes, as HTML."""
    promised, split = release["promised"], split_of(release)
    return (
        verdict(claimed(promised), holds=True)
        + f"<p>{escape(meaning(promised['epsilon'], promised['delta'], release['rows_per_person']))}</p>"
        + (f"<p>{escape(split)}.</p>" if split else "")
    )


def claimed(promised: Facts) -> str:
    """The verdict of a claim that holds."""
    level = f"ε = {rounded_up(promised['epsilon'])}, δ = {rounded_up(promised['delta'])}"
    return f"This file is a ({level})-differentially private release."


def split_of(release: Facts) -> str:
    """Where ε goes, in words; "" if all of it is the release's, or nothing is promised."""
    search = search_of(release)
    if search is None or not release["claim"]:
        return ""
    return split_in_words(release["promised"]["epsilon"], search["epsilon"], draw_of(release)["epsilon"])


def draw_of(release: Facts) -> Facts:
    """What the draw of the file itself cost.

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


def neighbours(rows_per_person: int) -> str:
    """Which tables must look alike."""
    if rows_per_person == 1:
        return "differ by adding or removing one row"
    return f"differ by adding or removing one person with up to {rows_per_person:,} rows"


def spreadsheets(neutralised: int) -> list[tuple[str, str]]:
    """What was made safe for spreadsheets, as a line of a table, if anything was."""
    if not neutralised:
        return []
    words = f"{neutralised:,} different cell texts that a spreadsheet would run as a formula begin with an apostrophe"
    return [("Safe for spreadsheets", words)]


def origin_of(hierarchy: Facts) -> str:
    """Where a hierarchy comes from."""
    return str(hierarchy["provenance"]) + (f": {hierarchy['origin']}" if hierarchy["origin"] else "")


def in_this_file(shown: str, grouped: bool) -> str:
    """What is told of a column without speaking of its hierarchy."""
    if not grouped:
        return f"{AS_IT_IS}, not grouped"
    return f"{AS_IT_IS}, part of the grouping" if shown == AS_IT_IS else shown


def cautions_of(release: Facts) -> str:
    """What the reader should know beside the claim, as HTML."""
    cautions = release["cautions"]
    return section("What the reader should know", reasons(cautions)) if cautions else ""


def reasons(found: Sequence[Facts]) -> str:
    """Reasons with their remedies, as HTML."""
    items = (f"<li>{escape(one['text'])} <em>{escape(one['remedy'])}</em></li>" for one in found)
    return f"<ul>{''.join(items)}</ul>"
