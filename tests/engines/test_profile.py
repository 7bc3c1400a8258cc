"""What is said about data in an engine is what is said about it in memory: columns, roles, facts, hierarchies."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.cli.main import main
from workbench.core import role_suggestions
from workbench.core.building import BUILDERS, build_hierarchy, specification
from workbench.core.column_facts import column_facts, coverage
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.paths import sample_data
from workbench.core.progress import SILENT, Cancelled, Progress
from workbench.core.role_suggestions import UNLISTED, suggest
from workbench.core.schema import Kind, Misfits, Role
from workbench.core.table import Column, Table
from workbench.engines import opening
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.store import Store
from workbench.engines.stored import StoredColumn, TooManyValues
from workbench.io.dialect import Dialect
from workbench.project.loading import Loaded, differences, load
from workbench.project.storage import save_project
from workbench.session import Session

CELLS = ("", "1", "2", "2.5", "1,5", "2020-01-31", "n/a", "ann@example.org", '"', "a\nb", "é😀", "\\", "'", "y" * 2000)
NAMES = ("age", "e-mail", 'zip"; --', "a.b`c", "🙂", "x" * 200, "line\nbreak")


def written(path: Path, names: list[str], rows: list[list[str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([names, *rows])
    return path


def both(store: Store, path: Path) -> tuple[Loaded, Loaded]:
    return load(path, Dialect()), load(path, Dialect(), store=store)


@pytest.fixture
def no_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Brings an error where the codes of a column are brought into memory."""

    def refuse(column: StoredColumn) -> Any:
        raise AssertionError(f"the codes of {column.name} were brought into memory")

    monkeypatch.setattr(StoredColumn, "codes", property(refuse))


def check_said_alike(memory: Loaded, stored: Loaded) -> None:
    assert not stored.reading.table.in_memory
    assert stored.proposed == memory.proposed
    assert stored.suggested_roles == memory.suggested_roles
    assert (stored.content, stored.texts) == (memory.content, memory.texts)
    assert stored.reading.fingerprint == memory.reading.fingerprint
    assert stored.reading.problems == memory.reading.problems
    for spec in memory.proposed.columns:
        one, other = (column_facts(loaded.reading.table[spec.name], spec) for loaded in (memory, stored))
        assert repr(one) == repr(other)
    assert repr(suggest(memory.reading.table, memory.proposed)) == repr(suggest(stored.reading.table, stored.proposed))


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[list[str]]]:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    cells = [st.sampled_from(draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=6))) for _ in names]
    rows = draw(st.lists(st.tuples(*cells).map(list), min_size=1, max_size=40))
    return names, rows


@given(tables())
@example((["age", "e-mail"], [["", ""]]))
@example((["age", "zip"], [[str(row % 7), str(row)] for row in range(60)]))
@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_profile_of_any_table_is_the_same(
    duckdb_store: DuckStore,
    no_rows: None,
    tmp_path_factory: pytest.TempPathFactory,
    given_table: tuple[list[str], list[list[str]]],
) -> None:
    path = written(tmp_path_factory.mktemp("profile") / "data.csv", *given_table)
    check_said_alike(*both(duckdb_store, path))


def test_profile_of_a_table_of_which_some_rows_are_tried(
    duckdb_store: DuckStore, no_rows: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(role_suggestions, "SAMPLED_ROWS", 500)
    draw = np.random.Generator(np.random.PCG64(1))
    rows = [[str(draw.integers(90)), str(draw.integers(60)), str(draw.integers(3))] for _ in range(3000)]
    path = written(tmp_path / "data.csv", ["age", "job", "sex"], rows)
    memory, stored = both(duckdb_store, path)
    check_said_alike(memory, stored)
    found = suggest(stored.reading.table, stored.proposed)
    assert found.rows == 500
    assert any(len(one.columns) > 1 for one in found.found)


def test_codes_of_some_rows(duckdb_store: DuckStore, tmp_path: Path) -> None:
    path = written(tmp_path / "data.csv", ["a", "b"], [[str(row % 100), str(row % 7)] for row in range(140_000)])
    memory, stored = (loaded.reading.table for loaded in both(duckdb_store, path))
    for rows in ([], [0], [139_999], [5, 65_535, 65_536, 131_072, 139_998], range(0, 140_000, 3)):
        wanted = np.array(rows, dtype=np.intp)
        for one, other in zip(memory.codes_at(["b", "a"], wanted), stored.codes_at(["b", "a"], wanted), strict=True):
            assert one.tolist() == other.tolist()
    assert stored.codes_at([], np.arange(3)) == []

    def stop(fraction: float, text: str) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        stored.codes_at(["a"], np.arange(3), Progress(stop))


def profiled(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    assert main(["profile", *map(str, words), "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


@pytest.mark.parametrize("name", ["nba_salaries.csv"])
def test_the_command_says_the_same_and_names_the_engine(
    capsys: pytest.CaptureFixture[str], name: str, tmp_path: Path
) -> None:
    session = Session()
    path = sample_data() / name
    session.data.open(path)
    # A project of other data, so that there are differences to be told.
    first = session.data.reading.table.names[0]
    session.data.set_kind([first], Kind.INTEGER)
    session.data.set_domain(session.data.reading.table.names[1], ["nothing", "known"])
    project = tmp_path / "project.wbench"
    save_project(session.project, project)
    changed = tmp_path / "changed.csv"
    changed.write_text(path.read_text(encoding="utf-8") + "a,b\n", encoding="utf-8")

    memory = profiled(capsys, changed, "--project", project)
    stored = profiled(capsys, changed, "--project", project, "--engine", "duckdb", "--memory-budget", "64MB")
    assert (memory.pop("engine"), stored.pop("engine")) == ("memory", "duckdb")
    assert stored == memory
    assert memory["differences"]["misfits"]
    assert memory["differences"]["new_values"]
    assert memory["problem_count"] == 1

    assert main(["profile", str(changed), "--engine", "duckdb"]) == 0
    assert "; in DuckDB\n" in capsys.readouterr().out


def test_the_command_takes_folders_and_patterns(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for place in range(3):
        written(tmp_path / f"part-{place}.csv", ["age", "sex"], [[str(place), "f"], ["7", "m"]])
    (tmp_path / "part-1.csv").write_text("age,sex\n1,f\n1,2,3\n7,m\n", encoding="utf-8")
    memory = profiled(capsys, tmp_path / "part-*.csv", "--engine", "memory")
    assert memory["rows"] == 6
    assert memory["problems"] == [
        {"line": 3, "reason": "3 cells instead of 2", "text": "1,2,3", "kept": False, "part": "part-1.csv"}
    ]
    for words in ((tmp_path,), (tmp_path / "*.csv", "--engine", "duckdb"), (tmp_path, "--delimiter", ",")):
        assert profiled(capsys, *words) | {"engine": ""} == memory | {"engine": ""}
    assert main(["profile", str(tmp_path), "--sheet", "people"]) == 2
    assert "is no workbook, so it has no sheets" in capsys.readouterr().err
    assert main(["profile", str(tmp_path)]) == 0
    assert "line 3 of “part-1.csv”: 3 cells" in capsys.readouterr().out


def test_a_hierarchy_is_built_over_data_in_an_engine(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = written(tmp_path / "data.csv", ["age", "sex"], [[str(20 + row % 40), "f"] for row in range(200)])
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(specification("masking")), encoding="utf-8")
    made = []
    for engine in ("memory", "duckdb"):
        out = tmp_path / f"{engine}.csv"
        words = ["hierarchy", "build", str(spec), "--data", str(data), "--column", "age", "--engine", engine]
        code = main([*words, "--out", str(out)])
        assert code == 0, capsys.readouterr().err
        made.append(out.read_bytes())
    assert made[0] == made[1]
    assert made[0].count(b"\n") >= 40
    capsys.readouterr()
    checked = []
    for engine in ("memory", "duckdb"):
        words = ["hierarchy", "check", str(out), "--data", str(data), "--column", "age", "--engine", engine]
        assert main([*words, "--json"]) == 0
        checked.append(json.loads(capsys.readouterr().out))
    assert checked[0] == checked[1]


@pytest.mark.parametrize("builder", sorted(builder.identifier for builder in BUILDERS))
def test_every_builder_builds_the_same(duckdb_store: DuckStore, no_rows: None, tmp_path: Path, builder: str) -> None:
    rows = [[str(20 + row % 40), f"2020-0{1 + row % 9}-1{row % 7}"] for row in range(200)]
    memory, stored = both(duckdb_store, written(tmp_path / "data.csv", ["age", "day"], rows))
    built = []
    for loaded in (memory, stored):
        for spec in memory.proposed.columns:
            column = loaded.reading.table[spec.name]
            try:
                built.append(repr(build_hierarchy(specification(builder), column.values, column.counts, spec)))
            except WorkbenchError as error:
                built.append(repr(error))
    assert built[:2] == built[2:]


# Columns with too many values


@pytest.fixture
def unlisted(duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session whose second column has too many different values to be listed."""
    monkeypatch.setattr(opening, "MOST_VALUES", 60)
    rows = [[str(row % 50), f"n{row}", "f" if row % 2 else "m"] for row in range(500)]
    session = Session()
    session.data.open(written(tmp_path / "data.csv", ["age", "name", "sex"], rows), store=duckdb_store)
    assert not session.data.reading.table.lists("name")
    return session


def test_a_column_that_is_not_listed_stops_nothing_else(unlisted: Session, duckdb_store: DuckStore) -> None:
    session = unlisted
    assert session.data.suggested_roles["name"] is Role.IDENTIFYING
    found = session.data.suggester()(SILENT)
    assert set(found.spreads) == {"age", "sex"}
    assert (("name",), UNLISTED) in [(one.columns, one.reason) for one in found.found]
    session.data.set_role(["name"], Role.IDENTIFYING)
    session.data.set_missing(["name"], ["", "n/a"])
    session.data.set_kind(["name"], Kind.CATEGORY)
    session.data.attach_hierarchy(
        "age", Hierarchy.from_levels(tuple(map(str, range(50))), [(np.zeros(50, int), ("*",))])
    )
    assert session.data.uncovered("age") == []
    assert coverage(session.project.hierarchies["age"], session.data.table["age"]).rows.tolist() == [10] * 50
    again = load(session.data.reading.path, session.data.reading.dialect, store=duckdb_store)
    assert not differences(session.project, again, session.data.loaded)
    session.data.adopt(again)
    # What was read from a column that now cannot be read stays away, and its rule stays a rule.
    session.data.set_domain("name", ["n1", "n2"], observed=True)
    session.data.adopt(load(session.data.reading.path, session.data.reading.dialect, store=duckdb_store))
    assert session.project.schema["name"].kind is Kind.CATEGORY


def test_only_of_a_column_that_is_not_listed_the_command_says_so(
    unlisted: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    age, name, sex = profiled(capsys, unlisted.data.reading.path, "--engine", "duckdb")["columns"]
    assert "listed" not in age and "listed" not in sex
    assert name["listed"] is False
    assert [name[key] for key in ("missing", "misfits", "distinction", "separation")] == [None] * 4


def test_a_column_that_is_not_listed_says_so(unlisted: Session) -> None:
    for ask in (
        lambda: unlisted.data.proposed_format("name", Kind.INTEGER),
        lambda: unlisted.data.uncovered("name"),
        lambda: column_facts(unlisted.data.table["name"], unlisted.project.schema["name"]),
    ):
        unlisted.project = unlisted.project if "name" in unlisted.project.hierarchies else with_hierarchy(unlisted)
        with pytest.raises(TooManyValues, match="“name” has more than the 1,000,000 different values"):
            ask()
    unlisted.data.set_misfits("name", Misfits.STOP)
    with pytest.raises(WorkbenchError, match="“name” has more than"):
        unlisted.data.prepared_table()


def with_hierarchy(session: Session) -> Any:
    from dataclasses import replace

    made = Hierarchy.from_levels(("n1", "n2"), [(np.zeros(2, int), ("*",))])
    return replace(session.project, hierarchies={"name": made})


def test_the_command_tells_of_a_column_that_is_not_listed(
    unlisted: Session, capsys: pytest.CaptureFixture[str]
) -> None:
    path = unlisted.data.reading.path
    found = profiled(capsys, path, "--engine", "duckdb")
    about = {column["name"]: column for column in found["columns"]}
    assert [about[name]["missing"] for name in ("age", "sex")] == [0, 0]
    assert about["name"]["distinct"] > 60
    assert about["name"]["missing"] is about["name"]["misfits"] is about["name"]["separation"] is None
    assert {"columns": ["name"], "role": "identifying", "reason": UNLISTED} in found["suggestions"]
    assert main(["profile", str(path), "--engine", "duckdb"]) == 0
    assert "≈" in capsys.readouterr().out


def test_a_table_in_memory_lists_every_column() -> None:
    table = Table((Column.from_texts("a", ["x", "y"]),))
    assert table.lists("a")
    assert not table.lists("b")
