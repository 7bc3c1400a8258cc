"""Making estimates consistent: each method against brute force or its definition."""

from __future__ import annotations

import itertools
from statistics import NormalDist

import numpy as np
import pytest
from scipy import optimize

from workbench.core.errors import WorkbenchError
from workbench.ldp.postprocessing import FALSE_KEEP, POSTPROCESSES, Noise, postprocess

NOISE = Noise.of_pure(0.5, 0.25)
CASES = [np.random.default_rng(seed).normal(20, 60, size) for seed, size in enumerate((2, 3, 4, 5, 6, 6, 6))]


def simplex_by_subsets(counts: np.ndarray, total: float) -> np.ndarray:
    """The nearest consistent point: for every set of positive values the shifted one, and the best of these."""
    best, found = np.inf, None
    for chosen in itertools.product([False, True], repeat=len(counts)):
        inside = np.array(chosen)
        if not inside.any():
            continue
        point = np.where(inside, counts + (total - counts[inside].sum()) / inside.sum(), 0.0)
        if (point >= 0).all() and np.square(point - counts).sum() < best:
            best, found = np.square(point - counts).sum(), point
    assert found is not None
    return found


@pytest.mark.parametrize("counts", CASES)
def test_norm_sub_is_the_nearest_point_of_the_simplex(counts: np.ndarray) -> None:
    np.testing.assert_allclose(
        postprocess("norm-sub")(counts, 100.0, NOISE), simplex_by_subsets(counts, 100.0), atol=1e-9
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("noise", [NOISE, Noise.of_pure(0.8, 0.05), Noise.of_pure(0.4, 0.3), Noise.of_pure(0.9, 0.4)])
def test_mle_apx_is_the_best_consistent_point_of_its_own_objective(seed: int, noise: Noise) -> None:
    total, generator = 1000.0, np.random.default_rng(seed)
    counts = generator.multinomial(1000, [0.6, 0.3, 0.06, 0.03, 0.01]) + 2 * np.sqrt(
        noise.floor * total
    ) * generator.standard_normal(5)

    def wrong(point: np.ndarray) -> float:
        return float((np.square(point - counts) / (noise.floor * total + noise.slope * point)).sum())

    found = postprocess("mle-apx")(counts, total, noise)
    assert found.sum() == pytest.approx(total)
    assert (found >= 0).all()
    best = optimize.minimize(
        wrong,
        np.full(5, total / 5),
        method="SLSQP",
        bounds=[(0.0, total)] * 5,
        constraints={"type": "eq", "fun": lambda point: point.sum() - total},
    )
    assert wrong(found) <= best.fun + 1e-6 * (1 + best.fun)


@pytest.mark.parametrize("name", POSTPROCESSES)
def test_properties_that_are_declared_hold(name: str) -> None:
    method = POSTPROCESSES[name]
    estimates = np.random.default_rng(3).normal(10, 40, (50, 8))
    found = method(estimates, 80.0, NOISE)
    assert found.shape == estimates.shape
    if method.sums:
        np.testing.assert_allclose(found.sum(axis=1), 80.0)
    if method.positive:
        assert (found >= 0).all()
    np.testing.assert_allclose(found, [method(one, 80.0, NOISE) for one in estimates])


@pytest.mark.parametrize("name", ["none", "base-pos", "norm", "norm-mul", "norm-sub", "mle-apx"])
def test_what_is_consistent_already_stays(name: str) -> None:
    counts = np.array([10.0, 30.0, 0.0, 60.0])
    np.testing.assert_allclose(postprocess(name)(counts, 100.0, NOISE), counts, atol=1e-9)


def test_base_cut_drops_what_noise_explains() -> None:
    n, values = 10_000.0, 50
    deviation = np.sqrt(NOISE.floor * n)
    threshold = NormalDist().inv_cdf(1 - FALSE_KEEP / values) * deviation
    counts = np.zeros(values)
    counts[0], counts[1] = threshold * 1.001, threshold * 0.999
    found = postprocess("base-cut")(counts, n, NOISE)
    assert found[0] == counts[0]
    assert not found[1:].any()


def test_all_negative_estimates_give_something_consistent() -> None:
    counts = np.array([-5.0, -1.0, -3.0])
    for name, method in POSTPROCESSES.items():
        found = method(counts, 9.0, NOISE)
        assert np.isfinite(found).all(), name
        if method.sums:
            assert found.sum() == pytest.approx(9.0), name
    np.testing.assert_allclose(postprocess("norm-mul")(counts, 9.0, NOISE), [3, 3, 3])


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(WorkbenchError, match="norm-sub"):
        postprocess("magic")


def test_the_nearest_consistent_counts_may_be_those_of_one_value_alone() -> None:
    """All estimates are far below nothing, and the highest gets everybody; Norm-Sub would keep two values."""
    counts, noise = np.array([-82.0, -8.6, -113.4]), Noise(1.93, 2.12)
    found = postprocess("mle-apx")(counts, 100.0, noise)
    assert found.tolist() == pytest.approx([0.0, 100.0, 0.0])
    assert np.count_nonzero(postprocess("norm-sub")(counts, 100.0, noise)) == 2

    def misfit(chosen: np.ndarray) -> float:
        return float(((counts - chosen) ** 2 / (1.93 * 100.0 + 2.12 * chosen)).sum())

    others = [np.array([a, b, 100 - a - b]) for a in range(101) for b in range(101 - a)]
    assert misfit(found) <= min(map(misfit, others)) + 1e-9
