"""The style of charts: plain colours and sizes, so that a window can pass its own theme."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, Self, TypeVar

from workbench.core.number_text import exact

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.transforms import Bbox

POINTS_PER_INCH = 72.0
_READABLE = 4.5

Data = TypeVar("Data")
Data_contra = TypeVar("Data_contra", contravariant=True)


@dataclass(frozen=True)
class ChartStyle:
    """Colours as `#RRGGBB`, sizes in pixels at `dpi`.

    Parameters
    ----------
    ground
        Behind the chart.
    text, muted, grid
        Labels, secondary labels and rules.
    anonymised, global_dp, local_dp, truth
        The series of the program, each with one colour everywhere.
    families
        Font families; those that are not installed are skipped.
    base, small
        Text sizes in pixels.
    dpi
        Pixels per inch the sizes refer to.
    """

    ground: str = "#FFFFFF"
    text: str = "#1B1F24"
    muted: str = "#59626E"
    grid: str = "#DDE1E7"
    anonymised: str = "#009E73"
    global_dp: str = "#0072B2"
    local_dp: str = "#D55E00"
    truth: str = "#1B1F24"
    families: tuple[str, ...] = ("DejaVu Sans",)
    base: int = 13
    small: int = 12
    dpi: int = 100

    @property
    def base_points(self) -> float:
        """Size of ordinary text in points."""
        return self.base * POINTS_PER_INCH / self.dpi

    @property
    def small_points(self) -> float:
        """Size of tick and series labels in points."""
        return self.small * POINTS_PER_INCH / self.dpi


class Chart(Protocol[Data_contra]):
    """A chart on a figure that can show other data without being built again."""

    def update(self, data: Data_contra) -> None:
        """Show other data with the artists that are there."""

    def arrange(self) -> None:
        """Put the labels where they cover nothing, for the figure's size as it now is."""


class AxesChart(ABC, Generic[Data]):
    """A chart on one set of axes, which `build` of its module makes."""

    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        self.axes = axes
        self.style = style

    def showing(self, data: Data) -> Self:
        """The chart itself, with its first data."""
        self.update(data)
        return self

    @abstractmethod
    def update(self, data: Data) -> None:
        """Show other data with the artists that are there."""

    def arrange(self) -> None:
        """Lay everything out; enough where nothing can collide."""
        lay_out(self.axes)


class ChartKind(Protocol[Data_contra]):
    """A kind of chart: how it is built, and the same in words and numbers."""

    def build(self, figure: Figure, data: Data_contra, style: ChartStyle) -> Chart[Data_contra]:
        """Draw the data on an empty figure."""

    def describe(self, data: Data_contra) -> str:
        """Description of the chart for those who cannot see it."""

    def rows(self, data: Data_contra) -> list[tuple[str, ...]]:
        """The numbers behind the chart, the heading first."""


def plain_texts() -> None:
    """Let no text that is drawn from now on be read as a formula, unless it says so itself.

    Names and values of other people hold $ signs, of which some are no formula that could be drawn at all.
    """
    import matplotlib

    matplotlib.rcParams["text.parse_math"] = False


def fresh_axes(figure: Figure, style: ChartStyle) -> Axes:
    """Empty the figure and give it one set of axes in the style of the program.

    Parameters
    ----------
    figure
        The figure; its size is kept, its layout becomes constrained so that no label is cut off.
    style
        Colours and sizes.
    """
    return axes_beside(figure, style, 1, 1)[0]


def axes_beside(figure: Figure, style: ChartStyle, number: int, across: int) -> list[Axes]:
    """Empty the figure and give it several sets of axes, so many across; otherwise as `fresh_axes`."""
    plain_texts()
    figure.clear()
    figure.set_layout_engine("constrained", w_pad=0.08, h_pad=0.08)
    figure.set_facecolor(style.ground)
    found = [figure.add_subplot(-(-number // across), across, place + 1) for place in range(number)]
    for axes in found:
        _dress(axes, style)
    return found


def _dress(axes: Axes, style: ChartStyle) -> None:
    axes.set_facecolor(style.ground)
    for name in ("top", "right", "left"):
        axes.spines[name].set_visible(False)
    axes.spines["bottom"].set_color(style.muted)
    axes.grid(True, axis="y", color=style.grid, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(
        axis="both",
        which="both",
        colors=style.muted,
        labelsize=style.small_points,
        labelcolor=style.muted,
        labelfontfamily=installed_families(style.families)[0],
        length=0,
        pad=5,
    )
    axes.tick_params(axis="x", which="major", length=3)


def name_axes(axes: Axes, style: ChartStyle, x: str, y: str, above: float = 10.0) -> None:
    """Say what the axes show, with units; `above` is the room in points between the axes and the name of y.

    The name of the y-axis stands level above it: turned text is hard to read and is cut off in low windows.
    """
    families = installed_families(style.families)
    axes.set_xlabel(x, color=style.muted, fontsize=style.small_points, fontfamily=families, labelpad=6)
    words: dict[str, Any] = {"color": style.muted, "fontsize": style.small_points, "fontfamily": families}
    axes.set_title(y, loc="left", pad=above, **words)


def name_box(axes: Axes, words: str) -> Bbox | None:
    """Where a text that stands at the axes lies, such as the name of y; None where there is none of these words."""
    from matplotlib.text import Text

    texts = (one for one in axes.get_children() if isinstance(one, Text) and one.get_text() == words)
    return next((one.get_window_extent() for one in texts), None)


def label_look(style: ChartStyle) -> dict[str, Any]:
    """How labels inside the axes are written."""
    return {
        "fontsize": style.small_points,
        "fontfamily": installed_families(style.families),
        "annotation_clip": False,
    }


def lay_out(axes: Axes) -> None:
    """Give everything its place for the figure's size as it now is, without drawing."""
    figure = axes.get_figure(root=True)
    if figure is not None:
        figure.draw_without_rendering()


def installed_families(wanted: Sequence[str]) -> list[str]:
    """Those of the wanted font families that exist here; matplotlib's own font if none does."""
    from matplotlib import font_manager

    here = set(font_manager.get_font_names())
    return [name for name in wanted if name in here] or ["DejaVu Sans"]


def thousands(value: float, _position: int | None = None) -> str:
    """A number for a tick: thousands separated, no needless zeros."""
    return exact(value)


def readable(colour: str, style: ChartStyle) -> str:
    """A colour for text: `colour`, mixed with the text colour until it stands out 4.5 : 1 from the ground."""
    ground, own, text = (_channels(name) for name in (style.ground, colour, style.text))
    for tenth in range(11):
        mixed = _mixed(own, text, tenth / 10)
        if _contrast(mixed, ground) >= _READABLE:
            break
    return _named(mixed)


def clearest(ground: str, style: ChartStyle) -> str:
    """The colour of text or of the ground of the chart, whichever stands out more from this ground."""
    on = _channels(ground)
    return max((style.text, style.ground), key=lambda colour: _contrast(_channels(colour), on))


def blended(colour: str, other: str, share: float) -> str:
    """A colour mixed with a share of another one."""
    return _named(_mixed(_channels(colour), _channels(other), share))


def _mixed(colour: list[float], other: list[float], share: float) -> list[float]:
    return [one + (two - one) * share for one, two in zip(colour, other, strict=True)]


def _named(channels: list[float]) -> str:
    return "#" + "".join(f"{round(255 * channel):02X}" for channel in channels)


def _channels(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def _contrast(first: list[float], second: list[float]) -> float:
    """Contrast after WCAG 2.2."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(channels: list[float]) -> float:
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
