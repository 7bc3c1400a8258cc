"""The question of a collection: the column, how its values become answers, and which answers there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import typed
from workbench.core.schema import ColumnSpec
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.engines import first_values
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bounds_fields import BoundsFields
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import ComboBox, SpinBox
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.parameter_fields import LinesEdit
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.shown_text import show_as_text
from workbench.gui.widgets.status import Status, status_icon
from workbench.gui.workspaces.collect.answer_counts import AnswerCounts
from workbench.ldp.binning import LARGEST_DOMAIN, DateUnit
from workbench.ldp.encoding import Absent, Domain, EncodingChoice, EncodingKind, Outside, chosen_how
from workbench.ldp.fitting import ways

_DECLARED, _TYPED, _ASSUMED = "declared", "typed", "assumed"
_COMPLETED = 5000
_BOUNDED = (EncodingKind.BINS, EncodingKind.WHOLE, EncodingKind.DATES)


class CollectQuestionSection(Section):
    """Shows and edits column and encoding.

    Signals
    -------
    data_requested()
        The person wants to declare the domain in the Data workspace.
    """

    data_requested = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("Question")
        self._document = document
        self._source = _DECLARED
        self._asked_of = ""
        self.column = ElidingComboBox("What is asked")
        self.column.setPlaceholderText("Choose a column…")
        self.column.activated.connect(self._choose_column)
        self.how = ElidingComboBox("Answers")
        self.how.setPlaceholderText("Choose…")
        self.how.activated.connect(self._choose_how)
        self.bins = SpinBox("Number of bins", 2, 100_000, 20, "bins")
        self.bins.valueChanged.connect(self._set_bins)
        self.edges = QLineEdit()
        self.edges.setAccessibleName("Edges of the bins")
        self.edges.setPlaceholderText("0, 18, 65, 120")
        self.edges.editingFinished.connect(self._set_edges)
        self.unit = ComboBox("Calendar unit", [(unit.value, unit) for unit in DateUnit])
        self.unit.activated.connect(self._set_unit)
        self.answer = QLineEdit()
        self.answer.setAccessibleName("The value that counts as yes")
        self.answer.setPlaceholderText("the value that counts as yes")
        self.answer.editingFinished.connect(self._set_answer)
        self.source = ElidingComboBox(
            "Where the possible answers come from",
            [
                ("As declared in Data", _DECLARED),
                ("Typed here", _TYPED),
                ("From the data, assumed public", _ASSUMED),
            ],
        )
        self.source.activated.connect(self._choose_source)
        self.bounds = BoundsFields()
        self.bounds.changed.connect(self._set_bounds)
        self.values = LinesEdit("Possible answers, one per line")
        self.values.setPlaceholderText("one possible answer per line")
        self.values.typed.connect(self._set_values)
        self.outside = ElidingComboBox(
            "Other values",
            [("are an error", Outside.STOP), ("go to the nearest, or “(other)”", Outside.CLIP)],
        )
        self.outside.activated.connect(self._set_outside)
        self.absent = ElidingComboBox(
            "Without a value",
            [
                ("do not answer", Absent.LEAVE_OUT),
                ("answer “(missing)”", Absent.VALUE),
                ("are an error", Absent.STOP),
            ],
        )
        self.absent.activated.connect(self._set_absent)
        self._rows: dict[str, tuple[QLabel, QWidget]] = {}
        self._lay_out()
        for widget, key in (
            (self.column, "collect.column"),
            (self.how, "collect.encoding"),
            (self.source, "collect.domain"),
            (self.bounds, "collect.domain"),
            (self.values, "collect.domain"),
            (self.outside, "collect.outside"),
            (self.absent, "collect.outside"),
        ):
            set_explain(widget, key)
        set_explain(self, "collect.encoding")

    def _lay_out(self) -> None:
        grid = form_grid()
        for row, (name, title, field) in enumerate(
            (
                ("column", "Column", self.column),
                ("how", "Answers", self.how),
                ("bins", "How many", self.bins),
                ("edges", "Edges", self.edges),
                ("unit", "By", self.unit),
                ("answer", "Is it", self.answer),
                ("source", "Domain", self.source),
                ("bounds", "From, to", self.bounds),
            )
        ):
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            words = label(title)
            grid.addWidget(words, row, 0)
            grid.addWidget(field, row, 1)
            self._rows[name] = words, field
        self.add(grid)
        self.add(self.values)
        self._icon = IconLabel(status_icon(Status.INFO), tokens.ICON_SMALL, "muted")
        self.domain_words = label(small=True, muted=True, wrap=True)
        self.declare = push_button("Declare in Data…", self.data_requested, quiet=True)
        said = boxes.row((self._icon, Qt.AlignmentFlag.AlignTop), (self.domain_words, 1), spacing="s")
        self.add(said)
        self.add(self.declare)
        self.content.setAlignment(self.declare, Qt.AlignmentFlag.AlignLeft)
        other = QWidget()
        more = form_grid()
        more.setContentsMargins(0, 0, 0, 0)
        for row, (title, field) in enumerate((("Other values", self.outside), ("No value", self.absent))):
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            more.addWidget(label(title), row, 0)
            more.addWidget(field, row, 1)
        other.setLayout(more)
        self.other = Disclosure("Other and missing values", other)
        self.add(self.other)
        self.counts = AnswerCounts()
        self.add(self.counts)

    # Showing

    def refresh(self, domain: Domain | None, problem: WorkbenchError | None) -> None:
        """Show the settings, and the domain they lead to or why there is none."""
        project = self._document.project
        settings = project.collect
        names = project.schema.names
        if [self.column.itemText(row) for row in range(self.column.count())] != list(names):
            self.column.clear()
            for name in names:
                self.column.addItem(name, name)
        known = settings.column in names
        self.column.setCurrentIndex(names.index(settings.column) if known else -1)
        if not known:
            for name, (words, field) in self._rows.items():
                words.setVisible(name == "column")
                field.setVisible(name == "column")
            for widget in (self.values, self.declare, self.other, self.counts):
                widget.hide()
            self._say(Status.INFO, "")
            return
        self._show_encoding(project.schema[settings.column], settings.encoding)
        self._show_domain(domain, problem)

    def _show_encoding(self, spec: ColumnSpec, choice: EncodingChoice) -> None:
        offered = ways(spec)
        try:
            how: EncodingKind | None = chosen_how(choice, spec)
        except WorkbenchError:
            how = None  # the column is of another kind by now
        if [self.how.itemData(row) for row in range(self.how.count())] != offered:
            self.how.clear()
            for one in offered:
                self.how.addItem(one.words, one)
        if how is None:
            self.how.setCurrentIndex(-1)
        else:
            self.how.choose(how)
        shown_before = self.bins.blockSignals(True)
        self.bins.setValue(choice.bins)
        self.bins.blockSignals(shown_before)
        if not self.edges.hasFocus():
            self.edges.setText(", ".join(map(typed, choice.edges)))
        self.unit.choose(choice.unit)
        if not self.answer.hasFocus():
            self.answer.setText(choice.answer)
        bounded, listed = how in _BOUNDED, how is EncodingKind.CATEGORIES
        if choice.assume_public:
            self._source = _ASSUMED
        elif (bounded and choice.bounds is not None) or (listed and choice.domain is not None):
            self._source = _TYPED
        elif self._source == _ASSUMED or self._asked_of != spec.name:
            self._source = _DECLARED
        if self._asked_of != spec.name:
            self._complete(spec.name)
        self._asked_of = spec.name
        self.source.choose(self._source)
        by_hand = self._source == _TYPED
        self.bounds.show_bounds(spec, choice.bounds)
        self.values.show_text("\n".join(choice.domain or ()))
        for name, wanted in (
            ("how", True),
            ("column", True),
            ("bins", how is EncodingKind.BINS),
            ("edges", how is EncodingKind.EDGES),
            ("unit", how is EncodingKind.DATES),
            ("answer", how is EncodingKind.QUESTION),
            ("source", bounded or listed),
            ("bounds", bounded and by_hand),
        ):
            for widget in self._rows[name]:
                widget.setVisible(wanted)
        self.values.setVisible(listed and by_hand)
        self.outside.choose(choice.outside)
        self.absent.choose(choice.absent)
        self.other.show()

    def _show_domain(self, domain: Domain | None, problem: WorkbenchError | None) -> None:
        spec = self._document.project.schema[self._document.project.collect.column]
        dates = spec.kind.temporal and problem is not None and problem.field == "bounds"
        lacking = problem is not None and problem.field in ("domain", "bounds") and self._source != _ASSUMED
        if problem is not None:
            # That something is still to be said is no mistake.
            hint = problem.hint
            if lacking and dates:
                hint = "Take “Typed here” as the domain, and give the first and the last possible date."
            self._say(Status.INFO if lacking else Status.ERROR, f"{problem.message} {hint}".strip())
        elif domain is not None and not domain.declared:
            words = "{domain}. Read from the data: that they are public is only assumed, and not protected."
            self._say(Status.WARNING, words.format(domain=domain.summary))
        elif domain is not None:
            self._say(Status.SUCCESS, f"{domain.summary}. Public.")
        # Data declares bounds of numbers only: those of dates are typed here.
        self.declare.setVisible(lacking and not dates and self._source == _DECLARED)

    def show_problem(self, error: WorkbenchError) -> None:
        """Show why the rows cannot be encoded, and where it can be mended."""
        self.counts.show_problem(error)
        self.other.set_open(True)

    def _say(self, status: Status, text: str) -> None:
        self._icon.set_icon(status_icon(status), status.value)
        self._icon.setVisible(bool(text))
        self.domain_words.setText(text)
        self.domain_words.setVisible(bool(text))
        set_look(self.domain_words, tone=status.value if status in (Status.ERROR, Status.WARNING) else "none")

    def _complete(self, name: str) -> None:
        completer = QCompleter(first_values(self._document.session.data.reading.table, name, _COMPLETED), self.answer)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        show_as_text(completer)
        self.answer.setCompleter(completer)

    # Editing

    def _choose_column(self, _row: int) -> None:
        name = str(self.column.chosen)
        if name == self._document.project.collect.column:
            return
        # What was typed about one column says nothing about another.
        self._source = _DECLARED
        self._document.apply(
            f"Ask for {name}",
            lambda session: session.collection.change(
                column=name, encoding=EncodingChoice(), guess=(), shape=type(session.project.collect.shape).AUTO
            ),
        )

    def _choose_how(self, _row: int) -> None:
        how = EncodingKind(str(self.how.chosen))  # Qt keeps only the text of it
        self._change("Change how answers are given", lambda choice: replace(choice, how=how), reset=True)

    def _set_bins(self, bins: int) -> None:
        self._change("Change the number of bins", lambda choice: replace(choice, bins=bins), merge="bins", reset=True)

    def _set_edges(self) -> None:
        texts = [part for part in self.edges.text().replace(";", ",").split(",") if part.strip()]
        try:
            edges = tuple(float(part) for part in texts)
        except ValueError:
            set_look(self.edges, invalid=True)
            self.edges.setToolTip("Numbers with commas between them: 0, 18, 65, 120")
            return
        set_look(self.edges, invalid=False)
        self.edges.setToolTip("")
        self._change("Change the edges", lambda choice: replace(choice, edges=edges), reset=True)

    def _set_unit(self, _row: int) -> None:
        unit = DateUnit(str(self.unit.chosen))
        self._change("Change the calendar unit", lambda choice: replace(choice, unit=unit), reset=True)

    def _set_answer(self) -> None:
        answer = self.answer.text()
        self._change("Change the question", lambda choice: replace(choice, answer=answer))

    def _choose_source(self, _row: int) -> None:
        project = self._document.project
        if project.collect.column not in project.schema.names:
            return  # none is chosen, or the data that had it is gone
        self._source = str(self.source.chosen)
        spec = project.schema[project.collect.column]
        assumed, by_hand, public = self._source == _ASSUMED, self._source == _TYPED, spec.declared()

        def edit(choice: EncodingChoice) -> EncodingChoice:
            return replace(
                choice,
                assume_public=assumed,
                bounds=public.bounds if by_hand else None,
                domain=public.domain if by_hand and self.how.chosen == EncodingKind.CATEGORIES else None,
                how=choice.how if not by_hand else EncodingKind(str(self.how.chosen)),
            )

        if not self._change("Change the domain", edit, reset=True):
            spec_now = self._document.project.collect.encoding
            self._show_encoding(spec, spec_now)

    def _set_bounds(self, bounds: tuple[float, float]) -> None:
        self._change("Change the public bounds", lambda choice: replace(choice, bounds=bounds, assume_public=False))

    def _set_values(self, text: str) -> None:
        values = tuple(line for line in text.split("\n") if line.strip())[: LARGEST_DOMAIN + 1]
        self._change(
            "Change the possible answers",
            lambda choice: replace(choice, domain=values or None, assume_public=False),
            reset=True,
        )

    def _set_outside(self, _row: int) -> None:
        outside = Outside(str(self.outside.chosen))
        self._change("Change what other values do", lambda c: replace(c, outside=outside), reset=True)

    def _set_absent(self, _row: int) -> None:
        absent = Absent(str(self.absent.chosen))
        self._change("Change what missing values do", lambda c: replace(c, absent=absent), reset=True)

    def _change(
        self, words: str, edit: Callable[[EncodingChoice], EncodingChoice], *, merge: str = "", reset: bool = False
    ) -> bool:
        """Edit the encoding; `reset` forgets guessed shares, which were those of another domain."""
        settings = self._document.project.collect
        wanted = edit(settings.encoding)
        if wanted == settings.encoding:
            return False
        changes: dict[str, object] = {"encoding": wanted}
        if reset and settings.guess:
            changes |= {"guess": (), "shape": type(settings.shape).AUTO}
        return self._document.apply(
            words, lambda session: session.collection.change(**changes), merge=f"collect {merge}" if merge else ""
        )
