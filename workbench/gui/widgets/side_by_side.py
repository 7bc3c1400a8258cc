"""Two parts side by side, or one at a time under tabs where there is no room for both."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QSplitter, QTabBar, QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets import boxes
from workbench.gui.widgets.status import Status, status_icon


class SideBySide(QWidget):
    """Two parts side by side; where there is no room for both, one at a time under two tabs.

    Parameters
    ----------
    name
        Object name of the splitter, under which its place is remembered.
    parts
        The two parts and what their tabs are called.
    sizes
        How wide they are at first.

    Signals
    -------
    narrowed(bool)
        One at a time is shown from now on, or both are.
    """

    narrowed = Signal(bool)

    def __init__(self, name: str, parts: Sequence[tuple[QWidget, str]], sizes: Sequence[int]) -> None:
        super().__init__()
        self.tabs = QTabBar()
        self._titles = [title for _, title in parts]
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName(name)
        self._split.setChildrenCollapsible(False)
        for part, title in parts:
            self.tabs.addTab(title)
            self._split.addWidget(part)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes(list(sizes))
        self.tabs.setAccessibleName(" | ".join(title for _, title in parts))
        self.tabs.setIconSize(QSize(tokens.ICON_SMALL, tokens.ICON_SMALL))  # no higher than words: nothing moves
        self.tabs.currentChanged.connect(self._turn)
        self._narrow = self._moved = False
        self._split.splitterMoved.connect(self._keep)
        boxes.column(self.tabs, (self._split, 1), spacing=0, inside=self)
        self._show_parts()

    def show_part(self, index: int) -> None:
        """Bring a part to the front, if only one can be seen."""
        self.tabs.setCurrentIndex(index)

    def announce(self, index: int, words: str) -> None:
        """Say on the tab of a part that is not seen what is new there, until it is; "" for nothing new."""
        new = words if self._narrow and index != self.tabs.currentIndex() else ""
        self.tabs.setTabText(index, f"{self._titles[index]}: {new}" if new else self._titles[index])
        self.tabs.setTabIcon(index, icon(status_icon(Status.SUCCESS), Status.SUCCESS.value) if new else QIcon())

    def _turn(self, index: int) -> None:
        self.announce(index, "")
        self._show_parts()

    def prefer(self, width: int) -> None:
        """Make the first part so wide, or three fifths of the whole if that is less; a line that was moved stays."""
        if not self._moved:
            first = min(width, 3 * self.width() // 5)
            self._split.setSizes([first, self.width() - first])

    def _keep(self) -> None:
        self._moved = True

    def minimumSizeHint(self) -> QSize:
        # As narrow as the wider part, also while both are shown: else it could never become so narrow.
        parts = [_least(part) for part in self._parts]
        tallest = max(part.height() for part in parts)
        return QSize(max(part.width() for part in parts), tallest + self.tabs.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._has_room is self._narrow:
            self._narrow = not self._narrow
            for index in range(len(self._titles)):
                self.announce(index, "")
            self._show_parts()
            self.narrowed.emit(self._narrow)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        # Parts are wider until they are dressed. What grows later never hides what somebody works with.
        if event.type() is QEvent.Type.LayoutRequest and self._narrow and self._has_room:
            self._narrow = False
            self._show_parts()
            self.narrowed.emit(False)
        return done

    @property
    def _has_room(self) -> bool:
        return self.width() >= sum(_least(part).width() for part in self._parts) + self._split.handleWidth()

    @property
    def _parts(self) -> list[QWidget]:
        parts = (self._split.widget(index) for index in range(self._split.count()))
        return [part for part in parts if part is not None]

    def _show_parts(self) -> None:
        self.tabs.setVisible(self._narrow)
        seen = [not self._narrow or index == self.tabs.currentIndex() for index in range(len(self._parts))]
        if any(not one and _has_focus(part) for part, one in zip(self._parts, seen, strict=True)):
            # Else it would go to what comes next in the window, as far away as the list of rooms.
            self.tabs.setFocus(Qt.FocusReason.OtherFocusReason)
        for part, one in zip(self._parts, seen, strict=True):
            part.setVisible(one)


def _has_focus(part: QWidget) -> bool:
    focused = part.window().focusWidget()
    return focused is not None and (focused is part or part.isAncestorOf(focused))


def _least(widget: QWidget) -> QSize:
    return widget.minimumSizeHint().expandedTo(widget.minimumSize())
