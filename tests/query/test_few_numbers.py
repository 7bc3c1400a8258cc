"""Intervals and planned margins hold also where ε is so large that the noise is on few numbers; by enumeration."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from workbench.core.schema import ColumnSpec, Kind
from workbench.query.averages import Averages, VarianceQuery
from workbench.query.grid import Grid

_UNLIKELY = 14.0
"""Noise that is further off, in its scales, has a chance of less than one in a million."""


def _variance(epsilon: str, top: int = 1) -> VarianceQuery:
    grid = Grid(ColumnSpec("x", kind=Kind.INTEGER), Fraction(0), Fraction(top), Fraction(1))
    return VarianceQuery(grid, Fraction(epsilon), 1, root=False)


def _noise(rate: float, sums: int) -> tuple[np.ndarray, np.ndarray]:
    """All noise of so many sums that is likely enough to matter, shape (sums, many), and its chances.

    P(z) = tanh(rate/2)·e^(−rate·|z|), for whole z.
    """
    far = math.ceil(_UNLIKELY / rate)
    one = np.arange(-far, far + 1)
    chance = np.tanh(rate / 2) * np.exp(-rate * np.abs(one))
    noise = np.array(np.meshgrid(*[one] * sums, indexing="ij")).reshape(sums, -1)
    chances = np.prod(np.array(np.meshgrid(*[chance] * sums, indexing="ij")).reshape(sums, -1), axis=0)
    return noise, chances / chances.sum()


@pytest.mark.parametrize(
    ("epsilon", "rows", "ones"),
    [
        ("1.2", 100, 5),
        ("2.2", 20, 1),
        ("2.5", 100, 41),
        ("2.5", 200, 66),
        ("2.5", 1000, 333),
        ("3", 10, 3),
        ("4.5", 50, 1),
    ],
)
def test_an_interval_of_a_variance_has_the_truth_in_it_in_95_of_100_cases(epsilon: str, rows: int, ones: int) -> None:
    asked = _variance(epsilon)
    noise, chances = _noise(float(epsilon), 3)
    low, high = asked.bounded((np.array([[ones], [0], [rows - ones]]) + noise).T[..., np.newaxis].astype(float))
    truth = ones / rows * (1 - ones / rows)
    assert chances[(low.ravel() <= truth) & (truth <= high.ravel())].sum() >= 0.95


@pytest.mark.parametrize("rate", ["3.7", "4", "4.14", "5"])
def test_no_values_have_a_wider_margin_of_their_variance_than_is_planned(rate: str) -> None:
    """At a bound alone the quantile is one number less than in the middle, and 200 times as little was planned."""
    asked, rows = _variance(rate), 1000
    planned = asked.off(asked.assumed(rows)["squares"].astype(float).reshape(3, 1))[1]
    for ones in (0, 1, 2, 50, 100, 200, 250, 333, 400, 500):
        assert asked.off(np.array([[ones], [0], [rows - ones]], dtype=float))[1] <= 1.01 * planned, ones


@pytest.mark.parametrize(("epsilon", "rows"), [("0.774", 4), ("1", 3), ("1", 1), ("2", 20)])
def test_of_few_rows_no_values_have_a_wider_margin_of_their_mean_than_is_planned(epsilon: str, rows: int) -> None:
    grid = Grid(ColumnSpec("x", kind=Kind.INTEGER), Fraction(0), Fraction(10), Fraction(1))
    asked = Averages(grid, None, Fraction(epsilon), 1)

    def margin(above: int, below: int) -> float:
        return asked.off(np.array([[above], [below]], dtype=float))[1]

    planned = margin(*map(int, asked.assumed(rows)["steps"]))
    assert all(margin(10 * rows - below, below) <= 1.005 * planned for below in range(5 * rows + 1))
