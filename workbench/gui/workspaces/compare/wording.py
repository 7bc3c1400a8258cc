"""The words of the Compare workspace."""

from __future__ import annotations

import math

from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import Findings, Point


def figure_text(value: float) -> str:
    """An estimate: four significant digits, thousands separated; "–" where there is none."""
    if math.isinf(value):
        return "∞"
    if not math.isfinite(value):
        return "–"
    if value == 0:
        return "0"
    if abs(value) < 1e-4 or abs(value) >= 1e12:
        return f"{value:.3e}"
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.4g}"


def place_text(value: float) -> str:
    """A place on the axis."""
    return f"{value:,.10g}"


def point_words(point: Point, findings: Findings) -> str:
    """What hovering over a point says."""
    axis = findings.experiment.axis
    where = {
        Axis.EPSILON: "ε = {place}",
        Axis.USERS: "{place} users",
        Axis.BINS: "{place} bins",
    }[axis].format(place=place_text(point.axis_value))
    unit = f" {findings.unit}" if findings.unit else ""
    lines = [
        point.method,
        f"{where}: off by {figure_text(point.mean)}{unit} on average",
        f"95 % of {point.repetitions:,} repetitions between {figure_text(point.low)} and {figure_text(point.high)}",
    ]
    if math.isfinite(point.theory):
        lines.append(f"By formula {figure_text(point.theory)}")
    if point.unanswered:
        lines.append(f"{point.unanswered:,} without an answer")
    return "\n".join(lines)


def duration_words(seconds: float) -> str:
    """About how long something takes."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return "about {n} s".format(n=f"{float(f'{seconds:.1g}') if seconds < 10 else round(seconds, -1):.0f}")
    if seconds < 5400:
        return f"about {seconds / 60:.0f} min"
    return f"about {seconds / 3600:.1f} h"
