"""The first rows of a file with the kind of each column, which a person can say otherwise before it is opened."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QWidget

from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Table
from workbench.gui import tokens
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.table_view import CodesTableModel, DataTableView


class KindsTable(QWidget):
    """A table whose headings say what each column seems to be, and a field for the kind of the chosen one."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = DataTableView("First rows of the file")
        self._model = _PreviewModel(self.table)
        self.table.setModel(self._model)
        header = self.table.horizontalHeader()
        header.setFixedHeight(2 * tokens.ROW_HEIGHT)
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._choose_column)
        self.table.clicked.connect(self._choose_cell)
        self._column = 0
        self.specs: tuple[ColumnSpec, ...] = ()
        self._mended: tuple[ColumnSpec, ...] = ()
        self.kinds: dict[str, Kind] = {}
        self.kind_of = ElidedLabel()
        self.kind = ComboBox("Kind of the chosen column", [(kind.words, kind) for kind in Kind])
        self.kind.activated.connect(self._set_kind)
        set_explain(self.kind, "data.kind")
        row = boxes.row(label("Kind of"), self.kind_of, self.kind, 1, margins="0 s 0 0", spacing="s")
        boxes.column((self.table, 1), boxes.boxed(row), inside=self)
        self.show_table(Table(()))

    def show_table(self, table: Table) -> None:
        """Show the first rows."""
        self.table.show_table(table)

    def show_kinds(self, specs: tuple[ColumnSpec, ...]) -> None:
        """Show what the columns seem to be; what was said of those that are still there stays."""
        self.specs = self._mended = specs
        names = {spec.name for spec in specs}
        self.kinds = {name: kind for name, kind in self.kinds.items() if name in names}
        self._column = min(self._column, max(len(specs) - 1, 0))
        self._mark()

    def mark_kinds(self, mended: Sequence[ColumnSpec]) -> None:
        """Show the kinds that the columns have once they are mended as was said."""
        self._mended = tuple(mended)
        self._mark()

    def _mark(self) -> None:
        kinds = [self.kinds.get(spec.name, spec.kind) for spec in self._mended]
        self._model.kinds = [kind.words for kind in kinds]
        self._model.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, max(len(kinds) - 1, 0))
        metrics = self.table.horizontalHeader().fontMetrics()
        for column, words in enumerate(self._model.kinds):
            room = round(metrics.horizontalAdvance(words) * 1.15) + 2 * tokens.SPACE_M + tokens.ICON
            if self.table.columnWidth(column) < room:
                self.table.setColumnWidth(column, room)
        self._model.set_numeric(spec.name for spec, kind in zip(self.specs, kinds, strict=True) if kind.numeric)
        self.kind.setEnabled(bool(kinds))
        self.kind_of.set_text(f"“{self.specs[self._column].name}”" if kinds else "")
        if kinds:
            self.kind.choose(kinds[self._column])

    def _choose_cell(self, place: QModelIndex) -> None:
        self._choose_column(place.column())

    def _choose_column(self, column: int) -> None:
        if column < len(self.specs):
            self._column = column
            self.table.selectColumn(column)
            self._mark()

    def _set_kind(self, _index: int) -> None:
        if not self.specs:
            return  # it is being read again
        spec, kind = self.specs[self._column], self.kind.chosen
        self.kinds.pop(spec.name, None)
        if kind is not spec.kind:
            self.kinds[spec.name] = kind
        self._mark()


class _PreviewModel(CodesTableModel):
    """A table whose headings also say what each column seems to be."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent=parent)
        self.kinds: list[str] = []

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        found = super().headerData(section, orientation, role)
        across = orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        if across and found is not None and section < len(self.kinds):
            return f"{found}\n{self.kinds[section]}"
        return found
