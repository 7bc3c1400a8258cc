"""The editor of priorities: which values stay, and how many of them at each level."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.specification_edits import Specification, with_details, with_parameter
from workbench.gui import tokens
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.parameter_fields import LABEL_WIDTH
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.buttons import quiet, tool
from workbench.gui.workspaces.hierarchies.forms.levels import read_sizes, sizes_text
from workbench.gui.workspaces.hierarchies.value_list import ValueList

_DEFAULT_KEPT = 10


class PriorityForm(BuilderForm):
    """The top values stay, the rest becomes one group."""

    first = ("by", "other", "declared")

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        self._frequent: tuple[str, ...] = ()
        self.keep = QLineEdit()
        self.keep.setFont(tabular_font())
        self.keep.setAccessibleName("How many values each level keeps")
        self.keep.setToolTip("One number a level, each smaller than the one before: 20, 10, 5.")
        self.keep.setPlaceholderText("20, 10, 5")
        self.keep.textEdited.connect(self._change_keep)
        self.list = ValueList("Values that stay, the most important first")
        self.list.values.move_requested.connect(self._move)
        self.list.step_requested.connect(self._step)
        self.list.remove_requested.connect(self._remove)
        self.up = tool("chevron-up", "Move up", "Alt+↑", self._step_up)
        self.down = tool("chevron-down", "Move down", "Alt+↓", self._step_down)
        self.remove = tool("remove", "Take out of the list", "Del", self._remove)
        self.fill = quiet("Take the most frequent", self._fill)
        self.fill.setToolTip("List the most frequent values of the data. The list is then made from this data.")
        self.new_value = QLineEdit()
        self.new_value.setPlaceholderText("Another value")
        self.new_value.setAccessibleName("A value to add to the list")
        self.new_value.returnPressed.connect(self._add)
        self.add_value = quiet("Add", self._add)
        self.add_value.setAccessibleName("Add the value to the list")
        levels = Section("Levels")
        row = QHBoxLayout()
        row.setSpacing(tokens.SPACE_M)
        head = label("Values kept a level")
        head.setBuddy(self.keep)
        head.setFixedWidth(LABEL_WIDTH)
        row.addWidget(head)
        row.addWidget(self.keep, 1)
        levels.add(row)
        self._listed = Section("Values that stay", "The most important first. Drag, or use Alt+↑ ↓.")
        set_explain(self._listed, "hierarchies.by_hand")
        self._listed.add(self.list)
        buttons = boxes.row(self.up, self.down, self.remove, 1, self.fill, spacing="xs")
        self._listed.add(buttons)
        adding = boxes.row((self.new_value, 1), self.add_value, spacing="xs")
        self._listed.add(adding)
        self.add(levels)
        self.add(self._listed)

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        details = specification["details"]
        keep = details.get("keep", _DEFAULT_KEPT)
        if read_sizes(self.keep.text()) != (keep if isinstance(keep, int) or len(keep) > 1 else keep[0]):
            self.keep.setText(sizes_text(keep))
        set_look(self.keep, invalid=False)
        by_hand = specification["parameters"]["by"] == "hand"
        self.above.set_shown("declared", by_hand)
        self._listed.setVisible(by_hand)
        self.list.values.show(tuple(details.get("values", ())))

    def show_preview(self, preview: HierarchyPreview) -> None:
        self._frequent = preview.values
        self.fill.setEnabled(bool(preview.values))

    def show_error(self, error: WorkbenchError | None) -> None:
        super().show_error(error)
        set_look(self.keep, invalid=error is not None and error.field == "keep")

    def _change_parameter(self, name: str, value: object) -> None:
        fresh = with_parameter(self.specification, name, value)
        if (name, value) == ("by", "hand") and not fresh["details"].get("values") and self._frequent:
            fresh = with_parameter(with_details(fresh, values=self._most_frequent()), "declared", False)
            self.change(fresh, "List the values that stay")
        else:
            super()._change_parameter(name, value)

    def _change_keep(self, text: str) -> None:
        keep = read_sizes(text)
        set_look(self.keep, invalid=keep is None)
        if keep is not None:
            self.change_details(
                "Change how many values stay", "priority.keep", keep=[keep] if isinstance(keep, int) else keep
            )

    @property
    def _values(self) -> list[str]:
        return list(self.specification["details"].get("values", ()))

    def _most_frequent(self) -> list[str]:
        keep = self.specification["details"].get("keep", _DEFAULT_KEPT)
        return list(self._frequent[: keep if isinstance(keep, int) else keep[0]])

    def _fill(self) -> None:
        fresh = with_details(self.specification, values=self._most_frequent())
        self.change(with_parameter(fresh, "declared", False), "List the most frequent values")

    def _move(self, rows: list[int], before: int) -> None:
        values = self._values
        moved = [values[row] for row in rows]
        rest = [value for row, value in enumerate(values) if row not in set(rows)]
        place = before - sum(row < before for row in rows)
        self._change_values([*rest[:place], *moved, *rest[place:]], "Move values")
        self.list.select_rows(place, place + len(rows) - 1)

    def _step(self, down: bool) -> None:
        rows = self.list.selected_rows
        if not rows or (down and rows[-1] + 1 >= len(self._values)) or (not down and not rows[0]):
            return
        self._move(rows, rows[-1] + 2 if down else rows[0] - 1)

    def _step_up(self) -> None:
        self._step(False)

    def _step_down(self) -> None:
        self._step(True)

    def _remove(self) -> None:
        rows = set(self.list.selected_rows)
        if rows:
            rest = [value for row, value in enumerate(self._values) if row not in rows]
            self._change_values(rest, "Take values out of the list")

    def _add(self) -> None:
        value, values = self.new_value.text(), self._values
        if value and value not in values:
            self.new_value.clear()
            self._change_values([*values, value], f"Add “{value}” to the list")
            self.list.select_rows(len(values), len(values))

    def _change_values(self, values: list[str], text: str) -> None:
        self.change_details(text, values=values)
