"""The releases of this data so far, and what they add up to."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from workbench.core.composition import OPEN_PARTICIPATION, Total, total
from workbench.core.number_text import rounded_up
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import tabular_font
from workbench.gui.widgets.section import Section
from workbench.query.ledger import LedgerEntry
from workbench.query.recorded_look import AFTER_LOOK
from workbench.report.release_report import claim_of

_ROWS = 4
_AMOUNTS, _SHA = (2, 3), 5
_DIGITS = 8
"""Of a SHA-256: enough to tell the files of one table apart; the whole is in the tip."""


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
        self.set_title("Released so far")
        self.content.setContentsMargins(0, tokens.SPACE_S, 0, 0)  # what is said above comes only with entries
        heads = ("When", "What", "ε", "δ", "Claim", "SHA-256")
        self.table = QTableWidget(0, len(heads))
        self.table.setHorizontalHeaderLabels(heads)
        self.table.setAccessibleName("Releases of this data")
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setFont(tabular_font())
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.currentCellChanged.connect(self._tell)
        self.add(self.table)
        self.hide()

    @property
    def current(self) -> int:
        """The line that is chosen, -1 if none is."""
        return self.table.currentRow()

    def choose(self, line: int) -> None:
        self.table.setCurrentCell(line, 0)

    def _tell(self, line: int) -> None:
        if line >= 0:
            self.chosen.emit(line)

    def show_entries(self, entries: Sequence[LedgerEntry]) -> None:
        self.setVisible(bool(entries))
        self.table.setRowCount(len(entries))
        lines = self.table.horizontalHeader().sizeHint().height() + 2 * self.table.frameWidth()
        self.table.setFixedHeight(lines + min(len(entries), _ROWS) * self.table.verticalHeader().defaultSectionSize())
        for row, entry in enumerate(reversed(entries)):
            charge = entry.charge
            cells = (
                entry.when[:19].replace("T", " ") + " UTC",
                entry.what,
                rounded_up(charge.epsilon) if charge.epsilon else "–",
                rounded_up(charge.delta) if charge.epsilon else "–",
                claim_of(entry),
                _digits(entry),
            )
            for column, text in enumerate(cells):
                item = QTableWidgetItem(visible(text))
                if column == _SHA:
                    item.setToolTip("\n".join(f"{file.name}: {file.sha256}" for file in entry.files))
                if column in _AMOUNTS:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)
        said = self._sum(total([entry.released for entry in entries])) if entries else ""
        if any(entry.after_look for entry in entries):
            said = f"{said} {AFTER_LOOK}"
        self.set_description(said)

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


def _digits(entry: LedgerEntry) -> str:
    """By what the files of an entry are told apart; of many, the first two and how many more there are."""
    said = [file.sha256[:_DIGITS] for file in entry.files]
    return ", ".join([*said[:2], f"+{len(said) - 2}"] if len(said) > 2 else said)
