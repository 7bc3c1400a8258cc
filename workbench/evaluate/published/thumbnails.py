"""Small pictures of published figures, recorded from a run, so that a gallery shows what each is without running it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from workbench.core.paths import resources
from workbench.evaluate.published.entry import FigureSide
from workbench.evaluate.published.panel import PublishedPanel

THUMBNAILS = "published_thumbnails.json"
_POINTS, _BARS, _CELLS = 24, 50, (6, 6)
"""The most points of a curve, bars, and rows and columns of a table."""
_LETTERS = 12.0
_SPREAD = 30.0
"""Of the largest to the smallest value, from which a scale is logarithmic."""

Thumbnail = Mapping[str, Any]
"""“curves”, each a list of points between 0 and 1, “bars”, lists of heights, “cells”, rows of widths, or “boxes”.

Of curves and bars also “names” and “approaches”, from which follows the colour of each. Where both sides begin with a
table, “rows” is how many the longer one has.
"""


@cache
def thumbnails() -> Mapping[str, Thumbnail]:
    """The recorded pictures, by figure."""
    with (resources() / THUMBNAILS).open(encoding="utf-8") as stream:
        found: dict[str, Thumbnail] = json.load(stream)
    return found


def thumbnail_of(published: FigureSide, mended: FigureSide, *, linear: bool = False) -> Thumbnail:
    """The first chart as published, or what there is instead: a scheme, a mended chart, a table.

    Parameters
    ----------
    linear
        Whether what was published has linear axes, as it is printed.
    """
    panels = (*published.panels, *mended.panels)
    charts = [one for one in published.panels if one.curves]
    schemes = [one for one in panels if one.boxes]
    if schemes:
        return {"boxes": [[round(box.across, 2), round(box.up, 2)] for box in schemes[0].boxes if not box.heading]}
    if not charts and published.panels and published.panels[0].rows:
        rows = published.panels[0].rows[: _CELLS[0]]
        small = {"cells": [[round(min(len(cell) / _LETTERS, 1.0), 2) for cell in row[: _CELLS[1]]] for row in rows]}
        longest = [len(side.panels[0].rows) - 1 for side in (published, mended) if side.panels]
        return {**small, "rows": max(longest)} if min(longest) > 0 else small
    if charts:
        return _of_chart(charts[0], linear=linear)
    return _of_chart(next(one for one in mended.panels if one.curves))


def _of_chart(panel: PublishedPanel, *, linear: bool = False) -> Thumbnail:
    curves = [one for one in panel.curves if one.places and not one.name.endswith("by formula")]
    coloured = {"names": [one.name for one in curves], "approaches": [one.approach for one in curves]}
    if panel.labels:
        high = max((mean for one in curves for mean in one.means), default=1.0) or 1.0
        return {"bars": [[round(max(mean, 0.0) / high, 3) for mean in one.means[:_BARS]] for one in curves], **coloured}
    across = _scale([place for one in curves for place in one.places], linear=linear)
    up = _scale([mean for one in curves for mean in one.means], linear=linear)
    drawn = []
    for one in curves:
        step = max(1, math.ceil(len(one.places) / _POINTS))
        points = [*zip(one.places, one.means, strict=True)]
        drawn.append([[across(x), up(y)] for x, y in [*points[:-1:step], points[-1]]])
    return {"curves": drawn, **coloured}


def _scale(values: Sequence[float], *, linear: bool) -> Any:
    low, high = min(values), max(values)
    logarithmic = not linear and low > 0 and high > _SPREAD * low
    if not logarithmic:
        low = min(low, 0.0) if low > 0 and low < 0.5 * high else low

    def placed(value: float) -> float:
        if high <= low:
            return 0.5
        if logarithmic:
            return round(math.log(value / low) / math.log(high / low), 3)
        return round((value - low) / (high - low), 3)

    return placed
