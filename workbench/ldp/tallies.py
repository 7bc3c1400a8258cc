"""Tallies: how many reports of a survey on paper name each answer, counted by hand.

They are as public as the reports that they count: each was randomised by the person who gave it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.exact import MOST_PEOPLE
from workbench.ldp.protocol import FrequencyRandomiser, Support


def support_of(randomiser: FrequencyRandomiser, tallies: Sequence[int]) -> Support:
    """The sum of the reports that were counted.

    Parameters
    ----------
    tallies
        How many reports name each answer, in the order of the domain.

    Raises
    ------
    WorkbenchError
        If reports of the protocol are not counted so, or no reports come to these numbers.
    """
    each = randomiser.answers_named
    if each is None:
        raise WorkbenchError(
            "Reports of this protocol are not single answers, so they cannot be counted by hand.",
            hint="Open their files, or take direct encoding, randomised response or subset selection.",
            field="protocol",
        )
    total, most = sum(tallies), max(tallies, default=0)
    if len(tallies) != randomiser.domain_size or min(tallies, default=0) < 0:
        raise WorkbenchError(
            f"{randomiser.domain_size:,} tallies of 0 or more are needed, one per answer.", field="tallies"
        )
    if not total:
        raise WorkbenchError("No report was counted yet.", hint="Type how many name each answer.", field="tallies")
    if total > MOST_PEOPLE:
        raise WorkbenchError("There cannot be so many reports.", hint="Type smaller numbers.", field="tallies")
    reports, rest = divmod(total, each)
    if rest or most > reports:
        raise WorkbenchError(
            f"These tallies cannot be of reports that name {each:,} different answers each: they add up to {total:,}"
            + (f", which {each:,} does not divide." if rest else f", so that no answer is in more than {reports:,}."),
            hint="Count again in how many reports each answer is named.",
            field="tallies",
        )
    return Support(reports, np.array(tallies, dtype=np.int64))
