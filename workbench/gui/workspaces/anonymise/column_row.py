"""One column of the recipe: what happens to it, and how far it is generalised."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QGridLayout, QSlider, QWidget

from workbench.anonymise.mechanism import Treatment
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import ColumnSpec, Role
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import role_icon, role_token
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import IconLabel, label

_NAMED = 3
_COMBO_LETTERS = 11


class ColumnTreatment(StrEnum):
    """What a person chooses between; three of them are the same treatment at different levels."""

    GENERALISE = "generalise"
    AS_IS = "as it is"
    SUPPRESS = "suppress"
    KEEP = "keep"
    LEAVE_OUT = "leave out"


class ColumnRow(QWidget):
    """Name, treatment and level of one column.

    Signals
    -------
    chosen(str, str)
        The person chose a treatment (a `ColumnTreatment`) for the column of that name.
    level_chosen(str, int)
        The person moved the level.
    cover_requested(str)
        Values the hierarchy misses are to become `*`.
    """

    chosen = Signal(str, str)
    level_chosen = Signal(str, int)
    cover_requested = Signal(str)
    kept_is_risky = True

    def __init__(self, name: str, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = name
        self._showing = False
        self._role = IconLabel(role_icon(Role.INSENSITIVE), tokens.ICON, role_token(Role.INSENSITIVE))
        self._name = ElidedLabel(name)
        self.treatment = ComboBox(f"Treatment of {name}")
        for choice, words, tip in self._choices():
            self.treatment.addItem(words, choice)
            self.treatment.setItemData(self.treatment.count() - 1, tip, Qt.ItemDataRole.ToolTipRole)
        self.treatment.setMinimumContentsLength(_COMBO_LETTERS)
        self.treatment.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.treatment.activated.connect(self._choose)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setPageStep(1)
        self.slider.setAccessibleName(f"Level of {name}")
        self.slider.valueChanged.connect(self._slide)
        self._words = ElidedLabel(muted=True, small=True)
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
        return "not grouped: voids the (ε, δ) claim"

    def _lay_out(self) -> None:
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, tokens.SPACE_XS, 0, tokens.SPACE_XS)
        grid.setHorizontalSpacing(tokens.SPACE_S)
        grid.setVerticalSpacing(0)
        grid.setColumnStretch(1, 1)
        grid.addWidget(self._role, 0, 0)
        grid.addWidget(self._name, 0, 1)
        grid.addWidget(self.treatment, 0, 2)
        grid.addWidget(self.slider, 1, 1, 1, 2)
        grid.addWidget(self._words, 2, 1, 1, 2)
        problem = boxes.row((self._problem, 1), (self._cover, Qt.AlignmentFlag.AlignTop))
        grid.addLayout(problem, 3, 1, 1, 2)

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
            choice = (
                ColumnTreatment.SUPPRESS if suppressed else _choice(treatment, level if hierarchy is not None else 0)
            )
            self._role.set_icon(role_icon(spec.role), role_token(spec.role))
            self._role.setToolTip(spec.role.words)
            set_look(self._name, muted=choice is ColumnTreatment.LEAVE_OUT)
            self._allow_generalise(hierarchy)
            self.treatment.setCurrentIndex(self.treatment.findData(choice))
            height = hierarchy.height if hierarchy is not None else 0
            with_level = (
                hierarchy is not None and height > 0 and choice in (ColumnTreatment.GENERALISE, ColumnTreatment.AS_IS)
            )
            self.slider.setRange(0, max(height, 1))
            self.slider.setValue(level)
            self.slider.setVisible(with_level)
            words = self._level_words(hierarchy, level) if hierarchy is not None and with_level else ""
            if choice is ColumnTreatment.KEEP:
                words = self._kept_words()
            elif choice is ColumnTreatment.SUPPRESS:
                words = "* in every row"
            self._words.set_text(words)
            set_look(self._words, tone="warning" if choice is ColumnTreatment.KEEP and self.kept_is_risky else "none")
            self._words.setVisible(bool(words))
            self.slider.setAccessibleDescription(words)
            self._show_problem(uncovered)
        finally:
            self._showing = False

    @property
    def controls(self) -> tuple[QWidget, ...]:
        """What can be reached with Tab, in order."""
        return (self.treatment, self.slider, self._cover)

    @property
    def words(self) -> str:
        """The line below the slider."""
        return self._words.full_text

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
            item = model.item(self.treatment.findData(ColumnTreatment.SUPPRESS))
            usable = hierarchy is None or hierarchy.ends_in_any
            item.setEnabled(usable)
            item.setText("Replace by *" if usable else "Replace by * (needs a top level *)")

    def _level_words(self, hierarchy: Hierarchy, level: int) -> str:
        groups = hierarchy.groups()[level]
        middle = len(hierarchy.values) // 2
        example = hierarchy.labels[level][int(hierarchy.maps[level][middle])]
        counted = "1 group" if groups == 1 else f"{groups:,} groups"
        place = f"level {level} of {hierarchy.height}"
        return f"{place} · {counted} · " + f"e.g. {example}"

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

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.RAIL_WIDTH, super().minimumSizeHint().height())


def _choice(treatment: Treatment, level: int) -> ColumnTreatment:
    if treatment is Treatment.GENERALISE:
        return ColumnTreatment.GENERALISE if level else ColumnTreatment.AS_IS
    return ColumnTreatment.KEEP if treatment is Treatment.KEEP else ColumnTreatment.LEAVE_OUT
