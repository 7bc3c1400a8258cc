"""The question, the methods and the range on the left; the chart, its numbers and advice on the right."""

from __future__ import annotations

import shlex
from collections import deque
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled
from workbench.evaluate.estimating import Estimate
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.findings import Findings
from workbench.evaluate.running import Gate
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.runner import Job
from workbench.gui.theme import set_look
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.side_by_side import SideBySide
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.base import Workspace
from workbench.gui.workspaces.compare.advice_page import AdvicePage
from workbench.gui.workspaces.compare.chart_page import ChartPage
from workbench.gui.workspaces.compare.draft import Draft
from workbench.gui.workspaces.compare.experiments_section import ExperimentsSection
from workbench.gui.workspaces.compare.gallery import Gallery
from workbench.gui.workspaces.compare.grid_section import GridSection
from workbench.gui.workspaces.compare.looking import Seen, looker
from workbench.gui.workspaces.compare.methods_section import MethodsSection
from workbench.gui.workspaces.compare.numbers_page import NumbersPage
from workbench.gui.workspaces.compare.preset_page import PresetPage
from workbench.gui.workspaces.compare.question_section import QuestionSection
from workbench.gui.workspaces.compare.wording import duration_words
from workbench.plots.figure_settings import FigureSettings
from workbench.plots.render import prepare
from workbench.session.compare_command import write_command

RUN_JOB, LOOK_JOB, ESTIMATE_JOB = "compare.run", "compare.look", "compare.estimate"
_SETTINGS_WIDTH = tokens.EXPLAIN_WIDTH + tokens.SPACE_XL
_PARTS = {"data", "schema", "rows", "hierarchies", "comparing"}
_SETTINGS_PART, _RESULT_PART = 0, 1
_EXPERIMENT_VIEW, _PRESETS_VIEW = 0, 1
_SETTLE_MS = 120


class CompareWorkspace(Workspace):
    """The room where approaches are compared."""

    identifier = "compare"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.draft = Draft(document, self)
        self._job: Job | None = None
        self._running: Experiment | None = None
        self._gate = Gate()
        self._arrived: deque[Findings] = deque(maxlen=1)
        self._paces: dict[str, float] = {}
        self._seen: Seen | None = None
        self._estimate: Estimate | None = None
        self._problem: WorkbenchError | None = None
        self._shown_of: tuple[str, int] = ("", -1)
        self._fingerprint = ""
        self.experiments = ExperimentsSection(self.draft)
        self.question = QuestionSection(self.draft)
        self.methods = MethodsSection(self.draft)
        self.grid = GridSection(self.draft)
        self.chart = ChartPage(document, self.draft)
        self.numbers = NumbersPage(document)
        self.advice = AdvicePage(document, self.draft)
        self.gallery = Gallery()
        self.preset = PresetPage(document, self.draft)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(self.tr("What was found"))
        for page, title in (
            (self.chart, self.tr("Chart")),
            (self.numbers, self.tr("Numbers")),
            (self.advice, self.tr("Advice")),
        ):
            self.tabs.addTab(page, title)
        self.button = QPushButton()
        set_look(self.button, primary=True)
        set_explain(self.button, "compare.run")
        self.pause = QPushButton(self.tr("Pause"))
        self.pause.hide()
        self.cost = label(small=True, wrap=True)
        self.command = QPushButton(self.tr("Copy as command…"))
        self.command.setIcon(icon("copy", "link"))
        self.command.setToolTip(self.tr("Write the experiment into a folder, and copy the command line that runs it"))
        set_look(self.command, quiet=True)
        self.no_data = EmptyState(
            "compare",
            self.tr("No table is open"),
            self.tr(
                "Ask one question of a table of yours in several ways, and see how far off each answer is: that of a "
                "trusted curator, of an anonymised release, or of answers that everybody perturbs. The published "
                "figures run without a table."
            ),
            self.tr("Open a file…"),
            (self.tr("Published figures…"),),
        )
        self.no_experiment = EmptyState(
            "compare",
            self.tr("What would privacy cost here?"),
            self.tr(
                "An experiment asks one question of this table in several ways, many times over, and draws how far off "
                "the answers are. Nothing is charged, and nothing of it may be published."
            ),
            self.tr("New experiment"),
            (self.tr("Published figures…"),),
        )
        self._lay_out()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self._settle)
        self._look_later = QTimer(self)
        self._look_later.setSingleShot(True)
        self._look_later.setInterval(_SETTLE_MS)
        self._look_later.timeout.connect(self._look)
        self._stale = True
        self._prepared = False
        self._connect()

    # What the window asks

    def status(self) -> Status | None:
        if self._seen is None or not self._seen.known:
            return None
        return Status.SUCCESS if self._seen.findings.complete and self._current() else Status.WARNING

    def next_hint(self) -> str:
        if not self.document.has_data or self.draft.experiment is None:
            return ""
        return "" if self.status() is Status.SUCCESS else self.tr("Run the experiment")

    def focus_first(self) -> None:
        if self.pages.currentWidget() is self.parts:
            self.parts.show_part(_SETTINGS_PART)
            self.question.figure.setFocus()
        else:
            empty = self.pages.currentWidget()
            if isinstance(empty, EmptyState) and empty.primary_button is not None:
                empty.primary_button.setFocus()

    def run(self) -> None:
        """Run what is missing of the experiment, or of the published figure that is shown."""
        if self.views.pages.currentIndex() == _PRESETS_VIEW:
            if self.presets.currentWidget() is self.preset:
                self.preset.run()
            return
        self._settle()
        experiment = self.draft.experiment
        if self._job is not None or experiment is None or self._reason_not_to_run():
            return
        arrived, self._gate = self._arrived, Gate()
        arrived.clear()
        try:
            work = self.draft.desk.runner(experiment, arrived.append, self._gate)
        except WorkbenchError as error:
            self.document.failed.emit(error)
            return
        self._running = experiment
        for job in self.document.runner.jobs:
            if job.key == ESTIMATE_JOB:
                job.cancel()
        self._job = self.document.runner.start(
            self.tr("Comparing methods"), work, on_done=self._take, on_failed=self._refuse, key=RUN_JOB
        )
        self.parts.show_part(_RESULT_PART)
        self.tabs.setCurrentWidget(self.chart)
        self._show_run()

    # Building

    def _lay_out(self) -> None:
        inside = QWidget()
        inside.setProperty("bare", "true")
        column = QVBoxLayout(inside)
        column.setContentsMargins(tokens.SPACE_L, tokens.SPACE_S, tokens.SPACE_S, tokens.SPACE_L)
        column.setSpacing(tokens.SPACE_XL)
        for section in (self.experiments, self.question, self.methods, self.grid):
            column.addWidget(section)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        foot = QFrame()
        foot.setProperty("line", "top")
        rows = QVBoxLayout(foot)
        rows.setContentsMargins(tokens.SPACE_L, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_M)
        rows.setSpacing(tokens.SPACE_XS)
        rows.addWidget(self.cost)
        buttons = QHBoxLayout()
        buttons.setSpacing(tokens.SPACE_S)
        buttons.addWidget(self.button, 1)
        buttons.addWidget(self.pause)
        buttons.addWidget(self.command)
        rows.addLayout(buttons)
        settings = QWidget()
        left = QVBoxLayout(settings)
        left.setContentsMargins(0, 0, 0, 0)
        left.setSpacing(0)
        left.addWidget(scroll, 1)
        left.addWidget(foot)
        settings.setMinimumWidth(_SETTINGS_WIDTH)
        found = QWidget()
        right = QVBoxLayout(found)
        right.setContentsMargins(tokens.SPACE_S, 0, tokens.SPACE_M, tokens.SPACE_M)
        right.addWidget(self.tabs)
        self.parts = SideBySide(
            "compare",
            ((settings, self.tr("Experiment")), (found, self.tr("What was found"))),
            (_SETTINGS_WIDTH, 2 * _SETTINGS_WIDTH),
        )
        self.pages = QStackedWidget()
        for page in (self.no_data, self.no_experiment, self.parts):
            self.pages.addWidget(page)
        self.presets = QStackedWidget()
        self.presets.addWidget(self.gallery)
        self.presets.addWidget(self.preset)
        self.views = ViewSwitch(
            self.tr("What is compared"),
            ((self.pages, self.tr("My experiments")), (self.presets, self.tr("Published figures"))),
            analyst_badge(),
            indent=tokens.SPACE_L,
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.views)
        set_explain(self, "workspace.compare")

    def _connect(self) -> None:
        document = self.document
        document.changed.connect(self._document_changed)
        document.runner.progress.connect(self._job_progressed)
        document.runner.finished.connect(self._job_finished)
        self.draft.refused.connect(self._edit_refused)
        self.draft.accepted.connect(self._edit_accepted)
        self.button.clicked.connect(self._run_or_cancel)
        self.pause.clicked.connect(self._pause_or_go_on)
        self.command.clicked.connect(self._choose_folder)
        self.chart.state.run_requested.connect(self.run)
        self.question.data_requested.connect(partial(self.go_to.emit, "data"))
        self.experiments.deleted.connect(self._tell_deleted)
        self.no_data.primary.connect(self.open_requested)
        self.no_data.secondary.connect(self._show_gallery)
        self.no_experiment.primary.connect(self._begin)
        self.no_experiment.secondary.connect(self._show_gallery)
        self.gallery.chosen.connect(self.show_preset)
        self.preset.back.connect(self._show_gallery)
        self.preset.experiment_made.connect(self._show_experiments)
        self._show_pages()
        self._show_run()

    # Keeping up

    def _document_changed(self, section: str) -> None:
        if section in _PARTS:
            self._stale = True
            if self.isVisible():
                self._later.start()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Nothing is looked for in a room that nobody looks at.
        if self._stale:
            self._later.start()
        if not self._prepared:
            # The first points are to be seen at once when somebody runs.
            self._prepared = True
            self.document.runner.start(self.tr("Preparing the charts"), prepare)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._later.stop()
        self._look_later.stop()
        self._stale = True

    def _settle(self) -> None:
        """Bring everything up to date; what takes time is looked for off the GUI thread."""
        if not self._stale:
            return
        self._stale = False
        self._later.stop()
        self._show_pages()
        self.preset.refresh()
        fingerprint = self.document.session.data_fingerprint if self.document.has_data else ""
        if fingerprint != self._fingerprint:
            self._fingerprint = fingerprint
            self._forget()
        current = self.draft.current
        if current is None or not self.document.has_data:
            self._show_run()
            return
        self.experiments.refresh()
        self.question.refresh(current.experiment)
        self._show_methods()
        self.grid.refresh(current.experiment)
        self.chart.panel.refresh(current.figure)
        self.advice.refresh()
        self._problem = self.question.problem
        self._look_later.start()
        self._show_run()

    def _forget(self) -> None:
        """Other data: nothing that was found speaks of it."""
        if self._job is not None:
            self._gate.resume()
            self._job.cancel()
        self._seen = self._estimate = None
        self._shown_of = ("", -1)
        self.chart.show_findings(None, self.chart_settings())
        self.numbers.show_findings(None)
        self.advice.clear()

    def chart_settings(self) -> FigureSettings:
        """How the chart is drawn."""
        return self.draft.current.figure if self.draft.current is not None else FigureSettings()

    def _show_pages(self) -> None:
        if not self.document.has_data:
            self.pages.setCurrentWidget(self.no_data)
        elif self.draft.current is None:
            self.pages.setCurrentWidget(self.no_experiment)
        else:
            self.pages.setCurrentWidget(self.parts)

    def _show_methods(self) -> None:
        experiment = self.draft.experiment
        if experiment is not None:
            seen = self._seen if self._current() else None
            self.methods.refresh(
                experiment, seen.refused if seen is not None else {}, seen.problems if seen is not None else {}
            )

    # Looking at what is there

    def _key(self) -> str:
        experiment = self.draft.experiment
        return self.draft.desk.key(experiment) if experiment is not None and self.document.has_data else ""

    def _current(self) -> bool:
        """Whether the last look was at the experiment as it stands."""
        return self._seen is not None and self._seen.key == self._key()

    def _look(self) -> None:
        experiment = self.draft.experiment
        if experiment is None or not self.document.has_data:
            return
        if self._current():
            self._show_seen()
            return
        if self.question.problem is not None or not experiment.question.column:
            self._show_run()
            return
        try:
            work = looker(self.draft.desk, experiment)
        except WorkbenchError as error:
            self._look_failed(error)
            return
        self.document.runner.start(
            self.tr("Looking at the experiment"),
            work,
            on_done=self._take_seen,
            on_failed=self._look_failed,
            key=LOOK_JOB,
            latest_wins=True,
        )

    def _take_seen(self, seen: Seen) -> None:
        self._seen, self._estimate = seen, None
        if self._current():
            self._problem = None
            self._show_seen()
            self._show_methods()
            self._estimate_rest()

    def _look_failed(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            return True
        if not isinstance(error, WorkbenchError):
            return False
        self._problem = error
        self.question.show_problem(error)
        self._show_run()
        return True

    def _show_seen(self) -> None:
        """Draw what is known; where nothing is, what was drawn before stays and is called out of date."""
        seen = self._seen
        if seen is None:
            return
        here = self._fingerprint, self.draft.index
        if seen.known and not (self._job is not None and self._running == self.draft.experiment):
            self._draw(seen.findings)
            self._shown_of = here
            if seen.findings.complete:
                self._keep(seen.findings)
        elif self._shown_of != here and self._job is None:
            self._shown_of = here
            self.chart.show_findings(None, self.chart_settings())
            self.numbers.show_findings(None)
        elif self.chart.shown is not None:
            self._draw(self.chart.shown)
        self._show_run()
        self.status_changed.emit()

    def _draw(self, findings: Findings, *, soon: bool = False) -> None:
        self.chart.show_findings(findings, self.chart_settings(), soon=soon)
        if not soon or self.tabs.currentWidget() is self.numbers:
            self.numbers.show_findings(findings)

    def _estimate_rest(self) -> None:
        experiment, seen = self.draft.experiment, self._seen
        if experiment is None or seen is None or seen.findings.complete or self._job is not None:
            return
        try:
            work = self.draft.desk.estimator(experiment, self._paces)
        except WorkbenchError:
            return
        self.document.runner.start(
            self.tr("Estimating the time"),
            work,
            on_done=partial(self._take_estimate, seen),
            on_failed=self._look_failed,
            key=ESTIMATE_JOB,
            latest_wins=True,
            owner=self,
        )

    def _take_estimate(self, seen: Seen, estimate: Estimate) -> None:
        if seen is self._seen:
            self._estimate = estimate
            self._show_run()

    # Running

    def _run_or_cancel(self) -> None:
        if self._job is not None:
            self._gate.resume()
            self._job.cancel()
            self._show_run()
        else:
            self.run()

    def _pause_or_go_on(self) -> None:
        if self._gate.paused:
            self._gate.resume()
        else:
            self._gate.pause()
        self._show_run()

    def _job_progressed(self, job: Job, _fraction: float, _text: str) -> None:
        if job is not self._job:
            return
        if self._arrived:
            self._show_partial(self._arrived.pop())
        self._show_state()

    def _show_partial(self, findings: Findings) -> None:
        """Draw what has come so far, unless something else is looked at by now."""
        if findings.experiment == self.draft.experiment and any(series.drawn for series in findings.series):
            self._shown_of = self._fingerprint, self.draft.index
            self._draw(findings, soon=True)

    def _take(self, findings: Findings) -> None:
        self._arrived.clear()
        self._keep(findings)

    def _refuse(self, error: BaseException) -> bool:
        if isinstance(error, Cancelled):
            return True
        if not isinstance(error, WorkbenchError):
            return False
        self._problem = error
        self.question.show_problem(error)
        self.document.failed.emit(error)
        return True

    def _keep(self, findings: Findings) -> None:
        """Put results into the project where they are to be saved with it."""
        desk = self.draft.desk
        for place, one in enumerate(desk.documents):
            wanted = one.keep and one.experiment == findings.experiment
            if wanted and set(one.kept) != set(findings.keys):
                desk.take_in(place, findings)
                self.document.changed.emit("file")

    def _job_finished(self, job: Job) -> None:
        if job is self._job:
            self._job = self._running = None
            self._arrived.clear()
            # Also after a cancelled run, what was finished is there.
            self._seen = None
            self._show_run()
            if self.isVisible():
                self._look()
            else:
                self._stale = True

    # State

    def _reason_not_to_run(self) -> str:
        experiment = self.draft.experiment
        if experiment is None:
            return self.tr("There is no experiment.")
        if not experiment.question.column:
            return self.tr("No column is chosen.")
        if not (self.question.valid and self.methods.valid and self.grid.valid):
            return self.tr("A field holds no number.")
        if self.question.problem is not None:
            return self.question.problem.message
        if self._problem is not None:
            return self._problem.message
        return ""

    def _show_run(self) -> None:
        running = self._job is not None
        cancelling = self._job is not None and self._job.cancelling
        words = self.tr("Cancel") if running else self.tr("Run")
        self.button.setText(words)
        self.button.setAccessibleName(words)
        self.button.setIcon(icon("stop" if running else "run", "on_accent"))
        self.button.setToolTip("" if running else self.tr("Run what is missing of the experiment (F5)"))
        reason = "" if running else self._reason_not_to_run()
        complete = self._current() and self._seen is not None and self._seen.findings.complete
        self.button.setEnabled(not cancelling if running else not reason and not complete)
        self.pause.setVisible(running)
        paused = self.tr("Go on") if self._gate.paused else self.tr("Pause")
        self.pause.setText(paused)
        self.pause.setAccessibleName(paused)
        self.command.setVisible(not running)
        set_look(self.cost, tone="warning" if reason else "none", muted=not reason)
        self.cost.setText(reason or self._cost_words())
        self._show_state()

    def _cost_words(self) -> str:
        """What a run would do, and about how long it takes."""
        experiment, seen = self.draft.experiment, self._seen
        if experiment is None:
            return ""
        points = len(experiment.places) * len(experiment.methods)
        if seen is None or not self._current():
            return self.tr("{n} points × {times} repetitions").format(n=points, times=f"{experiment.repetitions:,}")
        missing = seen.points - seen.known
        if not missing:
            return self.tr("All {n} points are there.").format(n=points)
        words = self.tr("{n} points × {times} repetitions").format(n=missing, times=f"{experiment.repetitions:,}")
        if seen.known:
            words = self.tr("{n} of {all} points still to run").format(n=missing, all=points)
        return f"{words}, {duration_words(self._estimate.seconds)}" if self._estimate is not None else words

    def _show_state(self) -> None:
        state, seen, experiment = self.chart.state, self._seen, self.draft.experiment
        can_run = not self._reason_not_to_run()
        if self._job is not None:
            state.show_state(Status.INFO, self._running_words(self._job))
        elif not self._current():
            if self._problem is not None or self.question.problem is not None:
                shown = self.chart.shown is not None
                state.show_state(
                    Status.WARNING if shown else Status.NEUTRAL,
                    self.tr("Out of date: the question changed.") if shown else self.tr("Not run yet."),
                )
            else:
                state.show_state(Status.NEUTRAL, self.tr("Looking for what is there already…"))
        elif seen is None or not seen.known:
            shown = self.chart.shown is not None
            state.show_state(
                Status.WARNING if shown else Status.NEUTRAL,
                self.tr("Out of date: the chart is of other settings.") if shown else self.tr("Not run yet."),
                offer_run=shown and can_run,
            )
        elif not seen.findings.complete:
            state.show_state(
                Status.WARNING,
                self.tr("{n} of {all} points are there.").format(n=seen.known, all=seen.points),
                offer_run=can_run,
            )
        else:
            rows, times = f"{seen.findings.rows:,}", f"{experiment.repetitions if experiment is not None else 0:,}"
            state.show_state(
                Status.SUCCESS, self.tr("{rows} rows, {times} repetitions per point.").format(rows=rows, times=times)
            )

    def _running_words(self, job: Job) -> str:
        if job.cancelling:
            return self.tr("Cancelling…")
        if self._gate.paused:
            return self.tr("Paused. Finished points stay.")
        if self._running != self.draft.experiment:
            return self.tr("Another experiment is running: {share} %").format(share=f"{100 * job.fraction:.0f}")
        left = job.seconds_left
        words = self.tr("Running: {share} %").format(share=f"{100 * job.fraction:.0f}")
        return words if left is None else self.tr("{words}, {time} left").format(words=words, time=duration_words(left))

    def _edit_refused(self, error: WorkbenchError) -> None:
        if error.field in ("places", "axis", "users", "repetitions", "seed", "epsilon"):
            self.grid.show_problem(f"{error.message} {error.hint or ''}".strip())
        else:
            self.document.failed.emit(error)

    def _edit_accepted(self) -> None:
        self.grid.show_problem("")

    # Going places, and the way out

    def show_preset(self, identifier: str) -> None:
        """Show the page of a published figure."""
        self.preset.show_preset(identifier)
        self.presets.setCurrentWidget(self.preset)
        self.views.show_view(_PRESETS_VIEW)
        self.preset.button.setFocus()

    def _show_gallery(self, _which: int = 0) -> None:
        self.presets.setCurrentWidget(self.gallery)
        self.views.show_view(_PRESETS_VIEW)

    def _show_experiments(self) -> None:
        self.views.show_view(_EXPERIMENT_VIEW)

    def _begin(self) -> None:
        self.draft.add()
        self._settle()
        self.focus_first()

    def _tell_deleted(self, name: str) -> None:
        self._shown_of = ("", -1)
        self.document.noted.emit("info", self.tr("“{name}” was deleted; Undo brings it back.").format(name=name))

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Write the experiment into"))
        if chosen:
            self.copy_command(Path(chosen))

    def copy_command(self, folder: Path) -> None:
        """Write the experiment into a folder, and put the command that runs it on the clipboard."""
        current = self.draft.current
        if current is None:
            return
        try:
            words = shlex.join(write_command(self.document.session, current, folder))
        except WorkbenchError as error:
            self.document.failed.emit(error)
            return
        QGuiApplication.clipboard().setText(words)
        self.document.noted.emit("success", self.tr("The command was copied: {words}").format(words=words))
