"""The lines of a file that could not be read as they stand."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QTableView,
    QWidget,
)

from workbench.core.visible import visible
from workbench.gui import tokens
from workbench.gui.theme import tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.io.reading import Problem, Reading

_NO_PARENT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class ProblemsModel(QAbstractTableModel):
    """Line, reason and text of each problem."""

    def __init__(self, problems: tuple[Problem, ...] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._problems = problems

    def set_problems(self, problems: tuple[Problem, ...]) -> None:
        """Show other problems."""
        self.beginResetModel()
        self._problems = problems
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._problems)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _NO_PARENT) -> int:
        return 0 if parent.isValid() else 4

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        problem = self._problems[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            outcome = "kept" if problem.kept else "left out"
            return (f"{problem.line:,}", outcome, visible(problem.reason), visible(problem.text))[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 0:
            return _RIGHT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return ("Line", "Row is", "Problem", "Text")[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section == 0 else Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


def problems_view(name: str) -> tuple[QTableView, ProblemsModel]:
    """A table of problems with fitting column widths, and its model."""
    view = QTableView()
    model = ProblemsModel(parent=view)
    view.setModel(model)
    view.setAccessibleName(name)
    view.setFont(tabular_font())
    view.setShowGrid(False)
    view.setWordWrap(False)
    view.setTabKeyNavigation(False)
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.verticalHeader().hide()
    view.verticalHeader().setDefaultSectionSize(tokens.ROW_HEIGHT)
    view.horizontalHeader().setStretchLastSection(True)
    view.horizontalHeader().setHighlightSections(False)
    for column, width in enumerate((tokens.COLUMN_MIN, tokens.SPARK_WIDTH, tokens.EXPLAIN_WIDTH)):
        view.setColumnWidth(column, width)
    return view, model


class ProblemsDialog(QDialog):
    """The list of problems of a reading, with what became of the rows."""

    def __init__(self, reading: Reading, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reading = reading
        self.setWindowTitle(f"Problems in {reading.path.name}")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "data.preview")
        self.view, model = problems_view("Lines with problems")
        model.set_problems(reading.problems)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton("&Copy list", QDialogButtonBox.ButtonRole.ActionRole)
        copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        boxes.column(
            label(self._summary(), wrap=True),
            (self.view, 1),
            buttons,
            margins=tokens.SPACE_L,
            spacing=tokens.SPACE_M,
            inside=self,
        )
        self.resize(3 * tokens.EXPLAIN_WIDTH, 3 * tokens.EXPLAIN_WIDTH // 2)

    def _summary(self) -> str:
        reading = self._reading
        words = f"{reading.skipped:,} rows could not be read and are not in the table; {reading.table.rows:,} rows are."
        if len(reading.problems) < reading.problem_count:
            words += " " + f"The first {len(reading.problems):,} of {reading.problem_count:,} problems:"
        return words

    def _copy(self) -> None:
        lines = (f"{problem.line}\t{problem.reason}\t{problem.text}" for problem in self._reading.problems)
        QGuiApplication.clipboard().setText("\n".join(lines))
