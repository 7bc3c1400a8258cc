"""The budget in the bottom strip, and the dialog that sets it once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QWidget

from workbench.core.composition import OPEN_PARTICIPATION, Total
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import rounded_up
from workbench.core.progress import Progress
from workbench.core.usual_delta import usual_delta
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.next_charge import NextCharge
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.amount_fields import amount_field, probability_field
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.job_strip import MUCH, Fact
from workbench.gui.widgets.labels import label
from workbench.query.ledger import Budget, Ledger, LedgerEntry

if TYPE_CHECKING:  # what is shown of a ledger is not loaded for the first page
    from workbench.session.standing import Standing

_ENTRIES_SHOWN = 8
_NOTHING_YET = "Nothing of this data was released yet, as far as this ledger knows."
_USUAL_EPSILON = 1.0
_SETTLE_MS = 50
"""A charge is several writes, and each of them is announced."""
_PARTS = {"data", "result", "file"}
_MUCH = "\nThe bar is amber from 80 % of the budget on."


class BudgetStrip(QWidget):
    """The spending on the data that is open, by this window or any other program, and the way to a budget.

    The ledger's file is watched, so that a charge from elsewhere shows at once.

    Parameters
    ----------
    next_charge
        What the room in view would charge next; None where that is a release of Anonymise.
    """

    refreshed = Signal()

    def __init__(
        self,
        document: Document,
        parent: QWidget | None = None,
        next_charge: Callable[[], NextCharge | None] = lambda: None,
    ) -> None:
        super().__init__(parent)
        self._document, self._next_charge = document, next_charge
        self.fact = Fact()
        self.button = push_button("Set budget (optional)…", self.ask, name="Set privacy budget…", quiet=True)
        self.button.setToolTip(
            "You can go on without one. A limit, fixed once, for what all releases of this data spend together: each "
            "costs some ε and δ, which add up"
        )
        set_explain(self, "budget.strip")
        boxes.row(self.fact, self.button, spacing="s", inside=self)
        self._watcher = QFileSystemWatcher(self)
        self._later = Later(self, self.refresh, _SETTLE_MS)
        self._watcher.fileChanged.connect(self._disk_changed)
        self._watcher.directoryChanged.connect(self._disk_changed)
        document.changed.connect(self._document_changed)
        self.refresh()

    @property
    def text(self) -> str:
        return self.fact.text if not self.fact.isHidden() else ""

    def ask(self) -> BudgetDialog | None:
        """Let the person set the budget of the data that is open."""
        if not self._document.has_data:
            return None
        dialog = BudgetDialog(self._document, self.window(), self._next_charge())
        dialog.open()
        return dialog

    def stop(self) -> None:
        """Watch nothing any more, because the window closes."""
        self._later.stop()
        self._watch(())

    def refresh(self) -> None:
        """Show what stands in the ledger now."""
        document = self._document
        self.button.setVisible(document.has_data)
        self.fact.setVisible(document.has_data)
        if not document.has_data:
            self._watch(())
            self.refreshed.emit()
            return
        ledger = document.session.ledger.current
        self._watch((ledger.path, ledger.path.parent))
        try:
            standing = document.session.standing
        except WorkbenchError as error:
            self.fact.set("The ledger cannot be read", str(error), math.inf)
            self.button.hide()
            self.refreshed.emit()
            return
        self.button.setVisible(standing.budget is None)
        share = None if standing.budget is None else _share(standing.spent, standing.budget)
        much = "" if share is None or share < MUCH else _MUCH
        self.fact.set(standing.sum, f"{self._tip(standing)}{much}", share)
        self.fact.setVisible(bool(standing.sum))
        self.refreshed.emit()

    def _tip(self, standing: Standing) -> str:
        spent, entries = standing.spent, standing.told
        if not entries:
            return _NOTHING_YET
        lines = [self._line(entry) for entry in entries[-_ENTRIES_SHOWN:]]
        if len(entries) > _ENTRIES_SHOWN:
            lines.insert(0, f"… and {len(entries) - _ENTRIES_SHOWN:,} before")
        if spent.rows_per_person > 1:
            lines.append(f"For persons with up to {spent.rows_per_person:,} rows.")
        if spent.replacing:
            lines.append(spent.replacing)
        lines += filter(None, (standing.counted_told, standing.twice))
        if standing.only_drawn:
            lines.append(standing.only_drawn)
        if standing.left is not None:
            lines.append(f"{standing.remaining}.")
        if spent.open_participation:
            lines.append(OPEN_PARTICIPATION)
        if spent.unclaimed:
            lines.append("Some have no claim, so nothing bounds all of them together.")
        return "\n".join(lines)

    def _line(self, entry: LedgerEntry) -> str:
        charge = entry.charge
        when = entry.when[:16].replace("T", " ")
        if not charge.released.spends:
            return f"{when}  no claim  {entry.what}"
        words = f"{when}  ε {rounded_up(charge.epsilon)} · δ {rounded_up(charge.delta)}"
        if not charge.claimed:
            words = f"{words}, no claim"
        return f"{words}  {entry.what}"

    def _watch(self, wanted: Sequence[Path]) -> None:
        names = {str(path) for path in wanted if path.exists()}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if watched - names:
            self._watcher.removePaths(sorted(watched - names))
        if names - watched:
            self._watcher.addPaths(sorted(names - watched))

    def _disk_changed(self, _path: str) -> None:
        self._later.start()

    def _document_changed(self, section: str) -> None:
        if section in _PARTS:
            self._later.start()


class BudgetDialog(QDialog):
    """Asks for the budget of the data that is open, which is set once.

    Parameters
    ----------
    charge
        What the room in view would charge next; None where that is a release of Anonymise.
    """

    def __init__(self, document: Document, parent: QWidget | None = None, charge: NextCharge | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._fingerprint = document.session.data.fingerprint
        self._ledger: Ledger = document.session.ledger.current
        self.setWindowTitle("Set the privacy budget")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "budget.set")
        spent, self._next = self._spent(), self._with_next() if charge is None else charge.total
        proposed_epsilon = _proposed_epsilon(spent, self._next, several=charge is not None)
        self.epsilon = amount_field("ε of all releases together", value=proposed_epsilon, compact=False)
        proposed = _proposed_delta(spent, self._next, self._usual_delta())
        self.delta = probability_field("δ of all releases together", zero=True, value=proposed, compact=False)
        self.narrow = label(wrap=True, small=True, tone="warning")
        self.problem = label(wrap=True, tone="error")
        self.problem.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.set_button = self.buttons.addButton("&Set once", QDialogButtonBox.ButtonRole.AcceptRole)
        set_look(self.set_button, primary=True)
        self.buttons.accepted.connect(self.set_budget)
        self.buttons.rejected.connect(self.reject)
        for field in (self.epsilon, self.delta):
            field.validity_changed.connect(self._judge)
            field.edit.textChanged.connect(self._show_room)
        form = QFormLayout()
        form.setHorizontalSpacing(tokens.SPACE_M)
        form.setVerticalSpacing(tokens.SPACE_M)
        form.addRow("ε", self.epsilon)
        form.addRow("δ", self.delta)
        layout = boxes.column(margins="l", spacing="m", inside=self)
        self.spent = label(_spent_words(spent), wrap=True, strong=True)
        layout.addWidget(self.spent)
        for words in (
            (
                "Everything released of this data together stays within this ε and δ: answers, anonymised files, "
                "whoever makes them on this computer. What goes beyond is refused."
            ),
            "It is set once. A budget that can be raised when it is used up protects nobody.",
            _proposal_words(spent, self._next) if charge is None else charge.words,
        ):
            if words:
                layout.addWidget(label(words, wrap=True))
        layout.addLayout(form)
        layout.addWidget(self.narrow)
        layout.addWidget(self.problem)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(tokens.EMPTY_TEXT_WIDTH)
        self.resize(tokens.EMPTY_TEXT_WIDTH, layout.totalHeightForWidth(tokens.EMPTY_TEXT_WIDTH))
        self._show_room()

    def _usual_delta(self) -> float:
        """δ that suits the number of rows that was typed, or the usual one: never one for the rows of the table."""
        return usual_delta(self._document.project.anonymise.trim.expected_rows)

    def _spent(self) -> Total:
        try:
            return self._ledger.spent(self._document.project.schema.unit.rows_per_person)
        except WorkbenchError:
            return Total(Fraction(0), Fraction(0), 1, 0)  # setting the budget says why the ledger cannot be read

    def _with_next(self) -> Total | None:
        """All releases with the next one as it is set now; None where there is none, or it costs nothing."""
        # What releases need is not loaded for the first page, which has the strip.
        from workbench.session.release.prospect import spent_with_next

        if self._document.session.syntactic.wanted:
            return None
        try:
            return spent_with_next(self._document.session)
        except WorkbenchError:
            return None  # the room says what is wrong with the settings

    def set_budget(self) -> None:
        """Write the budget into the ledger."""
        epsilon, delta = self.epsilon.exact, self.delta.exact
        if epsilon is None or delta is None:
            return
        ledger, wanted = self._ledger, (epsilon, delta)
        self.set_button.setEnabled(False)

        def work(_progress: Progress) -> Budget:
            return ledger.set_budget(*wanted)

        self._document.runner.start(
            "Setting the budget",
            work,
            on_done=self._done,
            on_failed=self._failed,
            key="budget",
            owner=self,
            keep_late_result=True,
        )

    def _done(self, _budget: Budget) -> None:
        self._document.ledger_changed(self._fingerprint)
        self.accept()

    def _failed(self, error: BaseException) -> bool:
        self._judge()
        if not isinstance(error, WorkbenchError):
            return False
        self.problem.setText(str(error))
        self.problem.show()
        return True

    def _show_room(self, _text: str = "") -> None:
        """Say before it is set once and for all that the next release would be refused."""
        epsilon, delta, after = self.epsilon.exact, self.delta.exact, self._next
        words = ""
        if after is None or epsilon is None or delta is None:
            words = ""
        elif epsilon < after.epsilon or delta < after.delta:
            words = (
                f"Too little for the next release as it is set now, which needs ε {rounded_up(after.epsilon)}, δ "
                f"{rounded_up(after.delta)} in all. It would be refused, and this cannot be raised later."
            )
        self.narrow.setText(words)
        self.narrow.setVisible(bool(words))
        layout = self.layout()
        if words and layout is not None:
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    def _judge(self, _valid: bool = True) -> None:
        self.set_button.setEnabled(self.epsilon.valid and self.delta.valid)


def _spent_words(spent: Total) -> str:
    """Sum of what was released before, in words, so that nobody sets a budget that is used up."""
    if not spent.count:
        return _NOTHING_YET
    words = f"Spent so far: ε {rounded_up(spent.epsilon)}, δ {rounded_up(spent.delta)}."
    return words if spent.bounded else f"{words} Some of it has no claim, which no budget bounds."


def _proposal_words(spent: Total, after: Total | None) -> str:
    """Words on how much the proposed amounts are enough for; "" where nobody can tell."""
    if after is None:
        return ""
    known = ", counted twice because the number in the table is public" if after.number_known else ""
    beside = " beside what was released" if spent.epsilon or spent.delta else ""
    return (
        f"The amounts proposed have room for one release of Anonymise as it is set now{beside}{known}. Several need "
        "their sum."
    )


def _proposed_epsilon(spent: Total, after: Total | None, *, several: bool) -> float:
    """The ε to propose: what all comes to with the next release, or the usual one beside what was spent.

    Where `several` follow, the larger of the two: a budget that the next one uses up would end with it.
    """
    usual = spent.epsilon + Fraction(_USUAL_EPSILON)
    if after is None:
        return _above(usual)
    return _above(max(usual, after.epsilon) if several else after.epsilon)


def _proposed_delta(spent: Total, after: Total | None, one: float) -> float:
    """The δ to propose: what all comes to with the next release, or with the usual `one` if that is more."""
    usual = spent.delta + Fraction(str(one))
    rounded = _above(usual if after is None else max(usual, after.delta))
    return rounded if rounded < 1 else one  # what cannot be a budget is not proposed


def _above(amount: Fraction) -> float:
    """A short number that is not below an amount."""
    return float(rounded_up(amount))


def _share(spent: Total, budget: Budget) -> float:
    """How much of ε is used. δ may be used up, which its figures say, while answers without a δ can go on."""
    return float(min(spent.epsilon / budget.epsilon, Fraction(1))) if spent.delta <= budget.delta else 1.0
