"""Both reports of a saved project that is open: what may be published, and what is for the analyst."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from workbench.anonymise.claim import Claim
from workbench.anonymise.looking import LOOKED_BEFORE
from workbench.anonymise.recipe import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Table
from workbench.engines.dispatch import engine_of
from workbench.engines.files import files_of
from workbench.engines.opening import open_stored
from workbench.io.parts import form_of_parts, parts_of, refuse_among_parts
from workbench.io.protected_files import refuse_protected
from workbench.io.reading import read_table
from workbench.session.release.result import Result
from workbench.session.reports import FORMATS, PublishedClaim, Reports, report_files, write_reports
from workbench.session.saved_project import remember
from workbench.session.session import Session
from workbench.session.syntactic.results import Refusal

_SIMULATION = 1
_SIMULATED = (
    "A released sample cannot be drawn again. What came out is shown for a simulated sample (seed {seed}); the file "
    "that was released was drawn with other numbers."
)
_OF_LOOKS = ("looked-at", LOOKED_BEFORE)
_OTHER_DATA = "The data is not what the project was saved with."


@dataclass(frozen=True)
class ProjectReports:
    """Reports that were written.

    Parameters
    ----------
    release, analyst
        The files of the report that may be published, and of the one for the analyst.
    notes
        What the analyst must know about how the figures came about.
    shows_rows
        Whether the first speaks of a file that left.
    unrecorded
        Why the project does not remember that its data was looked at; "" where it does.
    """

    release: tuple[Path, ...]
    analyst: tuple[Path, ...]
    notes: tuple[str, ...]
    shows_rows: bool
    unrecorded: str


def check_places(folder: Path, formats: Sequence[str], inputs: Collection[Path], kept: Sequence[Path]) -> None:
    """Refuse to write reports over what is read, or among it, before anything is looked at.

    Parameters
    ----------
    inputs, kept
        What is read, and of that the data with the ledgers.
    """
    for path in chain(*report_files(folder, formats).values()):
        refuse_among_parts(path, kept)
        refuse_protected(path, inputs)


def report_project(
    session: Session,
    project: Path,
    folder: Path,
    *,
    released: Path | None = None,
    formats: Sequence[str] = FORMATS,
    inputs: Collection[Path] = (),
    progress: Progress = SILENT,
) -> ProjectReports:
    """Make both reports and write them, where nothing is in their way. It looks at the data, which is remembered.

    Parameters
    ----------
    session
        The project with its data.
    released
        The file, or the folder of parts, that was released; None where none is known.
    inputs
        Files that are never overwritten.

    Raises
    ------
    WorkbenchError
        If the file that was released has other columns, the project makes nothing, or a report cannot be written.
    """
    table = None if released is None else _released(session, released)
    notes = [] if _same_data(session, project) else [_OTHER_DATA]
    make, seen = _maker(session, table, notes, progress.part(0.0, 0.3))
    # What is shown of the data was seen, whatever happens to the reports.
    problem = remember(seen, project)
    reports = make(progress.part(0.3, 0.9))
    written = write_reports(reports, folder, formats, protected=inputs)
    progress(1.0)
    of_release, of_analyst = written.values()
    return ProjectReports(tuple(of_release), tuple(of_analyst), tuple(notes), reports.shows_rows, problem)


def _maker(
    session: Session, released: Table | None, notes: list[str], step: Progress
) -> tuple[Callable[[Progress], Reports], Session]:
    """The work that makes the reports, and the session that knows what was looked at for them."""
    if session.syntactic.wanted:
        made = session.syntactic.recoder()(step)
        if isinstance(made, Refusal):
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
    """The claim of a file made with the settings of the project, or what it would be."""
    if session.project.anonymise.seed is not None:
        return session.release.claim()  # the same however often it is simulated
    if session.release.columns.private_search is None:
        return before
    claim = simulated.claim
    # The levels of a file that left are not known here; everything but them, the seed and looks is as it was.
    reasons = [reason for reason in claim.reasons if reason.code not in ("seeded", *_OF_LOOKS)]
    reasons += [reason for reason in before.reasons if reason.code in _OF_LOOKS]
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
