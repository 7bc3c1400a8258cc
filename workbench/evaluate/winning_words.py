"""The reason why the way to take errs less than the others, in words."""

from __future__ import annotations

import math

from workbench.core.number_text import estimate
from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Statistic
from workbench.evaluate.tile import Verdict
from workbench.evaluate.told_apart import TileStanding

_ADDED = (Statistic.MEAN, Statistic.SUM, Statistic.COUNT, Statistic.HISTOGRAM)
"""Answers to which noise is added, and not drawn in another way."""


def winning_words(said: Verdict, findings: Findings) -> str:
    """Reason for which the recommended way errs less than those that are shown to err more; "" where none is known."""
    if said.waits or said.recommended is None:
        return ""
    worse = [one.approach for one in said.which(TileStanding.WORSE)]
    added = findings.experiment.question.statistic in _ADDED
    if said.recommended is Approach.GLOBAL:
        everybody = Approach.LOCAL in worse and added
        lost = "Anonymised loses rows or detail" if Approach.ANONYMISED in worse else ""
        told = (_everybody(said, findings) if everybody else "", lost)
        return "; ".join(filter(None, told)) if added else ""
    if said.recommended is Approach.ANONYMISED and worse and added:
        names = " or ".join(one.value.capitalize() for one in worse)
        return f"Anonymised adds no noise, and the rows or detail it loses matter less here than the noise of {names}"
    return ""


def _everybody(said: Verdict, findings: Findings) -> str:
    experiment = findings.experiment
    people = said.place if experiment.axis is Axis.USERS else experiment.users or findings.rows
    root = estimate(math.sqrt(people), 2)
    return (
        "Global adds noise once, to hide one person; with Local each of n people adds such noise, which averages out "
        f"only in part: together it is in the order of √n = {root} times as much"
    )
