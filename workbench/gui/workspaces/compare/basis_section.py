"""The values the methods are tried on: a public shape with a typed number of people, or the true values."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.visible import visible
from workbench.evaluate.experiment import Axis, Basis, Experiment, Truth
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.evaluate.question import Question, Statistic
from workbench.gui import tokens
from workbench.gui.look_question import LookQuestion
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.widgets.tips import in_lines
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.session.typed_bounds import people_typed

_GUESS = "Only a guess: type about how many. The more people, the smaller the errors."
_FIRST = "users", "public_total"
"""What has to be known, or changes what is charged; the number comes before all that is said of it."""
_WHOSE = "“{}” names persons: say if each row is another one."
_TICKED = "Errors can get a little smaller, but Query charges twice as much ε."
_TICKED_MEANS = (
    "Who knows that number and all others knows who takes part. Each way may use it for smaller errors, and Query "
    "charges 2 ε, which hides what one person answered."
)
_MOVED = "The table’s rows were counted with another choice of them or of persons: count them anew."


_BY_FIELD = "Long tail by “Most below”"


def _words(basis: Basis, experiment: Experiment) -> str:
    """A choice of what is tried on, by what it is for this question."""
    if experiment.narrowed and basis is Basis.EITHER:  # what is said in that field takes the place of all usual ones
        return _BY_FIELD
    own = experiment.named(basis)
    return basis.words if own == basis.shape else f"{own[:1].upper()}{own[1:]}"


class BasisSection(Section):
    """The basis, the number of people, whether that is public, and whom errors are about.

    Signals
    -------
    asked()
        There is a question below the number of people, or more of it than before.
    who_wanted()
        It is to be said in Data who is protected.
    """

    asked = Signal()
    who_wanted = Signal()

    def __init__(self, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._draft = draft
        self._planned: int | None = None
        self._counted: tuple[int, object] | None = None
        self.form = BoundForm("compare", lambda: draft.experiment or Experiment(), "basis", parent=self)
        self.form.edited.connect(self._edit)
        self._said = ""
        for changed in (self.form["users"].rested, self.form["users"].validity_changed):
            changed.connect(self._show_whose)
        # First what has to be typed, which errors depend on; what is tried on suits most people as it is.
        grid = self.form.grid([name for name in self.form.fields if name != _FIRST[0]], squeezed=True)
        grid.setColumnMinimumWidth(0, tokens.COLUMN_MIN + tokens.SPACE_M)
        self.whose = SteadyLabel()
        set_look(self.whose, muted=True)
        self.own_rows = push_button("Count the table's rows…", self._ask_for_rows, quiet=True, explain="compare.people")
        self.own_rows.setToolTip("Put in how many rows the open table has, if everybody may know that")
        set_look(self.own_rows, align="left")
        self.who = push_button("Say who is protected…", self.who_wanted, quiet=True, explain="data.person")
        set_look(self.who, align="left")
        self.who.hide()
        self.as_planned = push_button("As in Collect", self._take_planned, quiet=True, explain="compare.people")
        set_look(self.as_planned, align="left")
        self.as_planned.hide()
        self.look = LookQuestion(
            draft.document, "count its rows", known="May everybody know how many rows the table has?"
        )
        self.look.agreed.connect(self._take_asked)
        self.look.grown.connect(self.asked)
        for part in (self.whose, self.who, self.own_rows, self.as_planned, self.look):
            grid.addWidget(part, grid.rowCount(), 0, 1, 2)
        self.form.grid([name for name in self.form.fields if name != _FIRST[1]], grid, squeezed=True)
        self.add(grid)
        rest = self.form.grid(_FIRST, squeezed=True)
        rest.setColumnMinimumWidth(0, tokens.COLUMN_MIN + tokens.SPACE_M)
        rest.setContentsMargins(0, 0, 0, 0)
        self.tried = boxes.boxed(rest)
        """What is tried on and whom errors are about, which suit most people as they are, for a fold."""
        self.ticked = SteadyLabel()  # a bar for scrolling that comes and goes moves nothing below it
        self.ticked.setText(_TICKED)
        set_look(self.ticked, muted=True)
        self.ticked.setToolTip(in_lines(_TICKED_MEANS))
        self.add(self.ticked)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.form.valid

    @property
    def guessed(self) -> NumberField | None:
        """The field of the number of people while that is a guess of the program; None where somebody typed one."""
        experiment, field = self._draft.experiment, self.form["users"]
        guess = experiment is not None and experiment.basis.public and experiment.users == USUAL_PEOPLE
        return field if guess and isinstance(field, NumberField) else None

    def refresh(self, experiment: Experiment) -> None:
        """Show what is in force."""
        # Of what is typed there are no true values to try anything on.
        bases = [one for one in Basis if one.public or not self._draft.typed or one is experiment.basis]
        self.form.offer("basis", [(_words(one, experiment), one) for one in bases])
        # Of a public shape all rows are those who are asked, unless that is what changes.
        apart = not experiment.basis.public or experiment.axis is Axis.USERS or experiment.truth is Truth.ALL
        self.form.offer("truth", [(one.words, one) for one in Truth if one is not Truth.ALL or apart])
        self.form.refresh()
        self.form["users"].setEnabled(experiment.axis is not Axis.USERS)
        self.form["public_total"].setVisible(experiment.question.statistic is Statistic.HISTOGRAM)
        self.ticked.setVisible(experiment.question.statistic is Statistic.HISTOGRAM)
        typed = experiment.basis.public and experiment.axis is not Axis.USERS
        self.own_rows.setVisible(typed and self._draft.document.has_data and not self._draft.typed)
        known = self._known_elsewhere(guessed=experiment.users == USUAL_PEOPLE) if typed else None
        self._planned = None if known is None or known[0] == experiment.users else known[0]
        self.as_planned.setVisible(self._planned is not None)
        if known is not None and self._planned is not None:
            self.as_planned.setText(f"{self._planned:,} {known[1]}")
            self.as_planned.setAccessibleName(f"{self._planned:,} people, {known[1]}")
        person = "" if self._draft.typed else self._draft.desk.unsaid_person
        self.who.setVisible(bool(person))
        self._warn(_WHOSE.format(visible(person)) if person else _MOVED if self._rows_moved(experiment) else "")
        if typed and experiment.users == USUAL_PEOPLE and not self.whose.text():
            self.whose.setText(_GUESS)  # no warning
        self.look.follow()

    def _known_elsewhere(self, *, guessed: bool) -> tuple[int, str] | None:
        """How many people were typed in another room or, where they are only guessed here, counted by a Query answer.

        And where; None if neither.
        """
        document = self._draft.document
        typed = people_typed(document.project, "Compare", looked=document.looked)
        if typed is not None:
            return typed[0], f"as in {typed[1]}"
        # Where a person has several rows, their number is another one.
        alone = guessed and document.has_data and document.project.schema.unit.rows_per_person == 1
        question = Question() if self._draft.experiment is None else self._draft.experiment.question
        column = question.column if question.statistic is Statistic.MEAN else ""
        counted = document.session.queries.rows_bought(column) if alone else None
        return None if counted is None else (counted, "as counted in Query")

    def _warn(self, words: str) -> None:
        self._said = words
        self._show_whose()

    def _show_whose(self) -> None:
        """Say below the number of people what is wrong with it, once nobody types any more, or whose rows count."""
        field = self.form["users"]
        wrong = "" if field.typing else field.problem
        words = wrong or self._said
        set_look(self.whose, tone="error" if wrong else "warning" if words else "none", muted=not words)
        self.whose.setText(words)

    @property
    def _rows_of(self) -> object:
        """All that decides how many rows of the open table there are."""
        project, data = self._draft.document.project, self._draft.document.session.data
        return data.fingerprint if data.loaded is not None else "", project.schema.unit, project.preparation

    def _rows_moved(self, experiment: Experiment) -> bool:
        """Whether the number is that of the table's rows as they were chosen before."""
        counted = self._counted
        return counted is not None and counted[0] == experiment.users and counted[1] != self._rows_of

    def _take_planned(self) -> None:
        if self._planned is not None:
            self._draft.change("Take a number of people over", merge="compare users", users=self._planned)

    def _ask_for_rows(self) -> None:
        """How many rows there are is part of what they are: it is taken on the person's word, or as a look."""
        if self.look.needed:
            self.look.ask()
            self.asked.emit()
        else:
            self._take_rows()

    def _take_asked(self) -> None:
        self._take_rows(public=self.look.public)

    def _take_rows(self, *, public: bool = False) -> None:
        try:
            rows = self._draft.document.session.data.table.rows
        except WorkbenchError as error:  # values stand in the way of anonymising the table as it is set
            self._draft.refused.emit(error)
            return
        self._counted = rows, self._rows_of
        # Who says that everybody may know the number is not asked it once more.
        said = {"public_total": True} if public else {}
        self._draft.change("Take the table's rows", merge="compare users", users=rows, **said)

    def _edit(self, name: str, value: Any, words: str, merge: str) -> None:
        if name == "basis":
            self._draft.change_basis(value)
        else:
            self._draft.change(words, merge=merge, **{name: value})
