"""Columns that are left out, folded into one line below the list of the others."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QWidget

from workbench.core.number_text import counted
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.workspaces.hierarchies.attributes import AttributesModel, AttributesView


class LeftOutFold(QWidget):
    """Button that says how many columns are left out, and shows them in the list or hides them again.

    One that is chosen, and all where there are no others, are never hidden.
    """

    def __init__(self, view: AttributesView, model: AttributesModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view, self._model = view, model
        self.button = push_button(checkable=True, inline=True, quiet=True)
        self.button.setIconSize(QSize(tokens.ICON, tokens.ICON))
        boxes.row((self.button, Qt.AlignmentFlag.AlignLeft), inside=self)
        self.button.toggled.connect(self.refresh)
        view.picked.connect(self._open_for)
        model.modelReset.connect(self.refresh)
        model.dataChanged.connect(self.refresh)
        self.refresh()

    def refresh(self, *_: object) -> None:
        """Hide what is left out, or show it, and say how many columns that are."""
        out = [row for row in range(self._model.rowCount()) if self._model.needs_none(row)]
        folded = out if len(out) < self._model.rowCount() else []
        shown = self.button.isChecked()
        chosen = self._view.currentIndex().row()
        for row in range(self._model.rowCount()):
            self._view.setRowHidden(row, row in folded and not shown and row != chosen)
        words = f"{counted(len(folded), 'column')} left out"
        self.button.setText(words)
        self.button.setAccessibleName(f"{'Hide' if shown else 'Show'} {words}")
        self.button.setIcon(icon("chevron-down" if shown else "chevron-right", "link"))
        self.setVisible(bool(folded))

    def _open_for(self, name: str) -> None:
        if self._model.needs_none(self._model.row_of(name)):
            self.button.setChecked(True)
        self.refresh()
