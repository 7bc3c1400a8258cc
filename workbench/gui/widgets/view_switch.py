"""Several views in one place, of which one is seen: a row of small buttons above them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QStackedWidget, QToolButton, QWidget

from workbench.gui import tokens
from workbench.gui.widgets import boxes


class ViewSwitch(QWidget):
    """A lesser kind of tabs, for inside a tab.

    Parameters
    ----------
    name
        What the views are of, for screen readers.
    views
        The views and what their buttons say.
    mark
        A badge that stands for all of them, at the right.
    indent
        How far buttons and badge stand from the sides, where the views themselves reach to them.

    Signals
    -------
    switched(int)
        Another view is seen.
    """

    switched = Signal(int)

    def __init__(
        self,
        name: str,
        views: Sequence[tuple[QWidget, str]],
        mark: QWidget | None = None,
        indent: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.pages = QStackedWidget()
        self.buttons: list[QToolButton] = []
        self._group = QButtonGroup(self)
        self._top = boxes.row(margins=(indent, 0, indent, 0), spacing="xs")
        for place, (view, title) in enumerate(views):
            button = QToolButton()
            button.setText(title)
            button.setAccessibleName(title)
            button.setCheckable(True)
            self._group.addButton(button, place)
            self._top.addWidget(button)
            self.buttons.append(button)
            self.pages.addWidget(view)
        self._top.addStretch(1)
        if mark is not None:
            self._top.addWidget(mark)
        self._group.idClicked.connect(self.show_view)
        boxes.column(self._top, (self.pages, 1), margins="0 s 0 0", spacing="s", inside=self)
        self.show_view(0)

    def stand_beside(self, widget: QWidget) -> None:
        """Put something that is of one of the views beside the buttons, so that it takes no line of its own."""
        self._top.insertSpacing(len(self.buttons), tokens.SPACE_L)
        self._top.insertWidget(len(self.buttons) + 1, widget)

    def show_view(self, place: int) -> None:
        """Bring a view to the front."""
        changed = place != self.pages.currentIndex()
        self.pages.setCurrentIndex(place)
        for number, button in enumerate(self.buttons):
            button.setChecked(number == place)
            # Tab stops at the chosen one; the arrows go on from it.
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if number == place else Qt.FocusPolicy.ClickFocus)
        if changed:
            self.switched.emit(place)
