"""The part that every document has: edits as undoable steps, and telling everybody what changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QUndoStack

from workbench.core.errors import WorkbenchError
from workbench.gui.changes import Change
from workbench.gui.runner import Runner
from workbench.project.differences import Differences
from workbench.project.model import Project
from workbench.project.setting_paths import PLACES
from workbench.session import Session
from workbench.session.spoken import Spoken, speak_again, spoken

_FIRST = {"schema": "schema", "preparation": "rows", "hierarchies": "hierarchies", "anonymise": "settings"}
_PARTS: Mapping[str, str] = {one: one for one in (*_FIRST, *PLACES.values(), "comparing")} | _FIRST
"""Section to announce for each part of a project when it changes; for settings of rooms, the name of their field."""

SECTIONS = ("data", *_PARTS.values(), "result", "file")
"""Sections that may change, as far as it is this window that changes them."""

_LARGE = frozenset(("schema", "hierarchies", "anonymise", "comparing"))
"""Parts that are not looked through: another object is another part."""


class EditedDocument(QObject):
    """A project and its undo history. Nothing else may change the session of the window.

    Signals
    -------
    changed(str)
        A part changed: one of `SECTIONS`, such as "rows" (which rows take part) or "settings" (of a release), or
        "ledger" (also by another program).
    failed(object)
        A `WorkbenchError` a person should see.
    answered()
        Something was answered that a message about the last try may ask for.
    withdrawn(str)
        What was noted in these words is of no use where the person has gone.
    noted(str, str)
        A message of a kind ("info", "success", "warning") and its text; what follows its first line has no room in
        one, and is behind Details.
    noted_of(str, str, str)
        The same of what is seen in a room, which comes last: the message leads there.
    done_undoably(str)
        What the step that was just done took away, which a press brings back.
    """

    changed = Signal(str)
    failed = Signal(object)
    noted = Signal(str, str)
    noted_of = Signal(str, str, str)
    done_undoably = Signal(str)
    answered = Signal()
    withdrawn = Signal(str)

    def __init__(self, runner: Runner, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.runner = runner
        self.session = session
        self.undo_stack = QUndoStack(self)
        self.differences = Differences()
        """How the file differs from what the project described; empty once the person has dealt with it."""
        self._refused = ""

    @property
    def project(self) -> Project:
        return self.session.project

    @property
    def has_data(self) -> bool:
        return self.session.has_data

    @property
    def looked(self) -> bool:
        """Whether what the true rows hold may be shown, because a look at the open data is recorded."""
        return self.has_data and self.session.looks.taken

    @property
    def told_differences(self) -> Differences:
        """How the data differs from what the project said of it, as far as it may be seen."""
        return self.differences if self.looked else self.differences.before_look()

    def copy_command(self, command: str, warning: str = "") -> None:
        """Put a command line on the clipboard, and say so with it.

        Parameters
        ----------
        command
            As it is typed.
        warning
            What to know before it is typed.
        """
        QGuiApplication.clipboard().setText(command)
        self.noted.emit("success", f"The command was copied{warning}: {command}")

    def apply(self, text: str, edit: Callable[[Session], object], *, merge: str = "") -> bool:
        """Run an edit of the session as one undoable step.

        Parameters
        ----------
        text
            What undo calls it, such as "Mark age as quasi-identifying".
        merge
            Consecutive edits with the same key become one step, such as dragging a slider.

        Returns
        -------
        bool
            False if the edit was refused; the person has been told why and nothing changed.
        """
        before, said = self.session.project, spoken(self.session.state)
        try:
            edit(self.session)
        except WorkbenchError as error:
            self.session.project = before
            speak_again(self.session.state, spoken(self.session.state), said)
            self._refused = error.message
            self.failed.emit(error)
            return False
        if self._refused:
            self.withdrawn.emit(self._refused)  # what the person did instead was possible
            self._refused = ""
        after, now = self.session.project, spoken(self.session.state)
        spoke = now.differs(said)
        if after is not before or spoke:
            told = (said, now) if spoke else None
            self.undo_stack.push(Change(self._restore, before, after, text, merge, self._speak, told))
            self._tell(before, after)
            if spoke:
                self.changed.emit("settings")
        return True

    def _speak(self, before: Spoken, after: Spoken) -> None:
        """Take back, or say again, what a step said of the table and of draws that have not left."""
        speak_again(self.session.state, before, after)
        for section in ("settings", "result"):
            self.changed.emit(section)

    def _restore(self, project: Project) -> None:
        now = self.session.project
        if (project.histories, project.data) != (now.histories, now.data):
            # History is not undoable: what was seen stays seen, what was released stays released.
            project = replace(project, histories=now.histories, data=now.data)
        self.session.project = project
        shown = self.session.release.result
        if self.has_data and self.session.release.recall() and self.session.release.result is not shown:
            self.changed.emit("result")
        self._tell(now, project)

    def _tell(self, before: Project, after: Project) -> None:
        for part, section in _PARTS.items():
            old, new = getattr(before, part), getattr(after, part)
            if old is not new and (part in _LARGE or old != new):
                self.changed.emit(section)
        self.changed.emit("file")

    def ledger_changed(self, fingerprint: str) -> None:
        """Take what was written into the ledger of this data into the project, and tell everybody."""
        try:
            self.session.ledger.copy_into_project(fingerprint)
        except WorkbenchError as error:
            self.failed.emit(error)
        self.changed.emit("file")
        self.changed.emit("result")

    def tell_ledger(self) -> None:
        """The ledger of this data may have changed, by this program or another one."""
        self.changed.emit("ledger")

    def tell_trust(self) -> None:
        """The person trusts a plug-in, or no longer: what is promised has to be said again."""
        for section in ("hierarchies", "settings", "collect", "queries"):
            self.changed.emit(section)

    def settle_differences(self) -> None:
        """The person has seen how the file differs from what the project described."""
        self.differences = Differences()
        self.changed.emit("file")

    def _tell_all(self) -> None:
        for section in SECTIONS:
            self.changed.emit(section)
