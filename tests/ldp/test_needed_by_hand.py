"""What an error takes, of protocols whose errors are a formula: found from above, to a hundredth, within its limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from workbench.core.errors import WorkbenchError
from workbench.ldp import needed
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.needed import fewest_users, least_epsilon
from workbench.ldp.plan import CollectionPlan

PLAN = CollectionPlan(400, 8, 2.0)
FACTORS = {"grr": 6.0, "oue": 4.0, "olh": 5.0, "rr": 1.0}
Asked = list[tuple[int, float, str, str]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Errors of factor/(ε·√n), and what was asked for."""
    found: Asked = []

    def error(plan: CollectionPlan, choice: ProtocolChoice, metric: str) -> float:
        found.append((plan.users, plan.epsilon, choice.identifier, metric))
        return FACTORS[choice.identifier] / (plan.epsilon * math.sqrt(plan.users))

    monkeypatch.setattr(needed, "expected_error", error)
    return found


@pytest.mark.parametrize("identifier", ["grr", "oue"])
@pytest.mark.parametrize("target", [3.0, 0.7, 0.1, 0.004, 1.2e-4])
def test_people_are_found_from_above_to_a_hundredth(asked: Asked, identifier: str, target: float) -> None:
    enough = (FACTORS[identifier] / (2.0 * target)) ** 2
    found = fewest_users(PLAN, (ProtocolChoice(identifier),), "l2", target)[0]
    assert max(enough, 1) - 1e-9 <= found <= max(1.01 * enough + 1, 1)
    assert {(epsilon, name, metric) for _, epsilon, name, metric in asked} == {(2.0, identifier, "l2")}


@pytest.mark.parametrize("target", [40.0, 3.0, 0.7, 0.02])
def test_epsilon_is_found_from_above_to_a_hundredth(asked: Asked, target: float) -> None:
    enough = max(6.0 / (20.0 * target), 0.01)
    found = least_epsilon(PLAN, (ProtocolChoice("grr"),), "l1", target)[0]
    assert enough <= found <= 1.01 * enough
    assert {(users, name, metric) for users, _, name, metric in asked} == {(400, "grr", "l1")}


def test_what_the_least_there_is_reaches_is_the_least(asked: Asked) -> None:
    assert fewest_users(PLAN, (ProtocolChoice("grr"),), "l1", 3.0)[0] == 1
    assert fewest_users(PLAN, (ProtocolChoice("grr"),), "l1", 2.99)[0] == 2
    assert least_epsilon(PLAN, (ProtocolChoice("grr"),), "l1", 30.0)[0] == 0.01
    assert least_epsilon(PLAN, (ProtocolChoice("grr"),), "l1", 29.9)[0] > 0.01


def test_a_billion_people_and_an_epsilon_of_20_are_the_most(asked: Asked) -> None:
    most = 3.0 / math.sqrt(1e9)
    assert fewest_users(PLAN, (ProtocolChoice("grr"),), "l1", most * 1.001)[0] >= 990_000_000
    assert max(users for users, *_ in asked) <= 10**9
    with pytest.raises(WorkbenchError, match="Not even") as caught:
        fewest_users(PLAN, (ProtocolChoice("grr"),), "l1", most * 0.999)[0]
    assert caught.value.field == "target"
    assert least_epsilon(PLAN, (ProtocolChoice("grr"),), "l1", 0.01501)[0] == pytest.approx(20, rel=0.01)
    assert max(epsilon for _, epsilon, *_ in asked) <= 20
    with pytest.raises(WorkbenchError, match="No ε up to 20") as caught:
        least_epsilon(PLAN, (ProtocolChoice("grr"),), "l1", 0.01499)[0]
    assert caught.value.field == "target"


@pytest.mark.parametrize("order", [("grr", "oue", "olh"), ("oue", "olh", "grr"), ("olh", "grr", "oue")])
def test_the_protocol_that_needs_least_is_named_wherever_it_stands(asked: Asked, order: tuple[str, ...]) -> None:
    some = [ProtocolChoice(one) for one in order]
    people, by = fewest_users(PLAN, some, "l1", 0.02)
    assert by.identifier == "oue" and 10_000 <= people <= 10_101
    epsilon, by = least_epsilon(PLAN, some, "l1", 0.02)
    assert by.identifier == "oue" and 10 <= epsilon <= 10.1


@pytest.mark.parametrize(("less", "named"), [(0.01, "grr"), (0.06, "oue")])
def test_hardly_less_may_be_chance(asked: Asked, monkeypatch: pytest.MonkeyPatch, less: float, named: str) -> None:
    """Of ε 3 % less is too little to name another one; found to 1 %, so one is tried on each side."""
    monkeypatch.setitem(FACTORS, "oue", 6.0 * (1 - less))
    some = [ProtocolChoice("grr"), ProtocolChoice("oue")]
    assert least_epsilon(PLAN, some, "l1", 0.02)[1].identifier == named
    assert least_epsilon(PLAN, some[::-1], "l1", 0.02)[1].identifier == "oue"


def test_an_error_that_is_the_target_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors that fall in one step, to the very target: of grr at 50 people and at ε = 5, of the other one before."""
    before: dict[str, float] = {"grr": 50, "oue": 40}

    def error(plan: CollectionPlan, choice: ProtocolChoice, metric: str) -> float:
        step = before[choice.identifier]
        return 2.0 if plan.users >= step and plan.epsilon >= step / 10 else 3.0

    monkeypatch.setattr(needed, "expected_error", error)
    plan = CollectionPlan(1000, 8, 20.0)
    grr, oue = ProtocolChoice("grr"), ProtocolChoice("oue")
    assert 50 <= fewest_users(plan, (grr,), "l1", 2.0)[0] <= 51
    assert 5 <= least_epsilon(plan, (grr,), "l1", 2.0)[0] <= 5.05
    assert fewest_users(plan, (grr,), "l1", 3.0)[0] == 1
    assert least_epsilon(plan, [grr, oue], "l1", 2.0)[1].identifier == "oue"
    monkeypatch.setitem(before, "oue", 50.0 * 0.97)
    assert least_epsilon(plan, [grr, oue], "l1", 2.0)[1].identifier == "oue"


def test_where_one_needs_the_least_there_is_no_other_is_asked(asked: Asked) -> None:
    found = fewest_users(PLAN, [ProtocolChoice("grr"), ProtocolChoice("oue")], "l1", 4.0)
    assert (found[0], found[1].identifier) == (1, "grr")
    assert {name for _, _, name, _ in asked} == {"grr"}


def test_one_that_cannot_be_brought_there_leaves_it_to_the_others(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FACTORS, "grr", 1e9)
    for order in (("grr", "oue"), ("oue", "grr")):
        assert fewest_users(PLAN, [ProtocolChoice(one) for one in order], "l1", 0.02)[1].identifier == "oue"


def test_a_protocol_that_is_not_there_at_a_small_epsilon_is_found_at_a_larger_one(
    asked: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: Callable[..., float] = needed.expected_error

    def error(plan: CollectionPlan, choice: ProtocolChoice, metric: str) -> float:
        if plan.epsilon < 3:
            raise WorkbenchError("too small", hint="more")
        return whole(plan, choice, metric)

    monkeypatch.setattr(needed, "expected_error", error)
    assert 3 <= least_epsilon(PLAN, (ProtocolChoice("grr"),), "l1", 10.0)[0] <= 3.03
    with pytest.raises(WorkbenchError, match="too small"):
        fewest_users(PLAN, (ProtocolChoice("grr"),), "l1", 10.0)[0]


def test_only_protocols_whose_epsilon_is_free_are_asked_for_one(asked: Asked) -> None:
    fixed = ProtocolChoice("rr", {"design": "coins"})
    assert fixed.own_epsilon
    assert least_epsilon(PLAN, [fixed, ProtocolChoice("grr")], "l1", 0.1)[1].identifier == "grr"
    assert "rr" not in {name for _, _, name, _ in asked}
    for some in ([fixed], [fixed, fixed]):
        with pytest.raises(WorkbenchError, match="follows from its parameters") as caught:
            least_epsilon(PLAN, some, "l1", 0.1)
        assert caught.value.field == "protocol"
    with pytest.raises(WorkbenchError, match="No ε"):
        least_epsilon(PLAN, [], "l1", 0.1)


@pytest.mark.parametrize(
    ("metric", "target", "field"),
    [("l1", 0.0, "target"), ("l1", -1.0, "target"), ("l1", math.nan, "target"), ("L1", 1.0, "metric")],
)
def test_no_error_and_no_target_are_refused(asked: Asked, metric: str, target: float, field: str) -> None:
    for ask in (fewest_users, least_epsilon):
        with pytest.raises(WorkbenchError) as caught:
            ask(PLAN, [ProtocolChoice("grr")], metric, target)
        assert caught.value.field == field
    assert not asked
