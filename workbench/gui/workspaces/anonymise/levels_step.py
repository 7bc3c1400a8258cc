"""The second step, the levels: in steps by degree, chosen privately or by hand, and below it every column in a line."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QRadioButton,
    QWidget,
)

from workbench.anonymise.dp_search import Degree, PrivateSearch
from workbench.anonymise.level_scores import Score
from workbench.anonymise.promise import Promise
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.sample_guarantee import MAX_EPSILON
from workbench.core.number_text import rounded_up
from workbench.core.private_draw import Draw
from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import amount_field
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.anonymise.chances import Chances
from workbench.gui.workspaces.anonymise.degree_words import in_words
from workbench.gui.workspaces.anonymise.release_columns import ReleaseColumns
from workbench.gui.workspaces.anonymise.steps_list import StepsList
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.steps import LevelSource

_COMBO_LETTERS = 10
_WORDS = {
    LevelSource.BALANCED: (
        "In steps (recommended)",
        "The column with most values left is coarsened next; what one step gives up comes out coarser at the next",
    ),
    LevelSource.STEPS: (
        "In steps, all together",
        "By degree: all columns are coarsened at once; what one step gives up comes out coarser at the next",
    ),
    LevelSource.DEGREE: ("By degree", "One degree for all columns, without looking at the data"),
    LevelSource.SEARCH: ("Chosen privately", "Spends some ε to let noise choose levels that keep most rows"),
    LevelSource.HAND: ("By hand", "You set the level of each column below"),
}
_SHORT = {
    LevelSource.BALANCED: "in steps",
    LevelSource.STEPS: "in steps, all together",
    LevelSource.DEGREE: "by degree",
    LevelSource.SEARCH: "chosen privately",
    LevelSource.HAND: "by hand",
    LevelSource.TYPED: "by hand, in steps",
}


class LevelsStep(QWidget):
    """Shows and edits who chooses the levels, and what becomes of each column.

    Signals
    -------
    validity_changed()
        A field holds no number any more, or holds one again.
    """

    validity_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._showing = False
        self._source: LevelSource | None = None
        self._wheel = CalmWheel(self)
        self.buttons: dict[LevelSource, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.degree = ComboBox("Degree of generalisation", self._degrees())
        self.epsilon = amount_field("ε of choosing the levels", maximum=MAX_EPSILON)
        self.draw = ComboBox("How the levels are drawn", self._draws())
        self.score = ComboBox("What levels are judged by", self._scores())
        self.split = label(wrap=True)
        self._error = label(small=True, wrap=True, tone="error")
        self._note = label(muted=True, small=True, wrap=True)
        self.above = QCheckBox("Then coarser steps, all together")
        self.several = QCheckBox("In several steps")
        self.steps = StepsList(document)
        self.columns = ReleaseColumns(document)
        self._by_degree, self._by_search = QWidget(), QWidget()
        self.chances = Chances()
        self._lay_out()
        self._wheel.guard(self.degree, self.draw, self.score)
        self._group.idClicked.connect(self._choose)
        self.degree.activated.connect(self._choose_degree)
        self.epsilon.value_changed.connect(self._type_epsilon)
        self.epsilon.validity_changed.connect(self._tell_validity)
        self.draw.activated.connect(self._choose_draw)
        self.score.activated.connect(self._choose_score)
        self.above.clicked.connect(self._choose_above)
        self.several.clicked.connect(self._choose_several)
        self.steps.selected_changed.connect(self._show_step)
        self.steps.validity_changed.connect(self._tell_validity)

    @property
    def valid(self) -> bool:
        """Whether the fields show the numbers that are in force, as far as they matter."""
        searched = self._document.session.release.columns.private_search is not None
        return (self.epsilon.valid or not searched) and (self.steps_details.isHidden() or self.steps.valid)

    @property
    def chosen_button(self) -> QRadioButton:
        """The button of the choice in force."""
        return next((one for one in self.buttons.values() if one.isChecked()), self.buttons[LevelSource.HAND])

    def summary(self, found: PromiseAssessment) -> str:
        """The choice and what takes part, in a line."""
        project = self._document.project
        wanted = [spec.name for spec in project.schema.columns if spec.role is not Role.IDENTIFYING]
        columns = self._document.session.release.columns
        out, undecided = columns.left_out(), columns.undecided()  # which need no hierarchy
        spare = {*project.hierarchies, *out, *undecided}
        lacking = sum(name not in spare for name in wanted)
        release = self._document.session.release
        spared = release.after(release.result).left_out if release.result is not None and found.current else ()
        written = [name for name in found.grouped if name not in spared]
        # The usual way goes without saying: how many steps there are is no choice that anybody made.
        how = "" if release.steps.source is LevelSource.BALANCED else f"{_SHORT[release.steps.source]} · "
        if len(written) < len(found.grouped):  # what is left out of the file alone took part in the draw
            return f"{how}{len(written):,} of {_columns(len(found.grouped))} in the file"
        words = [f"{how}{_columns(len(found.grouped))}"]
        words += [f"{len(out):,} left out"] if out and found.grouped else []
        words += [f"{len(undecided):,} not decided"] if undecided and found.grouped else []
        words += [f"{lacking:,} without a hierarchy"] if lacking and found.grouped else []
        return ", ".join(words)

    # Building

    def _lay_out(self) -> None:
        shown = QWidget()
        choices = FlowLayout(shown)
        choices.setSpacing(tokens.SPACE_S)
        for place, (source, (words, tip)) in enumerate(_WORDS.items()):
            button = QRadioButton(words)
            button.setAccessibleName(f"Levels: {words}")
            button.setAccessibleDescription(tip)
            button.setToolTip(tip)
            set_explain(button, "anonymise.levels_by")
            self._group.addButton(button, place)
            self.buttons[source] = button
            choices.addWidget(button)
        for box in (self.above, self.several):
            box.setAccessibleName(box.text())
            set_explain(box, "anonymise.steps")
        for combo, key in (
            (self.degree, "anonymise.degree"),
            (self.draw, "anonymise.private_search"),
            (self.score, "anonymise.private_search"),
        ):
            combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            combo.setMinimumContentsLength(_COMBO_LETTERS)
            set_explain(combo, key)
        set_explain(self.epsilon, "anonymise.search_epsilon")
        set_explain(self, "anonymise.levels_by")
        _grid(self._by_degree, ((label("Degree"), self.degree),))
        inside = QWidget()
        _grid(inside, ((label("Drawn by"), self.draw), (label("Judged by"), self.score)))
        self.details = Disclosure("How the levels are drawn", inside)
        top = QWidget()
        _grid(top, ((label("ε of choosing"), self.epsilon),))
        boxes.column(
            top,
            self._error,
            self.split,
            self.details,
            self.chances,
            (self.above, Qt.AlignmentFlag.AlignLeft),
            spacing="xs",
            inside=self._by_search,
        )
        self._error.hide()
        self.steps_details = Disclosure("Steps and shares", self.steps)
        boxes.column(
            shown,
            self._by_degree,
            self._by_search,
            (self.several, Qt.AlignmentFlag.AlignLeft),
            self._note,
            self.steps.picker,
            self.columns,
            self.steps_details,
            spacing="s",
            inside=self,
        )

    def _degrees(self) -> list[tuple[str, Any]]:
        return [(in_words(one), one.value) for one in Degree]

    def _draws(self) -> list[tuple[str, Any]]:
        return [
            ("permute and flip", Draw.PERMUTE_AND_FLIP.value),
            ("exponential", Draw.EXPONENTIAL.value),
        ]

    def _scores(self) -> list[tuple[str, Any]]:
        words = {
            Score.KEPT_DETAIL: "detail kept",
            Score.INTENSITY: "generalisation",
            Score.DISCERNIBILITY: "discernibility",
            Score.ENTROPY: "entropy",
            Score.CLASSES: "number of groups",
        }
        return [(words[one], one.value) for one in words]

    # Showing

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the choice as the settings have it, what it costs, and what a draw gave."""
        steps = self._document.session.release.steps
        source, trims = steps.source, steps.mechanism is ReleaseMechanism.TRIM
        choice = self._document.project.anonymise.level_choice
        result = self._document.session.release.result
        drawn = result.drawn if result is not None and found.current else None
        self._showing = True
        try:
            offered = steps.sources
            chosen = LevelSource.HAND if source is LevelSource.TYPED else source
            for one, button in self.buttons.items():
                button.setVisible(one in offered)
                button.setChecked(one is chosen)
                policy = Qt.FocusPolicy.StrongFocus if one is chosen else Qt.FocusPolicy.ClickFocus
                button.setFocusPolicy(policy)
            self.several.setVisible(chosen is LevelSource.HAND and trims)
            self.several.setChecked(source is LevelSource.TYPED)
            self.above.setChecked(steps.above_draw)
            self.degree.choose(choice.degree.value)
            self.draw.choose(choice.search.draw.value)
            self.score.choose(choice.search.of_mechanism(ReleaseMechanism.SAMPLE).score.value)
            self.epsilon.follow(choice.search.epsilon)
        finally:
            self._showing = False
        searched = source is LevelSource.SEARCH
        laid = source in (LevelSource.BALANCED, LevelSource.STEPS)
        in_steps = laid or source is LevelSource.TYPED or (searched and trims and steps.above_draw)
        self._by_degree.setVisible(source is LevelSource.DEGREE)
        self._by_search.setVisible(searched)
        self.above.setVisible(searched and trims)
        self.steps_details.setVisible(in_steps)
        self.steps.picker.hide()
        if in_steps:
            self.steps.show_assessment(found)
            if not self.steps.error.isHidden() or (source is LevelSource.TYPED and source is not self._source):
                self.steps_details.set_open(True)  # where steps are added, and where what is wrong is said
        self.steps.picker.setVisible(self.steps.picker.isVisibleTo(self) and not laid)  # a line shows all its steps
        self._source = source
        self.columns.show_step(self.steps.selected)
        self.columns.show_assessment(found)
        self._show_split(found.claim.guarantee if found.claim is not None else None)
        looked = drawn is not None and self._document.session.release.looked
        self.chances.show_drawn(drawn if looked else None)
        self._show_error()
        fresh = "groups are trimmed with fresh randomness" if trims else "a fresh sample is taken for the release"
        notes = {
            LevelSource.SEARCH: f"Spends ε {rounded_up(choice.search.epsilon)} to let noise choose levels that keep "
            f"most rows; then {fresh}.",
            LevelSource.TYPED: "No step can be finer than the one before it.",
        }
        self._note.setText(notes.get(source, ""))
        self._note.setVisible(source in notes)

    def _show_split(self, promised: Promise | None) -> None:
        text = promised.split if promised is not None else ""
        self.split.setText(text)
        self.split.setVisible(bool(text))

    def _show_error(self) -> None:
        text = "" if self.epsilon.valid else self.epsilon.error
        self._error.setText(text)
        self._error.setVisible(bool(text))

    def _tell_validity(self, _valid: bool = True) -> None:
        if not self._showing:
            self._show_error()
            self.validity_changed.emit()

    # Editing

    def _show_step(self) -> None:
        self.columns.show_step(self.steps.selected)

    def _choose(self, place: int) -> None:
        source = tuple(_WORDS)[place]
        now = self._document.session.release.steps.source
        if source is not (LevelSource.HAND if now is LevelSource.TYPED else now):
            self._choose_source(source)

    def _choose_several(self, wanted: bool) -> None:
        self._choose_source(LevelSource.TYPED if wanted else LevelSource.HAND)

    def _choose_source(self, source: LevelSource) -> None:
        before = self._document.session.release.steps.source

        def edit(session: Session) -> None:
            if source is LevelSource.HAND and before is LevelSource.BALANCED:
                session.release.steps.take_over()  # something to begin with, from hierarchies alone
            session.release.steps.set_source(source)

        self._document.apply(f"Levels {_SHORT[source]}", edit)

    def _choose_above(self, wanted: bool) -> None:
        text = "Coarser steps above the draw" if wanted else "One step at the drawn levels"
        self._document.apply(text, lambda session: session.release.steps.set_above_draw(wanted))

    def _choose_degree(self, _row: int) -> None:
        degree = Degree(str(self.degree.chosen))
        if degree is not self._document.project.anonymise.level_choice.degree:
            text = f"Generalise to the degree {degree.value}"
            self._document.apply(text, lambda session: session.release.columns.set_degree(degree))

    def _type_epsilon(self, value: float) -> None:
        if not self._showing:
            self._change("Change ε of choosing the levels", merge="search.epsilon", epsilon=value)

    def _choose_draw(self, _row: int) -> None:
        self._change("Change how levels are drawn", draw=Draw(str(self.draw.chosen)))

    def _choose_score(self, _row: int) -> None:
        self._change("Change what levels are judged by", score=Score(str(self.score.chosen)))

    def _change(self, text: str, *, merge: str = "", **values: Any) -> None:
        search = self._document.project.anonymise.level_choice.search
        wanted: PrivateSearch = replace(search, **values)
        if wanted != search:
            self._document.apply(text, lambda session: session.release.columns.set_search(wanted), merge=merge)


def _columns(number: int) -> str:
    return "no column" if not number else "1 column" if number == 1 else f"{number:,} columns"


def _grid(place: QWidget, rows: tuple[tuple[QWidget, QWidget], ...]) -> None:
    grid = QGridLayout(place)
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(tokens.SPACE_S)
    grid.setVerticalSpacing(tokens.SPACE_XS)
    grid.setColumnStretch(1, 1)
    grid.setColumnMinimumWidth(0, tokens.METER_WIDTH + tokens.SPACE_XL)
    for row, (words, control) in enumerate(rows):
        grid.addWidget(words, row, 0)
        grid.addWidget(control, row, 1)
