"""Counting classes: from rows, from finer nodes, by address, by hash, by sorting, and with keys beyond 64 bits."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise import class_table
from workbench.anonymise.class_table import ClassTable, ExtraLayout
from workbench.anonymise.keys import count_keys
from workbench.anonymise.lattice import Lattice, counted_below
from workbench.anonymise.rollup import AttributeNumbering, Coding, GroupTable, Levels, count_rows, roll_up


def coding_of(sizes: list[int], extra: int, rows: int) -> Coding:
    """Attributes of which every level halves the labels, rounded up."""
    axes = []
    for size in sizes:
        radices, steps = [size], []
        while radices[-1] > 1:
            steps.append(np.arange(radices[-1]) // 2)
            radices.append((radices[-1] + 1) // 2)
        axes.append(AttributeNumbering(tuple(radices), tuple(steps)))
    return Coding(tuple(axes), extra, rows)


def counted(table: GroupTable) -> dict[tuple[int, ...], int]:
    digits = [table.digit(position).tolist() for position in range(len(table.radices))]
    return dict(zip(zip(*digits, strict=True), table.counts.tolist(), strict=True))


def by_hand(rows: np.ndarray, levels: Levels, extra: np.ndarray) -> dict[tuple[int, ...], int]:
    shifted = np.column_stack([*[rows[:, a] >> level for a, level in enumerate(levels)], extra])
    distinct, counts = np.unique(shifted, axis=0, return_counts=True)
    return dict(zip(map(tuple, distinct.tolist()), counts.tolist(), strict=True))


@pytest.mark.parametrize("extra", [1, 6])
@pytest.mark.parametrize("sizes", [[4, 3, 2], [50, 40, 30, 20], [1000, 900, 800, 700, 600], [4096] * 7])
def test_a_node_counted_in_any_way_has_the_same_classes(sizes: list[int], extra: int) -> None:
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.integers(0, size, 9000) for size in sizes])[rng.integers(0, 9000, 20_000)]
    extras = rng.integers(0, extra, len(rows))
    coding = coding_of(sizes, extra, len(rows))
    columns = [(rows[:, a], np.arange(size)) for a, size in enumerate(sizes)]
    if extra > 1:
        columns.append((extras, np.arange(extra)))
    bottom = count_rows(coding, (0,) * len(sizes), columns)
    assert counted(bottom) == by_hand(rows, bottom.levels, extras)
    middle: Levels = tuple(1 + a % 2 for a in range(len(sizes)))
    half = roll_up(bottom, middle)
    assert counted(half) == by_hand(rows, middle, extras)
    high = tuple(min(level + 1 + a % 3, len(coding.axes[a].radices) - 1) for a, level in enumerate(middle))
    expected = by_hand(rows, high, extras)
    for source in (bottom, half):
        assert counted(roll_up(source, high)) == expected
    top = tuple(len(axis.radices) - 1 for axis in coding.axes)
    assert len(ClassTable(roll_up(half, top), ExtraLayout(("s",), (extra,)))) == 1


@pytest.mark.parametrize("rows", [1, 60, 500, 20_000])
@pytest.mark.parametrize("sizes", [[4, 4, 4, 4, 64, 3], [5, 3, 70, 2, 9], [30, 20, 900, 2, 2], [64, 128, 8192, 1, 2]])
def test_attributes_are_looked_up_in_as_few_runs_as_make_few_combinations(sizes: list[int], rows: int) -> None:
    """As many as there are groups, and 64 to 8,192; an attribute that makes more by itself is a run of its own."""
    draw = np.random.default_rng(rows)
    coding = Coding(tuple(AttributeNumbering((size,), ()) for size in sizes), 2, rows)
    columns = [(draw.integers(0, size, rows), np.arange(size)) for size in [*sizes, 2]]
    table = count_rows(coding, (0,) * len(sizes), columns)
    most, every = min(max(len(table), 64), 8192), [*sizes, 2]
    runs = table.ranges()
    assert [place for first, last in runs for place in range(first, last)] == list(range(len(every)))
    for first, last in runs:
        assert last - first == 1 or math.prod(every[first:last]) <= most
        assert last == len(every) or math.prod(every[first : last + 1]) > most


@settings(max_examples=examples(50), deadline=None)
@given(entries=st.integers(0, 400), distinct=st.integers(1, 50), wide=st.booleans(), seed=st.integers(0, 99))
def test_keys_are_counted_with_their_weights(entries: int, distinct: int, wide: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    radix = 1 << (60 if wide else 5)
    key = rng.integers(0, radix, distinct)[rng.integers(0, distinct, entries)]
    weights = rng.integers(1, 1000, entries)
    keys, counts = count_keys(key.copy(), weights, radix)
    assert dict(zip(keys.tolist(), counts.tolist(), strict=True)) == {
        int(k): int(weights[key == k].sum()) for k in np.unique(key)
    }
    assert np.all(np.diff(keys) > 0)


def test_sensitive_values_and_marks_are_told_apart() -> None:
    layout = ExtraLayout(("a", "b"), (3, 2), marked=True)
    rows = np.array([0, 0, 0, 0, 1, 1])
    a, b, mark = np.array([0, 2, 2, 1, 1, 1]), np.array([0, 1, 1, 0, 1, 1]), np.array([1, 1, 0, 1, 1, 0])
    coding = coding_of([2], layout.radix, len(rows))
    extra = (a * 2 + b) * 2 + mark
    table = ClassTable(count_rows(coding, (0,), [(rows, np.arange(2)), (extra, np.arange(12))]), layout)
    assert table.sizes.tolist() == [3, 1] and table.population.tolist() == [4, 2]
    for column, expected in (
        ("a", [(0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 1, 1)]),
        ("b", [(0, 0, 2), (0, 1, 1), (1, 1, 1)]),
    ):
        cells = table.cells(column)
        assert list(zip(cells.owner.tolist(), cells.value.tolist(), cells.count.tolist(), strict=True)) == expected


def test_the_highest_node_belongs_to_its_lattice() -> None:
    lattice = Lattice((0, 1), (2, 3))
    assert (2, 3) in lattice and (0, 1) in lattice
    assert (3, 3) not in lattice and (0, 0) not in lattice and (2,) not in lattice


@pytest.mark.parametrize("marked", [False, True])
def test_every_digit_of_an_extra_code_is_found_again(marked: bool) -> None:
    """The columns as digits of a number, the first the most significant, the mark the last."""
    layout = ExtraLayout(("s", "t", "u"), (3, 4, 5), marked)
    codes = [(s, t, u, mark) for s in range(3) for t in range(4) for u in range(5) for mark in range(1 + marked)]
    assert layout.radix == len(codes)
    extra = np.arange(len(codes))
    for place, name in enumerate(layout.columns):
        assert layout.value_of(extra, name).tolist() == [code[place] for code in codes]


@settings(max_examples=examples(60), deadline=None)
@given(shape=st.lists(st.integers(1, 4), min_size=1, max_size=5), seed=st.integers(0, 99))
def test_chosen_nodes_are_counted_below_each(shape: list[int], seed: int) -> None:
    chosen = np.random.default_rng(seed).random(shape) < 0.4
    lattice = Lattice((0,) * len(shape), tuple(size - 1 for size in shape))
    found = counted_below(chosen)
    assert found.shape == chosen.shape
    for levels in lattice:
        assert found[levels] == chosen[lattice.below(levels)].sum()


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("portion", [1, 7, 1 << 15])
def test_rows_of_classes_are_added_up_for_each_label(portion: int, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many are looked up at once, and whether or not a key holds all labels."""
    monkeypatch.setattr(class_table, "_PORTION", portion)
    draw = np.random.default_rng(portion)
    sizes = [40] * 12 if wide else [5, 3, 70, 2]
    rows = draw.integers(0, sizes, (400, len(sizes)))
    columns = [(rows[:, place], np.arange(size)) for place, size in enumerate(sizes)]
    coding = Coding(tuple(AttributeNumbering((size,), ()) for size in sizes), 1, len(rows))
    table = count_rows(coding, (0,) * len(sizes), columns)
    assert (table.keys is None) == wide
    classes = ClassTable(table, ExtraLayout())
    for some in (np.arange(len(classes)), np.arange(0, len(classes), 3), np.arange(0)):
        many = draw.integers(0, 9, len(some))
        found = classes.marginals(some, many)
        assert len(found) == len(sizes)
        for place, totals in enumerate(found):
            labels = classes.labels(place, some).tolist()
            expected = [
                sum(n for n, at in zip(many.tolist(), labels, strict=True) if at == one) for one in range(sizes[place])
            ]
            assert totals.tolist() == expected
