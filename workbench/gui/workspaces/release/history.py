"""The releases of this data so far, and what they add up to."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from workbench.anonymise.composition import Released, Total, total
from workbench.core.figures import rounded_up
from workbench.gui.theme import tabular_font
from workbench.gui.widgets.section import Section
from workbench.project.model import ReleaseRecord

_ROWS = 4


class History(Section):
    """A table of release records; hidden while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self.set_title(self.tr("Released so far"))
        self.table = QTableWidget(0, 5)
        self.table.setHorizontalHeaderLabels(
            [self.tr("When"), self.tr("File"), self.tr("ε"), self.tr("δ"), self.tr("Claim")]
        )
        self.table.setAccessibleName(self.tr("Releases of this data"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setFont(tabular_font())
        self.table.verticalHeader().hide()
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        self.table.setMaximumHeight(self.table.verticalHeader().defaultSectionSize() * (_ROWS + 1))
        self.add(self.table)
        self.hide()

    def show_records(self, records: list[ReleaseRecord]) -> None:
        self.setVisible(bool(records))
        self.table.setRowCount(len(records))
        for row, record in enumerate(reversed(records)):
            cells = (
                record.when.replace("T", " ").removesuffix("+00:00") + " UTC",
                record.file,
                rounded_up(record.epsilon) if not record.models else "–",
                rounded_up(record.delta) if not record.models else "–",
                self.tr("holds") if record.claim else self.tr("none"),
            )
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                if column in (2, 3):
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)
        together = total([Released(r.epsilon, r.delta, r.rows_per_person, r.claim) for r in records])
        self.set_description(self._sum(together) if records else "")

    def _sum(self, together: Total | None) -> str:
        if together is None:
            return self.tr("One of them has no claim, so nothing can be promised for all of them together.")
        words = self.tr("Together ε {epsilon}, δ {delta}, by adding up.").format(
            epsilon=rounded_up(together.epsilon), delta=rounded_up(together.delta)
        )
        if together.rows_per_person > 1:
            words += " " + self.tr("For persons with up to {rows} rows.").format(rows=f"{together.rows_per_person:,}")
        return words
