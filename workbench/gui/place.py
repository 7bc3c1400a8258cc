"""The file a project is saved to, and whether another window has it open.

What looks at the file itself is for any thread but the window's: it may lie on a network that has gone.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from workbench.core.errors import WorkbenchError
from workbench.project.recovery import ProjectLock

Stamp = tuple[int, int, int]


@dataclass(frozen=True)
class Found:
    """A place that was looked at: the lock that tells others of it, and the file as it was then."""

    path: Path
    lock: ProjectLock
    stamp: Stamp | None


class Place:
    """Where a document is, if it has a file at all. While it is there, other windows are told so."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self._lock: ProjectLock | None = None
        self._found: Stamp | None = None

    @property
    def alone(self) -> bool:
        """Whether no other window had the project open when it was opened here."""
        return self._found is None

    # On any thread

    def look(self, path: Path) -> Found:
        """What `move` needs to know of a place."""
        return Found(path, self._lock_of(path), _stamp(path))

    def claim(self, path: Path) -> Found:
        """Make a place ours before it is written to; `settle` or `give_up` follows.

        Raises
        ------
        WorkbenchError
            If another window has that project open, or had it open and has saved it.
        """
        found = self.look(path)
        if not found.lock.take():
            raise WorkbenchError(
                _tr("{name} is open in another window.").format(name=path.name),
                hint=_tr("Save under another name, or close the other window first."),
                field="path",
            )
        if found.lock is self._lock and self._found is not None and self._found != found.stamp:
            self.give_up(found)
            raise WorkbenchError(
                _tr("{name} was saved by another window since it was opened here.").format(name=path.name),
                hint=_tr("Save under another name, or open it again to see what the other window did."),
                field="path",
            )
        return found

    def give_up(self, claimed: Found) -> None:
        """Nothing was written there after all; a place that was ours before stays ours."""
        if claimed.lock is not self._lock or self._found is not None:
            claimed.lock.release()

    # On the window's thread

    def move(self, found: Found | None) -> None:
        """The document is there from now on, whether another window is or not."""
        self.settle(found)
        if found is not None and not found.lock.take():
            self._found = found.stamp or (0, 0, 0)

    def expect(self, path: Path | None) -> None:
        """The document belongs there, which nobody has looked at yet."""
        self.settle(None)
        self.path = path

    def settle(self, claimed: Found | None) -> None:
        """The document was written there."""
        lock = None if claimed is None else claimed.lock
        if self._lock is not None and self._lock is not lock:
            self._lock.release()
        self.path, self._lock, self._found = (None if claimed is None else claimed.path), lock, None

    def leave(self) -> None:
        """Others may open the project now."""
        self.settle(None)

    def _lock_of(self, path: Path) -> ProjectLock:
        lock, mine = ProjectLock(path), self._lock
        return mine if mine is not None and mine.path == lock.path else lock


def _stamp(path: Path) -> Stamp | None:
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_ino, found.st_size, found.st_mtime_ns
    return None


def _tr(text: str) -> str:
    return QCoreApplication.translate("Place", text)
