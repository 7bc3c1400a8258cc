"""How tests look into the three steps of the Anonymise workspace, and into the dialog they ask in."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.gui.workspaces.anonymise import AnonymiseWorkspace
from workbench.gui.workspaces.anonymise.knowledge_dialog import KnowledgeDialog


def open_step_of(room: AnonymiseWorkspace, part: QWidget) -> None:
    """Open the step that a part of it is in, if it is in one."""
    for key, content in (("promise", room.promise), ("levels", room.levels), ("run", room.plan)):
        if content is part or content.isAncestorOf(part):
            room.steps.open(key)


def seen(part: QWidget, room: AnonymiseWorkspace) -> bool:
    """Whether a part is there to be seen once its step is open."""
    open_step_of(room, part)
    return part.isVisibleTo(room)


def knowledge_asked(room: AnonymiseWorkspace) -> KnowledgeDialog:
    """The dialog “What do you know without this file?” that is open now, and not one that was closed before."""
    return [one for one in room.findChildren(KnowledgeDialog) if one.isVisible()][-1]
