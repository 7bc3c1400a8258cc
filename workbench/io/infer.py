"""Proposing what a column is from its distinct texts: kind, format, missing values.

A proposal is only that; the person decides. It never sets bounds or a domain, which must be public
knowledge and not come from the data.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.dates import ALSO, seconds_reader, ways_to_write
from workbench.core.kinds import is_missing, parse_dates, parse_numbers
from workbench.core.missing_codes import NO_VALUE, is_word, number_codes
from workbench.core.postcodes import UK_POSTCODE, are_postcodes
from workbench.core.progress import SILENT, Progress
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column

FITTING = 0.98
"""Share of the rows with a value that must be numbers or dates, if the others are plain words.

A single "unknown" among a thousand ages should not hide that they are ages; the person is shown what does
not fit. A misfit with a digit in it (`90+`, `0123`) is no slip, and the column stays text.
"""

FITTING_BESIDE_WORDS = 0.96
"""The same where what does not fit is a word for "no value", such as "unknown"."""

FEW_VALUES = 20
ROWS_PER_CATEGORY = 5
"""A text column is a category if it has few values that repeat, or each occurs several times on average."""

SAMPLED = 20_000
"""Distinct texts that are looked at to see what a column might be."""

_PROBE = 30
_BLOCK = 1 << 12
_VALUES = 1 << 14
_OFFERED = 12
"""Values looked at at once, and how many are named."""
_FORMAT_SAMPLE = 400
_MOST_WAYS = 4
"""Ways to write a date that are looked for in one column."""
_A_YEAR = 366 * 86_400.0
"""In seconds: so much later than all others a date of two digits of a year may be."""
_SIGNS = "$€£¥₹₽₩₺₪₫฿₴₦₱"
_CURRENCIES = frozenset(
    "AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON RUB "
    "SAR SEK SGD THB TRY TWD UAH USD ZAR kr Kr Ft zł Kč lei лв Fr Rs R$ US$ A$ C$ NZ$ HK$ S$".split()
)
# Where a text fits both, the earlier one wins: "1,234" is grouped, "1.234" has decimals.
_NUMBER_FORMATS = (
    Format(".", ""),
    Format(".", ","),
    Format(",", ""),
    Format(",", "."),
    Format(".", " "),
    Format(",", " "),
    Format(".", "'"),
    Format(",", "'"),
)
# Of day/month and month/day the one that fits every value; if both do, the day comes first.
_DATE_PATTERNS = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%m/%d/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%d.%m.%y",
    "%d/%m/%y",
    "%m/%d/%y",
    "%d-%b-%Y",
    "%d-%b-%y",
    "%d %b %Y",
    "%d %B %Y",
    "%d. %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%Y-%m",
    "%m/%Y",
    "%b %Y",
    "%B %Y",
)
_TIME_PATTERNS = (
    "%H:%M:%S",
    "%H:%M",
    "%H:%M:%S.%f",
    "%H:%M:%S%z",
    "%H:%M:%S.%f%z",
    "%H:%M:%S %z",
    "%H:%M%z",
    "%I:%M %p",
    "%I:%M:%S %p",
)
_DIGIT = re.compile("[0-9]")
_GROUPED = re.compile(r"[+\-−]?[1-9][0-9]{0,2}\.[0-9]{3}")
_CLOCK = re.compile(r"(?P<date>.+?)(?P<gap>[Tt]|, | )(?P<time>[0-9]{1,2}:[0-9]{2}.*)")
_NUMBER_LETTERS = re.compile(r"[0-9.,'’+\-−()\s]|(?<=[0-9])[eE](?=[+\-]?[0-9])")


def propose(column: Column, progress: Progress = SILENT) -> ColumnSpec:
    """Proposal of a column's kind and format, judged by its distinct texts and how often they occur.

    Tried in this order: integer, decimal, money, percent, date, date and time; otherwise a category or text.
    Integers with leading zeros or beyond 2**53 are identifiers and stay text, years stay integers. The role
    is left at insensitive: see `workbench.core.role_suggestions`.

    Of very many distinct texts some, from all parts of the list, say what is worth trying; then all are read.
    """
    used = np.flatnonzero(column.counts > 0)
    some = _plain(column, used[:: max(1, -(-len(used) // SAMPLED))])
    if some:
        for kind, written in _candidates(some):
            if not _promises(some, kind, written):
                continue
            tokens = _absent_if_fits(column, used, ColumnSpec(column.name, kind, format=written), progress)
            if tokens is not None:
                return ColumnSpec(column.name, kind, format=written, missing=("", *tokens))
    blank: list[int] = []
    for start in range(0, len(used), _BLOCK):
        progress(start / len(used))
        texts = ((code, column.values[code]) for code in used[start : start + _BLOCK].tolist())
        blank += [code for code, text in texts if not text or text.isspace()]
    distinct, rows = len(used) - len(blank), len(column) - int(column.counts[blank].sum())
    repeats = 2 if distinct <= FEW_VALUES else ROWS_PER_CATEGORY
    kind = Kind.CATEGORY if distinct and rows >= repeats * distinct else Kind.TEXT
    return ColumnSpec(column.name, kind, format=propose_format(column, kind))


def agreeing(specs: Iterable[ColumnSpec], columns: Mapping[str, Column]) -> tuple[ColumnSpec, ...]:
    """The proposals for the columns of one file, brought into agreement about how it writes numbers.

    Alone, 32.312 is a number with three decimals. Where another column has its decimals after a comma, and every value
    has three digits after its one point, it is thirty-two thousand.
    """
    proposed = tuple(specs)
    comma = any(spec.kind.numeric and spec.format.decimal_mark == "," for spec in proposed)
    return tuple(_with_thousands(spec, columns[spec.name]) for spec in proposed) if comma else proposed


def _with_thousands(spec: ColumnSpec, column: Column) -> ColumnSpec:
    if spec.kind is not Kind.DECIMAL or spec.format != Format():
        return spec
    occurring = (value for value, count in zip(column.values, column.counts.tolist(), strict=True) if count)
    texts = [text.strip() for text in occurring if not is_missing(text, spec.missing)]
    if not texts or not all(_GROUPED.fullmatch(text) for text in texts):
        return spec
    return replace(spec, kind=Kind.INTEGER, format=Format(decimal_mark=",", thousands="."))


def propose_format(column: Column, kind: Kind) -> Format:
    """How a column of numbers or dates is most likely written, if it is of that kind at all, or that it has postcodes.

    The way most of its rows can be read by, among a few hundred distinct values; the first one if none can.
    """
    used = np.flatnonzero(column.counts > 0)
    if not (kind.numeric or kind.temporal):
        looked = used[:: max(1, -(-len(used) // SAMPLED))].tolist()
        plain = [(column.values[code], int(column.counts[code])) for code in looked if _is_plain(column.values[code])]
        return Format(pattern=UK_POSTCODE) if are_postcodes(column.name, plain) else Format()
    used = used[:: max(1, -(-len(used) // _FORMAT_SAMPLE))]
    some = _plain(column, used)
    weights = np.array([column.counts[code] for code in used.tolist() if _is_plain(column.values[code])])
    best, most = Format(pattern=_DATE_PATTERNS[0] if kind.temporal else ""), 0
    for written in _formats(some, kind):
        read: Callable[..., NDArray[np.float64]] = parse_dates if kind.temporal else parse_numbers
        rows = int(weights[~np.isnan(read(some, kind, written))].sum())
        if rows > most:
            best, most = written, rows
    return best


def _formats(texts: Sequence[str], kind: Kind) -> Iterator[Format]:
    if kind is Kind.DATE:
        yield from (Format(pattern=pattern) for pattern in _DATE_PATTERNS)
        if mixed := read_unasked(mixed_dates(texts), texts):
            yield Format(pattern=mixed)
    elif kind is Kind.DATETIME:
        clocks = filter(None, (_CLOCK.fullmatch(text.strip()) for text in texts))
        yield from (written for clock in list(clocks)[:1] for written in _clock_formats(clock))
    else:
        found = Counter(_NUMBER_LETTERS.sub("", text) for text in texts)
        symbols = [sign for sign, _ in found.most_common(4) if _known_symbol(sign)]
        wanted = [""] if kind in (Kind.INTEGER, Kind.DECIMAL) else ["%"] if kind is Kind.PERCENT else [*symbols, ""]
        yield from (replace(written, symbol=symbol) for symbol in wanted for written in _NUMBER_FORMATS)


def _is_plain(text: str) -> bool:
    stripped = text.strip()
    return bool(stripped) and stripped.casefold() not in NO_VALUE


def _plain(column: Column, codes: NDArray[np.intp]) -> list[str]:
    """The texts of these codes that say something."""
    return [text for text in map(column.values.__getitem__, codes.tolist()) if _is_plain(text)]


def _candidates(texts: Sequence[str]) -> Iterator[tuple[Kind, Format]]:
    """Kinds and formats worth trying, likeliest first; a few of the texts decide which ones are."""
    probe = [text.strip() for text in _few(texts)]
    digits = [text for text in probe if _DIGIT.search(text)]
    if len(digits) < len(probe) / 2:
        return
    symbol = _symbol(digits)
    if symbol == "":
        # A point between thousands of whole numbers looks like decimals, so it is not proposed.
        yield from ((Kind.INTEGER, written) for written in _NUMBER_FORMATS if written.decimal_mark == ".")
        yield from ((Kind.DECIMAL, written) for written in _NUMBER_FORMATS)
    if symbol or (symbol == "" and any(text.startswith("(") for text in digits)):
        kind = Kind.PERCENT if symbol == "%" else Kind.MONEY
        yield from ((kind, replace(written, symbol=symbol)) for written in _NUMBER_FORMATS)
    yield from ((Kind.DATE, Format(pattern=pattern)) for pattern in _DATE_PATTERNS)
    if (mixed := mixed_dates(texts)) and read_unasked(mixed, texts) == mixed:
        yield Kind.DATE, Format(pattern=mixed)
    clock = _CLOCK.fullmatch(digits[0])
    if clock:
        yield from ((Kind.DATETIME, written) for written in _clock_formats(clock))


def mixed_dates(texts: Sequence[str]) -> str:
    """The patterns of dates that are written in several ways, the most frequent first; "" if they are not.

    Never two of which one has the day where the other has the month: 3/4/2024 would be a guess.
    """
    probe = _few(texts)
    readers = [seconds_reader(pattern) for pattern in _DATE_PATTERNS]
    if 2 * sum(any(read(text.strip()) is not None for read in readers) for text in probe) < len(probe):
        return ""  # no column of dates: not every value need be read in every way
    left, found = [text.strip() for text in texts if _DIGIT.search(text)], dict[str, str]()
    enough = len(left) / 4
    while left and len(found) < _MOST_WAYS:
        read = {pattern: seconds_reader(pattern) for pattern in _DATE_PATTERNS if _shape(pattern) not in found}
        fitting = {pattern: sum(way(text) is not None for text in left) for pattern, way in read.items()}
        best = max(fitting, key=lambda pattern: fitting[pattern])
        if fitting[best] <= (0 if found else enough):
            return ""
        found[_shape(best)] = best
        left = [text for text in left if read[best](text) is None]
    return "" if left or len(found) < 2 else ALSO.join(found.values())


def read_unasked(mixed: str, texts: Sequence[str]) -> str:
    """Those of several ways to write dates of which it is clear which century is meant; "" of none.

    A year of two digits is one of 1969 to 2068. Where others of the column are written whole and it would come after
    all of them, its century is not known: “18.09.60” of a birth is 1960. Such a way is left out.
    """
    if not mixed:
        return ""
    ways = ways_to_write(mixed)
    readers = [(way, seconds_reader(way)) for way in ways]
    last = {
        way: max((moment for text in texts if (moment := read(text.strip())) is not None), default=-math.inf)
        for way, read in readers
    }
    whole = max((moment for way, moment in last.items() if "%y" not in way), default=math.inf)
    return ALSO.join(way for way in ways if "%y" not in way or last[way] <= whole + _A_YEAR)


def _shape(pattern: str) -> str:
    """A pattern without regard to which of its numbers is the day."""
    return re.sub("%[dm]", "%#", pattern)


def _clock_formats(clock: re.Match[str]) -> Iterator[Format]:
    """Patterns of dates with a time whose date and gap are those of one text."""
    gap = "T" if clock["gap"].upper() == "T" else clock["gap"]
    for time in _TIME_PATTERNS:
        # Where the clock has twelve hours, the month is written first.
        american = sorted(_DATE_PATTERNS, key=lambda p: not p.startswith("%m")) if "%p" in time else ()
        for date in american or _DATE_PATTERNS:
            if seconds_reader(date)(clock["date"]) is not None:
                yield Format(pattern=f"{date}{gap}{time}")


def _few(texts: Sequence[str]) -> Sequence[str]:
    """Some of the texts, from all parts of the list."""
    return texts[:: max(1, len(texts) // _PROBE)][: 2 * _PROBE]


def _promises(texts: Sequence[str], kind: Kind, written: Format) -> bool:
    """Whether it is worth reading every value in this way."""
    read: Callable[..., NDArray[np.float64]] = parse_dates if kind.temporal else parse_numbers
    probe = _few(texts)
    return bool(np.isnan(read(probe, kind, written)).sum() <= len(probe) / 2)


def _absent_if_fits(
    column: Column, codes: NDArray[np.intp], spec: ColumnSpec, progress: Progress
) -> tuple[str, ...] | None:
    """The texts that stand for "no value" where all the others are of this kind; None if they are not.

    Values are read some thousands at a time, so that other threads get their turn and the person can cancel.
    """
    tokens: list[str] = []
    fitting = strange = words = 0
    for start in range(0, len(codes), _BLOCK):
        progress(start / len(codes))
        block = codes[start : start + _BLOCK]
        texts = list(map(column.values.__getitem__, block.tolist()))
        wrong = np.isnan(read_values(texts, spec))
        counts = column.counts[block]
        fitting += int(counts[~wrong].sum())
        for place in np.flatnonzero(wrong).tolist():
            text = texts[place]
            if _is_plain(text):
                if _DIGIT.search(text):
                    return None
                if is_word(text):  # not taken for a missing value unasked, but likely to be one
                    words += int(counts[place])
                else:
                    strange += int(counts[place])
            elif text.strip():
                tokens.append(text)
    fits = fitting >= FITTING * (fitting + strange) and fitting >= FITTING_BESIDE_WORDS * (fitting + strange + words)
    return tuple(tokens) if fitting and fits else None


def _symbol(texts: Sequence[str]) -> str | None:
    """The one currency sign or % around the numbers, "" if there is none, None if they are no amounts."""
    left = {_NUMBER_LETTERS.sub("", text) for text in texts} - {""}
    if not left:
        return ""
    if len(left) > 1:
        return None
    symbol = left.pop()
    return symbol if _known_symbol(symbol) else None


def _known_symbol(symbol: str) -> bool:
    if not symbol:
        return False
    return symbol in _CURRENCIES or symbol in ("%", *_SIGNS) or unicodedata.category(symbol[0]) == "Sc"


def likely_missing(column: Column, progress: Progress) -> tuple[str, ...]:
    """The values of a column that probably stand for “no value”: empty ones, and words such as n/a; a dozen at most."""
    found = [""] if "" in column.values else []
    found += number_codes(column.values) if len(column.values) <= SAMPLED else ()
    for start in range(0, len(column.values), _VALUES):
        progress(start / len(column.values))
        block = column.values[start : start + _VALUES]
        found += [value for value in block if is_word(value)]
    return tuple(found[:_OFFERED])
