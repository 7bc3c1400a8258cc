"""Descriptions of columns: `wb.integer(0, 120)`, `wb.text()`, `wb.date("%d.%m.%Y")`, …

A description is public knowledge, typed and never read from the data.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from workbench.core.dates import DAY, MOMENT
from workbench.core.errors import WorkbenchError
from workbench.core.number_example import WANTED, format_shown
from workbench.core.schema import Format, Kind, Role
from workbench.library.plainly import plainly

Missing: TypeAlias = "Iterable[object] | None"


@dataclass(frozen=True)
class ColumnDescription:
    """The description of one column; made by `integer`, `number`, `text`, `category`, `date` and `moment`.

    Parameters
    ----------
    kind, written
        How its values are to be read; None for the way they are most likely written.
    bounds
        Its public bounds.
    values
        Every value that may occur, in order if they have one.
    missing
        What stands for "no value" beside the empty text; None for what was proposed.
    role
        What it could do to a person's privacy.
    """

    kind: Kind
    bounds: tuple[float, float] | None = None
    values: tuple[str, ...] | None = None
    written: Format | None = None
    missing: tuple[str, ...] | None = None
    role: Role | None = field(default=None)


@plainly
def integer(
    lower: float | None = None,
    upper: float | None = None,
    *,
    missing: Missing = None,
    role: str | None = None,
    written: str = "",
) -> ColumnDescription:
    """Whole numbers between two public bounds.

    >>> wb.integer(0, 120).bounds
    (0.0, 120.0)

    Parameters
    ----------
    lower, upper
        The bounds, known without the data; both or none.
    missing
        Values that stand for "no value" beside the empty text, such as -99; None for those that were proposed.
    role
        "identifying", "quasi-identifying", "sensitive" or "insensitive".
    written
        One thousand two hundred and thirty-four as the column writes it, such as "1.234,50"; "" for the way its numbers
        are most likely written.

    Raises
    ------
    Refused
        If only one bound is given, there is no such role, or `written` does not say how numbers are written.
    """
    return _numbers(Kind.INTEGER, lower, upper, missing, role, written)


@plainly
def number(
    lower: float | None = None,
    upper: float | None = None,
    *,
    missing: Missing = None,
    role: str | None = None,
    written: str = "",
) -> ColumnDescription:
    """Numbers, whole or not, between two public bounds. Parameters and errors as in `integer`.

    >>> wb.number(0, 2.5).bounds
    (0.0, 2.5)
    """
    return _numbers(Kind.DECIMAL, lower, upper, missing, role, written)


@plainly
def money(
    lower: float | None = None,
    upper: float | None = None,
    *,
    missing: Missing = None,
    role: str | None = None,
    written: str = "",
) -> ColumnDescription:
    """Amounts that may be written with a currency sign, such as $31,000.00. Parameters and errors as in `integer`.

    >>> wb.money(0, 300_000, written="1.234,50 €").bounds
    (0.0, 300000.0)
    """
    return _numbers(Kind.MONEY, lower, upper, missing, role, written)


@plainly
def percent(
    lower: float | None = None,
    upper: float | None = None,
    *,
    missing: Missing = None,
    role: str | None = None,
    written: str = "",
) -> ColumnDescription:
    """Shares that may be written with a percent sign, such as 12.5 %. Parameters and errors as in `integer`.

    >>> wb.percent(0, 100).bounds
    (0.0, 100.0)
    """
    return _numbers(Kind.PERCENT, lower, upper, missing, role, written)


@plainly
def text(*, missing: Missing = None, role: str | None = None) -> ColumnDescription:
    """Texts that are left as they are, such as the postcode 00123. Parameters and errors as in `integer`.

    >>> wb.text(missing=["?"]).missing
    ('?',)
    """
    return ColumnDescription(Kind.TEXT, missing=_missing(missing), role=_role(role))


@plainly
def category(
    values: Iterable[object] | None = None,
    *,
    ordered: bool = False,
    missing: Missing = None,
    role: str | None = None,
) -> ColumnDescription:
    """One of some values.

    >>> wb.category(["low", "high"], ordered=True).values
    ('low', 'high')

    Parameters
    ----------
    values
        Every value that may occur, known without the data.
    ordered
        Whether their order means something.
    missing, role
        As in `integer`.

    Raises
    ------
    Refused
        If there is no such role.
    """
    kind = Kind.ORDERED if ordered else Kind.CATEGORY
    return ColumnDescription(
        kind, values=None if values is None else _texts(values), missing=_missing(missing), role=_role(role)
    )


@plainly
def date(pattern: str = DAY, *, missing: Missing = None, role: str | None = None) -> ColumnDescription:
    """Days, written by a pattern of `datetime.strptime`. Other parameters and errors as in `integer`.

    >>> wb.date("%d.%m.%Y").written.pattern
    '%d.%m.%Y'
    """
    return ColumnDescription(Kind.DATE, written=Format(pattern=pattern), missing=_missing(missing), role=_role(role))


@plainly
def moment(pattern: str = MOMENT, *, missing: Missing = None, role: str | None = None) -> ColumnDescription:
    """Days with a time, written by a pattern of `datetime.strptime`. Other parameters and errors as in `integer`.

    >>> wb.moment("%d.%m.%Y %H:%M").written.pattern
    '%d.%m.%Y %H:%M'
    """
    return ColumnDescription(
        Kind.DATETIME, written=Format(pattern=pattern), missing=_missing(missing), role=_role(role)
    )


def _numbers(
    kind: Kind, lower: float | None, upper: float | None, missing: Missing, role: str | None, written: str
) -> ColumnDescription:
    shown = format_shown(written) if written else None
    if written and shown is None:
        raise WorkbenchError(f"“{written}” does not say how numbers are written.", hint=WANTED, field="written")
    return ColumnDescription(kind, _bounds(lower, upper), written=shown, missing=_missing(missing), role=_role(role))


def _bounds(lower: float | None, upper: float | None) -> tuple[float, float] | None:
    if (lower is None) != (upper is None):
        raise WorkbenchError("Only one bound is given.", hint="Give both, such as integer(0, 120).", field="bounds")
    return None if lower is None or upper is None else (float(lower), float(upper))


def _texts(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(str(value) for value in ([values] if isinstance(values, str) else values))


def _missing(values: Iterable[object] | None) -> tuple[str, ...] | None:
    return None if values is None else _texts(values)


def _role(role: str | None) -> Role | None:
    if role is None:
        return None
    try:
        return Role(role)
    except ValueError:
        raise WorkbenchError(
            f"“{role}” is no role of a column.", hint=f"Choose one of {', '.join(Role)}.", field="role"
        ) from None
