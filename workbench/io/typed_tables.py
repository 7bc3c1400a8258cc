"""Reading what says of itself what its columns are: files of SPSS, Stata and SAS, JSON lines, and databases.

Another process reads (`workbench.io.foreign`). Kinds are taken from the types and never from the looks of texts:
`00123` in a column of texts stays a text. Missing codes that a file declares, such as 77, 88 and 99, stay the values
they are and are proposed as texts that stand for no value. Values are read as their labels where every one that occurs
has one.
"""

from __future__ import annotations

import importlib.util
import json
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from workbench.core.content import fingerprints
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.rough_counts import roughly_rows
from workbench.core.schema import ColumnSpec
from workbench.core.table import Table
from workbench.io.addresses import PASSWORD, Address, asked, credentials_for
from workbench.io.codebook import ColumnNotes
from workbench.io.coded_column import CodedColumn
from workbench.io.column_codes import ReadingProblem, heading_of
from workbench.io.dialect import Dialect
from workbench.io.foreign import frames
from workbench.io.foreign.child import Child
from workbench.io.foreign.limits import LEAST, TIMES_PACKED
from workbench.io.foreign.pieces import ColumnPiece, sound
from workbench.io.missing_package import missing_package
from workbench.io.opening import FileContent, explained

MOST_CELLS = 1 << 32
LEAST_GIVEN = LEAST
"""Bytes that a view or a query of an SQLite database may always give, however small the database."""
_INSTEAD = "save it as CSV with the program it came from, and open that file."


@dataclass(frozen=True)
class TypedSource:
    """The way a form is read.

    Parameters
    ----------
    job
        One of `worker.JOBS`.
    packages
        What must be installed to read it.
    """

    job: str
    packages: tuple[str, ...] = ()


SOURCES = {
    FileContent.SPSS: TypedSource("statistics", ("pyreadstat",)),
    FileContent.STATA: TypedSource("statistics", ("pyreadstat",)),
    FileContent.SAS: TypedSource("statistics", ("pyreadstat",)),
    FileContent.JSON_LINES: TypedSource("json lines"),
    FileContent.SQLITE: TypedSource("sqlite"),
    FileContent.DATABASE: TypedSource("database", ("sqlalchemy", "psycopg")),
}


@dataclass(frozen=True)
class TypedTable:
    """A table with what its source says of its columns; `tables` are those it could be, `dialect` says which it is."""

    table: Table
    specs: tuple[ColumnSpec, ...]
    problems: tuple[ReadingProblem, ...]
    problem_count: int
    skipped: int
    dialect: Dialect
    tables: tuple[str, ...] = ()


@dataclass
class _Told:
    """Facts that the other process has told so far."""

    names: list[str] = field(default_factory=list)
    rows: int = 0
    tables: tuple[str, ...] = ()
    table: str = ""
    columns: list[ColumnNotes] = field(default_factory=list)
    problems: list[ReadingProblem] = field(default_factory=list)
    problem_count: int = 0
    skipped: int = 0


def read_typed(
    path: Path,
    form: FileContent,
    dialect: Dialect | None = None,
    limit: int | None = None,
    progress: Progress = SILENT,
) -> TypedTable:
    """Read a table whose source says what its columns are.

    Parameters
    ----------
    dialect
        Which table or query of a database, and whether values are read as their labels.
    limit
        Rows to read at most.

    Raises
    ------
    WorkbenchError
        If it cannot be read, or needs a package that is not installed.
    Cancelled
        If the person pressed Cancel.
    """
    try:
        return _read(path, form, dialect, limit, progress)
    except WorkbenchError as error:
        if error.field != PASSWORD or not asked(Address.of(path)):
            raise
    return _read(path, form, dialect, limit, progress)


def _read(path: Path, form: FileContent, dialect: Dialect | None, limit: int | None, progress: Progress) -> TypedTable:
    chosen = _understood(dialect or Dialect(), form)
    told = _Told()
    columns: list[CodedColumn] = []
    rows = place = held = 0
    with _asked(path, form, chosen, limit, progress) as child:
        for kind, payload in child.frames(frames.INFO, frames.COLUMN, frames.NOTES):
            if kind != frames.COLUMN:
                if place or (kind == frames.INFO) is bool(told.names):
                    raise child.nonsense()
                (_understand if kind == frames.INFO else _understand_notes)(child, told, payload)
                columns = columns or [CodedColumn() for _ in told.names]
                continue
            if not columns or told.columns:
                raise child.nonsense()
            piece = ColumnPiece.of(child, place, payload)
            if place and len(piece.codes) != held:
                raise child.nonsense()
            piece.add_to(columns[place])
            held, place = len(piece.codes), (place + 1) % len(columns)
            if place:
                continue
            rows += held
            if rows * len(columns) > MOST_CELLS:
                raise WorkbenchError(
                    f"“{path.name}” holds more than {MOST_CELLS:,} cells, which is too much for a table in memory.",
                    hint="Ask for fewer columns or rows of it.",
                    field="path",
                )
            child.fraction = min(1.0, rows / max(told.rows, rows))
            progress(child.fraction, f"{roughly_rows(rows)} read")
        if not columns or not told.columns:
            raise child.nonsense()
    heading = heading_of(told.names, [], 1, ", ".join(told.names))
    described = [
        notes.described(column.joined(name, rows), labels=chosen.labels)
        for notes, column, name in zip(told.columns, columns, heading.names, strict=True)
    ]
    problems = [problem for _, problem in heading.problems]
    return TypedTable(
        Table(tuple(column for column, _ in described)),
        tuple(spec for _, spec in described),
        (*problems, *told.problems),
        len(problems) + told.problem_count,
        told.skipped,
        replace(chosen, sheet=told.table) if form.database and not chosen.query else chosen,
        told.tables,
    )


def _understood(dialect: Dialect, form: FileContent) -> Dialect:
    """Part of a dialect that counts for a form."""
    if form.database:
        return Dialect(sheet="" if dialect.query else dialect.sheet, query=dialect.query)
    return Dialect(labels=dialect.labels) if form.labelled else Dialect()


def _asked(path: Path, form: FileContent, dialect: Dialect, limit: int | None, progress: Progress) -> Child:
    source = SOURCES[form]
    absent = [package for package in source.packages if importlib.util.find_spec(package) is None]
    if absent:
        raise missing_package(path.name, form.one, " and ".join(absent), _INSTEAD, " ".join(map(_wanted, absent)))
    wanted: dict[str, Any] = {"form": form.value, "limit": limit}
    if form.database:
        wanted |= {"sheet": dialect.sheet, "query": dialect.query}
    if form is FileContent.DATABASE:
        address = Address.of(path)
        who = credentials_for(address)
        # On its standard input alone: arguments and the environment of a process can be read by others.
        wanted |= {"address": [address.host, address.database], "credentials": [who.user, who.password]}
        return Child(source.job, [address.path], form.one.partition(" ")[2], progress, hint=_UNREACHED, **wanted)
    with explained(path):
        path.stat()
    if form is FileContent.SQLITE:
        wanted |= {"hint": _UNREADABLE, "most": max(LEAST_GIVEN, TIMES_PACKED * path.stat().st_size)}
    return Child(source.job, [path], form.one.partition(" ")[2], progress, **wanted)


_UNREADABLE = "If it is a view or a query, write what it gives into a table of the database, and open that."
_UNREACHED = "Check that the server answers, or ask for less of it by a query."


def _wanted(package: str) -> str:
    return '"psycopg[binary]"' if package == "psycopg" else package


def _understand(child: Child, told: _Told, payload: bytes) -> None:
    found = _object(child, payload)
    names, rows, tables, table = found.get("names"), found.get("rows"), found.get("tables", []), found.get("table", "")
    if not _texts(names) or not names or not _texts(tables) or type(table) is not str:
        raise child.nonsense()
    if type(rows) is not int or rows < 0:
        raise child.nonsense()
    told.names, told.rows, told.tables, told.table = sound(names), rows, tuple(sound(tables)), table


def _understand_notes(child: Child, told: _Told, payload: bytes) -> None:
    found = _object(child, payload)
    try:
        told.columns = [ColumnNotes.of(column) for column in found["columns"]]
        told.problems = [
            ReadingProblem(_count(one["line"]), _text(one["reason"]), _text(one["text"]), bool(one["kept"]))
            for one in found["problems"]
        ]
        told.problem_count, told.skipped = _count(found["problem_count"]), _count(found["skipped"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise child.nonsense() from error
    if len(told.columns) != len(told.names):
        raise child.nonsense()


def _object(child: Child, payload: bytes) -> dict[str, Any]:
    try:
        found = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise child.nonsense() from error
    if type(found) is not dict:
        raise child.nonsense()
    return found


def _texts(value: object) -> bool:
    return type(value) is list and not set(map(type, value)) - {str}


def _text(value: object) -> str:
    if type(value) is not str:
        raise TypeError
    return value[:2000]


def _count(value: object) -> int:
    if type(value) is not int or value < 0:
        raise TypeError
    return value


def content_fingerprint(table: Table) -> str:
    """SHA-256 of the names and rows of a table that has no file: what `workbench.core.content` says of it."""
    return fingerprints(table).rows
