"""What becomes of a project when another file is opened."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from workbench.project.model import Project

if TYPE_CHECKING:
    from workbench.project.loading import Loaded


class GoingOn(Enum):
    """How a file is taken in."""

    WITH_PROJECT = auto()
    ANEW = auto()
    NOT = auto()


def is_unrelated(project: Project, loaded: Loaded) -> bool:
    """Whether a project describes columns, and the file has none of them: then it is about something else."""
    described = set(project.schema.names)
    return bool(described) and not described & set(loaded.proposed.names)
