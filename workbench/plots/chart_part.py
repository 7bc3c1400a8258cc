"""A part of a chart, shown larger or without some of its series; what was changed is undone before the next one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from workbench.core.number_text import rounded
from workbench.plots.reading import NamesSeries, series_artists
from workbench.plots.style import lay_out
from workbench.plots.ticks import names_along, shortened

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

_DIM = 0.4
_TICKS = 6
_NAMED = 12
_LETTERS = 14
_DUST = 9

Undo = Callable[[], object]


@dataclass(frozen=True)
class ChartPart:
    """The part of a chart that is shown.

    Parameters
    ----------
    zoom
        Left, right, bottom and top of what is shown, as shares of the whole axes; None shows all of it.
    hidden
        Names of series that are left out.
    """

    zoom: tuple[float, float, float, float] | None = None
    hidden: frozenset[str] = frozenset()


def show_part(figure: Figure, chart: object, part: ChartPart) -> list[Undo]:
    """Set the limits, and leave series out, before the chart is arranged; what undoes it is returned."""
    undo: list[Undo] = []
    for name, drawn in series_artists(figure, chart).items():
        if name in part.hidden:
            for artist in drawn:
                undo.append(partial(artist.set_visible, artist.get_visible()))
                artist.set_visible(False)
    if part.zoom is None:
        return undo
    left, right, bottom, top = part.zoom
    for axes in figure.axes:
        if not axes.axison:
            continue
        (x0, y0), (x1, y1) = axes.get_xlim(), axes.get_ylim()
        undo.append(partial(axes.set_xlim, x0, y0, auto=axes.get_autoscalex_on()))
        undo.append(partial(axes.set_ylim, x1, y1, auto=axes.get_autoscaley_on()))
        corners = axes.transData.inverted().transform(axes.transAxes.transform([(left, bottom), (right, top)]))
        axes.set_xlim(corners[0][0], corners[1][0])
        axes.set_ylim(corners[0][1], corners[1][1])
    return undo


def tick_part(figure: Figure, part: ChartPart) -> list[Undo]:
    """Give a part that is shown larger ticks of its own, after it was arranged; what undoes it is returned."""
    undo: list[Undo] = []
    if part.zoom is not None:
        for axes in figure.axes:
            if axes.axison:
                undo += [*_tick(axes.xaxis, axes.get_xlim()), *_tick(axes.yaxis, axes.get_ylim())]
                lay_out(axes)
    return undo


def dim_hidden(figure: Figure, chart: object, part: ChartPart) -> None:
    """Let the names of series that are left out stand back: they can be clicked to have them again."""
    if isinstance(chart, NamesSeries):
        for name, words, _ in chart.named_series():
            words.set_alpha(_DIM if name in part.hidden else None)
        return
    for axes in figure.axes:
        legend = axes.get_legend()
        for words in () if legend is None else legend.get_texts():
            words.set_alpha(_DIM if words.get_text() in part.hidden else None)


def _tick(axis: Axis, limits: tuple[float, float]) -> list[Undo]:
    from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter, LogLocator, MaxNLocator

    locator, formatter = axis.get_major_locator(), axis.get_major_formatter()
    undo: list[Undo] = [partial(axis.set_major_locator, locator), partial(axis.set_major_formatter, formatter)]
    low, high = sorted(limits)
    names = names_along(axis)
    if names:
        seen = [place for place in range(len(names)) if low <= place <= high]
        shown = seen[:: max(1, math.ceil(len(seen) / _NAMED))]
        axis.set_major_locator(FixedLocator(shown))
        axis.set_major_formatter(FixedFormatter([shortened(names[place], _LETTERS) for place in shown]))
        return undo
    if not len(axis.get_majorticklocs()):
        return []
    if axis.get_scale() == "log" and low > 0 and high / low > 10:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    else:
        axis.set_major_locator(MaxNLocator(_TICKS))
    # A locator computes its places, and 0.30000000000000004 is no tick.
    axis.set_major_formatter(FuncFormatter(lambda value, place=None: formatter(rounded(value, _DUST), place)))
    return undo
