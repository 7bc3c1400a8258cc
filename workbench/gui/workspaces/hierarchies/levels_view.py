"""A hierarchy level by level: its values with their labels, the rows of each group, and the tree."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QSplitter, QTabBar, QWidget

from workbench.core.column_facts import Coverage
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_words import level_words
from workbench.core.number_text import counted
from workbench.core.public_values import PublicView, ShownValues
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.theme import tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import NO_VALUE, label
from workbench.gui.widgets.level_tree import LevelTree
from workbench.gui.workspaces.hierarchies.group_bars import GroupBars
from workbench.gui.workspaces.hierarchies.hidden_levels import HiddenLevels
from workbench.gui.workspaces.hierarchies.level_path import LevelPath
from workbench.gui.workspaces.hierarchies.level_tabs import tab_tip, tab_words
from workbench.gui.workspaces.hierarchies.levels_work import branches, first_level, found_values, is_drawn
from workbench.gui.workspaces.hierarchies.value_finder import ValueFinder
from workbench.gui.workspaces.hierarchies.values_model import (
    ROWS_COLUMN,
    HierarchyValuesModel,
    show_level,
    values_table,
)

FILTER_JOB = "hierarchies.filter"
TREE_JOB = "hierarchies.tree"

VALUES, GROUPS, TREE = "values", "groups", "tree"

_INTERVALS = "intervals"
_MEASURED = 100
_WIDEST = tokens.COLUMN_MAX * 2 // 3
"""Of a column of labels: intervals of numbers with six digits are whole."""
_FRAMES = 3 * tokens.SPACE_XS
_GROUPS = tokens.EXPLAIN_WIDTH * 2 // 3
"""In so many pixels the groups can be read beside the values."""
_SIDE_BY_SIDE = 2 * tokens.EXPLAIN_WIDTH + tokens.SPACE_L


class HierarchyLevelsView(QWidget):
    """Shows a hierarchy. Where there is room, values and groups stand side by side; else one at a time.

    Parameters
    ----------
    key
        Told apart from other such views whose jobs may run at the same time.
    look
        Stands below the groups, and lets the counts be seen.
    """

    def __init__(self, runner: Runner, key: str, look: QWidget | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._counts, self._nothing = True, False
        self._gaps: tuple[frozenset[int], ...] = ()
        self._few = False  # all values that can occur are listed, so that narrow intervals may tell them all apart
        self._made_up = False
        self._in_use: int | None = None
        self._runner = runner
        self._key = key
        self._coverage: Coverage | None = None
        self._divided = False
        self._drawn: tuple[Hierarchy, Coverage | None] | None = None
        self.levels = QTabBar()
        self.values = HierarchyValuesModel(self)
        self.table = values_table(self.values)
        self.path = LevelPath(self.table, self.values)
        self.finder = ValueFinder()
        self.search = self.finder.search
        self.bars = GroupBars()
        self.tree = LevelTree()
        self.faces = QTabBar()
        self._which = ElidedLabel(strong=True)  # whoever takes made-up values for theirs thinks the file misread
        self.rest = HiddenLevels()
        self._groups = ElidedLabel(strong=True)
        self._sizes = ElidedLabel(muted=True, small=True)
        self._wide = False
        self._tab_words: list[tuple[str, ...]] = []
        set_explain(self, "hierarchies.levels")
        set_explain(self.tree, "hierarchies.tree")
        self._set_up()
        self._lay_out()
        self._connect()
        self._show_faces()

    @property
    def hierarchy(self) -> Hierarchy | None:
        return self.values.hierarchy

    # Building

    def _set_up(self) -> None:
        self.levels.setAccessibleName("Levels with their number of groups")
        self.levels.setToolTip("Groups per level")
        self.levels.setExpanding(False)
        self.levels.setDrawBase(False)
        self.levels.setUsesScrollButtons(True)
        self.levels.setFont(tabular_font())
        self.faces.setAccessibleName("Values, groups or tree")
        self.faces.setExpanding(False)
        self.faces.setDrawBase(False)

    def _lay_out(self) -> None:
        self._strip_words = label("Groups per level", small=True, muted=True)
        strip = boxes.row(self._strip_words, (self.levels, 1), spacing="s")
        choice = boxes.row((self.faces, 1), spacing="s")
        choice.addStrut(tokens.CONTROL_HEIGHT)
        self._top = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._top.setSpacing(tokens.SPACE_S)
        self._top.addLayout(strip, 1)
        self._top.addLayout(choice)
        self._left = QWidget()
        which = boxes.row((self._which, 1), self.rest, spacing="s")
        boxes.column(self.finder, which, (self.table, 1), spacing="s", inside=self._left)
        self._right = QWidget()
        groups = boxes.column(spacing="xs", inside=self._right)
        title = boxes.row(self._groups, (self._sizes, 1), spacing="s")
        title.addStrut(tokens.CONTROL_HEIGHT)
        groups.addLayout(title)
        groups.addWidget(self.bars, 1)
        if self._look is not None:
            groups.addWidget(self._look)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        # Without a name its sizes are not stored: it follows the window until the person moves it.
        self._split.splitterMoved.connect(self._divide)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self._left)
        self._split.addWidget(self._right)
        boxes.column(self.path, self._top, (self._split, 1), (self.tree, 1), spacing="s", inside=self)

    def _connect(self) -> None:
        self.levels.currentChanged.connect(self._choose_level)
        self.faces.currentChanged.connect(self._show_face)
        self.finder.asked.connect(self._filter)
        self.rest.pressed.connect(self._show_rest)
        self.table.clicked.connect(self._choose_column)
        self.table.horizontalHeader().sectionClicked.connect(self._sort)
        self.tree.level_shown.connect(self.levels.setCurrentIndex)

    # Showing

    def begin_at(self, level: int | None) -> None:
        """Show first the level that a release has, also of the next hierarchy; None if nobody chose any."""
        changed, self._in_use = level != self._in_use, level
        hierarchy = self.values.hierarchy
        if changed and hierarchy is not None:
            self.levels.setCurrentIndex(first_level(hierarchy, level, few=self._few))

    def show_hierarchy(self, hierarchy: Hierarchy, coverage: Coverage | None, *, keep: bool = False) -> None:
        """Show a hierarchy, with the counts if they were made.

        Parameters
        ----------
        keep
            Keep the chosen level, the filter and the place in the table, as for the next state of one draft.
        """
        self._show(hierarchy, coverage, keep=keep, counts=True)

    def show_public(self, found: PublicView | None, *, keep: bool = False) -> None:
        """Show a hierarchy over values that are public, and no counts; with None there is nothing that is."""
        if found is None:
            self._which.set_text("")
            self._nothing = True
            self.values.show(None, None)
            self.bars.show_groups((), None)
            self._groups.set_text("Made from the data")
            self._sizes.set_text("what it lists is shown after a look")
            self._show_faces()
            return
        self._gaps = found.gaps
        self._which.set_text(found.values.value)
        self._made_up = found.values is not ShownValues.LISTED
        self.path.set_aside = found.hierarchy.values[-1:] if found.values is ShownValues.SPELT else ()
        plain = found.hierarchy.specification
        self._few = not self._made_up and plain is not None and plain["builder"] == _INTERVALS
        self._show(found.hierarchy, None, keep=keep, counts=False)

    def _show(self, hierarchy: Hierarchy, coverage: Coverage | None, *, keep: bool, counts: bool) -> None:
        nothing, self._nothing = self._nothing, False
        if counts:
            self._gaps = self.path.set_aside = ()
            self._which.set_text("")
            self._made_up = self._few = False
        self._counts = counts
        self._which.setVisible(not counts)
        if nothing:
            self._show_faces()
        self._coverage = coverage
        shown = self.values.hierarchy
        if shown is None or shown.maps is not hierarchy.maps:
            self._start_over(hierarchy, coverage, keep=keep and shown is not None)
        self.values.show(self.values.hierarchy, coverage)
        self._fit_counts()
        self.table.setColumnHidden(ROWS_COLUMN, not counts)
        self._share_room()
        self._show_groups()
        self._draw_tree()

    def show_face(self, face: str) -> None:
        """Bring values, groups or the tree to the front."""
        for index in range(self.faces.count()):
            if self.faces.tabData(index) == face:
                self.faces.setCurrentIndex(index)

    def _start_over(self, hierarchy: Hierarchy, coverage: Coverage | None, *, keep: bool) -> None:
        level = self.levels.currentIndex() if keep else 1
        scrolled = self.table.verticalScrollBar().value() if keep else 0
        self.finder.stop()
        if not keep:
            self.finder.clear()
        self.values.show(hierarchy, coverage)
        self.table.horizontalHeader().setSortIndicatorShown(False)
        hidden = self.rest.of(hierarchy, few=self._few, anew=not keep)
        level = level if keep else first_level(hierarchy, self._in_use, few=self._few)
        for one in range(hierarchy.height + 1):
            self.table.setColumnHidden(one + 1 if one else 0, one in hidden)
        self.path.refresh()
        self._show_levels(hierarchy, level, hidden)
        self.values.set_level(self.levels.currentIndex())
        self._fit()
        self.table.verticalScrollBar().setValue(scrolled)
        if self.search.text():
            self._filter()
        self._say_found()

    def _show_rest(self) -> None:
        hierarchy = self.values.hierarchy
        if hierarchy is not None:
            self._start_over(hierarchy, self._coverage, keep=True)

    def _show_levels(self, hierarchy: Hierarchy, level: int, hidden: frozenset[int]) -> None:
        self.levels.blockSignals(True)
        self._strip_words.setText("Levels" if self._made_up else "Groups per level")
        groups = hierarchy.groups()
        while self.levels.count() > len(groups):
            self.levels.removeTab(self.levels.count() - 1)
        while self.levels.count() < len(groups):
            self.levels.addTab("")
        self._tab_words = []
        for number, count in enumerate(groups):
            named = level_words(hierarchy, number, example=False).removesuffix(" characters")
            self._tab_words.append(tab_words(number, named if self._made_up else f"{count:,}"))
            tip = tab_tip(number, named if self._made_up else counted(count, "group" if number else "value"))
            self.levels.setTabToolTip(number, tip)
            self.levels.setAccessibleTabName(number, tip)
            self.levels.setTabVisible(number, number not in hidden)
        self.levels.setCurrentIndex(min(max(level, 0), hierarchy.height))
        self.levels.blockSignals(False)
        self._place_strip()

    def _fit(self) -> None:
        self.ensurePolished()
        hierarchy, metrics = self.values.hierarchy, self.table.fontMetrics()
        if hierarchy is None:
            return
        for level, labels in enumerate(hierarchy.labels):
            column = level + 1 if level else 0
            longest = max(labels, key=len, default="")  # a number of which an end is missing reads like another one
            sample = [f"Level {level}", longest, *labels[:: max(1, len(labels) // _MEASURED)]]
            sample += [NO_VALUE] if "" in labels else []
            width = max(metrics.horizontalAdvance(text[:_MEASURED]) for text in sample) + 2 * tokens.SPACE_M
            self.table.setColumnWidth(column, min(max(width, tokens.COLUMN_MIN), _WIDEST))
        self._share_room()

    def _fit_counts(self) -> None:
        width = self.table.fontMetrics().horizontalAdvance(self.values.widest_count) + 2 * tokens.SPACE_M
        self.table.setColumnWidth(ROWS_COLUMN, max(width, tokens.COLUMN_MIN + tokens.SPACE_L))

    def _show_groups(self) -> None:
        hierarchy, level = self.values.hierarchy, max(self.levels.currentIndex(), 0)
        if hierarchy is None:
            return
        labels = hierarchy.labels[level]
        self._groups.set_text(f"Level {level}" if level else "Values")
        if self._coverage is None:
            after = self._gaps[level] if level < len(self._gaps) else ()
            self.bars.show_groups(labels, None, gaps_after=after)
            self._sizes.set_text("Counting…" if self._counts else "")
            return
        rows = self._coverage.rows_per_label(hierarchy, level)
        self.bars.show_groups(labels, rows)
        used = rows[rows > 0]
        if not used.size:
            text = "No row of the data"
        elif used.size == 1:
            text = f"1 group, {used[0]:,} rows"
        else:
            text = f"{used.size:,} groups, {used.min():,} to {used.max():,} rows"
        self._sizes.set_text(text)

    def _draw_tree(self) -> None:
        """Sort the groups for the tree, if it can be seen and is not that of this hierarchy yet."""
        hierarchy = self.values.hierarchy
        wanted = (hierarchy, self._coverage) if hierarchy is not None else None
        if wanted is None or not self.tree.isVisible() or is_drawn(self._drawn, wanted):
            return
        self._drawn = wanted
        self._runner.start(
            "Drawing the tree",
            partial(branches, *wanted),
            on_done=self.tree.show_branches,
            key=f"{TREE_JOB}.{self._key}",
            latest_wins=True,
        )

    def _say_found(self) -> None:
        hierarchy = self.values.hierarchy
        self.finder.say(self.values.rowCount(), 0 if hierarchy is None else len(hierarchy.values))

    # Acting

    def _choose_level(self, level: int) -> None:
        if level >= 0:
            self.values.set_level(level)
            show_level(self.table, level)
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

    def _filter(self) -> None:
        hierarchy, text = self.values.hierarchy, self.finder.text
        if hierarchy is None:
            return
        self._runner.start(
            "Filtering",
            partial(found_values, hierarchy, text),
            on_done=self._take_filtered,
            key=f"{FILTER_JOB}.{self._key}",
            latest_wins=True,
        )

    def _take_filtered(self, found: tuple[Hierarchy, NDArray[np.intp] | None]) -> None:
        hierarchy, values = found
        if hierarchy is self.values.hierarchy:
            self.values.set_filter(values)
            self._say_found()

    # Arranging

    def _show_faces(self) -> None:
        """The tabs that fit the width: groups have one of their own only where they do not stand beside the values."""
        chosen = self.faces.tabData(self.faces.currentIndex()) if self.faces.count() else None
        self.faces.blockSignals(True)
        while self.faces.count():
            self.faces.removeTab(0)
        names = {VALUES: "Values", GROUPS: "Groups", TREE: "Tree"}
        for face, name in names.items():
            if face != GROUPS or not self._wide:
                self.faces.setTabData(self.faces.addTab(name), face)
        self.faces.blockSignals(False)
        wanted = [self.faces.tabData(index) for index in range(self.faces.count())]
        self.faces.setCurrentIndex(wanted.index(chosen) if chosen in wanted else 0)
        self.faces.updateGeometry()  # Qt keeps the room of tabs that went
        self._place_strip()
        self._show_face()

    def _place_strip(self) -> None:
        """Levels and faces in one line where both are whole in it, else below each other; no level is out of sight."""
        words = [*zip(*self._tab_words, strict=True)]
        faces = self.faces.sizeHint().width() + 2 * tokens.SPACE_S
        # Beside the faces in shorter words rather than below them, but not as bare numbers.
        beside = self._wide and any(self._name_levels(names, self.width() - faces) for names in words[:2])
        if not beside:
            any(self._name_levels(names, self.width()) for names in words)
        whole = self.levels.sizeHint().width() + faces + self._strip_words.sizeHint().width() + tokens.SPACE_S
        direction = QBoxLayout.Direction
        self._strip_words.setVisible(self._wide and whole <= self.width())
        self._top.setDirection(direction.LeftToRight if beside else direction.TopToBottom)

    def _name_levels(self, names: Sequence[str], room: int) -> bool:
        """Call the levels so, and say whether there is room for it."""
        for place, name in enumerate(names):
            if self.levels.tabText(place) != name:
                self.levels.setTabText(place, name)
        return self.levels.sizeHint().width() <= room

    def _show_face(self, *_: int) -> None:
        face = self.faces.tabData(self.faces.currentIndex())
        for part in (self.levels, self.faces, self._strip_words):
            part.setEnabled(not self._nothing)
        self.levels.setVisible(not self._nothing)
        self.path.setVisible(not self._nothing)
        self._split.setVisible(face != TREE or self._nothing)
        self._left.setVisible((self._wide or face == VALUES) and not self._nothing)
        self._right.setVisible(self._wide or face == GROUPS or self._nothing)
        self.tree.setVisible(face == TREE and not self._nothing)
        self._draw_tree()

    def _divide(self, *_: int) -> None:
        self._divided = True

    def minimumSizeHint(self) -> QSize:
        # As narrow as with one face at a time, also while there is room for more: else it could never become so.
        return QSize(tokens.EXPLAIN_WIDTH, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= _SIDE_BY_SIDE
        if wide != self._wide:
            self._wide = wide
            self._show_faces()
        self._place_strip()
        self._share_room()

    def _share_room(self) -> None:
        """Give the values what they need for all their levels, as far as the groups can be read beside them."""
        if self._divided:
            return
        total = self._split.width()
        needed = self.table.horizontalHeader().length() + self.table.verticalScrollBar().sizeHint().width() + _FRAMES
        labels = max(map(self.table.columnWidth, range(ROWS_COLUMN + 1, self.values.columnCount())), default=0)
        groups = max(_GROUPS, labels + tokens.SPACE_L)  # where they are listed
        values = min(max(total * 9 // 16, needed), max(total - groups, total * 9 // 16))
        self._split.setSizes([values, total - values])

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw_tree()
