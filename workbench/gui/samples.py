"""The samples that come with the program, by what they are and not by the names of their files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workbench.core.paths import sample_data
from workbench.evaluate.samples import SAMPLE_TITLES

_ROWS = {
    "baltimore_salaries.csv": "13,811 rows",
    "nba_salaries.csv": "12,377 rows",
    "ages.csv": "20,000 rows",
    "surgery_charges.csv.gz": "200,000 rows",
    "spiky_ages.csv": "20,000 rows",
    "surgery_tail.csv.gz": "202,655 rows",
    "nba_salaries_1990.csv": "12,377 rows",
}
SHOWN_FIRST = 4
"""How many are offered at the start; the others have the character of published tables and are in the menu."""


@dataclass(frozen=True)
class Sample:
    """One sample: its title, how large it is, and where it lies."""

    title: str
    about: str
    path: Path


def samples() -> tuple[Sample, ...]:
    """All there are, those first that have a title."""
    paths = [path for path in sample_data().glob("*.csv*") if "_hierarchy_" not in path.name]
    known = list(_ROWS)
    paths.sort(key=lambda path: (known.index(path.name) if path.name in known else len(known), path.name))
    return tuple(Sample(SAMPLE_TITLES.get(path.name, path.name), _ROWS.get(path.name, ""), path) for path in paths)
