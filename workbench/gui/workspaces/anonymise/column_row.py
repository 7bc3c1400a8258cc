"""One column of the recipe in one line: role, name, level and what it is; what happens to it in a menu."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.anonymise.recipe import Treatment
from workbench.core.first_few import first_few
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import level_of, level_words, narrower_words, stated_words
from workbench.core.number_text import count
from workbench.core.schema import ColumnSpec, Role
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.role_marks import role_icon, role_token
from workbench.gui.workspaces.anonymise.level_chips import LevelChips

_NAMED = 3
_BECOMES = " → "
_NAME, _LEVEL, _MEANING, _BESIDE, _MENU = range(1, 6)
"""Columns of the grid, after that of the role."""
_NAME_WIDTH = tokens.COLUMN_MIN + tokens.SPACE_L
_ROOMY = 500
"""From so many pixels on chips carry words."""
STATE_COLUMNS = _NAME, 1, _MENU
STATE_ROW, PROBLEM_ROW = 1, 2
"""The rows of the grid below the line itself: of levels that have no room in it, and the first of problems."""


class ColumnTreatment(StrEnum):
    """The choices a person has for a column; three of them are the same treatment at different levels."""

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
    room_changed()
        The line became so long, or so short, that its chips are of another width.
    """

    chosen = Signal(str, str)
    level_chosen = Signal(str, int)
    cover_requested = Signal(str)
    attach_requested = Signal(str)
    room_changed = Signal()
    kept_is_risky = True

    def __init__(self, name: str, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._showing = self._roomy = False
        self._told: Hierarchy | None = None
        self._wanted_name = 0
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
        self._meaning = ElidedLabel(muted=True, small=True)
        # The coarse end of the levels matters as much as the fine one.
        self._state = ElidedLabel(mode=Qt.TextElideMode.ElideMiddle, muted=True, small=True)
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
            (ColumnTreatment.LEAVE_OUT, "Leave out", "The column is not in the file."),
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
        grid.setColumnStretch(_MEANING, 1)
        grid.setRowMinimumHeight(0, tokens.LEVEL_ROW)
        self._name.setContentsMargins(tokens.SPACE_HAIR, 0, 0, 0)
        self._name.setFixedWidth(_NAME_WIDTH)
        grid.addWidget(self._role, 0, 0)
        grid.addWidget(self._name, 0, _NAME)
        grid.addWidget(self.slider, 0, _LEVEL)
        grid.addWidget(self._meaning, 0, _MEANING)
        self._instead = boxes.boxed(
            boxes.row((self._state, 1), self.attach, self.declare, *self._beside_state(), spacing="hair")
        )
        grid.addWidget(self._instead, 0, _LEVEL, 1, 2)
        grid.addWidget(self.treatment, 0, _MENU)
        problem = boxes.row((self._problem, 1), (self._cover, Qt.AlignmentFlag.AlignTop))
        grid.addLayout(problem, PROBLEM_ROW, _NAME, 1, _MENU)

    def _add_beside(self, control: QWidget) -> None:
        """Put something before the menu, with what it opens below the line."""
        self._grid.addWidget(control, 0, _BESIDE)

    def _beside_state(self) -> tuple[QWidget, ...]:
        """Widgets at the end of what is said in the place of a level."""
        return ()

    @property
    def wanted(self) -> int:
        """How wide its chips would like to be."""
        return self.slider.sizeHint().width()

    @property
    def wanted_name(self) -> int:
        """How wide its name would like to be."""
        return self._name.sizeHint().width() + tokens.SPACE_S

    @property
    def roomy(self) -> bool:
        """Whether the line has room for words."""
        return self._roomy

    def set_room(self, chips: int, name: int) -> None:
        """How wide the chips are, and the names would like to be, which is the same in all rows."""
        self._wanted_name = name
        self._grid.setColumnMinimumWidth(_LEVEL, chips + tokens.SPACE_XS)
        self._share_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _share_room(self) -> None:
        """A name is cut at a quarter of the line; chips carry words where the line is long."""
        self._name.setFixedWidth(max(_NAME_WIDTH, min(self._wanted_name, self.width() // 4)))
        roomy = self.width() >= _ROOMY
        if roomy != self._roomy:
            self._roomy = roomy
            self.slider.set_roomy(roomy)
            self.room_changed.emit()

    def show_column(
        self,
        spec: ColumnSpec,
        hierarchy: Hierarchy | None,
        treatment: Treatment,
        level: int,
        uncovered: tuple[str, ...] = (),
        *,
        told: Hierarchy | None = None,
        suppressed: bool = False,
    ) -> None:
        """Show how the column stands.

        Parameters
        ----------
        told
            The hierarchy as its values may be named now; None where only what its rule says may be told.
        """
        height = hierarchy.height if hierarchy is not None else 0
        # What may be told lags behind a hierarchy that was edited, and so may what was chosen.
        level = min(level, height) if hierarchy is not None else level
        self._showing, self._told = True, told if told is not None and told.height == height else None
        try:
            choice = ColumnTreatment.SUPPRESS if suppressed else _choice(treatment, level if height else 0)
            role = Role.IDENTIFYING if choice is ColumnTreatment.LEAVE_OUT else spec.role
            self._role.set_icon(role_icon(role), role_token(role))
            self._role.setToolTip(f"{role.words}. {role.meaning}")
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
        words = self.level_words(hierarchy, level)
        self._instead.hide()
        for part in (self.slider, self._meaning):
            part.show()
        self._words = f"{level_of(hierarchy, level)} · {words}"
        if (told := self._told) is not None:
            middle = len(told.values) // 2
            value, became = told.values[middle], told.labels[level][int(told.maps[level][middle])]
            counted = "1 group" if (groups := told.groups()[level]) == 1 else f"{count(groups)} groups"
            example = f"{value}{_BECOMES}{became}" if level else value
            self._words = f"{level_of(hierarchy, level)} · {counted} · {example}"
            if self._roomy:
                words = f"→ {became}" if level else value
        self._meaning.set_text(words)
        self.slider.setAccessibleDescription(self._words)
        self.slider.set_words([self.level_words(hierarchy, one, example=False) for one in range(hierarchy.height + 1)])
        ladder = (f"{one}  {self.level_words(hierarchy, one)}" for one in range(hierarchy.height + 1))
        self.slider.setToolTip("\n".join((self._words, *ladder)))
        self.slider.updateGeometry()

    def level_words(self, hierarchy: Hierarchy | None, level: int, *, example: bool = True) -> str:
        """A level in words that name and count no values but those that may be told now."""
        level = level if hierarchy is None else min(level, hierarchy.height)
        if hierarchy is not None and (self._told is None or level > self._told.height):
            return stated_words(hierarchy, level)
        told = None if hierarchy is None else self._told
        return f"{level_words(told, level, example=example)}{narrower_words(told, level) * example}"

    def show_state(self, words: str, *, bare: bool = False) -> None:
        """Say something in the place of a level; with `bare` also what helps a column without a hierarchy."""
        for part in (self.slider, self._meaning):
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
        """Controls that can be reached with Tab, in order."""
        return (self.slider, self.attach, self.declare, self.treatment, self._cover)

    @property
    def words(self) -> str:
        """How the column stands, as the line shows it."""
        return self._words

    @property
    def problem(self) -> str:
        """Obstacle to a run."""
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
        text = f"The hierarchy misses {first_few(uncovered, _NAMED, quoted=True)}." if uncovered else ""
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


def _choice(treatment: Treatment, level: int) -> ColumnTreatment:
    if treatment is Treatment.GENERALISE:
        return ColumnTreatment.GENERALISE if level else ColumnTreatment.AS_IS
    return ColumnTreatment.KEEP if treatment is Treatment.KEEP else ColumnTreatment.LEAVE_OUT
