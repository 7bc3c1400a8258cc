"""The file a project is saved to, and whether another window has it open or somebody has saved it since.

What looks at the file itself is for any thread but the window's: it may lie on a network that has gone.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.project.marks import ProjectMark, is_newer, mark_of
from workbench.project.recovery import ProjectLock

SAVED_ELSEWHERE = "project"
"""The field of errors that saving under another name is the way out of."""


class Newer(WorkbenchError):
    """Saving would overwrite what somebody else has saved since the document was opened or saved there."""


@dataclass(frozen=True)
class PlaceCheck:
    """A place that was looked at: the lock that tells others of it, and the file as it was then."""

    path: Path
    lock: ProjectLock
    mark: ProjectMark | None


class DocumentPlace:
    """The place of a document, if it has a file at all. While it is there, other windows are told so."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.mark: ProjectMark | None = None
        """How the file was found when it was opened or saved here last."""
        self._lock: ProjectLock | None = None
        self._alone = True

    @property
    def alone(self) -> bool:
        """Whether no other window had the project open when it was opened here."""
        return self._alone

    # On any thread

    def look(self, path: Path) -> PlaceCheck:
        """A look at a place, as `move` needs it."""
        return PlaceCheck(path, self._lock_of(path), mark_of(path))

    def claim(self, path: Path, *, overwrite: bool = False) -> PlaceCheck:
        """Make a place ours before it is written to; `written` or `give_up` follows.

        Parameters
        ----------
        overwrite
            Whether what others have saved there since may be overwritten.

        Raises
        ------
        WorkbenchError
            If another window has that project open.
        Newer
            If somebody else has saved it since it was opened or saved here.
        """
        found = self.look(path)
        if not found.lock.take():
            raise WorkbenchError(
                f"{path.name} is open in another window.",
                hint="Save under another name, or close the other window first.",
                field=SAVED_ELSEWHERE,
            )
        if not overwrite and self._is_newer(found):
            self.give_up(found)
            raise Newer(
                f"{path.name} was saved by another window since it was opened here.",
                hint="Save under another name, or open it again to see what the other window did.",
                field=SAVED_ELSEWHERE,
            )
        return found

    def written(self, claimed: PlaceCheck) -> PlaceCheck:
        """How a claimed place is found once it was written to."""
        return replace(claimed, mark=mark_of(claimed.path))

    def _is_newer(self, found: PlaceCheck) -> bool:
        mine = found.path == self.path or found.lock is self._lock
        return mine and is_newer(found.mark, self.mark)

    def give_up(self, claimed: PlaceCheck) -> None:
        """Nothing was written there after all; a place that was ours before stays ours."""
        if claimed.lock is not self._lock or not self._alone:
            claimed.lock.release()

    # On the window's thread

    def move(self, found: PlaceCheck | None) -> None:
        """The document is there from now on, whether another window is or not."""
        self.move_to(found)
        self._alone = found is None or found.lock.take()

    def expect(self, path: Path | None, mark: ProjectMark | None) -> None:
        """The document belongs there, which nobody has looked at yet; it was found like this when it was opened."""
        self.move_to(None)
        self.path, self.mark = path, mark

    def move_to(self, claimed: PlaceCheck | None) -> None:
        """From now on the document belongs to this file; None for none."""
        lock = None if claimed is None else claimed.lock
        if self._lock is not None and self._lock is not lock:
            self._lock.release()
        self.path = None if claimed is None else claimed.path
        self.mark = None if claimed is None else claimed.mark
        self._lock, self._alone = lock, True

    def leave(self) -> None:
        """Others may open the project now."""
        self.move_to(None)

    def _lock_of(self, path: Path) -> ProjectLock:
        lock, mine = ProjectLock(path), self._lock
        return mine if mine is not None and mine.path == lock.path else lock
