"""What survives sampling and k-suppression: the simulation against exact expectations and brute force."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from workbench.anonymise.sample_guarantee import Accounting, guarantee
from workbench.anonymise.survival import _BySize, population_sizes, simulate
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.table import Column, Table

SIZES = np.array([3, 3, 8, 12, 12, 12, 30, 45, 60, 60, 100])


def tail(size: int, beta: float, k: int) -> list[float]:
    """P[X = j] for j ≥ k, X ~ Bin(size, beta); 0 below."""
    return [math.comb(size, j) * beta**j * (1 - beta) ** (size - j) if j >= k else 0.0 for j in range(size + 1)]


def quantiles(sizes: np.ndarray, beta: float, k: float, draws: int = 4000, seed: int = 1) -> np.ndarray:
    (found,) = _BySize.of(sizes).quantiles(beta, [k], draws, seed, SILENT)
    assert found is not None
    return np.array(found)


class TestTruth:
    @pytest.mark.parametrize("sizes", [[2, 2], [2, 3, 3], [3, 3, 3, 3, 3], [1] * 9], ids=str)
    @pytest.mark.parametrize(("beta", "k"), [(0.5, 2), (0.3, 1), (0.8, 3)])
    def test_quantiles_are_those_of_every_sample_there_is(self, sizes: list[int], beta: float, k: int) -> None:
        """Every way the rows can be sampled, with its probability: 1,048,576 at most, counted class by class."""
        chances: dict[tuple[int, int], float] = {}
        for counts in product(*(range(size + 1) for size in sizes)):
            chance = math.prod(
                math.comb(size, j) * beta**j * (1 - beta) ** (size - j) for size, j in zip(sizes, counts, strict=True)
            )
            outcome = sum(j for j in counts if j >= k), sum(j >= k for j in counts)
            chances[outcome] = chances.get(outcome, 0.0) + chance
        found = quantiles(np.array(sizes), beta, k)
        for which in (0, 1):
            totals: dict[int, float] = {}
            for outcome, chance in chances.items():
                totals[outcome[which]] = totals.get(outcome[which], 0.0) + chance
            values = sorted(totals)
            below = np.cumsum([totals[value] for value in values])
            for share, said in zip((0.05, 0.5, 0.95), found[which].tolist(), strict=True):
                # With 4,000 draws the empirical distribution is within 0.035 of the true one everywhere, but for
                # one seed in 30,000 (Dvoretzky, Kiefer, Wolfowitz with Massart's constant).
                low = values[int(np.searchsorted(below, share - 0.035))]
                high = values[min(int(np.searchsorted(below, share + 0.035)), len(values) - 1)]
                assert low <= said <= high

    @pytest.mark.parametrize("repeated", [1, 40], ids=["one by one", "many of a size"])
    def test_the_median_is_where_the_expectation_is(self, repeated: int) -> None:
        sizes, beta, k = np.tile(SIZES, repeated), 0.4, 15
        rows = sum(sum(j * p for j, p in enumerate(tail(size, beta, k))) for size in sizes.tolist())
        groups = sum(sum(tail(size, beta, k)) for size in sizes.tolist())
        variance = sum(
            sum(j * j * p for j, p in enumerate(tail(size, beta, k)))
            - sum(j * p for j, p in enumerate(tail(size, beta, k))) ** 2
            for size in sizes.tolist()
        )
        found = quantiles(sizes, beta, k)
        assert found[0][1] == pytest.approx(rows, abs=0.2 * math.sqrt(variance) + 1)
        assert found[1][1] == pytest.approx(groups, abs=1)
        width = (found[0][2] - found[0][0]) / (2 * 1.6449)
        assert width == pytest.approx(math.sqrt(variance), rel=0.12)


class TestExplorer:
    def test_both_accountings_see_the_same_samples_and_exact_keeps_at_least_as_much(self) -> None:
        promised = guarantee(epsilon=1.0, delta=1e-4)
        found = simulate(SIZES * 20, promised, points=8, draws=60)
        exact, classical = found.curves[Accounting.EXACT], found.curves[Accounting.CLASSICAL]
        both = np.isfinite(classical.ks)
        assert both.any() and not both.all(), "the classical theorem ends at 1 − e⁻ᵋ"
        assert np.isnan(classical.rows[:, ~both]).all()
        assert (exact.ks[both] <= classical.ks[both]).all()
        assert (exact.rows[:, both] >= classical.rows[:, both]).all()
        assert (np.diff(exact.rows, axis=0) >= 0).all(), "low, middle, high"
        assert (found.rows, found.classes) == (int(SIZES.sum()) * 20, len(SIZES))
        # The point of the settings in force is one of the curve.
        place = int(np.argmin(np.abs(found.betas - promised.beta)))
        assert found.chosen.k == exact.ks[place]
        assert found.chosen.rows == tuple(exact.rows[:, place])

    def test_a_seed_repeats_it(self) -> None:
        promised = guarantee(epsilon=1.0, delta=1e-4)
        one, two, other = (simulate(SIZES * 9, promised, seed=s, points=4, draws=40) for s in (5, 5, 6))
        np.testing.assert_array_equal(one.curves[Accounting.EXACT].rows, two.curves[Accounting.EXACT].rows)
        assert not np.array_equal(one.curves[Accounting.EXACT].rows, other.curves[Accounting.EXACT].rows)
        with pytest.raises(WorkbenchError, match="negative"):
            simulate(SIZES, promised, seed=-1)

    def test_nothing_survives_of_small_classes(self) -> None:
        found = simulate(np.ones(500, dtype=np.int64), guarantee(epsilon=1.0, delta=1e-4), points=4, draws=20)
        assert found.chosen.rows == (0, 0, 0)
        assert np.nanmax(found.curves[Accounting.EXACT].classes) == 0

    def test_it_can_be_cancelled(self) -> None:
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            simulate(SIZES, guarantee(epsilon=1.0, delta=1e-4), progress=Progress(None, token))


class TestClasses:
    def test_columns_with_and_without_hierarchy_are_grouped(self) -> None:
        table = Table((Column.from_texts("a", ["1", "2", "3", "3"]), Column.from_texts("b", ["x", "x", "x", "y"])))
        hierarchy = Hierarchy.from_rows([("1", "low"), ("2", "low"), ("3", "high")])
        assert sorted(population_sizes(table, {"a": hierarchy}, {"a": 1}).tolist()) == [2, 2]
        assert sorted(population_sizes(table, {"a": hierarchy}, {"a": 1, "b": 0}).tolist()) == [1, 1, 2]
        with pytest.raises(WorkbenchError, match="No column"):
            population_sizes(table, {}, {})
