"""Asks whether the claim holds for every value of a parameter, and shows the answer with its first counterexample."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.icons import icon
from workbench.gui.later import Later
from workbench.gui.tracked import TrackedJob
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.inputs import SpinBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.result_state import ResultState
from workbench.gui.widgets.status import Status
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import claimed_epsilon
from workbench.session.audit_property import (
    MOST_VALUES,
    ForAll,
    PropertyAnswer,
    parameter_title,
    parameters_to_vary,
    property_checker,
)

PROPERTY_JOB = "audit property"
_FEW = 50
_CHECK, _STOP = "Check", "Stop"
_PAUSE_MS = 500
"""After the last key in a value; a claim was waited for where it is typed."""


class PropertyPage(QWidget):
    """“Is ε at most ln 2 for every n from 1 to 50?”

    Signals
    -------
    claim_wanted()
        The person wants to claim an ε, which is done beside this page.
    """

    claim_wanted = Signal()

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._job = TrackedJob(document.runner, self)
        self._asked: LaboratorySettings | None = None
        self._begun: tuple[LaboratorySettings | None, ForAll] | None = None
        """The question that was asked last, which is not asked again by itself once it was stopped."""
        self._refused = False
        """Whether that has no answer."""
        self._bounds: dict[str, tuple[int, int]] = {}
        self.found: PropertyAnswer | None = None
        self._shown: PropertyAnswer | None = None
        """The answer in the table, which may be to a question that was changed since."""
        self.question = label(heading=2, wrap=True)
        self.claim = push_button("Claim an ε…", self.claim_wanted, tip="To the field it is typed into")
        policy = self.claim.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # what is below must not jump once something is claimed
        self.claim.setSizePolicy(policy)
        self.parameter = ElidingComboBox("Parameter that takes every value")
        self.parameter.activated.connect(self._show_bounds)
        self.first = SpinBox("First value", 1, MOST_VALUES, 1)
        self.last = SpinBox("Last value", 1, MOST_VALUES, _FEW)
        self._later = Later(self, self._begin, _PAUSE_MS)
        for field in (self.first, self.last):
            field.valueChanged.connect(self._typed)
        self.button = push_button(_CHECK, self._check_or_stop, icon=icon("run"), name="Check the claim for every value")
        self.button.setMinimumWidth(self.button.sizeHint().width())  # “Stop” is shorter
        self.state = ResultState()
        self.each = HeatTable("ε for each value")
        self.each.hide()
        boxes.column(
            boxes.row((self.question, 1), self.claim, spacing="s"),
            self._form(),
            self.state,
            (self.each, 100),
            1,
            margins="0 m 0 0",
            spacing="m",
            inside=self,
        )
        self._job.moved.connect(self._show_progress)
        self._job.ended.connect(self._ended)
        set_explain(self, "mechanisms.property")

    @property
    def has_something(self) -> bool:
        """Whether the mechanism has a whole number, such as n, to try every value of."""
        return bool(self._bounds)

    def _form(self) -> QWidget:
        """Of which parameter and for which values."""
        how = label("Tried in rising order; the check ends at the first that fails.", muted=True, small=True, wrap=True)
        return boxes.boxed(
            boxes.column(
                boxes.row(label("For every"), (self.parameter, 1), spacing="s"),
                boxes.row(label("from"), self.first, label("to"), self.last, 1, self.button, spacing="s"),
                how,
                spacing="m",
            )
        )

    def show_settings(self, settings: LaboratorySettings) -> None:
        """Ask about the mechanism and the claim as they are set."""
        if settings == self._asked:
            return
        if self._asked is None or settings.mechanism != self._asked.mechanism:
            self._shown = None  # of another mechanism nothing is compared
        self._asked = settings
        self._job.cancel()
        claimed = claimed_epsilon(settings)
        self._bounds = {name: (low, high) for name, low, high in parameters_to_vary(settings.mechanism)}
        self.question.setText(f"Is ε at most {claimed}?" if claimed else "Is ε at most what you claim?")
        self.claim.setVisible(not claimed)
        before = self.parameter.chosen
        self.parameter.clear()
        for name in self._bounds:
            self.parameter.addItem(parameter_title(settings.mechanism, name), name)
        self.parameter.choose(before if before in self._bounds else next(iter(self._bounds), None))
        typed = self.parameter.chosen == before and before is not None
        self._offer_bounds(self.first.value() if typed else None, self.last.value() if typed else None)

    def _show_bounds(self, _row: int = 0) -> None:
        self._offer_bounds(None, None)

    def _offer_bounds(self, first: int | None, last: int | None) -> None:
        """Offer the values of the parameter, from these on and to these; all, or the first few, without them."""
        low, high = self._bounds.get(str(self.parameter.chosen), (1, 1))
        values = (low if first is None else first, min(high, max(low, _FEW)) if last is None else last)
        for field, value in zip((self.first, self.last), values, strict=True):
            blocked = field.blockSignals(True)
            field.setRange(low, high)
            field.setValue(value)
            field.blockSignals(blocked)
        self._ask_again()

    def _typed(self, _value: int) -> None:
        self._later.start()
        self._ask_again()

    @property
    def _question(self) -> tuple[LaboratorySettings | None, ForAll]:
        """What is to be asked now."""
        return self._asked, ForAll(str(self.parameter.chosen or ""), self.first.value(), self.last.value())

    def _ask_again(self) -> None:
        """Mark the answer as that to another question; it stays to be compared with the next one."""
        self.found = None
        self._job.cancel()
        self.each.setVisible(self._shown is not None)
        self.each.setEnabled(False)
        if self._shown is not None:
            was = self._shown
            words = f"Out of date: this answers whether ε was at most {was.claim} for {was.asked.words}."
            self.state.show_state(Status.WARNING, words)
        else:
            self.state.show_state(Status.NEUTRAL, self._what_is_lacking)
        self._show_button()
        self._begin()

    @property
    def _what_is_lacking(self) -> str:
        """Reason why there is no answer yet, and what leads to one."""
        claimed = self._asked is not None and self._asked.claim.strip()
        return "Not checked yet." if claimed else "Claim an ε, and it is checked for every value here."

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._begin()

    def _begin(self) -> None:
        """Check a claim by itself where somebody sees the page, once nobody types any more."""
        claimed = self._asked is not None and self._asked.claim.strip()
        waits = self._job.running or self._later.isActive()
        if self.isVisible() and claimed and self._bounds and self._begun != self._question and not waits:
            self.check()

    def _ended(self) -> None:
        if self.found is None and self._begun == self._question and not self._refused:
            self.state.show_state(Status.NEUTRAL, "Stopped before it was decided.")
        self._show_button()
        self._begin()  # what was asked before had to end first

    def _show_progress(self) -> None:
        if self._job.cancelling or self._begun is None:
            return
        asked = self._begun[1]
        at = min(asked.first + int(self._job.fraction * (asked.last - asked.first + 1)), asked.last)
        self.state.show_state(Status.INFO, f"Checking {asked.parameter} = {at:,} of {asked.last:,}…")

    def _show_button(self) -> None:
        running = self._job.running
        self.button.setText(_STOP if running else _CHECK)
        self.button.setAccessibleName("Stop checking" if running else "Check the claim for every value")
        # Enabled while it works, for a button that is disabled hands the keyboard on; and before anything is claimed,
        # for pressing it is what ends the typing of a claim.
        self.button.setEnabled(bool(self._bounds))

    def _check_or_stop(self) -> None:
        if self._job.running:
            self._job.cancel()
        else:
            self.check()

    def check(self) -> None:
        """Decide it, one value after the other."""
        settings, asked = self._question
        if settings is None or self._job.running:
            return
        self._later.stop()
        self._begun, self._refused = (settings, asked), False
        try:
            work = property_checker(settings, asked)
        except WorkbenchError as error:
            self.state.show_state(Status.ERROR, str(error))
            return
        self.state.show_state(Status.INFO, "Checking…")
        self._job.start(
            "Checking the property", work, on_done=partial(self._show, self._question), on_failed=self._refuse,
            key=PROPERTY_JOB, latest_wins=True,
        )  # fmt: skip
        self._show_button()

    def _show(self, question: tuple[LaboratorySettings | None, ForAll], answer: PropertyAnswer) -> None:
        if question != self._question:
            return
        self.found = self._shown = answer
        status = {True: Status.SUCCESS, False: Status.ERROR, None: Status.WARNING}[answer.holds]
        self.state.show_state(status, f"{answer.sentence} {answer.untried}".strip())
        self.each.show_rows(
            (answer.asked.parameter, "ε, exactly", "ε ≈", "ε at most " + answer.claim), answer.each, left=0
        )
        self.each.fit_columns()
        self.each.setEnabled(True)
        self.each.show()

    def _refuse(self, error: BaseException) -> bool:
        if isinstance(error, WorkbenchError):
            self._refused = True
            self.state.show_state(Status.ERROR, str(error))
            return True
        return False
