"""The editor of masking."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.specification_edits import Specification
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.example import Example


class MaskingForm(BuilderForm):
    """Characters replaced one after the other, with one value as an example."""

    first = ("length", "side", "align", "mask", "pad", "step", "levels")

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        self.above.set_zero_word("length", "longest of the data")
        self.above.set_zero_word("levels", "until nothing is left")
        self.example = Example()
        self.add(self.example)

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        self.above.set_shown("pad", specification["parameters"]["align"] != "none")

    def show_preview(self, preview: HierarchyPreview) -> None:
        self.example.show_hierarchy(preview.hierarchy)
