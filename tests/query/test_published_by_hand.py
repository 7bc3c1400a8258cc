"""The published tools beside their laws: errors by integration, quantiles cell by cell, every refusal and limit."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.table import Column, Table
from workbench.query.catalogue import NoiseSource, QueryDraft
from workbench.query.diffprivlib_bridge import bounded_scale
from workbench.query.diffprivlib_mechanism import PublishedTool
from workbench.query.mechanism import StatisticValues
from workbench.query.plans import plan
from workbench.query.rows import Rows

COLUMNS = (
    ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 10.0)),
    ColumnSpec("weight", Kind.DECIMAL, bounds=(20.0, 60.0), unit="kg"),
    ColumnSpec("town", Kind.CATEGORY, domain=("A", "B", "C")),
)
AGE = {"column": "age"}
WEIGHT = {"column": "weight"}


def tool(kind: str, epsilon: str = "1", name: str = "", rows_per_person: int = 1, **values: Any) -> PublishedTool:
    schema = Schema(COLUMNS, PrivacyUnit(rows_per_person))
    found = plan(QueryDraft(kind, epsilon, values, noise=NoiseSource.DIFFPRIVLIB, tool=name), schema).mechanism
    assert isinstance(found, PublishedTool)
    return found


def of(*values: float) -> StatisticValues:
    return {"values": np.array(values)}


def cut_error(scale: float, below: float, above: float) -> float:
    """E|X| of Laplace noise X that is cut at −below and above, by the trapezoidal rule."""
    x = np.linspace(-60 * scale, 60 * scale, 120_001)
    density = np.exp(-np.abs(x) / scale) / (2 * scale)
    return float(np.trapezoid(np.abs(np.clip(x, -below, above)) * density, x))


@pytest.mark.parametrize("values", [(40.0,), (20.0, 21.0), (25.0, 60.0, 60.0), (20.0, 20.0), (60.0,), (99.0, -5.0)])
@pytest.mark.parametrize("epsilon", [Fraction(1, 10), Fraction(1), Fraction(20)])
@pytest.mark.parametrize("kind", ["mean", "sum"])
def test_errors_are_those_of_laplace_noise_that_is_cut(kind: str, epsilon: Fraction, values: tuple[float, ...]) -> None:
    """One value moves a mean by 40/n and a sum by 40, and answers stay within what n values can give."""
    rows, inside = len(values), [min(max(value, 20.0), 60.0) for value in values]
    scale = (40 / rows if kind == "mean" else 40) / float(epsilon)
    times = 1 if kind == "mean" else rows
    truth = sum(inside) / rows * times
    mechanism = tool(kind, str(epsilon), **WEIGHT)
    assert mechanism.truth(of(*values)).tolist() == pytest.approx([truth])
    found = mechanism.expected(of(*values))
    assert found.error == pytest.approx(cut_error(scale, truth - 20 * times, 60 * times - truth), rel=2e-4, abs=1e-9)
    assert found.half_width == mechanism.reach(of(*values)) == pytest.approx(scale * math.log(20))
    assert found.closed
    low, high = 20.0 * times, 60.0 * times
    assert mechanism.cut(np.array([low - 1, low, high, high + 1]), of(*values)).tolist() == [low, low, high, high]


@pytest.mark.parametrize("kind", ["mean", "sum"])
def test_a_simulated_answer_is_cut_laplace_noise(kind: str) -> None:
    """40,000 seeded draws: a mean error within 5 standard errors of the formula; a false alarm once in 10⁶."""
    mechanism = tool(kind, "2", **WEIGHT)
    statistic = of(30.0, 35.0, 59.0)
    wrong = np.abs(mechanism.simulate(statistic, 40_000, np.random.default_rng(1)) - mechanism.truth(statistic))
    assert wrong.shape == (40_000, 1)
    assert abs(wrong.mean() - mechanism.expected(statistic).error) < 5 * wrong.std() / 200


@pytest.mark.parametrize("rows", [1, 2, 3, 10])
def test_a_variance_is_moved_as_far_as_one_value_can(rows: int) -> None:
    """By (width/n)²·(n − 1); with no value to compare it with, not at all, and then no noise is drawn."""
    mechanism = tool("variance", "1", **WEIGHT)
    statistic = of(*np.linspace(22, 57, rows).tolist())
    scale = bounded_scale((40 / rows) ** 2 * (rows - 1), 400.0, 1.0)
    assert (scale == 0) == (rows == 1)
    drawn = mechanism.simulate(statistic, 20_000, np.random.default_rng(2))
    truth = float(np.var(statistic["values"]))
    assert drawn.shape == (20_000, 1) and drawn.min() >= 0 and drawn.max() <= 400
    if not scale:
        assert set(drawn.ravel().tolist()) == {truth}
        return
    # Laplace noise around the truth, given that it is within 0 and 400: every quarter of the range as often.
    edges = np.linspace(0, 400, 5)
    below = np.where(
        edges < truth, np.exp(np.minimum(edges - truth, 0) / scale) / 2, 1 - np.exp(-np.abs(edges - truth) / scale) / 2
    )
    chances = np.diff(below) / (below[-1] - below[0])
    counts = np.histogram(drawn, edges)[0]
    assert np.all(np.abs(counts - 20_000 * chances) < 5 * np.sqrt(20_000 * chances * (1 - chances)) + 1e-9)
    roots = tool("standard-deviation", "1", **WEIGHT).simulate(statistic, 20_000, np.random.default_rng(2))
    assert roots.ravel().tolist() == pytest.approx(np.sqrt(drawn).ravel().tolist())
    assert tool("standard-deviation", "1", **WEIGHT).truth(statistic).tolist() == pytest.approx([math.sqrt(truth)])


@pytest.mark.parametrize(("kind", "unit"), [("mean", "kg"), ("variance", "kg²"), ("standard-deviation", "kg")])
def test_units_are_those_of_the_values(kind: str, unit: str) -> None:
    assert tool(kind, **WEIGHT).unit == unit
    assert tool(kind, **AGE).unit == ""
    assert tool("count").unit == tool("histogram", **AGE).unit == "rows"


def test_assumed_values_are_spread_evenly_between_the_bounds() -> None:
    mechanism = tool("mean", **WEIGHT)
    assert mechanism.assumed(4)["values"].tolist() == [25.0, 35.0, 45.0, 55.0]
    assert mechanism.assumed(1)["values"].tolist() == mechanism.assumed(0)["values"].tolist() == [40.0]
    cells = tool("histogram", **AGE, bins=3).assumed(7)
    assert np.bincount(cells["axis 0"]).tolist() == [3, 2, 2]
    table = tool("histogram2d", **AGE, bins=2, second_column="town")
    assert table.truth(table.assumed(12)).tolist() == [2.0] * 6
    assert len(table.assumed(0)["axis 0"]) == 1
    count = tool("count")
    assert [count.assumed(rows)["values"].tolist() for rows in (0, 2)] == [[True, False], [True, False, True, False]]


def test_cells_of_two_columns_are_counted_row_by_row() -> None:
    mechanism = tool("histogram2d", **AGE, bins=2, second_column="town")
    people = [("1", "A"), ("2", "A"), ("7", "A"), ("3", "C"), ("9", "C"), ("8", "elsewhere"), ("", "B")]
    table = Table(
        (
            Column.from_texts("age", [age for age, _ in people]),
            Column.from_texts("town", [town for _, town in people]),
        )
    )
    statistic = mechanism.measure(Rows(table))
    assert mechanism.truth(statistic).reshape(2, 3).tolist() == [[2, 0, 1], [1, 0, 1]]
    assert mechanism.cut(np.array([-3.0, 0.0, 7.0]), statistic).tolist() == [0, 0, 7]
    with pytest.raises(WorkbenchError) as caught:
        tool("histogram2d", **AGE, second_column="age")
    assert caught.value.field == "second_column"


@pytest.mark.parametrize("kind", ["count", "histogram"])
@pytest.mark.parametrize("rows", [1, 4])
def test_counts_are_off_by_geometric_noise_at_a_share_of_epsilon(kind: str, rows: int) -> None:
    """The least r with P(|X| > r) ≤ 1/20 for P(k) in proportion to e^(−ε|k|/c)."""
    mechanism = tool(kind, "1/2", rows_per_person=rows, **({} if kind == "count" else AGE))
    ratio = math.exp(-0.5 / rows)
    beyond = (2 * ratio ** (reach + 1) / (1 + ratio) for reach in itertools.count())
    least = next(reach for reach, chance in enumerate(beyond) if chance <= 0.05)
    statistic = mechanism.assumed(40)
    assert mechanism.reach(statistic) == mechanism.expected(statistic).half_width == least
    assert not mechanism.expected(statistic).closed
    assert mechanism.parts[0].sensitivity == rows and mechanism.parts[0].epsilon == Fraction(1, 2)


def test_a_count_stays_between_none_and_all_rows() -> None:
    mechanism = tool("count")
    statistic = {"values": np.array([True, False, True])}
    assert mechanism.truth(statistic).tolist() == [2.0]
    assert mechanism.cut(np.array([-1.0, 0.0, 3.0, 4.0]), statistic).tolist() == [0, 0, 3, 3]
    drawn = mechanism.simulate(statistic, 2_000, np.random.default_rng(3))
    assert sorted(set(drawn.ravel().tolist())) == [0, 1, 2, 3]


@pytest.mark.parametrize("texts", ["0.5", "0, 1", "0.25, 0.5, 0.9", "0.3"])
@pytest.mark.parametrize("values", [(), (5.0,), (1.0, 1.0, 4.0, 9.0), (-3.0, 2.0, 2.5, 12.0, 8.0)])
def test_quantiles_fall_between_two_values_as_often_as_their_weights(texts: str, values: tuple[float, ...]) -> None:
    """A gap of width w with i values below it has the weight w·e^(−ε|i − τn|/2), shared among the quantiles.

    Chi-square by each gap, 20,000 seeded draws: no gap is off by more than 5 standard deviations.
    """
    mechanism = tool("quantile", "3", **AGE, quantile=texts)
    shares = sorted(float(text) for text in texts.split(","))
    ends = [0.0, *sorted(min(max(value, 0.0), 10.0) for value in values), 10.0]
    drawn = mechanism.simulate(of(*values), 20_000, np.random.default_rng(4))
    assert drawn.shape == (20_000, len(shares))
    for column, share in enumerate(shares):
        weights = np.array(
            [
                (high - low) * math.exp(-3 / len(shares) * abs(below - share * len(values)) / 2)
                for below, (low, high) in enumerate(itertools.pairwise(ends))
            ]
        )
        chances = weights / weights.sum()
        for (low, high), chance in zip(itertools.pairwise(ends), chances, strict=True):
            inside = int(np.count_nonzero((drawn[:, column] > low) & (drawn[:, column] < high)))
            assert abs(inside - 20_000 * chance) <= 5 * math.sqrt(20_000 * chance * (1 - chance)) + 1e-6


@pytest.mark.parametrize("values", [(4.0,), (1.0, 1.0, 4.0, 9.0), (3.0, 2.0, 7.0), tuple(map(float, range(10)))])
def test_a_true_quantile_is_the_smallest_value_that_so_many_do_not_exceed(values: tuple[float, ...]) -> None:
    for share in (Fraction(0), Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(2, 3), Fraction(1)):
        right = min(v for v in values if sum(one <= v for one in values) >= share * len(values))
        assert tool("quantile", **AGE, quantile=str(share)).truth(of(*values)).tolist() == [right]
    half = min(v for v in values if 2 * sum(one <= v for one in values) >= len(values))
    assert tool("median", **AGE).truth(of(*values)).tolist() == [half]


def test_equal_values_alone_are_the_answer_where_nothing_else_has_weight() -> None:
    bounds = {**AGE, "lower": "0", "upper": "10"}
    found = tool("median", "20", **bounds).simulate(of(*[0.0] * 90, *[10.0] * 910), 200, np.random.default_rng(5))
    assert set(found.ravel().tolist()) == {10.0}


@pytest.mark.parametrize("share", ["-0.01", "1.01", ",".join(["0.5"] * 101)])
def test_shares_beyond_those_there_are_have_no_quantile(share: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        tool("quantile", **AGE, quantile=share)
    assert caught.value.field == "quantile"


@pytest.mark.parametrize("share", ["0", "1", ",".join(f"0.{number:03}" for number in range(1, 101))])
def test_the_last_shares_that_are_allowed_have_one(share: str) -> None:
    mechanism = tool("quantile", **AGE, quantile=share)
    many = "," in share
    assert len(mechanism.labels[0]) == 100 if many else not mechanism.labels


@pytest.mark.parametrize(
    ("kind", "name", "field"),
    [("mean", "sum", "tool"), ("count", "histogram", "tool"), ("bounds", "", "noise"), ("mode", "", "noise")],
)
def test_other_tools_and_questions_without_any_are_refused(kind: str, name: str, field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        tool(kind, name=name, **({} if kind == "count" else AGE))
    assert caught.value.field == field


def test_bounds_that_are_one_float_are_too_close() -> None:
    with pytest.raises(WorkbenchError, match="too close"):
        tool("mean", **WEIGHT, lower="50", upper="50.00000000000000000001")


def test_an_answer_says_its_interval_and_is_cut_like_it() -> None:
    mechanism = tool("mean", "10", **WEIGHT)
    answer = mechanism.answered(np.array([41.0]), of(*[30.0, 50.0] * 5))
    reach = 4 / 10 * math.log(20)
    assert answer.value == 41.0 and answer.interval == pytest.approx((41 - reach, 41 + reach))
    assert mechanism.answered(np.array([20.5]), of(*[30.0, 50.0] * 5)).interval[0] == 20.0
    assert tool("variance", "10", **WEIGHT).answered(np.array([41.0]), of(30.0, 50.0)).interval is None
    cells = tool("histogram", "1", **AGE, bins=2)
    listed = cells.answered(np.array([0.0, 9.0]), cells.assumed(9))
    assert listed.value == [0, 9] and [list(end) for end in listed.interval] == [[0, 6], [3, 12]]
