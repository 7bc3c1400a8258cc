"""The number or the date that a text of the file is read as, where it is written in another way."""

from __future__ import annotations

import math
from decimal import Decimal

from workbench.core.errors import WorkbenchError
from workbench.core.kinds import parse
from workbench.core.schema import ColumnSpec
from workbench.gui.workspaces.data.distribution import axis_text


def value_text(number: float, spec: ColumnSpec) -> str:
    """A number or a date of a column as the program writes it."""
    return axis_text(number, spec) if spec.kind.temporal else f"{Decimal(repr(number)).normalize():f}"


def as_read(text: str, spec: ColumnSpec) -> str:
    """The value that a text stands for; "" if it is written so already, or is none of its kind."""
    if not (spec.kind.numeric or spec.kind.temporal):
        return ""
    try:
        number = float(parse([text], spec)[0])
    except WorkbenchError:
        return ""
    if not math.isfinite(number):
        return ""
    read = value_text(number, spec)
    return "" if read == text or _plain(text) == number else read


def _plain(text: str) -> float:
    """A text that everybody reads as the same number, such as 12.50; not a number for others."""
    try:
        return float(text)
    except ValueError:
        return math.nan
