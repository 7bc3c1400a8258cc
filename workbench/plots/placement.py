"""Putting labels where they cover neither each other nor the curves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
    for start, end in zip(points[:-1], points[1:], strict=True):
        if np.isfinite(start).all() and np.isfinite(end).all():
            count = min(max(int(np.hypot(*(end - start)) / _STEP_PIXELS), 1), 400)
            pieces.append(start + (end - start) * np.linspace(0, 1, count, endpoint=False)[:, None])
    return np.concatenate(pieces) if pieces else np.empty((0, 2))


def place(
    label: Annotation,
    spots: Sequence[Spot],
    inside: Bbox,
    taken: Iterable[Bbox] = (),
    curves: Iterable[NDArray[np.float64]] = (),
) -> Bbox:
    """Move `label` to the first free of the spots, or to the least bad one.

    Parameters
    ----------
    label
        An annotation with `textcoords="offset points"`.
    spots
        Where it may go, best first.
    inside
        The room in display units that it should not leave.
    taken
        Boxes in display units that should stay free, such as those of other labels.
    curves
        Points in display units that should not be covered, from `on_screen`.

    Returns
    -------
    Bbox
        The label's box where it now is, in display units.
    """
    boxes = list(taken)
    lines = list(curves)
    best: tuple[float, Spot] | None = None
    for spot in spots:
        _move(label, spot)
        cost = _cost(label.get_window_extent(), inside, boxes, lines)
        if best is None or cost < best[0]:
            best = cost, spot
        if cost == 0:
            break
    if best is not None:
        _move(label, best[1])
    return label.get_window_extent()


def _move(label: Annotation, spot: Spot) -> None:
    label.xy = (spot.x, spot.y)
    label.set_position((spot.right, spot.up))
    label.set_horizontalalignment(spot.horizontal)
    label.set_verticalalignment(spot.vertical)


def _cost(box: Bbox, inside: Bbox, taken: list[Bbox], curves: list[NDArray[np.float64]]) -> float:
    cost = _OUTSIDE * sum(
        max(0.0, beyond)
        for beyond in (inside.x0 - box.x0, box.x1 - inside.x1, inside.y0 - box.y0, box.y1 - inside.y1)
    )
    for other in taken:
        width = min(box.x1, other.x1) - max(box.x0, other.x0)
        height = min(box.y1, other.y1) - max(box.y0, other.y0)
        if width > 0 and height > 0:
            cost += width * height
    for points in curves:
        within = (
            (points[:, 0] > box.x0 - 2)
            & (points[:, 0] < box.x1 + 2)
            & (points[:, 1] > box.y0 - 2)
            & (points[:, 1] < box.y1 + 2)
        )
        cost += _ON_CURVE * float(within.sum())
    return cost
