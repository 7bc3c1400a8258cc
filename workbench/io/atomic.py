"""Writing a file so that at any moment either the old or the whole new one is there."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, BinaryIO, Literal, TextIO, overload

from workbench.core.errors import WorkbenchError
from workbench.io.leftovers import NEW, OLD, open_part, part_folder, sweep
from workbench.io.protected_files import known, refuse_protected

_ELSEWHERE = "Choose another folder, or make room and try again."


@overload
def atomic_write(
    path: str | os.PathLike[str],
    mode: Literal["b"] = "b",
    *,
    protected: Iterable[str | os.PathLike[str]] = (),
    private: bool = False,
    own: bool = False,
) -> contextlib.AbstractContextManager[BinaryIO]: ...


@overload
def atomic_write(
    path: str | os.PathLike[str],
    mode: Literal["t"],
    *,
    protected: Iterable[str | os.PathLike[str]] = (),
    private: bool = False,
    own: bool = False,
) -> contextlib.AbstractContextManager[TextIO]: ...


def atomic_write(
    path: str | os.PathLike[str],
    mode: Literal["b", "t"] = "b",
    *,
    protected: Iterable[str | os.PathLike[str]] = (),
    private: bool = False,
    own: bool = False,
) -> contextlib.AbstractContextManager[Any]:
    """A context manager that yields a file, and puts it in the place of `path` when all went well.

    What is written goes to a file beside `path` that only its owner can read. At the end it is forced to
    the disk, renamed, and given the permissions of the file it replaces (or the usual ones). If the body
    raises, that file is removed and `path` is as before. A symbolic link is followed, not replaced. What processes
    that were killed left in the folder is taken away.

    Parameters
    ----------
    mode
        "b" for bytes, which can also be read back before the file takes its place; "t" for text in UTF-8 with line
        ends as written.
    protected
        Files that must not be overwritten besides those that `workbench.io.protected_files` knows of, such as the one
        the data was read from; recognised under any name they have.
    private
        Only the owner may read the file, whatever the usual permissions are.
    own
        It is a file that the program itself keeps, such as a project, and brings up to date. One that is private too
        lies in a folder of the program, where nobody keeps data: what others read is not looked for then.

    Raises
    ------
    WorkbenchError
        If `path` is protected or no ordinary file, or it cannot be written.
    """
    return _atomic_write(Path(path), mode, tuple(map(Path, protected)), private, own)


@contextlib.contextmanager
def atomic_place(path: str | os.PathLike[str], *, protected: Iterable[str | os.PathLike[str]] = ()) -> Iterator[Path]:
    """A context manager that yields where a file can be made by its name, and puts it in the place of `path`.

    As `atomic_write`, for what is written by something that opens files itself. The place is in a folder beside `path`
    that only its owner can look into.
    """
    path = Path(path)
    with _explained(path):
        target, permissions = _target(path, tuple(map(Path, protected)))
    with _private_folder(path, target) as private:
        place = private / NEW / target.name
        yield place
        _force(place, permissions)
        place.replace(target)
    force_folder(target.parent)


@contextlib.contextmanager
def atomic_folder(
    path: str | os.PathLike[str],
    *,
    replaces: Callable[[Path], bool],
    protected: Iterable[str | os.PathLike[str]] = (),
) -> Iterator[Path]:
    """As `atomic_place`, for a folder of files.

    A folder that stands at `path` is moved away before the new one takes its place, and comes back if that fails.

    Parameters
    ----------
    replaces
        Whether a folder that is there may go, for what is in it.

    Raises
    ------
    WorkbenchError
        If `path` is a file or another folder, or holds a protected file, or it cannot be written.
    """
    path = Path(path)
    target = _target_folder(path, tuple(map(Path, protected)), replaces)
    with _private_folder(path, target) as private:
        place = private / NEW / target.name
        yield place
        permissions = 0o666 & ~_umask()
        for file in place.iterdir():
            _force(file, permissions)
        there = target.is_dir()
        place.chmod(stat.S_IMODE(target.stat().st_mode) & 0o777 if there else 0o777 & ~_umask())
        force_folder(place)
        old = private / OLD
        try:
            if there:
                target.replace(old)
            place.replace(target)
        except BaseException:
            if old.is_dir() and not target.exists():
                old.replace(target)
            raise
    force_folder(target.parent)


@contextlib.contextmanager
def folder_for(folder: Path, field: str = "out") -> Iterator[None]:
    """Make a folder around what is written into it, if it is not there; if that fails, no empty one is left behind.

    Parameters
    ----------
    field
        What named it.

    Raises
    ------
    WorkbenchError
        If it cannot be made.
    """
    new = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WorkbenchError(
                f"The folder {folder} cannot be made: {error.strerror or error}.",
                hint="Choose a folder you may write to.",
                field=field,
            ) from error
        yield
    except BaseException:
        with contextlib.suppress(OSError):  # something stands in it
            for one in new:
                one.rmdir()
        raise


def check_folder_writable(
    path: str | os.PathLike[str],
    replaces: Callable[[Path], bool],
    protected: Iterable[str | os.PathLike[str]] = (),
) -> None:
    """Refuse at once what `atomic_folder` would refuse when it begins; nothing is written.

    What a process that was killed left beside it is settled first, since that may be the very folder.
    """
    path = Path(path)
    sweep(path.absolute().parent)  # which may bring the folder itself to its end
    target = _target_folder(path, tuple(map(Path, protected)), replaces)
    with _explained(path):
        if not os.access(target.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target.parent))


def _target_folder(path: Path, protected: tuple[Path, ...], replaces: Callable[[Path], bool]) -> Path:
    target = Path(os.path.realpath(path))
    refuse_protected(path)
    for other in (*protected, *known()):
        if Path(os.path.realpath(other)).is_relative_to(target):
            raise WorkbenchError(
                f"“{path}” holds “{other.name}”, which must not be overwritten.",
                hint="Choose another name.",
                field="path",
            )
    with _explained(path):
        if not target.parent.is_dir():
            raise _no_folder(target.parent)
        if target.is_dir() and not replaces(target):
            raise WorkbenchError(
                f"The folder “{path}” holds something else than the parts of an earlier release.",
                hint="Choose another name, or empty the folder first.",
                field="path",
            )
        if target.exists() and not target.is_dir():
            raise WorkbenchError(
                f"“{path}” is a file, and a folder of parts is to stand there.",
                hint="Choose another name, or remove the file first.",
                field="path",
            )
    return target


@contextlib.contextmanager
def _private_folder(path: Path, target: Path) -> Iterator[Path]:
    """A folder beside the target for what is being made; it is gone at the end. Errors of files in it are explained."""
    sweep(target.parent)
    with contextlib.ExitStack() as stack:
        with _explained(path):
            private = stack.enter_context(part_folder(target))
        stack.enter_context(_explained(path, private))
        yield private


def _force(file: Path, permissions: int) -> None:
    """Give a complete file its permissions, and bring it to the disk."""
    file.chmod(permissions)
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def check_writable(path: str | os.PathLike[str], protected: Iterable[str | os.PathLike[str]] = ()) -> None:
    """Refuse at once what `atomic_write` would refuse when it opens the file; nothing is written.

    Raises
    ------
    WorkbenchError
        If `path` is protected or no ordinary file, or its folder is missing or may not be written to.
    """
    path = Path(path)
    with _explained(path):
        target, _ = _target(path, tuple(map(Path, protected)))
        if not os.access(target.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target.parent))


def _target(path: Path, protected: tuple[Path, ...], own: bool = False, private: bool = False) -> tuple[Path, int]:
    """The file that is meant, and the permissions it is to have; refuses what must not be written."""
    target = Path(os.path.realpath(path))
    permissions = _permissions(path, target)
    if protected or not (own and private):
        refuse_protected(path, protected, own=own)
    return target, permissions


@contextlib.contextmanager
def _atomic_write(
    path: Path, mode: Literal["b", "t"], protected: tuple[Path, ...], private: bool, own: bool
) -> Iterator[IO[Any]]:
    with _explained(path):
        target, permissions = _target(path, protected, own, private)
        sweep(target.parent)
        descriptor, part = open_part(target)
    try:
        with _explained(path, part):
            with _opened(descriptor, mode) as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
                if sys.platform != "win32":  # while it is locked, so that nobody takes it for a leftover
                    part.replace(target)
            if sys.platform == "win32":
                part.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            part.unlink()
        raise
    # Until now only its owner could read it. A disk that knows no permissions is no reason to fail.
    with contextlib.suppress(OSError):
        target.chmod(0o600 if private else permissions)
    force_folder(target.parent)


def _opened(descriptor: int, mode: Literal["b", "t"]) -> IO[Any]:
    return os.fdopen(descriptor, "w+b") if mode == "b" else os.fdopen(descriptor, "w", encoding="utf-8", newline="")


def _permissions(path: Path, target: Path) -> int:
    """The permissions the new file is to have; refuses what is no ordinary file."""
    try:
        found = target.stat().st_mode
    except FileNotFoundError:
        if not target.parent.is_dir():
            raise _no_folder(target.parent) from None
        return 0o666 & ~_umask()
    if stat.S_ISDIR(found):
        raise WorkbenchError(f"“{path}” is a folder.", hint="Give the name of a file inside it.", field="path")
    if not stat.S_ISREG(found):
        raise WorkbenchError(
            f"“{path}” is a device or pipe, not an ordinary file.", hint="Choose another name.", field="path"
        )
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    return stat.S_IMODE(found) & 0o777


def _no_folder(folder: Path) -> WorkbenchError:
    return WorkbenchError(f"There is no folder “{folder}”.", hint="Create it or choose another one.", field="path")


@contextlib.contextmanager
def _explained(path: Path, part: Path | None = None) -> Iterator[None]:
    """Turn what may go wrong when writing into words a person can act on."""
    try:
        yield
    except (OSError, ValueError) as error:
        if part is not None and not _concerns(error, part):
            raise  # Something else the caller did while the file was open.
        why = why_not(error)
        raise WorkbenchError(
            f"“{path}” cannot be written: {why}. Nothing was changed.", hint=_ELSEWHERE, field="path"
        ) from error


def _concerns(error: OSError | ValueError, part: Path) -> bool:
    """Whether an error is about the file, or a file in the folder, that is being made."""
    name = getattr(error, "filename", str(error))
    return name is None or name == str(part) or str(name).startswith(f"{part}{os.sep}")


def why_not(error: OSError | ValueError) -> str:
    """Why something could not be written, in words that follow a colon."""
    code = error.errno if isinstance(error, OSError) else None
    if code in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return "there is not enough room on the disk"
    if code in (errno.EACCES, errno.EPERM):
        return "you may not write there"
    if code == errno.EROFS:
        return "the disk is read-only"
    if code == errno.ENAMETOOLONG:
        return "the name is too long"
    return getattr(error, "strerror", None) or str(error)


def force_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    # The new name survives a power cut only once its folder is on the disk too. Not every system can do
    # that, and the file is complete in any case.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _umask() -> int:
    """The permissions new files do not get. Asking the system means setting them for a moment."""
    with contextlib.suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("Umask:")), 8)
    current = os.umask(0o077)
    os.umask(current)
    return current
