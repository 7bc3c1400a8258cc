"""What must hold for every builder on any values."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.building import assess, build_hierarchy, specification
from workbench.core.cells import IntervalCells
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.kinds import parse
from workbench.core.level_functions import plain_numbers
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.trees import faults, repaired, rows_tree, tree_rows

FEW = settings(max_examples=examples(60), deadline=None)
WORDS = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6), min_size=1, unique=True)
# What a person lists by hand. Listing one spelling of “missing” but not another is refused, rightly.
LISTED = WORDS.map(lambda words: [word for word in words if word.strip()] or ["a"])
INTEGERS = st.integers(-300, 300).map(str)
DECIMALS = st.integers(-3000, 3000).map(lambda n: f"{n / 100:.2f}")
DATES = st.dates().map(lambda day: day.isoformat())
WHOLE = ColumnSpec("", Kind.INTEGER)
DECIMAL = ColumnSpec("", Kind.DECIMAL)
DATE = ColumnSpec("", Kind.DATE, format=Format(pattern="%Y-%m-%d"))
TEXT = ColumnSpec("", Kind.TEXT)

NUMBER_FUNCTIONS = ("interval", "bounds", "mean", "midpoint", "median", "minimum", "maximum")
MEMBER_FUNCTIONS = ("interval", "bounds", "set", "prefix")
Case = tuple[dict[str, Any], list[str], ColumnSpec]


@st.composite
def interval_cases(draw: st.DrawFn) -> Case:
    whole = draw(st.booleans())
    edges = sorted(draw(st.sets(st.integers(-500, 500), min_size=2, max_size=4)))
    scale = 1 if whole else 100
    intervals = [{"from": a / scale, "to": b / scale} for a, b in itertools.pairwise(edges)]
    size = st.integers(1, 4)
    levels = [{"function": draw(st.sampled_from(NUMBER_FUNCTIONS))}] + [
        {
            "group": draw(st.one_of(size, st.lists(size, min_size=1, max_size=3))),
            "function": draw(st.sampled_from(NUMBER_FUNCTIONS)),
        }
        for _ in range(draw(st.integers(0, 3)))
    ]
    details: dict[str, Any] = {"intervals": intervals, "levels": levels}
    if draw(st.booleans()):
        details["lowest"] = {"coding": draw(st.integers(-300, 0))}
    if draw(st.booleans()):
        details["highest"] = {"coding": draw(st.integers(1, 300))}
    parameters = {"whole": whole, "closed": draw(st.sampled_from(["low", "high"])), "repeat": draw(st.booleans())}
    values = draw(st.lists(INTEGERS if whole else DECIMALS, min_size=1, unique=True))
    return specification("intervals", parameters, details), values, WHOLE if whole else DECIMAL


@st.composite
def order_cases(draw: st.DrawFn) -> Case:
    order = draw(st.sampled_from(["natural", "locale", "frequency", "number", "date", "custom"]))
    functions = MEMBER_FUNCTIONS + (("mean", "median", "maximum") if order in ("number", "date") else ())
    sizes = st.one_of(st.integers(1, 4), st.lists(st.integers(1, 4), min_size=1, max_size=3))
    levels = [
        {"group": draw(sizes), "function": draw(st.sampled_from(functions))} for _ in range(draw(st.integers(1, 4)))
    ]
    details: dict[str, Any] = {"levels": levels}
    words, column = LISTED if order == "custom" else WORDS, TEXT
    if order == "number":
        words, column = st.lists(DECIMALS, min_size=1, unique=True), DECIMAL
    elif order == "date":
        words, column = st.lists(DATES, min_size=1, unique=True), DATE
    values = draw(words)
    if order == "custom":
        details["sequence"] = draw(st.permutations(values))
    parameters = {"order": order, "descending": draw(st.booleans()), "declared": draw(st.booleans())}
    if draw(st.booleans()) and order != "custom":
        column = ColumnSpec("", column.kind, format=column.format, domain=tuple(draw(words)))
    return specification("order", parameters, details), values, column


@st.composite
def text_cases(draw: st.DrawFn) -> Case:
    values = draw(WORDS)
    builder = draw(st.sampled_from(["masking", "redaction", "priority"]))
    if builder == "masking":
        parameters = {
            "length": draw(st.integers(0, 7)),
            "side": draw(st.sampled_from(["left", "right"])),
            "align": draw(st.sampled_from(["left", "right", "none"])),
            "step": draw(st.integers(1, 3)),
            "levels": draw(st.integers(0, 4)),
            "top": draw(st.booleans()),
        }
        return specification("masking", parameters), values, TEXT
    if builder == "redaction":
        rules = [
            {"pattern": draw(st.sampled_from(["[0-9]", "[a-m]+", ".$"])), "each": draw(st.booleans())} for _ in range(2)
        ]
        return specification("redaction", {}, {"rules": rules}), values, TEXT
    keep = sorted(draw(st.sets(st.integers(1, 9), min_size=1, max_size=3)), reverse=True)
    by = draw(st.sampled_from(["hand", "frequency"]))
    listed = draw(LISTED)
    return (
        specification("priority", {"by": by, "declared": draw(st.booleans())}, {"values": listed, "keep": keep}),
        values,
        TEXT,
    )


@st.composite
def date_cases(draw: st.DrawFn) -> Case:
    chain = draw(
        st.sampled_from(
            [
                ("second", "minute", "hour", "hour-of-day"),
                ("day", "week"),
                ("day", "weekday"),
                ("month", "quarter", "year", "decade", "century", "millennium"),
                ("month", "month-of-year", "quarter-of-year"),
                ("day", "quarter", "quarter-of-year"),
            ]
        )
    )
    kept = [unit for unit in chain if draw(st.booleans())] or [chain[-1]]
    details: dict[str, Any] = {"levels": [{"unit": unit} for unit in kept]}
    if draw(st.booleans()):
        details["lowest"] = {"coding": draw(DATES)}
    return specification("dates", {}, details), draw(st.lists(DATES, min_size=1, unique=True)), DATE


@st.composite
def listed_cases(draw: st.DrawFn) -> Case:
    values = draw(LISTED)
    rows = repaired([(value, *draw(st.lists(st.sampled_from("xyz"), min_size=2, max_size=2))) for value in values])
    declared = {"declared": draw(st.booleans())}
    if draw(st.booleans()):
        return specification("categories", declared, {"tree": rows_tree(rows)}), draw(WORDS), TEXT
    return specification("table", declared, {"rows": [list(row) for row in rows]}), draw(WORDS), TEXT


CASES = st.one_of(interval_cases(), order_cases(), text_cases(), date_cases(), listed_cases())


def build(case: Case, values: list[str], counts: list[int] | None = None) -> Hierarchy:
    plain, _, column = case
    plain = {**plain, "parameters": {**plain["parameters"], "unlisted": "any"}}
    rows = np.array(counts or [1] * len(values), dtype=np.int64)
    return build_hierarchy(plain, values, rows, column)


@FEW
@given(CASES)
def test_levels_are_total_monotone_and_end(case: Case) -> None:
    plain, values, _ = case
    found = build(case, values)
    assert not found.uncovered(values)
    groups = found.groups()
    assert all(later <= earlier for earlier, later in itertools.pairwise(groups))
    for level in range(1, found.height + 1):
        parents: dict[int, int] = {}
        for below, above in zip(found.maps[level - 1].tolist(), found.maps[level].tolist(), strict=True):
            assert parents.setdefault(below, above) == above
    if plain["parameters"]["top"] and found.height:
        assert found.labels[-1] == ("*",)
    again = Hierarchy.from_rows(found.rows())
    assert (again.labels, again.values) == (found.labels, found.values)
    assert all(np.array_equal(a, b) for a, b in zip(again.maps, found.maps, strict=True))


@settings(max_examples=examples(200), deadline=None)
@given(CASES, st.data())
def test_a_public_label_does_not_depend_on_the_other_values(case: Case, data: st.DataObject) -> None:
    plain, values, column = case
    others = WORDS
    if column.kind.numeric:
        others = st.lists(INTEGERS if column.kind is Kind.INTEGER else DECIMALS, min_size=1, unique=True)
    elif column.kind.temporal:
        others = st.lists(DATES, min_size=1, unique=True)
    shared = data.draw(st.sets(st.sampled_from(values), min_size=1))
    second = list(dict.fromkeys([*data.draw(others), *shared]))
    if assess(plain, column).provenance is not Provenance.PUBLIC:
        return
    counts = data.draw(st.lists(st.integers(1, 9), min_size=len(values), max_size=len(values)))
    one, two = build(case, values, counts), build(case, second)
    rows_one, rows_two = {row[0]: row for row in one.rows()}, {row[0]: row for row in two.rows()}
    assert {value: rows_one[value] for value in shared} == {value: rows_two[value] for value in shared}


@FEW
@given(
    st.sets(st.integers(-400, 400), min_size=2, max_size=5),
    st.lists(st.integers(-5000, 5000), min_size=1),
    st.sampled_from([1, 10, 1000]),
    st.booleans(),
    st.booleans(),
)
def test_a_number_lies_between_the_edges_of_its_cell(
    edges: set[int], numbers: list[int], scale: int, repeated: bool, closed_low: bool
) -> None:
    cells = IntervalCells(tuple(edge / scale for edge in sorted(edges)), repeated, closed_low)
    for whole in numbers:
        number = whole / scale
        cell = int(cells.locate(np.array([number]))[0])
        if not repeated and not 0 <= cell < cells.count:
            assert number <= cells.edges[0] or number >= cells.edges[-1]
            continue
        low, high = cells.edge(np.array([cell, cell + 1])).tolist()
        assert low <= number < high if closed_low else low < number <= high
        assert {low, high} <= {round(low * scale) / scale, round(high * scale) / scale}


READINGS = st.sampled_from(
    [
        WHOLE,
        DECIMAL,
        ColumnSpec("", Kind.DECIMAL, format=Format(".", ",")),
        ColumnSpec("", Kind.DECIMAL, format=Format(",", ".")),
        ColumnSpec("", Kind.MONEY, format=Format(".", ",", "$"), missing=("", "7")),
        ColumnSpec("", Kind.PERCENT),
        DATE,
        ColumnSpec("", Kind.DATETIME, format=Format(pattern="%Y-%m-%d")),
    ]
)
PIECES = st.one_of(
    st.from_regex(r"\A-?\$?[0-9]{0,3}(,[0-9]{3})?(\.[0-9]{0,3})?%?\Z"),
    st.from_regex(r"\A[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]\Z"),
    st.integers(-(10**17), 10**17).map(str),
    st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**9), max_value=10**9).map(str),
    st.sampled_from(["", " 7", "7", "007", "1\n2", "$1,234.50", "1,23,456", "-0", "5.", "1e5", "0000-01-01"]),
)


@settings(max_examples=examples(200), deadline=None)
@given(READINGS, st.lists(PIECES, min_size=1, max_size=8))
def test_quick_reading_reads_the_same_numbers(column: ColumnSpec, values: list[str]) -> None:
    for some in (values, values[:1], values[:2]):
        np.testing.assert_array_equal(read_values(some, column), parse(some, column))


@FEW
@given(st.lists(st.floats(-1e12, 1e12), min_size=1), st.one_of(st.none(), st.integers(0, 6)))
def test_numbers_are_written_so_that_they_read_back(numbers: list[float], decimals: int | None) -> None:
    array = np.array(numbers)
    for number, text in zip(numbers, plain_numbers(array, decimals), strict=True):
        assert "e" not in text
        slack = 1e-14 * abs(number) + 1e-300 if decimals is None else 0.5000001 * 10**-decimals + 1e-15 * abs(number)
        assert abs(float(text) - number) <= slack
        assert plain_numbers(np.array([number]), decimals) == [text]


@FEW
@given(st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=4), min_size=1))
def test_repaired_rows_have_no_fault_and_sound_ones_stay(rows: list[list[str]]) -> None:
    whole = repaired(rows)
    assert not faults(whole)
    assert repaired(whole) == whole
    assert {row[0] for row in whole} == {row[0] for row in rows}
    Hierarchy.from_rows(whole)
    if len({row[1:] for row in whole}) == 1 or len(whole[0]) > 1:
        assert sorted(tree_rows(rows_tree(whole))) == sorted(whole)


def test_a_far_away_value_moves_nobody_elses_label() -> None:
    """Where a cell or a rounding is computed must be decided for each value by itself."""
    near = np.array([10.7, 11.7, 18.9, 23.4])
    cells = IntervalCells((0.0, 0.9), repeated=True, closed_low=True)
    alone, together = cells.locate(near), cells.locate(np.append(near, 999_999_999_999_999.0))
    assert alone.tolist() == together[:-1].tolist()
    numbers = np.array([2222795948839.905, 0.125, -7.5])
    for more in ([], [0.5], [1e14 + 0.5]):
        assert plain_numbers(np.append(numbers, more), 2)[:3] == plain_numbers(numbers, 2)
