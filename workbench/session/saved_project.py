"""A saved project on a data file, again: its release or table is made anew, and what was seen is remembered in it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.progress import SILENT, Progress
from workbench.core.schema import Role
from workbench.engines.store import Store
from workbench.io.addresses import Address, is_address
from workbench.io.parts import is_there
from workbench.project.outside import is_outside, said_before, sentence
from workbench.project.storage import add_histories
from workbench.session.export import Exported, Targets
from workbench.session.release.result import Result
from workbench.session.session import Session
from workbench.session.syntactic.results import Recoded, Refusal


def in_memory(_wanted: str) -> Store | None:
    """Work in memory, whatever a project says."""
    return None


def opened(
    project: Path,
    data: Path | None,
    ledger: Path | None,
    progress: Progress,
    start: Callable[[str], Store | None] = in_memory,
    *,
    outside: Callable[[str], object],
) -> Session:
    """A session with the project and its data, or the named data.

    Parameters
    ----------
    data
        A file, a folder of parts or a pattern.
    start
        Starts the engine in which the data is worked on; is told which one the project names.
    outside
        Is told, before it is read, of data that the project names outside its own folder, unless it was said before.

    Raises
    ------
    WorkbenchError
        If one of the files cannot be read, or the data does not have what the project needs.
    """
    session = Session.from_file(project)
    if ledger is not None:
        session.ledger.use_file(ledger)
    described = session.project
    if data is None and described.data is None:
        raise WorkbenchError(
            f"{project.name} describes no data yet.", hint="Name the data file with --data.", field="data"
        )
    named = described.data.path if described.data is not None else ""
    if data is None and is_outside(named, project) and not said_before(named, project):
        outside(sentence(named))
    source = Path(named) if data is None else data
    if data is None and not is_there(source):
        raise WorkbenchError(
            f"The data file {source.name} is not where it was.", hint="Name its place with --data.", field="data"
        )
    if data is None and is_address(source) and is_outside(source, project):
        raise WorkbenchError(
            f"{project.name} reads {Address.of(source)}, a server that was not used from this computer before.",
            hint="If you trust it, name it with --data. Nothing was connected to.",
            field="data",
        )
    as_before = described.data.dialect if described.data is not None else None
    store = start(described.data.engine if described.data is not None else "")
    loaded = session.data.open(source, as_before, progress, store)
    wanted = set(described.hierarchies) | set(described.rules) | set(described.anonymise.treatments)
    # Without the columns that tell persons apart, the promise would quietly be another one.
    wanted |= {described.schema.unit.person_column} | {c.name for c in described.schema.with_role(Role.IDENTIFYING)}
    missing = [name for name in described.schema.names if name in wanted and name not in loaded.reading.table]
    if missing:
        raise WorkbenchError(
            f"The file has no column {', '.join(f'“{name}”' for name in missing)}, which the project needs.",
            hint=f"Its columns are: {', '.join(loaded.reading.table.names)}.",
            field="data",
        )
    for name in session.project.rules:
        raise WorkbenchError(
            f"The hierarchy of “{name}” cannot be built over this file.",
            hint="Open the project in the window, which says why, and correct its builder.",
            field=name,
        )
    return session


def remember(session: Session, path: Path) -> str:
    """Add what was seen and released to the project file; why that failed, or ""."""
    try:
        add_histories(path, session.project.histories)
    except WorkbenchError as error:
        return error.message
    return ""


def draw_and_write(
    session: Session,
    targets: Targets,
    progress: Progress = SILENT,
    *,
    without_claim: bool = False,
    chosen: bool = False,
    known: KnownNumber = KnownNumber.NONE,
    left_out: Collection[str] = (),
    one_level: bool = False,
) -> tuple[Result, Exported]:
    """Draw the release of a project that is open and write it.

    Parameters
    ----------
    chosen
        Whether it claims what all releases of the data promise together.
    known
        Which number of the table is known, so that the claim is for replacing a person.
    left_out, one_level
        What is done to the released rows; see `write_otherwise`.
    """
    result = session.release.anonymise(progress.part(0.0, 0.5))
    if known:  # else what the project says of it holds
        session.release.say_number_known(result.draw, known)
    if left_out or one_level:
        session.release.write_otherwise(result, left_out=left_out, one_level=one_level)
    exported = session.release.export(
        targets.path,
        targets.statement,
        style=targets.style,
        note=targets.note,
        parts=targets.parts,
        force=targets.force,
        without_claim=without_claim,
        chosen=chosen,
        progress=progress.part(0.5, 1.0),
    )
    return result, exported


def recode_and_write(session: Session, targets: Targets, progress: Progress = SILENT) -> tuple[Recoded, Exported]:
    """Make the table of privacy models of a project that is open, at its levels, and write it.

    Raises
    ------
    WorkbenchError
        If the models do not hold, which is a look at the data, or it cannot be written.
    """
    made = session.syntactic.recoder()(progress.part(0.0, 0.8))
    if isinstance(made, Refusal):
        session.syntactic.saw_the_data()
        raise made.error
    session.syntactic.accept_recoded(made)
    write = session.syntactic.recoded_writer(
        targets.path,
        targets.statement,
        style=targets.style,
        note=targets.note,
        parts=targets.parts,
        force=targets.force,
    )
    exported = write(progress.part(0.8, 1.0))
    session.syntactic.record_recoded(targets.path, made)
    return made, exported
