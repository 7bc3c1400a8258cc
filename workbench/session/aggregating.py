"""Aggregating perturbed reports, which needs nothing but the reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import NormalDist

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.ldp.estimation import COVERAGE, Method, estimate
from workbench.ldp.heavy_hitters import heavy_hitters
from workbench.ldp.protocol import FrequencyRandomiser, MeanRandomiser
from workbench.ldp.report_file import Received, read_reports, together
from workbench.session.collected import Aggregated


def aggregator(paths: Sequence[Path], method: Method, *, top: int = 0) -> Callable[[Progress], Aggregated]:
    """Read reports and estimate, bound together now; call it on any thread. Needs no project and no data.

    Parameters
    ----------
    top
        So many of the most frequent values are named; 0 for none.
    """

    def work(progress: Progress = SILENT) -> Aggregated:
        share = 0.8 / max(len(paths), 1)
        received = together(
            read_reports(path, progress.part(share * number, share * (number + 1))) for number, path in enumerate(paths)
        )
        randomiser, support = received.announcement.randomiser, received.support
        if isinstance(randomiser, FrequencyRandomiser):
            found = estimate(randomiser, support, method, progress=progress.part(0.8, 1.0))
            hitters = heavy_hitters(randomiser, support, top) if top else ()
            return Aggregated(received, found, hitters)
        assert isinstance(randomiser, MeanRandomiser) and received.announcement.bounds is not None
        return _mean(received, randomiser, received.announcement.bounds)

    return work


def _mean(received: Received, randomiser: MeanRandomiser, bounds: tuple[float, float]) -> Aggregated:
    """The mean with a band from the spread of the reports themselves."""
    support = received.support
    if not support.reports:
        raise WorkbenchError("There is no report to estimate anything from.", field="reports")
    low, high = bounds
    half, middle = (high - low) / 2, (low + high) / 2
    mean = randomiser.estimate(support)
    spread = max(float(support.sums[1]) / support.reports - mean**2, 0.0) / max(support.reports - 1, 1)
    wide = NormalDist().inv_cdf(0.5 + COVERAGE / 2) * float(np.sqrt(spread)) * half
    found = middle + half * mean
    return Aggregated(received, mean=found, low=found - wide, high=found + wide)
