"""`workbench report`: what may be published with a release, and what the analyst should know."""

from __future__ import annotations

import argparse
from typing import Any

from workbench.cli import near_data
from workbench.cli.command_output import CommandOutput, progress, with_unread
from workbench.cli.engines import add_engine, store_of
from workbench.cli.files import data_path, read_file, written_folder
from workbench.cli.ledgers import add_ledger
from workbench.cli.outside import opened
from workbench.io.atomic import folder_for
from workbench.io.parts import form_of_parts, parts_of
from workbench.session import Session
from workbench.session.project_reports import ProjectReports, check_places, report_project
from workbench.session.reports import FORMATS

_NO_ROWS = "The release report shows no rows: export the file first, and name it with --release."
_LOOKED = (
    "The analyst report is a look at the data: a later draw has (ε, δ) only for its choices as they are; what left "
    "before keeps its claim."
)


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("project", type=read_file, metavar="PROJECT.wbench")
    parser.add_argument("--out", type=written_folder, required=True, metavar="DIR", help="folder for the reports")
    parser.add_argument(
        "--data", type=data_path, metavar="FILE_OR_PATTERN", help="the data (default: where the project found it)"
    )
    parser.add_argument(
        "--release",
        type=data_path,
        metavar="RELEASE",
        help="the file, or the folder of parts, that was released; without it the release report shows no rows of a "
        "file that is not known to have left",
    )
    parser.add_argument("--format", choices=FORMATS, help="write this kind of file only (default: both)")
    add_engine(parser)
    add_ledger(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Write the release report and the analyst report of a project, each as HTML and as PDF."""
    told = progress()
    if options.release is not None:
        form_of_parts(options.release, parts_of(options.release))  # that it is there is known before the data is read
    session = opened(
        options.project, options.data, options.ledger, told.part(0.0, 0.4), lambda wanted: store_of(options, wanted)
    )
    near_data.answer(session, options)
    formats = FORMATS if options.format is None else (options.format,)
    inputs = [options.project, *session.ledger.protected, *([] if options.release is None else [options.release])]
    check_places(options.out, formats, inputs, session.ledger.protected)
    with folder_for(options.out):
        written = report_project(
            session,
            options.project,
            options.out,
            released=options.release,
            formats=formats,
            inputs=inputs,
            progress=told.part(0.4, 1.0),
        )
    return _told(session, written)


def _told(session: Session, written: ProjectReports) -> CommandOutput:
    data: dict[str, Any] = {
        "release_report": [str(path) for path in written.release],
        "analyst_report": [str(path) for path in written.analyst],
        "notes": list(written.notes),
        "shows_rows": written.shows_rows,
        "recorded": not written.unrecorded,
    }
    lines = [f"{path}: may be published." for path in written.release]
    lines += [f"{path}: analyst only." for path in written.analyst]
    lines.append(_LOOKED)
    if not written.shows_rows:
        lines.append(_NO_ROWS)
    if written.unrecorded:
        lines.append(f"That results were seen could not be recorded in the project: {written.unrecorded}")
    return with_unread(CommandOutput(data, (*lines, *written.notes)), session)
