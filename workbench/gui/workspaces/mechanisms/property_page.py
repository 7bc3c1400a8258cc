"""Asks whether the claim holds for every value of a parameter, and shows the answer with its first counterexample."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.core.errors import WorkbenchError
from workbench.gui.document import Document
from workbench.gui.icons import icon
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
        self._begun: LaboratorySettings | None = None
        """The settings whose claim was checked by itself, once and no more."""
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
        for field in (self.first, self.last):
            field.valueChanged.connect(self._ask_again)
        self.button = push_button("Check", self.check, icon=icon("run"), name="Check the claim for every value")
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
        self._job.ended.connect(self._show_button)
        self._job.ended.connect(self._begin)  # what was asked before had to end first
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

    def _ask_again(self, _value: int = 0) -> None:
        """Mark the answer as that to another question; it stays to be compared with the next one."""
        self.found = None
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
        """Check a claim by itself where somebody sees the page and has not asked anything here yet."""
        claimed = self._asked is not None and self._asked.claim.strip()
        unasked = self._shown is None and self._begun != self._asked and not self._job.running
        if self.isVisible() and claimed and self._bounds and unasked:
            self._begun = self._asked
            self.check()

    def _show_button(self) -> None:
        # Enabled while it works, for a button that is disabled hands the keyboard on; and before anything is claimed,
        # for pressing it is what ends the typing of a claim.
        self.button.setEnabled(bool(self._bounds))

    def check(self) -> None:
        """Decide it, one value after the other."""
        settings = self._asked
        if settings is None or self._job.running:
            return
        asked = ForAll(str(self.parameter.chosen or ""), self.first.value(), self.last.value())
        try:
            work = property_checker(settings, asked)
        except WorkbenchError as error:
            self.state.show_state(Status.ERROR, str(error))
            return
        self.state.show_state(Status.INFO, "Checking…")
        self._job.start(
            "Checking the property", work, on_done=self._show, on_failed=self._refuse, key=PROPERTY_JOB,
            latest_wins=True,
        )  # fmt: skip
        self._show_button()

    def _show(self, answer: PropertyAnswer) -> None:
        here = (str(self.parameter.chosen or ""), self.first.value(), self.last.value())
        if (answer.asked.parameter, answer.asked.first, answer.asked.last) != here or self._asked is None:
            return
        if answer.claim != claimed_epsilon(self._asked):
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
            self.state.show_state(Status.ERROR, str(error))
            return True
        return False
