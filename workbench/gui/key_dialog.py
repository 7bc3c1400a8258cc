"""A dialog that works with a key: the file that is named, what makes one in it, and what is said of the work.

Such a dialog holds the path of the key for as long as it is open. No project, setting or list of recent files learns of
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import typed_path
from workbench.core.progress import Cancelled, Progress
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.labels import label


class KeyDialog(QDialog):
    """A dialog with the file of a key, which runs one job at a time; the `key` that is proposed is typed over."""

    title: str
    whose: str
    """Words for the key, such as “your key”."""
    cancelled: str
    """Words for work that was cancelled."""
    explain: str
    job: str
    """The key under which jobs run."""

    def __init__(self, runner: Runner, key: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, self.explain)
        self._job = TrackedJob(runner, self)
        self._job.ended.connect(lambda _key: self._able(True))
        self.key = QLineEdit(str(key))
        self.key.setAccessibleName(f"File of {self.whose}")
        self.key.textEdited.connect(lambda _text: self._retyped())
        self.told = label(wrap=True, selectable=True)
        self.told.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.make = push_button("&New key", self.make_key, quiet=True)
        self.make.setToolTip("Make a key in this file, once; nothing that is there is ever overwritten")

    def make_key(self) -> None:
        """Make a key in the file that is named, where nothing is yet."""
        raise NotImplementedError

    @property
    def path(self) -> Path:
        """The file of the key, as it is typed."""
        return typed_path(self.key.text().strip())

    @property
    def _parts(self) -> Iterable[QWidget]:
        """Widgets that wait while a job runs."""
        return self.key, self.make

    def _start(
        self, name: str, work: Callable[[Progress], object], done: Callable[..., None], *, late: bool = False
    ) -> None:
        """Start a job if a key is named; `late` where what was written counts also if Cancel came too late."""
        if not self.key.text().strip():
            self._say(f"Name the file of {self.whose}.", tone="error")
            return
        self._able(False)
        self._say("")
        self._job.start(
            name, work, on_done=done, on_failed=self._failed, key=self.job, owner=self, keep_late_result=late
        )

    def _failed(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            self._say(self.cancelled)
            return True
        if not isinstance(error, WorkbenchError):
            return False
        # What names a flag is a way out of the command line; here it stands beside.
        hint = "" if "--" in error.hint else error.hint
        more = "Make one with New key, or name the file of yours." if "There is no key" in error.message else ""
        self._say(" ".join(part for part in (error.message, hint, more) if part), tone="error")
        return True

    def _retyped(self) -> None:
        self._say("")

    def _able(self, able: bool) -> None:
        for part in self._parts:
            part.setEnabled(able)

    def _say(self, text: str, tone: str = "none") -> None:
        self.told.setText(text)
        set_look(self.told, tone=tone)

    def _row(self, words: str) -> QGridLayout:
        """The line of the key: its title with its letter, the field and the button that makes one."""
        grid = form_grid()
        title = label(words)
        title.setBuddy(self.key)
        for column, part in enumerate((title, self.key, self.make)):
            grid.addWidget(part, 0, column)
        return grid

    def done(self, result: int) -> None:
        self._job.cancel()
        super().done(result)
