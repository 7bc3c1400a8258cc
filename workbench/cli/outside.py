"""Says that a project opens data outside its own folder, before it is read."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from workbench.cli.printing import clear_progress, complain
from workbench.project.outside import is_outside, said_before, sentence
from workbench.session import saved_project


def data_of(project: Path, named: str) -> Path:
    """The data a project names; where it lies outside the project's folder that is said, once."""
    if is_outside(named, project) and not said_before(named, project):
        _say(sentence(named))
    return Path(named)


def _say(text: str) -> None:
    clear_progress()
    complain(text)


opened = partial(saved_project.opened, outside=_say)
"""`session.saved_project.opened`, which says on standard error where the data is."""
