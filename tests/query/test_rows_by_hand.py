"""Counts and sums of rows, added up one row after the other: every way there is, limits on both sides."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest

from workbench.core.filtering import parse
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.query import rows as rows_module
from workbench.query.exact_sums import whole
from workbench.query.rows import Axis, Rows

SCHEMA = Schema((ColumnSpec("a", Kind.INTEGER), ColumnSpec("b", Kind.CATEGORY), ColumnSpec("c", Kind.CATEGORY)))
FILTERS = ("a > 2", "b = 'x'", "a > 2 and not b = 'x'", "c = 'nobody'")


class Elsewhere(Table):
    """A table whose rows nobody may look at."""

    in_memory = False


def table(kind: type[Table] = Table, rows: int = 40, seed: int = 3) -> Table:
    draw = random.Random(seed)
    return kind(
        (
            Column.from_texts("a", draw.choices(["1", "2", "3", "4", "5"], k=rows)),
            Column.from_texts("b", draw.choices(["x", "y", "z"], k=rows)),
            Column.from_texts("c", draw.choices(["only", "other"], [9, 1], k=rows)),
        )
    )


def chosen_of(found: Table, where: str) -> list[int]:
    """The numbers of the rows that a filter holds for, worked out beside it."""
    texts = {name: found[name].texts() for name in "abc"}
    says = {
        "": lambda row: True,
        "a > 2": lambda row: int(texts["a"][row]) > 2,
        "b = 'x'": lambda row: texts["b"][row] == "x",
        "a > 2 and not b = 'x'": lambda row: int(texts["a"][row]) > 2 and texts["b"][row] != "x",
        "c = 'nobody'": lambda row: False,
    }[where]
    return [row for row in range(found.rows) if says(row)]


def axis(found: Table, name: str, places: dict[str, int]) -> Axis:
    return name, np.array([places[value] for value in found[name].values], dtype=np.int64)


def rows_of(kind: type[Table], where: str) -> Rows:
    return Rows.of(table(kind), SCHEMA, parse(where, SCHEMA) if where else None)


A = {"1": 3, "2": 0, "3": -1, "4": 0, "5": 2}
B = {"x": 1, "y": 0, "z": -1}
C = {"only": 0, "other": 1}
HOW = list(product([Table, Elsewhere], ["", *FILTERS]))


@pytest.mark.parametrize(("kind", "where"), HOW)
def test_rows_are_as_many_as_the_filter_holds_for(kind: type[Table], where: str) -> None:
    rows, chosen = rows_of(kind, where), chosen_of(table(), where)
    assert len(rows) == len(chosen)
    assert rows.values("b") == table()["b"].values
    here = rows.one_by_one("a test")
    assert [table()["a"].values[code] for code in here.codes("a")] == [table()["a"].texts()[row] for row in chosen]
    filters = [parse(one, SCHEMA) for one in FILTERS]
    both = [len(set(chosen) & set(chosen_of(table(), one))) for one in FILTERS]
    assert rows.matching(filters, SCHEMA) == both
    assert rows.matching(filters[:1], SCHEMA) == both[:1] and rows.matching([], SCHEMA) == []


@pytest.mark.parametrize("dense", [0, 1 << 20])
@pytest.mark.parametrize(("kind", "where"), HOW)
def test_combinations_and_cells_are_those_of_the_rows(
    kind: type[Table], where: str, dense: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows_module, "_DENSE", dense)
    found, rows, chosen = table(), rows_of(kind, where), chosen_of(table(), where)
    known = [axis(found, "a", A), axis(found, "b", B), axis(found, "c", C)]
    sizes, places = [4, 2, 2], [A, B, C]
    for some in ([], [0], [1], [0, 1], [1, 0], [2, 0, 1]):
        by_row = Counter(tuple(places[at][found["abc"[at]].texts()[row]] for at in some) for row in chosen)
        digits, counts = rows.combinations([known[at] for at in some])
        told: Counter[tuple[int, ...]] = Counter()
        for number, count in enumerate(counts.tolist()):
            told[tuple(int(one[number]) for one in digits)] += count
        assert +told == by_row
        if some:
            cells = rows.per_cell([known[at] for at in some], [sizes[at] for at in some])
            expected = [by_row[cell] for cell in product(*(range(sizes[at]) for at in some))]
            assert cells.tolist() == expected


@pytest.mark.parametrize("few", [0, 1 << 16])
@pytest.mark.parametrize("most", [1, 7, 1 << 22])
@pytest.mark.parametrize(("kind", "where"), HOW)
@pytest.mark.parametrize("large", [1, 1 << 29, 1 << 31, 1 << 40])
def test_sums_are_added_up_row_by_row(
    kind: type[Table], where: str, large: int, most: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever way they are found, and however large the numbers are."""
    monkeypatch.setattr(rows_module, "_FEW", few)
    monkeypatch.setattr(rows_module, "_PORTION", 7)
    monkeypatch.setattr(rows_module, "_MOST_COMBINATIONS", most)
    found, rows, chosen = table(), rows_of(kind, where), chosen_of(table(), where)
    big = {value: place * large if place > 0 else place for value, place in A.items()}
    texts = {name: found[name].texts() for name in "ab"}
    kept = [row for row in chosen if A[texts["a"][row]] >= 0]
    for degree in (1, 2):
        alone = rows.power_sums(axis(found, "a", big), degree, None, 1)
        assert alone == [[sum(big[texts["a"][row]] ** power for row in kept)] for power in range(degree + 1)]
        by = rows.power_sums(axis(found, "a", big), degree, axis(found, "b", B), 3)
        assert by == [
            [sum(big[texts["a"][row]] ** power for row in kept if B[texts["b"][row]] == cell) for cell in range(3)]
            for power in range(degree + 1)
        ]
    numbers = [-5 * large, 7, 11 * large**2, -1]
    twice = [whole(numbers), whole([1, 2, 3, 4])]
    assert rows.sums(axis(found, "a", A), twice, None, 1) == [
        [sum(int(one[A[texts["a"][row]]]) for row in kept)] for one in twice
    ]
    assert rows.sums(axis(found, "a", A), twice, axis(found, "b", B), 2) == [
        [sum(int(one[A[texts["a"][row]]]) for row in kept if B[texts["b"][row]] == cell) for cell in (0, 1)]
        for one in twice
    ]


def test_a_table_without_rows_counts_nothing() -> None:
    empty = Table(tuple(Column(name, np.empty(0, dtype=np.int64), ("1",)) for name in "ab"))
    rows, places = Rows(empty), np.zeros(1, dtype=np.int64)
    assert len(rows) == 0 and rows.combinations([])[1].tolist() == [0]
    assert rows.per_cell([("a", places), ("b", places)], [2, 2]).tolist() == [0] * 4
    assert rows.power_sums(("a", places), 2, None, 1) == [[0], [0], [0]]
    assert rows.power_sums(("a", places), 2, ("b", places), 1) == [[0], [0], [0]]


def test_two_filters_and_an_axis_of_one_column_are_told_apart_elsewhere() -> None:
    """Values that are in one place are counted apart where the parts of a filter say different things of them."""
    here, there = rows_of(Table, "a > 2"), rows_of(Elsewhere, "a > 2")
    one_place = ("a", np.zeros(len(table()["a"].values), dtype=np.int64))
    chosen = len(chosen_of(table(), "a > 2"))
    for rows in (here, there):
        assert rows.per_cell([one_place], [1]).tolist() == [chosen]
        assert rows.per_cell([one_place, one_place], [1, 1]).tolist() == [chosen]
        filters = [parse("a > 3", SCHEMA), parse("a > 4", SCHEMA), parse("a > 3 or a = 1", SCHEMA)]
        texts: list[Any] = [int(text) for text in table()["a"].texts()]
        assert rows.matching(filters, SCHEMA) == [
            sum(v > 3 for v in texts),
            sum(v > 4 for v in texts),
            sum(v > 3 for v in texts),
        ]
