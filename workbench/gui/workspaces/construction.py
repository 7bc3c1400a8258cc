"""Makes the workspaces of a window when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from workbench.gui.document import Document
from workbench.gui.next_charge import NextCharge
from workbench.gui.workspaces import ROOMS, WorkspaceEntry
from workbench.gui.workspaces.base import Workspace


class Nursery(QWidget):
    """The place of a workspace's parts until it is there: out of sight, without a stylesheet, and gone with the window.

    It is a window of its own, so that the keyboard goes through parts in the order in which they come into place.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Window)

    def take(self, part: QObject) -> None:
        """Keep a part that nothing else keeps yet."""
        if isinstance(part, QWidget) and part.parent() is None:
            part.setParent(self)

    def clear(self) -> None:
        """Let go of the parts whose workspace is not wanted any more."""
        for part in self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            part.deleteLater()


class Workspaces(Mapping[str, Workspace]):
    """The workspaces by key, each made when it is first asked for.

    Parameters
    ----------
    document
        What they show.
    window
        Where they are.
    place
        Puts it into its place in the window, and styles it.
    furnish
        Connects it to the window when everything in it is in its place.
    """

    def __init__(
        self,
        document: Document,
        window: QWidget,
        place: Callable[[Workspace], None],
        furnish: Callable[[Workspace], None],
    ) -> None:
        self._document, self._window = document, window
        self.nursery = Nursery(window)
        self._place = place
        self._furnish = furnish
        self._under_way: dict[str, Iterator[None]] = {}
        self._unfinished: list[Workspace] = []
        self._built: dict[str, Workspace] = {}
        self._awaiting: set[str] = set()

    def __getitem__(self, key: str) -> Workspace:
        if key not in self._built:
            room = next((room for room in ROOMS if room.key == key), None)
            if room is None:
                raise KeyError(key)
            for _ in self._steps(room):
                pass
        return self._built[key]

    def next_charge(self, key: str) -> NextCharge | None:
        """What a room would charge next; None where nothing is paid for there."""
        room = self.get(key)
        return None if room is None else room.next_charge()

    def __iter__(self) -> Iterator[str]:
        return (room.key for room in ROOMS)

    def __len__(self) -> int:
        return len(ROOMS)

    def clear(self) -> list[Workspace]:
        """Forget all of them, so that each is made anew when it is next asked for; those there were.

        One that awaits a table still does when it is made anew: opening it is what began the new project.
        """
        gone = [*self._built.values(), *self._unfinished]
        self._awaiting = {room.identifier for room in gone if room.awaits_table}
        self._built.clear()
        self._unfinished.clear()
        self._under_way.clear()
        self.nursery.clear()
        return gone

    def stop(self) -> None:
        """Let go of what was made of workspaces that are not there yet."""
        self._under_way.clear()

    def built(self) -> dict[str, Workspace]:
        """Those that are there, in their order."""
        return {room.key: self._built[room.key] for room in ROOMS if room.key in self._built}

    def unbuilt(self) -> list[WorkspaceEntry]:
        return [room for room in ROOMS if room.key not in self._built]

    def advance(self) -> None:
        """Bring the next missing workspace one step nearer: its modules, a part of it, or its place in the window.

        Each step is short, so that the window answers in between.
        """
        room = next(iter(self.unbuilt()), None)
        if room is not None:
            next(self._steps(room), None)

    def _steps(self, room: WorkspaceEntry) -> Iterator[None]:
        """Steps that are left to build a workspace; whoever asks for more goes on where the last one stopped."""
        if room.key not in self._under_way:
            self._under_way[room.key] = self._build(room)
        return self._under_way[room.key]

    def _make(self, room: WorkspaceEntry) -> Generator[None, None, Workspace]:
        """Construct a workspace, without a stylesheet, a part for each step; it is returned with the last."""
        kind, made = room.load(), {}
        for name, part in kind.made_first(self._document):
            self.nursery.take(part)
            made[name] = part
            yield
        workspace: Workspace = kind(self._document, self._window, made) if made else kind(self._document, self._window)
        workspace.awaits_table = room.key in self._awaiting
        for part in workspace.unplaced:
            self.nursery.take(part)
        return workspace

    def _build(self, room: WorkspaceEntry) -> Iterator[None]:
        try:
            while not room.loaded:
                room.load_some()
                yield
            made = yield from self._make(room)
            self._unfinished.append(made)
            yield
            self._place(made)
            while made.is_incomplete:
                yield
                made.complete()
            self._unfinished.remove(made)
            self._built[room.key] = made
            self._furnish(made)
        finally:
            self._under_way.pop(room.key, None)
