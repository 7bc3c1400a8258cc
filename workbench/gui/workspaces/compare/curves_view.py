"""The chart of a comparison: says values under the pointer, and keeps up with results that come quickly."""

from __future__ import annotations

import math
from dataclasses import replace

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from workbench.evaluate.error_series import Point
from workbench.gui import tokens
from workbench.gui.runner import Runner
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.chart_files import ask_picture
from workbench.gui.workspaces.compare.place_marks import PlaceMarks
from workbench.plots import comparison
from workbench.plots.comparison import ComparisonData
from workbench.plots.comparison_data import picture_stem
from workbench.plots.comparison_look import print_style

_LEAST = 184
"""Pixels of a chart that one can read: half of them are axes and names. Where there are fewer, the page scrolls."""
_AMPLE = 360
"""Pixels from which on a chart is no better to read."""


class CurvesView(ChartView):
    """A `ChartView` of a `ComparisonData`."""

    def __init__(self, name: str, runner: Runner, parent: QWidget | None = None) -> None:
        super().__init__(name, comparison, runner, parent)
        self._drawing, self._below = False, 0
        self._next: ComparisonData | None = None
        self._given: tuple[ComparisonData | None, ComparisonData | None] = (None, None)
        self.seen: ComparisonData | None = None
        """What the picture is of, or, while there is none, what it will be of: what is said beside it is about that."""
        self.marks = PlaceMarks()
        self.drawn.connect(self._go_on)

    def show_comparison(self, data: ComparisonData | None, *, soon: bool = False) -> None:
        """Draw this.

        Parameters
        ----------
        soon
            Wait until the picture before it is drawn: results that come faster than they are drawn must not keep each
            other from being seen.
        """
        other = data is None or self.seen is None or data.findings.experiment != self.seen.findings.experiment
        if soon and self._drawing and self.isVisible() and not other:
            self._next = data
            return
        self._next = None
        self._drawing = data is not None and self.isVisible()
        if other or not self.isVisible():
            self.drop_picture()  # nobody takes curves of another experiment for those of this one
        drawn = data
        if data is not None and not data.findings.complete:
            # Where curves cross can only be said when no point is missing between them.
            drawn = replace(data, settings=replace(data.settings, crossings=False))
        self._given = drawn, data
        if self.picture is None:
            self._see(data)
        self.set_data(drawn)

    def _see(self, data: ComparisonData | None) -> None:
        self.seen = data
        if data is not None:
            self.set_caption(data)

    @property
    def taken(self) -> ComparisonData | None:
        """What the picture is of, and not yet what is still being drawn."""
        taken: ComparisonData | None = self.data if self.picture is None else self.pictured
        return taken

    @property
    def leaving(self) -> ComparisonData | None:
        """The same with the place of the tiles and the line of what is good enough, which are only painted here."""
        if self.taken is None:
            return None
        place = self.marks.place if math.isfinite(self.marks.place) else self.taken.place
        return replace(self.taken, place=place, enough=self.marks.enough, leaves=True)

    @property
    def file_stem(self) -> str:
        """What was asked, and of which file."""
        data = self.taken
        return super().file_stem if data is None else comparison.file_stem(data)

    @property
    def picture_stem(self) -> str:
        """The same with the ε at which the picture that leaves compares the ways."""
        data = self.leaving
        return super().file_stem if data is None else picture_stem(data)

    def choose_file(self) -> None:
        path = ask_picture(self, self.picture_stem)
        if path is not None:
            self.save(path)

    def set_caption(self, data: ComparisonData) -> None:
        """Let this be said below the picture that leaves, which is not drawn again."""
        settings = data.settings
        said = comparison.caption(data) if settings.caption else None
        words = ("", "") if said is None else (said.printed(details=settings.details), str(said))
        self.set_print((settings.width, settings.height), print_style(settings), *words)

    def mark(self, place: float, enough: float | None) -> None:
        """Mark the place that the ways are compared at, and which error is good enough if somebody typed one."""
        self.marks.place, self.marks.enough = place, enough
        self.update()

    def paint_marks(self, painter: QPainter) -> None:
        if isinstance(self.pictured, ComparisonData):
            self.marks.paint(painter, self.pointer.reading, self.pictured)

    def leave_below(self, height: int) -> None:
        """How high that is what is said below, in pixels."""
        self._below = height

    def fit(self, room: int) -> None:
        """End within so many pixels, if it can, with what is said below; higher where there is more room."""
        height = max(_LEAST, min(_AMPLE, room - self._below - tokens.SPACE_XS - tokens.SPACE_M))
        if height != self.minimumHeight():
            self.setMinimumHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight() or super().sizeHint().height())

    def _go_on(self) -> None:
        self._drawing = False
        drawn, data = self._given
        if drawn is self.pictured:
            self._see(data)
        following, self._next = self._next, None
        if following is not None:
            self.show_comparison(following)

    def hideEvent(self, event: QEvent) -> None:
        super().hideEvent(event)
        self._drawing = False
        following, self._next = self._next, None
        if following is not None:
            self.show_comparison(following)  # drawn when it is seen again

    @property
    def pointed(self) -> Point | None:
        """The point of a curve that is pointed at, looked up among those of the picture."""
        read = self.pointer.point
        return None if read is None or self.data is None else comparison.point_at(read.series, read.place, self.data)
