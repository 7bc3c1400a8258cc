"""A simulation off the window's thread, shown on its page as it comes."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.tracked import TrackedJob
from workbench.gui.workspaces.collect.simulation_page import SimulationPage
from workbench.session.collection.results import Simulated

SIMULATE_JOB = "collect.simulate"


class SimulationJob(TrackedJob):
    """Simulates with the settings as they stand; the page has what is finished, also of what is cancelled."""

    def __init__(self, document: Document, page: SimulationPage, parent: QObject) -> None:
        super().__init__(document.runner, parent)
        self._document, self._page = document, page
        self.arrived: deque[Simulated] = deque(maxlen=1)
        """What came and is not shown yet."""
        self.moved.connect(self._show_newest)
        self.ended.connect(self._show_last)

    def simulate(self, *, assumed: bool = False) -> bool:
        """Begin, and tell whether there is anything to begin with; what is not is said where errors are.

        Parameters
        ----------
        assumed
            Whether people with the assumed shares answer, and no row is looked at.
        """
        arrived = self.arrived
        arrived.clear()
        try:
            work = self._document.session.collection.simulator(arrived.append, foresee=True, assumed=assumed)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return False
        self.start(
            "Simulating a collection",
            work,
            on_done=self._show_all,
            on_failed=self._refuse,
            key=SIMULATE_JOB,
            latest_wins=True,
        )
        return True

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self._document.failed.emit(error.for_analyst())  # a look is recorded before rows are simulated
        return True

    def _show_newest(self) -> None:
        if self.arrived:
            self._page.show_found(self.arrived.pop())

    def _show_last(self) -> None:
        if self.arrived:  # what a cancelled simulation came to
            newest = self.arrived.pop()
            if self._page.found is None or self._page.found.key != newest.key:
                self._page.show_found(newest)

    def _show_all(self, found: Simulated) -> None:
        self.arrived.clear()
        self._page.show_found(found)
