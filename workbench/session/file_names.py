"""Targets of an export: where a release may be written to."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.typed_fields import refuse_no_text
from workbench.project.names_beside import note_beside, statement_beside
from workbench.project.storage import SUFFIX
from workbench.report.note import read_stated


def _vouches_for(path: Path) -> str:
    """The name of the file that a statement or note is about; "" if `path` is none."""
    try:
        return read_stated(path).name if path.is_file() else ""
    except WorkbenchError:
        return ""


def check_target(path: Path, statement: Path | None, note: Path | None = None) -> None:
    """Refuse names under which a release would be mistaken for something else.

    Raises
    ------
    WorkbenchError
        If a name is no text or that of a project, two of the files have one name, what was written for another file
        would come to stand beside it, or the statement or note of another file would be replaced.
    """
    for one in (path, statement, note):
        if one is None:
            continue
        refuse_no_text(str(one))
        if one.suffix.lower() == SUFFIX:
            what = "a release" if one is path else "what goes with a release"
            raise WorkbenchError(
                f"“{one.name}” is the name of a project, not of {what}.", hint="Choose another name.", field="path"
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
    for new in (statement, note):
        other = "" if new is None else _vouches_for(new)
        if new is not None and other not in ("", path.name):
            raise WorkbenchError(
                f"“{new.name}” belongs to “{other}”, which would be left without it.",
                hint="Choose another name, or remove the old one first.",
                field="path",
            )
