"""One private number on a line, with the interval in which the true one lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.number_text import file_text, within_margin
from workbench.core.unit_words import in_unit
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, name_axes, thousands
from workbench.plots.ticks import fewer_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROOM = 0.18


@dataclass(frozen=True)
class AnswerInterval:
    """An answer.

    Parameters
    ----------
    value, low, high
        The number, and between what the table's own lies with at least 95 %.
    shown
        The number as it is written.
    unit
        Of all three.
    limited
        Which values it is about, such as "values limited to 0…100"; "" where all count as they are.
    value_of
        Whose value it comes near to.
    """

    value: float
    low: float
    high: float
    shown: str
    unit: str = ""
    limited: str = ""
    value_of: str = "the table's value"


class AnswerIntervalChart(AxesChart[AnswerInterval]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        (self.bar,) = axes.plot([], [], color=style.global_dp, linewidth=8, alpha=0.35, solid_capstyle="butt")
        (self.ends,) = axes.plot([], [], "|", color=style.global_dp, markersize=20, markeredgewidth=2)
        (self.point,) = axes.plot(
            [], [], "o", color=style.global_dp, markersize=11, markeredgecolor=style.ground, markeredgewidth=2
        )
        look = label_look(style) | {"ha": "center", "color": style.text, "textcoords": "offset points"}
        # As close to the bar as its ends allow, so that a low window has room for them.
        self.words = axes.annotate("", (0, 0), (0, 10), va="bottom", **(look | {"fontweight": "bold"}))
        self.side_words = [axes.annotate("", (0, 0), (0, -11), va="top", **look) for _ in range(2)]
        for words in (self.words, *self.side_words):
            words.set_in_layout(False)

    def update(self, data: AnswerInterval) -> None:
        self.data = data
        axes = self.axes
        self.bar.set_data([data.low, data.high], [0, 0])
        self.ends.set_data([data.low, data.high], [0, 0])
        self.point.set_data([data.value], [0])
        self.words.xy = (data.value, 0)
        self.words.set_text(data.shown)
        _, *ends = within_margin(data.value, data.low, data.high)
        for words, place, said in zip(self.side_words, (data.low, data.high), ends, strict=True):
            words.xy = (place, 0)
            words.set_text(in_unit(said, data.unit))
        least, most = min(data.low, data.value), max(data.high, data.value)
        room = max(_ROOM * (most - least), 1e-9 * max(abs(most), 1.0), 1e-12)
        axes.set_xlim(least - room, most + room)
        axes.set_ylim(-1, 1)
        said = f"Of {data.limited}" if data.limited else f"{data.value_of[0].upper()}{data.value_of[1:]}"
        name_axes(axes, self.style, data.unit, f"{said}: interval of 95 % confidence")

    def arrange(self) -> None:
        """Take as many ticks as have room."""
        fewer_ticks(self.axes)


def build(figure: Figure, data: AnswerInterval, style: ChartStyle) -> AnswerIntervalChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes = fresh_axes(figure, style)
    axes.grid(False)
    axes.grid(True, axis="x", color=style.grid, linewidth=0.8)
    axes.yaxis.set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    axes.xaxis.set_major_formatter(FuncFormatter(thousands))
    return AnswerIntervalChart(axes, style).showing(data)


def describe(data: AnswerInterval) -> str:
    _, low, high = within_margin(data.value, data.low, data.high)
    of = f"of {data.limited}, " if data.limited else ""
    holds = "of intervals made this way, at least 95 % contain it"
    between = f"{low} and {high} {data.unit}".rstrip()
    return f"{data.shown}; {of}{data.value_of} lies between {between}: {holds}."


def rows(data: AnswerInterval) -> list[tuple[str, ...]]:
    return [
        ("value", "at least", "at most"),
        (file_text(data.value, 15), file_text(data.low, 15), file_text(data.high, 15)),
    ]
