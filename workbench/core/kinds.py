"""Reading numbers and dates from texts, and the order of a column's values.

What counts as a number is strict, because an identifier read as a number is lost: `007` and `0123.5` are
texts, so are integers beyond 2**53, which a float cannot tell apart, and numbers grouped in any other way
than `1,234,567` (or `12,34,567`, as in India).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.core.dates import seconds_at_once, seconds_reader
from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column
from workbench.core.table import is_missing as is_missing  # everybody looks for it here

LARGEST_INTEGER = 1 << 53
"""Integers beyond this are identifiers: a float cannot tell them from their neighbours."""

_SPACES = " \u00a0\u2009\u202f"
_GROUPS = {"": "", ",": ",", ".": r"\.", " ": f"[{_SPACES}]", "'": "['’]"}
_MARKS = {".": r"\.", ",": ","}
_DIGIT = re.compile("[0-9]")
_LONGEST_INTEGER = 16  # digits of 2**53
_BLOCK = 1 << 16
_FEW = 1000
_DATES = 1 << 12
_DAY = 86400.0


def parse_numbers(
    values: Sequence[str],
    kind: Kind,
    format: Format,  # noqa: A002
    missing: Collection[str] = ("",),
) -> NDArray[np.float64]:
    """The number in each text, shape (len(values),); nan for a missing value or one that does not fit.

    - INTEGER: sign, digits, grouped by `format.thousands` or not.
    - DECIMAL: the same with a decimal part after `format.decimal_mark` and an exponent.
    - MONEY: with `format.symbol` before or after it or not at all, and negative if in parentheses.
    - PERCENT: like MONEY with "%". `12.5 %` is 12.5.

    A currency sign other than `format.symbol` does not fit: euros must not be added to dollars.

    Raises
    ------
    WorkbenchError
        If the kind is no number, or decimal mark and thousands separator cannot be told apart.
    """
    read = _number_reader(kind, format)
    return _parsed(values, missing, read)


def parse_dates(
    values: Sequence[str],
    kind: Kind,
    format: Format,  # noqa: A002
    missing: Collection[str] = ("",),
) -> NDArray[np.float64]:
    """The date in each text by `format.pattern`, shape (len(values),); nan as in `parse_numbers`.

    DATE gives whole days since 1970-01-01, DATETIME seconds; times with a zone are turned into UTC.

    Raises
    ------
    WorkbenchError
        If the kind is no date or there is no pattern.
    """
    if not kind.temporal:
        raise WorkbenchError(f"“{kind}” is not a kind of date.", hint="Choose date or date-time.", field="kind")
    if not format.pattern:
        raise WorkbenchError("There is no pattern for the dates.", hint="Give one such as %Y-%m-%d.", field="pattern")
    one_by_one = seconds_reader(format.pattern)
    absent = frozenset(missing)
    seconds = np.empty(len(values))
    for start in range(0, len(values), _DATES):
        block = values[start : start + _DATES]
        found = seconds_at_once(block, format.pattern) if absent.isdisjoint(block) else None
        seconds[start : start + len(block)] = _parsed(block, absent, one_by_one) if found is None else found
    return np.floor(seconds / _DAY) if kind is Kind.DATE else seconds


def parse(values: Sequence[str], spec: ColumnSpec) -> NDArray[np.float64]:
    """The numbers or dates of a numeric or temporal column; see `parse_numbers` and `parse_dates`."""
    read = parse_dates if spec.kind.temporal else parse_numbers
    return read(values, spec.kind, spec.format, spec.missing)


def misfits(values: Iterable[str], spec: ColumnSpec) -> list[str]:
    """Those of `values` that are neither missing nor fit the kind of the column, in their order.

    Every text fits a category or free text; an ordered column with a domain takes the values of that.
    """
    listed = list(values)
    missing = frozenset(spec.missing)
    if spec.kind.numeric or spec.kind.temporal:
        wrong = np.isnan(parse(listed, spec)).tolist()
        return [v for v, bad in zip(listed, wrong, strict=True) if bad and not is_missing(v, missing)]
    if spec.kind is Kind.ORDERED and spec.domain is not None:
        known = frozenset(spec.domain)
        return [v for v in listed if v not in known and not is_missing(v, missing)]
    return []


def sort_keys(column: Column, spec: ColumnSpec) -> NDArray[np.intp]:
    """For each distinct value its place in the order, shape (len(column.values),): a permutation.

    Numbers go by size, dates by time, ordered categories as in the domain, texts by their letters without
    regard to case. Values that do not fit come after those that do, in the order of texts; missing values
    come last. `np.argsort(keys[codes], kind="stable")` sorts a table.
    """
    values = column.values
    missing = frozenset(spec.missing)
    by_text = text_ranks(values)
    group = np.fromiter((2 if is_missing(v, missing) else 0 for v in values), np.int8, len(values))
    size = np.zeros(len(values))
    if spec.kind.numeric or spec.kind.temporal:
        size = parse(values, spec)
    elif spec.kind is Kind.ORDERED and spec.domain is not None:
        places = {value: place for place, value in reversed(list(enumerate(spec.domain)))}
        size = np.fromiter((places.get(v, math.nan) for v in values), np.float64, len(values))
    group[np.isnan(size) & (group == 0)] = 1
    order = np.lexsort((by_text, np.where(group == 0, size, 0.0), group))
    ranks = np.empty(len(values), dtype=np.intp)
    ranks[order] = np.arange(len(values))
    return ranks


def _parsed(
    values: Sequence[str], missing: Collection[str], read: Callable[[str], float | None]
) -> NDArray[np.float64]:
    absent = frozenset(missing)
    numbers = np.empty(len(values))
    for position, value in enumerate(values):
        text = value.strip()
        number = None if value in absent or text in absent else read(text)
        numbers[position] = math.nan if number is None else number
    return numbers


def _number_reader(kind: Kind, written: Format) -> Callable[[str], float | None]:
    if not kind.numeric:
        raise WorkbenchError(f"“{kind}” is not a kind of number.", hint="Choose integer or decimal.", field="kind")
    mark, thousands = written.decimal_mark, written.thousands
    if mark not in _MARKS or thousands not in _GROUPS or mark == thousands:
        raise WorkbenchError(
            f"Numbers cannot have “{mark}” before the decimals and “{thousands}” between thousands.",
            hint="Choose . or , before the decimals, and another sign or none between thousands.",
            field="format",
        )
    match = _number_pattern(kind is Kind.INTEGER, mark, thousands).fullmatch
    clean = str.maketrans(dict.fromkeys(f"{_SPACES},.'’") | {mark: "."})

    def plain(text: str) -> float | None:
        if text.isdecimal() and text.isascii() and len(text) < _LONGEST_INTEGER and (text[0] != "0" or len(text) == 1):
            return float(text)  # most numbers, at a third of the price
        found = match(text)
        if found is None:
            return None
        digits = found[2].translate(clean)
        if found[3] is None:
            exact = int(digits) if len(digits) <= _LONGEST_INTEGER else LARGEST_INTEGER + 1
            number = float(exact) if exact <= LARGEST_INTEGER else math.inf
        else:
            number = float(digits)
        if math.isinf(number):
            return None
        return -number if number and found[1] in ("-", "−") else number

    if kind in (Kind.INTEGER, Kind.DECIMAL):
        return plain
    symbol = written.symbol or ("%" if kind is Kind.PERCENT else "")

    def with_symbol(text: str) -> float | None:
        if symbol and symbol in text:
            before, _, after = text.partition(symbol)
            if _DIGIT.search(before) and _DIGIT.search(after):
                return None
            text = (before.rstrip() + after.lstrip()).strip()
        if text.startswith("(") and text.endswith(")"):
            inner = plain(text[1:-1].strip())
            return None if inner is None or not _unsigned(text[1:-1]) else 0.0 - inner
        return plain(text)

    return with_symbol


def _unsigned(text: str) -> bool:
    return text.strip()[:1] not in ("+", "-", "−")


@lru_cache(maxsize=256)
def _number_pattern(whole_only: bool, mark: str, thousands: str) -> re.Pattern[str]:
    """Three groups: the sign, the number, its decimal part and exponent (None if it is whole)."""
    group = _GROUPS[thousands]
    whole = "(?:0|[1-9][0-9]*)"
    if thousands:
        # Nothing is grouped that starts with 0: "0,123" cannot mean 123.
        whole = f"(?:[1-9][0-9]{{0,2}}(?:{group}[0-9]{{2,3}})*{group}[0-9]{{3}}|{whole})"
    if whole_only:
        return re.compile(f"([+\\-−])?({whole})((?!))?")
    exponent = "[eE][+-]?[0-9]+"
    fraction = f"{_MARKS[mark]}[0-9]*(?:{exponent})?|{exponent}"
    # The number may start with the mark if a digit follows (".5") and end with it if one precedes ("5.").
    return re.compile(f"([+\\-−])?((?:{whole}|(?={_MARKS[mark]}[0-9]))({fraction})?)")


def text_ranks(values: Sequence[str]) -> NDArray[np.intp]:
    """How many texts come before each, by casefold, then by the text itself.

    A sort of a million strings would hold up every other thread for a second. Instead, eight bytes of the
    texts at a time are sorted as integers, as long as many texts share a place.
    """
    ranks = np.zeros(len(values), dtype=np.intp)
    keys = [_sort_bytes(value) for value in values]
    tied = np.arange(len(values))
    offset = 0
    while tied.size > _FEW:
        words = np.empty(tied.size, dtype="S8")
        for start in range(0, tied.size, _BLOCK):
            block = tied[start : start + _BLOCK].tolist()
            words[start : start + len(block)] = [keys[i][offset : offset + 8] for i in block]
        numbers = words.view(">u8").astype(np.uint64)
        tied, alone = _refine(ranks, tied, numbers)
        tied = tied[~alone]
        offset += 8
        if tied.size > _FEW and offset > max(len(keys[i]) for i in tied.tolist()):
            return ranks  # the same text, many times
    rest = sorted(tied.tolist(), key=lambda i: (ranks[i], keys[i]))
    before = ranks[rest]
    fresh = np.r_[True, before[1:] != before[:-1]][: len(rest)]
    places = np.arange(len(rest))
    ranks[rest] = before + places - np.maximum.accumulate(np.where(fresh, places, 0))
    return ranks


def _refine(
    ranks: NDArray[np.intp], tied: NDArray[np.intp], numbers: NDArray[np.uint64]
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Split groups of equal rank by `numbers`, in place; returns `tied` in order and which are now alone."""
    order = np.lexsort((numbers, ranks[tied]))
    tied, numbers = tied[order], numbers[order]
    old = ranks[tied]
    new_rank = np.r_[True, old[1:] != old[:-1]]
    new_group = new_rank | np.r_[True, numbers[1:] != numbers[:-1]]
    places = np.arange(tied.size)
    rank_start = np.maximum.accumulate(np.where(new_rank, places, 0))
    group_start = np.maximum.accumulate(np.where(new_group, places, 0))
    ranks[tied] = old + group_start - rank_start
    return tied, new_group & np.r_[new_group[1:], True]


def _sort_bytes(text: str) -> bytes:
    return f"{text.casefold()}\0{text}".encode("utf-8", "surrogatepass")
