"""A laboratory: any discrete mechanism, its exact ε, and the pictures that explain it."""

from __future__ import annotations

import shlex
from dataclasses import replace

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QVBoxLayout, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, Progress
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.workspaces import ROOMS
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.mechanisms.matrix_page import MatrixPage
from workbench.gui.workspaces.mechanisms.pair_page import PairPage
from workbench.gui.workspaces.mechanisms.property_page import PropertyPage
from workbench.gui.workspaces.mechanisms.queries_page import QueriesPage
from workbench.gui.workspaces.mechanisms.settings_panel import SettingsPanel
from workbench.gui.workspaces.mechanisms.utility_page import UtilityPage
from workbench.gui.workspaces.mechanisms.verdict import VerdictPanel
from workbench.plots import privacy_curve
from workbench.project.laboratory import LaboratorySettings
from workbench.session.above_threshold import above_threshold_of
from workbench.session.audit import Examination, command, examiner, privacy_curve_of
from workbench.session.audit_limits import ParameterLimit, claim_limits, may_have_limits
from workbench.session.audit_words import before_words, picture_caption, same_answer
from workbench.session.truthful_words import may_tell_truth, plan_survey, planned_words, truth_words, typed_truth

AUDIT_JOB = "audit mechanism"
CURVE_JOB = "privacy curve"
LIMIT_JOB = "limits of a claim"
_ABOVE = "above-threshold"
_QUERY = "query"
_COLLECT = "collect"
_WHY_ABOVE = "The reason stands above."
_SETTINGS_WIDTH = tokens.EXPLAIN_WIDTH + 2 * tokens.SPACE_XL


class MechanismsWorkspace(Workspace):
    """The room in which mechanisms are looked at. It needs no data and never sees any."""

    identifier = "mechanisms"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        runner = document.runner
        self._asked: LaboratorySettings | None = None
        self.found: Examination | None = None
        self._last: Examination | None = None
        """The newest finding, also where the question that follows it has none."""
        self._why_not: WorkbenchError | None = None
        """Why the question has no answer."""
        self.settings = SettingsPanel(document)
        self.verdict = VerdictPanel()
        self.matrix = MatrixPage(runner)
        self.pair = PairPage(runner)
        self.curve = ChartView("ε and δ", privacy_curve, runner)
        self.utility = UtilityPage()
        self.for_all = PropertyPage(document)
        self.queries = QueriesPage(runner)
        set_explain(self.curve, "mechanisms.curve")
        if not any(room.key == _QUERY for room in ROOMS):
            self.queries.own.hide()
        self.tabs = QTabWidget()
        for part in (self.tabs, self.tabs.tabBar()):
            part.setAccessibleName("What is known of the mechanism")
        for page, title in (
            (self.matrix, "Matrix"),
            (self.pair, "Two inputs"),
            (self.curve, "ε and δ"),
            (self.utility, "Utility"),
            (self.queries, "Queries"),
            (self.for_all, "Every n"),
        ):
            self.tabs.addTab(page, title)
        self.tabs.setTabToolTip(
            self.tabs.indexOf(self.for_all), "Whether a claim holds for every value of a parameter, such as n"
        )
        self._queries_tab = self.tabs.indexOf(self.queries)
        self.tabs.currentChanged.connect(self._show_before)
        self._before = ""
        self.unanswered = EmptyState("mechanisms", "Nothing to show")
        self._shown = QStackedWidget()
        self._lay_out()
        self.verdict.command_wanted.connect(self.copy_command)
        self.verdict.limit_wanted.connect(self.settings.set_parameter)
        self.utility.prior_changed.connect(self._set_prior)
        self.utility.loss_changed.connect(self._set_loss)
        self.utility.plan_wanted.connect(self._plan_survey)
        self.queries.query_wanted.connect(self._go_to_query)
        self.for_all.claim_wanted.connect(self._to_claim)
        for page in (self.matrix, self.pair, self.curve, self.queries):
            page.noted.connect(document.noted)
        self._show_settings()
        for edit in (self.settings.claim, self.settings.claimed_delta):
            edit.textChanged.connect(self._show_typed)
        self.settings.validity_changed.connect(self._show_typed)
        self.settings.committed.connect(self._commit)

    def focus_first(self) -> None:
        self.settings.mechanism.setFocus()

    @property
    def mistyped(self) -> str:
        return self.settings.problem

    def renew(self) -> None:
        self.run()

    def run(self) -> None:
        """Audit again."""
        self._asked = None
        self.refresh()

    def _lay_out(self) -> None:
        below = QWidget()
        inside = QVBoxLayout(below)
        inside.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_M)
        # In a scroll area of its own: its text has a fixed width, which must not keep both parts from being seen.
        empty = boxes.scrolled(self.unanswered)
        self._shown.addWidget(self.tabs)
        self._shown.addWidget(empty)
        inside.addWidget(self._shown)
        right = boxes.boxed(boxes.column(self.verdict, (below, 1), spacing=0))
        self.parts = SideBySide(
            "mechanisms",
            ((self.settings, "Mechanism"), (right, "What it does")),
            (_SETTINGS_WIDTH, 2 * _SETTINGS_WIDTH),
        )
        boxes.column(self.parts, inside=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Where there is room the longest name of a mechanism is seen whole.
        self.parts.prefer(_SETTINGS_WIDTH + (tokens.SPACE_XL * 2 if self.width() >= 3 * _SETTINGS_WIDTH else 0))

    # Asking

    def _document_changed(self, section: str) -> None:
        if section == "laboratory":
            self._show_settings()

    def _show_settings(self) -> None:
        settings = self.document.project.laboratory
        self.settings.refresh()
        self.utility.show_settings(settings)
        self.for_all.show_settings(settings)
        self.tabs.setTabVisible(self._queries_tab, settings.mechanism == _ABOVE)
        self.tabs.setTabVisible(self.tabs.indexOf(self.for_all), self.for_all.has_something)
        self.put_off()

    def refresh(self) -> None:
        settings = self.document.project.laboratory
        if settings == self._asked:
            return
        self._asked = settings
        self.verdict.show_working(claimed=bool(settings.claim.strip()))
        self._offer_limits(settings)
        self.document.runner.start(
            "Auditing the mechanism",
            examiner(settings, with_curve=False, leave_out=True),
            on_done=self._show_found,
            on_failed=self._refuse,
            key=AUDIT_JOB,
            latest_wins=True,
        )

    def _show_typed(self) -> None:
        """Show no verdict on one claim, or mechanism, beside another one that is being typed."""
        settings, problem = self.document.project.laboratory, self.settings.problem
        for page in (self.matrix, self.pair, self.curve, self.utility, self.queries, self.for_all, self.settings.truth):
            # Nor may anything leave that is not of the numbers on the screen.
            page.setEnabled(not problem)
        if problem:
            self.verdict.show_mistyped(problem)
            return
        typed = self.settings.typed_claim
        if typed.differs:
            self.verdict.show_unasked(coming=typed.coming)
            self._offer_limits(settings)
        elif self.found is not None and self.found.answers(settings):
            self.verdict.show_found(self.found)
        elif self._why_not is not None:
            self._show_error(self._why_not)

    def _show_found(self, found: Examination) -> None:
        if not found.answers(self.document.project.laboratory):
            return  # the next answer is on its way
        self._keep_before(found.settings, found)
        self.found = found
        self._commit()
        self._why_not = None
        wrong = found.why_without("claim", "claimed_delta")
        self.settings.point_at("" if wrong is None else wrong.field)
        self._shown.setCurrentWidget(self.tabs)
        self.verdict.show_found(found)
        self._show_typed()
        self.matrix.show_found(found)
        self.pair.show_found(found)
        self.curve.say_below(picture_caption(found, "The least δ for every ε"))
        self._draw_curve(found)
        self._find_limits(found)
        self.utility.show_found(found)
        keeps = may_tell_truth(found.settings)
        self.settings.show_truth(truth_words(found), keeps=keeps, by_itself=typed_truth(found))
        self.settings.show_inputs(found)
        if found.settings.mechanism == _ABOVE:
            self._show_queries(found.settings)

    def _keep_before(self, now: LaboratorySettings, found: Examination | None = None) -> None:
        """Say what was found before, so that a change can be compared with it; nothing where it is the same."""
        was = self._last
        words = "" if was is None else before_words(was, now)
        typed_back = self.settings.typing and was is not None and was.settings == now
        if was is not None and (words or typed_back):
            same = found is not None and same_answer(was, found)
            self._before = "" if same else words
            self._show_before()

    def _commit(self) -> None:
        """Compare what follows with what is found now, unless that may be of half of a number."""
        found = self.found
        if found is not None and not self.settings.typing and found.answers(self.document.project.laboratory):
            self._last = found

    def _show_before(self, _page: int = 0) -> None:
        """Say it beside what is compared with it: every n, and the queries of a stream, have an answer of their own."""
        apart = self.tabs.currentWidget() in (self.for_all, self.queries)
        self.verdict.show_before("" if apart else self._before)

    def _draw_curve(self, found: Examination) -> None:
        """Work out the curve, which for a large channel takes longer than everything else."""

        def work(progress: Progress) -> privacy_curve.PrivacyCurve:
            return privacy_curve_of(found, progress)

        self.document.runner.start(
            "Working out δ for every ε", work, on_done=self.curve.set_data, key=CURVE_JOB, latest_wins=True
        )

    def _find_limits(self, found: Examination) -> None:
        """Look for how far its parameters can go until the claim fails, which takes many audits."""
        if found.verdict is None:
            return

        def show(limits: tuple[ParameterLimit, ...]) -> None:
            if found.answers(self.document.project.laboratory):
                self._offer_limits(found.settings, limits)

        self.document.runner.start(
            "Looking how far the claim holds",
            lambda progress: claim_limits(found, progress),
            on_done=show,
            key=LIMIT_JOB,
            latest_wins=True,
        )

    def _offer_limits(self, settings: LaboratorySettings, limits: tuple[ParameterLimit, ...] = ()) -> None:
        self.verdict.show_limits(limits, room=may_have_limits(settings))

    def _show_queries(self, settings: LaboratorySettings) -> None:
        self.queries.show_model(*above_threshold_of(settings))

    def _refuse(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            self._asked = None
            return True
        if not isinstance(error, WorkbenchError):
            return False
        self._keep_before(self.document.project.laboratory)
        self.found, self._why_not = None, error
        # Its room stays: what is below must not jump where a message says what is wrong.
        self.settings.show_truth("", keeps=may_tell_truth(self.document.project.laboratory))
        self._show_error(error)
        return True

    def _show_error(self, error: WorkbenchError) -> None:
        field = self.settings.label_of(error.field or "")
        self.verdict.show_error(error, field)
        self.settings.point_at(error.field)
        # Pictures of another question would be taken for those of this one. Why there are none stands above, once.
        self.unanswered.set_text(f"Change “{field}”, and the pictures show here." if field else _WHY_ABOVE)
        self._shown.setCurrentIndex(1)

    # Doing

    def _set_prior(self, text: str) -> None:
        self._put("Change the prior", replace(self.document.project.laboratory, prior=text))

    def _set_loss(self, text: str) -> None:
        self._put("Change the loss", replace(self.document.project.laboratory, loss=text))

    def _put(self, words: str, settings: LaboratorySettings) -> None:
        if settings != self.document.project.laboratory:
            self.document.apply(words, lambda session: session.audit.ask(settings))

    def copy_command(self) -> None:
        """Put the command that asks the same on the clipboard."""
        if self.in_force():
            self.document.copy_command(shlex.join(command(self.document.project.laboratory)))

    def _plan_survey(self) -> None:
        found, said = self.found, list[str]()
        if found is not None and self.document.apply(
            "Plan a survey", lambda session: said.append(plan_survey(session, found))
        ):
            self.reach_requested.emit(_COLLECT, "plan")
            words = f"{said[0]} Undo takes it back. {planned_words(found)}"
            self.document.noted.emit("success", words.rstrip())

    def _to_claim(self) -> None:
        self.parts.show_part(0)
        self.settings.claim.setFocus()

    def _go_to_query(self) -> None:
        self.go_to.emit(_QUERY)
