"""Values and combinations that the file of a draw does not tell: from its rows and the settings, never the table.

Two tables from which the same rows came out, with the same settings, have the same sentences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import ANY
from workbench.core.number_text import count, counted
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.result import Result
from workbench.session.release.spread import listed_names

_NO_VALUE = ("", ANY)
_MOST_COLUMNS = 3
_MOST_COMBINATIONS = 1_000
"""Of more combinations most have no row in any table."""
_NAMED = 2
"""So many of them are named."""
_NO_ROW = "No row says"
_MOST_LISTED = 200
"""More are no list that anybody reads."""
_NO_BLANK = "No row has an empty cell."
_BLANK_ALONE = f"{_NO_BLANK.removesuffix('.')}, though the table may."
_ALL_THE_SAME = "The table may have such rows."
"""Read alone, that no row says a value could be taken for what the table holds."""


def not_told(result: Result, said: Mapping[str, Sequence[str]], left_out: Sequence[str] = ()) -> tuple[str, ...]:
    """What no row of a file says, beside what stood above the table when it was drawn; once that the table may.

    There it was said which values no row says or nobody expected, where `*` stands, how many rows each person has and,
    where no value is missing, which combinations no row has.

    Parameters
    ----------
    said
        What can occur of a column, as far as somebody said so (`core.occurring`).
    left_out
        Columns of the draw that are not in the file.
    """
    there = [one for one in came_out(result, said) if one.column not in left_out]
    # Above the table they stand where no value is missing; a list of them is opened below what names it.
    absent = combinations_words(result) if missing_lines(there) or combinations_listed(result) else ""
    blank = not _has_blank(result, left_out)
    if absent:
        return (f"{absent} {f'{_NO_BLANK} ' * blank}{_ALL_THE_SAME}",)
    return (_BLANK_ALONE,) if blank else ()


def _has_blank(result: Result, left_out: Sequence[str]) -> bool:
    """Whether a row of the file has a cell without a value."""
    return any(
        not label and some
        for name in result.outcome.recipe.levels
        if name not in left_out
        for _, labels, rows in result.outcome.label_counts(name)
        for label, some in zip(labels, rows.tolist(), strict=True)
    )


def left_out_words(result: Result, expected: int | None = None) -> str:
    """How much is in the file, beside what was expected; else that it does not tell how much the table has.

    What groups gave up was not released.

    Parameters
    ----------
    expected
        People whom somebody expected before the draw.
    """
    outcome = result.outcome
    if not isinstance(outcome, TrimOutcome):
        return ""
    lines, _ = outcome.written_lines
    there = f"The file has {counted(outcome.rows_out, 'row')} in {counted(len(lines.sizes), 'group')}"
    if expected is None:
        return f"{there}. It does not tell how many more the table has."
    return f"{there}; you expect {expected:,} people."


def combinations_words(result: Result) -> str:
    """Which combinations of the values that are in the file no row of it has; "" where that says nothing.

    It says something of a few columns of one detail each. Neither an empty cell nor `*` is a value.
    """
    columns, missing, of = _absent(result)
    if len(missing) > _NAMED:
        of_all = f"{count(len(missing))} of the {count(of)} combinations of {listed_names(columns)}"
        return f"Of the labels in the file, {of_all} are in no row."
    told = [" with ".join(f"{name} {label}" for name, label in zip(columns, labels, strict=True)) for labels in missing]
    return f"{_NO_ROW} {'; '.join(told)}." if told else ""


def combinations_listed(result: Result) -> tuple[tuple[str, ...], ...]:
    """The same as a table, the names of the columns first; none of few, or of too many to read."""
    columns, missing, _ = _absent(result)
    return (columns, *missing) if _NAMED < len(missing) <= _MOST_LISTED else ()


def _absent(result: Result) -> tuple[tuple[str, ...], list[tuple[str, ...]], int]:
    """Columns, the combinations of their labels in the file that no row of it has, and how many there could be."""
    outcome = result.outcome
    if not isinstance(outcome, TrimOutcome):
        return (), [], 0
    lines, _ = outcome.written_lines
    values = {
        name: (place, [code for code, label in enumerate(lines.labels[place]) if label not in _NO_VALUE])
        for place, name in enumerate(lines.names)
        if name in outcome.columns_out
    }
    varied = {name: one for name, one in values.items() if len(one[1]) > 1}
    if not 1 < len(varied) <= _MOST_COLUMNS or any(_is_mixed(outcome, name) for name in varied):
        return (), [], 0
    sizes = [len(lines.labels[place]) for place, _ in varied.values()]
    if prod(sizes) > _MOST_COMBINATIONS:
        return (), [], 0
    seen = np.zeros(sizes, dtype=bool)
    seen[tuple(lines.codes[place] for place, _ in varied.values())] = True
    missing = np.argwhere(~seen[np.ix_(*(codes for _, codes in varied.values()))])
    named = [
        tuple(lines.labels[place][codes[at]] for (place, codes), at in zip(varied.values(), one, strict=True))
        for one in missing.tolist()
    ]
    return tuple(varied), named, prod(len(codes) for _, codes in varied.values())


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
        # Whether anybody has several is known from the table alone, so nothing here may depend on it.
        return "One row per person at most: of several, one counts, chosen at random."
    return f"{counted(unit.rows_per_person, 'row')} per person at most, chosen at random."
