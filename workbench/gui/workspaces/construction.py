"""Makes the workspaces of a window when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from workbench.gui.workspaces import ROOMS, WorkspaceEntry
from workbench.gui.workspaces.base import Workspace


class Workspaces(Mapping[str, Workspace]):
    """The workspaces by key, each made when it is first asked for.

    Parameters
    ----------
    make
        Constructs a workspace, without a stylesheet.
    furnish
        Puts a finished workspace into its place in the window, and styles it.
    """

    def __init__(self, make: Callable[[WorkspaceEntry], Workspace], furnish: Callable[[Workspace], None]) -> None:
        self._make = make
        self._furnish = furnish
        self._made: dict[str, Workspace] = {}
        self._built: dict[str, Workspace] = {}

    def __getitem__(self, key: str) -> Workspace:
        if key not in self._built:
            room = next((room for room in ROOMS if room.key == key), None)
            if room is None:
                raise KeyError(key)
            made = self._made.pop(key, None) or self._make(room)
            self._built[key] = made
            self._furnish(made)
        return self._built[key]

    def __iter__(self) -> Iterator[str]:
        return (room.key for room in ROOMS)

    def __len__(self) -> int:
        return len(ROOMS)

    def clear(self) -> list[Workspace]:
        """Forget all of them, so that each is made anew when it is next asked for; those there were."""
        gone = [*self._built.values(), *self._made.values()]
        self._built.clear()
        self._made.clear()
        return gone

    def built(self) -> dict[str, Workspace]:
        """Those that are there, in their order."""
        return {room.key: self._built[room.key] for room in ROOMS if room.key in self._built}

    def unbuilt(self) -> list[WorkspaceEntry]:
        return [room for room in ROOMS if room.key not in self._built]

    def advance(self) -> None:
        """Bring the next missing workspace one step nearer: its modules, its widgets, or its place in the window.

        Each step is short, so that the window answers in between.
        """
        room = next(iter(self.unbuilt()), None)
        if room is None:
            return
        if not room.loaded:
            room.load()
        elif room.key not in self._made:
            self._made[room.key] = self._make(room)
        else:
            self[room.key]
