"""Before and after, row by row: the sampled rows as they were, and what became of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QBrush, QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QComboBox,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from workbench.core.schema import Role, Schema
from workbench.core.table import Table
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.inputs import ComboBox
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.table_view import CodesTableModel, DataTableView, Index
from workbench.session.side_by_side import ReleaseAlone, SampleComparison

_COMBO_LETTERS = 5
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_FONT = int(Qt.ItemDataRole.FontRole)
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)


class SampledRowsModel(CodesTableModel):
    """Rows of a table in an order of our own, those that were dropped in a subdued italic."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(None, parent)
        self._dropped: NDArray[np.bool_] | None = None
        self._italic = tabular_font()
        self._italic.setItalic(True)

    def set_dropped(self, dropped: NDArray[np.bool_] | None) -> None:
        """Which of the rows, in the order shown, were dropped."""
        self._dropped = dropped

    def data(self, index: Index, role: int = _DISPLAY) -> object:
        if role in (_FOREGROUND, _FONT) and self._dropped is not None and self._dropped[index.row()]:
            return QBrush(colour("muted")) if role == _FOREGROUND else QFont(self._italic)
        return super().data(index, role)


class BeforeAfterTables(QStackedWidget):
    """Two tables that scroll and select together; of data in an engine the release alone.

    Parameters
    ----------
    runner
        Brings the rows of a release that is in an engine.
    notes
        What the rows before and after are; by default sampled rows.
    alike
        What the first column after counts; by default sampled rows that are alike.
    """

    def __init__(
        self,
        runner: Runner,
        notes: tuple[str, str] | None = None,
        alike: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.released = DataTableView("The rows of the release", runner=runner)
        self.why_alone = label(wrap=True, muted=True)
        self._notes = notes or (
            "sampled rows as they were",
            "generalised; dropped rows in italics",
        )
        self._alike = alike or "Sampled rows that are alike in all columns that take part"
        self._shown: SampleComparison | None = None
        self._following = False
        self.order = ComboBox("Order of the rows")
        self.order.addItem("By group", "groups")
        self.order.addItem("As in the file", "file")
        self.order.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.order.setMinimumContentsLength(_COMBO_LETTERS)
        self.order.setMaximumWidth(tokens.RAIL_WIDTH)
        self.order.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.order.activated.connect(self._arrange)
        self.with_dropped = QCheckBox("Dropped rows")
        self.with_dropped.setAccessibleName(self.with_dropped.text())
        self.with_dropped.setChecked(True)
        self.with_dropped.setToolTip("Also show the rows whose group was too small to be released")
        self.with_dropped.toggled.connect(self._arrange)
        self.before = DataTableView(f"Before: {self._notes[0]}")
        self.after = DataTableView(f"After: the same rows {self._notes[1]}")
        for view in (self.before, self.after):
            view.setModel(SampledRowsModel(view))
            view.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
            # Both keep room for the lower bar, else the last rows would not stand side by side.
            view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
            view.setMinimumWidth(tokens.FIELD_WIDTH)
        self.after.verticalHeader().hide()
        self._join()
        self._lay_out()
        set_explain(self, "anonymise.result")

    def _lay_out(self) -> None:
        top = boxes.row((self.order, 2), self.with_dropped, 1, analyst_badge(), spacing="m")
        split = QSplitter(Qt.Orientation.Horizontal)
        split.setObjectName("anonymise-before-after")
        split.setChildrenCollapsible(False)
        for title, note, view in (
            ("Before", self._notes[0], self.before),
            ("After", self._notes[1], self.after),
        ):
            side = QWidget()
            column = boxes.column(spacing="xs", inside=side)
            heading = boxes.row(label(title, strong=True), spacing="s")
            words = ElidedLabel(note, muted=True)
            heading.addWidget(words, 1)
            column.addLayout(heading)
            column.addWidget(view, 1)
            split.addWidget(side)
        split.setSizes([1, 1])
        both = boxes.boxed(boxes.column(top, (split, 1), margins="0 s 0 0", spacing="s"))
        alone = QWidget()
        column = boxes.column(
            label("The release", strong=True),
            self.why_alone,
            (self.released, 1),
            margins="0 s 0 0",
            spacing="s",
            inside=alone,
        )
        self.addWidget(both)
        self.addWidget(alone)

    def _join(self) -> None:
        first, second = self.before.verticalScrollBar(), self.after.verticalScrollBar()
        first.valueChanged.connect(second.setValue)
        second.valueChanged.connect(first.setValue)
        self.before.selectionModel().selectionChanged.connect(self._before_selected)
        self.after.selectionModel().selectionChanged.connect(self._after_selected)

    def show_comparison(self, shown: SampleComparison | ReleaseAlone | None, schema: Schema) -> None:
        """Show the sampled rows of another run, or nothing."""
        empty = Table(())
        found = shown if isinstance(shown, SampleComparison) else None
        self._shown = found
        self._show_alone(shown if isinstance(shown, ReleaseAlone) else ReleaseAlone(empty, ""), schema)
        self.setCurrentIndex(1 if isinstance(shown, ReleaseAlone) else 0)
        numeric = {column.name for column in schema.columns if column.kind.numeric}
        roles: dict[str, Role] = {column.name: column.role for column in schema.columns}
        for view, table in (
            (self.before, found.before if found else empty),
            (self.after, found.after if found else empty),
        ):
            model = self._model(view)
            # Marks of the table before must never meet rows of this one.
            model.set_dropped(None)
            view.show_table(table)
            model.set_roles(roles)
            # Counts, like numbers, stand to the right.
            model.set_numeric(numeric if view is self.before else set(table.names[:1]))
        if found is not None:
            self._model(self.after).set_header_tips({found.after.names[0]: self._alike})
        self._arrange()

    def _show_alone(self, shown: ReleaseAlone, schema: Schema) -> None:
        model = self.released.show_table(shown.table)
        model.set_roles({column.name: column.role for column in schema.columns})
        model.set_numeric(column.name for column in schema.columns if column.kind.numeric)
        self.why_alone.setText(
            f"Before and after stand side by side only for data in memory: in {shown.engine} nobody keeps which row "
            "became which."
        )

    def _arrange(self) -> None:
        found = self._shown
        if found is None:
            return
        shown = found.arrangement(by_group=self.order.chosen == "groups", with_dropped=self.with_dropped.isChecked())
        for view, rows in ((self.before, shown.rows), (self.after, shown.order)):
            model = self._model(view)
            model.set_dropped(None)
            model.set_order(rows)
            model.set_dropped(shown.dropped)
            model.set_shaded(shown.shaded)
            view.fit_columns()

    @staticmethod
    def _model(view: DataTableView) -> SampledRowsModel:
        model = view.model()
        assert isinstance(model, SampledRowsModel)
        return model

    def _before_selected(self) -> None:
        self._select_same(self.before, self.after)

    def _after_selected(self) -> None:
        self._select_same(self.after, self.before)

    def _select_same(self, source: DataTableView, target: DataTableView) -> None:
        if self._following:
            return
        model = self._model(target)
        ranges = source.selectionModel().selection()
        wanted = QItemSelection()
        if model.columnCount():
            for part in (ranges.at(position) for position in range(ranges.count())):
                wanted.select(model.index(part.top(), 0), model.index(part.bottom(), model.columnCount() - 1))
        self._following = True
        try:
            target.selectionModel().select(wanted, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        finally:
            self._following = False
