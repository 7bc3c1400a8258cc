"""Keeps unsaved work where a crash cannot reach it, and offers what a crash has left."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.first_few import first_few
from workbench.core.number_text import counted
from workbench.core.progress import SILENT, Progress
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.messages import MessageBar
from workbench.gui.other_table import is_done
from workbench.gui.runner import Runner
from workbench.project.marks import ProjectMark
from workbench.project.model import Project
from workbench.project.recovery import Slot, Unsaved
from workbench.project.said_beside import SaidBeside

AUTOSAVE_MS = 3000
"""At most so much work is lost."""

AGAIN_MS = 10_000
"""So long after a failure it is tried again, with or without another edit."""

AUTOSAVE_JOB = "autosave"

_State = tuple[Project, Path | None, SaidBeside]
"""What is kept: a project, its file, and what was said of its table."""


class Recovery(QObject):
    """Writes the project to its slot a moment after it changed, and empties the slot once there is nothing unsaved.

    It has a runner of its own: it waits for no other job, and whoever cancels those does not cancel it. What fails is
    said once and tried again until it works, which is said as well.

    Parameters
    ----------
    document
        Whose work is kept.
    messages
        Where left work is offered.
    may_leave
        Asks the person about unsaved work that would be replaced; False to stay with it.
    show
        Shows the room where work that was recovered goes on.

    Signals
    -------
    laid_aside()
        What another window left is on the start page now.
    """

    laid_aside = Signal()

    def __init__(
        self,
        document: Document,
        messages: MessageBar,
        may_leave: Callable[[], bool],
        show: Callable[[str], object],
        room: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._messages = messages
        self._may_leave = may_leave
        self._show = show
        self._room = room
        self.slot = Slot()
        self._kept: _State | None = None
        self._left: Project | None = None  # as it was exported
        self._writing = False
        self._touched = False
        self._told = ""
        self._back: Unsaved | None = None
        self._aside: tuple[str, object] | None = None  # what is said of it, and the work it was
        self._runner = Runner(None, self, parallel=1)
        self._later = Later(self, self.keep)
        document.changed.connect(self._wait)
        document.changed.connect(self._go_on)
        document.exported.connect(self._note_export)
        messages.work_is_kept = self.is_kept

    @property
    def busy(self) -> bool:
        """Whether work is being written, or is about to be."""
        return self._writing or self._later.isActive()

    def is_kept(self) -> bool:
        """Whether everything that was done is in the project's file or in the slot."""
        return not self._document.modified or self._is_kept(self._state)

    def keep(self) -> None:
        """Bring the slot up to date now, in the background."""
        self._later.stop()
        if self._writing:
            self._later.start(AUTOSAVE_MS)  # once that is done
            return
        document, state = self._document, self._state
        if not document.modified:
            if self._touched:
                self._kept, self._touched = None, False
                self.slot.clear()
            self._settle()
            return
        if self._is_kept(state):
            return
        self._writing = self._touched = True
        self._runner.start(
            "Keeping unsaved work",
            partial(_keep, self.slot, state, document.mark, exported=self._is_exported),
            on_done=partial(self._done, state),
            on_failed=self._failed,
            key=AUTOSAVE_JOB,
            owner=self,
        )

    def offer(self, recovered: Unsaved | None = None) -> None:
        """Offer the work that other windows left when they ended without being closed, beside what was recovered.

        What was exported as it is waits for nobody: nothing would be lost, and it stays on the start page.
        """
        found = self.slot.left_behind()
        left = tuple(one for one in found if not (one.exported and self.slot.lay_aside(one)))
        if len(left) < len(found):
            self.laid_aside.emit()
        done = "" if recovered is None else f"Recovered: {_named(recovered)}."
        if recovered is not None and not left:
            self._messages.success(done)
        for place, unsaved in enumerate(reversed(left), start=1):
            said = f"{done} Also kept: {_named(unsaved)}." if done and place == len(left) else ""
            self._messages.info(
                said or _not_saved(unsaved),
                "" if said else "What was exported stays.",
                action="Recover",
                callback=partial(self.recover, unsaved),
                other_action="Discard",
                other_callback=partial(self.slot.discard, unsaved),
                key=str(unsaved.file),
            )

    def recover(self, unsaved: Unsaved, room: str = "") -> None:
        """Go on with work that was left, in a `room` of it, unless the person wants to stay with what is open."""
        if not self.set_aside() and not self._may_leave():
            self.offer()
            return
        kept = unsaved in self.slot.kept_aside()
        try:
            project = self.slot.take_over(unsaved)
            said = SaidBeside.of_file(self.slot.file)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._kept, self._touched = (project, unsaved.path, said), True
        self._document.recover(project, unsaved.path, unsaved.mark, said)
        self._show(room)
        self.offer(unsaved)  # what else there is: opening has cleared the messages
        self._back = unsaved if kept else None

    def may_set_aside(self) -> bool:
        """Whether what is open gives way without a question: it was published, or never saved to a file.

        Not where something paid for would be lost, or while its file is being written.
        """
        document = self._document
        if document.saving.busy or not document.modified or document.project.data is None:
            return False
        never_saved = document.path is None and not document.session.release.lost_with_it
        return never_saved or is_done(document)

    def set_aside(self) -> bool:
        """Keep work on the start page as another table or project takes its place, where nobody is asked about it.

        False where the person is asked, or nothing is unsaved.
        """
        if not self.may_set_aside():
            return False
        drawn = self._document.session.release.result is not None
        ready = not self._writing and self._is_kept(self._state)
        slot = self.slot if ready else Slot()  # what is being written goes on, and is of no use any more
        if not ready:
            try:
                _keep(slot, self._state, self._document.mark, SILENT, exported=self._is_exported)
            except (WorkbenchError, OSError):
                return False
        unsaved = slot.set_aside()
        if unsaved is None:
            return False
        if ready:
            self.slot, self._kept, self._touched = Slot(), None, False
        self._wait("")  # it stays open where the other table cannot be read
        # Reading what takes its place begins without messages.
        self._aside = str(unsaved.file), self._document.session
        QTimer.singleShot(0, self, partial(self._say_aside, unsaved, self._room(), drawn=drawn))
        return True

    def _go_on(self, _section: str) -> None:
        """Say no more of what was set aside once somebody works on what took its place: Start lists it."""
        if self._aside is not None and self._document.modified and self._document.session is not self._aside[1]:
            self._messages.dismiss(self._aside[0])
            self._aside = None

    def _say_aside(self, unsaved: Unsaved, room: str = "", *, drawn: bool) -> None:
        name = f"“{aside_name(unsaved)}”"  # short: beside it there is room for little in a small window
        words, hint = (
            (f"{name} is on Start.", "What it exported stays.") if drawn else (f"{name} is kept on Start.", "")
        )
        self._messages.info(
            words,
            hint,
            action="Go back",
            callback=partial(self.recover, unsaved, room),
            key=str(unsaved.file),
        )

    def give_up_aside(self, window: QWidget) -> bool:
        """Ask once what becomes of the work on the start page that was never saved; False to change nothing."""
        aside = self.slot.kept_aside()
        if not aside:
            return True
        kept = counted(len(aside), "piece") + " of work that " + ("was" if len(aside) == 1 else "were")
        names = first_few(tuple(map(aside_name, aside)), 2, quoted=True)
        answer = QMessageBox.question(
            window,
            "Forget recent files",
            f"On the start page, too: {kept} not saved, {names}. Give that up as well? It cannot be undone. “No” keeps "
            "it there.",
            QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.No | QMessageBox.StandardButton.Cancel,
            QMessageBox.StandardButton.No,
        )
        if answer == QMessageBox.StandardButton.Yes:
            for unsaved in aside:
                self.slot.discard(unsaved)
        return answer != QMessageBox.StandardButton.Cancel

    def close(self) -> None:
        """The window is closed, and its work is saved or given up."""
        self._later.stop()
        self._runner.shutdown()
        self.slot.clear()

    def _note_export(self, path: Path) -> None:
        """Keep once more what is exported now, where it is what is open."""
        if self._document.last_exported == path:
            self._left, self._kept = self._document.project, None
            self._wait("")

    @property
    def _is_exported(self) -> bool:
        """Whether nothing of what is open changed since it was exported."""
        return self._document.project is self._left and is_done(self._document)

    @property
    def _state(self) -> _State:
        document = self._document
        return document.project, document.path, document.session.state.said_beside

    def _is_kept(self, state: _State) -> bool:
        return self._kept is not None and self._kept[0] is state[0] and self._kept[1:] == state[1:]

    def _say_back(self) -> None:
        """Say once its table is read, which ends what was said before, that it is what was kept of it."""
        unsaved, self._back = self._back, None
        data = self._document.project.data
        if unsaved is not None and data is not None and data.path == unsaved.table:
            words = f"This is your kept work on {_named(unsaved)}."
            QTimer.singleShot(0, self, partial(self._messages.info, words))

    def _wait(self, section: str) -> None:
        if section == "data" and self._document.has_data:
            self._say_back()
        if not self._later.isActive() or self._later.remainingTime() > AUTOSAVE_MS:
            self._later.start(AUTOSAVE_MS)

    def _done(self, state: _State, _nothing: None) -> None:
        self._writing = False
        self._kept = state
        if self._told:
            self._settle()
            self._messages.success("Unsaved work is kept again.", key=AUTOSAVE_JOB)
        if not self._document.modified:
            self._wait("")  # saved while it was written

    def _failed(self, error: BaseException) -> bool:
        """Say what failed, once, for a full disk would fill the window with messages too; and try again."""
        self._writing = False
        self._kept = None  # whether the file is still as it was, nobody knows
        said = f"{type(error).__name__}: {error}"
        if said != self._told:
            self._told = said
            self._say(error)
        self._later.start(AGAIN_MS)
        return True

    def _say(self, error: BaseException) -> None:
        if isinstance(error, WorkbenchError):
            self._messages.warning(error.message, error.hint, key=AUTOSAVE_JOB)
        else:
            self._messages.error(
                f"Unsaved work could not be kept: {type(error).__name__}.",
                "Save the project now. Please report this with the text behind Details.",
                details="".join(traceback.format_exception(error)),
                key=AUTOSAVE_JOB,
            )

    def _settle(self) -> None:
        """Withdraw the message about a failure, which is over."""
        if self._told:
            self._told = ""
            self._messages.dismiss(AUTOSAVE_JOB)


def aside_name(unsaved: Unsaved) -> str:
    """Work by its project, or the table it is about."""
    return visible(unsaved.data if unsaved.path is None else unsaved.path.stem)


def _not_saved(unsaved: Unsaved) -> str:
    """What is offered: settings alone, as a file that was exported is no part of a project; short, as is `_named`."""
    name, when = aside_name(unsaved), _when(unsaved)
    if unsaved.path is not None:
        return f"Not saved: changes to “{name}”, {when}."
    return f"Not saved: settings{f' of “{name}”' if name else ''}, {when}."


def _named(unsaved: Unsaved) -> str:
    """Work by its project, or the table it is about, and when it was kept; short enough for a small window."""
    name, when = aside_name(unsaved), _when(unsaved)
    return f"“{name}”, {when}" if name else f"work from {when}"


def _when(unsaved: Unsaved) -> str:
    changed = datetime.fromtimestamp(unsaved.changed)
    return changed.strftime("%H:%M" if changed.date() == datetime.now().date() else "%Y-%m-%d")


def _keep(slot: Slot, state: _State, mark: ProjectMark | None, _progress: Progress, *, exported: bool = False) -> None:
    project, path, said = state
    slot.keep(project, path, mark, said, exported=exported)
