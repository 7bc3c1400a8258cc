"""Leads through the tour: opens a sample if nothing is open, and shows the control that each step speaks of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.samples import samples
from workbench.gui.spotlight import Spotlight
from workbench.gui.tour import Tour
from workbench.gui.workspaces.construction import Workspaces

_SETTLE_MS = 120
"""A page that was just shown is laid out by then."""


class Touring(QObject):
    """The tour of one window.

    Parameters
    ----------
    tour
        The bar with the steps.
    document
        What is open in the window.
    open_sample
        Opens a file in it.
    reach
        Shows a room with a control of it that has the focus.
    rooms
        Takes what lies beside the sample into the room of hierarchies, so that a release can be made on the way.
    window
        Over which the control is marked.
    """

    def __init__(
        self,
        tour: Tour,
        document: Document,
        open_sample: Callable[[Path], object],
        reach: Callable[[str, str], object],
        rooms: Workspaces,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._tour, self._document = tour, document
        self._open_sample, self._reach, self._rooms = open_sample, reach, rooms
        self._waiting = False
        self._at = ("", "")
        self.spotlight = Spotlight(window)
        self._mark = Later(self, self._mark_control, _SETTLE_MS)
        tour.arrived.connect(self._arrive)
        tour.ended.connect(self.stop)
        document.changed.connect(self._changed)

    def start(self) -> None:
        """Begin, on what is open or on a sample."""
        if self._document.has_data:
            self._tour.start()
        else:
            self._waiting = True
            self._open_sample(samples()[0].path)

    @property
    def settled(self) -> bool:
        """Whether the control of the step is marked by now."""
        return not self._mark.isActive()

    def stop(self) -> None:
        """Mark nothing any more."""
        self._mark.stop()
        self.spotlight.hide()

    def _changed(self, section: str) -> None:
        if section == "data" and self._waiting and self._document.has_data:
            self._waiting = False
            self._rooms["hierarchies"].take_what_lies_beside()
            self._tour.start()

    def _arrive(self, room: str, field: str) -> None:
        self.spotlight.hide()
        self._at = (room, field)
        self._mark.start()

    def _mark_control(self) -> None:
        self._reach(*self._at)
        self.spotlight.show_on(QApplication.focusWidget())
        self._tour.next.setFocus(Qt.FocusReason.OtherFocusReason)
