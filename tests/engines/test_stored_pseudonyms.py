"""Pseudonyms of data in an engine: the very file that is made in memory, and what an engine cannot list is refused."""

from __future__ import annotations

import csv
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.engines import stored
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.spark_store import SparkStore
from workbench.engines.store import Store
from workbench.io.export_format import ExportFormat
from workbench.project.names_beside import statement_beside
from workbench.session import Session
from workbench.session.export import Targets
from workbench.session.pseudonyms import new_pseudonym_key, pseudonymiser


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return new_pseudonym_key(tmp_path / "secret" / "key.pem")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """Seven names, one of them spelled in two ways, and missing ones; and amounts and words beside them."""
    chance = random.Random(7)
    names = ["Ann", "Bob", "Zoë", "Zoe\u0308", "", "NA", "=Eve", "12", "0012"]
    rows = [(chance.choice(names), chance.choice(names), chance.randint(0, 40), f"w{i % 3}") for i in range(400)]
    path = tmp_path / "people.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("id", "friend", "amount", "word"), *rows])
    return path


def made(people: Path, out: Path, key: Path, store: Store | None, suffix: str = ".csv") -> Path:
    """The copy with pseudonyms of two columns and without a third."""
    out.mkdir()
    path = out / f"copy{suffix}"
    session = Session()
    session.data.open(people, store=store)
    targets = Targets(path, ExportFormat.of(path), statement_beside(path))
    found = pseudonymiser(session, ["friend", "id"], targets, left_out=["word"], key=key)()
    assert (found.rows, found.columns, found.left_out) == (400, ("id", "friend"), ("word",))
    return path


def the_same(people: Path, tmp_path: Path, key: Path, store: Store) -> None:
    here = made(people, tmp_path / "here", key, None)
    there = made(people, tmp_path / "there", key, store)
    assert there.read_bytes() == here.read_bytes()
    made_up = {line.split(b",")[0] for line in here.read_bytes().splitlines()[1:]}
    assert len(made_up) == 8, "one for each however it is spelled, and none for what is missing"


def test_a_duckdb_gives_the_file_that_memory_gives(
    people: Path, tmp_path: Path, key: Path, duckdb_store: DuckStore
) -> None:
    the_same(people, tmp_path, key, duckdb_store)
    assert made(people, tmp_path / "parquet", key, duckdb_store, ".parquet").stat().st_size


def test_a_spark_gives_the_file_that_memory_gives(
    people: Path, tmp_path: Path, key: Path, spark_store: SparkStore
) -> None:
    the_same(people, tmp_path, key, spark_store)


def test_what_an_engine_does_not_list_is_refused_and_nothing_is_written(
    people: Path, tmp_path: Path, key: Path, duckdb_store: DuckStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (stored, *_who_knows("MOST_VALUES", stored.MOST_VALUES)):
        monkeypatch.setattr(module, "MOST_VALUES", 8)
    with pytest.raises(WorkbenchError, match="different values"):
        made(people, tmp_path / "out", key, duckdb_store)
    assert list((tmp_path / "out").iterdir()) == []


def _who_knows(name: str, value: object) -> list[object]:
    import sys

    engines = [one for named, one in sys.modules.items() if named.startswith("workbench.engines")]
    return [one for one in engines if getattr(one, name, None) == value]


def test_the_command_takes_an_engine(people: Path, tmp_path: Path, key: Path, quiet: Callable[[], str]) -> None:
    out = tmp_path / "out"
    out.mkdir()
    files = []
    for engine in ("memory", "duckdb"):
        files.append(out / f"{engine}.csv")
        words = ["--column", "id", "--column", "friend", "--key", str(key), "--out", str(files[-1]), "--engine", engine]
        assert main(["pseudonymise", str(people), *words]) == 0, quiet()
    assert files[0].read_bytes() == files[1].read_bytes()
