"""Files near a release that may be releases of the same table, said where somebody signs that there is none."""

from __future__ import annotations

import contextlib
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from workbench.core.errors import WorkbenchError
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.session.release.earlier_files import earlier_files
from workbench.session.release.other_answers import NOT_SO

_JOB = "earlier releases"
_LATER_MS = 200


class EarlierNotice(QObject):
    """Looks on another thread, once for each draw and folder.

    Signals
    -------
    found()
        What stands there has changed.
    """

    found = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.applicationStateChanged.connect(self._activated)
        self._asked: tuple[str, str] | None = None
        self._file = ""
        self.files: tuple[Path, ...] = ()

    @property
    def words(self) -> str:
        """Notice to be thought of before the sentence is ticked; "" for none."""
        if not self.files:
            return ""
        first, more = self.files[0], len(self.files) - 1
        beside = f" and {more:,} more" if more else ""
        verb, they = ("stand", "one of them") if more else ("stands", "it")
        return visible(
            f"“{first.name}”{beside} {verb} in “{first.parent.name}”, not counted here. If {they} was made from this "
            f"table, see “{NOT_SO}” before you tick."
        )

    def look(self, draw: str, file: str) -> None:
        """Look for what was released before this draw, which is to be written to `file`; "" for no draw."""
        folder: Path | None = None
        if file.strip():
            with contextlib.suppress(RuntimeError):  # “~nobody” is nobody's folder
                folder = Path(file.strip()).expanduser().parent
        asked = draw, str(folder)
        if asked == self._asked:
            return
        if self._asked is None or draw != self._asked[0]:
            self.files = ()
        self._asked, self._file = asked, file
        if not draw:
            return
        try:
            work = earlier_files(self._document.session, () if folder is None else (folder,))
        except WorkbenchError:
            return  # the checklist says that the ledger cannot be read
        self._document.runner.start(
            "Looking for earlier releases",
            work,
            on_done=self._take,
            key=f"{_JOB} {id(self)}",
            latest_wins=True,
            aside=True,
            only_reads=True,
        )

    def look_anew(self) -> None:
        """Look once more for what is named: it may have been deleted since."""
        if self._asked is not None:
            draw, self._asked = self._asked[0], (self._asked[0], "")
            self.look(draw, self._file)

    def _activated(self, state: Qt.ApplicationState) -> None:
        """Whoever comes back from a file manager finds what is there now."""
        if self.files and state is Qt.ApplicationState.ApplicationActive:
            self.look_anew()

    def _take(self, files: tuple[Path, ...]) -> None:
        if QApplication.activeModalWidget() is not None:
            QTimer.singleShot(_LATER_MS, self, lambda: self._take(files))  # nothing moves behind a question
        elif files != self.files:
            self.files = files
            self.found.emit()
