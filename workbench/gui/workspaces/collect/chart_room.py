"""The height that a chart of errors needs to be read, where a window is low or narrow."""

from __future__ import annotations

from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from workbench.gui.theme import small_font
from workbench.gui.widgets.chart import ChartView
from workbench.plots.error_curves import ErrorCurves

LEAST_CHART = 184
"""Pixels of a chart that one can read; where the window is low, the page scrolls."""


def give_room(chart: ChartView, around: QWidget, *, narrow: bool) -> None:
    """Let a chart, and what is around it, be as high as it needs.

    Where it is narrow the names of its curves stand above them, each in a line.
    """
    lines = len(chart.data.curves) if narrow and isinstance(chart.data, ErrorCurves) else 0
    for part in (chart, around):
        part.setMinimumHeight(LEAST_CHART + lines * QFontMetrics(small_font()).lineSpacing())
