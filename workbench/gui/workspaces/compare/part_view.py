"""One figure or table of a preset: curves, bars or rows of text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.preset import PartResult
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.theme import small_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import label
from workbench.gui.workspaces.compare.curves_view import CurvesView
from workbench.plots import comparison_bars, published_panel
from workbench.plots.comparison import ComparisonData
from workbench.plots.published_panel import PanelData
from workbench.session.comparison_words import findings_words

_WORD_LINES = 5


class PartView(QWidget):
    """Shows a `PartResult`, with its note and what the curves come to below."""

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shown: PartResult | None = None
        self.curves = CurvesView("Published figure, made again", document.runner)
        self.bars = ChartView("Published histogram, made again", comparison_bars, document.runner)
        self.table = HeatTable("Published table, made again")
        self.panel = ChartView("Published figure, mended", published_panel, document.runner)
        self.pages = QStackedWidget()
        for view in (self.curves, self.bars, self.table, self.panel):
            self.pages.addWidget(view)
        for chart in (self.curves, self.bars, self.panel):
            chart.noted.connect(document.noted)
            chart.set_empty_text("Run: the figure is drawn here, point by point.")
        self.words = label(small=True, wrap=True, selectable=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        inside = QWidget()
        inside.setProperty("bare", "true")
        boxes.column(self.words, 1, margins="0 0 s 0", inside=inside)
        scroll = QScrollArea()
        scroll.setWidget(inside)
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName("What the figure says")
        scroll.setFixedHeight(_WORD_LINES * (QFontMetrics(small_font()).lineSpacing() + tokens.SPACE_HAIR))
        boxes.column((self.pages, 1), scroll, spacing="xs", inside=self)

    def show_part(self, part: PartResult | None, *, soon: bool = False) -> None:
        """Show it; `soon` while more is on its way."""
        self.shown = part
        lines = [part.note] if part is not None and part.note else []
        if part is None:
            self.curves.show_comparison(None)
            self.bars.set_data(None)
            self.pages.setCurrentWidget(self.curves)
        elif part.findings is not None:
            self.pages.setCurrentWidget(self.curves)
            drawn = any(series.drawn for series in part.findings.series)
            data = ComparisonData(part.findings, FigureSettings()) if drawn else None
            self.curves.show_comparison(data, soon=soon)
            lines += findings_words(part.findings)
        elif part.bars is not None:
            self.pages.setCurrentWidget(self.bars)
            self.bars.set_data(part.bars)
            lines += [f"• {note}" for note in part.bars.notes]
        elif part.table is None and part.part.panel is not None:
            self.pages.setCurrentWidget(self.panel)
            self.panel.set_data(PanelData(part.part.panel))
        else:
            self.pages.setCurrentWidget(self.table)
            heading, *rows = part.table or (("",),)
            self.table.show_rows(heading, rows)
            for column in range(len(heading)):
                # A handful of rows, with headings that are sentences.
                self.table.resizeColumnToContents(column)
                self.table.setColumnWidth(column, min(self.table.columnWidth(column), 2 * tokens.FIELD_WIDTH))
        self.words.setText("\n".join(lines))
