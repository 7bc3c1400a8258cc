"""Options of `workbench anonymise` for the file of a release."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from workbench.cli.files import read_file, written_file
from workbench.core.errors import WorkbenchError
from workbench.io.export_format import DECIMAL_MARKS, FORMATS, ExportFormat
from workbench.report.publisher import PublisherTemplate, read_template
from workbench.session import Session
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
    add_template(parser)


def add_template(parser: argparse.ArgumentParser) -> None:
    """Who speaks in the statement beside the program."""
    parser.add_argument(
        "--template",
        type=read_file,
        metavar="T.json",
        help="your institution, logo and own sentences in the statement, under a heading that says whose they are",
    )


def use_template(session: Session, options: argparse.Namespace, *, written: object = True) -> None:
    """Let the publisher speak in the statement, if one is written.

    Raises
    ------
    WorkbenchError
        As `template_of`.
    """
    session.speak_as(template_of(options, "--statement S.html", written=written))


def template_of(options: argparse.Namespace, needed: str, *, written: object) -> PublisherTemplate | None:
    """Who speaks in what is written; None for nobody but the program.

    Parameters
    ----------
    needed
        The option without which nothing is written that they could speak in.
    written
        Whether something is.

    Raises
    ------
    WorkbenchError
        If the template cannot be used, or there is nothing that it would stand in.
    """
    if options.template is None:
        return None
    found = read_template(options.template)
    if not written:
        raise WorkbenchError(
            "--template is about the statement, and none is written.", hint=f"Add {needed}.", field="template"
        )
    return found


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
