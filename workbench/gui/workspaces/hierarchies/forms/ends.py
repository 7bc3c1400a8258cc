"""The editor of top and bottom coding."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.specification_edits import Specification
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.example import Example

_STEPS = "steps"


class EndsForm(BuilderForm):
    """The two bounds and the levels between them, with one value as an example."""

    first = ("low", "low_end", "low_label", "high", "high_end", "high_label", _STEPS)

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        for side in ("low", "high"):
            self.above.set_placeholder(side, "no bound")
        self.example = Example()
        self.add(self.example)

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        parameters = specification["parameters"]
        for side in ("low", "high"):
            # Without a bound there is nothing to say about it.
            for name in (f"{side}_end", f"{side}_label"):
                self.above.set_shown(name, bool(parameters[side].strip()))
        dates = source.spec.kind.temporal
        self.above.set_placeholder(_STEPS, "month year decade" if dates else "5 10 20")

    def show_preview(self, preview: HierarchyPreview) -> None:
        self.example.show_hierarchy(preview.hierarchy)
