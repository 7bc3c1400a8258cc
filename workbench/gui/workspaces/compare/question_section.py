"""The question of an experiment: statistic and column, the metric of errors, and the public bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCompleter, QLabel, QLineEdit, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import typed
from workbench.core.schema import ColumnSpec
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.question import Question, Statistic, bars_of, metrics_for, ways_to_bars
from workbench.gui import tokens
from workbench.gui.engines import first_values
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bounds_fields import BoundsFields
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.parameter_fields import LinesEdit
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.shown_text import show_as_text
from workbench.gui.widgets.status import Status, status_icon
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.ldp.binning import LARGEST_DOMAIN
from workbench.ldp.encoding import Domain, EncodingChoice, EncodingKind, Outside

_DECLARED, _TYPED, _ASSUMED = "declared", "typed", "assumed"
_BOUNDED = (EncodingKind.BINS, EncodingKind.WHOLE)
_COMPLETED = 5000


class CompareQuestionSection(Section):
    """Column, figure, metric, bins and public bounds.

    Signals
    -------
    data_requested()
        The person wants to declare what is public in the Data workspace.
    """

    data_requested = Signal()

    def __init__(self, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("Question")
        self._draft = draft
        self._source = _DECLARED
        self._asked_of: tuple[int, str] = (-1, "")
        self.problem: WorkbenchError | None = None
        self.figure = ElidingComboBox("What is asked", [(one.words, one) for one in Statistic])
        self.figure.activated.connect(self._choose_figure)
        self.column = ElidingComboBox("Column")
        self.column.setPlaceholderText("Choose a column…")
        self.column.activated.connect(self._choose_column)
        self.share = NumberField("Which quantile", minimum=0, maximum=1, step=0.05, value=0.5, compact=True)
        self.share.value_changed.connect(self._set_share)
        self.answer = QLineEdit()
        self.answer.setAccessibleName("The value that is counted")
        self.answer.setPlaceholderText("the value that is counted")
        self.answer.editingFinished.connect(self._set_answer)
        self.how = ElidingComboBox("Bins")
        self.how.activated.connect(self._choose_how)
        self.bins = SpinBox("Number of bins", 2, LARGEST_DOMAIN, 20, "bins")
        self.bins.valueChanged.connect(self._set_bins)
        self.edges = QLineEdit()
        self.edges.setAccessibleName("Edges of the bins")
        self.edges.setPlaceholderText("0, 18, 65, 120")
        self.edges.editingFinished.connect(self._set_edges)
        self.source = ElidingComboBox(
            "Where the public bounds or values come from",
            [
                ("As declared in Data", _DECLARED),
                ("Typed here", _TYPED),
                ("From the data, assumed public", _ASSUMED),
            ],
        )
        self.source.activated.connect(self._choose_source)
        self.bounds = BoundsFields()
        self.bounds.changed.connect(self._set_bounds)
        self.values = LinesEdit("Possible values, one per line")
        self.values.setPlaceholderText("one possible value per line")
        self.values.typed.connect(self._set_values)
        self.outside = ElidingComboBox(
            "Values outside",
            [("are an error", Outside.STOP), ("go to the nearest, or “(other)”", Outside.CLIP)],
        )
        self.outside.activated.connect(self._set_outside)
        self.measure = ElidingComboBox("Error measure")
        self.measure.activated.connect(self._choose_metric)
        self._rows: dict[str, tuple[QLabel, QWidget]] = {}
        self._lay_out()
        for widget, key in (
            (self.measure, "compare.metric"),
            (self.how, "compare.bins"),
            (self.bins, "compare.bins"),
            (self.edges, "compare.bins"),
            (self.source, "compare.bounds"),
            (self.bounds, "compare.bounds"),
            (self.values, "compare.bounds"),
        ):
            set_explain(widget, key)
        set_explain(self, "compare.question")

    def _lay_out(self) -> None:
        grid = form_grid()
        grid.setColumnMinimumWidth(0, tokens.COLUMN_MIN)
        for row, (name, title, field) in enumerate(
            (
                ("figure", "Ask for", self.figure),
                ("column", "Column", self.column),
                ("share", "Quantile", self.share),
                ("answer", "Value", self.answer),
                ("how", "Bins", self.how),
                ("bins", "How many", self.bins),
                ("edges", "Edges", self.edges),
                ("source", "Public", self.source),
                ("bounds", "From, to", self.bounds),
                ("outside", "Outside", self.outside),
                ("metric", "Measure", self.measure),
            )
        ):
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            words = label(title)
            grid.addWidget(words, row, 0)
            grid.addWidget(field, row, 1)
            self._rows[name] = words, field
        self.share.edit.setMinimumWidth(0)
        self.add(grid)
        self.add(self.values)
        self._icon = IconLabel(status_icon(Status.INFO), tokens.ICON_SMALL, "muted")
        self.said = label(small=True, muted=True, wrap=True)
        self.declare = push_button("Declare in Data…", self.data_requested, quiet=True)
        line = boxes.row((self._icon, Qt.AlignmentFlag.AlignTop), (self.said, 1), spacing="s")
        self.add(line)
        self.add(self.declare)
        self.content.setAlignment(self.declare, Qt.AlignmentFlag.AlignLeft)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.share.valid or self.share.isHidden()

    # Showing

    def refresh(self, experiment: Experiment) -> None:
        """Show the question, and whether it can be asked."""
        schema = self._draft.document.project.schema
        question, names = experiment.question, list(schema.names)
        if [self.column.itemText(row) for row in range(self.column.count())] != names:
            self.column.clear()
            for name in names:
                self.column.addItem(name, name)
        known = question.column in names
        self.column.setCurrentIndex(names.index(question.column) if known else -1)
        self.figure.choose(question.figure)
        metrics = metrics_for(question.figure)
        if [self.measure.itemData(row) for row in range(self.measure.count())] != list(metrics):
            self.measure.clear()
            for metric in metrics:
                self.measure.addItem(metric.heading, metric)
        self.measure.choose(experiment.metric)
        spec = schema[question.column] if known else None
        self._show_encoding(experiment, spec)
        self._show_domain(question, spec)

    def _show_encoding(self, experiment: Experiment, spec: ColumnSpec | None) -> None:
        question = experiment.question
        figure, choice = question.figure, question.encoding
        if question.share != self.share.value and not self.share.edit.hasFocus():
            self.share.set_value(question.share)
        how = bars_of(question, spec)
        if spec is not None:
            offered = ways_to_bars(figure, spec)
            if [self.how.itemData(row) for row in range(self.how.count())] != offered:
                self.how.clear()
                for one in offered:
                    self.how.addItem(one.words, one)
            self.how.choose(how)
            here = self._draft.index, spec.name
            if self._asked_of != here:
                self._complete(spec.name)
                self._source = _DECLARED
            self._asked_of = here
            self.bounds.show_bounds(spec, choice.bounds)
        self._find_source(choice, how)
        blocked = self.bins.blockSignals(True)
        self.bins.setValue(choice.bins)
        self.bins.blockSignals(blocked)
        for edit, text in (
            (self.edges, ", ".join(typed(one) for one in choice.edges)),
            (self.answer, choice.answer),
        ):
            if not edit.hasFocus():
                edit.setText(text)
        self.values.show_text("\n".join(choice.domain or ()))
        self.outside.choose(choice.outside)
        self.source.choose(self._source)
        along_bins, by_hand = experiment.axis is Axis.BINS, self._source == _TYPED
        histogram = figure is Statistic.HISTOGRAM and spec is not None
        asks_bounds = spec is not None and figure is not Statistic.COUNT and (figure.of_numbers or how in _BOUNDED)
        listed = histogram and how is EncodingKind.CATEGORIES
        for name, wanted in (
            ("share", figure is Statistic.QUANTILE),
            ("answer", figure is Statistic.COUNT),
            ("how", histogram and not along_bins),
            ("bins", histogram and how is EncodingKind.BINS and not along_bins),
            ("edges", histogram and how is EncodingKind.EDGES and not along_bins),
            ("source", asks_bounds or listed),
            ("bounds", asks_bounds and by_hand),
            ("outside", histogram),
        ):
            for widget in self._rows[name]:
                widget.setVisible(wanted)
        self.values.setVisible(listed and by_hand)

    def _find_source(self, choice: EncodingChoice, how: EncodingKind) -> None:
        if choice.assume_public:
            self._source = _ASSUMED
        elif choice.bounds is not None or (how is EncodingKind.CATEGORIES and choice.domain is not None):
            self._source = _TYPED
        elif self._source == _ASSUMED:
            self._source = _DECLARED

    def _show_domain(self, question: Question, spec: ColumnSpec | None) -> None:
        self.problem = None
        domain: Domain | None = None
        session = self._draft.document.session
        if spec is None:
            self._say(Status.INFO, "Choose the column that is asked about.")
            self.declare.hide()
            return
        try:
            domain = session.comparison.domain(question)
        except WorkbenchError as error:
            self.problem = error
        lacking = self.problem is not None and self.problem.field in ("domain", "bounds", "answer")
        if self.problem is not None:
            self._say(
                Status.INFO if lacking else Status.ERROR, f"{self.problem.message} {self.problem.hint or ''}".strip()
            )
        elif domain is None:
            self._say(
                Status.WARNING,
                (
                    "Read from the data: that it is public is only assumed, so every method looks better than it may "
                    "be used."
                ),
            )
        elif question.figure is Statistic.HISTOGRAM:
            self._say(Status.SUCCESS, domain.summary)
        else:
            self._say(Status.SUCCESS, "")
        unknown = self.problem is not None and self.problem.field in ("domain", "bounds")
        self.declare.setVisible(unknown and self._source == _DECLARED)

    def show_problem(self, error: WorkbenchError | None) -> None:
        """Show why the rows cannot be asked, which only shows when they are encoded."""
        if error is not None and self.problem is None:
            self._say(Status.ERROR, f"{error.message} {error.hint or ''}".strip())

    def _say(self, status: Status, text: str) -> None:
        self._icon.set_icon(status_icon(status), status.value)
        self._icon.setVisible(bool(text))
        self.said.setText(text)
        self.said.setVisible(bool(text))
        set_look(self.said, tone=status.value if status in (Status.ERROR, Status.WARNING) else "none")

    def _complete(self, name: str) -> None:
        table = self._draft.document.session.data.reading.table
        completer = QCompleter(first_values(table, name, _COMPLETED), self.answer)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        show_as_text(completer)
        self.answer.setCompleter(completer)

    # Editing

    def _choose_figure(self, _row: int) -> None:
        figure = Statistic(str(self.figure.chosen))

        def edit(question: Question) -> Question:
            encoding = question.encoding
            if figure is Statistic.HISTOGRAM and encoding.how is EncodingKind.QUESTION:
                encoding = replace(encoding, how=None)
            return replace(question, figure=figure, encoding=encoding)

        self._draft.change_question("Ask for another figure", edit)

    def _choose_column(self, _row: int) -> None:
        name = str(self.column.chosen)
        spec = self._draft.document.project.schema[name]
        # What was typed about one column says nothing about another.
        self._source = _DECLARED

        def edit(question: Question) -> Question:
            figure = question.figure
            if figure.of_numbers and not spec.kind.numeric:
                figure = Statistic.HISTOGRAM
            return Question(figure, name, EncodingChoice(bins=question.encoding.bins), question.share)

        experiment = self._draft.experiment
        if experiment is not None and experiment.question.column != name:
            self._draft.change_question(f"Ask about {name}", edit)

    def _set_share(self, share: float) -> None:
        self._draft.change_question(
            "Change the quantile", lambda question: replace(question, share=share), merge="share"
        )

    def _set_answer(self) -> None:
        answer = self.answer.text()
        self._change("Count another value", lambda choice: replace(choice, answer=answer))

    def _choose_how(self, _row: int) -> None:
        how = EncodingKind(str(self.how.chosen))
        self._change("Change the bins", lambda choice: replace(choice, how=how))

    def _set_bins(self, bins: int) -> None:
        self._change("Change the number of bins", lambda choice: replace(choice, bins=bins), merge="bins")

    def _set_edges(self) -> None:
        try:
            edges = tuple(float(part) for part in self.edges.text().replace(";", ",").split(",") if part.strip())
        except ValueError:
            set_look(self.edges, invalid=True)
            self.edges.setToolTip("Numbers with commas between them: 0, 18, 65, 120")
            return
        set_look(self.edges, invalid=False)
        self.edges.setToolTip("")
        self._change("Change the edges", lambda choice: replace(choice, edges=edges))

    def _choose_source(self, _row: int) -> None:
        experiment = self._draft.experiment
        if experiment is None:
            return
        self._source = str(self.source.chosen)
        spec = self._draft.document.project.schema[experiment.question.column]
        how = bars_of(experiment.question, spec)
        assumed, by_hand, public = self._source == _ASSUMED, self._source == _TYPED, spec.declared()
        self._change(
            "Change what is public",
            lambda choice: replace(
                choice,
                assume_public=assumed,
                bounds=public.bounds if by_hand else None,
                domain=public.domain if by_hand and how is EncodingKind.CATEGORIES else None,
            ),
        )
        self.refresh(self._draft.experiment or experiment)

    def _set_bounds(self, bounds: tuple[float, float] | None) -> None:
        self._change(
            "Change the public bounds",
            lambda choice: replace(choice, bounds=bounds, assume_public=False),
        )

    def _set_values(self, text: str) -> None:
        values = tuple(line for line in text.split("\n") if line.strip())[: LARGEST_DOMAIN + 1]
        self._change(
            "Change the possible values",
            lambda choice: replace(choice, domain=values or None, assume_public=False),
        )

    def _set_outside(self, _row: int) -> None:
        outside = Outside(str(self.outside.chosen))
        self._change("Change what becomes of values outside", lambda c: replace(c, outside=outside))

    def _choose_metric(self, _row: int) -> None:
        self._draft.change("Change the error measure", metric=self.measure.chosen)

    def _change(self, words: str, edit: Callable[[EncodingChoice], EncodingChoice], *, merge: str = "") -> None:
        self._draft.change_question(
            words, lambda question: replace(question, encoding=edit(question.encoding)), merge=merge
        )
