"""The information loss of each column, and of all together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.number_text import estimate, file_text
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands
from workbench.plots.ticks import name_axis

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

_MOST = 20
_LETTERS = 22
_BAR = 0.62


@dataclass(frozen=True)
class Losses:
    """The loss of each column by itself and of all together. It is computed from true rows: analyst only.

    Parameters
    ----------
    metric
        What the loss metric is called.
    names, values
        The columns and their losses, the largest first; empty if the metric looks at whole rows only.
    overall
        The loss of the whole table.
    """

    metric: str
    names: tuple[str, ...]
    values: tuple[float, ...]
    overall: float


def compute(metric: str, losses: Mapping[str, float], overall: float) -> Losses:
    """Sort the losses; columns that lose the same keep their order."""
    order = sorted(losses, key=lambda name: -losses[name])
    return Losses(metric, tuple(order), tuple(losses[name] for name in order), overall)


class LossesChart(AxesChart[Losses]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self.line = axes.axvline(0, color=style.text, linewidth=1.2, linestyle=(0, (5, 2)))
        self.overall = axes.annotate(
            "", (0, 1), (0, 8), xycoords=("data", "axes fraction"), textcoords="offset points", ha="center",
            color=style.text, fontweight="bold", **label_look(style),
        )  # fmt: skip
        self.overall.set_in_layout(False)
        self._words: list[Annotation] = []

    def update(self, data: Losses) -> None:
        self.data = data
        axes, style = self.axes, self.style
        for container in list(axes.containers):
            container.remove()
        for words in self._words:
            words.remove()
        shown = data.values[:_MOST]
        places = range(len(shown))
        axes.barh(places, shown, _BAR, color=style.anonymised)
        self._words = [
            axes.annotate(
                estimate(value), (value, place), (5, 0), textcoords="offset points", va="center",
                color=readable(style.anonymised, style), **label_look(style),
            )
            for place, value in zip(places, shown, strict=True)
        ]  # fmt: skip
        for words in self._words:
            words.set_in_layout(False)
        axes.set_yticks(list(places), [_short(name) for name in data.names[:_MOST]])
        name_axis(axes.yaxis, data.names[:_MOST])
        axes.set_ylim(max(len(shown), 1) - 0.4, -0.6)
        highest = max([*shown, data.overall, 1e-9])
        axes.set_xlim(0, 1.0 if 0.15 < highest <= 1 else 1.25 * highest)
        self.line.set_xdata([data.overall, data.overall])
        self.overall.set_text(f"all together {estimate(data.overall)}")
        self.overall.xy = (data.overall, 1)

    def arrange(self) -> None:
        """Keep the overall loss, and the figures beside long bars, inside the paper."""
        lay_out(self.axes)
        room = self.axes.get_window_extent()
        self.overall.set_horizontalalignment("center")
        box = self.overall.get_window_extent()
        if box.x0 < room.x0:
            self.overall.set_horizontalalignment("left")
        elif box.x1 > room.x1:
            self.overall.set_horizontalalignment("right")
        ground = readable(self.style.anonymised, self.style)
        for words in self._words:
            words.set_horizontalalignment("left")
            words.set_position((5, 0))
            words.set_color(ground)
            box = words.get_window_extent()
            line = self.axes.transData.transform((self.data.overall, 0))[0]
            if box.x1 > room.x1 or box.x0 - 2 < line < box.x1 + 2:
                words.set_horizontalalignment("right")
                words.set_position((-5, 0))
                words.set_color(self.style.ground)


def build(figure: Figure, data: Losses, style: ChartStyle) -> LossesChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes = fresh_axes(figure, style)
    axes.grid(False)
    axes.grid(True, axis="x", color=style.grid, linewidth=0.8)
    axes.tick_params(axis="y", labelcolor=style.text)
    axes.xaxis.set_major_formatter(FuncFormatter(thousands))
    axes.xaxis.set_major_locator(MaxNLocator(5))
    name_axes(axes, style, f"{data.metric} (0 is nothing lost)", " ", 14)
    return LossesChart(axes, style).showing(data)


def describe(data: Losses) -> str:
    parts = [f"{name} {estimate(value)}" for name, value in zip(data.names, data.values, strict=True)]
    return f"{data.metric}: all together {estimate(data.overall)}" + (f"; {', '.join(parts)}" if parts else "")


def rows(data: Losses) -> list[tuple[str, ...]]:
    table: list[tuple[str, ...]] = [("column", "loss")]
    quoted = ('"' + name.replace('"', '""') + '"' for name in data.names)
    table += [(name, file_text(value)) for name, value in zip(quoted, data.values, strict=True)]
    return [*table, ("all together", file_text(data.overall))]


def _short(name: str) -> str:
    return name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
