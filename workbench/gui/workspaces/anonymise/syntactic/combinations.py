"""The combinations of levels around the best one, as a list from which any can be taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QWidget,
)

from workbench.core.number_text import estimate
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import colour
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.records import RIGHT, RecordColumn, RecordsModel, records_view
from workbench.session.syntactic.neighbours import Node, NodeNeighbours

_MOST = 500


_FIXED: tuple[RecordColumn[Node], ...] = (
    RecordColumn(
        "Holds",
        lambda node: "yes" if node.feasible else "no",
        tip="Whether all models hold within the suppression limit",
    ),
    RecordColumn("Loss", lambda node: estimate(node.score), RIGHT, "What the metric says is lost"),
    RecordColumn(
        "Suppressed",
        lambda node: f"{node.suppressed:,}",
        RIGHT,
        "Rows that must be suppressed for the models to hold",
    ),
    RecordColumn("Classes", lambda node: f"{node.classes:,}", RIGHT, "Classes that are released"),
)


class CombinationsModel(RecordsModel[Node]):
    """One row per node: whether the models hold, its loss, what is suppressed, its classes, and its levels."""

    def set_nodes(self, nodes: tuple[Node, ...]) -> None:
        levels = (_level_of(column) for column in (nodes[0].levels if nodes else ()))
        self.show_records(nodes, (*_FIXED, *levels))

    def node(self, row: int) -> Node:
        return self.records[row]

    def look(self, row: int, column: int, role: int) -> object:
        node = self.records[row]
        if role == Qt.ItemDataRole.DecorationRole and not column:
            return icon("success", "success") if node.feasible else icon("close", "muted")
        return QBrush(colour("muted")) if role == Qt.ItemDataRole.ForegroundRole and not node.feasible else None


def _level_of(column: str) -> RecordColumn[Node]:
    return RecordColumn(column, lambda node: str(node.levels[column]), RIGHT, f"Level of {column}")


class CombinationsView(QWidget):
    """The list and a button that takes the chosen levels; a double click or Enter takes them too.

    Signals
    -------
    levels_chosen(object)
        The person wants these levels, by column.
    selected(object)
        The levels of every line the person selected, the first of them first.
    """

    levels_chosen = Signal(object)
    selected = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = CombinationsModel(parent=self)
        self.view = records_view("Combinations of levels", self.model)
        self.view.setAlternatingRowColors(True)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.view.activated.connect(self._take_activated)
        self.view.selectionModel().selectionChanged.connect(self._selection_changed)
        self._following = False
        self._words = label(muted=True, wrap=True)
        self.use = push_button("Use these levels", self._take, name="Use the levels of the chosen combination")
        set_explain(self, "anonymise.lattice")
        boxes.column(
            boxes.row((self._words, 1), self.use, spacing="s"),
            (self.view, 1),
            margins="0 s 0 0",
            spacing="s",
            inside=self,
        )
        self.show_nodes(None)

    def show_nodes(self, found: NodeNeighbours | None) -> None:
        """Show the best of the nodes, or say what belongs here."""
        shown = found.nodes[:_MOST] if found is not None else ()
        self.model.set_nodes(shown)
        if found is None:
            words = "After a search: combinations of levels, the best first. Any of them can be taken."
        elif found.complete and len(shown) == found.size:
            words = f"All {found.size:,} combinations, the best first."
        else:
            words = (
                f"The best {len(shown):,} of the {len(found.nodes):,} looked at around the best one; there are "
                f"{found.size:,}."
            )
        self._words.setText(words)
        self._fit()
        if shown:
            self.view.selectRow(0)
        self._show_button()

    def _fit(self) -> None:
        header, cells = self.view.horizontalHeader().fontMetrics(), self.view.fontMetrics()
        first = range(min(self.model.rowCount(), tokens.COLUMN_MIN))
        for column in range(self.model.columnCount()):
            title = self.model.headerData(column, Qt.Orientation.Horizontal)
            widest = header.horizontalAdvance(str(title)) * 1.1
            for row in first:
                text = self.model.data(self.model.index(row, column))
                widest = max(
                    widest, cells.horizontalAdvance(str(text)) + (0 if column else tokens.ICON + tokens.SPACE_M)
                )
            width = round(widest) + 2 * tokens.SPACE_M
            self.view.setColumnWidth(column, min(max(width, tokens.COLUMN_MIN), tokens.RAIL_WIDTH))

    def select(self, nodes: Sequence[Mapping[str, int]]) -> None:
        """Select the lines of these nodes, as far as they are listed, without telling anybody."""
        wanted = QItemSelection()
        for row in range(self.model.rowCount()):
            if dict(self.model.node(row).levels) in nodes:
                wanted.select(self.model.index(row, 0), self.model.index(row, self.model.columnCount() - 1))
        self._following = True
        try:
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.view.selectionModel().select(wanted, flags)
            if wanted.indexes():
                self.view.scrollTo(wanted.indexes()[0])
        finally:
            self._following = False

    def _chosen(self) -> Mapping[str, int] | None:
        rows = self.view.selectionModel().selectedRows()
        return self.model.node(rows[0].row()).levels if len(rows) == 1 else None

    def _selection_changed(self) -> None:
        self._show_button()
        if not self._following:
            rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
            self.selected.emit(tuple(self.model.node(row).levels for row in rows))

    def _show_button(self) -> None:
        self.use.setEnabled(self._chosen() is not None)

    def _take(self) -> None:
        levels = self._chosen()
        if levels is not None:
            self.levels_chosen.emit(levels)

    def _take_activated(self, index: QModelIndex) -> None:
        self.levels_chosen.emit(self.model.node(index.row()).levels)
