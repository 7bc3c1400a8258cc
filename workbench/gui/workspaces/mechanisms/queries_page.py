"""Above-threshold: where a stream stops, and what ε becomes of many queries."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.exact import fraction_text
from workbench.core.number_text import estimate
from workbench.core.progress import Progress
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.mechanisms.above_threshold import MOST_RANGE, AboveThreshold
from workbench.plots import chain, query_losses
from workbench.plots.query_losses import QueryLosses
from workbench.session.above_threshold import parse_streams, query_losses_of

LOSSES_JOB = "above-threshold losses"
STOPS_JOB = "above-threshold stops"
_AT_LEAST = 20
_SETTLE_MS = 250


class QueriesPage(QWidget):
    """Two views of above-threshold.

    Signals
    -------
    noted(str, str)
        A message of a kind and its text.
    query_wanted()
        The person wants to ask it of their own column.
    """

    noted = Signal(str, str)
    query_wanted = Signal()

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._chain = AboveThreshold()
        self._asked: tuple[AboveThreshold, int] | None = None
        self.losses = ChartView("ε against the number of queries", query_losses, runner)
        self.stops = ChartView("Where the stream stops", chain, runner)
        for chart in (self.losses, self.stops):
            chart.noted.connect(self.noted)
        self.finding = label(wrap=True)
        self.own = push_button(
            "Ask your own column",
            self.query_wanted,
            icon=icon("arrow-right", "link"),
            tip="In its repaired form, under the budget, in the Query workspace",
            quiet=True,
            align="left",
        )
        self.answers = QLineEdit("3 3 3")
        self.answers.setAccessibleName("True answers, in their order")
        self.threshold = SpinBox("Threshold", 0, MOST_RANGE, 3)
        self.words = label(wrap=True, selectable=True)
        self._later = Later(self, self._find_stops, _SETTLE_MS)
        self.answers.textChanged.connect(self._later.start)
        self.threshold.valueChanged.connect(self._later.start)
        self.views = ViewSwitch(
            "Above-threshold",
            (
                (self._losses_view(), "ε against queries"),
                (self._stops_view(), "Where a stream stops"),
            ),
        )
        boxes.column(self.views, inside=self)
        set_explain(self, "mechanisms.queries")

    def _losses_view(self) -> QWidget:
        return boxes.boxed(
            boxes.column(self.finding, (self.own, Qt.AlignmentFlag.AlignLeft), (self.losses, 1), spacing="xs")
        )

    def _stops_view(self) -> QWidget:
        top = boxes.row(label("Answers"), (self.answers, 1), label("Threshold"), self.threshold, spacing="s")
        return boxes.boxed(boxes.column(top, self.words, (self.stops, 1)))

    def show_model(self, model: AboveThreshold, queries: int) -> None:
        """Show a version of the mechanism; both charts are worked out off the GUI thread."""
        self._chain = model
        self.threshold.setMaximum(model.n)
        if self._asked != (model, queries):
            self._asked = (model, queries)
            most = max(queries, _AT_LEAST)

            def work(progress: Progress) -> QueryLosses:
                return query_losses_of(model, most, queries, progress)

            self._runner.start(
                "Comparing versions of above-threshold",
                work,
                on_done=self._show_losses,
                key=LOSSES_JOB,
                latest_wins=True,
            )
            self._find_stops()

    def _show_losses(self, losses: QueryLosses) -> None:
        self.losses.set_data(losses)
        fixed = AboveThreshold(
            self._chain.n, self._chain.threshold_alpha, self._chain.query_alpha, truncated=False
        ).fixed_loss(equal=False)
        assert fixed is not None
        self.finding.setText(
            "The published model compares truncated values, and its ε grows with every query: there is no ε that "
            f"holds for any number of them. Comparing untruncated values repairs it, at ε = {fixed.text} ≈ "
            f"{estimate(fixed.upper)}."
        )

    def _find_stops(self) -> None:
        self._later.stop()
        model, text, threshold = self._chain, self.answers.text(), self.threshold.value()

        def work(_progress: Progress) -> chain.Chain:
            stream = parse_streams(text, model)[0]
            found = model.stops(stream, threshold)
            return chain.of_stops(
                [(float(chance), fraction_text(chance)) for chance in found.at],
                (float(found.never), fraction_text(found.never)),
                [str(value) for value in stream],
            )

        self._runner.start(
            "Following a stream",
            work,
            on_done=self._show_stops,
            on_failed=self._refuse_stream,
            key=STOPS_JOB,
            latest_wins=True,
        )

    def _show_stops(self, found: chain.Chain) -> None:
        set_look(self.answers, invalid=False)
        self.words.setText("The first ⊤ comes at a query with the probability in its lower box.")
        self.stops.set_data(found)

    def _refuse_stream(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        set_look(self.answers, invalid=True)
        self.words.setText(str(error))
        self.stops.set_data(None)
        self.stops.set_empty_text("Type the true answers, such as 3 3 3.")
        return True
