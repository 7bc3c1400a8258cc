"""One private number on a line, with the interval in which the true one lies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench.core.number_text import file_text, within_margin
from workbench.core.unit_words import in_unit
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, name_box, thousands
from workbench.plots.ticks import fewer_ticks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROOM = 0.18
_BUTTON = 0.4
"""Inches at the right that the button of the chart takes."""


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
    wider
        Of a mean of rows that chance drew, between what the mean of people's own means lies, the draw counted; else
        None.
    ends
        The low and the high end as they are written; None for those of a plain number.
    dated
        How numbers of an answer that is a date or a time are written; None of any other.
    """

    value: float
    low: float
    high: float
    shown: str
    unit: str = ""
    limited: str = ""
    value_of: str = "the table's value"
    wider: tuple[float, float] | None = None
    ends: tuple[str, str] | None = None
    dated: Callable[[float], str] | None = None

    @property
    def between(self) -> tuple[str, str]:
        """The ends as they are written."""
        return self.ends or within_margin(self.value, self.low, self.high)[1:]


class AnswerIntervalChart(AxesChart[AnswerInterval]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        # Below the narrower one, and lighter: it is the one to go by.
        (self.wide,) = axes.plot([], [], color=style.global_dp, linewidth=8, alpha=0.15, solid_capstyle="butt")
        (self.wide_ends,) = axes.plot([], [], "|", color=style.global_dp, markersize=14, markeredgewidth=1.5, alpha=0.6)
        (self.bar,) = axes.plot([], [], color=style.global_dp, linewidth=8, alpha=0.35, solid_capstyle="butt")
        (self.ends,) = axes.plot([], [], "|", color=style.global_dp, markersize=20, markeredgewidth=2)
        (self.point,) = axes.plot(
            [], [], "o", color=style.global_dp, markersize=11, markeredgecolor=style.ground, markeredgewidth=2
        )
        look = label_look(style) | {"ha": "center", "color": style.text, "textcoords": "offset points"}
        # As close to the bar as its ends allow, so that a low window has room for them.
        self.words = axes.annotate("", (0, 0), (0, 10), va="bottom", **(look | {"fontweight": "bold"}))
        self.side_words = [axes.annotate("", (0, 0), (0, -11), va="top", **look) for _ in range(2)]
        # Ends of two intervals may lie anywhere beside each other: in the middle both have room, whichever they are.
        self.both = axes.annotate("", (0.5, 0), (0, -11), va="top", xycoords=("axes fraction", "data"), **look)
        for words in (self.words, *self.side_words, self.both):
            words.set_in_layout(False)

    def update(self, data: AnswerInterval) -> None:
        self.data = data
        axes = self.axes
        self.bar.set_data([data.low, data.high], [0, 0])
        self.ends.set_data([data.low, data.high], [0, 0])
        self.point.set_data([data.value], [0])
        self.words.xy = (data.value, 0)
        self.words.set_text(data.shown)
        for words, place, said in zip(self.side_words, (data.low, data.high), data.between, strict=True):
            words.xy = (place, 0)
            words.set_text("" if data.wider else in_unit(said, data.unit))
        wider = data.wider or ()
        for line in (self.wide, self.wide_ends):
            line.set_data(wider, [0] * len(wider))
        self.both.set_text(" · ".join(_both_words(data)))
        least, most = min(data.low, data.value, *wider), max(data.high, data.value, *wider)
        room = max(_ROOM * (most - least), 1e-9 * max(abs(most), 1.0), 1e-12)
        axes.set_xlim(least - room, most + room)
        axes.set_ylim(-1, 1)
        name_axes(axes, self.style, data.unit, _title(data))

    def arrange(self) -> None:
        """Take as many ticks as have room, and two lines for two intervals where one is too long.

        Which values it is of is said in few words where all have no room beside the button of the chart.
        """
        title = _title(self.data)
        name_axes(self.axes, self.style, self.data.unit, title)
        lay_out(self.axes)
        box, figure = name_box(self.axes, title), self.axes.get_figure(root=True)
        if box is not None and figure is not None and box.x1 > figure.bbox.x1 - _BUTTON * figure.dpi:
            name_axes(self.axes, self.style, self.data.unit, _title(self.data, brief=True))
        fewer_ticks(self.axes, whole=self.data.dated is not None)
        parts = _both_words(self.data)
        self.both.set_text(" · ".join(parts))
        if parts and self.both.get_window_extent().width > self.axes.bbox.width:
            self.both.set_text("\n".join(parts))


def _title(data: AnswerInterval, *, brief: bool = False) -> str:
    said = f"Of {data.limited}" if data.limited else f"{data.value_of[0].upper()}{data.value_of[1:]}"
    if data.limited and brief:
        said = "Of limited and rounded values" if " and rounded to " in data.limited else "Of limited values"
    return f"{said}: interval{'s' if data.wider else ''} of 95 % confidence"


def _both_words(data: AnswerInterval) -> list[str]:
    """Each of two intervals with what it covers, as it is drawn; [] of one."""
    if data.wider is None:
        return []
    ends = (data.between, within_margin(data.value, *data.wider)[1:])
    noise, drawn = (f"{low} to {in_unit(high, data.unit)}" for low, high in ends)
    return [f"dark: {noise} for the noise", f"light: at most {drawn} with the draw of rows"]


def build(figure: Figure, data: AnswerInterval, style: ChartStyle) -> AnswerIntervalChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    class Alike(FuncFormatter):
        """Ticks with as many decimals as that which needs most."""

        def format_ticks(self, values: Iterable[float]) -> list[str]:
            said = [self(one) for one in values]
            places = max((len(one.partition(".")[2]) for one in said), default=0)
            if not places or any("e" in one for one in said):
                return said
            return [f"{one.partition('.')[0]}.{one.partition('.')[2]:0<{places}}" for one in said]

    axes = fresh_axes(figure, style)
    axes.grid(False)
    axes.grid(True, axis="x", color=style.grid, linewidth=0.8)
    axes.yaxis.set_visible(False)
    axes.xaxis.set_major_locator(MaxNLocator(6))
    chart = AnswerIntervalChart(axes, style)

    def written(value: float, _position: int | None = None) -> str:
        return thousands(value) if chart.data.dated is None else chart.data.dated(value)

    axes.xaxis.set_major_formatter(Alike(written))
    return chart.showing(data)


def describe(data: AnswerInterval) -> str:
    low, high = data.between
    of = f"of {data.limited}, " if data.limited else ""
    holds = "of intervals made this way, at least 95 % contain it"
    # “The number of people lies between 2 and 4.”
    unit = "" if data.unit and data.value_of.endswith(f" {data.unit}") else data.unit
    between = f"{low} and {high} {unit}".rstrip()
    said = f"{data.shown}; {of}{data.value_of} lies between {between}: {holds}."
    if data.wider is None:
        return said
    _, low, high = within_margin(data.value, *data.wider)
    between = f"{low} and {in_unit(high, data.unit)}"
    return f"{said} With the draw of rows counted, the mean of people's own means lies between {between}."


def rows(data: AnswerInterval) -> list[tuple[str, ...]]:
    more = ("with the draw: at least", "with the draw: at most") if data.wider else ()
    numbers = (data.value, data.low, data.high, *(data.wider or ()))
    return [("value", "at least", "at most", *more), tuple(file_text(one, 15) for one in numbers)]
