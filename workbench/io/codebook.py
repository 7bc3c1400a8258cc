"""The notes of a file on its columns, and what follows from them: kinds, labels for codes, missing codes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.core.dates import DAY, MOMENT
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column
from workbench.io.foreign.pieces import sound

_SORTS = frozenset(("integer", "decimal", "truth", "date", "moment", "text"))


@dataclass(frozen=True)
class ColumnNotes:
    """The notes of a file on one column.

    Parameters
    ----------
    sorts
        The sorts of values it has: "integer", "decimal", "truth", "date", "moment", "text".
    declared
        The type it was declared with in a database that keeps dates as texts, in capitals.
    labels
        Labels of its codes, as texts.
    missing, ranges
        Codes that stand for no value, one by one and from one number to another.
    ordered, whole
        Whether its labels have an order, and whether it holds whole numbers alone.
    """

    sorts: frozenset[str] = frozenset()
    declared: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    missing: frozenset[str] = frozenset()
    ranges: tuple[tuple[float, float], ...] = ()
    ordered: bool = False
    whole: bool = False

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> ColumnNotes:
        """From what another process told.

        Raises
        ------
        TypeError, ValueError, KeyError
            If it cannot be.
        """
        sorts = frozenset(told["sorts"])
        declared = told.get("declared", "")
        labels = tuple((code, sound([label])[0]) for code, label in told.get("labels", ()))
        missing = frozenset(told.get("missing", ()))
        ranges = tuple((float(low), float(high)) for low, high in told.get("ranges", ()))
        texts = (*missing, declared, *(text for pair in labels for text in pair))
        if not sorts <= _SORTS or set(map(type, texts)) - {str} or any(map(math.isnan, sum(ranges, ()))):
            raise ValueError
        return cls(sorts, declared, labels, missing, ranges, bool(told.get("ordered")), bool(told.get("whole")))

    def described(self, column: Column, *, labels: bool = True) -> tuple[Column, ColumnSpec]:
        """The column, with labels for codes where all its values have one, and its description."""
        occurring = [column.values[code] for code in np.flatnonzero(column.counts).tolist()]
        codes = tuple(sorted((text for text in occurring if text and self._is_missing(text)), key=_by_number))
        spec = ColumnSpec(column.name, missing=("", *codes))
        values = [text for text in occurring if text not in spec.missing]
        known = self._distinct_labels(spec.missing) if labels else {}
        if values and known.keys() >= set(values):
            relabelled = Column(column.name, column.codes, tuple(known.get(text, text) for text in column.values))
            domain = tuple(known.values()) if self.ordered else None
            observed = frozenset({"domain"}) if self.ordered else frozenset[str]()
            kind = Kind.ORDERED if self.ordered else Kind.CATEGORY
            return relabelled, ColumnSpec(column.name, kind, missing=spec.missing, domain=domain, observed=observed)
        kind, written = self._kind(values)
        return column, ColumnSpec(column.name, kind, format=written, missing=spec.missing)

    def _is_missing(self, text: str) -> bool:
        if text in self.missing:
            return True
        number = _number(text)
        return number is not None and any(low <= number <= high for low, high in self.ranges)

    def _distinct_labels(self, missing: tuple[str, ...]) -> dict[str, str]:
        """A label for each code that has one, and none twice: codes that are labelled alike stay apart."""
        given = [(code, label.strip()) for code, label in self.labels if label.strip() and not self._is_missing(code)]
        times: dict[str, int] = {}
        for _, label in given:
            times[label] = times.get(label, 0) + 1
        return {
            code: label if times[label] == 1 and label not in missing else f"{label} ({code})"
            for code, label in sorted(given, key=lambda pair: _by_number(pair[0]))
        }

    def _kind(self, values: list[str]) -> tuple[Kind, Format]:
        sorts, written = set(self.sorts), Format()
        if self.missing:
            sorts -= {"text"} if sorts & {"integer", "decimal"} else set()  # letters for missing numbers
        if sorts == {"text"} and self.declared:
            return _declared_kind(self.declared, values)
        if sorts and sorts <= {"integer", "decimal"}:
            return (Kind.INTEGER if self.whole or sorts == {"integer"} else Kind.DECIMAL), written
        if sorts == {"truth"}:
            return Kind.CATEGORY, written
        if sorts == {"date"}:
            return Kind.DATE, Format(pattern=DAY)
        if sorts and sorts <= {"date", "moment"}:
            return Kind.DATETIME, Format(pattern=MOMENT)
        return Kind.TEXT, written


def _declared_kind(declared: str, values: list[str]) -> tuple[Kind, Format]:
    """Of a column of texts that was declared to hold dates, where all of them are written as such."""
    if declared.startswith(("DATETIME", "TIMESTAMP")):
        return Kind.DATETIME, Format(pattern=MOMENT)
    return (Kind.DATE, Format(pattern=DAY)) if declared == "DATE" else (Kind.TEXT, Format())


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _by_number(text: str) -> tuple[bool, float, str]:
    number = _number(text)
    return (number is None, number or 0.0, text)
