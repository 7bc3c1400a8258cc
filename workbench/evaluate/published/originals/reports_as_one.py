"""About 200 reports of a person counted as one, as published: the ε of a person is not that of a report."""

from __future__ import annotations

from workbench.core.number_text import estimate
from workbench.evaluate.published.originals.flaw import OriginalFlaw

REPORTS, PEOPLE = 200_000, 1_000
EPSILON = 1.5


def spent(epsilon: float) -> float:
    """By composition: as many times the ε of a report as a person sends reports."""
    return REPORTS / PEOPLE * epsilon


def flaw(epsilon: float) -> OriginalFlaw:
    """What an audit says where each report has this ε."""
    return OriginalFlaw(
        "200 reports of a person counted as one, as published, not private",
        "data of figures 4.2 to 4.11",
        "Its data are 200,000 reports of 1,000 people, and each report counts as a person: 200 of one, at ε = "
        f"{estimate(epsilon, 4)} each, make {estimate(spent(epsilon), 4)}.",
        epsilon,
        spent(epsilon),
    )


FLAW = flaw(EPSILON)
