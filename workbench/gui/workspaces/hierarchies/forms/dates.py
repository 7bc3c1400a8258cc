"""The editor of dates: which calendar unit each level is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QGridLayout, QLabel, QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy_preview import ColumnMaterial
from workbench.core.moments import UNITS, is_coarser, unit_label, unit_numbers, unit_title
from workbench.core.schema import Kind
from workbench.core.specification_edits import Specification
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.disclosure import Disclosure
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.remove_button import RemoveButton
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.bounds import HIGHEST, LOWEST, LineEndsEditor

OWN = "own"

_EXAMPLE = np.array([1_715_783_445], dtype=np.int64)  # 15 May 2024, 14:30:45


def unit_word(unit: str) -> str:
    """Name of a calendar unit."""
    return "Own format" if unit == OWN else unit_title(unit)


def unit_example(unit: str) -> str:
    """How a day in May 2024 is labelled by a unit."""
    return unit_label(int(unit_numbers(_EXAMPLE, unit)[0]), unit)


class UnitsEditor(QWidget):
    """One calendar unit a level, each coarser than the one before.

    Signals
    -------
    changed(object, str, str)
        The entries of the levels, what undo calls the change, and the key to merge it by.
    """

    changed = Signal(object, str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: list[dict[str, Any]] = []
        self.units: list[ElidingComboBox] = []
        self.formats: list[QLineEdit] = []
        self._examples: list[QLabel] = []
        self._widgets: list[tuple[QWidget, ...]] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_S)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(2, 1)
        self.add = push_button("Add level", self._add_level, name="Add level", icon=icon("add", "link"), quiet=True)
        boxes.column(self._grid, (self.add, Qt.AlignmentFlag.AlignLeft), spacing="xs", inside=self)

    def show_entries(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Show the levels; a unit that cannot follow the one before cannot be chosen."""
        self._entries = [dict(entry) for entry in entries]
        self._fit(len(self._entries))
        before = ""
        for number, entry in enumerate(self._entries):
            unit = str(entry.get("unit", ""))
            combo, edit = self.units[number], self.formats[number]
            self._allow(combo, before)
            combo.choose(unit)
            own = unit == OWN
            edit.setVisible(own)
            self._examples[number].setVisible(not own)
            if own and edit.text() != entry.get("format", ""):
                edit.setText(str(entry.get("format", "")))
            elif not own:
                self._examples[number].setText(f"such as {unit_example(unit)}")
            before = unit
        self.add.setEnabled(bool(self._next_units()))
        self.add.setToolTip("" if self.add.isEnabled() else "No unit is coarser than the last.")

    def mark(self, message: str) -> None:
        """Say what is wrong with an own format; with "" nothing is."""
        for edit in self.formats:
            set_look(edit, invalid=bool(message))
            edit.setToolTip(message or self._format_help())

    def _fit(self, count: int) -> None:
        while len(self._widgets) > count:
            for widget in self._widgets.pop():
                self._grid.removeWidget(widget)
                widget.hide()
                widget.deleteLater()
            for kept in (self.units, self.formats, self._examples):
                kept.pop()
        while len(self._widgets) < count:
            row = len(self._widgets)
            number = label(str(row + 1), muted=True)
            number.setMinimumWidth(tokens.SPACE_L)
            combo = ElidingComboBox(
                f"Level {row + 1}: calendar unit",
                [(unit_word(unit), unit) for unit in (*UNITS, OWN)],
            )
            combo.activated.connect(self._change_unit)
            edit = QLineEdit()
            edit.setFont(tabular_font())
            edit.setAccessibleName(f"Level {row + 1}: format")
            edit.setToolTip(self._format_help())
            edit.setMinimumWidth(tokens.COLUMN_MIN)
            edit.textEdited.connect(self._change_format)
            remove = RemoveButton(f"Remove level {row + 1}", picture="close")
            remove.clicked.connect(self._remove)
            example = label(muted=True)
            widgets: tuple[QWidget, ...] = (number, combo, example, edit, remove)
            for column, widget in zip((0, 1, 2, 2, 3), widgets, strict=True):
                self._grid.addWidget(widget, row, column)
            self.units.append(combo)
            self.formats.append(edit)
            self._examples.append(example)
            self._widgets.append(widgets)
        for widgets in self._widgets:
            widgets[-1].setEnabled(count > 1)

    def _format_help(self) -> str:
        return "Parts of a date: %Y year, %m month, %d day, %q quarter, %V week, %B month's name, %H hour, …"

    def _allow(self, combo: ElidingComboBox, before: str) -> None:
        model = combo.model()
        if not isinstance(model, QStandardItemModel):
            return
        for row in range(combo.count()):
            unit = str(combo.itemData(row))
            fits = not before or OWN in (unit, before) or (unit != before and is_coarser(unit, before))
            model.item(row).setEnabled(fits)

    def _next_units(self) -> list[str]:
        last = str(self._entries[-1].get("unit", "")) if self._entries else ""
        if last in ("", OWN):
            return ["year"]
        return [unit for unit in UNITS if unit != last and is_coarser(unit, last)]

    def _change_unit(self, _index: int) -> None:
        combo = self.sender()
        if not isinstance(combo, ElidingComboBox):
            return
        place, unit = self.units.index(combo), str(combo.chosen)
        self._entries[place] = {"unit": unit, "format": "%Y-%m"} if unit == OWN else {"unit": unit}
        # What follows must be coarser still; what no longer is goes, and undo brings it back.
        kept = self._entries[: place + 1]
        for entry in self._entries[place + 1 :]:
            last, following = str(kept[-1]["unit"]), str(entry.get("unit", ""))
            if OWN in (last, following) or (following != last and is_coarser(following, last)):
                kept.append(entry)
        self._entries = kept
        self._tell(f"Change level {place + 1}")

    def _change_format(self, text: str) -> None:
        edit = self.sender()
        if isinstance(edit, QLineEdit):
            place = self.formats.index(edit)
            self._entries[place] = {"unit": OWN, "format": text}
            self._tell(f"Change the format of level {place + 1}", f"dates.format.{place}")

    def _add_level(self) -> None:
        self._entries = [*self._entries, {"unit": self._next_units()[0]}]
        self._tell(f"Add level {len(self._entries)}")
        if self.units:
            self.units[-1].setFocus()

    def _remove(self) -> None:
        button = self.sender()
        for place, widgets in enumerate(self._widgets):
            if widgets[-1] is button:
                self._entries = [*self._entries[:place], *self._entries[place + 1 :]]
                self._tell(f"Remove level {place + 1}")
                return

    def _tell(self, text: str, merge: str = "") -> None:
        self.changed.emit([dict(entry) for entry in self._entries], text, merge)


class DatesForm(BuilderForm):
    """Dates and times into calendar units."""

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        self.units = UnitsEditor()
        self.units.changed.connect(self._change_levels)
        levels = Section("Levels")
        levels.add(self.units)
        self.bounds = LineEndsEditor(dates=True)
        self.bounds.changed.connect(self._change_bound)
        self.beyond = Disclosure("Very early and very late dates", self.bounds)
        self.add(levels)
        self.add(self.beyond)
        self._opened = False

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        details = specification["details"]
        self.units.show_entries(details.get("levels") or [])
        self.bounds.show_entries(details.get("lowest") or {}, details.get("highest") or {})
        # Only a moment that says its own zone can be told by other clocks.
        self.below.set_shown("zone", source.spec.kind is Kind.DATETIME or bool(specification["parameters"]["zone"]))
        if self.bounds.used and not self._opened:
            self._opened = True
            self.beyond.set_open(True)

    def show_error(self, error: WorkbenchError | None) -> None:
        super().show_error(error)
        field, message = (error.field, error.message) if error is not None else ("", "")
        self.units.mark(message if field == "format" else "")
        # A bound that is no date is told with the name of its entry; the message says which end it is of.
        side = next((end for end in (LOWEST, HIGHEST) if field == end or f"“{end}”" in message), "")
        self.bounds.mark(side, message)
        if side:
            self.beyond.set_open(True)

    def _change_levels(self, levels: list[dict[str, Any]], text: str, merge: str) -> None:
        self.change_details(text, merge, levels=levels)

    def _change_bound(self, side: str, entry: dict[str, Any]) -> None:
        self.change_details("Change a bound", f"dates.{side}", **{side: entry})
