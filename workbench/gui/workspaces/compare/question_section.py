"""The question of an experiment: statistic and column, the metric of errors, and the public bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.settings import declared
from workbench.core.visible import visible
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_edits import first_column
from workbench.evaluate.question import SHARE, UNNAMED, Metric, Question, Statistic, bars_of, metrics_for, ways_to_bars
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import FACE
from workbench.gui.widgets.encoding_section import ASSUMED, TYPED, EncodingSection
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import add_row
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.most_below import MostBelow
from workbench.ldp.encoding import Domain, EncodingChoice, EncodingKind
from workbench.session.collection.typed_answers import PLANNED

_BOUNDED = (EncodingKind.BINS, EncodingKind.WHOLE)
_UNUSED = ("unit", "absent")
"""No statistic is about dates, and rows without a value never count."""
_BOUNDS, _VALUES = "Bounds", "Values"
"""Titles of what is public, by whether numbers or a list of values are asked about."""
_NO_NUMBERS = "no numbers: a histogram instead"
"""What the list says of a column of which nothing that is computed from numbers can be asked."""
_OF_SHARE = "share"
"""The entry for a count of one value whose errors are those of the share that has it."""
_SHARE_TIP = "The part of all rows that has one value, such as yes: their count, by the number of people"
_SHARES_TIP = "A histogram: the part of all rows that each value, or range of numbers, has"
_LABELS = {"how": "Bins", "answer": "Value", "outside": "Outside"}
"""Where a line of the encoding is about something narrower here than in a collection."""


class CompareQuestionSection(EncodingSection):
    """Column, statistic, metric, bins and public bounds.

    Signals
    -------
    table_requested()
        The person wants to ask about a column of a table, and none is open.
    """

    table_requested = Signal()

    types_undeclared = True

    def __init__(self, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__(draft.document, "compare", declared(Question)["column"].spec, parent)
        self._draft = draft
        self._listed = False
        self.problem: WorkbenchError | None = None
        self._said_about: tuple[object, ...] = ()
        self._asks = ""
        self.form = BoundForm("compare", lambda: self._question, "question", parent=self)
        self.form.edited.connect(self._change_question)
        self.statistic, self.share = self.form["statistic"], self.form["share"]
        self._offer_share()
        self.measures = BoundForm("compare", lambda: draft.experiment or Experiment(), "metric", parent=self)
        self.measures.edited.connect(self._change)
        self.measure = self.measures["metric"]
        self.below = MostBelow(draft, self._change)
        self.most = self.below.field
        self.named = QLineEdit()
        self.named.setAccessibleName("Name of what is asked about")
        self.named.setPlaceholderText("name in the caption")
        self.named.editingFinished.connect(self._name)
        self.of_table = push_button("Open a table…", self.table_requested, quiet=True, explain="compare.question")
        self.of_table.setToolTip("Ask about a column of it; what is tried on is a public shape all the same")
        set_look(self.of_table, align="left")
        self.asked_table = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, muted=True)
        self.add_action(self.asked_table)
        self.lay_out(
            (
                self.form.row("statistic"),
                self.column_row(),
                ("named", "About", self.named),
                ("table", "", self.of_table),
                *(self.form.row(name) for name in self.form.fields if name != "statistic"),
                *self._rows_of(self.encoding),
                ("source", _BOUNDS, self.source),
                self.bounds_row(),
                *(row for row in self._rows_of(self.others) if row[1] != _LABELS["outside"]),
            ),
            tokens.COLUMN_MIN + tokens.SPACE_M,
        )
        grid = self.measures.grid(squeezed=True)
        grid.setColumnMinimumWidth(0, tokens.COLUMN_MIN + tokens.SPACE_M)
        grid.setContentsMargins(0, 0, 0, 0)
        # On a public shape nothing is outside.
        named = label(_LABELS["outside"])
        named.setBuddy(self.outside)
        self.outside.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        add_row(grid, named, self.outside)
        self._rows["outside"] = named, self.outside
        self.measured = boxes.boxed(grid)
        """The measure, and what values outside are, which hardly anybody changes, for a fold."""
        self.share.edit.setMinimumWidth(0)
        for unused in (self.unit, self.absent):
            unused.setParent(self)
            unused.hide()
        self.how.setAccessibleName(_LABELS["how"])
        self.answer.setAccessibleName("The value that is counted")
        self.answer.setPlaceholderText("the value that is counted")
        for widget, key in (
            (self.named, "compare.question"),
            (self.how, "compare.bins"),
            (self.bins, "compare.bins"),
            (self.edges, "compare.bins"),
            (self.answer, "compare.question"),
            (self.outside, "compare.question"),
            (self.source, "compare.bounds"),
            (self.bounds, "compare.bounds"),
            (self.values, "compare.bounds"),
        ):
            set_explain(widget, key)
        set_explain(self, "compare.question")

    def _offer_share(self) -> None:
        """One more entry: whoever wants to know what share has a value looks for that word."""
        combo = self.statistic
        place = combo.findData(Statistic.COUNT) + 1
        combo.insertItem(place, "Share of one value", _OF_SHARE)
        combo.setItemData(place, _SHARE_TIP, Qt.ItemDataRole.ToolTipRole)
        combo.setItemData(combo.findData(Statistic.HISTOGRAM), _SHARES_TIP, Qt.ItemDataRole.ToolTipRole)
        combo.activated.connect(self._choose_count)

    def _choose_count(self, row: int) -> None:
        """From the share of a value to its count, which the form takes for the same question."""
        if self.statistic.itemData(row) == Statistic.COUNT and self._of_share:
            self._draft.change("Ask for another statistic", metric=Metric())

    @property
    def _of_share(self) -> bool:
        experiment = self._draft.experiment
        return experiment is not None and experiment.of_share

    @staticmethod
    def _rows_of(form: BoundForm) -> list[tuple[str, str, QWidget]]:
        """The lines of the encoding that a statistic needs, by the names they have here."""
        rows = (form.row(name) for name in form.fields if name not in _UNUSED)
        return [(name, _LABELS.get(name, title), field) for name, title, field in rows]

    @property
    def _question(self) -> Question:
        experiment = self._draft.experiment
        return Question() if experiment is None else experiment.question

    @property
    def _public(self) -> bool:
        experiment = self._draft.experiment
        return experiment is not None and experiment.basis.public

    @property
    def lacks_column(self) -> bool:
        """Whether none is chosen of the table: also where what was typed without one is no column of it."""
        question = self._question
        typed = self._draft.typed and not self._public  # of which there are no true values
        return typed or question.column not in self._draft.desk.schema_of(question).names

    def ask_bounds(self) -> None:
        """Put the focus where public bounds, or possible values, are typed, if the question lacks nothing else."""
        if self._draft.typed and self.document.has_data:
            self.column.setFocus()  # whoever opened a table is about to choose one
        lacking = "" if self.problem is None or self.comes_from != TYPED else self.problem.field
        if lacking == "bounds":
            self.bounds.numbers[0].edit.setFocus()
        elif lacking == "domain" and self._listed:
            self.values.setFocus()

    def _choose_source(self, row: int) -> None:
        if self._public and self.source.chosen == ASSUMED:
            # On a public shape nothing is read behind anybody's back: who says that the values that occur are public
            # gets them as if they were typed, and sees them.
            found = self._occurring(self.asked_column()) if self._listed else None
            self.source.choose(TYPED)
            super()._choose_source(self.source.currentIndex())
            if found is not None:
                self._set_values("\n".join(found))
            return
        super()._choose_source(row)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return super().valid and self.form.valid and self.below.valid

    # Showing

    def refresh(self, experiment: Experiment) -> None:
        """Show the question, and whether it can be asked."""
        question = experiment.question
        schema, typed = self._draft.desk.schema_of(question), self._draft.typed
        names = self.document.project.schema.names
        known = self.show_columns(names, question.column, f"{question.column} (typed)" if typed else "")
        if typed:
            known = experiment.basis.public
            self.column.setCurrentIndex(len(names))
        for row, name in enumerate(names):
            kind = self.document.project.schema[name].kind
            words = name if kind.numeric or not question.statistic.of_numbers else f"{name} ({_NO_NUMBERS})"
            self.column.setItemText(row, words)
            self.column.setItemData(row, name, FACE)
        metrics = metrics_for(question.statistic)
        counts = question.statistic is Statistic.COUNT
        said = [("Error of the share" if counts and one == SHARE else one.short, one) for one in metrics]
        self.measures.offer("metric", said, [one.heading for one in metrics])
        for form in (self.form, self.measures):
            form.refresh()
        self.below.refresh(experiment)
        if experiment.of_share:
            self.statistic.choose(_OF_SHARE)
        spec = schema[question.column] if known else None
        self._show_encoding(experiment, spec)
        self._show_domain(question, spec)
        asks, self._asks = self._asks, ""
        if asks and asks == question.column and self.column.hasFocus():
            self.ask_bounds()

    def show_again(self) -> None:
        """Show the experiment in force."""
        experiment = self._draft.experiment
        if experiment is not None:
            self.refresh(experiment)

    def _show_encoding(self, experiment: Experiment, spec: ColumnSpec | None) -> None:
        question = experiment.question
        statistic = question.statistic
        how = bars_of(question, spec)
        along_bins = experiment.axis is Axis.BINS
        histogram = statistic is Statistic.HISTOGRAM and spec is not None
        bounded = statistic.of_numbers or (statistic is Statistic.HISTOGRAM and how in _BOUNDED)
        self._listed = histogram and how is EncodingKind.CATEGORIES
        self._rows["source"][0].setText(_VALUES if self._listed else _BOUNDS)
        self.show_encoding(
            spec,
            question.encoding,
            how,
            self._ways(statistic, spec),
            bounded=spec is not None and bounded,
            listed=self._listed,
            about=(self._draft.index, question.column),
        )
        self.of_table.setText("Open a table…" if self._draft.desk.without_table else "Another table…")
        self.of_table.setAccessibleName(self.of_table.text())
        self.asked_table.set_text(visible(self.document.session.data.file_name))
        if self._draft.typed:
            self.show_rows({"source": False})
            if not (self.named.hasFocus() and self.named.isModified()):
                self.named.setText("" if question.column == UNNAMED else question.column)
        self.show_rows(
            {
                # Without a table there is one thing to ask about, and all that is known of it is typed.
                "column": not self._draft.desk.without_table,
                "named": self._draft.desk.without_table,
                "table": True,
                "share": statistic is Statistic.QUANTILE,
                "answer": statistic is Statistic.COUNT,
                "how": histogram and not along_bins,
                "bins": histogram and how is EncodingKind.BINS and not along_bins,
                "edges": histogram and how is EncodingKind.EDGES and not along_bins,
                "outside": histogram,
            }
        )
        self.below.setVisible(spec is not None and experiment.takes_most_below)

    def _ways(self, statistic: Statistic, spec: ColumnSpec | None) -> Sequence[EncodingKind]:
        if self._draft.typed and statistic is Statistic.HISTOGRAM:
            return PLANNED
        return () if spec is None else ways_to_bars(statistic, spec)

    def _show_domain(self, question: Question, spec: ColumnSpec | None) -> None:
        self.problem = None
        domain: Domain | None = None
        session = self.document.session
        if spec is None:
            self.say(Status.INFO, "Choose the column that is asked about.")
            self.offer_data(False)
            return
        try:
            domain = session.comparison.domain(question, public=self._public)
        except WorkbenchError as error:
            self.problem = error
        lacking = self.problem is not None and self.problem.field in ("domain", "bounds", "answer")
        if self.problem is not None and self.problem.field == "bounds" and self._public:
            self.say(Status.INFO, "Type the smallest and the largest value that are possible. They must be public.")
        elif self.problem is not None and self.problem.field == "domain" and self._public and not self._read(spec):
            as_text = spec.kind is Kind.TEXT and not self._draft.typed
            text = f"“{spec.name}” is read as text: if these are numbers, say so in Data. " if as_text else ""
            self.say(Status.INFO, f"{text}Type every value, one a line or with commas. They must be public.")
        elif self.problem is not None:
            self.say(Status.INFO if lacking else Status.ERROR, str(self.problem))
        elif domain is None:
            self.say(
                Status.WARNING,
                (
                    "Read from the data: that it is public is only assumed, so every method looks better than it may "
                    "be used."
                ),
            )
        elif self._draft.typed and self.document.has_data:
            self.say(Status.INFO, "As typed without a table. Choose a column to ask about this one.")
        elif question.statistic is Statistic.HISTOGRAM:
            self.say(Status.SUCCESS, domain.summary)
        elif question.statistic.of_numbers:
            # Whoever takes bounds for granted must read that they have a price of their own: of typed ones beside the
            # advice.
            typed = self._public and question.encoding.bounds is not None
            shifts = "" if typed else " What that shifts is not in these errors."
            self.say(Status.INFO, f"Values outside count as the bound.{shifts}")
        else:
            self.say(Status.SUCCESS, "")
        unknown = self.problem is not None and self.problem.field in ("domain", "bounds")
        self.offer_data(unknown)

    @staticmethod
    def _read(spec: ColumnSpec) -> bool:
        """Whether what is possible was read from the data, which is another thing to say."""
        return bool(spec.observed & {"bounds", "domain"})

    def say(self, status: Status, text: str) -> None:
        super().say(status, text)
        experiment = self._draft.experiment
        question = None if experiment is None else experiment.question
        # What was offered becomes the first of the project by its first edit, and is the same all the same.
        about = max(self._draft.index, 0), question and (question.column, question.statistic)
        if about != self._said_about:
            self.said.start_over()
        self._said_about = about

    def show_problem(self, error: WorkbenchError | None) -> None:
        """Show why the rows cannot be asked, which only shows when they are encoded."""
        if error is not None and self.problem is None and not self.below.show_problem(error):
            self.say(Status.ERROR, str(error.for_analyst()))  # rows are encoded after a look alone

    # Editing

    def asked_column(self) -> str:
        """The name of the column that is asked about; "" for none."""
        experiment = self._draft.experiment
        return "" if experiment is None else experiment.question.column

    def choose_column(self, spec: ColumnSpec) -> None:
        """The person asks about another column, and types next what is possible in it, if they chose it in the list."""
        self._asks = spec.name if self.column.from_list else ""
        self.column.from_list = False  # the next choice may come by a key

        def edit(question: Question) -> Question:
            statistic = question.statistic
            if statistic.of_numbers and not spec.kind.numeric:
                statistic = Statistic.HISTOGRAM
            return self._question_about(spec.name, replace(question, statistic=statistic))

        self._draft.change_question(f"Ask about {spec.name}", edit)

    def _question_about(self, column: str, question: Question) -> Question:
        """The same question about another column."""
        typed = self._draft.typed_of(column)
        if self._draft.unnamed and typed == EncodingChoice():
            typed = replace(question.encoding, how=None)  # it was said of this one, which had no name yet
        plain = replace(typed, bins=question.encoding.bins)
        return Question(question.statistic, column, plain, question.share)

    def _name(self) -> None:
        """Whatever is asked about without a table has a name in captions, by which a column of one may be found."""
        self.named.setModified(False)
        name = self.named.text().strip() or UNNAMED
        # Not another question: all that was said of its values stays.
        self._draft.change("Name what is asked about", question=replace(self._question, column=name))

    def change_encoding(
        self, words: str, edit: Callable[[EncodingChoice], EncodingChoice], *, merge: str = "", reset: bool = False
    ) -> None:
        """Change the encoding of the question."""
        self._draft.change_question(
            words, lambda question: replace(question, encoding=edit(question.encoding)), merge=merge
        )

    def _change_question(self, name: str, value: Any, words: str, merge: str) -> None:
        if value == _OF_SHARE and name == "statistic":
            self._draft.change_question(words, lambda one: replace(one, statistic=Statistic.COUNT), metric=SHARE)
            return

        def edit(question: Question) -> Question:
            encoding = question.encoding
            if value is Statistic.HISTOGRAM and encoding.how is EncodingKind.QUESTION:
                encoding = replace(encoding, how=None)
            wanted = replace(question, encoding=encoding, **{name: value})
            column = self._column_for(wanted) if name == "statistic" else wanted.column
            return wanted if column == wanted.column else self._question_about(column, wanted)

        # Of another statistic the measure of a share would be errors as a part of the public range.
        metric = metrics_for(value)[0] if name == "statistic" and self._of_share else None
        self._draft.change_question(words, edit, merge=f"question {merge}" if merge else "", metric=metric)

    def _column_for(self, question: Question) -> str:
        """The column of a question; of words, of which nothing is computed, the first one of numbers in its place."""
        schema = self._draft.desk.schema_of(question)
        words = question.column in schema.names and not schema[question.column].kind.numeric
        numbers = first_column(schema, numeric=True) if words and question.statistic.of_numbers else ""
        return numbers or question.column

    def _change(self, name: str, value: object, words: str, merge: str) -> None:
        self._draft.change(words, merge=merge, **{name: value})
