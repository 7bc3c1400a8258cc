"""The right half: the claim, the state of the result, its figures, tables and charts."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QStackedWidget, QTabWidget, QWidget

from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise.comparison import BeforeAfterTables
from workbench.gui.workspaces.anonymise.costs import CostsView
from workbench.gui.workspaces.anonymise.figures import Figures
from workbench.gui.workspaces.anonymise.promise import ClaimStrip, ClaimView
from workbench.gui.workspaces.anonymise.survivors import SurvivorsView
from workbench.plots import classes, tradeoff
from workbench.plots.tradeoff import TradeOff
from workbench.session import Result, compared_result, nothing_survived
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.side_by_side import ReleaseAlone, SampleComparison, side_by_side

_SETTLE_MS = 150


@dataclass(frozen=True, eq=False)
class PreparedResult:
    """What the tables and charts of one result show."""

    result: Result
    comparison: SampleComparison | ReleaseAlone
    sizes: classes.GroupSizes


class ResultPane(QWidget):
    """Shows the last run and what could be claimed for the next.

    Signals
    -------
    run_requested()
        The person wants to run.
    hierarchies_requested()
        The person wants to attach hierarchies first.
    best_share_found(object)
        The β that lets the rarest groups survive under the current promise, or None.
    """

    run_requested = Signal()
    hierarchies_requested = Signal()
    best_share_found = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._shown: Result | None = None
        self._promise: tuple[float, float, int] | None = None
        self._found = PromiseAssessment()
        self._wait = Later(self, self._compute_curves, _SETTLE_MS)
        self.claim = ClaimStrip()
        self.state = ResultState()
        self.figures = Figures()
        self.comparison = BeforeAfterTables(document.runner)
        self.sizes = ChartView("Group sizes", classes, document.runner)
        self.sizes.set_empty_text("After a run: how large the groups are, and which were dropped.")
        self.trade_off = ChartView("Trade-off", tradeoff, document.runner)
        self.trade_off.set_empty_text("The guarantee has no solution yet.")
        self.survivors = SurvivorsView(document)
        self.costs = CostsView(document.runner)
        self.reasons = ClaimView()
        self._empty = EmptyState(
            "table",
            "Run to see before and after",
            action="Run",
        )
        self._no_hierarchy = EmptyState("hierarchies", "Attach a hierarchy first", action="Attach hierarchies")
        for empty in (self._empty, self._no_hierarchy):
            if empty.primary_button is not None:
                # The one accent of this page is the button below the settings.
                set_look(empty.primary_button, primary=False)
        self._pages = QStackedWidget()
        self.tabs = QTabWidget()
        self._lay_out()
        for chart in (self.sizes, self.trade_off):
            chart.noted.connect(document.noted)
        self.costs.noted.connect(document.noted)
        self.claim.reasons_requested.connect(self._show_reasons)
        self.state.run_requested.connect(self.run_requested)
        self._empty.primary.connect(self.run_requested)
        self._no_hierarchy.primary.connect(self.hierarchies_requested)

    def _lay_out(self) -> None:
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._no_hierarchy)
        self._pages.addWidget(self.comparison)
        self.tabs.setDocumentMode(True)
        for bar in (self.tabs, self.tabs.tabBar()):
            bar.setAccessibleName("Views of the result")
        self.tabs.addTab(self._pages, "Tables")
        self.tabs.addTab(
            _under(label("Computed from the true rows", muted=True), analyst_badge(), self.sizes),
            "Sizes",
        )
        note = label("From the numbers of the guarantee alone; no data is looked at.", muted=True)
        self.tabs.addTab(self.costs, "Costs")
        self.tabs.addTab(_under(note, None, self.trade_off), "Trade-off")
        self.tabs.addTab(self.survivors, "Survivors")
        self.tabs.addTab(self.reasons, "Claim")
        set_explain(self.trade_off, "anonymise.tradeoff")
        set_explain(self.sizes, "anonymise.result")
        boxes.column(self.claim, self.state, self.figures, (self.tabs, 1), margins="m", spacing="s", inside=self)

    # Showing

    def show_assessment(self, found: PromiseAssessment, *, running: bool) -> None:
        """Show the claim, and whether the result still belongs to the settings."""
        self._found = found
        self.claim.show_assessment(found)
        self.reasons.show_assessment(found)
        self._show_state(found, running)
        button = self._empty.primary_button
        if button is not None:
            button.setEnabled(found.can_run and not running)
        self._show_result(self._document.session.release.result)
        if self._document.session.release.result is None:
            bare = not found.grouped and not self._document.project.hierarchies
            self._pages.setCurrentWidget(self._no_hierarchy if bare else self._empty)
        self._show_trade_off(found)
        self.survivors.show_assessment(found)

    def _show_state(self, found: PromiseAssessment, running: bool) -> None:
        result = self._document.session.release.result
        if running:
            self.state.show_state(Status.INFO, "Running…")
        elif result is None:
            self.state.show_state(
                Status.NEUTRAL,
                "Not run yet.",
            )
        elif found.pending:
            self.state.show_state(Status.NEUTRAL, "Checking whether this result belongs to the settings…")
        elif not found.current:
            self.state.show_state(
                Status.WARNING,
                "Settings changed: this result is out of date.",
                offer_run=found.can_run,
            )
        elif result.outcome.rows_out == 0:
            self.state.show_state(Status.ERROR, str(nothing_survived(result)))
        elif result.outcome.secure:
            self.state.show_state(Status.SUCCESS, "This is the result of the settings as they stand.")
        else:
            self.state.show_state(Status.SUCCESS, "A simulation with a seed, of the settings as they stand.")

    def _show_result(self, result: Result | None) -> None:
        if result is self._shown:
            return
        self._shown = result
        self.figures.show_outcome(result.outcome if result is not None else None)
        if result is None:
            self.comparison.show_comparison(None, self._document.project.schema)
            self.sizes.set_data(None)
            self.costs.set_compared(None)
            return
        self.costs.set_compared(compared_result(result), result.outcome.recipe.k)
        table = result.table
        heading, dropped = "Rows alike", "dropped"

        def work(progress: Progress) -> PreparedResult:
            comparison = side_by_side(table, result.outcome, heading, dropped, progress)
            return PreparedResult(
                result, comparison, classes.compute(result.outcome.class_sizes, result.outcome.recipe.k)
            )

        self._document.runner.start(
            "Preparing the tables", work, on_done=self._show_prepared, key="comparison", latest_wins=True
        )

    def _show_prepared(self, prepared: PreparedResult) -> None:
        if prepared.result is not self._document.session.release.result:
            return
        self.comparison.show_comparison(prepared.comparison, self._document.project.schema)
        self._pages.setCurrentWidget(self.comparison)
        self.sizes.set_data(prepared.sizes)

    def _show_trade_off(self, found: PromiseAssessment) -> None:
        promised = found.guarantee
        if promised is None:
            self._promise = None
            self.trade_off.set_data(None)
            return
        promise = (promised.epsilon, promised.delta, promised.rows_per_person)
        if promise == self._promise:
            if self.trade_off.data is not None:
                marked = self.trade_off.data.with_current(promised)
                if marked.current != self.trade_off.data.current:
                    self.trade_off.set_data(marked)
            return
        self._promise = promise
        # While a slider is being dragged, the curves of every ε on the way are not worth their time.
        self._wait.start()

    def _compute_curves(self) -> None:
        promise = self._promise
        if promise is None:
            return

        def work(progress: Progress) -> TradeOff:
            return tradeoff.compute(*promise, progress)

        self._document.runner.start(
            "Drawing the trade-off", work, on_done=self._show_curves, key="trade-off", latest_wins=True
        )

    def _show_curves(self, curves: TradeOff) -> None:
        if self._promise != (curves.epsilon, curves.delta, curves.rows_per_person):
            return
        self.trade_off.set_data(curves.with_current(self._found.guarantee))
        self.best_share_found.emit(curves.best[0] if curves.best is not None else None)

    def _show_reasons(self) -> None:
        self.tabs.setCurrentWidget(self.reasons)
        self.reasons.setFocus()


def _under(words: QLabel, badge: QWidget | None, content: QWidget) -> QWidget:
    """A page with a line of words, and perhaps a badge, above its content."""
    page = QWidget()
    top = boxes.row((words, 1))
    if badge is not None:
        top.addWidget(badge)
    words.setWordWrap(True)
    boxes.column(top, (content, 1), margins="0 s 0 0", spacing="s", inside=page)
    return page
