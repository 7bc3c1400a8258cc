"""The privacy statement that travels with a release.

A statement is a function of the facts in its note (`workbench.report.note`), and of nothing else: so that whoever
has the note can make it again and compare (`workbench.report.proof`). Everything in it is a parameter, an output of the
mechanism or a sentence: nothing is computed from rows that were not released. `Reason.analyst` must never appear here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from workbench.anonymise.claim import Claim
from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.level_scores import LevelScoring, Score
from workbench.anonymise.mechanism import Outcome
from workbench.anonymise.promise import Promise, split_in_words
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.anonymise.terms import ORDERS
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import file_text, rounded_up
from workbench.report.file_facts import FileFacts, file_section
from workbench.report.note import LABELS, SYNTACTIC, facts_of, sampled
from workbench.report.page import bullets, page, section, table, verdict
from workbench.report.syntactic_statement import syntactic_body

Facts = Mapping[str, Any]

VOIDS = (
    "Publishing how many rows were dropped, or the dropped rows themselves, starred out or not.",
    "Keeping or publishing the original order of the rows.",
    "Adding a column that did not take part in the grouping.",
    "Publishing the same sample generalised in a second way.",
    "Labels made from the data: ends of intervals at its smallest or largest value, averages of its values.",
    "Choosing levels, β or k by looking at this data or at results on it, other than by a private draw counted in ε.",
    "More rows per person than were accounted for.",
    "Another release of the same data that is not added up with this one.",
)
"""What breaks the guarantee of sampling, generalisation and suppression, in plain words."""


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


def statement_html(
    hierarchies: Mapping[str, Hierarchy],
    outcome: Outcome,
    claim: Claim,
    neutralised: int,
    file: FileFacts | None = None,
) -> str:
    """The statement on an (ε, δ) release as one self-contained HTML page.

    Parameters
    ----------
    neutralised
        Cell texts made safe for spreadsheets.
    file
        The file it belongs to, once that is written; programs can read it in the page too.
    """
    return statement_page(facts_of(sampled(hierarchies, outcome, claim), neutralised, file))


def statement_page(facts: Facts) -> str:
    """The statement as a page; once there is a file, with the facts in it."""
    written = "read_back" in facts
    return page(title_of(facts), statement_body(facts), facts if written else None, str(facts.get("date", "")))


def title_of(facts: Facts) -> str:
    """What the page is called."""
    return "Statement" if facts["release"]["kind"] == SYNTACTIC else "Privacy statement"


def statement_body(facts: Facts) -> str:
    """The statement as HTML without a page around it, under the template of this version of the note.

    Parameters
    ----------
    facts
        From `facts_of` or `metadata`, or read from a note.
    """
    release = facts["release"]
    of_models = release["kind"] == SYNTACTIC
    made = syntactic_body(release) if of_models else _sampled(release, facts["file"])
    if "read_back" not in facts:
        return made
    # Statements of models of version 1 did not say it; the others say it among their parameters.
    return made + file_section(facts["file"], facts["read_back"], safe=of_models and facts["version"] > 1)


def _sampled(release: Facts, file: Facts) -> str:
    if release["claim"]:
        promised = release["promised"]
        split = split_of(release)
        said = (
            verdict(claimed(promised), holds=True)
            + f"<p>{escape(meaning(promised['epsilon'], promised['delta'], release['rows_per_person']))}</p>"
            + (f"<p>{escape(split)}.</p>" if split else "")
        )
        body = (
            section("What the program checked", bullets(release["checked"]))
            + section("What the publisher asserts", bullets(release["asserted"]))
            + _cautions(release)
            + section("What would void this statement", bullets(VOIDS))
        )
    else:
        said = verdict(NO_CLAIM, holds=False) + f"<p>{escape(WHAT_NO_CLAIM_MEANS)}</p>"
        body = section("Why not, and what would restore it", _reasons(release["against"])) + _cautions(release)
    neutralised = file["texts_made_safe_for_spreadsheets"]
    return (
        f"<h1>Privacy statement</h1>{said}"
        + section("How the file was made", table(("", ""), parameters(release, neutralised)))
        + section("Columns", _columns(release["columns"]))
        + body
    )


NO_CLAIM = "No (ε, δ) claim is made for this file."
WHAT_NO_CLAIM_MEANS = (
    "The file was sampled, generalised and stripped of small groups, but the guarantee of "
    "differential privacy does not hold for it."
)


def claimed(promised: Facts) -> str:
    """The verdict of a claim that holds."""
    level = f"ε = {rounded_up(promised['epsilon'])}, δ = {rounded_up(promised['delta'])}"
    return f"This file is a ({level})-differentially private release."


def split_of(release: Facts) -> str:
    """Where ε goes, in words; "" if all of it is the release's, or nothing is promised."""
    search = _search(release)
    if search is None or not release["claim"]:
        return ""
    of_release = next(one["epsilon"] for one in release["mechanisms"] if one["kind"] == "sampling")
    return split_in_words(release["promised"]["epsilon"], search["epsilon"], of_release)


def _search(release: Facts) -> Facts | None:
    """How the levels were drawn privately; None if they were not."""
    return next((one for one in release["mechanisms"] if one["kind"] == "private-levels"), None)


def parameters(release: Facts, neutralised: int) -> list[tuple[str, str]]:
    """How the file was made, as lines of a table."""
    rows = [
        ("Method", f"random sample, generalisation, suppression of small groups, {ORDERS[release['order']].done}"),
        ("Each row was kept with probability β", file_text(release["beta"], 6)),
        ("A value its hierarchy does not list", "becomes * above level 0"),
        ("Smallest released group k", f"{release['k']:,} rows"),
        ("Rows in the file", f"{release['rows']:,}"),
        *_levels(release),
        ("Neighbouring tables", _neighbours(release["rows_per_person"])),
        ("Accounting of δ", _accounting(release)),
        ("Randomness", _randomness(release)),
    ]
    if neutralised:
        rows.append(
            (
                "Safe for spreadsheets",
                f"{neutralised:,} different cell texts that a spreadsheet would run as a formula begin with "
                "an apostrophe",
            )
        )
    return rows


def _accounting(release: Facts) -> str:
    accounting = (
        "exact (both divergences of the thresholded binomial)"
        if Accounting(release["accounting"]) is Accounting.EXACT
        else "classical (Li, Qardaji and Su 2012)"
    )
    if release["rows_per_person"] > 1:
        accounting += f", by group privacy for up to {release['rows_per_person']:,} rows per person"
    return accounting


def _randomness(release: Facts) -> str:
    source = "a seed: this is a simulation" if release["simulation"] else "the operating system's random source"
    if release["engine"] != "memory":
        source = f"a key of 128 bits from {source}; SHA-256 of it and a row's number decides about the row"
    return source


def _levels(release: Facts) -> list[tuple[str, str]]:
    """How the levels were drawn, if they were."""
    search = _search(release)
    if search is None:
        return []
    judged = LevelScoring(Score(search["score"]), release["k"], release["beta"])
    return [
        ("Levels", f"drawn privately ({search['draw']}) before the sample, judged by {judged.words}"),
        ("ε of the draw of levels", rounded_up(search["epsilon"])),
    ]


def _neighbours(rows_per_person: int) -> str:
    if rows_per_person == 1:
        return "differ by adding or removing one row"
    return f"differ by adding or removing one person with up to {rows_per_person:,} rows"


def _columns(columns: Sequence[Facts]) -> str:
    # Even the name of a column may say too much about a file that does not hold it, so only these are there.
    return table(("Column", "In this file", "Where its hierarchy comes from"), [_column(one) for one in columns])


def _column(column: Facts) -> tuple[str, str, str]:
    if column["shown"] == LABELS:
        hierarchy = column["hierarchy"]
        origin = hierarchy["provenance"] + (f": {hierarchy['origin']}" if hierarchy["origin"] else "")
        return column["name"], f"level {column['level']} of {hierarchy['height']}", origin
    return column["name"], in_this_file(column["shown"], column["grouped"]), ""


def in_this_file(shown: str, grouped: bool) -> str:
    """What is told of a column without speaking of its hierarchy."""
    if not grouped:
        return f"{AS_IT_IS}, not grouped"
    return f"{AS_IT_IS}, part of the grouping" if shown == AS_IT_IS else shown


def _cautions(release: Facts) -> str:
    cautions = release["cautions"]
    return section("What the reader should know", _reasons(cautions)) if cautions else ""


def _reasons(reasons: Sequence[Facts]) -> str:
    items = (f"<li>{escape(one['text'])} <em>{escape(one['remedy'])}</em></li>" for one in reasons)
    return f"<ul>{''.join(items)}</ul>"
