"""A drawn scheme: boxes with words, and arrows between them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from workbench.evaluate.method import Approach
from workbench.evaluate.published.panel import PublishedPanel, SchemeBox
from workbench.plots.style import ChartStyle, blended, label_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PALE = 0.16
"""How much of its colour a box is filled with."""
_LINE, _EDGE = 0.6, 0.45
"""Half of a line and the edge of a box, in sizes of its letters."""
_FLAT = 3.0
"""So many times as far from the middle a slanted arrow ends at most, where it leaves a box by its side."""


_WIDE, _SMALLEST = 345.0, 0.75
"""Points across that letters of the usual size need, and how small they may become."""


def _half(box: SchemeBox, points: float) -> float:
    """Points from the middle of a box to its upper or lower edge."""
    return points * (_LINE * (box.words.count("\n") + 1) + _EDGE)


def _slant(axes: Axes, start: tuple[float, float], stop: tuple[float, float]) -> float:
    """How many times as long an arrow is as it is high: so much farther from a middle it meets an edge."""
    (left, low), (right, high) = axes.transData.transform([start, stop])
    return min(math.hypot(float(right - left), float(high - low)) / max(abs(float(high - low)), 1.0), _FLAT)


def draw_scheme(axes: Axes, style: ChartStyle, panel: PublishedPanel) -> None:
    """Draw the boxes and arrows of a panel on emptied axes."""
    colours = {
        Approach.GLOBAL: style.global_dp,
        Approach.ANONYMISED: style.anonymised,
        Approach.LOCAL: style.local_dp,
        Approach.BASELINE: style.muted,
    }
    axes.set_xscale("linear")
    axes.set_yscale("linear")
    axes.set_xlim(0.0, 1.0)
    axes.set_ylim(0.0, 1.0)
    axes.set_axis_off()
    look = label_look(style)
    figure = axes.get_figure(root=True)
    if figure is not None:  # narrow paper has smaller letters, so that no box hides another
        wide = figure.bbox.width * 72 / figure.dpi
        look["fontsize"] *= min(1.0, max(wide / _WIDE, _SMALLEST))
    for arrow in panel.arrows:
        start, stop = panel.boxes[arrow.start], panel.boxes[arrow.stop]
        begins, ends = arrow.ends or (start.across, stop.across)
        slant = _slant(axes, (begins, start.up), (ends, stop.up))
        from_start, from_stop = (slant * _half(one, look["fontsize"]) for one in (start, stop))
        axes.annotate(
            "", (ends, stop.up), (begins, start.up), zorder=1,
            arrowprops={
                "arrowstyle": "-|>", "color": style.muted, "linewidth": 1.2,
                "shrinkA": from_start, "shrinkB": from_stop,
            },
        )  # fmt: skip
        if arrow.words:
            axes.text(
                (begins + ends) / 2 if arrow.beside is None else arrow.beside, (start.up + stop.up) / 2, arrow.words,
                ha="center", va="center",
                color=style.muted, fontsize=look["fontsize"], fontfamily=look["fontfamily"], zorder=2,
                bbox={"facecolor": style.ground, "edgecolor": "none", "pad": 1.5},
            )  # fmt: skip
    for box in panel.boxes:
        colour = colours[box.approach]
        if box.heading:
            axes.text(
                box.across, box.up, box.words, ha="center", va="center", color=style.text, zorder=3,
                fontsize=look["fontsize"], fontfamily=look["fontfamily"], fontweight="bold",
            )  # fmt: skip
            continue
        axes.text(
            box.across, box.up, box.words, ha="center", va="center", color=style.text, zorder=3,
            fontsize=look["fontsize"], fontfamily=look["fontfamily"],
            bbox={
                "boxstyle": "round,pad=0.45", "facecolor": blended(style.ground, colour, _PALE), "edgecolor": colour,
                "linewidth": 1.2,
            },
        )  # fmt: skip
