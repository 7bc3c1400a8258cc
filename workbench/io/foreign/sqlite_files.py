"""Reading a table of an SQLite database, or the answer to a query, and nothing but reading."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.io.foreign import frames, limits
from workbench.io.foreign.typed_columns import ColumnWriter, limited

_LISTED = (
    "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
    "ORDER BY type, rowid"
)
_READING = frozenset(
    (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_TRANSACTION,
    )
)
_FORBIDDEN = frozenset(("load_extension", "fts3_tokenizer", "writefile", "readfile", "edit"))
_LONGEST = 1 << 24
_STEPS = 50_000_000
"""Steps of SQLite, of which it takes some hundred million a second, between two words while rows are counted."""

_SECONDS = 5.0
"""Between two words while rows come one by one."""


def run(request: dict[str, Any], out: frames.FrameWriter) -> None:
    """Send the rows of a table, the first one with rows if none is named, or of a query.

    Raises
    ------
    WorkbenchError
        If there is no such table, or it cannot be read.
    """
    path = Path(request["paths"][0])
    limits.MemoryAllowance().limit(limits.allowance(path.stat().st_size))
    try:
        with closing(_opened(path)) as database:
            _send(path.name, database, request, out)
    except sqlite3.Error as error:
        raise _refused(path.name, request["query"], error) from error


def _opened(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, isolation_level=None)
    database.text_factory = lambda raw: raw.decode("utf-8", "replace")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    database.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    # The schema of a stranger must not call what could do anything, and a damaged page must not be believed.
    for said in ("trusted_schema = OFF", "cell_size_check = ON", "query_only = ON", "temp_store = MEMORY"):
        database.execute(f"PRAGMA {said}")

    def allowed(action: int, first: str | None, second: str | None, *_: object) -> int:
        reading = action in _READING and (second or "").lower() not in _FORBIDDEN
        reading = reading or (action == sqlite3.SQLITE_PRAGMA and first == "table_info")
        return sqlite3.SQLITE_OK if reading else sqlite3.SQLITE_DENY

    database.execute("BEGIN")
    database.set_authorizer(allowed)
    return database


def _send(name: str, database: sqlite3.Connection, request: dict[str, Any], out: frames.FrameWriter) -> None:
    query, table = request["query"], request["sheet"]
    listed = dict(database.execute(_LISTED).fetchall())
    tables = list(listed)
    if not query:
        table = _chosen(name, database, tables, table)
    asked = database.execute(query or f"SELECT * FROM {_quoted(table)}")
    if asked.description is None:
        raise WorkbenchError(
            "The query gives no table.",
            hint="Write one that begins with SELECT, such as SELECT * FROM people.",
            field="query",
        )
    stored = not query and listed[table] == "table"
    rows = _counted(database, table, out) if stored else 0
    limit = request.get("limit")
    names = [column[0] for column in asked.description]
    declared = _declared(database, table, names) if not query else ["" for _ in names]
    writer = ColumnWriter(out, names, rows if limit is None else min(rows, limit), tables=tables, table=table or "")
    found = limited(asked, limit)
    writer.send_rows(found if stored else _watched(found, name, request, writer, out))
    writer.end([{"declared": one} for one in declared])


def _counted(database: sqlite3.Connection, table: str, out: frames.FrameWriter) -> int:
    """How many rows a table has, which is gone through in the file once, however long that takes; not for a view."""
    database.set_progress_handler(lambda: out.tell(frames.WORK, cells=0), _STEPS)
    found: int = database.execute(f"SELECT count(*) FROM {_quoted(table)}").fetchone()[0]
    database.set_progress_handler(None, 0)
    return found


def _watched(
    rows: Iterable[Any], name: str, request: dict[str, Any], writer: ColumnWriter, out: frames.FrameWriter
) -> Iterator[Any]:
    """The rows of a view or a query, which need not end: until they are more than any table of the file could be."""
    said = time.monotonic()
    for row in rows:
        if writer.sent > request["most"]:
            what = "query" if request["query"] else "view"
            raise WorkbenchError(
                f"The {what} on the SQLite database “{name}” gives far more than it holds, if it ends at all.",
                hint="Ask for less by a query, such as one that ends with LIMIT 1000000.",
                field="query" if request["query"] else "sheet",
            )
        if time.monotonic() > said + _SECONDS:  # few rows wait here until they are many
            out.tell(frames.WORK, cells=0)
            said = time.monotonic()
        yield row


def _chosen(name: str, database: sqlite3.Connection, tables: list[str], table: str) -> str:
    if table in tables:
        return table
    if table:
        raise WorkbenchError(
            f"The SQLite database “{name}” has no table “{table}”.",
            hint=f"Its tables are: {', '.join(tables)}.",
            field="sheet",
        )
    for one in tables:
        if database.execute(f"SELECT 1 FROM {_quoted(one)} LIMIT 1").fetchone() is not None:
            return one
    raise WorkbenchError(
        f"The SQLite database “{name}” holds no table with rows.", hint="Choose another file.", field="path"
    )


def _declared(database: sqlite3.Connection, table: str, names: list[str]) -> list[str]:
    """Declared types of the columns of a table; dates are texts or numbers in the file."""
    asked = database.execute(f"PRAGMA table_info({_quoted(table)})")
    known = {name: str(declared or "").upper() for _, name, declared, *_ in asked}
    return [known.get(name, "") for name in names]


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _refused(name: str, query: str, error: sqlite3.Error) -> WorkbenchError:
    reason = str(error).rstrip(".") or type(error).__name__
    if query:
        return WorkbenchError(
            f"The query was refused: {reason}.",
            hint="Write one SELECT in the SQL of SQLite; nothing can be changed with it.",
            field="query",
        )
    return WorkbenchError(
        f"The SQLite database “{name}” cannot be read: {reason}.",
        hint="Get it again, or let the program that writes to it finish.",
        field="path",
    )
