"""What a careless person or a stranger could do so that another file is read, or more is told than was meant."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.sampling import Recipe
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.randomness import source_for
from workbench.core.table import is_missing
from workbench.engines import duckdb_store as duckdb_module
from workbench.engines import opening
from workbench.engines.choice import EngineChoice
from workbench.engines.dispatch import engine_of
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.spark_store import SparkStore
from workbench.engines.stored import TooManyValues
from workbench.io.dialect import Dialect
from workbench.io.export_format import ExportFormat
from workbench.io.reading import read_table
from workbench.project.model import DataSource, GuaranteeSettings, LevelsBy, Project
from workbench.project.storage import load_project, save_project
from workbench.report.recheck import Stated
from workbench.report.recheck_files import ReleasedFiles, recheck_files
from workbench.session import Session

# Names of files and columns


@pytest.mark.parametrize(
    ("name", "other"), [("p[1]", "p1"), ("q*", "qz"), ("r?", "rx"), ("s[!a]", "sb"), ("x\\[1]", "x1"), ("~", "z")]
)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_name_that_looks_like_a_pattern_names_no_other_file(
    duckdb_store: DuckStore, tmp_path: Path, name: str, other: str, ending: str
) -> None:
    for stem, numbers in ((name, ["1", "3"]), (other, ["3", "1"])):
        path = tmp_path / f"{stem}.{ending}"
        if ending == "csv":
            path.write_text("a,b\n" + "".join(f"{number},x\n" for number in numbers), encoding="utf-8")
        else:
            pq.write_table(pa.table({"a": numbers, "b": ["x", "x"]}), path)
    path = tmp_path / f"{name}.{ending}"
    assert open_stored(duckdb_store, files_of(path)).table.page(0, 9) == [("1", "x"), ("3", "x")]


def test_an_error_of_the_engine_names_no_value(duckdb_store: DuckStore, tmp_path: Path) -> None:
    values = (b"ok", b'Ada "of" 1815\xff')
    offsets = pa.array([0, 2, 2 + len(values[1])], pa.int32()).buffers()[1]
    texts = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"".join(values))])
    pq.write_table(pa.table({"name": texts}), tmp_path / "people.parquet")
    with pytest.raises(WorkbenchError, match="Invalid string encoding") as refused:
        open_stored(duckdb_store, files_of(tmp_path / "people.parquet"))
    assert not any(word in str(refused.value) for word in ("Ada", 'of"', "1815"))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("error(v)", "Invalid Input Error."),
        ("regexp_matches('a', v || '(')", "Invalid Input Error."),
        ("CAST(v AS INTEGER)", "Conversion Error: Could not convert string …."),
        ("CAST(CAST('-infinity' AS DOUBLE) AS INTEGER)", "Conversion Error."),
    ],
)
@pytest.mark.parametrize("value", ["Ada", "interrupt"])
def test_an_error_of_the_engine_names_no_bare_word(duckdb_store: DuckStore, value: str, asked: str, told: str) -> None:
    with pytest.raises(WorkbenchError, match=rf"carry this out: {told}") as refused:
        duckdb_store.rows(f"SELECT {asked} FROM (SELECT unnest(['{value}']) AS v)")
    assert not any(word in str(refused.value) for word in (value, "inf"))


def test_a_file_is_verified_and_not_one_with_a_name_like_it(duckdb_store: DuckStore, tmp_path: Path) -> None:
    (tmp_path / "out1.csv").write_text("a,b\n1,x\n", encoding="utf-8")
    (tmp_path / "out[1].csv").write_text("a,b\n1,x\n1,x\n2,y\n", encoding="utf-8")
    files = ReleasedFiles.of(tmp_path / "out[1].csv", ExportFormat(), duckdb_store)
    assert recheck_files(files, Stated()).rows == 3


def test_a_verified_file_without_rows_has_no_class(duckdb_store: DuckStore, tmp_path: Path) -> None:
    (tmp_path / "out.csv").write_text("a,b\n", encoding="utf-8")
    alone, engine = (
        recheck_files(ReleasedFiles.of(tmp_path / "out.csv", ExportFormat(), store), Stated())
        for store in (None, duckdb_store)
    )
    assert engine == alone


@pytest.mark.parametrize(
    "names", [("A", "a", "a_1"), ("A", "A", "b"), ("", "b", "c"), ("a\0b", "b", "c"), ("`x`", '"', "'; --")]
)
def test_columns_of_parquet_files_are_called_as_in_memory(
    duckdb_store: DuckStore, tmp_path: Path, names: tuple[str, ...]
) -> None:
    path = tmp_path / "data.parquet"
    pq.write_table(pa.table([["1", "2"], ["x", "a\0b"], [None, ""]], names=list(names)), path)
    memory, stored = read_table(path), open_stored(duckdb_store, files_of(path))
    assert stored.table.names == memory.table.names
    assert stored.table.page(0, 9) == memory.table.page(0, 9)
    assert stored.problems == memory.problems


def test_dates_that_nobody_has_are_texts_as_in_memory(duckdb_store: DuckStore, tmp_path: Path) -> None:
    days = pa.array([0, 10_000_000, -1_000_000, 2**31 - 1, None], pa.int32())
    path = tmp_path / "data.parquet"
    pq.write_table(pa.table({"day": days.cast(pa.date32())}), path)
    memory, stored = read_table(path).table, open_stored(duckdb_store, files_of(path)).table
    assert stored.page(0, 9) == memory.page(0, 9)


# Connection strings

DIRTY = (
    "sc://host/;x-api-key=hush",
    "sc://host/;authorization=Bearer%20hush",
    "spark://host:7077/?pw=hush",
    "spark://me:hush@host:7077",
    "local[2];hush",
    "local[2]\nspark.x=hush",
    "spark://host:7077 --conf x=hush",
)


@pytest.mark.parametrize("given", DIRTY)
def test_no_choice_holds_what_is_not_understood(given: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        EngineChoice(given)
    assert refused.value.field == "engine"


def test_an_engine_nobody_knows_is_refused_with_those_there_are() -> None:
    with pytest.raises(WorkbenchError, match="There is no engine “excel”") as refused:
        EngineChoice("excel")
    assert "duckdb" in refused.value.hint


def test_what_the_program_itself_calls_spark_is_a_choice() -> None:
    assert EngineChoice("spark-local").spark
    assert EngineChoice("local[2]").spark
    assert EngineChoice("sc://host:15002/;use_ssl=true").spark


def test_a_project_with_such_an_engine_is_refused(duckdb_store: DuckStore, data: Path, tmp_path: Path) -> None:
    session = Session()
    session.data.open(data, store=duckdb_store)
    session.save(tmp_path / "clean.wbench")
    assert load_project(tmp_path / "clean.wbench").data is not None
    for given in DIRTY:
        with (
            zipfile.ZipFile(tmp_path / "clean.wbench") as clean,
            zipfile.ZipFile(tmp_path / "dirty.wbench", "w") as dirty,
        ):
            for name in clean.namelist():
                content = clean.read(name)
                if name.endswith(".json"):
                    document = json.loads(content)
                    document["data"]["engine"] = given
                    content = json.dumps(document).encode()
                dirty.writestr(name, content)
        with pytest.raises(WorkbenchError) as refused:
            load_project(tmp_path / "dirty.wbench")
        assert refused.value.field == "engine"


# Releases


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Hundred persons with two rows each."""
    path = tmp_path / "data.csv"
    rows = [f"p{row // 2},{'mf'[row % 2]}" for row in range(200)]
    path.write_text("\n".join(["who,sex", *rows]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("missing", [("", "N A", "-"), (" - ",), ("N\tA", "NA"), (" N", ""), ()])
def test_nobody_is_who_is_nobody_in_memory(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...]
) -> None:
    """A person taken for nobody would not be asked how many rows there are of them."""
    persons = ["N\tA", "N A", "\tN A\x85", "-", " - ", "\xa0-", "", " ", "\u2003", " N", "N", "NA", "\u200b", "x"]
    path = tmp_path / "data.csv"
    path.write_text("who,x\n" + "".join(f'"{who}",1\n' for who in persons), encoding="utf-8", newline="")
    monkeypatch.setattr(opening, "MOST_VALUES", 5)
    stored = open_stored(duckdb_store, files_of(path)).table
    assert not stored.lists("who")
    assert stored["who"].rows_without(missing) == sum(is_missing(who, missing) for who in persons)


@pytest.mark.parametrize("treatment", [Treatment.KEEP, Treatment.GENERALISE])
@pytest.mark.parametrize("by", [LevelsBy.HAND, LevelsBy.SEARCH])
def test_what_could_not_be_written_costs_nothing(
    duckdb_store: DuckStore,
    data: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    treatment: Treatment,
    by: LevelsBy,
) -> None:
    monkeypatch.setattr(opening, "MOST_VALUES", 50)
    session = Session()
    session.ledger.use_file(tmp_path / "ledger")
    session.data.open(data, store=duckdb_store)
    assert not session.data.reading.table.lists("who")
    stars = Hierarchy.from_rows([["m", "*"], ["f", "*"]], provenance=Provenance.PUBLIC)
    session.data.attach_hierarchy("sex", stars)
    session.release.set_guarantee(GuaranteeSettings(epsilon=2.0, delta=1e-2))
    session.release.columns.set_levels_by(by)
    session.release.columns.set_treatment("who", treatment)
    with pytest.raises(TooManyValues):
        session.release.anonymise()
    assert not session.ledger.current.entries
    assert not session.ledger.looks(session.data.fingerprint)


def test_the_note_of_a_release_does_not_name_a_host(
    duckdb_store: DuckStore, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = open_stored(duckdb_store, files_of(data)).table
    monkeypatch.setattr(duckdb_store, "title", "DuckDB at secret.example")
    made = engine_of(stored).release(Recipe((ColumnPlan("sex", Treatment.GENERALISE),), 0.5, 2), {}, source_for(None))
    assert made.engine == "DuckDB"


@pytest.mark.xdist_group("spark")
@pytest.mark.timeout(180)
def test_spark_releases_nothing_of_a_file_that_was_changed(spark_store: SparkStore, data: Path) -> None:
    """A part that is lost is read again, and its rows would be others than those that were looked at and paid for."""
    stored = open_stored(spark_store, files_of(data)).table
    text = data.read_text("utf-8")
    data.write_text(text.replace(",m", ",x"), encoding="utf-8")
    with pytest.raises(WorkbenchError, match="was changed since it was opened"):
        engine_of(stored).release(Recipe((ColumnPlan("sex", Treatment.GENERALISE),), 0.5, 2), {}, source_for(None))
    again = open_stored(spark_store, files_of(data)).table
    assert again["sex"].values == ("x", "f")
    made = engine_of(again).release(Recipe((ColumnPlan("sex", Treatment.GENERALISE),), 1.0, 2), {}, source_for(None))
    assert sorted(made.release["sex"].texts()) == ["f"] * 100 + ["x"] * 100


# The scratch folder


def test_a_scratch_folder_is_kept_while_its_process_lives_even_out_of_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duckdb_module, "_runs", lambda process: False)  # as in another container
    (tmp_path / "workbench-duckdb-1-left").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "workbench-duckdb-2-link").symlink_to(tmp_path / "elsewhere")
    with DuckStore(scratch=tmp_path) as first, DuckStore(scratch=tmp_path):
        assert first._folder.is_dir()
        assert first._folder.stat().st_mode & 0o777 == 0o700
        assert not (tmp_path / "workbench-duckdb-1-left").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"elsewhere", "workbench-duckdb-2-link"}


@pytest.mark.parametrize(("answer", "kept"), [(None, True), (PermissionError, True), (ProcessLookupError, False)])
def test_a_folder_that_has_no_lock_yet_is_kept_while_its_process_lives(
    answer: type[OSError] | None, kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of somebody else's process one only learns that it may not be asked."""

    def kill(process: int, number: int) -> None:
        assert (process, number) == (4711, 0)
        if answer is not None:
            raise answer

    (tmp_path / "workbench-duckdb-4711-new").mkdir()
    with monkeypatch.context() as context:
        context.setattr(os, "kill", kill)
        with DuckStore(scratch=tmp_path):
            assert (tmp_path / "workbench-duckdb-4711-new").exists() == kept


def test_a_project_from_anybody_connects_to_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(EngineChoice, "start", lambda *_: pytest.fail("something was connected to"))
    data = tmp_path / "data.csv"
    data.write_text("a,b\n1,2\n", encoding="utf-8")
    gift = tmp_path / "gift.wbench"
    save_project(Project(data=DataSource(str(data), "0" * 64, 1, Dialect(), "", "sc://stranger:15002")), gift)
    assert main(["run", str(gift), "--data", str(data), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert "sc://stranger:15002" in said and "--engine" in said and not (tmp_path / "out").exists()


def test_one_ledger_counts_releases_of_the_same_rows_wherever_they_are_worked_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data.csv"
    data.write_text("a\n" + "1\n2\n" * 400, encoding="utf-8")
    for engine in ("memory", "duckdb"):
        words = [str(data), "--group", "a", "--epsilon", "1", "--delta", "1e-3", "--engine", engine]
        assert main(["anonymise", *words, "--out", str(tmp_path / f"{engine}.csv")]) == 0
    capsys.readouterr()
    for engine in ("memory", "duckdb"):
        assert main(["ledger", str(data), "--engine", engine, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["spent"]["epsilon"] == 2
