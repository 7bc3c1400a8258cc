"""The form of a question: its kind, its parameters, the filter and the noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.filter_words import FilterError
from workbench.core.params import ParamSpec
from workbench.core.schema import Schema, UnitAnswer
from workbench.core.settings import declared
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.filter_edit import FilterEdit
from workbench.gui.widgets.fraction_edit import FractionEdit
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.parameter_fields import ParameterFields
from workbench.gui.widgets.plugin_trust import PluginTrust
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.spec_field import LINE
from workbench.gui.workspaces.query.bounds_first import BoundsFirst
from workbench.gui.workspaces.query.bounds_help import BoundsHelp
from workbench.gui.workspaces.query.declared_hints import show_declared
from workbench.gui.workspaces.query.kind_choice import KindChoice, ordered, purpose
from workbench.gui.workspaces.query.noise_section import NoiseSection
from workbench.gui.workspaces.query.others_note import OthersNote
from workbench.query import relevance
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.session.bought_bounds import BoughtBounds, bounds_bought
from workbench.session.query_answers import PaidAnswer
from workbench.session.query_plans import Foreseen
from workbench.session.query_words import matching_words

_SETTLE_MS = 250


class QuestionForm(QScrollArea):
    """Shows and edits the draft, but for its ε.

    Signals
    -------
    edited(object, str, str)
        Another draft, what undo calls the step, and the key under which steps merge.
    """

    edited = Signal(object, str, str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._built: tuple[object, ...] = ()
        self._schema: Schema | None = None
        self.main: ParameterFields | None = None
        self.more: ParameterFields | None = None
        self.where: FilterEdit | None = None
        self._typing: dict[str, str] = {}
        self._bought: BoughtBounds | None = None
        self._asks: str | None = None
        self._reveal = False
        self._settle = Later(self, self.flush, _SETTLE_MS)
        self._noises = NoiseSection(lambda: self.draft)
        self._noises.edited.connect(self.edited)
        self.noise, self.tool, self.edges = self._noises.noise, self._noises.tool, self._noises.edges
        inside = QWidget()
        inside.setProperty("bare", "true")
        boxes.column(
            self._question_section(),
            self._filter_section(),
            self._noises,
            1,
            margins="l l m l",
            spacing="l",
            inside=inside,
        )
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().rangeChanged.connect(self._range_changed)

    @property
    def draft(self) -> QueryDraft:
        return self._document.project.queries.draft

    # Building

    def _question_section(self) -> Section:
        section = Section("Question")
        self.kind = KindChoice("Question", ordered(QUERIES))
        self.kind.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.kind.activated.connect(self._choose_kind)
        set_explain(self.kind, "query.kind")
        self.summary = label(muted=True, small=True, wrap=True)
        self._main_place = QVBoxLayout()
        self._more_inside = QWidget()
        self._more_place = QVBoxLayout(self._more_inside)
        self._more_place.setContentsMargins(0, 0, 0, 0)
        self.bounds_help = BoundsHelp()
        self.why, self.refusal, self.pay = self.bounds_help.why, self.bounds_help.refusal, self.bounds_help.pay
        self.bought, self.keep = self.bounds_help.bought, self.bounds_help.keep
        self.why.clicked.connect(self._explain_bounds)
        self.pay.clicked.connect(self._pay_for_bounds)
        self.bought.clicked.connect(self._use_bought)
        for taken in (self.keep.wanted, self.keep.values_wanted):
            taken.connect(self._stay)
        self.vouched = label(muted=True, small=True, wrap=True)
        self.below = BoundsFirst(self._document)
        self.below.edited.connect(self.edited)
        self.others = OthersNote()
        self.disclosure = Disclosure("More settings", self._more_inside)
        self.trust = PluginTrust()
        self.trust.changed.connect(self._document.tell_trust)
        self.trust.failed.connect(self._document.failed)
        above = (self.kind, self.summary, self.trust, self._main_place, self.below)
        for part in (*above, self.others, self.bounds_help, self.vouched, self.disclosure):
            section.add(part)
        return section

    def _filter_section(self) -> Section:
        section = Section("Only rows where")
        self._where_place = QVBoxLayout()
        section.add(self._where_place)
        return section

    # Showing

    def refresh(self) -> None:
        """Show the draft as the project has it."""
        draft, schema = self.draft, self._document.project.schema
        if draft.kind not in QUERIES:
            return  # made by a plugin that is not here; the price says so
        kind = QUERIES[draft.kind]
        self.kind.choose(draft.kind)
        self.kind.setToolTip(kind.summary)
        matching = matching_words(schema, self._document.project.preparation)
        self.kind.say_matching(matching)
        self.summary.setText(f"{purpose(kind, matching)}.")
        self.trust.show_origin(QUERIES.origin(draft.kind))
        if self._schema is not schema:
            self._schema = schema
            self._make_filter(schema)
        assert self.where is not None
        if "where" not in self._typing and self.where.toPlainText() != draft.where:
            self.where.setPlainText(draft.where)
            self._settle.stop()
        self._show_fields(draft, schema)
        self._noises.refresh()
        self.below.refresh()
        self._ask_lacking(draft, schema)

    def _ask_lacking(self, draft: QueryDraft, schema: Schema) -> None:
        """Put the cursor where bounds or values of a column are typed that was chosen in the list, if it lacks them."""
        asks, self._asks = self._asks, None
        if asks is None or (chosen := self.field(f"{asks}column")) is None or not chosen.hasFocus():
            return
        for name, found in (
            ("keys", relevance.columns_without_values(draft, schema)),
            ("lower", relevance.columns_without_bounds(draft, schema)),
        ):
            field = self.field(f"{asks}{name}")
            if field is not None and asks in (prefix for prefix, _ in found):
                field.setFocus()

    def _make_filter(self, schema: Schema) -> None:
        focused = self.where is not None and self.where.hasFocus()
        if self.where is not None:
            self._where_place.removeWidget(self.where)
            self.where.hide()
            self.where.deleteLater()
            self._typing.pop("where", None)

        def declared(column: str) -> Sequence[str]:
            # What occurs in the data must not find its way into a public filter.
            return schema[column].declared().domain or ()

        self.where = FilterEdit(schema, declared)
        self.where.textChanged.connect(self._where_typed)
        set_explain(self.where, "query.where")
        self._where_place.addWidget(self.where)
        self._order()
        if focused:
            self.where.setFocus()

    def _order(self) -> None:
        """Let Tab follow the lines of the form, of which some were made later than others."""
        before: QWidget = self.kind
        for part in (
            self.main,
            self.below.number,
            self.below.first,
            self.others.spaces,
            self.bought,
            self.why,
            self.pay,
            self.disclosure.button,
            self.more,
            self.where,
            self.noise,
        ):
            if isinstance(part, ParameterFields):
                before = part.follow(before)
            elif part is not None:
                QWidget.setTabOrder(before, part)
                before = part

    def _show_fields(self, draft: QueryDraft, schema: Schema) -> None:
        wanted = relevance.fields(draft, schema)
        columns = schema.names
        built = (draft.kind, wanted, columns)
        if built != self._built:
            focused = self._focused_name()
            if self._built and self._built[0] != draft.kind:
                # What is half typed belongs to a question that is no longer there.
                self._typing = {name: text for name, text in self._typing.items() if name == "where"}
            self._built = built
            self.main = self._replaced(self.main, self._main_place, wanted.main, columns)
            self.more = self._replaced(self.more, self._more_place, wanted.more, columns)
            self._order()
            field = self.field(focused)
            if field is not None:
                field.setFocus()
        self.disclosure.setVisible(bool(wanted.more))
        values = {name: value for name, value in relevance.shown_values(draft).items() if name not in self._typing}
        for fields in (self.main, self.more):
            if fields is not None:
                fields.show_values({name: values.get(name, self._typing.get(name)) for name in fields.fields})
        if any(name in draft.values for name in (spec.name for spec in wanted.more)):
            self.disclosure.set_open(True)  # what changes the answer must not hide behind a closed heading
        loaded = self._document.session.data.loaded
        self.others.show_question(draft, schema, None if loaded is None else loaded.reading)
        self._show_declared(draft, schema)

    def _replaced(
        self, old: ParameterFields | None, place: QVBoxLayout, specs: tuple[ParamSpec, ...], columns: tuple[str, ...]
    ) -> ParameterFields:
        if old is not None:
            old.retire()
        made = ParameterFields(specs, columns, lists=relevance.lists_among(specs))
        set_explain(made, "query.parameters")
        made.changed.connect(self._set_value)
        for name, field in made.fields.items():
            # The form is narrow, and long names of columns or texts must not widen it.
            field.setMinimumWidth(0)
            if isinstance(field, ComboBox):
                field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            if isinstance(field, NumberField):
                field.edit.setMinimumWidth(0)
            if isinstance(field, LINE) and not isinstance(field, FractionEdit):
                field.textEdited.connect(partial(self._typed, name))
            if relevance.split(name)[1] in ("lower", "upper", "keys", "edges"):
                set_explain(field, "query.bounds")
        place.addWidget(made)
        return made

    def _show_declared(self, draft: QueryDraft, schema: Schema) -> None:
        bounded, kinds = show_declared(self.field, draft, schema)
        self.vouched.setText(" ".join(kinds))
        self.vouched.setVisible(bool(kinds))
        self.bounds_help.show_project(self._document.project, bounded=bounded)

    def show_plan(self, found: Foreseen) -> None:
        """Say who is protected, what must be known about the noise, and what finding bounds first would do."""
        unsaid = self._document.project.schema.unit.protected is UnitAnswer.UNSAID
        self._noises.show_plan(found.plan, unsaid=unsaid, number_known=found.number_known)
        self.below.show_plan(found.first)

    @property
    def _fields(self) -> dict[str, QWidget]:
        return {
            name: field for part in (self.main, self.more) if part is not None for name, field in part.fields.items()
        }

    def field(self, name: str) -> QWidget | None:
        """The field of a parameter, if it is shown."""
        return self._fields.get(name)

    def _focused_name(self) -> str:
        return next((name for name, field in self._fields.items() if field.hasFocus()), "")

    def lacks(self, error: WorkbenchError) -> bool:
        """Whether an error speaks of a field that nobody has filled in yet, which is nothing that was done wrong."""
        field = self.field(error.field or "")
        return isinstance(field, LINE) and not field.text().strip()

    def point_at(self, error: WorkbenchError | None) -> None:
        """Mark the field that an error speaks of, unless it is still empty; with None no field."""
        name = error.field or "" if error is not None else ""
        wrong = {name, *relevance.missing_with(self.draft, name)}
        lacking = error is not None and self.lacks(error)
        for own, field in self._fields.items():
            if isinstance(field, LINE):
                set_look(field, invalid=own in wrong and not lacking)
                field.setAccessibleDescription(error.message if error is not None and own in wrong else "")
        if self.more is not None and name in self.more.fields:
            self.disclosure.set_open(True)
        filters = error is not None and name == "where"
        if self.where is not None:
            self.where.mark(error.position if isinstance(error, FilterError) and filters else None)
            # The line of the price says it, whose room is kept: here it would push what is below.
            words = str(error) if error is not None and filters else ""
            self.where.setToolTip(words)
            self.where.setAccessibleDescription(words)

    # Editing

    def flush(self) -> None:
        """Take in what is being typed."""
        self._settle.stop()
        typing, self._typing = self._typing, {}
        for name, text in typing.items():
            if name == "where":
                if text != self.draft.where:
                    self.edited.emit(
                        replace(self.draft, where=text), declared(QueryDraft)["where"].spec.undo, "query where"
                    )
            else:
                self._set_value(name, text.strip())
        for lines in self.findChildren(LinesEdit):
            lines.tell()

    def _typed(self, name: str, text: str) -> None:
        self._typing[name] = text
        self._settle.start()

    def _where_typed(self) -> None:
        if self.where is not None and (self.where.toPlainText() != self.draft.where or "where" in self._typing):
            self._typed("where", self.where.toPlainText())

    def _set_value(self, name: str, value: object) -> None:
        self._typing.pop(name, None)
        if relevance.split(name)[1] == "column" and self._typing:
            self.flush()  # it was typed of the column before
        if name not in {spec.name for spec in QUERIES[self.draft.kind].parameters}:
            return  # the field is still one of the question before
        schema = self._document.project.schema
        asked = relevance.of_numbers(relevance.with_value(self.draft, name, value), schema)
        draft = relevance.counting_others(asked, self.draft, schema)
        prefix, base = relevance.split(name)
        field = self.field(name)
        self._asks = prefix if base == "column" and isinstance(field, ComboBox) and field.from_list else None
        if isinstance(field, ComboBox):
            field.from_list = False  # the next choice may come by a key
        if draft != self.draft:
            self.edited.emit(draft, f"Change {name}", f"query {name}")

    def _choose_kind(self, _row: int) -> None:
        identifier = str(self.kind.chosen)
        if identifier != self.draft.kind:
            self.flush()
            schema = self._document.project.schema
            draft = relevance.counting_others(relevance.with_kind(self.draft, identifier, schema), self.draft, schema)
            self.edited.emit(draft, declared(QueryDraft)["kind"].spec.undo, "")

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go to the next field, and scroll no further than it takes to see it, to where no line is cut."""
        bar = self.verticalScrollBar()
        before = bar.value()
        moved = super().focusNextPrevChild(forward)
        inside, field = self.widget(), self.focusWidget()
        if not moved or inside is None or field is None or not inside.isAncestorOf(field):
            return moved
        top = field.mapTo(inside, QPoint()).y()
        least = top + field.height() + tokens.SPACE_XS - self.viewport().height()
        if least <= before <= top:
            bar.setValue(before)
        elif least > before:
            parts = [self.kind, self.summary, *self._fields.values()]
            tops = [part.mapTo(inside, QPoint()).y() - tokens.SPACE_XS for part in parts if part.isVisible()]
            bar.setValue(min((one for one in (0, *tops) if least <= one <= top), default=least))
        return moved

    def open_list(self, button: QWidget) -> None:
        """Open the list of questions for a button elsewhere, where all of it can be reached."""
        self.verticalScrollBar().setValue(0)  # it opens beside its field, and would hang above the window with that
        self.kind.setFocus()
        self.kind.open_from(button)

    def _explain_bounds(self) -> None:
        self.refusal.setVisible(self.refusal.isHidden())
        # It gets its place only later; then it is scrolled to.
        self._reveal = not self.refusal.isHidden()

    def _range_changed(self, _low: int, _high: int) -> None:
        if self._reveal:
            self._reveal = False
            self.ensureWidgetVisible(self.pay)

    def show_bought(self, answers: Sequence[PaidAnswer]) -> None:
        """Offer bounds that were bought, unless the question has them already.

        Parameters
        ----------
        answers
            To questions about this very data, oldest first.
        """
        project, known = self._document.project, self.draft.kind in QUERIES
        found = bounds_bought(self.draft, project.schema, answers, project.preparation) if known else None
        self._bought = None if found is None or found.is_used_in(self.draft) else found
        self.bought.setVisible(self._bought is not None)
        if self._bought is not None:
            self.bought.setText(f"Use {self._bought.lower} to {self._bought.upper}, bought before")

    def _stay(self) -> None:
        """A button that goes hands the focus on, and the form would scroll to where that is."""
        names = ("lower", *(f"{prefix}keys" for prefix in relevance.PREFIXES))
        if (field := next(filter(None, map(self.field, names)), None)) is not None:
            field.setFocus()

    def _use_bought(self) -> None:
        if self._bought is not None:
            self._stay()
            self.edited.emit(self._bought.used_in(self.draft), f"Use private bounds of {self._bought.column}", "")

    def _pay_for_bounds(self) -> None:
        draft = relevance.with_kind(self.draft, "bounds", self._document.project.schema)
        self.edited.emit(draft, "Ask for private bounds", "")
