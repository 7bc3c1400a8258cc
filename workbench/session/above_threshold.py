"""Above-threshold as it was published beside its repair: where a stream stops, and what ε becomes of many queries."""

from __future__ import annotations

from dataclasses import replace

from workbench.core.progress import Progress
from workbench.mechanisms.above_threshold import AboveThreshold
from workbench.mechanisms.channels import above_threshold
from workbench.mechanisms.channels.above_threshold import parse_streams as parse_streams
from workbench.mechanisms.epsilon import Epsilon
from workbench.plots.query_losses import LossSeries, QueryLosses
from workbench.project.laboratory import LaboratorySettings


def above_threshold_of(settings: LaboratorySettings) -> tuple[AboveThreshold, int]:
    """The model that the settings of the audit describe, and how many queries it is asked."""
    values = above_threshold.PLUGIN.values_typed(settings.typed)
    return above_threshold.model(values), int(values["queries"])


def query_losses_of(model: AboveThreshold, most: int, chosen: int, progress: Progress) -> QueryLosses:
    """ε of the published and of the repaired model, over databases and over all streams."""
    published, repaired = replace(model, truncated=True), replace(model, truncated=False)
    strict, loose = replace(published, strict=True), replace(published, strict=False)
    series = (
        LossSeries("published, >, always d", _numbers(strict.database_losses(most, progress=progress.part(0.0, 0.2)))),
        LossSeries("published, ≥, always d", _numbers(loose.database_losses(most, progress=progress.part(0.2, 0.4)))),
        LossSeries("published, any streams", _numbers(published.worst_losses(most))),
        LossSeries(
            "repaired, always d",
            _numbers(repaired.database_losses(most, progress=progress.part(0.4, 1.0))),
            repaired=True,
        ),
        LossSeries("repaired, any streams", _numbers(repaired.worst_losses(most)), repaired=True),
    )
    return QueryLosses(_joined(series), chosen)


def _numbers(losses: tuple[Epsilon, ...]) -> tuple[float, ...]:
    return tuple(loss.upper for loss in losses)


def _joined(series: tuple[LossSeries, ...]) -> tuple[LossSeries, ...]:
    """Lines that lie on each other become one with both names."""
    found: list[LossSeries] = []
    for one in series:
        same = next((place for place, other in enumerate(found) if other.epsilons == one.epsilons), None)
        if same is None:
            found.append(one)
        else:
            words = one.name.removeprefix("published, ").removeprefix("repaired, ")
            found[same] = replace(found[same], name=f"{found[same].name}; or {words}")
    return tuple(found)
