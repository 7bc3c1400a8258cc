"""Files that hold a secret: made once, with the mode 0600, read by their owner alone and never overwritten."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.io.atomic import force_folder, why_not
from workbench.io.leftovers import open_part

_LARGEST = 1 << 14


def make_secret(path: Path, content: bytes, lost: str) -> None:
    """Write a secret where nothing is yet.

    Parameters
    ----------
    lost
        What a key that is lost does no more, as it ends a sentence.

    Raises
    ------
    WorkbenchError
        If something is there already, or it cannot be written.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_once(path, content)
    except FileExistsError as error:
        raise WorkbenchError(
            f"“{path}” is there already, and a key that is lost {lost}.",
            hint="Name another file with --key, or move that one away yourself.",
            field="key",
        ) from error
    except OSError as error:
        raise WorkbenchError(
            f"The key cannot be written to “{path}”: {why_not(error)}.", hint="Choose another folder.", field="key"
        ) from error


def _write_once(path: Path, content: bytes) -> None:
    """A whole file or none, in nobody's place, and never readable for others."""
    descriptor, part = open_part(path)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        path.hardlink_to(part)
    finally:
        part.unlink(missing_ok=True)
    force_folder(path.parent)


def read_secret(path: Path, make: str, shared: str) -> bytes:
    """The secret in a file.

    Parameters
    ----------
    make
        The command that makes one.
    shared
        What follows where others may read it, as it ends a sentence.

    Raises
    ------
    WorkbenchError
        If it cannot be read, is no file of this person's, or others may read it.
    """
    try:
        # What is asked about the file is asked of what is read; a pipe is refused and not waited for.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
        with contextlib.closing(os.fdopen(descriptor, "rb")) as file:
            found = os.fstat(file.fileno())
            _refuse_shared(path, found, shared)
            return file.read(_LARGEST)
    except FileNotFoundError as error:
        raise WorkbenchError(
            f"There is no key “{path}”.", hint=f"Make one with “{make}”, or name yours with --key.", field="key"
        ) from error
    except OSError as error:
        raise WorkbenchError(
            f"The key “{path}” cannot be read: {error.strerror}.", hint="Check that you may read it.", field="key"
        ) from error


def _refuse_shared(path: Path, found: os.stat_result, shared: str) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise WorkbenchError(f"“{path}” is no file.", hint="Name the file with the key.", field="key")
    if os.name != "posix":
        return  # there, the folder of the person's settings is what keeps others out
    if found.st_uid != os.geteuid():
        raise WorkbenchError(f"The key “{path}” belongs to somebody else.", hint="Use a key of your own.", field="key")
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise WorkbenchError(
            f"Others may read or change the key “{path}”, so {shared}.",
            hint=f"If nobody has read it: chmod 600 {path}. Otherwise make a new one.",
            field="key",
        )
