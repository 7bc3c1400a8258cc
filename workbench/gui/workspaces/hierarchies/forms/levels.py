"""The levels of a builder that joins neighbours: how many, and what each group is called."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.level_functions import FIELDS, NUMERIC, TITLES, LevelFunction
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.kept_typing import keep_typing
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.remove_button import RemoveButton

Entry = Mapping[str, Any]

_SIZES = re.compile(r"[0-9]+(?:\s*[,;]?\s*[0-9]+)*")
_OF_DATA = NUMERIC | {LevelFunction.SET, LevelFunction.PREFIX, LevelFunction.PATTERN}
"""Functions that often are wanted of the values and not of the interval."""

_MOST_NAMED = 1000


def function_word(function: LevelFunction) -> str:
    """Name of a level function in a narrow list."""
    words = {
        LevelFunction.INTERVAL: "Interval [0, 10[",
        LevelFunction.BOUNDS: "Bounds 0-9",
        LevelFunction.SET: "Set {a, b}",
        LevelFunction.PREFIX: "Beginning 21*",
        LevelFunction.CONSTANT: "One text",
        LevelFunction.PATTERN: "Text with fields",
        LevelFunction.MEAN: "Arithmetic mean",
        LevelFunction.GEOMETRIC_MEAN: "Geometric mean",
        LevelFunction.MEDIAN: "Median",
        LevelFunction.MINIMUM: "Smallest",
        LevelFunction.MAXIMUM: "Largest",
        LevelFunction.MIDPOINT: "Middle",
    }
    return words[function]


def sizes_text(sizes: int | str | Sequence[int]) -> str:
    """`2`, or `3, 2, 4` for groups of different sizes; what says no size stays as it was typed."""
    return str(sizes) if isinstance(sizes, int | str) else ", ".join(map(str, sizes))


def read_sizes(text: str) -> int | list[int] | None:
    """The sizes a text says, None if it says none: every one is a whole number above 0."""
    if not _SIZES.fullmatch(text.strip()):
        return None
    sizes = [int(found) for found in re.findall("[0-9]+", text)]
    if not all(sizes):
        return None
    return sizes[0] if len(sizes) == 1 else sizes


class LevelRow(QWidget):
    """One level.

    Signals
    -------
    changed(object)
        The entry as the person wants it.
    removed()
        The level is to go.
    """

    changed = Signal(object)
    removed = Signal()

    def __init__(self, *, of_intervals: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of_intervals = of_intervals
        self._entry: dict[str, Any] = {}
        self._number = label(muted=True)
        self._number.setFont(tabular_font())
        self._number.setMinimumWidth(tokens.SPACE_L)
        self.joins = QLineEdit()
        self.joins.setFont(tabular_font())
        self.joins.setFixedWidth(tokens.COLUMN_MIN)
        self.function = ElidingComboBox("")
        for function in LevelFunction:
            self.function.addItem(function_word(function), function.value)
            self.function.setItemData(self.function.count() - 1, TITLES[function], Qt.ItemDataRole.ToolTipRole)
        self.names = QToolButton()
        self.names.setIcon(icon("more", "muted"))
        self.remove = RemoveButton(picture="close")
        self.text = QLineEdit()
        self.problem = label(small=True, wrap=True, tone="error")
        self.problem.hide()
        self.menu = QMenu(self)
        self._name = self.menu.addAction("Own &labels…", self._ask_names)
        self.decimals = self.menu.addMenu("&Decimals")
        self._counts = QActionGroup(self)
        for count in (None, *range(7)):
            words = "as many as needed" if count is None else str(count)
            action = self.decimals.addAction(words, partial(self._change_decimals, count))
            action.setCheckable(True)
            action.setData(count)
            self._counts.addAction(action)
        self.of = ElidingComboBox(
            "What the label is made of",
            [("of the interval", "interval"), ("of the data (derived)", "data")],
        )
        set_explain(self, "hierarchies.functions")
        self._lay_out()
        self.joins.textEdited.connect(self._change_size)
        self.function.activated.connect(self._change_function)
        self.text.textEdited.connect(self._change_text)
        self.of.activated.connect(self._change_of)
        self.names.clicked.connect(self._show_menu)
        self.remove.clicked.connect(self.removed)

    def _lay_out(self) -> None:
        first = boxes.row(self._number, self.joins, (self.function, 1), self.names, self.remove, spacing="xs")
        self._second = boxes.boxed(
            boxes.row((self.text, 1), (self.of, 1), margins=(tokens.SPACE_L + tokens.SPACE_XS, 0, 0, 0), spacing="xs")
        )
        boxes.column(first, self.problem, self._second, spacing="xs", inside=self)

    def show_entry(self, number: int, entry: Entry, *, removable: bool, example: tuple[str, str] | None = None) -> None:
        """Show what level `number` says; `example` is its first group, by its numbers and as an interval."""
        self._name_functions(*(example or ("0-9", "[0, 10[")))
        self._entry = dict(entry)
        base = self._of_intervals and number == 1
        self._number.setText(str(number))
        sizes = entry.get("group", 1 if base else 2)
        typed = self.joins.text()
        if typed != sizes and (read_sizes(typed) != sizes or not typed):
            self.joins.setText(sizes_text(sizes))
        self._judge(sizes)
        self.joins.setEnabled(not base)
        self.joins.setAccessibleName(f"Level {number}: how many are joined")
        self.joins.setToolTip(
            "Level 1 is the base intervals themselves."
            if base
            else "How many neighbours each group joins: 2, or 3, 2, 4 for groups of different sizes."
        )
        function = LevelFunction(entry.get("function", LevelFunction.INTERVAL.value))
        self.function.choose(function.value)
        self.function.setAccessibleName(f"Level {number}: what a group is called")
        self.function.setToolTip(TITLES[function])
        own = bool(entry.get("labels"))
        self.names.setIcon(icon("more", "accent" if own else "muted"))
        self.names.setAccessibleName(f"Level {number}: own labels and decimals")
        self.names.setToolTip("Own labels (some are given), decimals" if own else "Own labels, decimals")
        self.remove.setEnabled(removable)
        self.remove.set_name(f"Remove level {number}")
        self._show_second(number, function, entry)

    def _name_functions(self, bounds: str, interval: str) -> None:
        for function, words in (
            (LevelFunction.BOUNDS, f"Bounds {bounds}"),
            (LevelFunction.INTERVAL, f"Interval {interval}"),
        ):
            self.function.setItemText(self.function.findData(function.value), words)

    def _show_second(self, number: int, function: LevelFunction, entry: Entry) -> None:
        has_text = function in (LevelFunction.CONSTANT, LevelFunction.PATTERN)
        has_decimals = function in NUMERIC or function is LevelFunction.PATTERN
        has_of = self._of_intervals and (function in _OF_DATA or entry.get("of") == "data")
        self.text.setVisible(has_text)
        self.text.setAccessibleName(f"Level {number}: the text")
        pattern = function is LevelFunction.PATTERN
        self.text.setPlaceholderText("{low} to {high}" if pattern else "such as: adult")
        fields = ", ".join("{" + name + "}" for name in FIELDS)
        self.text.setToolTip(f"Fields: {fields}" if pattern else "")
        if self.text.text() != entry.get("text", ""):
            self.text.setText(entry.get("text", ""))
        self.decimals.menuAction().setVisible(has_decimals)
        for action in self._counts.actions():
            action.setChecked(action.data() == entry.get("decimals"))
        self.of.setVisible(has_of)
        self.of.choose(entry.get("of", "interval"))
        self._second.setVisible(has_text or has_of)

    def _change_size(self, text: str) -> None:
        sizes = read_sizes(text)
        # What says no size is kept too: the builder refuses it, so that it can neither be overlooked nor applied.
        self._judge(text if sizes is None else sizes)
        self._change(group=text if sizes is None else sizes)

    def _judge(self, sizes: object) -> None:
        wrong = isinstance(sizes, str)
        words = "Joins: a whole number above 0, or several: 3, 2, 4." if wrong else ""
        set_look(self.joins, invalid=wrong)
        self.joins.setAccessibleDescription(words)
        self.problem.setText(words)
        self.problem.setHidden(not wrong)

    def _change_function(self, _index: int) -> None:
        function = LevelFunction(str(self.function.chosen))
        changes: dict[str, object] = {"function": function.value, "text": None, "decimals": None}
        if function is LevelFunction.PATTERN:
            changes["text"] = "{low} to {high}"
        elif function is LevelFunction.CONSTANT:
            changes["text"] = "other"
        if function in NUMERIC:
            changes["decimals"] = self._entry.get("decimals", 2)
        if self._of_intervals:
            # A common beginning is one of values; every other label can follow from the interval.
            changes["of"] = "data" if function is LevelFunction.PREFIX else None
        self._change(**changes)

    def _change_text(self, text: str) -> None:
        self._change(text=text)

    def _change_decimals(self, count: int | None) -> None:
        self._change(decimals=count)

    def _change_of(self, _index: int) -> None:
        self._change(of=self.of.chosen)

    def _show_menu(self) -> None:
        self.menu.popup(self.names.mapToGlobal(self.names.rect().bottomLeft()))

    def _ask_names(self) -> None:
        title = f"Own labels of level {self._number.text()}"
        dialog = NamesDialog(title, self._entry.get("labels", ()), self)
        dialog.chosen.connect(self._take_names)
        dialog.open()

    def _take_names(self, names: list[str | None]) -> None:
        self._change(labels=names or None)

    def _change(self, **entries: object) -> None:
        entry = {**self._entry, **entries}
        self._entry = {name: value for name, value in entry.items() if value is not None}
        self.changed.emit(self._entry)


class NamesDialog(QDialog):
    """Own labels for the groups of a level, one a line.

    Signals
    -------
    chosen(object)
        The labels, None where the line is empty; nothing behind the last one given.
    """

    chosen = Signal(object)

    def __init__(self, title: str, names: Sequence[str | None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        set_explain(self, "hierarchies.functions")
        self.edit = QPlainTextEdit("\n".join(name or "" for name in names))
        self.edit.setAccessibleName(title)
        self.edit.setTabChangesFocus(True)
        self.edit.setPlaceholderText("child\nadult\nelderly")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self._take)
        buttons.rejected.connect(self.reject)
        layout = boxes.column(margins="l", spacing="m", inside=self)
        words = label(
            "One line a group, from the first. An empty line keeps the label the level gives.",
            muted=True,
            wrap=True,
        )
        layout.addWidget(words)
        layout.addWidget(self.edit, 1)
        layout.addWidget(buttons)
        keep_typing(self)
        self.resize(tokens.EMPTY_TEXT_WIDTH, tokens.COLUMN_MAX)

    def _take(self) -> None:
        names: list[str | None] = [line.strip() or None for line in self.edit.toPlainText().split("\n")[:_MOST_NAMED]]
        while names and names[-1] is None:
            names.pop()
        self.chosen.emit(names)
        self.accept()


class LevelsEditor(QWidget):
    """All levels, one below the other.

    Signals
    -------
    changed(object, str, str)
        The list of entries, what undo calls the change, and the key to merge it by.
    """

    changed = Signal(object, str, str)

    def __init__(self, *, of_intervals: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._of_intervals = of_intervals
        self._entries: list[dict[str, Any]] = []
        self.rows: list[LevelRow] = []
        self._column = QVBoxLayout()
        self._column.setSpacing(tokens.SPACE_S)
        heads = boxes.row(boxes.Gap(tokens.SPACE_L + tokens.SPACE_XS), spacing="xs")
        joins = label("Joins", muted=True, small=True)
        joins.setFixedWidth(tokens.COLUMN_MIN)
        heads.addWidget(joins)
        heads.addWidget(label("A group is called", muted=True, small=True), 1)
        self.add = push_button("Add level", self._add_level, name="Add level", icon=icon("add", "link"), quiet=True)
        boxes.column(heads, self._column, (self.add, Qt.AlignmentFlag.AlignLeft), spacing="xs", inside=self)
        set_explain(self, "hierarchies.functions")

    def show_entries(self, entries: Sequence[Entry], examples: Sequence[tuple[str, str]] = ()) -> None:
        """Show what the levels say, with the first group of each where it is known.

        Rows that stay keep their place and the cursor.
        """
        self._entries = [dict(entry) for entry in entries]
        while len(self.rows) > len(self._entries):
            row = self.rows.pop()
            self._column.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self.rows) < len(self._entries):
            row = LevelRow(of_intervals=self._of_intervals)
            row.changed.connect(self._change_row)
            row.removed.connect(self._remove_row)
            self.rows.append(row)
            self._column.addWidget(row)
        for number, (row, entry) in enumerate(zip(self.rows, self._entries, strict=True), start=1):
            example = examples[number - 1] if number <= len(examples) else None
            row.show_entry(number, entry, removable=len(self._entries) > 1, example=example)

    def _change_row(self, entry: dict[str, Any]) -> None:
        row = self.sender()
        if isinstance(row, LevelRow):
            place = self.rows.index(row)
            self._entries[place] = entry
            self._tell(f"Change level {place + 1}", f"level.{place}")

    def _remove_row(self) -> None:
        row = self.sender()
        if isinstance(row, LevelRow):
            place = self.rows.index(row)
            rest = [entry for position, entry in enumerate(self._entries) if position != place]
            if self._of_intervals and rest:
                rest[0] = {**rest[0], "group": 1}
            self._entries = rest
            self._tell(f"Remove level {place + 1}")

    def _add_level(self) -> None:
        last = self._entries[-1] if self._entries else {}
        kept: dict[str, Any] = {name: last[name] for name in ("function", "text", "decimals", "of") if name in last}
        added: dict[str, Any] = {"function": LevelFunction.INTERVAL.value, **kept, "group": 2}
        self._entries = [*self._entries, added]
        self._tell(f"Add level {len(self._entries)}")
        self.show_entries(self._entries)
        self.rows[-1].joins.setFocus()
        self.rows[-1].joins.selectAll()

    def _tell(self, text: str, merge: str = "") -> None:
        self.changed.emit([dict(entry) for entry in self._entries], text, merge)
