"""Public shapes of a column, moved and stretched at random, so that nothing is chosen because it suits one of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.evaluate.experiment import Basis
from workbench.evaluate.public_crowd import MovedShares
from workbench.evaluate.question import Floats
from workbench.ldp.public_shapes import PAIR, PublicShape, shape_shares


def moved_shares(basis: Basis, size: int, bars: NDArray[np.int32] | None = None) -> MovedShares:
    """The shares of so many values that a public shape gives them.

    Parameters
    ----------
    bars
        The bar in which each value lies, if what is spiky, dominant or one of two is a bar and not a value within it.
    """
    shape = PublicShape(basis.value)
    bar = shape in (PublicShape.SPIKY, PublicShape.DOMINANT)
    bar |= shape is PublicShape.SMOOTH and bars is not None and int(bars.max()) + 1 == PAIR

    def shares(generator: np.random.Generator | None) -> Floats:
        if not bar or bars is None:
            return _moved(shape, size, generator)
        each = _moved(shape, int(bars.max()) + 1, generator)
        found = each[bars] / np.bincount(bars, minlength=len(each))[bars]
        return np.asarray(found / found.sum())

    return shares


def _moved(shape: PublicShape, size: int, generator: np.random.Generator | None) -> Floats:
    if generator is None or size < 2 or shape is PublicShape.UNIFORM:
        return shape_shares(shape, size)
    return shape_shares(shape, size, *generator.random(2).tolist())
