"""Says that a project opens data outside its own folder, before it is read."""

from __future__ import annotations

from pathlib import Path

from workbench.cli.printing import clear_progress, complain
from workbench.project.outside import is_outside, said_before, sentence


def data_of(project: Path, named: str) -> Path:
    """The data a project names; where it lies outside the project's folder that is said, once."""
    if is_outside(named, project) and not said_before(named, project):
        clear_progress()
        complain(sentence(named))
    return Path(named)
