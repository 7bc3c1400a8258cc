"""With which probability a group of a size is released, by trimming and by sampling: from public numbers alone."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.sample_guarantee import Guarantee
from workbench.anonymise.trim_guarantee import TrimGuarantee

Floats = NDArray[np.float64]


def kept_by_trimming(promised: TrimGuarantee, sizes: NDArray[np.integer]) -> Floats:
    """P[something of a group is released at the finest step], float64 of the shape of the sizes, in rows ≥ 0."""
    counted: NDArray[np.integer] = np.maximum(sizes.astype(np.int64) - promised.floor + 1, 0)
    return promised.laws[0].keep(counted)


def kept_by_sampling(promised: Guarantee, sizes: NDArray[np.integer]) -> Floats:
    """P[Bin(n, β) ≥ k], float64 of the shape of the sizes n, in rows ≥ 0."""
    found = [_kept(size, promised.beta, promised.k) for size in sizes.ravel().tolist()]
    return np.array(found, dtype=np.float64).reshape(sizes.shape)


def half_survive_sampling(promised: Guarantee) -> int:
    """The smallest group that sampling releases at least as often as not, in rows of the table."""
    beta, k = promised.beta, promised.k
    # The k-th sampled row is at place k/β on average, and its median lies within a standard deviation of that.
    low, high = k - 1, int(k / beta + math.sqrt(k * (1 - beta)) / beta) + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _kept(middle, beta, k) >= 0.5 else (middle, high)
    return high


def _kept(size: int, beta: float, k: int) -> float:
    """P[Bin(size, beta) ≥ k], from the logarithms of the chances of 0 … k − 1."""
    if size < k:
        return 0.0
    j = np.arange(1, k)
    logs = np.concatenate([[0.0], np.cumsum(np.log((size - j + 1) / j) + math.log(beta) - math.log1p(-beta))])
    fewer = np.exp(logs + size * math.log1p(-beta))
    return min(1.0, max(0.0, 1.0 - float(fewer.sum())))
