"""The line above every page: who may see it, messages, the page as Python and what explains it; it keeps its place,
whatever it says.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.messages import MessageBar
from workbench.gui.widgets import boxes
from workbench.gui.widgets.badge import analyst_badge
from workbench.gui.widgets.buttons import tool_button
from workbench.gui.widgets.status import Status


class HeaderLine(QFrame):
    """One line of a fixed height above the page.

    Parameters
    ----------
    messages
        What stands beside the lock.
    copy_python
        Is called by the button that copies the room as Python.
    explain
        Is called by the button that shows or hides the explanations.
    """

    def __init__(
        self,
        messages: MessageBar,
        copy_python: Callable[[], object],
        explain: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.take_size()
        self._lock = analyst_badge()
        # Where there is no message, the room left over is none of the lock's.
        self.python = tool_button(
            "Copy as Python",
            copy_python,
            icon=icon("copy"),
            tip="Copy what this room does as Python, for a notebook or a script",
            explain="frame.python",
            muted=True,
        )
        self.python.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.explain = tool_button(
            "Explain", explain, icon=icon("help"), tip="What the control means that is being used (F1)", muted=True
        )
        self.explain.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        boxes.row(
            self._lock, (messages, 100), 1, self.python, self.explain, margins="l xs m xs", spacing="m", inside=self
        )
        self.show_room("", there=False)

    def take_size(self) -> None:
        """Be as high as text of the present size needs."""
        self.setFixedHeight(tokens.HEADER_HEIGHT)

    @property
    def lock(self) -> str:
        """Words of the lock; "" where the page has none."""
        return self._lock.text if self._lock.isVisibleTo(self) else ""

    def show_room(self, words: str, *, there: bool = True) -> None:
        """Say who may see the page, or with an empty text nothing of it; what is no room cannot be copied."""
        self.python.setVisible(there)
        if words:
            self._lock.set_status(Status.ANALYST, words)
            self._lock.setToolTip("Shows true rows: for you and whoever may have the file. No release holds any of it")
        self._lock.setVisible(bool(words))
