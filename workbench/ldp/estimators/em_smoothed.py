"""Expectation maximisation with as much smoothing as the reports ask for."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.progress import Progress
from workbench.ldp.cross_validation import fit_smoothed
from workbench.ldp.estimator import Floats, LocalEstimator, as_counts, channel_of, outputs
from workbench.ldp.protocol import FrequencyRandomiser, Support


def _run(randomiser: FrequencyRandomiser, supports: Sequence[Support], progress: Progress) -> Floats:
    chosen = fit_smoothed(channel_of(randomiser), outputs(supports), progress, apart=randomiser.apart)
    return as_counts(chosen.fitted.shares, supports)


PLUGIN = LocalEstimator(
    identifier="em-smoothed",
    title="EM, smoothing chosen by the reports",
    summary="Smooths as much as makes left-out reports most likely: nothing for ragged distributions, a lot for smooth "
    "ones.",
    citation="Silverman, Jones, Wilson & Nychka, JRSS B 1990; chosen by cross-validated likelihood",
    run=_run,
    tabulated=True,
    consistent=True,
)
