"""The plan as it leaves the room: saved, handed out and copied as a command with what is to be taken now."""

from __future__ import annotations

import shlex

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.workspaces.collect.prediction_page import PredictionPage
from workbench.gui.workspaces.collect.protocols_section import ProtocolsSection
from workbench.session.collection.command import command_now


class PlanLeaving:
    """Lets nothing leave with what was to be taken before the goal, or anything else of the plan, was another one."""

    def __init__(self, document: Document, prediction: PredictionPage, protocols: ProtocolsSection) -> None:
        self._document, self._prediction, self._protocols = document, prediction, protocols

    def follow(self) -> None:
        """Let the protocol to take now be in the place of the one that was to be taken before."""
        if self._prediction.is_current:
            self._protocols.take_along(first=False)

    def save(self) -> None:
        """Ask the window to save the project, and so the plan."""
        self.follow()
        self._document.saving.wanted.emit()

    def copy_command(self, *, predicts: bool) -> None:
        """Put the command on the clipboard that predicts what is shown, or simulates it."""
        self.follow()
        try:
            shown = self._prediction.predicted if predicts else None
            words = shlex.join(command_now(self._document.session, shown))
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._document.copy_command(words)
