"""Options for the format of a data file, where the guess is wrong."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.io.dialect import Dialect, sniff
from workbench.io.excel import Workbook
from workbench.io.opening import FileContent, form_of
from workbench.io.parts import parts_of
from workbench.session import Session


def add_reading(parser: argparse.ArgumentParser) -> None:
    """How a text file is written, where the guess is wrong."""
    parser.add_argument("--delimiter", metavar="SIGN", help="between cells; tab may be written as \\t")
    parser.add_argument("--encoding", metavar="NAME", help="such as utf-8 or cp1252")
    parser.add_argument(
        "--header",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether the first line holds the names of the columns",
    )
    parser.add_argument(
        "--sheet",
        default="",
        metavar="NAME",
        help="sheet of a workbook, or table of a database (default: the first with cells)",
    )
    parser.add_argument("--sql", default="", metavar="QUERY", help="what to ask a database for in the place of a table")
    parser.add_argument(
        "--labels",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="whether values of SPSS and Stata files are read as their labels (default: they are)",
    )


def _check_form(options: argparse.Namespace, form: FileContent) -> None:
    name = options.file.name
    if options.sheet and options.sql:
        raise WorkbenchError(
            "A table is read or a query is asked, not both.", hint="Leave --sheet or --sql out.", field="sheet"
        )
    for said, fits, flag, what in (
        (options.sheet, form.sheets or form.database, "sheet", "is no workbook, so it has no sheets"),
        (options.sql, form.database, "sql", "is no database, so there is nothing to ask"),
        (options.labels is not None, form.labelled, "labels", "is no file of SPSS or Stata, so it has no labels"),
    ):
        if said and not fits:
            raise WorkbenchError(f"“{name}” {what}.", hint=f"Leave --{flag} out.", field=flag)


def dialect(options: argparse.Namespace, session: Session) -> Dialect | None:
    """How to read the file: as the options say, else as the project says, else as it looks."""
    if options.sheet or options.sql or options.labels is not None:
        first = parts_of(options.file)[0]
        form = form_of(first)
        _check_form(options, form)
        if form.sheets:
            return Workbook.recognise(first, options.sheet)
        return Dialect(sheet=options.sheet, query=options.sql, labels=options.labels is not False)
    known = session.project.data.dialect if session.project.data is not None else None
    said: dict[str, Any] = {}
    if options.delimiter is not None:
        said["delimiter"] = options.delimiter.replace("\\t", "\t")
    if options.encoding is not None:
        said["encoding"] = options.encoding
    if options.header is not None:
        said["header"] = options.header
    return replace(known or sniff(parts_of(options.file)[0]), **said) if said else known
