"""The price strip: the expected error and the price of an answer, with the button that spends. Always in view."""

from __future__ import annotations

import math
from fractions import Fraction

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from workbench.core.known_number import TWICE
from workbench.core.number_text import epsilon_down, margin_up, rounded_down, rounded_up
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look, small_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.elided_label import ElidedLabel, PartsLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.haste import pressed_once
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.query.ledger_entries import Budget
from workbench.query.plans import QueryPlan
from workbench.session.answer_numbers import margins
from workbench.session.answer_shares import shares_headline, together_words
from workbench.session.noise_alone import noise_alone
from workbench.session.query_answers import PaidAnswer
from workbench.session.query_plans import Foreseen
from workbench.session.query_promise import kind_vouched
from workbench.session.query_words import headline_words, range_words
from workbench.session.row_counts import with_draw

_LINES = 3
_LONGEST = 1500
"""Pixels of what is said of a question about groups, were it a single line."""
_WAITING = "Working out the price."
EVERY_ROW = "Every row is a different person"


class PriceStrip(QFrame):
    """From plan to answer: what is asked, what it costs, and what comes of it.

    Signals
    -------
    release_wanted()
        Spend, or show the answer that is there, or go on where it is seen.
    batch_wanted()
        Put the question into the batch.
    command_wanted()
        Copy the command that does the same.
    plain_wanted()
        Answer without noise, about a file that was released.
    budget_wanted()
        Set the total budget.
    enclosing_wanted(str)
        Ask for these quantiles, which enclose the one that is asked for.
    fit_wanted(str)
        Choose this ε, which fits.
    every_row_wanted()
        Say that every row is a different person.
    who_wanted()
        Say who is protected otherwise.
    """

    release_wanted = Signal()
    batch_wanted = Signal()
    command_wanted = Signal()
    plain_wanted = Signal()
    budget_wanted = Signal()
    enclosing_wanted = Signal(str)
    fit_wanted = Signal(str)
    every_row_wanted = Signal()
    who_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("line", "bottom")
        self._fitting = self._enclosing = ""
        self._answered = self._standing = self._owed = False
        self._told: Foreseen | None = None
        self._in_shares: bool | None = None
        self.what = ElidedLabel()
        self.cost = label(strong=True)
        self.half_width = PartsLabel()
        self.half_width.setProperty("heading", "1")
        self.half_width.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.detail = PartsLabel(muted=True)
        self.words = label(muted=True, small=True, wrap=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.release = pressed_once(QPushButton("Release"))  # after the answer it leads to the next question
        set_look(self.release, primary=True)
        self.batch = QPushButton("Add to batch")
        set_look(self.batch, quiet=True)
        self.command = tool_button(name="Copy as command", icon=icon("copy", "link"))
        self.command.setToolTip("Copy the command that asks the same")
        self.batch.setIcon(icon("add", "link"))
        self._icon = IconLabel(status_icon(Status.INFO), tokens.ICON_SMALL, "muted")
        self.budget = ElidedLabel()
        self.set_budget = QPushButton("Set budget…")
        self.fit = QPushButton()
        self.enclose = QPushButton("Ask all 3")
        self.plain = QPushButton("Plain answer, free")
        self.plain.setToolTip(
            "This file was released: once its statement is verified, its rows are counted without noise"
        )
        self.every_row = QPushButton(EVERY_ROW)
        self.every_row.setToolTip("The answer then hides whether any one row is in the table")
        self.who = QPushButton()
        self.who.setToolTip("A person can have several rows, or a column says whose they are")
        for button in (self.set_budget, self.fit, self.enclose, self.plain, self.every_row, self.who):
            set_look(button, quiet=True)
            button.hide()
        self._lay_out()
        set_explain(self, "query.price")
        set_explain(self.release, "query.release")
        self.release.clicked.connect(self.release_wanted)
        self.batch.clicked.connect(self.batch_wanted)
        self.command.clicked.connect(self.command_wanted)
        self.set_budget.clicked.connect(self.budget_wanted)
        self.plain.clicked.connect(self.plain_wanted)
        self.every_row.clicked.connect(self.every_row_wanted)
        self.who.clicked.connect(self.who_wanted)
        self.fit.clicked.connect(self._choose_fitting)
        self.enclose.clicked.connect(lambda: self.enclosing_wanted.emit(self._enclosing))

    def _lay_out(self) -> None:
        self.arrow = IconLabel("arrow-right", tokens.ICON_SMALL, "muted")
        # On a line of its own, as beside its price and answer a narrow window has no room for it.
        self.what.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        line = boxes.row(self.cost, self.arrow, self.half_width, (self.detail, 1), spacing="s")
        top = Qt.AlignmentFlag.AlignTop
        said = boxes.row((self.words, 1), (self.release, top), spacing="m")
        price = boxes.row(
            self._icon,
            (self.budget, 1),
            self.plain,
            self.enclose,
            self.fit,
            self.every_row,
            self.who,
            self.set_budget,
            self.batch,
            self.command,
            spacing="xs",
        )
        # The buttons come and go; the line stays as high.
        self.budget.setMinimumHeight(tokens.CONTROL_HEIGHT)
        boxes.column(self.what, line, said, price, margins="l s l xs", spacing="xs", inside=self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # So many lines, needed or not: nothing below may jump while one types, nor when an answer comes.
        beside = self.release.sizeHint().width() + tokens.SPACE_M + 2 * tokens.SPACE_L
        lines = max(_LINES, math.ceil(_LONGEST / max(self.width() - beside, 1)))
        self.words.setMinimumHeight(min(lines, 2 * _LINES) * QFontMetrics(small_font()).lineSpacing())

    # Showing

    def show_waiting(self) -> None:
        """Say that what is shown belongs to the question before; nothing can be spent meanwhile."""
        self._set_ready(False)
        self.release.setToolTip(_WAITING)
        self.release.setAccessibleDescription(_WAITING)
        if self._answered:
            self._price(Status.INFO, _WAITING)  # whether the question as it is now was answered is not known yet
        if not self.what.full_text:
            self.what.set_text(_WAITING)
            self._price_known(False)
            self.half_width.set_text("")

    def show_asking(self) -> None:
        """The question is being asked."""
        self._answered = False
        self._set_ready(False)
        self.release.setText("Asking…")

    def show_error(self, what: str, why: str, *, wrong: bool = True) -> None:
        """Say why the question cannot be asked, and not in red where something is only to be filled in."""
        self._answered = False
        self.what.set_text(what)
        self._price_known(False)
        set_look(self.half_width, muted=False)
        self.half_width.set_text("Not yet")
        self.detail.set_text("")
        self._say(why, error=wrong)
        self._price(Status.INFO, "Nothing can be spent yet.")
        self._offer(None, budget=False)
        self._offer_enclosing("")
        self._ask_who(False)
        self.batch.setEnabled(False)
        self.command.setEnabled(False)
        self.release.setText("Release")
        self._set_ready(False)
        self.release.setToolTip(why)
        self.release.setAccessibleDescription(why)

    def show_foreseen(self, found: Foreseen) -> None:
        """Show a plan and its price."""
        plan, self._told = found.plan, found
        self.what.set_text(plan.what)
        self._price_known(True)
        self.cost.setText(found.priced)
        self._show_expected(found) if found.stored is None else self._show_answered(found.stored, found)
        self.batch.setEnabled(plan.kind.needs_epsilon and plan.mechanism.releasable)
        self.command.setEnabled(True)
        self.plain.setVisible(found.plain)
        encloses = found.stored is None and plan.rows >= plan.mechanism.enclosed_from
        self._offer_enclosing(plan.mechanism.enclosing if encloses else "")
        self._show_price(found)

    def _show_expected(self, found: Foreseen) -> None:
        plan = found.plan
        self.half_width.set_text(plan.half_width_text or "–")
        one = f"of {plan.of_one}s of one size" if plan.of_equal_groups else plan.of_one
        each = f"each {one}, " if one else ""
        at_once = plan.expected.together
        together = f" · all at once ± {margin_up(at_once, 3)}" if at_once is not None else ""
        before = f" before {plan.expected.before}" if plan.expected.before else ""
        noise = " for the noise" if plan.moved_by_draw else ""
        anywhere = ", wherever values lie" if found.middle else before
        # What follows from a number that nobody typed is no more than that: it stands in grey, beside that number.
        if_so_many = f"if {plan.rows:,} match, a guess: " if plan.margin_on_a_guess else ""
        detail = f"{if_so_many}{each}in 95 % of answers{noise}{anywhere}{together}"
        self.detail.set_text(detail if plan.half_width_text else "")
        set_look(self.half_width, muted=plan.margin_on_a_guess)
        # Beside what is said of several there is no room for the rest.
        briefly = plan.of_equal_groups and bool(found.middle)
        assumed = _briefly(plan) if briefly else plan.assumption if plan.depends_on_rows else ""
        # All of several values are within the margin less often than one.
        left_out = "" if plan.of_equal_groups or plan.of_those_with_a_value else plan.left_out
        middle = f"The margin is {found.middle}." if found.middle else ""
        words = (
            *(plan.together_text, plan.cautions, plan.error_text, found.draw, assumed, found.farther),
            *(middle, left_out, plan.remark),
        )
        self._say(" ".join(said for said in words if said))
        self.words.setToolTip(plan.left_out)

    def show_in_shares(self, seen: bool | None) -> None:
        """Say the answer in the unit of the view of it that is seen: in shares or not; None where it is not seen."""
        if seen is not self._in_shares:
            self._in_shares = seen
            if self._told is not None and self._told.stored is not None and self._answered:
                self._show_answered(self._told.stored, self._told)

    def _show_answered(self, stored: PaidAnswer, found: Foreseen) -> None:
        """The answer itself: what was expected of it would only contradict what is known now."""
        line, beside = "", ""
        shares = found.as_shares if self._in_shares is None else self._in_shares
        if shares:
            line, beside = shares_headline(stored.released, stored.question, stored.names, found.known_rows)
        set_look(self.half_width, muted=False)
        alone = noise_alone(stored)
        told = stored.told if alone is None else alone.released
        self.half_width.set_text(line or headline_words(told, found.plan.kind.identifier, stored.names))
        drawn = with_draw(stored)
        noisy = margins(stored.released)
        # Beside shares a margin of counts could not be compared with theirs.
        in_points = found.known_rows if line else 0
        together = "" if line and not in_points else together_words(stored.released, stored.question, in_points)
        if drawn is not None and noisy:
            ends = drawn.bound(stored.released)
            beside = f"{noisy[0]} for the noise · {ends} with the draw{drawn.only}, with 95 %"
        elif alone is not None:
            beside = alone.brief
        elif not beside:
            beside = " · ".join(filter(None, (range_words(stored.told, stored.names), together)))
        elif together:
            beside = f"{beside} · {together}"
        self.detail.set_text(beside)
        # What is expected of another answer is a tip of the button that asks for one: here it would be taken for this.
        plan = found.plan
        together = "" if plan.depends_on_rows else plan.together_text
        self._say(found.pooled or (together if alone is None else _planned(plan)))
        self.words.setToolTip(plan.cautions)

    def _show_price(self, found: Foreseen) -> None:
        plan, room = found.plan, found.remaining
        price = found.priced
        enabled, why, offer, unset = True, "", None, False
        asks = False
        self.release.setText(f"Release for {price}")
        self._answered = found.stored is not None
        if found.problem is not None or room is None:
            enabled, why = False, str(found.problem)
            self._price(Status.ERROR, "The ledger cannot be read, so nothing can be released.")
        elif not plan.mechanism.releasable:
            enabled, why = False, plan.mechanism.edges[-1]
            self._price(Status.WARNING, f"For experiments only: {why}")
        elif found.stored is not None:
            self._show_stored()
            remain = _remain(found.remains, room.budget)
            # What is left first: in a narrow window the rest of the line is cut.
            self._price(
                Status.SUCCESS, f"{f'{remain} ' if remain else ''}Answered at this ε: showing it again is free."
            )
        elif room.refusal is not None:
            enabled, why = False, str(room.refusal)
            delta = room.refusal.field == "delta"
            offer = room.fitting if not delta and plan.kind.needs_epsilon and room.fitting > 0 else None
            words = (
                "It costs a δ, of which the budget has none."
                if delta and room.budget is not None and not room.budget.delta
                else f"Over budget: δ {rounded_up(plan.delta)} is too much."
                if delta
                else f"Over budget: {price} is too much, {_fitting(found, room.fitting)} would fit."
                if room.fitting > 0
                else "Over budget: nothing more fits. Answers already given stay free."
            )
            self._price(Status.ERROR, words)
        elif found.unsaid:
            # Whom an answer holds for cannot be said once it has left, so it is asked before the first one does.
            asks, enabled, why = True, False, "First say who is protected: the answer holds for them."
            self._price(Status.WARNING, "Who is protected?")
        elif room.left is not None and room.budget is not None:
            left = _remain(room.left, room.budget)
            self._price(Status.INFO, f"{'A plan pays for it. ' if room.planned else ''}Then {left}")
        else:
            unset = True
            self._price(Status.INFO, "No total budget is set.")
        self._offer(offer, budget=unset)
        self._ask_who(asks, several=found.several)
        self._set_ready(enabled)
        self.release.setToolTip(why or " – ".join(filter(None, ("Ctrl+Enter", kind_vouched(plan)))))
        self.release.setAccessibleDescription(why)

    def show_standing(self, standing: bool) -> None:
        """Say whether the answer to the question stands beside the strip, so that to show it would change nothing."""
        self._standing = standing
        if self._answered:
            self._show_stored()

    def _show_stored(self) -> None:
        # It leads on, and never to a price: a second press must not spend what the first one did not.
        self.release.setText("Next question" if self._standing else "Show the answer")

    def _set_ready(self, ready: bool) -> None:
        """Let the button be pressed, or not. It keeps the focus where it leads on, and never where it spends."""
        if not ready and self.window().focusWidget() is self.release:
            self.release.clearFocus()  # else the next button would get it
            self._owed = True
        self.release.setEnabled(ready)
        if ready and self._owed:
            self._owed = False
            if self.window().focusWidget() is None:  # else the person went elsewhere meanwhile
                (self.release if self._answered else self.batch).setFocus()

    def _price_known(self, known: bool) -> None:
        """Nothing leads to a price that there is not."""
        for part in (self.arrow, self.cost):
            part.setVisible(known)

    def _say(self, text: str, *, error: bool = False) -> None:
        self.words.setText(text)
        self.words.setToolTip("")
        set_look(self.words, tone="error" if error else "none", muted=not error)

    def _price(self, status: Status, text: str) -> None:
        self._icon.set_icon(status_icon(status), status.value)
        self.budget.set_text(text)

    def _offer(self, fitting: Fraction | None, *, budget: bool) -> None:
        self._fitting = "" if fitting is None else _decimal_below(fitting)
        self.fit.setVisible(bool(self._fitting))
        self.fit.setText(f"Take ε {self._fitting}")
        self.set_budget.setVisible(budget)

    def _offer_enclosing(self, quantiles: str) -> None:
        self._enclosing = quantiles
        self.enclose.setVisible(bool(quantiles))
        self.enclose.setToolTip(f"{quantiles} for the same ε, which they share: the middle one lies between the others")

    def _ask_who(self, asks: bool, *, several: bool = False) -> None:
        # Where rows look like the same person's, that is to be seen before anybody says they are not.
        self.every_row.setVisible(asks and not several)
        self.who.setVisible(asks)
        self.who.setText("Say so in Data…" if several else "Others…")
        self.batch.setVisible(not asks)  # one question at a time, also in a narrow window

    def _choose_fitting(self) -> None:
        self.fit_wanted.emit(self._fitting)


def _briefly(plan: QueryPlan) -> str:
    """What the expected error rests on, without what it would be for other values."""
    return f"{plan.assumption.partition(';')[0].removesuffix('.')}." if plan.depends_on_rows else ""


def _planned(plan: QueryPlan) -> str:
    """Why the margin of an answer within bounds that were found may be another than its plan said."""
    assumes = plan.mechanism.assumes
    return f"The plan assumed values {assumes}; this margin is of the bounds that were found." if assumes else ""


def _remain(left: Fraction | None, budget: Budget | None) -> str:
    """Remaining budget in words; "" if none was set."""
    if left is None or budget is None:
        return ""
    return f"{epsilon_down(left)} of {rounded_down(budget.epsilon)} remains."


def _fitting(found: Foreseen, fitting: Fraction) -> str:
    """The ε that would fit, as it would be charged, with what would be set for it; never above it."""
    twice = found.price[0] == 2 * found.plan.epsilon
    return f"{epsilon_down(2 * fitting)} ({rounded_down(fitting)} {TWICE})" if twice else epsilon_down(fitting)


def _decimal_below(value: Fraction) -> str:
    """A short decimal that is not above the number; "" if none is."""
    text = rounded_down(value)
    return text if 0 < Fraction(text) <= value else ""
