"""The right half: one line that says what is claimed and what came out, the release as one table, and charts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QStackedWidget, QTabWidget, QWidget

from workbench.anonymise.after_draw import AfterDraw
from workbench.anonymise.claim import Claim
from workbench.anonymise.sampling import Outcome
from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.empty_state import EmptyState
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.folded_words import FoldedWords
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.anonymise.chance_curves import ChanceCurves
from workbench.gui.workspaces.anonymise.column_tables import DetailTable, OutTable
from workbench.gui.workspaces.anonymise.costs import CostsView
from workbench.gui.workspaces.anonymise.look_bar import LookBar
from workbench.gui.workspaces.anonymise.promise import ClaimView
from workbench.gui.workspaces.anonymise.release_facts import cautions_words, counted_words, promised_words, why_words
from workbench.gui.workspaces.anonymise.release_table import ReleaseTable
from workbench.gui.workspaces.anonymise.result_header import ResultHeader
from workbench.gui.workspaces.anonymise.survivors import SurvivorsView
from workbench.plots import classes
from workbench.session.before_and_after import compared_result
from workbench.session.folded import FoldedTable, UnfoldedRelease, folded_release, folded_with_rows
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.came_out import ColumnOut, came_out, lost_lines, one_label_words, only_line
from workbench.session.release.drawn_before import drawn_before
from workbench.session.release.low_counts import halved_line
from workbench.session.release.not_told import combinations_words, rows_of_each
from workbench.session.release.prospect import counts_people
from workbench.session.release.reading import reading_brief, reading_hints, shares_hint, small_groups
from workbench.session.release.result import Result, nothing_released
from workbench.session.release.said import said_of
from workbench.session.release.shortfall import least_foretold, shortfall
from workbench.session.release.starred import starred_lines, starred_words
from workbench.session.release.to_say import ToSay, to_say

_WHY = "Show why the claim holds or not"
HOLDS_IF = "To sign at Release:"
ONLY_FOR_CHOICES = "Only for its choices as they are"
"""The verdict on a release whose claim rests on nothing but the publisher's word."""
_ROWS_IN_SIGHT = 6
"""So many rows are enough beside a warning that is whole: the others are reached by scrolling, and it is read once."""


@dataclass(frozen=True, eq=False)
class PreparedResult:
    """The content of the table and the chart of one result."""

    result: Result
    table: FoldedTable | UnfoldedRelease
    sizes: classes.GroupSizes | None
    columns: tuple[ColumnOut, ...] = ()
    combinations: str = ""
    halved: str = ""


class ReleaseView(QWidget):
    """Shows the last run and what could be claimed for the next.

    Signals
    -------
    run_requested()
        The person wants to run.
    draw_requested()
        The person wants a new draw with the same settings.
    other_draw_requested(object)
        They want the `AnotherDraw` that would say more.
    hierarchies_requested()
        The person wants to attach hierarchies first.
    best_share_found(object)
        The β that lets the rarest groups survive under the current promise, or None.
    """

    run_requested = Signal()
    draw_requested = Signal()
    other_draw_requested = Signal(object)
    hierarchies_requested = Signal()
    best_share_found = Signal(object)

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._shown: tuple[Result | None, bool, AfterDraw | None] = (None, False, None)
        self._groups, self._combinations, self._halved = 0, "", ""
        self._found = PromiseAssessment()
        self.claim = ResultHeader("Why?", _WHY, beside_badge=True)
        self.look = LookBar(document)
        self.table = ReleaseTable(document.runner, "dropped")
        self.notice = FoldedWords(
            "What the release does not say", table=self.table.view, keeping=_ROWS_IN_SIGHT, by_line=True
        )
        self.sizes = ChartView("Group sizes", classes, document.runner)
        self.sizes.set_empty_text("After a run: how large the groups are, and which were dropped.")
        self._curves = ChanceCurves(document)
        self.trade_off, self.survival = self._curves.trade_off, self._curves.survival
        self.compared = self._curves.compared
        self.survivors = SurvivorsView(document)
        self.costs = CostsView(document.runner)
        self.reasons = ClaimView()
        self._empty = EmptyState(
            "table", "No release was drawn yet", "The button below the settings says what it costs."
        )
        self.details, self.columns, self.ahead = DetailTable(document), OutTable(), DetailTable(document)
        self._out: tuple[ColumnOut, ...] = ()
        self._hints = self._brief = ""
        self._no_hierarchy = EmptyState("hierarchies", "No hierarchy yet", action="Attach hierarchies")
        if self._no_hierarchy.primary_button is not None:
            # The one accent of this page is the button below the settings.
            set_look(self._no_hierarchy.primary_button, primary=False)
        self.shares, self.before = label(small=True, wrap=True), label(small=True, wrap=True)
        self.shares.setContentsMargins(0, tokens.SPACE_XS, 0, 0)
        self.reading = FoldedWords("How to read the release", 1, self.table.view, self.notice)
        self.reading.set_muted(True)
        self._pages = QStackedWidget()
        self.tabs = QTabWidget()
        self._lay_out()
        for part in (self.sizes, self.table, self.costs):
            part.noted.connect(document.noted)
        self.claim.link.clicked.connect(self.show_reasons)
        self._curves.best_share_found.connect(self.best_share_found)
        self.look.draw_requested.connect(self.draw_requested)
        self.look.other_draw_requested.connect(self.other_draw_requested)
        self.look.run_requested.connect(self.run_requested)
        self.look.asked.connect(self._show_question)
        self._no_hierarchy.primary.connect(self.hierarchies_requested)

    def _lay_out(self) -> None:
        for page in (self._empty, self._no_hierarchy, self.details, self.table, self.look.question):
            self._pages.addWidget(page)
        self.tabs.setDocumentMode(True)
        for bar in (self.tabs, self.tabs.tabBar()):
            bar.setAccessibleName("Views of the result")
        page = boxes.boxed(boxes.column((self._pages, 1), self.before, self.shares, self.reading, self.look, spacing=0))
        self.tabs.addTab(page, "Table")
        self.tabs.addTab(self.columns, "Columns")
        self.tabs.addTab(self.ahead, "If made again")
        self.tabs.addTab(self.sizes, "Sizes")
        self.tabs.addTab(self.costs, "Costs")
        self.tabs.addTab(self._curves, "Chances")
        self.tabs.addTab(self.survivors, "What-if")
        self.tabs.addTab(self.reasons, "Claim")
        set_explain(self.sizes, "anonymise.result")
        for part in (self.columns, self.ahead, self.sizes, self.costs):
            # The last two show figures of the true rows, which are the analyst's; so there is nothing in them before.
            self.tabs.setTabVisible(self.tabs.indexOf(part), False)
        self.notice.hide()
        whole = boxes.column(self.claim, self.notice, (self.tabs, 1), margins="m s m s", spacing=0, inside=self)
        self._below = boxes.column(margins="0 s 0 0", spacing=0)
        whole.addLayout(self._below)

    def put_below(self, part: QWidget) -> None:
        """Put something below the tables: their rows keep their place, however high it is."""
        self._below.addWidget(part)

    # Showing

    def show_assessment(self, found: PromiseAssessment, *, running: bool) -> None:
        """Show the claim, and whether the result still belongs to the settings."""
        self._found = found
        self._show_sentences()
        result = self._document.session.release.result
        looked = result is not None and self._document.session.release.looked
        self._show_facts(result, found, looked=looked, running=running)
        self._show_result(result, looked=looked)
        self.look.show_result(result, found, running=running)
        # A reader's rows are folded without what is not in the file; those with rows behind them hide it.
        left_out = () if result is None else self._document.session.release.after(result).left_out
        self.table.leave_out(left_out if looked else ())
        shown = result if found.current else None
        few = "" if shown is None else small_groups(shown, self._left_with(found) or found.claim)
        reads = () if result is None else (reading_hints(result, left_out, few), reading_brief(result, left_out, few))
        self._hints, self._brief = reads or ("", "")
        shares = "" if result is None else shares_hint(result)
        self._show_reading(result)
        before = drawn_before(self._document.session)
        for part, text in ((self.shares, shares), (self.before, before)):
            part.setText(text)
            part.setVisible(bool(text))
        if result is None:
            bare = not found.grouped and not self._document.project.hierarchies
            self.details.show_assessment(found)
            unknown = self._no_hierarchy if bare else self._empty
            self._pages.setCurrentWidget(self.details if found.details else unknown)
        else:
            self.ahead.show_assessment(found)
        stale = result is not None and not found.current and bool(found.details)
        self.tabs.setTabVisible(self.tabs.indexOf(self.ahead), stale)
        self._curves.show_assessment(found)
        self.survivors.show_assessment(found)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_sentences()  # some may have been said in another room, which makes no other claim

    def _show_sentences(self) -> None:
        """Show the claim, and which of the sentences that it rests on were said."""
        found = self._found
        self._show_claim(found)
        left = self._left_with(found)
        if left is not None and not self._document.looked:
            left = left.before_look
        # What was said of the file that left is what counts now, with why it has no claim where it has none.
        claim = found.claim if left is None else left
        said = () if claim is None else self._to_say(claim).before
        self.reasons.show_assessment(replace(found, claim=claim), said)

    def _show_claim(self, found: PromiseAssessment) -> None:
        claim = self._claim_now(found)
        self.claim.link.setEnabled(claim is not None)
        left = self._left_with(found)
        cautions, link, tip = cautions_words(found), "Why?", ""
        if claim is None or not found.grouped:
            self.claim.show_claim(Status.NEUTRAL, "No claim yet")
        elif (claim.holds or claim.given) and left is not None and left.given:
            self.claim.show_claim(Status.WARNING, "Exported for its choices as they are")
        elif claim.holds and left is not None and not left.holds:
            self.claim.show_claim(Status.WARNING, "Exported without a claim")
        elif claim.holds and left is not None:
            self.claim.show_claim(Status.SUCCESS, "Exported with its claim")
        elif claim.holds:
            # What it rests on is said one by one where it is exported.
            self.claim.show_claim(Status.INFO, HOLDS_IF)
            said = self._to_say(claim)
            link, tip = said.left, said.told
        elif claim.given and left is None:
            self.claim.show_claim(Status.WARNING, ONLY_FOR_CHOICES)
        else:
            self.claim.show_claim(Status.WARNING, "No (ε, δ) claim")
        words = " · ".join(filter(None, (link, cautions)))
        self.claim.show_link(words, _WHY if link == "Why?" else f"Show what you say: {words}", tip)

    def _claim_now(self, found: PromiseAssessment) -> Claim | None:
        """What can be claimed: of the draw that is shown, with all that was said and done since, else of the next."""
        release = self._document.session.release
        current = found.claim is not None and found.current and release.result_is_current
        return release.current_claim() if current else found.claim

    def _to_say(self, claim: Claim) -> ToSay:
        """The sentences of a claim, and those said so far: of the draw that is shown, else before it."""
        release, project = self._document.session.release, self._document.project
        result = release.result if self._found.current else None
        if result is None:
            return to_say(claim, project.schema, project.hierarchies, release.beforehand)
        if claim is self._found.claim:
            claim = self._claim_now(self._found) or claim
        return to_say(claim, result.schema, result.hierarchies, release.said(result.draw))

    def _left_with(self, found: PromiseAssessment) -> Claim | None:
        """The claim with which the present draw was exported, which may hold or not; None if it was not exported."""
        release = self._document.session.release
        left = release.left_as_it_is(release.result) if release.result is not None and found.current else None
        return None if left is None else left.claim

    def _show_facts(self, result: Result | None, found: PromiseAssessment, *, looked: bool, running: bool) -> None:
        """Claim, rows and groups; before them, what keeps the result from being that of the settings."""
        expected = self._document.project.anonymise.trim.expected_rows
        left_out = result is not None and bool(self._document.session.release.after(result).left_out)
        people = counts_people(self._document.project)
        facts, tip = counted_words(
            result,
            expected,
            looked=looked,
            groups=self._groups if left_out else 0,
            people=people,
        )
        notices: list[str] = []
        if running:
            self.claim.show_facts("Running…")
        elif result is None:
            holds = found.claim is not None and found.claim.holds and found.grouped
            # What is promised stands on the button that spends it.
            self.claim.show_facts("" if holds else promised_words(found) or "Not run yet", tip=why_words(found))
        elif found.pending:
            self.claim.show_facts("Checking whether this result belongs to the settings…")
        elif not found.current:
            self.claim.show_facts("Out of date", "the settings changed", facts, alarm="warning")
        elif result.outcome.rows_out == 0:
            self.claim.show_facts(str(nothing_released()), alarm="error")
        else:
            starred = starred_words(result, self._document.session.release.after(result).left_out)
            own = self._out if result is self._shown[0] else ()
            # The worst comes first: rows that are lost, columns that say little, single values; then what to do.
            outlook = None if found.prospect is None else found.prospect.outlook
            loss, advice = shortfall(result, expected, least_foretold(outlook))
            values = lost_lines(own)
            besides = ("" if values or only_line(own) else self._combinations, rows_of_each(result)) if own else ()
            halved = self._halved if own else ""
            notices = [loss, starred, one_label_words(own), halved, *values, *besides, advice]
            simulated = "" if result.outcome.secure else "a simulation"
            tips = f"{tip}\n{starred_lines(result)}\n{why_words(found)}".strip()
            counts = replace(found, claim=self._left_with(found) or found.claim)  # as it was written, if it left
            self.claim.show_facts(facts, promised_words(counts), simulated, tip=tips)
        words = "\n".join(filter(None, notices))
        faulty = any(notices[:4]) or any(one.missing or one.few or one.not_said for one in self._out)
        self.notice.set_tone("warning" if faulty else "none")
        self.notice.setText(words)
        self.notice.setVisible(bool(words))

    def _show_result(self, result: Result | None, *, looked: bool) -> None:
        """Show what a reader would get; the analyst's figures only where it is recorded that they were taken."""
        release = self._document.session.release
        after = None if result is None else release.after(result)
        if (result, looked, after) == self._shown:
            return
        if result is not None and result is not self._shown[0]:
            self.tabs.setCurrentIndex(0)  # what came out is what was asked for
        if result is not self._shown[0]:
            self._out, self._groups, self._combinations, self._halved = (), 0, "", ""
        self._shown = (result, looked, after)
        self.tabs.setTabVisible(self.tabs.indexOf(self.columns), result is not None and result.outcome.rows_out > 0)
        # What k dropped is a matter of sampling alone.
        sampled = result.outcome if result is not None and isinstance(result.outcome, Outcome) else None
        self.tabs.setTabVisible(self.tabs.indexOf(self.sizes), looked and sampled is not None)
        self.tabs.setTabVisible(self.tabs.indexOf(self.costs), looked and result is not None)
        self.sizes.set_data(None)
        self.costs.set_compared(compared_result(result) if result is not None and looked else None)
        if result is None:
            self.table.show_table(None, self._document.project.schema)
            return

        if self._pages.currentWidget() in (self.details, self._empty, self._no_hierarchy):
            self.table.show_table(None, self._document.project.schema)
            self._pages.setCurrentWidget(self.table)  # what was likely is over, though the table is still to be made
        said, written = said_of(self._document.project), release.as_written(result)
        claim = release.current_claim() if release.result_is_current else None
        claim = claim if claim is not None and (claim.holds or claim.given) else None  # as its statement tells counts

        def work(progress: Progress) -> PreparedResult:
            columns = tuple(one for one in came_out(result, said) if after is None or one.column not in after.left_out)
            if not looked:
                as_written = replace(result, outcome=written)
                absent, halved = combinations_words(as_written), halved_line(as_written, claim)
                return PreparedResult(result, folded_release(written, progress).ready(), None, columns, absent, halved)
            table = folded_with_rows(result.table, result.outcome, "dropped", progress).ready()
            sizes = None if sampled is None else classes.compute(sampled.class_sizes, sampled.recipe.k)
            return PreparedResult(result, table, sizes, columns)

        self._document.runner.start(
            "Preparing the table",
            work,
            on_done=lambda prepared: self._show_prepared(prepared, looked, after),
            owner=self,
            key="release table",
            latest_wins=True,
        )

    def _show_prepared(self, prepared: PreparedResult, looked: bool, after: AfterDraw | None) -> None:
        if (prepared.result, looked, after) != self._shown:
            return
        self.table.show_table(prepared.table, self._document.project.schema)
        self._pages.setCurrentWidget(self.table)
        self.sizes.set_data(prepared.sizes)
        self._out, self._combinations, self._halved = prepared.columns, prepared.combinations, prepared.halved
        self._groups = 0 if looked or not isinstance(prepared.table, FoldedTable) else len(prepared.table.sizes)
        self.columns.show_lines(prepared.columns)
        self._show_reading(prepared.result)
        self._show_facts(prepared.result, self._found, looked=looked, running=False)

    def _show_reading(self, result: Result | None) -> None:
        """Say how to read the release, and which values there are, which is no fault by itself."""
        own = self._out if result is not None and result is self._shown[0] else ()
        words = " ".join(filter(None, (self._hints, only_line(own) if self._found.current else "")))
        self.reading.setText(words, self._brief)  # a sentence that is cut says less than a short one
        self.reading.setVisible(bool(words))

    def _show_question(self, wanted: bool) -> None:
        if wanted:
            self.tabs.setCurrentIndex(0)
            self._pages.setCurrentWidget(self.look.question)
        elif self._pages.currentWidget() is self.look.question:
            self._pages.setCurrentWidget(self.table)

    def show_reasons(self) -> None:
        """Bring what the claim rests on or fails for to the front."""
        self.tabs.setCurrentWidget(self.reasons)
        self.reasons.setFocus()
