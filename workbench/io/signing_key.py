"""The publisher's own key: a file that its owner alone may read, made once and never overwritten.

Nothing but signing reads it. It is in no project and in no folder of ledgers, and nothing prints it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

import platformdirs

from workbench.core.errors import WorkbenchError
from workbench.io import ed25519
from workbench.io.atomic import force_folder, why_not
from workbench.io.leftovers import open_part

_LARGEST = 1 << 14


def usual_key_file() -> Path:
    """Where the key lies unless another place is named: in the person's settings. The file need not exist."""
    return Path(platformdirs.user_config_path("anonymisation-workbench", False)) / "signing" / "key.pem"


def make_key(path: Path) -> bytes:
    """Make a key, with the mode 0600, and write it where nothing is yet; returns the public key.

    Raises
    ------
    WorkbenchError
        If something is there already, it cannot be written, or cryptography is not installed.
    """
    private = ed25519.new_private_key()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _write_once(path, private)
    except FileExistsError as error:
        raise WorkbenchError(
            f"“{path}” is there already, and a key that is lost signs nothing any more.",
            hint="Name another file with --key, or move that one away yourself.",
            field="key",
        ) from error
    except OSError as error:
        raise WorkbenchError(
            f"The key cannot be written to “{path}”: {why_not(error)}.", hint="Choose another folder.", field="key"
        ) from error
    return ed25519.public_key_of(private)


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


def read_key(path: Path) -> bytes:
    """The private key in a file.

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
            _refuse_shared(path, found)
            return file.read(_LARGEST)
    except FileNotFoundError as error:
        raise WorkbenchError(
            f"There is no key “{path}”.",
            hint="Make one with “workbench sign --new-key”, or name yours with --key.",
            field="key",
        ) from error
    except OSError as error:
        raise WorkbenchError(
            f"The key “{path}” cannot be read: {error.strerror}.", hint="Check that you may read it.", field="key"
        ) from error


def _refuse_shared(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise WorkbenchError(f"“{path}” is no file.", hint="Name the file with the key.", field="key")
    if os.name != "posix":
        return  # there, the folder of the person's settings is what keeps others out
    if found.st_uid != os.geteuid():
        raise WorkbenchError(
            f"The key “{path}” belongs to somebody else.", hint="Sign with a key of your own.", field="key"
        )
    if stat.S_IMODE(found.st_mode) & 0o077:
        raise WorkbenchError(
            f"Others may read or change the key “{path}”, so what it signs proves nothing.",
            hint=f"If nobody has read it: chmod 600 {path}. Otherwise make a new one, and publish that.",
            field="key",
        )
