"""The fate of a project when another file is opened."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from workbench.project.model import Project

if TYPE_CHECKING:
    from workbench.project.loading import Loaded


class GoingOn(Enum):
    """The way in which a file is taken in."""

    WITH_PROJECT = auto()
    ANEW = auto()
    NOT = auto()


def is_unrelated(project: Project, loaded: Loaded) -> bool:
    """Whether a project describes columns, and less than half of them or of the file's are the same: then the file is
    about something else, though both may have a column such as `age`.
    """
    described, there = set(project.schema.names), set(loaded.proposed.names)
    return bool(described) and 2 * len(described & there) < min(len(described), len(there))
