"""The most likely distribution step by step: what smoothing does to shares, when steps end, and none that loses."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from workbench.ldp.channel_sums import DenseChannel
from workbench.ldp.iteration import NO_SMOOTHING, Smoothing, Stop, fit, log_likelihood

STRETCHED = np.exp(-0.3 * np.abs(np.subtract.outer(np.arange(12), np.arange(12))))
CHANNEL = DenseChannel(STRETCHED / STRETCHED.sum(axis=1, keepdims=True))
"""Reports fall by the same factor with each step away from the value."""


def evenly_wrong(size: int, right: float) -> DenseChannel:
    wrong = (1 - right) / (size - 1)
    return DenseChannel(np.full((size, size), wrong) + np.eye(size) * (right - wrong))


@pytest.mark.parametrize(
    ("smoothing", "wanted"),
    [
        (Smoothing(2), [1, 2, 1, 0, 0, 0]),
        (Smoothing(2, 0.5), [0.5, 3, 0.5, 0, 0, 0]),
        (Smoothing(2, apart=4), [1, 3, 0, 0, 0, 0]),
        (Smoothing(2, 0.25, apart=1), [0.25, 3.5, 0.25, 0, 0, 0]),
        (Smoothing(3), [12 / 9, 12 / 9, 8 / 9, 4 / 9, 0, 0]),
        (Smoothing(1), [0, 4, 0, 0, 0, 0]),
        (Smoothing(2, 0.0), [0, 4, 0, 0, 0, 0]),
        (NO_SMOOTHING, [0, 4, 0, 0, 0, 0]),
    ],
)
def test_smoothing_spreads_a_value_over_its_neighbours(smoothing: Smoothing, wanted: list[float]) -> None:
    """By [1, 2, 1]/4 and [1, 2, 3, 2, 1]/9; what would go beyond an end comes back."""
    shares = np.array([0.0, 4.0, 0.0, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(smoothing(shares), wanted, atol=1e-15)
    np.testing.assert_allclose(smoothing(np.stack([shares, 2 * shares])), [wanted, 2 * np.array(wanted)], atol=1e-15)


def test_a_kernel_is_no_wider_than_what_it_smooths() -> None:
    np.testing.assert_allclose(Smoothing(9)(np.array([3.0, 0.0, 0.0])), Smoothing(3)(np.array([3.0, 0.0, 0.0])))
    np.testing.assert_allclose(Smoothing(9)(np.array([1.0])), [1.0])
    np.testing.assert_allclose(Smoothing(3, apart=1)(np.array([1.0, 5.0])), [1.0, 5.0])


@pytest.mark.parametrize("values", [256, 257])
def test_many_values_are_smoothed_as_few_are(values: int) -> None:
    """Beyond 256 by running sums, up to there by one product; a step is the same."""
    counts = np.random.default_rng(1).integers(0, 9, values)
    stop, smoothing = Stop(0.0, 1), Smoothing(3, 0.5)
    found = fit(DenseChannel(np.eye(values)), counts, stop, smoothing).shares
    shares = np.full(values, 1 / values)
    for _ in range(4):
        # Nothing is perturbed, so what is seen is what comes out, whatever the shares were before.
        shares = smoothing(counts / counts.sum() * (shares > 0))
    np.testing.assert_allclose(found, shares, rtol=1e-9)


def test_a_likelihood_counts_only_what_was_reported() -> None:
    channel = DenseChannel(np.array([[0.5, 0.5, 0.0], [0.25, 0.75, 0.0]]))
    found = log_likelihood(channel, np.array([[4, 2, 0], [1, 0, 0]]), np.array([[1.0, 0.0], [0.0, 1.0]]))
    np.testing.assert_allclose(found, [6 * np.log(0.5), np.log(0.25)])


def test_without_a_report_the_shares_stay_even_beside_others_that_move() -> None:
    reports = np.zeros((2, 1, 12), dtype=int)
    reports[1, 0, :3] = 5, 9, 2
    found = fit(CHANNEL, reports, Stop(1e-9, 50))
    assert found.shares.shape == (2, 1, 12) and found.likelihood.shape == found.steps.shape == (2, 1)
    np.testing.assert_allclose(found.shares[0, 0], 1 / 12)
    assert (found.steps[0, 0], found.likelihood[0, 0]) == (0, 0.0)
    assert found.steps[1, 0] > 0 and found.shares[1, 0, :4].sum() > 0.8
    np.testing.assert_allclose(found.shares[1, 0], fit(CHANNEL, reports[1, 0], Stop(1e-9, 50)).shares)


@pytest.mark.parametrize(("accelerated", "block"), [(False, 4), (True, 3)])
def test_steps_end_at_their_number_and_at_their_gain(accelerated: bool, block: int) -> None:
    """A look is taken after each block of steps, so they end with the block that reaches the number."""
    reports = np.random.default_rng(2).integers(0, 60, 12)
    for most, taken in ((0, 0), (1, block), (block, block), (block + 1, 2 * block)):
        assert fit(CHANNEL, reports, Stop(0.0, most), accelerated=accelerated).steps == taken
    found = [fit(CHANNEL, reports, Stop(0.0, block * n), accelerated=accelerated) for n in range(60)]
    gains = [float(b.likelihood - a.likelihood) / block for a, b in itertools.pairwise(found)]
    for gain in (1e-1, 1e-2):
        ended = fit(CHANNEL, reports, Stop(gain, 1000), accelerated=accelerated)
        first = next(n for n, one in enumerate(gains, 1) if abs(one) < gain)
        assert ended.steps == block * first, gain


def test_no_extrapolation_loses_likelihood_where_nothing_is_smoothed() -> None:
    """From few reports it often heads beyond the most likely shares, and would lose up to 1 each time."""
    for channel, seed in itertools.product((evenly_wrong(4, 0.475), CHANNEL), range(12)):
        generator = np.random.default_rng(seed)
        reports = generator.integers(0, generator.choice([5, 50, 500]), channel.shape[1])
        reached = [
            float(fit(channel, reports, Stop(0.0, most), accelerated=True).likelihood) for most in range(0, 31, 3)
        ]
        assert all(later >= earlier - 1e-9 for earlier, later in itertools.pairwise(reached)), seed


def test_smoothed_steps_may_be_extrapolated_though_they_lose_a_little() -> None:
    """The same end in fewer steps, as without smoothing: a loss of less than 1 is no reason to give one up."""
    steps = {False: 0, True: 0}
    for seed in range(4):
        reports = np.random.default_rng(seed).integers(0, 5_000, 12)
        ends = {}
        for accelerated in (False, True):
            ends[accelerated] = fit(CHANNEL, reports, Stop(1e-7, 20_000), Smoothing(2, 0.1), accelerated=accelerated)
            steps[accelerated] += int(ends[accelerated].steps)
        np.testing.assert_allclose(ends[True].shares, ends[False].shares, atol=1e-3)
    assert steps[True] < steps[False] / 2


def test_a_gain_of_nothing_never_ends_the_steps() -> None:
    """A step must gain less than `gain`; where nothing is perturbed the likelihood stays as it is from the first."""
    for accelerated, taken in ((False, 40), (True, 42)):
        found = fit(DenseChannel(np.eye(2)), np.array([3, 1]), Stop(0.0, 40), accelerated=accelerated)
        assert found.steps == taken
        np.testing.assert_allclose(found.shares, [0.75, 0.25])
