"""What every workspace is to the main window."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.widgets.status import Status


class Workspace(QWidget):
    """One room: a page that shows a part of the document and edits it through `Document.apply`.

    Subclasses set `identifier`, under which `ROOMS` declares their name and icon, and say how far things are in
    `status`. They listen to `Document.changed` and never compute on the GUI thread.

    Signals
    -------
    go_to(str)
        Ask the window to show another workspace.
    open_requested()
        Ask the window for its Open dialog.
    tour_requested()
        Ask the window for the tour through the rooms.
    status_changed()
        What `status` or `next_hint` say changed without the document changing, such as when a count came in.
    """

    identifier: ClassVar[str]

    go_to = Signal(str)
    open_requested = Signal()
    tour_requested = Signal()
    status_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document = document

    def status(self) -> Status | None:
        """The tick on the rail, or None while there is nothing to say."""
        return None

    def next_hint(self) -> str:
        """What to do here next, in a few words, or "" when nothing is left to do."""
        return ""

    def focus_first(self) -> None:
        """Put the keyboard focus where work begins."""
        self.setFocus()

    def run(self) -> object:
        """Do the main thing of this workspace, as by its primary button; nothing by default."""
        return None
