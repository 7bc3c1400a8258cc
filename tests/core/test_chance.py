"""Means of tries are written with the digits that chance leaves them."""

from __future__ import annotations

import doctest

import pytest

from workbench.core import chance
from workbench.core.chance import reach_of_deviation


def test_the_examples_say_what_is_shown() -> None:
    found = doctest.testmod(chance)
    assert found.attempted == 1
    assert not found.failed


def test_the_root_mean_square_of_normal_numbers_stays_within_its_law() -> None:
    """By tables of χ²: 0.831 to 12.83 of five degrees of freedom, 32.36 to 71.42 of fifty."""
    for tries, low, high in ((5, 0.831, 12.83), (50, 32.36, 71.42)):
        below, above = reach_of_deviation(tries)
        assert below == pytest.approx((low / tries) ** 0.5, rel=0.021)
        assert above == pytest.approx((high / tries) ** 0.5, rel=0.01)
