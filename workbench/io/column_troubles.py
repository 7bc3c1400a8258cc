"""Oddities in the values of a column whose lines are in order, and the one decision that mends each."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.core.dates import ALSO, seconds_reader, ways_to_write
from workbench.core.discreet import discreet
from workbench.core.first_few import first_few
from workbench.core.kinds import is_missing
from workbench.core.missing_codes import may_be_meant
from workbench.core.number_text import exact
from workbench.core.progress import SILENT, Progress
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.spelling import in_lower_case
from workbench.core.table import Column
from workbench.io.infer import likely_missing, mixed_dates, propose_format

_NAMED = 3
_THREE_DIGITS = re.compile(r"[+\-−]?[1-9][0-9]{0,2}(?P<mark>[.,])[0-9]{3}")
"""A number whose point or comma may stand between thousands, or before three decimals."""
_PLAIN = re.compile(r"[+\-−]?[0-9]+")
_LOOKED_AT = 20_000
_MOSTLY = 0.5
"""Share of the rows that must read as dates or amounts for it to be offered."""


@discreet
@dataclass(frozen=True)
class ColumnTrouble:
    """Something odd about a column, in words, and what its description becomes where it is mended.

    Parameters
    ----------
    column, words, rows
        The column, what is odd, and in how many rows.
    mend, then
        What the button that mends it says, and what is so afterwards; "" where nothing need be done, or only the person
        can tell.
    harmless
        Whether everything is read as it is meant, so that it is only good to know.
    doubtful
        Whether what looks odd may be meant, so that it is mended by a press of its own alone.
    unsure
        Whether its numbers can be read in two ways, so that nothing should be made of them before it is said which.
    unseen
        The trouble in words that quote no value and count nothing; "" where there are none.
    missing, kind, format
        Texts that then stand for "no value", and the kind and format it then has; None leaves them as they are.
    """

    column: str
    words: str
    rows: int
    mend: str = ""
    then: str = ""
    harmless: bool = False
    doubtful: bool = False
    unsure: bool = False
    unseen: str = ""
    missing: tuple[str, ...] = ()
    kind: Kind | None = None
    format: Format | None = None

    def mended(self, spec: ColumnSpec) -> ColumnSpec:
        """The description of the column once this is mended."""
        return replace(
            spec,
            kind=self.kind or spec.kind,
            format=self.format or spec.format,
            missing=tuple(dict.fromkeys((*spec.missing, *self.missing))),
        )


def column_troubles(column: Column, spec: ColumnSpec, progress: Progress = SILENT) -> tuple[ColumnTrouble, ...]:
    """Troubles with the values of one column, judged by its distinct texts; for any thread.

    Named are texts that look like no value, dates written in several ways, amounts with and without a currency, numbers
    that can be read in two ways, and values that differ in upper and lower case or in spaces only. Of very many values
    only numbers that can be read in two ways are. The data is not changed.
    """
    if len(column.values) > _LOOKED_AT and not (spec.kind.numeric and _may_have_two(column.values, spec)):
        return ()
    rows = {value: count for value, count in zip(column.values, column.counts.tolist(), strict=True) if count}
    texts = [value for value in rows if not is_missing(value, spec.missing)]
    if len(column.values) > _LOOKED_AT:
        return tuple(_two_readings(spec, texts, rows))
    found = list(_codes(column, spec, rows, progress))
    absent = {text for trouble in found for text in trouble.missing}
    texts = [text for text in texts if text not in absent]
    if spec.kind.numeric:
        found += _two_readings(spec, texts, rows)
    if spec.kind.temporal:
        found += _several_ways(spec, texts, rows)
    elif spec.kind is Kind.MONEY:
        found += _with_and_without(spec, texts, rows)
    elif spec.kind in (Kind.TEXT, Kind.CATEGORY):
        found += _unread_dates(column, spec, texts, rows) or _alike(spec, texts, rows)
    return tuple(found)


def second_reading(column: Column, spec: ColumnSpec) -> str:
    """How the numbers of a column could be read as well, in words that quote one of them; "" if in one way only."""
    if not (spec.kind.numeric and _may_have_two(column.values, spec)):
        return ""
    rows = {value: count for value, count in zip(column.values, column.counts.tolist(), strict=True) if count}
    texts = [value for value in rows if not is_missing(value, spec.missing)]
    return next((trouble.words for trouble in _two_readings(spec, texts, rows)), "")


def _codes(column: Column, spec: ColumnSpec, rows: dict[str, int], progress: Progress) -> Iterable[ColumnTrouble]:
    found = tuple(text for text in likely_missing(column, progress) if text in rows and text not in spec.missing)
    in_words = spec.kind in (Kind.TEXT, Kind.CATEGORY)
    meant = tuple(text for text in found if in_words and may_be_meant(text))
    for codes in (tuple(text for text in found if text not in meant), meant):
        one, doubtful = len(codes) == 1, codes == meant
        like = f"{'looks' if one else 'look'} like no value, and would count as a value."
        if doubtful:
            like = f"may be an answer or stand for no value; so far {'it counts' if one else 'each counts'} as a value."
        if codes:
            yield ColumnTrouble(
                spec.name,
                f"{_named(codes)} {like}",
                _rows(codes, rows),
                "Treat as no value",
                f"{_named(codes)} {'counts' if one else 'count'} as no value.",
                doubtful=doubtful,
                missing=codes,
            )
    known = tuple(text for text in rows if text and text in spec.missing)
    if known:
        words = f"{_named(known)} {'counts' if len(known) == 1 else 'count'} as no value."
        yield ColumnTrouble(spec.name, words, _rows(known, rows), harmless=True)


def _several_ways(spec: ColumnSpec, texts: Sequence[str], rows: dict[str, int]) -> Iterable[ColumnTrouble]:
    ways = ways_to_write(spec.format.pattern)
    readers = [seconds_reader(way) for way in ways]
    examples = [next((text for text in texts if reader(text.strip()) is not None), None) for reader in readers]
    if len(ways) > 1:
        shown = [text for text in examples if text is not None]
        yield ColumnTrouble(
            spec.name, f"Dates are written in several ways: {_named(shown)}. All are read.", 0, harmless=True
        )
    wrong = [text for text, bad in zip(texts, np.isnan(read_values(texts, spec)).tolist(), strict=True) if bad]
    if not wrong:
        return
    # A day that two of the ways read as different days.
    doubtful = [text for text in wrong if sum(reader(text.strip()) is not None for reader in readers) > 1]
    if doubtful:
        words = f"{_named(doubtful[:1])} can be two different dates, so it is not read. Choose one pattern."
        yield ColumnTrouble(spec.name, words, _rows(doubtful, rows))
        return
    mixed = mixed_dates(texts)
    if mixed and mixed != spec.format.pattern:
        example = _named(wrong[:1])
        yield ColumnTrouble(
            spec.name,
            f"Dates are written in another way as well, such as {example}.",
            _rows(wrong, rows),
            "Read every way",
            f"Every way is read, also {example}.",
            format=replace(spec.format, pattern=mixed),
        )


def _with_and_without(spec: ColumnSpec, texts: Sequence[str], rows: dict[str, int]) -> Iterable[ColumnTrouble]:
    symbol = spec.format.symbol
    carrying = [text for text in texts if symbol and symbol in text]
    if carrying and len(carrying) < len(texts):
        words = f"Some amounts carry {symbol}, others do not. All are read as numbers in {symbol}."
        yield ColumnTrouble(
            spec.name, words, min(_rows(carrying, rows), _rows(texts, rows) - _rows(carrying, rows)), harmless=True
        )


def _two_readings(spec: ColumnSpec, texts: Sequence[str], rows: dict[str, int]) -> Iterable[ColumnTrouble]:
    """Numbers read with decimals though there are always three, beside whole numbers: 35.150 may be 35,150 or 35.15.

    Of money also where there are no whole numbers beside them: hardly an amount has three decimals, but for prices of a
    litre and a few currencies.
    """
    mark = spec.format.decimal_mark
    plain = [_bare(text, spec) for text in texts]
    marked = [text for text, number in zip(texts, plain, strict=True) if _three_digits(number, mark)]
    whole = sum(_PLAIN.fullmatch(number) is not None for number in plain)
    numbers = sum(any(map(str.isdigit, number)) for number in plain)
    if not marked or not (whole or spec.kind is Kind.MONEY) or whole + len(marked) < numbers:
        return
    first = marked[0]
    number = _bare(first, spec).replace("−", "-")
    now, then = exact(float(number.replace(mark, "."))), exact(float(number.replace(mark, "")))
    sign = "point" if mark == "." else "comma"
    yield ColumnTrouble(
        spec.name,
        f"“{first}” can be {then} or {now}: a {sign} stands before exactly three digits"
        f"{', and other numbers have none' if whole else ', as in all others'}. It is read as {now}.",
        _rows(marked, rows),
        f"Read as {then}",
        f"“{first}” is read as {then}.",
        doubtful=spec.kind is not Kind.MONEY,  # no amount of money has three decimals
        unsure=True,
        unseen=f"some numbers can be read in two ways, because a {sign} stands before exactly three digits.",
        kind=Kind.INTEGER if spec.kind is Kind.DECIMAL else spec.kind,
        format=replace(spec.format, decimal_mark="," if mark == "." else ".", thousands=mark),
    )


def _may_have_two(values: Sequence[str], spec: ColumnSpec) -> bool:
    """Whether no number says how the others are read; found out at the first that does, in most columns."""
    mark, found = spec.format.decimal_mark, False
    for text in values:
        if mark in text:
            number, found = _bare(text, spec), True
            if not _three_digits(number, mark) and any(map(str.isdigit, number)):
                return False
    return found


def _bare(text: str, spec: ColumnSpec) -> str:
    """A number without its currency or percent sign."""
    symbol = spec.format.symbol
    return text.replace(symbol, "").strip() if symbol else text.strip()


def _three_digits(number: str, mark: str) -> bool:
    found = _THREE_DIGITS.fullmatch(number)
    return found is not None and found["mark"] == mark


def _unread_dates(column: Column, spec: ColumnSpec, texts: Sequence[str], rows: dict[str, int]) -> list[ColumnTrouble]:
    """Texts most of which are dates or amounts, but not all."""
    total = _rows(texts, rows)
    for kind, what in ((Kind.DATE, "dates"), (Kind.MONEY, "amounts")):
        written = propose_format(column, kind)
        if kind is Kind.MONEY and not written.symbol:
            continue
        unread = np.isnan(read_values(texts, replace(spec, kind=kind, format=written)))
        wrong = [text for text, bad in zip(texts, unread.tolist(), strict=True) if bad]
        if wrong and total and _rows(wrong, rows) <= (1 - _MOSTLY) * total:
            words = f"Most values are {what}, but not all, such as {_named(wrong[:1])}."
            then = f"Read as {what}; what is none, such as {_named(wrong[:1])}, stays and is listed in Data."
            if kind is Kind.DATE and (century := _of_which_century(texts, written.pattern, wrong)):
                words = century
                then = f"Read as dates; those of no century, such as {_named(wrong[:1])}, are listed in Data."
            return [
                ColumnTrouble(spec.name, words, _rows(wrong, rows), f"Read as {what}", then, kind=kind, format=written)
            ]
    return []


def _of_which_century(texts: Sequence[str], pattern: str, left: Sequence[str]) -> str:
    """That all are dates, of which some say no century, in a sentence; "" where others are none."""
    mixed = mixed_dates(texts)
    short = seconds_reader(ALSO.join(way for way in ways_to_write(mixed) if "%y" in way)) if "%y" in mixed else None
    if short is None or any(short(text.strip()) is None for text in left):
        return ""
    ways = [seconds_reader(way) for way in ways_to_write(pattern)]
    shown = [next((text for text in texts if way(text.strip()) is not None), None) for way in ways]
    latest = max(left, key=lambda text: short(text.strip()) or 0.0)
    year = time.gmtime(short(latest.strip()) or 0.0).tm_year
    return (
        f"All are dates, written in several ways: {_named([text for text in shown if text is not None])}. Some say no "
        f"century: {_named([latest])} would be {year}."
    )


def _alike(spec: ColumnSpec, texts: Sequence[str], rows: dict[str, int]) -> list[ColumnTrouble]:
    """Values that differ in upper and lower case or in spaces only."""
    spelt: dict[str, list[str]] = {}
    for text in texts:
        spelt.setdefault(in_lower_case(text), []).append(text)
    several = [alike for alike in spelt.values() if len(alike) > 1]
    if not several or spec.kind is not Kind.CATEGORY:
        return []
    # The usual spelling of each is none that must be joined.
    others = sum(_rows(alike, rows) - max(rows[text] for text in alike) for alike in several)
    words = f"{_named(several[0])} differ in case or spaces only. Hierarchies can join them: “Spelling”, in lower case."
    return [ColumnTrouble(spec.name, words, others, harmless=True)]


def _named(texts: Sequence[str]) -> str:
    return first_few([f"“{text}”" if text else "empty" for text in texts], _NAMED)


def _rows(texts: Iterable[str], rows: dict[str, int]) -> int:
    return sum(rows[text] for text in texts)
