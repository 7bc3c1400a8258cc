"""About 200 reports of a person counted as one, as published: the ε of a person is not that of a report."""

from __future__ import annotations

import math

from workbench.core.number_text import count, estimate, exact
from workbench.evaluate.published.originals.flaw import OriginalFlaw

REPORTS, PEOPLE = 200_000, 1_000
EPSILON = 1.5


def spent(epsilon: float, taken: int = REPORTS) -> float:
    """By composition: as many times the ε of a report as reports of a person are taken, of so many of all."""
    return taken / PEOPLE * epsilon


def flaw(epsilon: float) -> OriginalFlaw:
    """Flaw that an audit finds where each report has this ε."""
    return OriginalFlaw(
        "200 reports of a person, each counted as a person, as in the author's code, not private",
        "data of figures 4.2 to 4.6 and 4.9 to 4.11; by p. 47 each person sends one",
        "The data are 200,000 reports of 1,000 people, about 200 of each. A figure takes some of them and counts each "
        "as a person; but the ε of a person is that of one report times the number of reports that are taken of them.",
        epsilon,
        spent(epsilon),
        said="In the author's code every report counts as a person, so that people have less privacy than is said",
        of="for a person of whom 200 reports are taken",
    )


def of_taken(taken: int, epsilon: float = math.nan) -> str:
    """Sentence for a figure that takes `taken` of the reports, each of which has this ε if it is always the same."""
    each = count(taken / PEOPLE)
    instead = "" if math.isnan(epsilon) else f": about {estimate(spent(epsilon, taken), 2)} instead of {exact(epsilon)}"
    return (
        f"{FLAW.begin} The data are {count(REPORTS)} reports of {count(PEOPLE)} people; of the {count(taken)} that "
        f"are taken, about {each} come from each person, whose ε is then about {each} times that of a report{instead}."
    )


FLAW = flaw(EPSILON)
