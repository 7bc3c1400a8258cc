"""What is predicted of a collection, by definition: whom it asks, how often it is drawn, which case is the worst."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from workbench.ldp import prediction
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.mean_prediction import MeanPlan, planned_means
from workbench.ldp.plan import ASSUMED, CollectionPlan, Shape
from workbench.ldp.prediction import (
    Prediction,
    as_tuple,
    expected_error,
    predict,
    predict_one,
    reference,
    sampling_alone,
)
from workbench.ldp.sampling import sampling_error, whole
from workbench.session.collection.decision import moved_by_chance, other_for_mean
from workbench.session.collection.words import WIDER, mean_words

METRICS = ("l1", "l2", "kantorovich")
OUE = ProtocolChoice("oue")


def prediction_of(l1: float, se: float, *, estimator: str = "", choice: ProtocolChoice = OUE) -> Prediction:
    return Prediction(choice, "", 1.0, 8.0, l1, 2 * l1, 3 * l1, {"l1": se, "l2": 0.0}, estimator)


def test_the_number_of_drawn_collections() -> None:
    """400, fewer where that is more than 32,768 numbers, at least 4; of those that iterate 64, or 1,600 values."""
    for domain_size in (2, 81, 82, 100, 8191, 8192, 8193, 10**6):
        assert prediction._draws(domain_size) == max(4, min(400, 32_768 // domain_size))
        for cases in (1, 2, 3):
            assert prediction._draws(domain_size, iterated=cases) == max(4, min(64, 1_600 // domain_size) // cases)


def test_shares_become_people_by_the_largest_remainders() -> None:
    for users in range(1, 7):
        for parts in product(range(4), repeat=3):
            if not sum(parts):
                continue
            exact = [Fraction(part * users, sum(parts)) for part in parts]
            (found,) = whole(np.array([[float(one) for one in exact]]), users).tolist()
            assert sum(found) == users
            rest = users - sum(math.floor(one) for one in exact)
            first = sorted(range(3), key=lambda at: math.floor(exact[at]) - exact[at])[:rest]
            remainders = sorted((exact[at] - math.floor(exact[at]) for at in range(3)), reverse=True)
            if rest in (0, 3) or remainders[rest - 1] > remainders[rest]:  # otherwise either is right
                assert found == [math.floor(one) + (at in first) for at, one in enumerate(exact)]


def test_an_error_is_told_from_another_beyond_two_standard_errors() -> None:
    better = prediction_of(1.0, 3.0)
    assert not prediction_of(11.0, 4.0).told_from(better, "l1")  # exactly twice the 5 they have together
    assert prediction_of(11.5, 4.0).told_from(better, "l1")
    assert not better.told_from(prediction_of(12.0, 4.0), "l1")
    assert [better.error(metric) for metric in METRICS] == [1.0, 2.0, 3.0]
    assert math.isnan(better.se("kantorovich")) and better.se("l1") == 3.0


@pytest.mark.parametrize(
    ("identifier", "estimator", "smooths"),
    [
        ("oue", "", False),
        ("oue", "ems", True),
        ("oue", "em-smoothed", True),
        ("oue", "em", False),
        ("square-wave", "", True),
        ("square-wave", "em", True),
    ],
)
def test_whether_neighbours_are_taken_to_be_alike(identifier: str, estimator: str, smooths: bool) -> None:
    assert prediction_of(1, 1, estimator=estimator, choice=ProtocolChoice(identifier)).smooths is smooths


def test_the_worst_case_counts_for_each_metric_by_itself() -> None:
    plan = CollectionPlan(500, 8, 1.0, ordinal=True)
    whole = predict_one(plan, OUE)
    assert tuple(whole.cases) == ASSUMED
    for metric in METRICS:
        worst = max(ASSUMED, key=lambda shape: whole.cases[shape][metric])
        assert whole.error(metric) == whole.cases[worst][metric] == expected_error(plan, OUE, metric)
        alone = predict_one(replace(plan, shape=worst), OUE)
        assert (alone.error(metric), alone.se(metric)) == (whole.error(metric), whole.se(metric))


def test_guesses_and_curators_err_as_the_shares_say() -> None:
    shares = (0.5, 0.25, 0.25, 0.0)
    plan = CollectionPlan(10_000, 4, 1.0, shape=Shape.OWN, guess=(4, 2, 2, 0))
    found = reference(plan)
    assert found.uniform["l1"] == pytest.approx(0.5)
    assert found.uniform["l2"] == pytest.approx(math.sqrt(2 * 0.25**2))
    below = np.cumsum(shares) - np.cumsum([0.25] * 4)
    assert found.uniform["kantorovich"] == pytest.approx(np.abs(below[:-1]).sum())
    assert tuple(found.uniform_cases) == tuple(found.curator_cases) == (Shape.OWN,)
    # Two-sided geometric noise of ε = 1 on each of four counts: together 3.7 rows are misplaced or so.
    assert 1e-4 < found.curator["l1"] < 1e-3
    together = reference(CollectionPlan(500, 8, 1.0))
    for metric, of in product(METRICS, ("uniform", "curator")):
        assert getattr(together, of)[metric] == max(case[metric] for case in getattr(together, f"{of}_cases").values())


def test_the_error_of_asking_some_is_that_of_the_people_there_are() -> None:
    plan = CollectionPlan(600, 3, 1.0, shape=Shape.OWN, guess=(3, 2, 1), sampling=True)
    shares = np.array([3, 2, 1]) / 6
    assert sampling_alone(plan) == pytest.approx(sampling_error(shares, 600))
    three_each = replace(plan, of_one_person=3)
    assert sampling_alone(three_each) == pytest.approx(sampling_error(shares, 200))
    without = expected_error(replace(plan, sampling=False), OUE, "l1")
    assert without < expected_error(plan, OUE, "l1") < expected_error(three_each, OUE, "l1")


def test_reports_of_a_person_are_alike_and_as_many_as_are_asked_for() -> None:
    for users, each in ((600, 1), (600, 3), (601, 3), (7, 7)):
        plan = CollectionPlan(users, 3, 1.0, shape=Shape.OWN, guess=(3, 2, 1), sampling=True, of_one_person=each)
        right, asked = prediction._crowds(plan, 5)
        assert asked.shape == (5, 3) and asked.sum(axis=1).tolist() == [users] * 5
        assert np.allclose(right, [[1 / 2, 1 / 3, 1 / 6]])
        assert len({tuple(row) for row in asked.tolist()}) > 1 or each == users
        alike = prediction._crowds(replace(plan, sampling=False), 5)
        assert (alike[0] == alike[1]).all() and alike[1].sum(axis=1).tolist() == [users] * 5


def test_ranked_by_the_metric_that_is_asked_and_those_that_cannot_be_used_last() -> None:
    plan = CollectionPlan(500, 8, 1.0)
    choices = [ProtocolChoice(name) for name in ("square-wave", "grr", "oue", "subset-selection")]
    for metric in METRICS:
        found = predict(plan, choices, by=metric)
        assert [bool(one.problem) for one in found] == [False, False, False, True]
        assert found[-1].choice == choices[0] and math.isnan(found[-1].error(metric)) and not found[-1].ses
        usable = [one.error(metric) for one in found[:-1]]
        assert usable == sorted(usable)
    assert as_tuple(None) == () and as_tuple(np.array([1, 2])) == (1.0, 2.0)


def test_few_collections_tell_protocols_apart_by_students_t() -> None:
    """Of 10 draws 2.262 standard errors are chance: of 0.003 each a difference of 0.009 is, 0.01 is not."""

    def one(l1: float, draws: int) -> Prediction:
        return replace(prediction_of(l1, 0.003), draws=draws)

    assert 2.0 * 0.003 * math.sqrt(2) < 0.009 < 2.262 * 0.003 * math.sqrt(2)
    assert not one(0.109, 10).told_from(one(0.1, 10), "l1") and one(0.109, 400).told_from(one(0.1, 400), "l1")
    assert not one(0.109, 400).told_from(one(0.1, 10), "l1") and one(0.11, 10).told_from(one(0.1, 10), "l1")
    # One collection tells nothing at all.
    single = replace(prediction_of(5.0, math.nan), draws=1)
    assert not single.told_from(replace(prediction_of(0.1, math.nan), draws=1), "l1")


@pytest.mark.parametrize(("size", "draws", "t"), [(40, 13, 2.1788), (900, 4, 3.1824)])
def test_how_far_chance_moves_a_prediction_follows_from_how_many_collections_were_drawn(
    size: int, draws: int, t: float
) -> None:
    plan = CollectionPlan(2000, size, 1.0, ordinal=True, method=EstimationMethod("em"))
    found = predict_one(plan, ProtocolChoice("grr"))
    assert len(plan.cases) == 3 and found.draws == draws
    said = re.fullmatch(r"[\d.]+.% is simulated, give or take (\S+) points\.", moved_by_chance(found))
    moved = 50 * t * found.se("l1")
    assert said is not None and moved <= float(said[1]) <= 1.1 * moved


def test_a_mean_is_within_its_margin_whatever_the_answers_are() -> None:
    """By hand, of Duchi's mechanism at ε = ln 3: a report is ± 2 and so of variance 4 at most, where the answer is 0.

    500 reports within 0 to 120: 60 · √(4 ÷ 500) = 5.3666, of which 1.95996 times are 10.518; and 0.51
    of the step of a report more, 60 · 4 ÷ 500: 10.763.
    """
    (found,) = planned_means(MeanPlan(500, math.log(3), (0.0, 120.0)), (ProtocolChoice("duchi"),))
    assert found.worst == pytest.approx(5.3666, abs=1e-4)
    assert other_for_mean((found,), "years") == (
        "For a mean alone, take Duchi's mechanism: within ± 10.8 years of the mean of those asked, with 95 %, whatever "
        "they answer. People then report a noisy number."
    )
    assert "within ± 10.8 of the mean of those asked, with 95 %, whatever they answer." in mean_words(found, "")
    assert "standard deviation is at most 5.367" in mean_words(found, "") and WIDER in mean_words(found, "")
    (many,) = planned_means(MeanPlan(5_000_000, math.log(3), (0.0, 120.0)), (ProtocolChoice("duchi"),))
    assert WIDER not in mean_words(many, ""), "of many people it is 1.96 of them"
    assert other_for_mean(()) == ""
