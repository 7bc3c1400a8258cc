"""The audit's inner loops in floating point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.mechanisms.neighbours import Pairs

Place = tuple[int, int, int]
"""Row of the likelier input, row of its neighbour, column of the output."""

_CACHE = 1 << 17
"""Numbers worked on at once: few enough to stay in the processor's cache."""


def largest_ratio(table: NDArray[np.float64], pairs: Pairs | None, progress: Progress = SILENT) -> tuple[float, Place]:
    """The largest P(y | x) / P(y | x′) over neighbours, and where it is.

    Parameters
    ----------
    table
        The channel, shape (inputs, outputs).
    pairs
        The neighbours; None for all pairs of inputs.

    Returns
    -------
    float, tuple
        The ratio (infinite if only the denominator is 0; the pair with the most probable such output then), and
        the place of it.
    """
    if pairs is None:
        return _largest_of_all(table)
    best, place = 1.0, (int(pairs[0, 0]), int(pairs[0, 1]), 0)
    impossible = 0.0
    step = max(1, _CACHE // table.shape[1])
    for start in range(0, len(pairs), step):
        progress(start / len(pairs))
        for one, other in (pairs[start : start + step].T, pairs[start : start + step, ::-1].T):
            top, bottom = table[one], table[other]
            ratio = _ratios(top, bottom)
            at = int(ratio.argmax())
            found = float(ratio.flat[at])
            if np.isinf(found):
                lonely = np.where(np.isinf(ratio), top, 0.0)
                at = int(lonely.argmax())
                if lonely.flat[at] <= impossible:
                    continue
                impossible = float(lonely.flat[at])
            elif found <= best:
                continue
            row, column = divmod(at, table.shape[1])
            best, place = found, (int(one[row]), int(other[row]), column)
    return best, place


def _largest_of_all(table: NDArray[np.float64]) -> tuple[float, Place]:
    """With every pair of inputs neighbours, each output's extremes decide."""
    top, bottom = table.argmax(axis=0), table.argmin(axis=0)
    outputs = np.arange(table.shape[1])
    high, low = table[top, outputs], table[bottom, outputs]
    ratio = _ratios(high, low)
    found = np.where(np.isinf(ratio), high, 0.0) if np.isinf(ratio).any() else ratio
    column = int(found.argmax())
    if ratio[column] == 1.0:
        return 1.0, (0, 1, 0)
    return float(ratio[column]), (int(top[column]), int(bottom[column]), column)


def _ratios(top: NDArray[np.float64], bottom: NDArray[np.float64]) -> NDArray[np.float64]:
    """Elementwise quotients; 0/0 counts as 1, because such an output tells nothing."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        quotients = top / bottom
    quotients[(top == 0) & (bottom == 0)] = 1.0
    return quotients


def times(table: NDArray[np.float64], growth: float) -> NDArray[np.float64]:
    """A channel times e^ε = `growth`; an infinite one leaves 0 what is impossible."""
    return np.where(table > 0, np.inf, 0.0) if np.isinf(growth) else growth * table


def largest_excess(
    table: NDArray[np.float64],
    growth: float | NDArray[np.float64],
    pairs: Pairs | None,
    progress: Progress = SILENT,
) -> tuple[float, int, int]:
    """δ at e^ε = `growth`: the largest Σ max(0, P(y | x) − growth · P(y | x′)) over neighbours, and its two rows.

    Parameters
    ----------
    table
        The channel, shape (inputs, outputs).
    growth
        e^ε, at least 1; infinite counts only outputs that are impossible for the neighbour. Or the channel times that.
    pairs
        The neighbours; None for all pairs of inputs.
    """
    scaled = times(table, growth) if isinstance(growth, float) else growth
    if pairs is not None:
        return _excess_of_pairs(table, scaled, pairs, progress)
    # Only outputs that can exceed the smallest scaled probability matter, and a row cannot exceed their sum.
    floor = scaled.min(axis=0)
    ceiling = np.maximum(table - floor, 0.0).sum(axis=1)
    best, place = 0.0, (0, min(1, len(table) - 1))
    sums = np.ones(table.shape[1])
    step = max(1, _CACHE // table.shape[1])
    room = np.empty((min(step, len(table)), table.shape[1]))
    for done, row in enumerate(np.argsort(-ceiling, kind="stable").tolist()):
        if ceiling[row] <= best:
            break
        progress(done / len(table))
        total = float(table[row].sum())
        for start in range(0, len(table), step):
            block = scaled[start : start + step]
            shared = np.minimum(block, table[row], out=room[: len(block)])
            # Σ max(0, a − b) = Σ a − Σ min(a, b): one pass less over the table.
            excess = total - shared @ sums
            if start <= row < start + step:
                excess[row - start] = -1.0
            at = int(excess.argmax())
            if excess[at] > best:
                best, place = float(excess[at]), (row, start + at)
    return _exact_sum(table, scaled, *place), *place


def _excess_of_pairs(
    table: NDArray[np.float64], scaled: NDArray[np.float64], pairs: Pairs, progress: Progress
) -> tuple[float, int, int]:
    best, place = -1.0, (int(pairs[0, 0]), int(pairs[0, 1]))
    step = max(1, _CACHE // table.shape[1])
    for start in range(0, len(pairs), step):
        progress(start / len(pairs))
        for one, other in (pairs[start : start + step].T, pairs[start : start + step, ::-1].T):
            excess = np.maximum(table[one] - scaled[other], 0.0).sum(axis=1)
            at = int(excess.argmax())
            if excess[at] > best:
                best, place = float(excess[at]), (int(one[at]), int(other[at]))
    return max(best, 0.0), *place


def _exact_sum(table: NDArray[np.float64], scaled: NDArray[np.float64], row: int, other: int) -> float:
    """The excess of one pair by its definition: a difference of two sums near 1 keeps a rounding of its own."""
    return float(np.maximum(table[row] - scaled[other], 0.0).sum())
