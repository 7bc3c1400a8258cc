"""The first step, what is promised: a sentence and ε in sight, everything else under Details."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.anonymise.promise import safe_to_type
from workbench.anonymise.readers import Readers
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.sample_guarantee import MAX_K, Accounting, Guarantee
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.number_text import typed
from workbench.core.promised_ranges import MAX_EPSILON
from workbench.core.settings import declared
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import probability_field
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.anonymise.charged_line import ChargedLine
from workbench.gui.workspaces.anonymise.reader_choice import ReaderChoice
from workbench.gui.workspaces.anonymise.share_slider import ShareSlider
from workbench.gui.workspaces.anonymise.solved_fields import (
    SolvedFields,
    epsilon_field,
    epsilon_slider,
    fields_grid,
)
from workbench.project.model import GuaranteeSettings, Unknown
from workbench.project.trim_settings import Survives, TrimSettings, TrimUnknown
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.knowledge import own_usual_delta
from workbench.session.release.trim_words import chance_of, gives_up

_SYMBOLS = {"epsilon": "ε", "delta": "δ", "beta": "β", "k": "k", "survival": "the group that survives"}
_OF_TRIMMING: tuple[str, ...] = ("survival", "epsilon", "delta")
_OF_SAMPLING: tuple[str, ...] = ("k", "epsilon", "delta", "beta")
"""Unknowns that can be computed, beginning with the usual."""
_COUNTED = ("epsilon", "delta")
"""Those that count twice where a number is known."""
_ALSO = {"group": "survival", "always": "survival", "rows": "survival"}
_MECHANISMS = {
    ReleaseMechanism.TRIM: ("Trim groups", "Recommended: every group gives up a few rows at random."),
    ReleaseMechanism.SAMPLE: ("Sample rows", "As published: rows are sampled, and small groups of the sample dropped."),
}
_LARGEST_GROUP = 1_000_000
_EXAMPLE = 20


class PromiseStep(SolvedFields):
    """Shows and edits what is promised; what cannot be solved is said at the field that is to blame.

    Signals
    -------
    unit_requested()
        The person wants to say how many rows one person may have.
    mended()
        What was offered was taken, so that its button goes and the keyboard has to be elsewhere.
    """

    unit_requested = Signal()
    mended = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        spec = declared(TrimSettings)["group"].spec
        fields = {
            "epsilon": epsilon_field(),
            "delta": probability_field("δ"),
            "beta": probability_field("β", step=0.05),
            "k": NumberField("k", minimum=1, maximum=MAX_K, integer=True, unit="rows", compact=True),
            "survival": NumberField(
                spec.title, minimum=spec.minimum, maximum=spec.maximum, integer=True, unit=spec.unit, compact=True
            ),
        }
        super().__init__(fields, ("accounting", "floor"), _ALSO, parent)
        self._document = document
        self._promised: Guarantee | TrimGuarantee | None = None
        self._times = 1
        """How often ε and δ in force count, so that their fields show what they come to: nobody has to double them."""
        self._mechanism: ReleaseMechanism | None = None
        self.sentence = label(wrap=True)
        self.readers = ReaderChoice()
        self._charged = ChargedLine(self._keep_whole)
        self.twice, self.unfit, self.keep = self._charged.twice, self._charged.unfit, self._charged.keep
        self.epsilon_slider = epsilon_slider(self.fields["epsilon"])
        self.epsilon_name = label("ε", strong=True)
        self.mechanism = ElidingComboBox("Mechanism", [(words, one) for one, (words, _) in _MECHANISMS.items()])
        self.note = label(muted=True, small=True, wrap=True)
        self.unknown = ElidingComboBox("Which number is computed")
        self.survives = ElidingComboBox("How often that group survives", [(one.words, one) for one in Survives])
        self.form = BoundForm("anonymise", lambda: self._trim, "guarantee", parent=self)
        self.large_delta = ElidedLabel(small=True)
        set_look(self.large_delta, tone="warning")
        self.smaller_delta = push_button(
            act=self._use_usual_delta, name="Use a δ that is small enough", inline=True, explain="anonymise.delta"
        )
        self.rows_per_person = label()
        self.change_unit = push_button(
            "Change…", self.unit_requested, name="Change how many rows one person may have", quiet=True
        )
        self.example = SpinBox("Rows of a group to ask about", 1, _LARGEST_GROUP, _EXAMPLE, "rows")
        self.chance = label(wrap=True)
        self.rule = ElidingComboBox(
            "How β is chosen",
            [
                ("a number I give", ""),
                ("1 − e⁻ᵋ, the classical choice", "max"),
                ("the best for rare groups", "best"),
            ],
        )
        self.share = ShareSlider()
        self.accounting = ElidingComboBox(
            "Accounting", [("exact", Accounting.EXACT), ("classical theorem", Accounting.CLASSICAL)]
        )
        self.facts = label(muted=True, small=True, wrap=True)
        self._wheel = CalmWheel(self)
        self._wheel.guard(
            self.mechanism,
            self.unknown,
            self.survives,
            self.rule,
            self.accounting,
            self.epsilon_slider.slider,
            self.share.slider,
        )
        self._lay_out()
        self.mechanism.activated.connect(self._choose_mechanism)
        self.unknown.activated.connect(self._choose_unknown)
        self.survives.activated.connect(self._choose_survives)
        self.readers.chosen.connect(partial(self._give, "epsilon"))
        self.form.edited.connect(self._edited)
        self.example.valueChanged.connect(self._show_chance)
        self.rule.activated.connect(self._choose_rule)
        self.share.moved.connect(self._share_moved)
        self.accounting.activated.connect(self._choose_accounting)

    # Building

    def _lay_out(self) -> None:
        grid = self._grid = fields_grid()
        self._rows: dict[ReleaseMechanism, list[QWidget]] = {one: [] for one in ReleaseMechanism}
        trim, sample = ReleaseMechanism.TRIM, ReleaseMechanism.SAMPLE
        self._row("Mechanism", self.mechanism, "mechanism")
        grid.addWidget(self.note, grid.rowCount(), 0, 1, 2)
        self._row("Computed", self.unknown, "solve_for")
        self._row("δ  beyond ε", self.fields["delta"], "delta", error="delta")
        self._row("Survives from", self.fields["survival"], "trim_group", trim, "survival")
        self._row("", self.survives, "survives", trim)
        for name, words, field in map(self.form.row, self.form.fields):
            self._row(words, field, name, trim, name if name in self.errors else "")
        self._row("β  share sampled", self.fields["beta"], "beta", sample, "beta")
        self._row("β is", self.rule, "beta", sample)
        grid.addWidget(self.share, grid.rowCount(), 0, 1, 2)
        self._rows[sample].append(self.share)
        set_explain(self.share, "anonymise.tradeoff")
        self._row("k  smallest group", self.fields["k"], "k", sample, "k")
        self._row("Accounting", self.accounting, "accounting", sample, "accounting")
        unit = boxes.boxed(boxes.row((self.rows_per_person, 1), self.change_unit, spacing="s"))
        self._row("Rows per person", unit, "rows_per_person")
        self._row("A group of", self.example, "survival_chance", trim)
        grid.addWidget(self.chance, grid.rowCount(), 0, 1, 2)
        self._rows[trim].append(self.chance)
        self.details = Disclosure("Details", boxes.boxed(boxes.column(grid, self.facts, spacing="s")))
        self.readers.add_beside(self.details.button)  # a line of its own would take room from all that follows
        set_explain(self.fields["epsilon"], "anonymise.epsilon")
        self.fields["epsilon"].edit.setFixedWidth(tokens.FIELD_WIDTH - tokens.SPACE_XL)  # the slider takes the rest
        boxes.column(
            self.sentence,
            self.readers,
            boxes.row(self.epsilon_name, self.fields["epsilon"], self.twice, (self.epsilon_slider, 1), spacing="s"),
            boxes.row((self.unfit, 1), self.keep, spacing="s"),
            boxes.row((self.large_delta, 1), self.smaller_delta, spacing="s"),
            self.errors["epsilon"],
            self.details,
            spacing="s",
            inside=self,
        )

    def _row(
        self, words: str, field: QWidget, explain: str, of: ReleaseMechanism | None = None, error: str = ""
    ) -> None:
        """A line of the form; with `of` it is shown with that mechanism alone."""
        grid, row = self._grid, self._grid.rowCount()
        parts = [field]
        if words:
            parts.append(label(words))
            grid.addWidget(parts[-1], row, 0)
        grid.addWidget(field, row, 1)
        if error:
            grid.addWidget(self.errors[error], row + 1, 0, 1, 2)
        set_explain(field, f"anonymise.{explain}")
        if of is not None:
            self._rows[of] += parts

    # Showing

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the settings as they stand and what follows from them."""
        self._promised = found.guarantee
        self._times = 2 if self._counts_twice(found) else 1
        self.fields["epsilon"].set_bounds(0, MAX_EPSILON * self._times)
        self.fields["delta"].set_bounds(0, self._times)
        trims = self.trims
        solved = self._solved
        by_rule = not trims and isinstance(self._given.beta, str) and solved == "k"
        self._show_mechanism()
        self._showing = True
        try:
            if [self.unknown.itemData(row) for row in range(self.unknown.count())] != list(self._numbers):
                self.unknown.clear()
                for name in self._numbers:
                    self.unknown.addItem(_SYMBOLS[name], name)
            self.unknown.choose(solved)
            self.show_numbers({solved, *(("beta",) if by_rule else ())})
            self.epsilon_slider.setEnabled(solved != "epsilon")
            self.survives.choose(self._trim.survives.value)
            self.form.refresh()
            self.rule.choose(self._given.beta if by_rule else "")
            self.rule.setEnabled(solved == "k")
            self.accounting.choose(self._given.accounting.value)
            self.share.setEnabled(solved != "beta")
            if not trims and self.fields["beta"].value is not None:
                self.share.set_share(self.fields["beta"].value)
        finally:
            self._showing = False
        if self.show_error(found.error, "" if trims else "accounting") not in ("", "epsilon"):
            self.details.set_open(True)  # what is wrong must not hide
        rows = self._document.project.schema.unit.rows_per_person
        self.rows_per_person.setText("one" if rows == 1 else f"up to {rows:,}")
        searched = self._document.session.release.columns.private_search is not None
        self.epsilon_name.setText("ε of the release" if searched else "ε")
        self._show_large_delta(found)
        self._show_facts(found)
        self._show_chance()

    def _show_large_delta(self, found: PromiseAssessment) -> None:
        """Say in sight, and not among the details, that δ is too large for the people somebody expects, and mend it."""
        why, usual = found.large_delta or found.delta_advice, own_usual_delta(self._trim)
        for part in (self.large_delta, self.smaller_delta):
            part.setVisible(bool(why))
        if why:
            people = self._trim.expected_rows or 0
            self.large_delta.set_text(f"δ {typed(self._given.delta * self._times)} is large for {people:,} people")
            self.large_delta.setToolTip(why)
            self.smaller_delta.setText(f"Use δ {typed(usual * self._times)}")
            self.smaller_delta.setEnabled(self._solved != "delta")

    def _use_usual_delta(self) -> None:
        self.mended.emit()
        self._give("delta", own_usual_delta(self._trim))

    def summary(self, found: PromiseAssessment) -> str:
        """The promise and how it is kept, in a line."""
        if found.claim is None:
            return "no solution yet"
        price = found.claim.guarantee.charged(found.claim.known)
        return price if self.trims else f"{price} · sampling"

    def _show_mechanism(self) -> None:
        release = self._document.session.release
        mechanism = release.steps.mechanism
        self.mechanism.choose(mechanism.value)
        set_explain(self.unknown, "anonymise.trim_solve_for" if self.trims else "anonymise.solve_for")
        note, kept = _MECHANISMS[mechanism][1], release.sampled_because_of
        if kept:
            named = ", ".join(f"“{name}”" for name in kept)
            note = f"{note} Chosen because {named} passes through without being grouped."
        self.note.setText(note)
        for one, parts in self._rows.items():
            for part in parts:
                part.setVisible(one is mechanism)
        if mechanism is not self._mechanism:
            self._mechanism = mechanism
            if mechanism is ReleaseMechanism.SAMPLE:
                self.details.set_open(True)  # β and k decide as much as ε does

    def _show_facts(self, found: PromiseAssessment) -> None:
        promised = found.claim.guarantee if found.claim is not None else None
        replacing = found.claim is not None and bool(found.claim.known)
        lines = [gives_up(self._promised)] if isinstance(self._promised, TrimGuarantee) else []
        self.facts.setVisible(promised is not None)
        self.readers.show_promise(promised, replacing=replacing, settable=self._solved != "epsilon")
        if promised is None:
            self.sentence.setText("Nothing is promised yet.")
            self.sentence.setToolTip("")
            self._charged.show("", "", None)
            return
        short, counted = promised.counted(found.claim.known) if found.claim is not None else ("", "")
        lines = [promised.supposed, f"{promised.compared(replacing=replacing)}.", *lines]
        lines += [f"{counted}."] if counted else []
        self.facts.setText("\n".join((*lines, *promised.means(replacing=replacing))))
        self.sentence.setText(f"{promised.in_short(replacing=replacing)} {promised.usual(replacing=replacing)}")
        self.sentence.setToolTip(promised.told_besides(replacing=replacing))
        wider = Readers.fitting(promised, replacing=False) if replacing and promised.search is None else None
        kept = wider if wider is not Readers.fitting(promised, replacing=True) and self._solved != "epsilon" else None
        self._charged.show("" if self._times == 2 else short, counted, kept)

    def _keep_whole(self) -> None:
        if self.fields["epsilon"].valid:
            self.mended.emit()
            self._give("epsilon", self._given.epsilon / 2)

    def _show_chance(self) -> None:
        promised = self._promised if isinstance(self._promised, TrimGuarantee) else None
        self.chance.setText("" if promised is None else f"is released {chance_of(promised, self.example.value())}")

    def set_best_share(self, best: float | None) -> None:
        """Where the slider of β begins: below it, fewer rows are kept and rarer groups do not gain either."""
        self._showing = True
        try:
            self.share.set_lowest(best)
        finally:
            self._showing = False

    @property
    def trims(self) -> bool:
        """Whether groups are trimmed, and not rows sampled."""
        return self._document.session.release.steps.mechanism is ReleaseMechanism.TRIM

    def _counts_twice(self, found: PromiseAssessment) -> bool:
        """Whether all of the price is twice the ε that is drawn with; beside a choice of levels the sum is told."""
        session = self._document.session
        if session.release.columns.private_search is not None:
            return False
        known = self._trim.number_known or bool(session.ledger.number_known(session.data.fingerprint))
        return known or (not found.pending and found.claim is not None and bool(found.claim.known))

    @property
    def _given(self) -> GuaranteeSettings:
        return self._document.project.anonymise.guarantee

    @property
    def _trim(self) -> TrimSettings:
        return self._document.project.anonymise.trim

    @property
    def _solved(self) -> str:
        """The number that is computed from the others."""
        return self._trim.solve_for.value if self.trims else self._given.solve_for

    @property
    def _numbers(self) -> tuple[str, ...]:
        return _OF_TRIMMING if self.trims else _OF_SAMPLING

    def asked(self, name: str) -> bool:
        return name in self._numbers

    def value_in_force(self, name: str) -> float | None:
        promised = self._promised
        if isinstance(promised, TrimGuarantee) and name == "survival" == self._trim.solve_for.value:
            return promised.half_survive if self._trim.survives is Survives.HALF else promised.always_survive
        given: Any = self._trim.group if name == "survival" else getattr(self._given, name)
        solved, times = self._solved, self._times if name in _COUNTED else 1
        if name != solved and not isinstance(given, str):
            return cast(float, given) * times
        # What is promised may still be of the mechanism before, which has no such number.
        found = getattr(promised, name, None)
        return None if found is None else safe_to_type(name, found) * times

    # Editing

    def number_typed(self, name: str, value: float) -> None:
        self._give(name, value / self._times if name in _COUNTED else value)

    def _give(self, name: str, value: float) -> None:
        """Set one of the numbers, ε and δ as they are drawn with."""
        if name != self._solved:
            self._apply(f"Change {_SYMBOLS[name]}", {name: value}, merge=f"guarantee.{name}")

    def _share_moved(self, value: float) -> None:
        if not self._showing:
            self.number_typed("beta", value)

    def _choose_mechanism(self, _row: int) -> None:
        wanted = ReleaseMechanism(str(self.mechanism.chosen))
        if wanted is not self._document.session.release.steps.mechanism:
            text = "Trim groups" if wanted is ReleaseMechanism.TRIM else "Sample rows"
            self._document.apply(text, lambda session: session.release.set_mechanism(wanted))

    def _choose_unknown(self, _row: int) -> None:
        # What was computed becomes a given number, so that nothing but the choice changes.
        wanted = str(self.unknown.chosen)
        if wanted not in self._numbers:
            # The list is still that of the mechanism before, until what follows from the new one is computed.
            self.unknown.choose(self._solved)
            return
        shown = {name: self.fields[name].value for name in self._numbers}
        given = {name: value for name, value in shown.items() if value is not None}
        given |= {name: given[name] / self._times for name in _COUNTED if name in given}
        if not self.trims and "beta" not in given and isinstance(self._given.beta, str):
            given["beta"] = 0.5
        text = f"Compute {_SYMBOLS[wanted]}"
        if self.trims:
            self._apply(text, given, trim={"solve_for": TrimUnknown(wanted)})
        else:
            self._apply(text, given, guarantee={"solve_for": cast(Unknown, wanted)})

    def _choose_survives(self, _row: int) -> None:
        survives = Survives(str(self.survives.chosen))
        self._apply("Change how often the group survives", {}, trim={"survives": survives})

    def _edited(self, name: str, value: object, words: str, merge: str) -> None:
        self._apply(words, {}, trim={name: value}, merge=merge)

    def _choose_rule(self, _row: int) -> None:
        value = self.rule.chosen or self.fields["beta"].value or 0.5
        self._apply("Change how β is chosen", {}, guarantee={"beta": value})

    def _choose_accounting(self, _row: int) -> None:
        self._apply("Change the accounting", {}, guarantee={"accounting": self.accounting.chosen})

    def _apply(
        self,
        text: str,
        given: Mapping[str, float],
        *,
        guarantee: Mapping[str, Any] | None = None,
        trim: Mapping[str, Any] | None = None,
        merge: str = "",
    ) -> None:
        """Change settings, and numbers by the names of their fields."""
        numbers: dict[str, Any] = {name: value for name, value in given.items() if name != "survival"}
        group: dict[str, Any] = {"group": int(given["survival"])} if "survival" in given else {}
        if "k" in numbers:
            numbers["k"] = int(numbers["k"])
        wanted = replace(self._given, **numbers, **(guarantee or {})), replace(self._trim, **group, **(trim or {}))
        if wanted != (self._given, self._trim):
            self._document.apply(text, partial(_set, *wanted), merge=merge)


def _set(guarantee: GuaranteeSettings, trim: TrimSettings, session: Session) -> None:
    session.release.set_guarantee(guarantee)
    session.release.set_trimming(trim)
