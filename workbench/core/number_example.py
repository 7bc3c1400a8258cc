"""The spelling of numbers, shown by one: 1.234,50 € has a comma before decimals, points between thousands, a sign."""

from __future__ import annotations

import re

from workbench.core.schema import Format

_NUMBER = re.compile(
    r"(?P<before>[^\d.,'\s]*)\s?1(?P<thousands>[.,' ]?)234(?:(?P<mark>[.,])\d+)?\s?(?P<after>[^\d.,'\s]*)"
)
WANTED = "Write one thousand two hundred and thirty-four as the column would: 1234, 1,234.50 or 1.234,50 €."


def format_shown(text: str) -> Format | None:
    """The format of numbers of which this is one thousand two hundred and thirty-four; None if it is not.

    >>> format_shown("1.234,50 €")
    Format(decimal_mark=',', thousands='.', symbol='€', pattern='')
    >>> format_shown("12") is None
    True
    """
    found = _NUMBER.fullmatch(text.strip())
    if found is None:
        return None
    mark, thousands = found["mark"], found["thousands"]
    if mark is None:
        mark = "," if thousands == "." else "."
    return Format(mark, thousands, found["before"] or found["after"])


def example_of(written: Format) -> str:
    """One thousand two hundred and thirty-four and a half, as numbers of this format are written.

    >>> example_of(Format(",", ".", "€")), example_of(Format())
    ('1.234,50 €', '1234.50')
    """
    number = f"1{written.thousands}234{written.decimal_mark}50"
    return f"{number} {written.symbol}" if written.symbol else number
