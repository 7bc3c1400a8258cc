"""The right half: what holds, what was found, and the table with everything about it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QStackedWidget, QTabWidget, QWidget

from workbench.core.number_text import estimate
from workbench.core.progress import Progress
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import Badge, analyst_badge
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise.comparison import BeforeAfterTables
from workbench.gui.workspaces.anonymise.costs import CostsView
from workbench.gui.workspaces.anonymise.figures import NO_FIGURE, FigureGroups
from workbench.gui.workspaces.anonymise.syntactic.advice import AdviceView
from workbench.gui.workspaces.anonymise.syntactic.distribution_view import DistributionView
from workbench.gui.workspaces.anonymise.syntactic.levels_view import CombinationsPanel
from workbench.gui.workspaces.anonymise.syntactic.risk_view import RiskView
from workbench.plots import losses, released_classes
from workbench.plots.before_after import BeforeAfter as Distribution
from workbench.session import NodeNeighbours, Recoded, RecodingResult, Refusal, compared_recoded, why
from workbench.session.syntactic import views
from workbench.session.syntactic.lattice_bands import lattice_bands
from workbench.session.syntactic.words import (
    effort_in_words,
    found_in_words,
    levels_in_words,
    models_in_words,
    pass_levels_in_words,
    passes_in_words,
)


class SyntacticFigures(FigureGroups):
    """Six figures of a table, all of them for the analyst."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.add_group(
            analyst_badge(),
            (("rows_in", "Rows"), ("suppressed", "Suppressed"), ("kept", "Rows kept")),
        )
        self.add_group(
            None,
            (("classes", "Classes"), ("smallest", "Smallest class"), ("loss", "Loss")),
        )
        self.show_recoded(None)

    def show_recoded(self, recoded: Recoded | None) -> None:
        """Show the figures of a table, or dashes."""
        if recoded is None:
            self.show_values({})
            return
        sizes = recoded.anonymised.class_sizes
        self.show_values(
            {
                "rows_in": f"{recoded.rows_in:,}",
                "suppressed": f"{recoded.anonymised.suppressed:,}",
                "kept": f"{recoded.rows_out:,}",
                "classes": f"{len(sizes):,}",
                "smallest": f"{int(sizes.min()):,}" if len(sizes) else NO_FIGURE,
                "loss": estimate(recoded.facts.score),
            }
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
        self.badge = Badge(Status.WARNING, "No (ε, δ) claim")
        self._models = ElidedLabel()
        self.found = ResultState("Use these levels")
        self.state = ResultState("Do it again")
        self._rescued_mark = analyst_badge()
        self.figures = SyntacticFigures()
        self.comparison = BeforeAfterTables(
            document.runner,
            ("rows as they were", "generalised; suppressed rows in italics"),
            "Rows that are alike in all grouped columns",
        )
        self.comparison.with_dropped.setText("Suppressed rows")
        self.comparison.with_dropped.setToolTip("Also show the rows that are not released")
        self.advice = AdviceView()
        self.losses = ChartView("Information loss", losses, document.runner)
        self._no_loss = "After a run: how much of each column is lost."
        self.losses.set_empty_text(self._no_loss)
        self.sizes = ChartView("Class sizes", released_classes, document.runner)
        self.sizes.set_empty_text("After a run: how many rows are alike.")
        self.risk = RiskView()
        self.values = DistributionView(document.runner)
        self.costs = CostsView(document.runner)
        self.levels = CombinationsPanel(document.runner)
        self.combinations = self.levels.list
        self._why = QPushButton("Why?")
        self._why.setObjectName("why")
        self._why.setAccessibleName("Why these levels won")
        set_look(self._why, quiet=True)
        self._empty = EmptyState("table", "Search to see before and after", action="Find best levels")
        self._found_empty = EmptyState("table", "Use them to see the table", action="Use these levels")
        self._no_hierarchy = EmptyState("hierarchies", "Attach a hierarchy first", action="Attach hierarchies")
        for empty in (self._empty, self._found_empty, self._no_hierarchy):
            if empty.primary_button is not None:
                # The one accent of this page is the button below the settings.
                set_look(empty.primary_button, primary=False)
        self.pages = QStackedWidget()
        self.tabs = QTabWidget()
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        for page in (self._empty, self._found_empty, self._no_hierarchy, self.comparison, self.advice):
            self.pages.addWidget(page)
        self.tabs.setDocumentMode(True)
        for bar in (self.tabs, self.tabs.tabBar()):
            bar.setAccessibleName("Views of the result")
        set_explain(self.losses, "anonymise.metric")
        set_explain(self.sizes, "anonymise.result")
        views: tuple[tuple[QWidget, str], ...] = (
            (self.pages, "Tables"),
            (_with_badge("Each column, and all together", self.losses), "Loss"),
            (_with_badge("How many rows are alike", self.sizes), "Sizes"),
            (self.risk, "Risk"),
            (self.values, "Values"),
            (self.costs, "Costs"),
            (self.levels, "Levels"),
        )
        for view, title in views:
            self.tabs.addTab(view, title)
        top = boxes.row(self.badge, (self._models, 1), spacing="s")
        set_explain(self.badge, "release.claim")
        self.found.add_detail(self._why)
        self.found.add_mark(analyst_badge())
        self.state.add_mark(self._rescued_mark)
        set_explain(self.found, "anonymise.search")
        boxes.column(top, self.found, self.state, self.figures, (self.tabs, 1), margins="m", spacing="s", inside=self)

    def _connect(self) -> None:
        for chart in (self.losses, self.sizes, self.values.chart):
            chart.noted.connect(self._document.noted)
        self.found.run_requested.connect(self._take_found)
        self.state.run_requested.connect(self.recode_requested)
        self._empty.primary.connect(self.search_requested)
        self._found_empty.primary.connect(self._take_found)
        self._no_hierarchy.primary.connect(self.hierarchies_requested)
        self.advice.chosen.connect(self.change_chosen)
        self.advice.table_requested.connect(self._show_table)
        self.advice.search_requested.connect(self.search_requested)
        self.levels.levels_chosen.connect(self.levels_chosen)
        self._why.clicked.connect(self._show_why)
        self.costs.noted.connect(self._document.noted)
        self.values.column_chosen.connect(self._compare_column)
        self.risk.threshold_chosen.connect(self._assess_risk)

    @property
    def starters(self) -> tuple[QPushButton | None, ...]:
        """The buttons that go away or go grey once they have started something."""
        again = self.found.again, self.state.again, self.advice.search
        return (*again, self._empty.primary_button, self._found_empty.primary_button)

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
        words = models_in_words(session.project.anonymise.question.models)
        self._models.set_text(words and f"only: {words}")
        self._show_found(running)
        self._show_table_state(running, refusal, ready)
        for empty in (self._empty, self._found_empty):
            if empty.primary_button is not None:
                empty.primary_button.setEnabled(ready and not running)
        # Beside the reason why there is nothing, figures of an older table would mislead.
        self._show_recoded(session.syntactic.recoded if refusal is None else None)
        if refusal is not None:
            self.advice.show_refusal(refusal, session.project.anonymise.question.models)
            self.pages.setCurrentWidget(self.advice)
        elif session.syntactic.recoded is None:
            found = session.syntactic.found is not None and session.syntactic.found_is_current
            self.pages.setCurrentWidget(self._no_hierarchy if bare else self._found_empty if found else self._empty)
        elif self.pages.currentWidget() is not self.comparison and self._shown is session.syntactic.recoded:
            self._show_page(session.syntactic.recoded)

    def _show_found(self, running: str) -> None:
        session = self._document.session
        found = session.syntactic.found
        if session.syntactic.around is not self._around or found is not self._explained:
            self._around, self._explained = session.syntactic.around, found
            looked = (
                (why(found, self._around), lattice_bands(found, self._around))
                if found and self._around
                else (None, None)
            )
            self.levels.show_found(found, self._around, *looked)
        current = found is not None and session.syntactic.found_is_current and running != "search"
        self.levels.setEnabled(current)
        self.levels.show_current(session.project.anonymise.levels)
        self._why.setVisible(current)
        self.found.setToolTip(effort_in_words(found.result) if found is not None and current else "")
        if running == "search":
            self.found.show_state(Status.INFO, "Searching the best levels…")
        elif found is None:
            self.found.show_state(Status.NEUTRAL, "The best levels were not searched yet.")
        elif not session.syntactic.found_is_current:
            self.found.show_state(Status.NEUTRAL, "The question changed since the best levels were searched.")
        else:
            levels = session.project.anonymise.levels
            taken = all(levels.get(name, 0) == level for name, level in found.result.levels.items())
            self.found.show_state(
                Status.SUCCESS if found.result.optimal else Status.NEUTRAL,
                found_in_words(found.result),
                levels_in_words(found.result.levels),
                offer_run=not taken and not running,
            )

    def _show_table_state(self, running: str, refusal: Refusal | None, ready: bool) -> None:
        session = self._document.session
        recoded = session.syntactic.recoded
        local = recoded.anonymised.local if recoded is not None and refusal is None else None
        self.state.setToolTip(pass_levels_in_words(local) if local is not None else "")
        self._rescued_mark.setVisible(local is not None)
        if running == "recode":
            self.state.show_state(Status.INFO, "Generalising and suppressing…")
        elif refusal is not None:
            self.state.show_state(Status.ERROR, "There is no table for this question.")
        elif recoded is None:
            self.state.show_state(Status.NEUTRAL, "No table yet.")
        elif not session.syntactic.recoded_is_current:
            words = "Settings changed: this table is out of date."
            self.state.show_state(Status.WARNING, words, offer_run=ready and not running)
        elif recoded.advice is not None:
            self.state.show_state(Status.WARNING, recoded.advice.error.message)
        elif local is not None:
            self.state.show_state(Status.SUCCESS, passes_in_words(local))
        else:
            self.state.show_state(Status.SUCCESS, "The models hold in this table, at the levels as set.")

    def _show_recoded(self, recoded: Recoded | None) -> None:
        if recoded is self._shown:
            return
        self._shown = recoded
        self.figures.show_recoded(recoded)
        if recoded is None:
            self.comparison.show_comparison(None, self._document.project.schema)
            self.risk.show_risks(None)
            self.values.set_columns(())
            self.costs.set_compared(None)
            for chart in (self.losses, self.sizes, self.values.chart):
                chart.set_data(None)
            self.losses.set_empty_text(self._no_loss)
            return
        heading, suppressed = "Rows alike", "suppressed"

        def work(progress: Progress) -> views.RecodedViews:
            return views.prepare(recoded, heading, suppressed, progress)

        runner = self._document.runner
        runner.start("Preparing the tables", work, on_done=self._show_prepared, key="recoded tables", latest_wins=True)
        self.values.set_columns(recoded.anonymised.table.names)
        self.costs.set_compared(compared_recoded(recoded, self._document.project.schema))
        self._compare_column(self.values.chosen)
        self._assess_risk(self.risk.chosen)

    def _show_prepared(self, prepared: views.RecodedViews) -> None:
        if prepared.recoded is not self._shown:
            return
        self.comparison.show_comparison(prepared.comparison, self._document.project.schema)
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
        self.pages.setCurrentWidget(self.comparison if recoded.advice is None else self.advice)

    def _show_table(self) -> None:
        self.pages.setCurrentWidget(self.comparison)

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


def _with_badge(words: str, content: QWidget) -> QWidget:
    """A page with a line of words and the mark of the analyst above its content."""
    return boxes.boxed(
        boxes.column(
            boxes.row((label(words, muted=True), 1), analyst_badge()), (content, 1), margins="0 s 0 0", spacing="s"
        )
    )
