"""The role that one column seems to have."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.labels import IconLabel, label


class SuggestionStrip(QFrame):
    """What role the column seems to have, with the button that follows the suggestion.

    It stays when the suggestion was followed, so that nothing below it moves.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.role: Role | None = None
        self._icon = IconLabel("info", tokens.ICON, "info")
        self._words = label(wrap=True, small=True)
        self.accepted = QPushButton()
        self.accepted.setAccessibleName("Follow the suggestion")
        layout = boxes.column(margins="s", spacing="s", inside=self)
        top = boxes.row((self._icon, Qt.AlignmentFlag.AlignTop), (self._words, 1), spacing="s")
        layout.addLayout(top)
        layout.addWidget(self.accepted, 0, Qt.AlignmentFlag.AlignLeft)

    def show_suggestion(self, role: Role, reason: str, *, followed: bool) -> None:
        self.role = role
        self._words.setText(reason)
        word = role.words.lower()
        text = "Marked as {role}" if followed else "Mark as {role}"
        self.accepted.setText(text.format(role=word))
        self.accepted.setAccessibleName(self.accepted.text())
        self.accepted.setEnabled(not followed)
        status = "success" if followed else "info"
        self._icon.set_icon(status, status)
        set_look(self, message=status)
