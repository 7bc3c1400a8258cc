"""Settings on the left, claim and result on the right."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import (
    QStackedWidget,
    QWidget,
)

from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.document import RUN_JOB, Document
from workbench.gui.icons import icon
from workbench.gui.runner import Job
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise.advanced import Advanced
from workbench.gui.workspaces.anonymise.approach_switch import ApproachSwitch
from workbench.gui.workspaces.anonymise.calculator import Calculator
from workbench.gui.workspaces.anonymise.levels_section import LevelsSection
from workbench.gui.workspaces.anonymise.release_columns import ReleaseColumns
from workbench.gui.workspaces.anonymise.result import ResultPane
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.gui.workspaces.base import Workspace
from workbench.session.release.assessment import PromiseAssessment, assess, is_quick

_SETTINGS_WIDTH = tokens.EXPLAIN_WIDTH + 2 * tokens.COLUMN_MIN - tokens.SPACE_L

_SETTINGS_PART, _RESULT_PART = 0, 1


class AnonymiseWorkspace(Workspace):
    """The room in which a table becomes a release."""

    identifier = "anonymise"
    works_unseen = True

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._found = PromiseAssessment()
        self._job = TrackedJob(document.runner, self)
        self.approach = ApproachSwitch(document)
        self._syntactic: SyntacticRoom | None = None
        self.calculator = Calculator(document)
        self.levels = LevelsSection(document)
        self.columns = ReleaseColumns(document)
        self.advanced = Advanced(document)
        self.result = ResultPane(document)
        self.run_button = push_button(explain="anonymise.run", primary=True)
        self._why_not = label(small=True, wrap=True, tone="warning")
        self.settle_first = label(
            "Settle levels, columns, β and k before you run: changed after a result, they carry no claim.",
            small=True,
            muted=True,
            wrap=True,
        )
        self._no_data = EmptyState(
            "data",
            "No table is open",
            "Open a CSV file, attach hierarchies to its columns, and anonymise it here.",
            "Open a file…",
            ("Go to Data",),
        )
        self._pages = QStackedWidget()
        self._lay_out()
        self._connect()
        self.settle()

    # What the window asks

    def status(self) -> Status | None:
        """The tick: a current result with a claim, or something to look at."""
        self.settle()
        if self.document.session.syntactic.wanted:
            return self.syntactic.status()
        result = self.document.session.release.result
        if result is None:
            return None
        sound = self._found.current and result.claim.holds and result.outcome.rows_out > 0
        return Status.SUCCESS if sound else Status.WARNING

    def next_hint(self) -> str:
        self.settle()
        session = self.document.session
        if session.syntactic.wanted:
            return self.syntactic.next_hint()
        if not self.document.has_data or not self._found.can_run:
            return ""
        if session.release.result is None:
            return "Run the anonymisation"
        return "" if self._found.current else "Run again"

    def focus_first(self) -> None:
        if self.document.has_data:
            self.parts.show_part(_SETTINGS_PART)
            if self.document.session.syntactic.wanted:
                self.syntactic.settings.search.setFocus()
            else:
                self.calculator.fields["epsilon"].setFocus()
        elif self._no_data.primary_button is not None:
            self._no_data.primary_button.setFocus()

    def run(self) -> None:
        """Run with the settings as they stand, unless a field holds no number."""
        self.settle()
        if self.document.session.syntactic.wanted:
            self.syntactic.run()
        elif self.calculator.valid and self.levels.valid and not self._job.running:
            self.document.run()

    def claim_word(self) -> str:
        """The verdict on a run with the settings as they stand, in the words of its badge."""
        self.settle()
        return (self.syntactic.result if self.document.session.syntactic.wanted else self.result.claim).badge.text

    @property
    def syntactic(self) -> SyntacticRoom:
        """The room for k-anonymity and its relatives; made when it is first needed."""
        if self._syntactic is None:
            room = self._syntactic = SyntacticRoom(self.document, self)
            self._settings_pages.addWidget(room.settings)
            self._result_pages.addWidget(room.result)
            room.hierarchies_requested.connect(self._go_to_hierarchies)
            room.started.connect(self._show_result_part)
            room.status_changed.connect(self.status_changed)
        return self._syntactic

    # Building

    def _lay_out(self) -> None:
        inside = boxes.column(
            self.calculator, self.levels, self.columns, self.advanced, 1, margins="l l s l", spacing="xl"
        )
        scroll = boxes.scrolled(inside)
        foot = boxes.boxed(
            boxes.column(self._why_not, self.settle_first, self.run_button, margins="l s m m", spacing="xs"), line="top"
        )
        sampled = boxes.boxed(boxes.column((scroll, 1), foot, spacing=0))
        settings = QWidget()
        whole = boxes.column(spacing=0, inside=settings)
        head = boxes.boxed(boxes.column(self.approach, margins="l m s s"), line="bottom")
        whole.addWidget(head)
        self._settings_pages = QStackedWidget()
        self._result_pages = QStackedWidget()
        for page, kind in ((sampled, self._settings_pages), (self.result, self._result_pages)):
            kind.addWidget(page)
        whole.addWidget(self._settings_pages, 1)
        settings.setMinimumWidth(_SETTINGS_WIDTH - tokens.SPACE_XL - tokens.SPACE_M)
        parts = ((settings, "Settings"), (self._result_pages, "Claim and result"))
        self.parts = SideBySide("anonymise", parts, (_SETTINGS_WIDTH, 2 * _SETTINGS_WIDTH))
        self._pages.addWidget(self._no_data)
        self._pages.addWidget(self.parts)
        boxes.column(self._pages, inside=self)

    def _connect(self) -> None:
        document = self.document
        document.runner.started.connect(self._job_started)
        self._job.ended.connect(self._show_running)
        self.run_button.clicked.connect(self._run_or_cancel)
        self.result.run_requested.connect(self.run)
        self.result.best_share_found.connect(self.calculator.set_best_share)
        self.calculator.validity_changed.connect(self._show_run)
        self.levels.validity_changed.connect(self._show_run)
        self.columns.hierarchies_requested.connect(self._go_to_hierarchies)
        self.result.hierarchies_requested.connect(self._go_to_hierarchies)
        self._no_data.primary.connect(self.open_requested)
        self._no_data.secondary.connect(self._go_to_data)

    # Keeping up with the document

    def _document_changed(self, section: str) -> None:
        if section not in ("file", "laboratory"):
            self.put_off()

    def refresh(self) -> None:
        """Bring everything up to date, off the GUI thread where it could take long."""
        if not self.document.has_data:
            self._pages.setCurrentWidget(self._no_data)
            self._show(PromiseAssessment())
            return
        self._pages.setCurrentWidget(self.parts)
        session = self.document.session.snapshot()
        if is_quick(session):
            self._show(assess(session))
            return

        def work(progress: Progress) -> PromiseAssessment:
            return assess(session, progress)

        self._show_waiting()
        self.document.runner.start("Checking the claim", work, on_done=self._show_late, key="claim", latest_wins=True)

    def _show_late(self, found: PromiseAssessment) -> None:
        if not self._stale:
            self._show(found)
            self.status_changed.emit()

    def _show_waiting(self) -> None:
        """Show the settings at once; what follows from them comes when it is known."""
        self._found = replace(self._found, error=None, current=False, pending=True)
        self._show(self._found)

    def _show(self, found: PromiseAssessment) -> None:
        self._found = found
        self.approach.refresh()
        wanted = self.document.session.syntactic.wanted
        if wanted or (self._syntactic is not None and not self.document.has_data):
            self.syntactic.show_assessment(found)
        self._settings_pages.setCurrentIndex(1 if wanted else 0)
        self._result_pages.setCurrentIndex(1 if wanted else 0)
        if not self.document.has_data:
            self.result.show_assessment(found, running=False)
            return
        self.calculator.show_assessment(found)
        self.levels.show_assessment(found)
        self.columns.show_assessment(found)
        self.advanced.refresh()
        self.result.show_assessment(found, running=self._job.running)
        self._show_run()

    # Running

    def _show_run(self) -> None:
        running = self._job.running
        cancelling = self._job.cancelling
        again = self.document.session.release.result is not None
        if running:
            words, name = "Cancel", "stop"
        else:
            words, name = "Run again" if again else "Run", "run"
        self.run_button.setText(words)
        self.run_button.setAccessibleName(words)
        self.run_button.setIcon(icon(name, "on_accent"))
        self.run_button.setToolTip("" if running else "Sample, generalise and drop small groups (F5)")
        reason = "" if running else self._reason_not_to_run()
        self.run_button.setEnabled(not cancelling if running else not reason)
        self._why_not.setText(reason)
        self._why_not.setVisible(bool(reason))
        session = self.document.session
        first = (
            session.release.result is None
            and session.data.loaded is not None
            and not session.ledger.looks(session.data.fingerprint)
        )
        self.settle_first.setVisible(first and not reason)

    def _reason_not_to_run(self) -> str:
        found = self._found
        if not self.calculator.valid:
            return "A field of the guarantee holds no number."
        if not self.levels.valid:
            return "ε of choosing the levels holds no number."
        if found.guarantee is None:
            return "The guarantee has no solution."
        if not found.grouped:
            return "No column takes part in the grouping."
        if found.uncovered:
            names = ", ".join(found.uncovered)
            return f"Hierarchies miss values: {names}."
        return ""

    def _run_or_cancel(self) -> None:
        if self._job.running:
            self._job.cancel()
            self._show_run()
        else:
            self.run()

    def _job_started(self, job: Job) -> None:
        if job.key == RUN_JOB:
            # What runs is what is in force, so that is what the fields must show.
            self.calculator.reset_invalid()
            self._job.follow(job)
            self.parts.show_part(_RESULT_PART)
            self._show_running()

    def _show_running(self) -> None:
        self.settle()
        self._show_run()
        self.result.show_assessment(self._found, running=self._job.running)

    def _show_result_part(self) -> None:
        self.parts.show_part(_RESULT_PART)

    def _go_to_hierarchies(self) -> None:
        self.go_to.emit("hierarchies")

    def _go_to_data(self, _which: int) -> None:
        self.go_to.emit("data")
