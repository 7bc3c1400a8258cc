"""Writes the project to its file, on another thread and in order, while the window stays usable.

What is saved is the project that was open when it was asked for, as it is when its turn comes; what is edited while it
is written stays unsaved.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEventLoop, QObject, QTimer, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from workbench.core.progress import Progress
from workbench.gui.runner import Job, Runner
from workbench.project.model import Project
from workbench.project.place import DocumentPlace, Newer, PlaceCheck
from workbench.session import Session

SAVE_JOB = "save"
_SAY_AFTER_MS = 400
"""Most projects are written in a moment; only what takes longer is spoken of."""


@dataclass(frozen=True)
class SaveOrder:
    """An order to save: where to, and whether over what others have saved too."""

    path: Path
    overwrite: bool = False


@dataclass(frozen=True)
class Saved:
    """A project that stands in its file now.

    Parameters
    ----------
    session
        Whose project it is, which may have been put away meanwhile.
    claimed
        The place it was written to.
    project
        As it was written.
    """

    session: Session
    claimed: PlaceCheck
    project: Project


class Saving(QObject):
    """One writing after the other to the file of a document.

    Signals
    -------
    done(Saved)
        Something was written.
    idle()
        Nothing waits to be written any more, whatever became of it.
    wanted()
        A room offers to save the project, and somebody takes it; whoever saves asks for a file where there is none.
    """

    done = Signal(object)
    idle = Signal()
    wanted = Signal()

    def __init__(self, runner: Runner, place: DocumentPlace, session: Callable[[], Session], parent: QObject) -> None:
        super().__init__(parent)
        self._runner, self._place, self._session = runner, place, session
        self._orders: deque[tuple[SaveOrder, Session]] = deque()  # another project may be open by the time of its turn
        self._job: Job | None = None
        self._failed = False
        self.decide: Callable[[Path], SaveOrder | None] | None = None
        """Asks the person what to do where somebody else has saved the project; None for nothing."""

    @property
    def busy(self) -> bool:
        """Whether something is being written."""
        return self._job is not None

    def save(self, path: Path) -> None:
        """Write the project there; asked twice at once, the second time writes what has changed since."""
        self._put(SaveOrder(path))

    def wait(self, window: QWidget | None = None) -> bool:
        """Stay until everything is written; the window answers meanwhile.

        Returns
        -------
        bool
            False if something could not be written, or the person does not want to wait.
        """
        if not self.busy:
            return True
        self._failed = False
        loop = QEventLoop()
        self.idle.connect(loop.quit)
        patience = QTimer()
        patience.setSingleShot(True)
        patience.timeout.connect(loop.quit)
        patience.start(_SAY_AFTER_MS)
        # Clicks and keys of the first moment are kept for afterwards, so that nothing is edited unseen.
        loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        patience.stop()
        if self.busy:
            self._say(window)
        return self._all_written()

    def _all_written(self) -> bool:
        return not self.busy and not self._failed

    def _say(self, window: QWidget | None) -> None:
        """Say what is waited for, and let the person stop waiting."""
        told = QProgressDialog("Saving the project…", "Do not wait", 0, 0, window)
        told.setWindowTitle("Saving")
        told.setModal(True)
        told.setMinimumDuration(0)
        self.idle.connect(told.reset)
        told.exec()
        told.deleteLater()

    def _put(self, order: SaveOrder) -> None:
        asked = (order, self._session())
        if not self._orders or self._orders[-1] != asked:
            self._orders.append(asked)
        self._begin()

    def _begin(self) -> None:
        if self._job is not None:
            return
        if not self._orders:
            self.idle.emit()
            return
        order, session = self._orders.popleft()
        path, place = order.path, self._place
        write = session.saver(path)

        def work(progress: Progress) -> Saved:
            claimed = place.claim(path, overwrite=order.overwrite)
            try:
                project = write(progress)
                return Saved(session, place.written(claimed), project)
            except BaseException:
                place.give_up(claimed)
                raise

        self._job = self._runner.start(
            f"Saving {path.name}",
            work,
            on_done=self._written,
            on_failed=partial(self._refused, path, session),
            key=SAVE_JOB,
            owner=self,
            keep_late_result=True,
            aside=True,
        )

    def _written(self, saved: Saved) -> None:
        self._job = None
        self.done.emit(saved)
        self._begin()

    def _refused(self, path: Path, session: Session, error: BaseException) -> bool:
        asked = isinstance(error, Newer) and self.decide is not None
        wanted = self.decide(path) if asked and self.decide is not None else None
        self._job = None  # only now: as long as the person is asked, nothing else is written
        if wanted is not None:
            self._orders.appendleft((wanted, session))
        else:
            self._failed = True
        self._begin()
        return asked
