"""Reading many values as numbers at once: the same numbers as `workbench.core.kinds.parse`, sooner.

A block of values in the plainest form (`42`, `-0.5`, `$1,234.50`, `2024-02-29`) is recognised as a whole and
converted by numpy; any other block is left to the careful reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.kinds import parse, parse_numbers
from workbench.core.schema import ColumnSpec, Format, Kind

_BLOCK = 4096
_DAY = 86400.0

Quick = Callable[[Sequence[str]], "NDArray[np.float64] | None"]


def read_values(values: Sequence[str], column: ColumnSpec) -> NDArray[np.float64]:
    """Every value as a number by the column's kind, shape (len(values),), nan where it is none or missing.

    Columns of other kinds are read as decimals with a point: a code such as `7` in a category is a number.

    Raises
    ------
    WorkbenchError
        If the column's format is contradictory or lacks the pattern of its dates.
    """
    known = column.kind.numeric or column.kind.temporal
    quick = _quick_reader(column.kind if known else Kind.DECIMAL, column.format if known else Format())
    absent = frozenset(column.missing)
    numbers = np.empty(len(values))
    for start in range(0, len(values), _BLOCK):
        block = values[start : start + _BLOCK]
        found = None if quick is None else quick(block)
        if found is None:
            found = parse(block, column) if known else parse_numbers(block, Kind.DECIMAL, Format(), column.missing)
        elif not absent.isdisjoint(block):
            # What is listed as missing is missing even if it reads as a number, such as 999.
            found[[i for i, value in enumerate(block) if value in absent]] = np.nan
        numbers[start : start + len(block)] = found
    return numbers


@lru_cache(maxsize=64)
def _quick_reader(kind: Kind, written: Format) -> Quick | None:
    if kind is Kind.DATE or kind is Kind.DATETIME:
        return _quick_dates(kind) if written.pattern == "%Y-%m-%d" else None
    if written.decimal_mark != "." or written.thousands not in ("", ","):
        return None
    whole = "(?:[1-9][0-9]{0,14}+|0)"
    if written.thousands:
        whole = f"(?:[1-9][0-9]{{0,2}}(?:,[0-9]{{3}}){{1,4}}+|{whole})"
    fraction = "" if kind is Kind.INTEGER else r"(?:\.[0-9]{1,12}+)?+"
    symbol = written.symbol if kind in (Kind.MONEY, Kind.PERCENT) else ""
    if len(symbol) > 1 or (symbol and symbol in "0123456789.,+-\n"):
        return None
    sign = "" if symbol else "-?+"
    matches = re.compile(f"(?:{sign}{re.escape(symbol)}{whole}{fraction}\n)*+").fullmatch

    def quick(block: Sequence[str]) -> NDArray[np.float64] | None:
        text = "\n".join(block) + "\n"
        if matches(text) is None:
            return None
        plain = text.replace(",", "").replace(symbol, "") if symbol else text.replace(",", "")
        numbers = np.fromstring(plain, sep="\n")
        # A value may itself hold a line break; then there are more numbers than values.
        return numbers + 0.0 if len(numbers) == len(block) else None

    return quick


def _quick_dates(kind: Kind) -> Quick:
    matches = re.compile("(?:(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-[0-3][0-9]\n)*+").fullmatch

    def quick(block: Sequence[str]) -> NDArray[np.float64] | None:
        if matches("\n".join(block) + "\n") is None or max(map(len, block)) > 10:
            return None
        try:
            days = np.array(block, dtype="M8[D]").astype(np.int64).astype(np.float64)
        except ValueError:  # such as 30 February
            return None
        return days if kind is Kind.DATE else days * _DAY

    return quick
