"""Cross-validation: the amount of smoothing, chosen from the reports themselves.

The reports are dealt at random into parts. What is fitted to the others predicts each part; the smoothing under
which the left-out reports are likeliest is the one taken. Nothing but reports is used, so it costs no privacy.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.ldp.channel_sums import LazyChannel
from workbench.ldp.iteration import NO_SMOOTHING, Fitted, Floats, Smoothing, Stop, fit, log_likelihood

PARTS = 3
_TRIAL = Stop(gain=1e-2, most=3_000)
FINAL = Stop(gain=1e-3, most=3_000)
_DEAL = 20_201
"""The deal of the reports into parts is the same for the same reports; it protects nothing and nobody."""


def candidates(values: int, apart: int = 0) -> tuple[Smoothing, ...]:
    """From none to kernels as wide as a quarter of the domain, each at least twice the one before.

    Parameters
    ----------
    apart
        As of `Smoothing`; not among `values`.
    """
    light = tuple(Smoothing(2, strength, apart) for strength in (1 / 256, 1 / 64, 1 / 16, 1 / 4))
    wide = tuple(Smoothing(1 << power, apart=apart) for power in range(1, 12) if (1 << power) <= max(2, values // 4))
    return (NO_SMOOTHING, *light, *wide)


@dataclass(frozen=True)
class FittedSmoothing:
    """The fit, and its smoothing (one per histogram, in the order of the flattened leading axes)."""

    fitted: Fitted
    smoothing: tuple[Smoothing, ...]


def fit_smoothed(
    channel: LazyChannel, reports: NDArray[np.number], progress: Progress = SILENT, *, apart: int = 0
) -> FittedSmoothing:
    """Fit a distribution to each histogram of reports, shape (…, outputs), smoothed as the reports suggest.

    Parameters
    ----------
    apart
        So many values at the end are on no line with the others, and are not smoothed.
    """
    values, outputs = channel.shape
    counts = np.asarray(reports).reshape(-1, outputs)
    parts = _dealt(counts)
    tried = candidates(values - apart, apart)
    best = _climb(channel, counts[:, None, :] - parts, parts, tried, progress.part(0.0, 0.8))
    shares = np.empty((len(counts), values))
    likelihood = np.empty(len(counts))
    steps = np.empty(len(counts), dtype=np.int64)
    for position in np.unique(best).tolist():
        mine = best == position
        final = fit(channel, counts[mine], FINAL, tried[position], accelerated=True, progress=progress.part(0.8, 1.0))
        shares[mine], likelihood[mine], steps[mine] = final.shares, final.likelihood, final.steps
    lead = np.shape(reports)[:-1]
    fitted = Fitted(shares.reshape(*lead, values), likelihood.reshape(lead), steps.reshape(lead))
    return FittedSmoothing(fitted, tuple(tried[position] for position in best.tolist()))


def _climb(
    channel: LazyChannel, others: Floats, parts: Floats, tried: tuple[Smoothing, ...], progress: Progress
) -> NDArray[np.intp]:
    """For each histogram the candidate under which the parts are likeliest, found by walking uphill from the usual one.

    The scores rise and fall along the candidates but for noise, and those far too light take longest to fit.
    """
    scores = np.full((len(parts), len(tried)), np.nan)
    here = np.full(len(parts), tried.index(Smoothing(apart=tried[-1].apart)))
    walking = np.arange(len(parts))
    looks = 0
    while len(walking):
        progress(min(looks / len(tried), 1.0))
        for offset in (-1, 0, 1):
            places = here[walking] + offset
            for place in np.unique(places[(places >= 0) & (places < len(tried))]).tolist():
                unknown = walking[(places == place) & np.isnan(scores[walking, place])]
                if len(unknown):
                    trained = fit(channel, others[unknown], _TRIAL, tried[place], accelerated=True, progress=progress)
                    scores[unknown, place] = log_likelihood(channel, parts[unknown], trained.shares).sum(axis=-1)
                    looks += 1
        reached = np.where(np.isnan(scores[walking]), -np.inf, scores[walking]).argmax(axis=1)
        moved = reached != here[walking]
        here[walking] = reached
        walking = walking[moved]
    return here


def _dealt(counts: NDArray[np.number]) -> Floats:
    """The reports dealt into parts at random, shape (histograms, parts, outputs)."""
    parts = np.empty((len(counts), PARTS, counts.shape[1]))
    for number, whole in enumerate(np.rint(counts).astype(np.int64)):
        # Each by a generator of its own, so that what is found does not depend on what is asked beside it.
        generator = np.random.Generator(np.random.PCG64(_DEAL))
        left = whole
        for position in range(PARTS - 1):
            dealt = generator.binomial(left, 1.0 / (PARTS - position))
            parts[number, position] = dealt
            left = left - dealt
        parts[number, -1] = left
    return parts
