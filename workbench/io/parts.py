"""The files of a table: one file, a folder of parts, or all that a pattern names."""

from __future__ import annotations

import glob
import hashlib
import os
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from fnmatch import fnmatch
from pathlib import Path

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.io.addresses import Address, is_address
from workbench.io.file_stamps import steady
from workbench.io.opening import FileContent, file_fingerprint, form_of

_NO_PART = (".", "_")


def parts_of(given: str | os.PathLike[str], progress: Progress = SILENT) -> tuple[Path, ...]:
    """The files a path, a folder or a pattern such as `parts/*.csv` stands for, ordered by name.

    Hidden files, empty ones, and those whose name begins with `_`, which mark that a folder is complete, are no parts.
    A path that is neither a folder nor a pattern stands for itself, whether there is such a file or not.

    Raises
    ------
    WorkbenchError
        If a folder or pattern stands for no file, or a folder may not be looked into: a part of the table would be
        missing, and nothing would say so.
    Cancelled
        If the person pressed Cancel: a pattern may stand for the whole disk.
    """
    path = Path(given)
    if is_address(given):
        return (Address.of(given).path,)
    if path.is_file() or not (path.is_dir() or glob.has_magic(str(path))):
        return (path,)
    if path.is_dir():
        listed = _inside(path, progress)
    else:
        listed = []
        for named in glob.iglob(str(path), recursive=True):  # noqa: PTH207  `Path.glob` takes no absolute pattern
            progress.silent(0.0)
            if not (found := Path(named)).name.startswith(_NO_PART):
                listed.append(found)
    parts = tuple(sorted(found for found in listed if found.is_file() and _size(found)))
    if not parts:
        raise WorkbenchError(
            f"The folder “{path}” holds no file to read."
            if path.is_dir()
            else f"There is no file whose name is like “{path}”.",
            hint="Name a file, a folder of parts, or a pattern such as parts/*.csv in quotation marks.",
            field="path",
        )
    return parts


def _inside(folder: Path, progress: Progress) -> list[Path]:
    found: list[Path] = []
    for place, folders, names in os.walk(folder, onerror=_refuse_unreadable):
        progress.silent(0.0)
        folders[:] = [name for name in folders if not name.startswith(_NO_PART)]
        found += [Path(place, name) for name in names if not name.startswith(_NO_PART)]
    return found


def _refuse_unreadable(error: OSError) -> None:
    raise WorkbenchError(
        f"The folder “{error.filename}” may not be looked into: {error.strerror}.",
        hint="Change its permissions, or name the files that are to be read by a pattern.",
        field="path",
    ) from error


def _size(path: Path) -> int:
    """Bytes of a file; 0 if it has just been removed."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def refuse_among_parts(path: Path, read: Iterable[Path]) -> None:
    """Refuse to write a file where it would be taken for a part of the table, the next time that is read.

    Parameters
    ----------
    read
        What was read: files, folders of parts and patterns.

    Raises
    ------
    WorkbenchError
        If the file would lie in one of the folders, or be named by one of the patterns.
    """
    target = Path(os.path.realpath(path)).parts
    for given in read:
        if is_address(given) or given.is_file():
            continue
        if given.is_dir():
            folder = Path(os.path.realpath(given)).parts
            inside = target[len(folder) :] if target[: len(folder)] == folder else ()
            taken = bool(inside) and not any(name.startswith(_NO_PART) for name in inside)
        else:
            fixed = given
            while glob.has_magic(str(fixed)):
                fixed = fixed.parent
            asked = given.parts[len(fixed.parts) :]
            taken = bool(asked) and _named(target, (*Path(os.path.realpath(fixed)).parts, *asked))
        if taken:
            raise WorkbenchError(
                f"“{path}” would lie among the parts of “{given}”, and be read as one of them the next time.",
                hint="Choose a folder outside.",
                field="path",
            )


def _named(names: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path is named by a pattern, both folder by folder."""
    if not pattern:
        return not names
    if pattern[0] == "**":
        return any(_named(names[skipped:], pattern[1:]) for skipped in range(len(names) + 1))
    return bool(names) and fnmatch(names[0], pattern[0]) and _named(names[1:], pattern[1:])


def columns_in_folders(parts: Iterable[Path]) -> tuple[str, ...]:
    """Columns that stand in the names of folders, such as `sex=f`, as Spark and others partition; they are not read."""
    names = (name for part in parts for name in part.parent.parts if "=" in name)
    return tuple(dict.fromkeys(name.split("=")[0] for name in names))


def is_there(given: str | os.PathLike[str], progress: Progress = SILENT) -> bool:
    """Whether a path, a folder or a pattern stands for files that exist."""
    try:
        if is_address(given):
            return True  # the server says so, when it is asked
        return all(part.exists() for part in parts_of(given, progress))
    except (WorkbenchError, OSError):
        return False


def place_beside(given: str | os.PathLike[str], *, parts: bool | None = None) -> tuple[Path, str]:
    """Where what is made of a table may lie, and a name for it without an ending.

    Beside a file; of parts beside their folder and not in it, where it would be taken for one of them.

    Parameters
    ----------
    parts
        Whether it stands for parts, which who has read it knows; looked for on the disk if not given.
    """
    path = Path(given)
    if is_address(given):
        return Path.home(), path.name or "table"
    if parts is None:
        parts = not path.is_file() and (path.is_dir() or glob.has_magic(str(path)))
    if not parts:
        return path.parent, path.name.split(".")[0]
    while glob.has_magic(str(path)):
        path = path.parent
    return path.parent, path.name or "table"


def steady_parts(
    given: str | os.PathLike[str], parts: Sequence[Path], progress: Progress = SILENT
) -> AbstractContextManager[None]:
    """Refuse what is read of the files of a table inside if they change meanwhile, or become others.

    Raises
    ------
    WorkbenchError
        If they do.
    """
    if form_of(parts[0]).database:
        return nullcontext()  # its one transaction sees nothing of what changes meanwhile
    return steady(parts, again=lambda: parts_of(given), digest=lambda part: file_fingerprint(part, progress.silent))


def form_of_parts(given: str | os.PathLike[str], parts: Sequence[Path]) -> FileContent:
    """Form of the files of one table.

    Raises
    ------
    WorkbenchError
        If they are of different forms, or several workbooks; or one of them cannot be read.
    """
    forms = {form_of(path) for path in parts}
    if len(forms) > 1:
        raise WorkbenchError(
            f"“{given}” names files of different forms: {' and '.join(sorted(forms))}.",
            hint="Name the files of one form, such as parts/*.parquet.",
            field="path",
        )
    form = forms.pop()
    if not form.for_engines and len(parts) > 1:
        raise WorkbenchError(
            f"“{given}” names {len(parts):,} {form.many}, which are read one at a time.",
            hint="Name one of them, or save them as CSV first.",
            field="path",
        )
    return form


def joint_fingerprint(fingerprints: Sequence[str]) -> str:
    """The fingerprint of a table from those of its files: of one file its own, of parts that of theirs in order."""
    if len(fingerprints) == 1:
        return fingerprints[0]
    return hashlib.sha256("".join(fingerprints).encode()).hexdigest()


def fingerprint_of(parts: Sequence[Path], progress: Progress = SILENT) -> str:
    """SHA-256 of the file, or of the SHA-256 of every part in order."""
    share = 1 / len(parts)
    return joint_fingerprint(
        [file_fingerprint(path, progress.part(place * share, (place + 1) * share)) for place, path in enumerate(parts)]
    )
