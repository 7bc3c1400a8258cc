"""Expectation maximisation that stops before it follows the noise."""

from __future__ import annotations

import math
from collections.abc import Sequence

from workbench.core.progress import Progress
from workbench.ldp.estimator import Floats, LocalEstimator, as_counts, channel_of, outputs
from workbench.ldp.iteration import Stop, fit
from workbench.ldp.protocol import FrequencyRandomiser, Support

_GAIN = 1e-3


def _run(randomiser: FrequencyRandomiser, supports: Sequence[Support], progress: Progress) -> Floats:
    # Plain steps: how far they have come when they stop is what this estimator is about.
    stop = Stop(gain=_GAIN * math.exp(randomiser.epsilon))
    fitted = fit(channel_of(randomiser), outputs(supports), stop, progress=progress)
    return as_counts(fitted.shares, supports)


PLUGIN = LocalEstimator(
    identifier="em-early",
    title="EM, stopped early",
    summary="Ends once a step gains less than e^ε/1000 in likelihood, before the estimate follows the noise.",
    citation="Li et al., SIGMOD 2020",
    run=_run,
    tabulated=True,
    consistent=True,
)
