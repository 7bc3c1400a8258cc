"""Numbers as people write them in Python: int, float, NumPy's, `Fraction`, `Decimal`, or text such as "ln 3"."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Rational, Real
from typing import TypeAlias

from workbench.core.amount_text import float_amount, read_amount
from workbench.core.errors import WorkbenchError

Amount: TypeAlias = "int | float | Fraction | Decimal | str"
"""ε or δ: a float means the decimal that it is written as, so 0.1 is 1/10."""


def amount_text(value: object, field: str) -> str:
    """The text that says exactly this number.

    >>> amount_text(0.1, "epsilon"), amount_text(Fraction(1, 3), "epsilon"), amount_text("ln 3", "epsilon")
    ('0.1', '1/3', 'ln 3')

    Raises
    ------
    WorkbenchError
        If it is no number.
    """
    if isinstance(value, str):
        found = value
    elif isinstance(value, bool):
        raise _no_number(value, field)
    elif isinstance(value, Integral):
        found = str(int(value))
    elif isinstance(value, Rational):
        found = f"{value.numerator}/{value.denominator}"
    elif isinstance(value, Decimal):
        found = str(value)
    elif isinstance(value, Real):
        # The shortest decimal that reads back as this number in its own precision: 0.1 also where it is a float32.
        found = str(value)
    else:
        raise _no_number(value, field)
    read_amount(found, field)
    return found


def amount_float(value: object, field: str) -> float:
    """The same as a float that is not less.

    Raises
    ------
    WorkbenchError
        If it is no number.
    """
    return float_amount(amount_text(value, field), field)


def exactly(value: object, field: str) -> Fraction:
    """The same as a fraction; a logarithm is rounded up.

    Raises
    ------
    WorkbenchError
        If it is no number.
    """
    return read_amount(amount_text(value, field), field)


def _no_number(value: object, field: str) -> WorkbenchError:
    return WorkbenchError(
        f"{field} is a {type(value).__name__}, and no number.", hint="Write 0.5, Fraction(1, 3) or 'ln 3'.", field=field
    )
