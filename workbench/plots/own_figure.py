"""A chart as a matplotlib figure of its own, for notebooks and scripts: without pyplot, and with its caption."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.figure import Figure
from matplotlib.text import Text

from workbench.io.protected_files import refuse_picture
from workbench.plots.render import described, drawing_alone, without_missing_glyphs, write_below
from workbench.plots.style import ChartKind, ChartStyle, Data


class ChartFigure(Figure):
    """A figure that knows its caption, shows itself in notebooks and keeps the caption in the files it is saved to.

    Attributes
    ----------
    caption
        What stands below the chart.
    """

    caption: str = ""

    def savefig(self, fname: Any, **how: Any) -> None:
        """Save it as `Figure.savefig` does, with its caption as the description of the file; not over what was read.

        Raises
        ------
        WorkbenchError
            If the file is one that was read here, such as the data, or is protected otherwise.
        """
        if isinstance(fname, str | os.PathLike):
            fname = Path(fname)
            if not how.get("format") and not fname.suffix:  # matplotlib would add the ending later
                fname = fname.with_name(f"{fname.name.rstrip('.')}.{self.canvas.get_default_filetype()}")
            refuse_picture(fname)
        ending = str(how.get("format") or str(fname).rpartition(".")[2])
        how.setdefault("metadata", described(ending.lower(), self.caption))
        super().savefig(fname, **how)

    def _repr_png_(self) -> bytes:
        drawn = io.BytesIO()
        with drawing_alone(), without_missing_glyphs():
            self.savefig(drawn, format="png", dpi=self.dpi)
        return drawn.getvalue()


def figure_of(
    kind: ChartKind[Data],
    data: Data,
    caption: str,
    size: tuple[float, float] = (7.0, 4.2),
    style: ChartStyle | None = None,
) -> ChartFigure:
    """Draw a chart on a figure that belongs to whoever asked for it. No state of pyplot is touched.

    Parameters
    ----------
    kind, data
        What to draw.
    caption
        What must be known to read it; written below, for which the figure grows.
    size
        Width and height of the chart in inches.
    style
        By default black on white.
    """
    chosen = style or ChartStyle()
    # How texts are read is set for all of matplotlib while a chart is drawn; in a notebook it is as it was afterwards.
    with drawing_alone(), without_missing_glyphs(), matplotlib.rc_context():
        figure = ChartFigure(figsize=size, dpi=chosen.dpi)
        chart = kind.build(figure, data, chosen)
        if caption:
            write_below(figure, caption, chosen)
            figure.caption = caption
        chart.arrange()
        for words in figure.findobj(Text):
            if isinstance(words, Text):
                words.set_parse_math(False)
    return figure
