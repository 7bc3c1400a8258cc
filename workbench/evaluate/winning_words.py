"""The reason why the way to take errs less than the others, and how much noise that is, in words."""

from __future__ import annotations

from workbench.core.number_text import estimate
from workbench.evaluate.experiment import Axis, Truth
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import Approach
from workbench.evaluate.question import Statistic
from workbench.evaluate.tile import Tile, Verdict
from workbench.evaluate.told_apart import TileStanding

_ADDED = (Statistic.MEAN, Statistic.SUM, Statistic.COUNT, Statistic.HISTOGRAM)
"""Answers to which noise is added, and not drawn in another way."""
_EVERYBODY = (
    "Global adds noise once, to hide one person; with Local each adds such noise, which averages out only in part"
)


def winning_words(said: Verdict, findings: Findings) -> str:
    """Reason for which the recommended way errs less than those that are shown to err more; "" where none is known."""
    if said.waits or said.recommended is None:
        return ""
    worse = [one.approach for one in said.which(TileStanding.WORSE)]
    added = findings.experiment.question.statistic in _ADDED
    if said.recommended is Approach.GLOBAL:
        everybody = Approach.LOCAL in worse and added
        lost = "Anonymised loses rows or detail" if Approach.ANONYMISED in worse else ""
        told = (_EVERYBODY if everybody else "", lost)
        return "; ".join(filter(None, told)) if added else ""
    if said.recommended is Approach.ANONYMISED and worse and added:
        names = " or ".join(one.value.capitalize() for one in worse)
        return f"Anonymised adds no noise, and the rows or detail it loses matter less here than the noise of {names}"
    return ""


def mean_noise_words(tile: Tile, findings: Findings, place: float) -> str:
    """How what noise adds to a curator's mean comes about, in few words; "" for others, or of several rows a person.

    Notes
    -----
    Noise z and z′ of scale b = range ÷ ε on the sums of the distances from either bound moves a mean that lies at the
    share m of the range by |(1 − m)·z − m·z′| ÷ n, which is b·(1 − m·(1 − m)) ÷ n on average.
    """
    experiment = findings.experiment
    people = experiment.users or findings.rows
    asked = experiment.question.statistic is Statistic.MEAN and experiment.axis is Axis.EPSILON and people
    asked = asked and experiment.truth is Truth.USERS
    if tile.setting is None or tile.setting.identifier != "global-grid" or not (asked and tile.by_formula):
        return ""
    if not findings.width > 0 or findings.rows_per_person > 1:
        return ""
    most = findings.width / experiment.setting(tile.setting, place, findings.rows).epsilon / people
    middle = estimate(0.75 * most, 3)
    return f"range ÷ ε ÷ people = {estimate(most, 3)} with the mean at a bound, {middle} in the middle"
