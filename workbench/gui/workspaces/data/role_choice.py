"""The four roles to choose from, with what each means."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QRadioButton, QWidget

from workbench.core.schema import Role
from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import role_icon, role_token
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label


class RoleChoice(QWidget):
    """One radio button per role, each with shape, colour, word and a line of meaning.

    Signals
    -------
    picked(object)
        The person chose this `Role`.
    """

    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_explain(self, "data.roles")
        self._group = QButtonGroup(self)
        self.buttons: dict[Role, QRadioButton] = {}
        layout = boxes.column(spacing=0, inside=self)
        mnemonics = {
            Role.IDENTIFYING: "&Identifying",
            Role.QUASI: "&Quasi-identifying",
            Role.SENSITIVE: "&Sensitive",
            Role.INSENSITIVE: "I&nsensitive",
        }
        for role in Role:
            button = QRadioButton(mnemonics[role])
            button.setIcon(icon(role_icon(role), role_token(role)))
            button.setIconSize(QSize(tokens.ICON, tokens.ICON))
            button.setAccessibleName(role.words)
            button.setAccessibleDescription(role.meaning)
            self._group.addButton(button)
            self.buttons[role] = button
            meaning = label(role.meaning, muted=True, small=True, wrap=True)
            meaning.setContentsMargins(tokens.ICON + tokens.SPACE_S + 2, 0, 0, tokens.SPACE_S)
            layout.addWidget(button)
            layout.addWidget(meaning)
        self._group.buttonClicked.connect(self._pick)

    @property
    def role(self) -> Role | None:
        """The role shown, None while the columns differ."""
        return next((role for role, button in self.buttons.items() if button.isChecked()), None)

    def show_role(self, role: Role | None) -> None:
        """Show a role, or none if the chosen columns differ."""
        if role is not None:
            self.buttons[role].setChecked(True)
            return
        self._group.setExclusive(False)
        for button in self.buttons.values():
            button.setChecked(False)
        self._group.setExclusive(True)

    def _pick(self, button: QAbstractButton) -> None:
        self.picked.emit(next(role for role, known in self.buttons.items() if known is button))
