"""diffprivlib as published: each of its known edges, and the guard that catches it."""

from __future__ import annotations

import itertools
import math
import secrets
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.query.helpers import measured, seeded
from workbench.core.composition import ADD_REMOVE, REPLACE_ONE
from workbench.core.discrete_noise import Coins
from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.query import diffprivlib_bridge, diffprivlib_mechanism
from workbench.query.catalogue import QUERIES, NoiseSource, QueryDraft
from workbench.query.diffprivlib_tools import CUT, NO_VALUE
from workbench.query.plans import QueryPlan, plan

with warnings.catch_warnings():
    from diffprivlib import tools
    from diffprivlib.accountant import BudgetAccountant
    from diffprivlib.mechanisms import Geometric

AGE: dict[str, Any] = {"column": "age"}
WIDE = Schema(
    (ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0)), ColumnSpec("town", Kind.CATEGORY, domain=("A", "B")))
)
PEOPLE = [(str(age), "AB"[age % 2]) for age in range(0, 100, 2)]


def asked(kind: str, epsilon: str = "1", tool: str = "", described: Schema = WIDE, **values: Any) -> QueryPlan:
    return plan(QueryDraft(kind, epsilon, values, noise=NoiseSource.DIFFPRIVLIB, tool=tool), described)


EVERY = [(kind.identifier, tool) for kind in QUERIES for tool in kind.tools]


def values_for(kind: str) -> dict[str, Any]:
    if kind == "count":
        return {}
    return {**AGE, "second_column": "town"} if kind == "histogram2d" else AGE


def test_every_tool_is_offered() -> None:
    names = ("mean", "var", "std", "sum", "nanmean", "nanvar", "nanstd", "nansum", "count_nonzero")
    assert {tool for _, tool in EVERY} == {*names, "histogram", "histogram2d", "quantile", "percentile", "median"}


@pytest.mark.parametrize(("kind", "tool"), EVERY)
def test_simulations_are_distributed_as_the_tool_itself(kind: str, tool: str) -> None:
    """300 seeded answers of the tool against 3,000 simulated ones: means within 6 standard errors, fixed seeds."""
    mechanism = asked(kind, "1", tool, **values_for(kind)).mechanism
    assert isinstance(mechanism, diffprivlib_mechanism.PublishedTool)
    statistic = measured(asked(kind, "1", tool, **values_for(kind)), PEOPLE, WIDE)
    real = np.array([mechanism.compute(statistic, random_state=seed) for seed in range(300)])
    quick = mechanism.simulate(statistic, 3_000, np.random.default_rng(5))
    assert real.shape[1] == quick.shape[1] == len(mechanism.truth(statistic))
    spread = np.hypot(real.std(axis=0) / math.sqrt(300), quick.std(axis=0) / math.sqrt(3_000))
    assert np.all(np.abs(real.mean(axis=0) - quick.mean(axis=0)) <= 6 * spread)
    assert np.all(np.abs(np.log((real.std(axis=0) + 1e-9) / (quick.std(axis=0) + 1e-9))) < 0.5)


@pytest.mark.parametrize(("kind", "tool"), EVERY)
def test_the_neighbours_a_tool_assumes_are_said(kind: str, tool: str) -> None:
    one = asked(kind, "1", tool, **values_for(kind))
    assert one.neighbours == (ADD_REMOVE if tool.startswith("histogram") else REPLACE_ONE)
    assert one.mechanism.edges
    if one.neighbours == REPLACE_ONE:
        assert any("public" in edge for edge in one.mechanism.edges)
        assert one.cells is None
        assert any("how many rows match" in sentence for sentence in one.asserted)


@pytest.mark.parametrize(("kind", "tool"), [("quantile", "quantile"), ("quantile", "percentile"), ("median", "median")])
def test_tools_that_draw_from_the_global_generator_release_nothing(kind: str, tool: str) -> None:
    """With numpy's global generator seeded, the place within the interval repeats: it is no secret."""
    array = np.arange(100.0)
    fractions = []
    for _ in range(2):
        np.random.seed(3)
        answer = tools.quantile(array, 0.5, epsilon=1, bounds=(0, 100), accountant=BudgetAccountant())
        fractions.append(answer % 1)
    assert fractions[0] == pytest.approx(fractions[1], abs=1e-12)
    one = asked(kind, "1", tool, **AGE)
    assert not one.mechanism.releasable
    with pytest.raises(WorkbenchError, match="not made for a release"):
        one.mechanism.release(one.mechanism.assumed(10), seeded(1))


def test_missing_values_never_reach_a_tool() -> None:
    """nanmean counts missing values as rows: one real value among a thousand rows can be read off."""
    column = np.r_[np.full(999, np.nan), 0.0]
    answers = [tools.nanmean(column, epsilon=1, bounds=(0, 100), accountant=BudgetAccountant()) for _ in range(20)]
    assert max(answers) < 5  # an honest answer about one row would be all over the range
    rows = [("", "A")] * 999 + [("0", "A")]
    for tool in ("mean", "nanmean"):
        one = asked("mean", "1", tool, **AGE)
        assert len(measured(one, rows, WIDE)["values"]) == 1
        counted = asked("mean", "1", tool, **AGE, missing="50")
        assert sorted(set(measured(counted, rows, WIDE)["values"].tolist())) == [0.0, 50.0]
    with pytest.raises(WorkbenchError, match="missing"):
        diffprivlib_bridge.call("mean", column, epsilon=1.0, bounds=(0, 100))


@pytest.mark.parametrize("epsilon", [math.nan, math.inf, 0.0, -1.0])
def test_an_impossible_epsilon_is_refused(epsilon: float) -> None:
    assert math.isnan(tools.mean(np.ones(3), epsilon=math.nan, bounds=(0, 1), accountant=BudgetAccountant()))
    with pytest.raises(WorkbenchError, match="finite"):
        diffprivlib_bridge.call("mean", np.ones(3), epsilon=epsilon, bounds=(0, 1))
    with pytest.raises(WorkbenchError):
        asked("mean", str(epsilon), **AGE)


def test_equal_bounds_are_refused() -> None:
    """They give the exact constant."""
    assert tools.mean(np.ones(3), epsilon=1, bounds=(3, 3), accountant=BudgetAccountant()) == 3
    with pytest.raises(WorkbenchError, match="not below"):
        asked("mean", **AGE, lower="3", upper="3")


def test_bounds_are_required() -> None:
    bare = Schema((ColumnSpec("age", Kind.INTEGER), ColumnSpec("town", Kind.CATEGORY)))
    for kind in ("mean", "variance", "sum", "histogram", "median"):
        with pytest.raises(WorkbenchError, match="bounds"):
            asked(kind, described=bare, **AGE)
    with pytest.raises(WorkbenchError, match="leak"):
        diffprivlib_bridge.call("mean", np.ones(3), epsilon=1.0)
    with pytest.raises(WorkbenchError, match="leak"):
        diffprivlib_bridge.call("histogram", np.ones(3), epsilon=1.0, bins="auto")


def test_explicit_edges_raise_no_false_alarm() -> None:
    with pytest.warns(RuntimeWarning, match="Range"):
        tools.histogram(np.ones(3), epsilon=1, bins=np.array([0.0, 2.0]), accountant=BudgetAccountant())
    one = asked("histogram", **AGE, edges="0, 20, 100")
    released = one.mechanism.release(measured(one, PEOPLE, WIDE), seeded(1))
    assert len(released.value) == 2


def test_the_global_accountant_is_never_used() -> None:
    global_one = BudgetAccountant(epsilon=1e-9, delta=0)
    before = BudgetAccountant._default
    try:
        global_one.set_default()
        one = asked("mean", **AGE)
        one.mechanism.release(measured(one, PEOPLE, WIDE), seeded(1))
        assert global_one.total() == (0, 0)
    finally:
        BudgetAccountant._default = before


def test_released_noise_cannot_be_seeded() -> None:
    """With numpy's global generator seeded the tools must still differ: their noise is the operating system's."""
    one = asked("mean", **AGE)
    statistic = measured(one, PEOPLE, WIDE)
    answers = set()
    for _ in range(3):
        np.random.seed(1)
        answers.add(one.mechanism.release(statistic, seeded(1)).value)
    assert len(answers) == 3


def test_counting_is_cut_at_the_number_of_rows_and_says_so() -> None:
    answers = [tools.count_nonzero(np.ones(5), epsilon=1, accountant=BudgetAccountant()) for _ in range(200)]
    assert answers.count(5) > 100
    one = asked("count")
    assert CUT in one.mechanism.edges
    assert one.mechanism.release(measured(one, PEOPLE, WIDE), seeded(1)).notes == one.mechanism.edges


@pytest.mark.parametrize(("bounds", "value"), [((0, 100), 0.0), ((18, 65), 18.0), ((-90, -10), -10.0)])
def test_where_no_row_matches_one_answers_that_is_public_and_that_is_said(
    bounds: tuple[int, int], value: float
) -> None:
    low, high = map(str, bounds)
    draft = QueryDraft("mean", "1", {**AGE, "lower": low, "upper": high}, "age > 100", NoiseSource.DIFFPRIVLIB)
    one = plan(draft, WIDE)
    assert measured(one, PEOPLE, WIDE)["values"].tolist() == [value]
    assert NO_VALUE in one.mechanism.edges


def test_more_rows_per_person_are_paid_for_by_group_privacy() -> None:
    mechanism = asked("mean", "1", described=Schema(WIDE.columns, PrivacyUnit(3)), **AGE).mechanism
    assert isinstance(mechanism, diffprivlib_mechanism.PublishedTool)
    assert mechanism.epsilon == 1
    assert Fraction(mechanism.given) <= Fraction(1, 3)


# Why grid noise is drawn by the program itself


class Fixed(secrets.SystemRandom):
    """A generator whose next number is known."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def diffprivlib_noise(uniform: float, sensitivity: int, value: int = 0) -> int:
    mechanism = Geometric(epsilon=1.0, sensitivity=sensitivity)
    mechanism._rng = Fixed(uniform)
    return int(mechanism.randomise(value))


def test_diffprivlibs_integer_noise_ends_somewhere_and_skips_numbers() -> None:
    """Its uniform number has 53 bits: the largest noise is bounded, and next to it there are holes.

    An answer beyond what one of two neighbouring tables can give tells them apart, so it is not ε-private for any ε.
    """
    largest = -diffprivlib_noise(math.nextafter(0.5, 0), 1)
    assert 30 < largest < 40
    with np.errstate(divide="ignore"), pytest.raises(OverflowError):
        diffprivlib_noise(0.5, 1)  # the tail beyond that is an error
    sensitivity = 10**6
    tail = [-diffprivlib_noise(0.5 - step * 2.0**-54, sensitivity) for step in range(1, 6)]
    assert all(after - before < -10_000 for before, after in itertools.pairwise(tail))
    # The same noise from whole numbers: odd and even, near and far.
    coins = Coins(SeededSource(1))
    assert {coins.two_sided(Fraction(1, sensitivity)) % 2 for _ in range(50)} == {0, 1}


def test_diffprivlibs_integer_noise_rounds_large_values() -> None:
    """Beyond 2⁵³ the sum of value and noise is a float, so neighbouring values can give the same set of answers."""
    odd = 2**60 + 1
    answers = {diffprivlib_noise(uniform, 1, odd) % 2 for uniform in np.linspace(0.01, 0.99, 99) if uniform != 0.5}
    assert answers == {0}
    coins = Coins(SeededSource(2))
    assert {(odd + coins.two_sided(Fraction(1))) % 2 for _ in range(50)} == {0, 1}


@pytest.mark.parametrize(
    "kind,tool,most",
    [
        ("mean", "mean", 100.0),
        ("sum", "nansum", 5000.0),
        ("variance", "var", 2500.0),
        ("standard-deviation", "nanstd", 50.0),
    ],
)
def test_no_answer_is_beyond_what_numbers_within_the_bounds_can_give(kind: str, tool: str, most: float) -> None:
    """The largest deviation is that of half the rows at each end: half the width."""
    mechanism = asked(kind, "1", tool, **AGE).mechanism
    assert isinstance(mechanism, diffprivlib_mechanism.PublishedTool)
    statistic = {"values": np.full(50, 40.0)}
    assert mechanism.cut(np.array([-1.0, 1e9]), statistic).tolist() == [0.0, most]
    assert mechanism.cut(np.array([most - 1, most]), statistic).tolist() == [most - 1, most]


@pytest.mark.parametrize("kind", ["mean", "sum"])
def test_an_axis_reaches_as_far_as_the_noise_of_all_but_a_twentieth(kind: str) -> None:
    """20,000 seeded answers of a tool whose noise is nowhere near its limits; a false alarm once in 100,000."""
    mechanism = asked(kind, "1", "", **AGE).mechanism
    statistic = mechanism.assumed(10_000)
    reach = mechanism.reach(statistic)
    wrong = mechanism.simulate(statistic, 20_000, np.random.default_rng(5)) - mechanism.truth(statistic)
    beyond = float((np.abs(wrong) > reach).mean())
    assert abs(beyond - 0.05) < 4.5 * math.sqrt(0.05 * 0.95 / 20_000)


def test_half_of_the_rows_that_are_assumed_match() -> None:
    statistic = asked("count", tool="count_nonzero").mechanism.assumed(50)
    assert (len(statistic["values"]), int(statistic["values"].sum())) == (100, 50)
