"""The distribution of one column's values: a histogram and the most frequent ones."""

from __future__ import annotations

import math
from datetime import datetime, timedelta

import numpy as np
from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.core.column_facts import ColumnFacts
from workbench.core.number_text import estimate, rounded, typed
from workbench.core.schema import ColumnSpec, Kind
from workbench.gui import tokens
from workbench.gui.theme import colour, tabular_font
from workbench.gui.widgets import boxes
from workbench.gui.widgets.elided_label import ElidedLabel
from workbench.gui.widgets.labels import label
from workbench.gui.widgets.sparkline import Sparkline

_LISTED = 6
_GROUPED_FROM = 10_000


class Histogram(Sparkline):
    """A sparkline as wide as there is room."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(tokens.SPARK_WIDTH, 3 * tokens.SPARK_HEIGHT)


class FrequentValues(QWidget):
    """The most frequent values with bars and counts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: tuple[tuple[str, int], ...] = ()
        self.setFont(tabular_font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_values(self, values: tuple[tuple[str, int], ...]) -> None:
        """Show values with their rows, most frequent first."""
        self._values = values[:_LISTED]
        words = "; ".join(f"{value}: {count:,}" for value, count in self._values)
        self.setAccessibleName(f"Most frequent values: {words}")
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(2 * tokens.SPARK_WIDTH, _LISTED * tokens.SPARK_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._values:
            return
        painter = QPainter(self)
        metrics = self.fontMetrics()
        counts = [f"{count:,}" for _, count in self._values]
        right = max(metrics.horizontalAdvance(text) for text in counts) + tokens.SPACE_S
        most = max(count for _, count in self._values)
        bar_width = self.width() - right
        ground, text_colour, muted = colour("selection"), colour("text"), colour("muted")
        for row, ((value, count), text) in enumerate(zip(self._values, counts, strict=True)):
            line = QRect(0, row * tokens.SPARK_HEIGHT, self.width(), tokens.SPARK_HEIGHT)
            bar = QRectF(line.left(), line.top() + 1, max(1.0, bar_width * count / most), line.height() - 2)
            painter.fillRect(bar, ground)
            inside = QRect(line.left() + tokens.SPACE_XS, line.top(), bar_width - tokens.SPACE_S, line.height())
            painter.setPen(text_colour)
            middle = Qt.AlignmentFlag.AlignVCenter
            shown = metrics.elidedText(value, Qt.TextElideMode.ElideRight, inside.width())
            painter.drawText(inside, middle | Qt.AlignmentFlag.AlignLeft, shown)
            painter.setPen(muted)
            painter.drawText(line, middle | Qt.AlignmentFlag.AlignRight, text)
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self.update()
        super().changeEvent(event)


class Distribution(QWidget):
    """Histogram with the ends of its axis, the most frequent values, and what they are called."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.histogram = Histogram()
        self.frequent = FrequentValues()
        self._least = ElidedLabel()
        self._greatest = label(small=True, muted=True)
        for end in (self._least, self._greatest):
            end.setProperty("small", "true")
            end.setProperty("muted", "true")
            end.setFont(tabular_font())
        boxes.column(
            label("Distribution", strong=True),
            self.histogram,
            boxes.row((self._least, 1), self._greatest),
            boxes.Gap("s"),
            label("Most frequent", small=True, muted=True),
            self.frequent,
            spacing="xs",
            inside=self,
        )

    def show_column(self, spec: ColumnSpec, facts: ColumnFacts | None) -> None:
        """Show a column's counts, or nothing while they are being made."""
        if facts is None:
            self.histogram.set_counts(np.zeros(0, dtype=np.int64))
            self.frequent.show_values(())
            self._least.set_text("Counting…")
            self._greatest.setText("")
            return
        if facts.along_axis and facts.bars.size:
            # 1985 is more likely a year than an amount.
            grouped = max(abs(facts.least), abs(facts.greatest)) >= _GROUPED_FROM
            low, high = (axis_text(end, spec, grouped=grouped) for end in (facts.least, facts.greatest))
            summary = f"Rows from {low} to {high}, in bars of equal width"
            self._least.set_text(low)
            self._greatest.setText(high if high != low else "")
        elif facts.bars.size:
            summary = "Rows of the most frequent values, falling"
            more = facts.distinct - len(facts.bars)
            self._least.set_text(
                f"the {len(facts.bars)} most frequent of {facts.distinct:,} values"
                if more > 0
                else f"all {facts.distinct:,} values, most frequent first"
            )
            self._greatest.setText("")
        else:
            summary = "Nothing to draw"
            self._least.set_text("No value reads as this kind" if facts.distinct else "No values")
            self._greatest.setText("")
        self.histogram.set_counts(facts.bars, summary)
        self.frequent.show_values(facts.frequent)


def axis_text(number: float, spec: ColumnSpec, *, grouped: bool = True) -> str:
    """An end of the axis roughly as the column writes it; `grouped` separates thousands."""
    if not math.isfinite(number):
        return ""
    if spec.kind.temporal:
        # Days since 1970 for dates, seconds for points in time.
        day = spec.kind is Kind.DATE
        try:
            moment = datetime(1970, 1, 1) + (timedelta(days=number) if day else timedelta(seconds=number))
        except OverflowError:  # counted while it was a number, and about to be counted anew
            return ""
        return moment.isoformat(" ", "minutes")[: 10 if day else None]
    text = estimate(number, 6) if grouped else typed(rounded(number, 6))
    if spec.format.symbol == "%":
        return f"{text} %"
    return f"{spec.format.symbol}{text}"
