"""Files that stand where a release is to be written, so that no other one is overwritten unasked."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from workbench.core.errors import WorkbenchError

FileMarks: TypeAlias = tuple[tuple[str, int, int, int], ...]
"""By what a file, or the files of a folder, are recognised: name, number, size and time of change of each."""


class AlreadyThere(WorkbenchError):
    """Something else stands where a release is to be written."""


def mark_of(path: Path) -> FileMarks:
    """By what the file or folder at `path` is recognised; empty if nothing is there that could be lost."""
    found: list[tuple[str, int, int, int]] = []
    with contextlib.suppress(OSError):
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            about = file.stat()
            if about.st_size or file is not path:
                found.append((file.name, about.st_ino, about.st_size, about.st_mtime_ns))
    return tuple(found)


def place_of(path: Path) -> Path:
    """One name for a place that may have several."""
    return Path(os.path.realpath(path))


def refuse_foreign(path: Path, is_own: Callable[[Path], bool], what: str) -> None:
    """Refuse to overwrite a file that is not of the kind that is written.

    Parameters
    ----------
    is_own
        Whether a file that is there is of that kind.
    what
        What it is not, such as "a hierarchy of this program".

    Raises
    ------
    AlreadyThere
        If something else stands at the path.
    """
    if path.is_file() and mark_of(path) and not is_own(path):
        raise AlreadyThere(
            f"“{path.name}” exists already and is not {what}; it would be lost.",
            hint="Choose another name.",
            field="path",
        )


def marks_of(paths: Iterable[Path]) -> dict[Path, FileMarks]:
    """By what everything that was written is recognised, by its place."""
    return {place_of(path): mark_of(path) for path in paths}


def others(paths: Iterable[Path], own: Mapping[Path, FileMarks]) -> tuple[Path, ...]:
    """Those of the paths where something stands that is not as it was written, `own`."""
    return tuple(path for path in paths if (there := mark_of(path)) and own.get(place_of(path)) != there)


def refuse_others(paths: Iterable[Path], own: Mapping[Path, FileMarks]) -> None:
    """Refuse to overwrite what was not written as part of the same release.

    Raises
    ------
    AlreadyThere
        If something else stands at one of the paths.
    """
    standing = [f"“{path.name}”" for path in others(paths, own)]
    if standing:
        verb, what = ("exists", "it") if len(standing) == 1 else ("exist", "they")
        raise AlreadyThere(
            f"{' and '.join(standing)} {verb} already, and {what} would be overwritten by another release.",
            hint="Choose another name.",
            field="path",
        )
