"""One side of a published figure: its charts and tables, one at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QWidget

from workbench.evaluate.published.panel import PublishedPanel
from workbench.gui import tokens
from workbench.gui.document import Document
from workbench.gui.widgets import boxes
from workbench.gui.widgets.chart import ChartView
from workbench.gui.widgets.eliding_combo import ElidingComboBox
from workbench.gui.widgets.heat_table import HeatTable
from workbench.gui.widgets.labels import label
from workbench.plots import published_panel
from workbench.plots.published_panel import PanelData

_NUMBER = re.compile(r"[-−]?\d+([./]\d+)?(e[-+]?\d+)?")
_TOGETHER = re.compile(r"(?<=\d) ± |± | %| [=≈×] |(?<=\d) ln |(?<= )ln (?=\d)|\|[^|\n]+\|")
_LEAST, _HIGHER, _MANY = 260, 300, 6
"""High enough for a chart with its names; more than so many curves or names take more. A lower window scrolls."""
_LEAST_WIDE = 320
"""How wide a side stays beside one that needs more than half."""
_FEW, _LESS = 3, 40
"""A chart of so few curves is so much lower in a low window."""


def _runs(panel: PublishedPanel) -> int:
    """How many curves it has that are no formula."""
    return sum(not one.formula for one in panel.curves)


def _numbers(cells: Sequence[str]) -> bool:
    """Whether a column of a table holds numbers, amounts or fractions, of which some may be missing."""
    written = [cell.strip("$% ").replace(",", "") for cell in cells if cell not in {"", "–"}]
    return bool(written) and all(_NUMBER.fullmatch(cell) for cell in written)


class SideView(QWidget):
    """Shows the panels of a side; which one is chosen where there are several.

    Parameters
    ----------
    name
        Which side it is.

    Signals
    -------
    fitted()
        Rows of its table have another height.
    """

    fitted = Signal()

    def __init__(self, name: str, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._panels: tuple[PanelData, ...] = ()
        self._names, self._rows = 0, 0
        self.wanted = _LEAST
        """How high it should be at least, unless somebody wants it smaller."""
        self.choice = ElidingComboBox(f"{name}: which chart or table")
        self.choice.activated.connect(self._show)
        self.title = label(name, strong=True)
        self.chart = ChartView(name, published_panel, document.runner)
        self.chart.noted.connect(document.noted)
        self.chart.set_empty_text(f"{name}: run to see it.")
        self.table = HeatTable(f"{name}, as a table")
        self.table.verticalHeader().sectionResized.connect(lambda *_: self.fitted.emit())
        self.pages = QStackedWidget()
        for view in (self.chart, self.table):
            self.pages.addWidget(view)
        boxes.column(self.title, self.choice, (self.pages, 1), spacing="xs", inside=self)
        self.show_panels(())

    @property
    def shown(self) -> PanelData | None:
        """Panel that is seen."""
        row = self.choice.currentIndex()
        return self._panels[row] if 0 <= row < len(self._panels) else None

    @property
    def needed_width(self) -> int:
        """How wide a table is where nothing is cut and nothing wraps; 0 of a chart."""
        return self.table.wanted_width if self.shown is not None and self.shown.panel.rows else 0

    def set_name(self, name: str) -> None:
        """Call it otherwise: of what nobody published there is a left and a right side."""
        self._name = name
        self.chart.set_empty_text(f"{name}: run to see it.")

    def show_panels(self, panels: Sequence[PanelData]) -> None:
        """Show these; the one that was chosen stays."""
        self._panels = tuple(panels)
        titles = [one.panel.title for one in panels] or [self._name]
        if [self.choice.itemText(row) for row in range(self.choice.count())] != titles:
            row = max(self.choice.currentIndex(), 0)
            self.choice.clear()
            self.choice.addItems(titles)
            self.choice.setCurrentIndex(min(row, len(titles) - 1))
        self.choice.setVisible(len(titles) > 1)
        self.title.setText(titles[0])
        self.title.setVisible(len(titles) == 1)
        self._show()

    def fit(self, *, low: bool = False) -> None:
        """As high at least as what is shown needs: a chart with many names more, a table its rows, and no more.

        In a low window a chart of few curves is lower, so that what is said of it is in sight.
        """
        data = self.shown
        # As high as a choice, so that both sides begin at the same height.
        self.title.setMinimumHeight(self.choice.sizeHint().height())
        if self.tabular:
            head, rows = self.choice.sizeHint().height(), self.table.verticalHeader()
            # As high as it will be: what stands below stays where it is when the table comes.
            length = max(rows.length() if data else 0, self._rows * rows.defaultSectionSize())
            self.wanted = min(head + tokens.CONTROL_HEIGHT + length + 3 * tokens.SPACE_S, _HIGHER)
            if not self._rows:  # there is a chart beside it
                self.wanted = max(self.wanted, _LEAST - (_LESS if low else 0))
            # It ends where its rows do.
            self.table.setMaximumHeight(self.table.horizontalHeader().height() + rows.length() + tokens.SPACE_S)
            return
        panel = None if data is None else data.panel
        many = panel is not None and (
            (len(panel.labels) > _MANY if panel.named else _runs(panel) > _MANY) or len(panel.curves) > panel.apart > 0
        )
        # Nothing moves when what is expected comes.
        few = self._names <= _FEW if panel is None else _runs(panel) <= _FEW and not (panel.boxes or panel.named)
        self.wanted = (_HIGHER if many or self._names > _MANY else _LEAST) - (_LESS if low and few and not many else 0)

    def expect(self, names: int, rows: int = 0) -> None:
        """How many curves or bars there will be, or rows on both sides, so that nothing moves when they come."""
        self._names, self._rows = names, rows

    @property
    def tabular(self) -> bool:
        """Whether a table is shown, or will be and nothing but tables."""
        return self._rows > 0 if self.shown is None else bool(self.shown.panel.rows)

    def _show(self, _row: int = 0) -> None:
        data = self.shown
        if data is None or not data.panel.rows:
            self.pages.setCurrentWidget(self.chart)
            # Nothing of it is there yet: axes without anything would look like a result.
            bare = data is not None and not data.panel.boxes and not any(one.places for one in data.panel.curves)
            wanted = None if bare else data
            if wanted is None or wanted != self.chart.data:  # what is there already is not drawn anew
                self.chart.set_data(wanted)
            return
        self.pages.setCurrentWidget(self.table)
        heading, *rows = data.panel.rows
        self.table.show_rows(heading, rows, numbers=[_numbers(cells) for cells in zip(*rows, strict=True)])


def share_width(row: QBoxLayout, left: SideView, right: SideView, wide: int) -> None:
    """Make both equally wide, unless one is a table that needs more than half and the other has that to spare."""
    room = wide - row.spacing()
    half, most = room // 2, room - _LEAST_WIDE
    needs = [one.needed_width for one in (left, right)]
    first = half
    if needs[0] > half > needs[1]:
        first = max(half, min(needs[0], room - needs[1], most))
    elif needs[1] > half > needs[0]:
        first = min(half, max(room - needs[1], needs[0], room - most))
    row.setStretch(0, first)
    row.setStretch(1, room - first)


def unbroken(words: str) -> str:
    """The same with no line break around ±, =, ≈ and ×, before %, within a logarithm and between bars."""
    joined = re.sub(r"\|([^|\n]+)\|", "|\N{WORD JOINER}\\1\N{WORD JOINER}|", words)
    return _TOGETHER.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), joined)
