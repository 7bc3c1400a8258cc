"""The three views of what a result cost."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.anonymise.compared import Compared
from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.anonymise.costs.pairs_view import PairsView
from workbench.gui.workspaces.anonymise.costs.query_view import QueryView
from workbench.gui.workspaces.anonymise.costs.summary_view import SummaryView


class CostsView(QWidget):
    """Summary statistics, pairs of columns and the error of a question; all of it for the analyst.

    Signals
    -------
    noted(str, str)
        A message of a kind ("success") and its text.
    """

    noted = Signal(str, str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = SummaryView(runner)
        self.pairs = PairsView(runner)
        self.query = QueryView(runner)
        self.query.chart.noted.connect(self.noted)
        views = (
            (self.summary, "Summary"),
            (self.pairs, "Two columns"),
            (self.query, "A question"),
        )
        self.switch = ViewSwitch("What the result cost", views)
        boxes.column(self.switch, inside=self)

    def set_compared(self, compared: Compared | None) -> None:
        """Show what another release cost, or nothing."""
        for view in (self.summary, self.pairs, self.query):
            view.set_compared(compared)
