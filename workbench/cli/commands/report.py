"""`workbench report`: what may be published with a release, and what the analyst should know."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from workbench.anonymise.claim import Claim
from workbench.anonymise.mechanism import Treatment
from workbench.cli import near_data
from workbench.cli.command_output import CommandOutput, progress, with_unread
from workbench.cli.engines import add_engine, store_of
from workbench.cli.files import data_path, read_file, written_folder
from workbench.cli.ledgers import add_ledger
from workbench.cli.saved_project import opened, remember
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.table import Table
from workbench.engines.dispatch import engine_of
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.io.atomic import folder_for
from workbench.io.parts import form_of_parts, parts_of, refuse_among_parts
from workbench.io.protected_files import refuse_protected
from workbench.io.reading import read_table
from workbench.session import Refusal, Result, Session
from workbench.session.reports import FORMATS, PublishedClaim, Reports, report_files, write_reports

_SIMULATION = 1
_SIMULATED = (
    "A released sample cannot be drawn again. What came out is shown for a simulated sample (seed {seed}); the file "
    "that was released was drawn with other numbers."
)
_NO_ROWS = "The release report shows no rows: export the file first, and name it with --release."
_LOOKED = "The analyst report is a look at the data: from now on only releases that left before keep a claim."
_OTHER_DATA = "The data is not what the project was saved with."


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
    for path in chain(*report_files(options.out, formats).values()):
        refuse_among_parts(path, session.ledger.protected)
        refuse_protected(path, inputs)
    with folder_for(options.out):
        return _reported(session, options, formats, inputs, told)


def _reported(
    session: Session, options: argparse.Namespace, formats: Sequence[str], inputs: Collection[Path], told: Progress
) -> CommandOutput:
    """Make both reports and write them, where nothing is in their way."""
    released = None if options.release is None else _released(session, options.release)
    notes = [] if _same_data(session, options.project) else [_OTHER_DATA]
    make, seen = _maker(session, released, notes, told.part(0.4, 0.6))
    # What is shown of the data was seen, whatever happens to the reports.
    problem = remember(seen, options.project)
    reports = make(told.part(0.6, 0.9))
    written = write_reports(reports, options.out, formats, protected=inputs)
    told(1.0)
    data: dict[str, Any] = {
        **{name: [str(path) for path in paths] for name, paths in written.items()},
        "notes": notes,
        "shows_rows": reports.shows_rows,
        "recorded": not problem,
    }
    lines = [f"{path}: may be published." for path in written["release_report"]]
    lines += [f"{path}: analyst only." for path in written["analyst_report"]]
    lines.append(_LOOKED)
    if not reports.shows_rows:
        lines.append(_NO_ROWS)
    if problem:
        lines.append(f"That results were seen could not be recorded in the project: {problem}")
    return with_unread(CommandOutput(data, (*lines, *notes)), session)


def _maker(
    session: Session, released: Table | None, notes: list[str], step: Progress
) -> tuple[Callable[[Progress], Reports], Session]:
    """The work that makes the reports, and the session that knows what was looked at for them."""
    if session.syntactic.wanted:
        made = session.syntactic.recoder()(step)
        if isinstance(made, Refusal):
            if made.counted:
                session.syntactic.saw_the_data()
            raise made.error
        session.syntactic.accept_recoded(made)
        return session.reports.maker(None, notes, released), session
    seed = session.project.anonymise.seed
    simulated, before = session, session.release.claim_of_left()  # the simulation is a look at the data
    if seed is None:
        notes.append(_SIMULATED.format(seed=_SIMULATION))
        simulated = session.snapshot()
        simulated.release.set_seed(_SIMULATION)
    result = simulated.release.anonymise(step)
    published = PublishedClaim(_claim(session, before, result), result.outcome.recipe)
    return simulated.reports.maker(published, notes, released), simulated


def _claim(session: Session, before: Claim, simulated: Result) -> Claim:
    """What a file made with the settings of the project promises, or would promise."""
    if session.project.anonymise.seed is not None:
        return session.release.claim()  # the same however often it is simulated
    if session.release.columns.private_search is None:
        return before
    claim = simulated.claim
    # The levels of a file that left are not known here; everything but them, the seed and looks is as it was.
    reasons = [reason for reason in claim.reasons if reason.code not in ("seeded", "looked-at")]
    reasons += [reason for reason in before.reasons if reason.code == "looked-at"]
    return replace(claim, reasons=tuple(reasons))


def _released(session: Session, path: Path) -> Table:
    """The rows of the file that was released, which must have the columns the project releases."""
    table: Table
    store = engine_of(session.data.reading.table).store
    if store is not None and form_of_parts(path, parts_of(path)).for_engines:
        files = files_of(path)
        with files.steady():
            table = open_stored(store, files).table
    else:
        table = read_table(path).table
    columns = session.release.columns
    names = [name for name in session.project.schema.names if columns.treatment(name) is not Treatment.LEAVE_OUT]
    if not session.syntactic.wanted:
        names += session.release.recipe().added
    if set(table.names) != set(names):
        raise WorkbenchError(
            f"{path.name} does not have the columns that the project releases.",
            hint=f"They are: {', '.join(names)}.",
            field="release",
        )
    return table


def _same_data(session: Session, project: Path) -> bool:
    before = Session.from_file(project).project.data
    now = session.project.data
    return before is None or now is None or now.content == before.content or now.fingerprint == before.fingerprint
