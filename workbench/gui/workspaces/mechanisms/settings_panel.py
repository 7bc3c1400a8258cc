"""The settings of a mechanism: its kind, its parameters, and the question asked of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import typed
from workbench.core.settings import declared
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox, LongLine
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.lines_edit import LinesEdit
from workbench.gui.widgets.parameter_fields import LABELS, ParameterFields
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.spec_field import all_valid
from workbench.gui.widgets.steady_label import SteadyLabel
from workbench.gui.workspaces.mechanisms.mechanism_choice import MechanismChoice
from workbench.gui.workspaces.mechanisms.typed_claim import TypedClaim
from workbench.mechanisms.channel_text import read_channel, to_csv
from workbench.project.auditable import find
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import TYPED, Examination, is_claim, shown_parameters
from workbench.session.audit_examples import EXAMPLES, AuditExample
from workbench.session.audit_words import left_out_words, sample_example, sample_meaning
from workbench.session.truthful_words import may_type_truth

_OTHER = "other"
_NEIGHBOURS = "Neighbours"
_PLAIN = ("own", "all", "adjacent")


class SettingsPanel(QScrollArea):
    """Shows and edits the laboratory's part of the project.

    Signals
    -------
    validity_changed()
        A field shows another value than is in force, or no longer does.
    committed()
        Nobody types in a field of a parameter any more: Enter was pressed there, or the field was left.
    """

    validity_changed = Signal()
    committed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._shown_mechanism = ""
        self.parameters: ParameterFields | None = None
        self.typing = False
        """Whether a parameter is being typed, so that what is in force may be half of it."""
        inside = self._inside = QWidget()
        inside.setProperty("bare", "true")
        boxes.column(
            self._purpose(),
            self._mechanism_section(),
            self._question_section(),
            self._together(),
            1,
            margins="l l m l",
            spacing="xl",
            inside=inside,
        )
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside.installEventFilter(self)
        self._reveal = False
        self.verticalScrollBar().rangeChanged.connect(self._range_changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._inside and event.type() == QEvent.Type.LayoutRequest:
            # Nothing may be cut off at the right: there is no scroll bar for it.
            least = self._inside.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
            self.setMinimumWidth(max(least, tokens.EXPLAIN_WIDTH))
        return super().eventFilter(watched, event)

    @property
    def settings(self) -> LaboratorySettings:
        """Settings of the laboratory, as the project has them."""
        return self._document.project.laboratory

    @property
    def valid(self) -> bool:
        """Whether every field shows what is in force."""
        return not self.problem

    @property
    def problem(self) -> str:
        """What is wrong with the first field that shows no value in force, in a sentence that names it; or nothing."""
        return "" if self.parameters is None else self.parameters.problem

    # Building

    def _purpose(self) -> QWidget:
        """What the room is for, in a line, and questions to begin with."""
        words = label("Find a method's true ε, or test a claimed one.", wrap=True)
        self.examples = push_button("Try an example", explain="mechanisms.choose")
        menu = QMenu(self.examples)
        for example in EXAMPLES:
            menu.addAction(example.question, partial(self.ask_example, example))
        self.examples.setMenu(menu)
        self.chain = push_button(
            "Chain…",
            self._open_chain,
            name="Sample, process the output, or repeat",
            tip="Sample, process the output, or repeat the mechanism, below",
            explain="mechanisms.compose",
            quiet=True,
        )
        begin = boxes.row(self.examples, self.chain, 1, spacing="s")
        return boxes.boxed(boxes.column(words, begin, spacing="xs"))

    def _open_chain(self) -> None:
        """Open what is put together, which may lie below the edge, and show all of it."""
        self._reveal = not self.together.is_open
        self.together.set_open(True)
        self.sample.setFocus()
        self.ensureWidgetVisible(self.beside)

    def _range_changed(self, _low: int, _high: int) -> None:
        if self._reveal:  # only now has what was opened its place
            self._reveal = False
            self.ensureWidgetVisible(self.beside)

    def _mechanism_section(self) -> Section:
        section = Section("Mechanism")
        self.mechanism = MechanismChoice()
        self.mechanism.activated.connect(self._choose_mechanism)
        set_explain(self.mechanism, "mechanisms.choose")
        self.summary = label(muted=True, small=True, wrap=True)
        self.load = push_button(
            "Load a channel…",
            self._choose_table,
            icon=icon("open", "link"),
            explain="mechanisms.choose",
            quiet=True,
            align="left",
        )
        self._parameters_place = QVBoxLayout()
        self.truth = SteadyLabel()
        self.truth.hide()
        self.type_truth = push_button(
            "Type this probability", self._type_truth, explain="mechanisms.choose", quiet=True, align="left"
        )
        self.type_truth.hide()
        self._by_itself: LaboratorySettings | None = None
        section.add(self.mechanism)
        section.add(self.summary)
        section.add(self._parameters_place)
        section.add(self.truth)
        section.add(self.type_truth)
        section.add(self.load)
        return section

    def _question_section(self) -> Section:
        section = Section("Question")
        self.relation = ComboBox(
            "Inputs that must look alike",
            [
                ("As defined", "own"),
                ("All inputs", "all"),
                ("One apart", "adjacent"),
                ("Distance, pairs…", _OTHER),
            ],
        )
        self.relation.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.relation.activated.connect(self._choose_relation)
        self.pairs = LongLine()
        self.pairs.setAccessibleName("Distance or pairs")
        self.pairs.setPlaceholderText(declared(LaboratorySettings)["neighbours"].spec.placeholder)
        self.pairs.editingFinished.connect(self._set_neighbours)
        for widget in (self.relation, self.pairs):
            set_explain(widget, "mechanisms.neighbours")
        self.claims = self._form("claim")
        self.claim, self.claimed_delta = self.claims["claim"], self.claims["claimed_delta"]
        self.typed_claim = TypedClaim(self.claim, self.claimed_delta, lambda: self.settings, self)
        self.typed_claim.begun.connect(self._begin_typing)
        self.typed_claim.paused.connect(self._claim)
        self.typed_claim.ended.connect(self._end_typing)
        grid = _grid()
        asked = label(_NEIGHBOURS)
        asked.setBuddy(self.relation)
        grid.addWidget(asked, 0, 0)
        grid.addWidget(self.relation, 0, 1)
        grid.addWidget(self.pairs, 1, 1)
        section.add(self.claims.grid(into=grid))
        return section

    def _together(self) -> Disclosure:
        content = QWidget()
        self.composed = of = self._form("compose")
        # From above as it is done: what is repeated is sampled and processed each time.
        order = self.sample, self.then, self.repeat, self.beside = of["sample"], of["then"], of["repeat"], of["beside"]
        self.sample_means = label(muted=True, small=True, wrap=True)
        grid = _grid()
        for here in order:
            of.grid([name for name, one in of.fields.items() if one is not here], into=grid)
            if here is self.sample:
                grid.addWidget(self.sample_means, grid.rowCount(), 0, 1, 2)
        grid.setContentsMargins(0, 0, 0, 0)
        content.setLayout(grid)
        for before, after in pairwise(order):
            QWidget.setTabOrder(before, after)
        self.together = Disclosure("Chain: sample, process, repeat", content)
        set_explain(self.together, "mechanisms.compose")
        return self.together

    def _form(self, group: str) -> BoundForm:
        form = BoundForm("mechanisms", lambda: self.settings, group, parent=self)
        form.edited.connect(self._edited)
        return form

    # Showing

    def refresh(self) -> None:
        """Show the settings as the project has them."""
        settings = self.settings
        try:
            mechanism = find(settings.mechanism)
        except WorkbenchError:
            return  # made by a plugin that is not here; the verdict says so
        self.mechanism.choose(mechanism.identifier)
        self.summary.setText(mechanism.summary)
        self.load.setVisible(mechanism.identifier == TYPED)
        if self._shown_mechanism != mechanism.identifier:
            self._shown_mechanism = mechanism.identifier
            if self.parameters is not None:
                self.parameters.retire()
            self.parameters = ParameterFields(mechanism.params)
            self.parameters.changed.connect(self.set_parameter)
            self.parameters.validity_changed.connect(self.validity_changed)
            self.typing = False
            for edit in self.parameters.findChildren(QLineEdit):
                edit.textEdited.connect(self._begin_typing)
                edit.editingFinished.connect(self._end_typing)
            for lines in self.parameters.findChildren(LinesEdit):
                lines.edited.connect(self._begin_typing)
                lines.left.connect(self._end_typing)
            set_explain(self.parameters, "mechanisms.parameters")
            self._parameters_place.addWidget(self.parameters)
            QWidget.setTabOrder(self.parameters.follow(self.mechanism), self.load)
        if self.parameters is not None:
            values = shown_parameters(settings)
            self.parameters.show_values(values, keep_mistyped=True)
            for spec in mechanism.params:
                self.parameters.set_shown(spec.name, spec.matters(values))
        plain = settings.neighbours in _PLAIN
        self.relation.choose(settings.neighbours if plain else _OTHER)
        text = "" if plain else settings.neighbours
        if self.pairs.text() != text:
            self.pairs.setText(text)
        # Emptied before: a field that is hidden while somebody types in it says so, and would put its text back.
        self.pairs.setVisible(not plain)
        self.claims.refresh()
        self.composed.refresh()
        if settings.sample or settings.then or settings.repeat > 1 or settings.beside > 1:
            # What changes the answer must not hide behind a closed heading.
            self.together.set_open(True)

    def show_truth(self, words: str, *, keeps: bool = False, by_itself: LaboratorySettings | None = None) -> None:
        """Say beside the chances that are typed what they come to in all; with "" nothing.

        Parameters
        ----------
        keeps
            Whether what was said keeps its room when it goes, so that the fields below do not jump while one types.
        by_itself
            The same with that chance as what is typed, which is offered.
        """
        self._by_itself = by_itself
        policy = self.type_truth.sizePolicy()
        policy.setRetainSizeWhenHidden(keeps and may_type_truth(self.settings))
        self.type_truth.setSizePolicy(policy)
        self.type_truth.setVisible(by_itself is not None)
        if not keeps:
            self.truth.start_over()
        self.truth.setText(words)
        self.truth.setVisible(keeps or bool(words))

    def show_inputs(self, found: Examination) -> None:
        """Show how a sample of this mechanism is asked for, and what that means: of counts, a rate is enough."""
        if found.settings.beside == 1:
            self.sample.setPlaceholderText(sample_example(found))
            self.sample_means.setText(sample_meaning(found))

    def point_at(self, field: str) -> None:
        """Mark the field that an error speaks of; with "" none."""
        set_look(self.pairs, invalid=field == "neighbours")
        self.claims.mark(field)
        self.composed.mark(field)
        if field in self.composed.fields:
            self.together.set_open(True)  # a field that is wrong must not hide behind a closed heading
        if self.parameters is not None:
            for name, widget in self.parameters.fields.items():
                if isinstance(widget, QLineEdit):
                    set_look(widget, invalid=name == field or not all_valid([widget]))

    def label_of(self, field: str) -> str:
        """What stands beside the field that an error speaks of; "" where there is none."""
        for form in (self.claims, self.composed):
            if field in form.fields:
                return form.row(field)[1]
        params = find(self.settings.mechanism).params if self.parameters is not None else ()
        named = {spec.name: spec.label or spec.title for spec in params} | {"neighbours": _NEIGHBOURS}
        return named.get(field, "")

    # Editing

    def ask_example(self, example: AuditExample) -> None:
        """Ask a question to begin with, in place of the one that is set."""
        before = self.settings
        self._put("Try an example", example.asked_in(before))
        self._say_left_out(before)

    def _edited(self, name: str, value: Any, words: str, merge: str) -> None:
        if name in self.claims.fields:
            merge = self.typed_claim.key  # what was asked of it while it was typed is no step of its own
        self._put(words, replace(self.settings, **{name: value}), merge)

    def _claim(self, typed: LaboratorySettings, merge: str) -> None:
        """Ask a claim that is being typed; half of one is asked when the person says that it is finished."""
        if is_claim(typed):
            self._put("Claim an ε", typed, merge)
        self.validity_changed.emit()

    def _type_truth(self) -> None:
        if self._by_itself is not None:
            self._put("Type the probability of the truth", self._by_itself)
            if self.parameters is not None and (field := self.parameters.fields.get("p")) is not None:
                field.setFocus()

    def _begin_typing(self) -> None:
        self.typing = True

    def _end_typing(self) -> None:
        self.typing = False
        self.committed.emit()

    def _put(self, text: str, settings: LaboratorySettings, merge: str = "") -> None:
        if settings != self.settings:
            self._document.apply(text, lambda session: session.audit.ask(settings), merge=merge)

    def _choose_mechanism(self, _row: int) -> None:
        settings, chosen = self.settings, self.mechanism.chosen
        if chosen is None or str(chosen) == settings.mechanism:  # the heading of a group is none
            return
        # What names inputs or outputs of the one mechanism says nothing about those of the other; a claim is about
        # both. The ε that the other is made for is no claim until somebody makes it: it would only be confirmed.
        wanted = replace(
            settings,
            mechanism=str(chosen),
            neighbours=settings.neighbours if settings.neighbours in _PLAIN else _PLAIN[0],
            sample="" if "=" in settings.sample else settings.sample,
            then="",
            repeat=1,  # out of sight, it would change the ε of a mechanism that nobody repeats
            beside=1,
            prior=LaboratorySettings().prior,
        )
        self._put("Choose a mechanism", wanted)
        said = ""
        if claim := wanted.claim.strip():
            delta = f", with δ {wanted.claimed_delta.strip()}" if wanted.claimed_delta.strip() else ""
            said = f"Your claim stays: ε at most {claim}{delta} is asked of this mechanism, too."
        self._say_left_out(settings, said)

    def _say_left_out(self, before: LaboratorySettings, also: str = "") -> None:
        """Say what was taken out of the question with the last step, which a press takes back; or only `also`."""
        if words := left_out_words(before, self.settings):
            self._document.done_undoably.emit(f"{words} {also}".rstrip())
        elif also:
            self._document.noted.emit("info", also)

    def set_parameter(self, name: str, value: object) -> None:
        """Give a parameter of the chosen mechanism another value."""
        if isinstance(value, bool):
            text = "yes" if value else "no"
        else:
            text = typed(value) if isinstance(value, int | float) else str(value)
        self._put(f"Change {name}", self.settings.with_parameter(name, text), f"laboratory {name}")

    def _choose_relation(self, _row: int) -> None:
        chosen = str(self.relation.chosen)
        if chosen == _OTHER:
            self.pairs.show()
            self.pairs.setFocus()
        else:
            self._put("Choose neighbours", replace(self.settings, neighbours=chosen))

    def _set_neighbours(self) -> None:
        if text := self.pairs.text().strip():
            self._put("Choose neighbours", replace(self.settings, neighbours=text))

    # A channel from a file

    def _choose_table(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(self, "Load a channel", "", "Tables (*.csv *.tsv *.txt);;All files (*)")
        if chosen:
            self.load_table(Path(chosen))

    def load_table(self, path: Path) -> None:
        """Take a channel from a file."""
        self._document.reads([path])
        self._document.runner.start(
            f"Reading {path.name}",
            lambda _progress: to_csv(read_channel(path)),
            on_done=self._take_table,
            key="read channel",
            latest_wins=True,
        )

    def _take_table(self, text: str) -> None:
        settings = replace(self.settings, mechanism=TYPED).with_parameter("table", text)
        self._put("Load a channel", settings)


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(tokens.SPACE_S)
    grid.setVerticalSpacing(tokens.SPACE_XS)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, LABELS)
    return grid
