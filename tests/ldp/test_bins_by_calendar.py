"""Bins against the calendar, day by day, and against fractions; every number is in the bin that says so."""

from __future__ import annotations

import datetime
import math
import random
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import Kind
from workbench.ldp import binning
from workbench.ldp.binning import DateUnit, date_bins, equal_bins, own_bins, whole_bins

EPOCH = datetime.date(1970, 1, 1).toordinal()
DRAW = random.Random(5)
SPANS = [
    *((datetime.date(*one).toordinal() - EPOCH, days) for one in ((1969, 12, 29), (2000, 2, 28), (2023, 12, 31))
      for days in (1, 2, 8, 31, 95, 366)),
    *((DRAW.randint(-40_000, 40_000), DRAW.randint(1, 500)) for _ in range(15)),
    *((day, days) for day in range(-4, 4) for days in (7, 14)),
]  # fmt: skip


@cache
def unit_of(day: int, unit: DateUnit) -> tuple[int, str]:
    """The first day of the unit a day is in, and what the unit is called."""
    date = datetime.date.fromordinal(day + EPOCH)
    month = {DateUnit.YEAR: 1, DateUnit.QUARTER: date.month - (date.month - 1) % 3}.get(unit, date.month)
    start, name = {
        DateUnit.DAY: (date, f"{date}"),
        DateUnit.WEEK: ((monday := date - datetime.timedelta(date.weekday())), f"week of {monday}"),
        DateUnit.MONTH: (date.replace(day=1), f"{date.year:04}-{date.month:02}"),
        DateUnit.QUARTER: (date.replace(month=month, day=1), f"{date.year:04} Q{(date.month + 2) // 3}"),
        DateUnit.YEAR: (date.replace(month=1, day=1), f"{date.year:04}"),
    }[unit]
    return start.toordinal() - EPOCH, name


@pytest.mark.parametrize("unit", list(DateUnit))
@pytest.mark.parametrize("seconds", [False, True])
def test_units_are_those_that_any_day_between_the_bounds_is_in(unit: DateUnit, seconds: bool) -> None:
    scale, tried = (86_400 if seconds else 1), 0
    for low, days in SPANS:
        high = low + days
        expected = dict.fromkeys(unit_of(day, unit) for day in range(low, high + 1))
        ends = [bound * scale + DRAW.choice([0.0, 0.25, scale - 0.5]) for bound in (low, high)]
        if len(expected) < 2:
            with pytest.raises(WorkbenchError):
                date_bins(*ends, unit, seconds=seconds)
            continue
        tried += 1
        found = date_bins(*ends, unit, seconds=seconds)
        day = high
        while unit_of(day, unit) in expected:
            day += 1
        assert (found.edges / scale).tolist() == [*(start for start, _ in expected), day]
        assert list(found.labels) == [name for _, name in expected]
        assert found.count == len(expected)
    assert tried > 10


def test_dates_are_of_the_years_1_to_9999() -> None:
    first, last = (datetime.date(*one).toordinal() - EPOCH for one in ((1, 1, 1), (9999, 12, 31)))
    assert date_bins(first, first + 800, DateUnit.YEAR).labels == ("0001", "0002", "0003")
    assert date_bins(last - 800, last, DateUnit.YEAR).labels == ("9997", "9998", "9999")
    for low, high in ((first - 1, first + 800), (last - 800, last + 1), (last + 1, last + 2), (first - 9, first - 1)):
        with pytest.raises(WorkbenchError):
            date_bins(low, high, DateUnit.YEAR)
        with pytest.raises(WorkbenchError):
            date_bins(low * 86_400.0, high * 86_400.0, DateUnit.YEAR, seconds=True)


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (0.1, 0.7), (-3.0, 11.0), (1e-9, 3e-9), (0.0, 1e15)])
@pytest.mark.parametrize("count", [2, 3, 7, 10, 64])
def test_equal_bins_have_the_edges_of_fractions(low: float, high: float, count: int) -> None:
    found = equal_bins(low, high, count)
    start, end = Fraction(repr(low)), Fraction(repr(high))
    assert found.edges.tolist() == [float(start + (end - start) * place / count) for place in range(count + 1)]
    assert found.count == len(found.labels) == len(set(found.labels)) == count
    assert found.labels[-1].endswith("]") and all(label.endswith("[") for label in found.labels[:-1])
    assert found.middles == pytest.approx(
        [(one + other) / 2 for one, other in zip(found.edges, found.edges[1:], strict=False)]
    )
    numbers = [*found.edges, *np.nextafter(found.edges, np.inf), *np.nextafter(found.edges, -np.inf), *found.middles]
    for number, place in zip(numbers, found.locate(np.array(numbers)).tolist(), strict=True):
        if number < found.edges[0]:
            assert place == -1
        elif number > found.edges[-1]:
            assert place == count
        elif number == found.edges[-1]:
            assert place == count - 1
        else:
            assert found.edges[place] <= number < found.edges[place + 1]


def test_bins_are_at_least_two_and_no_more_than_a_domain_has() -> None:
    for make in (
        lambda count: equal_bins(0.0, 1.0, count),
        lambda count: own_bins(tuple(map(float, range(count + 1)))),
        lambda count: whole_bins(1.0, float(count)),
        lambda count: date_bins(0.0, count - 1.0, DateUnit.DAY),
    ):
        assert make(2).count == 2
        with pytest.raises(WorkbenchError):
            make(1)


def test_a_domain_has_so_many_bins_and_not_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binning, "LARGEST_DOMAIN", 10)
    for make in (
        lambda count: equal_bins(0.0, 1.0, count),
        lambda count: own_bins(tuple(map(float, range(count + 1)))),
        lambda count: whole_bins(1.0, float(count)),
        lambda count: whole_bins(-4.0, count - 5.0),
        lambda count: date_bins(0.0, count - 1.0, DateUnit.DAY),
    ):
        assert make(10).count == 10
        with pytest.raises(WorkbenchError) as refused:
            make(11)
        assert refused.value.field == "bins"


def test_bins_that_no_float_tells_apart_are_refused() -> None:
    for steps, count in ((1, 2), (3, 7), (8, 9)):
        with pytest.raises(WorkbenchError, match="too narrow") as refused:
            equal_bins(1.0, 1.0 + steps * 2.0**-52, count)
        assert refused.value.field == "bins"
    assert equal_bins(1.0, 1.0 + 4 * 2.0**-52, 4).count == 4


def test_whole_numbers_are_told_apart_up_to_fifty_three_bits() -> None:
    most = float(1 << 53)
    assert whole_bins(most - 3, most - 1).count == whole_bins(1 - most, 3 - most).count == 3
    for low, high in ((most - 3, most), (-most, 3 - most)):
        with pytest.raises(WorkbenchError) as refused:
            whole_bins(low, high)
        assert refused.value.field == "bounds"


@pytest.mark.parametrize(
    "edges", [(), (0.0, 1.0), (0.0, 1.0, 1.0), (0.0, 2.0, 1.0), (0.0, 1.0, math.inf), (math.nan, 1.0, 2.0)]
)
def test_edges_are_three_finite_numbers_that_rise(edges: tuple[float, ...]) -> None:
    assert own_bins((0.0, 18.0, 65.5)).labels == ("[0, 18[", "[18, 65.5]")
    with pytest.raises(WorkbenchError) as refused:
        own_bins(edges)
    assert refused.value.field == "edges"


def test_whole_numbers_are_bins_of_their_own() -> None:
    found = whole_bins(-2.0, 3.0)
    assert found.labels == ("-2", "-1", "0", "1", "2", "3") and found.middles.tolist() == [-2, -1, 0, 1, 2, 3]
    assert found.locate(np.array([-3.0, -2.0, 0.0, 3.0, 4.0])).tolist() == [-1, 0, 2, 5, 6]
    for low, high in ((0.5, 2.0), (0.0, 2.5), (1e17, 1e17 + 64), (-1e17, 3.0)):
        with pytest.raises(WorkbenchError) as refused:
            whole_bins(low, high)
        assert refused.value.field == "bounds"


@pytest.mark.parametrize(
    ("kind", "low", "high", "labels"),
    [
        (Kind.DATE, 0.0, 2.0, ("[1970-01-01, 1970-01-02[", "[1970-01-02, 1970-01-03]")),
        (Kind.DATE, 0.0, 1.0, ("[1970-01-01 00:00:00, 1970-01-01 12:00:00[",
                               "[1970-01-01 12:00:00, 1970-01-02 00:00:00]")),
        (Kind.DATETIME, 0.0, 7.0, ("[1970-01-01 00:00:00, 1970-01-01 00:00:03[",
                                   "[1970-01-01 00:00:03, 1970-01-01 00:00:07]")),
        (Kind.DATETIME, -172800.0, 0.0, ("[1969-12-30, 1969-12-31[", "[1969-12-31, 1970-01-01]")),
    ],
)  # fmt: skip
def test_moments_are_days_where_all_of_them_are(kind: Kind, low: float, high: float, labels: tuple[str, ...]) -> None:
    assert equal_bins(low, high, 2, date=kind).labels == labels
