"""Values and combinations that the file of a draw does not tell: from its rows and the settings, never the table.

Two tables from which the same rows came out, with the same settings, have the same sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod

import numpy as np

from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import ANY
from workbench.core.number_text import count, counted
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.result import Result, starred
from workbench.session.release.spread import listed_names
from workbench.session.release.starred import starred_words

_NO_VALUE = ("", ANY)
_MOST_COLUMNS = 3
_MOST_COMBINATIONS = 1_000
"""Of more combinations most have no row in any table."""
_NAMED = 2
"""So many of them are named."""
_NO_ROW = "No row says"
_ALL_THE_SAME = "The table may have such rows all the same."
"""Read alone, that no row says a value could be taken for what the table holds."""


def not_told(result: Result, said: Mapping[str, Sequence[str]], left_out: Sequence[str] = ()) -> tuple[str, ...]:
    """Values and combinations that no row says, where `*` stands, and how many rows each person has; the worst first.

    Parameters
    ----------
    said
        What can occur of a column, as far as somebody said so (`core.occurring`).
    left_out
        Columns of the draw that are not in the file.
    """
    there = [one for one in came_out(result, said) if one.column not in left_out]
    values = missing_lines(there)
    absent = "" if values else combinations_words(result)  # a value that is rare or missing has few combinations
    missing = [f"{line} {_ALL_THE_SAME}" if line.startswith(_NO_ROW) else line for line in values]
    missing += [f"{absent} {_ALL_THE_SAME}"] if absent else []
    stars = starred_words(replace(result, starred=starred(result.outcome)), left_out)  # as it is written
    return tuple(filter(None, (*missing, f"{stars}." if stars else "", rows_of_each(result))))


def combinations_words(result: Result) -> str:
    """Which combinations of the values that are in the file no row of it has; "" where that says nothing.

    It says something of a few columns of one detail each. Neither an empty cell nor `*` is a value.
    """
    outcome = result.outcome
    if not isinstance(outcome, TrimOutcome):
        return ""
    lines, _ = outcome.written_lines
    values = {
        name: (place, [code for code, label in enumerate(lines.labels[place]) if label not in _NO_VALUE])
        for place, name in enumerate(lines.names)
        if name in outcome.columns_out
    }
    varied = {name: one for name, one in values.items() if len(one[1]) > 1}
    if not 1 < len(varied) <= _MOST_COLUMNS or any(_is_mixed(outcome, name) for name in varied):
        return ""
    sizes = [len(lines.labels[place]) for place, _ in varied.values()]
    if prod(sizes) > _MOST_COMBINATIONS:
        return ""
    seen = np.zeros(sizes, dtype=bool)
    seen[tuple(lines.codes[place] for place, _ in varied.values())] = True
    missing = np.argwhere(~seen[np.ix_(*(codes for _, codes in varied.values()))])
    if len(missing) > _NAMED:
        of = count(prod(len(codes) for _, codes in varied.values()))
        return f"{count(len(missing))} of the {of} combinations of {listed_names(tuple(varied))} are in no row."
    told = [
        " with ".join(
            f"{name} {lines.labels[place][codes[at]]}"
            for (name, (place, codes)), at in zip(varied.items(), one, strict=True)
        )
        for one in missing.tolist()
    ]
    return f"{_NO_ROW} {'; '.join(told)}." if told else ""


def _is_mixed(outcome: TrimOutcome, name: str) -> bool:
    """Whether rows have a column at several levels that say something: one label then holds others."""
    levels = set()
    for level, labels, rows in outcome.label_counts(name):
        telling = np.array([label not in _NO_VALUE for label in labels], dtype=bool)
        if rows[telling].any():
            levels.add(level)
    return len(levels) > 1


def rows_of_each(result: Result) -> str:
    """That only so many rows of each person take part, chosen at random; "" where the program chose none."""
    unit = result.schema.unit
    if not unit.person_column or not isinstance(result.outcome, TrimOutcome):
        return ""
    if unit.rows_per_person == 1:
        return "One row per person at most, chosen at random: who is in several groups counts in one."
    return f"{counted(unit.rows_per_person, 'row')} per person at most, chosen at random."
