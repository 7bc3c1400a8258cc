"""The chance that a group of a size is released: by trimming, and by sampling at the same (ε, δ). Needs no data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.group_survival import half_survive_sampling, kept_by_sampling, kept_by_trimming
from workbench.anonymise.sample_guarantee import Guarantee, guarantee
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, estimate, file_text
from workbench.core.progress import SILENT, Progress
from workbench.plots.placement import LabelWish, Spot, around, on_screen, place
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

_POINTS = 300
_HEADROOM = 1.15
_WORDS = {"trim": "trimming", "best": "sampling, best β", "max": "sampling, β max"}
_NAMES = tuple(_WORDS)
_ORDERS = ((0, 1, 2), (1, 0, 2), (2, 1, 0))


@dataclass(frozen=True, eq=False)
class GroupSurvival:
    """With which probability groups are released, by their size.

    Parameters
    ----------
    epsilon, delta, rows_per_person
        The promise of the whole release.
    steps
        Steps of the trimming; the curve is that of the first.
    sizes
        Rows of a group that take part, int64 of shape (points,), rising.
    kept
        The probabilities by "trim", "best" (sampling with the β that lets the rarest groups survive) and "max" (with
        the β that keeps most rows), each of shape (points,); nan where no β and k reach the promise, or it was not
        wanted.
    half
        Rows a group needs to be released at least as often as not, by the same names; None where there is none.
    always
        Rows with which trimming always releases a group.
    """

    epsilon: float
    delta: float
    rows_per_person: int
    steps: int
    sizes: NDArray[np.int64]
    kept: dict[str, NDArray[np.float64]]
    half: dict[str, int | None]
    always: int


def compute(promised: TrimGuarantee, progress: Progress = SILENT, *, sampling: bool = True) -> GroupSurvival:
    """The curves for one guarantee; takes about a tenth of a second.

    Parameters
    ----------
    sampling
        Whether with those of sampling, which nobody chose, at the same price.

    Raises
    ------
    Cancelled
        If the progress was cancelled.
    """
    progress(0.0)
    sampled: dict[str, Guarantee | None] = {"best": _sampling(promised, "best") if sampling else None}
    progress(0.6)
    sampled["max"] = _sampling(promised, "max") if sampling else None
    half: dict[str, int | None] = {"trim": promised.half_survive}
    half |= {rule: None if one is None else half_survive_sampling(one) for rule, one in sampled.items()}
    # A curve that only huge groups survive may leave the picture; the others shall not be squeezed for it.
    needed = [half[name] for name in ("trim", "best") if half[name] is not None]
    last = int(_HEADROOM * max(promised.always_survive, *(rows for rows in needed if rows is not None)))
    last = max(last, min(int(_HEADROOM * (half["max"] or 0)), 2 * last))
    sizes = np.unique(np.linspace(0, last, min(last + 1, _POINTS)).astype(np.int64))
    kept = {"trim": kept_by_trimming(promised, sizes)}
    for rule, one in sampled.items():
        kept[rule] = np.full(len(sizes), np.nan) if one is None else kept_by_sampling(one, sizes)
    progress(1.0)
    return GroupSurvival(
        promised.epsilon,
        promised.delta,
        promised.rows_per_person,
        len(promised.steps),
        sizes,
        kept,
        half,
        promised.always_survive,
    )


class GroupSurvivalChart(AxesChart[GroupSurvival]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        text = label_look(style)
        colours = {"trim": style.anonymised, "best": style.global_dp, "max": style.global_dp}
        self.lines = {}
        self.marks = {}
        for name, colour in colours.items():
            (self.lines[name],) = axes.plot(
                [],
                [],
                color=colour,
                linewidth=2 if name == "trim" else 1.6,
                linestyle=(0, (5, 2)) if name == "max" else "solid",
            )
            (self.marks[name],) = axes.plot(
                [], [], "o", color=colour, markersize=8 if name == "trim" else 6, markeredgecolor=style.ground, zorder=4
            )
        self.labels: dict[str, Annotation] = {
            name: axes.annotate(
                "", (0, 1), (0, 0), textcoords="offset points", color=readable(colour, style), zorder=6, **text
            )
            for name, colour in colours.items()
        }
        self.labels["trim"].set_fontweight("bold")
        for label in self.labels.values():
            label.set_in_layout(False)

    def update(self, data: GroupSurvival) -> None:
        self.data = data
        axes, last = self.axes, int(data.sizes[-1])
        for name in _NAMES:
            known = np.isfinite(data.kept[name])
            self.lines[name].set_data(data.sizes[known], data.kept[name][known])
            half = data.half[name]
            marked = [] if half is None or half > last else [half]
            self.marks[name].set_data(marked, [_at(data, name) for _ in marked])
            self.labels[name].set_text(_label(data, name) if marked else "")
        axes.set_xlim(0, last)
        axes.set_ylim(0, 1.04)
        name_axes(axes, self.style, "Rows of a group that take part", "Probability that the group is released")

    def arrange(self) -> None:
        """Put the labels beside the curves, clear of them and of each other."""
        data, axes = self.data, self.axes
        lay_out(axes)
        sizes = data.sizes.astype(np.float64)
        lines = [on_screen(axes, sizes, data.kept[name]) for name in _NAMES]
        wishes = [LabelWish(self.labels[name], _spots(data, name), lines, name == "trim") for name in _NAMES]
        taken = [self.marks[name].get_window_extent() for name in _NAMES if self.labels[name].get_text()]
        place(wishes, _ORDERS, axes.get_window_extent(), taken)


def build(figure: Figure, data: GroupSurvival, style: ChartStyle) -> GroupSurvivalChart:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

    axes = fresh_axes(figure, style)
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(thousands))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    return GroupSurvivalChart(axes, style).showing(data)


def describe(data: GroupSurvival) -> str:
    where = "" if data.steps == 1 else "At the first step, "
    trimmed = (
        f"{where}trimming releases groups of {count(data.half['trim'] or 0)} rows at least half of the time and those "
        f"of {count(data.always)} always"
    )
    others = [
        f"{_WORDS[name]} needs {count(half)} rows for half of the time"
        for name in ("best", "max")
        if (half := data.half[name]) is not None
    ]
    said = "; ".join([trimmed, *others])
    return f"{said[0].upper()}{said[1:]}, for ε = {estimate(data.epsilon)} and δ = {estimate(data.delta, 2)}."


def rows(data: GroupSurvival) -> list[tuple[str, ...]]:
    """The numbers behind the chart, the heading first; "" where there is no value."""
    table: list[tuple[str, ...]] = [("rows", "trimming", "sampling_best", "sampling_max")]
    for position, size in enumerate(data.sizes.tolist()):
        chances = [float(data.kept[name][position]) for name in _NAMES]
        table.append((str(size), *("" if np.isnan(chance) else file_text(chance, 6) for chance in chances)))
    return table


def _sampling(promised: TrimGuarantee, rule: Literal["best", "max"]) -> Guarantee | None:
    """Sampling at the same (ε, δ); None if no β and k reach it."""
    try:
        return guarantee(
            epsilon=promised.epsilon, delta=promised.delta, beta=rule, rows_per_person=promised.rows_per_person
        )
    except WorkbenchError:
        return None


def _label(data: GroupSurvival, name: str) -> str:
    half = f"{_WORDS[name]}: {count(data.half[name] or 0)} rows"
    return f"{half}\n{count(data.always)} always" if name == "trim" else half


def _at(data: GroupSurvival, name: str) -> float:
    """Where the curve is at the size that survives half of the time."""
    return float(np.interp(data.half[name] or 0, data.sizes, data.kept[name]))


def _spots(data: GroupSurvival, name: str) -> list[Spot]:
    """Places beside the mark, and farther up and down the curve."""
    half = data.half[name]
    if half is None or half > data.sizes[-1]:
        return []
    spots = around(float(half), _at(data, name), 9.0)
    for chance in (0.3, 0.75, 0.15, 0.9, 0.05):
        x = float(np.interp(chance, data.kept[name], data.sizes))
        spots += [Spot(x, chance, 9, 0, "left", "center"), Spot(x, chance, -9, 0, "right", "center")]
    return spots
