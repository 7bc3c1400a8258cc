"""The editor of categories: a tree of values in groups, changed by drag and drop or by keys."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtWidgets import QAbstractItemView, QApplication, QGridLayout, QLineEdit, QWidget

from workbench.core import tree_edits
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy_preview import ColumnMaterial, HierarchyPreview
from workbench.core.specification_edits import Specification
from workbench.core.tree_edits import Path, Trees
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.section import Section
from workbench.gui.workspaces.hierarchies.category_tree import CategoryView
from workbench.gui.workspaces.hierarchies.forms.base import BuilderForm
from workbench.gui.workspaces.hierarchies.forms.buttons import quiet, tool
from workbench.gui.workspaces.hierarchies.forms.typed_values import TypedValues

_MOST_TARGETS = 500


class CategoriesForm(BuilderForm):
    """Values in named groups, and groups in larger ones."""

    first = ("declared",)

    def __init__(self, builder: str, parent: QWidget | None = None) -> None:
        super().__init__(builder, parent)
        self._cut: list[Path] = []
        self._cut_from: Trees | None = None
        self._labels: set[str] = set()
        self._fresh: tuple[Path, QElapsedTimer] | None = None
        self.tree = CategoryView("Groups and the values in them")
        self.tree.setMinimumHeight(12 * tokens.ROW_HEIGHT)
        set_explain(self.tree, "hierarchies.categories")
        self.tree.asked.connect(self.do)
        # Queued, because the view is not done with its drag or its editor when the model is asked.
        later = Qt.ConnectionType.QueuedConnection
        self.tree.categories.move_requested.connect(self._move, later)
        self.tree.categories.rename_requested.connect(self._rename, later)
        self.tree.selectionModel().selectionChanged.connect(self._show_buttons)
        self.tree.categories.modelReset.connect(self._show_buttons)
        self.up = tool("chevron-up", "Move up", "Alt+↑", partial(self.do, "up"))
        self.down = tool("chevron-down", "Move down", "Alt+↓", partial(self.do, "down"))
        self.out = tool("chevron-left", "Move out of its group", "Alt+←", partial(self.do, "out"))
        self.into = tool("chevron-right", "Move into the group above", "Alt+→", partial(self.do, "in"))
        self.group = push_button("Group", self._group_clicked, tip="Put what is selected into a new group (Ctrl+G)")
        self.dissolve = push_button(
            "Dissolve", partial(self.do, "dissolve"), tip="Take the group away and keep what is in it (Ctrl+Shift+G)"
        )
        for button in (self.group, self.dissolve):
            button.setAccessibleName(button.text())
        self.remove = tool("remove", "Remove", "Del", partial(self.do, "remove"))
        self.target = ElidingComboBox("Group to move to")
        self.move_there = quiet("Move", self._move_to_target)
        self.move_there.setAccessibleName("Move what is selected to that group")
        self.new_value = QLineEdit()
        self.new_value.setPlaceholderText("Another value")
        self.new_value.setAccessibleName("A value to add to the selected group")
        self.new_value.returnPressed.connect(self._add_value)
        self.add_value = quiet("Add", self._add_value)
        self.add_value.setAccessibleName("Add the value to the selected group")
        self.typed = TypedValues()
        self.typed.listed.connect(self._take_values)
        self._lay_out()

    def _lay_out(self) -> None:
        section = Section(
            "Groups",
            "Drag values into groups. F2 renames. Groups within groups make one more level.",
        )
        sorting = boxes.column(self.tree, spacing="s")
        buttons = boxes.row(
            self.up, self.down, self.out, self.into, self.group, self.dissolve, 1, self.remove, spacing="xs"
        )
        sorting.addLayout(buttons)
        rows = QGridLayout()
        rows.setHorizontalSpacing(tokens.SPACE_S)
        rows.setVerticalSpacing(tokens.SPACE_S)
        rows.setColumnStretch(1, 1)
        rows.addWidget(label("Move to"), 0, 0)
        rows.addWidget(self.target, 0, 1)
        rows.addWidget(self.move_there, 0, 2)
        rows.addWidget(label("Add value"), 1, 0)
        rows.addWidget(self.new_value, 1, 1)
        rows.addWidget(self.add_value, 1, 2)
        sorting.addLayout(rows)
        self._sorting = boxes.boxed(sorting)
        section.add(self.typed)
        section.add(self._sorting)
        self.add(section)

    # Showing

    def show_specification(self, specification: Specification, source: ColumnMaterial) -> None:
        super().show_specification(specification, source)
        trees = specification["details"].get("tree", [])
        self.tree.show_trees(trees if isinstance(trees, list) else [trees])
        # Nothing could be dragged in an empty tree.
        self.typed.setVisible(not trees)
        self._sorting.setVisible(bool(trees))
        self._fill_targets()
        self._show_buttons()

    def show_preview(self, preview: HierarchyPreview) -> None:
        self.tree.categories.mark(preview.repeated)
        self.tree.categories.take_sizes(preview.sizes)
        self._labels = {tree_edits.label_of(entry) for entry, _ in preview.sizes.values()}

    def show_error(self, error: WorkbenchError | None) -> None:
        super().show_error(error)
        set_look(self.tree, invalid=error is not None and error.field in ("tree", "values"))

    @property
    def _trees(self) -> Trees:
        return self.tree.categories.trees

    def _fill_targets(self) -> None:
        chosen = self.target.chosen
        self.target.clear()
        self.target.addItem("the top, no group", ())
        for number, (path, name) in enumerate(tree_edits.group_paths(self._trees)):
            if number >= _MOST_TARGETS:
                break
            self.target.addItem("    " * (len(path) - 1) + name, path)
        self.target.choose(chosen)

    def _show_buttons(self, *_: object) -> None:
        paths = self.tree.selected_paths
        one = paths[0] if len(paths) == 1 else None
        for button in (self.up, self.down, self.remove, self.move_there):
            button.setEnabled(bool(paths))
        self.out.setEnabled(any(len(path) > 1 for path in paths))
        self.into.setEnabled(self._group_above(paths) is not None)
        self.dissolve.setEnabled(one is not None and tree_edits.is_group(tree_edits.entry_at(self._trees, one)))

    # Changing

    def do(self, what: str, *_: object) -> None:
        """Do what a button or a key asks for to what is selected."""
        paths = self.tree.selected_paths
        if what in ("group", "add"):
            self._group(paths if what == "group" else [])
        elif what == "paste":
            self._paste()
        elif paths:
            if what in ("up", "down"):
                self._step(paths, down=what == "down")
            elif what == "in":
                above = self._group_above(paths)
                if above is not None:
                    count = len(tree_edits.entries_at(self._trees, above))
                    self._move(paths, above, count)
            elif what == "out" and len(paths[0]) > 1:
                self._move(paths, paths[0][:-2], paths[0][-2] + 1)
            elif what == "dissolve":
                self._dissolve(paths)
            elif what == "cut":
                self._cut, self._cut_from = paths, self._trees
            elif what == "remove":
                self._change(tree_edits.removed(self._trees, paths), "Remove from the tree", [paths[0]])

    def _step(self, paths: Sequence[Path], *, down: bool) -> None:
        above = paths[0][:-1]
        if any(path[:-1] != above for path in paths):
            return
        count = len(tree_edits.entries_at(self._trees, above))
        place = paths[-1][-1] + 2 if down else paths[0][-1] - 1
        if 0 <= place <= count:
            self._move(paths, above, place)

    def _group_above(self, paths: Sequence[Path]) -> Path | None:
        """The group that stands right above what is selected."""
        if not paths:
            return None
        before = (*paths[0][:-1], paths[0][-1] - 1)
        if before[-1] < 0 or not tree_edits.is_group(tree_edits.entry_at(self._trees, before)):
            return None
        return before

    def _group(self, paths: Sequence[Path]) -> None:
        name = tree_edits.fresh_label(self._labels, "New group")
        self._labels.add(name)
        trees, place = tree_edits.grouped(self._trees, paths, name)
        self._change(trees, "Group values" if paths else "Add a group", [place])
        since = QElapsedTimer()
        since.start()
        self._fresh = place, since
        index = self.tree.categories.index_at(place)
        self.tree.setExpanded(index, True)
        self.tree.setFocus()
        self.tree.edit(index)

    def _group_clicked(self) -> None:
        """Group; the second click of a double click would put the new group into another one, so it goes on naming."""
        if self._fresh is not None:
            place, since = self._fresh
            if self.tree.selected_paths == [place] and not since.hasExpired(QApplication.doubleClickInterval()):
                if self.tree.state() != QAbstractItemView.State.EditingState:
                    self.tree.setFocus()
                    self.tree.edit(self.tree.categories.index_at(place))
                return
        self.do("group")

    def _dissolve(self, paths: Sequence[Path]) -> None:
        if len(paths) == 1 and tree_edits.is_group(tree_edits.entry_at(self._trees, paths[0])):
            self._change(tree_edits.dissolved(self._trees, paths[0]), "Dissolve a group", [paths[0]])

    def _paste(self) -> None:
        """Move what was cut into the group that is selected, or beside the value that is."""
        if self._cut_from is not self._trees or not self._cut:
            return
        target, place = self._here()
        self._move(self._cut, target, place)
        self._cut = []

    def _move_to_target(self) -> None:
        target, paths = self.target.chosen, self.tree.selected_paths
        if isinstance(target, (tuple, list)) and paths:
            path = tuple(target)
            self._move(paths, path, len(tree_edits.entries_at(self._trees, path)))

    def _move(self, paths: Sequence[Path], target: Path, position: int) -> None:
        trees, places = tree_edits.moved(self._trees, paths, tuple(target), position)
        if trees != self._trees:
            self._change(trees, "Move values", places)

    def _rename(self, path: Path, text: str) -> None:
        if tree_edits.is_group(tree_edits.entry_at(self._trees, path)):
            words = "Rename a group to “{label}”"
        else:
            words = "Rename a value to “{label}”"
        self._change(tree_edits.renamed(self._trees, path, text), words.format(label=text), [path])

    def _add_value(self) -> None:
        value = self.new_value.text()
        if not value or value in set(tree_edits.values_in(self._trees)):
            return
        self.new_value.clear()
        target, _ = self._here()
        place = (*target, len(tree_edits.entries_at(self._trees, target)))
        words = f"Add “{value}” to the tree"
        self._change(tree_edits.added(self._trees, target, [value]), words, [place])

    def _take_values(self, values: Sequence[str]) -> None:
        self._change(tree_edits.added((), (), values), "List the values of the tree", [])
        self.tree.setFocus()

    def _here(self) -> tuple[Path, int]:
        """The group that is selected and its end, or the group of the selected value and the place behind it."""
        paths = self.tree.selected_paths
        if not paths:
            return (), len(self._trees)
        entry = tree_edits.entry_at(self._trees, paths[0])
        if tree_edits.is_group(entry):
            return paths[0], len(tree_edits.children_of(entry))
        return paths[0][:-1], paths[0][-1] + 1

    def _change(self, trees: Trees, text: str, selected: Sequence[Path]) -> None:
        self.change_details(text, tree=trees)
        # The draft shows the tree again at once; the selection follows what was moved.
        self.tree.show_trees(trees)
        self.tree.select_paths(selected)
