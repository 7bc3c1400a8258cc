"""Tables and questions of the syntactic models for searches in an engine, and what a search finds."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.search import optimise
from workbench.anonymise.utility import MetricChoice
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Column, Table, TooManyGroups
from workbench.engines.counting import group_size
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Store
from workbench.engines.stored import StoredTable
from workbench.io.dialect import Dialect

DISEASES = ("flu", "'; DROP TABLE w1; --", "é😀", "*")
ALIKE = Hierarchy.from_rows([(value, "low" if place < 2 else "high", "all") for place, value in enumerate(DISEASES)])
MODELS = (
    ("k=2",),
    ("k=3", "l-diversity=2:disease"),
    ("t-closeness=0.3:disease",),
    ("t-closeness-hierarchical=0.4:disease", "k=2"),
    ("k=2", "d-presence=0,0.9:mark=yes"),
    ("k-map=3:mark=yes", "l-diversity=2:disease"),
    ("average-risk=0.4",),
    ("t-closeness=0.3:disease", "k-map=2:disease=flu"),
)
QUICK = settings(
    max_examples=examples(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@dataclass(frozen=True)
class Case:
    """A table with quasi-identifiers, a sensitive column and a mark, and its hierarchies."""

    table: Table
    hierarchies: dict[str, Hierarchy]

    @property
    def top(self) -> dict[str, int]:
        return {name: hierarchy.height for name, hierarchy in self.hierarchies.items()}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Small tables in which some classes are alike; not every hierarchy ends in a single label."""
    attributes = draw(st.integers(1, 3))
    hierarchies = {}
    for number in range(attributes):
        size = draw(st.integers(1, 6))
        levels = [list(range(size))]
        for _ in range(draw(st.integers(0, 2))):
            merged = {label: draw(st.integers(0, max(levels[-1]))) for label in sorted(set(levels[-1]))}
            levels.append([merged[label] for label in levels[-1]])
        if draw(st.booleans()):
            levels.append([0] * size)
        lines = [tuple(f"{depth}'{level[i]}" for depth, level in enumerate(levels)) for i in range(size)]
        hierarchies[f"q{number}"] = Hierarchy.from_rows(lines)
    cells = [st.sampled_from(hierarchy.values) for hierarchy in hierarchies.values()]
    row = st.tuples(*cells, st.sampled_from(DISEASES), st.sampled_from(("no", "yes")))
    rows = draw(st.lists(row, min_size=1, max_size=30))
    names = (*hierarchies, "disease", "mark")
    return Case(table_of(names, rows), hierarchies)


def table_of(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    return Table(
        tuple(Column.from_texts(name, cells) for name, cells in zip(names, zip(*rows, strict=True), strict=True))
    )


def as_read(table: Table) -> Table:
    """The table with its values in the order of first appearance."""
    return Table(tuple(Column.from_texts(column.name, column.texts()) for column in table.columns))


def written(folder: Path, table: Table) -> Path:
    """The table as a file."""
    path = folder / "data.csv"
    lines = [table.names, *(table.row(number) for number in range(table.rows))]
    quoted = [",".join('"' + cell.replace('"', '""') + '"' for cell in line) for line in lines]
    path.write_text("\n".join(quoted) + "\n", encoding="utf-8")
    return path


def stored(store: Store, folder: Path, table: Table) -> StoredTable:
    """The table in the engine, by way of a file."""
    return open_stored(store, files_of(written(folder, table), Dialect())).table


@contextlib.contextmanager
def small_budget(store: Store, groups: int, keys: int = 1) -> Iterator[None]:
    """So little memory that only so many groups with so many keys fit."""
    before = store.budget.limit
    store.budget.limit = group_size(keys) * groups
    try:
        yield
    finally:
        store.budget.limit = before


def chosen(models: Sequence[str]) -> list[ModelChoice]:
    return [ModelChoice.parse(model) for model in models]


def rows_of(table: Table) -> list[tuple[str, ...]]:
    return table.page(0, table.rows)


def marginals(table: Table) -> dict[str, dict[str, int]]:
    """The counts that columns say they have, of values that occur."""
    return {
        column.name: {text: n for text, n in zip(column.values, column.counts.tolist(), strict=True) if n}
        for column in table.columns
    }


def found(table: Table, case: Case, models: Sequence[str], limit: float, metric: str = "loss") -> object:
    """What a search finds, or why it does not."""
    try:
        result = optimise(
            table,
            case.hierarchies,
            Goal(
                chosen(models),
                metric=MetricChoice.parse(metric),
                suppression_limit=limit,
                sensitive_hierarchies={"disease": ALIKE},
            ),
        )
    except TooManyGroups:
        raise
    except WorkbenchError as error:
        return str(error)
    return result.levels, result.score, result.suppressed, result.optimal, result.gap


def numbers(rows: int = 300, seed: int = 4) -> Case:
    """Numbers in three columns, some frequent and most rare."""
    generator = np.random.default_rng(seed)
    columns, hierarchies = [], {}
    for name, size in (("q0", 12), ("q1", 8), ("q2", 5)):
        codes = np.minimum(generator.geometric(0.3, rows) - 1, size - 1)
        columns.append(Column(name, codes, tuple(str(value) for value in range(size))))
        lines = [(str(value), f"{value // 2} of 2", f"{value // 4} of 4", "*") for value in range(size)]
        hierarchies[name] = Hierarchy.from_rows(lines)
    columns.append(Column("disease", generator.integers(0, 4, rows), DISEASES))
    columns.append(Column("mark", generator.integers(0, 2, rows), ("no", "yes")))
    return Case(as_read(Table(tuple(columns))), hierarchies)
