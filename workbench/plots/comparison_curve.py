"""One curve of errors along an axis: its line, its band, its formula, and its name beside the axes."""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from workbench.evaluate.between import curve_through, drawn_between
from workbench.evaluate.error_series import ErrorSeries
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.method import Approach
from workbench.plots.style import ChartStyle, blended, installed_families, readable
from workbench.plots.ticks import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKERS = ("o", "s", "^", "D", "v", "P", "*", "<", ">", "p", "X", "h")
_DASHES: tuple[Any, ...] = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (6, 2, 2, 2)), (0, (1, 1)), (0, (8, 2, 1, 2, 1, 2)))
_HATCHES = ("", "///", "\\\\\\", "...", "|||", "---", "xxx", "+++", "ooo", "//..", "\\\\..", "||--")
BESIDE, GAP = 1.035, 0.008
"""Where names begin beside the axes, and the gap before and after the line to them, in widths of the axes."""
LETTERS = 38
_DEEPEST = 4
"""So many times below its point a bar of a logarithmic axis ends at most, in an arrow: some go on to nothing."""
_FEW = 5
"""Curves up to which bands are hatched."""


class Band(Enum):
    """The kind of band that a curve has."""

    NONE = "none"
    BOTH = "both"
    UPWARDS = "upwards"


def band_of(series: ErrorSeries) -> Band:
    """Both ways, but for the best of several settings, of which the luckiest answers tell nothing; none of a guess."""
    if len(series.drawn) < 2 or series.approach is Approach.BASELINE:
        return Band.NONE
    return Band.BOTH if series.choice.method.candidates is None else Band.UPWARDS


class Curve:
    """The artists of one curve, used for whichever series is there."""

    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        self.axes, self.style = axes, style
        # Two, because PDF draws hatching as faint as what it lies on.
        self.fill, self.band = (PolyCollection([], linewidth=0, zorder=1.5) for _ in range(2))
        for one in (self.fill, self.band):
            axes.add_collection(one, autolim=False)
        (self.line,) = axes.plot([], [], linewidth=1.8, markersize=5.5, zorder=3)
        # Crosses, as in published figures: no dashes can be taken for them.
        # Where another setting of the way answers from there on, a kink is no surprise: its mark is open.
        (self.changes,) = axes.plot(
            [], [], linestyle="", markersize=6, markeredgewidth=1.4, markerfacecolor=style.ground, zorder=3.1
        )
        (self.theory,) = axes.plot([], [], linestyle="", marker="x", markersize=7, markeredgewidth=1.4, zorder=3.5)
        # How far chance may have moved each mean of tries.
        self.chance = LineCollection([], linewidths=1.4, zorder=2.95)
        axes.add_collection(self.chance, autolim=False)
        (self.caps,) = axes.plot([], [], linestyle="", marker="_", markersize=6, markeredgewidth=1.4, zorder=2.95)
        (self.arrows,) = axes.plot([], [], linestyle="", marker="v", markersize=4.5, markeredgewidth=0, zorder=2.95)
        self.bar_ends: list[float] = []
        """Up to where bars go, which the axis must have room for."""
        beside = axes.transAxes
        self.bars = self.chance, self.caps, self.arrows
        self.leader = axes.plot([], [], linewidth=0.7, transform=beside, clip_on=False, zorder=2)[0]
        self.leader.set_in_layout(False)
        self.label = axes.text(
            BESIDE, 0.5, "", transform=beside, va="center", ha="left", clip_on=False, fontsize=style.small_points,
            fontfamily=installed_families(style.families),
        )  # fmt: skip
        self.end = (1.0, 1.0)

    def show(
        self,
        series: ErrorSeries | None,
        colour: str,
        place: int,
        settings: FigureSettings,
        crowd: int,
        *,
        bent: bool = False,
    ) -> None:
        """Show a series, between its points as its errors are read there: `bent` as those of noise are."""
        drawn = series.drawn if series is not None else ()
        self.bar_ends = []
        lines = (self.line, *self.bars, self.changes, self.theory, self.leader)
        for artist in (self.fill, self.band, *lines, self.label):
            artist.set_visible(bool(drawn))
        if series is None or not drawn:
            return
        x, mean = (np.array([getattr(point, name) for point in drawn]) for name in ("axis_value", "mean"))
        ends = [np.array([getattr(point, name) for point in drawn]) for name in ("low", "high")]
        if settings.log_y:
            mean = np.where(mean > 0, mean, np.nan)
            least = np.nanmin(mean) / 1000 if np.isfinite(mean).any() else 1e-12
            ends = [np.maximum(end, least) for end in ends]
        straight = settings.log_x and settings.log_y and not bent
        at = drawn_between(x.tolist(), straight=straight)
        line, low, high = (np.array(curve_through(x.tolist(), one.tolist(), at, bent=bent)) for one in (mean, *ends))
        self.line.set_data(at, line)
        self.line.set_markevery(len(at) // (len(x) - 1) if len(x) > 1 else 1)
        self.line.set_color(colour)
        self.line.set_marker(_MARKERS[place % len(_MARKERS)])
        self.line.set_linestyle(_DASHES[place % len(_DASHES)])
        self.line.set_markeredgecolor(self.style.ground)
        self.line.set_markeredgewidth(0.6)
        barred = [one for one in drawn if one.chance > 0 and one.mean > 0]
        lower = [one.mean - one.chance for one in barred]
        deepest = [one.mean / (_DEEPEST if settings.log_y else 1000) for one in barred]
        cut = [settings.log_y and low < least for low, least in zip(lower, deepest, strict=True)]
        lower = list(map(max, lower, deepest))
        bars = [
            [(one.axis_value, low), (one.axis_value, one.mean + one.chance)]
            for one, low in zip(barred, lower, strict=True)
        ]
        self.chance.set_segments(bars)
        self.bar_ends = [end for bar in bars for _, end in bar]
        across = [end for bar, short in zip(bars, cut, strict=True) for end in (bar[1:] if short else bar)]
        self.caps.set_data([at for at, _ in across], [end for _, end in across])
        arrows = [bar[0] for bar, short in zip(bars, cut, strict=True) if short]
        self.arrows.set_data([at for at, _ in arrows], [end for _, end in arrows])
        for bar in self.bars:
            bar.set_color(colour)
        changed = [point for point in series.changes if point.mean > 0 or not settings.log_y]
        self.changes.set_data([point.axis_value for point in changed], [point.mean for point in changed])
        self.changes.set_marker(_MARKERS[place % len(_MARKERS)])
        self.changes.set_markeredgecolor(colour)
        kind = band_of(series) if settings.bands else Band.NONE
        for one in (self.fill, self.band):
            one.set_visible(kind is not Band.NONE)
        if kind is not Band.NONE:
            # The mean of few large errors among many of nothing is one that most tries stay below: it is in the band.
            low, high = np.minimum(low, line), np.maximum(high, line)
            if kind is Band.UPWARDS:
                low = line  # down to nothing, on a logarithmic axis, it would say nothing
            for one in (self.fill, self.band):
                one.set_verts([np.column_stack([np.r_[at, at[::-1]], np.r_[low, high[::-1]]])])
            # Bands of many curves lie on top of each other; they must stay lighter than the curves.
            few = crowd <= _FEW
            self.band.set_hatch(_HATCHES[place % len(_HATCHES)] if few else "")
            self.fill.set_facecolor((*_channels(colour), 0.12 if few else 0.05))
            self.band.set_facecolor("none")
            self.band.set_edgecolor(blended(self.style.ground, colour, 0.3) if few else "none")
        # Where the line is the formula, nothing need stand on it.
        expected = np.array([math.nan if point.by_formula else point.theory for point in drawn])
        self.theory.set_visible(settings.theory and bool(np.isfinite(expected).any()))
        self.theory.set_data(x, expected)
        self.theory.set_color(colour)
        self.label.set_text(shortened(series.name, LETTERS))
        self.label.set_color(readable(colour, self.style))
        self.leader.set_color(colour)
        known = np.flatnonzero(np.isfinite(mean))
        for artist in (self.label, self.leader):
            artist.set_visible(settings.labels and len(known) > 0)
        if len(known):
            self.end = (float(x[known[-1]]), float(mean[known[-1]]))


def _channels(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue
