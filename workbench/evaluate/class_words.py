"""The words on the classes of a release: how wide they are, and how much of its error that alone is."""

from __future__ import annotations

import math

from workbench.core.number_text import estimate, exact
from workbench.evaluate.class_shift import intervals_level
from workbench.evaluate.families import FINEST
from workbench.evaluate.findings import Findings
from workbench.evaluate.question import Metric
from workbench.evaluate.tile import Tile

_MOSTLY = 0.5, 1.5
"""Between which parts of an error it is mostly that: of far more, what is lost of the rows makes up for most of it."""


def class_width(tile: Tile, findings: Findings, unit: str = "") -> str:
    """How wide the classes of a release of numbers are; "" for other settings and answers.

    Where it is public below which number most values lie, those below it; above it they are wider and wider.
    """
    level = intervals_level(tile.setting)
    if level is None or not findings.width > 0 or not tile.known:
        return ""
    most = findings.experiment.most_below if findings.experiment.narrowed else None
    if most is None or not findings.narrowest > 0:
        return f"{estimate(findings.width / FINEST * 2 ** (level - 1), 4)}{unit}"
    return f"{estimate(findings.narrowest * 2 ** (level - 1), 3)}{unit} below {exact(most)}, wider above"


def mostly_words(tile: Tile, findings: Findings) -> str:
    """That the width of the classes alone is most of an error, in few words; "" where it is not, or nobody knows."""
    if not class_width(tile, findings):
        return ""
    low, high = (part * tile.error for part in _MOSTLY)
    return "mostly how wide its classes are" if low <= _shift(tile, findings) <= high else ""


def class_words(tile: Tile, findings: Findings) -> str:
    """How wide the classes are, what counts for their values, and by how much that alone is off, as sentences."""
    width = class_width(tile, findings)
    if not width:
        return ""
    unit = f" {findings.unit}" if findings.unit and findings.experiment.metric == Metric() else ""
    said = f"Classes of {class_width(tile, findings, unit)}: each value counts as the middle of its class."
    shift = _shift(tile, findings)
    known = math.isfinite(shift) and findings.experiment.metric == Metric()
    return f"{said} On this shape that alone is off by about {estimate(shift, 2)}{unit}." if known else said


def _shift(tile: Tile, findings: Findings) -> float:
    """By how much the classes alone are off on the shape that the error is about; nan where nobody knows."""
    level, shapes = intervals_level(tile.setting), findings.experiment.shapes
    if level is None or not shapes or findings.experiment.metric != Metric():
        return math.nan
    shape = shapes[0] if tile.shape is None else tile.shape
    return dict(findings.by_classes).get((shape, level), math.nan)
