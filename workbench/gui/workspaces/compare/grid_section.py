"""The grid of an experiment: the axis of the chart, the fixed values, and the repetitions."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import typed
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.experiment_edits import USUAL_PLACES
from workbench.evaluate.places import Density, density_of, lattice, parse_places
from workbench.evaluate.question import Statistic
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import amount_field
from workbench.gui.widgets.bound_form import BoundForm
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.form_grid import form_grid
from workbench.gui.widgets.inputs import LongLine
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.compare.draft import ExperimentDraft


class GridSection(Section):
    """Axis, range, ε, repetitions and seed."""

    def __init__(self, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._draft = draft
        self._shown_for = -1
        self.form = BoundForm("compare", lambda: draft.experiment or Experiment(), "range", parent=self)
        self.form.edited.connect(self._edit)
        self.axis, self.epsilon, self.repetitions = (self.form[one] for one in ("axis", "epsilon", "repetitions"))
        self.seed = self.form["seed"]
        self.low = self._number("From")
        self.high = self._number("To")
        for field in (self.low, self.high):
            field.committed.connect(self._set_range)
        self.density = ElidingComboBox(
            "How close the points lie",
            [
                ("few: 1, 2, 5", Density.FEW),
                ("some: 1, 1.5, 2, 3, 5, 7", Density.SOME),
                ("many", Density.MANY),
                ("as typed", Density.OWN),
            ],
        )
        self.density.activated.connect(self._choose_density)
        self.places = LongLine()
        self.places.setAccessibleName("Places on the axis")
        self.places.editingFinished.connect(self._set_places)
        self._lay_out()
        set_explain(self, "compare.range")

    def _number(self, name: str) -> NumberField:
        return amount_field(name, value=1.0)

    def _lay_out(self) -> None:
        ends = boxes.boxed(boxes.row((self.low, 1), label("to", muted=True), (self.high, 1), spacing="xs"))
        grid = form_grid()
        grid.setColumnMinimumWidth(0, tokens.COLUMN_MIN + tokens.SPACE_M)
        self.form.grid([name for name in self.form.fields if name != "axis"], grid, squeezed=True)
        for title, field in (("From", ends), ("Points", self.density), ("", self.places)):
            field.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            row = grid.rowCount()
            grid.addWidget(label(title), row, 0)
            grid.addWidget(field, row, 1)
        self.form.grid(("axis",), grid, squeezed=True)
        for number in (self.low, self.high, self.epsilon, self.repetitions, self.seed):
            number.edit.setMinimumWidth(0)
        self.add(grid)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.low.valid and self.high.valid and self.form.valid

    def refresh(self, experiment: Experiment) -> None:
        """Show the grid of an experiment."""
        axis = experiment.axis
        if self._draft.index != self._shown_for:
            self._shown_for = self._draft.index
            self._draft.places = dict(USUAL_PLACES)
        self._draft.places[axis] = experiment.places
        offered = [one for one in Axis if one is not Axis.BINS or experiment.question.statistic is not Statistic.COUNT]
        self.form.offer("axis", [(one.words, one) for one in offered])
        self.form.refresh()
        self.low.follow(experiment.places[0])
        self.high.follow(experiment.places[-1])
        self.density.choose(density_of(experiment.places, axis))
        if not self.places.hasFocus() or not self.places.isModified():
            self.places.setText(", ".join(map(typed, experiment.places)))
            self.places.setCursorPosition(0)
            self.places.setToolTip(self.places.text())
        self.form.set_shown("epsilon", axis is not Axis.EPSILON)

    # Editing

    def _edit(self, name: str, value: Any, words: str, merge: str) -> None:
        if name == "axis":
            self._draft.change_axis(value, self._draft.places[value])
        else:
            self._draft.change(words, merge=merge, **{name: value})

    def _set_range(self, _value: float) -> None:
        low, high = self.low.value, self.high.value
        if low is not None and high is not None:
            self._fill(low, high, Density(str(self.density.chosen)))

    def _choose_density(self, _row: int) -> None:
        experiment, density = self._draft.experiment, Density(str(self.density.chosen))
        if density is Density.OWN:
            self.places.setFocus()
            self.places.selectAll()
        elif experiment is not None:
            self._fill(experiment.places[0], experiment.places[-1], density)

    def _fill(self, low: float, high: float, density: Density) -> None:
        experiment = self._draft.experiment
        if experiment is None or (low, high, density) == (
            experiment.places[0],
            experiment.places[-1],
            density_of(experiment.places, experiment.axis),
        ):
            return
        try:
            if density is Density.OWN:
                density = Density.FEW
            places = lattice(low, high, density, experiment.axis)
        except WorkbenchError as error:
            self._draft.refused.emit(error)
            return
        self._draft.change("Change the range", places=places)

    def _set_places(self) -> None:
        if not self.places.isModified():
            return
        self.places.setModified(False)
        try:
            places = parse_places(self.places.text())
        except WorkbenchError as error:
            self._draft.refused.emit(error)
            return
        self._draft.change("Change the points", places=places)
