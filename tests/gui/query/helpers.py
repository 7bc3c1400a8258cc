"""What a person does in the Query workspace."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from tests.gui.helpers import PATIENCE_MS, idle
from workbench.gui.document import Document
from workbench.gui.messages import MessageBar
from workbench.gui.workspaces.query import QueryWorkspace
from workbench.query.catalogue import QueryDraft
from workbench.query.ledger import Ledger

ROWS = 3000
TEAMS = ("north", "south", "east, far")


class Room:
    """A workspace with its document, and what a person does in it."""

    def __init__(self, qtbot: QtBot, workspace: QueryWorkspace, messages: MessageBar) -> None:
        self.qtbot, self.workspace, self.messages = qtbot, workspace, messages

    @property
    def document(self) -> Document:
        return self.workspace.document

    @property
    def draft(self) -> QueryDraft:
        return self.document.project.queries.draft

    @property
    def ledger(self) -> Ledger:
        return self.document.session.ledger.current

    @property
    def spent(self) -> Fraction:
        return self.ledger.spent().epsilon

    def idle(self) -> None:
        idle(self.qtbot, self.workspace)

    def ask(self, kind: str, **values: object) -> None:
        """Choose a question and fill in its fields."""
        form = self.workspace.form
        form.kind.choose(kind)
        form.kind.activated.emit(form.kind.currentIndex())
        for name, value in values.items():
            form._set_value(name, value)
        self.idle()

    def open(self, data: Path) -> None:
        """Open a table and wait for it."""
        self.document.open_data(data)
        self.qtbot.waitUntil(lambda: self.document.has_data, timeout=PATIENCE_MS)

    def click(self, button: QWidget) -> None:
        self.qtbot.mouseClick(button, Qt.MouseButton.LeftButton)

    def release(self) -> None:
        self.click(self.workspace.price.release)
        self.idle()

    def set_budget(self, epsilon: Fraction) -> None:
        self.ledger.set_budget(epsilon)
        self.document.ledger_changed(self.document.session.data.fingerprint)
        self.idle()

    def type_into(self, name: str, text: str) -> None:
        field = self.workspace.form.field(name)
        assert isinstance(field, QLineEdit)
        field.selectAll()
        self.qtbot.keyClicks(field, text)
