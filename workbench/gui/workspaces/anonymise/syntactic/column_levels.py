"""The columns as the models see them: levels by hand, and what a search may choose."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from workbench.anonymise.privacy import MODELS
from workbench.anonymise.recipe import Treatment
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.calm_wheel import CalmWheel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.workspaces.anonymise.column_row import PROBLEM_ROW, ColumnRow, ColumnTreatment
from workbench.gui.workspaces.anonymise.columns import Columns
from workbench.session import Session
from workbench.session.release.assessment import PromiseAssessment

_LIMITS_ROW = PROBLEM_ROW + 1


class SyntacticRow(ColumnRow):
    """A column with the levels a search may choose for it, and the weight of its loss.

    Signals
    -------
    limits_chosen(str, int, int)
        The lowest and the highest level that may be chosen.
    weight_chosen(str, float)
        How much the loss of the column counts.
    """

    limits_chosen = Signal(str, int, int)
    weight_chosen = Signal(str, float)
    kept_is_risky = False

    def __init__(self, name: str, wheel: CalmWheel, parent: QWidget | None = None) -> None:
        super().__init__(name, wheel, parent)
        self.low = SpinBox(f"Lowest level of {name} for a search", 0, 1, 0)
        self.high = SpinBox(f"Highest level of {name} for a search", 0, 1, 1)
        self.weight = NumberField(f"Weight of {name}", minimum=0, step=0.5, value=1, compact=True)
        self.weight.edit.setMinimumWidth(tokens.COLUMN_MIN)
        self.low.valueChanged.connect(self._limit)
        self.high.valueChanged.connect(self._limit)
        self.weight.value_changed.connect(self._weigh)
        self._limits = boxes.boxed(
            boxes.row(
                label("Level", small=True, muted=True),
                self.low,
                label("–", muted=True),
                self.high,
                1,
                label("Weight", small=True, muted=True),
                self.weight,
                margins="0 xs 0 s",
                spacing="xs",
            )
        )
        # It must not push the fields of the row above out of their column.
        self._limits.setMinimumWidth(1)
        set_explain(self._limits, "anonymise.search_limits")
        self._grid.addWidget(self._limits, _LIMITS_ROW, 1, 1, 5)

    @property
    def controls(self) -> tuple[QWidget, ...]:
        return (*super().controls, self.low, self.high, self.weight.edit)

    def show_limits(self, limits: tuple[int, int] | None, height: int, weight: float) -> None:
        """Show what a search may choose, or nothing if there is nothing to choose."""
        self._limits.setVisible(limits is not None)
        if limits is None:
            return
        self._showing = True
        try:
            low, high = min(limits[0], height), min(limits[1], height)
            self.low.setRange(0, high)
            self.high.setRange(low, height)
            self.low.setValue(low)
            self.high.setValue(high)
            self.weight.follow(weight)
        finally:
            self._showing = False

    def show_named(self, model: str) -> None:
        """The column is what a model is about, so it is released as it is, whatever its treatment."""
        self.treatment.setEnabled(not model)
        if model:
            self.treatment.setCurrentIndex(self.treatment.findData(ColumnTreatment.KEEP))
            self.show_state(f"released as it is, for {model}")

    def _kept_tip(self) -> str:
        return "Released unchanged and not grouped: nobody protects its values."

    def _kept_words(self) -> str:
        return "released as it is, not grouped"

    def _limit(self, _level: int) -> None:
        if not self._showing:
            self.limits_chosen.emit(self.name, self.low.value(), self.high.value())

    def _weigh(self, weight: float) -> None:
        if not self._showing:
            self.weight_chosen.emit(self.name, weight)


class SyntacticColumns(Columns):
    """The columns, with limits and weights for the search if they are asked for."""

    row_type = SyntacticRow

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.set_title("Columns")
        self.details = QCheckBox("Limits and weights")
        self.details.setAccessibleName("Show limits of levels and weights for the search")
        self.details.setToolTip("Which levels a search may choose, and how much the loss of a column counts")
        self.details.toggled.connect(self._show_details)
        set_explain(self.details, "anonymise.search_limits")
        self.add_action(self.details)

    @property
    def valid(self) -> bool:
        """Whether every weight that can be seen is a number."""
        rows = [row for row in self.rows.values() if isinstance(row, SyntacticRow)]
        return all(row.weight.valid for row in rows if row.weight.isVisibleTo(self))

    def show_assessment(self, found: PromiseAssessment) -> None:
        super().show_assessment(found)
        question = self._document.project.anonymise.question
        if question.limits or question.weights:
            # What shapes the answer must not hide.
            self.details.setChecked(True)
            self.details.setEnabled(False)
        else:
            self.details.setEnabled(True)

    def _add_row(self, name: str, names: tuple[str, ...]) -> ColumnRow:
        row = super()._add_row(name, names)
        if isinstance(row, SyntacticRow):
            row.limits_chosen.connect(self._choose_limits)
            row.weight_chosen.connect(self._choose_weight)
        return row

    def _show_row(self, row: ColumnRow, session: Session, found: PromiseAssessment) -> None:
        super()._show_row(row, session, found)
        if not isinstance(row, SyntacticRow):
            return
        name, asked = row.name, session.project.anonymise.question
        models = [
            MODELS[choice.identifier].title
            for choice in asked.models
            if choice.identifier in MODELS and name in (choice.column, (choice.subset or ("",))[0])
        ]
        row.show_named(models[0] if models else "")
        hierarchy = session.project.hierarchies.get(name)
        free = (
            self.details.isChecked()
            and not models
            and hierarchy is not None
            and hierarchy.height > 0
            and session.release.columns.treatment(name) is Treatment.GENERALISE
        )
        height = hierarchy.height if hierarchy is not None else 0
        limits = asked.limits.get(name, (0, height)) if free else None
        row.show_limits(limits, height, asked.weights.get(name, 1.0))

    def _show_details(self, _shown: bool) -> None:
        self.show_assessment(self._found)

    def _choose_limits(self, name: str, low: int, high: int) -> None:
        self._document.apply(
            f"Limit the levels of {name}",
            lambda session: session.release.columns.set_level_limits(name, low, high),
            merge=f"limits.{name}",
        )

    def _choose_weight(self, name: str, weight: float) -> None:
        self._document.apply(
            f"Weigh {name}",
            lambda session: session.syntactic.set_weight(name, weight),
            merge=f"weight.{name}",
        )
