"""The reason why there is no table, or only one of `*`, and what would help."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QScrollArea, QVBoxLayout, QWidget

from workbench.anonymise.privacy import ModelChoice
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.buttons import push_button
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import IconLabel, label
from workbench.gui.widgets.status import Status, status_icon
from workbench.gui.workspaces.anonymise.syntactic.verbs import FIND
from workbench.session.syntactic.results import Refusal
from workbench.session.syntactic.words import change_in_words


class AdviceView(QScrollArea):
    """The reason, and up to three buttons that each change one thing.

    Signals
    -------
    chosen(object)
        The person wants this `Change`.
    table_requested()
        The person wants to see the table nevertheless.
    search_requested()
        The person wants the best levels searched.
    """

    chosen = Signal(object)
    search_requested = Signal()
    table_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        set_explain(self, "anonymise.infeasible")
        self.reason = label(heading=2, wrap=True)
        self.hint = label(muted=True, wrap=True)
        self._heading = label(strong=True, wrap=True)
        self.buttons: list[QPushButton] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(tokens.SPACE_S)
        self.table = QPushButton("Show the table")
        self.table.setAccessibleName(self.table.text())
        self.table.clicked.connect(self.table_requested)
        self.search = QPushButton(FIND)
        self.search.setAccessibleName(self.search.text())
        self.search.clicked.connect(self.search_requested)
        inside = QWidget()
        inside.setProperty("bare", "true")
        words = boxes.column(
            self.reason,
            self.hint,
            boxes.Gap("m"),
            self._heading,
            self._list,
            (self.search, Qt.AlignmentFlag.AlignLeft),
            (self.table, Qt.AlignmentFlag.AlignLeft),
            1,
            spacing="s",
        )
        row = boxes.row(margins="0 m m m", spacing="m", inside=inside)
        sign = IconLabel(status_icon(Status.WARNING), tokens.ICON_LARGE, Status.WARNING.value)
        row.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        self.setWidget(inside)

    def show_refusal(self, refusal: Refusal, models: Sequence[ModelChoice], *, with_table: bool = False) -> None:
        """Say why, and offer what was tried and helps.

        Parameters
        ----------
        with_table
            There is a table nevertheless.
        """
        told = refusal.told
        self.reason.setText(told.message)
        # The changes that were tried say more than the general hint.
        self.hint.setText("" if refusal.changes else told.hint)
        self.hint.setVisible(bool(self.hint.text()))
        self.setAccessibleName(told.message)
        self.setAccessibleDescription(told.hint)
        self._heading.setText("Any one of these was tried and helps:")
        self._heading.setVisible(bool(refusal.changes))
        for button in self.buttons:
            self._list.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        for change in refusal.changes:
            words = change_in_words(change, models)
            button = push_button(words, partial(self.chosen.emit, change), name=words, icon=icon("arrow-right"))
            self._list.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self.buttons.append(button)
        self.table.setVisible(with_table)
        self.search.setVisible(refusal.searchable)
