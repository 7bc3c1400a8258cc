"""Top and bottom coding: what lies beyond a bound shares one label, what lies between stays as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.building import Builder, BuilderSettings, BuilderValues, Level, Levels, ProvenanceAssessment
from workbench.core.cells import IntervalCells
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.level_functions import dashed, plain_numbers
from workbench.core.moments import UNITS, as_text, is_coarser, unit_label, unit_numbers
from workbench.core.params import ParamSpec, ParamType
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Format, Kind

_DAY = 86400.0
_ISO = "%Y-%m-%d"
_STEPS = re.compile(r"[;\s]+")

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _End:
    """One bound: the number it is, how it was typed, whether values equal to it lie beyond, and the label there."""

    at: float | None
    typed: str
    through: bool
    label: str


@dataclass(frozen=True)
class _Line:
    low: _End
    high: _End

    def beyond(self, numbers: Floats) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Which numbers are below the low bound and which above the high one."""
        low, high = self.low, self.high
        nothing = np.zeros(len(numbers), dtype=np.bool_)
        below = nothing if low.at is None else numbers <= low.at if low.through else numbers < low.at
        above = nothing if high.at is None else numbers >= high.at if high.through else numbers > high.at
        return below, above


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    column = material.column
    line = _line(settings, column)
    covered = material.by_number
    numbers = material.numbers[covered]
    if column.kind is Kind.INTEGER:
        whole = numbers == np.floor(numbers)
        covered, numbers = covered[whole], numbers[whole]
    below, above = line.beyond(numbers)
    own = (np.arange(len(covered)), [material.values[i] for i in covered.tolist()])
    made = [_with_ends(own, line, below, above)]
    if column.kind.temporal:
        seconds = np.floor(numbers * (_DAY if column.kind is Kind.DATE else 1.0)).astype(np.int64)
        steps = [_units(seconds, unit) for unit in _calendar(settings)]
    else:
        # What lies beyond is put at a bound, so that a far-away number needs no interval.
        between = numbers[~(below | above)]
        steps = [
            _intervals(between, ~(below | above), line, width, column)
            for width in _widths(settings, column.format.decimal_mark)
        ]
    made += [_with_ends(step, line, below, above) for step in steps]
    return Levels(covered, made)


def _with_ends(level: Level, line: _Line, below: NDArray[np.bool_], above: NDArray[np.bool_]) -> Level:
    codes, labels = level
    for mask, end in ((below, line.low), (above, line.high)):
        if mask.any():
            codes = np.where(mask, len(labels), codes)
            labels = [*labels, end.label]
    return codes, labels


def _units(seconds: NDArray[np.int64], unit: str) -> Level:
    known, codes = np.unique(unit_numbers(seconds, unit), return_inverse=True)
    return codes, [unit_label(number, unit) for number in known.tolist()]


def _intervals(numbers: Floats, between: NDArray[np.bool_], line: _Line, width: Decimal, column: ColumnSpec) -> Level:
    """Intervals [a, b[ counted from the low bound, or from the high one if there is no other."""
    low, high = line.low.at, line.high.at
    anchor = Decimal(repr(low if low is not None else high))
    cells = IntervalCells((float(anchor), float(anchor + width)), True, True)
    places = cells.locate(numbers)
    if high is not None:
        # A bound that is released as it is belongs to the interval that ends there.
        last = cells.locate(np.array([high]))
        places = np.minimum(places, last - (cells.edge(last) == high))
    known, found = np.unique(places, return_inverse=True)
    start, stop = cells.edge(known), cells.edge(known + 1)
    if low is not None:
        start = np.maximum(start, low)
    if high is not None:
        stop = np.minimum(stop, high)
    open_low = (start == low) & line.low.through
    closed_high = (stop == high) & (not line.high.through)
    codes = np.zeros(len(between), dtype=np.int64)
    codes[between] = found
    return codes, _names(start, stop, open_low, closed_high, column)


def _names(
    start: Floats, stop: Floats, open_low: NDArray[np.bool_], closed_high: NDArray[np.bool_], column: ColumnSpec
) -> list[str]:
    mark = column.format.decimal_mark
    if column.kind is Kind.INTEGER:
        # Of whole numbers the first and the last inside are known.
        first = np.where(open_low, np.floor(start) + 1, np.ceil(start))
        last = np.maximum(first, np.where(closed_high, np.floor(stop), np.ceil(stop) - 1))
        ends = zip(plain_numbers(first), plain_numbers(last), strict=True)
        return [a if a == b else dashed(a, b) for a, b in ends]
    comma = ", " if mark == "." else "; "
    ends = zip(plain_numbers(start, mark=mark), plain_numbers(stop, mark=mark), strict=True)
    return [
        f"{']' if opened else '['}{a}{comma}{b}{']' if closed else '['}"
        for (a, b), opened, closed in zip(ends, open_low.tolist(), closed_high.tolist(), strict=True)
    ]


def _line(settings: BuilderSettings, column: ColumnSpec) -> _Line:
    low = _end(settings, column, "low", {"below": ("<", False), "through": ("≤", True)})
    high = _end(settings, column, "high", {"from": ("≥", True), "above": (">", False)})
    if low.at is None and high.at is None:
        raise WorkbenchError(
            "No bound is given, so nothing would be coded.",
            hint="Give the low bound, the high one or both.",
            field="high",
        )
    if low.at is not None and high.at is not None and low.at >= high.at:
        raise WorkbenchError(
            f"The low bound {low.typed} is not below the high bound {high.typed}.", hint="Swap them.", field="low"
        )
    return _Line(low, high)


def _end(settings: BuilderSettings, column: ColumnSpec, side: str, ways: dict[str, tuple[str, bool]]) -> _End:
    typed = settings[side].strip()
    sign, through = ways[settings[f"{side}_end"]]
    label = settings[f"{side}_label"].strip() or f"{sign}{typed}"
    return _End(_number(typed, side, column) if typed else None, typed, through, label)


def _number(typed: str, side: str, column: ColumnSpec) -> float:
    """A bound as the column's values are read, or in the plainest form."""
    plain = Format(pattern=_ISO) if column.kind.temporal else Format()
    for way in (column, replace(column, format=plain, missing=())):
        if way.kind.temporal and not way.format.pattern:
            continue
        number = float(read_values((typed,), replace(way, missing=()))[0])
        if np.isfinite(number):
            return number
    wanted = "date" if column.kind.temporal else "number"
    raise WorkbenchError(
        f"The {side} bound “{typed}” is no {wanted}.",
        hint="Write it as the values of the column are written, such as "
        f"{'2024-12-31' if column.kind.temporal else '90'}.",
        field=side,
    )


def _words(settings: BuilderSettings) -> list[str]:
    words = (word.rstrip(",") for word in _STEPS.split(settings["steps"].strip()))
    return [word for word in words if word]


def _widths(settings: BuilderSettings, mark: str) -> list[Decimal]:
    found: list[Decimal] = []
    for word in _words(settings):
        try:
            width = Decimal(word.replace(",", ".") if mark == "," else word)
        except InvalidOperation:
            width = Decimal("NaN")
        if not (width.is_finite() and Decimal("1e-9") <= width <= Decimal("1e15")):
            raise WorkbenchError(
                f"“{word}” is no width of an interval.", hint="Write numbers above 0, such as 5 10 20.", field="steps"
            )
        if found and (width <= found[-1] or width % found[-1]):
            raise WorkbenchError(
                f"Intervals of width {word} do not join intervals of width {found[-1]}.",
                hint="Let each width be a multiple of the one before, such as 5 10 20.",
                field="steps",
            )
        found.append(width)
    return found


def _calendar(settings: BuilderSettings) -> list[str]:
    found: list[str] = []
    for word in _words(settings):
        if word not in UNITS:
            raise WorkbenchError(
                f"“{word}” is no calendar unit.", hint=f"Known are: {', '.join(UNITS)}.", field="steps"
            )
        if found and not is_coarser(word, found[-1]):
            raise WorkbenchError(
                f"The unit {word} is not coarser than {found[-1]}.",
                hint="Go from fine to coarse, such as month year decade.",
                field="steps",
            )
        found.append(word)
    return found


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    line = _line(settings, column)
    steps = _calendar(settings) if column.kind.temporal else _widths(settings, column.format.decimal_mark)
    ends = " and ".join(end.label for end in (line.low, line.high) if end.at is not None)
    more = f"; between them {', '.join(map(str, steps))}" if steps else ""
    return ProvenanceAssessment(
        Provenance.PUBLIC, f"Values beyond a bound become {ends}{more}. The bounds were typed in."
    )


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    """Bounds a tenth inside the declared ones, or an example: nothing is read off the data."""
    if column.kind.temporal:
        pattern = column.format.pattern or _ISO
        return {"low": as_text(946_684_800.0, pattern), "steps": "year decade"}, {}  # 2000-01-01
    low, high = column.bounds or (0.0, 100.0)
    tenth = (high - low) / 10
    ends = np.array([low + tenth, high - tenth])
    if tenth > 1:
        ends = np.round(ends)
    start, stop = plain_numbers(ends, mark=column.format.decimal_mark if column.kind.numeric else ".")
    return ({"low": start, "high": stop} if column.bounds is not None else {"high": stop}), {}


PLUGIN = Builder(
    identifier="ends",
    title="Top and bottom coding",
    help="Beyond a bound <18 or ≥90, as it is between.",
    parameters=(
        ParamSpec("low", "Low bound", ParamType.TEXT, "", "Typed as the values of the column are; empty for none."),
        ParamSpec(
            "low_end",
            "Low end",
            ParamType.CHOICE,
            "below",
            "Whether the low bound itself is released as it is, or belongs to what lies below.",
            choices=(("below", "< bound: the bound itself stays"), ("through", "≤ bound: the bound goes too")),
        ),
        ParamSpec("low_label", "Low label", ParamType.TEXT, "", "Empty for a label such as <18."),
        ParamSpec("high", "High bound", ParamType.TEXT, "", "Typed as the values of the column are; empty for none."),
        ParamSpec(
            "high_end",
            "High end",
            ParamType.CHOICE,
            "from",
            "Whether the high bound itself is released as it is, or belongs to what lies above.",
            choices=(("from", "≥ bound: the bound goes too"), ("above", "> bound: the bound itself stays")),
        ),
        ParamSpec("high_label", "High label", ParamType.TEXT, "", "Empty for a label such as ≥90."),
        ParamSpec(
            "steps",
            "Levels between",
            ParamType.TEXT,
            "",
            "Further levels: widths of intervals such as 5 10 20, each a multiple of the one before; for dates "
            "calendar units such as month year. Empty for none.",
        ),
    ),
    details=(),
    build=_build,
    assess=_assess,
    suggest=_suggest,
)
