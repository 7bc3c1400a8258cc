"""Saved projects again: their release or table made on a file, and their two reports."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.progress import Progress
from workbench.io.atomic import folder_for
from workbench.io.parts import form_of_parts, parts_of
from workbench.library.files_read import remembered
from workbench.library.plainly import plainly
from workbench.library.release import Release
from workbench.library.saving import targets_of
from workbench.library.search import SearchedTable
from workbench.library.setting_up import one_of
from workbench.library.showing import showing
from workbench.session import Session, saved_project
from workbench.session.project_reports import ProjectReports, check_places
from workbench.session.project_reports import report_project as write_both
from workbench.session.reports import FORMATS


@plainly
def run_project(
    project: str | Path,
    path: str | Path,
    *,
    data: str | Path = "",
    ledger: str | Path = "",
    chosen: bool = False,
    known: Literal["", "people", "rows"] = "",
    without_claim: bool = False,
    force: bool = False,
    template: str | Path | None = None,
) -> Release | SearchedTable:
    """Make the release or the table of a saved project, on its data or on another file, and write it.

    >>> people.to_csv("ages.csv", index=False)
    >>> data = wb.open("ages.csv")
    >>> expected = data.forecast(hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
    >>> made = wb.run_project(data.save_project("ages.wbench"), "released.csv")
    >>> made.claimed, wb.verify("released.csv").holds
    (True, True)

    Parameters
    ----------
    project
        A project of the window or of `workbench project new`. What is seen and released is added to what it remembers.
    path
        The file that is written, with its statement and its note beside it.
    data
        The data; "" for where the project found it.
    ledger
        Where the ledger is kept; "" for the person's own folder, which counts in any case.
    chosen
        Whether it, or its settings, are chosen by what earlier releases of the data showed: then it claims what all of
        them promise together.
    known
        Which number of the table everybody knows, "people" or "rows", as for `Data.release`; what the project says of
        it holds in any case.
    without_claim
        Whether it may be drawn and written although nothing is promised.
    force
        Whether it may overwrite another release that stands there.
    template
        A file with your institution, logo and own sentences for the statement; none of them if it is None.

    Returns
    -------
    Release or SearchedTable
        What was made, the second where the project has privacy models; it is written already.

    Raises
    ------
    Refused
        If a file cannot be read, a column is missing, nothing can be claimed, or it cannot be written.
    """
    place, targets = Path(project), targets_of(path, force=force)
    said = KnownNumber(one_of(known, list(KnownNumber), "known"))
    with showing(f"Running {place.name}") as progress:
        session = _opened(place, data, ledger, progress.part(0.0, 0.5))
        session.use_template(None if template is None else Path(template))
        models = session.syntactic.wanted
        if models:
            targets.check(session.ledger.protected)
        else:
            session.release.refuse_before_drawing(targets, without_claim=without_claim, chosen=chosen, known=said)
        problem = ""
        try:
            if models:
                recoded, _ = saved_project.recode_and_write(session, targets, progress.part(0.5, 1.0))
            else:
                saved_project.draw_and_write(
                    session,
                    targets,
                    progress.part(0.5, 1.0),
                    without_claim=without_claim,
                    chosen=chosen,
                    known=said,
                )
        finally:
            problem = saved_project.remember(session, place)  # what a failed run has drawn is paid for all the same
    if problem:
        told = f"The release could not be recorded in the project: {problem} Count it yourself."
        warnings.warn(told, stacklevel=3)
    return SearchedTable._of_recoded(session.snapshot(), recoded) if models else Release(session.snapshot())


@plainly
def report_project(
    project: str | Path,
    folder: str | Path,
    *,
    data: str | Path = "",
    release: str | Path = "",
    formats: Sequence[str] = FORMATS,
    ledger: str | Path = "",
    look: bool = False,
) -> ProjectReports:
    """Write both reports of a saved project: one that may be published, and one for the analyst.

    >>> people.to_csv("ages.csv", index=False)
    >>> data = wb.open("ages.csv")
    >>> expected = data.forecast(hierarchies={"age": wb.hierarchy.intervals(10, whole=True)})
    >>> project = data.save_project("ages.wbench")
    >>> written = wb.report_project(project, "reports", formats=["html"], look=True)
    >>> [path.name for path in (*written.release, *written.analyst)]
    ['release_report.html', 'analyst_report.html']

    Parameters
    ----------
    project, data, ledger
        As for `run_project`.
    folder
        Where they are written; it is made if there is none.
    release
        The file, or the folder of parts, that was released; without it the report that may be published shows no rows
        of a file that is not known to have left.
    formats
        "html", "pdf" or both.
    look
        Whether the true values may be looked at. That is recorded, and no release that is drawn afterwards has an
        (ε, δ) claim.

    Returns
    -------
    ProjectReports
        The files: `release`, which may be published, and `analyst`; and `notes`.

    Raises
    ------
    Refused
        If the look was not allowed, a file cannot be read or written, or the project makes nothing.
    """
    if not look:
        raise WorkbenchError(
            "The analyst report holds figures of the true rows.",
            hint="Export what you want to publish first; then write look=True, which is recorded.",
            field="look",
        )
    place, target = Path(project), Path(folder)
    chosen = [one_of(one, FORMATS, "format") for one in ([formats] if isinstance(formats, str) else formats)]
    released = Path(release) if release else None
    if released is not None:
        form_of_parts(released, parts_of(released))  # that it is there is known before the data is read
    with showing(f"Reporting {place.name}") as progress:
        session = _opened(place, data, ledger, progress.part(0.0, 0.4))
        inputs = [place, *session.ledger.protected, *([] if released is None else [released])]
        check_places(target, chosen, inputs, session.ledger.protected)
        with folder_for(target):
            written = write_both(
                session,
                place,
                target,
                released=released,
                formats=chosen,
                inputs=inputs,
                progress=progress.part(0.4, 1.0),
            )
    if written.unrecorded:
        told = f"That results were seen could not be recorded in the project: {written.unrecorded}"
        warnings.warn(told, stacklevel=3)
    return written


def _opened(project: Path, data: str | Path, ledger: str | Path, progress: Progress) -> Session:
    """The project with its data; that it names data outside its own folder is a warning."""
    session = saved_project.opened(
        project,
        Path(data) if data else None,
        Path(ledger) if ledger else None,
        progress,
        outside=lambda said: warnings.warn(said, stacklevel=6),
    )
    remembered(project, *session.data.files_read)
    return session
