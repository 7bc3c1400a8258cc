"""Ways to the room that somebody wanted: at once, or when a table is open and it is said who is protected."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from workbench.core.schema import UnitAnswer
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.messages import MessageBar
from workbench.gui.next_step import Way, room_without_table
from workbench.gui.opener import Opener
from workbench.gui.other_table import WhichTable, which_table
from workbench.gui.widgets.rail import Rail
from workbench.gui.widgets.status import Status
from workbench.gui.wishes import CHECK, Wish
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.construction import Workspaces

_TITLES = {room.key: room.title for room in ROOMS}
_MOST_WAITS = 4
"""So often is waited for what is looked for beside a table; later a page does not move by itself any more."""


class ShownWindow(Protocol):
    """The window, as far as somebody is led through it."""

    document: Document
    opener: Opener
    messages: MessageBar
    rail: Rail
    workspaces: Workspaces

    def reach(self, key: str, field: str) -> None: ...

    def select_and_focus(self, key: str) -> None: ...


class Wayfinder(QObject):
    """Keeps the way somebody is on, and takes them along it.

    Parameters
    ----------
    window
        Over which questions are asked.
    frame
        The same window: where rooms are shown and files opened.
    verify
        What is wished by whoever received a file.
    """

    def __init__(self, window: QWidget, frame: ShownWindow, verify: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._frame, self._verify = window, frame, verify
        self._document, self._opener = frame.document, frame.opener
        self.way = Way()
        self._going_on = Later(self, self._go_on)
        # No room goes away within a double click.
        self._leading = Later(self, self._lead_on, QApplication.doubleClickInterval())
        self._waits = 0
        self._opener.beginning.connect(self._begin_to_open)
        self._opener.opened.connect(self._show_data)
        self._opener.resumed.connect(self.show_project)
        self._document.changed.connect(self._follow)

    def begin(self, wish: Wish) -> None:
        """Lead to where a wish begins: to a table first, if it needs one and none is open."""
        frame, session = self._frame, self._document.session
        which = which_table(self._window, self._document, wish)
        if wish == CHECK:
            self._verify()
        elif which is WhichTable.ANOTHER:
            self.begin_with_another(wish)
        elif which is WhichTable.THIS and wish.needs_data and self._unsaid:
            self.way.wish(wish.room)
            frame.reach("data", "person")
        elif which is not None:
            if which is WhichTable.NONE and not session.collection.without_table:
                self._document.apply("Plan without a table", lambda session: session.collection.ask_nobody())
            frame.select_and_focus(wish.room)

    def begin_with_another(self, wish: Wish) -> None:
        """Ask for a table, and lead to where a wish begins with it."""
        if self._opener.choose_file():
            self.way.wish(wish.room)

    def open_for(self, room: str, path: Path | None = None) -> None:
        """Open a file that a room wants, or ask for one; the room goes on with it as soon as it can."""
        opener = self._opener
        if path is not None:
            opener.open(path)
        if path is not None or opener.choose_file():
            # Who wants to publish another table says first who is in it, and goes the whole way again.
            self.way.come_back("data" if room == "release" else room)

    def asked_by(self, room: str) -> None:
        """A room asks who is protected, and goes on once it is said."""
        if self._unsaid:
            self.way.wish(room)

    def stop(self) -> None:
        """Lead nowhere any more."""
        self._going_on.stop()
        self._leading.stop()

    @property
    def _unsaid(self) -> bool:
        """Whether nobody has said yet who is protected."""
        return self._document.project.schema.unit.protected is UnitAnswer.UNSAID

    def _begin_to_open(self) -> None:
        self.way.begin()
        self._frame.messages.clear()

    def _show_data(self) -> None:
        """Wait for the data in its room; what was wanted of it follows once it is said who is protected, if it must.

        Whoever went to a room while it was looked for stays there.
        """
        if room := self.way.arrive(self._frame.rail.current):
            self._frame.select_and_focus(room)

    def show_project(self, room: str = "") -> None:
        """Wait for the data of a project in the room of data; one that has none is shown where it has something.

        Whoever goes back to work that gave way waits in the `room` where they were with it.
        """
        arrived = self.way.arrive("")
        self._frame.select_and_focus(room or room_without_table(self._document.project) or arrived)

    def _follow(self, section: str) -> None:
        if section in ("data", "schema"):
            self._going_on.start()

    def _go_on(self) -> None:
        """Go on to what was wanted of the data, once it is said who is protected."""
        frame = self._frame
        unsaid = self._document.has_data and self._unsaid
        answered, self.way.unsaid = self.way.unsaid and not unsaid, unsaid
        if frame.rail.current != "data" or not self._document.has_data or unsaid:
            return
        data = frame.workspaces["data"]
        if self.way.awaited and self._one_row_each:  # else it is said how many
            # Who has gone through Data by then does not look for where they are.
            room = self.way.awaited
            frame.select_and_focus(room)
            frame.messages.info(f"On to {_TITLES[room]}: the table was opened for it.", key="way", yields=True)
        elif answered and self.way.publishing and data.next_hint() and data.next_field() == "roles":
            data.do_next("roles")  # which are seen at once, each with what takes it back
            if self.way.led and self._one_row_each:
                self._waits = 0
                self._leading.start()

    @property
    def _one_row_each(self) -> bool:
        """Whether nothing is left to say of persons, as none has several rows."""
        return self._document.project.schema.unit.rows_per_person == 1

    def _lead_on(self) -> None:
        """Go on from Data, where nothing is left to say there and whoever came to publish does nothing else in it."""
        frame = self._frame
        busy = QApplication.activePopupWidget() or QApplication.activeModalWidget()
        if frame.rail.current != "data" or not self._document.has_data or self._unsaid or busy:
            return
        data = frame.workspaces["data"]
        if not frame.workspaces["hierarchies"].settled or not data.settled:  # what lies beside is not known yet
            self._waits += 1
            if self._waits < _MOST_WAITS:
                self._leading.start()
        elif data.status() is Status.SUCCESS and not data.next_hint():
            data.done.emit()
