"""δ against ε: what a mechanism promises at every ε, and where a claim lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from workbench.core.number_text import estimate, exact, file_text
from workbench.plots.placement import LabelWish, around, on_screen, place
from workbench.plots.style import AxesChart, ChartStyle, fresh_axes, label_look, lay_out, name_axes, readable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ROOM = 1.2


@dataclass(frozen=True, eq=False)
class PrivacyCurve:
    """The trade-off.

    Parameters
    ----------
    epsilons, deltas
        The curve, float64 of shape (points,).
    epsilon, exact
        Where δ becomes 0 (infinite if it never does), and the same without a rounding, or "".
    claim
        A claimed (ε, δ), or None.
    holds
        Whether the claim is met.
    """

    epsilons: NDArray[np.float64]
    deltas: NDArray[np.float64]
    epsilon: float
    exact: str = ""
    claim: tuple[float, float] | None = None
    holds: bool = False


class PrivacyCurveChart(AxesChart[PrivacyCurve]):
    def __init__(self, axes: Axes, style: ChartStyle) -> None:
        super().__init__(axes, style)
        self.area = axes.fill_between([], [], [], color=style.global_dp, alpha=0.14, linewidth=0)
        (self.line,) = axes.plot([], [], color=style.global_dp, linewidth=2)
        (self.end,) = axes.plot(
            [], [], "o", color=style.global_dp, markersize=8, zorder=5, clip_on=False, markeredgecolor=style.ground
        )
        (self.claimed,) = axes.plot(
            [], [], "D", markersize=8, markeredgewidth=2, zorder=6, clip_on=False, markerfacecolor=style.ground
        )
        text = label_look(style)
        self.end_label = axes.annotate(
            "", (0, 1), (0, 10), xycoords="axes fraction", textcoords="offset points",
            color=readable(style.global_dp, style), **text,
        )  # fmt: skip
        self.claim_label = axes.annotate("", (0, 0), (8, 8), textcoords="offset points", fontweight="bold", **text)
        for label in (self.end_label, self.claim_label):
            label.set_in_layout(False)

    def update(self, data: PrivacyCurve) -> None:
        self.data = data
        axes, style = self.axes, self.style
        self.line.set_data(data.epsilons, data.deltas)
        outline = np.column_stack(
            [np.r_[data.epsilons, data.epsilons[::-1]], np.r_[data.deltas, np.zeros(len(data.deltas))]]
        )
        self.area.set_verts([outline])
        finite = math.isfinite(data.epsilon)
        self.end.set_data(*(([data.epsilon], [0.0]) if finite else ([], [])))
        last = float(data.epsilons[-1])
        self.end_label.set_text(_end_words(data))
        highest = max(float(data.deltas.max(initial=0)), 1e-9)
        if data.claim is not None and math.isfinite(data.claim[0]):
            self.claimed.set_data([data.claim[0]], [data.claim[1]])
            colour = style.anonymised if data.holds else style.local_dp
            self.claimed.set_markeredgecolor(colour)
            self.claim_label.set_color(readable(colour, style))
            self.claim_label.set_text("claim holds" if data.holds else "claim does not hold")
            self.claim_label.xy = data.claim
            # Beside the claim there is room for its words: left of it is the curve, where the claim is its end.
            last, highest = max(last, _ROOM * data.claim[0]), max(highest, data.claim[1])
        else:
            self.claimed.set_data([], [])
            self.claim_label.set_text("")
        axes.set_xlim(0, 1.06 * max(last, 1e-6))
        axes.set_ylim(0, 1.1 * highest)
        name_axes(axes, style, "ε", "δ that this ε needs", 16 + 1.4 * style.small_points)

    def arrange(self) -> None:
        """Put the label of the claim clear of the curve."""
        lay_out(self.axes)
        data = self.data
        if data.claim is None or not self.claim_label.get_text():
            return
        curve = on_screen(self.axes, data.epsilons, data.deltas)
        wish = LabelWish(self.claim_label, around(*data.claim, 9.0), [curve], True)
        place([wish], ((0,),), self.axes.get_window_extent(), [self.claimed.get_window_extent()])


def build(figure: Figure, data: PrivacyCurve, style: ChartStyle) -> PrivacyCurveChart:
    from matplotlib.ticker import MaxNLocator

    axes = fresh_axes(figure, style)
    axes.xaxis.set_major_locator(MaxNLocator(8))
    axes.yaxis.set_major_locator(MaxNLocator(6))
    return PrivacyCurveChart(axes, style).showing(data)


def describe(data: PrivacyCurve) -> str:
    said = f"δ falls from {estimate(data.deltas[0])} at ε = 0; {_end_words(data)}."
    if data.claim is None:
        return said
    verdict = "holds" if data.holds else "does not hold"
    return f"{said} The claim ε = {exact(data.claim[0])}, δ = {exact(data.claim[1])} {verdict}."


def rows(data: PrivacyCurve) -> list[tuple[str, ...]]:
    points = zip(data.epsilons.tolist(), data.deltas.tolist(), strict=True)
    return [("epsilon", "delta"), *((file_text(epsilon), file_text(delta)) for epsilon, delta in points)]


def _end_words(data: PrivacyCurve) -> str:
    if math.isinf(data.epsilon):
        return f"no ε brings δ below {estimate(data.deltas[-1])}"
    exact = f"= {data.exact} " if data.exact and len(data.exact) <= 24 else ""
    return f"δ = 0 from ε {exact}≈ {estimate(data.epsilon)}"
