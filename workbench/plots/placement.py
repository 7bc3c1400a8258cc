"""Putting labels where they cover neither each other nor the curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Annotation
    from matplotlib.transforms import Bbox

_OUTSIDE = 1e6
_ON_CURVE = 1e2
_STEP_PIXELS = 3.0
_CLEARANCE = 2.0
_POINTS_PER_INCH = 72.0


@dataclass(frozen=True)
class Spot:
    """A place for a label: a point in the units of the axes, an offset in points, and the alignment."""

    x: float
    y: float
    right: float = 0.0
    up: float = 0.0
    horizontal: Literal["left", "center", "right"] = "left"
    vertical: Literal["bottom", "center", "top"] = "bottom"


def around(x: float, y: float, distance: float = 7.0) -> list[Spot]:
    """Places around a point, the readable ones first."""
    return [
        Spot(x, y, distance, distance, "left", "bottom"),
        Spot(x, y, -distance, distance, "right", "bottom"),
        Spot(x, y, distance, -distance, "left", "top"),
        Spot(x, y, -distance, -distance, "right", "top"),
        Spot(x, y, 0, 1.4 * distance, "center", "bottom"),
        Spot(x, y, 0, -1.4 * distance, "center", "top"),
        Spot(x, y, 3 * distance, 3 * distance, "left", "bottom"),
        Spot(x, y, -3 * distance, 3 * distance, "right", "bottom"),
        Spot(x, y, 3 * distance, -3 * distance, "left", "top"),
        Spot(x, y, -3 * distance, -3 * distance, "right", "top"),
        Spot(x, y, distance, -5 * distance, "left", "top"),
        Spot(x, y, -distance, -5 * distance, "right", "top"),
        Spot(x, y, distance, 5 * distance, "left", "bottom"),
        Spot(x, y, -distance, 5 * distance, "right", "bottom"),
        Spot(x, y, -distance, -5 * distance, "left", "top"),
        Spot(x, y, 8 * distance, 5 * distance, "left", "bottom"),
    ]


def on_screen(axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """A curve as points a few pixels apart, shape (m, 2), in display units; gaps at nan stay gaps."""
    points = axes.transData.transform(np.column_stack([x, y]))
    pieces = []
    for start, end in pairwise(points):
        if np.isfinite(start).all() and np.isfinite(end).all():
            count = min(max(int(np.hypot(*(end - start)) / _STEP_PIXELS), 1), 400)
            pieces.append(start + (end - start) * np.linspace(0, 1, count, endpoint=False)[:, None])
    return np.concatenate(pieces) if pieces else np.empty((0, 2))


@dataclass(frozen=True)
class LabelWish:
    """A label that looks for a place.

    Parameters
    ----------
    label
        An annotation with `textcoords="offset points"`.
    spots
        Where it may go, best first.
    curves
        Points in display units that it should not cover, from `on_screen`.
    must_show
        Shown even where it cannot but cover something; other labels are then hidden.
    """

    label: Annotation
    spots: Sequence[Spot]
    curves: Sequence[NDArray[np.float64]] = ()
    must_show: bool = False


def place(
    wishes: Sequence[LabelWish], orders: Iterable[Sequence[int]], inside: Bbox, taken: Iterable[Bbox] = ()
) -> None:
    """Give every label a place, and hide those that find none.

    Parameters
    ----------
    wishes
        The labels.
    orders
        Orders in which they may choose, as positions in `wishes`; the one with the least conflict is taken.
    inside
        The room in display units that no label should leave.
    taken
        Boxes in display units that should stay free.
    """
    sizes = [_size(wish.label) for wish in wishes]
    occupied = [np.array(box.extents) for box in taken]
    room = np.array(inside.extents)
    best: tuple[float, dict[int, tuple[float, Spot]]] | None = None
    for order in orders:
        boxes = list(occupied)
        chosen: dict[int, tuple[float, Spot]] = {}
        for index in order:
            wish = wishes[index]
            options = [
                (_cost(_box(wish.label, spot, sizes[index]), room, boxes, wish.curves), position, spot)
                for position, spot in enumerate(wish.spots)
            ]
            if not options or not wish.label.get_text():
                continue
            cost, _, spot = min(options, key=lambda option: option[:2])
            chosen[index] = (cost, spot)
            if cost == 0 or wish.must_show:
                boxes.append(_box(wish.label, spot, sizes[index]))
        total = sum(cost for cost, _ in chosen.values())
        if best is None or total < best[0]:
            best = total, chosen
        if total == 0:
            break
    placed = best[1] if best is not None else {}
    for index, wish in enumerate(wishes):
        if index in placed:
            cost, spot = placed[index]
            _move(wish.label, spot)
        wish.label.set_visible(index in placed and (cost == 0 or wish.must_show))


def apart(wished: Sequence[float], line: float) -> list[float]:
    """Heights within 0 to 1 at least a line apart, as near to the wished ones as that allows."""
    order = np.argsort(wished, kind="stable")
    gap = min(line, 1.0 / max(len(wished) - 1, 1))
    heights: NDArray[np.float64] = np.clip(np.asarray(wished, dtype=np.float64)[order], 0.0, 1.0)
    # Labels that touch form a block, whose middle stays where the middle of the wishes was.
    blocks = [[height, 1] for height in heights.tolist()]
    merged: list[list[float]] = []
    for middle, size in blocks:
        merged.append([middle, size])
        while len(merged) > 1:
            (m1, n1), (m2, n2) = merged[-2], merged[-1]
            if m2 - m1 >= gap * (n1 + n2) / 2:
                break
            merged[-2:] = [[_inside((m1 * n1 + m2 * n2) / (n1 + n2), n1 + n2, gap), n1 + n2]]
    placed: list[float] = []
    for middle, size in merged:
        placed += [middle + gap * (number - (size - 1) / 2) for number in range(int(size))]
    found = np.empty(len(wished))
    found[order] = placed
    return found.tolist()


def _inside(middle: float, size: float, gap: float) -> float:
    half = gap * (size - 1) / 2
    return min(max(middle, half), 1.0 - half)


def _size(label: Annotation) -> tuple[float, float]:
    label.set_visible(True)
    extent = label.get_window_extent()
    return extent.width, extent.height


def _box(label: Annotation, spot: Spot, size: tuple[float, float]) -> NDArray[np.float64]:
    """Left, lower, right and upper edge in display units of a label at a spot."""
    axes, figure = label.axes, label.get_figure()
    assert axes is not None and figure is not None
    x, y = axes.transData.transform((spot.x, spot.y))
    x += (
        spot.right * figure.dpi / _POINTS_PER_INCH
        - {"left": 0.0, "center": 0.5, "right": 1.0}[spot.horizontal] * size[0]
    )
    y += spot.up * figure.dpi / _POINTS_PER_INCH - {"bottom": 0.0, "center": 0.5, "top": 1.0}[spot.vertical] * size[1]
    return np.array([x, y, x + size[0], y + size[1]])


def _move(label: Annotation, spot: Spot) -> None:
    label.xy = (spot.x, spot.y)
    label.set_position((spot.right, spot.up))
    label.set_horizontalalignment(spot.horizontal)
    label.set_verticalalignment(spot.vertical)


def _cost(
    box: NDArray[np.float64],
    room: NDArray[np.float64],
    taken: Sequence[NDArray[np.float64]],
    curves: Sequence[NDArray[np.float64]],
) -> float:
    cost = _OUTSIDE * float(np.maximum(room[:2] - box[:2], 0).sum() + np.maximum(box[2:] - room[2:], 0).sum())
    for other in taken:
        shared = np.minimum(box[2:], other[2:]) - np.maximum(box[:2], other[:2])
        if (shared > 0).all():
            cost += float(shared.prod())
    for points in curves:
        within = (points > box[:2] - _CLEARANCE).all(axis=1) & (points < box[2:] + _CLEARANCE).all(axis=1)
        cost += _ON_CURVE * float(within.sum())
    return cost
