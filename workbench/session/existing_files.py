"""Files that stand where a release is to be written, so that no other one is overwritten unasked."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from workbench.core.errors import WorkbenchError
from workbench.io.opening import file_fingerprint

FileMarks: TypeAlias = tuple[tuple[str, int, str], ...]
"""By what a file, or the files of a folder, are recognised: name, size and SHA-256 of each."""


class AlreadyThere(WorkbenchError):
    """Something else stands where a release is to be written."""


def standing_at(path: Path) -> tuple[tuple[str, int], ...]:
    """Name and size of the file, or of each of the folder, at `path`; empty if nothing is there that could be lost."""
    return tuple((file.name, size) for file, size in _files_at(path))


def mark_of(path: Path) -> FileMarks:
    """By what the file or folder at `path` is recognised; empty if nothing is there that could be lost.

    Raises
    ------
    WorkbenchError
        If a file cannot be read, or changes meanwhile.
    """
    return tuple((file.name, size, file_fingerprint(file)) for file, size in _files_at(path))


def _files_at(path: Path) -> list[tuple[Path, int]]:
    found: list[tuple[Path, int]] = []
    with contextlib.suppress(OSError):
        for file in sorted(path.iterdir()) if path.is_dir() else [path]:
            size = file.stat().st_size
            if size or file is not path:
                found.append((file, size))
    return found


def _is(path: Path, mark: FileMarks) -> bool:
    """Whether what stands there has the bytes that were written; what cannot be read has not."""
    if standing_at(path) != tuple((name, size) for name, size, _ in mark):
        return False  # most other files have another size, and need not be read
    with contextlib.suppress(WorkbenchError):
        return mark_of(path) == mark
    return False


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
    if path.is_file() and standing_at(path) and not is_own(path):
        raise AlreadyThere(
            f"“{path.name}” exists already and is not {what}; it would be lost.",
            hint="Choose another name.",
            field="path",
        )


def marks_of(paths: Iterable[Path]) -> dict[Path, FileMarks]:
    """By what everything that was written is recognised, by its place."""
    return {place_of(path): mark_of(path) for path in paths}


def others(paths: Iterable[Path], own: Mapping[Path, FileMarks]) -> tuple[Path, ...]:
    """Those of the paths where something stands that is not, byte by byte, as it was written, `own`."""
    return tuple(path for path in paths if standing_at(path) and not _is(path, own.get(place_of(path), ())))


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
