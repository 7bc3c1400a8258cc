"""The place where a result is saved, and what goes beside it."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.project.names_beside import note_beside, statement_beside
from workbench.session.export import Targets


def targets_of(path: str | Path, *, force: bool) -> Targets:
    """The file with its statement and its note.

    Raises
    ------
    WorkbenchError
        If what kind of file it is to be does not follow from its name.
    """
    place = Path(path)
    endings = [ending for one in FORMATS.values() for ending in one.suffixes]
    if place.suffix.lower() not in endings:
        raise WorkbenchError(
            f"What kind of file “{place.name}” is to be does not follow from its name.",
            hint=f"Use one of the endings {', '.join(endings)}.",
            field="path",
        )
    return Targets(place, ExportFormat.of(place), statement_beside(place), note_beside(place), parts=False, force=force)
