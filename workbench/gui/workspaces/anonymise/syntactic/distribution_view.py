"""The distribution of one column before and after, overlaid."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.plots import before_after

_COMBO_LETTERS = 10


class DistributionView(QWidget):
    """A choice of column above a chart.

    Signals
    -------
    column_chosen(str)
        The person wants to see another column.
    """

    column_chosen = Signal(str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.column = ComboBox("Column to compare before and after")
        self.column.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.column.setMinimumContentsLength(_COMBO_LETTERS)
        self.column.activated.connect(self._choose)
        self.chart = ChartView("Values before and after", before_after, runner)
        self.chart.set_empty_text("After a run: how often each value occurred, and what is left of that.")
        set_explain(self, "anonymise.distribution")
        top = boxes.row(label("Column", muted=True), self.column, spacing="s")
        note = ElidedLabel("a released label counts evenly for the values it stands for", muted=True)
        top.addWidget(note, 1)
        boxes.column(top, (self.chart, 1), margins="0 s 0 0", spacing="s", inside=self)

    @property
    def chosen(self) -> str:
        """The column to show, "" if there is none."""
        return str(self.column.chosen or "")

    def set_columns(self, names: Sequence[str]) -> None:
        """Offer these columns; the one that was shown stays if it is among them."""
        if [self.column.itemData(row) for row in range(self.column.count())] == list(names):
            return
        before = self.chosen
        self.column.clear()
        for name in names:
            self.column.addItem(name, name)
        self.column.choose(before)
        self.column.setEnabled(bool(names))

    def _choose(self, _row: int) -> None:
        self.column_chosen.emit(self.chosen)
