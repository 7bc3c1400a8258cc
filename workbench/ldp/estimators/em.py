"""Expectation maximisation to the end."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.progress import Progress
from workbench.ldp.estimator import Floats, LocalEstimator, as_counts, channel_of, outputs
from workbench.ldp.iteration import Stop, fit
from workbench.ldp.protocol import FrequencyRandomiser, Support

_STOP = Stop(gain=1e-4, most=2_500)


def _run(randomiser: FrequencyRandomiser, supports: Sequence[Support], progress: Progress) -> Floats:
    fitted = fit(channel_of(randomiser), outputs(supports), _STOP, accelerated=True, progress=progress)
    return as_counts(fitted.shares, supports)


PLUGIN = LocalEstimator(
    identifier="em",
    title="Maximum likelihood",
    summary="The most likely distribution, by expectation maximisation until nothing changes; follows the noise if "
    "reports are few.",
    citation="Agrawal & Aggarwal, PODS 2001",
    run=_run,
    tabulated=True,
    consistent=True,
)
