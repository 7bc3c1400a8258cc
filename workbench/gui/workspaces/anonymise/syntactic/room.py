"""Jobs and edits that join the settings and the result of the syntactic approach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise.syntactic.result import SyntacticResult
from workbench.gui.workspaces.anonymise.syntactic.settings import SyntacticSettings
from workbench.gui.workspaces.anonymise.syntactic.verbs import FIND, USE
from workbench.project.loading import Loaded
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.syntactic.changes import carry_out
from workbench.session.syntactic.lattice_bands import MOST
from workbench.session.syntactic.neighbours import Change, NodeNeighbours
from workbench.session.syntactic.results import Recoded, RecodingResult, Refusal
from workbench.session.syntactic.words import change_in_words

SEARCH_JOB = "search levels"
RECODE_JOB = "recode"
_WHOLE_SECONDS = 20.0
"""The map of the combinations is filled meanwhile."""
_JOBS = {SEARCH_JOB: "search", RECODE_JOB: "recode"}


class SyntacticRoom(QObject):
    """Searches and recodes; the workspace places its two halves.

    Signals
    -------
    started()
        A search or a table was begun.
    status_changed()
        What `status` or `next_hint` say may have changed without the document changing.
    hierarchies_requested()
        The person wants to attach hierarchies first.
    """

    started = Signal()
    status_changed = Signal()
    hierarchies_requested = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._found = PromiseAssessment()
        self._job = TrackedJob(document.runner, self)
        self._data: Loaded | None = None
        self._refusal: tuple[str, Refusal] | None = None
        self._searching = False
        self.settings = SyntacticSettings(document)
        self.result = SyntacticResult(document)
        for asking in (self.settings, self.result):
            asking.search_requested.connect(self.search)
            asking.recode_requested.connect(self.recode)
        self.settings.cancel_requested.connect(self._cancel)
        self.settings.columns.hierarchies_requested.connect(self.hierarchies_requested)
        self.result.hierarchies_requested.connect(self.hierarchies_requested)
        self.result.levels_chosen.connect(self.take_levels)
        self.result.change_chosen.connect(self.take_change)
        self._job.ended.connect(self._job_finished)

    # What the workspace asks

    def status(self) -> Status | None:
        session = self._document.session
        if session.syntactic.recoded is None:
            return None
        # There is no claim, whatever holds; a tick would say otherwise.
        return Status.WARNING

    def next_hint(self) -> str:
        session = self._document.session
        if not self._document.has_data or not self.settings.ready:
            return ""
        if session.syntactic.recoded is None:
            return FIND
        return "" if session.syntactic.recoded_is_current else USE

    def do_next(self) -> bool:
        """Do what the hint says; whether it is being done."""
        hint = self.next_hint()
        if hint:
            (self.search if hint == FIND else self.recode)()
        return bool(hint)

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show everything as the document has it."""
        self._found = found
        if not self._document.has_data:
            self._refusal = None
        elif self._document.session.syntactic.recoded is not None:
            self._document.session.syntactic.recall_recoded()
        if self._document.has_data:
            self.settings.show_assessment(found)
        self._show()

    def _show(self) -> None:
        document = self._document
        running = _JOBS.get(self._job.key, "")
        self.settings.show_running(
            "search" if running and self._searching else running, cancelling=self._job.cancelling
        )
        if document.has_data:
            bare = not self._found.grouped and not document.project.hierarchies
            self.result.show_state(running, self._current_refusal(), bare=bare, ready=self.settings.ready)

    def _current_refusal(self) -> Refusal | None:
        """Why the last try gave nothing, as long as its question stands."""
        if self._refusal is None:
            return None
        session, (kind, refusal) = self._document.session, self._refusal
        now = session.syntactic.search_key() if kind == "search" else session.syntactic.recoding_key()
        return refusal if refusal.key == now else None

    # Jobs

    def run(self) -> None:
        """Make the table at the levels as set."""
        self.recode()

    def renew(self) -> None:
        """Bring the table up to date, if there is one."""
        syntactic = self._document.session.syntactic
        if syntactic.recoded is not None and not syntactic.recoded_is_current:
            self.recode()

    def search(self) -> None:
        """Search the best levels in the background, and make the table with them."""
        if self._may_start():
            self._searching = True
            work = self._document.session.syntactic.best_levels_finder()
            self._begin("Searching the best levels", work, self._searched, SEARCH_JOB)

    def recode(self) -> None:
        """Make the table at the levels as set in the background."""
        if self._may_start():
            self._recode()

    def _recode(self) -> None:
        work = self._document.session.syntactic.recoder()
        self._begin("Anonymising", work, self._recoded, RECODE_JOB)

    def _may_start(self) -> bool:
        return self._document.has_data and not self._job.running and self.settings.ready

    def _begin(self, name: str, work: Callable[[Progress], Any], done: Callable[[Any], object], key: str) -> None:
        # Before it begins: how far a search came is shown meanwhile, and it can be cancelled.
        new = not self._document.session.looks.taken
        self._document.session.syntactic.saw_the_data()
        if new:
            self._tell()
        self._refusal = None
        self._data = self._document.session.data.loaded
        button = self.settings.search if self._searching else self.settings.recode
        if QApplication.focusWidget() in self.result.starters:
            button.setFocus()  # or Qt would give it to whatever is next, such as a button that removes something
        self._job.start(name, work, on_done=done, key=key, latest_wins=True)
        self.started.emit()
        self._show()

    def _searched(self, found: RecodingResult | Refusal) -> None:
        if self._is_of_other_data():
            return
        if isinstance(found, Refusal):
            self._refuse("search", found)
        else:
            session = self._document.session
            session.syntactic.accept_found(found)
            if self._document.apply(FIND, lambda one: one.release.columns.apply_levels(found.result.levels)):
                self._recode()
            self._tell()

            def work(progress: Progress) -> tuple[RecodingResult, NodeNeighbours]:
                return found, found.surroundings(progress)

            self._document.runner.start(
                "Looking around the best levels", work, on_done=self._explored, key="around", latest_wins=True
            )

    def _explored(self, looked_at: tuple[RecodingResult, NodeNeighbours]) -> None:
        session, (found, around) = self._document.session, looked_at
        if session.syntactic.found is not found:
            return
        first = session.syntactic.around is None
        session.syntactic.around = around
        self._show()
        if first and not around.complete and around.size <= MOST:

            def work(progress: Progress) -> tuple[RecodingResult, NodeNeighbours]:
                return found, found.surroundings(progress, _WHOLE_SECONDS)

            self._document.runner.start(
                "Looking at all combinations", work, on_done=self._explored, key="around", latest_wins=True, aside=True
            )

    def _recoded(self, recoded: Recoded | Refusal) -> None:
        if self._is_of_other_data():
            return
        if isinstance(recoded, Refusal):
            self._refuse("recode", recoded)
        else:
            self._document.session.syntactic.accept_recoded(recoded)
            self._tell()

    def _is_of_other_data(self) -> bool:
        return self._data is None or self._document.session.data.loaded is not self._data

    def _refuse(self, kind: str, refusal: Refusal) -> None:
        self._refusal = kind, refusal
        # Which values a hierarchy misses, or how many rows fail, is seen of the data, too.
        self._document.session.syntactic.saw_the_data()
        self._tell()

    def _tell(self) -> None:
        self._document.changed.emit("result")
        self._document.changed.emit("file")

    def _job_finished(self, _key: str) -> None:
        self._searching = False
        self._show()
        self.status_changed.emit()

    def _cancel(self) -> None:
        if self._job.running:
            self._job.cancel()
            self._show()

    # Edits

    def take_levels(self, levels: Mapping[str, int]) -> None:
        """Put these levels, and make the table at them."""
        if self._document.apply(USE, lambda session: session.release.columns.apply_levels(levels)):
            self._again("recode")

    def take_change(self, change: Change) -> None:
        """Make a change that helps, and try again what was tried.

        Nothing if the question is another one by now: the change was meant for the one before.
        """
        if self._current_refusal() is None or self._refusal is None:
            return
        words, kind = change_in_words(change, self._document.project.anonymise.question.models), self._refusal[0]
        if self._document.apply(words, lambda session: carry_out(session, change)):
            self._again(kind)

    def _again(self, kind: str) -> None:
        self.settings.show_assessment(self._found)
        if kind == "search":
            self.search()
        else:
            self.recode()
