"""The chances of rows to be released, as curves that follow from the numbers of a promise alone."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QStackedWidget, QWidget

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.sample_guarantee import Guarantee
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.plots import group_survival, tradeoff
from workbench.plots.group_survival import GroupSurvival
from workbench.plots.tradeoff import TradeOff
from workbench.session.release.assessment import PromiseAssessment

_SETTLE_MS = 150
_FROM_NUMBERS = "From the numbers of the guarantee alone; no data is looked at."
_FINEST = "Trimming at the finest step alone, which has a share of ε and δ; what it gives up goes on to coarser steps."
_SAMPLING = "Sampling has all of both."


class ChanceCurves(QWidget):
    """Shows which groups survive trimming, or what sampling trades β for.

    Signals
    -------
    best_share_found(object)
        The β that lets the rarest groups survive under the current promise, or None.
    """

    best_share_found = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._found = PromiseAssessment()
        self._promise: tuple[float, float, int] | None = None
        self._trimmed: TrimGuarantee | None = None
        self._wait = Later(self, self._compute_curves, _SETTLE_MS)
        self.trade_off = ChartView("Trade-off", tradeoff, document.runner)
        self.trade_off.set_empty_text("The guarantee has no solution yet.")
        self.survival = ChartView("Groups that survive", group_survival, document.runner)
        self.survival.set_empty_text("The guarantee has no solution yet.")
        self.compared = QCheckBox("Beside sampling")
        self.compared.setAccessibleName("Compare with sampling at the same price")
        set_explain(self.compared, "anonymise.survival_chance")
        self._note = label(_FROM_NUMBERS, muted=True, wrap=True)
        self._pages = QStackedWidget()
        for chart in (self.trade_off, self.survival):
            chart.noted.connect(document.noted)
            self._pages.addWidget(chart)
        note = boxes.row((self._note, 1), (self.compared, Qt.AlignmentFlag.AlignTop), spacing="m")
        boxes.column(note, (self._pages, 1), margins="0 s 0 0", spacing="s", inside=self)
        set_explain(self.trade_off, "anonymise.tradeoff")
        set_explain(self.survival, "anonymise.survival_chance")
        self.compared.clicked.connect(self._compare)

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show the curves of a promise; those of another one are computed in a moment."""
        self._found = found
        promised = found.guarantee
        trimmed = promised if isinstance(promised, TrimGuarantee) else None
        if trimmed != self._trimmed:
            self._trimmed = trimmed
            if trimmed is None:
                self.survival.set_data(None)
            else:
                self._wait.start()
        trims = self._document.session.release.steps.mechanism is ReleaseMechanism.TRIM
        several = trimmed is not None and len(trimmed.shares) > 1
        self.compared.setVisible(trims)
        beside = several and self.compared.isChecked()
        self._note.setText(" ".join((*[_FINEST] * several, *[_SAMPLING] * beside, _FROM_NUMBERS)))
        self._pages.setCurrentWidget(self.survival if trims else self.trade_off)
        if not isinstance(promised, Guarantee):
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
        promise, trimmed = self._promise, self._trimmed
        if trimmed is not None:
            self._document.runner.start(
                "Drawing which groups survive",
                partial(group_survival.compute, trimmed, sampling=self.compared.isChecked()),
                on_done=self._show_survival,
                key="group survival",
                latest_wins=True,
            )
        if promise is None:
            return

        def work(progress: Progress) -> TradeOff:
            return tradeoff.compute(*promise, progress)

        self._document.runner.start(
            "Drawing the trade-off", work, on_done=self._show_curves, key="trade-off", latest_wins=True
        )

    def _compare(self) -> None:
        """Draw the curves anew, with those of sampling or without."""
        self.show_assessment(self._found)
        self._compute_curves()

    def _show_curves(self, curves: TradeOff) -> None:
        if self._promise != (curves.epsilon, curves.delta, curves.rows_per_person):
            return
        chosen = self._found.guarantee
        self.trade_off.set_data(curves.with_current(chosen if isinstance(chosen, Guarantee) else None))
        self.best_share_found.emit(curves.best[0] if curves.best is not None else None)

    def _show_survival(self, curves: GroupSurvival) -> None:
        if self._trimmed is not None:
            self.survival.set_data(curves)
