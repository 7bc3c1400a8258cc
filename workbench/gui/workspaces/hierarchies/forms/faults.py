"""Faults in the rows of a table, named, with the one click that repairs each."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from workbench.core.first_few import first_few
from workbench.core.trees import Faults
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label

_NAMED = 4


class FaultsBanner(QFrame):
    """Hidden while there is nothing wrong. `repair` is the button."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("message", "error")
        set_explain(self, "hierarchies.repair")
        self._words = label(wrap=True, selectable=True)
        self.repair = push_button(
            "&Repair",
            name="Repair the rows",
            tip="Keep the first row of each value, fill short rows up with their last label, and give the values of "
            "a torn group the label most of them have.",
        )
        layout = boxes.row(
            (IconLabel("error", tokens.ICON_LARGE, "error"), Qt.AlignmentFlag.AlignTop),
            margins="m s m s",
            spacing="s",
            inside=self,
        )
        column = boxes.column(self._words, (self.repair, Qt.AlignmentFlag.AlignLeft), spacing="s")
        layout.addLayout(column, 1)
        self.hide()

    def show_faults(self, found: Faults | None) -> None:
        """Name the values that are at fault."""
        self.setVisible(bool(found))
        if not found:
            return
        lines = []
        if found.duplicates:
            lines.append(f"Listed more than once: {self._named(found.duplicates)}.")
        if found.uneven:
            lines.append(f"Fewer or more levels than most: {self._named(found.uneven)}.")
        for split in found.splits[:_NAMED]:
            parts = [f"“{part}” with {self._named(values)}" for part, values in split.parts[:_NAMED]]
            lines.append(f"Level {split.level} tears “{split.group}” apart: {'; '.join(parts)}.")
        rest = len(found.splits) - _NAMED
        if rest > 0:
            lines.append(f"{rest:,} more groups are torn apart.")
        self._words.setText("\n".join(lines))
        self.setAccessibleName(self._words.text())

    def _named(self, values: Sequence[str]) -> str:
        return first_few(values, _NAMED, quoted=True)
