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
        "--sheet", default="", metavar="NAME", help="sheet of an Excel workbook (default: the first with cells)"
    )


def dialect(options: argparse.Namespace, session: Session) -> Dialect | None:
    """How to read the file: as the options say, else as the project says, else as it looks."""
    if options.sheet:
        first = parts_of(options.file)[0]
        if form_of(first) is not FileContent.EXCEL:
            raise WorkbenchError(
                f"“{options.file.name}” is no Excel workbook, so it has no sheets.",
                hint="Leave --sheet out.",
                field="sheet",
            )
        return Workbook.recognise(first, options.sheet)
    known = session.project.data.dialect if session.project.data is not None else None
    said: dict[str, Any] = {}
    if options.delimiter is not None:
        said["delimiter"] = options.delimiter.replace("\\t", "\t")
    if options.encoding is not None:
        said["encoding"] = options.encoding
    if options.header is not None:
        said["header"] = options.header
    return replace(known or sniff(parts_of(options.file)[0]), **said) if said else known
