"""Certificates of perturbed reports: from the beginning of their file, or from their entry in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from workbench.core.number_text import file_text, rounded_up
from workbench.core.trust import Origin, doubt_of
from workbench.ldp.participation import HIDING
from workbench.ldp.persons import HIDDEN
from workbench.ldp.report_file import Announcement
from workbench.query.ledger import LedgerEntry
from workbench.query.ledger_entries import PARTICIPATION
from workbench.report.attendance import neighbours, not_summed, who
from workbench.report.certificate_page import Certificate
from workbench.report.certificate_words import (
    CHECK_YOURSELF,
    CHECKED_REPORTS,
    SIMULATED_OR_ASSUMED,
    factor_in_words,
    number_in_words,
)


def certificate_of_reports(announcement: Announcement, cautions: Sequence[str] = ()) -> Certificate:
    """The certificate of a file of perturbed reports, from what stands at its beginning."""
    randomiser, reports = announcement.randomiser, announcement.reports_per_person
    epsilon = randomiser.spent
    person = epsilon * reports
    reasons = []
    if announcement.simulated:
        reasons.append("The reports were drawn with a seed: this is a simulation. Draw them again without a seed.")
    if not announcement.declared:
        reasons.append(
            "The list of values, or the bounds, were read from the data, which no protocol protects. Declare them from "
            "public knowledge and collect again."
        )
    reasons += [f"{doubt} {CHECK_YOURSELF}" for doubt in announcement.doubts]
    facts = [
        ("What was asked", announcement.column),
        ("Reports", f"{announcement.reports:,}"),
        ("ε of one report", rounded_up(epsilon)),
        ("Reports of one person", f"at most {reports:,}"),
        ("Answers there are", _domain(announcement)),
        ("Who takes part", who(announcement.hidden)),
    ]
    known = dict.fromkeys((*announcement.cautions, *cautions, *not_summed(announcement.hidden)))
    if announcement.plugin is not None:
        facts.append(("Plug-in", Origin.from_json(announcement.plugin).name))
    foreign = announcement.plugin is not None
    return _local(
        facts, person, reasons, tuple(known), announcement.promise, hidden=announcement.hidden, foreign=foreign
    )


def _domain(announcement: Announcement) -> str:
    if announcement.domain is not None:
        return f"{announcement.domain.size:,} listed values"
    low, high = announcement.bounds or (0.0, 0.0)
    return f"numbers from {file_text(low, 6)} to {file_text(high, 6)}"


def certificate_of_collection(entry: LedgerEntry) -> Certificate:
    """The certificate of reports that were collected, from their entry in the ledger."""
    charge = entry.charge
    plugin = charge.parameters.get("plugin")
    reasons = [] if charge.claimed else [SIMULATED_OR_ASSUMED]
    if doubt := doubt_of(plugin):
        reasons = [f"{doubt} {CHECK_YOURSELF}"]
    hidden = None if PARTICIPATION not in charge.parameters else not charge.open_participation
    facts = [
        ("What was asked", str(charge.parameters.get("column", ""))),
        ("Protocol", str(charge.parameters.get("protocol", ""))),
        ("Reports", f"{number_in_words(charge.parameters.get('reports'))}"),
        ("Rows of one person", f"at most {charge.rows_per_person:,}"),
        ("Who takes part", who(hidden)),
        *((("Plug-in", Origin.from_json(plugin).name),) if plugin else ()),
    ]
    known = (*map(str, charge.parameters.get("cautions", ())), *not_summed(hidden))
    promise = HIDING if hidden else HIDDEN
    return _local(facts, charge.epsilon, reasons, known, promise, hidden=hidden, foreign=bool(plugin))


def _local(
    facts: Sequence[tuple[str, str]],
    person: Fraction,
    reasons: Sequence[str],
    cautions: Sequence[str],
    promise: str,
    *,
    hidden: bool | None,
    foreign: bool,
) -> Certificate:
    shown = rounded_up(person)
    common = (("What the reader should know", tuple(cautions)),)
    if reasons:
        return Certificate(
            "Statement on perturbed reports",
            False,
            "No claim is made for these reports.",
            "Each answer was randomised, but the guarantee of local differential privacy does not hold.",
            tuple(facts),
            (("Why not, and what would restore it", tuple(reasons)), *common),
        )
    return Certificate(
        "Statement on perturbed reports",
        True,
        f"Each person's reports are {shown}-locally differentially private.",
        f"Whatever a person's true answers are, every list of reports is about as likely to come from them: its "
        f"probability differs by a factor of at most {factor_in_words(person)}. Not even the one who "
        f"collects the reports learns more, if people randomise their answers themselves. {promise}",
        (*facts, ("ε of a person", shown), ("Neighbours", neighbours(hidden))),
        (
            ("What the program checked", CHECKED_REPORTS[foreign:]),
            (
                "What the publisher asserts",
                (
                    "No person made more reports than that.",
                    *(("That how many rows or persons there are may be known.",) if hidden else ()),
                    "The list of values, or the bounds, were fixed without looking at the answers.",
                    "The true answers are published nowhere else.",
                ),
            ),
            (
                "What would void this statement",
                (
                    "Asking the same people again without adding up the ε.",
                    "Publishing who made which report, or the reports in the order of the people.",
                    "Reports drawn with a seed that somebody knows.",
                ),
            ),
            *common,
        ),
    )
