"""The place of the explanations: beside the work where there is room for both, else over it while they are wanted."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from workbench.gui import tokens
from workbench.gui.settings import WindowSettings
from workbench.gui.theme import set_look
from workbench.gui.widgets.bare_splitter import BareSplitter
from workbench.gui.widgets.explain import ExplainPane

_KEPT = "explain"


class Explaining(QObject):
    """Shows and hides the Explain pane, and puts it where it belongs at the width of the window.

    Parameters
    ----------
    pane
        What explains.
    work
        What is explained: the line above the page, and the page.
    settings
        Where it is kept whether the pane is wanted beside the work. Over it, it is wanted anew each time.
    pages
        The page is one of these. Over another one nobody asked for the pane.
    """

    def __init__(self, pane: ExplainPane, work: QWidget, settings: WindowSettings, pages: QStackedWidget) -> None:
        super().__init__(pane)
        self.pane = pane
        self._settings = settings
        self._action: QAction | None = None
        self._over = False
        self._seen = self._begins = False
        """Whether the window was on the screen, and whether it had room for the pane when it came there first."""
        self.place = BareSplitter()
        self.place.setObjectName("explain")
        self.place.setChildrenCollapsible(False)
        self.place.addWidget(work)
        self.place.addWidget(pane)
        self.place.setStretchFactor(0, 1)
        pane.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        pane.close_button.clicked.connect(self.toggle)
        self.place.installEventFilter(self)
        pages.currentChanged.connect(self.escape)

    @property
    def is_over(self) -> bool:
        """Whether the pane lies over the work, which has no room beside it."""
        return self.pane.parentWidget() is not self.place

    def attach(self, action: QAction) -> None:
        """Let an action of a menu say whether the pane is shown."""
        self._action = action
        action.setCheckable(True)
        self.update()

    def toggle(self) -> None:
        """Show the pane, or hide it."""
        if self._has_room():
            self._settings.set_value(_KEPT, not self._wanted_beside())
        else:
            self._over = not self._over
        self.update()

    def escape(self) -> bool:
        """Put the pane away if it lies over the work; whether it did."""
        over = self.is_over and self._over
        if over:
            self.toggle()
        return over

    def update(self) -> None:
        """Put the pane where it belongs."""
        room = self._has_room()
        if not self._seen:
            self._begins, self._seen = room, self.place.window().isVisible()
        elif room and self.is_over and self._over:
            self._begins = True  # what is open stays open
        shown = self._wanted_beside() if room else self._over
        if room and self.is_over:
            self.pane.hide()
            set_look(self.pane, overlay=False, line="left")
            self.place.addWidget(self.pane)
        elif not room and not self.is_over:
            self.pane.hide()
            self.pane.setParent(self.place.window())
            set_look(self.pane, overlay=True, line="none")
        self.pane.setVisible(shown)
        if room and shown:
            self._give_width()
        elif shown:
            self._lay_over()
        if self._action is not None:
            self._action.setChecked(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.place and event.type() == QEvent.Type.Resize:
            self.update()
        return False

    def _has_room(self) -> bool:
        return self.place.window().width() >= tokens.EXPLAIN_FROM_WIDTH

    def _wanted_beside(self) -> bool:
        # A window that only grows opens nothing that nobody asked for.
        return self._settings.value(_KEPT, self._begins) is not False

    def _give_width(self) -> None:
        """A pane that was closed has the width 0, and so it may be kept in the settings."""
        sizes = self.place.sizes()
        if len(sizes) == 2 and sizes[1] < tokens.EXPLAIN_WIDTH // 2:
            self.place.setSizes([max(sum(sizes) - tokens.EXPLAIN_WIDTH, 1), tokens.EXPLAIN_WIDTH])

    def _lay_over(self) -> None:
        """Over the right end of the page, below the line above it, which is for messages."""
        window = self.place.window()
        corner = self.place.mapTo(window, self.place.rect().topRight())
        top = corner.y() + tokens.HEADER_HEIGHT
        left = corner.x() + 1 - tokens.EXPLAIN_WIDTH
        self.pane.setGeometry(left, top, tokens.EXPLAIN_WIDTH, self.place.height() - tokens.HEADER_HEIGHT)
        self.pane.raise_()
