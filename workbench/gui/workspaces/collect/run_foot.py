"""Below the settings: the button that simulates, why it cannot, and the command that does the same."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.theme import set_look
from workbench.gui.widgets import boxes
from workbench.gui.widgets.explain import set_explain
from workbench.gui.widgets.labels import label


class RunFoot(QFrame):
    """Always in view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("line", "top")
        self.button = QPushButton()
        set_look(self.button, primary=True)
        set_explain(self.button, "collect.simulate")
        self.why_not = label(small=True, wrap=True)
        set_look(self.why_not, tone="warning")
        self.why_not.hide()
        self.command = QPushButton("Copy as command")
        self.command.setIcon(icon("copy", "link"))
        self.command.setToolTip("Copy the command line that simulates the same")
        set_look(self.command, quiet=True)
        boxes.column(
            self.why_not,
            boxes.row((self.button, 1), self.command, spacing=tokens.SPACE_S),
            margins=(tokens.SPACE_L, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_M),
            spacing=tokens.SPACE_XS,
            inside=self,
        )

    def show_state(self, reason: str, *, running: bool, cancelling: bool) -> None:
        """Show what the button does now, and why it does not if it does not."""
        words = "Cancel" if running else "Simulate"
        self.button.setText(words)
        self.button.setAccessibleName(words)
        self.button.setIcon(icon("stop" if running else "run", "on_accent"))
        self.button.setToolTip("" if running else "Try the ticked protocols on these rows (F5)")
        self.button.setEnabled(not cancelling if running else not reason)
        self.why_not.setText(reason)
        self.why_not.setVisible(bool(reason))
