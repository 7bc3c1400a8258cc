"""A list of values that is typed or pasted, in the place of a tree that has none to be sorted."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.lines_edit import LinesEdit


class TypedValues(QWidget):
    """A list with a line for each value.

    Signals
    -------
    listed(object)
        The list is to be sorted: a tuple of text, each value once.
    """

    listed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines = LinesEdit("Values to sort, one per line")
        self.lines.splits_pasted = True
        self.lines.setPlaceholderText("One per line, typed or pasted")
        set_explain(self, "hierarchies.categories")
        self.go_on = push_button("Sort these values", self._send, name="Sort these values", primary=True)
        self.lines.textChanged.connect(self._show)
        self._show()
        asked = label("Which values can occur? As a code list or a questionnaire has them.", muted=True, wrap=True)
        boxes.column(asked, (self.lines, 1), boxes.row(self.go_on, 1), spacing="s", inside=self)

    @property
    def values(self) -> tuple[str, ...]:
        """The list that is typed so far."""
        return tuple(dict.fromkeys(filter(None, map(str.strip, self.lines.toPlainText().splitlines()))))

    def _show(self) -> None:
        self.go_on.setEnabled(bool(self.values))

    def _send(self) -> None:
        values = self.values
        self.lines.clear()
        self.listed.emit(values)
