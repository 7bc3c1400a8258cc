"""The rows that groups need, in floating point and closed form, to find the ε or δ with which a size survives."""

from __future__ import annotations

import math
from collections.abc import Callable

_STEPS = 200
_PRECISION = 1e-12


def rows_needed(epsilon: float, delta: float, rows_per_person: int) -> tuple[int, int]:
    """Rows a group needs to survive half of the time, and always, at an (ε, δ) of a person; off by one at most.

    With E = e^{ε/c} and δ₀ of a row, π(n) = δ₀·(E^n − 1)/(E − 1) while it rises, which it does as long as
    π ≤ (1 − δ₀)/(1 + E); and 1 − π goes from r to (r − δ₀)/E while it falls.
    """
    share = epsilon / rows_per_person
    step = math.expm1(share)
    row_delta = delta * step / math.expm1(epsilon)
    turn = (1 - row_delta) / (2 + step)
    rising = math.floor(math.log1p(turn * step / row_delta) / share) + 1
    kept = min(1.0, row_delta * math.expm1(rising * share) / step)
    half = rising if kept >= 0.5 else rising + 1
    return half, rising + math.ceil(math.log1p((1 - kept) * step / row_delta) / share)


def smallest(low: float, high: float, holds: Callable[[float], bool]) -> float | None:
    """The smallest number in a range for which something holds, if it holds for all larger ones; None for none.

    The range is halved by ratios, to a relative error of 1e-12 and from above.
    """
    if low > high or not holds(high):
        return None
    if holds(low):
        return low
    for _ in range(_STEPS):
        if high / low - 1 < _PRECISION:
            break
        middle = math.sqrt(low) * math.sqrt(high)
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
