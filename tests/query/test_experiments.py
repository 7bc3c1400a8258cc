"""Experiments: repeatable, free, and in agreement with the formulas."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.query.helpers import table
from workbench.core import distances
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.query.catalogue import QueryDraft
from workbench.query.experiments import ErrorMeasure, beside, error_by_epsilon, error_by_rows, metrics_of
from workbench.query.mechanism import QueryMechanism
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
