"""The Query workspace: one question at a time, seen before it is paid for."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from fractions import Fraction

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui import tokens
from workbench.gui.budget import BudgetDialog
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.next_charge import NextCharge
from workbench.gui.widgets import boxes
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.query.batch_desk import BatchDesk
from workbench.gui.workspaces.query.batch_page import rough_words
from workbench.gui.workspaces.query.edits import QuestionEdits
from workbench.gui.workspaces.query.filter_line import FilterLine
from workbench.gui.workspaces.query.ledger_panel import LedgerAccount, LedgerPanel
from workbench.gui.workspaces.query.price_strip import PriceStrip
from workbench.gui.workspaces.query.privacy_form import PrivacyForm
from workbench.gui.workspaces.query.question_form import QuestionForm
from workbench.gui.workspaces.query.spending import Asker
from workbench.gui.workspaces.query.views import QuestionViews
from workbench.query.partition import FOR_A_DELTA
from workbench.query.plans import QueryPlan
from workbench.session.plain_answers import PlainAnswer
from workbench.session.query_answers import ANOTHER_QUESTION, PaidAnswer, beside_words
from workbench.session.query_command import command
from workbench.session.query_plans import Foreseen, PlanCharts, PlanInputs, foreseer, painter
from workbench.session.query_words import anew_words

PLAN_JOB = "query plan"
PICTURES_JOB = "query pictures"
_SETTLE_MS = 120
_EMPTY = (
    "A noisy count, mean or histogram of a table you have open. You see how exact the answer will be before anything "
    "is spent."
)
_COMPARED = " Once it is open, “Use in Query” in Compare takes over what is asked there."
_FORM_WIDTH = tokens.EXPLAIN_WIDTH + tokens.SPACE_XL
_LOW, _LOW_OPEN = 600, 640
"""Pixels; in a lower room a question has too few lines to leave any empty, and an answer for a ledger of many."""


class QueryWorkspace(Workspace):
    """The room in which questions are asked."""

    identifier = "query"
    goes_on = True
    follows = frozenset(("data", "schema", "rows", "settings", "queries", "comparing", "collect", "result", "ledger"))

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.foreseen: Foreseen | None = None
        self._pictured: QueryPlan | None = None
        self._fingerprint = ""
        self.form = QuestionForm(document)
        self.limit = FilterLine()
        self.privacy = PrivacyForm(document)
        self.price = PriceStrip()
        self.tabs = QuestionViews(document)
        self.expected, self.answer = self.tabs.expected, self.tabs.answer
        self.batch, self.experiments = self.tabs.batch, self.tabs.experiments
        self.batch_desk = BatchDesk(document, self.batch)
        self.ledger = LedgerPanel(document)
        self.asker = Asker(document, self)
        self.edits = QuestionEdits(document, self.form.flush, lambda: self.ledger.asked)
        self.empty = EmptyState("query", "Ask a question instead of publishing rows", _EMPTY, "Open data…")
        self._pages = QStackedWidget()
        self._lay_out()
        self._planning = Later(self, self._plan, _SETTLE_MS)
        self._connect()

    def _lay_out(self) -> None:
        limit = boxes.boxed(boxes.column(self.limit, margins="l 0 m s"))
        left = boxes.boxed(boxes.column((self.form, 1), limit, self.privacy, spacing=0))
        left.setMinimumWidth(_FORM_WIDTH)
        views = boxes.boxed(boxes.column(self.tabs, margins="s 0 s 0"))
        right = boxes.boxed(boxes.column(self.price, (views, 1), spacing=0))
        self.parts = SideBySide("query", ((left, "Question"), (right, "Answer")), (_FORM_WIDTH, 2 * _FORM_WIDTH))
        self._pages.addWidget(self.empty)
        self._pages.addWidget(boxes.boxed(boxes.column((self.parts, 1), self.ledger, spacing=0)))
        boxes.column(self._pages, inside=self)

    def _connect(self) -> None:
        document = self.document
        self.empty.primary.connect(self.open_requested)
        self.form.edited.connect(self.edits.edit)
        self.form.keep.wanted.connect(self.edits.declare_bounds)
        self.form.keep.values_wanted.connect(self.edits.declare_values)
        self.form.others.spaces.clicked.connect(lambda: self.reach_requested.emit("data", "reading"))
        self.limit.all_wanted.connect(self.edits.ask_of_all)
        self.privacy.edited.connect(self.edits.edit)
        self.privacy.solved.connect(self.edits.take_solved)
        self.form.below.wanted.connect(self.edits.find_bounds_first)
        for field in (self.privacy.epsilon, self.form.below.number):
            field.validity_changed.connect(self._plan_soon)
        self.price.release_wanted.connect(self.release)
        self.price.plain_wanted.connect(self.asker.ask_plainly)
        self.price.batch_wanted.connect(self.add_to_batch)
        self.price.command_wanted.connect(self.copy_command)
        self.price.budget_wanted.connect(self._set_budget)
        self.price.fit_wanted.connect(self.edits.take_epsilon)
        self.price.enclosing_wanted.connect(self.edits.ask_enclosing)
        self.price.every_row_wanted.connect(self.edits.protect_every_row)
        self.price.who_wanted.connect(lambda: self.reach_requested.emit("data", "person"))
        self.answer.again_wanted.connect(self.ask_again)
        self.answer.bounds_wanted.connect(self.edits.declare_bounds)
        self.answer.views.switched.connect(self._say_unit)
        self.answer.limited_wanted.connect(self.edits.ask_limited)
        self.batch.add_wanted.connect(self.add_to_batch)
        self.batch.release_wanted.connect(self.release_batch)
        self.ledger.answer_wanted.connect(self._show_answer)
        self.ledger.loaded.connect(self._ledger_loaded)
        self.asker.answered.connect(self._show_answers)
        self.asker.counted.connect(self._show_plain)
        self.asker.batch_answered.connect(self.batch_desk.take_out)
        self.asker.ended.connect(self._asking_ended)
        self.asker.batch_priced.connect(self.batch.show_priced)
        self.asker.batch_refused.connect(self.batch.show_error)
        self.tabs.currentChanged.connect(self._turned)
        for page in (self.answer, self.experiments):
            page.noted.connect(document.noted)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.privacy.keep_room(wanted=self.height() >= _LOW)
        self.ledger.set_low(self.height() < _LOW_OPEN)

    # The workspace

    def status(self) -> Status | None:
        return Status.SUCCESS if self.ledger.has_answer else None

    def next_charge(self) -> NextCharge:
        found = self.planned
        if found is None or found.remaining is None or not any(found.price):
            return NextCharge()
        said = f"One answer of Query as it is set now costs {found.priced}. Several need their sum."
        return NextCharge(said, found.remaining.after)

    def focus_first(self) -> None:
        (self.form.kind if self.document.has_data else self).setFocus()

    def renew(self) -> None:
        """Plan again, or simulate again; nothing is spent."""
        if self.isVisible() and self.document.has_data:
            self.form.flush()
            if self.tabs.currentWidget() is self.experiments:
                self.experiments.run()
            else:
                self._plan_soon()

    def spend(self) -> None:
        if self.tabs.currentWidget() is not self.experiments:
            self.run()

    def run(self) -> None:
        """Press the button that the page in view is about; what cannot be seen is never spent."""
        if not self.isVisible() or not self.document.has_data:
            return
        self.form.flush()
        if not self.price.isVisible():
            self.parts.show_part(1)
            return
        page = self.tabs.currentWidget()
        if page is self.experiments:
            self.experiments.run()
        elif page is self.batch:
            if not self.batch.answered:  # asking again takes a press of the button that says so
                self.batch.release.click()
        else:
            self.price.release.click()

    # Showing

    def put_off(self) -> None:
        super().put_off()
        self.price.show_waiting()

    def refresh(self) -> None:
        fingerprint = self.document.session.data.fingerprint if self.document.has_data else ""
        if fingerprint != self._fingerprint:
            self._fingerprint = fingerprint
            self.answer.clear()
            self.experiments.forget()
        self._pages.setCurrentIndex(1 if self.document.has_data else 0)
        self.ledger.refresh()
        if not self.document.has_data:
            self._planning.stop()
            self.empty.words.setText(_EMPTY + (_COMPARED if self.document.project.comparing.documents else ""))
            return
        self.form.refresh()
        self.limit.show_filter(self.document.project.queries.draft.where)
        self._offer_bought()
        self.privacy.refresh()
        self.tabs.show_batch(self.document.project.queries)
        self._plan_soon()

    def _plan_soon(self, _valid: bool = True) -> None:
        if not self.document.has_data:
            return
        self.price.show_waiting()
        self.batch.show_waiting()
        self._planning.start()

    def _plan(self) -> None:
        document = self.document
        if not document.has_data:
            return
        if not self.isVisible():
            self.put_off()  # nothing is worked out for a room that nobody looks at
            return
        if document.project.queries.batch:
            self.asker.price_batch()
        if (wrong := self.privacy.refusal or self.form.below.refusal) is not None:
            self._refuse(wrong)
            return
        document.runner.start(
            "Planning the question",
            foreseer(document.session),
            on_done=self._take_plan,
            on_failed=self._refuse,
            key=PLAN_JOB,
            latest_wins=True,
        )

    def _take_plan(self, found: Foreseen) -> None:
        if not self.document.has_data or not found.asked.same(PlanInputs.of(self.document.session)):
            return  # the next plan is on its way
        before = self.foreseen
        self.foreseen = found
        self.form.point_at(None)
        self.form.show_plan(found)
        self.privacy.show_plan(found.plan, number_known=found.number_known)
        self.price.show_foreseen(found)
        if self.asker.asking:
            self.price.show_asking()
        looked = self.document.session.looks.of_answers
        self.expected.show_plan(found.plan, looked, number_known=found.number_known)
        self.experiments.show_plan(found.plan)
        self._relate()
        other = before is None or before.plan.what != found.plan.what
        if other and self.tabs.currentWidget() is self.answer and not self._current:
            self.tabs.setCurrentWidget(self.expected)  # the answer in view is none to this question
        if before is None or not before.asked.same(found.asked) or before.plan.rows != found.plan.rows:
            self._pictured = found.plan
            self.expected.show_drawing(other=other)
            self.document.runner.start(
                "Drawing what to expect",
                painter(self.document.session, found.plan),
                on_done=self._take_pictures,
                key=PICTURES_JOB,
                latest_wins=True,
            )

    def _take_pictures(self, pictures: PlanCharts) -> None:
        # The question may have been planned anew meanwhile, with nothing else to be drawn.
        if self.foreseen is not None and pictures.plan is self._pictured:
            self.expected.show_pictures(pictures)

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self.foreseen = None
        self.form.point_at(error)
        self.privacy.show_nothing()
        self.form.below.show_refused(error)
        words = str(error) if self.form.kind.offers_delta else str(error).replace(FOR_A_DELTA, "").strip()
        self.price.show_error(rough_words(self.document.project.queries.draft), words, wrong=not self.form.lacks(error))
        self.expected.show_nothing()
        self.experiments.show_plan(None)
        self._relate()
        return True

    @property
    def planned(self) -> Foreseen | None:
        """The plan of the question as it stands; None while it is being worked out or cannot be."""
        found = self.foreseen
        if found is None or not self.document.has_data or not found.asked.same(PlanInputs.of(self.document.session)):
            return None
        return found

    def _relate(self) -> None:
        """Say whether the answer shown belongs to the question in hand."""
        found = self.planned
        if self.answer.is_empty:
            self._recall()
        if self.answer.shown is None:
            self.answer.show_plain_relation(None if found is None else found.plan)
            return
        current, price, anew = self._current, "", ""
        if current and found is not None and _fits(found):
            price, anew = found.again, anew_words(found.plan, found.middle)
        beside = ANOTHER_QUESTION if found is None else beside_words(self.answer.shown, found.plan)
        otherwise = self.ledger.otherwise(self.answer.shown)
        self.answer.show_relation("" if current else beside, price=price, otherwise=otherwise, anew=anew)
        self._say_unit()
        self.price.show_standing(self._stands)

    def _say_unit(self) -> None:
        self.price.show_in_shares(self.answer.in_shares if self._current else None)

    def _recall(self) -> None:
        """Have the page of answers show one that was given before: to this question, else the newest of this data."""
        found, account = self.planned, self.ledger.account
        known = account.of_this if account is not None else ()
        answered = found.stored if found is not None and found.stored is not None else next(reversed(known), None)
        if answered is not None:
            self.answer.show_answer(answered)

    @property
    def _current(self) -> bool:
        """Whether the answer on the page of answers is that to the question in hand."""
        found, shown = self.planned, self.answer.shown
        return shown is not None and found is not None and found.stored is not None and _same(found.stored, shown)

    @property
    def _stands(self) -> bool:
        """Whether that page is seen as well."""
        return self._current and self.tabs.currentWidget() is self.answer

    # Spending

    def release(self) -> None:
        """Ask the question, or show its answer if it was answered before; where that is seen, go to the next one."""
        found = self.planned
        if found is None or not self.price.release.isEnabled() or self.asker.asking:
            return
        if found.stored is not None:
            self._next_question() if self._stands else self._show_answer(found.stored)
            return
        self._ask(again=False)

    def _next_question(self) -> None:
        """Open the list of questions; the answer stays."""
        self.parts.show_part(0)
        self.form.open_list(self.price.release)

    def ask_again(self) -> None:
        """Ask the same question anew; the button said what it costs."""
        if self.planned is not None and not self.asker.asking:
            self._ask(again=True)

    def _ask(self, *, again: bool) -> None:
        if self.asker.ask(self.document.project.queries.draft, again=again):
            if self.answer.again.hasFocus():
                self.price.release.setFocus()
            self.price.show_asking()
            self.answer.again.setEnabled(False)

    def _show_plain(self, found: PlainAnswer) -> None:
        self.answer.show_plain(found)
        self.tabs.setCurrentWidget(self.answer)
        self.parts.show_part(1)

    def release_batch(self) -> None:
        """Ask all questions of the batch."""
        if self.asker.ask_batch():
            self.batch.show_waiting()

    def _show_answer(self, answered: PaidAnswer) -> None:
        self.answer.show_answer(answered)
        self._relate()
        self.tabs.setCurrentWidget(self.answer)
        self.parts.show_part(1)

    def _show_answers(self, answers: Sequence[PaidAnswer]) -> None:
        found = self.planned
        # Of several the one to the question in hand is shown: another one below its heading would be taken for it.
        own = (one for one in answers if found is not None and beside_words(one, found.plan) != ANOTHER_QUESTION)
        self._show_answer(next(own, answers[0]))
        if len(answers) > 1:
            said = f"{len(answers)} questions were answered and left the batch; the ledger below lists them."
            self.document.noted.emit("success", said)
            if self.height() >= _LOW:  # one of them is shown above, and the others are at hand there
                self.ledger.set_open(True)

    def _asking_ended(self) -> None:
        self.answer.again.setEnabled(True)
        self._plan_soon()

    def _ledger_loaded(self, _account: LedgerAccount | None) -> None:
        # Somebody spent: what is left, and what was answered before, may be other than shown.
        self._offer_bought()
        self._plan_soon()
        self.status_changed.emit()

    def _offer_bought(self) -> None:
        account = self.ledger.account
        known = () if account is None else account.of_this
        self.form.show_bought(known)
        self.answer.show_known(known)
        budget = None if account is None else account.history.budget
        self.form.kind.offer_delta(budget is None or budget.delta > 0)

    def _turned(self, _place: int) -> None:
        # Of two buttons with different prices one would be pressed for the other.
        self.price.release.setVisible(self.tabs.currentWidget() is not self.batch)
        self.price.show_standing(self._stands)

    def _set_budget(self) -> None:
        BudgetDialog(self.document, self.window(), self.next_charge()).open()

    def add_to_batch(self) -> None:
        """Put the question in hand into the batch."""
        self.form.flush()
        if self.mistyped:  # the question would be added at the ε of before
            self.document.noted.emit("warning", self.mistyped)
        elif self.batch_desk.add():
            self.tabs.setCurrentWidget(self.batch)

    # The same without a window

    @property
    def mistyped(self) -> str:
        return str(self.privacy.epsilon.problem) or self.form.below.problem

    def copy_command(self) -> None:
        """Put the command that asks the same on the clipboard."""
        if not self.in_force():
            return
        document, project = self.document, self.document.project
        saved = None if document.modified else document.path
        try:
            words = shlex.join(command(project.queries.draft, project, saved, document.session.data.loaded))
        except WorkbenchError as error:
            document.failed.emit(error)
            return
        document.copy_command(words, ". Running it spends")


def _same(one: PaidAnswer, other: PaidAnswer) -> bool:
    return one.entry.id == other.entry.id and one.position == other.position


def _fits(found: Foreseen) -> bool:
    affordable = found.remaining is not None and found.remaining.refusal is None
    return affordable and not found.unsaid and found.plan.epsilon > Fraction(0)
