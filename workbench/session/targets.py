"""Where a release may be written to."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.project.storage import SUFFIX


def statement_beside(path: Path) -> Path:
    """The name of the statement that belongs to a release."""
    return path.with_name(f"{path.stem}_statement.html")


def check_target(path: Path, statement: Path | None) -> None:
    """Refuse names under which a release would be mistaken for something else.

    Raises
    ------
    WorkbenchError
        If the name is that of a project, or a statement written for another file would come to stand beside it.
    """
    if path.suffix.lower() == SUFFIX:
        raise WorkbenchError(
            f"“{path.name}” is the name of a project, not of a release.", hint="Choose another name.", field="path"
        )
    beside = statement_beside(path)
    if statement is None and beside.exists():
        raise WorkbenchError(
            f"“{beside.name}” was written for another file and would vouch for this one.",
            hint="Choose another name, write the statement too, or remove the old one first.",
            field="path",
        )
