"""Re-identification risk from class sizes."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.anonymise.risk import assess_risk, class_sizes
from workbench.core.errors import WorkbenchError
from workbench.core.table import Column, Table


def test_the_risks_of_known_classes() -> None:
    risk = assess_risk(np.array([1, 1, 3, 5, 0]), threshold=0.2)
    assert (risk.rows, risk.classes, risk.smallest, risk.largest) == (10, 4, 1, 5)
    assert risk.prosecutor.highest == 1.0
    assert risk.prosecutor.average == pytest.approx(4 / 10)
    # A class of five has a chance of exactly 0.2, which is not above it.
    assert risk.prosecutor.at_risk == pytest.approx(5 / 10)
    assert risk.uniques == pytest.approx(2 / 10)
    assert risk.journalist == risk.prosecutor
    assert risk.marketer == pytest.approx(4 / 10)


def test_a_larger_population_lowers_the_journalists_chance_only() -> None:
    risk = assess_risk(np.array([1, 2]), threshold=0.3, population=np.array([4, 10]))
    assert risk.prosecutor.highest == 1.0
    assert risk.journalist.highest == pytest.approx(1 / 4)
    assert risk.journalist.average == risk.marketer == pytest.approx((1 / 4 + 2 / 10) / 3)
    assert (risk.prosecutor.at_risk, risk.journalist.at_risk) == (1.0, 0.0)


def test_one_in_five_is_where_risk_begins_unless_somebody_says_otherwise() -> None:
    risk = assess_risk(np.array([4, 5]))
    assert (risk.threshold, risk.prosecutor.at_risk) == (0.2, pytest.approx(4 / 9))


@pytest.mark.parametrize("threshold", [-0.01, 1.01, float("nan")])
def test_thresholds_end_at_nought_and_one(threshold: float) -> None:
    assert assess_risk(np.array([2]), threshold=0.0).prosecutor.at_risk == 1.0
    assert assess_risk(np.array([2]), threshold=1.0).prosecutor.at_risk == 0.0
    with pytest.raises(WorkbenchError) as caught:
        assess_risk(np.array([2]), threshold=threshold)
    assert caught.value.field == "threshold"


def test_no_rows_have_no_risk() -> None:
    risk = assess_risk(np.array([], dtype=np.int64))
    assert (risk.rows, risk.classes, risk.marketer, risk.uniques, risk.smallest) == (0, 0, 0.0, 0.0, 0)
    assert risk.prosecutor.highest == 0.0


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(WorkbenchError) as caught:
        assess_risk(np.array([2]), population=np.array([1]))
    assert caught.value.field == "population"
    with pytest.raises(WorkbenchError) as caught:
        assess_risk(np.array([2]), threshold=1.1)
    assert caught.value.field == "threshold"


def test_classes_of_a_table_are_counted() -> None:
    table = Table(
        (
            Column.from_texts("a", list("xxyy")),
            Column.from_texts("b", list("1122")),
            Column.from_texts("c", list("1234")),
        )
    )
    assert sorted(class_sizes(table, ["a", "b"]).tolist()) == [2, 2]
    assert class_sizes(table, ["a", "c"]).tolist() == [1, 1, 1, 1]
