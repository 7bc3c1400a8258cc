"""A tree of categories on the screen: moved by drag and drop, by cut and paste, or by keys."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, overload

from PySide6.QtCore import (
    QAbstractItemModel,
    QByteArray,
    QMimeData,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QBrush, QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from workbench.core.tree_edits import Path, Trees, children_of, is_group, label_of
from workbench.core.trees import Tree
from workbench.core.visible import visible
from workbench.gui.theme import colour, tabular_font

MIME = "application/x-workbench-tree"

_MOST_COUNTED = 2000
"""Groups whose values are counted while the tree is painted."""

_MOST_OPENED = 5000
"""Values whose groups are open when the tree is first shown: the view lays out every row that is not folded away."""

_flag = Qt.ItemFlag
_USUAL = _flag.ItemIsEnabled | _flag.ItemIsSelectable | _flag.ItemIsDragEnabled | _flag.ItemIsEditable
# Asked for of every value each time the tree changes, and slow to join.
_OF_A_GROUP, _OF_A_VALUE, _AT_THE_TOP = (
    _USUAL | _flag.ItemIsDropEnabled,
    _USUAL | _flag.ItemNeverHasChildren,
    _flag.ItemIsDropEnabled,
)

Index = QModelIndex | QPersistentModelIndex
_NO_PARENT = QModelIndex()


_NOTHING: list[Any] = []


class _Node:
    """One entry as the view sees it; made when it is first looked at."""

    __slots__ = ("above", "below", "entry", "row")

    def __init__(self, entry: Tree | None, above: _Node | None, row: int, trees: Sequence[Tree] = ()) -> None:
        self.entry = entry
        self.above = above
        self.row = row
        # Values are many, and nothing lies in them.
        self.below: list[_Node | None] = _NOTHING
        if not isinstance(entry, str):
            self.below = [None] * len(trees if entry is None else children_of(entry))

    def node(self, row: int, entries: Sequence[Tree]) -> _Node:
        found = self.below[row]
        if found is None:
            found = self.below[row] = _Node(entries[row], self, row)
        return found

    @property
    def path(self) -> Path:
        return () if self.above is None else (*self.above.path, self.row)


class CategoryModel(QAbstractItemModel):
    """The tree for Qt. It changes nothing itself: it says what the person asks for.

    Signals
    -------
    move_requested(object, object, int)
        Paths of entries, the path of the group that is to hold them, and the place there.
    rename_requested(object, str)
        The path of an entry and its new text.
    """

    move_requested = Signal(object, object, int)
    rename_requested = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._trees: Trees = []
        self._root = _Node(None, None, 0)
        self._marked: frozenset[str] = frozenset()
        self._sizes: dict[int, tuple[Tree, int]] = {}
        self._counted = 0

    @property
    def trees(self) -> Trees:
        return self._trees

    def show(self, trees: Trees) -> None:
        self.beginResetModel()
        self._trees = trees
        self._root = _Node(None, None, 0, trees)
        self._counted = 0
        self.endResetModel()

    def take_sizes(self, sizes: Mapping[int, tuple[Tree, int]]) -> None:
        """Take in how many values lie in each group, counted elsewhere; see `tree_edits.sizes_of`."""
        self._sizes = dict(sizes)
        self._counted = 0
        self.layoutChanged.emit()

    def mark(self, values: Iterable[str]) -> None:
        """Mark values as faulty, such as those that are listed twice."""
        marked = frozenset(values)
        if marked != self._marked:
            self._marked = marked
            self.layoutChanged.emit()

    def path(self, index: Index) -> Path:
        """The path of an entry; that of no entry is the top."""
        return self._node(index).path

    def index_at(self, path: Path) -> QModelIndex:
        """The index of a path, an invalid one if there is nothing."""
        found = QModelIndex()
        for row in path:
            if not 0 <= row < self.rowCount(found):
                return QModelIndex()
            found = self.index(row, 0, found)
        return found

    def index(self, row: int, column: int, parent: Index = _NO_PARENT) -> QModelIndex:
        # The view asks this of every row it lays out.
        above: _Node = parent.internalPointer() if parent.isValid() else self._root
        if column or not 0 <= row < len(above.below):
            return QModelIndex()
        return self.createIndex(row, column, above.below[row] or above.node(row, self._entries(above)))

    @overload
    def parent(self) -> QObject: ...

    @overload
    def parent(self, index: Index) -> QModelIndex: ...

    def parent(self, index: Index | None = None) -> QObject | QModelIndex | None:
        # Qt has one name for the entry above an entry and for the object that owns the model.
        if index is None:
            return super().parent()
        above = self._node(index).above
        if above is None or above is self._root:
            return QModelIndex()
        return self.createIndex(above.row, 0, above)

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return len(self._node(parent).below)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 1

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        entry = self._node(index).entry
        if entry is None:
            return None
        if role == Qt.ItemDataRole.EditRole:
            return label_of(entry)
        if role == Qt.ItemDataRole.DisplayRole:
            size = self._size(entry) if is_group(entry) else None
            label = visible(label_of(entry))
            return label if size is None else f"{label}   ({size:,})"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if not is_group(entry):
                return label_of(entry)
            size = self._size(entry)
            words = f"group {label_of(entry)}"
            return words if size is None else words + ", " + f"{size:,} values"
        if role == Qt.ItemDataRole.FontRole and is_group(entry):
            font = tabular_font()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        if role == Qt.ItemDataRole.ForegroundRole:
            if isinstance(entry, str) and entry in self._marked:
                return QBrush(colour("error"))
            if is_group(entry) and not children_of(entry):
                return QBrush(colour("muted"))
            if _is_mixed(entry):
                return QBrush(colour("warning"))
        if role == Qt.ItemDataRole.ToolTipRole:
            if isinstance(entry, str) and entry in self._marked:
                return "This value is listed more than once."
            if _is_mixed(entry):
                return "It holds values and groups side by side: look whether each group belongs into it."
            return "Empty: move values into it." if is_group(entry) and not children_of(entry) else None
        return None

    def setData(self, index: Index, value: object, role: int = int(Qt.ItemDataRole.EditRole)) -> bool:
        text = str(value).strip()
        entry = self._node(index).entry
        if role != Qt.ItemDataRole.EditRole or entry is None or not text or text == label_of(entry):
            return False
        self.rename_requested.emit(self.path(index), text)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        entry = self._node(index).entry
        if entry is None:
            return _AT_THE_TOP
        return _OF_A_VALUE if isinstance(entry, str) else _OF_A_GROUP

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        data.setData(MIME, QByteArray(json.dumps([id(self), [self.path(index) for index in indexes]]).encode()))
        return data

    def canDropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        paths = self._paths(data)
        target = self.path(parent)
        return bool(paths) and not any(target[: len(path)] == path for path in paths)

    def dropMimeData(self, data: QMimeData, action: Qt.DropAction, row: int, column: int, parent: Index) -> bool:
        if not self.canDropMimeData(data, action, row, column, parent):
            return False
        self.move_requested.emit(self._paths(data), self.path(parent), row if row >= 0 else self.rowCount(parent))
        return True

    def _paths(self, data: QMimeData) -> list[Path]:
        if not data.hasFormat(MIME):
            return []
        owner, paths = json.loads(bytes(data.data(MIME).data()))
        return [tuple(path) for path in paths] if owner == id(self) else []

    def _node(self, index: Index) -> _Node:
        if not index.isValid():
            return self._root
        node: _Node = index.internalPointer()
        return node

    def _entries(self, node: _Node) -> Sequence[Tree]:
        return self._trees if node.entry is None else children_of(node.entry)

    def _size(self, entry: Tree) -> int | None:
        """How many values lie in a group, None while counting them would take too long here."""
        if isinstance(entry, str):
            return 1
        known = self._sizes.get(id(entry))
        if known is not None and known[0] is entry:
            return known[1]
        self._counted += 1
        if self._counted > _MOST_COUNTED:
            return None
        size = 0
        for child in children_of(entry):
            more = self._size(child)
            if more is None:
                return None
            size += more
        self._sizes[id(entry)] = (entry, size)
        return size


class CategoryView(QTreeView):
    """The tree.

    Enter or F2 renames, Alt with an arrow moves: up and down among its neighbours, right into the group above, left
    out of its group. Ctrl+G groups, Ctrl+Shift+G dissolves a group, Ctrl+X and Ctrl+V move anywhere, Delete removes.

    Signals
    -------
    asked(str)
        One of "up", "down", "in", "out", "group", "dissolve", "cut", "paste", "remove", "add".
    """

    asked = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.categories = CategoryModel(self)
        self.setModel(self.categories)
        self.setAccessibleName(name)
        self.setFont(tabular_font())
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setAutoExpandDelay(600)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.EditKeyPressed | trigger.DoubleClicked)
        self.setExpandsOnDoubleClick(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    @property
    def selected_paths(self) -> list[Path]:
        """The paths of what is selected, in their order."""
        return sorted(self.categories.path(index) for index in self.selectedIndexes())

    def show_trees(self, trees: Trees) -> None:
        """Show another tree; groups of the same labels stay open, and the place on the screen stays."""
        if trees is self.categories.trees:
            return
        first = not self.categories.trees
        before = self.categories.trees
        opened = self._opened(before)
        selected, scrolled = self.selected_paths, self.verticalScrollBar().value()
        self.categories.show(trees)
        if first:
            if sum(len(children_of(tree)) for tree in trees) <= _MOST_OPENED:
                self.expandToDepth(0)
        else:
            self._open(trees, opened | _renamed(before, trees, opened))
        self.select_paths([path for path in selected if self.categories.index_at(path).isValid()], scroll=False)
        self.verticalScrollBar().setValue(scrolled)

    def select_paths(self, paths: Iterable[Path], *, scroll: bool = True) -> None:
        """Select entries, opening the groups they lie in."""
        model = self.selectionModel()
        flag = model.SelectionFlag
        model.clear()
        first = True
        for path in paths:
            index = self.categories.index_at(path)
            if not index.isValid():
                continue
            if first:
                model.setCurrentIndex(index, flag.ClearAndSelect)
                if scroll:
                    self.scrollTo(index)
                first = False
            else:
                model.select(index, flag.Select)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        asked = self._asked(event)
        if asked:
            self.asked.emit(asked)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            # The key that ends an edit arrives here as well.
            if self.currentIndex().isValid() and self.state() != QAbstractItemView.State.EditingState:
                self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _asked(self, event: QKeyEvent) -> str:
        key, modifiers = event.key(), event.modifiers()
        if modifiers & Qt.KeyboardModifier.AltModifier:
            steps = {Qt.Key.Key_Up: "up", Qt.Key.Key_Down: "down", Qt.Key.Key_Right: "in", Qt.Key.Key_Left: "out"}
            return steps.get(Qt.Key(key), "")
        if event.matches(QKeySequence.StandardKey.Cut):
            return "cut"
        if event.matches(QKeySequence.StandardKey.Paste):
            return "paste"
        if key == Qt.Key.Key_G and modifiers & Qt.KeyboardModifier.ControlModifier:
            return "dissolve" if modifiers & Qt.KeyboardModifier.ShiftModifier else "group"
        return {Qt.Key.Key_Delete: "remove", Qt.Key.Key_Insert: "add"}.get(Qt.Key(key), "")

    def _opened(
        self, trees: Sequence[Tree], parent: Index = _NO_PARENT, labels: tuple[str, ...] = ()
    ) -> set[tuple[str, ...]]:
        found: set[tuple[str, ...]] = set()
        for row, tree in enumerate(trees):
            # Only a group can be open, and values may be many.
            if not is_group(tree):
                continue
            index = self.categories.index(row, 0, parent)
            if self.isExpanded(index):
                place = (*labels, label_of(tree))
                found |= {place} | self._opened(children_of(tree), index, place)
        return found

    def _open(self, trees: Sequence[Tree], opened: set[tuple[str, ...]], parent: Index = _NO_PARENT) -> None:
        self._open_below(trees, opened, parent, ())

    def _open_below(
        self, trees: Sequence[Tree], opened: set[tuple[str, ...]], parent: Index, labels: tuple[str, ...]
    ) -> None:
        for row, tree in enumerate(trees):
            place = (*labels, label_of(tree))
            if is_group(tree) and place in opened:
                index = self.categories.index(row, 0, parent)
                self.setExpanded(index, True)
                self._open_below(children_of(tree), opened, index, place)


def _is_mixed(entry: Tree) -> bool:
    """Whether a group holds values as well as groups, which is rarely meant."""
    if not is_group(entry):
        return False
    below = children_of(entry)
    return any(map(is_group, below)) and not all(map(is_group, below))


def _renamed(before: Sequence[Tree], after: Sequence[Tree], opened: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    """The open groups under the labels they have now: one that was renamed stands where it stood, with what it held."""
    found: set[tuple[str, ...]] = set()
    for old, new in zip(before, after, strict=False):
        if not (is_group(old) and is_group(new)):
            continue
        place = (label_of(old),)
        if place not in opened:
            continue
        if label_of(old) != label_of(new) and list(children_of(old)) != list(children_of(new)):
            continue
        inner = {rest[1:] for rest in opened if rest[:1] == place and len(rest) > 1}
        kept = inner | _renamed(children_of(old), children_of(new), inner)
        found |= {(label_of(new),), *((label_of(new), *rest) for rest in kept)}
    return found
