"""Sums of whole numbers, exact however large they are."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.object_]
"""Python's whole numbers, which never overflow."""
_EXACT = 53
"""Bits of a whole number that a float holds exactly."""
_PORTION = 1 << 14
"""Rows whose sums of products fit into a number of the processor, most of the time."""


def exact_sums(
    numbers: Whole | NDArray[np.int64],
    cells: NDArray[np.int64],
    size: int,
    times: NDArray[np.int64] | None = None,
) -> list[int]:
    """The sum of the numbers of each cell, exactly, however large.

    Parameters
    ----------
    numbers
        Whole numbers, shape (items,).
    cells
        The cell of each item; items with -1 are in none.
    size
        How many cells there are.
    times
        How often each item counts; once unless given. The sum of all of it is below 2⁵².
    """
    taking_part = cells >= 0
    numbers, cells = numbers[taking_part], cells[taking_part]
    weights = np.ones(len(cells)) if times is None else times[taking_part].astype(np.float64)
    if not len(numbers):
        return [0] * size
    # Bits that are summed at once: no sum of so small numbers is beyond what a float holds exactly.
    bits = _EXACT - int(weights.sum()).bit_length()
    least = int(numbers.min())
    rest = numbers - least if int(numbers.max()) - least < 1 << 62 else numbers.astype(object) - least
    totals = [least * int(count) for count in np.bincount(cells, weights=weights, minlength=size).tolist()]
    place = 0
    while True:
        limb = (rest & ((1 << bits) - 1)).astype(np.float64)
        sums = np.bincount(cells, weights=limb * weights, minlength=size)
        totals = [total + (int(part) << place) for total, part in zip(totals, sums.tolist(), strict=True)]
        rest = rest >> bits
        place += bits
        if not rest.any():
            return totals


def power_sums_of(places: NDArray[np.int64], times: NDArray[np.int64] | None, degree: int) -> list[int]:
    """The sums of the powers of places from 0, each so often, in portions that do not overflow."""
    totals = [0] * (degree + 1)
    for start in range(0, len(places), _PORTION):
        some = places[start : start + _PORTION]
        often = np.ones(len(some), dtype=np.int64) if times is None else times[start : start + _PORTION]
        rows = int(often.sum())
        if int(some.max()) ** degree * rows < 1 << 62:
            counted = some * often
            sums = [rows, int(counted.sum()), int(np.dot(counted, some)) if degree == 2 else 0]
        else:
            cells = np.zeros(len(some), dtype=np.int64)
            sums = [rows, *(exact_sums(one, cells, 1, often)[0] for one in (some, squared(some)))]
        totals = [total + one for total, one in zip(totals, sums, strict=False)]
    return totals


def cell_sums(numbers: NDArray[np.int64] | Whole, cells: NDArray[np.int64], size: int) -> list[int]:
    """The sum of the numbers, from 0, of each cell."""
    if int(numbers.max(initial=0)) * len(numbers) >= 1 << _EXACT:
        return exact_sums(numbers, cells, size)
    return list(map(int, np.bincount(cells, weights=numbers, minlength=size).tolist()))


def squared(places: NDArray[np.int64]) -> NDArray[np.int64] | Whole:
    """The squares of places from 0."""
    return places * places if int(places.max(initial=0)) < 1 << 30 else places.astype(object) ** 2


def whole(numbers: Sequence[int] | NDArray[np.int64] | range) -> Whole:
    """The numbers as Python's own, for arithmetic that must not overflow."""
    found = np.empty(len(numbers), dtype=object)
    found[:] = [int(number) for number in numbers]
    return found


def narrow(numbers: Whole) -> NDArray[np.int64] | Whole:
    """The numbers as 64-bit integers where they fit, which is quicker."""
    fit = not len(numbers) or max(abs(int(numbers.min())), abs(int(numbers.max()))) < 1 << 61
    return numbers.astype(np.int64) if fit else numbers
