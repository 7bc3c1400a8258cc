"""Files that are being written beside those they will replace, and what is left of them when a process is killed.

A part is named `.NAME.wb-HOST-RANDOM.part` and locked by its writer for as long as it is written, with a lock of the
operating system, which ends with the process, however it ends. So a part whose lock is free belongs to nobody, and the
next write beside it takes it away. Whoever finds a part holds its lock while removing it, and whoever makes one looks,
once it is locked, whether it is still there: between the two nobody loses what is being written. Locks may not be seen
by other machines of one network drive, so a part is only taken away by the machine that made it; and where there are
no locks at all, parts stay.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from workbench.io.os_lock import is_still, try_lock

SUFFIX = ".part"
NEW, OLD = "new", "old"
"""In the folder of a part: where the new file or folder is made by its name, and the folder it replaces."""

_HOST = hashlib.sha256(platform.node().encode("utf-8", "surrogateescape")).hexdigest()[:6]
_OURS = re.compile(rf"\..{{1,40}}\.wb-{_HOST}-[a-z0-9_]{{8}}{re.escape(SUFFIX)}", re.DOTALL)
_LOCK = "lock"
_QUIET_SECONDS = 60.0
"""Windows renames no open file, so there the lock is let go a moment before a part takes its place."""


def open_part(target: Path) -> tuple[int, Path]:
    """A new file beside `target` that only its owner can read, locked until its descriptor is closed.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    while True:
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=_prefix(target), suffix=SUFFIX)
        part = Path(name)
        if _held(descriptor, part):
            return descriptor, part
        os.close(descriptor)  # somebody took it for a leftover before it was locked


@contextlib.contextmanager
def part_folder(target: Path) -> Iterator[Path]:
    """A new folder beside `target` that only its owner can look into; locked, and gone at the end.

    What is made in its folder `NEW` is to take the place of `target`.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    private, descriptor = _locked_folder(target)
    try:
        (private / NEW).mkdir(0o700)
        yield private
    finally:
        if sys.platform == "win32":
            os.close(descriptor)
        shutil.rmtree(private, ignore_errors=True)
        if sys.platform != "win32":
            os.close(descriptor)


def sweep(folder: Path) -> None:
    """Take away what killed processes left in a folder. Nothing that goes wrong with it matters to anybody."""
    found: list[os.DirEntry[str]] = []
    with contextlib.suppress(OSError), os.scandir(folder) as listed:
        found = [entry for entry in listed if _OURS.fullmatch(entry.name)]
    for entry in found:
        with contextlib.suppress(OSError):
            if entry.is_dir(follow_symlinks=False):
                _sweep_folder(Path(entry.path))
            elif entry.is_file(follow_symlinks=False):
                _if_dead(Path(entry.path), Path(entry.path), Path.unlink)


def _prefix(target: Path) -> str:
    return f".{target.name[:40]}.wb-{_HOST}-"


def _held(descriptor: int, path: Path) -> bool:
    """Whether the lock is ours and the file still there; also where there are no locks, and so nobody sweeps."""
    try:
        return try_lock(descriptor) and is_still(descriptor, path)
    except OSError:
        return True


def _locked_folder(target: Path) -> tuple[Path, int]:
    while True:
        private = Path(tempfile.mkdtemp(dir=target.parent, prefix=_prefix(target), suffix=SUFFIX))
        lock = private / _LOCK
        try:
            descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        except FileNotFoundError:
            continue  # somebody took it for a leftover before it was locked
        if _held(descriptor, lock):
            return private, descriptor
        os.close(descriptor)


def _sweep_folder(private: Path) -> None:
    try:
        _if_dead(private / _LOCK, private, _finish)
    except FileNotFoundError:
        private.rmdir()  # killed before anything was in it; if it is just being made, that begins again


def _if_dead(lock: Path, part: Path, remove: Callable[[Path], object]) -> None:
    """Remove a part that nobody writes any more.

    Raises
    ------
    OSError
        If there is no lock, it cannot be asked, or the part cannot be removed.
    """
    descriptor = os.open(lock, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        dead = try_lock(descriptor) and is_still(descriptor, lock)
        if dead and sys.platform != "win32":
            remove(part)
    finally:
        os.close(descriptor)
    if sys.platform == "win32" and dead and time.time() - lock.stat().st_mtime > _QUIET_SECONDS:
        remove(part)


def _finish(private: Path) -> None:
    """Bring to its end what was begun with a folder, and remove it.

    A folder that is replaced is moved away before the new one takes its place, and a process can be killed in between.
    The new one is whole by then, and what it costs was charged.
    """
    if (private / OLD).exists():
        for new in (private / NEW).iterdir():
            target = private.parent / new.name
            if target.exists():
                return  # somebody made another one since: which of the three is wanted only a person knows
            new.replace(target)
    shutil.rmtree(private, ignore_errors=True)
