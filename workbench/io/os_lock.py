"""Locks of the operating system, which end with the process that holds them, however it ends."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

_LOCKED_BYTE = 0x7FFFFFFE
"""On Windows a lock keeps others from reading too, so it lies where no file of ours will ever reach."""

if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> bool:
        """Lock the open file for this process alone; False if another one has it."""
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Let others have the lock."""
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(descriptor: int) -> bool:
        """Lock the open file for this process alone; False if another one has it."""
        # Not lockf: its locks belong to the process, and closing any other descriptor of the file drops them.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(descriptor: int) -> None:
        """Let others have the lock."""
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def is_still(descriptor: int, path: Path) -> bool:
    """Whether the open file is the one that now lies at `path`."""
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False


class LockFile:
    """A file that is locked for as long as something is in use, and gone afterwards.

    A process that is killed leaves the file but not the lock, so a file that is there says nothing by itself.

    Parameters
    ----------
    path
        The file; it and its folder are made when they are needed, for their owner only.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        """Whether we hold the lock."""
        return self._descriptor is not None

    def take(self) -> bool:
        """Take the lock; False if another one has it.

        Raises
        ------
        OSError
            If the file cannot be made.
        """
        if self.held:
            return True
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            if not try_lock(descriptor):
                os.close(descriptor)
                return False
            if is_still(descriptor, self.path):
                self._descriptor = descriptor
                return True
            os.close(descriptor)  # its owner took it away while we asked

    def release(self) -> None:
        """Let others have the lock; nothing happens if we do not hold it."""
        if self._descriptor is None:
            return
        descriptor, self._descriptor = self._descriptor, None
        # Taken away before it is let go, so that nobody holds a lock on a file that is no longer there.
        with contextlib.suppress(OSError):
            self.path.unlink()
        with contextlib.suppress(OSError):
            unlock(descriptor)
        os.close(descriptor)
