"""ε: an exact field, a slider, what it means in words, and the way from a wanted error to it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QSizePolicy, QWidget

from workbench.core import amount_text
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.progress import Progress
from workbench.core.settings import declared
from workbench.core.unit_words import ROWS
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.log_slider import LogSlider
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.query.edits import margin_of
from workbench.query.catalogue import GUESSED_ROWS, MOST_ROWS, QUERIES, QueryDraft
from workbench.query.plans import QueryPlan
from workbench.session.query_promise import promise_words, short_promise
from workbench.session.query_words import rows_words
from workbench.session.row_counts import too_wide
from workbench.session.typed_bounds import rows_for_query

SOLVE_JOB = "query solve"
_A_GUESS = "a guess, or"
_LEAST, _MOST = 0.01, 10.0
_PROMISE_LINES = 4
_BY_ROWS = frozenset({"mean", "variance", "deviation"})
"""Kinds of questions whose margin a number of rows decides."""
_NEED = "I need ±"
_ELSEWHERE = "most_below"
"""Below what most values lie is asked beside their bounds."""


class PrivacyForm(QFrame):
    """Always in view below the question.

    Signals
    -------
    edited(object, str, str)
        Another draft, what undo calls the step, and the key under which steps merge.
    solved(str)
        The ε at which answers to the question in hand err by no more than was typed.
    """

    edited = Signal(object, str, str)
    solved = Signal(str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._plan: QueryPlan | None = None
        self.setProperty("line", "top")
        here = [name for name in declared(type(self.draft)) if name != _ELSEWHERE]
        self.form = BoundForm("query", lambda: self._shown, "privacy", only=here, parent=self)
        self.epsilon, self.rows = self.form["epsilon"], self.form["assumed_rows"]
        self.epsilon.set_name("ε")  # as its label says
        self._asked: object = None
        self._lacks = False
        self._unsolved_of: tuple[object, ...] | None = None
        self.slider = LogSlider(
            self.epsilon,
            minimum=_LEAST,
            maximum=_MOST,
            low="better privacy",
            high="better accuracy",
        )
        self.promise = label(small=True, muted=True, wrap=True)
        # Room for the longest words, so that the fields below stay where they are.
        self.promise.setText("\n" * (_PROMISE_LINES - 1))
        self.promise.ensurePolished()
        self.promise.setMinimumHeight(self.promise.sizeHint().height())
        self.need = NumberField(
            _NEED,
            minimum=0,
            open_minimum=True,
            optional=True,
            compact=True,
            placeholder="an error",
        )
        self.solve = QPushButton("Find ε")
        self.solve.setAccessibleName("Find the ε for this error")
        self.rows.setGroupSeparatorShown(True)
        self.rows_from = ElidedLabel()
        set_look(self.rows_from, muted=True, small=True)
        self.counted = push_button(
            "Use a count", tip="Take the number from a released count, if there is one", quiet=True
        )
        self._planned: int | None = None
        self._warned = ""
        self.as_planned = push_button("As in Compare", quiet=True, explain="query.epsilon")
        self.as_planned.hide()
        self.problem = label(small=True, wrap=True, tone="error")
        self.problem.setMinimumHeight(self.promise.minimumHeight())
        self.problem.hide()
        self._lay_out()
        set_explain(self, "query.epsilon")
        set_explain(self.need, "query.need")
        set_explain(self.solve, "query.need")
        self.form.edited.connect(self._edit)
        self.need.edit.returnPressed.connect(self._ask)
        self.need.value_changed.connect(self._judge_need)
        self.need.cleared.connect(self._judge_need)
        self.need.validity_changed.connect(self._judge_need)
        self.solve.clicked.connect(self._ask)
        self.counted.clicked.connect(self._forget_rows)
        self.as_planned.clicked.connect(self._take_planned)

    def _lay_out(self) -> None:
        need = boxes.row((self.need, 1), self.solve, spacing="s")
        grid = QGridLayout()
        grid.setHorizontalSpacing(tokens.SPACE_S)
        grid.setVerticalSpacing(tokens.SPACE_XS)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, tokens.METER_WIDTH)
        for field in (self.epsilon.edit, self.need.edit):
            field.setMinimumWidth(tokens.COLUMN_MIN)
        self.rows.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid.addWidget(label("ε", heading=2), 0, 0)
        grid.addWidget(self.epsilon, 0, 1)
        grid.addWidget(self.slider, 1, 0, 1, 2)
        grid.addWidget(self.promise, 2, 0, 1, 2)
        grid.addWidget(label(_NEED), 3, 0)
        grid.addLayout(need, 3, 1)
        grid.addWidget(self.problem, 2, 0, 1, 2)  # instead of the promise, so that nothing moves
        self._rows_label = label("If matching")
        # They come and go; what is above stays in its place.
        _keep_place(True, self.promise, self.problem)
        self.keep_room(wanted=True)
        grid.addWidget(self._rows_label, 5, 0)
        grid.addWidget(self.rows, 5, 1)
        source = boxes.row((self.rows_from, 1), self.counted, self.as_planned, spacing="xs")
        # The buttons come and go; the line stays as high.
        self.rows_from.setMinimumHeight(tokens.CONTROL_HEIGHT)
        grid.addLayout(source, 6, 0, 1, 2)
        self.form.grid(leave_out=("epsilon", "assumed_rows"), into=grid)
        boxes.column(grid, margins="l m m m", inside=self)

    def keep_room(self, *, wanted: bool) -> None:
        """Keep the place of the number of rows while none is asked for, or leave it to the question, which needs it."""
        _keep_place(wanted, self._rows_label, self.rows, self.rows_from)

    @property
    def draft(self) -> QueryDraft:
        return self._document.project.queries.draft

    @property
    def _shown(self) -> QueryDraft:
        """The draft, with what the plan found in place of what nobody typed."""
        draft, plan = self.draft, self._plan
        if plan is not None and not draft.says_rows:
            draft = replace(draft, assumed_rows=min(plan.rows, MOST_ROWS))
        if plan is not None and not plan.kind.needs_epsilon and plan.kind.identifier == draft.kind:
            draft = replace(draft, epsilon=rounded_up(plan.epsilon))
        return draft

    @property
    def refusal(self) -> WorkbenchError | None:
        """Why what the fields show is not in force; None where it is."""
        if self.form.valid:
            return None
        return WorkbenchError(self.epsilon.problem, hint=amount_text.HINT, field="epsilon")

    # Showing

    def refresh(self) -> None:
        """Show the draft as the project has it."""
        draft = self.draft
        chosen = draft.kind not in QUERIES or QUERIES[draft.kind].needs_epsilon
        asked = margin_of(draft)
        if asked != self._asked:
            self._asked = asked
            self.need.set_value(None)  # an error of 500 dollars is none of 500 rows
        for widget in (self.epsilon, self.slider, self.need, self.solve):
            widget.setEnabled(chosen)
        self._show_rows(depends=self._depends)
        self.form.refresh()
        self._drop_refusal()

    @property
    def _depends(self) -> bool:
        """Whether a number of rows makes a difference, also while something else of the question is lacking.

        So that nothing moves under the pointer once that is there.
        """
        if self._lacks and self.draft.kind in _BY_ROWS:
            return True
        return self._plan is None or bool(self._plan.depends_on_rows)

    def show_plan(self, plan: QueryPlan, *, number_known: bool) -> None:
        """Show what ε promises, where others know how many rows there are or not, and if the guess of them matters."""
        self.promise.setText(short_promise(plan, number_known=number_known))
        self.promise.setToolTip(promise_words(plan, number_known=number_known))
        self._plan, self._lacks = plan, False
        # Of people the sentence beside the margin says that it is those with a value; here that has no room.
        matching = "values" if plan.of_those_with_a_value and plan.matching == ROWS else plan.matching
        if self.rows.suffix() != (suffix := f" {matching}"):  # else what is being typed would be written anew
            self.rows.setSuffix(suffix)
        self.form.refresh()
        if self._too_wide() != self._warned:
            self._judge_need()
        self._drop_refusal()
        matches = plan.depends_on_rows and plan.counted is None
        self._offer_planned(f"matching {plan.matching}", wanted=matches)
        # Beside a number that is offered in its place a guess says no more than what it is: more of it would be cut.
        words = _A_GUESS if self._planned is not None else rows_words(plan)
        self.rows_from.set_text(words)
        self._show_rows(depends=plan.depends_on_rows)

    def _show_rows(self, *, depends: bool) -> None:
        """A number that makes no difference is asked of nobody; one that was typed waits for where it does."""
        for part in (self._rows_label, self.rows, self.rows_from):
            part.setVisible(depends)
        self.counted.setVisible(depends and self.draft.says_rows)

    def _offer_planned(self, matching: str, *, wanted: bool) -> None:
        """Offer the number that was typed in another room, where it would take the place of a guess."""
        session = self._document.session
        known = rows_for_query(session.project, looked=session.looks.taken)
        self._planned = known[0] if known is not None and wanted else None
        self.as_planned.setVisible(self._planned is not None)
        if known is not None:
            self.as_planned.setText(f"{known[0]:,} as in {known[1]}")
            self.as_planned.setAccessibleName(f"{known[0]:,} {matching}, as in {known[1]}")

    def show_nothing(self) -> None:
        """There is no plan; what was typed elsewhere is offered all the same where rows will make a difference."""
        self.promise.setText("")
        self._lacks = True
        draft = self.draft
        column = str(draft.values.get("column") or "")
        by_rows = draft.kind in _BY_ROWS and not draft.says_rows
        counted = by_rows and self._document.session.queries.rows_bought(column) is not None
        self._offer_planned("matching rows", wanted=by_rows and not counted)
        self.rows_from.set_text(_A_GUESS if self._planned is not None else "")
        self._show_rows(depends=self._depends)

    def show_problem(self, text: str, *, tone: str = "error") -> None:
        """Say why no ε was found, or what no ε mends."""
        set_look(self.problem, tone=tone)
        self.problem.setText(text)
        self.problem.setVisible(bool(text))
        self.promise.setVisible(not text)

    # Editing

    def _edit(self, name: str, value: Any, words: str, merge: str) -> None:
        changes = {"rows_typed": True, name: value} if name == "assumed_rows" else {name: value}
        self.edited.emit(replace(self.draft, **changes), words, merge)

    def _forget_rows(self) -> None:
        draft = replace(self.draft, assumed_rows=GUESSED_ROWS, rows_typed=False)
        self.edited.emit(draft, "Do not guess the rows", "")

    def _take_planned(self) -> None:
        if self._planned is not None:
            draft = replace(self.draft, assumed_rows=min(self._planned, MOST_ROWS), rows_typed=True)
            self.edited.emit(draft, "As many rows as elsewhere", "")

    def _judge_need(self, _value: float = 0.0) -> None:
        """Say what is wrong with the wanted error, or that a draw of rows moves the answer by more, if anything is."""
        self._unsolved_of = None
        self._warned = self._too_wide()
        self.show_problem(self.need.problem or self._warned, tone="error" if self.need.problem else "warning")

    def _too_wide(self) -> str:
        wanted = self.need.exact
        return "" if wanted is None or self._plan is None else too_wide(self._plan, float(wanted))

    def _ask(self) -> None:
        """Look for the ε at which 95 % of answers are within ± what was typed."""
        if self.need.exact is None:
            return
        target, draft, desk = self.need.edit.text().strip(), self.draft, self._document.session.snapshot().queries

        def work(_progress: Progress) -> tuple[QueryDraft, str]:
            return draft, desk.solve(draft, target)

        self._document.runner.start(
            "Looking for ε",
            work,
            on_done=self._solved,
            on_failed=self._unsolved,
            key=SOLVE_JOB,
            latest_wins=True,
        )

    def _solved(self, found: tuple[QueryDraft, str]) -> None:
        draft, epsilon = found
        if draft == self.draft:
            if self._unsolved_of is not None:
                self._judge_need()
            self.solved.emit(epsilon)

    def _unsolved(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self.show_problem(str(error))
            self._unsolved_of = self._solved_for
            return True
        return False

    @property
    def _solved_for(self) -> tuple[object, ...]:
        """What a search for ε goes by, besides the margin."""
        counted = None if self._plan is None else self._plan.counted
        return replace(self.draft, epsilon=""), self._document.project.schema, counted

    def _drop_refusal(self) -> None:
        """Take back why no ε was found, once it was about another question than that in hand."""
        if self._unsolved_of is not None and self._unsolved_of != self._solved_for:
            self._judge_need()


def _keep_place(wanted: bool, *parts: QWidget) -> None:
    for part in parts:
        policy = part.sizePolicy()
        policy.setRetainSizeWhenHidden(wanted)
        part.setSizePolicy(policy)
