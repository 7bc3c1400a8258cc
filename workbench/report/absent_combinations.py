"""Combinations of values that no row of a trimmed file has: found in the released rows, and in nothing else.

They are told of a file of few columns, each with labels of one level. Whether they are told follows from the note and
the labels of the file, so whoever has both finds the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any

from workbench.anonymise.note_versions import FILE_FIRST, SAID_ONCE
from workbench.core.hierarchy import ANY
from workbench.core.visible import quoted
from workbench.report.few_rows import IN_FEW_ROWS, levels_of
from workbench.report.recheck_original import as_compared
from workbench.report.said_to_occur import IN_NO_ROW
from workbench.report.stated_facts import Facts

COMBINATIONS = "combinations"
ALL_THE_SAME = "The table may have such rows all the same."
"""Read alone, that no row says a value could be taken for what the table holds."""
MOST_COLUMNS = 3
MOST_COMBINATIONS = 1_000
"""Of more combinations most have no row in any table."""
NAMED = 2
"""So many of them are named."""
_NO_VALUE = ("", ANY)


def absent_combinations(
    release: Facts, names: Sequence[str], groups: Iterable[tuple[Sequence[str], int]], version: int = SAID_ONCE
) -> Facts:
    """Columns, how many combinations their values have, how many of these are in no row, and, of few, which.

    Nothing where all are in rows, or none is told of. Neither an empty cell nor `*` is a value.

    Parameters
    ----------
    release
        A note, of which columns, steps and what no or too few rows say are asked.
    names
        The columns of the groups.
    groups
        The labels of a group in the file and its rows.
    version
        Of the notes that tell it so.
    """
    # Until then only where every value that can occur is in rows enough to be counted.
    if version < SAID_ONCE and (release[IN_NO_ROW] or release[IN_FEW_ROWS]):
        return {}
    rows = [[as_compared(label) for label in labels] for labels, some in groups if some]
    columns = [one["name"] for one in release["columns"] if one["name"] in names and one["grouped"]]
    values = {
        name: sorted({row[names.index(name)] for row in rows}.difference(_NO_VALUE))
        for name in columns
        if name != release["step_column"]
    }
    varied = {name: labels for name, labels in values.items() if len(labels) > 1}
    sizes = prod(map(len, varied.values()))
    told = 1 < len(varied) <= MOST_COLUMNS and sizes <= MOST_COMBINATIONS
    if not told or not all(_has_one_level(release, name) for name in varied):
        return {}
    places = [names.index(name) for name in varied]
    seen = {tuple(row[place] for place in places) for row in rows}
    absent = [list(one) for one in product(*varied.values()) if one not in seen]
    named: list[Any] = absent if len(absent) <= NAMED else []
    return {"columns": list(varied), "of": sizes, "number": len(absent), "named": named} if absent else {}


def _has_one_level(release: Facts, name: str) -> bool:
    """Whether all labels of a column that say something are of one level: else one of them holds others."""
    columns = [one for one in release["columns"] if one["name"] == name]  # a note that was changed may have it twice
    return all("hierarchy" not in one for one in columns) or len(levels_of(release).get(name, ())) == 1


def no_combination(release: Facts, version: int) -> str:
    """Which combinations of values no row has, as a sentence; "" where none is told of.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    stated = release.get(COMBINATIONS) if version >= FILE_FIRST else None
    if not stated:
        return ""
    names, named = stated["columns"], stated["named"]
    said = [" with ".join(f"{name} {quoted(label)}" for name, label in zip(names, one, strict=True)) for one in named]
    if said:
        return f"No row says {'; '.join(said)}. {ALL_THE_SAME}"
    both = f"{', '.join(names[:-1])} and {names[-1]}"
    if version < SAID_ONCE:
        return f"Of {stated['of']:,} combinations of {both} {stated['number']:,} are in no row. {ALL_THE_SAME}"
    are = "is" if stated["number"] == 1 else "are"
    of_all = f"{stated['number']:,} of the {stated['of']:,} combinations of {both}"
    return f"Of the labels in the file, {of_all} {are} in no row. {ALL_THE_SAME}"


def is_stated(value: object) -> bool:
    """Whether that is what a note can hold of combinations."""
    if value == {}:
        return True
    if not isinstance(value, dict) or set(value) != {"columns", "of", "number", "named"}:
        return False
    columns, named = value["columns"], value["named"]
    texts = [columns, *named] if isinstance(columns, list) and isinstance(named, list) else [None]
    if not all(isinstance(one, list) and len(one) == len(columns) and all(map(_is_text, one)) for one in texts):
        return False
    if type(value["of"]) is not int or type(value["number"]) is not int or not 1 < len(columns) <= MOST_COLUMNS:
        return False
    number = value["number"]
    return 0 < number < value["of"] <= MOST_COMBINATIONS and len(named) == (number if number <= NAMED else 0)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
