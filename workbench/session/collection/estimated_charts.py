"""Estimated shares or numbers of people per value as charts: from reports, and simulated beside the truth."""

from __future__ import annotations

from workbench.ldp.simulation import FrequencyResult
from workbench.plots.estimated_counts import EstimatedCounts, compute
from workbench.session.collection.results import Aggregated, Simulated
from workbench.session.collection.typed_answers import SURVEY


def aggregated_chart(found: Aggregated, title: str) -> EstimatedCounts | None:
    """The chart of the estimates for each value by reports; None where they tell a mean."""
    counted, announced = found.estimate, found.received.announcement
    if counted is None or announced.domain is None:
        return None
    domain, band = announced.domain, found.band
    return compute(
        title, domain.labels, counted.counts, counted.low, counted.high, band=band, ordinal=domain.ordinal,
        axis="" if announced.column == SURVEY else announced.column, whole=domain.whole, people=found.of_people,
    )  # fmt: skip


def simulated_chart(found: Simulated, result: FrequencyResult, title: str, axis: str) -> EstimatedCounts:
    """The chart of what one protocol estimated in a simulation, beside the truth. For the analyst only, unless that is
    assumed.
    """
    encoded = found.asked.encoded
    assert encoded is not None  # where people were counted
    domain = encoded.domain
    apart = found.plan is not None and found.plan.apart  # then who takes part is an estimate as well
    people = 0.0 if apart or found.truth is None else float(found.truth.sum())
    return compute(
        title, domain.labels, result.estimate, result.low, result.high, found.truth,
        band="mean ± 1.96 deviations of single collections", ordinal=domain.ordinal,
        axis="" if axis == SURVEY else axis, whole=domain.whole, assumed=bool(found.assumed), people=people,
    )  # fmt: skip
