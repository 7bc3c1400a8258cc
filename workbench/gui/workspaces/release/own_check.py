"""Each exported file is verified once by itself, by what whoever receives it will verify it by."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui.runner import Runner
from workbench.gui.tracked import TrackedJob
from workbench.session.existing_files import FileMarks
from workbench.session.export import Exported
from workbench.session.verifying.beside import received_files, verify_received
from workbench.session.verifying.verified import Verified

OWN_CHECK_JOB = "verify what was exported"


class OwnFileState(Enum):
    """Knowledge of an exported file: that it holds, that it does not, that it is being looked at, or none."""

    NOTHING = "nothing"
    LOOKING = "looking"
    HOLDS = "holds"
    WRONG = "wrong"


class OwnCheck(QObject):
    """Looks at the files on the disk, in the background, and at each that was written only once.

    What cannot be read, or was cancelled, is left to a press of the button that verifies.

    Signals
    -------
    found(object)
        What came of it, a `Verified`.
    ended()
        It is over, in whatever way.
    """

    found = Signal(object)
    ended = Signal()

    def __init__(self, runner: Runner, parent: QObject) -> None:
        super().__init__(parent)
        self._job = TrackedJob(runner, self)
        self._job.ended.connect(self._tell_end)
        self._looked: dict[Path, Mapping[Path, FileMarks]] = {}
        self._at: Exported | None = None

    def looks_at(self, exported: Exported) -> bool:
        """Whether this very file is being verified."""
        return self._job.running and self._at is exported

    def look(self, exported: Exported) -> None:
        """Verify a file that was just written, unless it was looked at before."""
        path = exported.targets.path
        if not exported.targets.beside or self._looked.get(path) == exported.marks:
            return
        self._looked[path] = exported.marks
        self._at = exported

        def work(progress: Progress) -> Verified:
            return verify_received(received_files(path), progress=progress)

        self._job.start(
            f"Checking {visible(path.name)}",
            work,
            on_done=self.found.emit,
            on_failed=lambda _error: True,
            key=f"{OWN_CHECK_JOB} {id(self)}",
            latest_wins=True,
            owner=self,
            aside=True,
            only_reads=True,
        )

    def _tell_end(self, _key: str) -> None:
        self.ended.emit()
