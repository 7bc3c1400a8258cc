"""Many series in one chart, told apart by colour, marker and dash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.plots.style import ChartStyle, installed_families, label_look, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Dash = str | tuple[int, tuple[int, ...]]

_HUES = (
    *("", "#B5459B", "#7A8B00", "#6A51C7", "#9A5B34", "#C0405A"),
    *("#1C8C8C", "#A87900", "#3F8F3F", "#E28FB8", "#8A7FA8", "#5C4033"),
)
"""After the colour of local protocols itself; blue stays with what a trusted curator does."""
LOOKS = len(_HUES)
"""So many series in a row have a colour and a marker of their own."""
_MARKERS = "osD^vPX<>ph*"
_MOST_ROOM = 0.45
"""However many names there are, the chart keeps about half of the paper."""

_POINTS_PER_INCH = 72.0
_GAP = 0.03
"""Of the paper, between a title and what stands beside it."""
_DASHES: tuple[Dash, ...] = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)))


@dataclass(frozen=True)
class SeriesStyle:
    """The look of one series.

    Parameters
    ----------
    hollow
        Whether its marks are outlines.
    """

    colour: str
    marker: str
    dash: Dash
    hollow: bool = False


def series_look(place: int, style: ChartStyle) -> SeriesStyle:
    """The look of the series at a place; of twelve the marker tells each, and of the next twelve that it is hollow."""
    hue, again = _HUES[place % len(_HUES)] or style.local_dp, place // len(_HUES)
    return SeriesStyle(
        readable(hue, style), _MARKERS[place % len(_MARKERS)], _DASHES[again % len(_DASHES)], bool(again % 2)
    )


def title_with_crosses(
    figure: Figure, style: ChartStyle, words: str, crosses: Sequence[tuple[str, object, float, str]]
) -> None:
    """The title of several charts, and beside it what crosses in them are: name, values, how thick, and colour."""
    from matplotlib.lines import Line2D

    for old in list(figure.legends):
        old.remove()
    look: dict[str, Any] = label_look(style)
    family = installed_families(style.families)
    title = figure.suptitle(
        words, x=0.01, ha="left", color=style.muted, fontsize=style.small_points, fontfamily=family
    )  # fmt: skip
    mark: dict[str, Any] = {"linestyle": "none", "marker": "x", "markersize": 6.5}
    if crosses:
        figure.legend(
            handles=[Line2D([], [], mew=wide, color=ink, label=name, **mark) for name, _, wide, ink in crosses],
            loc="upper left", bbox_to_anchor=(title.get_window_extent().x1 / figure.bbox.width + _GAP, 1.0),
            ncols=len(crosses), frameon=False, borderaxespad=0.1, handlelength=1.7, columnspacing=0.9,
            handletextpad=0.5, labelcolor=style.text, prop={"family": look["fontfamily"], "size": look["fontsize"]},
        )  # fmt: skip


_SMALLER = 0.85
"""Of the usual size of names, where each would have a line of its own otherwise."""


def legend_above(axes: Axes, style: ChartStyle, *, tight: bool = False, smaller: bool = False) -> float:
    """A legend above the axes in as many columns as have room.

    Parameters
    ----------
    tight
        Let little room between columns, and between marks and names; so it is where else each name had a line.
    smaller
        Write names somewhat smaller, and draw shorter marks beside them.

    Returns
    -------
    float
        Its height in points, which the padding of the title must make room for; 0 if nothing has a name.
    """
    from matplotlib.transforms import blended_transform_factory

    handles, names = axes.get_legend_handles_labels()
    figure = axes.get_figure(root=True)
    if not names or figure is None:
        return 0.0
    look: dict[str, Any] = label_look(style)
    # From the left edge of the paper, as wide as that is.
    places = blended_transform_factory(figure.transFigure, axes.transAxes)
    room, size = figure.bbox.width, look["fontsize"] * (_SMALLER if smaller else 1.0)
    for columns in range(len(names), 0, -1):
        # Read row by row, as a second chart beside it that needs fewer rows is.
        order = [number for start in range(columns) for number in range(start, len(names), columns)]
        legend = axes.legend(
            [handles[one] for one in order], [names[one] for one in order], loc="lower left", bbox_to_anchor=(0.0, 1.0),
            bbox_transform=places, ncols=columns, frameon=False, borderaxespad=0.3, labelspacing=0.35,
            handlelength=1.3 if smaller else 1.7 if tight else 2.4, columnspacing=0.9 if tight else 1.4,
            handletextpad=0.5 if tight else 0.8,
            labelcolor=style.text, prop={"family": look["fontfamily"], "size": size},
        )  # fmt: skip
        # Room for it is made by the padding of the title.
        legend.set_in_layout(False)
        if columns == 1 and not tight and len(names) > 1:
            return legend_above(axes, style, tight=True)
        if columns == 1 or legend.get_window_extent().width <= room:
            break
    height = -(-len(names) // columns) * 1.55 * style.small_points * (_SMALLER if smaller else 1.0)
    return min(height, _MOST_ROOM * figure.bbox.height / figure.dpi * _POINTS_PER_INCH)
