"""Real reports: let every row report into a file, and estimate from files of reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QSizePolicy, QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.paths import sample_data
from workbench.core.trust import BUILT_IN
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.eliding_check_box import ElidingCheckBox
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.plugin_trust import PluginTrust
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.save_place import ask_at
from workbench.gui.widgets.section import Section
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.collect.held_section import HeldSection
from workbench.gui.workspaces.collect.reported_views import ReportedViews
from workbench.gui.workspaces.collect.settings_form import settings_form
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.plan import CollectionPlan
from workbench.ldp.reports_together import TRIALS
from workbench.project.collect_settings import CollectSettings
from workbench.session.collection.aggregation import aggregator, estimated
from workbench.session.collection.held_survey import tally_estimator
from workbench.session.collection.inputs import ASSUMED
from workbench.session.collection.means import FOR_MEANS
from workbench.session.collection.price import TRIAL_COSTS, Price, budget_words, refused_words
from workbench.session.collection.reported_words import reported_words
from workbench.session.collection.results import Aggregated, Collected
from workbench.session.collection.two_answers import named_instead, names_in
from workbench.session.collection.words import collected_words, predicted_as

EXPORT_JOB, AGGREGATE_JOB, COST_JOB = "collect.export", "collect.aggregate", "collect.cost"
_MOST_ROWS = 5000
_NO_REPORTS = "No reports are open."
_FOR_REAL = "Collect for real", "With real randomness. What it costs goes into the ledger."
_ON_PAPER = "Hold the survey", "On paper or by telephone, with coins, dice or a program."
_NO_ROWS = "Reports come from rows: choose the column that holds the answers. A survey without one is only predicted."
_NO_TABLE = "Reports come from rows: open a table that holds the answers, or made-up ones for a trial."


class ReportsPage(QWidget):
    """The page that writes and reads reports; like them, all of it is public.

    Signals
    -------
    taken(object)
        The person chose the protocol that people report by.
    estimated()
        There is another estimate, or none any more.
    """

    taken = Signal(object)
    estimated = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.found: Aggregated | None = None
        self._offered: tuple[ProtocolChoice, ...] = ()
        self._recommended: ProtocolChoice | None = None
        self._named: tuple[str, ...] = ()
        self._wanted: object = None
        self._domain: Domain | None = None
        self._problem: WorkbenchError | None = None
        self.protocol = ElidingComboBox("Protocol of the reports")
        self.protocol.setPlaceholderText("No protocol is ticked")
        self.protocol.activated.connect(self._want)
        self.form = settings_form(self, document, "reports")
        self.participation = self.form["participation"]
        self.refused = label(wrap=True)
        set_look(self.refused, tone="error")
        self.refused.hide()
        self.cost = label(wrap=True, small=True)
        self.trust = PluginTrust()
        self.trust.changed.connect(document.tell_trust)
        self.trust.failed.connect(document.failed)
        self.export = push_button("Collect into a file…", self.choose_target, icon=icon("export"))
        self.trial = ElidingCheckBox("A trial: nobody gave these answers")
        self.trial.toggled.connect(self._say_cost)
        self.held = HeldSection(document)
        self.held.tallied.connect(self.count_tallies)
        self.held.planned_wanted.connect(self._hand_planned)
        self.open = push_button("Open reports…", self.choose_reports, icon=icon("open"))
        self.top = SpinBox("Most frequent values to name", 1, 1000, 10, "most frequent")
        self.apart = ElidingCheckBox("Each person is in one file only")
        self.apart.toggled.connect(self._again)
        self.trials = ElidingCheckBox("Count reports of a trial too")
        self.trials.setToolTip("Nobody gave those answers: they shift what people are said to have said")
        self.trials.toggled.connect(self._again)
        self.trials.hide()
        self._files: tuple[Path, ...] = ()
        self._sampled, self._reading = False, False
        self.state = ResultState()
        self.views = ReportedViews(document)
        self.chart, self.table, self.hitters = self.views.chart, self.views.table, self.views.hitters
        self._lay_out()
        self.state.show_state(Status.NEUTRAL, _NO_REPORTS)
        set_explain(self.protocol, "collect.export")
        set_explain(self.export, "collect.export")
        set_explain(self.trial, "collect.export")
        set_explain(self.apart, "collect.aggregate")
        set_explain(self.trials, "collect.aggregate")
        set_explain(self, "collect.aggregate")

    def _lay_out(self) -> None:
        self._top = collect = Section(*_FOR_REAL)
        row = QHBoxLayout()
        row.setSpacing(tokens.SPACE_S)
        self.protocol.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row.addWidget(self.protocol, 1)
        row.addWidget(self.export)
        collect.add(row)
        collect.add(self.form.grid(squeezed=True))
        collect.add(self.trial)
        collect.add(self.refused)
        collect.add(self.cost)
        collect.add(self.trust)
        collect.add(self.held)
        # What needs rows, in the place of which a survey that is planned without any is held.
        self._of_rows = (self.export, self.participation, *self.form.labels, self.trial, self.cost)
        line = QFrame()
        line.setProperty("line", "top")
        aggregate = Section(
            "Aggregate reports",
            "Reports of any protocol. The file says how to read them.",
        )
        buttons = boxes.row(self.open, 1, self.top, spacing="s")
        aggregate.add(buttons)
        aggregate.add(self.apart)
        aggregate.add(self.trials)
        aggregate.add(self.state)
        aggregate.add(self.views, 1)
        self.views.setMinimumHeight(tokens.EXPLAIN_WIDTH)
        boxes.column(collect, line, (aggregate, 1), margins="0 m 0 m", spacing="m", inside=self)

    # Collecting

    def refresh(self, domain: Domain | None, problem: WorkbenchError | None) -> None:
        """Show the protocols there are to choose from, and what reports by them cost or why there can be none."""
        self._offer()
        self.form.refresh()
        self._domain, self._problem = domain, problem
        self._say_cost()
        self._follow_sampling()

    def recommend(self, choice: ProtocolChoice | None) -> None:
        """Offer a protocol beside the ticked ones, and choose it unless the person has chosen or ticked others."""
        self._recommended = choice
        if not self.isVisible():  # what somebody is about to press does not change under the hand
            self._offer()
            self._say_cost()

    def _offer(self) -> None:
        ticked, best = self._document.project.collect.protocols, self._recommended
        choices = ticked if best is None or best in ticked else (best, *ticked)
        names = names_in(choices, self._plan, best)
        if (choices, names) == (self._offered, self._named):
            return
        self._offered, self._named = choices, names
        before = self.protocol.chosen
        self.protocol.clear()
        for choice, name in zip(choices, names, strict=True):
            self.protocol.addItem(name, choice)
        if self._wanted in choices:
            before = self._wanted
        elif best is not None and (best in ticked or ticked in (CollectSettings().protocols, FOR_MEANS)):
            before = best
        elif before not in ticked:
            before = next(iter(ticked), None)
        self.protocol.choose(before if before in choices else next(iter(choices), None))
        self.protocol.setEnabled(bool(choices))

    @property
    def _plan(self) -> CollectionPlan | None:
        """The collection as it is set, by which protocols are named; None while it is not known."""
        desk = self._document.session.collection
        try:
            return None if desk.asks_mean else desk.plan()
        except WorkbenchError:  # said where it is mended
            return None

    def _want(self, _row: int = 0) -> None:
        self._wanted = self.protocol.chosen
        self._say_cost()
        self.taken.emit(self._wanted)

    def _hand_planned(self) -> None:
        self.protocol.choose(self._recommended)
        self._want()

    def _say_cost(self, _row: int = 0) -> None:
        choice = self.protocol.chosen
        self.refused.hide()
        held = self.holds
        self._top.set_title((_ON_PAPER if held else _FOR_REAL)[0])
        self._top.set_description((_ON_PAPER if held else _FOR_REAL)[1])
        for part in self._of_rows:
            part.setHidden(held)
        self.held.setVisible(held)
        if held:
            self.held.refresh(choice if isinstance(choice, ProtocolChoice) else None)
            self.held.say_planned(named_instead(self._recommended, choice, self._plan))
        self.trust.show_origin(choice.origin if isinstance(choice, ProtocolChoice) else BUILT_IN)
        self.export.setEnabled(isinstance(choice, ProtocolChoice) and self._answerable)
        self.trial.setVisible(self._answerable)
        if not isinstance(choice, ProtocolChoice):
            self.cost.setText("Tick a protocol first.")
            return
        if not self._answerable:
            self.cost.setText(_NO_ROWS if self._document.has_data else _NO_TABLE)
            set_look(self.cost, tone="none")
            return
        if self._problem is not None:
            self._refuse_cost(self._problem)
            return
        size = self._domain.size if self._domain is not None else 0
        self._document.runner.start(
            "Working out what reports cost",
            self._document.session.collection.pricer(choice, size),
            on_done=self._show_cost,
            on_failed=self._refuse_cost,
            key=COST_JOB,
            latest_wins=True,
        )

    @property
    def holds(self) -> bool:
        """Whether a survey can be held on paper: shares are asked for, of people whom no table knows."""
        desk = self._document.session.collection
        return desk.without_table and not desk.asks_mean and self._problem is None and self._domain is not None

    @property
    def _answerable(self) -> bool:
        """Whether rows of a table can report."""
        return self._document.session.collection.answerable

    def show_ledger(self) -> None:
        """The ledger may have changed."""
        self._say_cost()

    @property
    def _collectable(self) -> bool:
        """Whether what stands in the fields now can be collected: a price that was worked out may be of before."""
        return isinstance(self.protocol.chosen, ProtocolChoice) and self._answerable and self._problem is None

    def _show_cost(self, price: Price) -> None:
        if not self._collectable:
            return
        assumed = self._domain is not None and not self._domain.declared
        choice = self.protocol.chosen
        doubt = choice.origin.doubt if isinstance(choice, ProtocolChoice) else ""
        refusal = price.remaining.refusal
        meaning = f"{price.attended.meaning} {predicted_as(price.attended, self._document.session.collection.settings)}"
        costs = TRIAL_COSTS if self.trial.isChecked() and refusal is None else ""
        words = " ".join(filter(None, (price.budget.text, costs, meaning.strip(), budget_words(price))))
        self.export.setEnabled(refusal is None)
        for part in (self.export, self.refused):
            part.setToolTip("" if refusal is None else str(refusal))
        trial = self.trial.isChecked()
        self.refused.setText(refused_words(price, trial=trial))
        self.refused.setVisible(refusal is not None)
        if assumed:
            words = f"No promise. {ASSUMED} Apart from that: {words}"
        if doubt:
            words = f"No promise. {doubt} {words}"
        self.cost.setText(words)
        set_look(self.cost, tone="warning" if assumed or doubt else "none")

    def _refuse_cost(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self.export.setEnabled(False)
            self.cost.setText(str(error))
            set_look(self.cost, tone="error")
        return isinstance(error, WorkbenchError)

    def choose_target(self) -> None:
        """Ask for a file and let every row report into it."""
        data = self._document.project.data
        if data is None or not (self._document.has_data and self._answerable):
            return
        source = Path(data.path)
        folder, stem = self._document.session.data.place_beside
        proposed = (Path.home() if source.is_relative_to(sample_data()) else folder) / f"{stem}_reports.csv"
        chosen, _ = ask_at(self, "Collect reports into a file", proposed, "Reports (*.csv)")
        if chosen:
            self.collect(Path(chosen))

    def collect(self, path: Path) -> None:
        """Let every row report by the chosen protocol."""
        choice = self.protocol.chosen
        if not (isinstance(choice, ProtocolChoice) and self._collectable):
            return
        document, session = self._document, self._document.session
        try:
            desk, trial = session.collection, self.trial.isChecked()
            work = desk.exporter(choice, path, look_later=True, trial=trial)
        except WorkbenchError as error:
            document.failed.emit(error)
            return
        fingerprint = session.data.fingerprint

        def done(collected: Collected) -> None:
            # Spent where it was spent, even if another project is open by now.
            if document.session is session:
                document.ledger_changed(fingerprint)
            else:
                desk.accept_collected(collected)
            self._say_collected(collected)

        self.export.setEnabled(False)
        document.runner.start(
            f"Collecting into {path.name}",
            work,
            on_done=done,
            on_failed=lambda error: self._collect_failed(error, fingerprint),
            key=EXPORT_JOB,
            owner=self,
            keep_late_result=True,
        )

    def _collect_failed(self, error: BaseException, fingerprint: str) -> bool:
        self._say_cost()
        if not isinstance(error, WorkbenchError):
            return False
        self._document.ledger_changed(fingerprint)  # what stops at a value is recorded as a look
        self._document.failed.emit(error.for_analyst())
        return True

    def _say_collected(self, collected: Collected) -> None:
        self._say_cost()
        self._document.noted.emit("success" if collected.claim else "warning", collected_words(collected))

    # Aggregating

    def choose_reports(self) -> None:
        """Ask for files of reports and estimate from them."""
        chosen, _ = QFileDialog.getOpenFileNames(self, "Open reports", "", "Reports (*.csv);;All files (*)")
        if chosen:
            self.aggregate([Path(one) for one in chosen])

    def aggregate(self, paths: Sequence[Path]) -> None:
        """Estimate from these files together."""
        if tuple(paths) != self._files:
            # What was said of other files says nothing of these.
            self.trials.blockSignals(True)
            self.trials.setChecked(False)
            self.trials.blockSignals(False)
            self.trials.hide()
        method, self._files = self._document.project.collect.method, tuple(paths)
        self._sampled, self._reading = self._sampling, True
        self._document.reads(paths)
        self.state.show_state(Status.INFO, "Reading reports…")
        self._document.runner.start(
            "Aggregating reports",
            aggregator(
                paths,
                method,
                top=self.top.value(),
                one_file_per_person=self.apart.isChecked(),
                with_trials=self.trials.isChecked(),
                sampling=self._sampled,
            ),
            on_done=self._show,
            on_failed=self._refuse,
            key=AGGREGATE_JOB,
            latest_wins=True,
        )

    def count_tallies(self, tallies: tuple[int, ...]) -> None:
        """Estimate from how many reported each answer, by the chosen protocol."""
        choice = self.protocol.chosen
        if not (isinstance(choice, ProtocolChoice) and self.holds):
            return
        self._files = ()
        self._sampled, self._reading = self._sampling, True
        self.trials.hide()
        self._document.runner.start(
            "Estimating from tallies",
            tally_estimator(self._document.session.collection, choice, tallies, top=self.top.value()),
            on_done=self._show,
            on_failed=self._refuse,
            key=AGGREGATE_JOB,
            latest_wins=True,
        )

    @property
    def _sampling(self) -> bool:
        """Whether those who report are drawn from all people, as it is set now."""
        return self._document.session.collection.settings.sampling

    def _follow_sampling(self) -> None:
        """Estimate once more from the same reports, where the switch of sampling error was changed."""
        found, method, top = self.found, self._document.project.collect.method, self.top.value()
        if found is None or self._reading or self._sampling == self._sampled:
            return  # what is being read follows when it is there
        sampling = self._sampled = self._sampling
        self._document.runner.start(
            "Estimating",
            lambda progress: estimated(found.received, method, top=top, sampling=sampling, progress=progress),
            on_done=self._show,
            on_failed=self._refuse,
            key=AGGREGATE_JOB,
            latest_wins=True,
        )

    def _again(self) -> None:
        if self._files:
            self.aggregate(self._files)

    def forget(self) -> None:
        """What was estimated is of another table, or of a survey that gave way to one."""
        if self.found is not None:
            self.found = None
            self.views.clear()
            self.state.show_state(Status.NEUTRAL, _NO_REPORTS)

    def _refuse(self, error: BaseException) -> bool:
        self._reading = False
        words = str(error) if isinstance(error, WorkbenchError) else "The reports were not read."
        self.state.show_state(Status.ERROR, words)
        self.found = None
        if isinstance(error, WorkbenchError) and error.field == TRIALS:
            self.trials.show()
        self.views.clear()
        self.estimated.emit()
        return isinstance(error, WorkbenchError)

    def _show(self, found: Aggregated) -> None:
        self._reading = False
        self._show_estimate(found)
        self.estimated.emit()
        self._follow_sampling()

    def _show_estimate(self, found: Aggregated) -> None:
        self.found = found
        said = reported_words(found)
        self.state.show_state(Status.WARNING if said.doubtful else Status.SUCCESS, " ".join(said.sentences))
        self.views.show_found(found)
