"""Where an engine stops: memory that just suffices, remembered groups, coins at the ends; and the names of engines."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.table import Rare, TooManyGroups
from workbench.engines import budget as budgets
from workbench.engines import counting
from workbench.engines.budget import BeyondMemory, MemoryBudget, in_words, memory_in_use, memory_of_machine, usual_limit
from workbench.engines.choice import EngineChoice, size_of
from workbench.engines.counting import group_size, most_groups
from workbench.engines.dialect import DUCKDB, SPARK
from workbench.engines.duckdb_files import _findable
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import TableFiles, files_of
from workbench.engines.opening import open_stored
from workbench.engines.sampling import threshold
from workbench.engines.stored import StoredTable
from workbench.io.dialect import Dialect

TEXT = "a,b\n" + "".join(f"{n % 3},{n % 4}\n" for n in range(24)) + "9,9\n"
"""Twelve pairs of two rows each, and one of a single row."""


@pytest.fixture
def table(duckdb_store: DuckStore, tmp_path: Path) -> StoredTable:
    (tmp_path / "data.csv").write_text(TEXT, encoding="utf-8")
    return open_stored(duckdb_store, files_of(tmp_path / "data.csv")).table


def keys(*factors: int) -> list[dict[str, np.ndarray]]:
    """Keys of the pairs: one number for both, or one for each."""
    a, b = np.arange(4), np.arange(5)
    return [{"a": a * 5, "b": b}] if not factors else [{"a": a}, {"b": b}]


def test_one_part_that_duckdb_would_take_for_a_pattern_is_one_too_many() -> None:
    """A backslash and a sign of patterns together would name another file, so the program reads such files itself."""
    plain, odd = Path("a.csv"), Path("a\\b[1].csv")
    for paths, found in (
        ((plain,), True),
        ((odd,), False),
        ((plain, odd), False),
        ((odd, plain), False),
        ((Path("a\\b.csv"), Path("b[1].csv")), True),
    ):
        assert _findable(TableFiles(paths[0], paths, "csv", Dialect())) == found


# Memory


def test_as_much_memory_as_there_may_be_can_be_used() -> None:
    budget = MemoryBudget(1000)
    budget.check(1000, "all rows", "DuckDB")
    with pytest.raises(BeyondMemory) as refused:
        budget.check(1001, "all rows", "DuckDB")
    assert refused.value.field == "memory" and "This needs all rows in memory" in refused.value.message
    assert "in DuckDB" in refused.value.message


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (0, "0 MB"),
        (-5, "0 MB"),
        (1_499_999, "1 MB"),
        (999_000_000, "999 MB"),
        (10**9, "1.0 GB"),
        (2_560_000_000, "2.6 GB"),
    ],
)
def test_sizes_are_written_as_people_write_them(size: int, words: str) -> None:
    assert in_words(size) == words


def test_a_quarter_of_the_machine_may_be_used_and_a_gigabyte_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    for whole, limit in ((1 << 30, 1 << 28), (4 << 30, 1 << 30), (64 << 30, 1 << 30), (None, 1 << 30)):
        monkeypatch.setattr(budgets, "memory_of_machine", lambda whole=whole: whole)
        assert usual_limit() == MemoryBudget().limit == limit
    assert MemoryBudget(7).limit == 7


def test_the_system_tells_how_much_memory_there_is_and_is_used() -> None:
    whole, used = memory_of_machine(), memory_in_use()
    if whole is not None and used is not None:
        assert 1 << 20 < used < whole


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("64", 64 << 20),
        ("64MB", 64 << 20),
        ("65536k", 64 << 20),
        ("67108864B", 64 << 20),
        ("1.5 GiB", 3 << 29),
        (" 1t ", 1 << 40),
    ],
)
def test_a_budget_is_of_the_least_at_least(text: str, size: int) -> None:
    assert size_of(text) == size


@pytest.mark.parametrize("text", ["63", "63.9MB", "67108863B", "", "MB", "-64MB", "64 XB", "1e9"])
def test_less_than_the_least_is_no_budget(text: str) -> None:
    with pytest.raises(WorkbenchError, match="is no memory budget") as refused:
        size_of(text)
    assert refused.value.field == "memory"


# Groups


def test_groups_are_brought_as_long_as_they_fit(table: StoredTable, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [group_size(number) for number in (0, 1, 2)] == [64, 72, 80]
    for one in (keys(), keys(1, 1)):
        size = group_size(len(one))
        monkeypatch.setattr(table.store.budget, "limit", 13 * size)
        assert most_groups(table.store, len(one)) == 13
        found, rows = table.groups(one)
        assert len(rows) == 13 and rows.sum() == 25 and len(found) == len(one)
        monkeypatch.setattr(table.store.budget, "limit", 13 * size - 1)
        object.__setattr__(table, "known_groups", {})
        with pytest.raises(TooManyGroups, match="13 different kinds") as refused:
            table.groups(one)
        assert refused.value.field == "memory" and refused.value.rare == 0


def test_groups_come_in_the_order_of_their_keys_and_small_ones_can_stay(table: StoredTable) -> None:
    ((one,), rows), ((first, second), both) = table.groups(keys()), table.groups(keys(1, 1))
    assert one.tolist() == sorted(one.tolist()) and rows.tolist() == both.tolist()
    assert list(zip(first.tolist(), second.tolist(), strict=True)) == sorted(zip(first, second, strict=True))
    ((few,), twice) = table.groups(keys(), at_least=2)
    assert len(few) == 12 and set(twice.tolist()) == {2}
    assert len(table.groups(keys(), at_least=3)[1]) == 0
    assert table.groups([])[1].tolist() == [25] == table.groups([], at_least=25)[1].tolist()
    assert table.groups([], at_least=26)[1].tolist() == []


@pytest.mark.parametrize(("below", "rare"), [(1, 0), (2, 1), (3, 25)])
def test_rows_of_rare_kinds_are_told_where_groups_are_too_many(
    table: StoredTable, monkeypatch: pytest.MonkeyPatch, below: int, rare: int
) -> None:
    monkeypatch.setattr(table.store.budget, "limit", 72)
    with pytest.raises(TooManyGroups) as refused:
        table.groups(keys(), rare=Rare(below, 1, marked=False))
    assert refused.value.rare == rare


def test_what_was_counted_is_remembered_as_long_as_it_is_small(
    table: StoredTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    keep = table.store.keep
    monkeypatch.setattr(table.store, "keep", lambda select, *more: (asked.append(select), keep(select, *more))[1])
    size = 13 * 2 * 8
    monkeypatch.setattr(table.store.budget, "limit", counting.REMEMBERED * size - 1)
    for _ in range(2):
        table.groups(keys())
    assert len(asked) == 2 and not table.known_groups
    monkeypatch.setattr(table.store.budget, "limit", counting.REMEMBERED * size)
    for _ in range(2):
        table.groups(keys())
    assert len(asked) == 3 and len(table.known_groups) == 1
    # There is room for one: the newest stays.
    table.groups(keys(), at_least=2)
    (known,) = table.known_groups.values()
    assert len(known[1]) == 12
    monkeypatch.setattr(table.store.budget, "limit", counting.REMEMBERED * 2 * size)
    table.groups(keys())
    assert [len(rows) for _, rows in table.known_groups.values()] == [12, 13]


# Rows and coins


def test_codes_are_found_at_rows_anywhere(table: StoredTable, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = table.blocks
    monkeypatch.setattr(StoredTable, "blocks", lambda _, names, *more: blocks(names, 10))
    everything = [column[np.arange(25)] for column in table.codes_at(["a", "b"], np.arange(25))]
    for rows in ([], [0], [24], [9, 10], [0, 9, 10, 19, 20, 24]):
        found = table.codes_at(["a", "b"], np.array(rows, dtype=np.intp))
        assert [one.tolist() for one in found] == [column[rows].tolist() for column in everything], rows
    assert table.codes_at([], np.array([1])) == []


@pytest.mark.parametrize(
    ("probability", "limit"),
    [
        (0.0, "0" * 16),
        (0.5, "8" + "0" * 15),
        (2.0**-64, "0" * 15 + "1"),
        (2.0**-65, "0" * 16),
        (1.0, None),
        (0.25, "4" + "0" * 15),
    ],
)
def test_a_coin_is_below_the_probability_rounded_down(probability: float, limit: str | None) -> None:
    assert threshold(probability) == limit
    if limit is not None and 0 < probability < 1:
        assert int(limit, 16) <= probability * 2**64


# Names


@pytest.mark.parametrize(
    ("name", "memory", "spark", "remote", "title"),
    [
        ("memory", True, False, False, "memory"),
        ("duckdb", False, False, False, "DuckDB"),
        ("local[2]", False, True, False, "Spark (local[2])"),
        ("spark://host:7077", False, True, True, "Spark (spark://host:7077)"),
    ],
)
def test_engines_by_their_names(name: str, memory: bool, spark: bool, remote: bool, title: str) -> None:
    choice = EngineChoice(name)
    assert (choice.in_memory, choice.spark, choice.remote, choice.title) == (memory, spark, remote, title)
    if memory:
        assert choice.start() is None


def test_names_and_texts_are_quoted_as_each_engine_reads_them() -> None:
    assert DUCKDB.name('a"b') == '"a""b"' and SPARK.name("a`b") == "`a``b`"
    assert DUCKDB.literal("it's \\") == "'it''s \\'" and SPARK.literal("it's \\") == "'it\\'s \\\\'"
    assert DUCKDB.literal(7) == SPARK.literal(7) == "7" and DUCKDB.literal(True) == "1"


def test_files_know_how_they_are_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x;y\n1;2\n", encoding="utf-8")
    found = files_of(tmp_path / "a.csv")
    assert (found.dialect.delimiter, found.size, found.paths) == (";", 8, (tmp_path / "a.csv",))
    assert files_of(tmp_path / "a.csv", Dialect(delimiter=",")).dialect.delimiter == ","
    assert files_of(tmp_path / "a.csv", Dialect(delimiter=",", sheet="one")).dialect.delimiter == ";"
