"""Numbers as they are typed, without a rounding: 1/3, 0.25 and 1e-6 as fractions."""

from __future__ import annotations

import math
import re
from decimal import Context, Decimal
from fractions import Fraction

from workbench.core.errors import WorkbenchError

LARGEST = 10**100
"""No larger bound or value is read from text: its square times any number of rows still has a float."""
SMALLEST = Fraction(1, 10**300)
"""Lower limit of the size of ε, δ, bounds and steps other than 0: as floats, smaller ones might be 0."""
LARGEST_FLOAT = 10**308
"""No larger number is read at all, such as an ε, a probability or an error: it is kept as a float somewhere."""
MOST_PEOPLE = 10**12
"""More people, or rows or reports of one person, are never declared."""

_IN_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(?:(?:,\d{3})+|(?:[ '’\u00a0\u202f]\d{3})+|(?:\.\d{3}){2,})")
_LONGEST = 4_000
_MOST_BITS = 12_000
_HIGHEST_POWER = 4_000
"""Longer numbers, and higher powers of ten, are typing errors; a power alone could fill the memory."""


def parse_fraction(text: str, *, field: str = "", largest: int = LARGEST_FLOAT) -> Fraction:
    """A rational number from text: `3/4`, `0.75`, `.5`, `1e-6`, with or without a sign.

    Raises
    ------
    WorkbenchError
        If the text is no number, or one beyond the largest.
    """
    plain = text.strip().replace("−", "-")
    _, _, power = plain.lower().partition("e")
    try:
        if len(plain) > _LONGEST or (power and abs(int(power)) > _HIGHEST_POWER):
            raise ValueError("out of range")
        top, slash, bottom = plain.partition("/")
        if "/" in bottom:
            raise ValueError("two strokes")
        found = Fraction(top.strip()) / Fraction(bottom.strip()) if slash else Fraction(plain)
    except ValueError:
        raise WorkbenchError(
            f"“{text.strip()[:40]}” is not a number.",
            hint=_how_to_write(plain),
            field=field,
        ) from None
    except ZeroDivisionError:
        raise WorkbenchError(
            f"“{text.strip()[:40]}” divides by zero.", hint="Write a fraction such as 1/3.", field=field
        ) from None
    return refuse_larger(found, text, field, largest)


def _how_to_write(text: str) -> str:
    """A hint for what is no number: of one in thousands, as in “15,000”, the number itself."""
    if _IN_THOUSANDS.fullmatch(text):
        return f"Write {re.sub('[^0-9-]', '', text)}, without marks between thousands; decimals follow a point."
    return "Write a fraction such as 1/3, or a decimal number such as 0.25 with a point."


def refuse_larger(value: Fraction, text: str = "", field: str = "", largest: int = LARGEST) -> Fraction:
    """A number not beyond the largest that is computed with, as it is.

    Raises
    ------
    WorkbenchError
        If it is larger.
    """
    if abs(value) > largest:
        named = text.strip()[:40] or fraction_text(value, 40)
        raise WorkbenchError(
            f"“{named}” is too large a number.",
            hint=f"Numbers up to 1e{math.log10(largest):.0f} are understood.",
            field=field,
        )
    return value


def refuse_smaller(value: Fraction, text: str = "", field: str = "") -> Fraction:
    """A number that is 0 or not nearer to it than `SMALLEST`, as it is.

    Raises
    ------
    WorkbenchError
        If it is nearer to 0.
    """
    if 0 < abs(value) < SMALLEST:
        named = text.strip()[:40] or fraction_text(value, 40)
        raise WorkbenchError(
            f"“{named}” is too small a number.", hint="Nothing nearer to 0 than 1e-300 is computed.", field=field
        )
    return value


def nearest_float(value: Fraction) -> float:
    """The float nearest to a fraction; infinite beyond the largest one."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def fraction_text(value: Fraction, longest: int = 0) -> str:
    """A fraction as text; one of more than `longest` signs (0: of thousands of digits) as a rounded decimal.

    Python refuses to write out whole numbers of more than 4,300 digits, because that takes so long.
    """
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= _MOST_BITS:
        text = str(value)
        if not longest or len(text) <= longest:
            return text
    context = Context(prec=6, Emin=-999_999_999, Emax=999_999_999)
    rounded = context.divide(Decimal(value.numerator), Decimal(value.denominator)).normalize(context)
    return f"≈ {rounded:f}" if -5 < rounded.adjusted() < 6 else f"≈ {rounded:e}"
