"""ε, δ and chances as people write them: 0.5, 0,5, 1/3, 1e-5 or ln 3, never rounded to less than what was written."""

from __future__ import annotations

import contextlib
import math
import re
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from workbench.core.errors import WorkbenchError
from workbench.core.exact import LARGEST_FLOAT, parse_fraction, refuse_smaller
from workbench.core.number_text import estimate, typed
from workbench.core.rationals import float_above

HINT = "Write 0.5, 1/3 or ln 3."

_DIGITS = 12
"""Significant digits to which a logarithm is rounded up; a field shows as many."""
_MORE_DIGITS = 40
_PLAIN = 1_000
"""Fractions of no larger numbers are read off a logarithm: a number of few digits meets none of them."""
_LARGEST_LOGARITHM = 8.0
_LARGEST_POWER = 999_999_999
_LOGARITHM = re.compile(
    r"(?:(?P<times>[^a-z*]+?)\s*\*?\s*)?(?:ln|log)\s*(?:\(\s*(?P<inside>[^()]+)\)|(?P<bare>[^()]+))"
)
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d*),(\d+)(?![\d.,])")
_STROKE_BEHIND = re.compile(r"(?:ln|log)[^(]*/")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2},\d{3}(?![\d.,])")


def read_amount(text: str, field: str = "", tiny: bool = False) -> Fraction:
    """ε or δ from text: exactly where it is rational, and a logarithm rounded up to twelve significant digits.

    >>> read_amount("0,5"), read_amount("1/3"), read_amount("1e-3"), float(read_amount("2 ln 2"))
    (Fraction(1, 2), Fraction(1, 3), Fraction(1, 1000), 1.38629436112)

    Parameters
    ----------
    text
        A decimal number with a point or a comma, a fraction, or `ln 3`, `ln(3/2)`, `log(3)`, `2 ln 2`.
    field
        What an error is to point at.
    tiny
        Whether numbers nearer to 0 than is computed with are read, for a caller with a limit of its own.

    Raises
    ------
    WorkbenchError
        If it holds no number, one too large or too small, or a comma in it can be understood in two ways.
    """
    plain = with_point(text, field)
    if not plain.strip():
        raise WorkbenchError("No number is given.", hint=HINT, field=field)
    try:
        found = logarithm(plain, field)
        if found is None:
            return _in_range(parse_fraction(plain, field=field), text, field, tiny)
    except WorkbenchError as error:
        raise WorkbenchError(error.message, hint=HINT, field=field) from None
    if _STROKE_BEHIND.search(plain.lower()):
        raise WorkbenchError(
            f"“{_quoted(text)}” can be read in two ways.", hint="Write ln(3/2) or 1/2 ln 3.", field=field
        )
    return _in_range(_rounded_up(*found), text, field, tiny)


def read_chance(text: str, field: str = "") -> Fraction:
    """A probability from text, exactly: a fraction, a decimal number with a point or a comma, or per cent.

    >>> read_chance("3/4") == read_chance("0.75") == read_chance("0,75") == read_chance("75 %")
    True

    Raises
    ------
    WorkbenchError
        If it holds no number, or a comma in it can be understood in two ways.
    """
    plain = with_point(text, field).strip()
    if plain.endswith("%"):
        return parse_fraction(plain[:-1], field=field) / 100
    return parse_fraction(plain, field=field)


def float_amount(text: str, field: str = "") -> float:
    """The same for what is kept as a float: one that does not read as less, and that twelve digits spell in full.

    >>> float_amount("0,1"), float_amount("1/3"), float_amount("1/8"), float_amount("ln 3")
    (0.1, 0.333333333334, 0.125, 1.09861228867)

    Raises
    ------
    WorkbenchError
        As `read_amount`.
    """
    value = read_amount(text, field)
    if "/" in text and value > 0:
        value = _ceiling(_quotient(value, _MORE_DIGITS, ROUND_CEILING))
    return float_above(value)


def as_logarithm(value: float) -> Fraction | None:
    """The fraction of whose logarithm a number is all the digits that are kept, as of a typed `ln 3`; else None.

    >>> as_logarithm(1.09861228867), as_logarithm(float_amount("ln(7/3)")), as_logarithm(1.1), as_logarithm(1.0)
    (Fraction(3, 1), Fraction(7, 3), None, None)
    """
    if not 0.0 < value < _LARGEST_LOGARITHM:
        return None
    ratio = Fraction(math.exp(value)).limit_denominator(_PLAIN)
    if ratio.numerator > _PLAIN or ratio <= 1:
        return None
    return ratio if float_above(_rounded_up(Fraction(1), ratio)) == value else None


def in_digits(text: str) -> str:
    """What an amount that is not written in digits comes to, in words; "" for one that is.

    >>> in_digits("0,5"), in_digits("ln 3"), in_digits("1/3"), in_digits("0.5")
    ('= 0.5', '= 1.09861228867, rounded up', '≈ 0.3333', '')

    Raises
    ------
    WorkbenchError
        As `read_amount`.
    """
    with contextlib.suppress(ValueError):
        float(text)
        return ""
    number, value = read_amount(text), float_amount(text)
    if Fraction(typed(value)) != number:
        return f"≈ {estimate(value)}"
    return f"= {typed(value)}{'' if logarithm(with_point(text)) is None else ', rounded up'}"


def kept_text(text: str, field: str = "") -> str:
    """An amount as projects and commands keep it: plain numbers and fractions as they were typed.

    >>> kept_text(" 0.50 "), kept_text("0,5"), kept_text("1/3"), kept_text("ln 3")
    ('0.50', '0.5', '1/3', '1.09861228867')

    Raises
    ------
    WorkbenchError
        As `read_amount`.
    """
    value = read_amount(text, field)
    plain = with_point(text, field).strip()
    return plain if logarithm(plain, field) is None else typed(float_above(value))


def with_point(text: str, field: str = "") -> str:
    """The text with points where it has decimal commas.

    Raises
    ------
    WorkbenchError
        If a comma parts thousands, or may do so, or stands where no number has one.
    """
    if "," not in text:
        return text
    if twofold := _THOUSANDS.search(text):
        whole, _, part = twofold.group().partition(",")
        raise WorkbenchError(
            f"“{_quoted(text)}” can be read in two ways.", hint=f"Write {whole}{part} or {whole}.{part}.", field=field
        )
    plain = _DECIMAL_COMMA.sub(r"\1.\2", text)
    if "," in plain:
        raise WorkbenchError(f"“{_quoted(text)}” is not one number.", hint=HINT, field=field)
    return plain


def logarithm(text: str, field: str = "") -> tuple[Fraction, Fraction] | None:
    """The factor and the number of “2 ln 3”, or None if the text is no logarithm.

    Raises
    ------
    WorkbenchError
        If one of them is no number, or the logarithm of the number is none.
    """
    found = _LOGARITHM.fullmatch(text.strip().lower().replace("·", "*"))
    if found is None:
        return None
    inside = parse_fraction(found["inside"] or found["bare"], field=field)
    times = parse_fraction(found["times"], field=field) if found["times"] else Fraction(1)
    if inside <= 0:
        raise WorkbenchError(
            f"“{_quoted(text)}”: only numbers above 0 have a logarithm.", hint="Write ln(3) or 0.5.", field=field
        )
    return times, inside


def natural_log(ratio: Fraction, digits: int) -> Decimal:
    """ln of a positive fraction to so many significant digits, also where it is very near to 1."""
    return _context(digits).ln(_quotient(ratio, digits + _near_one(ratio)))


def _in_range(value: Fraction, text: str, field: str, tiny: bool) -> Fraction:
    if abs(value) > LARGEST_FLOAT:
        raise WorkbenchError(f"“{_quoted(text)}” is too large a number.", hint=HINT, field=field)
    return value if tiny else refuse_smaller(value, text, field)


def _rounded_up(times: Fraction, inside: Fraction) -> Fraction:
    if times == 0 or inside == 1:
        return Fraction(0)
    # Both the logarithm and the product are off by less than a unit of their last digit.
    context = _context(_MORE_DIGITS, ROUND_CEILING)
    value = context.multiply(natural_log(inside, _MORE_DIGITS), _quotient(times, _MORE_DIGITS))
    return _ceiling(context.add(value, abs(value).scaleb(3 - _MORE_DIGITS, context)))


def _ceiling(value: Decimal) -> Fraction:
    return Fraction(_context(_DIGITS, ROUND_CEILING).plus(value))


def _quotient(fraction: Fraction, digits: int, rounding: str = ROUND_HALF_EVEN) -> Decimal:
    return _context(digits, rounding).divide(Decimal(fraction.numerator), Decimal(fraction.denominator))


def _context(digits: int, rounding: str = ROUND_HALF_EVEN) -> Context:
    return Context(prec=digits, rounding=rounding, Emin=-_LARGEST_POWER, Emax=_LARGEST_POWER)


def _near_one(ratio: Fraction) -> int:
    """Digits that are lost when the logarithm of a number so near to 1 is taken."""
    gap = abs(ratio - 1)
    if gap == 0 or gap >= 1:
        return 0
    bits = gap.denominator.bit_length() - gap.numerator.bit_length()
    return max(bits * 3 // 10 + 2, 0)


def _quoted(text: str) -> str:
    return text.strip()[:40]
