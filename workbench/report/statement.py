"""The privacy statement that travels with a release.

Everything in it is a parameter, an output of the mechanism or a sentence: nothing is computed from rows that
were not released. `Reason.analyst` must never appear here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from html import escape

from workbench.anonymise.claim import Claim
from workbench.anonymise.guarantee import Accounting
from workbench.anonymise.level_scores import Judgement
from workbench.anonymise.mechanism import Outcome, Treatment
from workbench.anonymise.promise import Promise
from workbench.anonymise.reasons import Reason
from workbench.core.figures import rounded_up
from workbench.core.hierarchy import Hierarchy
from workbench.report.file_facts import FileFacts, file_section
from workbench.report.metadata import metadata, sampled
from workbench.report.page import bullets, page, section, table, verdict

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
    factor = math.exp(promised.epsilon)
    who = (
        "any one row"
        if promised.rows_per_person == 1
        else f"all rows of any one person, up to {promised.rows_per_person:,} of them,"
    )
    return (
        f"Whether {who} had been in the table or not, every possible released file is about as likely: its "
        f"probability differs by a factor of at most e^ε = {rounded_up(factor)}, apart from an excess probability "
        f"of at most δ = {rounded_up(promised.delta)}."
    )


def statement_html(
    hierarchies: Mapping[str, Hierarchy],
    outcome: Outcome,
    claim: Claim,
    neutralised: int,
    file: FileFacts | None = None,
) -> str:
    """The statement as one self-contained HTML page.

    Parameters
    ----------
    neutralised
        Cell texts made safe for spreadsheets.
    file
        The file it belongs to, once that is written; programs can read it in the page too.
    """
    embedded = None if file is None else metadata(file, sampled(hierarchies, outcome, claim))
    return page("Privacy statement", statement_body(hierarchies, outcome, claim, neutralised, file), embedded)


def statement_body(
    hierarchies: Mapping[str, Hierarchy],
    outcome: Outcome,
    claim: Claim,
    neutralised: int,
    file: FileFacts | None = None,
) -> str:
    """The statement as HTML without a page around it."""
    promised = claim.guarantee
    if claim.holds:
        level = f"ε = {rounded_up(promised.epsilon)}, δ = {rounded_up(promised.delta)}"
        said = (
            verdict(f"This file is a ({level})-differentially private release.", holds=True)
            + f"<p>{escape(in_words(promised))}</p>"
            + (f"<p>{escape(promised.split)}.</p>" if promised.split else "")
        )
        body = (
            section("What the program checked", bullets(claim.checked))
            + section("What the publisher asserts", bullets(claim.asserted))
            + _cautions(claim.cautions)
            + section("What would void this statement", bullets(VOIDS))
        )
    else:
        said = (
            verdict("No (ε, δ) claim is made for this file.", holds=False)
            + "<p>The file was sampled, generalised and stripped of small groups, but the guarantee of "
            "differential privacy does not hold for it.</p>"
        )
        body = section("Why not, and what would restore it", _reasons(claim.reasons)) + _cautions(claim.cautions)
    return (
        f"<h1>Privacy statement</h1>{said}"
        + section("How the file was made", _parameters(outcome, promised, neutralised))
        + section("Columns", _columns(hierarchies, outcome))
        + body
        + ("" if file is None else file_section(file))
    )


def _parameters(outcome: Outcome, promised: Promise, neutralised: int) -> str:
    accounting = (
        "exact (both divergences of the thresholded binomial)"
        if promised.accounting is Accounting.EXACT
        else "classical (Li, Qardaji and Su 2012)"
    )
    if promised.rows_per_person > 1:
        accounting += f", by group privacy for up to {promised.rows_per_person:,} rows per person"
    source = "the operating system's random source" if outcome.secure else "a seed: this is a simulation"
    if outcome.engine:
        source = f"a key of 128 bits from {source}; SHA-256 of it and a row's number decides about the row"
    rows = [
        ("Method", "random sample, generalisation, suppression of small groups, rows in the order of their labels"),
        ("Each row was kept with probability β", f"{outcome.recipe.beta:.6g}"),
        ("A value its hierarchy does not list", "becomes * above level 0"),
        ("Smallest released group k", f"{outcome.recipe.k:,} rows"),
        ("Rows in the file", f"{outcome.rows_out:,}"),
        *_levels(promised),
        ("Neighbouring tables", _neighbours(promised)),
        ("Accounting of δ", accounting),
        ("Randomness", source),
    ]
    if neutralised:
        rows.append(
            (
                "Safe for spreadsheets",
                f"{neutralised:,} different cell texts that a spreadsheet would run as a formula begin with "
                "an apostrophe",
            )
        )
    return table(("", ""), rows)


def _levels(promised: Promise) -> list[tuple[str, str]]:
    """How the levels were drawn, if they were."""
    search = promised.search
    if search is None:
        return []
    judged = Judgement(search.score, promised.k, promised.beta)
    return [
        (
            "Levels",
            f"drawn privately ({search.draw}) before the sample, judged by {judged.words}",
        ),
        ("ε of the draw of levels", f"{rounded_up(search.epsilon)}"),
    ]


def _neighbours(promised: Promise) -> str:
    if promised.rows_per_person == 1:
        return "differ by adding or removing one row"
    return f"differ by adding or removing one person with up to {promised.rows_per_person:,} rows"


def _columns(hierarchies: Mapping[str, Hierarchy], outcome: Outcome) -> str:
    rows = []
    for plan in outcome.recipe.columns:
        hierarchy = hierarchies.get(plan.name)
        if plan.treatment is Treatment.LEAVE_OUT:
            continue  # even the name of a column may say too much about a file that does not hold it
        if plan.treatment is Treatment.KEEP:
            rows.append((plan.name, "as it is, not grouped", ""))
        elif hierarchy is None:
            rows.append((plan.name, "as it is, part of the grouping", ""))
        else:
            origin = hierarchy.provenance.value + (f": {hierarchy.origin}" if hierarchy.origin else "")
            rows.append((plan.name, f"level {plan.level} of {hierarchy.height}", origin))
    return table(("Column", "In this file", "Where its hierarchy comes from"), rows)


def _cautions(cautions: tuple[Reason, ...]) -> str:
    public = [caution for caution in cautions if not caution.private]
    return section("What the reader should know", _reasons(public)) if public else ""


def _reasons(reasons: Iterable[Reason]) -> str:
    items = (f"<li>{escape(r.text)} <em>{escape(r.remedy)}</em></li>" for r in reasons)
    return f"<ul>{''.join(items)}</ul>"
