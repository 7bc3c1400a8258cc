"""The reach of an axis of numbers, and its ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from workbench.core.number_text import rounded
from workbench.plots.style import thousands

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def scale(axes: Axes, which: str, values: Sequence[float], logarithmic: bool, room: float) -> None:
    """Limits with a little room, and ticks that can be read."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

    low, high = min(values), max(values)
    axis = axes.xaxis if which == "x" else axes.yaxis
    wanted = "log" if logarithmic else "linear"
    if axis.get_scale() != wanted:
        (axes.set_xscale if which == "x" else axes.set_yscale)(wanted)
    if logarithmic:
        low, high = max(low, 1e-300), max(high, 1e-300)
        if low == high:
            low, high = low / 2, high * 2
        if which == "y" and len(log_ticks(low, high)) < 2:  # what hardly differs would have no numbers beside it
            middle = math.sqrt(low) * math.sqrt(high)
            low, high = middle / 2, middle * 2
        margin = (high / low) ** room
        low, high = low / margin, high * margin
        axis.set_major_locator(FixedLocator(log_ticks(low, high)))
        axis.set_minor_locator(NullLocator())
    else:
        if low == high:
            low, high = low - 0.5, high + 0.5
        margin = (high - low) * room
        low, high = (min(low, 0.0) if which == "y" else low - margin), high + margin
        axis.set_major_locator(MaxNLocator(6))
    axis.set_major_formatter(FuncFormatter(tick))
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def tick(value: float, _position: int | None = None) -> str:
    """A number at an axis, very large and small ones as powers of ten."""
    if value and not 1e-4 <= abs(value) < 1e7:
        mantissa, exponent = f"{value:.0e}".split("e")
        power = f"10{str(int(exponent)).translate(_RAISED)}"
        return power if mantissa == "1" else f"{mantissa}·{power}"
    return thousands(rounded(value, 6))


def log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten while these are few, else the powers, every second, third, …"""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    for mantissas in ((1, 1.5, 2, 3, 4, 5, 7), (1, 2, 5)):
        found = [m * 10.0**power for power in range(first, last + 1) for m in mantissas]
        found = [tick for tick in found if low <= tick <= high]
        if len(found) <= 8:
            return found
    step = max(1, math.ceil((last - first) / 8))
    return [10.0**power for power in range(first, last + 1, step) if low <= 10.0**power <= high]
