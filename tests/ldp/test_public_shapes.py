"""The shapes that are assumed where nothing of the data may be read, by their formulas."""

from __future__ import annotations

import weakref

import numpy as np
import pytest
from scipy import stats

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


@pytest.mark.parametrize(("where", "width"), [(None, None), (0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (0.25, None)])
def test_a_hump_and_a_tail_are_laws_that_have_names(where: float | None, width: float | None) -> None:
    """Beta(2, 5) over the part it fills; log-normal about a fiftieth of the range, or half to twice of that."""
    place = (np.arange(200) + 0.5) / 200
    middle = 1 / 50 if where is None else 1 / 50 * 4 ** (0.5 - where)
    tail = stats.lognorm.pdf(place, 0.8 if width is None else 0.6 + 0.4 * width, scale=middle)
    np.testing.assert_allclose(shape_shares(PublicShape.TAIL, 200, where, width), tail / tail.sum())
    filled = 1.0 if width is None else 0.5 + 0.5 * width
    hump = stats.beta.pdf(place, 2, 5, loc=(where or 0.0) * (1 - filled), scale=filled)
    np.testing.assert_allclose(shape_shares(PublicShape.SMOOTH, 200, where, width), hump / hump.sum(), atol=1e-8)


def test_places_and_widths_are_multiples_of_the_plastic_number() -> None:
    """(½ + n/ρ, ½ + n/ρ²) less their whole parts, n from 1, with ρ³ = ρ + 1."""
    (plastic,) = (root.real for root in np.roots([1, 0, -1, -1]) if abs(root.imag) < 1e-9)
    for shape in PublicShape:
        wanted = [shape_shares(shape, 9, (0.5 + n / plastic) % 1.0, (0.5 + n / plastic**2) % 1.0) for n in range(1, 6)]
        np.testing.assert_allclose(evenly_moved(shape, 9, 5), wanted, atol=1e-9)


def test_spikes_are_scattered_by_the_golden_ratio() -> None:
    """The value whose multiple is nearest above nothing is the most frequent."""
    for where, width, power in ((None, None, 1.0), (0.3, 0.0, 1.0), (0.3, 1.0, 1.5), (0.9, 0.5, 1.25)):
        shares = shape_shares(PublicShape.SPIKY, 30, where, width)
        at = [(n * (5**0.5 - 1) / 2 + (where or 0.0)) % 1.0 for n in range(30)]
        weights = [(1 + sum(other < one for other in at)) ** -power for one in at]
        np.testing.assert_allclose(shares, np.array(weights) / sum(weights))


def test_of_two_values_one_is_more_frequent_in_every_shape_but_equal_shares() -> None:
    for shape in PublicShape:
        first, second = shape_shares(shape, 2)
        assert (first > second * 1.2) == (shape is not PublicShape.UNIFORM), shape


def test_the_rare_one_of_two_values_has_1_or_2_in_100_wherever_the_shape_lies() -> None:
    """Anything from nothing to 12 in 100 was in it, so that an ε said of it was none of such values."""
    assert shape_shares(PublicShape.SMOOTH, 2).tolist() == pytest.approx([0.984, 0.016])
    each = evenly_moved(PublicShape.SMOOTH, 2, 50)[:, 1]
    generator, bars = np.random.default_rng(1), np.repeat([0, 1], [6, 4]).astype(np.int32)
    shares = moved_shares(Basis.SMOOTH, 10, bars)
    drawn = [float(shares(generator)[6:].sum()) for _ in range(50)]
    for rare in (each, drawn):
        assert 0.01 <= min(rare) < 0.011 and 0.021 < max(rare) <= 0.022


def test_only_small_shapes_are_kept() -> None:
    """Of a million values those of one plan are hundreds of megabytes."""
    assert evenly_moved(PublicShape.SMOOTH, 50, 200) is evenly_moved(PublicShape.SMOOTH, 50, 200)
    large = weakref.ref(evenly_moved(PublicShape.SMOOTH, 200_000, 4))
    assert large() is None


@pytest.mark.parametrize(
    ("where", "width", "at", "share"), [(None, None, 0, 0.5), (0.5, 0.0, 5, 0.3), (1.0, 1.0, 9, 0.7)]
)
def test_a_dominant_value_has_about_half_and_the_others_as_much_as_each_other(
    where: float | None, width: float | None, at: int, share: float
) -> None:
    shares = shape_shares(PublicShape.DOMINANT, 10, where, width)
    others = np.full(10, (1 - share) / 10)
    np.testing.assert_allclose(shares - others, share * (np.arange(10) == at), atol=1e-12)


def test_what_dominates_a_histogram_is_a_bar() -> None:
    bars = np.repeat(np.arange(5, dtype=np.int32), 20)
    for generator in (None, np.random.default_rng(1)):
        each = moved_shares(Basis.DOMINANT, 100, bars)(generator)
        together = np.bincount(bars, each)
        assert sorted(together)[-1] > 0.3 and together.sum() == pytest.approx(1)
        assert all(len(set(each[bars == one].round(12))) == 1 for one in range(5))
