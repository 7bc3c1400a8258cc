"""Places on an axis."""

from __future__ import annotations

import pytest

from workbench.evaluate.experiment import Axis
from workbench.evaluate.places import Density, density_of, lattice, parse_places


@pytest.mark.parametrize("axis", list(Axis))
def test_denser_and_longer_sets_hold_the_coarser_ones(axis: Axis) -> None:
    few, some, many = (lattice(2, 500, one, axis) for one in (Density.FEW, Density.SOME, Density.MANY))
    assert set(few) < set(some) < set(many)
    assert set(few) < set(lattice(1, 2000, Density.FEW, axis))
    assert [density_of(one, axis) for one in (few, some, many)] == [Density.FEW, Density.SOME, Density.MANY]
    assert density_of((2.0, 3.3, 500.0), Axis.EPSILON) is Density.OWN


def test_places_are_read_in_any_order() -> None:
    assert parse_places("2, 0.5;1 1") == (0.5, 1.0, 2.0)
