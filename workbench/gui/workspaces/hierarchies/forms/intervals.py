"""The editor of intervals: where they lie, how they join, and what they are called."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy_preview import ColumnMaterial
from workbench.core.level_words import first_groups
from workbench.core.specification_edits import Specification, with_parameter
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.parameter_fields import LABEL_WIDTH
from workbench.gui.widgets.remove_button import RemoveButton
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.bounds import LineEndsEditor
from workbench.gui.workspaces.hierarchies.forms.levels import LevelsEditor

_MOST_ROWS = 200


class BaseIntervals(QWidget):
    """Intervals that follow each other: where the first begins, and where each ends.

    Signals
    -------
    changed(object)
        The list of intervals, each with "from" and "to"; sent only while all of them are numbers.
    """

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._edges: list[float] = [0.0, 1.0]
        self.start = self._field("The first interval begins at")
        self.ends: list[NumberField] = []
        self._removers: list[RemoveButton] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_S)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnMinimumWidth(0, LABEL_WIDTH)
        self._grid.addWidget(label("From"), 0, 0)
        self._grid.addWidget(self.start, 0, 1)
        self.add = push_button(
            "Add interval", self._add, name="Add a base interval", icon=icon("add", "link"), quiet=True
        )
        boxes.column(self._grid, (self.add, Qt.AlignmentFlag.AlignLeft), spacing="xs", inside=self)

    def show_intervals(self, intervals: list[dict[str, Any]]) -> None:
        """Show the intervals of a specification."""
        edges = [float(intervals[0]["from"])] if intervals else [0.0]
        edges += [float(interval["to"]) for interval in intervals] or [edges[0] + 1.0]
        self._edges = edges
        self._fit(min(len(edges) - 1, _MOST_ROWS))
        for field, edge in zip([self.start, *self.ends], edges, strict=False):
            blocked = field.blockSignals(True)
            if field.value != edge:
                field.set_value(edge)
            field.blockSignals(blocked)
        self.add.setEnabled(len(edges) <= _MOST_ROWS)

    def mark(self, message: str) -> None:
        """Say what is wrong with the intervals; with "" nothing is."""
        for field in [self.start, *self.ends]:
            if field.value is not None:
                field.set_error(message)

    def _fit(self, count: int) -> None:
        while len(self.ends) > count:
            for widget in (self.ends.pop(), self._removers.pop()):
                self._grid.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
        while len(self.ends) < count:
            number = len(self.ends) + 1
            field = self._field(f"Interval {number} ends at")
            remover = RemoveButton(f"Remove interval {number}", picture="close")
            remover.clicked.connect(self._remove)
            if number == 1:
                self._grid.addWidget(label("To"), number, 0)
            self._grid.addWidget(field, number, 1)
            self._grid.addWidget(remover, number, 2)
            self.ends.append(field)
            self._removers.append(remover)
        for other in self._removers:
            other.setVisible(count > 1)

    def _field(self, name: str) -> NumberField:
        field = NumberField(name, compact=True)
        field.edit.setMinimumWidth(tokens.COLUMN_MIN)
        field.value_changed.connect(self._read)
        return field

    def _read(self, _value: float = 0.0) -> None:
        values = [field.value for field in [self.start, *self.ends]]
        if None not in values:
            self._edges[: len(values)] = [value for value in values if value is not None]
            self._tell()

    def _add(self) -> None:
        self._edges.append(2 * self._edges[-1] - self._edges[-2])
        self._tell()
        self.ends[-1].setFocus()

    def _remove(self) -> None:
        remover = self.sender()
        if isinstance(remover, RemoveButton):
            del self._edges[self._removers.index(remover) + 1]
            self._tell()

    def _tell(self) -> None:
        pairs = zip(self._edges, self._edges[1:], strict=False)
        self.changed.emit([{"from": low, "to": high} for low, high in pairs])


class IntervalsForm(BuilderForm):
    """Numbers into intervals."""

    first = ("source", "number")
    hidden = ("repeat",)

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        repeat = next(spec for spec in self.builder.parameters if spec.name == "repeat")
        self.base = BaseIntervals()
        self.base.changed.connect(self._change_base)
        self.repeat = QCheckBox("Repeat below and above")
        self.repeat.setAccessibleName("Repeat the base intervals below and above")
        self.repeat.setToolTip(repeat.help)
        self.repeat.toggled.connect(self._change_repeat)
        self._base = Section("Base intervals")
        self._base.add(self.base)
        self._base.add(self.repeat)
        self.levels = LevelsEditor(of_intervals=True)
        self.levels.changed.connect(self._change_levels)
        levels = Section("Levels")
        levels.add(self.levels)
        self.bounds = LineEndsEditor()
        self.bounds.changed.connect(self._change_bound)
        self.beyond = Disclosure("Very low and very high values", self.bounds)
        self.add(self._base)
        self.add(levels)
        self.add(self.beyond)
        self._opened = False

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        parameters, details = specification["parameters"], specification["details"]
        observed = parameters["source"] == "observed"
        self._base.setVisible(not observed)
        self.above.set_shown("number", observed)
        self.below.set_shown("list_all", not observed)
        self.base.show_intervals(details.get("intervals", []))
        blocked = self.repeat.blockSignals(True)
        self.repeat.setChecked(parameters["repeat"])
        self.repeat.blockSignals(blocked)
        entries = details.get("levels") or [{"group": 1, "function": "interval"}]
        self.levels.show_entries(entries, () if observed else first_groups(specification))
        self.bounds.show_entries(details.get("lowest") or {}, details.get("highest") or {})
        if self.bounds.used and not self._opened:
            self._opened = True
            self.beyond.set_open(True)

    def show_error(self, error: WorkbenchError | None) -> None:
        super().show_error(error)
        field, message = (error.field, error.message) if error is not None else ("", "")
        self.bounds.mark(field if field in ("lowest", "highest") else "", message)
        self.base.mark(message if field == "intervals" else "")
        if field in ("lowest", "highest"):
            self.beyond.set_open(True)

    def _change_base(self, intervals: list[dict[str, float]]) -> None:
        self.change_details("Change the base intervals", "intervals.base", intervals=intervals)

    def _change_repeat(self, repeat: bool) -> None:
        self.change(
            with_parameter(self.specification, "repeat", repeat),
            "Repeat the base intervals" if repeat else "Do not repeat the base intervals",
        )

    def _change_levels(self, levels: list[dict[str, Any]], text: str, merge: str) -> None:
        self.change_details(text, f"intervals.{merge}" if merge else "", levels=levels)

    def _change_bound(self, side: str, entry: dict[str, Any]) -> None:
        self.change_details("Change a bound", f"intervals.{side}", **{side: entry})
