"""The joint δ of independent draws from their privacy losses, by a Fourier transform, rounded to the safe side.

All losses are brought to the multiples of one step h. A loss between two multiples is split between them so that the
probabilities under both tables stay what they are, which only raises the curve of δ.

Each distribution is tilted by e^(λL) before it is transformed, with λ chosen so that the ε that is looked for lies in
the bulk of the tilted sum: then what rounding does to the transform is small beside δ, however small that is. The three
errors there are count towards δ:

- What lies beyond the window comes back at its other end, and only adds there. What should lie below it never exceeds
  an ε inside; what should lie above it is missing, and has a probability of at most e^(K(λ′) − λ′·hi) for every λ′,
  with K the logarithm of E[e^(λ′S)].
- A transform of length 2^n errs by at most 16·n·2^−53 of the Euclidean norm (Higham, "Accuracy and stability of
  numerical algorithms", Theorem 24.2, with room to spare), and a product of transforms, none above 1, by the sum of the
  errors of its factors.
- Everything else is a few operations on floats, covered by a factor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from workbench.core.loss_distributions import Floats, LossDistribution, LossPair

_ULP = 2.0**-53
_FACTOR = 1 + 1e-8
_FEW_PARTS, _FINE, _COARSE = 100, 15, 14
_BEYOND = math.log(1e-13)
"""Above and below the window may lie so much of the tilted probability, as a logarithm."""
_NARROWEST, _WIDEST = 1e-4, 1e4
_TILT_STEP = 0.05
_GOLDEN = (math.sqrt(5) - 1) / 2
_FAR = 700.0
_ROUNDED = 1e-12
_TILTS_ABOVE = (1.15, 1.5, 2.0, 4.0, 16.0)
_TILTS_BELOW = (0.9, 0.7, 0.4, 0.0, -0.5, -1.0, -3.0)


def composed_loss_epsilon(parts: Sequence[tuple[LossPair, int]], delta: float) -> float:
    """The ε of all draws together at this δ, in both directions.

    Parameters
    ----------
    parts
        Pairs, and how many draws there are of each.
    delta
        Above 0 and below 1.

    Returns
    -------
    float
        An upper bound; infinite if no ε has so small a δ.
    """
    return max(one.epsilon(delta) for one in _directions(parts))


def composed_loss_delta(parts: Sequence[tuple[LossPair, int]], epsilon: float) -> float:
    """The δ of all draws together at this ε, an upper bound in both directions."""
    return max(one.delta(epsilon) for one in _directions(parts))


def _directions(parts: Sequence[tuple[LossPair, int]]) -> list[_Direction]:
    adding = _Direction([(pair.adding, times) for pair, times in parts])
    if all(pair.is_symmetric for pair, _ in parts):
        return [adding]
    return [adding, _Direction([(pair.removing, times) for pair, times in parts])]


class _Direction:
    """The sum of independent losses.

    Parameters
    ----------
    parts
        Distributions, and how many losses there are of each.
    """

    def __init__(self, parts: Sequence[tuple[LossDistribution, int]]) -> None:
        self._parts = [(one, times) for one, times in parts if times and len(one.losses)]
        never = math.fsum(times * math.log1p(-one.infinite) for one, times in parts if one.infinite < 1)
        certain = any(one.infinite >= 1 for one, times in parts if times)
        self.infinite = 1.0 if certain else min(1.0, -math.expm1(never) * (1 + _ROUNDED))
        self._kept = _Losses.of(self._parts)

    @cached_property
    def largest(self) -> float:
        """More than the sum can finitely be."""
        return self._kept.largest if self._parts else 0.0

    def delta(self, epsilon: float) -> float:
        """δ at this ε, from above."""
        if epsilon >= self.largest or self.infinite >= 1:
            return self.infinite
        tilt = _best(lambda tilt: self._kept.log_moment(tilt) + _log_peak(tilt) - tilt * epsilon)
        return min(1.0, self.infinite + self._summed(tilt, epsilon).exceeding(epsilon))

    def epsilon(self, delta: float) -> float:
        """ε at this δ, from above; at least 0."""
        allowed = delta - self.infinite
        if allowed < 0:
            return math.inf
        largest = max(0.0, self.largest)
        if allowed <= 1e-290 or largest == 0:
            return largest
        logarithm = math.log(allowed)
        tilt = _best(lambda tilt: (self._kept.log_moment(tilt) + _log_peak(tilt) - logarithm) / tilt)
        summed = self._summed(tilt)
        if summed.exceeding(0.0) <= allowed:
            return 0.0
        low, high = summed.around(allowed)
        if summed.exceeding(high) > allowed:
            low, high = high, min(largest, summed.last)
            if summed.exceeding(high) > allowed:
                return largest
        if summed.exceeding(low) <= allowed:
            low, high = 0.0, low
        while high - low > 1e-9 * max(1.0, high):
            middle = (low + high) / 2
            low, high = (low, middle) if summed.exceeding(middle) <= allowed else (middle, high)
        return high

    def _summed(self, tilt: float, lowest: float = math.inf) -> _SumOnGrid:
        """The distribution of the sum where the tilt makes it probable, and from `lowest` on."""
        kept = self._kept
        at = kept.log_moment(tilt)
        high = min((kept.log_moment(tilt * more) - at - _BEYOND) / (tilt * (more - 1)) for more in _TILTS_ABOVE)
        low = max((kept.log_moment(tilt * less) - at - _BEYOND) / (tilt * (less - 1)) for less in _TILTS_BELOW)
        high = min(high, self.largest)
        low = min(max(low, kept.smallest), high - 1e-9, lowest)
        size = 1 << (_FINE if len(self._parts) <= _FEW_PARTS else _COARSE)
        # Every loss may come to lie one step lower or higher.
        spare = min(sum(kept.times), size // 4)
        step = (high - low) / (size - 4 - 2 * spare)
        return _SumOnGrid.of(kept.on_grid(step), step, math.floor(low / step) - spare, size, tilt)


@dataclass(frozen=True, eq=False)
class _Losses:
    """The losses of several distributions, one after the other.

    Parameters
    ----------
    losses, masses
        Float64 of shape (values of all,); no mass is 0.
    starts
        Where each distribution begins, int64 of shape (distributions,).
    times
        How often each counts.
    """

    losses: Floats
    masses: Floats
    starts: NDArray[np.int64]
    times: tuple[int, ...]

    @classmethod
    def of(cls, parts: Sequence[tuple[LossDistribution, int]]) -> _Losses:
        """Those of distributions without probabilities of 0."""
        lengths = np.array([0, *(len(one.losses) for one, _ in parts)], dtype=np.int64)
        return cls(
            np.concatenate([np.zeros(0), *(one.losses for one, _ in parts)]),
            np.concatenate([np.zeros(0), *(np.maximum(one.masses, 1e-300) for one, _ in parts)]),
            np.cumsum(lengths)[:-1],
            tuple(times for _, times in parts),
        )

    @cached_property
    def _counts(self) -> Floats:
        return np.array(self.times, dtype=np.float64)

    @cached_property
    def _lengths(self) -> NDArray[np.int64]:
        return np.diff(np.append(self.starts, len(self.losses)))

    @cached_property
    def largest(self) -> float:
        found = float((np.maximum.reduceat(self.losses, self.starts) * self._counts).sum())
        return found + abs(found) * 1e-12

    @cached_property
    def smallest(self) -> float:
        return float((np.minimum.reduceat(self.losses, self.starts) * self._counts).sum())

    def log_moments(self, tilt: float) -> Floats:
        """ln E[e^(tilt·L)] of each, shape (distributions,)."""
        exponents = tilt * self.losses
        tops = np.maximum.reduceat(exponents, self.starts)
        sums = np.add.reduceat(self.masses * np.exp(exponents - np.repeat(tops, self._lengths)), self.starts)
        result: Floats = tops + np.log(np.maximum(sums, 1e-300))
        return result

    def log_moment(self, tilt: float) -> float:
        """ln E[e^(tilt·S)] of the sum S of all."""
        return float((self.log_moments(tilt) * self._counts).sum())

    def on_grid(self, step: float) -> _Losses:
        """Each loss split between the multiples of a step beside it; the first of the pairs come first in each."""
        below = np.floor(self.losses / step)
        share = np.clip(np.expm1(below * step - self.losses) / math.expm1(-step), 0.0, 1.0)
        losses = np.stack([below, below + 1], axis=1).ravel() * step
        masses = np.stack([1 - share + _ROUNDED, share + _ROUNDED], axis=1).ravel() * np.repeat(self.masses, 2)
        return _Losses(losses, masses, self.starts * 2, self.times)

    def tilted(self, tilt: float, step: float, size: int) -> list[Floats]:
        """The tilted distributions, each of whole probability, on a ring of so many steps, shape (size,) each."""
        masses = self.masses * np.exp(tilt * self.losses - np.repeat(self.log_moments(tilt), self._lengths))
        places = np.rint(self.losses / step).astype(np.int64) & (size - 1)
        ends = np.append(self.starts, len(self.losses))
        return [
            np.bincount(places[start:end], masses[start:end], size).astype(np.float64, copy=False)
            for start, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]


@dataclass(frozen=True, eq=False)
class _SumOnGrid:
    """The distribution of a sum of losses inside a window.

    Parameters
    ----------
    values
        The sums, ascending, float64 of shape (size,).
    weights
        The probability of each, without what was not tilted back from above the window.
    scales
        By how much an error of the tilted probability counts there.
    outside
        The probability of a sum above the window, from above.
    error
        The Euclidean norm of the errors of all tilted probabilities, from above.
    factor
        By how much sums are raised for the rounding of everything else.
    """

    values: Floats
    weights: Floats
    scales: Floats
    outside: float
    error: float
    factor: float

    @classmethod
    def of(cls, grid: _Losses, step: float, first: int, size: int, tilt: float) -> _SumOnGrid:
        spectrum = np.ones(size // 2 + 1, dtype=np.complex128)
        norms = 0.0
        for tilted, times in zip(grid.tilted(tilt, step, size), grid.times, strict=True):
            spectrum *= _power(np.fft.rfft(tilted), times)
            norms += times * math.sqrt(float(np.square(tilted).sum()))
        found: Floats = np.fft.irfft(spectrum, size)
        order = (np.arange(size) + first) % size
        values: Floats = np.arange(first, first + size, dtype=np.float64) * step
        at = grid.log_moment(tilt)
        last = float(values[-1])
        outside = 0.0
        if grid.largest > last:
            above = min(grid.log_moment(tilt * more) - tilt * more * last for more in _TILTS_ABOVE)
            outside = math.exp(min(0.0, above)) * _FACTOR
        scales = np.exp(np.minimum(at - tilt * values, _FAR))
        error = (norms + 1) * _ULP * (16 * math.log2(size) + 8) * 1.01
        rounding = 1e-15 * (10 + sum(grid.times)) * (abs(at) + tilt * float(np.abs(values[[0, -1]]).sum()))
        return cls(values, np.maximum(found[order], 0.0) * scales, scales, outside, error, _FACTOR + rounding)

    @property
    def last(self) -> float:
        return float(self.values[-1])

    @cached_property
    def _norms(self) -> Floats:
        """The Euclidean norm of the scales from each place on."""
        largest = float(self.scales.max())
        squares = np.square(self.scales / largest)
        result: Floats = largest * np.sqrt(np.cumsum(squares[::-1])[::-1])
        return result

    def around(self, allowed: float) -> tuple[float, float]:
        """Between which values, at least 0, ε is likely to lie where so much exceeds it."""
        heights = np.minimum(self.values - self.values[0], _FAR)
        above = np.cumsum(self.weights[::-1])[::-1]
        lost = np.cumsum((self.weights * np.exp(-heights))[::-1])[::-1] * np.exp(heights)
        place = int(np.argmax(above - lost <= allowed * (1 - 1e-6)))
        return max(0.0, float(self.values[max(place - 2, 0)])), max(0.0, float(self.values[place]))

    def exceeding(self, epsilon: float) -> float:
        """E[max(0, 1 − e^(ε − S))] for finite sums, from above; below the window only that it is at most 1."""
        if epsilon < self.values[0]:
            return 1.0
        place = int(np.searchsorted(self.values, epsilon, side="right"))
        if place == len(self.values):
            return self.outside
        over = -np.expm1(epsilon - self.values[place:])
        found = float((self.weights[place:] * over).sum()) * self.factor
        return found + float(self._norms[place]) * self.error * self.factor + self.outside


def _log_peak(tilt: float) -> float:
    """ln of the largest value of (1 − e^(ε − S))·e^(λ(ε − S)): with it E[e^(λS)] bounds δ at ε = 0."""
    return tilt * math.log(tilt) - (1 + tilt) * math.log1p(tilt)


def _power(spectrum: NDArray[np.complex128], times: int) -> NDArray[np.complex128]:
    """A transform to a whole power, by squaring."""
    result, square = np.ones_like(spectrum), spectrum
    while True:
        if times & 1:
            result = result * square
        times >>= 1
        if not times:
            return result
        square = square * square


def _best(worth: Callable[[float], float]) -> float:
    """The tilt at which a function with one valley is about lowest, by golden sections."""
    low, high = math.log(_NARROWEST), math.log(_WIDEST)
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = worth(math.exp(left)), worth(math.exp(right))
    while high - low > _TILT_STEP:
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = worth(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = worth(math.exp(right))
    return math.exp((low + high) / 2)
