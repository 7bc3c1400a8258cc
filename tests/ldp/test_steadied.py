"""Expected errors by formula: how many people are enough, and what is the same mechanism under several names."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.needed import fewest_users
from workbench.ldp.participation import planned_randomiser
from workbench.ldp.plan import CollectionPlan, Shape
from workbench.ldp.prediction import every_protocol, expected_error, predict, predict_one
from workbench.ldp.simulated_reports import drawn_estimates, people, seed_of
from workbench.ldp.steadied import linear, steadied
from workbench.session.collection.words import upwards

YES_NO = CollectionPlan(1_000, 2, 1.0, sampling=True)
VARIANCE = math.e / (math.e - 1) ** 2
"""Of a share by randomised response with ε = 1, times the people."""


@pytest.mark.parametrize("sampling,drawn", [(True, 0.25), (False, 0.0)])
@pytest.mark.parametrize("misplaced", [0.01, 0.05])
def test_people_for_a_yes_or_no_are_those_of_de_moivre(sampling: bool, drawn: float, misplaced: float) -> None:
    """√(2/π) σ is what a normal number is off on average, so n = (2/π)(v + ¼) ÷ e²: 7,453 for 1 %."""
    enough = 2 / math.pi * (VARIANCE + drawn) / misplaced**2
    plan = replace(YES_NO, sampling=sampling)
    found, by = fewest_users(plan, every_protocol(2, ordinal=False), "l1", 2 * misplaced)
    assert enough <= found <= 1.001 * enough + 1 and by.identifier == "grr"


@pytest.mark.parametrize("identifier,size,target", [("grr", 2, 0.02), ("oue", 5, 0.1), ("grr", 12, 0.4)])
@pytest.mark.parametrize("sampling", [True, False])
def test_with_as_many_people_as_are_enough_the_prediction_meets_the_goal(
    identifier: str, size: int, target: float, sampling: bool
) -> None:
    choice, plan = ProtocolChoice(identifier), CollectionPlan(100, size, 1.0, sampling=sampling)
    found = fewest_users(plan, (choice,), "l1", target)[0]
    for users in (found, int(upwards(found, 2))):
        assert predict_one(replace(plan, users=users), choice).l1 <= target


@pytest.mark.parametrize("users", [30, 300, 7_100])
@pytest.mark.parametrize("sampling", [True, False])
def test_one_mechanism_under_three_names_has_one_error(users: int, sampling: bool) -> None:
    plan = replace(YES_NO, users=users, sampling=sampling)
    names = ("rr", "subset-selection", "grr")
    found = predict(plan, [ProtocolChoice(one) for one in names])
    for metric in ("l1", "l2", "kantorovich"):
        assert len({one.error(metric) for one in found}) == 1
        assert not any(one.told_from(other, metric) for one in found for other in found)


def test_what_is_a_formula_is_not_simulated() -> None:
    one = predict_one(replace(YES_NO, users=7_453), ProtocolChoice("grr"))
    assert one.l1 == pytest.approx(0.02, rel=1e-4) and one.se("l1") == 0
    few = predict_one(CollectionPlan(50, 20, 1.0, sampling=True), ProtocolChoice("oue"))
    assert few.se("l1") > 0


@pytest.mark.parametrize("identifier", ["grr", "oue"])
def test_the_formula_is_what_simulated_reports_err_by(identifier: str) -> None:
    plan = CollectionPlan(4_000, 4, 1.0, shape=Shape.UNIFORM)
    choice = ProtocolChoice(identifier)
    counts = people(np.ones(4, dtype=np.int64), plan.users)
    randomiser = planned_randomiser(plan, choice)
    found, exactly = drawn_estimates(randomiser, counts, 4_000, seed_of(1), plan.method)
    wrong = np.abs(found - counts).sum(axis=1) / plan.users
    assert exactly
    assert abs(wrong.mean() - expected_error(plan, choice, "l1")) < 5 * wrong.std() / math.sqrt(len(wrong))


@pytest.mark.parametrize("apart", [0, 1])
@pytest.mark.parametrize("sums", [True, False])
def test_what_is_expected_without_cutting_is_the_mean_of_the_tries(sums: bool, apart: int) -> None:
    tries, size = 20_000, 3
    generator = np.random.default_rng(5)
    root = generator.normal(size=(size + apart, size + apart))
    noise = generator.normal(size=(tries, size + apart)) @ root
    shares = np.tile(np.array([0.5, 0.3, 0.2]), (tries, 1))
    drawn = generator.multinomial(1_000, shares[0], tries) / 1_000 - shares
    found = linear(shares, drawn, 0.01 * noise, 1e-4 * root.T @ root, 1_000.0, sums=sums, apart=apart)
    assert found is not None
    chance = found.tried - found.expected
    assert abs(chance.mean()) < 5 * chance.std() / math.sqrt(tries)
    after = shares + drawn + 0.01 * noise[:, :size]
    if sums:
        rest = noise.sum(axis=1, keepdims=True) * 0.01 / (size + apart)
        after = after - rest
    small = 1e-4
    whole = shares + small * (after - shares)
    if apart == 0 and sums:
        assert np.abs(after - shares).sum(axis=1) == pytest.approx(found.tried)
    elif apart == 0:
        first_order = np.abs(whole / whole.sum(axis=1, keepdims=True) - shares).sum(axis=1) / small
        assert first_order == pytest.approx(found.tried, rel=1e-3, abs=1e-5)


def test_of_few_who_are_drawn_nothing_is_said_by_formula() -> None:
    shares, nothing = np.full((2, 2), 0.5), np.zeros((2, 2))
    few = linear(shares, nothing, nothing, np.zeros((2, 2)), 5.0, sums=True, apart=0)
    many = linear(shares, nothing, nothing, np.zeros((2, 2)), 5_000.0, sums=True, apart=0)
    assert few is None and many is not None
    assert many.expected == pytest.approx(2 * math.sqrt(2 / math.pi * 0.25 / 5_000))


def test_without_anything_beside_it_an_error_is_the_mean_of_its_tries() -> None:
    assert steadied(np.array([1.0, 3.0]), None) == (2.0, 1.0)
