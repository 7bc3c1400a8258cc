"""A drawn scheme: boxes with words, and arrows between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.evaluate.method import Approach
from workbench.evaluate.published.panel import PublishedPanel
from workbench.plots.style import ChartStyle, blended, label_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PALE = 0.16
"""How much of its colour a box is filled with."""
_SHRINK = 15.0
"""Points between an arrow and the middle of a box, above and below."""


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
    for arrow in panel.arrows:
        start, stop = panel.boxes[arrow.start], panel.boxes[arrow.stop]
        axes.annotate(
            "", (stop.across, stop.up), (start.across, start.up), zorder=1,
            arrowprops={
                "arrowstyle": "<|-|>" if arrow.both else "-|>", "color": style.muted, "linewidth": 1.2,
                "shrinkA": _SHRINK, "shrinkB": _SHRINK,
            },
        )  # fmt: skip
        if arrow.words:
            axes.text(
                (start.across + stop.across) / 2, (start.up + stop.up) / 2, arrow.words, ha="center", va="center",
                color=style.muted, fontsize=look["fontsize"], fontfamily=look["fontfamily"], zorder=2,
                bbox={"facecolor": style.ground, "edgecolor": "none", "pad": 1.5},
            )  # fmt: skip
    for box in panel.boxes:
        colour = colours[box.approach]
        axes.text(
            box.across, box.up, box.words, ha="center", va="center", color=style.text, zorder=3,
            fontsize=look["fontsize"], fontfamily=look["fontfamily"],
            bbox={
                "boxstyle": "round,pad=0.45", "facecolor": blended(style.ground, colour, _PALE), "edgecolor": colour,
                "linewidth": 1.2,
            },
        )  # fmt: skip
