"""The question and the protocols on the left; what to expect, what happened and real reports on the right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.look_question import LookQuestion
from workbench.gui.saving import Saved
from workbench.gui.widgets import boxes
from workbench.gui.widgets.problems import first_problem
from workbench.gui.widgets.status import Status, status_word
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.collect.asked_form import AskedForm
from workbench.gui.workspaces.collect.asked_now import AskedNow
from workbench.gui.workspaces.collect.crowd_line import CrowdLine
from workbench.gui.workspaces.collect.facts_page import FactsPage
from workbench.gui.workspaces.collect.page_tabs import PageTabs
from workbench.gui.workspaces.collect.plan_leaving import PlanLeaving
from workbench.gui.workspaces.collect.prediction_page import PredictionPage
from workbench.gui.workspaces.collect.protocols_section import ProtocolsSection
from workbench.gui.workspaces.collect.question_section import CollectQuestionSection
from workbench.gui.workspaces.collect.reports_page import ReportsPage
from workbench.gui.workspaces.collect.room_pages import RoomPages
from workbench.gui.workspaces.collect.run_foot import RunFoot
from workbench.gui.workspaces.collect.simulation_job import SimulationJob
from workbench.gui.workspaces.collect.simulation_page import SimulationPage
from workbench.gui.workspaces.collect.sweep_page import SweepPage
from workbench.gui.workspaces.collect.who_answers import WhoAnswers
from workbench.ldp.choice import ProtocolChoice
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.listed_once import OtherNames

_PLAN = "plan"
"""What another room calls the prediction."""


class CollectWorkspace(Workspace):
    """The room of local differential privacy."""

    identifier = "collect"
    goes_on = True
    follows = frozenset(("data", "schema", "rows", "settings", "collect", "comparing", "queries", "result"))

    def __init__(
        self, document: Document, parent: QWidget | None = None, made: Mapping[str, QObject] | None = None
    ) -> None:
        super().__init__(document, parent, made)
        self.asked = AskedNow(document)
        self._fingerprint = ""
        self._session = document.session
        self._planned = False
        """Whether a survey was planned when pages were shown last."""
        self._recommended_for: CollectSettings | None = None
        """The settings for which there was a recommendation when it was asked whether to look."""
        self.question: CollectQuestionSection = self._made["question"]
        self.protocols: ProtocolsSection = self._made["protocols"]
        self.form = AskedForm(document, self.question, self.protocols)
        self.privacy, self.estimate = self.form.privacy, self.form.estimate
        self.answering = WhoAnswers(document, self.question, self)
        self.crowd = CrowdLine(document)
        self.prediction: PredictionPage = self._made["prediction"]
        self.simulation: SimulationPage = self._made["simulation"]
        self._job = SimulationJob(document, self.simulation, self)
        self.sweep: SweepPage = self._made["sweep"]
        self.facts: FactsPage = self._made["facts"]
        self.reports: ReportsPage = self._made["reports"]
        pages = (
            (self.prediction, "Prediction"),
            (self.simulation, "Simulation"),
            (self.sweep, "Sweep"),
            (self.facts, "Protocol"),
            (self.reports, "Reports"),
        )
        self.tabs = PageTabs(document, pages, (self.sweep,), "What is known of the collection")
        self.first_look = LookQuestion(
            document, "simulate", desk=lambda: document.session.collection, without="Simulate assumed shares"
        )
        self.foot = RunFoot(self.first_look)
        self.button, self.command = self.foot.button, self.foot.command
        self.plan = PlanLeaving(document, self.prediction, self.protocols)
        self.pages = self._laid_out()
        self.parts, self.answers, self.no_data = self.pages.parts, self.pages.answers, self.pages.no_data
        self.no_column, self.no_answers = self.pages.unasked.no_column, self.pages.unasked.no_answers
        self._connect()
        self.tells_opening(self.no_data)

    @classmethod
    def made_first(cls, document: Document) -> Iterator[tuple[str, QObject]]:
        yield "question", CollectQuestionSection(document)
        yield "protocols", ProtocolsSection(document)
        yield "prediction", PredictionPage(document)
        yield "simulation", SimulationPage(document)
        yield "sweep", SweepPage(document)
        yield "facts", FactsPage(document)
        yield "reports", ReportsPage(document)

    # What the window asks

    def status(self) -> Status | None:
        found = self.simulation.found
        if found is None or not self._simulates:
            return None
        key = self.document.session.collection.key_of(found)
        if not key:  # nothing is asked of which it could be out of date
            return None
        return Status.SUCCESS if found.key == key else Status.WARNING

    def next_hint(self) -> str:
        project = self.document.project
        if self.asked.planning and not self.asked.knows_answers:
            return "Type the bounds" if self.document.session.collection.asks_mean else "Type the possible answers"
        if self.asked.planning:
            return "Hold the survey" if self.reports.holds and self.reports.found is None else ""
        if not self.document.has_data or not project.collect.column:
            return ""
        if self._reason_not_to_run():
            return ""  # said where it is mended
        if self.simulation.found is None:
            return "Simulate a collection"
        return "" if self.status() is Status.SUCCESS else "Simulate again"

    @property
    def _simulates(self) -> bool:
        """Whether there is anybody to simulate: rows, or people with assumed shares."""
        return self.asked.planning or self.document.session.collection.answerable

    def do_next(self, field: str) -> bool:
        if self.asked.planning and not self.asked.knows_answers:
            self.focus_first()
        elif self.asked.planning:
            self.hold()
        else:
            self.run()
        return True

    def hold(self) -> None:
        """Show what to hand out of the survey that is planned, and where what people report is typed."""
        self.plan.follow()
        self.pages.show_page(self.reports)
        self.reports.held.focus()

    def _ask_shares(self) -> None:
        self.pages.show_page(self.simulation)
        self.simulation.ask_shares()

    def reach(self, field: str) -> None:
        if field == _PLAN:
            self.pages.show_page(self.prediction)
            self.tabs.setFocus()
        else:
            super().reach(field)

    def focus_first(self) -> None:
        if self.asked.planning:
            self.pages.show_question()
            self.question.focus_answers()
        elif self.document.has_data:
            self.pages.show_question()
            self.question.column.setFocus()
        elif self.no_data.primary_button is not None:
            self.no_data.primary_button.setFocus()

    def renew(self) -> None:
        self.run()

    def _simulate_too(self, choice: ProtocolChoice) -> None:
        self.protocols.tick(choice)
        self.run()

    def run(self) -> None:
        """Simulate with the settings as they stand, unless a field holds no number."""
        self.settle()
        if self._job.running or self._reason_not_to_run():
            return
        if self.first_look.needed and not self.asked.planning:
            self.pages.show_question()
            self._recommended_for = self.document.project.collect if self.prediction.is_current else None
            protocols = self.document.project.collect.protocols
            self.first_look.without.setHidden(any(one.estimates_mean for one in protocols))
            self.first_look.ask()
            self._show_run()
            return
        self._simulate()

    def _simulate(self, *, assumed: bool = False) -> None:
        """Let rows answer, or people with the assumed shares, of whom no row tells."""
        # Else it would be what was recommended of another question; a look only tells how many people there are.
        if self.prediction.is_current or self._recommended_for == self.document.project.collect:
            self.protocols.take_along()
        if self._job.simulate(assumed=assumed):
            self.pages.show_page(self.simulation)
            self._show_run()

    # Building

    def _laid_out(self) -> RoomPages:
        settings = boxes.boxed(boxes.column((self.form, 1), self.foot, spacing=0))
        # Where the window is low each page scrolls below its tab: an answer that is cut is none.
        answers = boxes.boxed(
            boxes.column(self.crowd, self.answering.banner, (self.tabs, 1), margins="m s m 0", spacing="s")
        )
        pages = RoomPages(self.document, self.question, settings, self.tabs)
        self.put_in_place(answers, pages.answers.addWidget)
        boxes.column(pages, inside=self)
        return pages

    def _connect(self) -> None:
        document = self.document
        self._job.ended.connect(self._job_finished)
        self.answering.settled.connect(self._show_run)
        self.button.clicked.connect(self._run_or_cancel)
        self.first_look.agreed.connect(self.run)
        self.first_look.without_look.connect(partial(self._simulate, assumed=True))
        self.first_look.closed.connect(self._show_run)
        self.command.clicked.connect(self.copy_command)
        self.reports.estimated.connect(self._show_estimate)
        self.foot.hold.clicked.connect(self.hold)
        self.foot.shares.clicked.connect(self._ask_shares)
        self.foot.save.clicked.connect(self.plan.save)
        self.tabs.currentChanged.connect(self._follow_to_reports)
        document.saving.done.connect(self._say_saved)
        self.simulation.run_requested.connect(self.run)
        self.prediction.assumption.simulated = self.simulation.assumed_now
        self.simulation.recommended_wanted.connect(self._simulate_too)
        self.prediction.ticked.connect(self.protocols.tick)
        self.prediction.sized.connect(self.protocols.take_size)
        self.prediction.explained.connect(self._show_instruction)
        self.prediction.asked.connect(self.crowd.show_asked)
        self.prediction.asked.connect(self._show_names)
        self.crowd.often_wanted.connect(lambda: self.reach_requested.emit("data", "person"))
        for part in (self.reports, self.facts, self.simulation, self.sweep, self.protocols):
            self.prediction.recommended.connect(part.recommend)
        self.prediction.chart.noted.connect(document.noted)
        self.protocols.facts_requested.connect(self._show_facts)
        for part in (self.protocols, self.reports):
            part.taken.connect(self.facts.follow)
        for drawn in (self.facts, self.reports.held):
            drawn.by_hand_taken.connect(self.protocols.take_by_hand)
        self.facts.check_wanted.connect(self._check)
        self.question.data_requested.connect(self._go_to_data)
        self.pages.table_wanted.connect(self.open_requested)
        self.pages.reports_wanted.connect(self._aggregate_only)
        for field in self.form.numbers:
            field.validity_changed.connect(self._judge_fields)
        self._show_pages()
        self._show_run()

    # Keeping up

    def _document_changed(self, section: str) -> None:
        super()._document_changed(section)
        self.tabs.keep_place()
        if section in ("result", "ledger") and self.isVisible() and self.asked.spec is not None:
            self.reports.show_ledger()

    def refresh(self) -> None:
        """Bring everything up to date, off the GUI thread where it takes time."""
        self._forget_another()
        self._show_pages()
        self._show_lock()
        if self.asked.planning:
            self.first_look.hide()  # it was about rows
        self.first_look.follow()
        document, session = self.document, self.document.session
        if not document.has_data:
            if self._fingerprint or not self.asked.planning:  # a plan goes on with what was simulated of it
                self.simulation.clear()
                self.sweep.clear()
            self._fingerprint = ""
            if not self.asked.planning:
                return
        elif session.data.reading.fingerprint != self._fingerprint:
            self._fingerprint = session.data.reading.fingerprint
            self.protocols.start_anew()
            self.simulation.clear()
            self.sweep.clear()
            self.reports.forget()
            self.answering.forget()
            self._show_pages()
        self.crowd.follow(self.asked.spec is not None)
        self.asked.work_out()
        self.form.show_settings(self.asked)
        if self.asked.spec is None:
            self.simulation.clear()
            self.sweep.clear()
        self._predict()
        self.facts.refresh(self.asked.domain)
        self._refresh_reports()
        self.answering.refresh(known=self.asked.problem is None and not self.asked.planning)
        self._show_run()
        self.status_changed.emit()

    def _forget_another(self) -> None:
        """Forget what came of another project, or of the survey that gave way to one."""
        if self._session is self.document.session:
            return
        self._session = self.document.session
        self.protocols.start_anew()
        self.simulation.clear()
        self.sweep.clear()
        self.reports.forget()

    def _show_pages(self) -> None:
        planning, aggregated = self.asked.planning, self.reports.found is not None
        there = self.document.has_data or planning or aggregated
        self.pages.show_what_is_there(anything=there, planning=planning, answers=self.asked.begun or aggregated)
        self.tabs.show_those_of_rows(not planning)
        if planning and not self._planned and self.tabs.currentWidget() is self.simulation:
            self.tabs.setCurrentWidget(self.prediction)  # a plan does not begin with what rows came to
        self._planned = planning

    def _show_names(self) -> None:
        planned = self.prediction.planned
        self.simulation.predict(planned)
        self.protocols.show_names(None if planned is None else OtherNames(planned.predictions))

    def _predict(self) -> None:
        if self.asked.problem is not None:
            self.prediction.show_problem(self.asked.problem)
        elif not self.privacy.valid:
            self.prediction.show_wrong(first_problem(self.privacy))
            self.crowd.show_asked(None)
        else:
            self.prediction.refresh()

    def _judge_fields(self, _valid: bool) -> None:
        """A number became none, or one again: of what is typed nothing is predicted, nor collected, until it is one."""
        if self.asked.spec is None or not self.isVisible():
            return
        self._predict()
        self._refresh_reports()
        self._show_run()

    def _refresh_reports(self) -> None:
        wrong = None if self.privacy.valid else WorkbenchError(first_problem(self.privacy), field="epsilon")
        self.reports.refresh(self.asked.domain, self.asked.problem or wrong)

    # Running

    def _run_or_cancel(self) -> None:
        if self._job.running:
            self._job.cancel()
            self._show_run()
        else:
            self.run()

    def _job_finished(self) -> None:
        self._show_run()
        self.status_changed.emit()

    def _show_lock(self) -> None:
        shows = self.document.session.collection.shows_rows
        self.lock = status_word(Status.ANALYST) if shows else ""

    def _show_run(self) -> None:
        self._show_lock()
        running = self._job.running
        there = self.asked.knows_answers or not self.asked.planning
        reason = "" if running else self._reason_not_to_run() if there else first_problem(self.privacy)
        asks = self.document.session.collection.answerable and self.first_look.needed
        self.foot.simulates(there, holds=self.reports.holds)
        self.foot.show_state(
            reason, running=running, cancelling=self._job.cancelling, asks=asks, assumes=self.asked.planning
        )
        desk = self.document.session.collection
        self.foot.show_shares(desk.simulated_shares if there and self.asked.planning and not desk.asks_mean else "")
        self.foot.save.setText("Save the plan…" if self.document.path is None else "Save the plan")
        # One accent on the screen: until there is a column, that is the way to one.
        self.foot.setVisible(self.asked.spec is not None)
        key = self.document.session.collection.key_of(self.simulation.found) if self._simulates else ""
        offer = self.button.text() if there and self.button.isEnabled() else ""
        self.simulation.show_state(key, running=running, offer=offer)
        self.sweep.show_state(self.document.session.collection.key() if self._simulates else "")

    @property
    def mistyped(self) -> str:
        return first_problem(self.privacy) or first_problem(self)

    def _reason_not_to_run(self) -> str:
        if self.asked.spec is None:
            return "No column is chosen."
        if wrong := self.form.problem_of(self):
            return wrong
        if self.asked.problem is not None:
            return self.asked.problem.message
        if self.answering.problem:
            return self.answering.problem
        if not self.document.project.collect.protocols:
            return "No protocol is ticked."
        return ""

    def _follow_to_reports(self) -> None:
        """Hand out what is to be taken now, and not what was before the goal was another one."""
        if self.asked.planning and self.tabs.currentWidget() is self.reports:
            self.plan.follow()

    def _say_saved(self, saved: Saved) -> None:
        """Say that the plan is kept: nothing else of it is seen but the title of the window."""
        if self.asked.planning and self.isVisible():
            self.document.noted.emit("success", f"The plan is saved in {saved.claimed.path.name}.")
            self._show_run()

    def copy_command(self) -> None:
        """Put the command on the clipboard that predicts what is shown, or simulates it."""
        if self.asked.spec is not None and self.in_force():
            seen = self.tabs.currentWidget()
            predicts = seen is not self.simulation if self.asked.planning else seen in self._of_no_rows
            self.plan.copy_command(predicts=predicts)

    @property
    def _of_no_rows(self) -> tuple[QWidget, ...]:
        """The pages beside a table that show what no row is needed for: a command that reads rows would be a look."""
        found = self.simulation.found
        return (self.prediction, self.simulation) if found is not None and found.assumed else (self.prediction,)

    def _show_estimate(self) -> None:
        self.settle()
        self.tabs.reveal(self.reports.views if self.reports.found is not None else self.reports.state)
        self.status_changed.emit()

    # Going places

    def _show_facts(self, identifier: str) -> None:
        self.pages.show_page(self.facts)
        self.facts.show_protocol(identifier)

    def _show_instruction(self, choice: ProtocolChoice) -> None:
        self.pages.show_page(self.facts)
        self.facts.follow(choice)

    def _check(self, choice: ProtocolChoice, size: int) -> None:
        if self.document.apply(f"Check {choice.protocol.title}", lambda session: session.audit.ask_about(choice, size)):
            self.go_to.emit("mechanisms")

    def _aggregate_only(self) -> None:
        self.tabs.setCurrentWidget(self.reports)
        self.reports.choose_reports()

    def _go_to_data(self) -> None:
        self.reach_requested.emit("data", f"kinds:{self.document.project.collect.column}")
