"""Options of `workbench anonymise` for the file of a release."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.cli.files import written_file
from workbench.core.errors import WorkbenchError
from workbench.io.export_format import DECIMAL_MARKS, FORMATS, ExportFormat
from workbench.session.export import Targets


def add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("how the release is written")
    group.add_argument(
        "--out-format",
        choices=list(FORMATS),
        help="kind of file (default: from the name of --out)",
    )
    group.add_argument("--out-delimiter", metavar="SIGN", help="of CSV: between cells; tab may be written as \\t")
    group.add_argument("--out-encoding", metavar="NAME", help="of CSV: such as utf-8, utf-8-sig or cp1252")
    group.add_argument("--out-quotes", choices=("needed", "all"), help="of CSV: which cells are quoted")
    group.add_argument("--out-decimal", choices=DECIMAL_MARKS, help="of CSV: decimal mark of columns of numbers")
    group.add_argument("--parts", action="store_true", help="write a folder of files rather than one")
    group.add_argument(
        "--metadata",
        type=written_file,
        metavar="M.json",
        help="a note that programs can read, for verify",
    )


def style_of(options: argparse.Namespace, out: Path) -> ExportFormat:
    """How the options say that a release is written.

    Raises
    ------
    WorkbenchError
        If a choice cannot be, or neither the name nor an option says which kind of file it is to be.
    """
    endings = [suffix for one in FORMATS.values() for suffix in one.suffixes]
    if options.out_format is None and out.suffix.lower() not in endings:
        raise WorkbenchError(
            f"What kind of file “{out.name}” is to be does not follow from its name.",
            hint=f"Use one of the endings {', '.join(endings)}, or say it with --out-format.",
            field="out",
        )
    style = ExportFormat.of(out)
    said: dict[str, Any] = {}
    if options.out_format is not None:
        said["form"] = options.out_format
    if options.out_delimiter is not None:
        said["delimiter"] = options.out_delimiter.replace("\\t", "\t")
    if options.out_encoding is not None:
        said["encoding"] = options.out_encoding
    if options.out_quotes is not None:
        said["quote_all"] = options.out_quotes == "all"
    if options.out_decimal is not None:
        said["decimal"] = options.out_decimal
    return replace(style, **said)


def targets_of(options: argparse.Namespace, out: Path) -> Targets:
    """Where the options say that a release goes to, with what goes beside it.

    Raises
    ------
    WorkbenchError
        As `style_of`.
    """
    return Targets(out, style_of(options, out), options.statement, options.metadata, options.parts, options.force)
