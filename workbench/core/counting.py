"""The frequency of each small number, without a wide copy of all of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_PART = 1 << 18


def counts_of(codes: NDArray[np.integer], kinds: int) -> NDArray[np.int64]:
    """How often each of 0, 1, …, kinds − 1 occurs.

    Parameters
    ----------
    codes
        Shape (rows,), 0 ≤ codes < kinds.

    Returns
    -------
    ndarray of int64
        Shape (kinds,), the same numbers as those of `numpy.bincount`, which would first make every code eight bytes
        wide. Bytes are counted two at a time.
    """
    if kinds > 1 << 16:
        return np.bincount(codes, minlength=kinds).astype(np.int64)
    pairs = codes.dtype == np.uint8 and len(codes) >= 1 << 16 and codes.flags.c_contiguous
    whole = codes[: len(codes) & ~1].view(np.uint16) if pairs else codes
    found = np.zeros(1 << 16 if pairs else kinds, dtype=np.int64)
    for start in range(0, len(whole), _PART):
        found += np.bincount(whole[start : start + _PART], minlength=len(found))
    if not pairs:
        return found
    square = found.reshape(256, 256)
    both = square.sum(axis=0) + square.sum(axis=1)
    if len(codes) & 1:
        both[codes[-1]] += 1
    counts = np.zeros(kinds, dtype=np.int64)
    counts[:256] = both[:kinds]
    return counts
