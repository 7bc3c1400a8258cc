"""Values become whole steps of a public grid exactly, and sums of them never overflow."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Format, Kind, Schema
from workbench.query.catalogue import QueryDraft
from workbench.query.exact_sums import exact_sums, whole
from workbench.query.grid import Grid, grid_of
from workbench.query.partition import OTHER, keys_of, listed, partition_of, ranges_of
from workbench.query.plans import plan
from workbench.query.readings import Readings, number_of, written_number

DECIMAL = ColumnSpec("x", Kind.DECIMAL)
MONEY = ColumnSpec("pay", Kind.MONEY, format=Format(".", ",", "$"))
DATE = ColumnSpec("day", Kind.DATE, format=Format(pattern="%Y-%m-%d"))


def nearest(text: str, grid: Grid) -> int:
    """The step of a value by plain fractions, halves upwards."""
    place = (Fraction(text) - grid.lower) / grid.resolution + Fraction(1, 2)
    return min(max(place.numerator // place.denominator, 0), grid.steps)


@given(
    st.lists(st.decimals(-1000, 1000, places=3).map(lambda number: f"{number:f}"), min_size=1, max_size=30),
    st.sampled_from(["0.01", "0.005", "0.1", "1", "0.002", "10"]),
)
def test_every_value_is_placed_exactly(texts: list[str], resolution: str) -> None:
    grid = grid_of(DECIMAL, "-500", "500", resolution)
    texts = [text.replace("-0.000", "0.000") for text in texts]
    found = grid.place(Readings.of(texts, DECIMAL)).tolist()
    assert found == [nearest(text, grid) for text in texts]


def test_halves_go_up_although_floats_cannot_tell() -> None:
    """0.285 is less than 0.285 as a float, 1.005 too; the written number decides."""
    grid = grid_of(DECIMAL, "0", "2", "0.01")
    texts = ["0.285", "1.005", "1.015", "0.145", "1.9999999", "2", "1e-2", "0.28499999999999999"]
    assert grid.place(Readings.of(texts, DECIMAL)).tolist() == [29, 101, 102, 15, 200, 200, 1, 28]


def test_values_as_they_are_written_in_files() -> None:
    texts = ["$1,234.565", "($0.005)", "-$0.015", "$ 7", "€5", "", "n/a"]
    grid = grid_of(MONEY, "-10", "2000", "0.01")
    assert grid.place(Readings.of(texts, MONEY)).tolist() == [124457, 1000, 999, 1700, -1, -1, -1]
    comma = ColumnSpec("x", Kind.DECIMAL, format=Format(",", "."))
    assert grid_of(comma, "0", "2000", "0.01").place(Readings.of(["1.234,565", "0,5"], comma)).tolist() == [123457, 50]
    assert written_number("12,5 %", ColumnSpec("p", Kind.PERCENT, format=Format(","))) == Fraction(25, 2)
    assert grid_of(DATE, "2020-01-01", "2020-12-31").place(
        Readings.of(["2020-01-31", "1999-01-01"], DATE)
    ).tolist() == [
        30,
        0,
    ]


def test_missing_values_are_left_out_or_count_as_a_value() -> None:
    readings = Readings.of(["1", "", "what"], DECIMAL)
    assert grid_of(DECIMAL, "0", "3", "1").place(readings).tolist() == [1, -1, -1]
    assert grid_of(DECIMAL, "0", "3", "1", missing="2").place(readings).tolist() == [1, 2, 2]
    assert grid_of(DECIMAL, "0", "3", "1", missing="99").place(readings).tolist() == [1, 3, 3]


@pytest.mark.parametrize(
    ("words", "told", "field"),
    [
        (("", "", "1"), "missing", "lower"),
        (("5", "5", "1"), "not below", "lower"),
        (("9", "5", "1"), "not below", "lower"),
        (("0", "", "1"), "upper bound", "upper"),
        (("0", "1/3", ""), "step to which", "resolution"),
        (("0", "1", "0"), "above 0", "resolution"),
        (("0", "1", "0.3"), "whole number of steps", "resolution"),
        (("0", "1", "1e-40"), "too fine", "resolution"),
        (("nan", "1", "1"), "not a number", "lower"),
        (("0", "inf", "1"), "not a number", "upper"),
    ],
)
def test_impossible_grids_are_refused(words: tuple[str, str, str], told: str, field: str) -> None:
    with pytest.raises(WorkbenchError, match=told) as caught:
        grid_of(DECIMAL, *words)
    assert caught.value.field == field and caught.value.hint


def test_bounds_that_were_read_from_the_data_are_refused_and_explained() -> None:
    observed = ColumnSpec("x", Kind.INTEGER, bounds=(18.0, 90.0), observed=frozenset({"bounds"}))
    with pytest.raises(WorkbenchError, match="read from the data"):
        grid_of(observed)
    assert grid_of(ColumnSpec("x", Kind.INTEGER, bounds=(18.0, 90.0))).steps == 72
    assert grid_of(observed, "0", "120").steps == 120


def test_a_column_of_text_has_no_grid() -> None:
    for kind in (Kind.TEXT, Kind.CATEGORY):
        with pytest.raises(WorkbenchError, match="numbers"):
            grid_of(ColumnSpec("x", kind), "0", "1", "1")


@given(st.lists(st.tuples(st.integers(-(10**25), 10**25), st.integers(-1, 3), st.integers(0, 1000)), max_size=40))
def test_sums_are_exact_however_large(items: list[tuple[int, int, int]]) -> None:
    numbers = whole([number for number, _, _ in items])
    cells = np.array([cell for _, cell, _ in items], dtype=np.int64)
    times = np.array([time for _, _, time in items], dtype=np.int64)
    expected = [sum(number * time for number, cell, time in items if cell == c) for c in range(4)]
    assert exact_sums(numbers, cells, 4, times) == expected


def test_the_unit_divides_every_point() -> None:
    grid = grid_of(DECIMAL, "-0.75", "2.25", "0.5")
    assert grid.unit == Fraction(1, 4)
    assert all(((grid.lower + step * grid.resolution) / grid.unit).denominator == 1 for step in range(grid.steps + 1))


# Cells


def test_ranges_have_exact_edges() -> None:
    thirds = ranges_of(DECIMAL, lower="0", upper="1", bins=3)
    assert len(thirds) == 3
    texts = ["0", "0.3333333333333333", "0.33333333333333334", "1", "1.1", "-5", ""]
    assert thirds.place(texts).tolist() == [0, 0, 1, 2, 2, 0, -1]
    tenths = ranges_of(DECIMAL, edges="0, 0.1, 0.3", clip=False)
    assert tenths.place(["0.1", "0.30", "0.3000001", "-1", "0.2999999"]).tolist() == [1, 1, -1, -1, 1]
    assert tenths.labels == ("[0, 0.1)", "[0.1, 0.3]")


def test_keys_are_texts_or_numbers() -> None:
    town = ColumnSpec("town", Kind.CATEGORY, domain=("A", "B, C"))
    assert keys_of(town, "").labels == ("A", "B, C")
    other = keys_of(town, 'A, "B, C"', other=True)
    assert other.labels == ("A", "B, C", OTHER)
    assert other.place(["B, C", "x", "", "A"]).tolist() == [1, 2, -1, 0]
    year = ColumnSpec("year", Kind.INTEGER)
    assert keys_of(year, "2021, 2020").place(["2020", "2021", "2022", ""]).tolist() == [1, 0, -1, -1]
    assert partition_of(year, keys="2020, 2021").labels == ("2020", "2021")


@pytest.mark.parametrize(
    ("spec", "typed", "told"),
    [
        (ColumnSpec("t", Kind.CATEGORY), "", "missing"),
        (ColumnSpec("t", Kind.CATEGORY, domain=("A",), observed=frozenset({"domain"})), "", "read from the data"),
        (ColumnSpec("t", Kind.CATEGORY), "A, A", "twice"),
        (ColumnSpec("t", Kind.INTEGER), "1, 1", "twice"),
        (ColumnSpec("t", Kind.INTEGER), "1, one", "is not a value"),
        (ColumnSpec("t", Kind.CATEGORY, missing=("", "none")), "A, none", "missing value"),
        (ColumnSpec("t", Kind.CATEGORY), '"A', "cannot be read"),
    ],
)
def test_impossible_keys_are_refused(spec: ColumnSpec, typed: str, told: str) -> None:
    with pytest.raises(WorkbenchError, match=told):
        keys_of(spec, typed)


def test_lists_may_hold_commas_and_lines() -> None:
    assert listed('a, "b, c"\n d ', "keys") == ("a", "b, c", "d")


def test_public_numbers_of_dates_are_dates() -> None:
    assert number_of("1970-01-03", DATE, "lower") == 2
    moments = ColumnSpec("t", Kind.DATETIME, format=Format(pattern="%Y-%m-%d %H:%M"))
    assert number_of("1970-01-01 00:01", moments, "lower") == 60
    with pytest.raises(WorkbenchError, match="date"):
        number_of("5", DATE, "lower")


def test_ranges_of_moments_are_named_as_moments_unless_two_would_be_named_alike() -> None:
    spec = ColumnSpec("at", Kind.DATETIME, bounds=(0.0, 86_400.0))
    days = partition_of(spec, lower="1970-01-01 00:00", upper="1970-01-02 00:00", bins=2)
    assert days.labels == (
        "[1970-01-01 00:00:00, 1970-01-01 12:00:00)",
        "[1970-01-01 12:00:00, 1970-01-02 00:00:00]",
    )


def test_a_range_that_is_no_whole_number_of_steps_is_told_where_it_would_be() -> None:
    with pytest.raises(WorkbenchError) as refused:
        grid_of(DECIMAL, "0", "10.5", "1")
    assert refused.value.hint.startswith("Take 10 or 11 as the upper bound")


def test_the_sum_of_no_column_is_asked_for_a_column() -> None:
    with pytest.raises(WorkbenchError, match="column to add up is missing") as refused:
        plan(QueryDraft("laplace", "1", {"scale": "2", "statistic": "sum"}), Schema((DECIMAL,)))
    assert refused.value.field == "column"
