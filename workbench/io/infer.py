"""Proposing what a column is from its distinct texts: kind, format, missing values, role.

A proposal is only that; the person decides. It never sets bounds or a domain, which must be public
knowledge and not come from the data.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.dates import seconds_reader
from workbench.core.kinds import parse, parse_dates, parse_numbers
from workbench.core.schema import ColumnSpec, Format, Kind, Role
from workbench.core.table import Column

NO_VALUE = frozenset(
    {"na", "n/a", "#n/a", "nan", "null", "none", "nil", "-", "--", ".", "..", "?", "missing", "(blank)"}
)
"""Texts (without regard to case) proposed as missing where everything else is a number or date."""

FITTING = 0.98
"""Share of the rows with a value that must be numbers or dates, if the others are plain words.

A single "unknown" among a thousand ages should not hide that they are ages; the person is shown what does
not fit. A misfit with a digit in it (`90+`, `0123`) is no slip, and the column stays text.
"""

FEW_VALUES = 20
ROWS_PER_CATEGORY = 5
"""A text column is a category if it has few values that repeat, or each occurs several times on average."""

NEARLY_UNIQUE = 0.95
"""Share of different texts from which a text column is proposed as identifying."""

_PROBE = 30
_SIGNS = "$€£¥₹₽₩₺₪₫฿₴₦₱"
_CURRENCIES = frozenset(
    "AUD BRL CAD CHF CLP CNY COP CZK DKK EUR GBP HKD HUF IDR ILS INR ISK JPY KRW MXN MYR NOK NZD PHP PLN RON RUB "  # noqa: SIM905
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
_CLOCK = re.compile(r"(?P<date>.+?)(?P<gap>[Tt]|, | )(?P<time>[0-9]{1,2}:[0-9]{2}.*)")
_NUMBER_LETTERS = re.compile(r"[0-9.,'’+\-−()\s]|(?<=[0-9])[eE](?=[+\-]?[0-9])")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[A-Za-z]{2,}")
_CERTAIN = frozenset(
    "email mail telephone telefon phone mobile handy fax ssn nin passport iban surname lastname firstname forename "  # noqa: SIM905
    "vorname nachname prenom apellido correo username login mrn fullname".split()
)
_CERTAIN_PAIRS = (
    ("e", "mail"),
    ("first", "name"),
    ("last", "name"),
    ("family", "name"),
    ("given", "name"),
    ("full", "name"),
    ("user", "name"),
    ("social", "security"),
    ("credit", "card"),
    ("ip", "address"),
    ("license", "plate"),
    ("licence", "plate"),
)
_LIKELY = frozenset(
    "id uid uuid guid key name nom nombre user person player patient employee customer client member student "  # noqa: SIM905
    "participant respondent address street adresse strasse account card vin plate device".split()
)
_REPEATS_AT_MOST = 0.1


def propose(column: Column) -> ColumnSpec:
    """What the column is likely to be, judged by its distinct texts and how often they occur.

    Tried in this order: integer, decimal, money, percent, date, date and time; else a category or text.
    Integers with leading zeros or beyond 2**53 are identifiers and stay text, years stay integers. The role
    is left at insensitive: see `suggest_role`.
    """
    name, (values, counts) = column.name, _used(column)
    filled = [(v, c) for v, c in zip(values, counts, strict=True) if v.strip()]
    plain = [(v, c) for v, c in filled if v.strip().casefold() not in NO_VALUE]
    tokens = tuple(dict.fromkeys(v for v, _ in filled if v.strip().casefold() in NO_VALUE))
    if plain:
        texts = [v for v, _ in plain]
        weights = np.array([c for _, c in plain], dtype=np.int64)
        for kind, written in _candidates(texts):
            if _fits(texts, weights, kind, written):
                return ColumnSpec(name, kind, format=written, missing=("", *tokens))
    distinct, rows = len(filled), sum(c for _, c in filled)
    repeats = 2 if distinct <= FEW_VALUES else ROWS_PER_CATEGORY
    category = filled and rows >= repeats * distinct
    return ColumnSpec(name, Kind.CATEGORY if category else Kind.TEXT)


def suggest_role(column: Column, spec: ColumnSpec) -> tuple[Role, str]:
    """A role for the column and the reason for it, for a person to accept or not.

    Identifying if the name says so, the texts are e-mail addresses or nearly all different, or whole numbers
    count the rows; else insensitive, because what else is known about people cannot be seen in a file.
    """
    values, counts = _used(column)
    filled = [(v, c) for v, c in zip(values, counts, strict=True) if v not in spec.missing and v.strip()]
    distinct, rows = len(filled), sum(c for _, c in filled)
    if not rows:
        return Role.INSENSITIVE, "It has no values."
    share = distinct / rows
    words = _words(column.name)
    certain = _CERTAIN.intersection(words) or {"".join(p) for p in _CERTAIN_PAIRS if set(p) <= set(words)}
    if certain:
        return Role.IDENTIFYING, f"Its name, “{column.name}”, says that it identifies people."
    sample = [v for v, _ in filled[:1000]]
    if sum(_EMAIL.fullmatch(v.strip()) is not None for v in sample) > len(sample) / 2:
        return Role.IDENTIFYING, "Most of its values are e-mail addresses."
    if _LIKELY.intersection(words) and share >= _REPEATS_AT_MOST and distinct > 1:
        many = f"{distinct:,} different values in {rows:,} rows"
        return Role.IDENTIFYING, f"Its name, “{column.name}”, and {many} say that it identifies people."
    if rows >= FEW_VALUES and spec.kind in (Kind.TEXT, Kind.CATEGORY) and share >= NEARLY_UNIQUE:
        return Role.IDENTIFYING, f"Nearly every row has a text of its own: {distinct:,} in {rows:,} rows."
    if rows >= FEW_VALUES and share == 1 and spec.kind is Kind.INTEGER and _consecutive(filled, spec):
        return Role.IDENTIFYING, "It counts the rows."
    return Role.INSENSITIVE, "Nothing in its name or values says that it identifies people."


def _consecutive(filled: Sequence[tuple[str, int]], spec: ColumnSpec) -> bool:
    for some in (filled[:1000], filled):
        numbers = parse([value for value, _ in some], spec)
        if not np.ptp(numbers) < len(filled):  # also where one is no number
            return False
    return True


def _used(column: Column) -> tuple[list[str], list[int]]:
    pairs = [(v, c) for v, c in zip(column.values, column.counts.tolist(), strict=True) if c]
    return [v for v, _ in pairs], [c for _, c in pairs]


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
    clock = _CLOCK.fullmatch(digits[0])
    if clock:
        gap = "T" if clock["gap"].upper() == "T" else clock["gap"]
        for time in _TIME_PATTERNS:
            # Where the clock has twelve hours, the month is written first.
            american = sorted(_DATE_PATTERNS, key=lambda p: not p.startswith("%m")) if "%p" in time else ()
            for date in american or _DATE_PATTERNS:
                if seconds_reader(date)(clock["date"]) is not None:
                    yield Kind.DATETIME, Format(pattern=f"{date}{gap}{time}")


def _few(texts: Sequence[str]) -> Sequence[str]:
    """Some of the texts, from all parts of the list."""
    return texts[:: max(1, len(texts) // _PROBE)][: 2 * _PROBE]


def _fits(texts: Sequence[str], weights: NDArray[np.int64], kind: Kind, written: Format) -> bool:
    read: Callable[..., NDArray[np.float64]] = parse_dates if kind.temporal else parse_numbers
    probe = _few(texts)
    if np.isnan(read(probe, kind, written)).sum() > len(probe) / 2:
        return False
    wrong = np.isnan(read(texts, kind, written))
    if not wrong.any():
        return True
    if any(_DIGIT.search(texts[i]) for i in np.flatnonzero(wrong).tolist()):
        return False
    return bool(weights[~wrong].sum() >= FITTING * weights.sum())


def _symbol(texts: Sequence[str]) -> str | None:
    """The one currency sign or % around the numbers, "" if there is none, None if they are no amounts."""
    left = {_NUMBER_LETTERS.sub("", text) for text in texts} - {""}
    if not left:
        return ""
    if len(left) > 1:
        return None
    symbol = left.pop()
    known = symbol in _CURRENCIES or symbol in ("%", *_SIGNS) or unicodedata.category(symbol[0]) == "Sc"
    return symbol if known else None


def _words(name: str) -> list[str]:
    """The words of a column name: `firstName`, `first_name` and `First name` are the same."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    plain = unicodedata.normalize("NFKD", apart)
    return [word.casefold() for word in re.findall(r"[^\W\d_]+", plain)]
