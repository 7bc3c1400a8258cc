"""Simulated collections, predictions and sweeps: right on average, repeatable, and in agreement with each other."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.randomness import SeededSource
from workbench.io.reading import read_table
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.heavy_hitters import heavy_hitters
from workbench.ldp.needed import fewest_users, least_epsilon
from workbench.ldp.prediction import (
    CollectionPlan,
    Prediction,
    Shape,
    every_protocol,
    predict,
    predict_one,
    reference,
)
from workbench.ldp.protocol import PROTOCOLS, Family
from workbench.ldp.simulated_reports import (
    Drawing,
    aggregate,
    collect,
    drawn_estimates,
    global_histograms,
    people,
    seed_of,
)
from workbench.ldp.simulation import METRICS, SimulationSetting, baselines, errors, simulate_frequencies, simulate_mean
from workbench.ldp.sweep import SweepCell, SweepPoint, sweep
from workbench.session.collection.advice import best_of, no_better_than_guessing, pick, recommended

COUNTS = np.array([200, 2400, 700, 1100, 100, 1500])
FREQUENCY = [one.identifier for one in PROTOCOLS if one.family is Family.FREQUENCY and one.identifier != "rr"]
MEANS = [one.identifier for one in PROTOCOLS if one.family is Family.MEAN]
RAW = EstimationMethod("unbiased", "none")


@pytest.mark.parametrize("identifier", FREQUENCY)
def test_people_one_by_one_and_all_at_once_agree(identifier: str) -> None:
    """Mean and spread of the raw estimates of both paths, 100 collections each: 5 standard errors of either."""
    randomiser = ProtocolChoice(identifier).frequency(len(COUNTS), 2.0)
    exact = randomiser.variance(COUNTS)
    assert exact is not None
    repetitions = 100
    generator = np.random.default_rng(21)
    codes = np.repeat(np.arange(len(COUNTS)), COUNTS)
    one_by_one = np.array(
        [
            randomiser.estimate(collect(randomiser, codes, SeededSource(int(generator.integers(1 << 60)))))
            for _ in range(repetitions)
        ]
    )
    paths = [one_by_one]
    if aggregate(randomiser, COUNTS, generator) is not None:
        drawn, exactly = drawn_estimates(randomiser, COUNTS, repetitions, seed_of(3, identifier), RAW)
        assert exactly
        paths.append(drawn)
    normal, exactly = drawn_estimates(
        randomiser, COUNTS, repetitions, seed_of(4, identifier), RAW, drawing=Drawing.NORMAL
    )
    assert not exactly
    paths.append(normal)
    for estimates in paths:
        score = (estimates.mean(axis=0) - COUNTS) / np.sqrt(exact / repetitions)
        assert np.abs(score).max() < 5
        ratio = estimates.var(axis=0, ddof=1) / exact
        assert np.abs(ratio - 1).max() < 5 * 1.15 * np.sqrt(2 / (repetitions - 1))


@pytest.mark.parametrize("identifier", FREQUENCY)
def test_the_error_falls_with_epsilon_because_every_protocol_gets_it(identifier: str) -> None:
    choice = ProtocolChoice(identifier)
    if choice.own_epsilon or identifier.startswith("ds"):
        return  # the ε of the others follows from parameters; the kernel of these stays wide whatever ε is
    wrong = [
        simulate_frequencies(choice, COUNTS, SimulationSetting(epsilon, 6000, 30, RAW)).errors["l1"].mean
        for epsilon in (1.0, 4.0)
    ]
    assert wrong[1] < 0.7 * wrong[0]


@pytest.mark.parametrize("identifier", ["grr", "oue", "she", "hadamard", "subset-selection", "square-wave"])
def test_prediction_and_simulation_agree(identifier: str) -> None:
    """Within 20 %: six standard errors of the predicted draws and 60 simulated collections."""
    plan = CollectionPlan(
        6000, len(COUNTS), 1.5, True, Shape.OWN, tuple(COUNTS.tolist()), positions=(0.0, 1.0, 2.0, 4.0, 5.0, 9.0)
    )
    predicted = predict_one(plan, ProtocolChoice(identifier))
    found = simulate_frequencies(
        ProtocolChoice(identifier), COUNTS, SimulationSetting(1.5, 6000, 60, seed=5), positions=plan.positions
    )
    for metric in METRICS:
        assert predicted.error(metric) == pytest.approx(found.errors[metric].mean, rel=0.2), metric
    assert predicted.epsilon == found.epsilon
    assert (predicted.estimator, predicted.postprocess) == (found.estimator, found.postprocess)


def test_without_post_processing_the_expected_error_is_that_of_the_exact_variance() -> None:
    """E L1 = Σ √(2/π) σ_v / n for nearly normal estimates; the draws give it to 15 %."""
    plan = CollectionPlan(200_000, 40, 1.0, method=RAW, shape=Shape.FALLING)
    found = predict_one(plan, ProtocolChoice("grr"))
    randomiser = ProtocolChoice("grr").frequency(40, 1.0)
    spread = randomiser.variance(plan.shares * 200_000)
    assert spread is not None
    assert found.l1 == pytest.approx(np.sqrt(2 / np.pi * spread).sum() / 200_000, rel=0.15)


@pytest.mark.parametrize("shape", [Shape.HUMP, Shape.SPIKY])
@pytest.mark.parametrize("identifier", ["exponential", "geometric", "ds-corrected"])
def test_predictions_of_estimators_that_iterate_say_how_sure_they_are(identifier: str, shape: Shape) -> None:
    """Within four standard errors of the prediction and of 40 simulated collections."""
    plan = CollectionPlan(20_000, 64, 1.0, True, shape)
    predicted = predict_one(plan, ProtocolChoice(identifier))
    found: dict[str, list[float]] = {metric: [] for metric in METRICS}
    for number, shares in enumerate(plan.drawn_shares(40)):
        counts = people(np.rint(shares * (1 << 40)).astype(np.int64), plan.users)
        once = SimulationSetting(1.0, plan.users, 1, seed=11 + number)
        for metric, wrong in simulate_frequencies(ProtocolChoice(identifier), counts, once).errors.items():
            found[metric].append(wrong.mean)
    for metric in METRICS:
        assert 0 < predicted.se(metric) < predicted.error(metric)
        gap = abs(predicted.error(metric) - np.mean(found[metric]))
        assert gap < 4 * np.hypot(predicted.se(metric), np.std(found[metric]) / math.sqrt(40)), metric


def test_what_cannot_be_told_from_the_best_is_named_with_it() -> None:
    plan = CollectionPlan(20_000, 64, 1.0)
    found = predict(plan)
    alike = best_of(found, "l1")
    assert found[0] in alike and len(alike) < len(found)
    assert {one.choice.identifier for one in alike} >= {"oue", "olh"}  # their variances are the same
    sentence = pick(plan, found, reference(plan), "l1")
    assert all(one.title in sentence for one in alike) and "about as good" in sentence
    worst = found[-1]
    assert worst.told_from(found[0], "l1") and worst.title not in sentence


def heaped(size: int, people: int) -> np.ndarray:
    """Answers as people give them: a slope, with every fifth value twelve times as frequent as its neighbours."""
    shares = np.linspace(2.0, 1.0, size) * np.where(np.arange(size) % 5 == 2, 12.0, 1.0)
    return np.rint(people * shares / shares.sum()).astype(np.int64)


def test_what_is_advised_errs_as_predicted_on_spiky_data_too() -> None:
    """Square Wave, predicted for a smooth shape alone, would have promised a third of its true error."""
    users, size, epsilon = 200_000, 50, 3.0
    plan = CollectionPlan(users, size, epsilon, ordinal=True)
    choices = [ProtocolChoice(one) for one in ("grr", "oue", "square-wave")]
    found = {one.choice.identifier: one for one in predict(plan, choices)}
    counts = heaped(size, users)
    measured = {
        choice.identifier: simulate_frequencies(choice, counts, SimulationSetting(epsilon, users, 6, seed=1))
        .errors["l1"]
        .mean
        for choice in choices
    }
    best = [one.choice.identifier for one in best_of(recommended(plan, list(found.values())), "l1")]
    assert set(best) == {"grr", "oue"}
    for name in ("grr", "oue", "square-wave"):
        assert measured[name] / 2 < found[name].l1 < 2 * measured[name], name
    assert found["square-wave"].cases[Shape.HUMP]["l1"] < measured["square-wave"] / 2
    assert found["oue"].l1 == max(case["l1"] for case in found["oue"].cases.values())


def test_smoothing_is_advised_only_where_the_shape_is_declared_smooth() -> None:
    choices = [ProtocolChoice(one) for one in ("oue", "square-wave", "ds-corrected")]
    shares = tuple(np.linspace(1.0, 2.0, 50))
    both = (Shape.AUTO, Shape.WORSE)
    for shape in (*Shape,):
        plan = CollectionPlan(2_000, 50, 1.0, True, shape, shares if shape is Shape.OWN else ())
        found = predict(plan, choices)
        first = recommended(plan, found)[0].choice.identifier
        sentence = pick(plan, found, reference(plan), "l1")
        assumed = [Shape.HUMP, Shape.SPIKY, Shape.UNIFORM] if shape in both else [shape]
        assert [case.shape for case in plan.cases] == assumed
        assert all(set(one.cases) == {case.shape for case in plan.cases} for one in found)
        if shape in (Shape.HUMP, Shape.UNIFORM):
            assert first == "square-wave" and "it may err several times as much" in sentence
        else:
            assert first == "oue"
            smoother = min(found, key=lambda one: one.l1).smooths
            assert ("it is recommended only where a smooth shape is declared" in sentence) == (
                smoother or shape in both
            )
        said = {
            Shape.AUTO: "whether the shares are smooth, spiky or equal",
            Shape.WORSE: "whether the shares are smooth, spiky or equal",
            Shape.UNIFORM: "assuming equal shares",
            Shape.HUMP: "assuming many smooth humps",
            Shape.FALLING: "assuming falling shares",
            Shape.SPIKY: "assuming many spiky shapes",
            Shape.OWN: "assuming the shares you gave",
        }
        assert said[shape] in sentence
        assert ("with a standard error of" in sentence) == (shape not in both)
    # An estimator that smooths does so for any protocol.
    plan = CollectionPlan(200_000, 50, 3.0, True, method=EstimationMethod("ems"))
    grr = predict_one(plan, ProtocolChoice("grr"))
    assert grr.smooths and not recommended(plan, [grr])
    assert pick(plan, [grr], reference(plan), "l1").startswith("No protocol can be recommended")


def test_the_worst_of_all_shapes_ranks_and_is_solved_for() -> None:
    plan, choice = CollectionPlan(50_000, 20, 1.0, ordinal=True), ProtocolChoice("oue")
    found = predict_one(plan, choice)
    for metric in METRICS:
        alone = {case.shape: predict_one(case, choice).error(metric) for case in plan.cases}
        assert found.error(metric) == max(alone.values())
        assert {shape: case[metric] for shape, case in found.cases.items()} == alone
    _, spiky, even = plan.cases
    assert even.shape is Shape.UNIFORM and found.error("l1") == found.cases[Shape.UNIFORM]["l1"]
    assert fewest_users(plan, (choice,), "l1", 0.1)[0] == max(
        fewest_users(one, (choice,), "l1", 0.1)[0] for one in plan.cases
    )
    wrong = reference(plan)
    assert wrong.uniform["l1"] == max(case["l1"] for case in wrong.uniform_cases.values())
    np.testing.assert_allclose(np.sort(spiky.shares), np.sort(replace(plan, shape=Shape.FALLING).shares))


def test_of_what_cannot_be_told_apart_the_one_that_does_not_smooth_is_taken() -> None:
    """A thousand people in eight bands: by chance alone a protocol that smooths was ahead, and was recommended."""

    def found(identifier: str, error: float, se: float) -> Prediction:
        ses = MappingProxyType({"l1": se})
        return Prediction(ProtocolChoice(identifier), identifier, 1.0, 3.0, error, 0.0, 0.0, ses)

    smooths, linear = found("ds-corrected", 0.2780, 0.0134), found("subset-selection", 0.2834, 0.0042)
    assert smooths.smooths and not linear.smooths and not linear.told_from(smooths, "l1")
    assert best_of([smooths, linear], "l1") == [linear, smooths]
    far = found("subset-selection", 0.32, 0.0042)
    assert best_of([smooths, far], "l1") == [smooths]
    plan = CollectionPlan(1000, 8, 1.0, True)
    assert best_of(recommended(plan, predict(plan)), "l1")[0].choice.identifier == "subset-selection"


def test_what_an_error_takes_is_that_of_whichever_needs_least() -> None:
    plan = CollectionPlan(1000, 8, 1.0, True)
    some = [ProtocolChoice(one) for one in ("hadamard", "subset-selection", "oue", "grr")]
    people, by = fewest_users(plan, some, "l1", 0.1)
    each = {one.identifier: fewest_users(plan, (one,), "l1", 0.1)[0] for one in some}
    assert by.identifier == "subset-selection" == min(each, key=each.__getitem__)
    assert people <= 1.01 * each["subset-selection"] and each["hadamard"] > 1.2 * people
    epsilon, by = least_epsilon(plan, some, "l1", 0.1)
    # At that ε subset selection reports sets of one value, which is direct encoding and is called so.
    assert by.identifier == "grr"
    assert epsilon == pytest.approx(least_epsilon(plan, (by,), "l1", 0.1)[0], rel=0.01)
    # As written in the formulas of subset selection, near enough: 5 % of eight bands take some 10,000 people or ε 2.4.
    assert 8_000 < people < 12_000 and 2.2 < epsilon < 2.7
    with pytest.raises(WorkbenchError, match="any protocol"):
        fewest_users(plan, some, "l1", 1e-12)


def test_bars_are_of_what_is_counted() -> None:
    """Estimates that were made non-negative have no bars below 0; those that are right on average may."""
    counts, choice = np.array([0, 5, 60, 35]), ProtocolChoice("oue")
    fitted = simulate_frequencies(choice, counts, SimulationSetting(1.0, 100, 40, seed=3))
    raw = simulate_frequencies(choice, counts, SimulationSetting(1.0, 100, 40, RAW, seed=3))
    assert fitted.postprocess == "norm-sub" and fitted.low.min() == 0.0 and (fitted.low <= fitted.estimate).all()
    assert raw.low.min() < -10


def test_few_people_are_told_that_guessing_is_as_good() -> None:
    few = CollectionPlan(300, 50, 0.5, ordinal=True)
    found = predict(few, [ProtocolChoice("oue")])
    assert set(no_better_than_guessing(found[0], reference(few), "l1")) == {Shape.HUMP, Shape.SPIKY}
    assert " A uniform guess is expected to do no worse" in pick(few, found, reference(few), "l1")
    some = CollectionPlan(1_000, 50, 1.0, ordinal=True)
    found = predict(some, [ProtocolChoice("oue")])
    assert no_better_than_guessing(found[0], reference(some), "l1") == [Shape.HUMP]
    assert "For many smooth humps, a uniform guess is expected to do no worse" in pick(
        some, found, reference(some), "l1"
    )


def test_predicting_can_be_cancelled_between_the_shapes() -> None:
    token = CancelToken()
    told: list[float] = []

    def stop(fraction: float, _text: str) -> None:
        told.append(fraction)
        if len(told) == 3:
            token.cancel()

    with pytest.raises(Cancelled):
        predict(CollectionPlan(1000, 20, 1.0, True), [ProtocolChoice("square-wave")], progress=Progress(stop, token))


def test_predictions_repeat_rank_and_know_what_does_not_fit() -> None:
    plan = CollectionPlan(50_000, 12, 1.0)
    first, again = predict(plan), predict(plan)
    assert first == again
    assert [one.l1 for one in first] == sorted(one.l1 for one in first)
    assert {one.choice.identifier for one in first}.isdisjoint({"rr", "square-wave", "ue", "rappor"})
    assert "square-wave" in {one.choice.identifier for one in predict(CollectionPlan(50_000, 12, 1.0, ordinal=True))}
    asked = predict(plan, [ProtocolChoice("square-wave"), ProtocolChoice("rr"), ProtocolChoice("oue")])
    assert asked[0].choice.identifier == "oue"
    assert all(one.problem for one in asked[1:])
    assert {one.identifier for one in every_protocol(2, ordinal=False)} >= {"rr", "grr", "oue"}
    wrong = reference(plan)
    assert wrong.curator["l1"] < first[0].l1 < wrong.uniform["l1"]


@pytest.mark.parametrize("metric", METRICS)
def test_the_smallest_number_of_people_and_epsilon_reach_the_target_and_less_does_not(metric: str) -> None:
    choice = ProtocolChoice("oue")
    plan = CollectionPlan(10_000, 10, 1.0)
    target = predict_one(plan, choice).error(metric)
    users = fewest_users(plan, (choice,), metric, target)[0]
    assert users == pytest.approx(10_000, rel=0.02)
    epsilon = least_epsilon(plan, (choice,), metric, target)[0]
    assert epsilon == pytest.approx(1.0, rel=0.02)
    assert fewest_users(plan, (choice,), metric, target / 2)[0] > 2 * users
    for reached, missed in ((users, round(0.97 * users)),):
        assert predict_one(replace(plan, users=reached), choice).error(metric) <= target
        assert predict_one(replace(plan, users=missed), choice).error(metric) > target


def test_impossible_targets_are_refused() -> None:
    plan, choice = CollectionPlan(100, 10, 0.5), ProtocolChoice("grr")
    with pytest.raises(WorkbenchError, match="above 0"):
        fewest_users(plan, (choice,), "l1", 0.0)[0]
    with pytest.raises(WorkbenchError, match="Not even"):
        fewest_users(plan, (choice,), "l1", 1e-12)[0]
    with pytest.raises(WorkbenchError, match="follows from its parameters"):
        least_epsilon(plan, (ProtocolChoice("ue"),), "l1", 0.1)[0]
    with pytest.raises(WorkbenchError, match="is no error"):
        fewest_users(plan, (choice,), "l7", 0.1)[0]
    with pytest.raises(WorkbenchError, match="at least one person"):
        CollectionPlan(0, 10, 1.0)
    with pytest.raises(WorkbenchError, match="for 10 values"):
        CollectionPlan(10, 10, 1.0, shape=Shape.OWN, guess=(1.0, 2.0))


def test_estimates_are_not_cut_to_whole_numbers_nor_at_zero_without_being_asked() -> None:
    few = np.array([5, 0, 0, 0, 0, 95])
    found = simulate_frequencies(ProtocolChoice("oue"), few, SimulationSetting(0.5, 100, 1, RAW, seed=2))
    assert (found.estimate < 0).any()
    assert not np.allclose(found.estimate, np.rint(found.estimate))
    usual = simulate_frequencies(ProtocolChoice("oue"), few, SimulationSetting(0.5, 100, 3))
    assert (usual.estimate >= 0).all() and usual.estimate.sum() == pytest.approx(100)


def test_randomised_response_is_unbiased_and_its_error_is_that_of_theory() -> None:
    counts = np.array([8_000, 2_000])
    coins = ProtocolChoice("rr", {"design": "coins"})
    found = simulate_frequencies(coins, counts, SimulationSetting(1.0, 10_000, 400, RAW))
    assert found.epsilon == pytest.approx(np.log(3), abs=1e-9)
    deviation = np.sqrt(10_000 * 0.75 * 0.25 / 0.5**2)
    assert np.abs(found.estimate - counts).max() < 5 * deviation / np.sqrt(400)
    assert found.errors["l1"].mean == pytest.approx(2 * np.sqrt(2 / np.pi) * deviation / 10_000, rel=0.2)


def test_baselines_are_a_uniform_guess_and_geometric_noise() -> None:
    found = baselines(COUNTS, SimulationSetting(1.0, 6000, 200))
    assert found.uniform["l1"] == pytest.approx(np.abs(COUNTS / 6000 - 1 / 6).sum())
    noisy = global_histograms(np.full(4, 10_000), 1.0, 2000, seed_of(1, "x"))
    alpha = np.exp(-1.0)
    # Norm-Sub to the noisy total moves nothing here, so the variance is that of the noise: 2α/(1−α)².
    assert noisy.var() == pytest.approx(2 * alpha / (1 - alpha) ** 2, rel=0.1)
    assert np.allclose(noisy, np.rint(noisy))


def test_people_are_scaled_without_losing_or_adding_any() -> None:
    for number in (1, 2, 3, 5, 7, 11, 100, 6000, 12_345):
        scaled = people(COUNTS, number)
        assert scaled.sum() == number
        assert np.abs(scaled - COUNTS * number / 6000).max() < 1
    assert people(COUNTS, 6000).tolist() == COUNTS.tolist()
    assert people(np.ones(3, dtype=int), 5).sum() == 5


def test_a_simulation_repeats_with_its_seed_whatever_else_is_asked() -> None:
    choices = [ProtocolChoice("grr"), ProtocolChoice("oue")]
    cells = [SweepCell(0.5, 6000), SweepCell(1.0, 6000), SweepCell(1.0, 500)]
    setting = SimulationSetting(1.0, 6000, 5, seed=9)
    seen: list[SweepPoint] = []
    whole = sweep(choices, cells, COUNTS, setting, partial=seen.append)
    assert seen == list(whole.points)
    alone = sweep(choices[1:], cells[1:2], COUNTS, setting)
    same = next(point for point in whole.series(choices[1]) if point.cell == cells[1])
    assert same.errors["l1"].values.tolist() == alone.points[0].errors["l1"].values.tolist()
    direct = simulate_frequencies(choices[1], COUNTS, SimulationSetting(1.0, 6000, 5, seed=9))
    assert direct.errors["l1"].values.tolist() == same.errors["l1"].values.tolist()
    other = simulate_frequencies(choices[1], COUNTS, SimulationSetting(1.0, 6000, 5, seed=10))
    assert other.errors["l1"].values.tolist() != same.errors["l1"].values.tolist()


def test_a_sweep_leaves_gaps_where_a_protocol_does_not_exist_and_can_be_cancelled() -> None:
    found = sweep(
        [ProtocolChoice("ds")], [SweepCell(0.5, 600), SweepCell(1.0, 600)], COUNTS, SimulationSetting(1.0, 600, 2)
    )
    assert found.points[0].problem and not found.points[0].errors
    assert not found.points[1].problem and set(found.points[1].errors) == set(METRICS)
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        sweep(
            [ProtocolChoice("oue")],
            [SweepCell(0.5, 600)],
            COUNTS,
            SimulationSetting(1.0, 600, 2),
            progress=Progress(token=token),
        )


@pytest.mark.parametrize("identifier", MEANS)
def test_means_are_estimated_without_bias_and_with_the_stated_deviation(identifier: str) -> None:
    values = np.linspace(-0.9, 0.5, 2000)
    found = simulate_mean(
        ProtocolChoice(identifier), values, SimulationSetting(1.0, 2000, 100), half_range=50.0, middle=50.0
    )
    truth = 50 + 50 * values.mean()
    assert abs(found.estimates.mean() - truth) < 5 * found.deviation / 10
    assert found.estimates.std(ddof=1) / found.deviation == pytest.approx(1.0, abs=5 / np.sqrt(2 * 99))
    assert found.errors.values.tolist() == pytest.approx(np.abs(found.estimates - truth).tolist())


def test_heavy_hitters_of_a_large_domain_are_found_and_nobody_else_is_called_sure() -> None:
    generator = np.random.default_rng(0)
    values = generator.integers(0, 20_000, 20_000)
    values[:6000], values[6000:9000] = 17_777, 4
    randomiser = ProtocolChoice("olh", {"functions": 1024}).frequency(20_000, 3.0)
    found = heavy_hitters(randomiser, collect(randomiser, values, SeededSource(0)), 10)
    assert [one.code for one in found[:2]] == [17_777, 4]
    assert [one.sure for one in found[:2]] == [True, True]
    assert sum(one.sure for one in found) == 2
    assert found[0].low < 6000 < found[0].high
    one = heavy_hitters(randomiser, collect(randomiser, values, SeededSource(0)), 1)
    assert [each.code for each in one] == [17_777]
    with pytest.raises(WorkbenchError, match="At least one"):
        heavy_hitters(randomiser, collect(randomiser, values[:10], SeededSource(5)), 0)


def test_errors_are_between_normalised_distributions() -> None:
    found = errors(np.array([1.0, 1.0, 2.0]), np.array([[10.0, 10.0, 20.0], [4.0, 0.0, 0.0]]))
    np.testing.assert_allclose(found["l1"], [0.0, 1.5])
    np.testing.assert_allclose(found["kantorovich"], [0.0, 1.25])


def test_nobody_and_nonsense_are_refused() -> None:
    with pytest.raises(WorkbenchError, match="nobody"):
        simulate_frequencies(ProtocolChoice("grr"), np.zeros(3, dtype=int), SimulationSetting(1.0, 1))
    for bad in ({"users": 0}, {"users": 1, "repetitions": 0}, {"users": 1, "seed": -1}):
        with pytest.raises(WorkbenchError):
            SimulationSetting(1.0, **bad)
    with pytest.raises(WorkbenchError, match="mean, not how many"):
        simulate_frequencies(ProtocolChoice("duchi"), COUNTS, SimulationSetting(1.0, 10))
    with pytest.raises(WorkbenchError, match="does not estimate means"):
        simulate_mean(ProtocolChoice("grr"), np.zeros(3), SimulationSetting(1.0, 3))


@pytest.mark.parametrize("text", ["ue=0.75:0.25", "ue=p:0.75:q:0.25", "ue=q:0.25:0.75"])
def test_choices_are_read_as_they_are_written_in_commands(text: str) -> None:
    assert ProtocolChoice.parse(text) == ProtocolChoice("ue", {"p": 0.75, "q": 0.25})
    with pytest.raises(WorkbenchError, match="more values"):
        ProtocolChoice.parse("ue=0.75:0.25:0.1:0.2")
    with pytest.raises(WorkbenchError, match="no local protocol"):
        ProtocolChoice.parse("magic")


def test_on_real_ages_the_advised_protocol_errs_as_predicted(shared_data: Path) -> None:
    column = read_table(shared_data / "age_reports.csv").table["value"]
    counts = np.zeros(50, dtype=np.int64)
    for value, count in zip(column.values, column.counts.tolist(), strict=True):
        counts[int(value)] = count
    plan = CollectionPlan(200_000, 50, 3.0, ordinal=True)
    found = predict(plan)
    best = [one.choice.identifier for one in best_of(recommended(plan, found), "l1")]
    for name in (*best, "oue", "square-wave"):
        choice = ProtocolChoice(name)
        measured = simulate_frequencies(choice, counts, SimulationSetting(3.0, 200_000, 4, seed=2)).errors["l1"].mean
        predicted = next(one for one in found if one.choice.identifier == name).l1
        assert measured / 2 < predicted < 2 * measured, name
        assert name == "square-wave" or measured < 0.05
    assert "square-wave" not in best


def test_the_textbook_questions_about_occupations_come_out_within_five_deviations(shared_data: Path) -> None:
    column = read_table(shared_data / "adult" / "adult.csv").table["occupation"]
    sales = int(column.counts[column.values.index("Sales")])
    rows = len(column)
    asked = np.array([rows - sales, sales])
    coins = simulate_frequencies(
        ProtocolChoice("rr", {"design": "coins"}), asked, SimulationSetting(1.0, rows, 50, RAW, seed=1)
    )
    # p = 3/4, q = 1/4: the estimate is 2C − n/2, with variance n·p(1 − p)/(p − q)².
    deviation = np.sqrt(rows * 0.75 * 0.25) / 0.5
    assert abs(coins.estimate[1] - sales) < 5 * deviation / np.sqrt(50)
    unary = simulate_frequencies(
        ProtocolChoice("ue", {"p": 0.75, "q": 0.25}), column.counts, SimulationSetting(1.0, rows, 50, RAW, seed=1)
    )
    assert unary.epsilon == pytest.approx(2 * np.log(3), abs=1e-9)
    assert np.abs(unary.estimate - column.counts).max() < 5 * deviation / np.sqrt(50)


def test_a_sweep_tells_how_far_it_is_without_going_back() -> None:
    told: list[float] = []
    choices = [ProtocolChoice("grr"), ProtocolChoice("oue")]
    cells = [SweepCell(0.5, 600), SweepCell(1.0, 600)]
    sweep(
        choices, cells, COUNTS, SimulationSetting(1.0, 600, 2), progress=Progress(lambda done, _text: told.append(done))
    )
    assert told == sorted(told) and told[-1] == 1 and len({done for done in told if 0.5 < done < 1}) >= 2


def test_a_curator_estimate_is_the_mean_over_all_collections() -> None:
    """Noise of two-sided geometric steps at ε = 5 is below 1 on average, and 200 collections are more than a block."""
    found = baselines(COUNTS, SimulationSetting(5.0, int(COUNTS.sum()), 200))
    np.testing.assert_allclose(found.curator_estimate, COUNTS, atol=0.5)
    assert {len(one.values) for one in found.curator.values()} == {200}


def test_what_stands_for_no_value_is_no_heavy_hitter() -> None:
    randomiser = ProtocolChoice("grr").frequency(4, 6.0)
    support = collect(randomiser, np.repeat([0, 1, 2, 3], [50, 200, 100, 600]), SeededSource(1))
    assert [one.code for one in heavy_hitters(randomiser, support, 9)] == [3, 1, 2, 0]
    randomiser.apart = 1
    assert [one.code for one in heavy_hitters(randomiser, support, 9)] == [1, 2, 0]
    assert [one.code for one in heavy_hitters(randomiser, support, 1)] == [1]
    with pytest.raises(WorkbenchError):
        heavy_hitters(randomiser, support, 0)


@pytest.mark.parametrize("text", ["olh=g", "ue=p", "ue=0.75:q", "olh=4:g", "grr=1", "olh=x"])
def test_a_name_without_a_value_is_refused_in_words(text: str) -> None:
    with pytest.raises(WorkbenchError):
        ProtocolChoice.parse(text)
