"""Root finding that always ends on the side where the requirement was tested and found true."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def crossing(good: float, bad: float, excess: Callable[[float], float], tolerance: float = 1e-11) -> float:
    """A point with excess ≤ 0 that is within `tolerance` (relative) of one with excess > 0.

    Parameters
    ----------
    good, bad
        Positive; `excess` is at most 0 at `good`, above 0 at `bad` and monotone between, steps allowed.
    excess
        How far a candidate misses the requirement.

    Notes
    -----
    Interpolate, truncate, project (Oliveira and Takahashi 2020) on the logarithm of the argument: at most one
    evaluation more than bisection, and about a third of its evaluations where the function is smooth.
    """
    over_good, over_bad = excess(good), excess(bad)
    left, right = math.log(good), math.log(bad)
    span = max(abs(right - left), tolerance)
    steps = math.ceil(math.log2(span / tolerance))
    for step in range(steps + 2):
        width = abs(right - left)
        if width <= tolerance:
            break
        middle = (left + right) / 2
        guess = (over_bad * left - over_good * right) / (over_bad - over_good)
        towards = math.copysign(1.0, middle - guess)
        shift = 0.2 / span * width * width
        guess = guess + towards * shift if shift <= abs(middle - guess) else middle
        reach = max(0.0, tolerance / 2 * 2.0 ** (steps + 1 - step) - width / 2)
        if abs(guess - middle) > reach:
            guess = middle - towards * reach
        candidate = math.exp(guess)
        over = excess(candidate)
        if over <= 0:
            left, over_good, good = guess, over, candidate
        else:
            right, over_bad = guess, over
    return good


def smallest_whole(low: int, high: int, excess: Callable[[int], float]) -> int | None:
    """The smallest whole number in [low, high] with excess ≤ 0, or None; `excess` never rises."""
    over_low, over_high = excess(low), excess(high)
    if over_low <= 0:
        return low
    if over_high > 0:
        return None
    straight = True
    while high - low > 1:
        # ln δ is nearly a straight line in k; every second step is a plain bisection in case it is not.
        share = over_low / (over_low - over_high) if straight else 0.5
        middle = min(max(low + round(share * (high - low)), low + 1), high - 1)
        straight = not straight
        over = excess(middle)
        if over <= 0:
            high, over_high = middle, over
        else:
            low, over_low = middle, over
    return high


def first_holding(
    start: float,
    stop: float,
    holds: Callable[[float], bool],
    hopeless: Callable[[Floats], list[bool]],
    tolerance: float = 1e-9,
    pieces: int = 2,
) -> float | None:
    """The point nearest `start`, within `tolerance` (relative), where a requirement holds; it may be jagged.

    Parameters
    ----------
    start, stop
        Ends of the range, positive, in either order.
    holds
        Whether the requirement holds at a point. Only points that passed are returned.
    hopeless
        Given edges from `start` towards `stop`, for each interval between neighbours: True only if the
        requirement holds nowhere in it.
    pieces
        Into how many pieces an interval is cut that is not hopeless.
    """
    if holds(start):
        return start
    waiting = [(start, stop)]
    while waiting:
        near, far = waiting.pop()
        if abs(far / near - 1) <= tolerance:
            if holds(far):
                return far
            continue
        edges = np.geomspace(near, far, pieces + 1)
        lost = hopeless(edges)
        intervals = zip(edges[:-1].tolist(), edges[1:].tolist(), lost, strict=True)
        waiting += reversed([(a, b) for a, b, is_lost in intervals if not is_lost])
    return None
