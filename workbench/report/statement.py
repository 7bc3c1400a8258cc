"""The privacy statement that travels with a release.

Everything in it is a parameter, an output of the mechanism or a sentence: nothing is computed from rows that
were not released. `Reason.analyst` must never appear here.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, datetime
from html import escape
from pathlib import Path

from workbench import __version__
from workbench.anonymise.claim import Claim, Reason
from workbench.anonymise.guarantee import Accounting, Guarantee
from workbench.anonymise.mechanism import Outcome, Treatment
from workbench.core.figures import rounded_up
from workbench.core.hierarchy import Hierarchy
from workbench.io.atomic import atomic_write

VOIDS = (
    "Publishing how many rows were dropped, or the dropped rows themselves, starred out or not.",
    "Keeping or publishing the original order of the rows.",
    "Adding a column that did not take part in the grouping.",
    "Publishing the same sample generalised in a second way.",
    "Labels made from the data: ends of intervals at its smallest or largest value, averages of its values.",
    "Choosing levels, β or k by looking at this data or at results on it.",
    "More rows per person than were accounted for.",
    "Another release of the same data that is not added up with this one.",
)
"""What breaks the guarantee of sampling, generalisation and suppression, in plain words."""


def in_words(promised: Guarantee) -> str:
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


def statement_html(hierarchies: Mapping[str, Hierarchy], outcome: Outcome, claim: Claim, neutralised: int) -> str:
    """The statement as one self-contained HTML page. `neutralised` counts the cells made safe for spreadsheets."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Privacy statement</title>'
        f"<style>{_STYLE}</style></head><body><main>"
        + statement_body(hierarchies, outcome, claim, neutralised)
        + f"<footer>Written by anonymisation workbench {__version__} on "
        f"{datetime.now(UTC).strftime('%Y-%m-%d')}.</footer></main></body></html>\n"
    )


def statement_body(hierarchies: Mapping[str, Hierarchy], outcome: Outcome, claim: Claim, neutralised: int) -> str:
    """The statement as HTML without a page around it."""
    promised = claim.guarantee
    if claim.holds:
        level = f"ε = {rounded_up(promised.epsilon)}, δ = {rounded_up(promised.delta)}"
        verdict = (
            f'<p class="verdict holds">This file is a ({level})-differentially private release.</p>'
            f"<p>{escape(in_words(promised))}</p>"
        )
        body = (
            _section("What the program checked", _list(claim.checked))
            + _section("What the publisher asserts", _list(claim.asserted))
            + _cautions(claim.cautions)
            + _section("What would void this statement", _list(VOIDS))
        )
    else:
        verdict = (
            '<p class="verdict void">No (ε, δ) claim is made for this file.</p>'
            "<p>The file was sampled, generalised and stripped of small groups, but the guarantee of "
            "differential privacy does not hold for it.</p>"
        )
        body = _section("Why not, and what would restore it", _reasons(claim.reasons)) + _cautions(claim.cautions)
    return (
        f"<h1>Privacy statement</h1>{verdict}"
        + _section("How the file was made", _parameters(outcome, promised, neutralised))
        + _section("Columns", _columns(hierarchies, outcome))
        + body
    )


def write_statement(
    path: Path,
    hierarchies: Mapping[str, Hierarchy],
    outcome: Outcome,
    claim: Claim,
    neutralised: int,
    *,
    protected: Collection[Path] = (),
) -> None:
    """Write the statement atomically.

    Raises
    ------
    WorkbenchError
        If the file cannot be written or is one of the `protected` ones.
    """
    text = statement_html(hierarchies, outcome, claim, neutralised)
    with atomic_write(path, protected=protected) as stream:
        stream.write(text.encode())


def _parameters(outcome: Outcome, promised: Guarantee, neutralised: int) -> str:
    accounting = (
        "exact (both divergences of the thresholded binomial)"
        if promised.accounting is Accounting.EXACT
        else "classical (Li, Qardaji and Su 2012)"
    )
    if promised.rows_per_person > 1:
        accounting += f", by group privacy for up to {promised.rows_per_person:,} rows per person"
    source = "the operating system's random source" if outcome.secure else "a seed: this is a simulation"
    rows = [
        ("Method", "random sample, generalisation, suppression of small groups, shuffle"),
        ("Each row was kept with probability β", f"{outcome.recipe.beta:.6g}"),
        ("A value its hierarchy does not list", "becomes * above level 0"),
        ("Smallest released group k", f"{outcome.recipe.k:,} rows"),
        ("Rows in the file", f"{outcome.rows_out:,}"),
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
    return _table(("", ""), rows)


def _neighbours(promised: Guarantee) -> str:
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
    return _table(("Column", "In this file", "Where its hierarchy comes from"), rows)


def _cautions(cautions: tuple[Reason, ...]) -> str:
    public = [caution for caution in cautions if not caution.private]
    return _section("What the reader should know", _reasons(public)) if public else ""


def _reasons(reasons: Iterable[Reason]) -> str:
    items = (f"<li>{escape(r.text)} <em>{escape(r.remedy)}</em></li>" for r in reasons)
    return f"<ul>{''.join(items)}</ul>"


def _list(sentences: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def _section(heading: str, content: str) -> str:
    return f"<section><h2>{escape(heading)}</h2>{content}</section>"


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    head = "".join(f"<th scope=col>{escape(heading)}</th>" for heading in headings) if any(headings) else ""
    body = "".join(
        "<tr><th scope=row>" + escape(row[0]) + "</th>" + "".join(f"<td>{escape(c)}</td>" for c in row[1:]) + "</tr>"
        for row in rows
    )
    return f"<table>{f'<thead><tr>{head}</tr></thead>' if head else ''}<tbody>{body}</tbody></table>"


_STYLE = """
body{margin:0;background:#f6f7f9;color:#1b1f24;font:15px/1.55 Inter,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif}
main{max-width:46rem;margin:2rem auto;padding:2rem 2.5rem;background:#fff;border-radius:6px}
h1{font-size:1.6rem;margin:0 0 1rem}h2{font-size:1.05rem;margin:1.8rem 0 .5rem}
.verdict{font-size:1.15rem;font-weight:600;padding:.7rem 1rem;border-radius:6px;border-left:5px solid}
.holds{background:#e8f5ef;border-color:#00704f}.void{background:#fdf0e7;border-color:#b34700}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0}
thead th{border-bottom:1px solid #c9ced6}tbody th{font-weight:500}em{color:#4a5260}
footer{margin-top:2rem;color:#5b6472;font-size:.85rem}
@media print{body{background:#fff}main{margin:0;padding:0}}
"""
