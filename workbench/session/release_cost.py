"""The price of an (ε, δ) release, by either mechanism: counts of the run and risks. Analyst only."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.compared import Compared
from workbench.anonymise.release_loss import release_loss
from workbench.anonymise.risk import assess_risk, class_sizes
from workbench.anonymise.sampling import Outcome
from workbench.anonymise.trimming import TrimOutcome
from workbench.anonymise.utility import METRICS, MetricChoice
from workbench.plots import losses
from workbench.plots.losses import Losses
from workbench.report.analyst_report import ReleaseCost
from workbench.session.before_and_after import compared_result
from workbench.session.release.result import Result

RISK_THRESHOLD = 0.2
"""A row counts as at risk if an attacker is right about it with a greater chance."""


def cost_of_result(result: Result) -> ReleaseCost:
    """The cost of one run, with the working table and its release beside each other."""
    compared, outcome = compared_result(result), result.outcome
    before = assess_risk(classes_before(compared, tuple(outcome.recipe.levels)), RISK_THRESHOLD)
    after = assess_risk(outcome.released_sizes, RISK_THRESHOLD)
    lost = _losses(result)
    if isinstance(outcome, TrimOutcome):
        rest = outcome.rows_in - outcome.rows_out
        return ReleaseCost(compared, _trimmed(outcome), outcome.released_sizes, 0, rest, before, after, lost)
    return ReleaseCost(
        compared, _sampled(outcome), outcome.class_sizes, outcome.recipe.k, outcome.suppressed, before, after, lost
    )


def _losses(result: Result) -> Losses:
    """The loss of each column: a row counts by the level it was released at, and one that was not as lost whole."""
    found = release_loss(result.outcome, result.table, result.hierarchies)
    return losses.compute(METRICS[MetricChoice().identifier].title, found.columns, found.loss)


def classes_before(compared: Compared, grouped: Sequence[str]) -> NDArray[np.int64]:
    """Rows of each class of the rows that were to be released, as they were read."""
    table = compared.table if compared.rows is None else compared.table.take(compared.rows)
    return class_sizes(table, grouped)


def _sampled(outcome: Outcome) -> tuple[tuple[str, str], ...]:
    return (
        ("Rows that took part", f"{outcome.rows_in:,}"),
        ("Sampled", f"{outcome.sampled.rows:,}"),
        ("Dropped, in small groups", f"{outcome.suppressed:,}"),
        ("Released", f"{outcome.rows_out:,}"),
        ("Released groups", f"{outcome.classes_out:,}"),
    )


def _trimmed(outcome: TrimOutcome) -> tuple[tuple[str, str], ...]:
    figures = [("Rows that took part", f"{outcome.rows_in:,}")]
    several = len(outcome.steps) > 1
    for number, step in enumerate(outcome.steps, 1):
        at = f" at step {number}" if several else ""
        figures += [
            (f"Groups{at}", f"{int((step.counts > 0).sum()):,}"),
            (f"Groups of which rows were released{at}", f"{int((step.released > 0).sum()):,}"),
            (f"Rows released{at}", f"{int(step.released.sum()):,}"),
            (f"Rows given up{at}", f"{int(step.rests.sum()):,}"),
        ]
    return (*figures, ("Released", f"{outcome.rows_out:,}"), ("Released groups", f"{outcome.classes_out:,}"))
