"""Of what a published figure is made: the shipped sample or the user's own column, and its parameters."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from workbench.evaluate.preset import Preset
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.parameter_fields import ParameterFields
from workbench.gui.workspaces.compare.figure_data import FigureData

Made = tuple[str, str, dict[str, Any]]
"""Material of a figure: the data, the column, and the parameters that were changed."""


class PresetForm(QObject):
    """Two widgets that belong together: `data` to choose from, and `settings` with the parameters.

    Signals
    -------
    changed()
        Something else is chosen, or a field holds no number any more.
    """

    changed = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._preset: Preset | None = None
        self._values: dict[str, Any] = {}
        self.data = FigureData(document)
        self.data.activated.connect(self._choose_data)
        self.fields: ParameterFields | None = None
        self._nothing = label("There is nothing to set.")
        set_look(self._nothing, muted=True)
        self.settings = QWidget()
        self._layout = boxes.column(self._nothing, 1, margins="0 s 0 0", inside=self.settings)

    @property
    def valid(self) -> bool:
        """Whether every field shows the value that is in force."""
        return self.fields is None or self.fields.valid

    @property
    def column(self) -> str:
        """The column of the open data, "" for the shipped sample."""
        return self.data.column

    def now(self) -> Made:
        """Material of a run that starts now."""
        key = self._document.session.data.fingerprint if self.column and self._document.has_data else ""
        return key, self.column, dict(self._values)

    def show_preset(self, preset: Preset, made: Made | None) -> None:
        """Offer what a preset can be made of; as it was `made` the last time, if it was."""
        self._preset = preset
        if self.fields is not None:
            self.fields.retire()
            self.fields = None
        if preset.params:
            self.fields = ParameterFields(preset.params)
            self.fields.changed.connect(self._set_value)
            self.fields.validity_changed.connect(self.changed)
            self.fields.setMaximumWidth(tokens.EMPTY_TEXT_WIDTH)
            self._layout.insertWidget(0, self.fields)
        self._nothing.setVisible(not preset.params)
        self._values = {}
        self.refresh()
        if made is not None and self.data.findData(made[1]) >= 0:
            self.data.choose(made[1])
            self._values = dict(made[2])
        self._show_values()

    def refresh(self) -> None:
        """Offer the columns as they are now."""
        preset = self._preset
        if preset is not None:
            self.data.offer(preset.needs, preset.sample, self.data.column)

    def _show_values(self) -> None:
        if self.fields is not None:
            self.fields.show_values({**self._usual(), **self._values})

    def _usual(self) -> dict[str, Any]:
        """The values without a change of the person's."""
        if self._preset is None:
            return {}
        usual = {spec.name: spec.default for spec in self._preset.params}
        return usual if self.column else {**usual, **self._preset.sample_values}

    def _choose_data(self, _row: int) -> None:
        # What was typed about one column says nothing about another.
        self._values = {}
        self._show_values()
        self.changed.emit()

    def _set_value(self, name: str, value: object) -> None:
        self._values[name] = value
        if self._usual().get(name) == value:
            del self._values[name]
        self.changed.emit()
