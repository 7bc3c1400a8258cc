"""Charts as pixels and as files, on any thread."""

from __future__ import annotations

import io
import math
import re
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Generic

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.io.atomic import atomic_write
from workbench.plots.caption import APART
from workbench.plots.chart_part import ChartPart, dim_hidden, show_part, tick_part
from workbench.plots.drawing import DrawingAlone
from workbench.plots.reading import ChartReading, read
from workbench.plots.style import POINTS_PER_INCH, Chart, ChartKind, ChartStyle, Data, installed_families

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PRINT_DPI = 200
_SMALLEST_PIXELS = 120
_SHARE = 0.96
"""How much of the width of a figure the lines of its caption take at most."""
_LETTER, _LINE = 0.56, 1.3
"""How wide a letter of a caption is on average, and how high a line, in sizes of its text."""

_drawing = DrawingAlone()


def drawing_alone() -> AbstractContextManager[object]:
    """Nobody else draws meanwhile; everything that draws without the functions of this module needs it."""
    return _drawing


def prepare(progress: Progress = SILENT) -> None:
    """Load what drawing needs, which takes a moment, before the first chart is wanted."""
    with _drawing:
        from matplotlib import font_manager
        from matplotlib.backends import backend_agg  # noqa: F401

        progress(0.8)
        font_manager.get_font_names()


@contextmanager
def without_missing_glyphs() -> Iterator[None]:
    """Letters that no font here has are drawn as boxes, without a warning that nobody could act on."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from", category=UserWarning)
        yield


@dataclass(frozen=True, eq=False)
class DrawnChart:
    """A picture of a chart, and what can be read off it.

    Parameters
    ----------
    pixels
        RGBA, uint8 of shape (height · ratio, width · ratio, 4).
    reading
        In logical pixels.
    """

    pixels: NDArray[np.uint8]
    reading: ChartReading


class ChartRenderer(Generic[Data]):
    """Draws one chart again and again, building it anew only when its style changed.

    Parameters
    ----------
    kind
        What to draw.
    """

    def __init__(self, kind: ChartKind[Data]) -> None:
        self._kind = kind
        self._style: ChartStyle | None = None
        self._chart: Chart[Data] | None = None
        self._changed: list[Callable[[], object]] = []

    def render(
        self,
        data: Data,
        style: ChartStyle,
        width: int,
        height: int,
        ratio: float = 1.0,
        progress: Progress = SILENT,
    ) -> NDArray[np.uint8]:
        """The chart as pixels.

        Parameters
        ----------
        data, style
            What to show and how it looks.
        width, height
            Size in logical pixels; small ones are drawn at the smallest size that holds a chart.
        ratio
            Device pixels per logical pixel.

        Returns
        -------
        ndarray
            RGBA, uint8 of shape (height · ratio, width · ratio, 4).

        Raises
        ------
        Cancelled
            If the progress was cancelled.
        """
        return self.draw(data, style, width, height, ratio, progress).pixels

    def draw(
        self,
        data: Data,
        style: ChartStyle,
        width: int,
        height: int,
        ratio: float = 1.0,
        progress: Progress = SILENT,
        part: ChartPart | None = None,
    ) -> DrawnChart:
        """The chart or a part of it as pixels, and what can be read off it; as `render`."""
        with _drawing:
            progress(0.0)
            from matplotlib.backends.backend_agg import FigureCanvasAgg
            from matplotlib.figure import Figure

            progress(0.3)
            while self._changed:
                self._changed.pop()()
            if self._chart is None or style != self._style:
                self._figure = Figure(dpi=style.dpi)
                self._canvas = FigureCanvasAgg(self._figure)
                self._chart = self._kind.build(self._figure, data, style)
                self._style = style
            else:
                self._chart.update(data)
            self._figure.set_dpi(style.dpi * ratio)
            size = (max(width, _SMALLEST_PIXELS) / style.dpi, max(height, _SMALLEST_PIXELS) / style.dpi)
            self._figure.set_size_inches(*size)
            self._figure.set_layout_engine("constrained", w_pad=0.08, h_pad=0.08)
            shown = part or ChartPart()
            self._changed += show_part(self._figure, self._chart, shown)
            self._chart.arrange()
            self._changed += tick_part(self._figure, shown)
            dim_hidden(self._figure, self._chart, shown)
            progress(0.6)
            # Everything has its place now; laying out once more would double the time.
            self._figure.set_layout_engine("none")
            self._canvas.draw()  # type: ignore[no-untyped-call]
            pixels = np.asarray(self._canvas.buffer_rgba()).copy()  # type: ignore[no-untyped-call]
            return DrawnChart(pixels, read(self._figure, self._chart, ratio, shown.hidden))


def save_chart(
    kind: ChartKind[Data],
    data: Data,
    path: Path,
    size: tuple[float, float] = (7.0, 4.2),
    style: ChartStyle | None = None,
    caption: str = "",
    description: str = "",
) -> None:
    """Write a chart as PNG, SVG or PDF, by the ending of `path`.

    Letters stay letters: a PDF embeds its fonts as TrueType, an SVG keeps its texts.

    Parameters
    ----------
    kind, data
        What to draw.
    path
        The file; its ending chooses the format.
    size
        Width and height in inches.
    style
        By default black on white: a picture leaves the screen.
    caption
        Written below the chart, for which the figure grows, and kept in the file as its description.
    description
        What is kept there instead, where more is to be known than stands below the chart.

    Raises
    ------
    WorkbenchError
        If the file cannot be written.
    """
    with _drawing:
        import matplotlib
        from matplotlib.figure import Figure

        chosen = style or ChartStyle()
        figure = Figure(figsize=size, dpi=chosen.dpi)
        chart = kind.build(figure, data, chosen)
        if caption:
            write_below(figure, caption, chosen)
        chart.arrange()
        drawn = io.BytesIO()
        ending = path.suffix[1:].lower() or "png"
        try:
            with matplotlib.rc_context({"pdf.fonttype": 42, "ps.fonttype": 42, "svg.fonttype": "none"}):
                figure.savefig(drawn, format=ending, dpi=_PRINT_DPI, metadata=described(ending, description or caption))
        except ValueError as error:
            raise WorkbenchError(
                f"The chart could not be written to {path.name}: {error}.",
                hint="Choose a name that ends in .png, .svg or .pdf.",
                field="path",
            ) from error
    try:
        with atomic_write(path) as file:
            file.write(drawn.getvalue())
    except WorkbenchError as error:
        raise WorkbenchError(
            f"The chart could not be written to {path.name}: {error.message}", hint=error.hint, field=error.field
        ) from error


def write_below(figure: Figure, caption: str, style: ChartStyle) -> None:
    """A caption under the chart, in lines as wide as the figure, which grows by them; notes and lists begin a line."""
    width, height = figure.get_size_inches().tolist()
    points = style.small_points
    letters = max(20, int(width * POINTS_PER_INCH / (_LETTER * points)) - 2)
    families = installed_families(style.families)
    wide, listed = _SHARE * width * POINTS_PER_INCH, re.split(rf"\n(?=• |{APART.strip()})", caption)
    lines = [line for said in listed for line in _filled(said, wide, letters, points, families)]
    room = (len(lines) + 1) * _LINE * points / POINTS_PER_INCH
    figure.set_size_inches(width, height + room)
    share = room / (height + room)
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.set(rect=(0.0, share, 1.0, 1.0 - share))  # type: ignore[call-arg]
    figure.text(
        0.01, share, "\n".join(lines), va="top", ha="left", fontsize=points, color=style.text, linespacing=_LINE,
        fontfamily=families, in_layout=False,
    )  # fmt: skip


def _filled(words: str, width: float, letters: int, points: float, families: Sequence[str]) -> list[str]:
    """The words in lines of so many points at most; a word that is longer is broken after so many letters."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(families), size=points)

    def measured(word: str) -> float:
        with without_missing_glyphs():
            return float(text_to_path.get_text_width_height_descent(word, font, ismath=False)[0])

    space, lines, taken = measured("n n") - measured("nn"), list[list[str]](), math.inf
    for word in (part for one in words.split() for part in textwrap.wrap(one, letters)):
        room = measured(word)
        if taken + space + room > width:
            lines.append([])
            taken = -space
        lines[-1].append(word)
        taken += space + room
    return [" ".join(line) for line in lines]


def described(ending: str, caption: str) -> dict[str, str] | None:
    """The caption as a file of some ending keeps it; None where it keeps none."""
    key = {"png": "Description", "svg": "Description", "pdf": "Subject"}.get(ending)
    return {key: caption} if caption and key is not None else None


def chart_svg(
    kind: ChartKind[Data], data: Data, size: tuple[float, float] = (7.0, 3.6), style: ChartStyle | None = None
) -> str:
    """A chart as SVG whose texts stay texts; the same data gives the same bytes.

    Parameters
    ----------
    kind, data
        What to draw.
    size
        Width and height in inches.
    style
        By default black on white.
    """
    with _drawing, without_missing_glyphs():
        import matplotlib
        from matplotlib.figure import Figure

        chosen = style or ChartStyle()
        figure = Figure(figsize=size, dpi=chosen.dpi)
        chart = kind.build(figure, data, chosen)
        chart.arrange()
        drawn = io.StringIO()
        with matplotlib.rc_context({"svg.hashsalt": "workbench", "svg.fonttype": "none"}):
            figure.savefig(drawn, format="svg", metadata={"Date": None, "Creator": None})
    return drawn.getvalue()


def chart_csv(kind: ChartKind[Data], data: Data) -> str:
    """The numbers behind a chart as CSV text."""
    return "".join(",".join(row) + "\n" for row in kind.rows(data))
