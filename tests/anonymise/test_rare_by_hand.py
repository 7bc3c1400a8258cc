"""What looks at few rows of a large table refute, worked out once more row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest

from workbench.anonymise import rare_cells
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.problem import SearchProblem, prepare
from workbench.anonymise.rare_cells import RareCells, RareLabels, rarest_of
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table

Levels = tuple[int, ...]


def problem(limit: float, model: str = "k=5", *, sensitive: bool = False, rows: int = 3000) -> SearchProblem:
    """Three skewed columns, two of which end in `*`; the first has the fewest labels near the top."""
    rng = np.random.default_rng(rows)
    lines = [
        [(str(v), f"{v // 5} of 5", f"{v // 20} of 20", "*") for v in range(40)],
        [(str(v), f"{v // 3} of 3", "*") for v in range(24)],
        [(str(v), f"{v // 2} of 2") for v in range(9)],
    ]
    columns, hierarchies = [], {}
    for name, of in zip("abc", lines, strict=True):
        codes = np.minimum(rng.geometric(4 / (len(of) + 4), rows) - 1, len(of) - 1)
        columns.append(Column(name, codes.astype(np.uint8), tuple(line[0] for line in of)))
        hierarchies[name] = Hierarchy.from_rows(of)
    if sensitive:
        columns.append(Column("d", rng.integers(0, 3, rows).astype(np.uint8), ("x", "y", "z")))
    models = [ModelChoice.parse(model), *([ModelChoice.parse("l-diversity=2:d")] if sensitive else [])]
    return prepare(Table(tuple(columns)), hierarchies, Goal(models, suppression_limit=limit))


def rows_of(asked: SearchProblem) -> list[tuple[Levels, int, int]]:
    """The distinct rows: labels, what travels with them, and how many are alike."""
    ground = asked.bottom
    width = len(asked.lattice.high)
    digits = [ground.digit(place).tolist() for place in range(width + 1)]
    return [(row[:-1], row[-1], rows) for *row, rows in zip(*digits, ground.counts.tolist(), strict=True)]


def label(asked: SearchProblem, row: Levels, levels: Levels) -> Levels:
    ground = asked.bottom
    axes = zip(ground.coding.axes, ground.levels, levels, row, strict=True)
    return tuple(int(axis.up(low, level)[digit]) for axis, low, level, digit in axes)


def too_many(asked: SearchProblem, rows: list[tuple[Levels, int, int]], levels: Levels) -> bool:
    """Whether more of these rows than may be suppressed are in classes that are too small among them."""
    sizes = Counter[Levels]()
    for row, _, count in rows:
        sizes[label(asked, row, levels)] += count
    return sum(size for size in sizes.values() if size < asked.smallest_class) > asked.most_suppressed


def nodes(asked: SearchProblem) -> Iterator[Levels]:
    lattice = asked.lattice
    return product(*[range(low, high + 1) for low, high in zip(lattice.low, lattice.high, strict=True)])


def made(kind: type[RareCells] | type[RareLabels], asked: SearchProblem) -> RareCells | RareLabels:
    return kind(asked.bottom, asked.layout, asked.lattice, asked.smallest_class, asked.most_suppressed)


@pytest.mark.parametrize(
    ("limit", "witnesses", "most"),
    [(0.0, 60, 500), (0.0, 1, 500), (0.0, 61, 25), (0.0, 0, 0), (0.01, 100, 500), (0.05, 300, 500)],
)
@pytest.mark.parametrize("sensitive", [False, True])
def test_the_rarest_classes_near_the_top_refute_what_they_do_row_by_row(
    monkeypatch: pytest.MonkeyPatch, limit: float, witnesses: int, most: int, sensitive: bool
) -> None:
    """The rarest ones in turn while they have fewer distinct rows than said; one at least, unless it has too many."""
    monkeypatch.setattr(rare_cells, "_WITNESSES", witnesses)
    monkeypatch.setattr(rare_cells, "_MOST_WITNESSES", most)
    asked = problem(limit, sensitive=sensitive)
    rare, rows, high = made(RareCells, asked), rows_of(asked), asked.lattice.high
    refuted = 0
    for levels in nodes(asked):
        near = tuple(top if level == top else top - 1 for level, top in zip(levels, high, strict=True))
        of: dict[Levels, list[tuple[Levels, int, int]]] = {}
        for row in rows:
            of.setdefault(label(asked, row[0], near), []).append(row)
        looked: list[tuple[Levels, int, int]] = []
        rarest = sorted(sorted(of), key=lambda one: sum(count for *_, count in of[one]))
        for at, one in enumerate(rarest):
            if at and len(looked) + len(of[one]) >= witnesses:
                break
            looked += of[one]
        enough = sum(count for *_, count in looked) > asked.most_suppressed
        wanted = len(looked) <= most and enough and too_many(asked, looked, levels)
        assert rare.refute(levels) == wanted
        refuted += wanted
    assert bool(refuted) == (most == 500)


@pytest.mark.parametrize(("limit", "model"), [(0.0, "k=5"), (0.005, "k=9"), (0.01, "k=4"), (0.04, "k=30")])
@pytest.mark.parametrize("labels", [4, 1])
def test_the_rarest_labels_of_the_finest_column_refute_what_they_do_row_by_row(
    monkeypatch: pytest.MonkeyPatch, limit: float, model: str, labels: int
) -> None:
    """Those with three times the rows that may be lost at least; looks in vain cost, until none is taken."""
    monkeypatch.setattr(rare_cells, "_MOST_LABELS", labels)
    asked = problem(limit, model)
    rare, rows, high = made(RareLabels, asked), rows_of(asked), asked.lattice.high
    axes = asked.bottom.coding.axes
    finest = sorted(range(len(high)), key=lambda place: -axes[place].radices[high[place] - 1])
    kept: dict[int, list[tuple[Levels, int, int]] | None] = {}
    credit, seen = 32, set()
    for levels in list(nodes(asked)) * 2:
        looked = None
        if credit > 0:
            for place in finest:
                if levels[place] < high[place]:
                    if place not in kept and sum(rows is not None for rows in kept.values()) < labels:
                        kept[place] = _with_rarest(asked, rows, place)
                    if (looked := kept.get(place)) is not None:
                        break
        wanted = looked is not None and too_many(asked, looked, levels)
        credit = credit + 1 if looked is None else min(credit + 12, 64) if wanted else credit - 4
        assert rare.refute(levels) == wanted
        seen.add((looked is None, wanted))
    assert (False, True) in seen


def _with_rarest(
    asked: SearchProblem, rows: list[tuple[Levels, int, int]], place: int
) -> list[tuple[Levels, int, int]] | None:
    level = asked.lattice.high[place] - 1
    axis, low = asked.bottom.coding.axes[place], asked.bottom.levels[place]
    of = Counter[int]()
    for row, _, count in rows:
        of[int(axis.up(low, level)[row[place]])] += count
    chosen, together = set[int](), 0
    for one in sorted(sorted(of), key=lambda one: of[one]):
        chosen.add(one)
        if (together := together + of[one]) >= 3 * asked.most_suppressed:
            break
    found = [row for row in rows if int(axis.up(low, level)[row[0][place]]) in chosen]
    if len(found) * 3 > len(rows):
        return None
    return found if sum(count for *_, count in found) > asked.most_suppressed else None


def test_looks_at_few_rows_are_taken_of_large_tables_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many distinct rows as said, not one fewer; classes where few rows may be lost, or else the rarest labels."""
    asked = problem(0.01)
    distinct, rows, few = len(asked.bottom), 3000, asked.most_suppressed

    def kind(suppressed: int = few, *, classes: int, labels: int, witnesses: int = 3000) -> str:
        monkeypatch.setattr(rare_cells, "WORTH_IT", classes)
        monkeypatch.setattr(rare_cells, "_WORTH_LABELS", labels)
        monkeypatch.setattr(rare_cells, "_WITNESSES", witnesses)
        return type(rarest_of(asked.bottom, asked.layout, asked.lattice, 5, suppressed)).__name__

    assert kind(classes=distinct, labels=distinct) == "RareCells"
    assert kind(classes=distinct + 1, labels=1) == "NoneType"
    assert kind(classes=1, labels=distinct, witnesses=few) == "RareCells"
    assert kind(classes=1, labels=distinct, witnesses=few - 1) == "RareLabels"
    assert kind(classes=1, labels=distinct + 1, witnesses=few - 1) == "NoneType"
    assert kind(rows // 3, classes=1, labels=1, witnesses=1) == "RareLabels"
    assert kind(rows // 3 + 1, classes=1, labels=1, witnesses=1) == "NoneType"
    rare, by_label = made(RareCells, asked), made(RareLabels, asked)
    monkeypatch.setattr(rare_cells, "WORTH_IT", 77)
    monkeypatch.setattr(rare_cells, "_WORTH_LABELS", 55)
    assert [rare.worth_it(76), rare.worth_it(77)] == [by_label.worth_it(54), by_label.worth_it(55)] == [False, True]


@pytest.mark.parametrize("sensitive", [False, True])
def test_too_many_classes_near_the_top_are_not_sorted_out(monkeypatch: pytest.MonkeyPatch, sensitive: bool) -> None:
    asked = problem(0.0, sensitive=sensitive)
    base = tuple(max(high - 1, low) for high, low in zip(asked.lattice.high, asked.lattice.low, strict=True))
    classes = len({label(asked, row, base) for row, *_ in rows_of(asked)})
    monkeypatch.setattr(rare_cells, "_MOST_CELLS", classes)
    assert made(RareCells, asked).sorted_out
    monkeypatch.setattr(rare_cells, "_MOST_CELLS", classes - 1)
    rare = made(RareCells, asked)
    assert not rare.sorted_out and not any(map(rare.refute, nodes(asked)))
    monkeypatch.setattr(rare_cells, "_MOST_CELLS", classes)
    possible = np.prod([axis.radices[level] for axis, level in zip(asked.bottom.coding.axes, base, strict=True)])
    for widest, sorted_out in ((0, True), (1, False)):
        monkeypatch.setattr(rare_cells, "WIDEST", int(possible) * asked.bottom.coding.extra - widest)
        assert made(RareCells, asked).sorted_out == sorted_out
