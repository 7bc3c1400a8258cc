"""Numbers with the unit they are in."""

from __future__ import annotations

ROWS = "rows"
"""The unit of what counts rows."""
PEOPLE = "people"
"""The unit of what counts people."""
_ONE = {ROWS: "row", PEOPLE: "person"}


def in_unit(number: str, unit: str) -> str:
    """A number as it is written with its unit, if it has one.

    >>> in_unit("3", "rows"), in_unit("1", "rows"), in_unit("1", "people"), in_unit("1", "km"), in_unit("2", "")
    ('3 rows', '1 row', '1 person', '1 km', '2')
    """
    return f"{number} {_ONE.get(unit, unit) if number == '1' else unit}".rstrip()
