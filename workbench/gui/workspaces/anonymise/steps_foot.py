"""Below the steps: what the release is likely to be good for, the button that makes it, and why it may not."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from workbench.anonymise.chains import EXPECTED_ROWS
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.core.errors import WorkbenchError
from workbench.core.usual_delta import DELTA_RULE, suits
from workbench.gui.document import Document
from workbench.gui.finer_rules import is_making
from workbench.gui.icons import icon
from workbench.gui.next_step import PURPOSE
from workbench.gui.theme import set_look
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.labels import label, on_button
from workbench.gui.workspaces.anonymise.earlier_draws import EarlierDraws
from workbench.gui.workspaces.anonymise.fine_ways import FineWays
from workbench.gui.workspaces.anonymise.foot_parts import AboveDraw, BesideOrBelow, ForecastAside, typed_in
from workbench.gui.workspaces.anonymise.knowledge_dialog import HOW_MANY, KnowledgeDialog
from workbench.gui.workspaces.anonymise.number_answered import NUMBER
from workbench.gui.workspaces.anonymise.outlook_bar import OutlookBar
from workbench.gui.workspaces.anonymise.promise_step import PromiseStep
from workbench.gui.workspaces.anonymise.purpose_ticks import TICKS, TICKS_FIRST, PurposeTicks
from workbench.gui.workspaces.anonymise.run_step import RunStep
from workbench.gui.workspaces.anonymise.star_ways import StarWays
from workbench.session.release.assessment import PromiseAssessment
from workbench.session.release.finer_offer import FineChoice
from workbench.session.release.knowledge import delta_follows
from workbench.session.release.remedies import OCCURRING, in_doubt, is_due
from workbench.session.release.steps import LevelSource
from workbench.session.release.tried_remedy import OutlookRemedy

_MEND = "See what to put right"
_COSTS = "Each draw costs privacy that never comes back"
_READY = f"Ready. {_COSTS}."
_GUESSED = f"First say how many: details are as for {EXPECTED_ROWS:,}."
_GUESSED_DELTA = "Details are as for {people:,} people, and δ is {suited}: both follow once you say how many there are"
_LARGE = f"δ is large for so many people: see Promise. {_COSTS}."
_ASKED_ABOVE = "First say whether others know."


class StepsFoot(QWidget):
    """The number of people and the button with its price, in sight whichever step is open.

    Parameters
    ----------
    job
        The run that is under way, if one is.
    promise, plan
        The steps whose fields an error may come from, and that has the fields of the forecast.
    wrong
        Says which field holds no number that it can have; "" if there is none.

    Signals
    -------
    run_requested(bool)
        The button was pressed for a run; whether it had said that this would be one without a claim.
    export_requested()
        It was pressed as the release is there.
    mend_requested()
        What voids the claim is to be put right first.
    refreshed()
        The buttons say what is next now, which may be something else than before.

    The `forecast` grows and shrinks with what is set, so that it stands elsewhere: the settings keep their room.
    What helps where most rows could be lost, or a column would say nothing in any row, takes the place of the button
    for that, and the run comes after it. Of the two questions that stand above it none is asked a second time by a
    button: while one of them is open, the button that spends is not the blue one. What else helps is offered below.
    """

    run_requested = Signal(bool)
    export_requested = Signal()
    mend_requested = Signal()
    refreshed = Signal()

    def __init__(
        self, document: Document, job: TrackedJob, promise: PromiseStep, plan: RunStep, wrong: Callable[[], str]
    ) -> None:
        super().__init__()
        self._document, self._job, self._promise, self._wrong = document, job, promise, wrong
        self._found, self._ticks = PromiseAssessment(), PurposeTicks(document)
        self.drawn = EarlierDraws(document)
        self._said_wasted = self._leads_on = self._comes_back = False
        self._back_in: tuple[QLineEdit, str] | None = None
        self._left_empty: tuple[object, frozenset[str]] = (None, frozenset())
        self.outlook = OutlookBar(document, plan.rows)
        self.run_button = push_button(act=self._press, explain="anonymise.run", primary=True)
        self.mend = push_button(_MEND, self._mend_first, name=_MEND, explain="release.claim", primary=True)
        for button in (self.mend, self.run_button):
            pressed_once(button)  # each says something else after it: “Cancel” is not meant by a double click
        self._why_not = label(small=True, wrap=True, tone="warning")
        self.settle_first = label(
            "No claim can be made with these settings, so a run is a look at the data: no draw made later would have a "
            "claim. The Claim tab says what to put right.",
            small=True,
            tone="warning",
            wrap=True,
        )
        self.left_before = label(small=True, tone="warning", wrap=True)
        self.outlook.rows.edit.returnPressed.connect(self._go_on)
        self.finer = FineWays(document)
        above = AboveDraw(self.finer)
        self.ready, self.offer_finer = above.said, above.offer
        self._runs = BesideOrBelow(self.mend, self.run_button, above)
        warnings = (self._why_not, self.settle_first, self.left_before)
        self.ways = StarWays(document)
        for part in (self.outlook.public.no, self.outlook.public.yes, self.mend, self.run_button):
            part.installEventFilter(self)
        self.forecast = ForecastAside(self.outlook.said, self.ways)
        boxes.column(self.outlook, *warnings, self._runs, self.outlook.offered, spacing="s", inside=self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Digits that are typed where one is led to are of the number of people, while none is typed: to its field."""
        field = self.outlook.rows.edit
        if (
            not (field.text() or self.is_made)
            and isinstance(event, QKeyEvent)
            and event.type() is QEvent.Type.KeyPress
            and event.text().isdecimal()
            and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            and field.isVisible()
            and field.isEnabled()
        ):
            field.setFocus()
            field.selectAll()
            QCoreApplication.sendEvent(field, event)
            return True
        return super().eventFilter(watched, event)

    def show_assessment(self, found: PromiseAssessment) -> None:
        """Show what follows from the settings."""
        self._found = found
        self._ticks.follow(found)
        self.refresh()
        self._lead_on()
        self._go_to_due()

    def refresh(self) -> None:
        """Show what the button does now, and what stands in its way."""
        running = self._job.running
        wastes = self._said_wasted = self.wastes_the_claim()
        helps = None if running or wastes else self.helps
        asked_above = helps is not None and self._is_asked_above(helps)
        words, name = self._words_of_the_button(running, wastes)
        self.run_button.setText(on_button(words))
        self.run_button.setAccessibleName(words)
        mends = (wastes and not running) or (helps is not None and not asked_above)
        self.mend.setVisible(mends)
        mending = helps.words if helps else _MEND
        self.mend.setText(on_button(mending))
        self.mend.setAccessibleName(mending)
        self._runs.hold(both=not self.is_made)
        self.mend.setToolTip("" if helps is None else helps.about)
        set_explain(self.mend, "release.claim" if helps is None else "anonymise.forecast")
        does = "Generalise, and trim every group" if self.trims else "Sample, generalise and drop small groups"
        tip = f"{does} (Ctrl+Enter). {_COSTS}{self._delta_rule}"
        self.run_button.setToolTip("" if running or self.is_made else tip)
        reason = "" if running else self._reason_not_to_run()
        self.run_button.setEnabled(not self._job.cancelling if running else not reason)
        large = bool(self._found.large_delta or self._found.delta_advice) and not self.is_made
        guessed = self._found.guessed and not self.is_made
        asked = TICKS_FIRST if helps is TICKS else _ASKED_ABOVE
        state = _LARGE if large else _GUESSED if guessed else asked if asked_above else _READY
        before = "" if running or reason or self.is_made else self.drawn.warning
        self.ready.setText("" if running or reason or before else state)
        self.ready.setToolTip(self._guess() if guessed else "")
        set_look(self.ready, tone="warning" if large else "none")
        self._why_not.setText(reason)
        self._why_not.setVisible(bool(reason))
        self.settle_first.setVisible(wastes and not running and not reason)
        settled = self._found.prospect is None or running or self.is_made
        self.left_before.setText(before)
        self.left_before.setVisible(bool(before))
        # Nobody is led to what makes a statement untrue, nor to spend by a forecast for people whom nobody named.
        leads = not (mends or before or asked_above or (guessed and not running))
        early = helps is not None and not leads  # possible before what is asked is answered, and no more than a link
        set_look(self.run_button, primary=leads, quiet=early, faint=early)
        self.run_button.setIcon(icon(name, "on_accent" if leads else "muted" if early else "text"))
        self.offer_finer(finer := self._finer)
        self.outlook.show_assessment(
            self._found,
            trims=self.trims,
            settled=settled,
            made=self.is_made and not running,
            taken=helps,
            above=finer is not None and not finer.is_fine,
            answered=self._was_left_empty,
            asked=self.asks_first or helps is TICKS,
            waits=self.asks_first,
            unticked=self.is_unticked and not self.is_made,
        )
        # Two ways whose figures rest on a guess are no choice until that is said.
        guesses = helps is not None and helps.field.startswith(OCCURRING)
        others = finer is not None or self.outlook.offers_any
        self.ways.show_choice(None if settled or guesses else self._found.stars, folded=others)
        self.forecast.setVisible(not (self.outlook.said.isHidden() and self.ways.isHidden()))
        self.refreshed.emit()

    def _guess(self) -> str:
        """What all rests on while nobody said how many people there are; no row is counted for it."""
        claim = self._found.claim
        suited = suits(claim.delta) if claim is not None and claim.delta else 0
        small = f"small enough for {suited:,}" if suited > 1 else "large"
        return f"{_GUESSED_DELTA.format(people=EXPECTED_ROWS, suited=small)}{self._delta_rule}"

    @property
    def _delta_rule(self) -> str:
        """How δ follows the number of people, to go on with; "" where somebody chose δ."""
        return f". {DELTA_RULE}" if self.trims and delta_follows(self._document.session) else ""

    def ask_known(self, column: str, asked: Collection[str] = ()) -> None:
        """Ask what is known without the file, of the columns of a remedy or of all, that column first."""
        ticked = self.outlook.ticked_out
        leaving = () if ticked is None else [one for one in ticked.columns if one != column]
        self._ask(KnowledgeDialog(self._document, self, column=column, asked=asked, leaving=leaving))

    def _ask(self, dialog: KnowledgeDialog) -> None:
        dialog.left_empty.connect(self._keep_empty)
        # What was answered in sight behind it is not asked once more.
        answered = (self.outlook.rows.value is not None, self.outlook.public.is_answered)
        dialog.numbers.setHidden(all(answered) and self.outlook.public.isVisibleTo(self))
        dialog.finished.connect(self._come_back)
        dialog.resize(dialog.width(), dialog.sizeHint().height())
        dialog.open()

    def _come_back(self, _result: int = 0) -> None:
        """Once it is known what follows from an answer, go on to what is due then."""
        self._comes_back, self._back_in = True, typed_in(self.window())
        self._go_to_due()

    def _go_to_due(self) -> None:
        if not self._comes_back or self._found.pending or is_making(self._document):
            return
        self._comes_back = False
        self.outlook.offered.start_over()  # nobody was reaching for what was offered before
        here = typed_in(self.window())
        if here is not None and here != self._back_in:
            return  # nobody is taken out of a field that they went to, or typed in, meanwhile
        self.go_on_harmless()

    def go_on_harmless(self) -> None:
        """Give the focus to what is due next, but never to what spends.

        Of the key that closed a dialog, or took an offer, a second one must not spend.
        """
        self.due_control(spends=False).setFocus()

    def due_control(self, *, spends: bool) -> QWidget:
        """The control that is due; the number of people in the place of what `spends`, unless just that was asked for.

        What was released before may speak against a draw: then the next press of a key is none.
        """
        due = self.first_control
        return due if spends or due is not self.run_button or self.is_made else self.outlook.rows

    def _keep_empty(self, names: frozenset[str]) -> None:
        """Who left a field empty has answered: they are led to it again only for what the release is for."""
        self._left_empty = (self._document.session.data.loaded, names)
        self.refresh()

    def _was_left_empty(self, one: OutlookRemedy) -> bool:
        """Whether it was asked in a dialog, and nothing was said of it."""
        loaded, names = self._left_empty
        asked = {*one.columns, *([HOW_MANY] if one.asks_rows else [])}
        is_question = one.asks_rows or one.field.startswith(OCCURRING)
        return is_question and loaded is self._document.session.data.loaded and names.issuperset(asked)

    def _was_answered(self, one: OutlookRemedy) -> bool:
        # Of what is ticked the table says that it is missing: to draw without it takes “anyway”, and no press more.
        missing = {each.column for each in self._found.details if each.unknown or each.guessed}
        return not missing.intersection(one.columns, self._ticks.names) and self._was_left_empty(one)

    def _is_asked_above(self, one: OutlookRemedy) -> bool:
        """Whether it is a question that is answered in sight, so that no button has to lead to it."""
        return one.asks_rows or one.field == NUMBER or (one is TICKS and not self.outlook.is_alone)

    def wastes_the_claim(self) -> bool:
        """Whether a run would be the first look at this data, because nothing can be claimed for it."""
        claim, session = self._found.claim, self._document.session
        if claim is None or claim.holds or session.data.loaded is None or session.release.result_is_current:
            return False
        return not session.ledger.is_looked_at(session.data.fingerprint)

    @property
    def helps(self) -> OutlookRemedy | None:
        """First remedy before a run that could throw most of a table away, or leave a column `*` in every row."""
        outlook = None if self._found.prospect is None else self._found.prospect.outlook
        suppressed = self._document.session.release.columns.is_suppressed
        if outlook is None or self.is_made or self._reason_not_to_run():
            return None
        kept = self._ticks.names
        if not kept and (self._ticks.are_needless or (outlook.risky and not self.is_unticked)):
            kept = outlook.widest  # none gives way for another, so that nobody has to say which matter: all do
        due = (one for one in self._found.remedies if is_due(one, outlook, kept))
        first = next((one for one in due if not self._was_answered(one)), None)
        asks = first is not None and first.asks_rows
        if not asks and all(map(suppressed, in_doubt(outlook, kept))):
            first = None  # what somebody wants to be * is no waste
        # What is asked in sight comes before what is asked elsewhere: the answer may make that needless.
        if asks:
            return first
        comes_first = self.is_unticked and (first is None or first.field.startswith(OCCURRING))
        return self._unanswered or (TICKS if comes_first else first)

    @property
    def _finer(self) -> FineChoice | None:
        """Two details to choose from, where nothing else is due before the draw: they are read on the way to that."""
        due = self._job.running or self.wastes_the_claim() or self.helps is not None or bool(self._reason_not_to_run())
        return None if due or self.is_made else self._found.fine

    @property
    def asks_first(self) -> bool:
        """Whether a question beside the button is open, where levels follow from what is answered."""
        helps = None if self.wastes_the_claim() else self.helps
        follows = self._document.session.release.steps.source is LevelSource.BALANCED
        return follows and helps is not None and (helps.asks_rows or helps.field == NUMBER)

    @property
    def is_unticked(self) -> bool:
        """Whether columns give way for others, and nobody said for which, though it could be said."""
        return self._ticks.are_missing

    @property
    def first_control(self) -> QWidget:
        """The control that is due: the number of rows, what helps or puts right, or the button that runs."""
        helps, wastes = self.helps, self.wastes_the_claim()
        if helps is not None and not wastes and self._is_asked_above(helps):
            return self.outlook.public.no if helps.field == NUMBER else self.outlook.rows
        return self.mend if wastes or helps is not None else self.run_button

    @property
    def _unanswered(self) -> OutlookRemedy | None:
        """The question whether others know the number, until it is answered: Yes doubles the ε of a draw."""
        session = self._document.session
        asked = self.trims and session.project.anonymise.seed is None and not self.drawn.are_there
        asked = asked and not self.outlook.public.is_answered
        return OutlookRemedy("Say whether others know the number", None, NUMBER) if asked else None

    @property
    def is_made(self) -> bool:
        """Whether the release of these settings is there, so that what comes next is to export it."""
        result = self._document.session.release.result
        there = result is not None and result.outcome.secure and result.outcome.rows_out > 0
        return there and self._found.current and not self._wrong()

    @property
    def comes_first(self) -> str:
        """What is to be done before anything is drawn, in words; "" for nothing."""
        if self.wastes_the_claim():
            return self.mend.text()
        return "Hand over what was exported, or verify it" if self.is_due else ""

    @property
    def is_due(self) -> bool:
        """Whether a draw of this window has left, and other settings are here since: nobody is led to outdate it."""
        session = self._document.session
        if self._found.current or session.release.result is None or session.syntactic.wanted:
            return False
        return not self.wastes_the_claim() and bool(self.drawn.left)

    @property
    def trims(self) -> bool:
        """Whether every group is trimmed, rather than rows sampled."""
        return self._document.session.release.steps.mechanism is ReleaseMechanism.TRIM

    def _words_of_the_button(self, running: bool, wastes: bool) -> tuple[str, str]:
        """Text of the button with its price, and its icon."""
        if running:
            return "Cancel", "stop"
        if self.is_made:
            return "To the exported release…" if self.drawn.shown_has_left else "Go on to export…", "release"
        if wastes:
            return "Run without a claim", "run"
        if self._document.project.anonymise.seed is not None:
            return "Simulate the release", "dice"
        claim = self._found.claim
        price = f" · {claim.guarantee.charged(claim.known)}" if claim is not None else ""
        makes = "Make it again" if self.drawn.are_there else f"Make the release{self._ticks.of_so_many}"
        helps = self.helps
        asked = helps is not None and helps.field in ("rows", NUMBER) and not self.asks_first
        makes += "" if helps is None or asked else " anyway"  # in its place and its words: no other button
        return f"{makes}{price}{' more' * (self.drawn.are_there and bool(price))}", "run"

    def _reason_not_to_run(self) -> str:
        found, wrong = self._found, self._wrong()
        if wrong:
            return wrong
        if found.guarantee is None:
            return self._without_solution(found.error)
        if not found.grouped:
            return "No column is grouped."
        return ""

    def _without_solution(self, error: WorkbenchError | None) -> str:
        if self.trims and error is not None:
            if error.field in self._document.session.release.columns.kept():
                return f"“{error.field}” passes through ungrouped, which trimming cannot do. See Levels."
            if error.field not in self._promise.errors:
                return str(error)
        return "The guarantee has no solution."

    def _mend_first(self) -> None:
        if self.wastes_the_claim() or self.helps is None:
            self.mend_requested.emit()
        else:
            self.outlook.take(self.helps)

    def _go_on(self) -> None:
        """Enter in the number of rows goes on to what is to be said next. It changes nothing, and never spends."""
        self._leads_on = self.outlook.rows.value is not None
        self._lead_on()

    def _lead_on(self) -> None:
        """Do so as soon as what is known is of the number that was typed, unless somebody went elsewhere meanwhile."""
        rows, prospect = self.outlook.rows, self._found.prospect
        told = None if prospect is None or prospect.forecast is None else prospect.forecast.rows
        if not self._leads_on or told is None or told != rows.value:
            return
        self._leads_on = False
        helps = None if self._job.running or self.wastes_the_claim() else self.helps
        if helps is not None and helps.edit is None and self.window().focusWidget() is rows.edit:
            # To where it is asked, once this key was seen to: the same press would press that button.
            asks = partial(self.outlook.take, helps) if helps.field == PURPOSE else self.first_control.setFocus
            QTimer.singleShot(0, self, asks)

    def _press(self) -> None:
        if self._job.running:
            self._job.cancel()
            self.refresh()
        elif self.is_made:
            self.export_requested.emit()
        else:
            self.run_requested.emit(self._said_wasted and self.wastes_the_claim())
