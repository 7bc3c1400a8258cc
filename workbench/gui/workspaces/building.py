"""Makes the workspaces of a window when they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from workbench.gui.workspaces import ROOMS, Room
from workbench.gui.workspaces.base import Workspace


class Workspaces(Mapping[str, Workspace]):
    """The workspaces by key, each made when it is first asked for."""

    def __init__(self, furnish: Callable[[Room], Workspace]) -> None:
        self._furnish = furnish
        self._built: dict[str, Workspace] = {}

    def __getitem__(self, key: str) -> Workspace:
        if key not in self._built:
            room = next((room for room in ROOMS if room.key == key), None)
            if room is None:
                raise KeyError(key)
            self._built[key] = self._furnish(room)
        return self._built[key]

    def __iter__(self) -> Iterator[str]:
        return (room.key for room in ROOMS)

    def __len__(self) -> int:
        return len(ROOMS)

    def built(self) -> dict[str, Workspace]:
        """Those that are there, in their order."""
        return {room.key: self._built[room.key] for room in ROOMS if room.key in self._built}

    def unbuilt(self) -> list[Room]:
        return [room for room in ROOMS if room.key not in self._built]
