"""Opening a table: a DataFrame, or whatever file the window opens."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from workbench.core.content import fingerprints
from workbench.core.errors import WorkbenchError
from workbench.core.schema import PrivacyUnit
from workbench.io.addresses import Address, is_address
from workbench.io.clipboard import CLIPBOARD, keep_clipboard
from workbench.io.dialect import Dialect
from workbench.io.password_prompt import ask_at_terminal
from workbench.io.reading import Reading
from workbench.library.data import Data
from workbench.library.frames import as_frame, is_frame, table_of
from workbench.library.plainly import plainly
from workbench.library.two_readings import warn_of
from workbench.project.loading import Loaded, load, loaded_from
from workbench.project.model import Preparation, new_project
from workbench.session import Session


@plainly
def open_data(
    source: Any,
    *,
    table: str = "",
    query: str = "",
    written: Mapping[str, Any] | None = None,
    where: str = "",
    person: str = "",
    rows_per_person: int = 1,
    limit_rows: bool = False,
    ledger: str | Path = "",
) -> Data:
    """Open a table: a DataFrame (or another that speaks the Arrow interface), a path, or the address of a database.

    >>> wb.open(people)
    <Data: 2 columns: age, job>

    Parameters
    ----------
    source
        The table. Of a DataFrame the types say what the columns are, and the index is left out; nothing is guessed.
        Of a file the kinds are proposed as in the window; `Data.describe` says better.
        In an address such as `postgresql://user@host/name` there is no password: it comes from the environment or is
        asked for, and is kept in this process only. "clipboard:" is the table that was copied elsewhere, such as in a
        spreadsheet.
    table, query
        The table of a database, or the sheet of a workbook, that is read; or what a database is asked in its SQL. ""
        for the first one with rows.
    written
        How a text file is written, such as `{"delimiter": ";", "header": False}`: `delimiter`, `encoding`, `quote`,
        `header`, `skip_lines`, `skip_spaces`; and `labels`, whether those of SPSS and Stata are read. None to see it
        from the file. Of what a mapping leaves out, the usual is meant: a comma, UTF-8, `"`, a heading.
    where
        Only rows for which this holds take part, such as "age >= 18"; "" for all.
    person
        The column whose values say which rows are the same person's; "" where every row is another person.
    rows_per_person
        The most rows a person may have. Where a person may have more, `limit_rows` leaves the rest out.
    ledger
        Where the ledger is kept; "" for the person's own folder, which counts in any case.

    Raises
    ------
    Refused
        If it is no table, cannot be read, or has no such column.
    """
    session = Session(new_project())
    if ledger:
        session.ledger.use_file(Path(ledger))
    if is_frame(source):
        given, schema = table_of(as_frame(source))
        if not given.columns:
            raise WorkbenchError(
                "The table has no columns.", hint="Give a DataFrame with at least one.", field="source"
            )
        prints = fingerprints(given)
        reading = Reading(given, Dialect(), (), 0, 0, prints.rows, Path("DataFrame"))
        loaded = loaded_from(reading, prints)
        session.data.adopt(replace(loaded, proposed=schema))
    elif source == CLIPBOARD:
        session.data.adopt(_copied(_dialect(table, query, written)))
        warn_of(session, session.project.schema.names, stacklevel=3)
    elif isinstance(source, str | os.PathLike):
        ask_at_terminal()
        place = Address.of(source).path if is_address(source) else Path(source)
        session.data.open(place, _dialect(table, query, written))
        warn_of(session, session.project.schema.names, stacklevel=3)
    else:
        raise WorkbenchError(
            f"A {type(source).__name__} is no table.", hint="Give a DataFrame or the path of a file.", field="source"
        )
    session.data.set_unit(PrivacyUnit(rows_per_person=rows_per_person, person_column=person))
    if limit_rows or where.strip():
        session.data.set_preparation(Preparation(where=where, limit_rows=limit_rows))
    return Data(session)


def _copied(dialect: Dialect | None) -> Loaded:
    """The table on the clipboard, of which no file is left."""
    with TemporaryDirectory(prefix="workbench-") as folder:
        place = Path(folder, "clipboard.tsv")
        keep_clipboard(place)
        loaded = load(place, dialect)
    return replace(loaded, reading=replace(loaded.reading, path=Path("clipboard")))


def _dialect(table: str, query: str, written: Mapping[str, Any] | None) -> Dialect | None:
    """How to read a file; None if that is to be seen from it."""
    if not table and not query and written is None:
        return None
    known = [field.name for field in fields(Dialect) if field.name not in ("sheet", "query")]
    said = dict(written or {})
    strange = next((name for name in said if name not in known), None)
    if strange is not None:
        raise WorkbenchError(
            f"How a file is written says nothing called “{strange}”.",
            hint=f"Write {', '.join(known)}.",
            field="written",
        )
    return Dialect(sheet=table, query=query, **said)
