"""The file of the project: saving it, and what is asked before unsaved work would be lost."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.gui.dialogs import EXPORT_FIRST
from workbench.gui.document import Document
from workbench.gui.other_table import is_done
from workbench.gui.overwrite_question import Wanted, ask_about_newer
from workbench.gui.saving import Saved, SaveOrder
from workbench.gui.settings import WindowSettings
from workbench.gui.widgets.save_place import ask_at
from workbench.project.storage import SUFFIX

_SETTINGS_LOST = "The settings and hierarchies are not saved."
_EXPORTED_STAYS = "The exported files stay, and the release is in the ledger."
"""Who has just exported is not to fear for what was."""


class ProjectFiles(QObject):
    """Saves the document of a window, and asks before it is left.

    Parameters
    ----------
    document
        What is saved.
    settings
        Where recent files are kept.
    window
        Over which dialogs appear.
    """

    def __init__(self, document: Document, settings: WindowSettings, window: QWidget) -> None:
        super().__init__(window)
        self._document, self._settings, self._window = document, settings, window
        document.saving.done.connect(self._saved)
        document.saving.wanted.connect(self.save)
        document.saving.decide = self.decide_about_newer

    def save(self) -> None:
        """Save the project in the background; who has no file yet is asked for one."""
        path = self._document.path or self._ask_for_file()
        if path is not None:
            self._document.saving.save(path)

    def save_as(self) -> None:
        """Ask for a file and save the project there, in the background."""
        path = self._ask_for_file()
        if path is not None:
            self._document.saving.save(path)

    def _ask_for_file(self) -> Path | None:
        session = self._document.session
        name = self._document.path.stem if self._document.path else self._suggested_name()
        usual = self._settings.folder / f"{name}{SUFFIX}"
        title = "Save the plan of the survey" if session.collection.without_table else "Save project"
        chosen, _ = ask_at(self._window, title, usual, f"Projects (*{SUFFIX})")
        if not chosen or self._document.session is not session:
            return None  # or the file was chosen for a project that another one has taken the place of meanwhile
        return Path(chosen)

    def decide_about_newer(self, path: Path) -> SaveOrder | None:
        """Ask before what somebody else has saved is overwritten."""
        wanted = ask_about_newer(self._window, path)
        if wanted is Wanted.OVERWRITE:
            return SaveOrder(path, overwrite=True)
        other = self._ask_for_file() if wanted is Wanted.SAVE_AS else None
        return None if other is None else SaveOrder(other)

    def _saved(self, saved: Saved) -> None:
        self._settings.add_recent(saved.claimed.path)

    def _suggested_name(self) -> str:
        data = self._document.project.data
        if self._document.session.collection.without_table:  # beside an open table it is no work on that
            return "survey_plan"
        return Path(data.path).name.split(".")[0] if data else "project"

    def may_leave(self, question: str = "") -> bool:
        """Ask what to do with unsaved changes; False if the person wants to stay.

        Parameters
        ----------
        question
            What else to ask where the project stays and goes on with another file.
        """
        if not self._document.saving.wait(self._window):
            return False
        if not self._document.modified or (question and self._document.project.data is None):
            return may_lose_draws(self._document, self._window)  # a project without data goes on with a file as it is
        path = self._document.path
        unsaved = (
            "This project was not saved." if path is None else f"Changes of the project {path.stem} are not saved."
        )
        stays = "What was released stays in the ledger either way."
        if path is None and is_done(self._document):
            unsaved, stays = _SETTINGS_LOST, _EXPORTED_STAYS
        asked = question or f"{unsaved} {stays}"
        told = self._document.session.release.lost_with_it
        usual = QMessageBox.StandardButton.Save
        buttons = usual | QMessageBox.StandardButton.Discard | QMessageBox.StandardButton.Cancel
        if told:  # which saving does not keep
            buttons, usual = buttons | EXPORT_FIRST, EXPORT_FIRST
        title = "Unsaved changes"
        answer = QMessageBox.question(self._window, title, f"{told} {asked}".strip(), buttons, usual)
        if answer == EXPORT_FIRST:
            self._document.export_wanted.emit()
        if answer == QMessageBox.StandardButton.Save:
            path = self._document.path or self._ask_for_file()
            if path is None or not self._document.save(path, self._window):
                return False
            # What is edited while it is written is unsaved again; of the draws it was told already.
            return self.may_leave(question) if self._document.modified else self._still_may_lose(told)
        return answer == QMessageBox.StandardButton.Discard and self._still_may_lose(told)

    def _still_may_lose(self, told: str) -> bool:
        """Ask of a draw that was made while a question stood there, which did not tell of it."""
        return self._document.session.release.lost_with_it == told or may_lose_draws(self._document, self._window)


def may_lose_draws(document: Document, window: QWidget) -> bool:
    """Ask before a release that was paid for is lost where nothing else is; True if there is none."""
    lost = document.session.release.lost_with_it
    if not lost:
        return True
    answer = QMessageBox.question(
        window,
        "Not exported",
        f"{lost} Go on without exporting?",
        QMessageBox.StandardButton.Discard | QMessageBox.StandardButton.Cancel | EXPORT_FIRST,
        EXPORT_FIRST,
    )
    if answer == EXPORT_FIRST:
        document.export_wanted.emit()
    return answer == QMessageBox.StandardButton.Discard
