"""Targets: data in every form it is read in, and what is said of its rows."""

from __future__ import annotations

import gzip
import io
import sqlite3
import tempfile
import zipfile
from contextlib import closing
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from random import Random

import numpy as np

from tests.fuzzing.hunting import Target
from tests.fuzzing.mutating import Mutator
from tests.io.open_documents import open_document, row
from tests.sas7bdat import SasColumn, sas_table
from workbench.core.errors import WorkbenchError
from workbench.core.filtering import parse
from workbench.core.table import Column, Table
from workbench.engines.duckdb_store import DuckStore
from workbench.io.dialect import Dialect
from workbench.io.header import column_names
from workbench.io.reading import preview, read_table
from workbench.io.writing import write_csv
from workbench.io.xlsx import xlsx_into
from workbench.project.loading import Loaded, load, load_into

KEPT = Path(__file__).resolve().parents[1] / "kept"
MATERIAL = KEPT / "material"

QUOTED = b'name;town;"born on"\r\n"Ada ""the first""";"Bern; old";1815-12-10\r\n"two\nlines";;1815-12-11\r\n'
UNUSUAL = "\ufeffnombre\tedad\tsaldo\nJosé\t41\t1.234,50\nMaría\tNA\t-3,00\n".encode("utf-16")


def beginning(path: Path, lines: int = 25) -> bytes:
    """The first lines of a file: small inputs are changed where it matters, and many can be tried."""
    return b"".join(path.read_bytes().splitlines(keepends=True)[:lines])


@cache
def texts() -> tuple[bytes, ...]:
    """Delimited texts as they come."""
    names = ("people.csv", "visits.csv", "damaged.csv", "uneven.csv")
    return (*(beginning(MATERIAL / name) for name in names), QUOTED, UNUSUAL, b"x\n1\n", b"a,b\n")


def small_table() -> Table:
    """Numbers, dates, texts and gaps."""
    columns = {
        "age": ["31", "45", "", "62"],
        "since": ["2001-01-10", "2002-02-11", "2003-03-12", ""],
        "note": ["=1", "two\nlines", "é", ""],
    }
    return Table(tuple(Column.from_texts(name, listed) for name, listed in columns.items()))


@cache
def workbooks() -> tuple[bytes, ...]:
    made = io.BytesIO()
    xlsx_into(small_table(), made)
    return ((KEPT / "releases" / "workbook" / "release.xlsx").read_bytes(), made.getvalue())


@cache
def parquets() -> tuple[bytes, ...]:
    """A release, and a file of others with types that a release never has."""
    import pyarrow
    import pyarrow.parquet

    made = io.BytesIO()
    columns = {
        "age": pyarrow.array([31, None, 62], pyarrow.int16()),
        "part": pyarrow.array([0.5, float("nan"), None]),
        "born": pyarrow.array([0, 86_400_000, None], pyarrow.timestamp("ms", "UTC")),
        "list": pyarrow.array([[1, 2], [], None]),
        "note": pyarrow.array(["a", "a", "é"]).dictionary_encode(),
        "raw": pyarrow.array([b"\xff", b"", None]),
    }
    pyarrow.parquet.write_table(pyarrow.table(columns), made)
    return ((KEPT / "releases" / "parquet" / "release.parquet").read_bytes(), made.getvalue())


@cache
def archives() -> tuple[bytes, ...]:
    """Compressed files of one text each."""
    plain = beginning(MATERIAL / "people.csv")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("people.csv", plain)
    return gzip.compress(plain, mtime=0), packed.getvalue()


def change_text(mutator: Mutator, content: bytes) -> bytes:
    return mutator.one_of(lambda: mutator.table(content), lambda: mutator.bytes(content))


def change_workbook(mutator: Mutator, content: bytes) -> bytes:
    return mutator.zip(content, lambda _, inside: mutator.markup(inside))


def change_archive(mutator: Mutator, content: bytes) -> bytes:
    if content[:2] == b"PK":
        return mutator.zip(content, lambda _, inside: change_text(mutator, inside))
    inside = change_text(mutator, gzip.decompress(content))
    return mutator.one_of(lambda: gzip.compress(inside, mtime=0), lambda: mutator.bytes(content))


def change_parquet(mutator: Mutator, content: bytes) -> bytes:
    """Anything, or the description at the end, which everything else follows from."""

    def footer() -> bytes:
        found = bytearray(content)
        size = min(int.from_bytes(found[-8:-4], "little"), len(found) - 12)
        for _ in range(mutator.random.choice((1, 1, 2, 4))):
            found[len(found) - 8 - size + mutator.random.randrange(size)] = mutator.random.randrange(256)
        return bytes(found)

    return mutator.one_of(lambda: mutator.bytes(content), footer)


def read_data(path: Path, random: Random) -> None:
    """Open data as the window does: look at its beginning, read it and propose what its columns are."""
    if random.random() < 0.2:
        preview(path)
    column_names(path)
    written_again(load(path), path)


def written_again(loaded: Loaded, path: Path) -> None:
    """What was read is written and read again as the same, but for what no CSV can hold."""
    table = loaded.reading.table
    if not table.columns or any("\0" in text for column in table.columns for text in (column.name, *column.values)):
        return
    again = path.with_name("again.csv")
    try:
        write_csv(table, again, neutralise=False)
    except WorkbenchError:
        return  # such as names that a file cannot have twice
    found = read_table(again, Dialect()).table
    assert found.names == table.names, "other names after writing and reading"
    for before, after in zip(table.columns, found.columns, strict=True):
        assert before.texts() == after.texts(), f"other values of {before.name!r} after writing and reading"


def read_filter(path: Path, random: Random) -> None:
    """Parse a filter, apply it, and write it and parse it again."""
    loaded = people()
    table, schema = loaded.reading.table, loaded.proposed
    text = path.read_bytes().decode("utf-8", random.choice(("replace", "surrogateescape")))
    found = parse(text, schema)
    chosen = found.mask(table, schema)
    again = parse(str(found), schema)
    assert str(again) == str(found), "written otherwise after it was read again"
    assert np.array_equal(again.mask(table, schema), chosen), "other rows after it was written and read again"


@cache
def people() -> Loaded:
    return load(MATERIAL / "people.csv")


FILTERS = (
    b"age >= 18 and not (job = 'Nurse' or town in ('Bern', 'Aarau'))",
    b"since < 2010-01-31 and income is not missing and `town` starts with 'B'",
    b"age in (23, 27, 31) or age != 5 and [job] contains 'x'",
    b"since = 2001-01-10 or not not age > -1e5",
    b"job not in ('Cook','Clerk') and \"town\" ends with 'u' or income <= 0.5",
)


def change_filter(mutator: Mutator, content: bytes) -> bytes:
    found = mutator.bytes(content)
    if mutator.random.random() < 0.01:
        return mutator.random.choice((b"(", b"not ", b"age > 1 and ")) * mutator.random.choice((20, 100, 2000)) + found
    return found


def read_in_engine(path: Path, random: Random) -> None:
    """What an engine makes of a file is what is made of it in memory."""
    with DuckStore() as store:
        loaded = load_into(store, path)
        here = load(path)
        assert loaded.reading.table.names == here.reading.table.names, "other columns in an engine"
        assert loaded.content == here.content, "other rows in an engine"


@cache
def statistics_files(ending: str) -> tuple[bytes, ...]:
    """Answers with labels and missing codes."""
    if ending == ".sas7bdat":
        columns = [SasColumn("sex", [1, 2, "A"], label="Sex"), SasColumn("zip", ["00123", "", "x"], 8)]
        return (sas_table([*columns, SasColumn("born", [15006, 0, None], display="DATE")]),)
    import pandas
    import pyreadstat

    frame = pandas.DataFrame({"sex": [1.0, 2.0, 99.0], "zip": ["00123", "", "x"], "w": [0.5, None, 1e300]})
    writers = {
        ".sav": (pyreadstat.write_sav, {"missing_ranges": {"sex": [99]}, "variable_value_labels": {"sex": {1: "m"}}}),
        ".zsav": (pyreadstat.write_sav, {"compress": True}),
        ".por": (pyreadstat.write_por, {}),
        ".dta": (pyreadstat.write_dta, {"variable_value_labels": {"sex": {1: "m", 2: "f"}}}),
        ".xpt": (pyreadstat.write_xport, {}),
    }
    writer, how = writers[ending]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"x{ending}")
        writer(frame, path, **how)
        return (path.read_bytes(),)


@cache
def spreadsheets() -> tuple[bytes, ...]:
    rows = row("zip", "age") + row("00123", 30) + row("7", 41.5)
    return (open_document({"people": rows, "more": row("a") + row(1)}),)


JSON_LINES = (
    b'{"a": 1, "b": "007", "c": [1, {"d": null}]}\n{"a": 2.50, "e": true}\n',
    b'\xef\xbb\xbf{"x": "\\ud800"}\n',
)


@cache
def databases() -> tuple[bytes, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.db")
        with closing(sqlite3.connect(path)) as made:
            made.execute("CREATE TABLE people (id INTEGER PRIMARY KEY, zip TEXT, born DATE, raw BLOB)")
            rows = [(place, f"{place:05}", "2001-01-31", bytes(place)) for place in range(60)]
            made.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", rows)
            made.execute("CREATE VIEW grown AS SELECT * FROM people WHERE id > 3")
            made.commit()
        return (path.read_bytes(),)


def change_bytes(mutator: Mutator, content: bytes) -> bytes:
    return mutator.bytes(content)


TARGETS = (
    Target("csv", ".csv", texts, change_text, read_data),
    Target("engine", ".csv", texts, change_text, read_in_engine, quick=4),
    Target("compressed", ".csv.gz", archives, change_archive, read_data, quick=10),
    Target("excel", ".xlsx", workbooks, change_workbook, read_data, quick=6),
    Target("parquet", ".parquet", parquets, change_parquet, read_data, quick=6),
    *(
        Target(ending[1:], ending, partial(statistics_files, ending), change_bytes, read_data, quick=4)
        for ending in (".sav", ".zsav", ".por", ".dta", ".xpt", ".sas7bdat")
        if find_spec("pyreadstat") is not None
    ),
    Target("ods", ".ods", spreadsheets, change_workbook, read_data, quick=6),
    Target("json-lines", ".jsonl", lambda: JSON_LINES, change_bytes, read_data, quick=10),
    Target("sqlite", ".db", databases, change_bytes, read_data, quick=10),
    Target("filter", ".txt", lambda: FILTERS, change_filter, read_filter, quick=500),
)
