"""A heading that opens and closes what is below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from workbench.gui.icons import icon
from workbench.gui.widgets import boxes


class Disclosure(QWidget):
    """A heading that opens and closes what is below it.

    Parameters
    ----------
    beside
        What stands beside the heading as far as there is room, as long as it is closed.
    """

    def __init__(
        self, title: str, content: QWidget, parent: QWidget | None = None, *, beside: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.button = QToolButton()
        self.set_title(title)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(self._toggle)
        self._content, self._beside = content, beside
        heading = self.button if beside is None else _heading(self.button, beside)
        boxes.column(heading, content, spacing="s", inside=self)
        self.set_open(False)

    def set_title(self, title: str) -> None:
        """Give it another heading."""
        self.button.setText(title)
        self.button.setAccessibleName(title)

    def set_open(self, opened: bool) -> None:
        """Show or hide the content."""
        self._open = opened
        self.button.setIcon(icon("chevron-down" if opened else "chevron-right", "muted"))
        self.button.setAccessibleDescription("open" if opened else "closed")
        self._content.setVisible(opened)
        if self._beside is not None:
            self._beside.setHidden(opened)

    @property
    def is_open(self) -> bool:
        """Whether the content is shown."""
        return self._open

    def folds(self, part: QWidget) -> bool:
        """Whether a part of the content is seen as soon as it is opened, and not before."""
        return not self._open and self._content.isAncestorOf(part) and part.isVisibleTo(self._content)

    def _toggle(self) -> None:
        self.set_open(not self._open)


def _heading(button: QToolButton, beside: QWidget) -> QWidget:
    """The button, which stays on the left also while what is beside it is hidden."""
    return boxes.boxed(boxes.row((button, Qt.AlignmentFlag.AlignLeft), (beside, 1), spacing="s"))
