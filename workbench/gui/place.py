"""The file a project is saved to, and whether another window has it open or somebody else has saved it.

What looks at the file itself is for any thread but the window's: it may lie on a network that has gone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from workbench.core.errors import WorkbenchError
from workbench.project.marks import Mark, is_newer, mark_of
from workbench.project.recovery import ProjectLock

SAVED_ELSEWHERE = "project"
"""What errors are about that saving under another name is the way out of."""


class NewerThere(WorkbenchError):
    """Somebody else has saved the project since it was opened or saved here."""


@dataclass(frozen=True)
class Found:
    """A place that was looked at: the lock that tells others of it, and the mark of the file as it was then."""

    path: Path
    lock: ProjectLock
    mark: Mark | None

    def written(self) -> Found:
        """The same place after the project was saved there."""
        return replace(self, mark=mark_of(self.path))


class Place:
    """Where a document is, if it has a file at all. While it is there, other windows are told so."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.mark: Mark | None = None
        """How the file was found when it was opened or saved here last."""
        self._lock: ProjectLock | None = None
        self._alone = True

    @property
    def alone(self) -> bool:
        """Whether no other window had the project open when it was opened here."""
        return self._alone

    # On any thread

    def look(self, path: Path) -> Found:
        """What `move` needs to know of a place, before it is read: what comes between is then seen when it is saved."""
        return Found(path, self._lock_of(path), mark_of(path))

    def claim(self, path: Path, *, overwrite: bool = False) -> Found:
        """Make a place ours before it is written to; `settle` or `give_up` follows.

        Parameters
        ----------
        overwrite
            Whether what others have saved there since may be overwritten.

        Raises
        ------
        NewerThere
            If somebody else has saved the project that was opened from there.
        WorkbenchError
            If another window has that project open.
        """
        lock = self._lock_of(path)
        mine = lock is self._lock or (self._lock is None and path == self.path)
        if not lock.take():
            raise WorkbenchError(
                _tr("{name} is open in another window.").format(name=path.name),
                hint=_tr("Save under another name, or close the other window first."),
                field=SAVED_ELSEWHERE,
            )
        claimed = Found(path, lock, self.mark if mine else None)
        if mine and not overwrite and is_newer(path, self.mark):
            self.give_up(claimed)
            raise NewerThere(
                _tr("{name} was saved by another window since it was opened here.").format(name=path.name),
                hint=_tr("Save under another name, or open it again to see what the other window did."),
                field=SAVED_ELSEWHERE,
            )
        return claimed

    def give_up(self, claimed: Found) -> None:
        """Nothing was written there after all; a place that was ours before stays ours."""
        if claimed.lock is not self._lock or not self._alone:
            claimed.lock.release()

    # On the window's thread

    def move(self, found: Found | None) -> None:
        """The document is there from now on, whether another window is or not."""
        self.settle(found)
        self._alone = found is None or found.lock.take()

    def expect(self, path: Path | None, mark: Mark | None = None) -> None:
        """The document belongs there, which nobody has looked at yet; its file had this mark."""
        self.settle(None)
        self.path, self.mark = path, mark

    def settle(self, claimed: Found | None) -> None:
        """The document was written there."""
        lock = None if claimed is None else claimed.lock
        if self._lock is not None and self._lock is not lock:
            self._lock.release()
        self._lock, self._alone = lock, True
        self.path, self.mark = (None, None) if claimed is None else (claimed.path, claimed.mark)

    def leave(self) -> None:
        """Others may open the project now."""
        self.settle(None)

    def _lock_of(self, path: Path) -> ProjectLock:
        lock, mine = ProjectLock(path), self._lock
        return mine if mine is not None and mine.path == lock.path else lock


def _tr(text: str) -> str:
    return QCoreApplication.translate("Place", text)
