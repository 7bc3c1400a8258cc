"""The question of a collection: the column, how its values become answers, and which answers there are."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec
from workbench.core.settings import declared
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.alternatives import Alternatives
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.encoding_section import ASSUMED, TYPED, EncodingSection
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.sentence_field import SentenceField
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.collect.answer_counts import AnswerCounts
from workbench.gui.workspaces.collect.settings_form import settings_form
from workbench.ldp.encoding import Domain, EncodingChoice, EncodingKind, chosen_how
from workbench.ldp.fitting import ways
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.typed_answers import PLANNED

_BOUNDS, _VALUES = "Bounds", "Values"
"""Titles of what is public, by whether numbers or a list of values are asked for."""
_BOUNDED = (EncodingKind.BINS, EncodingKind.WHOLE, EncodingKind.DATES)


_WITHOUT = "None: plan a survey"


class CollectQuestionSection(EncodingSection):
    """Shows and edits column and encoding, and counts how many people would give each answer."""

    fixes_how = True
    types_undeclared = True
    _unanswered = False
    """Whether a survey is planned of which no table knows."""

    _answers_next = False
    """Whether the answers are to be typed as soon as they can be."""

    only_means = False
    """Whether nothing but means is asked for: they need bounds, and no bins."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, "collect", declared(CollectSettings)["column"].spec, parent)
        self.asked_for = Alternatives("Asked for", (("Shares", False), ("Mean", True)))
        self.asked_for.chosen.connect(self._ask_for)
        asked = declared(CollectSettings)["question"].spec.title
        self.wording = settings_form(self, document, "wording", fields={"question": SentenceField(asked)})
        self.lay_out(
            (
                self.column_row(),
                *map(self.wording.row, self.wording.fields),
                ("asked_for", "Asked for", self.asked_for),
                *map(self.encoding.row, self.encoding.fields),
                ("source", _BOUNDS, self.source),
                self.bounds_row(),
            )
        )
        others = self.others.grid(squeezed=True)
        others.setContentsMargins(0, 0, 0, 0)
        self.other = Disclosure("Other and missing values", boxes.boxed(others))
        self.counts = AnswerCounts()
        self.add(self.other)
        self.add(self.counts)
        for widget, key in (
            (self.column, "collect.column"),
            (self.asked_for, "collect.asked_for"),
            (self.source, "collect.domain"),
            (self.bounds, "collect.domain"),
            (self.values, "collect.domain"),
        ):
            set_explain(widget, key)
        set_explain(self, "collect.encoding")

        self._show_nothing()

    # Showing

    def _show_nothing(self) -> None:
        """Show nothing but the column, as long as none is chosen."""
        self.show_rows({name: name == "column" for name in self._rows})
        self.counts.keep_room(False)
        for widget in (self.values, self.declare, self.other, self.counts):
            widget.hide()

    def refresh(self, domain: Domain | None, problem: WorkbenchError | None) -> None:
        """Show the settings, and the domain they lead to or why there is none."""
        project, self._unanswered = self.document.project, self.document.session.collection.without_table
        beside = _WITHOUT if project.schema.names else ""
        if not self.show_columns(project.schema.names, project.collect.column, beside) and not self._unanswered:
            self._show_nothing()
            self.say(Status.INFO, "")
            return
        if self._unanswered and beside:
            self.column.setCurrentIndex(self.column.count() - 1)
        desk = self.document.session.collection
        self.show_rows({"column": bool(beside) or not self._unanswered, "asked_for": desk.can_ask_mean})
        self.asked_for.show_chosen(desk.asks_mean)
        self.wording.refresh()
        # A page to hand out is there where answers are counted.
        self.show_rows(dict.fromkeys(self.wording.fields, not desk.asks_mean))
        self.show_again()
        # Of nobody's answers none lies outside, and none is missing.
        self.other.setVisible(not self._unanswered)
        # Before a look nothing of the rows shows here, so that there is nothing to keep room for.
        self.counts.keep_room(self.document.session.collection.looked)
        self._show_domain(domain, problem)
        if self._answers_next and self._unanswered:
            self.focus_answers()
        self._answers_next = False

    def show_again(self) -> None:
        """Show the encoding in force."""
        spec, choice = self.document.session.collection.spec(), self.document.project.collect.encoding
        if spec is None:
            return
        try:
            how: EncodingKind | None = chosen_how(choice, spec)
        except WorkbenchError:
            how = None  # the column is of another kind by now
        self.show_encoding(
            spec,
            choice,
            how,
            PLANNED if self._unanswered else ways(spec),
            bounded=self.only_means or how in _BOUNDED,
            listed=not self.only_means and how is EncodingKind.CATEGORIES,
            about=spec.name,
        )
        if self._unanswered:
            self.show_rows({"source": False})
        listed = not self.only_means and how is EncodingKind.CATEGORIES
        self._rows["source"][0].setText(_VALUES if listed else _BOUNDS)
        if self.only_means:
            self.show_rows(dict.fromkeys(self.encoding.fields, False))

    def _show_domain(self, domain: Domain | None, problem: WorkbenchError | None) -> None:
        spec = self.document.session.collection.spec()
        dates = spec is not None and spec.kind.temporal and problem is not None and problem.field == "bounds"
        lacking = problem is not None and problem.field in ("domain", "bounds") and self.comes_from != ASSUMED
        if problem is not None:
            # That something is still to be said is no mistake.
            words = str(problem)
            if lacking and self.comes_from == TYPED:
                first = "the first and the last date" if dates else "the smallest and the largest value"
                every = (
                    "every value, one a line or with commas"
                    if problem.field == "domain"
                    else f"{first} that are possible"
                )
                words = f"Type {every}. They must be public."
            self.say(Status.INFO if lacking else Status.ERROR, words)
        elif domain is not None and not domain.declared:
            words = f"{domain.summary}. Read from the data: that they are public is only assumed, and not protected."
            self.say(Status.WARNING, words)
        elif domain is not None and self.document.session.collection.carried:
            words = f"{domain.summary}. Typed before this column was chosen: they must be its answers."
            self.say(Status.WARNING, words)
        elif domain is not None and (room := self.document.session.collection.typed_in):
            # What is counted in Query may be a part of what is possible, so that it is said what it must be here.
            words = f"{domain.summary}. As typed in {room}: they must be all." if room == "Query" else ""
            self.say(Status.SUCCESS, words or f"{domain.summary}. Public, as typed in {room}.")
        elif domain is not None:
            self.say(Status.SUCCESS, f"{domain.summary}. Public.")
        else:
            self.say(Status.SUCCESS, "")  # of a mean there are no answers to list
        # Data declares bounds of numbers only: those of dates are typed here.
        self.offer_data(lacking and not dates and not self._unanswered)

    def show_problem(self, error: WorkbenchError) -> None:
        """Show why the rows cannot be encoded, and where it can be mended."""
        self.counts.show_problem(error)
        self.other.set_open(True)

    def focus_answers(self) -> None:
        """Put the keyboard focus where the possible answers are typed, once that is shown."""
        self._answers_next = self.values.isHidden() and self.bounds.isHidden()
        shown = next((one for one in (self.values, self.bounds) if not one.isHidden()), self.how)
        shown.setFocus()

    # Editing

    def _choose_column(self, row: int) -> None:
        if self.column.itemText(row) == _WITHOUT and self.column.itemData(row) is None:
            self.plan_survey()
        else:
            super()._choose_column(row)

    def plan_survey(self, _which: int = 0) -> None:
        """Plan a survey without a column of the table."""
        if not self._unanswered:
            # What is typed next are the answers: among columns a letter would choose one.
            self._answers_next = True
            self.document.apply("Plan without a table", lambda session: session.collection.ask_nobody())

    def _ask_for(self, mean: bool) -> None:
        words = "Ask for a mean" if mean else "Ask for shares"
        if not self.document.apply(words, lambda session: session.collection.ask_for(mean=mean)):
            self.asked_for.show_chosen(self.document.session.collection.asks_mean)

    def asked_column(self) -> str:
        """The name of the column that is asked about; "" for none."""
        return self.document.project.collect.column

    def choose_column(self, spec: ColumnSpec) -> None:
        """The person asks about another column."""
        name = spec.name
        self.document.apply(f"Ask for {name}", lambda session: session.collection.ask_about(name))

    def change_encoding(
        self, words: str, edit: Callable[[EncodingChoice], EncodingChoice], *, merge: str = "", reset: bool = False
    ) -> None:
        """Change the encoding; `reset` forgets guessed shares, which were those of another domain."""
        settings = self.document.project.collect
        wanted = edit(settings.encoding)
        if wanted == settings.encoding:
            return
        changes: dict[str, object] = {"encoding": wanted}
        if reset and settings.guess:
            changes |= {"guess": (), "shape": type(settings.shape).AUTO}
        self.document.apply(words, lambda session: session.collection.change(**changes), merge=merge)
