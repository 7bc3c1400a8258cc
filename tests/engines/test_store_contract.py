"""What every engine must do, asked of each of them in the same words."""

from __future__ import annotations

import datetime
import decimal
import math
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.engines.budget import MemoryBudget
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.engines.store import Scanned, Store
from workbench.engines.stored import SPACES
from workbench.io.dialect import Dialect
from workbench.io.reading import read_table

pytestmark = [pytest.mark.xdist_group("spark"), pytest.mark.timeout(180)]

TEXTS = [
    "",
    " ",
    "a",
    '"',
    "''",
    "'; DROP TABLE w1; --",
    "\\",
    "\\n",
    "\n",
    "é😀",
    "${x}",
    "%s",
    "`x`",
    "{{x}}",
    "NULL",
]


@pytest.fixture(scope="session", params=["duckdb", "spark"])  # before the threads of a test are counted
def store(request: pytest.FixtureRequest) -> Store:
    found: Store = request.getfixturevalue(f"{request.param}_store")
    return found


def texts_of(store: Store, scanned: Scanned) -> list[tuple[Any, ...]]:
    """The rows in their order."""
    cells = ", ".join(f"t{place}" for place in range(len(scanned.names)))
    return store.rows(f"SELECT {cells} FROM {scanned.relation}{store.dialect.in_order}")


def check_scan(store: Store, path: Path, dialect: Dialect | None = None) -> None:
    """A file is read as it is in memory."""
    memory = read_table(path, dialect)
    scanned = store.scan(files_of(path, memory.dialect))
    try:
        assert scanned.names == memory.table.names
        assert texts_of(store, scanned) == [memory.table.row(number) for number in range(memory.rows)]
        assert (scanned.rows, scanned.skipped) == (memory.rows, memory.skipped)
        assert sorted(map(str, scanned.problems)) == sorted(map(str, memory.problems))
        assert scanned.problem_count == memory.problem_count
    finally:
        store.drop(scanned.relation)


def written(folder: Path, parts: Sequence[str | bytes]) -> Path:
    folder.mkdir()
    for number, part in enumerate(parts):
        content = part if isinstance(part, bytes) else part.encode()
        (folder / f"part {number:02d} [x]{{y}}'#%20.csv").write_bytes(content)
    return folder


def test_what_is_uploaded_comes_back(store: Store) -> None:
    numbers = np.array([0, -1, 2**62 + 1, 5] * 4)[: len(TEXTS)]
    reals = np.linspace(-1.5, 1e300, len(TEXTS))
    name = store.upload({"a": numbers, "b": reals, "c": TEXTS})
    try:
        rows = store.rows(f"SELECT a, b, c FROM {name} ORDER BY b")
        assert rows == sorted(zip(numbers.tolist(), reals.tolist(), TEXTS, strict=True), key=lambda row: row[1])
        whole, real = store.fetch(f"SELECT a, b FROM {name} ORDER BY b")
        assert whole.dtype == np.int64
        assert (whole == numbers).all() and (real == reals).all()
        assert store.count(name, f"c = {store.dialect.literal(TEXTS[5])}") == 1
    finally:
        store.drop(name)


@pytest.mark.parametrize("rows", [0, 1, 256, 257])
def test_few_rows_are_uploaded_like_many(store: Store, rows: int) -> None:
    """DuckDB is given few as values of the statement and many as an Arrow table."""
    texts = [f"{TEXTS[row % len(TEXTS)]}{row}" for row in range(rows)]
    numbers = np.arange(rows, dtype=np.uint32)[::-1]
    name = store.upload({"place": np.arange(rows), "a b": numbers, "c": texts, "d": numbers > 3})
    try:
        quoted = store.dialect.name("a b")
        found = store.rows(f"SELECT {quoted}, c, d FROM {name} ORDER BY place")
        assert found == list(zip(numbers.tolist(), texts, (numbers > 3).astype(int).tolist(), strict=True))
        assert store.fetch(f"SELECT {quoted} FROM {name}")[0].dtype == np.int64
    finally:
        store.drop(name)


def test_what_is_no_number_stays_none(store: Store) -> None:
    name = store.upload({"n": np.array([1.5, math.nan])})
    try:
        assert store.rows(f"SELECT count(n) FROM {name}") == [(2,)]
    finally:
        store.drop(name)


def test_every_text_is_a_literal_and_every_name_a_column(store: Store) -> None:
    names = [f"{text}{number}" for number, text in enumerate(TEXTS) if "\n" not in text]
    dialect = store.dialect
    sql = ", ".join(f"{dialect.literal(name)} AS {dialect.name(name)}" for name in names)
    inner = store.keep(f"SELECT {sql}")
    try:
        chosen = ", ".join(dialect.name(name) for name in names)
        assert store.rows(f"SELECT {chosen} FROM {inner}") == [tuple(names)]
    finally:
        store.drop(inner)
    assert store.rows(f"SELECT {', '.join(map(dialect.literal, TEXTS))}") == [tuple(TEXTS)]


def test_what_stands_around_a_text_is_taken_away_as_python_does(store: Store) -> None:
    literal = store.dialect.literal
    for text in (" a\tb \u2003", "\x1c\x85-\xa0", "\u200b \u2028", "", " \t", "'\\ "):
        found = store.rows(f"SELECT {store.dialect.stripped(literal(text), literal(SPACES))} AS v")
        assert found == [(text.strip(),)]


def test_a_relation_is_kept_once_and_dropped_twice(store: Store) -> None:
    kept = store.keep("SELECT 1 AS r, 2 AS a UNION ALL SELECT 5 AS r, 3 AS a")
    assert sorted(store.rows(f"SELECT a FROM {kept}")) == [(2,), (3,)]
    store.drop(kept)
    store.drop(kept)
    with pytest.raises(WorkbenchError):
        store.rows(f"SELECT a FROM {kept}")


def test_large_results_come_in_order_and_in_pieces(store: Store) -> None:
    name = store.upload({"r": np.arange(5000)[::-1].copy(), "t": [f"t{number}" for number in range(5000)]})
    try:
        pieces = list(store.stream(f"SELECT t, r FROM {name} ORDER BY r", 2000))
    finally:
        store.drop(name)
    assert max(len(piece[0]) for piece in pieces) <= 2048
    assert np.concatenate([piece[1] for piece in pieces]).tolist() == list(range(5000))
    assert np.concatenate([piece[0] for piece in pieces]).tolist() == [f"t{n}" for n in range(5000)][::-1]


def test_csv_files_are_read_as_in_memory(store: Store, tmp_path: Path) -> None:
    parts: list[str | bytes] = [
        'a,b\n1,2\n"x,1","y ""z"""\n"p"q,r"s"\n"",""\n" ",""""\n   \n\u00a0\n\\n,${x}\n\'; --,"\\"\n',
        "a,b\r\n3,4\r\n\r\n5\r\n6,7,8\r\n9,10",
        "a,b\r11,12\r",
        b"\xef\xbb\xbfa,b\n\xff1,\xc3\xa9\nx\0y,2\n",
    ]
    check_scan(store, written(tmp_path / "nasty", parts), Dialect())


def test_rows_over_several_lines_are_read_as_in_memory(store: Store, tmp_path: Path) -> None:
    parts: list[str | bytes] = [
        'a,b\n"x\ny",1\n2,3\n"p\r\nq","r\rs"\n4,"5\n\n6"\n7,8,9\n"a\nb",c,d\n',
        'a,b\n1,2\n"x,3\n4,5\n6,"7\n8,9\n',
        'a,b\n1,2\n""\n3,"4"\n',
    ]
    check_scan(store, written(tmp_path / "broken", parts), Dialect())


@pytest.mark.parametrize(
    ("content", "dialect"),
    [
        (b'a\n1\n\n2\n  \n""\n\n\n', Dialect()),
        (b"report\n\na;b\n\xe9;\x80\n\x81;2\n", Dialect(";", "cp1252", skip_lines=1)),
        (b"1,  2\n 'x, y', 'z'\n  ,  \n", Dialect(quote="'", header=False, skip_spaces=True)),
        (b'a|b\n"1|2"\n"x|y\n', Dialect("|", quote="")),
    ],
    ids=["one column", "another encoding", "spaces", "no quotation mark"],
)
def test_dialects_are_those_in_memory(store: Store, tmp_path: Path, content: bytes, dialect: Dialect) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(content)
    check_scan(store, path, dialect)


def test_parquet_files_are_read_as_in_memory(store: Store, tmp_path: Path) -> None:
    at = datetime.datetime(2020, 1, 31, 12, 30, 0, 120000)
    table = pa.table(
        {
            "whole": [1, None, -3],
            "real": [1.5, float("nan"), 1e22],
            "narrow": pa.array([0.1, 2.0, None], pa.float32()),
            'text "; DROP TABLE x; --': ["a", None, 'é"\\'],
            "truth": [True, False, None],
            "date": [datetime.date(2020, 1, 31), None, datetime.date(1, 1, 1)],
            "moment": pa.array([at, None, at], pa.timestamp("us")),
            "zoned": pa.array([at, None, at], pa.timestamp("us", "Europe/Berlin")),
            "precise": pa.array([1, None, 1_600_000_000_123_456_789], pa.timestamp("ns")),
            "time": [datetime.time(12, 30), None, datetime.time(1, 2, 3, 450000)],
            "decimal": [decimal.Decimal("1.50"), None, decimal.Decimal("0.00")],
            "Decimal": pa.array([decimal.Decimal("1E-8"), None, decimal.Decimal(0)], pa.decimal128(20, 10)),
            "far": pa.array([10_000_000, None, -1], pa.int32()).cast(pa.date32()),
            "nul": ["a\0b", None, ""],
            "bytes": [b"ab", b"\xff\x00", None],
            "list": [[1, 2], None, []],
        }
    )
    pq.write_table(table, tmp_path / "data.parquet")
    check_scan(store, tmp_path / "data.parquet")


def test_a_table_is_the_one_in_memory(store: Store, tmp_path: Path) -> None:
    generator = np.random.default_rng(5)
    ages, towns = generator.integers(0, 90, 3000), generator.choice(["Köln", "'", "x y", ""], 3000)
    path = tmp_path / "people.csv"
    lines = [f"{age},{town},n{number}" for number, (age, town) in enumerate(zip(ages, towns, strict=True))]
    path.write_text("\n".join(["age,town,name", *lines]) + "\n", encoding="utf-8")
    memory, stored = read_table(path).table, open_stored(store, files_of(path)).table
    for name in memory.names:
        assert stored[name].values == memory[name].values
        assert stored[name].counts.tolist() == memory[name].counts.tolist()
        assert stored[name].codes.tolist() == memory[name].codes.tolist()
    assert stored.page(2990, 50) == memory.page(2990, 50)
    assert stored.page(0, 3) == memory.page(0, 3)
    assert stored.page(3000, 5) == []
    decade = np.array([int(value) // 10 for value in memory["age"].values])
    wanted = {"town": None, "age": decade}
    (digits, counts), (expected, numbers) = stored.combinations(wanted), memory.combinations(wanted)
    assert [column.tolist() for column in digits] == [column.tolist() for column in expected]
    assert counts.tolist() == numbers.tolist()


def test_rows_come_in_pieces_and_one_by_one_in_the_order_of_the_files(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.engines.spark_store._AT_ONCE", 7)
    monkeypatch.setattr("workbench.engines.spark_marks.BUCKET", 2)
    parts = ["a,b\n" + "".join(f"{i},{part}\n" for i in range(rows)) for part, rows in enumerate((1, 20, 3))]
    folder = written(tmp_path / "parts", parts)
    for skipped in (False, True):
        if skipped:  # a number without a row
            (folder / "part 99.csv").write_text("a,b\n1,9\n2\n3,9\n4,9\n", encoding="utf-8")
        files = files_of(folder)
        here, there = read_table(folder).table, open_stored(store, files).table
        rows = [here.row(number) for number in range(here.rows)]
        for size in (5, 100):
            found = list(there.blocks(["b", "a"], size))
            assert all(len(block[0]) <= size for block in found)
            codes = [np.concatenate(column) for column in zip(*found, strict=True)]
            texts = [[there[name].values[code] for code in column] for name, column in zip("ba", codes, strict=True)]
            assert list(zip(*reversed(texts), strict=True)) == rows
        for wanted in ([0], [3, 4, 4, 20], [here.rows - 1], range(here.rows)):
            (picked,) = there.codes_at(["a"], np.array(wanted, dtype=np.intp))
            assert [there["a"].values[code] for code in picked] == [rows[row][0] for row in wanted]


def test_columns_of_too_many_values_are_found_however_they_begin(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.engines.opening.MOST_VALUES", 40)
    monkeypatch.setattr("workbench.engines.opening._FIRST", 20)
    monkeypatch.setattr("workbench.engines.opening._BEGINNING", 80)
    rows = [f"{i},{0 if i < 100 else i},{i % 20},{i % 41}" for i in range(400)]
    path = tmp_path / "many.csv"
    path.write_text("\n".join(["always,late,few,just", *rows]) + "\n", encoding="utf-8")
    table = open_stored(store, files_of(path)).table
    assert [table.lists(name) for name in table.names] == [False, False, True, False]


def test_lines_are_written_as_they_are(store: Store, tmp_path: Path) -> None:
    lines = ['"a\nb";1', "", " é😀", "\\N", "'; DROP TABLE x; --", *map(str, range(500))]
    name = store.upload({"r": np.arange(len(lines)), "line": lines})
    try:
        one, many = tmp_path / "one [x].csv", tmp_path / "many"
        store.write_lines(f"SELECT line FROM {name} ORDER BY r", 'he"ad;ä', one)
        store.write_lines(f"SELECT line FROM {name} WHERE r > 9 ORDER BY r", "head", many, parts=True)
        store.write_lines(f"SELECT line FROM {name} WHERE r < 0 ORDER BY r", "head", tmp_path / "none.csv")
    finally:
        store.drop(name)
    assert one.read_text(encoding="utf-8") == "\n".join(['he"ad;ä', *lines]) + "\n"
    parts = [path.read_text(encoding="utf-8").splitlines() for path in sorted(many.iterdir())]
    assert len(parts) == (2 if store.dialect.carry_row else 1)
    assert all(part[0] == "head" for part in parts)
    assert [line for part in parts for line in part[1:]] == lines[10:]
    assert (tmp_path / "none.csv").read_text() == "head\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["many", "none.csv", "one [x].csv"]


def test_parquet_is_written_and_read_back(store: Store, tmp_path: Path) -> None:
    name = store.upload({"r": np.arange(300)[::-1].copy(), "t": [f"{n} é" for n in range(300)]})
    headings = ['a"; DROP TABLE x; --', "`b` c"]
    select = ", ".join(
        f"{column} AS {store.dialect.name(heading)}" for column, heading in zip("rt", headings, strict=True)
    )
    try:
        store.write_parquet(f"SELECT {select} FROM {name} ORDER BY r", tmp_path / "one.parquet")
        store.write_parquet(f"SELECT {select} FROM {name} ORDER BY r", tmp_path / "many", parts=True)
    finally:
        store.drop(name)
    one = pq.read_table(tmp_path / "one.parquet")
    assert one.column_names == headings
    assert one.column(0).to_pylist() == list(range(300))
    assert one.column(1).to_pylist() == [f"{n} é" for n in range(300)][::-1]
    assert read_table(tmp_path / "many").table.page(0, 999) == read_table(tmp_path / "one.parquet").table.page(0, 999)


def test_nothing_is_left_of_what_could_not_be_written(store: Store, tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError):
        store.write_lines("SELECT nothing FROM nowhere", "head", tmp_path / "out.csv")
    with pytest.raises(WorkbenchError):
        store.write_parquet("SELECT CAST(concat('x', 1) AS INTEGER) AS a", tmp_path / "out", parts=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT nothing FROM nowhere", "SELECT CAST(concat('x', 1) AS INTEGER)"])
def test_what_the_engine_says_is_one_plain_sentence(store: Store, sql: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        store.rows(sql)
    assert "\n" not in caught.value.message
    assert not any(word in str(caught.value) for word in ("org.apache", "Traceback", "py4j", "\tat "))
    assert caught.value.hint


def test_cancelling_stops_the_engine(store: Store) -> None:
    token = CancelToken()
    begun = threading.Event()

    def listen(fraction: float, text: str) -> None:
        if begun.is_set():
            token.cancel()
        begun.set()

    numbers = store.upload({"k": np.arange(2000)})
    crossed = f"{numbers} AS a CROSS JOIN {numbers} AS b CROSS JOIN {numbers} AS c"
    try:
        with pytest.raises(Cancelled):
            store.run(f"SELECT count(*) FROM {crossed} WHERE (a.k * b.k + c.k) % 7919 = 3", Progress(listen, token))
        assert store.rows("SELECT 1") == [(1,)]
    finally:
        store.drop(numbers)


def test_a_full_scratch_folder_is_not_told_as_a_lack_of_memory(tmp_path: Path) -> None:
    with DuckStore(MemoryBudget(64 << 20), tmp_path) as store:
        store.run("SET max_temp_directory_size = '1MB'")
        with pytest.raises(WorkbenchError, match="no room left for what it keeps") as told:
            store.keep("SELECT i, hash(i) AS a, hash(i + 1) AS b FROM range(40000000) AS r(i) ORDER BY a")
        assert "TMPDIR" in told.value.hint


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent to threads there")
@pytest.mark.timeout(60)  # without the interrupt the statement does not end
def test_control_c_ends_the_statement_that_runs(press_control_c: Callable[[], None]) -> None:
    for wait in (0.1, 0.2, 0.3):
        with DuckStore() as store:
            pressed = threading.Timer(wait, press_control_c)
            pressed.start()
            with pytest.raises(KeyboardInterrupt):
                store.run("SELECT max(hash(i)) FROM range(1000000000000) AS r(i)")
            pressed.join()


def test_what_was_closed_says_so() -> None:
    store = DuckStore(MemoryBudget(64 << 20))
    relation = store.upload({"v": ["a"]})
    store.close()
    with pytest.raises(WorkbenchError, match="The data was closed"):
        store.count(relation)
