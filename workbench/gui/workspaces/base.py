"""The base of every workspace: its interface to the main window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.gui.document import OPEN_JOB, Document
from workbench.gui.later import Later
from workbench.gui.next_charge import NextCharge
from workbench.gui.theme import dress
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.status import Status, status_word

if TYPE_CHECKING:
    from workbench.session.python.rooms import PublishedInView


class Workspace(QWidget):
    """One room: a page that shows a part of the document and edits it through `Document.apply`.

    Subclasses set `identifier`, under which `ROOMS` declares their name and icon, and say how far things are in
    `status`. They name in `follows` the sections of the document they show, are brought up to date in `refresh`,
    and never compute on the GUI thread. Nothing is worked out for a room that nobody looks at: what changes while it is
    hidden is taken in when it is shown, several changes at once.

    Signals
    -------
    go_to(str)
        Ask the window to show another workspace.
    reach_requested(str, str)
        Ask the window to show a control of another workspace: its key, and the control as `reach` knows it.
    pointed_out(object)
        Ask the window to give a control of the room the focus, and to mark it so that it is seen.
    done()
        What somebody came to the room for is done: the window leads on to the next one.
    open_requested()
        Ask the window for its Open dialog.
    path_wanted(object)
        Ask the window to open the file at this `Path` for the room.
    start_requested()
        Ask the window for its first page.
    status_changed()
        What `status` or `next_hint` say changed without the document changing, such as when a count came in.
    step_changed()
        The room itself names another next step now, on its main button, so that it is named alike everywhere at once.
    lock_changed()
        What `lock` says changed.
    """

    identifier: ClassVar[str]
    follows: ClassVar[frozenset[str]] = frozenset()
    """Sections of the document after whose change the room is brought up to date."""
    works_unseen: ClassVar[bool] = False
    """Whether it is brought up to date also while it is hidden, because other rooms or the rail speak of it."""
    analyst_only: ClassVar[bool] = False
    """Whether whatever it shows of data is computed from the true rows, and the analyst's alone."""
    goes_on: ClassVar[bool] = False
    """Whether a table that is opened from its page is opened for it, so that it is seen again as soon as it can be."""

    go_to = Signal(str)
    reach_requested = Signal(str, str)
    pointed_out = Signal(object)
    done = Signal()
    open_requested = Signal()
    path_wanted = Signal(object)
    start_requested = Signal()
    status_changed = Signal()
    step_changed = Signal()
    lock_changed = Signal()

    def __init__(
        self, document: Document, parent: QWidget | None = None, made: Mapping[str, QObject] | None = None
    ) -> None:
        super().__init__(parent)
        self.document = document
        self._in_steps = made is not None
        self._made: dict[str, Any] = dict(self.made_first(document) if made is None else made)
        self._to_place: list[tuple[QWidget, Callable[[QWidget], object]]] = []
        self._stale = True
        self._lock = ""
        self.awaits_table = False
        """Whether somebody asked here for a table to go on with; so does the room of the project it may begin."""
        self._without_data: EmptyState | None = None
        self._later = Later(self, self.settle)
        document.changed.connect(self._document_changed)

    def tells_opening(self, empty: EmptyState) -> None:
        """Let what is seen without data say what is being opened, as long as something is."""
        self._without_data = empty
        for told in (self.document.runner.started, self.document.runner.finished):
            told.connect(self._say_opening)
        self._say_opening()

    def _say_opening(self, _job: object = None) -> None:
        # Once the data is there the page goes, and is not to say before that nothing is open.
        if self._without_data is not None and not self.document.has_data:
            opening = (job.name for job in self.document.runner.jobs if job.key == OPEN_JOB)
            self._without_data.show_busy(next((f"{name}…" for name in opening), ""))

    @classmethod
    def made_first(cls, document: Document) -> Iterator[tuple[str, QObject]]:
        """The large parts of the room by name, each made when it is asked for.

        The window makes one at a time, so that it answers in between, and hands them to the constructor; who makes a
        room without them makes them all at once.
        """
        yield from ()

    def put_in_place(self, part: QWidget, place: Callable[[QWidget], object]) -> None:
        """Put a large part in its place: at once, or in a step of its own after the room was styled without it.

        Where the keyboard goes, such a part comes after what is in its place already.
        """
        if self._in_steps:
            self._to_place.append((part, place))
        else:
            place(part)

    @property
    def wearers(self) -> Sequence[QWidget]:
        """Widgets that wear the stylesheet: the room, or, where it is large, those that it does nothing but arrange."""
        return (self,)

    @property
    def unplaced(self) -> list[QWidget]:
        """The parts that are not in their place yet; the window keeps them until then."""
        return [part for part, _ in self._to_place]

    @property
    def is_incomplete(self) -> bool:
        """Whether a part is not in its place yet."""
        return bool(self._to_place)

    def complete(self) -> None:
        """Put the next part into its place that `put_in_place` has put off."""
        if self._to_place:
            part, place = self._to_place.pop(0)
            place(part)
            dress(self)  # unless it wears the sheet of the room
            self.put_off()

    @property
    def gives_roles(self) -> bool:
        """Whether its next step gives the columns their roles, so that nobody has to look for them first."""
        return False

    @property
    def settled(self) -> bool:
        """Whether nothing is under way: no job runs, and nothing that was put off is still to come."""
        return not self.document.runner.jobs and not any(one.isActive() for one in self.findChildren(Later))

    def settle(self) -> None:
        """Refresh now if a refresh is due; not before each part is in its place, which makes one due."""
        if self._stale and not self.is_incomplete:
            self._stale = False
            self._later.stop()
            self.refresh()

    def refresh(self) -> None:
        """Show the document as it stands; nothing by default."""

    def put_off(self) -> None:
        """Bring the room up to date after the changes that are still coming in, or when it is next shown."""
        self._stale = True
        if self.works_unseen or self.isVisible():
            self._later.start()

    @property
    def is_in_view(self) -> bool:
        """Whether it is the room that is seen as soon as its window is."""
        return self.isVisibleTo(self.window())

    def _document_changed(self, section: str) -> None:
        if section in self.follows:
            self.put_off()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._later.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not self.works_unseen:
            self._later.stop()

    def before_publishing(self) -> None:
        """Say what matters in the rooms that publish, one of which is about to be shown."""

    @property
    def lock(self) -> str:
        """Who alone may see the room, usually "Analyst only"; nothing where whatever it shows may leave."""
        return self._lock or (status_word(Status.ANALYST) if self.analyst_only and self.document.has_data else "")

    @lock.setter
    def lock(self, words: str) -> None:
        if words != self._lock:
            self._lock = words
            self.lock_changed.emit()

    @property
    def published_in_view(self) -> PublishedInView | None:
        """The published figure that is looked at, which is copied as Python in the place of the room."""
        return None

    @property
    def mistyped(self) -> str:
        """What is wrong with a field whose text is not in force, so that others would be taken along; "" if none is."""
        return ""

    def not_in_force(self) -> str:
        """What `mistyped` says once the fields show what is in force; before, nobody can have typed into them."""
        self.settle()
        return "" if self._stale else self.mistyped

    def in_force(self) -> bool:
        """Whether a command would repeat what stands in the fields; where it would not, says what is wrong."""
        if wrong := self.not_in_force():
            self.document.noted.emit("warning", f"A command would repeat what was set before. {wrong}")
        return not wrong

    def status(self) -> Status | None:
        """The tick on the rail, or None while there is nothing to say."""
        return None

    def next_charge(self) -> NextCharge | None:
        """What the room would charge next as it is set now; None where nothing is paid for there."""
        return None

    def next_hint(self) -> str:
        """Next thing to do here, in a few words, or "" when nothing is left to do."""
        return ""

    def next_field(self) -> str:
        """Where that is done, as `reach` knows it; "" is where work begins."""
        return ""

    def do_next(self, field: str) -> bool:
        """Do what `next_hint` says, where that spends nothing, asserts nothing and can be undone; whether it was done.

        Else the person does it: `reach` has shown them the control.
        """
        return False

    def do_apart(self, field: str, then: Callable[[], object]) -> bool:
        """Do the same while another room is in view, and then go on; False where it is to be done, or seen, here."""
        return False

    def focus_first(self) -> None:
        """Put the keyboard focus where work begins."""
        self.setFocus()

    def ask_what_lacks(self) -> None:
        """Somebody came by mouse: put the focus where what is lacking is typed, if that is all there is to do."""

    def reach(self, field: str) -> None:
        """Show a control and put the focus there, such as "epsilon" or "hierarchy:age"; the first one if unknown."""
        self.focus_first()

    def take_what_lies_beside(self) -> None:
        """Take in what files beside the data offer, as the tour does with its sample; nothing by default."""

    def renew(self) -> None:
        """Bring forecasts, plans, previews and simulations up to date. Never spends and never draws."""
        self.put_off()
        self.settle()

    def spend(self) -> None:
        """Press the button that has a price, if there is one and it is enabled; nothing else spends."""
