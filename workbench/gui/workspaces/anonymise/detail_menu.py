"""The details that a column can have in every row, below its cell: each with how many rows are likely to come out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtGui import QAction, QActionGroup, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from workbench.core.progress import Progress
from workbench.core.visible import visible
from workbench.gui.document import Document
from workbench.gui.finer_rules import change_widths
from workbench.session.interval_widths import EQUAL, WIDENING, widths_offered
from workbench.session.release.detail_choices import LEFT_OUT, DetailChoice, detail_choices, with_rows

_WAITING = "…" + 34 * "\N{NO-BREAK SPACE}"
"""As long as most of what will stand there, so that the menu hardly grows under the pointer."""


class DetailMenu(QMenu):
    """Chooses one detail of a column for every row, or leaves it to the program.

    What each costs is worked out while it is open, and a choice does not wait for that.
    """

    def __init__(self, document: Document, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._document, self._name, self._beside = document, name, parent
        self._open = QElapsedTimer()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setToolTipsVisible(True)  # a line says what comes out, and the rest of what it costs is where one points
        self.setAccessibleName(f"How fine {visible(name)} is")
        self._head(f"How fine {_plain(name)} comes out\t% of rows")
        group = QActionGroup(self)
        self.widths: QAction | None = None
        session = document.session.snapshot()
        choices = detail_choices(session, name)
        self._actions: list[QAction] = []
        for place, one in enumerate(choices):
            if one.words == LEFT_OUT:
                self._offer_widths()
                self.addSeparator()
            elif not one.varies and choices[place - 1].varies:
                self.addSeparator()
                self._head("Equally fine in every row")
            action = QAction(f"{_plain(one.words)}\t{_WAITING}", self)
            action.setCheckable(True)
            action.setChecked(one.is_chosen)
            action.triggered.connect(partial(self._choose, one))
            group.addAction(action)
            self.addAction(action)
            self._actions.append(action)
        if not choices or choices[-1].words != LEFT_OUT:
            self._offer_widths()

        def work(progress: Progress) -> tuple[DetailChoice, ...]:
            return with_rows(session, name, choices, progress)

        document.runner.start(
            f"What each detail of {name} costs",
            work,
            on_done=self._show_costs,
            key="details of a column",
            latest_wins=True,
            owner=self,
            aside=True,
        )

    def _head(self, words: str) -> None:
        """Say what the choices below have in common."""
        self.addAction(words).setEnabled(False)

    def _offer_widths(self) -> None:
        """Offer intervals that widen instead of equal ones, or the other way round, where a rule makes them."""
        widening = widths_offered(self._document.project, self._name)
        if widening is None:
            return
        self.addSeparator()
        self.widths = self.addAction((WIDENING if widening else EQUAL).capitalize())
        self.widths.triggered.connect(partial(change_widths, self._document, self._name, widening=widening))

    def _show_costs(self, choices: Sequence[DetailChoice]) -> None:
        for action, one in zip(self._actions, choices, strict=True):
            action.setText(f"{_plain(one.words)}\t{_plain(one.in_short)}")
            if one.costs != one.in_short:
                action.setToolTip(f"{one.costs[:1].upper()}{one.costs[1:]} (of 100 rows)")
        self._stay_inside()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._open.start()
        self._stay_inside()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if not inside and self._open.elapsed() < QApplication.doubleClickInterval():
            return  # the second press of somebody who pressed the detail twice: the menu that it opened stays
        super().mousePressEvent(event)

    def _stay_inside(self) -> None:
        """Not beyond the right edge of the window, so that nothing of it is cut where that is the screen's."""
        window = self._beside.window().geometry()
        over = self.geometry().right() - min(window.right(), self.screen().availableGeometry().right())
        if over > 0:
            self.move(max(window.left(), self.x() - over), self.y())

    def _choose(self, one: DetailChoice) -> None:
        self._document.apply(f"{self._name}: {one.words}", one.edit)


def _plain(words: str) -> str:
    """Words that a menu shows as they are: it would take a letter after & for a key."""
    return visible(words).replace("&", "&&").replace("\t", " ")
