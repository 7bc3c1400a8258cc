"""Marks of project files, by which it is known whether somebody else has saved one since."""

from __future__ import annotations

import contextlib
import json
import zipfile
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from workbench.project.archive import BROKEN, check_ordinary, member
from workbench.project.storage import DOCUMENT, LARGEST_DOCUMENT

_LEDGERS = "ledgers"


@dataclass(frozen=True)
class ProjectMark:
    """The state in which a project file was found: inode, size and time of change, and a digest of what it says."""

    inode: int
    size: int
    changed: int
    content: str


def mark_of(path: Path) -> ProjectMark | None:
    """The mark of the file as it is now; None if there is none that could be read."""
    with contextlib.suppress(OSError):
        check_ordinary(path)
        found = path.stat()
        return ProjectMark(found.st_ino, found.st_size, found.st_mtime_ns, _content(path))
    return None


def is_newer(found: ProjectMark | None, known: ProjectMark | None) -> bool:
    """Whether a file that is found now was saved by somebody else since it was known; None is no file.

    Copies of ledgers do not count: a run from the command line adds to them, and whoever saves takes them over.
    """
    if found is None:
        return False  # there is nothing to overwrite
    if known is None:
        return True
    return found != replace(known, content=found.content) and (not found.content or found.content != known.content)


def _content(path: Path) -> str:
    """Digest of everything but the copies of ledgers; "" of what is no project."""
    try:
        with zipfile.ZipFile(path) as archive:
            document = json.loads(member(archive, DOCUMENT, LARGEST_DOCUMENT))
            del document[_LEDGERS]
            others = sorted((one.filename, one.CRC, one.file_size) for one in archive.infolist())
    except (OSError, TypeError, *BROKEN):
        return ""
    plain = json.dumps([document, [one for one in others if one[0] != DOCUMENT]], sort_keys=True)
    return sha256(plain.encode()).hexdigest()
