"""The data that published figures are made of by default: columns of the shipped samples."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

TableRows = tuple[tuple[str, ...], ...]
"""A table as texts, the heading first."""


class Needs(StrEnum):
    """The kind of column a figure or preset is about."""

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

    @property
    def title(self) -> str:
        """Title of the sample where people read of it: its name and its column."""
        return f"{self.name}, {self.column}"

    @property
    def name(self) -> str:
        """Name of the sample."""
        return SAMPLE_TITLES.get(self.file, self.file)


SAMPLE_TITLES = {
    "baltimore_salaries.csv": "City salaries",
    "nba_salaries.csv": "Basketball salaries",
    "ages.csv": "Ages",
    "surgery_charges.csv.gz": "Surgery payments",
    "spiky_ages.csv": "Ages in few spikes",
    "surgery_tail.csv.gz": "Surgery payments with their tail",
    "nba_salaries_1990.csv": "Basketball salaries since 1990",
}
"""Names of the shipped samples where people read of them."""
