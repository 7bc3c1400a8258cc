"""Texts that stand for "no value": chips that can be taken away, a field to add one, and proposals."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from workbench.core.schema import ColumnSpec
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.flow import FlowLayout
from workbench.gui.widgets.labels import NO_VALUE, label, on_button


class MissingEditor(QWidget):
    """The texts of one column, or those that several columns have in common.

    Signals
    -------
    added(str), removed(str)
        A text that is, or is no longer, to stand for "no value".
    """

    added = Signal(str)
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.missing")
        self._shown: tuple[tuple[str, ...], tuple[str, ...]] | None = None
        self._chips = QWidget()
        self._flow = FlowLayout(self._chips)
        self.edit = QLineEdit()
        self.edit.setPlaceholderText("another, such as NA")
        self.edit.setAccessibleName("Text that stands for no value")
        self.edit.returnPressed.connect(self._add)
        self.add_button = push_button("Add", self._add, name="Add the text to those that stand for no value")
        layout = boxes.column(
            self._chips, boxes.row((self.edit, 1), self.add_button, spacing="xs"), spacing="xs", inside=self
        )
        self._offers = label(
            "These look like no value too. Add only what you would add for every file of this kind.",
            small=True,
            muted=True,
            wrap=True,
        )
        self._offered = QWidget()
        self._offered_flow = FlowLayout(self._offered)
        layout.addWidget(self._offers)
        layout.addWidget(self._offered)

    @property
    def chips(self) -> list[QPushButton]:
        """The chips of the texts in force; pressing one takes its text away."""
        return _buttons(self._flow)

    @property
    def offers(self) -> list[QPushButton]:
        """The chips of the texts that are proposed; pressing one adds it."""
        return _buttons(self._offered_flow)

    def show_columns(self, specs: Sequence[ColumnSpec], proposed: Sequence[str]) -> None:
        """Show what the columns have in common, and what is proposed."""
        common = tuple(text for text in specs[0].missing if all(text in spec.missing for spec in specs[1:]))
        offered = tuple(text for text in proposed if text not in common)
        if (common, offered) == self._shown:
            return
        self._shown = (common, offered)
        _fill(self._flow, [self._chip(text) for text in common])
        _fill(self._offered_flow, [self._offer(text) for text in offered])
        for widget in (self._offers, self._offered):
            widget.setVisible(bool(offered))

    def _chip(self, text: str) -> QPushButton:
        button = _button(text or NO_VALUE, "close")
        button.setToolTip("Stands for no value. Press to let it be a value.")
        button.setAccessibleName(f"“{text}” stands for no value; take it away")
        button.clicked.connect(partial(self.removed.emit, text))
        return button

    def _offer(self, text: str) -> QPushButton:
        button = _button(text or NO_VALUE, "add")
        button.setToolTip("Let it stand for no value.")
        button.setAccessibleName(f"Let “{text}” stand for no value")
        button.clicked.connect(partial(self.added.emit, text))
        return button

    def _add(self) -> None:
        text = self.edit.text()
        if text:
            self.edit.clear()
            self.added.emit(text)


def _button(text: str, icon_name: str) -> QPushButton:
    button = QPushButton(icon(icon_name), on_button(text))
    # The cross belongs behind the word that it takes away.
    button.setLayoutDirection(
        Qt.LayoutDirection.RightToLeft if icon_name == "close" else Qt.LayoutDirection.LeftToRight
    )
    return button


def _fill(flow: FlowLayout, buttons: Sequence[QPushButton]) -> None:
    while flow.count():
        item = flow.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()
            widget.deleteLater()
    for button in buttons:
        flow.addWidget(button)


def _buttons(flow: FlowLayout) -> list[QPushButton]:
    items = (flow.itemAt(place) for place in range(flow.count()))
    widgets = (item.widget() for item in items if item is not None)
    return [widget for widget in widgets if isinstance(widget, QPushButton)]
