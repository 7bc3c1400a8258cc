"""Every number that a person reads, written the same way wherever it stands.

An `estimate` has four significant digits, a `count` all of them; both separate thousands. What is promised is rounded
to the side that promises less (`rounded_up`); such digits stand after “at most” or as a price, and never after “≈” or
as the value of a formula: e is 2.718, and a factor of at most 2.719. `exact` and `typed` keep every digit of a setting,
`file_text` is the spelling of files.
Whole numbers written in place as `{n:,}` are a `count`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal, localcontext
from fractions import Fraction
from typing import Any, Protocol

NONE = "–"
"""Sign in the place of a number where there is none."""

_DIGITS = 4
_ALL = 12
"""Digits that a setting can have: more are the dust of floating point."""
_MARGIN = 8
"""Digits of a difference that are more than dust."""
_SIMPLE = 24
"""The largest denominator of a fraction that is read at a glance."""
_DUST = Fraction(1, 10**9)
"""Share of a part by which a fraction may be above it: what twelve digits leave out."""
_LEAST_POWER, _MOST_POWER = -4, 15
"""Powers of ten between which numbers are written out."""
_YEARS = 10_000
_PLAIN = 1e15
"""Larger numbers are written with an exponent."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class KindOfValues(Protocol):
    """The facts of a column that decide how its numbers are written; `workbench.core.schema` builds on this."""

    @property
    def value(self) -> Any: ...

    @property
    def temporal(self) -> bool: ...


class OfColumn(Protocol):
    """A column as far as its numbers are written by it."""

    @property
    def kind(self) -> KindOfValues: ...


def estimate(value: float, digits: int = _DIGITS) -> str:
    """A number that is not known exactly: `digits` significant ones, thousands separated; a dash for none.

    One that happens to be whole is written out, for most of these count something.

    >>> estimate(12345.678), estimate(999.96), estimate(1234.567), estimate(0.5)
    ('12,350', '1,000', '1,235', '0.5')
    >>> estimate(12345.0), estimate(0.0000123456), estimate(2.5e20), estimate(0.1234, 2)
    ('12,345', '1.235e-5', '2.5e+20', '0.12')
    >>> estimate(float("nan")), estimate(float("inf"))
    ('–', '∞')
    """
    if isinstance(value, int):
        return count(value)
    if not math.isfinite(value):
        return NONE if math.isnan(value) else "∞" if value > 0 else "-∞"
    if float(value).is_integer() and abs(value) < 10.0**_MOST_POWER:
        return count(value)
    return _written(Decimal(f"{value:.{digits - 1}e}"), ",")


def estimate_beside(value: float, other: float) -> str:
    """`estimate`, with as many more digits as tell it from another number that is compared with it.

    >>> estimate_beside(0.693147, 0.6931), estimate_beside(0.693147, 0.7), estimate_beside(0.5, 0.5)
    ('0.69315', '0.6931', '0.5')
    """
    for digits in range(_DIGITS, _ALL + 1):
        found = estimate(value, digits)
        if value == other or found != estimate(other, digits):
            break
    return found


def spelled(written: str) -> str:
    """A written number as it is printed: powers of ten with their exponent raised, and a true minus sign.

    >>> spelled("5e-5"), spelled("1e-05"), spelled("2.5e+20"), spelled("-1,234.5"), spelled("0.5")
    ('5 × 10⁻⁵', '10⁻⁵', '2.5 × 10²⁰', '−1,234.5', '0.5')
    """
    number, power, exponent = written.partition("e")
    if not power:
        return written.replace("-", "−")
    raised = str(int(exponent)).translate(_RAISED)
    return f"{'' if number == '1' else f'{number} × '}10{raised}".replace("-", "−")


_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def count(value: float) -> str:
    """A number of rows, people or cells: every digit before the point, thousands separated; a dash for none.

    >>> count(12345), count(12345.678), count(-0.3), count(float("nan"))
    ('12,345', '12,346', '0', '–')
    """
    if isinstance(value, int):
        return f"{value:,}"
    return f"{round(value):,}" if math.isfinite(value) else estimate(value)


def with_places(value: float, places: int) -> str:
    """A number with so many decimals, zeros too, so that the digits of a column stand in line.

    One that is below 0.0001 has them too, and no power of ten.

    >>> with_places(13.0, 1), with_places(12345.678, 2), with_places(1.5, 0), with_places(4.4e-6, 7)
    ('13.0', '12,345.68', '2', '0.0000044')
    >>> with_places(float("nan"), 2)
    '–'
    """
    if not math.isfinite(value):
        return estimate(value)
    written = exact(round(value, places))
    if "e-" in written:
        return f"{round(value, places):.{places}f}"
    whole, _, rest = written.partition(".")
    return f"{whole}.{rest.ljust(places, '0')}" if places else whole


def counted(number: int, noun: str) -> str:
    """So many of something whose plural ends with s, such as “1 step” and “3 steps”."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def exact(value: float) -> str:
    """A setting or a limit with all its digits, thousands separated.

    >>> exact(12345.678), exact(0.1 + 0.2), exact(1e-6), exact(5000), exact(1e13)
    ('12,345.678', '0.3', '1e-6', '5,000', '10,000,000,000,000')
    """
    return _all_digits(value, ",")


def typed(value: float) -> str:
    """A setting as it is typed into a field or a command, which take no separators.

    >>> typed(12345.678), typed(1000.0), typed(1e-5), typed(0.1)
    ('12345.678', '1000', '1e-5', '0.1')
    """
    return _all_digits(value, "")


def bound(value: float) -> str:
    """An end of a range of values: four digits stay together, for 1985 is more likely a year than an amount.

    >>> bound(1985), bound(12345), bound(0.5)
    ('1985', '12,345', '0.5')
    """
    return exact(value) if abs(value) >= _YEARS else typed(value)


def percent(share: float, digits: int = 3) -> str:
    """A share of 1 in percent, three significant digits; a dash for none.

    >>> percent(0.12345), percent(1), percent(0.07), percent(float("nan"))
    ('12.3 %', '100 %', '7 %', '–')
    """
    return f"{estimate(_tidy(100 * share), digits)} %" if math.isfinite(share) else NONE


def whole_percent(share: float) -> str:
    """A share of 1 in whole percent, with up to three decimals so that it rounds neither up to all nor down to nothing.

    >>> whole_percent(0.456), whole_percent(0.9996), whole_percent(0), whole_percent(1e-9)
    ('46 %', '99.96 %', '0 %', 'hardly any')
    """
    if share in (0.0, 1.0):
        return f"{100 * share:.0f} %"
    for digits in (0, 1, 2, 3):
        text = f"{100 * share:.{digits}f}"
        if 0 < float(text) < 100:
            return f"{text} %"
    return "almost all" if share > 0.5 else "hardly any"


def chance_percent(chance: float) -> str:
    """A chance in percent, three significant digits, never rounded to certainty or to nothing.

    >>> chance_percent(0.12345), chance_percent(0.99999), chance_percent(1), chance_percent(1e-6)
    ('12.3 %', '99.9… %', '100 %', '< 0.001 %')
    """
    if 0 < chance < 1e-5:
        return "< 0.001 %"
    shown = estimate(100 * chance, 3)
    return f"{'99.9…' if rounded(100 * chance, 3) >= 100 > 100 * chance else shown} %"


def change(before: float, after: float) -> str:
    """How much larger the second is, in percent of the first; a dash where nobody can say.

    >>> change(200, 250), change(200, 150), change(3, 3), change(0, 3)
    ('+25 %', '-25 %', '0 %', '–')
    """
    if not (math.isfinite(before) and math.isfinite(after)):
        return NONE
    if before == after:
        return "0 %"
    return f"{_signed((after - before) / abs(before))} %" if before else NONE


def points(before: float, after: float) -> str:
    """The difference of two shares of 1, in percentage points; a dash where nobody can say.

    >>> points(0.5, 0.25), points(0.1, 0.1)
    ('-25 pp', '0 pp')
    """
    if not (math.isfinite(before) and math.isfinite(after)):
        return NONE
    return f"{_signed(after - before)} pp" if before != after else "0 pp"


def margin_up(value: float, digits: int = 2) -> str:
    """How far a number may be off, never below that but for the dust of a subtraction: two significant digits.

    All digits of a whole number are written.

    >>> margin_up(0.341), margin_up(39.3 - 39.2), margin_up(30.0), margin_up(1234.5), margin_up(0.0)
    ('0.35', '0.1', '30', '1,300', '0')
    >>> margin_up(0.72401, 3), margin_up(0.71995, 3), margin_up(1234.5, 3)
    ('0.725', '0.72', '1,240')
    """
    if not math.isfinite(value):
        return estimate(value)
    # The dust is that of two ends of an interval, which are larger than what lies between them.
    tidy = Decimal(repr(rounded(value, _MARGIN)))
    if tidy == tidy.to_integral_value():
        return estimate(float(tidy))
    return _written(tidy.quantize(Decimal(1).scaleb(tidy.adjusted() - digits + 1), rounding=ROUND_CEILING), ",")


def margin_down(value: float, digits: int = 2) -> str:
    """The least that something is off by, never above that: two significant digits.

    >>> margin_down(0.349), margin_down(1299.0), margin_down(0.0)
    ('0.34', '1,200', '0')
    """
    return estimate(float(Decimal(value).normalize(Context(digits, ROUND_FLOOR))), digits)


def within_margin(value: float, low: float, high: float) -> tuple[str, str, str]:
    """A number and the interval it is known to, as far as that lets them be read: to the second digit of the margin.

    All digits before the point are written, of very large numbers eight. The ends are rounded outwards, but for the
    dust of a subtraction.

    >>> within_margin(38.4237, 38.3518, 38.4957), within_margin(30158.7, 28900.0, 31400.5)
    (('38.424', '38.351', '38.496'), ('30,159', '28,900', '31,401'))
    """
    margin = max(value - low, high - value)
    if not (math.isfinite(margin) and margin > 0.0 and max(map(abs, (value, low, high))) < _PLAIN):
        return estimate(value, _MARGIN), _outward(low, ROUND_FLOOR), _outward(high, ROUND_CEILING)
    places = max(1 - Decimal(repr(margin)).adjusted(), 0)
    step = Decimal(1).scaleb(-places)
    ways = ((value, ROUND_HALF_EVEN), (low, ROUND_FLOOR), (high, ROUND_CEILING))
    said = (Decimal(repr(rounded(one, _ALL))).quantize(step, rounding=way) for one, way in ways)
    first, *ends = (_written(one, ",") for one in said)
    return first, ends[0], ends[1]


def rounded_up(value: float | Fraction) -> str:
    """Four significant digits, never below the value: a stated ε or δ may be too large but never too small.

    No separators: statements that hold these are read again by programs, and their spelling must stay.

    >>> rounded_up(0.30000000000000004), rounded_up(9.99301e-6), rounded_up(12345.678)
    ('0.3001', '9.994e-6', '1.235e+4')
    """
    return _safe(_four_digits(value, ROUND_CEILING))


def parts_up(parts: Sequence[float | Fraction], whole: float | Fraction, *, fractions: bool = True) -> list[str]:
    """The parts of an amount, each `rounded_up`; otherwise where they would then be more than the whole is.

    What parts come to is read off them: of a promise of 1, three times 0.3334 would be more than is promised. Then
    parts such as thirds are written as such, and others with all their digits. Parts of more digits than are written
    stay rounded up: none is told below what it is.

    Parameters
    ----------
    fractions
        Whether parts may be written as fractions of the whole.

    >>> parts_up([0.5, 0.25, 0.25], 1), parts_up([0.333333333333] * 3, 1), parts_up([0.2, 0.12345], 0.32345)
    (['0.5', '0.25', '0.25'], ['1/3', '1/3', '1/3'], ['0.2', '0.1235'])
    >>> parts_up([0.333333333333e-5, 0.666666666666e-5], 1e-5), parts_up([0.333333333333] * 3, 1, fractions=False)[0]
    (['1e-5/3', '2e-5/3'], '0.333333333333')
    """
    found = [rounded_up(part) for part in parts]
    told, spent = sum(Fraction(text) for text in found), sum(Fraction(part) for part in parts)
    too_much = told > Fraction(rounded_up(whole))
    if fractions and too_much and (divided := _divided(parts, Fraction(str(whole)))):
        return divided
    if not (too_much and Fraction(rounded_up(whole)) >= spent):
        return found
    exactly = [_all_digits(float(part), "") for part in parts]
    cut = any(Fraction(text) < Fraction(str(part)) for text, part in zip(exactly, parts, strict=True))
    return found if cut else exactly


def _divided(parts: Sequence[float | Fraction], whole: Fraction) -> list[str]:
    """Each part as it is, or as a simple fraction of the whole that is not below it; none where they come to more.

    What stands before the stroke is the whole, or some of it, written with all its digits.
    """
    written, told = [], Fraction(0)
    for amount in (Fraction(str(part)) for part in parts):
        text = rounded_up(amount)
        shown = Fraction(text)
        if shown != amount and whole:
            share = (amount / whole).limit_denominator(_SIMPLE)
            over = typed(float(share.numerator * whole))
            text, shown = f"{over}/{share.denominator}", Fraction(over) / share.denominator
        if not amount <= shown <= amount * (1 + _DUST):
            return []
        told += shown
        written.append(text)
    return written if told <= whole else []


def rounded_down(value: float | Fraction) -> str:
    """Four significant digits, never above the value: what is left of a budget, or the largest β that is allowed.

    >>> rounded_down(0.99999), rounded_down(Fraction(1, 3))
    ('0.9999', '0.3333')
    """
    return _safe(_four_digits(value, ROUND_FLOOR))


def epsilon_up(value: float | Fraction) -> str:
    """ε of a price, never below it.

    >>> epsilon_up(Fraction(1, 3))
    'ε 0.3334'
    """
    return f"ε {rounded_up(value)}"


def price_up(epsilon: float | Fraction, delta: float | Fraction = 0) -> str:
    """A price, never below it; a δ only where there is one.

    >>> price_up(Fraction(1, 3)), price_up(Fraction(1, 2), Fraction(1, 10**5))
    ('ε 0.3334', 'ε 0.5 · δ 1e-5')
    """
    return epsilon_up(epsilon) + (f" · δ {rounded_up(delta)}" if delta else "")


def epsilon_down(value: float | Fraction) -> str:
    """ε of what is left of a budget, never above it.

    >>> epsilon_down(Fraction(1, 3))
    'ε 0.3333'
    """
    return f"ε {rounded_down(value)}"


def file_text(value: float, digits: int = _ALL) -> str:
    """A number in a file or a sentence that programs read: a spelling that must not change.

    >>> file_text(12345.678), file_text(0.00001), file_text(2.0), file_text(12345.678, 4)
    ('12345.678', '1e-05', '2', '1.235e+04')
    """
    return f"{value:.{digits}g}"


def shown(number: float, spec: OfColumn | None, digits: int = _ALL, *, grouped: bool = True) -> str:
    """A number as a person reads it, and one of a column of dates or date-times as a date.

    Parameters
    ----------
    number
        In the column's unit: days since 1970 for dates, seconds for date-times.
    spec
        The column; None for a number that is of none.
    digits
        Significant digits of a number that is not whole.
    grouped
        Whether thousands are separated.
    """
    if spec is not None and spec.kind.temporal and math.isfinite(number):
        days = spec.kind.value == "date"
        try:
            moment = _EPOCH + (timedelta(days=number) if days else timedelta(seconds=number))
        except OverflowError:
            return file_text(number, digits)
        return moment.strftime("%Y-%m-%d" if days else "%Y-%m-%d %H:%M:%S")
    if grouped:
        return estimate(number, digits)
    if 10.0**digits <= abs(number) < _PLAIN and not float(number).is_integer():
        number = rounded(number, digits)
    return str(int(number)) if float(number).is_integer() and abs(number) < _PLAIN else file_text(number, digits)


def rounded(value: float, digits: int) -> float:
    """The number with fewer significant digits, to be calculated with or set.

    >>> rounded(12345.678, 2), rounded(0.000123456, 3)
    (12000.0, 0.000123)
    """
    return float(f"{value:.{digits}g}")


def _four_digits(value: float | Fraction, rounding: str) -> Decimal:
    if value == 0:
        return Decimal(0)
    if isinstance(value, Fraction):
        with localcontext(prec=50, rounding=rounding):
            decimal = Decimal(value.numerator) / Decimal(value.denominator)
    else:
        decimal = Decimal(repr(value))
    return decimal.quantize(Decimal(1).scaleb(decimal.adjusted() - _DIGITS + 1), rounding=rounding)


def _safe(digits: Decimal) -> str:
    return f"{float(digits):.{_DIGITS}g}".replace("e-0", "e-").replace("e+0", "e+")


def _all_digits(value: float, mark: str) -> str:
    if isinstance(value, int):
        return f"{value:{mark}}"
    if not math.isfinite(value):
        return estimate(value)
    if float(value).is_integer() and abs(value) < 10.0**_MOST_POWER:
        return f"{int(value):{mark}}"
    return _written(Decimal(f"{value:.{_ALL - 1}e}"), mark)


def _written(number: Decimal, mark: str) -> str:
    """A decimal without needless zeros, written out unless it is very large or small."""
    if not number:
        return "0"
    power = number.adjusted()
    if _LEAST_POWER <= power < _MOST_POWER:
        return f"{number.normalize():{mark}f}"
    return f"{number.scaleb(-power).normalize():f}e{power:+d}"


def _outward(end: float, rounding: str) -> str:
    """An end of an interval as `estimate` writes it, but rounded to one side."""
    if abs(end) < _PLAIN or not math.isfinite(end):
        return estimate(end, _MARGIN)
    return _written(Decimal(repr(end)).normalize(Context(_MARGIN, rounding)), ",")


def _signed(share: float) -> str:
    text = estimate(_tidy(100 * share), 3)
    return text if share < 0 else f"+{text}"


def _tidy(number: float) -> float:
    """Without the dust of a multiplication: 7.000000000000001 is whole."""
    return rounded(number, _ALL)
