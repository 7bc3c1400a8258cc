"""Files read back and counted by an engine: the same findings as without one, and no fault overlooked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.engines.test_writing import nasty_table, stored_copy
from workbench.anonymise.privacy import ModelChoice
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.schema import Role
from workbench.core.table import Column, Table
from workbench.engines import writing
from workbench.engines.budget import BeyondMemory, MemoryBudget
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.store import Store
from workbench.engines.writing import write_stored
from workbench.io import parquet
from workbench.io.export_format import ExportFormat
from workbench.io.exporting import write_table
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.io.opening import file_fingerprint
from workbench.project.model import GuaranteeSettings
from workbench.project.names_beside import note_beside, statement_beside
from workbench.report.recheck import Stated
from workbench.report.recheck_files import ReleasedFiles, recheck_files
from workbench.session import Session
from workbench.session.export import Exported, Targets

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)])
ILLNESSES = Hierarchy.from_rows([("=flu", "lung", "*"), ("a, b", "lung", "*"), ("1.5", "joint", "*")])
MODELS = (
    "k=8", "l=3:illness", "entropy-l-diversity=2:illness", "recursive-l-diversity=3,2:illness", "t=0.25:illness",
    "hierarchical-t-closeness=0.3:illness", "ordered-t-closeness=0.2:illness", "b-likeness=1.5:illness",
    "average-risk=0.1", "k-map=5:in=y", "d-presence=0.1,0.9:in=y",
)  # fmt: skip
CSV, PARQUET = ExportFormat(), ExportFormat("parquet")
STYLES = [
    CSV,
    PARQUET,
    ExportFormat(delimiter=";", decimal=",", encoding="utf-8-sig"),
    ExportFormat(encoding="utf-16"),
]


def people(seed: int, rows: int = 600) -> Table:
    source = np.random.default_rng(seed)
    return Table(
        (
            Column("age", source.integers(0, 40, rows).astype(np.uint8), tuple(map(str, range(20, 60)))),
            Column("illness", source.choice(3, rows, p=(0.5, 0.3, 0.2)), ("=flu", "a, b", "1.5")),
            Column("in", source.integers(0, 2, rows).astype(np.uint8), ("y", "n")),
            Column.from_texts("mean", [str(number / 4) for number in source.integers(0, 9, rows)]),
        )
    )


def released(table: Table, seed: int) -> Table:
    """Ages in tens, in another order."""
    tens = Column("age", table["age"].codes // 10, ("20s", "30s", "40s", "50s"))
    order = np.random.default_rng(seed).permutation(table.rows)
    return Table((tens, *table.columns[1:])).take(order)


def stated(*models: str, **more: Any) -> Stated:
    return Stated(
        models=tuple(map(ModelChoice.parse, models)),
        grouped=("age",),
        hierarchies={"age": AGES},
        levels={"age": 1},
        sensitive_hierarchies={"illness": ILLNESSES},
        **more,
    )


@pytest.mark.parametrize("style", STYLES, ids=lambda style: f"{style.form}-{style.encoding}")
def test_the_same_findings_as_without_an_engine(duckdb_store: DuckStore, tmp_path: Path, style: ExportFormat) -> None:
    seen = set()
    for seed in range(2):
        table = people(seed)
        there = stored_copy(duckdb_store, table)
        path = tmp_path / "out"
        write_table(released(table, seed), path, style)
        by_program = ReleasedFiles.of(path, style, own=True)
        by_engine = ReleasedFiles.of(path, style, duckdb_store, own=True)
        for model in MODELS:
            what = stated(model)
            for grouped in (("age",), ("age", "mean")):
                what = replace(what, grouped=grouped)
                expected = recheck_files(by_program, what, table)
                assert recheck_files(by_engine, what, there) == expected, model
                seen.add((model, expected.holds))
    assert {holds for _, holds in seen} == {True, False}


def test_own_files_are_counted_by_an_engine_without_a_process_for_each_count(
    duckdb_store: DuckStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = people(1)
    write_table(released(table, 1), tmp_path / "out", PARQUET)
    files = ReleasedFiles.of(tmp_path / "out", PARQUET, duckdb_store, own=True)
    monkeypatch.setattr(parquet, "Child", lambda *_, **__: pytest.fail("a process was started"))
    assert recheck_files(files, stated("k=5", rows=600), stored_copy(duckdb_store, table)).rows == 600


def test_nasty_texts_are_counted_as_they_stand(duckdb_store: DuckStore, tmp_path: Path) -> None:
    for seed in range(8):
        for style in (CSV, PARQUET):
            table = nasty_table(seed, 500)
            write_table(table, tmp_path / "out", style)
            found = [
                recheck_files(ReleasedFiles.of(tmp_path / "out", style, store), Stated())
                for store in (None, duckdb_store)
            ]
            assert found[0] == found[1], seed
            assert found[1].rows == 500


def planted(path: Path, how: str) -> None:
    lines = path.read_text("utf-8").splitlines(keepends=True)
    changed = {
        "a row more": [*lines, "50s,'=flu,y,1.0\n"],
        "a label that is none": [*lines[:-1], lines[-1].replace("s,", "!,", 1)],
        "a value, not its label": [*lines[:-1], "23" + lines[-1][3:]],
        "nothing but stars": [*lines, "*,'=flu,y,1.0\n"],
        "a row of its own": [*lines, "*0s,'=flu,y,1.0\n"],
        "a cell more": [*lines, "50s,'=flu,y,1.0,x\n"],
        "a cell less": [*lines, "50s,'=flu,y\n"],
        "bytes that are no text": lines,
    }[how]
    content = "".join(changed).encode()
    path.write_bytes(content + b"50s,\xff\xfe,y,1.0\n" if how.startswith("bytes") else content)


@pytest.mark.parametrize(
    "how",
    ["a row more", "a label that is none", "a value, not its label", "nothing but stars", "a row of its own",
     "a cell more", "a cell less", "bytes that are no text"],
)  # fmt: skip
def test_faults_are_found(duckdb_store: DuckStore, tmp_path: Path, how: str) -> None:
    path = tmp_path / "out.csv"
    write_table(released(people(1), 1), path, CSV)
    what = stated("k=100", rows=600)
    files = [ReleasedFiles.of(path, CSV, store) for store in (None, duckdb_store)]
    assert all(recheck_files(one, what).holds for one in files)
    planted(path, how)
    try:
        expected = recheck_files(files[0], what)
    except WorkbenchError:
        with pytest.raises(WorkbenchError):
            recheck_files(files[1], what)
    else:
        assert recheck_files(files[1], what) == expected
        assert expected.faults


def test_rows_in_the_order_of_the_original_are_told(duckdb_store: DuckStore, tmp_path: Path) -> None:
    table = people(4, 5000)
    path, what = tmp_path / "out.csv", stated("k=5")
    for rows, fault in ((released(table, 1).take(np.arange(0)), False), (released(table, 1), False), (table, True)):
        shown = Table((Column("age", rows["age"].codes // 10, AGES.labels[1]),)) if rows is table else rows
        write_table(shown, path, CSV)
        for original in (table, stored_copy(duckdb_store, table)):
            files = ReleasedFiles.of(path, CSV, duckdb_store)
            found = recheck_files(files, replace(what, models=()), original)
            assert any("in the order of the original" in text for text in found.faults) == fault


@pytest.mark.parametrize("line", ["20s", "20s,x,y"])
def test_a_row_of_another_width_is_refused_by_an_engine_too(duckdb_store: DuckStore, tmp_path: Path, line: str) -> None:
    path = tmp_path / "out.csv"
    path.write_text(f"age,note\n20s,x\n{line}\n20s,z\n", encoding="utf-8")
    for store in (None, duckdb_store):
        with pytest.raises(WorkbenchError) as refused:
            recheck_files(ReleasedFiles.of(path, CSV, store), Stated())
        assert "cells" in refused.value.message


def test_what_does_not_fit_is_told_and_cancelling_stops(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    write_table(people(3), path, CSV)
    with DuckStore(MemoryBudget(64 << 20)) as store:
        files = ReleasedFiles.of(path, CSV, store)
        assert recheck_files(files, Stated()).rows == 600
        store.budget.limit = 1000
        with pytest.raises(BeyondMemory, match="every combination"):
            recheck_files(files, Stated())
        token = CancelToken()
        token.cancel()
        with pytest.raises(Cancelled):
            recheck_files(files, Stated(), progress=Progress(token=token))
        assert store.rows("SELECT count(*) FROM duckdb_tables()") == [(0,)]


@pytest.mark.xdist_group("spark")
@pytest.mark.timeout(180)
def test_spark_writes_its_parts_in_order_and_counts_them(spark_store: Store, tmp_path: Path) -> None:
    table = released(people(6), 6)
    one, parts = tmp_path / "one", tmp_path / "parts"
    there = stored_copy(spark_store, table)
    for style in (ExportFormat(delimiter=";", decimal=",", encoding="utf-8-sig"), PARQUET):
        write_table(table, one, style)
        written = write_stored(there, parts, style, parts=True)
        assert [path.name for path in sorted(parts.iterdir())] == [
            f"part-{i:05}{style.kind.suffix}" for i in range(written.parts)
        ]
        by_program, by_spark = ReleasedFiles.of(parts, style), ReleasedFiles.of(parts, style, spark_store)
        assert list(map(tuple, by_program.rows())) == list(map(tuple, ReleasedFiles.of(one, style).rows()))
        what = stated("k=50", "t=0.3:illness", rows=600)
        assert recheck_files(by_spark, what) == recheck_files(by_program, what)
    assert write_stored(there, tmp_path / "there", PARQUET).fingerprint == file_fingerprint(one)


# From the data to the file, and back


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "private"
    folder.mkdir()
    rows = [f"TAINT{i},{20 + i % 40},{'=flu' if i % 3 else 'gout'}" for i in range(4000)]
    (folder / "data.csv").write_text("\n".join(["name,age,illness", *rows]) + "\n", "utf-8")
    write_hierarchy(AGES, folder / "age.csv")
    return folder / "data.csv"


def opened(data: Path, store: DuckStore) -> Session:
    session = Session()
    session.data.open(data, store=store)
    session.data.attach_hierarchy("age", AGES)
    session.release.columns.set_level("age", 1)
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-5))
    session.data.set_role(["illness"], Role.SENSITIVE)
    return session


def export(session: Session, path: Path, parts: bool) -> Exported:
    session.release.anonymise()
    return session.release.export(path, statement_beside(path), note=note_beside(path), parts=parts)


def ask(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, dict[str, Any]]:
    code = main([*map(str, words), "--json"])
    said = capsys.readouterr()
    return code, json.loads(said.out) if said.out else {"error": said.err}


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "parts.csv", "parts.parquet"])
def test_whoever_gets_the_files_can_verify_them(
    duckdb_store: DuckStore,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.setattr(writing, "_ROWS", 500)
    monkeypatch.setattr(writing, "_PART_SIZE", 1)
    out, parts = tmp_path / name, name.startswith("parts")
    exported = export(opened(data, duckdb_store), out, parts)
    assert exported.rechecked.holds
    assert exported.file.parts == (len(list(out.iterdir())) if parts else 0)
    files = sorted(out.iterdir()) if parts else [out]
    assert (len(files) > 1) == parts
    for file in files:
        content = file.read_bytes()
        assert b"TAINT" not in content
        assert b"private" not in content
    given: list[list[object]] = [[out], files]
    if parts:
        given.append([f"{out}/part-*"])
    hierarchy = ("--hierarchy", f"age={data.with_name('age.csv')}")
    for words in given:
        for beside in (statement_beside(out), note_beside(out)):
            for engine in ((), ("--engine", "duckdb")):
                code, found = ask(capsys, "verify", *words, "--statement", beside, *hierarchy, *engine)
                assert (code, found["holds"]) == (0, True), found
                assert found["sha256"] == exported.file.fingerprint
                assert found["models"] == exported.rechecked.to_json()["models"]
    if not parts:
        assert exported.file.fingerprint == hashlib.sha256(out.read_bytes()).hexdigest()
    said = json.loads(note_beside(out).read_text("utf-8"))["file"]
    assert said.get("parts") == (len(files) if parts else None)
    if name.endswith(".csv"):
        with files[0].open("a", encoding="utf-8") as file:
            file.write("20?\n")
        for engine in ((), ("--engine", "duckdb")):
            code, found = ask(capsys, "verify", out, "--statement", note_beside(out), *hierarchy, *engine)
            assert (code, found["holds"]) == (1, False)
            assert len(found["faults"]) == 4  # fingerprint, rows, their order, and a label that is none


@pytest.mark.parametrize("parts", [False, True])
def test_a_file_that_is_not_what_it_should_be_never_leaves(
    duckdb_store: DuckStore, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: bool
) -> None:
    session = opened(data, duckdb_store)
    right: Callable[..., Any] = writing._lines
    monkeypatch.setattr(writing, "_lines", lambda *args: (text.replace("30s", "3Os") for text in right(*args)))
    with pytest.raises(WorkbenchError, match="Nothing was released"):
        export(session, tmp_path / "out.csv", parts)
    assert [path.name for path in tmp_path.iterdir()] == ["private"]
    drawn = session.ledger.current.entries
    assert [entry.files for entry in drawn] == [()], "the draw is paid for, and no file of it is noted"


def test_parts_are_refused_before_anything_is_drawn(duckdb_store: DuckStore, data: Path, tmp_path: Path) -> None:
    session = opened(data, duckdb_store)
    for path, style, said in [
        (data.parent, CSV, "must not be overwritten"),
        (tmp_path, CSV, "must not be overwritten"),
        (tmp_path / "x.xlsx", ExportFormat("xlsx"), "workbook"),
        (tmp_path / "none" / "x", CSV, "no folder"),
    ]:
        with pytest.raises(WorkbenchError, match=said):
            session.release.refuse_before_drawing(Targets(path, style, parts=True))
    session.release.refuse_before_drawing(Targets(tmp_path / "x", CSV, parts=True))
    assert not (tmp_path / "x").exists()
