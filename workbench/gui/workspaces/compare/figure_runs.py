"""Runs of published figures: each goes on while others are looked at, and none cancels another."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from workbench.core.progress import Progress
from workbench.evaluate.experiment_run import Gate
from workbench.gui.document import Document
from workbench.gui.tracked import TrackedJob


class FigureRun(TrackedJob):
    """The run of one figure or preset.

    Attributes
    ----------
    arrived
        What it came to last that nobody has looked at yet.
    made_of
        What it is made of.
    gate
        Lets it pause.
    """

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(document.runner, parent)
        self.arrived: deque[Any] = deque(maxlen=1)
        self.made_of: Any = None
        self.gate = Gate()

    def stop(self) -> None:
        """Cancel it, also while it pauses."""
        self.gate.resume()
        self.cancel()


class FigureRuns(QObject):
    """All runs of a page, by the name of what is run.

    Signals
    -------
    moved(str)
        What is so called has come further, or is over.
    """

    moved = Signal(str)

    def __init__(self, document: Document, parent: QObject) -> None:
        super().__init__(parent)
        self._document = document
        self._runs: dict[str, FigureRun] = {}

    def __getitem__(self, name: str) -> FigureRun:
        if name not in self._runs:
            run = self._runs[name] = FigureRun(self._document, self)
            run.moved.connect(lambda: self.moved.emit(name))
            run.ended.connect(lambda _key: self.moved.emit(name))
        return self._runs[name]

    def start(
        self,
        name: str,
        title: str,
        work: Callable[[Progress], Any],
        on_done: Callable[[Any], None],
        on_failed: Callable[[BaseException], bool],
    ) -> None:
        """Start what is so called; it must not be running."""
        self[name].start(title, work, on_done=on_done, on_failed=on_failed, key=f"compare.figure.{name}")
