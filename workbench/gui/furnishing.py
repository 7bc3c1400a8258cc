"""Makes the desks and workspaces that nobody has asked for yet, while the window has nothing better to do."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.runner import Job
from workbench.gui.workspaces.construction import Workspaces

_GAP_MS = 40
"""Between two steps of making a workspace in advance, so that the person's first clicks come through."""


class Furnishing(QObject):
    """Goes on step by step, once the window stands.

    On this thread: importing widgets on another one while this one imports too is asking for a deadlock.

    Signals
    -------
    furnished()
        One more workspace is in its place.
    """

    furnished = Signal()

    def __init__(self, document: Document, workspaces: Workspaces, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document, self._workspaces, self._runner = document, workspaces, document.runner
        self._later = Later(self, self._next, _GAP_MS)
        self._runner.finished.connect(self.go_on)

    def go_on(self, _job: Job | None = None) -> None:
        """Make the next one soon, if any is missing."""
        if self._workspaces.unbuilt():
            self._later.start()

    def stop(self) -> None:
        """Make no more."""
        self._later.stop()

    def _next(self) -> None:
        # Making widgets beside a busy thread takes several times as long, and the person waits for that thread.
        if self._runner.jobs:
            return
        if not self._document.session.make_desk():  # what rooms import first, a part at a time
            missing = len(self._workspaces.unbuilt())
            self._workspaces.advance()
            if len(self._workspaces.unbuilt()) < missing:
                self.furnished.emit()
        self.go_on()
