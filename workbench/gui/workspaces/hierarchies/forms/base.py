"""The base of every builder's editor."""

from __future__ import annotations

from typing import ClassVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from workbench.core.building import BUILDERS, COMMON, Builder
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.params import ParamSpec
from workbench.core.specification_edits import Specification, with_details, with_parameter
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.parameter_fields import ParameterFields


class BuilderForm(QWidget):
    """Shows a specification and says what the person wants it to be.

    Subclasses put their widgets into `body` and override `show_specification`. They keep nothing that is not in the
    specification, so that undo, re-opening and the library need no word with them.

    Signals
    -------
    edited(object, str, str)
        The new specification, what undo calls the change, and a key under which consecutive ones are one step.
    """

    edited = Signal(object, str, str)

    first: ClassVar[tuple[str, ...]] = ()
    """Parameters shown above the body; the others follow below it."""

    hidden: ClassVar[tuple[str, ...]] = ()
    """Parameters the subclass shows in its own way."""

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.builder: Builder = BUILDERS[builder]
        self.specification: Specification = {}
        set_explain(self, f"hierarchies.{builder}")
        own = tuple(spec for spec in self.builder.parameters if spec.name not in self.hidden)
        self.above = self._make_parameters([spec for spec in own if spec.name in self.first])
        self.below = self._make_parameters([spec for spec in own if spec.name not in self.first])
        self.common = self._make_parameters(COMMON)
        self.common.set_placeholder("missing_label", "an empty label")
        set_explain(self.common, "hierarchies.common")
        self.body = QVBoxLayout()
        self.body.setSpacing(tokens.SPACE_L)
        layout = boxes.column(spacing="l", inside=self)
        for form in (self.above, self.below):
            form.setVisible(bool(form.fields))
        layout.addWidget(self.above)
        layout.addLayout(self.body)
        layout.addWidget(self.below)
        layout.addWidget(self.common)
        layout.addStretch(1)

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        """Show what a draft says, over the values of a column."""
        self.specification = specification
        values = {spec.name: spec.default for spec in self.builder.all_parameters} | specification["parameters"]
        for form in self._parameters():
            form.show_values(values)

    def show_preview(self, preview: HierarchyPreview) -> None:
        """Take in what came out of it, where the editor shows that too."""

    def show_error(self, error: WorkbenchError | None) -> None:
        """Mark the field an error is about."""
        for form in self._parameters():
            form.mark(error.field if error is not None else "", error.message if error is not None else "")

    def add(self, item: QWidget | QLayout) -> None:
        """Put a part below what the body already holds."""
        if isinstance(item, QWidget):
            self.body.addWidget(item)
        else:
            self.body.addLayout(item)

    def change_details(self, text: str, merge: str = "", **entries: object) -> None:
        """Change entries of the details; None takes one away."""
        self.change(with_details(self.specification, **entries), text, merge)

    def change(self, specification: Specification, text: str, merge: str = "") -> None:
        """Announce another specification."""
        self.specification = specification
        self.edited.emit(specification, text, merge)

    def _parameters(self) -> tuple[ParameterFields, ...]:
        return (self.above, self.below, self.common)

    def _make_parameters(self, specs: tuple[ParamSpec, ...] | list[ParamSpec]) -> ParameterFields:
        form = ParameterFields(specs, ample=True, parent=self)
        form.changed.connect(self._change_parameter)
        return form

    def _change_parameter(self, name: str, value: object) -> None:
        title = next(spec.title for spec in self.builder.all_parameters if spec.name == name)
        merge = f"{self.builder.identifier}.{name}" if not isinstance(value, bool) else ""
        self.change(with_parameter(self.specification, name, value), f"Change “{title}”", merge)
