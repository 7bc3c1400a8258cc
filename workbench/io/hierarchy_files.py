"""Hierarchy files that lie beside a data file and carry its name: `<data>_hierarchy_<column>.csv`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_NAMED = re.compile(r"(?P<data>.+?)[_\- ]hierarchy[_\- ](?P<column>.+)\.(?:csv|txt|tsv)", re.IGNORECASE)
_PACKED = (".gz", ".zip")


@dataclass(frozen=True)
class HierarchyFile:
    """A file that by its name is a hierarchy of a column.

    `variant` is what its name says beyond the column, such as "pairs of means"; "" for the plain one.
    """

    path: Path
    variant: str = ""


def matching_hierarchies(data: Path, columns: Iterable[str]) -> dict[str, tuple[HierarchyFile, ...]]:
    """The hierarchy files in the folder of `data` that by their names belong to its columns.

    `nba_hierarchy_salary_pairs_of_means.csv` belongs to the column `salary` of `nba_salaries.csv`: the data's name
    begins with what stands before "hierarchy", and the longest column name that fits takes the file. Case does
    not count, nor which mark stands between two words.

    Parameters
    ----------
    data
        The data file, plain or packed.
    columns
        The names of its columns.

    Returns
    -------
    dict of str to tuple of HierarchyFile
        In the order of `columns`, only those with a file; the plain file first, then the variants by name. Empty
        if the folder cannot be listed.
    """
    names = {_simple(column): column for column in columns}
    stem = _simple(_stem(data))
    found: dict[str, list[HierarchyFile]] = {column: [] for column in names.values()}
    try:
        paths = sorted(data.parent.iterdir())
    except OSError:
        return {}
    for path in paths:
        named = _NAMED.fullmatch(path.name)
        if named is None or not _begins(stem, _simple(named["data"])):
            continue
        rest = _simple(named["column"])
        fitting = [name for name in names if name and _begins(rest, name)]
        if fitting:
            name = max(fitting, key=len)
            variant = rest[len(name) :].replace("_", " ").strip()
            found[names[name]].append(HierarchyFile(path, variant))
    return {column: tuple(sorted(files, key=lambda file: file.variant)) for column, files in found.items() if files}


def column_named(path: Path, columns: Iterable[str]) -> str | None:
    """The column that a file of a hierarchy is named after, with or without what it says of the data; None if none.

    Of several columns that fit, the longest name is meant.
    """
    named = _NAMED.fullmatch(path.name)
    rest = _simple(named["column"]) if named is not None else _simple(_stem(path)).removeprefix("hierarchy_")
    fitting = [column for column in columns if _simple(column) and _begins(rest, _simple(column))]
    return max(fitting, key=len, default=None)


def _stem(path: Path) -> str:
    name = path.name
    while Path(name).suffix.lower() in _PACKED:
        name = Path(name).stem
    return Path(name).stem


def _simple(text: str) -> str:
    return re.sub(r"\W+|_+", "_", text.casefold()).strip("_")


def _begins(text: str, start: str) -> bool:
    """Whether `text` is `start`, or goes on after it with another word."""
    return text == start or text.startswith(f"{start}_")
