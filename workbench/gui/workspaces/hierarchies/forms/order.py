"""The editor of orders: what comes after what, and which neighbours are joined, by numbers or by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.order_edits import Grouping
from workbench.core.specification_edits import Specification, with_details, with_parameter
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.buttons import quiet, tool
from workbench.gui.workspaces.hierarchies.forms.levels import LevelsEditor
from workbench.gui.workspaces.hierarchies.value_list import ValueList

_DEFAULT_SIZE = 2


class OrderForm(BuilderForm):
    """Values in an order, neighbours joined."""

    first = ("order", "descending", "declared")

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        self._grouping: Grouping | None = None
        self._sequence: tuple[str, ...] = ()
        self._tied = False
        self.levels = LevelsEditor(of_intervals=False)
        self.levels.changed.connect(self._change_levels)
        levels = Section("Levels")
        levels.add(self.levels)
        self.level = ElidingComboBox("Level whose groups are changed by hand")
        self.level.activated.connect(self._show_items)
        self.list = ValueList("Values in their order")
        self.list.values.move_requested.connect(self._move)
        self.list.step_requested.connect(self._step)
        self.list.split_requested.connect(self._split)
        self.list.join_requested.connect(self._join)
        self.list.remove_requested.connect(self._remove)
        self.list.selectionModel().selectionChanged.connect(self._show_buttons)
        self.up = tool("chevron-up", "Move up", "Alt+↑", self._step_up)
        self.down = tool("chevron-down", "Move down", "Alt+↓", self._step_down)
        self.split = push_button("Divide", self._split, tip="Let a new group begin here (Ctrl+D)")
        self.join = push_button(
            "Join", self._join, tip="Join the groups of what is selected, or with the group above (Ctrl+J)"
        )
        for button in (self.split, self.join):
            button.setAccessibleName(button.text())
        self.remove = tool("remove", "Take out of the list", "Del", self._remove)
        self.new_value = QLineEdit()
        self.new_value.setPlaceholderText("Another value")
        self.new_value.setAccessibleName("A value to add to the list")
        self.new_value.returnPressed.connect(self._add)
        self.add_value = quiet("Add", self._add)
        self.add_value.setAccessibleName("Add the value to the list")
        self.add(levels)
        self.add(self._by_hand())

    def _by_hand(self) -> QWidget:
        section = Section("By hand", "Drag values to another place or group. A line shows where a group begins.")
        set_explain(section, "hierarchies.by_hand")
        choice = boxes.row(label("Groups of"), (self.level, 1), spacing="s")
        section.add(choice)
        section.add(self.list)
        buttons = boxes.row(self.up, self.down, self.split, self.join, 1, self.remove, spacing="xs")
        section.add(buttons)
        adding = boxes.row((self.new_value, 1), self.add_value, spacing="xs")
        section.add(adding)
        return section

    # Showing

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        custom = specification["parameters"]["order"] == "custom"
        self.above.set_shown("descending", not custom)
        self.above.set_shown("declared", custom)
        for widget in (self.remove, self.new_value, self.add_value):
            widget.setVisible(custom)
        entries = specification["details"].get("levels") or [{"group": _DEFAULT_SIZE, "function": "interval"}]
        self.levels.show_entries(entries)
        chosen = self.level.chosen
        if self.level.count() != len(entries):
            self.level.clear()
            for number in range(1, len(entries) + 1):
                self.level.addItem(f"level {number}", number)
            self.level.choose(chosen)
        if custom:
            self._sequence, self._tied = tuple(specification["details"].get("sequence", ())), False
        self._regroup()

    def show_preview(self, preview: HierarchyPreview) -> None:
        if preview.hierarchy is None:
            return
        self._sequence, self._tied = preview.sequence, preview.tied
        self._regroup()
        hierarchy, grouping, level = preview.hierarchy, self._grouping, self._level
        if grouping is not None and level <= hierarchy.height:
            starts = np.flatnonzero(grouping.starts[level - 1])
            if not self._tied and len(starts) and starts[-1] < len(hierarchy.values):
                codes, labels = hierarchy.maps[level], hierarchy.labels[level]
                self._show_items(notes=[labels[codes[start]] for start in starts.tolist()])

    def show_error(self, error: WorkbenchError | None) -> None:
        super().show_error(error)
        set_look(self.list, invalid=error is not None and error.field == "sequence")

    @property
    def _level(self) -> int:
        chosen = self.level.chosen
        return chosen if isinstance(chosen, int) else 1

    def _regroup(self) -> None:
        sizes = []
        for entry in self.specification["details"].get("levels") or [{}]:
            size = entry.get("group", _DEFAULT_SIZE)
            if isinstance(size, str):  # what was typed says no size, and the builder refuses it
                self._grouping = None
                self._show_items()
                return
            sizes.append([size] if isinstance(size, int) else list(size))
        self._grouping = Grouping.of_sizes(self._sequence, sizes) if self._sequence else None
        self._show_items()

    def _show_items(self, *_: object, notes: Sequence[str] = ()) -> None:
        grouping = self._grouping
        if grouping is None:
            self.list.values.show((), None)
        elif self._level == 1:
            self.list.values.show(grouping.values, grouping.begins(1), notes)
        else:
            items = grouping.item_starts(self._level).tolist()
            ends = [*items[1:], len(grouping.values)]
            texts = [_span(grouping.values, begin, end) for begin, end in zip(items, ends, strict=True)]
            self.list.values.show(texts, grouping.begins(self._level), notes)
        self._show_buttons()

    def _show_buttons(self, *_: object) -> None:
        rows = self.list.selected_rows
        begins = self._grouping.begins(self._level) if self._grouping is not None else np.zeros(0, dtype=np.bool_)
        neighbours = bool(rows) and rows[-1] - rows[0] == len(rows) - 1
        self.up.setEnabled(neighbours)
        self.down.setEnabled(neighbours)
        self.remove.setEnabled(bool(rows) and self._level == 1)
        self.split.setEnabled(len(rows) == 1 and rows[0] < len(begins) and not begins[rows[0]])
        self.join.setEnabled(bool(self._to_join(rows)))

    # Changing

    def _change_levels(self, levels: list[dict[str, Any]], text: str, merge: str) -> None:
        self.change_details(text, f"order.{merge}" if merge else "", levels=levels)

    def _change_parameter(self, name: str, value: object) -> None:
        fresh = with_parameter(self.specification, name, value)
        if (name, value) == ("order", "custom") and not fresh["details"].get("sequence"):
            # A custom order starts from the one that is shown.
            self.change(with_details(fresh, sequence=list(self._sequence)), "List the values")
        else:
            super()._change_parameter(name, value)

    def _move(self, rows: list[int], before: int) -> None:
        if self._grouping is not None:
            self._take(self._grouping.moved(self._level, rows, before), "Move values")
            first = before - sum(row < before for row in rows)
            self.list.select_rows(first, first + len(rows) - 1)

    def _step(self, down: bool) -> None:
        rows = self.list.selected_rows
        if self._grouping is None or not rows or rows[-1] - rows[0] != len(rows) - 1:
            return
        grouping, first = self._grouping.stepped(self._level, rows, down)
        self._take(grouping, "Move values")
        self.list.select_rows(first, first + len(rows) - 1)

    def _step_up(self) -> None:
        self._step(False)

    def _step_down(self) -> None:
        self._step(True)

    def _split(self) -> None:
        rows = self.list.selected_rows
        if self._grouping is not None and len(rows) == 1:
            self._take(self._grouping.split(self._level, rows[0]), "Divide a group")
            self.list.select_rows(rows[0], rows[0])

    def _join(self) -> None:
        rows = self.list.selected_rows
        found = self._to_join(rows)
        if self._grouping is not None and found:
            self._take(self._grouping.joined(self._level, *found), "Join groups")
            self.list.select_rows(rows[0], rows[-1])

    def _to_join(self, rows: Sequence[int]) -> tuple[int, int] | None:
        """The first and last item whose groups are to be joined, if there are two groups."""
        if self._grouping is None or not rows:
            return None
        begins = self._grouping.begins(self._level)
        first, last = rows[0], rows[-1]
        if last >= len(begins):
            return None
        if begins[first + 1 : last + 1].any():
            return first, last
        while first and not begins[first]:
            first -= 1
        return (first - 1, last) if first else None

    def _remove(self) -> None:
        grouping, rows = self._grouping, set(self.list.selected_rows)
        if grouping is None or not self.remove.isVisibleTo(self) or self._level != 1:
            return
        kept = [value for row, value in enumerate(grouping.values) if row not in rows]
        if kept and rows:
            self.change_details("Take values out of the list", sequence=kept)

    def _add(self) -> None:
        value = self.new_value.text()
        if value and value not in self._sequence:
            self.new_value.clear()
            self.change_details(f"Add “{value}” to the list", sequence=[*self._sequence, value])
            self.list.select_rows(len(self._sequence) - 1, len(self._sequence) - 1)

    def _take(self, grouping: Grouping, text: str) -> None:
        if grouping is self._grouping:
            return
        entries = self.specification["details"].get("levels") or [{"function": "interval"}]
        levels = [
            {**entry, "group": size[0] if len(size) == 1 else size}
            for entry, size in zip(entries, grouping.sizes(), strict=True)
        ]
        fresh = with_details(self.specification, levels=levels)
        reordered = grouping.values != self._sequence
        if reordered or self._tied or self.specification["parameters"]["order"] == "custom":
            fresh = with_details(fresh, sequence=list(grouping.values))
        if (reordered or self._tied) and self.specification["parameters"]["order"] != "custom":
            fresh = with_parameter(with_parameter(fresh, "order", "custom"), "declared", False)
        self.change(fresh, text)


def _span(values: Sequence[str], begin: int, end: int) -> str:
    return values[begin] if end - begin == 1 else f"{values[begin]} … {values[end - 1]}"
