"""Where a release may be written to."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.project.storage import SUFFIX


def statement_beside(path: Path) -> Path:
    """The name of the statement that belongs to a release."""
    return path.with_name(f"{path.stem}_statement.html")


def note_beside(path: Path) -> Path:
    """The name of the note for programs that belongs to a release."""
    return path.with_name(f"{path.stem}_metadata.json")


def check_target(path: Path, statement: Path | None, note: Path | None = None) -> None:
    """Refuse names under which a release would be mistaken for something else.

    Raises
    ------
    WorkbenchError
        If the name is that of a project, two of the files have one name, or what was written for another file would
        come to stand beside it.
    """
    if path.suffix.lower() == SUFFIX:
        raise WorkbenchError(
            f"“{path.name}” is the name of a project, not of a release.", hint="Choose another name.", field="path"
        )
    if statement is not None and statement == note:
        raise WorkbenchError(
            "The statement and the note cannot be one file.", hint="Choose another name for one.", field="path"
        )
    for beside, written in ((statement_beside(path), statement), (note_beside(path), note)):
        if written is None and beside.exists():
            raise WorkbenchError(
                f"“{beside.name}” was written for another file and would vouch for this one.",
                hint="Choose another name, write it anew too, or remove the old one first.",
                field="path",
            )
