"""The lines of a file that could not be read as they stand."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QTableView,
    QWidget,
)

from workbench.core.number_text import counted
from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.records import RIGHT, RecordColumn, RecordsModel, records_view
from workbench.io.reading import Reading, ReadingProblem

_COLUMNS: tuple[RecordColumn[ReadingProblem], ...] = (
    RecordColumn("Line", lambda problem: f"{problem.line:,}", RIGHT),
    RecordColumn("Row is", lambda problem: "kept" if problem.kept else "left out"),
    RecordColumn("Problem", lambda problem: problem.reason),
    RecordColumn("Text", lambda problem: problem.text),
)


class ProblemsModel(RecordsModel[ReadingProblem]):
    """Line, reason and text of each problem."""

    def look(self, row: int, column: int, role: int) -> object:
        return visible(self.columns[column].text(self.records[row])) if role == Qt.ItemDataRole.ToolTipRole else None


def problems_view(name: str) -> tuple[QTableView, ProblemsModel]:
    """A table of problems with fitting column widths, and its model."""
    model = ProblemsModel(_COLUMNS)
    view = records_view(name, model)
    model.setParent(view)
    view.horizontalHeader().setStretchLastSection(True)
    for column, width in enumerate((tokens.COLUMN_MIN, tokens.SPARK_WIDTH, tokens.EXPLAIN_WIDTH)):
        view.setColumnWidth(column, width)
    return view, model


class ProblemsDialog(QDialog):
    """The list of problems of a reading, with what became of the rows."""

    def __init__(self, reading: Reading, parent: QWidget | None = None, *, looked: bool = True) -> None:
        super().__init__(parent)
        self._reading, self._looked = reading, looked
        self.setWindowTitle(f"Problems in {reading.path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.preview")
        self.view, model = problems_view("Lines with problems")
        model.show_records(reading.problems)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy list", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        boxes.column(label(self._summary(), wrap=True), (self.view, 1), buttons, margins="l", spacing="m", inside=self)
        self.resize(3 * tokens.EXPLAIN_WIDTH, 3 * tokens.EXPLAIN_WIDTH // 2)

    def _summary(self) -> str:
        reading = self._reading
        words = f"{counted(reading.skipped, 'row')} could not be read and are not in the table"
        words += f"; {counted(reading.table.rows, 'row')} are." if self._looked else "."
        if len(reading.problems) < reading.problem_count:
            words += " " + f"The first {len(reading.problems):,} of {reading.problem_count:,} problems:"
        return words

    def _copy(self) -> None:
        lines = (f"{problem.line}\t{problem.reason}\t{problem.text}" for problem in self._reading.problems)
        QGuiApplication.clipboard().setText("\n".join(lines))
