"""Keep more rows, or keep rarer groups? The rows a group needs to survive, against the sampling probability."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.sample_guarantee import Accounting, Guarantee, beta_max, guarantee, trade_off
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, estimate, file_text
from workbench.core.progress import SILENT, Progress
from workbench.plots.placement import LabelWish, Spot, around, on_screen, place
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable, thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.text import Annotation
    from matplotlib.ticker import FixedLocator

_POINTS = 96
_CHUNK = 4
_SMALLEST, _LARGEST = 0.01, 0.99
_HEADROOM = 6.0
_SMOOTHINGS, _GENTLE = 3, 0.4
_BEYOND: tuple[tuple[float, Literal["bottom", "center", "top"]], ...] = (
    (0, "center"),
    (9, "bottom"),
    (22, "bottom"),
    (36, "bottom"),
    (-9, "top"),
)
_ORDERS = ((0, 1, 2, 3, 4), (2, 3, 0, 1, 4), (0, 2, 3, 1, 4))


@dataclass(frozen=True)
class TradeOff:
    """For one (ε, δ): how small a group may be and still survive, for every β.

    Parameters
    ----------
    epsilon, delta, rows_per_person
        The promise.
    betas
        Sampling probabilities, float64 of shape (points,), ascending.
    exact, classical
        k/β in rows of the table, shape (points,); nan where there is none.
    theorem_limit
        1 − e^−ε per row: the classical theorem ends here.
    best
        (β, k) with the smallest k/β by exact accounting, None if there is none.
    current
        The (β, k) that is chosen, None if nothing is.
    """

    epsilon: float
    delta: float
    rows_per_person: int
    betas: NDArray[np.float64]
    exact: NDArray[np.float64]
    classical: NDArray[np.float64]
    theorem_limit: float
    best: tuple[float, int] | None = None
    current: tuple[float, int] | None = None

    def with_current(self, chosen: Guarantee | None) -> TradeOff:
        """The same curves with another choice marked."""
        return replace(self, current=(chosen.beta, chosen.k) if chosen is not None else None)


def compute(
    epsilon: float, delta: float, rows_per_person: int = 1, progress: Progress = SILENT, points: int = _POINTS
) -> TradeOff:
    """The curves for one (ε, δ); takes about a tenth of a second.

    Raises
    ------
    WorkbenchError
        If ε, δ or the rows per person are out of range.
    Cancelled
        If the progress was cancelled.
    """
    limit = beta_max(epsilon / rows_per_person)
    # Small ε have their whole trade-off at small β, so half of the points lie there.
    spread = np.linspace(_SMALLEST, _LARGEST, points - points // 3)
    dense = np.geomspace(_SMALLEST, max(2 * _SMALLEST, min(limit, _LARGEST)), points // 3)
    betas = np.unique(np.concatenate([spread, dense, [min(limit, _LARGEST)]]))
    curves: dict[Accounting, NDArray[np.float64]] = {}
    for position, accounting in enumerate((Accounting.EXACT, Accounting.CLASSICAL)):
        ks = np.full(len(betas), np.nan)
        step = progress.part(position / 2, (position + 1) / 2)
        for start in range(0, len(betas), _CHUNK):
            step(start / len(betas))
            part = slice(start, start + _CHUNK)
            ks[part] = trade_off(epsilon, delta, betas[part], accounting, rows_per_person=rows_per_person)
        curves[accounting] = ks / betas
    best: tuple[float, int] | None = None
    try:
        found = guarantee(epsilon=epsilon, delta=delta, beta="best", rows_per_person=rows_per_person)
        best = (found.beta, found.k)
    except WorkbenchError:
        pass  # No β and k reach this promise; the curves are empty and say so.
    progress(1.0)
    return TradeOff(
        epsilon,
        delta,
        rows_per_person,
        betas,
        curves[Accounting.EXACT],
        curves[Accounting.CLASSICAL],
        limit,
        best,
    )


class TradeOffChart(AxesChart[TradeOff]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        text = label_look(style)
        (self.exact,) = axes.plot([], [], color=style.anonymised, linewidth=2, label="exact accounting")
        (self.classical,) = axes.plot(
            [], [], color=style.global_dp, linewidth=1.6, linestyle=(0, (5, 2)), label="classical theorem"
        )
        self.limit = axes.axvline(0.5, color=style.muted, linewidth=1, linestyle=(0, (1, 2)))
        (self.best,) = axes.plot([], [], marker="D", markersize=7, linestyle="none", color=style.anonymised, zorder=4)
        (self.current,) = axes.plot(
            [],
            [],
            marker="o",
            markersize=10,
            markeredgewidth=2,
            markerfacecolor=style.ground,
            markeredgecolor=style.text,
            linestyle="none",
            zorder=5,
        )
        self.labels: dict[str, Annotation] = {
            name: axes.annotate("", (0, 1), (0, 0), textcoords="offset points", color=colour, zorder=6, **text)
            for name, colour in (
                ("current", style.text),
                ("best", readable(style.anonymised, style)),
                ("exact", readable(style.anonymised, style)),
                ("classical", readable(style.global_dp, style)),
                ("limit", style.muted),
            )
        }
        self.labels["current"].set_fontweight("bold")
        for label in self.labels.values():
            # They find their place inside the axes and must not push them about.
            label.set_in_layout(False)

    def update(self, data: TradeOff) -> None:
        self.data = data
        axes = self.axes
        self.exact.set_data(*smooth(data.betas, data.exact))
        self.classical.set_data(*smooth(data.betas, data.classical))
        self.limit.set_xdata([data.theorem_limit, data.theorem_limit])
        self.limit.set_visible(data.theorem_limit < 1)
        same = data.best is not None and data.best == data.current
        self._best_shown = None if same else data.best
        _mark(self.best, self._best_shown)
        _mark(self.current, data.current)

        bottom, top = _range(data)
        axes.set_xlim(0, 1)
        axes.set_ylim(bottom, top)
        axes.yaxis.set_major_locator(_ticks(bottom, top))

        labels = self.labels
        labels["exact"].set_text("exact accounting" if np.isfinite(data.exact).any() else "")
        labels["classical"].set_text("classical theorem" if np.isfinite(data.classical).any() else "")
        labels["limit"].set_text("1 − e⁻ᵋ" if data.theorem_limit < 1 else "")
        labels["current"].set_text(_words("chosen", data.current))
        labels["best"].set_text(_words("rarest groups", self._best_shown))

    def arrange(self) -> None:
        """Put the labels beside what they name, clear of curves and of each other."""
        data, axes = self.data, self.axes
        lay_out(axes)
        room = axes.get_window_extent()
        lines = [on_screen(axes, data.betas, curve) for curve in (data.exact, data.classical)]
        bottom, top = axes.get_ylim()
        edge = np.array([data.theorem_limit, data.theorem_limit])
        walls = [on_screen(axes, edge, np.array([bottom, top]))]
        taken = [
            mark.get_window_extent()
            for mark, point in ((self.current, data.current), (self.best, self._best_shown))
            if point is not None
        ]
        spots = {
            "current": _beside(data.current),
            "best": _beside(self._best_shown),
            "exact": _along(data.betas, data.exact, top, above=False),
            "classical": _along(data.betas, data.classical, top, above=True),
            "limit": _upright(data.theorem_limit, bottom, top),
        }
        wishes = [
            LabelWish(label, spots[name], lines + (walls if name != "limit" else []), name == "current")
            for name, label in self.labels.items()
        ]
        place(wishes, _ORDERS, room, taken)


def build(figure: Figure, data: TradeOff, style: ChartStyle) -> TradeOffChart:
    from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator, PercentFormatter

    axes = fresh_axes(figure, style)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(thousands))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
    name_axes(axes, style, "Share of the rows that is sampled, β", "Rows a group needs in the table to survive, k/β")
    return TradeOffChart(axes, style).showing(data)


def describe(data: TradeOff) -> str:
    words = [f"Rows a group needs to survive, for ε = {estimate(data.epsilon)} and δ = {estimate(data.delta, 2)}."]
    if data.current is not None:
        beta, k = data.current
        words.append(f"Chosen: β = {estimate(beta)}, k = {k:,}, about {count(k / beta)} rows.")
    if data.best is not None:
        beta, k = data.best
        words.append(f"Rarest groups survive at β = {estimate(beta)} with k = {k:,}, about {count(k / beta)} rows.")
    return " ".join(words)


def rows(data: TradeOff) -> list[tuple[str, ...]]:
    """The numbers behind the chart, the heading first; "" where there is no value."""
    table: list[tuple[str, ...]] = [("beta", "exact_rows", "classical_rows")]
    for beta, exact, classical in zip(data.betas.tolist(), data.exact.tolist(), data.classical.tolist(), strict=True):
        table.append((file_text(beta, 6), *("" if math.isnan(y) else file_text(y, 6) for y in (exact, classical))))
    return table


def _mark(artist: Line2D, point: tuple[float, int] | None) -> None:
    at = ([point[0]], [point[1] / point[0]]) if point is not None else ([], [])
    artist.set_data(*at)


def _words(what: str, point: tuple[float, int] | None) -> str:
    if point is None:
        return ""
    beta, k = point
    return f"{what}: {count(k / beta)} rows\nβ {estimate(100 * beta, 3)} %, k {k:,}"


def _range(data: TradeOff) -> tuple[float, float]:
    """The rows shown: from below the smallest to a few times that, and the choice in any case."""
    finite = data.exact[np.isfinite(data.exact)]
    if not len(finite):
        finite = data.classical[np.isfinite(data.classical)]
    lowest = float(finite.min()) if len(finite) else 10.0
    highest = _HEADROOM * lowest
    for point in (data.current, data.best):
        if point is not None:
            lowest = min(lowest, point[1] / point[0])
            highest = max(highest, 1.6 * point[1] / point[0])
    return lowest / 2.2, highest


def smooth(betas: NDArray[np.float64], curve: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The curve as it is drawn: without the teeth that come of k being whole, and of few β.

    k stays the same over a range of β and then rises by one, so that k/β falls and jumps. Where a range ends, k is just
    enough: the line goes through these ends, each drawn to the mean of its neighbours as long as k rises by little.

    Parameters
    ----------
    betas, curve
        β ascending, and k/β, nan where there is none; float64 of shape (points,).

    Returns
    -------
    betas, curve
        Shape (points drawn,), where there is a curve.
    """
    known = np.isfinite(curve)
    k = np.round(curve[known] * betas[known])
    ends = np.append(k[1:] > k[:-1], True)[: len(k)]
    ends[:1] = True
    line = np.log(np.vstack([betas[known], k])[:, ends])
    for _ in range(_SMOOTHINGS):
        mean = (line[:, :-2] + 2 * line[:, 1:-1] + line[:, 2:]) / 4
        gentle = line[1, 2:] - line[1, :-2] < _GENTLE
        line[:, 1:-1] = np.where(gentle, mean, line[:, 1:-1])
    return np.exp(line[0]), np.exp(line[1] - line[0])


def _ticks(bottom: float, top: float) -> FixedLocator:
    """1, 2, 5, 10, …, which stand evenly on the axis; whole decades where these are too many."""
    from matplotlib.ticker import FixedLocator

    decades = range(math.floor(math.log10(bottom)), math.ceil(math.log10(top)) + 1)
    shown = [m * 10.0**d for d in decades for m in (1, 2, 5) if bottom <= m * 10.0**d <= top]
    if len(shown) > 9:
        shown = [10.0**d for d in decades if bottom <= 10.0**d <= top]
    return FixedLocator(shown)


def _beside(point: tuple[float, int] | None) -> list[Spot]:
    return around(point[0], point[1] / point[0], 9.0) if point is not None else []


def _along(betas: NDArray[np.float64], curve: NDArray[np.float64], top: float, *, above: bool) -> list[Spot]:
    """Places along a curve, on its outer side first."""
    shown = np.flatnonzero(np.isfinite(curve) & (curve < top))
    if not len(shown):
        return []
    spots = []
    for share in (0.75, 0.6, 0.85, 0.45, 0.3, 0.95, 0.15, 0.05):
        at = shown[min(int(share * len(shown)), len(shown) - 1)]
        x, y = float(betas[at]), float(curve[at])
        spots += [Spot(x, y, 8, -6, "left", "top"), Spot(x, y, -8, 6, "right", "bottom")]
        spots += [Spot(x, y, 0, 8, "center", "bottom"), Spot(x, y, 0, -8, "center", "top")]
    order = 1 if above else 0
    end = float(betas[shown[-1]]), float(curve[shown[-1]])
    beyond = [Spot(*end, 9, up, "left", vertical) for up, vertical in _BEYOND]
    return spots[order::2] + spots[1 - order :: 2] + beyond


def _upright(x: float, bottom: float, top: float) -> list[Spot]:
    """Places along an upright line, low ones first."""
    spots = []
    for share in (0.03, 0.97, 0.2, 0.8, 0.5):
        y = math.exp(math.log(bottom) + share * (math.log(top) - math.log(bottom)))
        vertical: Literal["bottom", "top"] = "bottom" if share < 0.5 else "top"
        spots += [Spot(x, y, 5, 0, "left", vertical), Spot(x, y, -5, 0, "right", vertical)]
    return spots
