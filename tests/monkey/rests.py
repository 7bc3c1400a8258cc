"""What a long run is measured by: a tour of all rooms before it begins, and rests in which the window shows the same.

How much a window holds follows from what is open in it, and a library that is first needed after half an hour is
no leak. So all libraries come first, and every ten minutes the monkey pauses: the window has the size it had at first,
its project is closed, the same file is opened, every room is looked at, and what is held then is told.
"""

from __future__ import annotations

import gc
import importlib
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication

from workbench.core.freed_memory import give_back
from workbench.gui.main_window import MainWindow
from workbench.gui.workspaces import ROOMS

EVERY_SECONDS = 600.0
_LIBRARIES = (
    *("duckdb", "pyarrow.parquet", "pyarrow.compute", "diffprivlib.tools"),
    *("fontTools.subset", "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg"),
)
_MOST_SECONDS = 20.0
_QUIET_SECONDS = 1.0


class Rests:
    """Knows when to rest, and what is looked at meanwhile; a short run has none.

    Parameters
    ----------
    seconds
        How long the run is.
    file
        What is opened at every rest.
    sample
        Remembers what is held.
    begin
        Is told when the time of the run begins: after the tour, which takes minutes where the machine is busy.
    """

    def __init__(self, seconds: float, file: Path, sample: Callable[[], None], begin: Callable[[float], None]) -> None:
        self._file = file
        self._sample = sample
        self._begin = begin
        self._began = time.monotonic()
        # The last is told just before the end.
        times = [EVERY_SECONDS * n for n in range(1, int(seconds // EVERY_SECONDS) + 1)]
        self._due = [0.0, *(min(at, seconds - 2 * _MOST_SECONDS) for at in times)] if len(times) > 1 else []
        self._under_way: Iterator[None] | None = None
        self._size: QSize | None = None
        self._touring = bool(self._due)

    @property
    def are_due(self) -> bool:
        """Whether the monkey pauses: nothing is in front of the window then."""
        if self._under_way is not None:
            return True
        return bool(self._due) and time.monotonic() - self._began >= self._due[0]

    def go_on(self, window: MainWindow) -> None:
        """Go on with a rest that is due; called again and again, with Qt's events in between."""
        if self._under_way is None:
            self._under_way = self._rest(window, is_first=self._due.pop(0) == 0.0)
        if next(self._under_way, self) is self:
            self._under_way = None
            if self._touring:
                self._touring, self._began = False, time.monotonic()
                self._begin(self._began)

    def _rest(self, window: MainWindow, *, is_first: bool) -> Iterator[None]:
        if is_first:
            for name in _LIBRARIES:
                try:
                    importlib.import_module(name)
                except ImportError:
                    continue  # it is not installed, so no monkey loads it
                yield
        window.cancel()
        yield from self._quiet(window)
        # What is painted into takes four bytes for each pixel, in every chart and in the window itself.
        self._size = self._size or window.size()
        window.showNormal()
        window.resize(self._size)
        window.document.new()
        window.show_start()
        yield from self._quiet(window)
        window.open_path(self._file)
        for room in ROOMS:
            yield from self._quiet(window)
            window.show_workspace(room.key)
        yield from self._quiet(window)
        QApplication.clipboard().clear()
        gc.collect()
        give_back(math.inf)
        yield from self._quiet(window)
        self._sample()

    def _quiet(self, window: MainWindow) -> Iterator[None]:
        """Until nothing has been under way for a second."""
        began = quiet = time.monotonic()
        while time.monotonic() - quiet < _QUIET_SECONDS and time.monotonic() - began < _MOST_SECONDS:
            if window.runner.jobs:
                quiet = time.monotonic()
            yield
