"""ε without a rounding: as the logarithm of a fraction, as a rational number, or infinite."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from workbench.core.amount_text import HINT, logarithm, natural_log, with_point
from workbench.core.errors import WorkbenchError
from workbench.core.exact import fraction_text, parse_fraction
from workbench.core.number_text import file_text
from workbench.core.rationals import float_above, rational

_DIGITS = 40
_MOST_DIGITS = 4_000
_INFINITE = ("∞", "inf", "infinity")
LARGEST = 1_000
"""Larger ε promise nothing, and their exponential would fill the memory."""


@dataclass(frozen=True)
class Epsilon:
    """A privacy loss: ln(`ratio`) if there is one, else `value`; infinite if there is neither.

    Parameters
    ----------
    ratio
        e^ε as a fraction, at least 1.
    value
        ε itself, at least 0, where e^ε is no fraction.
    """

    ratio: Fraction | None = None
    value: Fraction | None = None

    def __post_init__(self) -> None:
        if self.ratio is not None and self.value is not None:
            raise ValueError("one of ratio and value is enough")
        if (self.ratio is not None and self.ratio < 1) or (self.value is not None and self.value < 0):
            raise ValueError("ε is never negative")

    @classmethod
    def parse(cls, text: str, *, field: str = "epsilon") -> Epsilon:
        """Read `0.5`, `0,5`, `1/2`, `ln 3`, `ln(943/292)`, `2 ln 2` or `inf`.

        Raises
        ------
        WorkbenchError
            If the text is none of these or negative.
        """
        plain = with_point(text, field).strip()
        if plain.lower() in _INFINITE:
            return cls()
        found = logarithm(plain, field)
        if found is None:
            value = _number(plain, field)
            if not 0 <= value <= LARGEST:
                raise _out_of_range(text, field)
            return cls(ratio=Fraction(1)) if value == 0 else cls(value=value)
        times, inside = found
        if times.denominator != 1 or not 0 <= times <= LARGEST:
            raise WorkbenchError(
                f"“{text.strip()[:40]}” takes no whole multiple of a logarithm.",
                hint="Write ln(3), 2 ln 2 or a number.",
                field=field,
            )
        if inside**times < 1:
            raise _out_of_range(text, field)
        return cls(ratio=inside ** int(times))

    @property
    def infinite(self) -> bool:
        return self.ratio is None and self.value is None

    @property
    def text(self) -> str:
        """Exactly, such as "ln(943/292)", "0.5", "0" or "∞"."""
        if self.infinite:
            return "∞"
        if self.value is not None:
            return _decimal_text(self.value)
        assert self.ratio is not None
        return "0" if self.ratio == 1 else f"ln({fraction_text(self.ratio)})"

    @property
    def upper(self) -> float:
        """The smallest float that does not read as less than ε; infinity if it is infinite."""
        return float_above(self.value) if self.value is not None else _above(self._decimal())

    @property
    def lower(self) -> float:
        """The largest float that is not above ε, for a mechanism that is to be made with it."""
        if self.value is not None:
            nearest = float(self.value)
            return nearest if rational(nearest) <= self.value else math.nextafter(nearest, 0.0)
        found = self.upper
        return found if math.isinf(found) else math.nextafter(found, 0.0)

    @property
    def exp(self) -> Fraction | None:
        """e^ε where it is a fraction."""
        return self.ratio

    def exp_below(self, digits: int = _DIGITS) -> Fraction:
        """A fraction not above e^ε, and equal to it where that is a fraction."""
        if self.infinite:
            raise ValueError("an infinite ε has no exponential")
        return self.ratio if self.ratio is not None else _exp_bounds(self._finite(), digits)[0]

    def covers(self, ratio: Fraction) -> bool:
        """Whether ln(ratio) ≤ ε, decided without a rounding."""
        if self.infinite:
            return True
        if self.ratio is not None:
            return ratio <= self.ratio
        # e to a rational power other than 0 is irrational, so enough digits always decide.
        digits = _DIGITS
        while digits <= _MOST_DIGITS:
            low, high = _exp_bounds(self._finite(), digits)
            if ratio <= low:
                return True
            if ratio >= high:
                return False
            digits *= 4
        return False

    def _finite(self) -> Fraction:
        assert self.value is not None
        return self.value

    def _decimal(self) -> Decimal:
        """ε to forty digits."""
        if self.infinite:
            return Decimal("Infinity")
        if self.ratio is not None:
            return natural_log(self.ratio, _DIGITS)
        return _quotient(self._finite(), _DIGITS)


def log_ratio(numerator: Fraction, denominator: Fraction) -> Epsilon:
    """ln(numerator / denominator), infinite if only the denominator is 0."""
    if denominator == 0:
        return Epsilon()
    return Epsilon(ratio=numerator / denominator)


def _out_of_range(text: str, field: str) -> WorkbenchError:
    return WorkbenchError(
        f"ε = {text.strip()[:40]} is not between 0 and {LARGEST:,}.",
        hint="Write a number such as 0.5, or a logarithm such as ln(3).",
        field=field,
    )


def _number(text: str, field: str) -> Fraction:
    try:
        return parse_fraction(text, field=field)
    except WorkbenchError as error:
        raise WorkbenchError(error.message, hint=HINT, field=field) from None


def _decimal_text(value: Fraction) -> str:
    """A short decimal if the fraction has one, else the fraction."""
    short = float(value)
    return file_text(short) if Fraction(file_text(short)) == value else str(value)


def _context(digits: int) -> Context:
    return Context(prec=digits, rounding=ROUND_HALF_EVEN, Emin=-999_999_999, Emax=999_999_999)


def _quotient(fraction: Fraction, digits: int) -> Decimal:
    return _context(digits).divide(Decimal(fraction.numerator), Decimal(fraction.denominator))


def _exp_bounds(value: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Fractions below and above e^value, about 10^−digits apart relatively."""
    # Both the quotient and the exponential are off by less than a unit of their last digit.
    working = digits + len(str(LARGEST)) + 4
    found = Fraction(_context(working).exp(_quotient(value, working)))
    slack = found / 10**digits
    return found - slack, found + slack


def _above(number: Decimal) -> float:
    """The smallest float not below a number that is known to forty digits."""
    if number.is_infinite():
        return math.inf
    shown = float(number)
    return shown if Decimal(shown) >= number else math.nextafter(shown, math.inf)


def growth(epsilon: Epsilon, times: Fraction) -> Fraction | float:
    """e^(ε · times), as a fraction where it is one: ε = ln 4 and times = 1/2 give 2."""
    if epsilon.infinite:
        raise ValueError("an infinite ε has no exponential")
    if times == 0:
        return Fraction(1)
    if epsilon.ratio is not None:
        top = _root(epsilon.ratio.numerator, times.denominator)
        bottom = _root(epsilon.ratio.denominator, times.denominator)
        if top is not None and bottom is not None:
            return Fraction(top, bottom) ** times.numerator
    try:
        return math.exp(epsilon.upper * float(times))
    except OverflowError:
        raise WorkbenchError(
            f"e to the power of {epsilon.text} times {times} is too large a number.",
            hint="Choose a smaller ε.",
            field="epsilon",
        ) from None


def _root(number: int, degree: int) -> int | None:
    """The whole `degree`-th root of a number, if it has one."""
    low, high = 1, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high) // 2
        if middle**degree < number:
            low = middle + 1
        else:
            high = middle
    return low if low**degree == number else None
