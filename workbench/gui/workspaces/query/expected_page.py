"""The expected answer and its error, drawn before anything is spent."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget

from workbench.gui.runner import Runner
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.plots import noise_spread, query_errors
from workbench.query.plans import QueryPlan
from workbench.session.query_plans import PlanCharts
from workbench.session.query_promise import kind_vouched, promise_words

_NOTHING = "Shows what to expect as soon as the question can be asked."
_NOT_YET = "Says what is promised as soon as the question can be asked."


class ExpectedPage(QWidget):
    """Three views: how far off, what another ε would do, and what is promised and assumed."""

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spread = ChartView("How far off the answer will be", noise_spread, runner)
        self.curve = ChartView("Expected error against ε", query_errors, runner)
        for chart in (self.spread, self.curve):
            chart.set_empty_text(_NOTHING)
        set_explain(self.spread, "query.expected")
        set_explain(self.curve, "query.expected")
        self.drawn_for = label(small=True, muted=True, wrap=True)
        self.drawn_for.hide()
        self.promise = label(wrap=True, selectable=True)
        self.asserted = label(wrap=True, selectable=True)
        self.source = label(muted=True, small=True, wrap=True)
        self.views = ViewSwitch(
            "What to expect",
            (
                (boxes.boxed(boxes.column((self.spread, 1), self.drawn_for, spacing="xs")), "How far off"),
                (self.curve, "Error against ε"),
                (self._words(), "Promise"),
            ),
        )
        boxes.column(self.views, inside=self)

    def _words(self) -> QWidget:
        inside = QWidget()
        inside.setProperty("bare", "true")
        column = boxes.column(margins="0 s s 0", spacing="s", inside=inside)
        self.later = label(_NOT_YET, muted=True, wrap=True)
        column.addWidget(self.later)
        self._headed = []
        for title, words in (
            ("What is promised", self.promise),
            ("What you vouch for by asking; no program can check it", self.asserted),
            ("Where the mechanism comes from", self.source),
        ):
            self._headed.append((label(title, strong=True, wrap=True), words))
            for part in self._headed[-1]:
                column.addWidget(part)
        column.addStretch(1)
        self._show_said()
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        set_explain(scroll, "query.promise")
        return scroll

    def _show_said(self) -> None:
        """No heading stands over nothing."""
        for heading, words in self._headed:
            for part in (heading, words):
                part.setVisible(bool(words.text()))
        self.later.setVisible(not any(words.text() for _, words in self._headed))

    def show_plan(self, plan: QueryPlan, looked: str = "", *, number_known: bool = False) -> None:
        """Say what is promised, and what a look at the data means for it; the charts follow.

        Parameters
        ----------
        number_known
            Whether others know how many rows, or people, there are.
        """
        self.promise.setText(promise_words(plan, number_known=number_known))
        said = (looked, kind_vouched(plan), *plan.asserted)
        self.asserted.setText("\n".join(f"• {sentence}" for sentence in said if sentence))
        self.source.setText(plan.kind.citation)
        self._show_said()

    def show_drawing(self, *, other: bool = True) -> None:
        """Mark what is drawn as that of another ε or number of rows, until the next pictures are there.

        Parameters
        ----------
        other
            Whether it is of another question: then it goes, as nobody takes it for one of this.
        """
        self._set_current(False)
        for chart in (self.spread, self.curve):
            chart.set_empty_text("Drawing…")
            if other:
                chart.set_data(None)
        if other:
            self._say_truth("")

    def _set_current(self, current: bool) -> None:
        for chart in (self.spread, self.curve):
            chart.setEnabled(current)

    def show_pictures(self, pictures: PlanCharts) -> None:
        """Show the charts."""
        self.spread.set_empty_text("The size of this error depends on the data, so it cannot be drawn.")
        self.curve.set_empty_text("ε of this question follows from its own settings.")
        self.spread.set_data(pictures.spread)
        self.curve.set_data(pictures.curve)
        self._say_truth(pictures.drawn_for if pictures.spread is not None else "")
        self._set_current(True)

    def _say_truth(self, words: str) -> None:
        self.drawn_for.setText(words)
        self.drawn_for.setVisible(bool(words))

    def show_nothing(self) -> None:
        """There is no plan."""
        self._set_current(True)
        for chart in (self.spread, self.curve):
            chart.set_empty_text(_NOTHING)
            chart.set_data(None)
        self._say_truth("")
        for words in (self.promise, self.asserted, self.source):
            words.setText("")
        self._show_said()
