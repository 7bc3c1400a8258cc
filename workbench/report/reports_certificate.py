"""Certificates of perturbed reports, from their entry in the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from workbench.core.number_text import rounded_up
from workbench.core.trust import Origin, doubt_of
from workbench.ldp.participation import HIDING
from workbench.ldp.persons import HIDDEN
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
