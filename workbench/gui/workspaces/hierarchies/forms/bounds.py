"""The two ends of a line: values that share one label, and values that are refused."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.parameter_fields import LABEL_WIDTH

LOWEST, HIGHEST = "lowest", "highest"
_ENTRIES = ("coding", "label", "error")
_INCLUDED = "included"
_STAYS = "High end in the last interval"
_ABOUT = "The high end itself belongs to the interval below it, as 100 to 90 to 100, and not to the group beyond."

Entry = Mapping[str, Any]


class LineEndsEditor(QWidget):
    """The two ends of a line of numbers or dates.

    Signals
    -------
    changed(str, object)
        The end ("lowest" or "highest") and its entry as the person wants it.
    """

    changed = Signal(str, object)

    def __init__(self, *, dates: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: dict[str, dict[str, Any]] = {LOWEST: {}, HIGHEST: {}}
        self.fields: dict[tuple[str, str], NumberField | QLineEdit] = {}
        set_explain(self, "hierarchies.bounds")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(tokens.SPACE_S)
        grid.setVerticalSpacing(tokens.SPACE_S)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(2, 1)
        ends = {LOWEST: "Low end", HIGHEST: "High end"}
        words = {
            "coding": "One group beyond",
            "label": "which is called",
            "error": "Refused beyond",
        }
        tips = {
            "coding": "All values beyond this share one label, at every level.",
            "label": "The label of that group; empty for one such as <18.",
            "error": "A value beyond this is an error: nothing is built until it is corrected.",
        }
        for column, title in enumerate(ends.values(), start=1):
            grid.addWidget(label(title, muted=True, small=True), 0, column)
        for row, entry in enumerate(_ENTRIES, start=1):
            head = label(words[entry], wrap=True)
            head.setFixedWidth(LABEL_WIDTH)
            head.setToolTip(tips[entry])
            grid.addWidget(head, row, 0)
            for column, (side, title) in enumerate(ends.items(), start=1):
                name = f"{title}: {words[entry]}"
                field = self._field(side, entry, name, dates=dates)
                field.setToolTip(tips[entry])
                self.fields[side, entry] = field
                grid.addWidget(field, row, column)
        self.included = QCheckBox(_STAYS, self)
        self.included.setAccessibleName(_STAYS)
        self.included.setToolTip(_ABOUT)
        self.included.toggled.connect(self._include)
        self.included.setVisible(not dates)
        if not dates:  # which begin a group of their own with the bound
            grid.addWidget(self.included, len(_ENTRIES) + 1, 0, 1, 3)

    def _field(self, side: str, entry: str, name: str, *, dates: bool) -> NumberField | QLineEdit:
        change = partial(self._change, side, entry)
        if entry == "label" or dates:
            edit = QLineEdit()
            edit.setAccessibleName(name)
            edit.setMinimumWidth(tokens.COLUMN_MIN)
            if entry != "label":
                edit.setPlaceholderText("2024-12-31")
            edit.textEdited.connect(change)
            return edit
        field = NumberField(name, optional=True, compact=True)
        field.edit.setMinimumWidth(tokens.COLUMN_MIN)
        field.value_changed.connect(change)
        field.cleared.connect(partial(self._change, side, entry, None))
        return field

    def show_entries(self, lowest: Entry, highest: Entry) -> None:
        """Show what the two ends say."""
        for side, found in ((LOWEST, lowest), (HIGHEST, highest)):
            self._entries[side] = dict(found)
            for entry in _ENTRIES:
                field, value = self.fields[side, entry], found.get(entry)
                blocked = field.blockSignals(True)
                if isinstance(field, NumberField):
                    if field.value != value:
                        field.set_value(value)
                elif field.text() != (value or ""):
                    field.setText(value or "")
                field.blockSignals(blocked)
        blocked = self.included.blockSignals(True)
        self.included.setChecked(bool(highest.get(_INCLUDED)))
        self.included.setEnabled(highest.get("coding") is not None)
        self.included.blockSignals(blocked)

    def mark(self, side: str, message: str) -> None:
        """Mark the bounds of an end as wrong, and nothing else; with "" nothing is."""
        for (known, entry), field in self.fields.items():
            wrong = known == side and entry != "label" and entry in self._entries[known]
            if isinstance(field, QLineEdit):
                set_look(field, invalid=wrong)
            elif wrong:
                field.set_error(message)
            elif field.value is not None:
                field.set_error("")

    @property
    def used(self) -> bool:
        """Whether any bound is set."""
        return any(entry in self._entries[side] for side in self._entries for entry in ("coding", "error"))

    def _include(self, included: bool) -> None:
        end = {name: given for name, given in self._entries[HIGHEST].items() if name != _INCLUDED}
        self._entries[HIGHEST] = end | ({_INCLUDED: True} if included else {})
        self.changed.emit(HIGHEST, dict(self._entries[HIGHEST]))

    def _change(self, side: str, entry: str, value: float | str | None) -> None:
        found = {**self._entries[side], entry: value}
        self._entries[side] = {name: given for name, given in found.items() if given not in (None, "")}
        self.changed.emit(side, dict(self._entries[side]))
