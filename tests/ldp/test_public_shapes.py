"""The shapes that are assumed where nothing of the data may be read, by their formulas."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.evaluate.experiment import Basis
from workbench.evaluate.moved_shapes import moved_shares
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import reference
from workbench.ldp.public_shapes import PublicShape, evenly_moved, shape_shares


@pytest.mark.parametrize("shape", list(PublicShape))
@pytest.mark.parametrize("size", [1, 2, 8, 100])
def test_every_shape_is_a_distribution_wherever_it_lies(shape: PublicShape, size: int) -> None:
    drawn = evenly_moved(shape, size, 12)
    assert drawn.shape == (12, size) and (drawn >= 0).all()
    np.testing.assert_allclose(drawn.sum(axis=1), 1.0)
    np.testing.assert_array_equal(drawn, evenly_moved(shape, size, 12))
    np.testing.assert_array_equal(drawn[:5], evenly_moved(shape, size, 5))


def test_shapes_are_what_their_formulas_say() -> None:
    place = (np.arange(50) + 0.5) / 50
    hump = place * (1 - place) ** 4
    np.testing.assert_allclose(shape_shares(PublicShape.SMOOTH, 50), hump / hump.sum(), atol=1e-8)
    ranks = np.sort(1 / np.arange(1, 51))
    np.testing.assert_allclose(np.sort(shape_shares(PublicShape.SPIKY, 50)), ranks / ranks.sum())
    steep = np.sort(np.arange(1.0, 51.0) ** -1.5)
    np.testing.assert_allclose(np.sort(shape_shares(PublicShape.SPIKY, 50, 0.3, 1.0)), steep / steep.sum())
    assert (shape_shares(PublicShape.UNIFORM, 50, 0.3, 1.0) == 1 / 50).all()
    narrow = shape_shares(PublicShape.SMOOTH, 50, 1.0, 0.0)
    assert narrow[:25].max() < 1e-6 < narrow[25:].max(), "half of the range, at its upper end"


def test_places_and_widths_fill_the_square_evenly() -> None:
    """Where a hump of eight bands begins and how wide it is: on average in the middle, as random numbers would be."""
    drawn = evenly_moved(PublicShape.SMOOTH, 1000, 200)
    middles = drawn @ ((np.arange(1000) + 0.5) / 1000)
    # Beta(2, 5) has its mean at 2/7 of what it fills, ¾ of the range on average, and begins at 1/8 on average.
    assert middles.mean() == pytest.approx(1 / 8 + 3 / 4 * 2 / 7, abs=0.005)


@pytest.mark.parametrize("basis", [Basis.SMOOTH, Basis.SPIKY])
def test_comparing_and_collecting_assume_the_same(basis: Basis) -> None:
    """What a guess errs by is the same in both rooms, but for which places of the shape were drawn."""
    shape = {Basis.SMOOTH: Shape.HUMP, Basis.SPIKY: Shape.SPIKY}[basis]
    plan = CollectionPlan(1_000_000, 8, 1.0, True, shape)
    generator, shares = np.random.default_rng(3), moved_shares(basis, 8)
    compared = [np.abs(shares(generator) - 1 / 8).sum() for _ in range(4000)]
    assert reference(plan).uniform["l1"] == pytest.approx(np.mean(compared), abs=4 * np.std(compared) / 4000**0.5)
    np.testing.assert_allclose(plan.shares, shares(None))
