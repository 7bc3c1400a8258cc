"""Output distributions of two neighbouring inputs, one over the other, and the band that ε allows between them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.bin_names import bin_name
from workbench.core.number_text import estimate, file_text
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, name_axes, readable
from workbench.plots.ticks import csv_cell, name_places, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BAR = 0.62
_STEEP = 300.0
_LETTERS = 28


@dataclass(frozen=True, eq=False)
class TwoOutputs:
    """Two rows of a channel.

    Parameters
    ----------
    first, second
        Names of the inputs.
    outputs
        Names of the outputs.
    p, q
        Their probabilities for the first and for the second input, float64 of shape (outputs,).
    epsilon
        The ε of the band; infinite for none.
    """

    first: str
    second: str
    outputs: tuple[str, ...]
    p: NDArray[np.float64]
    q: NDArray[np.float64]
    epsilon: float

    @property
    def steep(self) -> bool:
        """Whether the probabilities differ so much that only a logarithmic axis shows all of them."""
        both = np.concatenate([self.p, self.q])
        some = both[both > 0]
        return bool(some.max() > _STEEP * some.min())


class TwoOutputsChart(AxesChart[TwoOutputs]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        start = ([0.0], [-0.5, 0.5])
        self.band = axes.stairs(*start, fill=True, color=style.local_dp, alpha=0.16)
        self.bars = axes.stairs(*start, fill=True, color=style.global_dp, alpha=0.85)
        self.line = axes.stairs(*start, color=style.local_dp, linewidth=2.2, baseline=None)
        look = label_look(style)
        self.words = [
            axes.annotate(
                "", (0, 1), (0, 0), xycoords="axes fraction", textcoords="offset points",
                color=readable(colour, style), **look,
            )
            for colour in (style.global_dp, style.local_dp, style.local_dp)
        ]  # fmt: skip
        for words in self.words:
            words.set_in_layout(False)

    def update(self, data: TwoOutputs) -> None:
        self.data = data
        axes, count = self.axes, len(data.outputs)
        edges = np.arange(count + 1) - 0.5
        both = np.concatenate([data.p, data.q])
        smallest = float(both[both > 0].min())
        floor = smallest / 3 if data.steep else 0.0
        # Limits first: a new scale would look for its own in the bars, which begin at 0.
        axes.set_ylim(smallest / 3, 1.0)
        axes.set_yscale("log" if data.steep else "linear")
        self.bars.set_data(*_bars(data.p, floor))
        self.line.set_data(np.maximum(data.q, floor), edges, baseline=None)
        highest = float(both.max())
        if math.isinf(data.epsilon):
            self.band.set_data(np.full(count, floor), edges, baseline=floor)
        else:
            wide = math.exp(min(data.epsilon, 500.0))
            upper = np.minimum(data.q * wide, 1.0)
            lower: Any = np.maximum(data.q / wide, floor)  # declared as a number, and documented as an array as well
            self.band.set_data(np.maximum(upper, floor), edges, baseline=lower)
            highest = min(max(highest, float(upper.max())), 2.2 * highest)
        axes.set_xlim(edges[0], edges[-1])
        axes.set_ylim(floor, (4 if data.steep else 1.08) * highest)
        band = "" if math.isinf(data.epsilon) else f"shaded: within e^ε of the line, ε = {estimate(data.epsilon)}"
        texts = (
            f"filled: input {shortened(data.first, _LETTERS)}",
            f"line: input {shortened(data.second, _LETTERS)}",
            band,
        )
        height = 1.4 * self.style.small_points
        for number, (words, text) in enumerate(zip(self.words, texts, strict=True)):
            words.set_text(text)
            words.set_position((0, 8 + (2 - number) * height))
        name_axes(axes, self.style, "Output", "Probability", 14 + 3 * height)

    def told_points(self) -> Iterator[tuple[str, tuple[str, str, str], tuple[float, float, float, float]]]:
        """Both probabilities of every output as they are, also where a logarithmic axis has no place for them."""
        data, low = self.data, self.axes.get_ylim()[0]
        for given, chances in ((data.first, data.p), (data.second, data.q)):
            for place, (output, chance) in enumerate(zip(data.outputs, chances.tolist(), strict=True)):
                corners = (place - 0.5, low, place + 0.5, max(chance, low))
                words = f"output {bin_name(output)}", "probability", estimate(chance)
                yield f"input {given}", words, corners

    def arrange(self) -> None:
        """Name as many outputs as have room."""
        name_places(self.axes, self.data.outputs)


def _bars(heights: NDArray[np.float64], floor: float) -> tuple[NDArray[Any], NDArray[Any], float]:
    """Bars with gaps between them, as one staircase; few enough to be told apart get the gaps."""
    count = len(heights)
    shown = np.maximum(heights, floor)
    if count > 60:
        return shown, np.arange(count + 1) - 0.5, floor
    places = np.arange(count)
    edges: NDArray[np.float64] = np.stack([places - _BAR / 2, places + _BAR / 2], axis=1).ravel()
    steps: NDArray[np.float64] = np.full(2 * count - 1, floor)
    steps[::2] = shown
    return steps, edges, floor


def build(figure: Figure, data: TwoOutputs, style: ChartStyle) -> TwoOutputsChart:
    return TwoOutputsChart(fresh_axes(figure, style), style).showing(data)


def describe(data: TwoOutputs) -> str:
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = np.abs(np.log(data.p / data.q))
    gaps[np.isnan(gaps)] = 0.0
    at = int(gaps.argmax())
    return (
        f"Probabilities of {len(data.outputs):,} outputs for the inputs {data.first} and {data.second}; they differ "
        f"most at output {data.outputs[at]}: {estimate(data.p[at])} against {estimate(data.q[at])}."
    )


def rows(data: TwoOutputs) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("output", csv_cell(data.first), csv_cell(data.second))]
    for name, p, q in zip(data.outputs, data.p.tolist(), data.q.tolist(), strict=True):
        table.append((csv_cell(name), file_text(p), file_text(q)))
    return table
