"""What published figures are made of by default: columns of the shipped samples."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TableRows = tuple[tuple[str, ...], ...]
"""A table as texts, the heading first."""


class Needs(StrEnum):
    """What kind of column a figure or preset is about."""

    NUMBERS = "numbers"
    VALUES = "values"
    """Any column with a list of values."""
    NOTHING = "nothing"


@dataclass(frozen=True)
class SampleColumn:
    """A column that a figure or preset takes by default.

    Parameters
    ----------
    file, column
        A file of the sample data, and its column.
    outside
        A file of the folder named by WORKBENCH_DATA, and its column, that is taken instead where it is there.
    """

    file: str
    column: str
    outside: tuple[str, str] | None = None
