"""What every protocol promises to an aggregator, tested over the registry.

The statistical tests have fixed seeds; with other seeds the bounds would be passed by chance about once in a
million: |Z| < 5 for means, 5 standard errors for variances, χ² at 1 − 10⁻⁹.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from workbench.contracts.protocols import (
    COUNTS,
    EPSILON,
    SIZE,
    aggregate_agrees,
    devices_agree,
    devices_follow_the_channel,
    estimates_the_truth,
    every_report,
    means_agree,
    refuses_what_is_outside,
    survives_a_file,
)
from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import AUTOMATIC, estimates
from workbench.ldp.hashing import buckets
from workbench.ldp.mean_randomiser import MeanRandomiser
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import predict_one
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser
from workbench.ldp.simulation import errors

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((one.identifier, {}) for one in PROTOCOLS if one.family is Family.FREQUENCY),
    ("rr", {"design": "coins", "truth": 0.4, "yes": 0.3}),
    ("rr", {"design": "warner", "p": 0.8}),
    ("ue", {"p": 0.9, "q": 0.3}),
    ("the", {"theta": 0.9}),
    ("the", {"spend": "whole"}),
    ("the", {"theta": 0.9, "spend": "whole"}),
    ("ds-corrected", {"spend": "whole"}),
    ("hadamard", {"blocks": 1}),
    ("hadamard", {"blocks": 4}),
    ("subset-selection", {"k": 3}),
    ("olh", {"g": 7}),
    ("rappor", {"f": 0.25, "p": 0.75, "q": 0.5}),
    ("rappor", {"f": 0.25, "rounds": 3}),
    ("random-matrix", {"m": 5, "matrix_seed": 5}),
    ("geometric", {"scope": "neighbours"}),
    ("exponential", {"scope": "neighbours"}),
]
MEANS = [one.identifier for one in PROTOCOLS if one.family is Family.MEAN]


def name_of(variant: Any) -> str:
    return variant if isinstance(variant, str) else "-".join(map(str, variant.values()))


def made(name: str, params: dict[str, Any], size: int = SIZE) -> tuple[FrequencyRandomiser, NDArray[np.int64]]:
    protocol = PROTOCOLS[name]
    size = min(size, protocol.maximum_domain)
    randomiser = protocol.build(size, EPSILON, **params)
    assert isinstance(randomiser, FrequencyRandomiser)
    counts = COUNTS[:size] if size <= SIZE else np.arange(size) % 7
    return randomiser, counts


@pytest.mark.parametrize("size", [2, SIZE, 37])
@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=name_of)
def test_the_estimate_of_the_expected_reports_is_the_truth(name: str, params: dict[str, Any], size: int) -> None:
    if params.get("k", 0) >= size or params.get("m", size) < size or ("scope" in params and size > SIZE):
        return  # impossible or not unbiased, see the tests of mistakes
    randomiser, counts = made(name, params, size)
    estimates_the_truth(randomiser, counts)


@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=name_of)
def test_the_variance_is_that_of_the_inverse_applied_to_the_reports(name: str, params: dict[str, Any]) -> None:
    randomiser, counts = made(name, params)
    variance, covariance = randomiser.variance(counts), randomiser.covariance(counts)
    assert variance is not None
    if covariance is not None:
        assert np.diag(covariance) == pytest.approx(variance)
        assert np.linalg.eigvalsh(covariance).min() > -1e-9 * variance.max()
    channel = randomiser.channel()
    if channel is None:
        return
    # What one report of each output adds to the estimate, taken from the estimator itself.
    outputs = every_report(randomiser, channel.shape[1])
    alone = np.array([randomiser.estimate(randomiser.accumulate(outputs[[one]])) for one in range(len(outputs))])
    means = channel @ alone
    spread = np.zeros((len(counts), len(counts)))
    for value, people in enumerate(counts):
        spread += people * ((alone.T * channel[value]) @ alone - np.outer(means[value], means[value]))
    assert np.diag(spread) == pytest.approx(variance, rel=1e-8)
    if covariance is not None:
        assert spread == pytest.approx(covariance, rel=1e-7, abs=1e-7 * variance.max())


@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=name_of)
def test_what_devices_send_follows_the_channel(name: str, params: dict[str, Any]) -> None:
    randomiser, _ = made(name, params)
    if randomiser.channel() is not None:
        devices_follow_the_channel(randomiser)


@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=name_of)
def test_reports_of_devices_have_the_mean_and_variance(name: str, params: dict[str, Any]) -> None:
    randomiser, counts = made(name, params)
    assert randomiser.variance(counts) is not None
    devices_agree(randomiser, counts)


@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=name_of)
def test_the_aggregate_has_the_same_mean_and_covariance_as_reports(name: str, params: dict[str, Any]) -> None:
    randomiser, counts = made(name, params)
    assert randomiser.variance(counts) is not None
    assert aggregate_agrees(randomiser, counts) == (name not in {"subset-selection", "random-matrix"})


@pytest.mark.parametrize("name", MEANS)
def test_means_of_devices_have_the_mean_and_variance(name: str) -> None:
    randomiser = PROTOCOLS[name].build(0, EPSILON)
    assert isinstance(randomiser, MeanRandomiser)
    means_agree(randomiser, kurtosis=6.0 if name == "laplace" else 3.0)


@pytest.mark.parametrize(("name", "params"), [*VARIANTS, *((name, {}) for name in MEANS)], ids=name_of)
def test_reports_and_public_parameters_survive_a_file(name: str, params: dict[str, Any]) -> None:
    if name in MEANS:
        randomiser: Any = PROTOCOLS[name].build(0, EPSILON, **params)
        values: NDArray[Any] = np.linspace(-1, 1, 40)
    else:
        randomiser, counts = made(name, params)
        values = np.arange(40) % len(counts)
    survives_a_file(randomiser, values)


@pytest.mark.parametrize(("name", "params"), VARIANTS, ids=name_of)
def test_nobody_and_somebody_outside_the_domain(name: str, params: dict[str, Any]) -> None:
    randomiser, counts = made(name, params)
    nobody = np.zeros(0, dtype=np.int64)
    support = randomiser.accumulate(randomiser.perturb(nobody, SeededSource(1)))
    assert support.reports == 0
    assert randomiser.estimate(support) == pytest.approx(np.zeros(len(counts)))
    outside = [np.array([0, value]) for value in (-1, len(counts))]
    refuses_what_is_outside(randomiser, outside, "outside the declared domain")


@pytest.mark.parametrize("name", MEANS)
def test_numbers_outside_the_bounds(name: str) -> None:
    wrong = [np.array([0.0, number]) for number in (1.0000001, -2.0, np.nan)]
    refuses_what_is_outside(PROTOCOLS[name].build(0, 1.0), wrong, "outside the public bounds")


# Hash functions -----------------------------------------------------------------------------------------------------


def hashed(key: int, value: int, size: int) -> int:
    """⌊g·top₃₂(a·π(v) + b mod 2⁶⁴)/2³²⌋ in whole numbers: SplitMix64 makes a and b, MurmurHash3 shuffles v + 1."""

    def word(state: int) -> int:
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        state = (state ^ state >> 27) * 0x94D049BB133111EB % 2**64
        return state ^ state >> 31

    a, b = (word((key + step * 0x9E3779B97F4A7C15) % 2**64) for step in (1, 2))
    shuffled = (value + 1) % 2**32
    shuffled = (shuffled ^ shuffled >> 16) * 0x85EBCA6B % 2**32
    shuffled = (shuffled ^ shuffled >> 13) * 0xC2B2AE35 % 2**32
    shuffled ^= shuffled >> 16
    return size * ((a * shuffled + b) % 2**64 >> 32) >> 32


@pytest.mark.parametrize("size", [2, 3, 4, 1000])
def test_a_key_hashes_as_it_always_did(size: int) -> None:
    """Reports of a collection that was written down are read with the same functions."""
    keys, values = [0, 1, 2**32, 2**63 + 12345, 2**64 - 1], [0, 1, 2, 255, 65_536, 2**31]
    found = buckets(np.array(keys, dtype=np.uint64)[:, None], np.array(values), size)
    assert found.tolist() == [[hashed(key, value, size) for value in values] for key in keys]


@pytest.mark.parametrize("size", [2, 4, 13])
def test_hashes_collide_as_chance_has_it(size: int) -> None:
    keys = SeededSource(11).words(200_000)
    # Neighbours, multiples, and far values; against each other and three at a time.
    values = np.array([0, 1, 2, 3, 4, 8, 1000, 1001, 2000, 999_999])
    hashes = buckets(keys[:, None], values, size)
    share = 1 / size
    for one, other in combinations(range(len(values)), 2):
        together = (hashes[:, one] == hashes[:, other]).mean()
        assert abs(together - share) < 5 * np.sqrt(share * (1 - share) / len(keys))
        for third in range(other + 1, len(values)):
            all_three = ((hashes[:, one] == hashes[:, other]) & (hashes[:, one] == hashes[:, third])).mean()
            assert abs(all_three - share**2) < 5 * np.sqrt(share**2 * (1 - share**2) / len(keys))
    for column in hashes.T:
        score = stats.chisquare(np.bincount(column.astype(np.int64), minlength=size)).pvalue
        assert score > 1e-9


def test_hashed_reports_scatter_no_more_than_unary_ones() -> None:
    # Supports of different values must be uncorrelated, or sums over ranges of values would be off.
    size, people, repetitions = 12, 100, 400
    randomiser: Any = PROTOCOLS["olh"].build(size, 1.0)
    values = np.full(people * repetitions, 5)
    reports = randomiser.perturb(values, SeededSource(12)).reshape(repetitions, people, 2)
    estimates = np.array([randomiser.estimate(randomiser.accumulate(group)) for group in reports])
    correlation = np.corrcoef(estimates.T)[~np.eye(size, dtype=np.bool_)]
    assert np.abs(correlation).max() < 5 / np.sqrt(repetitions)


def test_shared_hash_functions_estimate_large_domains_with_the_stated_variance() -> None:
    size, people = 20_000, 3000
    randomiser: Any = PROTOCOLS["olh"].build(size, 3.0, functions=64)
    values = np.full(people, 17)
    reports = randomiser.perturb(values, SeededSource(13))
    counts = np.bincount(values, minlength=size)
    errors = randomiser.estimate(randomiser.accumulate(reports)) - counts
    variance = randomiser.variance(counts)
    others = np.arange(size) != 17
    # 64 functions with the same value in all reports: the part that is shared dominates.
    assert variance[0] > 2 * PROTOCOLS["olh"].build(size, 3.0).variance(counts)[0]  # type: ignore[attr-defined]
    assert (errors[others] ** 2).mean() == pytest.approx(variance[0], rel=0.1)
    assert abs(errors[17]) < 5 * np.sqrt(variance[17])
    few = randomiser.support_of(reports, np.array([17, 3]))
    assert randomiser.estimate(few) == pytest.approx(errors[[17, 3]] + counts[[17, 3]])


def test_with_shared_hash_functions_errors_hang_together_as_is_stated_and_foreseen() -> None:
    """Of two answers both are off alike then, which is taken off again: the error was foreseen nearly three times."""
    counts, choice = np.array([1500, 1500]), ProtocolChoice("olh", {"functions": 8})
    randomiser, source, values = choice.frequency(2, 1.0), SeededSource(15), np.repeat([0, 1], counts)
    drawn = [randomiser.fresh(source) for _ in range(400)]
    supports = [one.accumulate(one.perturb(values, source)) for one in drawn]
    off = np.array([randomiser.estimate(one) - counts for one in supports])
    stated = randomiser.covariance(counts)
    assert stated is not None and stated[0, 1] > 0.85 * stated[0, 0]
    assert np.mean(off[:, 0] * off[:, 1]) == pytest.approx(stated[0, 1], rel=0.5)
    foreseen = predict_one(CollectionPlan(3000, 2, 1.0, shape=Shape.OWN, guess=(0.5, 0.5)), choice)
    found = errors(counts, estimates(randomiser, supports, AUTOMATIC))["l1"]
    assert foreseen.l1 == pytest.approx(found.mean(), rel=0.25), "5 standard errors of both"


def test_supports_of_candidates_are_those_of_the_whole_domain() -> None:
    randomiser: Any = PROTOCOLS["olh"].build(300, 1.0)
    reports = randomiser.perturb(np.arange(500) % 300, SeededSource(14))
    whole = randomiser.accumulate(reports)
    some = np.array([299, 0, 17])
    assert randomiser.support_of(reports, some).sums.tolist() == whole.sums[some].tolist()
    plain = [int((buckets(reports[:, 0], np.array([value]), 4) == reports[:, 1]).sum()) for value in some]
    assert plain == whole.sums[some].tolist()


def test_a_domain_of_a_million_values() -> None:
    size = 1_000_000
    counts = np.zeros(size, dtype=np.int64)
    counts[[5, 999_999]] = 40_000, 20_000
    values = np.repeat([5, 999_999], [40_000, 20_000])
    for name in ("grr", "hadamard", "olh"):
        randomiser: Any = PROTOCOLS[name].build(size, 6.0)
        reports = randomiser.perturb(values, SeededSource(15))
        if name == "olh":
            support = randomiser.support_of(reports, np.array([5, 999_999, 77]))
            found = randomiser.estimate(support)
        else:
            found = randomiser.estimate(randomiser.accumulate(reports))[[5, 999_999, 77]]
        truth, spread = counts[[5, 999_999, 77]], np.sqrt(randomiser.variance(counts)[[5, 999_999, 77]])
        assert (np.abs(found - truth) < 5 * spread).all()
