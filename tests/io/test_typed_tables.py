"""What says of itself what its columns are: files of SPSS, Stata and SAS, JSON lines, SQLite."""

from __future__ import annotations

import datetime
import json
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import workbench as wb
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import misfits
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.schema import Kind
from workbench.io import missing_package, typed_tables
from workbench.io.dialect import Dialect
from workbench.io.foreign import child
from workbench.io.header import column_names
from workbench.io.opening import FileContent, form_of
from workbench.io.reading import Reading, preview, read_table
from workbench.project.loading import load
from workbench.session import Session
from workbench.session.file_preview import look_through


def texts(reading: Reading) -> dict[str, list[str]]:
    return {column.name: column.texts() for column in reading.table.columns}


def kinds(reading: Reading) -> dict[str, Kind]:
    return {spec.name: spec.kind for spec in reading.specs}


@pytest.fixture
def survey(tmp_path: Path) -> Callable[..., Path]:
    """Writes answers of a survey in a form by its ending."""
    stat = pytest.importorskip("pyreadstat")
    pd = pytest.importorskip("pandas")

    def write(ending: str, **how: Any) -> Path:
        path = tmp_path / f"survey{ending}"
        frame = pd.DataFrame(
            {
                "sex": [1.0, 2.0, 99.0, 1.0],
                "age": [30.0, 41.0, 888.0, None],
                "zip": ["00123", "", "7", "8"],
                "born": [datetime.date(2001, 1, 31)] * 3 + [None],
                "seen": [datetime.datetime(2020, 1, 31, 10, 30)] * 4,
                "half": [0.5, 1.0, 2.0, 3.0],
            }
        )
        writers: dict[str, Any] = {
            ".sav": stat.write_sav,
            ".zsav": stat.write_sav,
            ".por": stat.write_por,
            ".dta": stat.write_dta,
            ".xpt": stat.write_xport,
        }
        writers[ending](frame, path, **({"compress": True} if ending == ".zsav" else {}), **how)
        return path

    return write


CODES = {
    "variable_value_labels": {"sex": {1: "man", 2: "woman", 99: "refused"}, "age": {888: "does not know"}},
    "missing_ranges": {"sex": [77, 88, 99], "age": [{"lo": 800, "hi": 999}]},
}


@pytest.mark.parametrize(
    ("ending", "form"),
    [
        (".sav", FileContent.SPSS),
        (".zsav", FileContent.SPSS),
        (".por", FileContent.SPSS),
        (".dta", FileContent.STATA),
        (".xpt", FileContent.SAS),
    ],
)
def test_a_file_of_each_form_keeps_its_values_and_its_kinds(
    survey: Callable[..., Path], ending: str, form: FileContent, tmp_path: Path
) -> None:
    reading = read_table(survey(ending))
    assert (reading.form, reading.rows, reading.problem_count) == (form, 4, 0)
    found = {name.lower(): cells for name, cells in texts(reading).items()}
    assert found["sex"] == ["1", "2", "99", "1"]
    assert found["age"] == ["30", "41", "888", ""]
    assert found["zip"] == ["00123", "", "7", "8"]
    assert found["half"] == ["0.5", "1", "2", "3"]
    assert found["seen"] == ["2020-01-31 10:30:00"] * 4
    assert {day[:10] for day in found["born"]} == {"2001-01-31", ""}
    said = {name.lower(): kind for name, kind in kinds(reading).items()}
    assert (said["zip"], said["half"], said["seen"]) == (Kind.TEXT, Kind.DECIMAL, Kind.DATETIME)
    assert said["age"] is Kind.INTEGER
    for spec in reading.specs:
        assert not misfits(reading.table[spec.name].values, spec), "what a file says of a column is so"
    shown = preview(survey(ending), rows=2)
    assert (shown.form, len(shown.rows), shown.specs != ()) == (form, 2, True)
    assert read_table(survey(ending), limit=3).rows == 3
    renamed = survey(ending).rename(tmp_path / "renamed.dat")
    assert form_of(renamed) is form  # by its content and not by its name


def test_labels_stand_for_codes_where_every_value_has_one(survey: Callable[..., Path]) -> None:
    path = survey(".sav", **CODES, variable_measure={"sex": "ordinal"})
    reading = read_table(path)
    sex, age = reading.specs[:2]
    assert texts(reading)["sex"] == ["man", "woman", "99", "man"]
    assert (sex.kind, sex.missing, sex.domain) == (Kind.ORDERED, ("", "99"), ("man", "woman"))
    assert sex.observed == {"domain"}  # that nobody could answer otherwise is the person's to say
    assert texts(reading)["age"] == ["30", "41", "888", ""]
    assert (age.kind, age.missing) == (Kind.INTEGER, ("", "888"))
    plain = read_table(path, Dialect(labels=False))
    assert texts(plain)["sex"] == ["1", "2", "99", "1"]
    assert plain.specs[0].missing == ("", "99")


def test_codes_with_one_label_stay_apart(survey: Callable[..., Path]) -> None:
    path = survey(".sav", variable_value_labels={"sex": {1: "other", 2: "other", 99: "other"}})
    assert texts(read_table(path))["sex"] == ["other (1)", "other (2)", "other (99)", "other (1)"]


def test_missing_codes_are_offered_before_the_file_is_opened_and_kept(survey: Callable[..., Path]) -> None:
    path = survey(".sav", **CODES)
    seen = look_through(path, Dialect(), SILENT)
    assert [trouble.words for trouble in seen.troubles if trouble.column == "sex"] == ["“99” counts as no value."]
    loaded = load(path)
    assert loaded.proposed["sex"].undecided
    assert loaded.proposed["age"].missing == ("", "888")


def test_stata_tells_its_missing_values_apart(tmp_path: Path) -> None:
    stat, pd = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    frame = pd.DataFrame({"q": [1.0, 2.0, "a", "b", None]})
    stat.write_dta(frame, tmp_path / "q.dta", missing_user_values={"q": ["a", "b"]})
    reading = read_table(tmp_path / "q.dta")
    assert texts(reading)["q"] == ["1", "2", ".a", ".b", ""]
    assert (reading.specs[0].kind, reading.specs[0].missing) == (Kind.INTEGER, ("", ".a", ".b"))


def test_many_rows_come_in_pieces(survey: Callable[..., Path], tmp_path: Path) -> None:
    stat, pd = pytest.importorskip("pyreadstat"), pytest.importorskip("pandas")
    rows = 40_000
    stat.write_sav(pd.DataFrame({"n": np.arange(rows) % 1000.0, "m": np.arange(rows) * 1.0}), tmp_path / "n.sav")
    table = read_table(tmp_path / "n.sav").table
    assert (table.rows, len(table["n"].values), len(table["m"].values)) == (rows, 1000, rows)
    assert table.row(39_999) == ("999", "39999")


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "people.jsonl"
    path.write_text(
        '{"id": 1, "zip": "00123", "w": 1.50, "more": {"x": [1, 2.50]}}\nnot json\n\n'
        '{"id": 20000000000000000001, "new": true, "zip": null}\n[1]\n{"id": 3, "w": NaN, "zip": "\\ud800"}\n',
        encoding="utf-8",
    )
    return path


def test_the_names_of_json_lines_are_seen_without_their_rows(lines: Path) -> None:
    assert column_names(lines) == read_table(lines).table.names


def test_json_lines_keep_every_digit_and_name_what_is_no_object(lines: Path) -> None:
    reading = read_table(lines)
    assert texts(reading) == {
        "id": ["1", "20000000000000000001", "3"],
        "zip": ["00123", "", "�"],
        "w": ["1.50", "", ""],
        "more": ['{"x": [1, 2.50]}', "", ""],
        "new": ["", "true", ""],
    }
    assert kinds(reading)["id"] is Kind.INTEGER
    assert kinds(reading)["zip"] is Kind.TEXT
    assert (reading.skipped, reading.problem_count, reading.unread()) == (2, 2, ("line 2", "line 5"))
    with pytest.raises(WorkbenchError, match="Line 2"):
        read_table(lines, on_bad="stop")


@pytest.mark.parametrize("content", [b"{", b"{}\n{}\n", b'{"a": ' + b"[" * 100_000, b"{\xff\n"])
def test_json_lines_without_a_table(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.ndjson"
    path.write_bytes(content)
    with pytest.raises(WorkbenchError, match="no line of it is an object") as caught:
        read_table(path)
    assert caught.value.hint


@pytest.fixture
def database(tmp_path: Path) -> Path:
    path = tmp_path / "people.db"
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE empty (a)")
        made.execute('CREATE TABLE people (id INTEGER, zip TEXT, w REAL, born DATE, "odd ""name" BLOB)')
        rows = [
            (1, "00123", 2.0, "2001-01-31", b"ab"),
            (2, "", 2.5, "1999-12-31", None),
            (3, None, None, None, b"\xff"),
        ]
        made.executemany("INSERT INTO people VALUES (?, ?, ?, ?, ?)", rows)
        made.execute("CREATE VIEW grown AS SELECT id FROM people WHERE id > 1")
        made.commit()
    return path


def test_sqlite_is_read_with_nothing_installed(database: Path) -> None:
    reading = read_table(database)
    assert (reading.form, reading.sheets, reading.dialect.sheet) == (
        FileContent.SQLITE,
        ("empty", "people", "grown"),
        "people",
    )
    assert texts(reading) == {
        "id": ["1", "2", "3"],
        "zip": ["00123", "", ""],
        "w": ["2", "2.5", ""],
        "born": ["2001-01-31", "1999-12-31", ""],
        'odd "name': ["ab", "", "ff"],
    }
    assert list(kinds(reading).values()) == [Kind.INTEGER, Kind.TEXT, Kind.DECIMAL, Kind.DATE, Kind.TEXT]
    assert texts(read_table(database, Dialect(sheet="grown"))) == {"id": ["2", "3"]}
    asked = read_table(database, Dialect(query="SELECT count(*) AS n FROM people WHERE zip LIKE '%1%'"))
    assert texts(asked) == {"n": ["1"]}
    with pytest.raises(WorkbenchError, match="has no table “gone”") as caught:
        read_table(database, Dialect(sheet="gone"))
    assert (caught.value.field, "empty, people, grown" in caught.value.hint) == ("sheet", True)


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM people",
        "SELECT load_extension('x')",
        "ATTACH 'other.db' AS other",
        "PRAGMA writable_schema = 1",
        "SELECT 1; DELETE FROM people",
        "CREATE TEMP TABLE t (a)",
        "VACUUM INTO 'copy.db'",
        "nonsense",
    ],
)
def test_a_query_of_sqlite_changes_nothing(database: Path, query: str, tmp_path: Path) -> None:
    before = database.read_bytes()
    with pytest.raises(WorkbenchError, match="query") as caught:
        read_table(database, Dialect(query=query))
    assert caught.value.field == "query"
    assert database.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["people.db"]


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    numbers = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c"
    with closing(sqlite3.connect(path := tmp_path / "endless.db")) as made:
        made.execute(f"CREATE VIEW numbers AS {numbers}")
        made.execute(f"CREATE VIEW silent AS {numbers} WHERE n < 0")
        made.execute(f"CREATE VIEW three AS {numbers} WHERE n < 4")
        made.commit()
    return path


class TestAViewThatNeverEnds:
    """Its process is watched as that of any other file, and what it gives has an end."""

    @pytest.mark.parametrize("dialect", [Dialect(sheet="silent"), Dialect(query="SELECT * FROM silent")])
    def test_it_is_ended_when_no_row_comes(
        self, endless: Path, dialect: Dialect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(child, "PATIENCE", 1.0)
        with pytest.raises(WorkbenchError, match="without a row, and was ended") as caught:
            read_table(endless, dialect)
        assert "into a table" in caught.value.hint

    def test_it_is_ended_by_cancel(self, endless: Path) -> None:
        token = CancelToken()
        threading.Timer(0.5, token.cancel).start()
        with pytest.raises(Cancelled):
            read_table(endless, Dialect(sheet="silent"), Progress(token=token))

    def test_the_first_rows_are_there_at_once(self, endless: Path) -> None:
        assert texts(read_table(endless, Dialect(sheet="numbers"), limit=3)) == {"n": ["1", "2", "3"]}

    @pytest.mark.parametrize(
        ("dialect", "field"), [(Dialect(sheet="numbers"), "sheet"), (Dialect(query="SELECT n FROM numbers"), "query")]
    )
    def test_more_rows_than_the_file_could_hold_are_not_awaited(
        self, endless: Path, dialect: Dialect, field: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(typed_tables, "LEAST_GIVEN", 1 << 20)
        with pytest.raises(WorkbenchError, match="far more than it holds") as caught:
            read_table(endless, dialect)
        assert (caught.value.field, "LIMIT" in caught.value.hint) == (field, True)


@pytest.mark.parametrize("order", ["", "ORDER BY rowid DESC"])
def test_equal_numbers_of_two_types_are_written_as_they_are_whatever_stands_above_them(
    tmp_path: Path, order: str
) -> None:
    """Otherwise one person's value would change what is written of another."""
    with closing(sqlite3.connect(path := tmp_path / "x.db")) as made:
        made.execute("CREATE TABLE people (x)")
        made.executemany("INSERT INTO people VALUES (?)", [(2**60,), (2.0**60,), (1,), (1.0,)])
        made.commit()
    reading = load(path, Dialect(query=f"SELECT x FROM people {order}")).reading
    assert sorted(texts(reading)["x"]) == ["1", "1", "1.152921504606847e+18", "1152921504606846976"]


def test_a_project_finds_its_table_again(database: Path, tmp_path: Path) -> None:
    session = Session()
    session.data.open(database, Dialect(query="SELECT zip, w FROM people"))
    session.save(tmp_path / "p.wbench")
    again = Session.from_file(tmp_path / "p.wbench")
    described = again.project.data
    assert described is not None
    assert described.dialect.query == "SELECT zip, w FROM people"
    loaded = again.data.open(Path(described.path), described.dialect)
    assert loaded.content == described.content
    # A table that is written beside it changes the file and not these rows.
    with closing(sqlite3.connect(database)) as other:
        other.execute("INSERT INTO empty VALUES (1)")
        other.commit()
    assert load(database, described.dialect).reading.fingerprint == described.fingerprint


def test_the_command_line_reads_them_alike(
    database: Path, lines: Path, survey: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    def profiled(*words: str) -> Any:
        assert main(["profile", "--json", *words]) == 0
        return json.loads(capsys.readouterr().out)

    assert [one["name"] for one in profiled(str(database))["columns"]] == ["id", "zip", "w", "born", 'odd "name']
    assert profiled(str(database), "--sheet", "grown")["rows"] == 2
    assert profiled(str(database), "--sql", "SELECT zip FROM people")["columns"][0]["kind"] == "text"
    assert profiled(str(lines))["rows"] == 3
    path = survey(".sav", **CODES)
    assert profiled(str(path))["columns"][0]["kind"] == "category"
    assert profiled(str(path), "--no-labels")["columns"][0]["kind"] == "integer"
    for words, said in (
        ((str(lines), "--sql", "SELECT 1"), "is no database"),
        ((str(lines), "--sheet", "x"), "is no workbook"),
        ((str(lines), "--no-labels"), "no file of SPSS"),
        ((str(database), "--sheet", "people", "--sql", "SELECT 1"), "not both"),
        ((str(database), "--engine", "duckdb"), "read in memory only"),
    ):
        assert main(["profile", *words]) == 2
        assert said in capsys.readouterr().err


def test_the_library_reads_them_alike(database: Path, lines: Path) -> None:
    assert "id" in repr(wb.open(database))
    assert "zip" in repr(wb.open(lines))


@pytest.mark.parametrize("ending", [".sav", ".por", ".dta", ".xpt"])
def test_without_the_package_one_sentence_says_so(
    survey: Callable[..., Path], ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = survey(ending)
    monkeypatch.setattr("workbench.io.typed_tables.importlib.util.find_spec", lambda name: None)
    with pytest.raises(WorkbenchError, match="the package pyreadstat is needed, and it is not installed") as caught:
        read_table(path)
    assert "pip install pyreadstat" in caught.value.hint
    assert missing_package.install_command("statistics").endswith('[statistics]"')


HOSTILE = {
    ".sav": [b"$FL2", b"$FL2@(#) SPSS DATA FILE" + b"\xff" * 400, b"$FL3" + bytes(600)],
    ".por": [b"ASCII SPSS PORT FILE".ljust(464) + b"SPSSPORTA8/" + b"Z" * 4000],
    ".dta": [
        b"<stata_dta>",
        b"<stata_dta><header><release>118</release>" + b"\xff" * 200,
        b"\x72\x01\x01\x00" + b"\xff" * 300,
    ],
    ".sas7bdat": [bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011") + b"\xff" * 4000],
    ".xpt": [b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!" + b"9" * 800],
    ".db": [b"SQLite format 3\0", b"SQLite format 3\0" + b"\xff" * 2000],
}


@pytest.mark.parametrize("ending", HOSTILE)
def test_a_damaged_file_of_each_form_is_explained(tmp_path: Path, ending: str) -> None:
    if ending != ".db":
        pytest.importorskip("pyreadstat")
    for place, content in enumerate(HOSTILE[ending]):
        path = tmp_path / f"x{place}{ending}"
        path.write_bytes(content)
        for read in (read_table, preview):
            with pytest.raises(WorkbenchError, match=rf"“x{place}\{ending}”") as caught:
                read(path)
            assert caught.value.hint
