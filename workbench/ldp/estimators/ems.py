"""Expectation maximisation with a fixed smoothing after each step."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.progress import Progress
from workbench.ldp.estimator import Floats, LocalEstimator, as_counts, channel_of, outputs
from workbench.ldp.iteration import Smoothing, Stop, fit
from workbench.ldp.protocol import FrequencyRandomiser, Support

_STOP = Stop(gain=1e-3)


def _run(randomiser: FrequencyRandomiser, supports: Sequence[Support], progress: Progress) -> Floats:
    smoothing = Smoothing(2, apart=randomiser.apart)
    fitted = fit(channel_of(randomiser), outputs(supports), _STOP, smoothing, progress=progress)
    return as_counts(fitted.shares, supports)


PLUGIN = LocalEstimator(
    identifier="ems",
    title="EM, smoothed",
    summary="Averages neighbours by [1, 2, 1]/4 after each step, for distributions that are smooth.",
    citation="Li et al., SIGMOD 2020",
    run=_run,
    tabulated=True,
    consistent=True,
)
