"""A report as PDF: pages of A4 with real text and drawn charts; the same report gives the same bytes.

The pages are laid out here and drawn by matplotlib, which draws the charts anyway: so the command line needs no
window system, the program no further package, and nothing but the content decides about a byte of the file.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from workbench import __version__
from workbench.plots.render import drawing_alone, without_missing_glyphs
from workbench.plots.style import ChartStyle, plain_texts
from workbench.report.content import Block, Bullets, Paragraph, Picture, Report, ReportHeading, ReportTable, Tone
from workbench.report.html_report import ANALYST
from workbench.report.typesetting import FAMILY, lines_of, printable, width_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 595.0, 842.0
_MARGIN, _FOOT = 56.0, 40.0
_INCH = 72.0
_BASE, _SMALL = 9.5, 8.0
_LEADING = 1.4
_HEADINGS = {1: 18.0, 2: 13.0, 3: 10.5}
_GAP = 6.0
_PICTURE = 176.0
_CELL_GAP = 10.0
_FEWEST_ROWS_BELOW_HEADING = 60.0

_TEXT, _MUTED, _RULE = "#1B1F24", "#4A5260", "#C9CED6"
_TONES = {Tone.HOLDS: ("#E8F5EF", "#00704F"), Tone.VOID: ("#FDF0E7", "#B34700"), Tone.WARNING: ("#FDF0E7", "#B34700")}


def pdf_of(report: Report) -> bytes:
    """The whole document."""
    with drawing_alone(), without_missing_glyphs():
        import matplotlib
        from matplotlib.backends.backend_pdf import PdfPages

        drawn = io.BytesIO()
        plain_texts()
        # Dates and counters that change from run to run are left out; letters stay letters.
        with matplotlib.rc_context({"pdf.fonttype": 42, "pdf.compression": 6, "axes.unicode_minus": True}):
            pages = _Pages(report)
            for block, following in zip_longest(report.blocks, report.blocks[1:]):
                pages.add(block, following)
            facts: dict[str, Any] = {
                "Title": report.title,
                "Creator": f"anonymisation workbench {__version__}",
                "CreationDate": None,
            }
            if report.analyst:
                facts["Subject"] = ANALYST
            with PdfPages(drawn, metadata=facts) as document:
                for figure in pages.finished():
                    document.savefig(figure)
    return drawn.getvalue()


@dataclass
class _Pages:
    """Pages that fill from the top; `y` is what is used of the last one, in points from its upper edge."""

    report: Report
    y: float = 0.0

    def __post_init__(self) -> None:
        self._figures: list[Figure] = []
        self._turn()
        self._lines(self.report.title, _HEADINGS[1], bold=True)
        if self.report.analyst:
            self.y += _GAP
            self._boxed(ANALYST, Tone.WARNING)
        self.y += _GAP

    def add(self, block: Block, following: Block | None = None) -> None:
        """Set a block below what is there; a heading stands on the page of what follows it."""
        match block:
            case ReportHeading(text, level):
                size = _HEADINGS[level]
                below = self._height_of(following) if isinstance(following, Picture) else _FEWEST_ROWS_BELOW_HEADING
                self._need(2.6 * size + below)
                self.y += 1.2 * size if self.y > _MARGIN else 0.0
                self._lines(text, size, bold=True)
                self.y += _GAP / 2
            case Paragraph(text, Tone.PLAIN):
                self._lines(text, _BASE)
                self.y += _GAP
            case Paragraph(text, tone):
                self._boxed(text, tone)
                self.y += _GAP
            case Bullets(items):
                for item in items:
                    self._bullet(item)
                self.y += _GAP
            case ReportTable():
                self._table(block)
                self.y += _GAP
            case Picture():
                self._picture(block)

    def finished(self) -> list[Figure]:
        """All pages, numbered."""
        for number, figure in enumerate(self._figures, start=1):
            foot = 1 - (_HEIGHT - _FOOT / 2) / _HEIGHT
            words = f"{self.report.title}  ·  {ANALYST}" if self.report.analyst else self.report.title
            self._put(figure, words, _MARGIN, foot, _SMALL, colour=_MUTED)
            counted = f"{number} / {len(self._figures)}"
            self._put(figure, counted, _WIDTH - _MARGIN, foot, _SMALL, colour=_MUTED, right=True)
        return self._figures

    def _turn(self) -> None:
        from matplotlib.figure import Figure

        self._figures.append(Figure(figsize=(_WIDTH / _INCH, _HEIGHT / _INCH), dpi=_INCH))
        self.y = _MARGIN

    def _need(self, height: float) -> None:
        if self.y + height > _HEIGHT - _MARGIN - _FOOT / 2 and self.y > _MARGIN:
            self._turn()

    def _lines(self, text: str, size: float, *, bold: bool = False, left: float = _MARGIN, colour: str = _TEXT) -> None:
        for line in lines_of(text, _WIDTH - _MARGIN - left, size, bold=bold):
            self._need(_LEADING * size)
            self._write(line, left, size, bold=bold, colour=colour)
            self.y += _LEADING * size

    def _write(
        self, line: str, x: float, size: float, *, bold: bool = False, colour: str = _TEXT, right: bool = False
    ) -> None:
        """One line whose upper edge is at `y`."""
        self._put(
            self._figures[-1], line, x, 1 - (self.y + size) / _HEIGHT, size, bold=bold, colour=colour, right=right
        )

    @staticmethod
    def _put(
        figure: Figure,
        text: str,
        x: float,
        y: float,
        size: float,
        *,
        bold: bool = False,
        colour: str = _TEXT,
        right: bool = False,
    ) -> None:
        figure.text(
            x / _WIDTH, y, text, fontsize=size, fontfamily=FAMILY, fontweight="bold" if bold else "normal",
            color=colour, ha="right" if right else "left", va="baseline", parse_math=False,
        )  # fmt: skip

    def _bullet(self, text: str) -> None:
        left = _MARGIN + 12
        self._need(_LEADING * _BASE)
        self._write("•", _MARGIN + 2, _BASE)
        self._lines(text, _BASE, left=left)
        self.y += _GAP / 4

    def _boxed(self, text: str, tone: Tone) -> None:
        from matplotlib.patches import Rectangle

        ground, edge = _TONES[tone]
        lines = lines_of(text, _WIDTH - 2 * _MARGIN - 24, _BASE, bold=True)
        height = _LEADING * _BASE * len(lines) + 12
        self._need(height)
        bottom = 1 - (self.y + height) / _HEIGHT
        figure = self._figures[-1]
        for x, width, colour in ((_MARGIN, _WIDTH - 2 * _MARGIN, ground), (_MARGIN, 4.0, edge)):
            figure.add_artist(
                Rectangle((x / _WIDTH, bottom), width / _WIDTH, height / _HEIGHT, facecolor=colour, linewidth=0)
            )
        self.y += 7
        for line in lines:
            self._write(line, _MARGIN + 14, _BASE, bold=True)
            self.y += _LEADING * _BASE
        self.y += 5

    def _table(self, grid: ReportTable) -> None:
        columns = max(len(row) for row in (grid.heads, *grid.rows)) if grid.rows else 0
        if not columns:
            return
        widths = _widths(grid, columns)
        heads = tuple(grid.heads) if any(grid.heads) else ()
        if heads:
            self._row(heads, widths, grid.figures, head=True)
        for row in grid.rows:
            if heads and self.y + self._height(row, widths) > _HEIGHT - _MARGIN - _FOOT / 2:
                self._turn()
                self._row(heads, widths, grid.figures, head=True)
            self._row(row, widths, grid.figures)

    @staticmethod
    def _height(row: Sequence[str], widths: Sequence[float]) -> float:
        lines = max(len(lines_of(cell, width, _SMALL)) for cell, width in zip(row, widths, strict=False))
        return _LEADING * _SMALL * lines + 5

    def _row(self, row: Sequence[str], widths: Sequence[float], figures: bool, *, head: bool = False) -> None:
        from matplotlib.lines import Line2D

        height = self._height(row, widths)
        self._need(height)
        top, left = self.y, _MARGIN
        for place, (cell, width) in enumerate(zip(row, widths, strict=False)):
            self.y = top + 2
            right = figures and place > 0
            for line in lines_of(cell, width, _SMALL):
                self._write(line, left + (width if right else 0), _SMALL, colour=_MUTED if head else _TEXT, right=right)
                self.y += _LEADING * _SMALL
            left += width + _CELL_GAP
        self.y = top + height
        level = 1 - self.y / _HEIGHT
        self._figures[-1].add_artist(
            Line2D(
                [_MARGIN / _WIDTH, 1 - _MARGIN / _WIDTH], [level, level], color=_RULE, linewidth=0.8 if head else 0.3
            )
        )

    @staticmethod
    def _height_of(picture: Picture) -> float:
        words = lines_of(picture.words, _WIDTH - 2 * _MARGIN, _SMALL)
        return _PICTURE + _LEADING * (_HEADINGS[3] + _SMALL * len(words)) + 2 * _GAP

    def _picture(self, picture: Picture) -> None:
        self._need(self._height_of(picture))
        self.y += _GAP
        self._lines(picture.title, _HEADINGS[3], bold=True)
        self._figures[-1].add_artist(_placed(picture, _MARGIN, _HEIGHT - self.y - _PICTURE, _WIDTH - 2 * _MARGIN))
        self.y += _PICTURE + _GAP / 2
        self._lines(picture.words, _SMALL, colour=_MUTED)
        self.y += _GAP


def _placed(picture: Picture, left: float, bottom: float, width: float) -> Any:
    """The chart as a part of a page, drawn and not copied as pixels."""
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

    style = ChartStyle(base=10, small=9, dpi=int(_INCH))
    figure = Figure(figsize=(width / _INCH, _PICTURE / _INCH), dpi=_INCH)
    picture.kind.build(figure, picture.data, style).arrange()
    figure.draw_without_rendering()
    # Everything has its place now, and goes with the figure to where it stands on the page.
    figure.set_layout_engine("none")
    figure.bbox_inches.set(Bbox.from_bounds(left / _INCH, bottom / _INCH, width / _INCH, _PICTURE / _INCH))

    class Placed(Artist):
        def draw(self, renderer: Any) -> None:
            figure.draw(renderer)

    return Placed()


def _widths(grid: ReportTable, columns: int) -> list[float]:
    """Room for each column: what its widest cell needs, and where that is too much, a fair share."""
    room = _WIDTH - 2 * _MARGIN - _CELL_GAP * (columns - 1)
    wanted = [20.0] * columns
    for row in (grid.heads, *grid.rows[:500]):
        for place, cell in enumerate(row):
            wanted[place] = max(wanted[place], width_of(printable(cell), _SMALL, False) + 2)
    if sum(wanted) <= room:
        if not grid.figures:
            return wanted
        return [wanted[0] + room - sum(wanted), *wanted[1:]]
    fair = room / columns
    narrow = sum(one for one in wanted if one <= fair)
    wide = [one for one in wanted if one > fair]
    share = (room - narrow) / sum(wide)
    return [one if one <= fair else one * share for one in wanted]
