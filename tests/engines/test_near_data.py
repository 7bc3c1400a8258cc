"""Data that is nearly the same is recognised whether its rows are in memory or in an engine."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from workbench.core.likeness import is_nearly_the_same
from workbench.core.sketch import HashedTable, KeyedHash, Sketch, sketch_of
from workbench.core.table import Table
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.io.reading import read_table
from workbench.query.ledger import Charge
from workbench.session import Session

KEYED = KeyedHash(b"a key that is fixed for the test")
ROWS = 6000


def written(path: Path, first: int, last: int) -> Path:
    draw = np.random.default_rng(3)
    ages, towns, pays = draw.integers(18, 90, 20_000), draw.integers(0, 30, 20_000), draw.integers(0, 500, 20_000)
    lines = [f"{ages[row]},town {towns[row]},{pays[row]}" for row in range(first, last)]
    path.write_text("\n".join(["age,town,pay", *lines]) + "\n", encoding="utf-8")
    return path


def sketched(table: Table) -> Sketch:
    made = sketch_of(HashedTable(table, KEYED))
    assert made is not None
    return made


def test_the_sketch_is_the_same(duckdb_store: DuckStore, tmp_path: Path) -> None:
    file = written(tmp_path / "a.csv", 0, ROWS)
    memory, engine = sketched(read_table(file).table), sketched(open_stored(duckdb_store, files_of(file)).table)
    assert (memory.rows, memory.wide) == (engine.rows, engine.wide)
    for one, two in ((memory.names, engine.names), (memory.cells, engine.cells), (memory.counts, engine.counts)):
        assert (one == two).all()


@pytest.mark.parametrize(("first", "near"), [(1, True), (ROWS // 4, True), (ROWS * 6 // 10, False)])
def test_likeness_across_engines(duckdb_store: DuckStore, tmp_path: Path, first: int, near: bool) -> None:
    old, new = written(tmp_path / "old.csv", 0, ROWS), written(tmp_path / "new.csv", first, first + ROWS)
    for one, two in ((old, new), (new, old)):
        memory = sketched(read_table(one).table)
        engine = open_stored(duckdb_store, files_of(two)).table
        assert is_nearly_the_same(memory, HashedTable(engine, KEYED)) is near
        assert is_nearly_the_same(sketched(engine), HashedTable(read_table(one).table, KEYED)) is near


def test_columns_an_engine_does_not_list(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They take no part; the others tell the rows."""
    old, new = written(tmp_path / "old.csv", 0, ROWS), written(tmp_path / "new.csv", 1, ROWS)
    memory = sketched(read_table(old).table)
    monkeypatch.setattr("workbench.engines.opening.MOST_VALUES", 400)
    engine = open_stored(duckdb_store, files_of(new)).table
    assert not engine.lists("pay")
    assert is_nearly_the_same(memory, HashedTable(engine, KEYED))
    own = sketched(engine)
    assert len(own.names) == 2
    assert is_nearly_the_same(own, HashedTable(read_table(old).table, KEYED))


def test_a_session_in_an_engine_is_warned(duckdb_store: DuckStore, tmp_path: Path) -> None:
    first = Session()
    first.data.open(written(tmp_path / "old.csv", 0, ROWS), store=duckdb_store)
    first.ledger.current.charge(Charge("query", "x", Fraction(1)))
    for store in (duckdb_store, None):
        second = Session()
        second.data.open(written(tmp_path / "new.csv", 1, ROWS), store=store)
        assert second.ledger.nearly_same().unsettled == (first.data.fingerprint,)
