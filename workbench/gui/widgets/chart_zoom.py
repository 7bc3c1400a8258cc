"""The part of a chart that is shown: zoomed around a place, moved by dragging, never beyond the whole."""

from __future__ import annotations

from workbench.plots.reading import Box

Zoom = tuple[float, float, float, float]
"""Left, right, bottom and top as shares of the whole axes."""

WHOLE: Zoom = (0.0, 1.0, 0.0, 1.0)
_STEP = 1.25
_NARROWEST = 1e-3
_NOTCH = 120.0


def zoomed(zoom: Zoom | None, frame: Box, x: float, y: float, notches: float) -> Zoom | None:
    """Another part, in which what is at a place of the picture stays there.

    Parameters
    ----------
    zoom
        What is shown, None for the whole.
    frame
        The axes in the picture.
    x, y
        The place.
    notches
        Of the wheel; larger above 0.

    Returns
    -------
    tuple or None
        None for the whole.
    """
    left, right, bottom, top = zoom or WHOLE
    across, up = _shares(frame, x, y)
    factor = _STEP**-notches
    across, up = left + across * (right - left), bottom + up * (top - bottom)
    return _tidy(
        (
            *_within(across - (across - left) * factor, across + (right - across) * factor),
            *_within(up - (up - bottom) * factor, up + (top - up) * factor),
        )
    )


def moved(zoom: Zoom, frame: Box, right: float, down: float) -> Zoom:
    """The part that is shown after the picture was dragged by so many pixels."""
    x0, x1, y0, y1 = zoom
    across = -right / max(frame[2] - frame[0], 1.0) * (x1 - x0)
    up = down / max(frame[3] - frame[1], 1.0) * (y1 - y0)
    across = min(max(across, -x0), 1.0 - x1)
    up = min(max(up, -y0), 1.0 - y1)
    return x0 + across, x1 + across, y0 + up, y1 + up


def notches(delta: int) -> float:
    """Notches of the wheel."""
    return delta / _NOTCH


def _shares(frame: Box, x: float, y: float) -> tuple[float, float]:
    left, top, right, bottom = frame
    return (x - left) / max(right - left, 1.0), (bottom - y) / max(bottom - top, 1.0)


def _within(low: float, high: float) -> tuple[float, float]:
    if high - low < _NARROWEST:
        middle = (low + high) / 2
        low, high = middle - _NARROWEST / 2, middle + _NARROWEST / 2
    low, high = max(low, 0.0), min(high, 1.0)
    return low, high


def _tidy(zoom: Zoom) -> Zoom | None:
    return None if zoom == WHOLE else zoom
