"""About 200 reports of a person counted as one, as published: the ε of a person is not that of a report."""

from __future__ import annotations

from workbench.evaluate.published.originals.flaw import OriginalFlaw

REPORTS, PEOPLE = 200_000, 1_000
EPSILON = 1.5


def spent(epsilon: float) -> float:
    """By composition: as many times the ε of a report as a person sends reports."""
    return REPORTS / PEOPLE * epsilon


FLAW = OriginalFlaw(
    "200 reports of a person counted as one, as published, not private",
    "data of figures 4.2 to 4.11",
    "1,000 people send 200,000 reports, so the ε of a person is about 200 times that of a report.",
    EPSILON,
    spent(EPSILON),
)
