"""Experiments: repeatable, free, and in agreement with the formulas."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.query.helpers import table
from workbench.core import distances
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.query.catalogue import QueryDraft
from workbench.query.experiments import ErrorMeasure, beside, error_by_epsilon, error_by_rows, metrics_of
from workbench.query.mechanism import Expected, Floats, QueryMechanism, StatisticValues
from workbench.query.noise import evenly, simulated
from workbench.query.plans import plan
from workbench.query.rows import Rows

WIDE = Schema(
    (ColumnSpec("age", Kind.INTEGER, bounds=(0.0, 100.0)), ColumnSpec("town", Kind.CATEGORY, domain=("A", "B")))
)
ROWS = Rows(table([(str(n * 37 % 101), "AB"[n % 2]) for n in range(3000)]))
POINTS = [Fraction(1, 10), Fraction(1, 2), Fraction(2)]


def at(kind: str, **values: Any) -> Any:
    def mechanism(epsilon: Fraction) -> QueryMechanism:
        return plan(QueryDraft(kind, "1", values), WIDE, epsilon=epsilon).mechanism

    return mechanism


@pytest.mark.parametrize("kind", ["count", "sum", "mean"])
def test_errors_follow_the_theoretical_curve(kind: str) -> None:
    """2,000 repetitions: means within 10 % (more than 4 standard errors), fixed seed."""
    values = {} if kind == "count" else {"column": "age"}
    found = error_by_epsilon(at(kind, **values), ROWS, POINTS, repetitions=2000, seed=3)
    assert found.axis == "epsilon" and found.places == (0.1, 0.5, 2.0)
    for mean, low, high, theory in zip(found.mean, found.low, found.high, found.theory, strict=True):
        assert theory is not None
        assert mean == pytest.approx(theory, rel=0.1)
        assert low <= mean <= high
    if kind == "sum":
        assert found.theory[0] == pytest.approx(100 / 0.1, rel=0.01)  # Δ/ε


def test_errors_of_means_fall_with_the_rows() -> None:
    found = error_by_rows(at("mean", column="age")(Fraction(1)), ROWS, [100, 400, 1600], repetitions=400, seed=3)
    assert found.mean[0] > 2.5 * found.mean[1] > 6 * found.mean[2]
    assert found.theory[2] is not None and found.mean[2] == pytest.approx(found.theory[2], rel=0.2)


def test_experiments_repeat_themselves_and_nothing_else() -> None:
    one = error_by_epsilon(at("count"), ROWS, POINTS, repetitions=50, seed=1)
    assert one == error_by_epsilon(at("count"), ROWS, POINTS, repetitions=50, seed=1)
    assert one.mean != error_by_epsilon(at("count"), ROWS, POINTS, repetitions=50, seed=2).mean
    # A place is simulated by itself: others beside it change nothing.
    assert error_by_epsilon(at("count"), ROWS, POINTS[:2], repetitions=50, seed=1).mean == one.mean[:2]


def test_a_histogram_beside_the_true_one() -> None:
    mechanism = at("histogram", column="age", bins=4)(Fraction(1, 2))
    found = beside(mechanism, ROWS, repetitions=300, seed=4)
    exact = np.histogram(np.arange(3000) * 37 % 101, bins=[0, 25, 50, 75, 100])[0]
    assert found.true == tuple(exact.tolist())
    assert found.positions == (12.5, 37.5, 62.5, 87.5)
    assert all(low < true < high for low, true, high in zip(found.low, found.true, found.high, strict=True))
    assert set(found.errors) == set(metrics_of(mechanism))
    euclidean, manhattan = found.errors[ErrorMeasure.EUCLIDEAN][0], found.errors[ErrorMeasure.MANHATTAN][0]
    assert euclidean <= manhattan <= 2 * euclidean
    one = beside(mechanism, ROWS, repetitions=1, seed=4)
    moved = distances.kantorovich(np.maximum(one.private, 0.0), one.true, one.positions)
    assert one.errors[ErrorMeasure.KANTOROVICH][0] == pytest.approx(float(moved))


def test_a_table_has_no_distance_along_a_line() -> None:
    mechanism = at("histogram", column="town")(Fraction(1))
    assert ErrorMeasure.KANTOROVICH not in metrics_of(mechanism)
    with pytest.raises(WorkbenchError, match="means nothing"):
        error_by_epsilon(lambda _: mechanism, ROWS, POINTS, metric=ErrorMeasure.KANTOROVICH)


def test_choices_are_judged_by_how_much_worse_they_are() -> None:
    rows = Rows(table([("1", "A")] * 30 + [("1", "B")] * 10))
    for kind in ("mode", "noisy-max"):
        found = error_by_epsilon(at(kind, column="town"), rows, [Fraction(1, 50), Fraction(5)], repetitions=400, seed=1)
        assert found.mean[0] > 4 and found.mean[1] < 0.5 and found.high[0] == 20
    found = error_by_epsilon(
        at("above-threshold", column="town", threshold=20),
        rows,
        [Fraction(1, 50), Fraction(5)],
        repetitions=400,
        seed=1,
    )
    assert found.mean[0] > found.mean[1]


@pytest.mark.parametrize(
    ("change", "field"),
    [({"repetitions": 0}, "repetitions"), ({"seed": -1}, "seed"), ({"metric": ErrorMeasure.EUCLIDEAN}, "metric")],
)
def test_impossible_experiments_are_refused(change: dict[str, Any], field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        error_by_epsilon(at("count"), ROWS, POINTS, **change)
    assert caught.value.field == field


def test_samples_are_not_larger_than_the_data() -> None:
    for sizes in ([0], [4000], [5, 4000], []):
        with pytest.raises(WorkbenchError):
            error_by_rows(at("count")(Fraction(1)), ROWS, sizes)
    with pytest.raises(WorkbenchError, match="no cells"):
        beside(at("count")(Fraction(1)), ROWS)


class Noted(QueryMechanism):
    """A question that notes which rows it is asked about, and how often its noise is drawn."""

    def __init__(self, real: QueryMechanism) -> None:
        self.real, self.form, self.epsilon, self.unit = real, real.form, real.epsilon, real.unit
        self.samples: list[list[int]] = []
        self.drawn: list[int] = []

    def measure(self, rows: Rows, progress: Progress = SILENT) -> StatisticValues:
        assert rows.chosen is not None
        self.samples.append(rows.chosen.tolist())
        return self.real.measure(rows, progress)

    def simulate(self, statistic: StatisticValues, count: int, generator: np.random.Generator) -> Floats:
        self.drawn.append(count)
        return self.real.simulate(statistic, count, generator)

    def expected(self, statistic: StatisticValues) -> Expected:
        return self.real.expected(statistic)

    def truth(self, statistic: StatisticValues) -> Floats:
        return self.real.truth(statistic)

    parts = NotImplemented
    release = NotImplemented
    assumed = NotImplemented


def test_the_repetitions_are_spread_over_ten_samples_of_the_rows_that_match() -> None:
    few = Rows(ROWS.table, np.arange(1, 3000, 3))
    for repetitions, shares in ((23, [3] * 3 + [2] * 7), (10, [1] * 10), (4, [1] * 4), (1, [1]), (20, [2] * 10)):
        noted = Noted(at("mean", column="age")(Fraction(1)))
        error_by_rows(noted, few, [1, 40, 1000], repetitions=repetitions)
        assert noted.drawn == shares * 3
        assert [len(sample) for sample in noted.samples] == [size for size in (1, 40, 1000) for _ in shares]
        for sample in noted.samples:
            assert sample == sorted(set(sample)) and set(sample) <= set(range(1, 3000, 3))
        if repetitions > 1:
            assert noted.samples[len(shares)] != noted.samples[len(shares) + 1], "each sample is drawn anew"


def test_an_error_by_rows_is_the_mean_over_its_samples() -> None:
    """The numbers of a seed stay what they were, and those of noise are not those that chose the rows."""
    noted = Noted(at("mean", column="age")(Fraction(1)))
    found = error_by_rows(noted, ROWS, [3, 50], repetitions=12)
    assert found == error_by_rows(noted, ROWS, [3, 50], repetitions=12, seed=0)
    real, wrong, theory = noted.real, list[list[float]](), list[list[float]]()
    for place, size in enumerate((3, 50)):
        wrong, theory = [*wrong, []], [*theory, []]
        for number in range(10):
            rows = np.sort(np.random.default_rng((0, place, number)).choice(3000, size, replace=False, shuffle=False))
            statistic = real.measure(Rows(ROWS.table, rows))
            answers = real.simulate(statistic, 2 if number < 2 else 1, np.random.default_rng((0, place, number, 1)))
            wrong[-1] += np.abs(answers - real.truth(statistic)).ravel().tolist()
            expected = real.expected(statistic)
            theory[-1] += [expected.error] if expected.closed and expected.error is not None else []
    assert found.mean == pytest.approx([np.mean(one) for one in wrong], rel=1e-12)
    assert [len(one) for one in theory] in ([10, 10], [0, 0])
    assert found.theory == pytest.approx([np.mean(one) if one else None for one in theory], rel=1e-12)
    assert found.axis == "rows" and found.places == (3.0, 50.0) and found.seed == 0


def test_a_sample_of_all_rows_and_of_one_are_possible() -> None:
    ten = Rows(table([(str(number), "A") for number in range(10)]))
    mechanism = at("count")(Fraction(1))
    assert error_by_rows(mechanism, ten, [1, 10], repetitions=3).places == (1.0, 10.0)
    for sizes, field in (([0, 10], "sizes"), ([1, 11], "sizes"), ([11], "sizes"), ([-1], "sizes"), ([], "places")):
        with pytest.raises(WorkbenchError) as refused:
            error_by_rows(mechanism, ten, sizes)
        assert refused.value.field == field
    for wrong, field in (({"metric": ErrorMeasure.EUCLIDEAN}, "metric"), ({"repetitions": 0}, "repetitions")):
        with pytest.raises(WorkbenchError) as refused:
            error_by_rows(mechanism, ten, [5], **wrong)  # type: ignore[arg-type]
        assert refused.value.field == field


def test_experiments_can_be_cancelled() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        error_by_epsilon(at("count"), ROWS, POINTS, progress=Progress(token=token))


@pytest.mark.parametrize("repetitions", [0, 10**9])
def test_a_histogram_is_simulated_a_possible_number_of_times(repetitions: int) -> None:
    mechanism = at("histogram", column="town")(Fraction(1))
    with pytest.raises(WorkbenchError) as refused:
        beside(mechanism, ROWS, repetitions=repetitions)
    assert refused.value.field == "repetitions"


@pytest.mark.parametrize("rate", [Fraction(1, 10**200), 5e-324, 0.0])
def test_noise_that_no_number_holds_is_explained(rate: float | Fraction) -> None:
    with pytest.raises(WorkbenchError, match="too small"):
        simulated(rate, 3, np.random.default_rng(1))
    with pytest.raises(WorkbenchError, match="too small"):
        evenly(rate, 1)
