"""The matrix of a channel as a heat map, with the fractions in the cells while there are few enough."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.bin_names import bin_name
from workbench.core.number_text import estimate, file_text
from workbench.plots.style import AxesChart, ChartStyle, blended, clearest, fresh_axes, installed_families, lay_out
from workbench.plots.ticks import csv_cell, name_places, shortened

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_FRACTIONS = 14
_LETTERS = 14
_DIGITS = 5
_LEAST, LARGEST = 5.0, 7.0
"""Inches of a picture, which has a caption below it."""
_SHADES = 64
_APART = 10.0
"""Points between the names of outputs and what they are called."""


@dataclass(frozen=True, eq=False)
class ChannelHeat:
    """A channel, or a part of one.

    Parameters
    ----------
    inputs, outputs
        Names of rows and columns.
    table
        Probabilities, float64 of shape (inputs, outputs).
    exact
        The same as fractions, or None.
    marked
        Cells (row, column) that show the largest ratio.
    whole
        Whether inputs, and outputs that are bins, are whole numbers.
    named
        What rows and columns are called along the axes; "" where that is said elsewhere.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    table: NDArray[np.float64]
    exact: tuple[tuple[Fraction, ...], ...] | None
    marked: tuple[tuple[int, int], ...] = ()
    whole: bool = False
    named: tuple[str, str] = ("", "")

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of its picture in inches: no cell is much larger than its fraction."""
        wide, high = 1.5 + len(self.outputs), 1.2 + 0.7 * len(self.inputs)
        return min(max(wide, _LEAST), LARGEST), min(high, LARGEST)

    @property
    def written(self) -> bool:
        """Whether there is room for a number in every cell."""
        return max(len(self.inputs), len(self.outputs)) <= MOST_FRACTIONS


class ChannelHeatChart(AxesChart[ChannelHeat]):
    def update(self, data: ChannelHeat) -> None:
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.patches import Rectangle

        self.data = data
        axes, style = self.axes, self.style
        for artist in [*axes.images, *axes.texts, *axes.patches]:
            artist.remove()
        shades = LinearSegmentedColormap.from_list("probability", [style.ground, style.global_dp], N=_SHADES)
        # The root makes small probabilities visible; the numbers say how small.
        axes.imshow(np.sqrt(data.table), cmap=shades, vmin=0, vmax=1, aspect="auto", interpolation="nearest")
        if data.written:
            for row in range(len(data.inputs)):
                for column in range(len(data.outputs)):
                    shade = float(np.sqrt(data.table[row, column]))
                    axes.text(
                        column, row, cell_text(data, row, column), ha="center", va="center",
                        color=clearest(blended(style.ground, style.global_dp, shade), style),
                        fontsize=style.base_points, fontfamily=installed_families(style.families),
                        parse_math=True,
                    )  # fmt: skip
        for row, column in data.marked:
            axes.add_patch(
                Rectangle(
                    (column - 0.5, row - 0.5),
                    1,
                    1,
                    fill=False,
                    edgecolor=style.local_dp,
                    linewidth=2,
                    clip_on=False,
                    zorder=3,
                )
            )
        axes.set_xlim(-0.5, len(data.outputs) - 0.5)
        axes.set_ylim(len(data.inputs) - 0.5, -0.5)
        step = max(1, len(data.inputs) // 20)
        places = range(0, len(data.inputs), step)
        names = [bin_name(data.inputs[place], whole=data.whole) for place in places]
        axes.set_yticks(list(places), [shortened(name, _LETTERS) for name in names])

    def told_points(self) -> Iterator[tuple[str, tuple[str, str, str], tuple[float, float, float, float]]]:
        """Every cell, whether its number is written there or not."""
        data = self.data
        for row, given in enumerate(data.inputs):
            for column, told in enumerate(data.outputs):
                value = estimate(float(data.table[row, column]))
                if data.exact is not None and data.exact[row][column].denominator < 10**_DIGITS:
                    value = f"{data.exact[row][column]} = {value}"
                place = " → ".join(bin_name(name, whole=data.whole) for name in (given, told))
                yield "", (place, "", value), (column - 0.5, row - 0.5, column + 0.5, row + 0.5)

    def arrange(self) -> None:
        """Name as many outputs as have room."""
        name_places(self.axes, self.data.outputs, whole=self.data.whole)
        lay_out(self.axes)


def cell_text(data: ChannelHeat, row: int, column: int) -> str:
    """One cell: a fraction set in two lines, or a decimal number where that would be too wide."""
    if data.exact is None:
        return estimate(data.table[row, column], 3)
    value = data.exact[row][column]
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator >= 10**_DIGITS:
        return estimate(float(value), 3)
    return rf"$\dfrac{{{value.numerator}}}{{{value.denominator}}}$"


def build(figure: Figure, data: ChannelHeat, style: ChartStyle) -> ChannelHeatChart:
    axes = fresh_axes(figure, style)
    axes.grid(False)
    axes.spines["bottom"].set_visible(False)
    axes.tick_params(axis="y", labelcolor=style.text)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    # At its beginning and apart: over the middle it would read as a second line of the name there.
    axes.xaxis.labelpad = _APART
    axes.xaxis.set_label_text("", horizontalalignment="left", x=0.0)
    for axis, words in zip((axes.yaxis, axes.xaxis), data.named, strict=True):
        axis.set_label_text(words, color=style.muted, fontsize=style.small_points)
    return ChannelHeatChart(axes, style).showing(data)


def describe(data: ChannelHeat) -> str:
    return f"Probabilities of {len(data.outputs):,} outputs for each of {len(data.inputs):,} inputs."


def rows(data: ChannelHeat) -> list[tuple[str, ...]]:
    """The matrix, the heading first."""
    table: list[tuple[str, ...]] = [("", *(csv_cell(name) for name in data.outputs))]
    for place, name in enumerate(data.inputs):
        if data.exact is not None:
            cells = [str(value) for value in data.exact[place]]
        else:
            cells = [file_text(value) for value in data.table[place].tolist()]
        table.append((csv_cell(name), *cells))
    return table
