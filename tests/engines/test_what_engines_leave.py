"""What engines leave behind, how much they bring into memory, and what they say where something goes wrong."""

from __future__ import annotations

import errno
import gc
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from workbench.anonymise.goal import Goal
from workbench.anonymise.privacy import ModelChoice
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sampling import Recipe
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.randomness import SeededSource, source_for
from workbench.engines import sampling
from workbench.engines.budget import BeyondMemory
from workbench.engines.dispatch import engine_of
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.line_counts import tally
from workbench.engines.opening import open_stored
from workbench.engines.recoded_table import brought
from workbench.engines.stored import StoredColumn, StoredTable
from workbench.engines.writing import write_stored
from workbench.io.dialect import Dialect
from workbench.io.export_format import ExportFormat
from workbench.io.reading import read_table

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 60)])


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    lines = [f"{20 + n % 40},{'ABC'[n % 3]},{n}" for n in range(300)]
    path.write_text("\n".join(["age,town,number", *lines]) + "\n", encoding="utf-8")
    return path


def opened(store: DuckStore, path: Path, dialect: Dialect | None = None) -> StoredTable:
    return open_stored(store, files_of(path, dialect or Dialect())).table


def relations(store: DuckStore) -> set[str]:
    gc.collect()
    store.sweep()
    listed = "SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() WHERE NOT internal"
    return {
        str(row[0]) for row in store.rows(f"{listed} UNION SELECT type_name FROM duckdb_types() WHERE NOT internal")
    }


def recoded(table: StoredTable, _folder: Path) -> object:
    return engine_of(table).recode(
        {"age": AGES}, {"age": 1}, Goal([ModelChoice.parse("k=2")], suppression_limit=1.0), keep=("town",)
    )


def released(table: StoredTable, _folder: Path) -> object:
    plans = (ColumnPlan("age", Treatment.GENERALISE, 1), ColumnPlan("town", Treatment.KEEP))
    return engine_of(table).release(Recipe(plans, 0.9, 2), {"age": AGES}, source_for(None))


def written(table: StoredTable, folder: Path) -> object:
    return write_stored(table, folder / "out.csv", ExportFormat()), write_stored(
        table, folder / "out.parquet", ExportFormat("parquet")
    )


def counted(table: StoredTable, folder: Path) -> object:
    files = files_of(folder / "people.csv", Dialect())
    return list(tally(table.store, files, [0, 1], ("age", "town", "number")))


@pytest.mark.parametrize("work", [recoded, released, written, counted], ids=lambda work: work.__name__)
def test_nothing_is_left_when_the_result_is_forgotten(
    work: Callable[[StoredTable, Path], object], duckdb_store: DuckStore, people: Path
) -> None:
    table = opened(duckdb_store, people)
    before = relations(duckdb_store)
    made = work(table, people.parent)
    assert made
    del made
    assert relations(duckdb_store) == before


@pytest.mark.parametrize("spoilt", ["none", "line", "many"])
def test_nothing_is_left_of_a_file_that_was_read(
    spoilt: str, duckdb_store: DuckStore, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = relations(duckdb_store)
    if spoilt == "line":  # one that DuckDB reads otherwise
        people.write_text(people.read_text(encoding="utf-8") + "20,\n21\n", encoding="utf-8")
    if spoilt == "many":  # values that are not listed
        monkeypatch.setattr("workbench.engines.opening.MOST_VALUES", 50)
    table = opened(duckdb_store, people)
    assert table.rows >= 300
    del table
    assert relations(duckdb_store) == before


def test_a_store_that_is_forgotten_leaves_nothing_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    store = DuckStore()
    store.drop(store.keep("SELECT 1 AS a"))
    assert any(tmp_path.rglob("*"))
    del store
    gc.collect()
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_what_is_brought_into_memory_is_asked_of_the_budget(
    duckdb_store: DuckStore, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """300 rows: a byte each for ages and towns, two for numbers."""
    table = opened(duckdb_store, people)
    for limit, names, fits in ((299, ["age"], False), (300, ["age"], True), (599, ["age", "town"], False),
                               (600, ["age", "town"], True), (899, ["age", "number"], False)):  # fmt: skip
        monkeypatch.setattr(duckdb_store.budget, "limit", limit)
        if fits:
            assert brought(table, names).names == tuple(names)
        else:
            with pytest.raises(BeyondMemory, match=names[-1]):
                brought(opened_again(table), names)


def opened_again(table: StoredTable) -> StoredTable:
    """The same rows, of which nothing has been brought yet."""
    columns = [type(c)(c.name, c.place, c.physical, c.values, c.counts) for c in map(table.column, table.names)]
    return StoredTable(table.place, columns)


def test_codes_are_asked_of_the_budget_and_take_a_quarter_of_it_at_most(
    duckdb_store: DuckStore, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(duckdb_store, people)
    assert table.codes_size(["age", "number"]) == 900 and table.codes_size([]) == 0
    monkeypatch.setattr(duckdb_store.budget, "limit", 599)
    assert table.codes_size(["age", "number"]) == 149
    with pytest.raises(BeyondMemory, match="number"):
        _ = opened_again(table)["number"].codes
    monkeypatch.setattr(duckdb_store.budget, "limit", 600)
    assert len(opened_again(table)["number"].codes) == 300


def test_nothing_is_suppressed_unless_that_is_allowed(duckdb_store: DuckStore, tmp_path: Path) -> None:
    path = tmp_path / "three.csv"
    path.write_text("age,town\n21,A\n22,A\n35,A\n", encoding="utf-8")
    engine = engine_of(opened(duckdb_store, path))
    with pytest.raises(WorkbenchError):
        engine.recode({"age": AGES}, {"age": 1}, Goal([ModelChoice.parse("k=2")], suppression_limit=0.0))
    assert (
        engine.recode({"age": AGES}, {"age": 2}, Goal([ModelChoice.parse("k=2")], suppression_limit=0.0))
        .released()
        .rows
        == 3
    )


@pytest.mark.parametrize("order", [1, -1])
def test_parts_of_other_columns_are_no_table(order: int, duckdb_store: DuckStore, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, names in enumerate([("a", "b"), ("a", "c")][::order]):
        pq.write_table(pa.table({name: ["x"] for name in names}), folder / f"part-{number}.parquet")
    with pytest.raises(WorkbenchError, match="column"):
        opened(duckdb_store, folder)


@pytest.mark.parametrize(
    ("content", "dialect"),
    [
        ("a,b\n 1, x\n2,  y\n", Dialect(skip_spaces=True)),
        ("a,b\n 1, x\n2,  y\n", Dialect()),
        ("a\n1\n\n2\n", Dialect()),
        ("a\n1\n", Dialect()),
        ("a,b\n1,é\n", Dialect(encoding="latin-1")),
        ("a§b\n1§x\n", Dialect(delimiter="§")),
    ],
)
def test_files_that_duckdb_would_read_otherwise_are_read_by_the_program(
    content: str, dialect: Dialect, duckdb_store: DuckStore, tmp_path: Path
) -> None:
    path = tmp_path / "data.csv"
    path.write_text(content, encoding=dialect.encoding, newline="")
    memory, engine = read_table(path, dialect).table, opened(duckdb_store, path, dialect)
    assert engine.names == memory.names and engine.page(0, 9) == memory.page(0, 9)


def test_a_lack_of_memory_is_told_and_not_tried_in_another_way(
    duckdb_store: DuckStore, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(field: str) -> None:
        def keep(self: DuckStore, *_words: object) -> str:
            raise WorkbenchError("It went wrong.", field=field)

        monkeypatch.setattr(DuckStore, "keep", keep)

    def scan(self: DuckStore, *_words: object) -> None:
        raise AssertionError("read once more")

    files = files_of(people, Dialect())
    monkeypatch.setattr(DuckStore, "scan", scan)
    failing("memory")
    with pytest.raises(WorkbenchError, match="It went wrong"):
        list(tally(duckdb_store, files, [0], ("age", "town", "number")))
    failing("path")
    with pytest.raises(AssertionError, match="read once more"):
        list(tally(duckdb_store, files, [0], ("age", "town", "number")))


@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(("code", "told"), [(errno.ENOSPC, "not enough room"), (errno.EIO, "could not be written")])
def test_only_a_full_disk_is_told_as_one(
    form: str, code: int, told: str, duckdb_store: DuckStore, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: DuckStore, *words: object, **_named: object) -> None:
        path = next(word for word in words if isinstance(word, Path))
        raise WorkbenchError("It could not be written.") from OSError(f"{path}: {os.strerror(code)}")

    table = opened(duckdb_store, people)
    monkeypatch.setattr(DuckStore, "spread", True)
    monkeypatch.setattr(DuckStore, "write_lines", fail)
    monkeypatch.setattr(DuckStore, "write_parquet", fail)
    with pytest.raises(WorkbenchError, match=told):
        write_stored(table, people.parent / "out", ExportFormat(form), parts=True)


def test_one_file_is_written_unless_parts_are_asked_for(duckdb_store: DuckStore, people: Path) -> None:
    table = opened(duckdb_store, people)
    write_stored(table, people.parent / "out.csv", ExportFormat())
    write_stored(table, people.parent / "parts", ExportFormat(), parts=True)
    assert (people.parent / "out.csv").is_file() and (people.parent / "parts").is_dir()


def test_a_row_beyond_the_first_block_is_where_it_was(duckdb_store: DuckStore, tmp_path: Path) -> None:
    """Codes come in blocks of 131,072."""
    path = tmp_path / "long.csv"
    numbers = np.arange(140_000) % 7
    path.write_text("a,b\n" + "\n".join(f"{n},x" for n in numbers.tolist()) + "\n", encoding="utf-8")
    column = opened(duckdb_store, path)["a"]
    assert np.array_equal(np.array(column.values)[column.codes].astype(int), numbers)


def test_a_column_has_the_counts_it_is_given_and_counts_where_it_is_given_none(
    duckdb_store: DuckStore, people: Path
) -> None:
    town = opened(duckdb_store, people)["town"]
    assert isinstance(town, StoredColumn)
    assert town.counts.tolist() == [100, 100, 100]
    given = np.array([7, 8, 9])
    assert StoredColumn("town", town.place, town.physical, town.values, given).counts is given
    assert StoredColumn("town", town.place, town.physical, town.values).counts.tolist() == [100, 100, 100]


def test_a_sample_that_is_refused_leaves_nothing_in_the_engine(
    duckdb_store: DuckStore, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = opened(duckdb_store, people)
    before = relations(duckdb_store)
    sampling.draw_rows(duckdb_store, table.place.relation, [], 0.5, SeededSource(1))
    assert len(relations(duckdb_store) - before) == 1

    def refused(*_: object) -> None:
        raise WorkbenchError("Other rows than the coins say.", hint="Try again.")

    before = relations(duckdb_store)
    monkeypatch.setattr(sampling, "_check", refused)
    with pytest.raises(WorkbenchError, match="Other rows"):
        sampling.draw_rows(duckdb_store, table.place.relation, [], 0.5, SeededSource(2))
    assert relations(duckdb_store) == before
