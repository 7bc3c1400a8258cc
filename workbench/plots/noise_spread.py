"""The distribution of an answer's error, from public parameters alone."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import file_text, margin_up, shown
from workbench.core.unit_words import ROWS, in_unit
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, name_axes, readable, thousands
from workbench.plots.ticks import fewer_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

_BARS = 61
_FAR = 0.995
_PILED = 0.005
"""Chance from which answers at the end of what is possible are said to be there."""
_MANY = 100
"""Noise that takes more values than these is nearly a curve, of which no single value has such a chance."""
_BESIDE = 0.4
"""Part of the picture that the name of such a bar is kept clear of."""
_ENDS = ("smallest possible answer", "largest possible answer")


@dataclass(frozen=True, eq=False)
class NoiseSpread:
    """The distribution of the error of one value.

    Parameters
    ----------
    edges
        Edges of the bars in units of the answer, float64 of shape (bars + 1,).
    chances
        How likely each bar is, shape (bars,).
    half_width
        With at least 95 % the error is no larger.
    unit
        Of the error.
    ends
        Whether the first and the last bar with anything in it hold all answers that would lie beyond what is possible.
    step
        All errors are whole multiples of it; 0 where they are any numbers.
    where
        Of which values the half-width is, such as "wherever values lie", or before what; else "".
    """

    edges: NDArray[np.float64]
    chances: NDArray[np.float64]
    half_width: float
    unit: str = ""
    ends: tuple[bool, bool] = (False, False)
    step: float = 0.0
    where: str = ""

    @property
    def end_bars(self) -> tuple[int, int]:
        """The first and the last bar with anything in it."""
        filled = np.flatnonzero(self.chances)
        return (int(filled[0]), int(filled[-1])) if len(filled) else (0, 0)

    @property
    def shaded(self) -> float:
        """How far the half-width reaches as it is drawn: a bar around a multiple of the step is in it as a whole."""
        if not self.step:
            return self.half_width
        return (math.floor(self.half_width / self.step * (1 + 1e-9)) + 0.5) * self.step


def compute(
    errors: NDArray[np.float64],
    half_width: float,
    unit: str = "",
    chances: NDArray[np.float64] | None = None,
    step: float = 0.0,
) -> NoiseSpread:
    """Put errors into bars around 0, or from 0 where they cannot be negative.

    Parameters
    ----------
    errors
        Simulated answers less the assumed truth, of any shape; or with `chances` every error there can be.
    chances
        How likely each error is, of the same shape; None for simulated ones, which are alike.
    step
        The errors are given in whole multiples of it; 0 where they are numbers as they are.
    """
    flat = np.asarray(errors, dtype=np.float64).ravel()
    likely = np.full(len(flat), 1 / max(len(flat), 1)) if chances is None else np.asarray(chances).ravel()
    known = np.isfinite(flat)
    flat, likely = flat[known], likely[known]
    reach = max(_quantile(np.abs(flat), likely), 1.15 * half_width / (step or 1.0), 1e-9)
    whole = bool(len(flat)) and bool(np.all(flat == np.round(flat)))
    if whole:
        # Whole numbers each have a bar of their own, or as many of them as the others: else the bars would be jagged.
        wide = max(1, round(2 * reach / _BARS))
        wide += 1 - wide % 2
        bars = int(np.ceil((reach + wide / 2) / wide))
        edges: NDArray[np.float64] = (np.arange(-bars, bars + 2, dtype=np.float64) - 0.5) * wide
    else:
        edges = np.linspace(-reach, reach, _BARS + 1)
    if not np.any(flat < 0):
        edges = edges[max(int(np.searchsorted(edges, 0.0, side="right")) - 1, 0) :]
    elif not np.any(flat > 0):
        edges = edges[: int(np.searchsorted(edges, 0.0, side="right")) + 1]
    drawn, _ = np.histogram(flat, edges, weights=likely)
    found = NoiseSpread(edges * (step or 1.0), drawn, half_width, unit, step=(step or 1.0) if whole else 0.0)
    return replace(found, ends=(_piled(found, flat, likely, 0), _piled(found, flat, likely, -1)))


def _piled(found: NoiseSpread, errors: NDArray[np.float64], chances: NDArray[np.float64], side: int) -> bool:
    """Whether answers are put to the end of what is possible.

    One error there is likelier than all of the bar beside it, or than any single one of nearly a curve can be.
    """
    place = found.end_bars[side]
    inner = place - 1 if side else place + 1
    if not len(errors) or not 0 <= inner < len(found.chances):
        return False
    at_end = float(chances[errors == (errors.max() if side else errors.min())].sum())
    stands_out = float(found.chances[inner]) < at_end or len(np.unique(errors)) > _MANY
    return at_end >= _PILED and stands_out and at_end <= float(found.chances[place]) + 1e-9


def _quantile(sizes: NDArray[np.float64], chances: NDArray[np.float64]) -> float:
    """Nearly all errors are not larger."""
    if not len(sizes):
        return 0.0
    order = np.argsort(sizes)
    below = np.cumsum(chances[order])
    return float(sizes[order][min(int(np.searchsorted(below, _FAR * below[-1])), len(sizes) - 1)])


class NoiseSpreadChart(AxesChart[NoiseSpread]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self.band = axes.axvspan(-1, 1, color=style.global_dp, alpha=0.12, linewidth=0)
        self.bars = axes.stairs([1.0], [-0.5, 0.5], fill=True, color=style.global_dp, alpha=0.8)
        self.truth = axes.axvline(0, color=style.truth, linewidth=1.4)
        look = label_look(style)
        self.inside = axes.annotate(
            "", (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points",
            color=readable(style.global_dp, style), **look,
        )  # fmt: skip
        self.centre = axes.annotate(
            "truth", (0, 1), (5, -4), xycoords=("data", "axes fraction"), textcoords="offset points",
            va="top", color=style.text, **look,
        )  # fmt: skip
        # What is piled up at an end is no part of the noise, and is named where it stands.
        self.ends = [
            axes.annotate(
                words, (0, 0), (place, 0), textcoords=("axes fraction", "data"), ha=side, va="bottom",
                color=style.muted, arrowprops={"arrowstyle": "-", "color": style.muted, "linewidth": 0.8}, **look,
            )
            for words, place, side in zip(_ENDS, (0.01, 0.99), ("left", "right"), strict=True)
        ]  # fmt: skip
        for words in (self.inside, self.centre, *self.ends):
            words.set_in_layout(False)

    def update(self, data: NoiseSpread) -> None:
        self.data = data
        axes = self.axes
        self.bars.set_data(data.chances, data.edges)
        low = max(-data.shaded, float(data.edges[0]))
        self.band.set_x(low)
        self.band.set_width(data.shaded - low)
        axes.set_xlim(float(data.edges[0]), float(data.edges[-1]))
        axes.set_ylim(0, 1.12 * max(float(data.chances.max(initial=0)), 1e-9))
        for end, there, bar in zip(self.ends, data.ends, data.end_bars, strict=True):
            end.set_visible(there)
            if there:
                self._name_end(end, data, bar)
        self.inside.set_text(_words(data))
        unit = f", {data.unit}" if data.unit else ""
        wide = shown(float(data.edges[1] - data.edges[0]), None, 2)
        chance = f"Chance of each bar, {in_unit(wide, data.unit)} wide"
        name_axes(axes, self.style, f"Answer minus the truth{unit}", chance, 14 + 1.4 * self.style.small_points)

    def _name_end(self, end: Annotation, data: NoiseSpread, bar: int) -> None:
        """Have the name stand clear of the bars beside it."""
        middles = (data.edges[:-1] + data.edges[1:]) / 2
        reach = _BESIDE * float(data.edges[-1] - data.edges[0])
        high = end is self.ends[1]
        beside = middles > data.edges[-1] - reach if high else middles < data.edges[0] + reach
        end.xy = (float(middles[bar]), float(data.chances[bar]))
        top = float(data.chances[beside].max(initial=data.chances[bar]))
        end.set_position((0.99 if high else 0.01, top + 0.06 * self.axes.get_ylim()[1]))

    def arrange(self) -> None:
        """Take as many ticks as have room."""
        fewer_ticks(self.axes, whole=self.data.unit == ROWS or self.data.step == 1.0)


def build(figure: Figure, data: NoiseSpread, style: ChartStyle) -> NoiseSpreadChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

    axes = fresh_axes(figure, style)
    axes.xaxis.set_major_locator(MaxNLocator(9))
    axes.xaxis.set_major_formatter(FuncFormatter(thousands))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, symbol=" %"))
    return NoiseSpreadChart(axes, style).showing(data)


def describe(data: NoiseSpread) -> str:
    said = "".join(
        f" The {place} bar holds every answer that would be {beyond} than possible, as the {words}."
        for there, place, beyond, words in zip(data.ends, ("first", "last"), ("smaller", "larger"), _ENDS, strict=True)
        if there
    )
    return f"How far an answer lies from the truth. {_words(data)}.{said}"


def rows(data: NoiseSpread) -> list[tuple[str, ...]]:
    bars = zip(data.edges[:-1].tolist(), data.edges[1:].tolist(), data.chances.tolist(), strict=True)
    return [("from", "to", "chance"), *((file_text(a), file_text(b), file_text(chance, 6)) for a, b, chance in bars)]


def _words(data: NoiseSpread) -> str:
    half = in_unit(margin_up(data.half_width, 3), data.unit)
    return f"shaded: 95 % are off by at most {half}{f' {data.where}' if data.where else ''}"
