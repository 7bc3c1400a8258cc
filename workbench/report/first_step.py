"""Rows of a file that are surely of its first step, and how many are added for a group of them.

A group of the file can be of step 1 and of a later one at once where its labels stay the same. What is added is right
for step 1 alone, so only rows are taken of which a reader can see that no later step released them.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from workbench.anonymise.note_versions import COUNTED_EXACTLY, READ_ONCE
from workbench.core.hierarchy import ANY
from workbench.core.number_text import estimate, rounded_down
from workbench.core.visible import quoted
from workbench.report.column_labels import column_labels
from workbench.report.said_to_occur import in_words
from workbench.report.stated_facts import Facts


def gave_up(step: Facts) -> float:
    """What a group gave up on average, as it is told: rounded down, as sums with it are told to be no larger."""
    return float(rounded_down(step["mean_lost"]))


def in_told_figures(release: Facts) -> dict[str, Any]:
    """The same release with what groups gave up on average as it is told, so that a page has one figure for it."""
    return {**release, "steps": [{**step, "mean_lost": gave_up(step)} for step in release["steps"]]}


def added(step: Facts) -> str:
    """The rows to add for a group, which are those that it gave up on average."""
    return estimate(gave_up(step))


def with_given_up(step: Facts, rows: int, groups: int, version: int = COUNTED_EXACTLY) -> int:
    """Rows with what their groups gave up on average, rounded down: ⌊rows + groups · m⌋ with m as it is printed.

    Parameters
    ----------
    version
        Of the notes that tell it: until `COUNTED_EXACTLY` m was a binary fraction, which may lie below what is printed.
    """
    mean = gave_up(step)
    return math.floor(rows + groups * (mean if version < COUNTED_EXACTLY else Fraction(str(mean))))


def rows_of_first_step(release: Facts, mixed: Collection[str]) -> str:
    """Which rows are taken, as the beginning of a sentence; "" where all are.

    Parameters
    ----------
    mixed
        Columns that may hold labels of several levels.
    """
    if not mixed:
        return ""
    if release["step_column"]:
        return f"take only the rows of which “{release['step_column']}” says 1, and "
    return "take only the rows with a label that no later step has, and "


def of_later_steps_too(release: Facts, mixed: Collection[str], version: int) -> list[str]:
    """Which labels do not tell that a row is of step 1, in sentences; by name where a column is of a list.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    if not mixed or release["step_column"]:
        return []
    known = column_labels(release)
    alike = {name: some for name in mixed if name in known and (some := known[name].at_several())}
    named = "; ".join(f"{name}: {in_words(some, quoted)}" for name, some in alike.items())
    first, *later = (step["levels"] for step in release["steps"])
    # A column that gets coarser at the third step only has its finest labels at the second, too.
    still = [name for name in mixed if any(step.get(name) == first.get(name) != ANY for step in later)]
    every = f"every label of {in_words(still)}, " if still and version >= READ_ONCE else ""
    return [
        f"A later step can have, too, {every}each label that stays the same at a coarser level"
        f"{f' ({named})' * bool(named)}, {ANY} and an empty cell: take a row with these only if another of its labels "
        "tells that it is of step 1."
    ]
