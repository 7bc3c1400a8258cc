"""One column of the recipe in one line: role, name, level, groups and an example; what happens to it in a menu."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.anonymise.mechanism import Treatment
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import count
from workbench.core.schema import ColumnSpec, Role
from workbench.gui import tokens
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import role_icon, role_token
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.workspaces.anonymise.level_chips import LevelChips

_NAMED = 3
_BECOMES = " → "
_LEAST_NUMBER = tokens.SPACE_XL + tokens.SPACE_M
_NAME, _LEVEL, _GROUPS, _EXAMPLE, _MENU = range(1, 6)
"""Columns of the grid, after that of the role."""
PROBLEM_ROW = 1
"""The first row of the grid below the line itself."""


class ColumnTreatment(StrEnum):
    """What a person chooses between; three of them are the same treatment at different levels."""

    GENERALISE = "generalise"
    AS_IS = "as it is"
    SUPPRESS = "suppress"
    KEEP = "keep"
    LEAVE_OUT = "leave out"


class ColumnRow(QWidget):
    """Name, level and treatment of one column.

    Signals
    -------
    chosen(str, str)
        The person chose a treatment (a `ColumnTreatment`) for the column of that name.
    level_chosen(str, int)
        The person moved the level.
    cover_requested(str)
        Values the hierarchy misses are to become `*`.
    attach_requested(str)
        The person wants a hierarchy for the column.
    """

    chosen = Signal(str, str)
    level_chosen = Signal(str, int)
    cover_requested = Signal(str)
    attach_requested = Signal(str)
    kept_is_risky = True

    def __init__(self, name: str, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._showing = False
        self._role = IconLabel(role_icon(Role.INSENSITIVE), tokens.ICON, role_token(Role.INSENSITIVE))
        self._name = ElidedLabel(name)
        self.treatment = ElidingComboBox(f"Treatment of {name}")
        self.treatment.setProperty("compact", "true")
        self.treatment.setFixedWidth(tokens.ICON_LARGE)
        for choice, words, tip in self._choices():
            self.treatment.addItem(words, choice)
            self.treatment.setItemData(self.treatment.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.treatment.activated.connect(self._choose)
        self.slider = LevelChips(f"Level of {name}")
        self.slider.valueChanged.connect(self._slide)
        self._groups, self._example = label(small=True, muted=True), _Example(small=True, muted=True)
        self._groups.setFont(tabular_font())
        self._groups.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._state = ElidedLabel(muted=True, small=True)
        self.attach = push_button(
            "Attach", self._ask_attach, name=f"Attach a hierarchy to {name}", explain="hierarchies.attach", inline=True
        )
        self.declare = push_button(
            "Few values",
            self._declare,
            name=f"Declare that {name} has few public values",
            tip="You declare that everybody knows its values, and that they are few: it is then grouped as it is",
            explain="anonymise.treatment",
            inline=True,
        )
        self._problem = label(small=True, wrap=True)
        self._cover = push_button(
            "Let them become *", self._ask_cover, name=f"Let values of {name} that are not listed become *", quiet=True
        )
        wheel.guard(self.treatment, self.slider)
        set_explain(self.treatment, "anonymise.treatment")
        set_explain(self.slider, "anonymise.levels")
        self._lay_out()

    def _choices(self) -> tuple[tuple[ColumnTreatment, str, str], ...]:
        return (
            (
                ColumnTreatment.GENERALISE,
                "Generalise",
                "Released as its label at a level, and part of what makes rows alike.",
            ),
            (
                ColumnTreatment.AS_IS,
                "Group as it is",
                "Released unchanged, and part of what makes rows alike.",
            ),
            (
                ColumnTreatment.SUPPRESS,
                "Replace by *",
                "The column stays, with * in every row; a search leaves it so.",
            ),
            (
                ColumnTreatment.KEEP,
                "Pass through",
                self._kept_tip(),
            ),
            (ColumnTreatment.LEAVE_OUT, "Leave out", "Not in the release."),
        )

    def _kept_tip(self) -> str:
        return "Released unchanged and not grouped. This voids the (ε, δ) claim."

    def _kept_words(self) -> str:
        return "passes through: voids the claim"

    def _lay_out(self) -> None:
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(tokens.SPACE_HAIR)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(_EXAMPLE, 1)
        grid.setRowMinimumHeight(0, tokens.LEVEL_ROW)
        self._name.setContentsMargins(tokens.SPACE_HAIR, 0, 0, 0)
        self._name.setFixedWidth(tokens.COLUMN_MIN + tokens.SPACE_L)
        self._groups.setFixedWidth(_LEAST_NUMBER)
        self._groups.setContentsMargins(0, 0, tokens.SPACE_XS, 0)
        grid.addWidget(self._role, 0, 0)
        grid.addWidget(self._name, 0, _NAME)
        grid.addWidget(self.slider, 0, _LEVEL)
        grid.addWidget(self._groups, 0, _GROUPS)
        grid.addWidget(self._example, 0, _EXAMPLE)
        self._instead = boxes.boxed(
            boxes.row((self._state, 1), self.attach, self.declare, *self._beside_state(), spacing="hair")
        )
        grid.addWidget(self._instead, 0, _LEVEL, 1, 3)
        grid.addWidget(self.treatment, 0, _MENU)
        problem = boxes.row((self._problem, 1), (self._cover, Qt.AlignmentFlag.AlignTop))
        grid.addLayout(problem, PROBLEM_ROW, _NAME, 1, 5)

    def _beside_state(self) -> tuple[QWidget, ...]:
        """What stands at the end of what is said in the place of a level."""
        return ()

    @property
    def wanted(self) -> tuple[int, int]:
        """How wide its chips and its number of groups would like to be."""
        number = 0 if self._groups.isHidden() else self._groups.sizeHint().width()
        return self.slider.sizeHint().width(), max(number, _LEAST_NUMBER)

    def set_room(self, chips: int, number: int) -> None:
        """How wide the columns of chips and of numbers are, which are the same in all rows."""
        self._grid.setColumnMinimumWidth(_LEVEL, chips)
        self._groups.setFixedWidth(number)

    def show_column(
        self,
        spec: ColumnSpec,
        hierarchy: Hierarchy | None,
        treatment: Treatment,
        level: int,
        uncovered: tuple[str, ...] = (),
        *,
        suppressed: bool = False,
    ) -> None:
        """Show how the column stands."""
        self._showing = True
        try:
            height = hierarchy.height if hierarchy is not None else 0
            choice = ColumnTreatment.SUPPRESS if suppressed else _choice(treatment, level if height else 0)
            self._role.set_icon(role_icon(spec.role), role_token(spec.role))
            self._role.setToolTip(spec.role.words)
            set_look(self._name, muted=choice is ColumnTreatment.LEAVE_OUT)
            self._allow_generalise(hierarchy)
            self.treatment.setCurrentIndex(self.treatment.findData(choice))
            self.slider.setRange(0, max(height, 1))
            self.slider.setValue(level)
            if hierarchy is not None and height and choice in (ColumnTreatment.GENERALISE, ColumnTreatment.AS_IS):
                self._show_level(hierarchy, level)
            else:
                bare = hierarchy is None and choice is ColumnTreatment.LEAVE_OUT and spec.role is not Role.IDENTIFYING
                self.show_state(self._state_words(choice, bare), bare=bare)
            risky = choice is ColumnTreatment.KEEP and self.kept_is_risky
            set_look(self._state, tone="warning" if risky else "none")
            self._show_problem(uncovered)
        finally:
            self._showing = False

    def _show_level(self, hierarchy: Hierarchy, level: int) -> None:
        groups = hierarchy.groups()[level]
        middle = len(hierarchy.values) // 2
        value, became = hierarchy.values[middle], hierarchy.labels[level][int(hierarchy.maps[level][middle])]
        example = f"{value}{_BECOMES}{became}" if level else value
        counted = "1 group" if groups == 1 else f"{count(groups)} groups"
        self._instead.hide()
        for part in (self.slider, self._groups, self._example):
            part.show()
        self._groups.setText(count(groups))
        self._groups.setToolTip(counted)
        self._example.set_text(example)
        self._words = f"level {level} of {hierarchy.height} · {counted} · {example}"
        self.slider.setAccessibleDescription(self._words)
        self.slider.setToolTip(self._words)
        self.slider.updateGeometry()

    def show_state(self, words: str, *, bare: bool = False) -> None:
        """Say something in the place of a level; with `bare` also what helps a column without a hierarchy."""
        for part in (self.slider, self._groups, self._example):
            part.hide()
        self._words = words
        self._state.set_text(words)
        self.attach.setVisible(bare)
        self.declare.setVisible(bare)
        self._instead.show()

    def _state_words(self, choice: ColumnTreatment, bare: bool) -> str:
        if bare:
            return "no hierarchy"
        return {
            ColumnTreatment.GENERALISE: "as it is",
            ColumnTreatment.AS_IS: "as it is, few public values",
            ColumnTreatment.SUPPRESS: "* in every row",
            ColumnTreatment.KEEP: self._kept_words(),
            ColumnTreatment.LEAVE_OUT: "left out",
        }[choice]

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What can be reached with Tab, in order."""
        return (self.slider, self.attach, self.declare, self.treatment, self._cover)

    @property
    def words(self) -> str:
        """How the column stands, as the line shows it."""
        return self._words

    @property
    def problem(self) -> str:
        """What stands in the way of a run."""
        return self._problem.text()

    def _allow_generalise(self, hierarchy: Hierarchy | None) -> None:
        model = self.treatment.model()
        if isinstance(model, QStandardItemModel):
            item = model.item(self.treatment.findData(ColumnTreatment.GENERALISE))
            usable = hierarchy is not None and hierarchy.height > 0
            item.setEnabled(usable)
            item.setText("Generalise" if usable else "Generalise (needs a hierarchy)")
            as_is = model.item(self.treatment.findData(ColumnTreatment.AS_IS))
            as_is.setText("Group as it is" if usable else "Group as it is: it has few public values")
            item = model.item(self.treatment.findData(ColumnTreatment.SUPPRESS))
            usable = hierarchy is None or hierarchy.ends_in_any
            item.setEnabled(usable)
            item.setText("Replace by *" if usable else "Replace by * (needs a top level *)")

    def _show_problem(self, uncovered: tuple[str, ...]) -> None:
        text = ""
        if uncovered:
            named = ", ".join(f"“{value}”" for value in uncovered[:_NAMED])
            more = len(uncovered) - _NAMED
            text = f"The hierarchy misses {named} and {more:,} more." if more > 0 else f"The hierarchy misses {named}."
        self._problem.setText(text)
        set_look(self._problem, tone="error")
        self._problem.setVisible(bool(text))
        self._cover.setVisible(bool(text))

    def _choose(self, _index: int) -> None:
        self.chosen.emit(self.name, self.treatment.chosen)

    def _slide(self, level: int) -> None:
        if not self._showing:
            self.level_chosen.emit(self.name, level)

    def _ask_cover(self) -> None:
        self.cover_requested.emit(self.name)

    def _ask_attach(self) -> None:
        self.attach_requested.emit(self.name)

    def _declare(self) -> None:
        self.chosen.emit(self.name, ColumnTreatment.AS_IS)

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.RAIL_WIDTH, super().minimumSizeHint().height())


class _Example(ElidedLabel):
    """A value and what becomes of it; where there is no room for both, the value is cut first."""

    def _elide(self) -> None:
        super()._elide()
        value, arrow, became = self.full_text.partition(_BECOMES)
        metrics = self.fontMetrics()
        if not arrow or metrics.horizontalAdvance(self.full_text) <= self.width():
            return
        room = self.width() - metrics.horizontalAdvance(f"{arrow}{became}")
        right = Qt.TextElideMode.ElideRight
        short = metrics.elidedText(value, right, max(room, tokens.SPACE_XL))
        self.setText(metrics.elidedText(f"{short}{arrow}{became}", right, self.width()))


def _choice(treatment: Treatment, level: int) -> ColumnTreatment:
    if treatment is Treatment.GENERALISE:
        return ColumnTreatment.GENERALISE if level else ColumnTreatment.AS_IS
    return ColumnTreatment.KEEP if treatment is Treatment.KEEP else ColumnTreatment.LEAVE_OUT
