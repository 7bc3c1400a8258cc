"""The base of the cost views: their content is computed when they are seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.anonymise.compared import Compared
from workbench.core.progress import Progress
from workbench.gui.runner import Runner


class CostView(QWidget):
    """A view of one comparison, computed in the background once it is looked at."""

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._compared: Compared | None = None
        self._due = False

    def set_compared(self, compared: Compared | None) -> None:
        """Show another comparison, or nothing."""
        self._compared = compared
        self.clear()
        self._due = compared is not None
        if self.isVisible():
            self._work_if_due()

    def clear(self) -> None:
        """Show nothing, and offer what the comparison has to choose from."""
        raise NotImplementedError

    def work(self) -> None:
        """Start working out what is shown."""
        raise NotImplementedError

    def _work_if_due(self) -> None:
        if self._due and self._compared is not None:
            self._due = False
            self.work()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._work_if_due()

    def _start(
        self,
        name: str,
        job: Callable[[Progress], Any],
        done: Callable[[Any], None],
        failed: Callable[[BaseException], object] | None = None,
    ) -> None:
        """Run a job whose outcome is dropped once another one of the same view is wanted."""
        key = f"{type(self).__name__} {id(self)}"
        self._runner.start(name, job, on_done=done, on_failed=failed, key=key, latest_wins=True)
