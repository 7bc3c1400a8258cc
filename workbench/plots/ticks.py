"""Ticks that are names: as many as have room."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from workbench.core.bin_names import bin_name
from workbench.plots.style import lay_out

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.ticker import MaxNLocator


_named: WeakKeyDictionary[Axis, tuple[str, ...]] = WeakKeyDictionary()
"""Of axes whose places 0, 1, 2, … have names, all of these; only as many are written as have room."""


def name_axis(axis: Axis, names: Sequence[str]) -> None:
    """Keep the names of the places 0, 1, 2, … for whoever points at one."""
    _named[axis] = tuple(names)


def names_along(axis: Axis) -> tuple[str, ...]:
    """The names of the places 0, 1, 2, … of an axis; none where it has numbers."""
    return _named.get(axis, ())


def shortened(text: str, letters: int) -> str:
    """The text, cut off with … where it is longer."""
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def all_shortened(names: Sequence[str], letters: int) -> list[str]:
    """The names, each cut off with … where it is longer; those that would look alike without what they begin with."""
    alike: dict[str, set[str]] = {}
    for name in names:
        alike.setdefault(shortened(name, letters), set()).add(name)
    told: dict[str, str] = {}
    for short, several in alike.items():
        told |= dict.fromkeys(several, short)
        if len(several) > 1:
            first, last = min(several), max(several)  # between which all others stand
            same = next((place for place, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
            told |= {name: shortened(f"…{name[same:]}", letters) for name in several}
    return [told[name] for name in names]


_SLANT = 38.0
_NEVER = 1000
"""So many names have room on no screen; thousands would be made as ticks, and kept, only to be left out."""
_TRIES = 20
"""Of a thousand names not every step is tried: each lays out the whole chart, with a million cells perhaps."""


def upright(axes: Axes) -> None:
    """Names below the axes stand as they usually do, whatever was written there before."""
    axes.tick_params(axis="x", labelrotation=0)
    for label in axes.get_xticklabels():
        label.set(horizontalalignment="center", rotation_mode="default")


def name_places(axes: Axes, names: Sequence[str], letters: int = 14, *, whole: bool = False, turned: int = 0) -> None:
    """Write the names at 0, 1, 2, … below the axes, leaving out every second, third, … until the others have room.

    Parameters
    ----------
    letters
        What is longer is cut off, and where names then look alike what they begin with, too.
    whole
        Whether bins hold whole numbers.
    turned
        Where not all have room, they are written slanting in so many letters instead of leaving some out; 0: never.
    """
    from matplotlib.ticker import FixedFormatter, FixedLocator

    shown = [bin_name(name, whole=whole) for name in names]
    texts = all_shortened(shown, letters)
    name_axis(axes.xaxis, shown)
    upright(axes)
    step = 1 + len(texts) // _NEVER
    while True:
        places = list(range(0, len(texts), step))
        axes.xaxis.set_major_locator(FixedLocator(places))
        axes.xaxis.set_major_formatter(FixedFormatter([texts[place] for place in places]))
        lay_out(axes)
        boxes = [label.get_window_extent() for label in axes.get_xticklabels()][: len(places)]
        paper = axes.get_figure(root=True)
        right = paper.bbox.x1 if paper is not None else np.inf
        tight = any(a.x1 + a.height / 3 > b.x0 for a, b in pairwise(boxes))
        if len(places) <= 1 or not (tight or boxes[0].x0 < 0 or boxes[-1].x1 > right):
            return
        if turned:
            axes.xaxis.set_major_formatter(FixedFormatter(all_shortened(shown, turned)))
            axes.tick_params(axis="x", labelrotation=_SLANT)
            for label in axes.get_xticklabels():
                label.set(horizontalalignment="right", rotation_mode="anchor")
            lay_out(axes)
            return
        # Laying out is slow, so the step that the widest label needs is taken at once.
        widest = max(box.width + box.height / 3 for box in boxes)
        needed = math.ceil(widest * len(texts) / axes.get_window_extent().width)
        if tight:
            step = max(step + 1, min(needed, len(texts)))
        elif boxes[0].x0 < 0:
            step = len(texts)  # the first name stays, however many others are left out
        else:
            step += 1 + len(texts) // _TRIES


def apart(
    heights: NDArray[np.float64], left: float = -0.38, right: float = 0.38
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bars at 0, 1, 2, … with room between them, as heights and edges of stairs.

    Parameters
    ----------
    heights
        Shape (bars,).
    left, right
        Where a bar begins and ends beside its place.

    Returns
    -------
    heights, edges
        The bars and the gaps between them, nan, shape (2 bars − 1,), and their limits, shape (2 bars,).
    """
    if not len(heights):
        return np.zeros(1), np.array([left, right])
    places = np.arange(len(heights))
    edges = np.column_stack([places + left, places + right]).ravel()
    return np.column_stack([heights, np.full(len(heights), np.nan)]).ravel()[:-1], edges


def thin_ticks(axes: Axes, powers: Callable[[float, float, int], Sequence[float]], room: float) -> bool:
    """Leave ticks of the upright axis out where their numbers would stand on one another; say whether any were.

    Parameters
    ----------
    powers
        Places on a logarithmic axis between two ends, so many at most.
    room
        As of `round_numbers`.
    """
    from matplotlib.ticker import FixedLocator

    for most in (5, 4, 3, 2, 1):
        low, high = sorted(axes.get_ylim())
        labels = zip(axes.get_yticks(), axes.get_yticklabels(), strict=False)
        shown = [words.get_window_extent() for place, words in labels if low <= place <= high and words.get_text()]
        shown.sort(key=lambda box: float(box.y0))
        if all(one.y1 <= other.y0 + 1 for one, other in pairwise(shown)):
            return most < 5
        log = axes.get_yscale() == "log"
        axes.yaxis.set_major_locator(FixedLocator(powers(low, high, most)) if log else round_numbers(most, room))
        lay_out(axes)
    return True


def round_numbers(most: int, room: float = 0.0) -> MaxNLocator:
    """Ticks at round numbers, in so many steps at most.

    Parameters
    ----------
    room
        Which part of their extent an axis has beyond its data at the top, and where they go below 0 at the bottom: the
        steps are those of the data, above 0 if most are.
    """
    from matplotlib.ticker import MaxNLocator

    class RoundNumbers(MaxNLocator):
        def tick_values(self, vmin: float, vmax: float) -> Sequence[float]:
            below = vmin < 0 < vmax and room > 0
            high = vmax - room / (1.0 + (2 if below else 1) * room) * (vmax - vmin)
            found = [float(one) for one in super().tick_values(0.0 if below and -vmin < high else vmin, high)]
            if below and found[0] == 0:
                return [*(-found[1] * step for step in range(int(-vmin / found[1]), 0, -1)), *found]
            return found

    return RoundNumbers(most, steps=[1, 2, 2.5, 5, 10])


def fewer_ticks(axes: Axes, most: int = 9, *, whole: bool = False) -> None:
    """Lay everything out with as many round numbers below the axes as have room; `whole` ones of what is counted."""
    from matplotlib.ticker import MaxNLocator

    while True:
        axes.xaxis.set_major_locator(MaxNLocator(most, integer=whole))
        lay_out(axes)
        low, high = axes.get_xlim()
        shown = zip(axes.get_xticks(), axes.get_xticklabels(), strict=True)
        boxes = [label.get_window_extent() for place, label in shown if low <= place <= high]
        if most <= 2 or not any(a.x1 + a.height / 2 > b.x0 for a, b in pairwise(boxes)):
            return
        most -= 1


def csv_cell(text: str) -> str:
    """A text as a cell of a CSV."""
    return '"' + text.replace('"', '""') + '"'
