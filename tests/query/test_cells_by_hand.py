"""Cells of a question: every value against every cell, in fractions, and what cannot be a cell."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind
from workbench.query import partition
from workbench.query.partition import (
    OTHER,
    beyond,
    beyond_words,
    cell_names,
    keys_of,
    partition_of,
    ranges_of,
    uneven_cells,
    uneven_ranges,
)

F = Fraction
AGE = ColumnSpec("age", Kind.INTEGER)
PAY = ColumnSpec("pay", Kind.DECIMAL)
TOWN = ColumnSpec("town", Kind.CATEGORY)
EDGES = ["0, 1", "0, 10, 20", "-3, 0.5, 0.75, 2", "0.1, 0.2, 0.3, 0.4", "-1e3, 1e-3, 7"]


def cell_of(number: Fraction, edges: tuple[Fraction, ...], clip: bool) -> int:
    """Lower ≤ x < upper; the last one has its upper edge too."""
    last = len(edges) - 2
    if not edges[0] <= number <= edges[-1]:
        return (0 if number < edges[0] else last) if clip else -1
    return last if number == edges[-1] else max(cell for cell in range(last + 1) if edges[cell] <= number)


@pytest.mark.parametrize("clip", [True, False])
@pytest.mark.parametrize("text", EDGES)
def test_every_number_is_in_the_range_that_holds_it(text: str, clip: bool) -> None:
    cells = ranges_of(PAY, edges=text, clip=clip)
    edges = tuple(map(F, text.split(", ")))
    assert cells.edges == edges and len(cells) == len(edges) - 1
    draw = random.Random(1)
    numbers = [edge + off for edge in edges for off in (0, F(1, 10**6), -F(1, 10**6))]
    numbers += [F(draw.randint(-5000, 5000), 1000) for _ in range(40)]
    texts = [f"{float(number):.7f}" for number in numbers]
    wanted = [cell_of(F(written), edges, clip) for written in texts]
    assert cells.place([*texts, "", "x"]).tolist() == [*wanted, -1, -1]
    assert cells.positions == tuple(float((low + high) / 2) for low, high in itertools.pairwise(edges))
    assert cells.public == {"column": "pay", "edges": [str(edge) for edge in edges], "clip": clip}
    assert cells.in_words.startswith(f"{len(edges) - 1} range") and cells.in_words.endswith("left out") != clip


@pytest.mark.parametrize("bins", [1, 2, 3, 7])
def test_ranges_between_bounds_are_of_equal_width(bins: int) -> None:
    cells = ranges_of(PAY, lower="-0.5", upper="0.8", bins=bins)
    assert cells.edges == tuple(F(-1, 2) + F(13, 10) * place / bins for place in range(bins + 1))
    assert len(set(cells.labels)) == len(cells) == bins
    assert cells.labels[-1].endswith("]") and all(label.endswith(")") for label in cells.labels[:-1])
    narrow = ranges_of(PAY, lower="1", upper="1.0000001", bins=bins)
    assert len(set(narrow.labels)) == bins


@pytest.mark.parametrize(
    ("spec", "clip", "named"),
    [
        (AGE, True, ("≤ 9", "10–19", "≥ 20")),
        (PAY, True, ("< 10", "[10, 20)", "≥ 20")),
        (AGE, False, ("0–9", "10–19", "20–30")),
        (PAY, False, ("[0, 10)", "[10, 20)", "[20, 30]")),
    ],
)
def test_end_cells_that_hold_what_lies_beyond_them_say_so(spec: ColumnSpec, clip: bool, named: tuple[str, ...]) -> None:
    cells = ranges_of(spec, edges="0, 10, 20, 30", clip=clip)
    asked = {"frames": [cells.public], "columns": {spec.name: {"kind": spec.kind.value}}}
    assert cell_names([cells.labels], asked) == (named,)
    assert bool(beyond_words(asked)) is clip
    one = ranges_of(spec, edges="0, 30", clip=clip)
    alone = {**asked, "frames": [one.public]}
    assert cell_names([one.labels], alone)[0][0] == "any" or not clip


def test_two_cells_lie_beyond_the_bounds() -> None:
    cells = beyond(PAY, F(0), F(1, 10))
    assert cells.place(["-0.001", "0", "0.05", "0.1", "0.1000001", "7", ""]).tolist() == [0, -1, -1, -1, 1, 1, -1]
    assert (len(cells), cells.positions, cells.uneven) == (2, None, "")
    assert cells.public == {"column": "pay", "beyond": ["0", "1/10"]}


@pytest.mark.parametrize("other", [True, False])
def test_every_value_is_in_the_cell_of_its_own_or_in_that_of_all_others(other: bool) -> None:
    rest = [2 if other else -1]
    towns = keys_of(TOWN, 'B, "A, a"', other=other)
    assert towns.place(["A, a", "B", "C", "", "b"]).tolist() == [1, 0, *rest, -1, *rest]
    numbers = keys_of(PAY, "3, 1.50", other=other)
    assert numbers.place(["1.5", "3.0", "2", "1.49", "9", "0", "", "x"]).tolist()[:7] == [1, 0, *rest * 4, -1]
    assert towns.labels == ("B", "A, a", *([OTHER] if other else []))
    assert towns.public == {"column": "town", "keys": ["B", "A, a"], "other": other}
    assert towns.in_words == f"2 listed values{' and all others' if other else ', others left out'}"
    assert towns.positions is None


@pytest.mark.parametrize(
    ("spec", "typed"),
    [(TOWN, "A, A"), (TOWN, ""), (PAY, "1, 1.0"), (PAY, "1, x"), (AGE, "1, 2, 1"), (TOWN, 'A, "B')],
)
def test_values_that_are_no_cells_are_refused(spec: ColumnSpec, typed: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        keys_of(spec, typed)
    assert refused.value.field == "keys" and refused.value.hint


@pytest.mark.parametrize("edges", ["1", "1, 1", "2, 1", "0, 1, 1", "0, 2, 1", "x, 1"])
def test_edges_that_do_not_rise_are_refused(edges: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        ranges_of(PAY, edges=edges, prefix="second_")
    assert refused.value.field == "second_edges"


def test_there_are_so_many_cells_and_not_one_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "MOST_CELLS", 5)
    assert len(ranges_of(PAY, lower="0", upper="1", bins=5)) == 5 and len(keys_of(TOWN, "a, b, c, d, e")) == 5
    for bins in (6, 0, -1):
        with pytest.raises(WorkbenchError) as refused:
            ranges_of(PAY, lower="0", upper="1", bins=bins)
        assert refused.value.field == "bins"
    with pytest.raises(WorkbenchError) as refused:
        keys_of(TOWN, "a, b, c, d, e, f")
    assert refused.value.field == "keys"


def test_numbers_and_dates_have_ranges_unless_values_are_typed() -> None:
    assert partition_of(AGE, lower="0", upper="10", bins=2).edges == (0, 5, 10)
    assert len(partition_of(AGE, lower="0", upper="10")) == len(ranges_of(AGE, lower="0", upper="10")) == 10
    assert partition_of(AGE, keys="3, 4").keys == partition_of(TOWN, keys="3, 4").keys == ("3", "4")
    assert partition_of(ColumnSpec("day", Kind.DATE), lower="2020-01-01", upper="2020-01-03", bins=2).keys == ()
    with pytest.raises(WorkbenchError) as refused:
        partition_of(TOWN, prefix="second_")
    assert refused.value.field == "second_keys"


@pytest.mark.parametrize("seed", range(30))
def test_ranges_that_hold_more_whole_numbers_than_others_are_named(seed: int) -> None:
    draw = random.Random(seed)
    parts = draw.randint(1, 5)
    edges = tuple(itertools.accumulate(F(draw.randint(4, 8), 2) for _ in range(parts + 1)))
    inside = [
        [
            n
            for n in range(math.floor(low), math.ceil(high) + 1)
            if low <= n < high or (place == parts - 1 and n == high)
        ]
        for place, (low, high) in enumerate(itertools.pairwise(edges))
    ]
    sizes = [len(numbers) for numbers in inside]
    said = uneven_ranges(edges)
    assert (said == "") == (len(set(sizes)) == 1)
    odd = [
        place
        for place in range(parts)
        if sizes.count(sizes[place]) == 1 and sizes.count(min(sizes) + max(sizes) - sizes[place]) == parts - 1
    ]
    if parts > 2 and len(odd) == 1 and len(set(sizes)) == 2:
        numbers = inside[odd[0]]
        other = sizes[odd[0] - 1]
        assert f"holds {len(numbers)} whole numbers, every other bin {other}" in said
        assert str(numbers[0]) in said and str(numbers[-1]) in said
    elif said:
        assert said == f"The bins hold {min(sizes)} to {max(sizes)} whole numbers each."
    axis = {"column": "age", "edges": [str(edge) for edge in edges]}
    question = {"frames": [axis], "columns": {"age": {"kind": "integer"}}}
    assert uneven_cells(question) == ((said,) if said else ())
    assert uneven_cells({**question, "columns": {"age": {"kind": "decimal"}}}) == ()
    assert ranges_of(AGE, edges=", ".join(str(float(edge)) for edge in edges)).uneven == said
