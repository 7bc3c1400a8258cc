"""A heading that opens and closes what is below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon


class Disclosure(QWidget):
    """A heading that opens and closes what is below it."""

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = QToolButton()
        self.button.setText(title)
        self.button.setAccessibleName(title)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(self._toggle)
        self._content = content
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self.button)
        layout.addWidget(content)
        self.set_open(False)

    def set_open(self, opened: bool) -> None:
        """Show or hide the content."""
        self._open = opened
        self.button.setIcon(icon("chevron-down" if opened else "chevron-right", "muted"))
        self.button.setAccessibleDescription("open" if opened else "closed")
        self._content.setVisible(opened)

    def _toggle(self) -> None:
        self.set_open(not self._open)
