"""Holding a planned survey on paper: what to hand out, and the tallies of what came back."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import counted
from workbench.gui.document import Document
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.collect.hand_offers import HandOffers
from workbench.gui.workspaces.collect.hand_out_buttons import HandOutButtons
from workbench.gui.workspaces.collect.tally_table import TallyTable
from workbench.ldp.choice import ProtocolChoice
from workbench.session.collection.held_survey import HeldSurvey, held_survey

HELD_JOB = "collect.held"
_NO_TALLIES = "A report by this protocol is no answer that one can count by hand: open files of reports below."
_BY_TABLE = "Saved so, it has a table for a die. One throw is enough, without a table, at:"
_NOTHING_MORE = "Each was randomised by who gave it: typing them reveals nothing more of anybody."


class HeldSection(QWidget):
    """The instruction of people by a protocol, and a table for how many reported each answer.

    Signals
    -------
    tallied(object)
        The person wants an estimate from these numbers, one per answer.
    """

    tallied = Signal(object)
    by_hand_taken = Signal(object, float)
    """People are to draw by this protocol, with the coins or dice of this ε."""
    planned_wanted = Signal()
    """The person wants to hand out the protocol that the plan takes."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.found: HeldSurvey | None = None
        self._choice: ProtocolChoice | None = None
        """By which that is."""
        self.instruction = label(wrap=True, selectable=True)
        self.page = HandOutButtons(document)
        self.by_hand = HandOffers(_BY_TABLE)
        self.by_hand.hide()
        self.by_hand.taken.connect(self._take_epsilon)
        self.table = TallyTable()
        self.table.tallies.changed.connect(self._judge)
        self.said = label(muted=True, small=True, wrap=True)
        self.count = push_button("Estimate from these", self._tell, explain="collect.tallies")
        self.planned = label(wrap=True, small=True)
        set_look(self.planned, tone="warning")
        self.hand_planned = push_button("Hand that out", self.planned_wanted, explain="collect.tallies")
        self._other = boxes.boxed(boxes.row((self.planned, 1), self.hand_planned, spacing="s"))
        self._other.hide()
        head = boxes.row((label("1. Hand this out", strong=True), 1), self.page)
        self._second = label("2. Type what they reported", strong=True)
        self._tallies = boxes.boxed(
            boxes.column(self.table, boxes.row((self.said, 1), self.count, spacing="s"), spacing="s")
        )
        boxes.column(
            self._other, head, self.by_hand, self.instruction, self._second, self._tallies, spacing="s", inside=self
        )
        set_explain(self, "collect.tallies")
        self.table.typed_last.connect(self.count.setFocus)
        self._judge()

    def refresh(self, choice: ProtocolChoice | None) -> None:
        """Show what people do by this protocol, with the answers and ε as they are set."""
        if choice is None:
            self._refuse(WorkbenchError("Tick a protocol first."))
            return
        try:
            work = held_survey(self._document.session.collection, choice)
        except WorkbenchError as error:
            self._refuse(error)
            return
        self._document.runner.start(
            "Working out what people do",
            work,
            on_done=partial(self._show, choice),
            on_failed=self._refuse,
            key=HELD_JOB,
            latest_wins=True,
        )

    def say_planned(self, name: str) -> None:
        """Say which protocol the plan takes, where another one is handed out; "" where it is the same."""
        self.planned.setText(f"The plan takes {name}.")
        self._other.setVisible(bool(name))

    def _show(self, choice: ProtocolChoice, found: HeldSurvey) -> None:
        self.found, self._choice = found, choice
        self.instruction.setText(found.instruction)
        set_look(self.instruction, tone="none")
        self.page.show_choice(choice)
        self.by_hand.show_offers(found.offers)
        for part in (self._second, self._tallies):
            part.setVisible(found.named is not None)
        if found.named is None:
            self.instruction.setText(f"{found.instruction} {_NO_TALLIES}")
        else:
            self.table.show_answers(found.answers)
        self._judge()

    def _refuse(self, error: BaseException) -> bool:
        if not isinstance(error, WorkbenchError):
            return False
        self.found = None
        self.instruction.setText(str(error))
        set_look(self.instruction, tone="error")
        self.page.show_choice(None)
        for part in (self.by_hand, self._second, self._tallies):
            part.hide()
        return True

    def _judge(self) -> None:
        """Say how many reports that makes, or what is wrong with them."""
        model, named = self.table.tallies, 1 if self.found is None else self.found.named or 1
        problem = model.problem
        total = sum(model.tallies)
        reports = counted(total // named, "report") if total % named == 0 else f"{total:,} named"
        self.said.setText(problem or (_NOTHING_MORE if model.empty else f"{reports}. {_NOTHING_MORE}"))
        set_look(self.said, tone="error" if problem else "none", muted=not problem)
        self.count.setEnabled(not problem and total > 0)

    def _tell(self) -> None:
        self.tallied.emit(self.table.tallies.tallies)

    def focus(self) -> None:
        """Put the keyboard focus where the first number is typed, or on what is handed out."""
        if self._tallies.isHidden():
            self.page.copy.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.table.begin()

    def _take_epsilon(self, epsilon: float) -> None:
        self.by_hand_taken.emit(self._choice, epsilon)
