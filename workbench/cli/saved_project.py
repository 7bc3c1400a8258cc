"""A saved project on a data file: what `workbench run` and `workbench report` have in common."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from workbench.cli.outside import data_of
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.core.schema import Role
from workbench.engines.store import Store
from workbench.io.addresses import Address, is_address
from workbench.io.parts import is_there
from workbench.project.outside import is_outside
from workbench.project.storage import add_histories
from workbench.session import Session


def in_memory(_wanted: str) -> Store | None:
    """Work in memory, whatever a project says."""
    return None


def opened(
    project: Path,
    data: Path | None,
    ledger: Path | None,
    progress: Progress,
    start: Callable[[str], Store | None] = in_memory,
) -> Session:
    """A session with the project and its data, or the named data.

    Parameters
    ----------
    data
        A file, a folder of parts or a pattern.
    start
        Starts the engine in which the data is worked on; is told which one the project names.

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
    source = data if data is not None else data_of(project, described.data.path if described.data is not None else "")
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
