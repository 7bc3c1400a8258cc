"""Settings that the window keeps between runs: places, sizes, theme and recent files. Never any data.

Those of the rooms, which a project keeps, are declared where `project.rooms` says.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any, TypeGuard

import platformdirs
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow, QSplitter, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.json_values import read_json
from workbench.io.addresses import is_address
from workbench.io.atomic import atomic_write

_RECENT = 10


class WindowSettings:
    """A small JSON file of values, read at first and whenever one changes, and then written.

    A missing, unreadable or corrupt file counts as empty and an unwritable one is left alone: the place of
    a window is not worth an error message.

    Parameters
    ----------
    path
        The file; by default `window.json` in the person's configuration folder.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or platformdirs.user_config_path("anonymisation-workbench", False) / "window.json"
        self._values = _read(self.path)

    def value(self, key: str, default: Any = None) -> Any:
        """The stored value, or `default` if there is none."""
        return self._values.get(key, default)

    def set_value(self, key: str, value: Any) -> None:
        """Store a JSON value under `key`; `None` removes it."""
        # Another window may have written since: whatever it changed besides this stays.
        self._values = _stored(self.path) or self._values
        if self._values.get(key) == value:
            return
        if value is None:
            self._values.pop(key, None)
        else:
            self._values[key] = value
        self._write()

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """The files opened last, newest first, at most ten. They may be gone by now."""
        stored = self._values.get("recent")
        texts = stored if isinstance(stored, list) else []
        return tuple(Path(text) for text in texts if isinstance(text, str))[:_RECENT]

    @property
    def folder(self) -> Path:
        """Where files are looked for first: where the last one was."""
        recent = self.recent_files
        return next((path.parent for path in recent if not is_address(path)), Path.home())

    def was_mended(self, path: Path) -> bool:
        """Whether something was mended or chosen when a recent file was opened last, so that it should be again."""
        mended = self._values.get("recent.mended")
        return isinstance(mended, list) and str(_place(path)) in mended and _place(path) in self.recent_files

    def opened(self, path: Path) -> datetime | None:
        """When a recent file was opened last; None if that was not noted."""
        times = self._values.get("recent.opened")
        text = times.get(str(_place(path))) if isinstance(times, dict) else None
        try:
            return datetime.fromisoformat(text) if isinstance(text, str) else None
        except ValueError:
            return None

    def add_recent(self, path: Path, *, mended: bool = False) -> None:
        """Put a file in front of the recent ones; `mended` says that it was not opened as it is."""
        newest = _place(path)
        times = self._values.get("recent.opened")
        known = {str(one): times.get(str(one)) for one in self.recent_files} if isinstance(times, dict) else {}
        self.set_value("recent.opened", {**known, str(newest): datetime.now().isoformat(timespec="minutes")})
        before = self._values.get("recent.mended")
        texts = [str(known) for known in self.recent_files if isinstance(before, list) and str(known) in before]
        others_mended = [text for text in texts if text != str(newest)]
        self.set_value("recent.mended", ([str(newest)] if mended else []) + others_mended or None)
        others = [known for known in self.recent_files if known != newest]
        self.set_value("recent", [str(known) for known in (newest, *others)][:_RECENT])

    def forget_recent(self, path: Path | None = None) -> None:
        """Forget one recent file, or all of them."""
        kept = [] if path is None else [str(known) for known in self.recent_files if known != _place(path)]
        self.set_value("recent", kept)
        if not kept:
            self.set_value("recent.opened", None)
            self.set_value("releases", None)

    def remember_window(self, window: QWidget, name: str = "main") -> None:
        """Store where a window is and how its named splitters (those with an object name) are set."""
        state: dict[str, Any] = {"geometry": _encode(window.saveGeometry())}
        if isinstance(window, QMainWindow):
            state["docks"] = _encode(window.saveState())
        before = self._values.get(f"window.{name}")
        known = before.get("splitters") if isinstance(before, dict) else None
        state["splitters"] = dict(known) if isinstance(known, dict) else {}
        state["splitters"].update(
            (splitter.objectName(), splitter.sizes())
            for splitter in window.findChildren(QSplitter)
            if splitter.objectName() and any(splitter.sizes())
        )
        self.set_value(f"window.{name}", state)

    def restore_window(self, window: QWidget, name: str = "main") -> bool:
        """Put a window back to where it was; False if it was never remembered."""
        state = self._values.get(f"window.{name}")
        if not isinstance(state, dict):
            return False
        restored = _restore(state.get("geometry"), window.restoreGeometry)
        if isinstance(window, QMainWindow):
            _restore(state.get("docks"), window.restoreState)
        self.restore_splitters(window, name)
        return restored

    def restore_splitters(self, part: QWidget, name: str = "main") -> None:
        """Set the splitters of a window, or of a part of it that was made later, as they were."""
        state = self._values.get(f"window.{name}")
        sizes = state.get("splitters") if isinstance(state, dict) else None
        for splitter in part.findChildren(QSplitter):
            stored = sizes.get(splitter.objectName()) if isinstance(sizes, dict) else None
            if _are_sizes(stored) and len(stored) == splitter.count():
                splitter.setSizes(stored)

    def _write(self) -> None:
        # Where a splitter stands is not worth a word, if it cannot be kept.
        with contextlib.suppress(OSError, WorkbenchError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(self.path, "t", private=True, own=True) as file:
                json.dump(self._values, file, ensure_ascii=False, indent=1)


def _place(path: Path) -> Path:
    """A path wherever the program is started from; an address is one."""
    return path if is_address(path) else path.absolute()


def _read(path: Path) -> dict[str, Any]:
    return _stored(path) or {}


def _stored(path: Path) -> dict[str, Any] | None:
    """What the file holds; None of one that is missing or holds something else."""
    try:
        values = read_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return values if isinstance(values, dict) else None


def _are_sizes(stored: Any) -> TypeGuard[list[int]]:
    return isinstance(stored, list) and any(stored) and all(isinstance(n, int) and n >= 0 for n in stored)


def _encode(state: QByteArray) -> str:
    return bytes(state.toBase64().data()).decode("ascii")


def _restore(text: object, restore: Callable[[QByteArray], bool]) -> bool:
    return isinstance(text, str) and restore(QByteArray.fromBase64(QByteArray(text.encode())))
