"""About 200 reports of a person counted as one, as published: the ε of a person is not that of a report."""

from __future__ import annotations

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
        "author's code; data of figures 4.2 to 4.6 and 4.9 to 4.11",
        "The data are 200,000 reports of 1,000 people, about 200 of each. A figure takes some of them and counts each "
        "as a person; but the ε of a person is that of one report times the number of reports that are taken of them.",
        epsilon,
        spent(epsilon),
        said="As published, every report counts as a person, so that people have less privacy than is said",
        of="for a person of whom 200 reports are taken",
    )


FLAW = flaw(EPSILON)
