"""Sums of powers of the places of values, and the places that are kept between questions."""

from __future__ import annotations

import gc
from fractions import Fraction
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.discrete_noise import Coins
from workbench.core.filtering import parse
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.query import exact_sums, placed_values, rows
from workbench.query.averages import Averages, VarianceQuery
from workbench.query.exact_sums import whole
from workbench.query.grid import Grid
from workbench.query.numeric import Numeric, Sums
from workbench.query.placed_values import steps_of
from workbench.query.rows import Rows

SPEC = ColumnSpec("pay", Kind.DECIMAL)
SCHEMA = Schema((SPEC, ColumnSpec("sex", Kind.CATEGORY)))
GRID = Grid(SPEC, Fraction(-5), Fraction(100), Fraction(1, 100))


@settings(max_examples=examples(200), deadline=None)
@given(
    places=st.lists(st.integers(-1, 6) | st.sampled_from([1 << 20, 1 << 31, 1 << 40]), min_size=1, max_size=30),
    drawn=st.lists(st.tuples(st.integers(0, 29), st.integers(0, 2)), max_size=40),
    degree=st.integers(1, 2),
    grouped=st.booleans(),
    some=st.booleans(),
    few=st.sampled_from([0, 1 << 16]),
    portion=st.sampled_from([1, 7, 1 << 14]),
)
def test_sums_of_powers_are_exact(
    places: list[int], drawn: list[tuple[int, int]], degree: int, grouped: bool, some: bool, few: int, portion: int
) -> None:
    codes = np.array([code % len(places) for code, _ in drawn], dtype=np.int64)
    groups = np.array([group for _, group in drawn], dtype=np.int64)
    table = Table(
        (Column("pay", codes, tuple(map(str, range(len(places))))), Column("sex", groups, ("f", "m", "x"))),
    )
    chosen = np.flatnonzero(np.arange(len(drawn)) % 3 > 0) if some else None
    cell = np.array([1, 0, -1])
    with patch.object(rows, "_FEW", few), patch.object(exact_sums, "_PORTION", portion):
        found = Rows(table, chosen).power_sums(
            ("pay", np.array(places)), degree, ("sex", cell) if grouped else None, 2 if grouped else 1
        )
    wanted = [[0] * (2 if grouped else 1) for _ in range(degree + 1)]
    for row in range(len(drawn)) if chosen is None else chosen.tolist():
        place, group = places[codes[row]], int(cell[groups[row]]) if grouped else 0
        if place >= 0 and group >= 0:
            for power in range(degree + 1):
                wanted[power][group] += place**power
    assert found == wanted


@pytest.mark.parametrize("where", ["", "sex = 'f'"])
@pytest.mark.parametrize(
    "asked",
    [
        Sums(GRID, None, Fraction(1), 1),
        Averages(GRID, None, Fraction(1), 1),
        VarianceQuery(GRID, Fraction(1), 1, root=False),
    ],
    ids=["sum", "mean", "variance"],
)
def test_what_is_measured_is_the_sum_of_what_rows_contribute(asked: Numeric, where: str) -> None:
    draw = np.random.default_rng(5)
    values = (*(f"{number / 100:.2f}" for number in draw.permutation(3000)), "", "none")
    codes, sexes = draw.integers(0, len(values), 4000), draw.integers(0, 2, 4000)
    table = Table((Column("pay", codes, values), Column("sex", sexes, ("f", "m"))))
    chosen = Rows.of(table, SCHEMA, parse(where, SCHEMA) if where else None)
    steps = [min(max(round((float(text) + 5) * 100), 0), GRID.steps) for text in values[:-2]]
    taking_part = [steps[code] for code, sex in zip(codes, sexes, strict=True) if code < 3000 and not (where and sex)]
    wanted = [int(sum(one)) for one in asked.contributions(whole(taking_part))]
    for _ in range(2):
        (found,) = asked.measure(chosen).values()
        assert found.tolist() == wanted


def test_texts_are_read_once_for_each_grid_and_forgotten_with_the_column() -> None:
    column = Column("pay", np.arange(2000), tuple(map(str, range(2000))))
    other = Grid(SPEC, Fraction(0), Fraction(100), Fraction(1))
    placed_values._kept.clear()
    first = steps_of(column, GRID)
    assert steps_of(column, GRID) is first
    assert not first.flags.writeable
    assert steps_of(column, other) is not first
    assert steps_of(column, other)[7] == 7
    again = Column("pay", np.arange(2000), tuple(map(str, range(1, 2001))))
    assert steps_of(again, other)[7] == 8
    assert len(placed_values._kept) == 3
    del column
    gc.collect()
    assert len(placed_values._kept) == 1
    with patch.object(placed_values, "_MOST_BYTES", 1):
        steps_of(again, GRID)
        assert len(placed_values._kept) == 1
    placed_values._kept.clear()


@given(
    pairs=st.lists(st.tuples(st.integers(1, 9), st.integers(0, 3000)), min_size=1, max_size=20),
    rate=st.sampled_from([Fraction(1, 3), Fraction(1, 100), Fraction(40)]),
    seed=st.integers(0, 9),
)
def test_a_choice_is_the_same_from_arrays_and_from_lists(
    pairs: list[tuple[int, int]], rate: Fraction, seed: int
) -> None:
    widths, losses = map(list, zip(*pairs, strict=True))
    from_lists = Coins(SeededSource(seed)).choice(widths, losses, rate)
    from_arrays = Coins(SeededSource(seed)).choice(np.array(widths), np.array(losses), rate)
    assert from_lists == from_arrays
    assert 0 <= from_lists < len(pairs)
