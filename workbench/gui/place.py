"""The file a project is saved to, and whether another window has it open."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from workbench.core.errors import WorkbenchError
from workbench.project.recovery import ProjectLock

Stamp = tuple[int, int, int]


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

    def move(self, path: Path | None) -> None:
        """The document is at `path` from now on, whether another window is or not."""
        self._settle(path, None if path is None else self._lock_of(path))
        if self._lock is not None and path is not None and not self._lock.take():
            self._found = _stamp(path) or (0, 0, 0)

    @contextlib.contextmanager
    def saving(self, path: Path) -> Iterator[None]:
        """Around the saving to `path`, where the document is afterwards if nothing was raised.

        Raises
        ------
        WorkbenchError
            If another window has that project open, or had it open and has saved it.
        """
        lock = self._lock_of(path)
        mine = lock is self._lock
        held = lock.take()
        try:
            if not held:
                raise WorkbenchError(
                    _tr("{name} is open in another window.").format(name=path.name),
                    hint=_tr("Save under another name, or close the other window first."),
                    field="path",
                )
            if mine and self._found is not None and self._found != _stamp(path):
                raise WorkbenchError(
                    _tr("{name} was saved by another window since it was opened here.").format(name=path.name),
                    hint=_tr("Save under another name, or open it again to see what the other window did."),
                    field="path",
                )
            yield
        except BaseException:
            if not mine or self._found is not None:
                lock.release()
            raise
        self._settle(path, lock)

    def leave(self) -> None:
        """Others may open the project now."""
        self._settle(None, None)

    def _settle(self, path: Path | None, lock: ProjectLock | None) -> None:
        if self._lock is not None and self._lock is not lock:
            self._lock.release()
        self.path, self._lock, self._found = path, lock, None

    def _lock_of(self, path: Path) -> ProjectLock:
        lock = ProjectLock(path)
        return self._lock if self._lock is not None and self._lock.path == lock.path else lock


def _stamp(path: Path) -> Stamp | None:
    with contextlib.suppress(OSError):
        found = path.stat()
        return found.st_ino, found.st_size, found.st_mtime_ns
    return None


def _tr(text: str) -> str:
    return QCoreApplication.translate("Place", text)
