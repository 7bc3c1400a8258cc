"""The error against ε or the number of people, simulated on the rows themselves."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.look_question import LookQuestion
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import amount_field
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox, SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.save_chart import SaveChart
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.collect.chart_room import LEAST_CHART
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.prediction import MOST_USERS, CollectionPlan
from workbench.ldp.protocol import LARGEST_EPSILON, SMALLEST_EPSILON
from workbench.ldp.simulation import METRICS, SimulationErrors, frequency_choices
from workbench.ldp.sweep import Sweep, SweepCell
from workbench.plots import error_curves
from workbench.plots.error_curves import Against, ErrorCurves, ProtocolCurve
from workbench.session.collection.captions import swept_caption
from workbench.session.collection.results import OF_ALL, OF_ASKED
from workbench.session.collection.two_answers import in_general
from workbench.session.collection.words import CURATOR, look_of, scale_of, with_first, with_own_epsilon

SWEEP_JOB = "collect.sweep"

_LINES = {"epsilon": (0.1, 10.0), "users": (100.0, 100_000.0)}


@dataclass(frozen=True)
class _Asked:
    """What a sweep was asked for by: the settings, and what it goes over."""

    key: str
    against: Against
    plan: CollectionPlan
    choices: tuple[ProtocolChoice, ...]
    taken: ProtocolChoice | None
    column: str


class SweepPage(QWidget):
    """For the analyst only: the errors are those to the truth."""

    noted = Signal(str, str)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.first_look = LookQuestion(document, "sweep", desk=lambda: document.session.collection)
        self.first_look.agreed.connect(self.run)
        self._job = TrackedJob(document.runner, self)
        self._arrived: deque[Sweep] = deque(maxlen=1)
        self._wanted = 0
        self._recommended: ProtocolChoice | None = None
        self._asked: _Asked | None = None
        self.found: Sweep | None = None
        self.against = ComboBox("Sweep over", [("ε", "epsilon"), ("people", "users")])
        self.against.activated.connect(self._choose_against)
        self.low = amount_field("From")
        self.high = amount_field("To")
        self.points = SpinBox("Points", 2, 40, 8, "points")
        self.button = QPushButton()
        self.button.clicked.connect(self.run_or_cancel)
        self.error_choice = ElidingComboBox("Error", [(scale_of(metric).title, metric) for metric in METRICS])
        self.error_choice.activated.connect(self._draw)
        self.state = ResultState("Sweep again")
        self.state.run_requested.connect(self.run)
        self.chart = ChartView("Error along the sweep", error_curves, document.runner)
        self.chart.fill(LEAST_CHART)
        self.chart.set_empty_text(
            "Sweep to see how the errors of the protocol to take, of the ticked ones and of a trusted curator fall."
        )
        self.chart.noted.connect(document.noted)
        for field in (self.low, self.high):
            field.edit.setMinimumWidth(tokens.COLUMN_MIN)
            field.setFixedWidth(tokens.METER_WIDTH - tokens.SPACE_L)
            field.validity_changed.connect(self._judge)
        self._lay_out()
        set_explain(self, "collect.sweep")
        self._choose_against()
        self._job.moved.connect(self._job_progressed)
        self._job.ended.connect(self._job_finished)
        self.show_state("")

    def _lay_out(self) -> None:
        top = boxes.row(label("Over"), self.against, label("from"), self.low, label("to"), self.high, 1, spacing="s")
        self.error_choice.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        below = boxes.row(self.points, (self.error_choice, 1), self.button, spacing="s")
        self.state.add_mark(analyst_badge())
        self.state.add_mark(SaveChart(self.chart))
        boxes.column(
            top, below, self.first_look, self.state, (self.chart, 1), margins="0 s 0 m", spacing="s", inside=self
        )

    # Doing

    def recommend(self, choice: ProtocolChoice | None) -> None:
        """Sweep the protocol that a prediction takes beside the ticked ones."""
        self._recommended = choice

    def run_or_cancel(self) -> None:
        """Cancel what is running, or run."""
        if self._job.running:
            self._job.cancel()
            self._judge()
        else:
            self.run()

    def run(self) -> None:
        """Sweep with the settings as they stand."""
        low, high = self.low.value, self.high.value
        if self._job.running or low is None or high is None:
            return
        if self.first_look.needed:
            self.first_look.ask()
            return
        desk, project = self._document.session.collection, self._document.project
        against: Against = "users" if self.against.chosen == "users" else "epsilon"
        taken = self._recommended
        choices = frequency_choices(with_first(project.collect.protocols, taken))
        arrived = self._arrived
        arrived.clear()
        try:
            if not choices:
                raise WorkbenchError("No protocol that estimates counts is ticked.", hint="Tick at least one.")
            plan = desk.plan()
            cells = cells_between(against, low, high, self.points.value(), plan.epsilon, plan.users)
            work = desk.sweeper(cells, arrived.append, choices)
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._wanted = len(cells)
        self._asked = _Asked(desk.key(), against, plan, choices, taken, project.collect.column)
        self.found = None
        self.chart.set_data(None)
        self._job.start("Sweeping", work, on_done=self._show_found, key=SWEEP_JOB, latest_wins=True)
        self.show_state(desk.key())

    def clear(self) -> None:
        """Forget the sweep, because the data is another."""
        self.found = self._asked = None
        self.chart.set_data(None)

    def show_state(self, key: str) -> None:
        """Say whether what is shown belongs to the settings as they stand."""
        self._judge()
        self.first_look.follow()
        if self._job.running:
            self.state.show_state(Status.INFO, "Sweeping… points are drawn as they come.")
        elif self.found is None or self._asked is None:
            self.state.show_state(Status.NEUTRAL, "Nothing was swept yet.")
        elif self._asked.key != key:
            self.state.show_state(
                Status.WARNING, "The settings or the data changed: this is out of date.", offer_run=True
            )
        elif len(self.found.baselines) < self._wanted:
            words = "Cancelled: {n} of {all} points are finished."
            self.state.show_state(
                Status.WARNING, words.format(n=len(self.found.baselines), all=self._wanted), offer_run=True
            )
        else:
            words = f"{len(self.found.baselines)} points, {_tries(self.found):,} collections each."
            self.state.show_state(Status.SUCCESS, words)

    def _show_found(self, found: Sweep) -> None:
        self.found = found
        self._draw()

    def _job_progressed(self) -> None:
        if self._arrived:
            self.found = self._arrived.pop()
            self._draw()

    def _job_finished(self) -> None:
        if self._arrived:  # what a cancelled sweep came to
            newest = self._arrived.pop()
            if self.found is None or len(newest.baselines) > len(self.found.baselines):
                self._show_found(newest)
        self.show_state(self._document.session.collection.key())

    def _draw(self, _row: int = 0) -> None:
        if self.found is None or self._asked is None:
            self.chart.set_data(None)
            return
        asked, metric = self._asked, str(self.error_choice.chosen)
        chart = swept_chart(self.found, asked.choices, metric, asked.against, asked.plan, asked.taken)
        self.chart.say_below(swept_caption(chart, asked.plan, asked.column, _tries(self.found)))
        self.chart.set_data(chart)

    def _choose_against(self, _row: int = 0) -> None:
        kind = str(self.against.chosen)
        low, high = _LINES[kind]
        bounds = (SMALLEST_EPSILON, LARGEST_EPSILON) if kind == "epsilon" else (1.0, float(MOST_USERS))
        for field, value in ((self.low, low), (self.high, high)):
            field.set_bounds(*bounds)
            field.set_value(value)

    def _judge(self, _valid: bool = True) -> None:
        running = self._job.running
        cancelling = self._job.cancelling
        asks = self._document.has_data and self.first_look.needed
        words = "Cancel" if running else "Sweep…" if asks else "Sweep"
        self.button.setText(words)
        self.button.setAccessibleName(words)
        self.button.setIcon(icon("stop" if running else "run"))
        self.button.setEnabled(not cancelling and (running or (self.low.valid and self.high.valid)))


def cells_between(
    against: Against, low: float, high: float, points: int, epsilon: float, users: int
) -> list[SweepCell]:
    """Cells at equal ratios from the smaller to the larger number."""
    if low >= high:
        raise WorkbenchError("The first number must be below the second.", hint="Exchange them.", field="low")
    places = np.geomspace(low, high, points).tolist()
    if against == "epsilon":
        return [SweepCell(rounded(place, 6), users) for place in places]
    return [SweepCell(epsilon, count) for count in dict.fromkeys(max(1, round(place)) for place in places)]


def swept_chart(
    found: Sweep,
    choices: Sequence[ProtocolChoice],
    metric: str,
    against: Against,
    plan: CollectionPlan,
    taken: ProtocolChoice | None = None,
) -> ErrorCurves:
    """The curves of one metric with bands, and both baselines; the one that a prediction takes stands out."""
    curves, scale = [], scale_of(metric)
    now = plan.epsilon if against == "epsilon" else float(plan.users)
    factor = scale.factor
    for choice in choices:
        series = found.series(choice)
        places = np.array([_place(one.cell, against) for one in series])
        epsilon = next((one.epsilon for one in series if not one.problem), float("nan"))
        name = with_own_epsilon(in_general(choice, plan), choice, epsilon)
        curve = _curve(name, places, [one.errors.get(metric) for one in series], factor)
        curves.append(replace(curve, look=look_of(choice), taken=choice == taken))
    cells = list(found.baselines)
    places = np.array([_place(cell, against) for cell in cells])
    curves.append(_curve(CURATOR, places, [found.baselines[c].curator[metric] for c in cells], factor, "curator"))
    uniform = factor * np.array([found.baselines[cell].uniform[metric] for cell in cells])
    curves.append(ProtocolCurve("A uniform guess", places, uniform, role="uniform"))
    whose = OF_ALL if plan.sampling else OF_ASKED
    return ErrorCurves(tuple(curves), scale.of(whose), against, now, "bands: 95 % of the repetitions")


def _tries(found: Sweep) -> int:
    """How often each point was simulated."""
    return len(next(iter(found.baselines.values())).curator["l1"].values)


def _curve(
    name: str,
    places: np.ndarray,
    errors: Sequence[SimulationErrors | None],
    factor: float,
    role: error_curves.Role = "local",
) -> ProtocolCurve:
    means = factor * np.array([np.nan if one is None else one.mean for one in errors])
    bands = factor * np.array([(np.nan, np.nan) if one is None else one.band for one in errors]).reshape(len(errors), 2)
    return ProtocolCurve(name, places, means, bands[:, 0], bands[:, 1], role)


def _place(cell: SweepCell, against: Against) -> float:
    return cell.epsilon if against == "epsilon" else float(cell.users)
