"""Reading the members of a zip that nobody vouches for: nothing goes to the disk, and nothing is read without end."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path

from workbench.core.errors import WorkbenchError

LARGEST = 256 * 1024 * 1024
"""No honest project unpacks to more than this many bytes."""

BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, ValueError, LookupError, OverflowError)
"""Errors that reading a zip raises where it is damaged, locked with a password, or made to do harm."""


def check_ordinary(path: Path) -> None:
    """Refuse what is no ordinary file: waiting for a pipe, or reading a device without end, would be no answer.

    Raises
    ------
    OSError
        If there is nothing at `path`.
    WorkbenchError
        If it is no ordinary file.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise WorkbenchError(f"“{path}” is no ordinary file.", hint="Open a file.", field="path")


def check_size(archive: zipfile.ZipFile, path: Path) -> None:
    """Refuse an archive that says of itself that it is larger than any project.

    Raises
    ------
    WorkbenchError
        If it would unpack to more than `LARGEST` bytes.
    """
    if sum(info.file_size for info in archive.infolist()) > LARGEST:
        raise WorkbenchError(
            f"{path.name} would unpack to more than {LARGEST // 2**20} MiB, which no project does.",
            hint="It is damaged or not a project. It was not opened.",
            field="path",
        )


def member(archive: zipfile.ZipFile, name: str, most: int = LARGEST) -> bytes:
    """The content of the one member of this name, unpacked.

    Raises
    ------
    BROKEN
        If there is not exactly one, or it is damaged or larger than `most` bytes, whatever the directory says.
    """
    found = [info for info in archive.infolist() if info.filename == name]
    if len(found) != 1:
        raise zipfile.BadZipFile(f"{len(found)} members called {name}")
    if found[0].compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile("packed in a way that no project is")
    with archive.open(found[0]) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise zipfile.BadZipFile("larger than a project may be")
    return content


def members(archive: zipfile.ZipFile, names: Collection[str], most: int = LARGEST) -> dict[str, bytes]:
    """The named members, which together unpack to at most `most` bytes; others are never looked at.

    Raises
    ------
    BROKEN
        If one is missing or damaged, or they are larger together.
    """
    found: dict[str, bytes] = {}
    for name in names:
        found[name] = member(archive, name, most)
        most -= len(found[name])
    return found
