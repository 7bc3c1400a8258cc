"""The sentence on what can occur and no row of a file says, with labels as quotations."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from workbench.anonymise.note_versions import SPELT_AS_IN_FILE, TOLD_AS_SEEN
from workbench.anonymise.said_words import end_of_range
from workbench.core.visible import quoted
from workbench.report.absent_cells import in_quotes
from workbench.report.column_labels import ColumnLabels, column_labels
from workbench.report.said_to_occur import IN_NO_ROW, in_words
from workbench.report.stated_facts import Facts

_RANGE = re.compile(r"(-?\d{1,15}(?:\.\d+)?)(?:(-| to under | to )(-?\d{1,15}(?:\.\d+)?))?")
"""What lies in intervals that no row says, as `core.unsaid` has it: from where to where, or one number."""


def no_row_says(release: Facts, version: int) -> str:
    """Which of the labels that can occur are in no row of the file, as a sentence; "" if there is none.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    labels = column_labels(release) if version >= TOLD_AS_SEEN else {}
    said = []
    for name, absent in release.get(IN_NO_ROW, {}).items():
        known = labels.get(name)
        said.append(f"{name}: {in_words(absent, _how(known, version))}")
    return f"No row says {'; '.join(said)}. The table may have such rows all the same." if said else ""


def _how(known: ColumnLabels | None, version: int) -> Callable[[str], str]:
    """How labels of a column are written."""
    if version >= SPELT_AS_IN_FILE:
        return quoted if known is None or known.grid is None else in_quotes
    return quoted if known is None else partial(_written, known)


def _written(known: ColumnLabels, entry: str) -> str:
    """The same before `SPELT_AS_IN_FILE`: what lies in several intervals, or in part of one, as a range of numbers."""
    if known.grid is None or known.is_interval(entry):
        return quoted(entry)
    return in_range(entry) or quoted(entry)


def in_range(entry: str) -> str:
    """What lies in intervals that no row says, in words; "" where that is not what the entry is.

    >>> in_range("120000 to 200000"), in_range("80-119"), in_range("Bern")
    ('from 120,000 to 200,000', 'from 80 to 119', '')
    """
    found = _RANGE.fullmatch(entry)
    if found is None:
        return ""
    low, joins, high = found.groups()
    if high is None:
        return end_of_range(float(low))
    under = "under " if "under" in joins else ""
    return f"from {end_of_range(float(low))} to {under}{end_of_range(float(high))}"
