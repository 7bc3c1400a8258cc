"""Likely true values behind noisy sums, from the law of the whole answer.

The parts of an answer that are each within their own reach say too much together: such an interval covers 99.7 %
where 95 % were asked for. Here an interval holds every truth that the answer does not contradict (E. C. Fieller, 1954,
for a ratio): with the truth put in, a combination of the noisy sums is noise alone, whose law is public. Nothing but
noisy sums and public numbers is used.

Of truths that are hardly above a limit only an answer far above them is held against them: noise below the limit says
nothing about them, and no answer is left without an interval. The law of the noise comes from points that stand for it
(`noise.evenly`), with a little more than 95 % asked of them because they are not all of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import rounded
from workbench.query import noise

Floats = NDArray[np.float64]

_INSIDE = 1 - noise.OUTSIDE + 0.004
"""The share that is asked of the points, so that the law itself gives 95 %."""
_OFF = 1 - noise.OUTSIDE + 0.0005
"""The same of how far an answer is off, which is a plan and no interval: as far as a quantile's chance is off."""
_NEAR = 1.0
"""A share is hardly above its limit if it lies within the scale of the noise, times this."""
_CELLS = 256
"""Into so many parts the shares from 0 to 1 are divided; of each, the widest reach counts."""
_AT_ONCE = 1 << 15
"""So many numbers stay with the processor while they are worked on."""
_NEAREST, _DIGITS = 2.0**-40, 9
"""How closely a reach is searched for."""
_FEW = 1_024
"""So few reaches are looked through one by one."""


def error_of(answer: Callable[[Floats], Floats], sums: Floats, rate: Fraction) -> tuple[float, float]:
    """The mean absolute error of an answer, and how far 95 % of the answers are off at most.

    Parameters
    ----------
    answer
        Gives the answer from sums of shape (…, sums, 1).
    sums
        The sums without noise, shape (sums, 1).
    rate
        Of the noise on each of them.
    """
    off = _off(answer, sums, rate)
    return float(off.mean()), _least(off, _OFF)


def mean_off(answer: Callable[[Floats], Floats], sums: Floats, rate: Fraction) -> float:
    """The mean absolute error of `error_of` alone."""
    return float(_off(answer, sums, rate).mean())


def _off(answer: Callable[[Floats], Floats], sums: Floats, rate: Fraction) -> Floats:
    off: Floats = np.abs(answer(sums + noise.evenly(rate, len(sums))[..., np.newaxis]) - answer(sums)).ravel()
    return off


@lru_cache(maxsize=4_096)
def share_reach(above: float, below: float, lowest: float, rate: Fraction) -> float:
    """How far 95 % of the shares from noisy sums are off at most, by the law of the noise.

    Parameters
    ----------
    above, below
        A and B without noise.
    lowest
        What A + B counts as at least.

    Notes
    -----
    Of a fixed A the share (1 + (A − B)/max(A + B, lowest))/2, kept between 0 and 1, does not grow with B. So it is
    within y and z where B lies between two numbers, of which the chance is known in closed form; it is added up over A.
    """
    points, chances = noise.law_in_parts(rate)
    total = max(above + below, lowest)
    true, first = min(max((1 + (above - below) / total) / 2, 0.0), 1.0), above + points

    def limit(share: float) -> Floats:
        """At which B the share is this."""
        return np.where(first >= share * lowest, first * (1 - share) / share, first - (2 * share - 1) * lowest)

    def within(reach: float) -> _Within:
        low, high = true - reach, true + reach
        least = np.ceil(limit(high) - below) if high < 1 else np.full(len(first), -np.inf)
        most = np.floor(limit(low) - below) if low > 0 else np.full(len(first), np.inf)
        chance = (noise.at_most(rate, most) if low > 0 else 1.0) - (noise.at_most(rate, least - 1) if high < 1 else 0.0)
        return _Within(reach, float((chances * chance).sum()), least, most)

    def among(near: _Within, far: _Within) -> float:
        """The least reach that is enough, of those of the noises on B that the far one has and the near one has not."""
        reaches, more = [], []
        for start, end in ((near.most + 1, far.most + 1), (far.least, near.least)):
            times = _gap(start, end).astype(np.intp)
            which = np.repeat(np.arange(len(first)), times)
            found = start[which] + np.arange(len(which)) - (times.cumsum() - times)[which]
            over, under = first[which], below + found
            share = (1 + (over - under) / np.maximum(over + under, lowest)) / 2
            reaches.append(np.abs(np.clip(share, 0.0, 1.0) - true))
            more.append(chances[which] * (noise.at_most(rate, found) - noise.at_most(rate, found - 1)))
        every, chance = np.concatenate(reaches), np.concatenate(more)
        order = np.argsort(every)
        place = int(np.searchsorted(near.chance + chance[order].cumsum(), 1 - noise.OUTSIDE))
        return float(every[order[place]]) if place < len(order) else far.reach

    # Of one sum with all the noise the share is off by this, and of two by hardly more.
    reach = 3 * max(true, 1 - true) / (float(rate) * total)
    near, far = within(_NEAREST), within(min(1.5 * reach, 1.0))
    if near.enough:
        return rounded(near.reach, _DIGITS)
    if not far.enough:
        near, far = far, within(1.0)
    for edge in sorted({one for one in (true, 1 - true) if near.reach < one < far.reach}):
        # From there on one end of the shares is within, whatever the noise is.
        found, before = within(edge), within(edge * (1 - _NEAREST))
        if before.enough:
            far = before
            break
        if found.enough:
            return rounded(edge, _DIGITS)
        near = found
    kept = 0
    low, high = near.spare, far.spare
    while far.reach - near.reach > _NEAREST and near.other(far) > _FEW:
        if not near.reach < reach < far.reach:
            reach = (near.reach + far.reach) / 2
        found = within(reach)
        # The end that stays counts for less each time (the Illinois rule), so that both ends come near.
        if found.enough:
            far, high, low, kept = found, found.spare, low / 2 if kept < 0 else low, -1
        else:
            near, low, high, kept = found, found.spare, high / 2 if kept > 0 else high, 1
        reach = near.reach + (far.reach - near.reach) * low / (low - high)
    return rounded(among(near, far) if near.other(far) <= _FEW else far.reach, _DIGITS)


def _gap(start: Floats, end: Floats) -> Floats:
    """How many whole numbers there are from each start to before its end; none where both are without end."""
    return np.subtract(end, start, out=np.zeros_like(start), where=end > start)


@dataclass(frozen=True, eq=False)
class _Within:
    """How likely a share is off by no more than a reach: with noise on B from the least to the most, of each A."""

    reach: float
    chance: float
    least: Floats
    most: Floats

    @property
    def enough(self) -> bool:
        return self.chance >= 1 - noise.OUTSIDE

    @property
    def spare(self) -> float:
        """How much more than enough, below 0 if it is less: of such tails the logarithm is nearly a straight line."""
        return math.log(noise.OUTSIDE / max(1 - self.chance, _NEAREST))

    def other(self, far: _Within) -> float:
        """How many noises on B the farther one has and this one has not."""
        return float(_gap(self.most, far.most).sum() + _gap(far.least, self.least).sum())


# A share A/(A + B). With the true share x put in, (1 − x)·A − x·B is noise alone.


def shares_between(above: Floats, below: Floats, rate: Fraction) -> tuple[Floats, Floats]:
    """Between which shares the true A/(A + B) lies, from A and B with noise, any shape; 0 and 1 if nothing is known."""
    flat = np.atleast_1d(above).ravel(), np.atleast_1d(below).ravel()
    low, high = np.empty(len(flat[0])), np.empty(len(flat[0]))
    step = max(_AT_ONCE // _CELLS, 1)
    for start in range(0, len(low), step):
        part = slice(start, start + step)
        low[part], high[part] = _shares_between(flat[0][part, np.newaxis], flat[1][part, np.newaxis], rate)
    return low.reshape(np.shape(above)), high.reshape(np.shape(above))


def _shares_between(above: Floats, below: Floats, rate: Fraction) -> tuple[Floats, Floats]:
    total = above + below
    known = total > 0
    total = np.where(known, total, 1.0)
    # Told by the other sum alone, which the noise that counts here is not in.
    scale = _NEAR / float(rate)
    near, far = (np.minimum(scale / (scale + np.maximum(other, 0.0)), 0.5) for other in (below, above))
    both, one = _reaches(float(rate))
    edges = np.linspace(0.0, 1.0, _CELLS + 1)
    low, high = np.ones(len(total)), np.zeros(len(total))
    never = np.full(_CELLS, np.inf)
    # Only so many cells have shares that are near an end.
    at_first, at_last = (min(int(one.max() * _CELLS) + 2, _CELLS) for one in (near, far))
    for cells, least, most, far_above, far_below in (
        (slice(None), near, 1 - far, both, both),
        (slice(at_first), np.zeros_like(near), near, one, never),
        (slice(_CELLS - at_last, None), 1 - far, np.ones_like(far), never, one),
    ):
        first = np.maximum(np.maximum(edges[:-1][cells], least), (above - far_above[cells]) / total)
        last = np.minimum(np.minimum(edges[1:][cells], most), (above + far_below[cells]) / total)
        some = first <= last
        low = np.minimum(low, np.where(some, first, 1.0).min(axis=1))
        high = np.maximum(high, np.where(some, last, 0.0).max(axis=1))
    return np.where(known[:, 0], low, 0.0), np.where(known[:, 0], high, 1.0)


@lru_cache(maxsize=64)
def _reaches(rate: float) -> tuple[Floats, Floats]:
    """How far (1 − x)·Z₁ − x·Z₂ reaches for the shares of each cell, on both sides and on one; shape (cells,) each.

    What it is between the ends of a cell is no more than at one of them.
    """
    first, second = noise.evenly(rate, 2).T
    both, one = np.empty(_CELLS), np.empty(_CELLS)
    before = first
    for cell in range(_CELLS // 2):
        share = (cell + 1) / _CELLS
        after = (1 - share) * first - share * second
        both[cell] = _least(np.maximum(np.abs(before), np.abs(after)), _INSIDE)
        one[cell] = _least(np.maximum(before, after), _INSIDE)
        before = after
    half = slice(_CELLS // 2 - 1, None, -1)  # a share and one minus it have the same law
    both[_CELLS // 2 :], one[_CELLS // 2 :] = both[half], one[half]
    return both, one


def _least(numbers: Floats, share: float) -> float:
    """The smallest of the numbers that so large a share of them does not exceed."""
    place = int(np.ceil(share * len(numbers))) - 1
    return float(np.partition(numbers, place)[place])


# A variance v about a mean m. With T = Q + M + R: v = v̂ + (H/T)² − G/T, where with the true v and m put in
# G = (1 − m)²Q − m(1 − m)M + m²R − v·T and H = (1 − m)Q + (½ − m)M − m·R are noise alone.

_MEANS = np.linspace(0.0, 1.0, 17)
_VARIANCES = np.linspace(0.0, 0.25, 7)
_SCALES = np.array([0.0, 0.01, 0.02, 0.03, 0.045, 0.06])
"""Scales of the noise as shares of T, up to which there is something to say."""
_DOUBTS = (-0.8, 0.0, 0.8)
"""At so many scales of the noise from what it seems to be, the mean is looked at."""
_SIDE, _ONE_SIDE = 0.0225, 0.037
"""The chance of missing on each of both sides, and on one alone; less than is allowed, because the mean and the
number of rows are not known (measured)."""
_ROUNDS = 8
_FEW_ATOMS = 0.25
"""From this rate on, noise is so little that few numbers have most of its chance.

A quantile is then one of them, and an interval that ends a hair before it misses all of its chance. So the widest gap
of what lies around is taken, and nothing is interpolated."""
_FURTHER = (-3.0, -1.5, 0.0, 1.5, 3.0)
"""The same as `_DOUBTS` with few numbers: more than so far off is what 95 of 100 need not cover."""
_OUTWARD = 1.01
"""A gap is widened by so much with few numbers, as around a grid point it is not quite straight."""


def variances_between(sums: Floats, rate: Fraction) -> tuple[Floats, Floats]:
    """Between which shares of the squared range the variance lies, from Q, M and R with noise, shape (…, 3, cells)."""
    high, mixed, total = sums[..., 0, :], sums[..., 1, :], sums.sum(axis=-2)
    scale = 1 / float(rate)
    known = total * _SCALES[-1] >= scale
    total = np.where(known, total, np.inf)
    share = scale / total
    mean = np.where(known, (high + mixed / 2) / total, 0.5)
    found = np.where(known, high / total, 0.25) - mean**2
    few = float(rate) > _FEW_ATOMS
    means = [np.clip(mean + shift * share, 0.0, 1.0) for shift in (_FURTHER if few else _DOUBTS)]
    over = _widest(_gaps(float(rate)), means, share, around=few)
    ends = [_settled(found, share, gaps) for gaps in over]
    far_low, near_low, near_high, far_high = ends
    near = np.minimum(_NEAR * share, 0.125)
    low = np.where(near_low <= near, np.maximum(near_low, 0.0), np.maximum(far_low, near))
    high_end = np.where(near_high >= 0.25 - near, np.minimum(near_high, 0.25), np.minimum(far_high, 0.25 - near))
    low, high_end = np.minimum(low, 0.25 - near), np.maximum(high_end, near)
    return np.where(known, low, 0.0), np.where(known, high_end, 0.25)


@lru_cache(maxsize=16)
def _gaps(rate: float) -> Floats:
    """Quantiles of G − H²/T in scales of the noise.

    Returns
    -------
    ndarray
        Shape (means, scales, 4, variances): what is exceeded with the chance of one of both sides, and of one side
        alone; then the same from below, in the opposite order.
    """
    points = noise.evenly(rate, 3) * rate
    places = [int(np.ceil(share * len(points))) - 1 for share in (1 - _SIDE, 1 - _ONE_SIDE)]
    places += [len(points) - 1 - place for place in reversed(places)]
    found = np.empty((len(_MEANS), len(_SCALES), 4, len(_VARIANCES)))
    for i, mean in enumerate(_MEANS[: len(_MEANS) // 2 + 1]):
        off = points @ np.array([1 - mean, 0.5 - mean, -mean])
        for j, variance in enumerate(_VARIANCES):
            gap = points @ np.array([(1 - mean) ** 2 - variance, -mean * (1 - mean) - variance, mean**2 - variance])
            for k, scale in enumerate(_SCALES):
                # A mean and one minus it have the same law.
                found[[i, -1 - i], k, :, j] = np.partition(gap - off**2 * scale, places)[places]
    return found


def _widest(gaps: Floats, means: Sequence[Floats], scale: Floats, *, around: bool = False) -> list[Floats]:
    """The widest gaps of `_gaps` over several means, by variance, shape (…, variances) each.

    Parameters
    ----------
    around
        Whether to take the widest of all points of the grid around, and not what lies between them.
    """
    (low, at_low), (high, at_high) = _around(_SCALES, scale)
    found = []
    for mean in means:
        (left, at_left), (right, at_right) = _around(_MEANS, mean)
        if around:
            found += [gaps[at, size] for at in (left, right) for size in (low, high)]
            continue
        found.append(
            at_low * (gaps[left, low] * at_left + gaps[right, low] * at_right)
            + at_high * (gaps[left, high] * at_left + gaps[right, high] * at_right)
        )
    most, least = np.max(found, axis=0), np.min(found, axis=0)
    if around:
        most, least = (_wider(one, way) for one, way in ((most, np.maximum), (least, np.minimum)))
    return [most[..., 0, :], most[..., 1, :], least[..., 2, :], least[..., 3, :]]


def _wider(gaps: Floats, way: np.ufunc) -> Floats:
    """Gaps by variance, of which each is as wide as those beside it, and a little wider."""
    padded = np.concatenate([gaps[..., :1], gaps, gaps[..., -1:]], axis=-1)
    widest: Floats = way(way(padded[..., :-2], padded[..., 1:-1]), padded[..., 2:])
    return widest + np.abs(widest) * (_OUTWARD - 1) * (1 if way is np.maximum else -1)


def _settled(found: Floats, scale: Floats, gaps: Floats) -> Floats:
    """The variance v at which v = v̂ − scale·gap(v), by repetition; the gap varies slowly."""
    # Of lists this short, numpy's functions that check their arguments first would take longer than the work itself.
    flat, last = np.ravel(gaps), len(_VARIANCES) - 2
    starts = np.arange(0, flat.size, len(_VARIANCES)).reshape(found.shape)
    end = np.minimum(np.maximum(found, 0.0), _VARIANCES[-1])
    for _ in range(_ROUNDS):
        place = end / _VARIANCES[1]
        below = np.minimum(place.astype(np.intp), last)  # none is below 0
        first, second = flat[starts + below], flat[starts + below + 1]
        exact: Floats = found - scale * (first + (place - below) * (second - first))
        end = np.minimum(np.maximum(exact, 0.0), _VARIANCES[-1])
    return exact


Side = tuple[NDArray[np.intp], Floats]


def _around(axis: Floats, where: Floats) -> tuple[Side, Side]:
    """The points of an axis on both sides of each number, and the weight of each, with two more axes."""
    below = np.clip(np.searchsorted(axis, where, side="right") - 1, 0, len(axis) - 2)
    part = ((where - axis[below]) / (axis[below + 1] - axis[below]))[..., np.newaxis, np.newaxis]
    return (below, 1 - part), (below + 1, part)
