"""What the file of a draw does not tell, a sentence for each kind: from its rows and the settings, never the table.

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

_MOST_COLUMNS = 3
_MOST_PAIRS = 1_000
"""Of more combinations most have no row in any table."""
_NAMED = 2
"""So many of them are named."""


def not_told(result: Result, said: Mapping[str, Sequence[str]], left_out: Sequence[str] = ()) -> tuple[str, ...]:
    """Which values and combinations no row says, and that of each person so many rows are there; the worst first.

    Parameters
    ----------
    said
        What can occur of a column, as far as somebody said so (`core.occurring`).
    left_out
        Columns of the draw that are not in the file.
    """
    there = [one for one in came_out(result, said) if one.column not in left_out]
    return tuple(filter(None, (*missing_lines(there), combinations_words(result), rows_of_each(result))))


def combinations_words(result: Result) -> str:
    """Which combinations of the values that are in the file no row of it has; "" where that says nothing.

    It says something of a few columns of one detail each. Empty cells are no value.
    """
    outcome = result.outcome
    if not isinstance(outcome, TrimOutcome):
        return ""
    lines, _ = outcome.written_lines
    named = [place for place, name in enumerate(lines.names) if name in outcome.columns_out]
    varied = [place for place in named if len({one for one in lines.labels[place] if one}) > 1]
    names = [lines.names[place] for place in varied]
    steps = outcome.recipe.steps
    mixed = any(len({step.levels[name] for step in steps}) > 1 for name in names)
    if mixed or not 1 < len(varied) <= _MOST_COLUMNS or any(ANY in lines.labels[place] for place in varied):
        return ""
    sizes = [len(lines.labels[place]) for place in varied]
    if prod(sizes) > _MOST_PAIRS:
        return ""
    seen = np.zeros(sizes, dtype=bool)
    seen[tuple(lines.codes[place] for place in varied)] = True
    for axis, place in enumerate(varied):
        # What somebody did not say, or is empty, is no value that could be combined.
        filled = [code for code, label in enumerate(lines.labels[place]) if label]
        seen = np.take(seen, filled, axis=axis)
    missing = np.argwhere(~seen)
    if not len(missing):
        return ""
    if len(missing) > _NAMED:
        return f"Of {count(seen.size)} combinations of {listed_names(names)} {count(len(missing))} are in no row."
    labels = [[label for label in lines.labels[place] if label] for place in varied]
    told = [
        " with ".join(f"{name} {labels[at][code]}" for at, (name, code) in enumerate(zip(names, one, strict=True)))
        for one in missing.tolist()
    ]
    return f"No row says {'; '.join(told)}."


def rows_of_each(result: Result) -> str:
    """That only so many rows of each person take part, chosen at random; "" where the program chose none."""
    unit = result.schema.unit
    if not unit.person_column or not isinstance(result.outcome, TrimOutcome):
        return ""
    if unit.rows_per_person == 1:
        return "At most one row of each person is here, chosen at random: who is in several groups counts in one."
    return f"At most {counted(unit.rows_per_person, 'row')} of each person are here, chosen at random."
