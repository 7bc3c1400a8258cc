"""Keeps unsaved work where a crash cannot reach it, and offers what a crash has left."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.project.model import Project
from workbench.project.recovery import Slot, Unsaved

AUTOSAVE_MS = 3000
"""At most so much work is lost."""

AUTOSAVE_JOB = "autosave"


class Recovery(QObject):
    """Writes the project to its slot a moment after it changed, and empties the slot once there is nothing unsaved.

    Parameters
    ----------
    document
        Whose work is kept.
    messages
        Where left work is offered.
    may_leave
        Asks the person about unsaved work that would be replaced; False to stay with it.
    """

    def __init__(
        self, document: Document, messages: MessageBar, may_leave: Callable[[], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._messages = messages
        self._may_leave = may_leave
        self.slot = Slot()
        self._kept: tuple[Project, Path | None] | None = None
        self._writing = False
        self._told = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AUTOSAVE_MS)
        self._later.timeout.connect(self.keep)
        document.changed.connect(self._wait)

    def keep(self) -> None:
        """Bring the slot up to date now, in the background."""
        self._later.stop()
        if self._writing:
            self._later.start()  # once that is done
            return
        document = self._document
        state = (document.project, document.path)
        if not document.modified:
            if self._kept is not None:
                self._kept = None
                self.slot.clear()
            return
        if self._kept is not None and self._kept[0] is state[0] and self._kept[1] == state[1]:
            return
        self._writing = True
        self._document.runner.start(
            self.tr("Keeping unsaved work"),
            partial(_keep, self.slot, *state),
            on_done=partial(self._done, state),
            on_failed=self._failed,
            key=AUTOSAVE_JOB,
            owner=self,
            keep_late_result=True,
        )

    def offer(self) -> None:
        """Offer the work that other windows left when they ended without being closed."""
        for unsaved in reversed(self.slot.left_behind()):
            when = datetime.fromtimestamp(unsaved.changed).strftime("%Y-%m-%d %H:%M")
            name = unsaved.path.stem if unsaved.path is not None else self.tr("an untitled project")
            self._messages.info(
                self.tr("The program ended before {name} was saved. Its state of {when} was kept.").format(
                    name=name, when=when
                ),
                self.tr("Close this message to decide at the next start."),
                action=self.tr("Recover"),
                callback=partial(self.recover, unsaved),
                other_action=self.tr("Discard"),
                other_callback=partial(self.slot.discard, unsaved),
                key=str(unsaved.file),
            )

    def recover(self, unsaved: Unsaved) -> None:
        """Go on with work that was left, unless the person wants to stay with what is open."""
        if not self._may_leave():
            self.offer()
            return
        try:
            project = self.slot.take_over(unsaved)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._kept = (project, unsaved.path)
        self._document.recover(project, unsaved.path)
        self.offer()  # what else there is: opening has cleared the messages

    def close(self) -> None:
        """The window is closed, and its work is saved or given up. Waits for nothing: jobs have ended by now."""
        self._later.stop()
        self.slot.clear()

    def _wait(self, _section: str) -> None:
        if not self._later.isActive():
            self._later.start()

    def _done(self, state: tuple[Project, Path | None], _nothing: None) -> None:
        self._writing = False
        self._kept = state
        self._told = False
        if not self._document.modified:
            self._wait("")  # saved while it was written

    def _failed(self, error: BaseException) -> bool:
        """Tell it once: a full disk would fill the window with messages too."""
        self._writing = False
        told, self._told = self._told, True
        if not told and isinstance(error, WorkbenchError):
            self._messages.warning(error.message, error.hint, key=AUTOSAVE_JOB)
        return True


def _keep(slot: Slot, project: Project, path: Path | None, _progress: Progress) -> None:
    slot.keep(project, path)
