"""Buttons for what is handed out of a collection: copied, or saved as a page to print."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.save_place import ask_file, may_write
from workbench.ldp.choice import ProtocolChoice
from workbench.session.collection.hand_out import HandOut, entry_beside, hand_out, write_hand_out

HAND_OUT_JOB = "collect.hand_out"
_TIP = (
    "The question, its answers in order, what to do, with a die, and what ε promises; how reports come back is apart "
    "from it"
)
_KINDS = "Page to print (*.html);;Text (*.txt)"


class HandOutButtons(QWidget):
    """Buttons that copy and save the page for people by one protocol, as the settings are when it is wanted."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._choice: ProtocolChoice | None = None
        self._plain = ""
        self.copy = push_button(
            "Copy", self._copy, icon=icon("copy", "link"), name="Copy what people do", tip=_TIP, quiet=True
        )
        self.save = push_button(
            "Save…", self._ask, icon=icon("export", "link"), name="Save what people do", tip=_TIP, quiet=True
        )
        boxes.row(self.copy, self.save, spacing="xs", inside=self)

    def show_choice(self, choice: ProtocolChoice | None, plain: str = "") -> None:
        """Offer the page by this protocol; by one for a mean, of which no answers are listed, these words alone."""
        self._choice, self._plain = choice, plain
        self.copy.setEnabled(choice is not None)
        self.save.setEnabled(choice is not None)
        self.save.setVisible(choice is None or not choice.estimates_mean)

    def _copy(self) -> None:
        if self._choice is not None and self._choice.estimates_mean:
            self._copied(self._plain)
        else:
            self._make("Writing what people do", lambda found: self._copied(found.text))

    def _copied(self, words: str) -> None:
        QGuiApplication.clipboard().setText(words)
        self._document.noted.emit("success", "What people do was copied.")

    def _ask(self) -> None:
        title = "Save what people do"
        chosen, _ = ask_file(self, title, "what people do.html", _KINDS)
        while chosen and not may_write(self, entry_beside(Path(chosen)), title):
            chosen, _ = ask_file(self, title, "what people do.html", _KINDS)
        if chosen:
            self.save_to(Path(chosen), replaces=True)

    def save_to(self, path: Path, *, replaces: bool = False) -> None:
        """Write the page, or plain text where the file is called so, and beside it the one for who enters reports.

        Parameters
        ----------
        replaces
            Whether the person knows that the one beside it replaces a file.
        """
        self._make(f"Saving {path.name}", lambda _found: self._saved(path), path, replaces=replaces)

    def _saved(self, path: Path) -> None:
        words = f"Saved: hand out {path.name}, and not {entry_beside(path).name}."
        self._document.noted.emit("success", words)

    def _make(
        self, words: str, done: Callable[[HandOut], None], path: Path | None = None, *, replaces: bool = False
    ) -> None:
        if self._choice is None:
            return
        session = self._document.session
        try:
            make = hand_out(session.collection, self._choice)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        protected = tuple(session.ledger.protected)

        def work(progress: Progress) -> HandOut:
            found = make(progress)
            if path is not None:
                write_hand_out(found, path, protected, replaces=replaces)
            return found

        self._document.runner.start(words, work, on_done=done, key=HAND_OUT_JOB, latest_wins=True)
