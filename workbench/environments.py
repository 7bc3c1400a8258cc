"""The virtual environments that starts make for a checkout, told with the standard library alone.

They lie in `.venvs`, each in a folder of its own that is never changed once it is whole: the scripts in it hold its
path, and a running program imports from it whenever it likes. One that must hold something else is made beside, out
of the packages of the one before, and becomes the newest by its stamp, which is written last. `.venv` is a link to the
newest, for people; where another Python has that name already, it is `.venv-3.13` and so on. An old one is removed once
no process uses it, and one without a stamp, which a start that was stopped left behind, at the next start.

A `.venv` that is a folder and no link was made by a person, by an early version of this program, or on Windows, which
has no links for everybody.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

# Locks; not on Windows.
fcntl: Any = importlib.import_module("fcntl") if importlib.util.find_spec("fcntl") else None

_SHELF = ".venvs"
_STREAMS = 2
"""The last number of a standard stream."""
_STAMP = "workbench-environment.json"
_SCRIPTS = "Scripts" if os.name == "nt" else "bin"
_PROCESSES = Path("/proc")

BESIDE = os.name != "nt"
"""Whether environments are made beside one another, with a link to the newest; else in the place of the link."""


def python_of(folder: Path) -> Path:
    """The program file of a virtual environment's Python."""
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


@dataclass(frozen=True)
class EnvironmentStamp:
    """The stamp by which a start recognises an environment.

    Attributes
    ----------
    number
        Counts the environments of a checkout; 0 in a folder that was not made beside another.
    folder
        Where it was made. One that was moved does not work as a whole: its scripts hold that path.
    accepted
        Requirements that were not recognised as met after pip had met them all.
    pins
        The constraints it was installed with.
    made_by_start
        Whether a start made it, and may replace it.
    """

    number: int = 0
    folder: str = ""
    accepted: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    made_by_start: bool = False

    @classmethod
    def read(cls, folder: Path) -> EnvironmentStamp | None:
        """The stamp of an environment; None if there is none that can be read."""
        try:
            content = json.loads((folder / _STAMP).read_text(encoding="utf-8"))
            return cls(
                number=int(content.get("number", 0)),
                folder=str(content.get("folder", folder)),
                accepted=tuple(map(str, content.get("accepted", ()))),
                pins=tuple(map(str, content.get("pins", ()))),
                made_by_start=bool(content["made_by_start"]),
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def write(self, folder: Path) -> None:
        """Write it whole or not at all."""
        part = folder / f"{_STAMP}.part"
        with part.open("w", encoding="utf-8") as file:
            json.dump(asdict(self), file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / _STAMP)


@dataclass(frozen=True)
class Shelf:
    """The environments of a checkout.

    Attributes
    ----------
    root
        The checkout's folder.
    version
        Major and minor version of the Python that looks for its own.
    """

    root: Path
    version: tuple[int, int]

    @property
    def folder(self) -> Path:
        return self.root / _SHELF

    @property
    def plain(self) -> Path:
        return self.root / ".venv"

    @property
    def name(self) -> str:
        return ".".join(map(str, self.version))

    def newest(self) -> Path | None:
        """The environment that starts of this Python run in; None if there is none that is whole."""
        made = [(stamp.number, folder) for folder in self._made(self.name) if (stamp := EnvironmentStamp.read(folder))]
        return max(made, default=(0, None))[1]

    def folder_in_place(self) -> Path | None:
        """`.venv`, or the one with this Python's name, if it is no link of ours and has a Python of this version."""
        for place in (self.plain, self.root / f".venv-{self.name}"):
            if not self._is_ours(place) and python_of(place).exists() and self._fits(place):
                return place
        return None

    def holds(self, prefix: Path) -> bool:
        """Whether a Python with this `sys.prefix` runs in an environment that a start made."""
        place = prefix.resolve()
        if place.parent == self.folder.resolve():
            return True
        return place == self.plain.resolve() and bool((stamp := EnvironmentStamp.read(place)) and stamp.made_by_start)

    def claim(self) -> tuple[Path, int]:
        """Make the folder of a new environment; returns its number too, by which it will be the newest."""
        if not BESIDE:
            self.link().mkdir(exist_ok=True)
            return self.link(), 0
        numbers = [stamp.number for folder in self._made("") if (stamp := EnvironmentStamp.read(folder))]
        self.folder.mkdir(exist_ok=True)
        # Not the number as a name: something that outlived a stopped start may still write where it began to.
        new = self.folder / f"{self.name}-{os.urandom(4).hex()}"
        new.mkdir()
        return new, max(numbers, default=0) + 1

    def tidy(self) -> None:
        """Point the link at the newest environment, and remove what nobody needs any more.

        Call it while no other start changes anything. What cannot be done is left to the next start.
        """
        newest = self.newest()
        with contextlib.suppress(OSError):
            if newest is not None:
                self._point(newest)
        kept = self._kept()
        for folder in self._made(""):
            with contextlib.suppress(OSError):
                if folder not in kept and retire(folder):
                    shutil.rmtree(folder)

    @property
    def is_tidy(self) -> bool:
        """Whether `tidy` would find nothing to do."""
        newest, kept = self.newest(), self._kept()
        pointed = newest is None or _points_to(self.link(), newest)
        return pointed and all(folder in kept for folder in self._made(""))

    def link(self) -> Path:
        """Where people find the environment: `.venv`, unless that belongs to another Python or to a person."""
        if self._is_ours(self.plain):
            mine = self.plain.readlink().name.startswith(f"{self.name}-") or not self.plain.exists()
        elif os.path.lexists(self.plain):
            stamp = EnvironmentStamp.read(self.plain)
            mine = bool(stamp and stamp.made_by_start) and self._fits(self.plain)
        else:
            mine = True
        return self.plain if mine else self.root / f".venv-{self.name}"

    def _fits(self, folder: Path) -> bool:
        return _version_of(folder) in (None, self.version)

    def _is_ours(self, link: Path) -> bool:
        return link.is_symlink() and link.readlink().parent == Path(_SHELF)

    def _made(self, name: str) -> list[Path]:
        pattern = re.compile(rf"{re.escape(name) or '[0-9]+[.][0-9]+'}-[0-9a-f]{{8}}")
        try:
            return sorted(folder for folder in self.folder.iterdir() if pattern.fullmatch(folder.name))
        except OSError:
            return []

    def _kept(self) -> set[Path | None]:
        names = {folder.name.partition("-")[0] for folder in self._made("")}
        return {Shelf(self.root, _numbers(name)).newest() for name in names}

    def _point(self, newest: Path) -> None:
        link = self.link()
        if _points_to(link, newest):
            return
        if link.is_dir() and not link.is_symlink():
            # Made by an early version of this program, at this very path: what runs in it needs it there.
            if _mentioned(link):
                return
            link.rename(newest.with_name(f"{self.name}-{os.urandom(4).hex()}"))
        part = link.with_name(f"{link.name}.part")
        part.unlink(missing_ok=True)
        part.symlink_to(Path(self.folder.name) / newest.name, target_is_directory=True)
        part.replace(link)
        _activate_by(link, newest)


def carry_over(old: Path, new: Path) -> None:
    """Give an environment everything that another one has and it lacks, and let the scripts name their new place.

    Files are shared between the two where the file system can (pip replaces files and never writes into one).

    Raises
    ------
    OSError
        If something cannot be read or written.
    """
    stamp = EnvironmentStamp.read(old)
    places = {str(old), stamp.folder if stamp else str(old)}
    for folder, folders, names in os.walk(old):
        there = new / Path(folder).relative_to(old)
        there.mkdir(exist_ok=True)
        for name in (*names, *(name for name in folders if (Path(folder) / name).is_symlink())):
            source, target = Path(folder) / name, there / name
            if os.path.lexists(target) or name.startswith(_STAMP):
                continue
            if there == new / _SCRIPTS and not source.is_symlink() and _is_script(source):
                _relocate(source, target, places, new)
            else:
                _share(source, target)


def hold(folder: Path, *, across_restart: bool = False) -> bool:
    """Keep an environment from being removed while this process lives.

    Parameters
    ----------
    folder
        The environment.
    across_restart
        Whether the program that takes this process's place shall hold it too.

    Returns
    -------
    bool
        False if it is gone, or being removed.
    """
    if fcntl is None:
        return True
    if not (folder / _STAMP).exists():  # a person's, which no start removes
        return python_of(folder).exists() and folder.parent.name != _SHELF
    try:
        place = _above_streams(os.open(folder, os.O_RDONLY))
    except OSError:
        return False
    try:
        fcntl.flock(place, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(place)
        return False
    except OSError:  # a file system without locks: nothing is ever removed there
        os.close(place)
        return True
    os.set_inheritable(place, across_restart)
    return (folder / _STAMP).exists()


def _above_streams(place: int) -> int:
    """The same open file under a number that is no stream's: where standard output is closed, its number is free.

    The program that takes this one's place would take the folder for its standard output, and end at once.
    """
    if place > _STREAMS:
        return place
    found: int = fcntl.fcntl(place, fcntl.F_DUPFD_CLOEXEC, _STREAMS + 1)
    os.close(place)
    return found


def retire(folder: Path) -> bool:
    """Take the stamp off an environment that no process uses; returns whether it may be removed now."""
    if not (folder / _STAMP).exists():
        return True
    if fcntl is None or _mentioned(folder):
        return False
    place = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
        (folder / _STAMP).unlink()
    except OSError:
        return False
    finally:
        os.close(place)
    return True


@contextlib.contextmanager
def alone(folder: Path, waiting: Callable[[], None] | None = None) -> Iterator[bool]:
    """Let one start at a time change the environments of a folder; the lock ends with its holder, however it ends.

    Parameters
    ----------
    folder
        The checkout.
    waiting
        Called before another start is waited for; without it none is.

    Yields
    ------
    bool
        Whether this start is the only one.
    """
    if fcntl is None:  # two first starts at the same moment are left to chance
        yield True
        return
    # The folder itself: a file in it may be replaced meanwhile, and a lock on the old one would hold nobody.
    place = os.open(folder, os.O_RDONLY)
    try:
        yield _locked(place, waiting)
    finally:
        os.close(place)


def _locked(place: int, waiting: Callable[[], None] | None) -> bool:
    try:
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if waiting is None:
            return False
        waiting()
        fcntl.flock(place, fcntl.LOCK_EX)
    except OSError:  # a file system without locks
        pass
    return True


def _mentioned(folder: Path) -> bool:
    """Whether a running process was started from the folder or has loaded a library of it, where the system tells
    (Linux). The tools in an environment know nothing of `hold`.
    """
    wanted = os.fsencode(folder) + b"/"
    for process in _PROCESSES.glob("[0-9]*"):
        for name in ("cmdline", "maps"):
            with contextlib.suppress(OSError):
                if wanted in (process / name).read_bytes():
                    return True
    return False


def _version_of(folder: Path) -> tuple[int, int] | None:
    try:
        text = (folder / "pyvenv.cfg").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    found = re.search(r"^version(?:_info)?\s*=\s*(\d+)\.(\d+)", text, re.MULTILINE)
    return (int(found[1]), int(found[2])) if found else None


def _points_to(link: Path, folder: Path) -> bool:
    return link.is_symlink() and link.resolve() == folder.resolve()


def _activate_by(link: Path, folder: Path) -> None:
    """Let the scripts that activate an environment name the link, which outlives it."""
    place = os.fsencode(Path(folder.parent.name) / folder.name)
    for script in (folder / _SCRIPTS).glob("activate*"):
        content = script.read_bytes()
        if place in content:
            part = script.with_name(f"{script.name}.part")
            part.write_bytes(content.replace(place, os.fsencode(link.name)))
            shutil.copymode(script, part)
            part.replace(script)


def _is_script(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"#!"


def _relocate(source: Path, target: Path, places: Iterable[str], new: Path) -> None:
    content = source.read_bytes()
    for place in places:
        content = content.replace(os.fsencode(f"{place}/{_SCRIPTS}/"), os.fsencode(f"{new}/{_SCRIPTS}/"))
    target.write_bytes(content)
    shutil.copymode(source, target)


def _share(source: Path, target: Path) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


def _numbers(name: str) -> tuple[int, int]:
    major, _, minor = name.partition(".")
    return int(major), int(minor)
