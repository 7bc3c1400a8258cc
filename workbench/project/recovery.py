"""Unsaved work that survives a crash, and who has a project open.

Every window has a slot in a folder of the person's own: a project file with what is not saved yet, and a lock of the
operating system that ends with the window's process. A slot whose lock is free was left by a process that ended
without closing its project: its work is offered to the next window. As in every project, there is no data in it.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import zipfile
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from pathlib import Path
from threading import Lock

import platformdirs

from workbench.core.errors import WorkbenchError
from workbench.io.atomic import why_not
from workbench.io.os_lock import LockFile
from workbench.project.archive import BROKEN, member
from workbench.project.marks import ProjectMark
from workbench.project.model import Project
from workbench.project.said_beside import SaidBeside
from workbench.project.storage import SUFFIX, load_project, save_project

_NOTE = "unsaved.json"
_LOCK = ".lock"
_LARGEST_NOTE = 64 * 1024
_READING = Lock()
"""While a thread reads what was set aside it holds the locks of the files, which another would take for somebody's."""


def _folder(name: str) -> Path:
    return Path(platformdirs.user_data_path("anonymisation-workbench", False)) / name


@dataclass(frozen=True)
class Unsaved:
    """Work that a process left unsaved.

    Parameters
    ----------
    file
        The recovery file.
    path
        The project it belongs to; None if it was never saved.
    changed
        When it was kept, seconds since 1970.
    mark
        How the file of the project was found when it was opened or saved last.
    data
        The name of the table it is about; "" if there is none, or an earlier program kept it.
    table
        Where that table is; "" where `data` is.
    exported
        Whether it is what was exported last, so that only its settings are unsaved, and nothing that waits.
    """

    file: Path
    path: Path | None
    changed: float
    mark: ProjectMark | None = None
    data: str = ""
    table: str = ""
    exported: bool = False

    @property
    def source(self) -> str:
        """What was opened to come to this work: its project or, where there is none, its table."""
        return self.table if self.path is None else str(self.path)


class Slot:
    """The place of one window for its unsaved work. The folder is made with the first work that is kept.

    Parameters
    ----------
    folder
        Of all recovery files; by default one of the person's own.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or _folder("recovery")
        name = secrets.token_hex(8)
        self.file = self.folder / f"{name}{SUFFIX}"
        self._lock = LockFile(self.folder / f"{name}{_LOCK}")

    def keep(
        self,
        project: Project,
        path: Path | None,
        mark: ProjectMark | None = None,
        said: SaidBeside | None = None,
        *,
        exported: bool = False,
    ) -> None:
        """Keep unsaved work. The old state survives untouched if anything goes wrong; safe on any thread.

        Parameters
        ----------
        path, mark
            The file of the project, and how it was found; None if it has none yet.
        said
            What was said of its table; None for nothing.
        exported
            Whether nothing of it changed since it was exported.

        Raises
        ------
        WorkbenchError
            If the file cannot be written.
        """
        try:
            if not self._lock.take():
                raise WorkbenchError("Another process has the recovery file.", field="recovery")
        except OSError as error:
            raise WorkbenchError(
                f"Unsaved work cannot be kept in {self.folder}: {why_not(error)}.",
                hint="Save the project more often, or make room there.",
                field="recovery",
            ) from error
        note = json.dumps(
            {
                "path": None if path is None else str(path),
                "mark": None if mark is None else list(astuple(mark)),
                "data": "" if project.data is None else Path(project.data.path).name,
                "table": "" if project.data is None else project.data.path,
                "exported": exported,
            }
        )
        notes = {_NOTE: note, **({} if said is None else said.note())}
        save_project(project, self.file, notes=notes, private=True)

    def clear(self) -> None:
        """Forget the work: it was saved, or given up."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)
        self._lock.release()

    # What gave way to other work

    def set_aside(self) -> Unsaved | None:
        """Let the work lie where `kept_aside` finds it; the slot is of no use any more. None if it has to stay."""
        unsaved = _unsaved(self.file)
        moved = None if unsaved is None else self._move_aside(unsaved)
        if moved is not None:
            self._lock.release()
        return moved

    def lay_aside(self, unsaved: Unsaved) -> bool:
        """The same for work that another process left; False where it stays, or another window has taken it over."""
        lock = LockFile(unsaved.file.with_suffix(_LOCK))
        if not lock.take():
            return False
        try:
            return self._move_aside(unsaved) is not None
        finally:
            lock.release()

    def _move_aside(self, unsaved: Unsaved) -> Unsaved | None:
        place = _aside(self.folder) / unsaved.file.name
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            unsaved.file.replace(place)
        except OSError:
            return None
        return replace(unsaved, file=place)

    def kept_aside(self) -> tuple[Unsaved, ...]:
        """Work that was set aside and is in no window, the latest first. Safe on any thread."""
        with _READING:
            return Slot(_aside(self.folder)).left_behind()

    # What others left

    def left_behind(self) -> tuple[Unsaved, ...]:
        """Work that processes which no longer run left unsaved, the latest first."""
        found = []
        for lock, file in self._abandoned():
            with lock:
                if not file.exists():
                    _remove(file)  # killed before anything was whole: only a part can be left
                elif (unsaved := _unsaved(file)) is not None:
                    found.append(unsaved)
        return tuple(sorted(found, key=lambda one: one.changed, reverse=True))

    def take_over(self, unsaved: Unsaved) -> Project:
        """The project that was left, which from now on is kept in this slot, with what was said of its table.

        Raises
        ------
        WorkbenchError
            If it is damaged, or another window has taken it over; it stays where it is.
        """
        lock = LockFile(unsaved.file.with_suffix(_LOCK))
        if not lock.take():
            raise WorkbenchError("Another window has taken over this work.", field="recovery")
        try:
            project, said = load_project(unsaved.file), SaidBeside.of_file(unsaved.file)
            self.keep(project, unsaved.path, unsaved.mark, said)
            _remove(unsaved.file)
        finally:
            lock.release()
        return project

    def discard(self, unsaved: Unsaved) -> None:
        """Give up work that was left; nothing happens if another window has taken it over."""
        lock = LockFile(unsaved.file.with_suffix(_LOCK))
        if lock.take():
            _remove(unsaved.file)
            lock.release()

    def _abandoned(self) -> Iterator[tuple[contextlib.AbstractContextManager[None], Path]]:
        try:
            names = [found.name for found in self.folder.iterdir()]
        except OSError:
            return
        owners = {name.lstrip(".").split(".")[0] for name in names}
        for owner in sorted(owners):
            file = self.folder / f"{owner}{SUFFIX}"
            lock = LockFile(file.with_suffix(_LOCK))
            if file == self.file:
                continue
            with contextlib.suppress(OSError):
                if lock.take():
                    yield _held(lock), file


class ProjectLock:
    """Tells whether another window of this person has the same project open.

    The lock lies in a folder of the person's own, so that nothing is left beside the project and a project in a
    folder that cannot be written to can be opened too.

    Parameters
    ----------
    path
        The project, under any of its names.
    folder
        Of the locks; by default one of the person's own.
    """

    def __init__(self, path: Path, folder: Path | None = None) -> None:
        self.path = Path(os.path.realpath(path))
        name = sha256(os.fsencode(self.path)).hexdigest()
        self._lock = LockFile((folder or _folder("open")) / f"{name}{_LOCK}")

    def take(self) -> bool:
        """Whether the project is ours now. Where locks cannot be made it is, for nobody can say otherwise."""
        try:
            return self._lock.take()
        except OSError:
            return True

    def release(self) -> None:
        """The project is no longer open here."""
        self._lock.release()


def _aside(folder: Path) -> Path:
    return folder.with_name("aside")


@contextlib.contextmanager
def _held(lock: LockFile) -> Iterator[None]:
    try:
        yield
    finally:
        lock.release()


def _unsaved(file: Path) -> Unsaved | None:
    """The unsaved work that a recovery file describes; None if it is no such file."""
    try:
        with zipfile.ZipFile(file) as archive:
            note = json.loads(member(archive, _NOTE, _LARGEST_NOTE))
        path, mark, data, table = note["path"], note.get("mark"), note.get("data"), note.get("table")
        return Unsaved(
            file,
            Path(path) if isinstance(path, str) else None,
            file.stat().st_mtime,
            ProjectMark(*mark) if isinstance(mark, list) else None,
            data if isinstance(data, str) else "",
            table if isinstance(table, str) else "",
            note.get("exported") is True,
        )
    except (OSError, TypeError, AttributeError, *BROKEN):
        return None


def _remove(file: Path) -> None:
    """Remove a recovery file, and what a process that was killed while writing it left beside it."""
    for one in (file, *file.parent.glob(f".{file.name}.*.part")):
        with contextlib.suppress(OSError):
            one.unlink()
