"""The file a project is saved to, and whether another window has it open or has saved it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from workbench.core.errors import WorkbenchError
from workbench.project.marks import Mark, is_newer, mark_of
from workbench.project.recovery import ProjectLock

SAVED_ELSEWHERE = "project"
"""What errors are about that saving under another name is the way out of."""


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

    def move(self, path: Path | None, mark: Mark | None = None) -> None:
        """The document is at `path` from now on, whether another window is or not.

        Parameters
        ----------
        mark
            Of the file before it was read.
        """
        self._settle(path, None if path is None else self._lock_of(path), mark)
        self._alone = self._lock is None or self._lock.take()

    def is_newer(self, path: Path) -> bool:
        """Whether saving to `path` would overwrite what others saved since the document was opened or saved there."""
        return self._lock_of(path) is self._lock and is_newer(path, self.mark)

    @contextlib.contextmanager
    def saving(self, path: Path, *, overwrite: bool = False) -> Iterator[None]:
        """Around the saving to `path`, where the document is afterwards if nothing was raised.

        Parameters
        ----------
        overwrite
            Whether what others have saved there since may be overwritten.

        Raises
        ------
        WorkbenchError
            If another window has that project open, or somebody else has saved it.
        """
        lock = self._lock_of(path)
        mine = lock is self._lock
        held = lock.take()
        try:
            if not held:
                raise WorkbenchError(
                    _tr("{name} is open in another window.").format(name=path.name),
                    hint=_tr("Save under another name, or close the other window first."),
                    field=SAVED_ELSEWHERE,
                )
            if mine and not overwrite and is_newer(path, self.mark):
                raise WorkbenchError(
                    _tr("{name} was saved by another window since it was opened here.").format(name=path.name),
                    hint=_tr("Save under another name, or open it again to see what the other window did."),
                    field=SAVED_ELSEWHERE,
                )
            yield
        except BaseException:
            if not mine or not self._alone:
                lock.release()
            raise
        self._settle(path, lock, mark_of(path))

    @contextlib.contextmanager
    def adding(self) -> Iterator[None]:
        """Around the adding of something to the file of the document, which overwrites nothing of it.

        Raises
        ------
        WorkbenchError
            If another window has the project open.
        """
        if self.path is not None:
            newer = self.is_newer(self.path)
            before = self.mark
            with self.saving(self.path, overwrite=True):
                yield
            if newer:
                self.mark = before  # what others did is still not known here

    def leave(self) -> None:
        """Others may open the project now."""
        self._settle(None, None, None)

    def _settle(self, path: Path | None, lock: ProjectLock | None, mark: Mark | None) -> None:
        if self._lock is not None and self._lock is not lock:
            self._lock.release()
        self.path, self._lock, self.mark, self._alone = path, lock, mark, True

    def _lock_of(self, path: Path) -> ProjectLock:
        lock = ProjectLock(path)
        return self._lock if self._lock is not None and self._lock.path == lock.path else lock


def _tr(text: str) -> str:
    return QCoreApplication.translate("Place", text)
