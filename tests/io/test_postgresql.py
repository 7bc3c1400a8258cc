"""Tables of a real PostgreSQL server, and that nobody learns who asked."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

import workbench as wb
from tests.postgresql_server import PASSWORD, USER
from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.schema import Kind
from workbench.io import addresses
from workbench.io.addresses import Address, Credentials
from workbench.io.dialect import Dialect
from workbench.io.opening import FileContent
from workbench.io.reading import preview, read_table
from workbench.project.loading import load
from workbench.project.outside import choose, is_outside
from workbench.session import Session

pytestmark = pytest.mark.xdist_group("postgresql")


def test_a_table_is_read_with_the_types_of_the_server(address: Address) -> None:
    reading = read_table(address.path)
    assert (reading.form, reading.rows, reading.sheets) == (FileContent.DATABASE, 200, ("people", "other.odd %name"))
    assert reading.table.row(0) == ("1", "00001", "1.50", "2000-01-02", "2020-01-01 12:00:00+00:00", "false", '["a"]')
    assert [spec.kind for spec in reading.specs] == [
        Kind.INTEGER,
        Kind.TEXT,
        Kind.DECIMAL,
        Kind.DATE,
        Kind.DATETIME,
        Kind.CATEGORY,
        Kind.TEXT,
    ]
    assert read_table(address.path, Dialect(sheet="other.odd %name")).table.row(0) == ("7",)
    asked = read_table(address.path, Dialect(query="SELECT count(*) AS n FROM people WHERE zip LIKE '%1%';"))
    assert asked.table.names == ("n",)
    assert len(preview(address.path, rows=5).rows) == 5
    assert read_table(str(address)).fingerprint == reading.fingerprint


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM people",
        "SELECT 1; COMMIT; DROP TABLE people",
        "WITH gone AS (DELETE FROM people RETURNING id) SELECT * FROM gone",
        "SELECT * INTO copied FROM people",
        "SELECT nextval('nothing')",
        "nonsense",
    ],
)
def test_a_query_changes_nothing(address: Address, query: str) -> None:
    with pytest.raises(WorkbenchError, match="query") as caught:
        read_table(address.path, Dialect(query=query))
    assert caught.value.field == "query"
    assert read_table(address.path, Dialect(sheet="people")).rows == 200


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT '0044-03-15 BC'::date + id * 0 AS day FROM people", "a date or time that cannot be read"),
        ("SELECT CASE WHEN id > 0 THEN 'infinity'::timestamptz END FROM people", "a date or time that cannot be read"),
        ("SELECT (chr(67) || chr(34) || id)::int FROM people", 'type integer: "…"'),
        ("SELECT 'x7'::int", 'type integer: "x7"'),
    ],
)
def test_words_of_the_server_repeat_no_value_of_a_row(address: Address, query: str, said: str) -> None:
    """Nobody has looked yet; what was typed may be repeated."""
    with pytest.raises(WorkbenchError) as caught:
        read_table(address.path, Dialect(query=query))
    assert said in str(caught.value) and caught.value.field == "query"
    assert not {'C"', "0044", "infinity"} & set(re.findall(r'C"|0044|infinity', f"{caught.value} {caught.value.hint}"))


def test_who_is_refused_is_told_so_and_not_named(address: Address) -> None:
    addresses.forget(address)
    addresses.remember(address, Credentials(USER, "WRONG-planted"))
    with pytest.raises(WorkbenchError, match="refused who asks") as caught:
        read_table(address.path)
    assert caught.value.field == "password"
    assert not {USER, "WRONG-planted"} & set(f"{caught.value!r} {caught.value.hint}".replace("“", " ").split())


def test_a_person_who_sits_there_is_asked_once(address: Address) -> None:
    addresses.forget(address)
    asked: list[Address] = []

    def ask(where: Address) -> Credentials:
        asked.append(where)
        return Credentials(USER, PASSWORD)

    addresses.ask_with(ask)
    assert read_table(f"postgresql://{USER}@{address.host}/{address.database}").rows == 200
    assert read_table(address.path).rows == 200
    assert asked == [address]


def test_the_environment_says_who_asks(address: Address, monkeypatch: pytest.MonkeyPatch) -> None:
    addresses.forget(address)
    monkeypatch.setenv("PGUSER", USER)
    monkeypatch.setenv("PGPASSWORD", PASSWORD)
    assert read_table(address.path).rows == 200


@pytest.mark.parametrize(
    "text",
    [
        f"postgresql://{USER}:{PASSWORD}@host/name",
        f"postgresql:/{USER}:{PASSWORD}@host/name",
        f"postgresql://host/name?password={PASSWORD}",
        f"postgresql:///{USER}:{PASSWORD}@host",
        f"postgres://{USER}:{PASSWORD}@",
        f"postgresql+psycopg://{USER}:{PASSWORD}@host/name",
        f"jdbc:postgresql://{USER}:{PASSWORD}@host/name",
        f"mysql://{USER}:{PASSWORD}@host/name",
    ],
)
def test_an_address_with_a_password_is_refused_and_not_repeated(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (text, Path(text)):
        with pytest.raises(WorkbenchError) as caught:
            read_table(path)
        assert PASSWORD not in f"{caught.value} {caught.value!r} {caught.value.hint}"
    with pytest.raises(Exception, match="address") as refused:
        wb.open(text)
    assert PASSWORD not in str(refused.value)
    for asked in (["profile", text], ["project", "new", str(tmp_path / "p.wbench"), "--data", text]):
        assert main(asked) == 2
        assert PASSWORD not in capsys.readouterr().err


def test_credentials_are_nowhere_but_in_this_process(
    address: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Project, ledger, command, answers, messages, representations, and every file that is written."""
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "ledgers"))
    given = f"postgresql://{USER}@{address.host}/{address.database}"
    said: list[object] = []
    data = wb.open(given, table="people").describe(id=wb.integer(0, 1000))
    said += [data, data.ask("count", epsilon=1), data.ledger.to_csv()]
    session = Session()
    said.append(session.data.open(Path(given), Dialect(sheet="people")))
    session.save(tmp_path / "p.wbench")
    assert main(["query", given, "--sheet", "people", "--query", "count", "--epsilon", "0.5", "--json"]) == 0
    assert main(["profile", given, "--sheet", "none"]) == 2
    assert main(["report", str(tmp_path / "p.wbench"), "--out", str(tmp_path / "out")]) == 2
    said += [*capsys.readouterr(), session.data.reading, session.project.data, addresses._known, address]
    told = " ".join(map(repr, said)) + " ".join(map(str, said))
    for path in tmp_path.rglob("*"):
        if path.is_file():
            told += path.read_bytes().decode("latin-1")
    import zipfile

    if zipfile.is_zipfile(tmp_path / "p.wbench"):
        with zipfile.ZipFile(tmp_path / "p.wbench") as archive:
            told += " ".join(archive.read(name).decode("latin-1") for name in archive.namelist())
    assert address.database in told
    assert USER not in told
    assert PASSWORD not in told


def test_a_saved_project_opens_again_without_who_asked(address: Address, tmp_path: Path) -> None:
    session = Session()
    session.data.open(address.path, Dialect(query="SELECT id, zip FROM people"))
    session.save(tmp_path / "p.wbench")
    again = Session.from_file(tmp_path / "p.wbench")
    described = again.project.data
    assert described is not None
    assert described.path == str(address.path)
    loaded = load(described.path, described.dialect)
    assert loaded.content == described.content
    # A stranger's project names a server: whoever keeps that would learn who asks.
    assert is_outside(described.path, tmp_path / "p.wbench")
    choose(described.path)
    assert not is_outside(described.path, tmp_path / "p.wbench")


def test_the_command_line_says_what_it_read(address: Address, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(address), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == 200
    assert main(["profile", str(address), "--sql", "SELECT zip FROM people"]) == 0
    assert "a query of a PostgreSQL database" in capsys.readouterr().out


def test_without_the_packages_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.io.typed_tables.importlib.util.find_spec", lambda name: None)
    with pytest.raises(WorkbenchError, match="sqlalchemy and psycopg is needed, and it is not installed") as caught:
        read_table("postgresql://localhost/none")
    assert 'pip install sqlalchemy "psycopg[binary]"' in caught.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="other words of the system")
def test_a_server_that_does_not_answer_is_named() -> None:
    pytest.importorskip("psycopg")
    with pytest.raises(WorkbenchError, match=r"The database “x” at 127\.0\.0\.1:1 cannot be read") as caught:
        read_table("postgresql://127.0.0.1:1/x")
    assert caught.value.field == "path"
