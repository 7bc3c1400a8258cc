"""One hierarchy: where it comes from, its levels, its values, and the rows in each group."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QPushButton,
    QSplitter,
    QTabBar,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.core.facts import Coverage
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import Progress
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.runner import Runner
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets.badge import Badge, analyst_badge
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.status import Status
from workbench.gui.workspaces.hierarchies.attributes import provenance_word
from workbench.gui.workspaces.hierarchies.group_bars import GroupBars
from workbench.gui.workspaces.hierarchies.provenance import ProvenanceEditor
from workbench.gui.workspaces.hierarchies.uncovered import UncoveredBanner
from workbench.gui.workspaces.hierarchies.values_model import ROWS_COLUMN, ValuesModel, matching_values
from workbench.io.matching import HierarchyFile

FILTER_JOB = "hierarchies.filter"

_WAIT_MS = 150
_MEASURED = 100


class HierarchyPanel(QWidget):
    """Shows the hierarchy of one column and says what the person wants to do with it.

    Signals
    -------
    detach_requested(), cover_requested(), browse_requested()
        The buttons.
    file_chosen(object)
        The path of another file to take instead.
    provenance_corrected(object, str)
        Where it really comes from, and how it was made.
    """

    detach_requested = Signal()
    cover_requested = Signal()
    browse_requested = Signal()
    file_chosen = Signal(object)
    provenance_corrected = Signal(object, str)

    def __init__(self, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._column = ""
        self._coverage: Coverage | None = None
        self._hierarchy: Hierarchy | None = None
        self._divided = False
        self.name = ElidedLabel()
        set_look(self.name, heading=1)
        self.badge = Badge(Status.SUCCESS)
        self.correct = QPushButton(self.tr("Co&rrect…"))
        set_look(self.correct, quiet=True)
        self.correct.setAccessibleName(self.tr("Correct where the hierarchy comes from"))
        self.replace = QPushButton(self.tr("Re&place"))
        self.replace.setAccessibleName(self.tr("Replace the hierarchy"))
        self.files = QMenu(self.replace)
        self.replace.setMenu(self.files)
        self.detach = QPushButton(self.tr("&Detach"))
        self.detach.setAccessibleName(self.tr("Detach the hierarchy"))
        self.origin = label(muted=True, wrap=True, selectable=True)
        self.editor = ProvenanceEditor()
        self.editor.hide()
        self.banner = UncoveredBanner()
        self.levels = QTabBar()
        self.values = ValuesModel(self)
        self.table = QTableView()
        self.search = QLineEdit()
        self.bars = GroupBars()
        self._found = ElidedLabel()
        self._found.setProperty("muted", "true")
        self._found.setProperty("small", "true")
        self._groups = ElidedLabel()
        self._groups.setProperty("strong", "true")
        self._sizes = ElidedLabel()
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(_WAIT_MS)
        self._set_up()
        self._lay_out()
        self._connect()

    # Building

    def _set_up(self) -> None:
        for widget, key in (
            (self, "hierarchies.levels"),
            (self.correct, "hierarchies.provenance"),
            (self.replace, "hierarchies.attach"),
            (self.detach, "hierarchies.attach"),
        ):
            set_explain(widget, key)
        self.levels.setAccessibleName(self.tr("Levels with their number of groups"))
        self.levels.setExpanding(False)
        self.levels.setDrawBase(False)
        self.levels.setUsesScrollButtons(True)
        self.levels.setFont(tabular_font())
        self.search.setPlaceholderText(self.tr("Filter values or groups"))
        self.search.setAccessibleName(self.tr("Filter values or groups"))
        self.search.addAction(icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setClearButtonEnabled(True)
        view = self.table
        view.setModel(self.values)
        view.setAccessibleName(self.tr("Values of the hierarchy with their levels"))
        view.setFont(tabular_font())
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.verticalHeader().hide()
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(tokens.ROW_HEIGHT)
        view.horizontalHeader().setHighlightSections(False)
        view.horizontalHeader().setFixedHeight(tokens.CONTROL_HEIGHT)
        view.horizontalHeader().setSectionsClickable(True)
        self._sizes.setProperty("muted", "true")
        self._sizes.setProperty("small", "true")

    def _lay_out(self) -> None:
        heading = QHBoxLayout()
        heading.setSpacing(tokens.SPACE_S)
        heading.addWidget(self.name)
        heading.addWidget(self.badge)
        heading.addStretch(1)
        for button in (self.replace, self.detach):
            heading.addWidget(button)
        origin = QHBoxLayout()
        origin.setSpacing(tokens.SPACE_S)
        origin.addWidget(self.origin, 1)
        origin.addWidget(self.correct, 0, Qt.AlignmentFlag.AlignTop)
        strip = QHBoxLayout()
        strip.setSpacing(tokens.SPACE_S)
        strip.addWidget(label(self.tr("Groups per level"), small=True, muted=True))
        strip.addWidget(self.levels, 1)
        left = QWidget()
        values = QVBoxLayout(left)
        values.setContentsMargins(0, 0, tokens.SPACE_XS, 0)
        values.setSpacing(tokens.SPACE_S)
        finding = QHBoxLayout()
        finding.setSpacing(tokens.SPACE_S)
        finding.addWidget(self.search, 1)
        finding.addWidget(self._found)
        values.addLayout(finding)
        values.addWidget(self.table, 1)
        right = QWidget()
        groups = QVBoxLayout(right)
        groups.setContentsMargins(tokens.SPACE_XS, 0, 0, 0)
        groups.setSpacing(tokens.SPACE_XS)
        title = QHBoxLayout()
        title.setSpacing(tokens.SPACE_S)
        title.addWidget(self._groups, 1)
        title.addWidget(analyst_badge())
        title.addStrut(tokens.CONTROL_HEIGHT)
        groups.addLayout(title)
        groups.addWidget(self._sizes)
        groups.addWidget(self.bars, 1)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        # Without a name its sizes are not stored: it follows the window until the person moves it.
        self._split.splitterMoved.connect(self._divide)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(left)
        self._split.addWidget(right)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_S, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addLayout(heading)
        layout.addLayout(origin)
        layout.addWidget(self.editor)
        layout.addWidget(self.banner)
        layout.addLayout(strip)
        layout.addWidget(self._split, 1)

    def _connect(self) -> None:
        self.correct.clicked.connect(self._start_correcting)
        self.detach.clicked.connect(self.detach_requested)
        self.banner.cover.clicked.connect(self.cover_requested)
        self.editor.corrected.connect(self.provenance_corrected)
        self.editor.closed.connect(self._stop_correcting)
        self.levels.currentChanged.connect(self._choose_level)
        self.search.textChanged.connect(self._filter_soon)
        self._wait.timeout.connect(self._filter)
        self.table.clicked.connect(self._choose_column)
        self.table.horizontalHeader().sectionClicked.connect(self._sort)

    # Showing

    def show_hierarchy(
        self, column: str, hierarchy: Hierarchy, coverage: Coverage | None, files: tuple[HierarchyFile, ...]
    ) -> None:
        """Show the hierarchy of a column, with the counts if they were made, and what could replace it."""
        changed_column = column != self._column
        self._column = column
        self._coverage = coverage
        self._hierarchy = hierarchy
        self.name.set_text(column)
        public = hierarchy.provenance is Provenance.PUBLIC
        self.badge.set_status(Status.SUCCESS if public else Status.WARNING, provenance_word(hierarchy.provenance))
        self.origin.setText(hierarchy.origin or self.tr("How it was made is not known."))
        self._offer(files)
        if coverage is not None:
            self.banner.show_values(coverage.uncovered, coverage.uncovered_rows)
        shown = self.values.hierarchy
        if changed_column or shown is None or shown.maps is not hierarchy.maps:
            self._start_over(hierarchy, coverage)
        self.values.show(self.values.hierarchy, coverage)
        self._show_groups()

    def _start_over(self, hierarchy: Hierarchy, coverage: Coverage | None) -> None:
        self._stop_correcting()
        if coverage is None:
            self.banner.hide()
        self._wait.stop()
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)
        self.values.show(hierarchy, coverage)
        self.table.horizontalHeader().setSortIndicatorShown(False)
        self.levels.blockSignals(True)
        while self.levels.count():
            self.levels.removeTab(0)
        for level, groups in enumerate(hierarchy.groups()):
            self.levels.addTab(f"{groups:,}" if not level else f"→ {groups:,}")
            tip = self.tr("Level {level}: {groups} groups").format(level=level, groups=f"{groups:,}")
            self.levels.setTabToolTip(level, tip)
            self.levels.setAccessibleTabName(level, tip)
        self.levels.setCurrentIndex(min(1, hierarchy.height))
        self.levels.blockSignals(False)
        self.values.set_level(self.levels.currentIndex())
        self._fit()
        self._say_found()

    def _offer(self, files: tuple[HierarchyFile, ...]) -> None:
        self.files.clear()
        for file in files:
            action = self.files.addAction(file.path.name.replace("&", "&&"))
            action.triggered.connect(partial(self._take, file.path))
        if files:
            self.files.addSeparator()
        self.files.addAction(self.tr("Choose a CSV…"), self.browse_requested.emit)

    def _take(self, path: Path) -> None:
        self.file_chosen.emit(path)

    def _fit(self) -> None:
        self.ensurePolished()
        hierarchy, metrics = self.values.hierarchy, self.table.fontMetrics()
        if hierarchy is None:
            return
        for level, labels in enumerate(hierarchy.labels):
            column = level + 1 if level else 0
            sample = [self.tr("Level {n}").format(n=level), *labels[:: max(1, len(labels) // _MEASURED)]]
            width = max(metrics.horizontalAdvance(text[:_MEASURED]) for text in sample) + 2 * tokens.SPACE_M
            self.table.setColumnWidth(column, min(max(width, tokens.COLUMN_MIN), tokens.COLUMN_MAX // 2))
        self.table.setColumnWidth(ROWS_COLUMN, tokens.COLUMN_MIN + tokens.SPACE_L)

    def _show_groups(self) -> None:
        hierarchy, level = self.values.hierarchy, max(self.levels.currentIndex(), 0)
        if hierarchy is None:
            return
        labels = hierarchy.labels[level]
        self._groups.set_text(self.tr("Level {level}").format(level=level))
        if self._coverage is None:
            self.bars.show_groups(labels, None)
            self._sizes.set_text(self.tr("Counting…"))
            return
        rows = self._coverage.rows_per_label(hierarchy, level)
        self.bars.show_groups(labels, rows)
        used = rows[rows > 0]
        if not used.size:
            text = self.tr("No row of the data")
        elif used.size == 1:
            text = self.tr("1 group, {rows} rows").format(rows=f"{used[0]:,}")
        else:
            text = self.tr("{used} groups, {least} to {most} rows").format(
                used=f"{used.size:,}", least=f"{used.min():,}", most=f"{used.max():,}"
            )
        self._sizes.set_text(text)

    def _say_found(self) -> None:
        hierarchy = self.values.hierarchy
        total = len(hierarchy.values) if hierarchy is not None else 0
        shown = self.values.rowCount()
        if shown == total:
            self._found.set_text(self.tr("{total} values").format(total=f"{total:,}"))
        else:
            self._found.set_text(self.tr("{shown} of {total}").format(shown=f"{shown:,}", total=f"{total:,}"))

    # Acting

    def _choose_level(self, level: int) -> None:
        if level >= 0:
            self.values.set_level(level)
            self._show_groups()

    def _choose_column(self, index: QModelIndex) -> None:
        self.levels.setCurrentIndex(self.values.level_of(index.column()))

    def _sort(self, column: int) -> None:
        header = self.table.horizontalHeader()
        if column != ROWS_COLUMN:
            header.setSortIndicatorShown(False)
            self.values.sort_by_rows(None)
            self.levels.setCurrentIndex(self.values.level_of(column))
            return
        falling = Qt.SortOrder.DescendingOrder
        again = header.isSortIndicatorShown() and header.sortIndicatorOrder() == falling
        order = Qt.SortOrder.AscendingOrder if again else falling
        header.setSortIndicatorShown(True)
        header.setSortIndicator(column, order)
        self.values.sort_by_rows(order)

    def _filter_soon(self, _text: str) -> None:
        self._wait.start()

    def _filter(self) -> None:
        hierarchy, text = self.values.hierarchy, self.search.text().strip()
        if hierarchy is None:
            return
        self._runner.start(
            self.tr("Filtering"),
            partial(_find, hierarchy, text),
            on_done=self._take_filtered,
            key=FILTER_JOB,
            latest_wins=True,
        )

    def _take_filtered(self, found: tuple[Hierarchy, NDArray[np.intp] | None]) -> None:
        hierarchy, values = found
        if hierarchy is self.values.hierarchy:
            self.values.set_filter(values)
            self._say_found()

    def _start_correcting(self) -> None:
        if self.editor.isVisible():
            self._stop_correcting()
        elif self._hierarchy is not None:
            self.editor.show()
            self.editor.start(self._hierarchy)

    def _stop_correcting(self) -> None:
        self.editor.hide()

    def _divide(self, *_: int) -> None:
        self._divided = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._divided:
            values = self._split.width() * 5 // 8
            self._split.setSizes([values, self._split.width() - values])


def _find(hierarchy: Hierarchy, text: str, progress: Progress) -> tuple[Hierarchy, NDArray[np.intp] | None]:
    return hierarchy, matching_values(hierarchy, text, progress) if text else None
