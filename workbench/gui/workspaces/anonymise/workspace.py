"""Three steps on the left, the release on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractButton, QStackedWidget, QWidget

from workbench.anonymise.recipe import Treatment
from workbench.gui import tokens
from workbench.gui.document import RUN_JOB, Document
from workbench.gui.next_step import KNOWN, PURPOSE, RELEASED
from workbench.gui.runner import Job
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.pages import PagesAsShown
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.widgets.status import Status, status_word
from workbench.gui.workspaces.anonymise.approach_switch import ApproachSwitch
from workbench.gui.workspaces.anonymise.column_tables import DetailTable
from workbench.gui.workspaces.anonymise.due import Due
from workbench.gui.workspaces.anonymise.last_change import LastChange
from workbench.gui.workspaces.anonymise.ledger_seen import LedgerSeen
from workbench.gui.workspaces.anonymise.levels_step import LevelsStep
from workbench.gui.workspaces.anonymise.number_answered import NUMBER
from workbench.gui.workspaces.anonymise.outlook_bar import WHO
from workbench.gui.workspaces.anonymise.promise_step import PromiseStep
from workbench.gui.workspaces.anonymise.release_view import ReleaseView
from workbench.gui.workspaces.anonymise.run_step import RunStep
from workbench.gui.workspaces.anonymise.steps_foot import StepsFoot
from workbench.gui.workspaces.anonymise.syntactic import SyntacticRoom
from workbench.gui.workspaces.anonymise.three_steps import LEVELS, PROMISE, ThreeSteps
from workbench.gui.workspaces.base import Workspace
from workbench.session.release.assessment import PromiseAssessment, assess, is_quick
from workbench.session.release.remedies import FIGURES, OCCURRING, RULE, AnotherDraw

_SETTINGS_PART, _RESULT_PART = 0, 1
_NEXT_DIGIT_MS = 400
"""So long whoever types takes at most from one digit to the next."""


class AnonymiseWorkspace(Workspace):
    """The room in which a table becomes a release."""

    identifier = "anonymise"
    works_unseen = True

    def __init__(
        self, document: Document, parent: QWidget | None = None, made: Mapping[str, QObject] | None = None
    ) -> None:
        super().__init__(document, parent, made)
        self._found = PromiseAssessment()
        self._job = TrackedJob(document.runner, self)
        self.approach = ApproachSwitch(document)
        self._syntactic: SyntacticRoom | None = None
        self.promise: PromiseStep = self._made["promise"]
        self.levels: LevelsStep = self._made["levels"]
        self.columns = self.levels.columns
        self.plan = RunStep(document)
        self.steps = ThreeSteps(self.promise, self.levels, self.plan)
        self.foot = StepsFoot(document, self._job, self.promise, self.plan, lambda: self.mistyped)
        self.outlook, self.run_button, self._due = self.foot.outlook, self.foot.run_button, Due(document, self.foot)
        self.result: ReleaseView = self._made["result"]
        self._wanted, self._alone = 0, False
        self._ledger, self._last = LedgerSeen(document), LastChange(document)
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

    @classmethod
    def made_first(cls, document: Document) -> Iterator[tuple[str, QObject]]:
        yield "promise", PromiseStep(document)
        yield "levels", LevelsStep(document)
        yield "result", ReleaseView(document)

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
        if not self.document.has_data or not self._found.can_run or self._job.running:
            return ""
        return self._due.words(self._found)

    def next_field(self) -> str:
        return self._due.field(self._found)

    def do_next(self, field: str) -> bool:
        if field == KNOWN and self.foot.helps is not None:
            self._answer(self.foot.helps.field)
            return True
        if field == PURPOSE:
            self._answer(field)
            return True
        if field == RELEASED:
            self.reach_requested.emit("release", RELEASED)
            return True
        return self.document.session.syntactic.wanted and self.syntactic.do_next()

    def focus_first(self) -> None:
        if self.document.has_data:
            self.parts.show_part(_SETTINGS_PART)
            if self.document.session.syntactic.wanted:
                self.syntactic.settings.search.setFocus()
            else:
                self.reach("epsilon")
        elif self._no_data.primary_button is not None:
            self._no_data.primary_button.setFocus()

    def spend(self) -> None:
        self.settle()
        if self.document.session.syntactic.wanted or not self.foot.is_made:
            self.run()

    def reach(self, field: str) -> None:
        """Show a control of the room and give it the focus."""
        self.settle()
        if field == WHO:
            self._ask_for_the_unit()
            return
        if not self.document.has_data or self.document.session.syntactic.wanted:
            self.focus_first()
            return
        self.parts.show_part(_SETTINGS_PART)
        key, control = self._place_of(field)
        if key:
            self.steps.show_control(key, control)
        else:
            control.setFocus()

    def _place_of(self, field: str) -> tuple[str, QWidget]:
        """The step of a control and the control; no step for what is always in sight."""
        name = field.partition(":")[2]
        if field in ("run", KNOWN):
            return "", self.foot.due_control(spends=self._due.field(self._found) == "run")
        if field.startswith(OCCURRING) and name in self.columns.rows:
            return LEVELS, self.columns.said_field(name)
        if field.startswith("level:") and name in self.columns.rows:
            return LEVELS, self.columns.rows[name].controls[0]
        if field == "levels":
            return LEVELS, self.levels.chosen_button
        in_sight: dict[str, QWidget] = {"rows": self.plan.rows, NUMBER: self.outlook.public.no}
        return ("", in_sight[field]) if field in in_sight else (PROMISE, self.promise.fields["epsilon"])

    def _answer(self, field: str) -> None:
        """Ask for what is known without the file, of columns of a remedy or of all; others have a control of theirs."""
        if field == PURPOSE:
            self.parts.show_part(_RESULT_PART)
            return self.result.details.focus_ticks()
        if field == FIGURES:
            return self.go_to.emit("query")
        if field.startswith(RULE):
            return self._go_to_hierarchies(field.removeprefix(RULE))
        if not field.startswith(OCCURRING):
            return self.reach(field)
        asked = next((one.columns for one in self._found.remedies if one.field == field), ())
        self.foot.ask_known(field.removeprefix(OCCURRING), asked)

    def run(self) -> None:
        """Run with the settings as they stand, unless a field holds no number."""
        self.settle()
        if self.document.session.syntactic.wanted:
            self.syntactic.run()
        elif not self.mistyped and not self._job.running:
            if self.foot.wastes_the_claim():
                # Not by a key or a menu: the button says what it would be.
                self.parts.show_part(_SETTINGS_PART)
                self.run_button.setFocus()
                self.document.noted.emit("warning", self.foot.settle_first.text())
            else:
                self.outlook.spare()
                self.document.run()

    def renew(self) -> None:
        super().renew()
        if self.document.session.syntactic.wanted:
            self.syntactic.renew()

    def _shows_true_rows(self) -> bool:
        """Whether the right side shows what may not leave."""
        release = self.document.session.release
        if not self.document.has_data or self.document.session.syntactic.wanted:
            return self.document.has_data
        return release.looked and (release.result is not None or release.survival.explored is not None)

    def _draw_again(self) -> None:
        """Make a new draw with the settings as they stand, at its price."""
        if not self.mistyped and not self._job.running:
            self.document.run(again=True)

    def _draw_other(self, other: AnotherDraw) -> None:
        """Make the edit that another draw begins with, and the draw, at the price on its button."""
        if not self.mistyped and not self._job.running and self.document.apply(other.words, other.edit):
            self.document.run()

    def claim_word(self) -> str:
        """The verdict on a run with the settings as they stand, in the words of its badge."""
        self.settle()
        return (
            self.syntactic.result.header if self.document.session.syntactic.wanted else self.result.claim
        ).badge.text

    @property
    def syntactic(self) -> SyntacticRoom:
        """The room for k-anonymity and its relatives; made when it is first needed."""
        if self._syntactic is None:
            room = self._syntactic = SyntacticRoom(self.document, self)
            self._settings_pages.addWidget(room.settings)
            self._result_pages.addWidget(room.result)
            room.hierarchies_requested.connect(self._go_to_hierarchies)
            room.started.connect(partial(self.parts.show_part, _RESULT_PART))
            room.status_changed.connect(self.status_changed)
        return self._syntactic

    # Building

    def _lay_out(self) -> None:
        self.steps.add_to_footer(self.foot)
        settings = QWidget()
        whole = boxes.column(spacing=0, inside=settings)
        whole.addWidget(boxes.boxed(boxes.column(self.approach, margins="l m s s"), line="bottom"))
        self._settings_pages = PagesAsShown()
        self._result_pages = QStackedWidget()
        self._settings_pages.addWidget(self.steps)
        # First of its pages, even where the other room was needed before.
        self.put_in_place(self.result, partial(self._result_pages.insertWidget, 0))
        whole.addWidget(self._settings_pages, 1)
        settings.setMinimumWidth(tokens.STEPS_WIDTH)
        parts = ((settings, "Settings"), (self._result_pages, "Claim and result"))
        self.parts = SideBySide("anonymise", parts, (tokens.ANONYMISE_WIDTH, 2 * tokens.STEPS_WIDTH))
        self.parts.narrowed.connect(self._place_forecast)
        self._place_forecast(narrow=False)
        for page in (self._no_data, self.parts):
            self._pages.addWidget(page)
        boxes.column(self._pages, inside=self)

    def _place_forecast(self, narrow: bool) -> None:
        """Have the forecast below the tables, or beside the steps where these are not seen: never above or below them.

        There it would take the room of the open step, which is to be seen whole.
        """
        self._alone = narrow
        self.outlook.show_alone(narrow)
        self.foot.refresh()  # what is asked in sight may be so no longer
        if narrow:
            self.steps.put_beside(self.foot.forecast)
        else:
            self.result.put_below(self.foot.forecast)
        self._show_side()

    def _tell_as_far_as_asked(self, table: DetailTable) -> None:
        table.wait_for_answers(self.outlook.is_asked)

    def _show_side(self) -> None:
        self.steps.show_beside(self._alone and not self.foot.forecast.isHidden())

    def _connect(self) -> None:
        document = self.document
        document.runner.started.connect(self._job_started)
        self._job.ended.connect(self._show_running)
        self.foot.run_requested.connect(self._run_as_said)
        self.foot.export_requested.connect(lambda: self.reach_requested.emit("release", "export"))
        self.foot.mend_requested.connect(self._mend)
        self.foot.refreshed.connect(self.step_changed)
        for table in (self.result.details, self.result.ahead):
            self.foot.refreshed.connect(partial(self._tell_as_far_as_asked, table))
        self.result.run_requested.connect(self.run)
        self.result.draw_requested.connect(self._draw_again)
        self.result.other_draw_requested.connect(self._draw_other)
        self.result.look.left_out.connect(self.foot.run_button.setFocus)
        self.result.best_share_found.connect(self.promise.set_best_share)
        self.promise.validity_changed.connect(self._show_run)
        self.outlook.reach_requested.connect(self._answer)
        for offer in self._offers:
            offer.released.connect(self._let_go)
        self.promise.unit_requested.connect(self._ask_for_the_unit)
        self.promise.mended.connect(self.foot.go_on_harmless)
        self.plan.rows.rested.connect(self._let_go)
        for source in (self.levels, self.plan.rows, self.plan.seed):
            source.validity_changed.connect(self._show_run)
        self.columns.hierarchies_requested.connect(self._go_to_hierarchies)
        self.columns.knowledge_requested.connect(self.foot.ask_known)
        self.result.details.saying.connect(self.foot.ask_known)
        self.result.hierarchies_requested.connect(self._go_to_hierarchies)
        self._no_data.primary.connect(self.open_requested)
        self._no_data.secondary.connect(self._go_to_data)

    # Keeping up with the document

    @property
    def _offers(self) -> tuple[QAbstractButton, ...]:
        """Buttons that come, go and change with the forecast."""
        return (*self.outlook.buttons, *self.foot.finer.buttons, *self.result.look.offers)

    def settle(self) -> None:
        # A press takes the focus from the field before, whose number makes another forecast: nothing may move under it.
        if not any(offer.isDown() for offer in self._offers):
            super().settle()

    def put_off(self) -> None:
        # Of the first digits of a number there is no forecast: it would be read beside the number once that is whole.
        self._later.setInterval(_NEXT_DIGIT_MS if self.plan.rows.typing else 0)
        super().put_off()

    def _let_go(self) -> None:
        if self._stale:
            self.put_off()

    def _document_changed(self, section: str) -> None:
        if section not in ("file", "laboratory") and (section != "ledger" or self._ledger.has_moved()):
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
        self._show_waiting()
        check, then = partial(assess, session), self._show_late
        self.document.runner.start("Checking the claim", check, on_done=then, key="claim", latest_wins=True)

    def _show_late(self, found: PromiseAssessment) -> None:
        if not self._stale:
            self._show(found)
            self.status_changed.emit()

    def _show_waiting(self) -> None:
        """Show the settings at once; what follows from them comes when it is known."""
        self._found = replace(self._found, error=None, current=False, pending=True)
        self._show(self._found)

    def _give_room(self) -> None:
        """What came out has the room, for nine columns where there are so many; before it, the settings have."""
        session, drawn = self.document.session, self.document.session.release.result is not None
        if self._found.pending or self._job.running:
            return  # nothing moves for what is known in a moment
        planning = not session.syntactic.wanted and not (drawn and self._found.current) and self.document.has_data
        wanted = tokens.ANONYMISE_WIDTH if planning else tokens.STEPS_WIDTH
        if wanted != self._wanted and self.parts.isVisible():
            self._wanted = wanted
            self.parts.prefer(wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._give_room()
        if self._last.follow(self._found).changes:  # made in another room since it was seen
            self._show(self._found)

    def _show(self, found: PromiseAssessment) -> None:
        found = self._found = self._last.follow(found) if self.isVisible() else found
        self._give_room()
        self.lock = status_word(Status.ANALYST) if self._shows_true_rows() else ""
        self.approach.refresh()
        wanted = self.document.session.syntactic.wanted
        if wanted or (self._syntactic is not None and not self.document.has_data):
            self.syntactic.show_assessment(found)
        self._settings_pages.setCurrentIndex(1 if wanted else 0)
        self._result_pages.setCurrentIndex(1 if wanted else 0)
        if not self.document.has_data:
            self.result.show_assessment(found, running=False)
            return
        self.promise.show_assessment(found)
        self.levels.show_assessment(found)
        self.plan.show_assessment(found, trims=self.foot.trims)
        self.steps.show_summaries(found)
        self.result.show_assessment(found, running=self._job.running)
        self._show_run()

    # Running

    def _show_run(self) -> None:
        self.foot.show_assessment(self._found)
        self._show_side()

    def _mend(self) -> None:
        """Go to what voids the claim: to the hierarchies where nobody has said how they were made, else to the list."""
        columns, data = self.document.session.release.columns, self.document.session.data
        if any(columns.treatment(name) is not Treatment.LEAVE_OUT for name in data.undeclared):
            self.reach_requested.emit("hierarchies", "hierarchies")
        else:
            self.parts.show_part(_RESULT_PART)
            self.result.show_reasons()

    def _run_as_said(self, wasted: bool) -> None:
        if wasted:
            self.document.run()  # the button said what it would be
        else:
            self.run()

    def _job_started(self, job: Job) -> None:
        if job.key == RUN_JOB:
            # What runs is what is in force, so that is what the fields must show.
            self.promise.reset_invalid()
            self._job.follow(job)
            self.parts.show_part(_RESULT_PART)
            self._show_running()

    def _show_running(self) -> None:
        self.settle()
        self._show_run()
        self.result.show_assessment(self._found, running=self._job.running)

    def _go_to_hierarchies(self, column: str = "") -> None:
        if column:
            self.reach_requested.emit("hierarchies", f"hierarchy:{column}")
        else:
            self.go_to.emit("hierarchies")

    @property
    def mistyped(self) -> str:
        """Which field holds no number that it can have, and where it is; "" if there is none."""
        return self.steps.mistyped

    def _go_to_data(self, _which: int = 0) -> None:
        self.go_to.emit("data")

    def _ask_for_the_unit(self) -> None:
        self.reach_requested.emit("data", "person")
