"""Columns of numbers of a trimmed file, whose means mislead: found in its note, so from names and rules alone."""

from __future__ import annotations

import re

from workbench.core.unsaid import interval_ends
from workbench.core.visible import visible
from workbench.report.column_labels import ColumnLabels, column_labels
from workbench.report.stated_facts import Facts

_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")
_DO = "do not report them."


def number_columns(release: Facts) -> list[str]:
    """The columns whose labels are numbers or intervals of them, by the rule or the list that the note states."""
    return [name for name, one in column_labels(release).items() if _are_numbers(one)]


def _are_numbers(known: ColumnLabels) -> bool:
    if known.listed is None:
        return known.grid is not None
    finest = [path[0] for path in known.listed if path[0]]
    return known.widens or all(_NUMBER.fullmatch(one) or interval_ends(one) is not None for one in finest)


def no_means(release: Facts) -> str:
    """That no mean of its numbers is to be reported, and why, as a sentence; "" where it has no numbers.

    Groups of fewer rows lose a larger part, whatever their numbers: where large numbers are rare in one group and
    frequent in another, the order of their means in the file can be any.
    """
    names = number_columns(release)
    if not names:
        return ""
    named = [visible(name) for name in names]
    which = f"{', '.join(named[:-1])} and {named[-1]}" if len(named) > 1 else named[0]
    shown = [one["name"] for one in release["columns"] if one["name"] != release["step_column"]]
    others = [visible(name) for name in shown if name not in names]
    by = others[0] if len(names) == 1 and len(others) == 1 else "another column" if len(shown) > 1 else ""
    off = f", also by {by}, can be far off and in a wrong order" if by else " can be far off"
    return f"Means of {which}{off}, as rows with rare numbers, often the large ones, are missing most: {_DO}"
