"""Names of what goes with a release: its statement and its note, and the folder it is proposed in."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import WorkbenchError

FOLDER = "released"
"""The folder beside a table that its releases are proposed in."""


def statement_beside(path: Path) -> Path:
    """The name of the statement that belongs to a release."""
    return _beside(path, "statement.html")


def note_beside(path: Path) -> Path:
    """The name of the note for programs that belongs to a release."""
    return _beside(path, "metadata.json")


def _beside(path: Path, ending: str) -> Path:
    """All endings but that of CSV are part of the name, so that one release in several formats has one for each."""
    if not path.name:
        raise WorkbenchError(f"“{path}” is a folder.", hint="Give the name of a file inside it.", field="path")
    kind = "" if path.suffix.lower() == ".csv" else path.suffix.replace(".", "_")
    return path.with_name(f"{path.stem}{kind}_{ending}")
