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
        "The data are 200,000 reports of 1,000 people; a figure takes some of them and calls each a person. The "
        "200 reports of one person together have 200 times the ε of one; a person of whom fewer are taken, "
        "so many times.",
        epsilon,
        spent(epsilon),
        said="As published, 200 reports of a person count as 200 people, which is not private",
        of="of a person all of whose reports are taken",
    )


FLAW = flaw(EPSILON)
