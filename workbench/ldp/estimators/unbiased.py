"""The protocol's own unbiased estimator."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.core.progress import Progress
from workbench.ldp.estimator import Floats, LocalEstimator
from workbench.ldp.protocol import FrequencyRandomiser, Support


def _run(randomiser: FrequencyRandomiser, supports: Sequence[Support], progress: Progress) -> Floats:
    return np.array([randomiser.estimate(support) for support in supports], dtype=np.float64)


PLUGIN = LocalEstimator(
    identifier="unbiased",
    title="Unbiased",
    summary="Right on average over the noise; single estimates may be negative.",
    citation="Wang, Blocki, Li & Jha, USENIX Security 2017",
    run=_run,
)
