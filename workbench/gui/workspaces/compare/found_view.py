"""View of what a comparison found: whose it is and the ways out, which stay in place; below them tiles and charts."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QMargins, QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.evaluate.findings import Findings
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.later import Later
from workbench.gui.widgets import boxes
from workbench.gui.widgets.fitted_page import FittedPage
from workbench.gui.widgets.tab_line import TabLine
from workbench.gui.workspaces.compare.chart_page import ChartPage
from workbench.gui.workspaces.compare.draft import ExperimentDraft
from workbench.gui.workspaces.compare.numbers_page import NumbersPage
from workbench.gui.workspaces.compare.tiles import TilesPanel

_LOW = 600
"""Pixels below which the tiles say less by themselves, so that the chart has most of the room."""
_TALL = 700
"""Pixels from which on the caption is seen whole below the chart."""
_CAPTION_LINES = 4
"""Lines that a caption takes with its notes, where both are long."""


class FoundView(QWidget):
    """Shows the findings of the experiment that is looked at: a line that stays, and a page that scrolls below it.

    Signals
    -------
    told_anew()
        Tiles and numbers are of other findings.
    """

    told_anew = Signal()

    def __init__(self, document: Document, draft: ExperimentDraft, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._draft = draft
        self.told: Findings | None = None
        """What tiles and numbers are of."""
        self.tiles = TilesPanel()
        self.chart = ChartPage(document, draft, self.tiles.more)
        self.numbers = NumbersPage(document)
        self.tabs = TabLine("What was found", self.chart.beside)
        self._unfolded, self._folded_at = Later(self, self._bring_up_words), 0
        self.chart.words.button.clicked.connect(self._turn_words)
        self.tiles.moved.connect(self._show_place)
        self.chart.chart.drawn.connect(self._picture_drawn)
        self._lay_out()

    def _lay_out(self) -> None:
        # From the outside to the inside: a widget is styled anew whenever something around it is put elsewhere.
        page = FittedPage()
        # Where the window is low, tiles and chart scroll together; the line above them moves with nothing.
        self._area = area = boxes.scrolled(page)
        area.setAccessibleName("What was found")
        page.fit_in(area, self.chart.chart)
        # A page that is not seen makes none higher.
        self.numbers.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self.setMinimumWidth(tokens.PLAN_WIDTH)
        boxes.column(boxes.column(self.tabs, margins="s s m 0"), (area, 1), spacing=0, inside=self)
        # The bar stands in the margin, always: what is read is as wide with it as without, and nothing moves with it.
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        bar = area.verticalScrollBar()
        bar.setProperty("gutter", "true")
        bar.rangeChanged.connect(lambda least, most: bar.setEnabled(most > least))
        margin = max(tokens.SPACE_M - bar.sizeHint().width(), 0)
        inside = boxes.column(self.tiles, (self.tabs.pages, 1), margins="s s 0 m", spacing="s", inside=page)
        inside.setContentsMargins(inside.contentsMargins() + QMargins(0, 0, margin, 0))
        for shown, title in ((self.chart, "Chart"), (self.numbers, "Numbers")):
            self.tabs.add_page(shown, title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        low = self.height() < _LOW
        self.tiles.set_low(low)
        self.chart.set_lines(1 if low else _CAPTION_LINES if self.height() >= _TALL else 2)

    def _turn_words(self) -> None:
        """Words that are folded again leave the page where it was before."""
        bar = self._area.verticalScrollBar()
        if self.chart.words.is_open:
            self._folded_at = bar.value()
            self._unfolded.start()
        else:
            bar.setValue(min(bar.value(), self._folded_at))

    def _bring_up_words(self) -> None:
        """Scroll to words that were unfolded below the edge; they begin at the top where not all have room."""
        words, page = self.chart.words, self._area.widget()
        if words.is_open and page is not None:
            top = words.mapTo(page, QPoint()).y()
            bottom = top + words.height() - self._area.viewport().height()
            bar = self._area.verticalScrollBar()
            bar.setValue(max(bar.value(), min(top, bottom + tokens.SPACE_M)))

    def _show_place(self, place: float) -> None:
        self.chart.show_place(place, self.tiles.limit.value)

    def clear(self) -> None:
        """Show nothing."""
        self.told = None
        self.chart.show_findings(None, self._draft.figure)
        self.tiles.show_findings(None)
        self.numbers.show_findings(None)

    def draw(self, findings: Findings, *, soon: bool = False) -> None:
        """Draw what was found; `soon` while more is on its way.

        Tiles, curves and caption change in one moment: while a picture of less of the same is still seen, what stands
        above it waits for the next one.
        """
        self.chart.show_findings(findings, self._draft.figure, soon=soon)
        curves = self.chart.chart
        if curves.picture is None or not curves.isVisible() or self.told is None or self.told is findings:
            self._tell(findings, soon=soon)

    def _picture_drawn(self) -> None:
        seen = self.chart.chart.seen
        if seen is not None and self.told is not None and seen.findings is not self.told:
            self._tell(seen.findings, soon=not seen.findings.complete)

    def _tell(self, findings: Findings, *, soon: bool) -> None:
        """Show it in tiles and numbers."""
        first, asked = self.told is None, None if self.told is None else self.told.experiment
        self.told = findings
        if asked != findings.experiment:
            self._area.verticalScrollBar().setValue(0)  # the answer to another question begins with which way to take
        now = self._draft.current
        self.tiles.show_findings(findings, *((None, None) if now is None else (now.place, now.enough)))
        if not soon or self.tabs.shown is self.numbers:
            self.numbers.show_findings(findings)
        if first:
            # Tiles take room that the chart had: not even for a moment does one lie on the other.
            for _ in range(3):
                QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        self.told_anew.emit()

    def set_current(self, current: bool) -> None:
        """Whether it answers the question as it stands: an old verdict is read as such, and nobody follows it."""
        self.tiles.setEnabled(current)
        self.chart.set_current(current)
        self.numbers.setEnabled(current)
