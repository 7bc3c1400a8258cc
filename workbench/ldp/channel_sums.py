"""Products with a channel matrix, by cumulative sums where its structure allows: O(d) instead of O(d²).

A row of the channel of Square Wave or of the distance-sensitive protocols takes a few different probabilities in
stretches. Only the places where a row changes are kept, and a product is a scatter of these and one cumulative sum.

Where probabilities fall by the same factor with each step away, on either side of the true value, each of the two
triangles of the matrix is a product of a column and a row, and a product with it is one cumulative sum.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_WORTH = 8
"""Cumulative sums pay when a row changes at fewer than one in so many places."""

_SAME = 1e-12
"""Relative difference up to which probabilities are the same but for rounding."""

_POSITIVE = 1e-200
"""Smaller probabilities would not stand being divided by each other."""

_SMALL = 1 << 12
"""Matrices with fewer entries are multiplied as they are."""


class LazyChannel(Protocol):
    """P[x, y] = Pr(report y | value x) as far as its products go; the last axis of every argument is summed over."""

    @property
    def shape(self) -> tuple[int, int]:
        """(values, outputs)."""

    def forward(self, shares: Floats) -> Floats:
        """From shares of the values (…, values) to those of the outputs (…, outputs): f P."""

    def backward(self, weights: Floats) -> Floats:
        """From weights of the outputs (…, outputs) to those of the values (…, values): P w."""


class DenseChannel:
    """A channel as it is."""

    def __init__(self, matrix: Floats) -> None:
        self._matrix = np.ascontiguousarray(matrix)
        self._turned = np.ascontiguousarray(matrix.T)

    @property
    def shape(self) -> tuple[int, int]:
        return self._matrix.shape[0], self._matrix.shape[1]

    def forward(self, shares: Floats) -> Floats:
        return np.asarray(shares @ self._matrix)

    def backward(self, weights: Floats) -> Floats:
        return np.asarray(weights @ self._turned)


class SteppedChannel:
    """A channel whose rows change at few places.

    Kept are the changes D[x, y] = P[x, y] − P[x, y − 1] that are not 0, twice: in the order of x and in that of y,
    because each product sums along one of them. A row or column without a change cannot be summed over by
    `np.add.reduceat`, so the first of each is kept even if it is 0.
    """

    def __init__(self, matrix: Floats) -> None:
        self._shape = matrix.shape[0], matrix.shape[1]
        steps = np.diff(matrix, axis=1, prepend=0.0)
        kept = steps != 0
        kept[:, 0] = True
        kept[0, :] = True
        self._rows, self._row_columns = np.nonzero(kept)
        self._row_steps = steps[self._rows, self._row_columns]
        self._row_starts = np.flatnonzero(np.r_[True, np.diff(self._rows) > 0])
        columns, rows = np.nonzero(kept.T)
        self._column_rows, self._column_steps = rows, steps[rows, columns]
        self._column_starts = np.flatnonzero(np.r_[True, np.diff(columns) > 0])

    @property
    def shape(self) -> tuple[int, int]:
        return self._shape

    def forward(self, shares: Floats) -> Floats:
        changes = np.take(shares, self._column_rows, axis=-1) * self._column_steps
        return np.asarray(np.cumsum(np.add.reduceat(changes, self._column_starts, axis=-1), axis=-1))

    def backward(self, weights: Floats) -> Floats:
        behind = np.cumsum(weights[..., ::-1], axis=-1)[..., ::-1]
        changes = np.take(behind, self._row_columns, axis=-1) * self._row_steps
        return np.asarray(np.add.reduceat(changes, self._row_starts, axis=-1))


class TwoSidedChannel:
    """A square channel with P[x, y] = a_x b_y for y ≤ x and c_x e_y for y ≥ x, all positive."""

    def __init__(self, below: tuple[Floats, Floats], above: tuple[Floats, Floats]) -> None:
        (self._a, self._b), (self._c, self._e) = below, above

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._a), len(self._b)

    def forward(self, shares: Floats) -> Floats:
        from_above = np.cumsum((shares * self._a)[..., ::-1], axis=-1)[..., ::-1] * self._b
        from_below = np.cumsum(shares * self._c, axis=-1)
        from_above[..., 1:] += from_below[..., :-1] * self._e[1:]
        return np.asarray(from_above)

    def backward(self, weights: Floats) -> Floats:
        to_below = np.cumsum(weights * self._b, axis=-1) * self._a
        to_above = np.cumsum((weights * self._e)[..., ::-1], axis=-1)[..., ::-1]
        to_below[..., :-1] += to_above[..., 1:] * self._c[:-1]
        return np.asarray(to_below)

    @classmethod
    def of(cls, matrix: Floats) -> TwoSidedChannel | None:
        """The matrix in this form, or None if it has another."""
        if matrix.shape[0] != matrix.shape[1] or matrix.min() < _POSITIVE:
            return None
        first, last = matrix[0], matrix[-1]
        below, above = (matrix[:, 0] / last[0], last), (matrix[:, -1] / first[-1], first)
        for (column, row), part in ((below, np.tril), (above, np.triu)):
            if (np.abs(part(matrix - np.outer(column, row))) > _SAME * matrix).any():
                return None
        return cls(below, above)


def channel_sums(matrix: Floats) -> LazyChannel:
    """The cheaper way to multiply with a channel matrix of shape (values, outputs)."""
    if matrix.size > _SMALL and np.count_nonzero(np.diff(matrix, axis=1)) * _WORTH < matrix.size:
        return SteppedChannel(matrix)
    two_sided = TwoSidedChannel.of(matrix) if matrix.size > _SMALL else None
    return DenseChannel(matrix) if two_sided is None else two_sided
