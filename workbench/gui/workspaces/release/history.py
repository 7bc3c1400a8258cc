"""The releases of this data so far, and what they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from workbench.core.composition import OPEN_PARTICIPATION, Total
from workbench.core.number_text import rounded_up
from workbench.gui import tokens
from workbench.gui.widgets.records import RIGHT, RecordColumn, RecordsModel, records_view
from workbench.gui.widgets.section import Section
from workbench.query.ledger import LedgerEntry
from workbench.query.recorded_look import AFTER_LOOK
from workbench.report.release_report import claim_of
from workbench.session.standing import counted_prices, only_drawn

_ROWS = 4
_WHAT, _SHA = 1, 5
_AMOUNTS = 2, 3
_DIGITS = 8
"""Of a SHA-256: enough to tell the files of one table apart; the whole is in the tip."""


_PAID = "What it counts as in the sum above"


@dataclass(frozen=True)
class _Line:
    """An entry with the (ε, δ) that it counts as beside the others.

    That is twice what it hides a person at, where only a swap is hidden, and for the most rows of a person that any of
    them was made for.
    """

    entry: LedgerEntry
    epsilon: Fraction
    delta: Fraction
    together: Total
    paid: bool = False

    @property
    def by_itself(self) -> str:
        """What of it counts for more beside the others, or that a plan pays for it; "" if it counts as it is."""
        if self.paid:
            return "Paid for with its plan, and not added again"
        once, rows = self.entry.charge, self.together.rows_per_person
        if (self.epsilon, self.delta) == (once.epsilon, once.delta):
            return ""
        more = f"for up to {rows:,} rows of a person" if rows != once.rows_per_person else ""
        twice = "twice" if self.together.neighbours != once.neighbours else ""
        how = " and ".join(filter(None, (twice, more))) or "as a plan"
        return f"ε {rounded_up(once.epsilon)}, δ {rounded_up(once.delta)} counted {how}, as is said above"


def _digits(line: _Line) -> str:
    """By what the files of an entry are told apart; of many, the first two and how many more there are."""
    said = [file.sha256[:_DIGITS] for file in line.entry.files]
    return ", ".join([*said[:2], f"+{len(said) - 2}"] if len(said) > 2 else said)


def _amount(line: _Line, amount: Fraction) -> str:
    return rounded_up(amount) if line.entry.released.spends else "–"


_COLUMNS: tuple[RecordColumn[_Line], ...] = (
    RecordColumn("When", lambda line: line.entry.when[:19].replace("T", " ") + " UTC"),
    RecordColumn("What", lambda line: line.entry.what),
    RecordColumn("ε", lambda line: _amount(line, line.epsilon), RIGHT, _PAID),
    RecordColumn("δ", lambda line: _amount(line, line.delta), RIGHT, _PAID),
    RecordColumn("Claim", lambda line: claim_of(line.entry)),
    RecordColumn("SHA-256", _digits),
)


class _LinesModel(RecordsModel[_Line]):
    def look(self, row: int, column: int, role: int) -> object:
        if role != Qt.ItemDataRole.ToolTipRole:
            return None
        line = self.records[row]
        if column == _SHA:
            return "\n".join(f"{file.name}: {file.sha256}" for file in line.entry.files)
        return (line.by_itself or None) if column in _AMOUNTS else None


class HistorySection(Section):
    """Everything the ledger of the data knows, newest first; hidden while there is nothing.

    Signals
    -------
    chosen(int)
        A line was chosen.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title("Drawn and released so far")
        self.content.setContentsMargins(0, tokens.SPACE_S, 0, 0)  # what is said above comes only with entries
        self._model = _LinesModel(_COLUMNS, self)
        self.table = records_view("Releases of this data", self._model)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_WHAT, QHeaderView.ResizeMode.Stretch)
        self.table.selectionModel().currentRowChanged.connect(self._tell)
        self.add(self.table)
        self.hide()

    @property
    def current(self) -> int:
        """The line that is chosen, -1 if none is."""
        return self.table.currentIndex().row()

    def choose(self, line: int) -> None:
        """Choose a line."""
        self.table.setCurrentIndex(self._model.index(line, 0))

    def _tell(self, line: QModelIndex) -> None:
        if line.isValid():
            self.chosen.emit(line.row())

    def show_entries(self, entries: Sequence[LedgerEntry], twice: str = "", rows: int = 1) -> None:
        """Show these, the newest first, and what they add up to.

        Parameters
        ----------
        entries
            The oldest first.
        twice
            Why they count for more, with the sum, since the number of people or rows is said to be known.
        rows
            How many rows a person has, by what is said now.
        """
        self.setVisible(bool(entries))
        counted = counted_prices([entry.released for entry in entries], rows, known=bool(twice))
        together = counted.together
        lines = [
            _Line(entry, *price, together, paid)
            for entry, price, paid in zip(entries, counted.prices, counted.paid, strict=True)
        ]
        self._model.show_records(lines[::-1])
        self._fit()
        said = self._sum(together) if entries else ""
        # Where nothing is added up there is nothing that the lines could come to more than.
        more = counted.more if twice or together.bounded else ""
        waiting = only_drawn(sum(not entry.left for entry in entries))
        said = " ".join(filter(None, (twice or said, more, waiting)))
        if any(entry.after_look for entry in entries):
            said = f"{said} {AFTER_LOOK}"
        self.set_description(said)

    def _fit(self) -> None:
        """As high as its lines, which are higher once it is dressed."""
        header = self.table.horizontalHeader()
        header.ensurePolished()
        lines = min(self._model.rowCount(), _ROWS) * self.table.verticalHeader().defaultSectionSize()
        self.table.setFixedHeight(header.sizeHint().height() + 2 * self.table.frameWidth() + lines)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._fit()

    def _sum(self, together: Total) -> str:
        if together.open_participation and not together.unclaimed:
            return OPEN_PARTICIPATION
        if not together.bounded:
            return "One of them has no claim, so nothing can be promised for all of them together."
        words = f"Together ε {rounded_up(together.epsilon)}, δ {rounded_up(together.delta)}, {together.how}."
        if together.rows_per_person > 1:
            words += " " + f"For persons with up to {together.rows_per_person:,} rows."
        if together.replacing:
            words += f" {together.replacing}"
        return words
