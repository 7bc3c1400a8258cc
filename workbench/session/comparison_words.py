"""Points of a comparison in words, and about how long it takes."""

from __future__ import annotations

import math

from workbench.core.number_text import count, estimate, exact, rounded
from workbench.evaluate.experiment import Axis
from workbench.evaluate.findings import Findings, Point


def point_words(point: Point, findings: Findings) -> str:
    """What hovering over a point says."""
    axis = findings.experiment.axis
    where = {
        Axis.EPSILON: "ε = {place}",
        Axis.USERS: "{place} users",
        Axis.BINS: "{place} bins",
    }[axis].format(place=exact(point.axis_value))
    unit = f" {findings.unit}" if findings.unit else ""
    lines = [
        point.method,
        f"{where}: off by {estimate(point.mean)}{unit} on average",
        f"95 % of {point.repetitions:,} repetitions between {estimate(point.low)} and {estimate(point.high)}",
    ]
    if math.isfinite(point.theory):
        lines.append(f"By formula {estimate(point.theory)}")
    if point.unanswered:
        lines.append(f"{point.unanswered:,} without an answer")
    return "\n".join(lines)


def duration_words(seconds: float) -> str:
    """About how long something takes."""
    if seconds < 1:
        return "less than a second"
    if seconds < 90:
        return f"about {count(rounded(seconds, 1) if seconds < 10 else round(seconds, -1))} s"
    if seconds < 5400:
        return f"about {count(seconds / 60)} min"
    return f"about {estimate(seconds / 3600, 2)} h"
