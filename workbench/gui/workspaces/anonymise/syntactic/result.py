"""The right half: one line that says what holds and at which loss, the table, and everything about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QTabWidget, QWidget

from workbench.core.number_text import estimate
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.status import Status
from workbench.gui.widgets.view_switch import ViewSwitch
from workbench.gui.workspaces.anonymise.costs import CostsView
from workbench.gui.workspaces.anonymise.release_table import ReleaseTable
from workbench.gui.workspaces.anonymise.result_header import ResultHeader
from workbench.gui.workspaces.anonymise.syntactic.advice import AdviceView
from workbench.gui.workspaces.anonymise.syntactic.distribution_view import DistributionView
from workbench.gui.workspaces.anonymise.syntactic.levels_view import CombinationsPanel
from workbench.gui.workspaces.anonymise.syntactic.risk_view import RiskView
from workbench.gui.workspaces.anonymise.syntactic.verbs import FIND, USE
from workbench.plots import losses, released_classes
from workbench.plots.before_after import BeforeAfter as Distribution
from workbench.session.before_and_after import compared_recoded
from workbench.session.syntactic import views
from workbench.session.syntactic.lattice_bands import LatticeBands, lattice_bands
from workbench.session.syntactic.neighbours import NodeNeighbours
from workbench.session.syntactic.results import Recoded, RecodingResult, Refusal
from workbench.session.syntactic.why_best import WhyBest, why
from workbench.session.syntactic.words import (
    effort_in_words,
    found_in_words,
    models_in_words,
    pass_levels_in_words,
    passes_in_words,
)


class SyntacticResult(QWidget):
    """Shows the last search and the last table.

    Signals
    -------
    search_requested(), recode_requested(), hierarchies_requested()
        The person wants the best levels, the table anew, or to attach hierarchies first.
    levels_chosen(object)
        The person wants these levels, by column.
    change_chosen(object)
        The person wants this `Change`.
    """

    search_requested = Signal()
    recode_requested = Signal()
    hierarchies_requested = Signal()
    levels_chosen = Signal(object)
    change_chosen = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._shown: Recoded | None = None
        self._around: NodeNeighbours | None = None
        self._explained: RecodingResult | None = None
        self._act: Callable[[], None] = self._show_why
        self.header = ResultHeader("Why?", "Why these levels won")
        self.table = ReleaseTable(document.runner, "suppressed")
        self.advice = AdviceView()
        self.losses = ChartView("Information loss", losses, document.runner)
        self._no_loss = "After a run: how much of each column is lost."
        self.losses.set_empty_text(self._no_loss)
        self.sizes = ChartView("Class sizes", released_classes, document.runner)
        self.sizes.set_empty_text("After a run: how many rows are alike.")
        self.risk = RiskView(document.runner)
        self.values = DistributionView(document.runner)
        self.costs = CostsView(document.runner)
        self.levels = CombinationsPanel(document.runner)
        self._empty = EmptyState("table", "Find the best levels to see the table", action=FIND)
        self._no_hierarchy = EmptyState("hierarchies", "No hierarchy yet", action="Attach hierarchies")
        for empty in (self._empty, self._no_hierarchy):
            if empty.primary_button is not None:
                # The one accent of this page is the button below the settings.
                set_look(empty.primary_button, primary=False)
        self.pages = QStackedWidget()
        self.tabs = QTabWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        for page in (self._empty, self._no_hierarchy, self.table, self.advice):
            self.pages.addWidget(page)
        self.tabs.setDocumentMode(True)
        for bar in (self.tabs, self.tabs.tabBar()):
            bar.setAccessibleName("Views of the result")
        set_explain(self.header.badge, "release.claim")
        set_explain(self.losses, "anonymise.metric")
        set_explain(self.sizes, "anonymise.result")
        charts = ((self.losses, "Loss"), (self.sizes, "Sizes"), (self.values, "Values"))
        self.charts = ViewSwitch("Charts of the table", charts)
        views: tuple[tuple[QWidget, str], ...] = (
            (self.pages, "Table"),
            (self.levels, "Levels"),
            (self.risk, "Risk"),
            (self.charts, "Charts"),
            (self.costs, "Costs"),
        )
        for view, title in views:
            self.tabs.addTab(view, title)
        boxes.column(self.header, (self.tabs, 1), margins="m s m s", spacing=0, inside=self)

    def _connect(self) -> None:
        for chart in (self.losses, self.sizes, self.values.chart, self.table, self.risk, self.costs):
            chart.noted.connect(self._document.noted)
        self.header.link.clicked.connect(self._follow_link)
        self._empty.primary.connect(self.search_requested)
        self._no_hierarchy.primary.connect(self.hierarchies_requested)
        self.advice.chosen.connect(self.change_chosen)
        self.advice.table_requested.connect(self._show_table)
        self.advice.search_requested.connect(self.search_requested)
        self.levels.levels_chosen.connect(self.levels_chosen)
        self.values.column_chosen.connect(self._compare_column)
        self.risk.threshold_chosen.connect(self._assess_risk)

    @property
    def starters(self) -> tuple[QPushButton | None, ...]:
        """The buttons that go away or go grey once they have started something."""
        return self.header.link, self.advice.search, self._empty.primary_button

    # Showing

    def show_state(self, running: str, refusal: Refusal | None, *, bare: bool, ready: bool) -> None:
        """Show how the search and the table stand.

        Parameters
        ----------
        running
            "search", "recode" or "".
        refusal
            Why the last try gave nothing; None if it gave something, or if the question has changed since.
        bare, ready
            Nothing has a hierarchy yet; the question can be asked.
        """
        session = self._document.session
        self._show_found(running)
        self._show_header(running, refusal, ready=ready)
        if self._empty.primary_button is not None:
            self._empty.primary_button.setEnabled(ready and not running)
        # Beside the reason why there is nothing, figures of an older table would mislead.
        self._show_recoded(session.syntactic.recoded if refusal is None else None)
        if refusal is not None:
            self.advice.show_refusal(refusal, session.project.anonymise.question.models)
            self.pages.setCurrentWidget(self.advice)
        elif session.syntactic.recoded is None:
            self.pages.setCurrentWidget(self._no_hierarchy if bare else self._empty)
        elif self.pages.currentWidget() is not self.table and self._shown is session.syntactic.recoded:
            self._show_page(session.syntactic.recoded)

    def _show_found(self, running: str) -> None:
        session = self._document.session
        found = session.syntactic.found
        if session.syntactic.around is not self._around or found is not self._explained:
            around = self._around = session.syntactic.around
            self._explained = found
            if found is None or around is None:
                self.levels.show_found(found, around, None, None)
            else:
                self._document.runner.start(
                    "Drawing the combinations",
                    partial(_drawn, found, around),
                    on_done=self._show_drawn,
                    key="combinations",
                    latest_wins=True,
                )
        self.levels.setEnabled(session.syntactic.found_is_current and running != "search")
        self.levels.show_current(session.project.anonymise.levels)

    def _show_drawn(self, drawn: tuple[RecodingResult, NodeNeighbours, WhyBest, LatticeBands]) -> None:
        if drawn[0] is self._explained and drawn[1] is self._around:
            self.levels.show_found(*drawn)
            self.levels.show_current(self._document.project.anonymise.levels)

    def _show_header(self, running: str, refusal: Refusal | None, *, ready: bool) -> None:
        syntactic, project = self._document.session.syntactic, self._document.project
        recoded, models = syntactic.recoded, models_in_words(project.anonymise.question.models)
        self.header.show_claim(Status.WARNING, "No (ε, δ) claim")
        found = syntactic.found if syntactic.found_is_current else None
        self._link("Why?" if found is not None else "", "Why these levels won", self._show_why)
        if running:
            search = running == "search"
            self.header.show_facts("Searching the best levels…" if search else "Generalising and suppressing…")
        elif refusal is not None:
            self.header.show_facts("There is no table for this question", alarm="error")
        elif recoded is None:
            self.header.show_facts(models)
        elif not syntactic.recoded_is_current:
            self.header.show_facts("Out of date", "the settings changed", _counted(recoded), alarm="warning")
            if ready:
                again = (USE, self.recode_requested) if found is not None or syntactic.found is None else None
                words, asked = again or (FIND, self.search_requested)
                self._link(words, words, asked.emit)
        elif recoded.advice is not None:
            self.header.show_facts(recoded.advice.error.message, alarm="warning")
        else:
            self.header.show_facts(_lost(recoded, found), _counted(recoded), models, tip=_more(recoded, found))
        current = recoded is not None and syntactic.recoded_is_current and refusal is None and not running
        if recoded is not None and current and found is not None and not _is_best(recoded, found):
            self._link("Use the best levels", "Use the best levels", self._take_found)

    def _link(self, words: str, name: str, act: Callable[[], None]) -> None:
        self._act = act
        self.header.show_link(words, name)

    def _follow_link(self) -> None:
        self._act()

    def _show_recoded(self, recoded: Recoded | None) -> None:
        if recoded is self._shown:
            return
        self._shown = recoded
        if recoded is None:
            self.table.show_table(None, self._document.project.schema)
            self.risk.show_risks(None)
            self.values.set_columns(())
            self.costs.set_compared(None)
            for chart in (self.losses, self.sizes, self.values.chart):
                chart.set_data(None)
            self.losses.set_empty_text(self._no_loss)
            return

        def work(progress: Progress) -> views.RecodedViews:
            return views.prepare(recoded, "suppressed", progress)

        runner = self._document.runner
        runner.start("Preparing the table", work, on_done=self._show_prepared, key="recoded table", latest_wins=True)
        self.values.set_columns(recoded.anonymised.table.names)
        self.costs.set_compared(compared_recoded(recoded, self._document.project.schema))
        self._compare_column(self.values.chosen)
        self._assess_risk(self.risk.chosen)

    def _show_prepared(self, prepared: views.RecodedViews) -> None:
        if prepared.recoded is not self._shown:
            return
        self.table.show_table(prepared.table, self._document.project.schema)
        whole_rows = (
            f"{prepared.losses.metric} looks at whole rows, so it has no loss per column. All together: "
            f"{estimate(prepared.losses.overall)}."
        )
        self.losses.set_empty_text(whole_rows)
        self.losses.set_data(prepared.losses if prepared.losses.values else None)
        self.sizes.set_data(prepared.sizes)
        self._show_page(prepared.recoded)

    def _show_page(self, recoded: Recoded) -> None:
        if recoded.advice is not None:
            self.advice.show_refusal(recoded.advice, recoded.question.models, with_table=True)
        self.pages.setCurrentWidget(self.table if recoded.advice is None else self.advice)

    def _show_table(self) -> None:
        self.pages.setCurrentWidget(self.table)

    def _compare_column(self, name: str) -> None:
        recoded = self._shown
        if recoded is None or name not in recoded.anonymised.table or name not in self._document.project.schema.names:
            self.values.chart.set_data(None)
            return
        spec = self._document.project.schema[name]
        self._document.runner.start(
            f"Comparing {name}",
            partial(views.distribution, recoded, spec),
            on_done=self._show_distribution,
            key="recoded values",
            latest_wins=True,
        )

    def _show_distribution(self, found: Distribution) -> None:
        if self._shown is not None and found.name == self.values.chosen:
            self.values.chart.set_data(found)

    def _assess_risk(self, threshold: float) -> None:
        if self._shown is not None:
            self._document.runner.start(
                "Assessing the risk",
                partial(views.assess_before_and_after, self._shown, threshold),
                on_done=self._show_risks,
                key="recoded risk",
                latest_wins=True,
            )

    def _show_risks(self, found: views.Risks) -> None:
        if found.recoded is self._shown:
            self.risk.show_risks(found)

    def _show_why(self) -> None:
        self.tabs.setCurrentWidget(self.levels)
        self.levels.show_why()

    def _take_found(self) -> None:
        if self._document.session.syntactic.found is not None:
            self.levels_chosen.emit(self._document.session.syntactic.found.result.levels)


def _drawn(
    found: RecodingResult, around: NodeNeighbours, _progress: Progress
) -> tuple[RecodingResult, NodeNeighbours, WhyBest, LatticeBands]:
    return found, around, why(found, around), lattice_bands(found, around)


def _is_best(recoded: Recoded, found: RecodingResult) -> bool:
    return all(recoded.levels.get(name) == level for name, level in found.result.levels.items())


def _lost(recoded: Recoded, found: RecodingResult | None) -> str:
    """The loss of a table, and how far it is from the best if that is known."""
    words = f"loss {estimate(recoded.facts.score)}"
    if found is None:
        return words
    if _is_best(recoded, found):
        return f"{words}, the least" if found.result.optimal else f"{words}, the least found"
    return f"{words}, the least is {estimate(found.result.score)}"


def _counted(recoded: Recoded) -> str:
    groups = len(recoded.anonymised.class_sizes)
    return f"{recoded.rows_out:,} of {recoded.rows_in:,} rows · {groups:,} {'group' if groups == 1 else 'groups'}"


def _more(recoded: Recoded, found: RecodingResult | None) -> str:
    """Additions of the tooltip."""
    sizes, local = recoded.anonymised.class_sizes, recoded.anonymised.local
    said = [f"The smallest group has {int(sizes.min()):,} rows."] if len(sizes) else []
    if found is not None and _is_best(recoded, found):
        said += [found_in_words(found.result), effort_in_words(found.result)]
    if local is not None:
        said += [passes_in_words(local), pass_levels_in_words(local)]
    return "\n".join(said)
