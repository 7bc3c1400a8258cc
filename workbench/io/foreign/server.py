"""Reading a table of a PostgreSQL server, or the answer to a query, through SQLAlchemy, in a read-only transaction."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import sqlalchemy
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from workbench.core.errors import WorkbenchError
from workbench.io.foreign import frames, limits
from workbench.io.foreign.typed_columns import BATCH, ColumnWriter, limited

_SECONDS = 600
"""Seconds that a statement may take; the server ends it then."""
_SETTINGS = f"-c default_transaction_read_only=on -c statement_timeout={_SECONDS}s -c TimeZone=UTC"
_LISTED = """
SELECT n.nspname, c.relname, greatest(c.reltuples, 0)::bigint, n.nspname = current_schema()
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'f', 'p') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%%'
AND has_table_privilege(c.oid, 'SELECT') ORDER BY 4 DESC, 1, 2
"""
_OF_VALUES = "22"
"""The class of errors that values make, which the words of the server repeat."""
_QUOTED = re.compile(r"\".*\"", re.DOTALL)
_REFUSED = re.compile(r"password|authentication|no pg_hba|role .* does not exist|SASL|GSSAPI", re.IGNORECASE)


def run(request: dict[str, Any], out: frames.FrameWriter) -> None:
    """Send the rows of a table, the first one with rows if none is named, or of a query.

    Raises
    ------
    WorkbenchError
        If the server does not answer, refuses who asks, or cannot give the table. Who asks is in none of its words.
    """
    limits.MemoryAllowance().limit(limits.LEAST)
    # Waiting for the first row of a long query is not doing nothing, and the server ends it in time.
    patience = round(_SECONDS / frames.SECONDS_PER_CELL)
    out.tell(frames.WORK, cells=patience)
    out.expect_cells(patience)
    try:
        with _connection(request) as connection:
            _send(connection, request, out, patience)
    except (SQLAlchemyError, UnicodeError, OverflowError) as error:
        raise _explained(request, error) from error


def _connection(request: dict[str, Any]) -> Any:
    host, database = request["address"]
    user, password = request["credentials"]
    name, _, port = host.rpartition(":") if re.search(r":[0-9]+$", host) else (host, "", "")
    address = sqlalchemy.URL.create(
        "postgresql+psycopg",
        username=user or None,
        password=password or None,
        host=name.strip("[]") or None,
        port=int(port) if port else None,
        database=database,
    )
    settings = {"connect_timeout": 20, "options": _SETTINGS, "application_name": "anonymisation-workbench"}
    engine = sqlalchemy.create_engine(address, poolclass=NullPool, connect_args=settings, hide_parameters=True)
    return engine.connect().execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def _send(connection: Any, request: dict[str, Any], out: frames.FrameWriter, patience: int) -> None:
    query, limit = request["query"], request.get("limit")
    listed = {
        table if current else f"{schema}.{table}": (f"{_quoted(schema)}.{_quoted(table)}", rows)
        for schema, table, rows, current in connection.exec_driver_sql(_LISTED)
    }
    table, rows = "", 0
    if not query:
        table = _chosen(connection, request, {name: place for name, (place, _) in listed.items()})
        place, rows = listed[table]
        query = f"SELECT * FROM {place}"
    # A cursor of the server takes one statement, so that nothing can follow it that ends the transaction.
    streamed = {"stream_results": True, "max_row_buffer": BATCH}
    asked = connection.execution_options(**streamed).exec_driver_sql(query.strip().rstrip(";").replace("%", "%%"))
    out.tell(frames.WORK, cells=patience)
    names = list(asked.keys())
    if not names:
        raise WorkbenchError("The table has no columns.", hint="Name another one.", field="sheet")
    expected = rows if limit is None else min(rows, limit)
    writer = ColumnWriter(out, names, expected, tables=list(listed), table=table)
    writer.send_rows(limited(asked, limit))
    writer.end()


def _chosen(connection: Any, request: dict[str, Any], places: dict[str, str]) -> str:
    wanted: str = request["sheet"]
    name = request["address"][1]
    if wanted in places:
        return wanted
    if wanted:
        raise WorkbenchError(
            f"The database “{name}” has no table “{wanted}” that may be read.",
            hint=f"Its tables are: {', '.join(places) or 'none'}.",
            field="sheet",
        )
    for table, place in places.items():
        if connection.exec_driver_sql(f"SELECT 1 FROM {place} LIMIT 1".replace("%", "%%")).first() is not None:
            return table
    raise WorkbenchError(
        f"The database “{name}” holds no table with rows that may be read.", hint="Name another one.", field="path"
    )


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _plain(said: str) -> str:
    """Message of a client library about a connection, without how it tried."""
    found = re.search(r"FATAL:\s*(.*)", said) or re.search(r"failed: ([^\n]*)", said) or re.match(r"[^\n]*", said)
    return (found[1] if found.re.groups else found[0]).strip() if found else ""


def _explained(request: dict[str, Any], error: Exception) -> WorkbenchError:
    host, database = request["address"]
    where = f"The database “{database}” at {host or 'the usual server'}"
    original = error.orig if isinstance(error, DBAPIError) else error
    said = getattr(getattr(original, "diag", None), "message_primary", None)
    reason = said or _plain(str(original)) or type(original).__name__
    if said is None and isinstance(error, DBAPIError) and _REFUSED.search(str(original)):
        return WorkbenchError(
            f"{where} refused who asks.",
            hint="Give the user and the password when they are asked for, or in PGUSER and PGPASSWORD, or ~/.pgpass.",
            field="password",
        )
    if said is None and isinstance(original, psycopg.DataError):
        # The driver says which value it was.
        return WorkbenchError(
            f"{where} has a date or time that cannot be read: one before year 1 or after 9999, infinite, or at 24:00.",
            hint="Ask for its column as text by a query, such as SELECT day::text.",
            field="query" if request["query"] else "path",
        )
    if str(getattr(original, "sqlstate", None) or "").startswith(_OF_VALUES):
        reason = _QUOTED.sub(lambda found: found[0] if found[0][1:-1] in request["query"] else '"…"', reason)
    for secret in sorted(filter(None, request["credentials"]), key=len, reverse=True):
        reason = reason.replace(secret, "…")
    if said is not None and request["query"]:
        return WorkbenchError(
            f"The query was refused: {reason.rstrip('.')}.",
            hint="Write one SELECT in the SQL of PostgreSQL; nothing can be changed with it.",
            field="query",
        )
    return WorkbenchError(
        f"{where} cannot be read: {reason.rstrip('.')}.",
        hint="Check the address, and that the server answers from here.",
        field="path",
    )
