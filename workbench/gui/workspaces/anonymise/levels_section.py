"""The source of the levels: by hand, by a degree, or drawn privately at a price in ε."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QGridLayout,
    QLabel,
    QRadioButton,
    QWidget,
)

from workbench.anonymise.dp_search import Degree, DrawnLevels, PrivateSearch
from workbench.anonymise.guarantee import MAX_EPSILON
from workbench.anonymise.level_scores import Score
from workbench.anonymise.promise import Promise
from workbench.core.number_text import exact, percent
from workbench.core.private_draw import Draw
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.section import Section
from workbench.project.model import LevelsBy
from workbench.session.release.assessment import PromiseAssessment

_ORDER = (LevelsBy.HAND, LevelsBy.DEGREE, LevelsBy.SEARCH)
_COMBO_LETTERS = 10
_PERCENT = 100
_LEAST_CHANCE = 0.001


class LevelsSection(Section):
    """Shows and edits who chooses the levels.

    Signals
    -------
    validity_changed()
        The field for ε holds no number any more, or holds one again.
    """

    validity_changed = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("Levels")
        self._document = document
        self._showing = False
        self._wheel = CalmWheel(self)
        self.buttons: dict[LevelsBy, QRadioButton] = {}
        self._group = QButtonGroup(self)
        self.degree = ComboBox("Degree of generalisation", self._degrees())
        self.epsilon = NumberField(
            "ε of choosing the levels",
            minimum=0,
            open_minimum=True,
            maximum=MAX_EPSILON,
            logarithmic=True,
            compact=True,
        )
        self.draw = ComboBox("How the levels are drawn", self._draws())
        self.score = ComboBox("What levels are judged by", self._scores())
        self.split = label(wrap=True)
        self._error = label(small=True, wrap=True, tone="error")
        self._note = label(muted=True, small=True, wrap=True)
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

    @property
    def valid(self) -> bool:
        """Whether the field shows the number that is in force, if it matters."""
        return self.epsilon.valid or self._document.session.release.columns.private_search is None

    # Building

    def _lay_out(self) -> None:
        words = {
            LevelsBy.HAND: ("By hand", "You set the level of each column below"),
            LevelsBy.DEGREE: ("By degree", "One degree for all columns, without looking at the data"),
            LevelsBy.SEARCH: ("Private search", "The levels are drawn privately, which costs ε"),
        }
        row = FlowLayout()
        row.setSpacing(tokens.SPACE_S)
        for place, by in enumerate(_ORDER):
            button = QRadioButton(words[by][0])
            button.setAccessibleName(f"Levels: {words[by][0]}")
            button.setAccessibleDescription(words[by][1])
            button.setToolTip(words[by][1])
            set_explain(button, "anonymise.levels_by")
            self._group.addButton(button, place)
            self.buttons[by] = button
            row.addWidget(button)
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
        boxes.column(top, self._error, self.split, self.details, self.chances, spacing="xs", inside=self._by_search)
        self._error.hide()
        self.add(row)
        self.add(self._by_degree)
        self.add(self._by_search)
        self.add(self._note)

    def _degrees(self) -> list[tuple[str, Any]]:
        words = {
            Degree.NONE: "none",
            Degree.LOW: "low",
            Degree.LOW_MEDIUM: "low to medium",
            Degree.MEDIUM: "medium",
            Degree.MEDIUM_HIGH: "medium to high",
            Degree.HIGH: "high",
            Degree.COMPLETE: "complete",
        }
        share = "{degree}, {percent} %"
        return [
            (share.format(degree=words[one], percent=exact(float(one.share * _PERCENT))), one.value) for one in Degree
        ]

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
        return [(words[one], one.value) for one in Score]

    # Showing

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the choice as the settings have it, what it costs, and what a draw gave."""
        choice = self._document.project.anonymise.level_choice
        result = self._document.session.release.result
        drawn = result.drawn if result is not None and found.current else None
        self._showing = True
        try:
            for by, button in self.buttons.items():
                button.setChecked(by is choice.by)
                policy = Qt.FocusPolicy.StrongFocus if by is choice.by else Qt.FocusPolicy.ClickFocus
                button.setFocusPolicy(policy)
            self.degree.choose(choice.degree.value)
            self.draw.choose(choice.search.draw.value)
            self.score.choose(choice.search.score.value)
            writing = self.epsilon.edit.hasFocus() and self.epsilon.edit.isModified()
            if self.epsilon.value != choice.search.epsilon and not (writing and not self.epsilon.valid):
                self.epsilon.set_value(choice.search.epsilon)
        finally:
            self._showing = False
        self._by_degree.setVisible(choice.by is LevelsBy.DEGREE)
        self._by_search.setVisible(choice.by is LevelsBy.SEARCH)
        self._show_split(found.claim.guarantee if found.claim is not None else None)
        self.chances.show_drawn(drawn)
        self._show_error()
        notes = {
            LevelsBy.HAND: "",
            LevelsBy.DEGREE: "The sliders below show what follows from it.",
            LevelsBy.SEARCH: "Drawn on all rows; then a fresh sample is taken for the release.",
        }
        self._note.setText(notes[choice.by])
        self._note.setVisible(bool(notes[choice.by]))

    def _show_split(self, promised: Promise | None) -> None:
        text = promised.split if promised is not None else ""
        self.split.setText(text)
        self.split.setVisible(bool(text))

    def _show_error(self) -> None:
        text = "" if self.epsilon.valid else self.epsilon.error
        self._error.setText(text)
        self._error.setVisible(bool(text))

    def _tell_validity(self, _valid: bool) -> None:
        if not self._showing:
            self._show_error()
            self.validity_changed.emit()

    # Editing

    def _choose(self, place: int) -> None:
        by = _ORDER[place]
        if by is self._document.project.anonymise.level_choice.by:
            return
        text = f"Levels {self.buttons[by].text().lower()}"
        self._document.apply(text, lambda session: session.release.columns.set_levels_by(by))

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


class Chances(QWidget):
    """How likely the drawn levels and the likeliest ones were; analyst only, and folded away until asked for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawn: DrawnLevels | None = None
        self.lines: list[tuple[QLabel, QLabel]] = []
        content = QWidget()
        column = boxes.column(spacing="xs", inside=content)
        top = boxes.row(analyst_badge(), 1)
        column.addLayout(top)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(tokens.SPACE_M)
        self._grid.setVerticalSpacing(tokens.SPACE_XS)
        self._grid.setColumnStretch(1, 1)
        column.addLayout(self._grid)
        self.disclosure = Disclosure("How likely these levels were", content)
        boxes.column(self.disclosure, inside=self)
        set_explain(self, "anonymise.chances")

    def show_drawn(self, drawn: DrawnLevels | None) -> None:
        """Show the chances of a draw, or nothing."""
        self.setVisible(drawn is not None)
        if drawn is None or drawn is self._drawn:
            return
        self._drawn = drawn
        levels = drawn.choice.levels
        # What was next to impossible tells nobody anything.
        likely = [one for one in drawn.likeliest if one.probability >= _LEAST_CHANCE or one.levels == levels]
        shown = [(one.probability, self._words(one.levels, levels)) for one in likely]
        if all(one.levels != levels for one in drawn.likeliest):
            shown.append((drawn.chance, self._words(levels, levels)))
        while len(self.lines) < len(shown):
            line = label(), label(wrap=True)
            line[0].setFont(tabular_font())
            self._grid.addWidget(line[0], len(self.lines), 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(line[1], len(self.lines), 1)
            self.lines.append(line)
        for place, (figure, words) in enumerate(self.lines):
            for part in (figure, words):
                part.setVisible(place < len(shown))
            if place < len(shown):
                figure.setText(self._percent(shown[place][0]))
                words.setText(shown[place][1])

    def _percent(self, chance: float) -> str:
        if chance > 1 - _LEAST_CHANCE:
            return f"over {percent(1 - _LEAST_CHANCE, 12)}"
        if chance < _LEAST_CHANCE:
            return f"under {percent(_LEAST_CHANCE)}"
        return percent(chance)

    def _words(self, levels: Mapping[str, int], drawn: Mapping[str, int]) -> str:
        """What other levels would have been: only those that differ from the drawn ones."""
        other = [f"{name} {level}" for name, level in levels.items() if drawn[name] != level]
        return ", ".join(other) if other else "the levels that were drawn"


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
