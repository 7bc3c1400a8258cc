"""The most likely distribution behind perturbed reports, by expectation maximisation on the protocol's channel.

With o the histogram of n reports and P the channel, one step is f ← f ∘ P(o / fP) / n. The likelihood Σ o ln(fP)
never falls, and every f is a distribution: no step makes a share negative. It is the iterative Bayesian update of
Agrawal & Aggarwal, PODS 2001; smoothing between the steps (EMS) is that of Silverman et al., JRSS B 1990, which Li et
al., SIGMOD 2020 use for Square Wave. All of it sees only the reports, so it costs no privacy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.ldp.channel_sums import LazyChannel

Floats = NDArray[np.float64]

_EVERY = 4
"""Steps between two looks at the likelihood, which costs as much as a step."""

_DENSE_KERNEL = 256
"""Up to so many values smoothing is one product with a matrix; beyond, running sums are cheaper."""

_LEAST_KEPT = 0.1
"""An extrapolation may shrink a share to this part of what two plain steps made of it, never to nothing."""

_SLACK = 1.0
"""How much likelihood an extrapolation may lose if steps are smoothed, which may lose some themselves."""


@dataclass(frozen=True)
class Stop:
    """A rule to end: once a step gains less than `gain` in ln-likelihood, or after `most` steps."""

    gain: float = 1e-6
    most: int = 20_000


@dataclass(frozen=True)
class Smoothing:
    """A triangular kernel: [1, 2, …, h, …, 2, 1]/h², mixed with the values as they are.

    Parameters
    ----------
    width
        h. 2 gives [1, 2, 1]/4; 1 changes nothing.
    strength
        How much of the smoothed values is taken, 0 to 1.
    apart
        So many values at the end are on no line with the others and stay as they are.
    """

    width: int = 2
    strength: float = 1.0
    apart: int = 0

    def __call__(self, shares: Floats) -> Floats:
        """Smooth along the last axis, reflected at both ends so that no mass is lost, by two running sums."""
        if self.apart:
            line, rest = shares[..., : -self.apart], shares[..., -self.apart :]
            return np.concatenate([replace(self, apart=0)(line), rest], axis=-1)
        width = min(self.width, shares.shape[-1])
        if width <= 1 or self.strength == 0.0:
            return shares
        ends = [(0, 0)] * (shares.ndim - 1) + [(width - 1, width - 1)]
        smooth = _box(_box(np.pad(shares, ends, mode="symmetric"), width), width)
        if self.strength == 1.0:
            return smooth
        return (1.0 - self.strength) * shares + self.strength * smooth


NO_SMOOTHING = Smoothing(1)


@dataclass(frozen=True)
class Fitted:
    """Distributions and how they were reached.

    Parameters
    ----------
    shares
        The distributions, shape (…, values); each is positive and adds up to 1.
    likelihood
        Their ln-likelihood Σ o ln(fP), shape (…,).
    steps
        Steps each took, shape (…,).
    """

    shares: Floats
    likelihood: Floats
    steps: NDArray[np.int64]


def fit(
    channel: LazyChannel,
    reports: NDArray[np.number],
    stop: Stop,
    smoothing: Smoothing = NO_SMOOTHING,
    *,
    accelerated: bool = False,
    progress: Progress = SILENT,
) -> Fitted:
    """Fit a distribution to each histogram of reports, from the uniform one.

    Parameters
    ----------
    reports
        How many reports gave each output, shape (…, outputs).
    accelerated
        Extrapolate: the same end in far fewer steps, but not the same path, so that stopping early is another
        estimate than without.

    Returns
    -------
    Fitted
        Uniform distributions where there is no report.
    """
    values, outputs = channel.shape
    seen = np.asarray(reports, dtype=np.float64).reshape(-1, outputs)
    shares = np.full((len(seen), values), 1.0 / values)
    totals = seen.sum(axis=1, keepdims=True)
    likelihood = log_likelihood(channel, seen, shares)
    steps = np.zeros(len(seen), dtype=np.int64)
    active = np.flatnonzero(totals[:, 0] > 0)
    smooth = _kernel(smoothing, values)
    advance, block = (_extrapolated, 3) if accelerated else (_plain, _EVERY)
    slack = _SLACK if smoothing.width > 1 else 0.0
    done = 0
    while len(active) and done < stop.most:
        progress(done / stop.most)
        wanted = seen[active] / totals[active]

        def step(now: Floats, wanted: Floats = wanted) -> Floats:
            return smooth(_step(channel, wanted, now))

        now, safe = advance(step, shares[active])
        done += block
        reached = log_likelihood(channel, seen[active], now)
        worse = reached < likelihood[active] - slack
        if accelerated and worse.any():
            # An extrapolation that overshot is given up for the plain steps it was made of.
            now[worse] = safe[worse]
            reached[worse] = log_likelihood(channel, seen[active[worse]], safe[worse])
        shares[active], steps[active] = now, done
        # With smoothing the likelihood may also fall; a change that small in either direction is the end.
        moving = np.abs(reached - likelihood[active]) >= stop.gain * block
        likelihood[active] = reached
        active = active[moving]
    lead = np.shape(reports)[:-1]
    return Fitted(shares.reshape(*lead, values), likelihood.reshape(lead), steps.reshape(lead))


def log_likelihood(channel: LazyChannel, reports: NDArray[np.number], shares: Floats) -> Floats:
    """Σ o ln(fP) for each histogram of reports, shape of the leading axes."""
    expected = channel.forward(shares)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(reports > 0, reports * np.log(expected), 0.0).sum(axis=-1))


def _step(channel: LazyChannel, wanted: Floats, shares: Floats) -> Floats:
    expected = channel.forward(shares)
    ratio = np.divide(wanted, expected, out=np.zeros_like(expected), where=expected > 0)
    found = shares * channel.backward(ratio)
    return np.asarray(found / found.sum(axis=-1, keepdims=True))  # against the drift of rounding only


def _plain(step: Callable[[Floats], Floats], now: Floats) -> tuple[Floats, Floats]:
    for _ in range(_EVERY):
        now = step(now)
    return now, now


def _extrapolated(step: Callable[[Floats], Floats], now: Floats) -> tuple[Floats, Floats]:
    """Three steps' work: two steps, the point they head for, and a step from there; also the two steps alone."""
    one = step(now)
    two = step(one)
    first = one - now
    change = two - one - first
    size = np.square(change).sum(axis=-1, keepdims=True)
    ratio = np.square(first).sum(axis=-1, keepdims=True) / np.maximum(size, np.finfo(np.float64).tiny)
    length = np.maximum(np.sqrt(ratio), 1.0)
    ahead = np.maximum(now + 2.0 * length * first + np.square(length) * change, _LEAST_KEPT * two)
    ahead /= ahead.sum(axis=-1, keepdims=True)
    # Two steps that hardly differ leave nothing to extrapolate from.
    usable = np.isfinite(ahead).all(axis=-1, keepdims=True)
    return step(np.where(usable, ahead, two)), two


def _kernel(smoothing: Smoothing, values: int) -> Callable[[Floats], Floats]:
    if smoothing.width <= 1 or smoothing.strength == 0.0:
        return lambda shares: shares
    if values > _DENSE_KERNEL:
        return smoothing
    matrix = smoothing(np.eye(values))
    return lambda shares: np.asarray(shares @ matrix)


def _box(values: Floats, width: int) -> Floats:
    """Means of `width` neighbours, shape (…, length − width + 1)."""
    sums = np.cumsum(values, axis=-1)
    means = sums[..., width - 1 :].copy()
    means[..., 1:] -= sums[..., :-width]
    # The difference of two sums may fall a rounding below zero where there is nothing.
    return np.maximum(means / width, 0.0)
