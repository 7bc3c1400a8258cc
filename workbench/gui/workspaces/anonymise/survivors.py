"""The simulation of survival for every β, or by trimming for every ε; it counts as a look at the data."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from workbench.anonymise.survival import Survival
from workbench.anonymise.trim_survival import TrimSurvival
from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.plots import survival, trim_survival
from workbench.plots.survival import Survivors
from workbench.plots.trim_survival import TrimSurvivors
from workbench.session import Session
from workbench.session.looking import LATER
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.result import Explored

EXPLORE_JOB = "explore survival"

_SAMPLED = (
    "For every β, and the k that keeps your ε and δ with it: how many rows and groups of this table a sample would "
    "release at the chosen levels, with the spread from sample to sample."
)
_TRIMMED = (
    "For ε from an eighth of yours to eight times that, at your δ: how many rows and groups of this table trimming "
    "would release at the chosen levels, with the spread from draw to draw."
)


class SurvivorsView(QWidget):
    """Asks before it looks; then two charts, of the rows and of the groups."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._shown: Explored | None = None
        self._job = TrackedJob(document.runner, self)
        self._asked: Session | None = None
        self.start = QPushButton("Simulate what survives")
        self.start.setAccessibleName(self.start.text())
        self.start.clicked.connect(self._explore)
        self.state = ResultState("Simulate again")
        self.state.run_requested.connect(self._explore)
        self.charts = {
            counted: ChartView(name, survival, document.runner)
            for counted, name in (("rows", "Rows that survive"), ("classes", "Groups that survive"))
        }
        self.trimmed = {
            counted: ChartView(name, trim_survival, document.runner)
            for counted, name in (("rows", "Rows that survive trimming"), ("classes", "Groups that survive trimming"))
        }
        for chart in (*self.charts.values(), *self.trimmed.values()):
            chart.noted.connect(document.noted)
        self._of = {counted: QStackedWidget() for counted in self.charts}
        for counted, pages in self._of.items():
            pages.addWidget(self.charts[counted])
            pages.addWidget(self.trimmed[counted])
        self.switch = ViewSwitch("What is counted", ((self._of["rows"], "Rows"), (self._of["classes"], "Groups")))
        self._pages = QStackedWidget()
        self.asked = label(wrap=True, muted=True)
        self.setAccessibleName(self.start.text())
        self._wait_with_focus = Later(self, self._hand_on_focus)
        set_explain(self, "anonymise.survivors")
        self._lay_out()
        self._job.ended.connect(self._job_finished)

    def _lay_out(self) -> None:
        ask = QWidget()
        words = boxes.column(margins="0 m 0 0", spacing="m", inside=ask)
        words.addWidget(label("How much of this data would survive?", heading=2, wrap=True))
        looking = (
            f"Seeing it is looking at the data, which is recorded and weakens your promise: from then on {LATER} "
            "Export what you want to publish first."
        )
        for sentence in (self.asked, label(looking, wrap=True, muted=True)):
            words.addWidget(sentence)
        words.addWidget(self.start, 0, Qt.AlignmentFlag.AlignLeft)
        words.addStretch(1)
        seen = boxes.boxed(boxes.column(self.state, (self.switch, 1), margins="0 s 0 0", spacing=0))
        self._pages.addWidget(ask)
        self._pages.addWidget(seen)
        boxes.column(self._pages, inside=self)

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show what was explored, and whether it still belongs to the settings."""
        explored = self._document.session.release.survival.explored
        running = self._job.running
        self.asked.setText(_TRIMMED if found.trims else _SAMPLED)
        self.start.setEnabled(found.can_run and not running)
        self.start.setText("Simulating…" if running else "Simulate what survives")
        if explored is not self._shown:
            self._shown = explored
            self._draw(explored)
        self._pages.setCurrentIndex(0 if explored is None else 1)
        if explored is not None:
            self._show_state(explored, found, running)

    def _draw(self, explored: Explored | None) -> None:
        """Show the charts of the mechanism that was simulated, and leave the others empty."""
        found = None if explored is None else explored.survival
        for counted in ("rows", "classes"):
            sampled = found if isinstance(found, Survival) else None
            trimmed = found if isinstance(found, TrimSurvival) else None
            self.charts[counted].set_data(None if sampled is None else Survivors(sampled, counted))
            self.trimmed[counted].set_data(None if trimmed is None else TrimSurvivors(trimmed, counted))
            self._of[counted].setCurrentWidget((self.charts if trimmed is None else self.trimmed)[counted])

    def _show_state(self, explored: Explored, found: PromiseAssessment, running: bool) -> None:
        simulated = explored.survival
        if running:
            self.state.show_state(Status.INFO, "Simulating…")
        elif found.guarantee is None or found.pending or not self._document.session.release.survival.is_current:
            self.state.show_state(
                Status.WARNING,
                "This was simulated for other settings than those in force now.",
                offer_run=found.can_run and not found.pending,
            )
        else:
            self.state.show_state(
                Status.NEUTRAL,
                (
                    f"A simulation of {simulated.draws} draws per point, seed {simulated.seed}. It was seen: from then "
                    f"on {LATER}"
                ),
            )

    def _explore(self) -> None:
        session = self._document.session
        try:
            work = session.release.survival.simulator()
        except WorkbenchError as error:
            self._document.failed.emit(error)
            return
        self._asked = session
        if self.start.hasFocus() or self.state.again.hasFocus():
            self.setFocus()  # the button goes grey or away, and the focus must not wander off to the settings
        self._job.start("Simulating what survives", work, on_done=self._accept, key=EXPLORE_JOB, latest_wins=True)
        self._refresh()

    def _accept(self, explored: Explored) -> None:
        session = self._document.session
        if (
            session is not self._asked
            or session.data.loaded is None
            or session.data.fingerprint != explored.fingerprint
        ):
            return  # Another file is open by now, and nothing of this one was shown.
        session.release.survival.accept(explored)
        self._document.changed.emit("result")
        self._document.changed.emit("file")

    def _job_finished(self) -> None:
        self._refresh()
        self._wait_with_focus.start()

    def _hand_on_focus(self) -> None:
        """Once what came of it is shown: to the button that can be pressed now."""
        if self.hasFocus():
            asking = self._pages.currentIndex() == 0
            (self.start if asking else self.switch.buttons[self.switch.pages.currentIndex()]).setFocus()

    def _refresh(self) -> None:
        # The claim and the buttons are shown anew by whoever shows the assessment.
        self._document.changed.emit("result")
