"""Dates and times into calendar units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.building import Builder, BuilderSettings, BuilderValues, Level, Levels, ProvenanceAssessment
from workbench.core.dates import seconds_reader
from workbench.core.details import Details
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.moments import UNITS, in_zone, is_coarser, unit_label, unit_numbers, writer
from workbench.core.params import ParamSpec, ParamType
from workbench.core.schema import ColumnSpec, Kind

_OWN = "own"
_DAY = 86400.0
_WRITTEN = ("%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S")


@dataclass(frozen=True)
class _Bound:
    coding: float | None
    error: float | None
    written: str
    label: str

    @classmethod
    def read(cls, entry: Details) -> _Bound:
        entry.only("coding", "error", "label")
        return cls(_moment(entry, "coding"), _moment(entry, "error"), entry.text("coding"), entry.text("label"))


def _build(settings: BuilderSettings, material: BuilderValues) -> Levels:
    column = material.column
    if not column.kind.temporal:
        raise WorkbenchError(
            "The values are not known to be dates.",
            hint="Say that the column is a date or a date-time, and how dates are written.",
            field="builder",
        )
    covered = material.by_number
    seconds = material.numbers[covered] * (_DAY if column.kind is Kind.DATE else 1.0)
    if settings["zone"]:
        if column.kind is Kind.DATE or "%z" not in column.format.pattern:
            raise WorkbenchError(
                "The values do not say their time zone, so they cannot be turned into another one.",
                hint="Leave the time zone empty: times are then taken as they are written.",
                field="zone",
            )
        seconds = in_zone(seconds, settings["zone"])
    lowest, highest = _bounds(settings)
    covered, seconds = material.within(covered, seconds, lowest.error, highest.error)
    _refuse_beyond(lowest, highest, seconds, [material.values[i] for i in covered.tolist()])
    whole = np.floor(seconds).astype(np.int64)
    below = seconds < lowest.coding if lowest.coding is not None else np.zeros(len(seconds), dtype=np.bool_)
    above = seconds >= highest.coding if highest.coding is not None else np.zeros(len(seconds), dtype=np.bool_)
    ends = [
        (below, lowest.label or f"<{lowest.written}"),
        (above & ~below, highest.label or f"≥{highest.written}"),
    ]
    made: list[Level] = []
    for unit, pattern in _levels(settings):
        codes, labels = _own_units(whole, pattern) if unit == _OWN else _units(whole, unit)
        for mask, label in ends:
            if mask.any():
                codes = np.where(mask, len(labels), codes)
                labels = [*labels, label]
        made.append((codes, labels))
    return Levels(covered, made)


def _units(whole: NDArray[np.int64], unit: str) -> tuple[NDArray[np.int64], list[str]]:
    numbers = unit_numbers(whole, unit)
    least = int(numbers.min(initial=0))
    if len(numbers) and int(numbers.max()) - least < 4 * len(numbers) + 1000:
        # Few and close together: marking them is far quicker than sorting them.
        there = np.zeros(int(numbers.max()) - least + 1, dtype=np.bool_)
        there[numbers - least] = True
        known = np.flatnonzero(there) + least
        codes = (np.cumsum(there) - 1)[numbers - least]
    else:
        known, codes = np.unique(numbers, return_inverse=True)
    return codes, [unit_label(number, unit) for number in known.tolist()]


def _own_units(whole: NDArray[np.int64], pattern: str) -> tuple[NDArray[np.int64], list[str]]:
    write = writer(pattern)
    known, codes = np.unique(whole, return_inverse=True)
    index: dict[str, int] = {}
    texts = [index.setdefault(write(second), len(index)) for second in known.tolist()]
    return np.array(texts, dtype=np.int64)[codes], list(index)


def _levels(settings: BuilderSettings) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for entry in settings.details.entries("levels", "level"):
        entry.only("unit", "format")
        unit, pattern = entry.text("unit"), entry.text("format")
        if unit not in (*UNITS, _OWN):
            raise entry.wrong("unit", f"is “{unit}”, which is no calendar unit", f"Known are: {', '.join(UNITS)}, own.")
        if unit == _OWN:
            writer(pattern)
        if found and _OWN not in (unit, found[-1][0]) and not is_coarser(unit, found[-1][0]):
            raise WorkbenchError(
                f"{entry.where.capitalize()} ({unit}) is not coarser than the level before it ({found[-1][0]}).",
                hint=f"Not every {found[-1][0]} lies within one {unit}; leave one of the two out.",
                field="levels",
            )
        found.append((unit, pattern))
    if not found:
        raise WorkbenchError("No calendar unit is chosen.", hint="Add a level, such as month.", field="levels")
    return found


def _bounds(settings: BuilderSettings) -> tuple[_Bound, _Bound]:
    lowest, highest = (_Bound.read(settings.details.one(name)) for name in ("lowest", "highest"))
    if lowest.coding is not None and highest.coding is not None and lowest.coding >= highest.coding:
        raise WorkbenchError(
            "The bound for early dates is not before the one for late dates.", hint="Swap them.", field="lowest"
        )
    return lowest, highest


def _moment(entry: Details, name: str) -> float | None:
    text = entry.text(name)
    if not text:
        return None
    for pattern in _WRITTEN:
        seconds = seconds_reader(pattern)(text)
        if seconds is not None:
            return seconds
    raise entry.wrong(name, f"is “{text}”, which is no date", "Write it as 2024-12-31 or 2024-12-31 23:59:59.")


def _refuse_beyond(lowest: _Bound, highest: _Bound, seconds: NDArray[np.float64], texts: list[str]) -> None:
    for bound, side in ((lowest.error, "before"), (highest.error, "after")):
        if bound is None:
            continue
        beyond = np.flatnonzero(seconds < bound if side == "before" else seconds > bound)
        if len(beyond):
            what = "1 value lies" if len(beyond) == 1 else f"{len(beyond):,} values lie"
            raise WorkbenchError(
                f"{what} {side} the bound, among them “{texts[beyond[0]]}”.",
                hint="Correct the data, or move the bound.",
                field="lowest" if side == "before" else "highest",
            )


def _assess(settings: BuilderSettings, column: ColumnSpec) -> ProvenanceAssessment:
    _bounds(settings)
    units = [pattern if unit == _OWN else unit for unit, pattern in _levels(settings)]
    zone = f" in the time zone {settings['zone']}" if settings["zone"] else ""
    return ProvenanceAssessment(Provenance.PUBLIC, f"Calendar units{zone}: {', '.join(units)}.")


def _suggest(column: ColumnSpec) -> tuple[dict[str, Any], dict[str, Any]]:
    units = ["month", "quarter", "year", "decade"]
    if column.kind is Kind.DATETIME:
        units = ["day", *units]
    return {}, {"levels": [{"unit": unit} for unit in units]}


PLUGIN = Builder(
    identifier="dates",
    title="Dates",
    help="Days become months, quarters, years, decades.",
    parameters=(
        ParamSpec(
            "zone",
            "Time zone",
            ParamType.TEXT,
            "",
            "The place whose clocks count, such as Europe/Paris, for values that say their own zone. Empty is UTC.",
        ),
    ),
    details=("levels", "lowest", "highest"),
    build=_build,
    assess=_assess,
    suggest=_suggest,
    suits=lambda column: 2 * column.kind.temporal,
)
