"""Estimators: the truth from expected reports, likelihood that never falls, and bands that cover."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import binom

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.ldp.channel_sums import DenseChannel, SteppedChannel, TwoSidedChannel, channel_sums
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.cross_validation import candidates, fit_smoothed
from workbench.ldp.estimation import EstimationMethod, default_protocol, estimate, estimates, noise_of
from workbench.ldp.estimator import ESTIMATORS, channel_of
from workbench.ldp.heavy_hitters import heavy_hitters
from workbench.ldp.iteration import NO_SMOOTHING, Smoothing, Stop, fit, log_likelihood
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser, Support

COUNTS = np.array([50, 400, 900, 300, 120, 700, 30, 500])
FREQUENCY = [one.identifier for one in PROTOCOLS if one.family is Family.FREQUENCY]
TABULATED = ["grr", "ds", "ds-corrected", "square-wave", "exponential", "geometric", "hadamard"]


def built(identifier: str, domain_size: int = 8, epsilon: float = 2.0) -> FrequencyRandomiser:
    return ProtocolChoice(identifier).frequency(2 if identifier == "rr" else domain_size, epsilon)


def bumps(domain_size: int) -> np.ndarray:
    place = np.linspace(0, 1, domain_size)
    shape = np.exp(-(((place - 0.35) / 0.12) ** 2)) + 0.5 * np.exp(-(((place - 0.8) / 0.05) ** 2))
    return shape / shape.sum()


@pytest.mark.parametrize("identifier", FREQUENCY)
@pytest.mark.parametrize("after", ["none", "norm-sub", "mle-apx", "norm-mul"])
def test_the_unbiased_estimator_returns_the_truth_on_expected_reports(identifier: str, after: str) -> None:
    randomiser = built(identifier)
    counts = COUNTS[: randomiser.domain_size]
    found = estimates(randomiser, [randomiser.expected(counts)], EstimationMethod("unbiased", after))[0]
    np.testing.assert_allclose(found, counts, rtol=1e-6, atol=1e-5)


@pytest.mark.parametrize("identifier", TABULATED)
@pytest.mark.parametrize("estimator", ["inverse", "em"])
def test_estimators_on_the_channel_return_the_truth_on_expected_reports(identifier: str, estimator: str) -> None:
    randomiser = built(identifier, epsilon=3.0)
    found = estimates(randomiser, [randomiser.expected(COUNTS)], EstimationMethod(estimator))[0]
    tolerance = 1e-6 if estimator == "inverse" else 0.02 * COUNTS.sum()
    np.testing.assert_allclose(found, COUNTS, atol=tolerance)


@pytest.mark.parametrize("identifier", TABULATED)
def test_the_inverse_undoes_the_channel_also_with_more_outputs_than_values(identifier: str) -> None:
    randomiser = built(identifier)
    channel = randomiser.channel()
    assert channel is not None
    for value in range(8):
        support = Support(1, channel[value])
        np.testing.assert_allclose(
            estimates(randomiser, [support], EstimationMethod("inverse", "none"))[0], np.eye(8)[value], atol=1e-8
        )


@pytest.mark.parametrize("identifier", TABULATED)
@pytest.mark.parametrize("accelerated", [False, True])
def test_the_likelihood_never_falls(identifier: str, accelerated: bool) -> None:
    randomiser = built(identifier)
    channel = channel_of(randomiser)
    support = randomiser.simulate(COUNTS, np.random.default_rng(5))
    assert support is not None
    reached = [
        float(fit(channel, support.sums, Stop(0.0, most), accelerated=accelerated).likelihood)
        for most in (0, 3, 6, 12, 24, 48, 96)
    ]
    assert all(later >= earlier - 1e-7 for earlier, later in itertools.pairwise(reached))
    assert reached[-1] > reached[0]


def test_plain_and_accelerated_steps_end_at_the_same_likelihood() -> None:
    randomiser = built("square-wave", 20, 2.0)
    channel = channel_of(randomiser)
    steps = {"plain": 0, "quick": 0}
    # Over several collections: how many steps a single one takes hangs on the last digit of the channel.
    for seed in range(6, 12):
        support = randomiser.simulate((bumps(20) * 50_000).astype(int), np.random.default_rng(seed))
        assert support is not None
        plain = fit(channel, support.sums, Stop(1e-9, 60_000))
        quick = fit(channel, support.sums, Stop(1e-9, 20_000), accelerated=True)
        assert float(quick.likelihood) == pytest.approx(float(plain.likelihood), abs=0.05)
        steps["plain"] += int(plain.steps)
        steps["quick"] += int(quick.steps)
    assert steps["quick"] < steps["plain"] / 3


def test_one_em_step_is_bayes_rule_averaged_over_the_reports() -> None:
    channel = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]])
    reports = np.array([5, 3, 2])
    posterior = channel * 0.5 / (channel * 0.5).sum(axis=0)
    by_hand = (posterior * reports).sum(axis=1) / 10
    from workbench.ldp.iteration import _step

    np.testing.assert_allclose(_step(DenseChannel(channel), reports / 10, np.array([0.5, 0.5])), by_hand)


@pytest.mark.parametrize("identifier", ["square-wave", "ds-corrected", "ds", "grr"])
def test_cumulative_sums_multiply_as_the_matrix_does(identifier: str) -> None:
    matrix = built(identifier, 120, 1.0).channel()
    assert matrix is not None
    generator = np.random.default_rng(7)
    shares, weights = generator.random((3, matrix.shape[0])), generator.random((2, matrix.shape[1]))
    stepped = SteppedChannel(matrix)
    np.testing.assert_allclose(stepped.forward(shares), shares @ matrix, rtol=1e-12)
    np.testing.assert_allclose(stepped.backward(weights), weights @ matrix.T, rtol=1e-10)


@pytest.mark.parametrize("identifier", ["exponential", "geometric"])
@pytest.mark.parametrize("epsilon", [0.1, 1.0, 8.0])
def test_falling_channels_are_multiplied_from_both_sides(identifier: str, epsilon: float) -> None:
    matrix = built(identifier, 120, epsilon).channel()
    assert matrix is not None
    channel = channel_sums(matrix)
    assert isinstance(channel, TwoSidedChannel)
    assert channel.shape == matrix.shape
    generator = np.random.default_rng(7)
    shares, weights = generator.random((3, 120)), generator.random((2, 120))
    np.testing.assert_allclose(channel.forward(shares), shares @ matrix, rtol=1e-10)
    np.testing.assert_allclose(channel.backward(weights), weights @ matrix.T, rtol=1e-10)
    spoilt = matrix.copy()
    spoilt[70, 30] *= 1.001
    assert isinstance(channel_sums(spoilt), DenseChannel)


def test_square_wave_is_multiplied_by_cumulative_sums() -> None:
    matrix = built("square-wave", 300, 1.0).channel()
    assert matrix is not None
    assert isinstance(channel_sums(matrix), SteppedChannel)
    assert isinstance(channel_sums(np.random.default_rng(0).random((300, 300))), DenseChannel)


@pytest.mark.parametrize("size", [5, 64, 300])
def test_smoothing_loses_no_mass_and_keeps_the_uniform_distribution(size: int) -> None:
    generator = np.random.default_rng(8)
    for smoothing in candidates(size):
        shares = generator.dirichlet(np.ones(size), 3)
        smooth = smoothing(shares)
        np.testing.assert_allclose(smooth.sum(axis=-1), 1.0)
        assert (smooth >= 0).all()
        np.testing.assert_allclose(smoothing(np.full(size, 1 / size)), 1 / size)
    np.testing.assert_allclose(Smoothing(2)(np.array([0, 0, 1.0, 0, 0])), [0, 0.25, 0.5, 0.25, 0])
    np.testing.assert_allclose(Smoothing(2)(np.array([1.0, 0, 0, 0])), [0.75, 0.25, 0, 0])


def test_the_reports_choose_smoothing_for_smooth_and_none_for_ragged_distributions() -> None:
    randomiser = built("square-wave", 100, 4.0)
    channel = channel_of(randomiser)
    smooth = (bumps(100) * 200_000).astype(int)
    ragged = np.where(np.arange(100) % 10 == 0, 20_000, 0)
    chosen = []
    for counts in (smooth, ragged):
        support = randomiser.simulate(counts, np.random.default_rng(9))
        assert support is not None
        found = fit_smoothed(channel, support.sums)
        chosen.append(candidates(100).index(found.smoothing[0]))
        assert np.abs(found.fitted.shares - counts / counts.sum()).sum() < 0.1
    assert chosen[0] > chosen[1]


def test_many_collections_at_once_are_estimated_each_by_itself() -> None:
    randomiser = built("square-wave", 20, 1.0)
    generator = np.random.default_rng(10)
    supports = [randomiser.simulate((bumps(20) * 20_000).astype(int), generator) for _ in range(4)]
    for one in ESTIMATORS:
        together = estimates(randomiser, supports, EstimationMethod(one.identifier))
        single = np.concatenate(
            [estimates(randomiser, [support], EstimationMethod(one.identifier)) for support in supports]
        )
        # Rounding may end an iteration a step sooner or later.
        loose = 1e-2 if one.consistent else 1e-9
        assert np.abs(together - single).sum(axis=1).max() <= loose * 20_000, one.identifier


def test_estimation_repeats_itself() -> None:
    randomiser = built("square-wave", 20, 1.0)
    support = randomiser.simulate((bumps(20) * 20_000).astype(int), np.random.default_rng(12))
    assert support is not None
    first, again = (estimate(randomiser, support, EstimationMethod()) for _ in range(2))
    assert first.counts.tolist() == again.counts.tolist()
    assert first.high.tolist() == again.high.tolist()


def test_defaults_follow_the_kind_of_the_protocol() -> None:
    wave, unary = built("square-wave"), built("oue")
    assert EstimationMethod().estimator_for(wave).identifier == "em-smoothed"
    assert EstimationMethod().postprocess_for(EstimationMethod().estimator_for(wave)).identifier == "none"
    assert EstimationMethod().estimator_for(unary).identifier == "unbiased"
    assert EstimationMethod().postprocess_for(EstimationMethod().estimator_for(unary)).identifier == "norm-sub"
    assert default_protocol(10, 1.0) == "grr"  # 3e + 2 = 10.15
    assert default_protocol(11, 1.0) == "oue"


@pytest.mark.parametrize("estimator", [one.identifier for one in ESTIMATORS if one.tabulated])
def test_an_estimator_on_outputs_refuses_reports_that_have_none(estimator: str) -> None:
    randomiser = built("oue")
    with pytest.raises(WorkbenchError, match="unbiased"):
        estimates(randomiser, [randomiser.expected(COUNTS)], EstimationMethod(estimator))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(WorkbenchError, match="em-smoothed"):
        EstimationMethod("magic")
    with pytest.raises(WorkbenchError, match="norm-sub"):
        EstimationMethod("auto", "magic")


def test_the_variance_after_which_post_processing_asks_is_that_of_the_protocol() -> None:
    for identifier in ("grr", "oue", "olh", "subset-selection"):
        randomiser = built(identifier)
        noise = noise_of(randomiser, int(COUNTS.sum()))
        np.testing.assert_allclose(
            randomiser.variance(COUNTS), noise.floor * COUNTS.sum() + noise.slope * COUNTS, rtol=1e-6
        )


@pytest.mark.parametrize("identifier", [one.identifier for one in PROTOCOLS if one.family is Family.FREQUENCY])
def test_the_noise_of_every_protocol_is_its_mean_variance_where_all_values_are_alike_frequent(identifier: str) -> None:
    randomiser, people = built(identifier), 400
    even = np.full(randomiser.domain_size, people / randomiser.domain_size)
    noise, variance = noise_of(randomiser, people), randomiser.variance(even)
    found = noise.floor * people + noise.slope * even.mean()
    assert found == pytest.approx(0.0 if variance is None else variance.mean(), rel=1e-9)
    none = noise_of(randomiser, 0)
    assert none.floor == (noise.floor if randomiser.pure is not None else 0.0)


@pytest.mark.parametrize(
    "identifier,method",
    [
        ("oue", EstimationMethod("unbiased", "none")),
        ("she", EstimationMethod("unbiased", "none")),
        ("oue", EstimationMethod()),
        ("grr", EstimationMethod()),
        ("hadamard", EstimationMethod()),
        ("square-wave", EstimationMethod()),
        ("square-wave", EstimationMethod("ems")),
    ],
)
@pytest.mark.parametrize("spiky", [False, True])
def test_bands_cover_the_truth_as_often_as_they_say(identifier: str, method: EstimationMethod, spiky: bool) -> None:
    """At 95 % for each of 24 values of 30 collections: fewer than 91.5 % covered has a chance below 5e-4 if they do."""
    randomiser = built(identifier, 24, 1.0)
    places = np.arange(24)
    shares = np.where(places % 7 == 3, 10.0, 1.0) if spiky else 1.0 / (places + 1.0)
    counts = np.floor(3000 * shares / shares.sum()).astype(np.int64)
    generator = np.random.default_rng(13)
    covered = total = 0
    for _ in range(30):
        support = randomiser.simulate(counts, generator)
        assert support is not None
        found = estimate(randomiser, support, method)
        covered += int(((found.low <= counts) & (found.high >= counts)).sum())
        total += len(counts)
        assert (found.low <= found.counts).all() and (found.counts <= found.high).all()
        possible = found.counts >= 0
        assert (found.low[possible] >= 0).all() and (found.high <= np.maximum(counts.sum(), found.counts)).all()
    assert 0.915 < covered / total < 0.995


def test_a_channel_that_tells_no_answers_apart_leaves_everything_open() -> None:
    randomiser = ProtocolChoice("ds-corrected").frequency(2, float(np.log(9.0)))
    assert not randomiser.unbiased
    support = randomiser.simulate(np.array([700, 300]), np.random.default_rng(1))
    assert support is not None
    found = estimate(randomiser, support, EstimationMethod())
    assert found.low.tolist() == [0.0, 0.0] and found.high.tolist() == [1000.0, 1000.0]
    with pytest.raises(WorkbenchError, match="same reports"):
        estimate(randomiser, support, EstimationMethod("unbiased"))


@pytest.mark.parametrize("identifier", ["olh", "oue", "grr"])
@pytest.mark.parametrize("reports,epsilon", [(400, 5.0), (20_000, 1.0)])
def test_noise_alone_reaches_as_far_as_it_says(identifier: str, reports: int, epsilon: float) -> None:
    randomiser = built(identifier, 10_000, epsilon)
    assert randomiser.pure is not None
    p, q = randomiser.pure
    chance = 0.05 / 10_000
    reach = randomiser.reach(reports, chance)
    assert reach is not None
    supports = round(reach * (p - q) + reports * q)
    assert binom.sf(supports, reports, q) <= chance < binom.sf(supports - 1, reports, q)


def test_base_cut_keeps_few_values_that_nobody_has() -> None:
    """100 collections with at most 5 % each: more than 14 have a chance below 2e-4. A normal tail keeps most."""
    randomiser = built("olh", 20_000, 6.0)
    counts = np.zeros(20_000, dtype=np.int64)
    counts[:4] = 100
    generator = np.random.default_rng(3)
    kept = called = 0
    for _ in range(100):
        support = randomiser.simulate(counts, generator)
        assert support is not None
        kept += bool((estimates(randomiser, [support], EstimationMethod("unbiased", "base-cut"))[0, 4:] > 0).any())
        called += any(one.sure and one.code >= 4 for one in heavy_hitters(randomiser, support, 20))
    assert kept <= 14 and called <= 14


def test_no_report_is_an_error_and_no_nonsense() -> None:
    randomiser = built("oue")
    with pytest.raises(WorkbenchError, match="no report"):
        estimate(randomiser, Support(0, np.zeros(8)), EstimationMethod())
    empty = fit(channel_of(built("grr")), np.zeros(8), Stop())
    np.testing.assert_allclose(empty.shares, 1 / 8)
    assert float(log_likelihood(channel_of(built("grr")), np.zeros(8), empty.shares)) == 0.0
    assert NO_SMOOTHING(empty.shares) is empty.shares
    assert SILENT(0.5) is None
