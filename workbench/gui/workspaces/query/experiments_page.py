"""Simulated answers against the true values: analyst only, seeded, nothing is charged."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QStackedWidget, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate, file_text
from workbench.core.progress import Cancelled, Progress
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.look_question import LookQuestion
from workbench.gui.runner import Job
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import amount_field
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.number_field import NumberField
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.plots import private_bars, query_errors
from workbench.plots.private_bars import PrivateBars
from workbench.plots.query_errors import ErrorCurve, QueryErrorCurve
from workbench.query.answer import AnswerForm
from workbench.query.experiments import AnswerErrors, ErrorMeasure, HistogramComparison, metrics_of
from workbench.query.plans import QueryPlan
from workbench.session.query_plans import PlanInputs

TEST_JOB = "query experiment"
_POINTS = 25
_MOST_REPETITIONS = 10_000
_MOST_SEED = 99_999
_MOST_KEPT = 12


class ExperimentKind(StrEnum):
    """The kind of experiment that is tried."""

    EPSILON = "epsilon"
    ROWS = "rows"
    HISTOGRAM = "histogram"


@dataclass(frozen=True)
class _Settings:
    experiment: ExperimentKind
    metric: ErrorMeasure
    low: str
    high: str
    repetitions: int
    seed: int


@dataclass(frozen=True, eq=False)
class _Kept:
    """What was found, and what it answers."""

    asked: PlanInputs
    settings: _Settings
    found: AnswerErrors | HistogramComparison

    def answers(self, asked: PlanInputs, settings: _Settings) -> bool:
        """Whether it is of this question of the same data, simulated like this."""
        return self.settings == settings and self.asked.same(asked)


class ExperimentsPage(QWidget):
    """Settings above, a chart below.

    The last results are kept, so that whoever comes back to a question sees them at once: simulated with the same seed
    they would be the same. Other data has none of them.

    Signals
    -------
    noted(str, str)
        A message of a kind and its text.
    """

    noted = Signal(str, str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._plan: QueryPlan | None = None
        self._shown: _Kept | None = None
        self._kept: list[_Kept] = []
        """The last results of this data, the newest last."""
        self._running: tuple[Job, tuple[PlanInputs, _Settings]] | None = None
        self.experiment = ElidingComboBox(
            "Experiment",
            (
                ("Error against ε", ExperimentKind.EPSILON.value),
                ("Error against rows", ExperimentKind.ROWS.value),
                ("True and private cells", ExperimentKind.HISTOGRAM.value),
            ),
        )
        self.measure = ElidingComboBox("Error measure", [(one.words, one.value) for one in ErrorMeasure])
        self.low = self._number("Smallest ε", 0.01)
        self.high = self._number("Largest ε", 10.0)
        self.repetitions = SpinBox("Repetitions", 1, _MOST_REPETITIONS, 100)
        self.seed = SpinBox("Seed", 0, _MOST_SEED, 1)
        self.button = QPushButton("Run experiment")
        self.state = ResultState()
        self.state.add_mark(analyst_badge())
        self.first_look = LookQuestion(document, "simulate", desk=lambda: document.session.queries)
        self.first_look.agreed.connect(self.run)
        self.words = label(small=True, wrap=True)
        self.curve = ChartView("Simulated errors", query_errors, document.runner)
        self.bars = ChartView("True and private cells", private_bars, document.runner)
        self._charts = QStackedWidget()
        self._lay_out()
        set_explain(self, "query.experiments")
        for chart in (self.curve, self.bars):
            chart.noted.connect(self.noted)
            chart.set_empty_text("Run it to draw the noise many times around the true answer. Nothing is spent.")
        self.button.clicked.connect(self._run_or_stop)
        self.state.run_requested.connect(self.run)
        self.experiment.activated.connect(self._settings_changed)
        self.measure.activated.connect(self._settings_changed)
        for field in (self.low, self.high):
            field.value_changed.connect(self._settings_changed)
            field.validity_changed.connect(self._settings_changed)
        for box in (self.repetitions, self.seed):
            box.valueChanged.connect(self._settings_changed)
        self._settings_changed()

    def _number(self, name: str, value: float) -> NumberField:
        field = amount_field(name, value=value)
        field.edit.setMinimumWidth(0)
        field.setFixedWidth(tokens.COLUMN_MIN)
        return field

    def _lay_out(self) -> None:
        what = QHBoxLayout()
        what.setSpacing(tokens.SPACE_S)
        for box in (self.experiment, self.measure):
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            what.addWidget(box, 1)
        what.addWidget(self.button)
        self._from, self._to = label("ε from"), label("to")
        how = boxes.row(self._from, self.low, self._to, self.high, boxes.Gap("s"), spacing="xs")
        for spin in (self.repetitions, self.seed):
            spin.setFixedWidth(tokens.METER_WIDTH - tokens.SPACE_S)
        for part in (label("Repeat"), self.repetitions, label("Seed"), self.seed):
            how.addWidget(part)
        how.addStretch(1)
        self._charts.addWidget(self.curve)
        self._charts.addWidget(self.bars)
        set_look(self.words, muted=True)
        boxes.column(
            what,
            how,
            self.first_look,
            self.state,
            self.words,
            (self._charts, 1),
            margins="0 s 0 0",
            spacing="xs",
            inside=self,
        )

    @property
    def found(self) -> AnswerErrors | HistogramComparison | None:
        """What is shown, also where it is out of date; None for nothing."""
        return None if self._shown is None else self._shown.found

    # Settings

    @property
    def settings(self) -> _Settings:
        """Current settings."""
        return _Settings(
            ExperimentKind(str(self.experiment.chosen)),
            ErrorMeasure(str(self.measure.chosen)),
            self.low.edit.text().strip(),
            self.high.edit.text().strip(),
            self.repetitions.value(),
            self.seed.value(),
        )

    def show_plan(self, plan: QueryPlan | None) -> None:
        """Offer what fits the question; None if it cannot be asked."""
        self._plan = plan
        self.first_look.follow()
        if plan is not None:
            fitting = metrics_of(plan.mechanism)
            if [self.measure.itemData(row) for row in range(self.measure.count())] != [one.value for one in fitting]:
                chosen = self.measure.chosen
                self.measure.clear()
                for one in fitting:
                    self.measure.addItem(one.words, one.value)
                self.measure.choose(chosen)
            cells = plan.mechanism.form in (AnswerForm.LIST, AnswerForm.TABLE)
            kinds = [
                *([ExperimentKind.EPSILON] if plan.kind.needs_epsilon else []),
                ExperimentKind.ROWS,
                *([ExperimentKind.HISTOGRAM] if cells else []),
            ]
            self._offer(kinds)
        self._settings_changed()

    def _offer(self, kinds: list[ExperimentKind]) -> None:
        names = {
            ExperimentKind.EPSILON: "Error against ε",
            ExperimentKind.ROWS: "Error against rows",
            ExperimentKind.HISTOGRAM: "True and private cells",
        }
        if [self.experiment.itemData(row) for row in range(self.experiment.count())] != [one.value for one in kinds]:
            chosen = self.experiment.chosen
            self.experiment.clear()
            for one in kinds:
                self.experiment.addItem(names[one], one.value)
            self.experiment.choose(chosen)

    def _settings_changed(self, _value: object = None) -> None:
        settings = self.settings
        by_epsilon = settings.experiment is ExperimentKind.EPSILON
        histogram = settings.experiment is ExperimentKind.HISTOGRAM
        for widget in (self._from, self.low, self._to, self.high):
            widget.setVisible(by_epsilon)
        self.measure.setEnabled(not histogram)
        self._charts.setCurrentWidget(self.bars if histogram else self.curve)
        ready = self._plan is not None and (not by_epsilon or (self.low.valid and self.high.valid))
        self.button.setEnabled(ready or self._running is not None)
        self.button.setText("Run experiment" if self._running is None else "Cancel")
        self._recall()
        self._show_state()

    def forget(self) -> None:
        """Other data: what was found is about nothing that is here."""
        self._shown, self._kept = None, []
        self.words.setText("")
        for chart in (self.curve, self.bars):
            chart.set_data(None)
        self._settings_changed()

    def _recall(self) -> None:
        """Show what was found before of the question as it stands, unless a look is asked for first."""
        if self._running is not None or not (self._kept and self._document.has_data):
            return
        asked, settings = PlanInputs.of(self._document.session), self.settings
        known = next((one for one in self._kept if one.answers(asked, settings)), None)
        if known is not None and known is not self._shown and not self.first_look.needed:
            self._show(known)

    def _show_state(self) -> None:
        if self._running is not None:
            self.state.show_state(Status.INFO, "Simulating…")
        elif self._shown is None or not self._document.has_data:
            self.state.show_state(Status.NEUTRAL, "Not run yet. An experiment spends nothing.")
        elif self._shown.answers(PlanInputs.of(self._document.session), self.settings):
            self.state.show_state(Status.SUCCESS, "Simulated with a seed, from the question as it stands.")
        else:
            self.state.show_state(
                Status.WARNING, "Out of date: something was changed.", offer_run=self.button.isEnabled()
            )

    # Running

    def run(self) -> None:
        """Run the experiment that is set."""
        if not self.button.isEnabled() or not self._document.has_data or self._running is not None:
            return
        if self.first_look.needed:
            self.first_look.ask()
            return
        asked, settings = PlanInputs.of(self._document.session), self.settings
        desk, draft = self._document.session.queries, asked.draft
        work: Callable[[Progress], HistogramComparison | AnswerErrors]
        try:
            if settings.experiment is ExperimentKind.HISTOGRAM:
                work = desk.histogram_tester(draft, repetitions=settings.repetitions, seed=settings.seed)
            elif settings.experiment is ExperimentKind.ROWS:
                work = desk.rows_tester(
                    draft, (), repetitions=settings.repetitions, seed=settings.seed, metric=settings.metric
                )
            else:
                if self.low.value is None or self.high.value is None:
                    self._settings_changed()  # it says what is wrong, and the button waits
                    return
                low, high = self.low.value, self.high.value
                places = [file_text(value, 4) for value in np.geomspace(min(low, high), max(low, high), _POINTS)]
                work = desk.epsilon_tester(
                    draft,
                    list(dict.fromkeys(places)),
                    repetitions=settings.repetitions,
                    seed=settings.seed,
                    metric=settings.metric,
                )
        except WorkbenchError as error:
            self._refuse(error)
            return
        job = self._document.runner.start(
            "Simulating answers", work, on_done=self._take, on_failed=self._refuse, key=TEST_JOB
        )
        self._running = (job, (asked, settings))
        self._settings_changed()

    def _run_or_stop(self) -> None:
        if self._running is None:
            self.run()
        else:
            self._running[0].cancel()

    def _take(self, found: AnswerErrors | HistogramComparison) -> None:
        if self._running is None:
            return
        (asked, settings), self._running = self._running[1], None
        if self._document.has_data and asked.fingerprint == self._document.session.data.fingerprint:
            made = _Kept(asked, settings, found)
            others = [one for one in self._kept if not one.answers(asked, settings)]
            self._kept = [*others, made][-_MOST_KEPT:]
            self._show(made)
        self._settings_changed()

    def _show(self, kept: _Kept) -> None:
        self._shown, found = kept, kept.found
        if isinstance(found, HistogramComparison):
            self.bars.set_data(_bars(found, kept.asked))
            self.words.setText(
                " · ".join(
                    f"{metric.words}: {estimate(mean)} on average, {estimate(low)} to {estimate(high)} in 95 %"
                    for metric, (mean, low, high) in found.errors.items()
                )
            )
        else:
            self.curve.set_data(_curve(found))
            drawn = "rows drawn from those" if found.axis != "epsilon" else "the rows"
            self.words.setText(
                f"Answers about {drawn} of this table that match, {found.repetitions:,} repetitions at each point; the "
                "band holds 95 % of them."
            )

    def _refuse(self, error: BaseException) -> bool:
        self._running = None
        self._settings_changed()
        if isinstance(error, Cancelled):
            self.state.show_state(Status.NEUTRAL, "Cancelled.", offer_run=True)
            return True
        if not isinstance(error, WorkbenchError):
            return False
        self.state.show_state(Status.ERROR, str(error))
        return True


def _curve(found: AnswerErrors) -> ErrorCurve:
    lines = [
        QueryErrorCurve(
            "simulated, mean and 95 %",
            found.places,
            found.mean,
            found.low,
            found.high,
        )
    ]
    if any(value is not None for value in found.theory):
        lines.append(QueryErrorCurve("by formula", found.places, found.theory, formula=True))
    unit = f", {found.unit}" if found.unit else ""
    return ErrorCurve(tuple(lines), "ε" if found.axis == "epsilon" else "Rows", f"{found.metric.words}{unit}")


def _bars(found: HistogramComparison, asked: PlanInputs) -> PrivateBars:
    labels, names = (tuple(map(" | ".join, itertools.product(*axes))) for axes in (found.labels, found.names))
    values = asked.draft.values
    axis = " | ".join(str(values[name]) for name in ("by_column", "column", "second_column") if values.get(name))
    return PrivateBars(
        labels,
        np.asarray(found.private),
        np.asarray(found.low),
        np.asarray(found.high),
        axis,
        "Rows",
        np.asarray(found.true),
        "bars: 95 % of answers",
        names=names,
    )
