"""A witness of every path of a person that is touched on the window's thread.

A path that somebody chose, dropped, typed, or that a project names may lie on a network that has gone, in a folder of
a million files, or behind a pattern that stands for the whole disk. On the window's thread it freezes the window, and
no Cancel helps. So nothing of `workbench.gui` may open, list, match or stat one there, itself or through what it calls.

Python's own audit events tell of most calls; what they do not tell of is wrapped. No clock is involved: a single call
is a finding, however fast this disk is.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any

import workbench
from workbench.core.paths import resources, sample_data

_PACKAGE = Path(workbench.__file__).parent
_GUI = str(_PACKAGE / "gui") + os.sep
_TESTS = str(Path(__file__).parents[1]) + os.sep
_BETWEEN = {__file__, _TESTS + "conftest.py"}
"""What stands in for functions of the program."""
_NOT_AUDITED = (
    (os, ("stat", "lstat", "access", "readlink", "statvfs")),
    (os.path, ("exists", "lexists", "isfile", "isdir", "islink", "realpath", "samefile", "getsize", "getmtime")),
)
_PATHS = {
    "open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rmdir", "os.rename", "os.link", "os.symlink",
    "os.chmod", "os.chown", "os.truncate", "os.utime", "glob.glob", "pathlib.Path.glob", "pathlib.Path.rglob",
    "shutil.copyfile", "shutil.move", "shutil.rmtree", "os.startfile",
}  # fmt: skip
_ADDRESSES = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"}

_HEARD = _PATHS | _ADDRESSES
_ON_THE_WAY = {"os.stat", "os.lstat", "os.mkdir"}
_OWN_FILES = {
    "gui/settings.py": "reads and writes the settings of the window, which tests keep beside their data",
    "gui/widgets/explain.py": "reads the help texts, which a test brings itself",
    "gui/imported_sources.py": "reads the source of a module that was read a moment ago, as it is being imported",
}
"""Files of the window that touch what is the program's own only, and why."""

_watching: list[Watch] = []


class Watch:
    """Remembers what the window's thread touched.

    Parameters
    ----------
    own
        Folders and files of the program's own, which nobody chose: settings, recovery, ledgers, what is installed.
    """

    def __init__(self, own: tuple[Path, ...]) -> None:
        self.found: list[str] = []
        self._own = tuple(str(path) for path in own)
        self._within = tuple(path + os.sep for path in self._own)
        self._samples = str(sample_data()) + os.sep
        self._thread = threading.get_ident()
        self._known_own: set[str] = set()
        """Absolute paths that lie in what is the program's own, as they were asked for."""

    def saw(self, event: str, what: object) -> None:
        """Judge one call."""
        if threading.get_ident() != self._thread or isinstance(what, int):
            return
        # Ledgers are looked at with every edit, and to find out from where takes several times as long as that.
        asked = os.fspath(what) if event not in _ADDRESSES and isinstance(what, str | os.PathLike) else ""
        if asked in self._known_own:
            return
        where = _in_window(sys._getframe(2))
        if where is None or where.split(":")[0] in _OWN_FILES:
            return
        if event not in _ADDRESSES:
            path = str(Path(os.fsdecode(what)).absolute()) if isinstance(what, str | bytes | os.PathLike) else ""
            if not path or self._is_own(event, path):
                if asked == path and self._lies_in_own(path):
                    self._known_own.add(path)
                return
            what = path
        told = f"{event}({what}) from {where}"
        if told not in self.found:
            self.found.append(told)

    def _is_own(self, event: str, path: str) -> bool:
        if path.startswith(self._samples):
            return False  # data is data, whoever brought it
        if self._lies_in_own(path) or _is_scratch(path):
            return True
        # Resolving a name of its own asks for every folder on the way.
        return event in _ON_THE_WAY and any(own.startswith(path.rstrip(os.sep) + os.sep) for own in self._own)

    def _lies_in_own(self, path: str) -> bool:
        return path in self._own or (path.startswith(self._within) and not path.startswith(self._samples))


def _is_scratch(path: str) -> bool:
    """The folders of engines, and the slots of unsaved work, which tests put elsewhere."""
    place, temporary = Path(path), Path(tempfile.gettempdir())
    engine = place == temporary or any(one.name.startswith("workbench-") for one in (place, *place.parents))
    return engine or (place.parent.name == "recovery" and place.suffix in (".wbench", ".lock", ".part"))


def programs_own(home: Path) -> tuple[Path, ...]:
    """What the program looks at of itself.

    The folder of ledgers is the program's: it lies with the settings, and every claim and charge reads it.
    """
    import matplotlib

    installed = (
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        os.path.realpath(sys.prefix),
        "/usr",
        "/proc",
        "/sys",
        *("/dev/null", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/fd"),  # `/dev/shm` may hold a person's files
    )
    made = (home, Path(matplotlib.get_configdir()), Path(matplotlib.get_cachedir()))
    shipped = (_PACKAGE, _PACKAGE.parent / "pyproject.toml", resources(), sample_data())
    compiled = () if sys.pycache_prefix is None else (Path(sys.pycache_prefix),)
    return (*shipped, *map(Path, installed), *made, *compiled)


def _in_window(frame: FrameType | None) -> str | None:
    """The place in `workbench.gui` that a call came from; None if it is a test's own, or came from elsewhere."""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith(_GUI):
            return f"{Path(file).relative_to(_PACKAGE).as_posix()}:{frame.f_lineno} {frame.f_code.co_name}"
        if file.startswith(_TESTS) and file not in _BETWEEN:
            return None
        if "importlib" in file or file.endswith("linecache.py"):
            return None  # the program's modules, wherever they are installed
        frame = frame.f_back
    return None


def _heard(event: str, arguments: tuple[Any, ...]) -> None:
    if event in _HEARD and _watching and arguments:
        what = arguments[-1] if event == "socket.connect" else arguments[0]
        for watch in tuple(_watching):
            watch.saw(event, what)


def _wrapped(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        for watch in tuple(_watching):
            watch.saw(name, arguments[0] if arguments else next(iter(named.values()), ""))
        return function(*arguments, **named)

    return call


sys.addaudithook(_heard)  # for good: a hook cannot be taken away, but hears nothing while nobody watches


@contextmanager
def watched(own: tuple[Path, ...]) -> Iterator[Watch]:
    """Watch the present thread."""
    watch, before = Watch(own), [(of, name, getattr(of, name)) for of, names in _NOT_AUDITED for name in names]
    for of, name, function in before:
        setattr(of, name, _wrapped(f"{of.__name__}.{name}", function))
    _watching.append(watch)
    try:
        yield watch
    finally:
        _watching.remove(watch)
        for of, name, function in before:
            setattr(of, name, function)
