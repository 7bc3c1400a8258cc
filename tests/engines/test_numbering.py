"""Texts that become codes while DuckDB reads them: the same table as in memory, whatever the first rows promised."""

from __future__ import annotations

import gc
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.progress import Cancelled, Progress
from workbench.engines import duckdb_numbering, opening
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.io.reading import read_table

NASTY = ("", "a", "b", "ab", '"', "'; DROP TABLE w1; --", "\\", "é😀", "a,b", "NULL", " ")


@pytest.fixture(autouse=True)
def few_first_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four rows are looked at before the rest is read."""
    monkeypatch.setattr(duckdb_numbering, "FIRST", 4)
    monkeypatch.setattr(duckdb_numbering, "_NEW", 0.5)


def written(folder: Path, rows: list[tuple[str, ...]], name: str = "data.csv") -> Path:
    path = folder / name
    heading = [f"column {place}" for place in range(len(rows[0]))]
    lines = [",".join('"' + cell.replace('"', '""') + '"' for cell in row) for row in (heading, *rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def check_same(store: DuckStore, path: Path) -> list[str]:
    """The table is the one that is read in memory; returns what its columns are called in the engine."""
    memory, stored = read_table(path).table, open_stored(store, files_of(path)).table
    assert stored.names == memory.names
    for name in memory.names:
        assert stored[name].values == memory[name].values
        assert stored[name].counts.tolist() == memory[name].counts.tolist()
        assert stored[name].codes.tolist() == memory[name].codes.tolist()
    last = max(memory.rows - 100, 0)
    assert list(stored.page(last, 100)) == [memory.row(number) for number in range(last, memory.rows)]
    return [stored.column(name).physical for name in stored.names]


@settings(max_examples=examples(20), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(*[st.sampled_from(NASTY)] * 3), min_size=1, max_size=30))
def test_the_table_is_the_one_in_memory(
    rows: list[tuple[str, ...]], duckdb_store: DuckStore, tmp_path_factory: pytest.TempPathFactory
) -> None:
    check_same(duckdb_store, written(tmp_path_factory.mktemp("rows"), rows))


def test_values_that_come_late_come_last(duckdb_store: DuckStore, tmp_path: Path) -> None:
    first = [("a", "x"), ("b", "x"), ("a", "x"), ("b", "x")]
    check_same(duckdb_store, written(tmp_path, [*first, ("z", "x"), ("a", "y"), ("c", "x"), ("z", "y")]))


@pytest.mark.parametrize("late", [250, 300, 66_000])
def test_many_late_values_have_room(late: int, duckdb_store: DuckStore, tmp_path: Path) -> None:
    rows = [("a", "b")] * 10 + [(f"late {number}", "b") for number in range(late)]
    check_same(duckdb_store, written(tmp_path, rows))


def test_columns_of_ever_new_values_are_read_as_texts_and_listed(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_numbering, "_NEW", 0.0)
    rows = [(str(number), "a", str(number % 7), "b") for number in range(60)]
    assert check_same(duckdb_store, written(tmp_path, rows)) == ["c0", "c1", "c2", "c3"]


def test_a_column_that_turns_out_to_have_too_many_values_is_not_listed(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (duckdb_numbering, opening):
        monkeypatch.setattr(module, "MOST_VALUES", 20)
    rows = [("a", "b")] * 5 + [(f"late {number}", "c") for number in range(40)]
    path = written(tmp_path, rows)
    stored, memory = open_stored(duckdb_store, files_of(path)).table, read_table(path).table
    assert [stored.lists(name) for name in stored.names] == [False, True]
    assert list(stored.page(0, 100)) == [memory.row(number) for number in range(memory.rows)]
    assert stored["column 1"].counts.tolist() == [5, 40]


def test_parts_follow_one_another(duckdb_store: DuckStore, tmp_path: Path) -> None:
    written(tmp_path, [("a", "b"), ("c", "b"), ("a", "b")], "1.csv")
    written(tmp_path, [("d", "x"), ("c", "b"), ("a", "y"), ("e", "b")], "2.csv")
    stored = open_stored(duckdb_store, files_of(tmp_path)).table
    assert stored["column 0"].values == ("a", "c", "d", "e")
    assert stored["column 1"].counts.tolist() == [5, 1, 1]


def test_nothing_is_left_in_the_engine(tmp_path: Path) -> None:
    def relations() -> list[str]:
        gc.collect()  # the traceback of a cancellation holds what the functions had
        tables = store.rows("SELECT table_name FROM duckdb_tables()")
        types = store.rows("SELECT type_name FROM duckdb_types() WHERE NOT internal")
        return [name for (name,) in (*tables, *types)]

    def stop(last: float, fraction: float, text: str) -> None:
        if fraction > last:
            raise Cancelled

    rows = [("a", "b")] * 5 + [("late", "c"), ("a", "b")]
    path = written(tmp_path, rows)
    with DuckStore() as store:
        for fraction in (-1.0, 0.01, 0.03, 0.06, 0.3, 0.46, 0.48, 0.6):
            with pytest.raises(Cancelled):
                open_stored(store, files_of(path), Progress(partial(stop, fraction)))
            assert relations() == []
        opened = open_stored(store, files_of(path))
        assert relations() == [opened.table.place.relation]
