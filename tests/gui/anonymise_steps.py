"""How tests look into the three steps of the Anonymise workspace."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui.workspaces.anonymise import AnonymiseWorkspace


def open_step_of(room: AnonymiseWorkspace, part: QWidget) -> None:
    """Open the step that a part of it is in, if it is in one."""
    for key, content in (("promise", room.promise), ("levels", room.levels), ("run", room.plan)):
        if content is part or content.isAncestorOf(part):
            room.steps.open(key)


def seen(part: QWidget, room: AnonymiseWorkspace) -> bool:
    """Whether a part is there to be seen once its step is open."""
    open_step_of(room, part)
    return part.isVisibleTo(room)
