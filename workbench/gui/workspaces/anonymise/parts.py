"""Small parts of this workspace: a label that shortens its text, a disclosure, two parts
side by side, and calm mouse wheels."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QSplitter, QTabBar, QToolButton, QVBoxLayout, QWidget

from workbench.gui import tokens
from workbench.gui.icons import icon
from workbench.gui.widgets.labels import label


class ElidedLabel(QWidget):
    """One line of text that ends in … where it has no room; the tooltip then holds all of it."""

    def __init__(self, text: str = "", *, muted: bool = False, strong: bool = False, small: bool = False) -> None:
        super().__init__()
        self._text = text
        self._label: QLabel = label(muted=muted, strong=strong, small=small)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._label)
        self.set_text(text)

    @property
    def text(self) -> str:
        return self._text

    @property
    def label(self) -> QLabel:
        """The label inside, for its look."""
        return self._label

    def set_text(self, text: str) -> None:
        self._text = text
        self.setAccessibleName(text)
        self._fit()

    def sizeHint(self) -> QSize:
        metrics = self._label.fontMetrics()
        return QSize(metrics.horizontalAdvance(self._text) + tokens.SPACE_XS, self._label.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(tokens.COLUMN_MIN // 2, self._label.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        shown = self._label.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, max(self.width(), 0))
        self._label.setText(shown)
        self.setToolTip(self._text if shown != self._text else "")


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
        self.button.setAccessibleDescription(self.tr("open") if opened else self.tr("closed"))
        self._content.setVisible(opened)

    def _toggle(self) -> None:
        self.set_open(not self._open)


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
    """

    def __init__(self, name: str, parts: Sequence[tuple[QWidget, str]], sizes: Sequence[int]) -> None:
        super().__init__()
        self.tabs = QTabBar()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setObjectName(name)
        self._split.setChildrenCollapsible(False)
        for part, title in parts:
            self.tabs.addTab(title)
            self._split.addWidget(part)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes(list(sizes))
        self.tabs.setAccessibleName(" | ".join(title for _, title in parts))
        self.tabs.currentChanged.connect(self._show_parts)
        self._narrow = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.tabs)
        layout.addWidget(self._split, 1)
        self._show_parts()

    def show_part(self, index: int) -> None:
        """Bring a part to the front, if only one can be seen."""
        self.tabs.setCurrentIndex(index)

    def minimumSizeHint(self) -> QSize:
        # As narrow as the wider part, also while both are shown: else it could never become so narrow.
        parts = [_least(part) for part in self._parts]
        tallest = max(part.height() for part in parts)
        return QSize(max(part.width() for part in parts), tallest + self.tabs.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        needed = sum(_least(part).width() for part in self._parts) + self._split.handleWidth()
        if (self.width() < needed) != self._narrow:
            self._narrow = not self._narrow
            self._show_parts()

    @property
    def _parts(self) -> list[QWidget]:
        parts = (self._split.widget(index) for index in range(self._split.count()))
        return [part for part in parts if part is not None]

    def _show_parts(self) -> None:
        self.tabs.setVisible(self._narrow)
        for index, part in enumerate(self._parts):
            part.setVisible(not self._narrow or index == self.tabs.currentIndex())


def _least(widget: QWidget) -> QSize:
    return widget.minimumSizeHint().expandedTo(widget.minimumSize())


class CalmWheel(QObject):
    """Keeps the mouse wheel from changing a control that merely scrolled under the pointer."""

    def guard(self, *controls: QWidget) -> None:
        """Let the wheel act on these controls only while they have the focus."""
        for control in controls:
            control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            control.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False
