"""`workbench run`: a saved project again, on a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli import model_search, near_data, refusals, series_options
from workbench.cli.command_output import CommandOutput, progress
from workbench.cli.engines import add_engine, store_of
from workbench.cli.export_options import add_template, use_template
from workbench.cli.files import data_path, read_file, written_folder
from workbench.cli.ledgers import add_ledger
from workbench.cli.outside import opened
from workbench.cli.project_words import left_out
from workbench.cli.refusals import flags_named
from workbench.cli.release_options import (
    add_after,
    add_analyst,
    add_chosen,
    add_known,
    make_release,
    refuse_after_with_models,
)
from workbench.core.errors import WorkbenchError
from workbench.io.atomic import folder_for
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.session import Session
from workbench.session.export import Targets
from workbench.session.saved_project import remember


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument("project", type=read_file, metavar="PROJECT.wbench")
    parser.add_argument(
        "--data",
        type=data_path,
        required=True,
        metavar="FILE_OR_PATTERN",
        help="a file, a folder of parts, or a pattern such as 'parts/*.csv'",
    )
    parser.add_argument(
        "--out", type=written_folder, required=True, metavar="DIR", help="folder for release and statement"
    )
    parser.add_argument(
        "--out-format",
        choices=[one.identifier for one in FORMATS.values() if one.in_parts],
        default="csv",
        help="kind of file of the release (default: csv)",
    )
    parser.add_argument("--parts", action="store_true", help="write the release as a folder of files")
    add_template(parser)
    add_analyst(parser)
    add_chosen(parser)
    add_known(parser)
    add_after(parser)
    series_options.add(parser)
    refusals.add_options(parser)
    add_engine(parser)
    add_ledger(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Repeat a saved project on a file."""
    told = progress()
    session = opened(
        options.project,
        options.data,
        options.ledger,
        told.part(0.0, 0.5),
        lambda wanted: store_of(options, wanted),
    )
    use_template(session, options)
    near_data.answer(session, options)
    style = ExportFormat(options.out_format)
    release, rest = options.out / f"release{style.kind.suffix}", told.part(0.5, 1.0)
    statement = options.out / "statement.html"
    targets = Targets(release, style, statement, parts=options.parts, force=options.force)
    planned = None
    with folder_for(options.out), flags_named():
        if session.syntactic.wanted:
            series_options.refuse_with_models(options)
            refuse_after_with_models(options)
            targets.check(session.ledger.protected)
        else:
            leaves = options.without_claim
            session.release.refuse_before_drawing(
                targets,
                without_claim=leaves,
                chosen=options.chosen,
                known=options.known,
                left_out=options.leave_out_after,
            )
            planned = series_options.plan(session, options)
        try:
            answer = (
                model_search.repeat(session, targets, rest)
                if session.syntactic.wanted
                else make_release(
                    session,
                    targets,
                    rest,
                    without_claim=options.without_claim,
                    analyst=options.analyst,
                    chosen=options.chosen,
                    known=options.known,
                    left_out=options.leave_out_after,
                    one_level=options.one_level,
                )
            )
        except WorkbenchError:
            remember(session, options.project)  # what a failed run has drawn is paid for all the same
            raise
    if not session.syntactic.wanted:
        answer = answer.also(*left_out(session))
    return _recorded(session, options.project, series_options.with_plan(answer, planned))


def _recorded(session: Session, path: Path, answer: CommandOutput) -> CommandOutput:
    """Append what was seen and released to the project, so that the next release counts this one."""
    problem = remember(session, path)
    if problem:
        warning = f"The release could not be recorded in the project: {problem} Count it yourself."
        return answer.also(warning, recorded=False)
    return answer.also(recorded=True)
