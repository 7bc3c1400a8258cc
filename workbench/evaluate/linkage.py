"""A linkage attack on a release: who can be recognised by somebody who knows some columns. All of it is analyst only.

The attacker knows what the columns he knows say about a person, exactly, and how the release was generalised. He looks
for the rows that fit and picks one of them. Chances follow from counts of rows; nothing is simulated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.grouping import classes
from workbench.anonymise.risk import Risk, assess_risk
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table


@dataclass(frozen=True)
class Learned:
    """The share of people of whom an attacker guesses an unknown column rightly, by the most frequent fitting value.

    Where the release has labels, being right means to name the right label, before and after.

    Parameters
    ----------
    column
        What he wants to learn.
    blind
        Share of the rows about which he is right without knowing anything, by the most frequent value of all.
    before, after
        The same where he sees the table as it is, and the release.
    """

    column: str
    blind: float
    before: float
    after: float


@discreet
@dataclass(frozen=True)
class LinkageAttack:
    """The success of an attacker.

    Parameters
    ----------
    known
        The columns he knows.
    before
        If the table were released as it is.
    after
        On the release. The prosecutor knows that the person is among the released rows; the journalist only that the
        person is in the table.
    absent
        Share of the people of the table of whom no released row can be: the rows that fit were all dropped.
    everybody
        The chance to point at the right row, on average over all people of the table, released or not.
    exact
        Whether the journalist's chance is exact; otherwise it is the prosecutor's, which is not lower.
    learned
        For the other released columns.
    """

    known: tuple[str, ...]
    before: Risk
    after: Risk
    absent: float
    everybody: float
    exact: bool
    learned: tuple[Learned, ...]


def link(
    original: Table,
    released: Table,
    as_labels: Table | None,
    known: Sequence[str],
    *,
    threshold: float = 0.2,
    progress: Progress = SILENT,
) -> LinkageAttack:
    """Attack a release by the columns `known`.

    Parameters
    ----------
    original
        The table the release was made from: all people the attacker may look for.
    released
        The released rows.
    as_labels
        The original with the labels of the release; None where rows have labels of different levels.
    threshold
        The chance above which a row counts as at risk, 0 to 1.

    Raises
    ------
    WorkbenchError
        If no column is known, or one is not released.
    Cancelled
        If the progress was cancelled.
    """
    if not known:
        raise WorkbenchError(
            "An attacker who knows no column cannot look for anybody.", hint="Tick a column he knows.", field="known"
        )
    for name in known:
        released[name]  # raises if it is not there
    progress(0.0, "Counting who fits")
    before_ids = combinations_of([original[name] for name in known], progress.part(0.0, 0.2))
    before = assess_risk(np.bincount(before_ids), threshold)
    if as_labels is None:
        found = combinations_of([released[name] for name in known], progress.part(0.2, 0.5))
        sizes, people = np.bincount(found), None
    else:
        both = [_together(released[name], as_labels[name]) for name in known]
        ids = combinations_of(both, progress.part(0.2, 0.5))
        found, there = ids[: released.rows], ids[released.rows :]
        number = int(ids.max()) + 1 if len(ids) else 0
        sizes, people = np.bincount(found, minlength=number), np.bincount(there, minlength=number)
    after = assess_risk(sizes, threshold, people)
    seen = sizes > 0
    absent = 0.0 if people is None else float(people[~seen].sum() / max(original.rows, 1))
    whole = np.zeros(original.rows, dtype=np.int64)
    learned = []
    for name in released.names:
        truth = original[name] if as_labels is None else as_labels[name]
        # Without labels of its own, a column can be compared if it is released as it is.
        if name in known or not set(_occurring(released[name])) <= set(truth.values):
            continue
        guessed = share_guessed(truth, whole), share_guessed(truth, before_ids), share_guessed(released[name], found)
        learned.append(Learned(name, *guessed))
    progress(1.0)
    return LinkageAttack(
        tuple(known),
        before,
        after,
        absent,
        # Whoever has a released row is found once in a group of its size, and a group has as many such people as rows.
        float(seen.sum() / max(original.rows, 1)),
        people is not None,
        tuple(learned),
    )


def _occurring(column: Column) -> list[str]:
    return [text for text, count in zip(column.values, column.counts.tolist(), strict=True) if count]


def combinations_of(columns: Sequence[Column], progress: Progress) -> NDArray[np.int64]:
    """For each row the number of its combination of values."""
    rows = len(columns[0]) if columns else 0
    return classes([(column.codes, max(len(column.values), 1)) for column in columns], rows, progress).ids


def _together(first: Column, second: Column) -> Column:
    """The rows of the one column and then of the other; equal texts are equal values."""
    place = {text: number for number, text in enumerate(dict.fromkeys((*first.values, *second.values)))}
    maps = [np.array([place[text] for text in column.values], dtype=np.int64) for column in (first, second)]
    codes = [
        known[column.codes] if len(column) else column.codes
        for known, column in zip(maps, (first, second), strict=True)
    ]
    return Column(first.name, np.concatenate(codes).astype(np.int64), tuple(place))


def share_guessed(column: Column, ids: NDArray[np.int64]) -> float:
    """Share of rows with the most frequent value of their group."""
    if not len(ids):
        return 0.0
    values = max(len(column.values), 1)
    pairs, counts = np.unique(ids.astype(np.int64) * values + column.codes, return_counts=True)
    best = np.zeros(int(ids.max()) + 1, dtype=np.int64)
    np.maximum.at(best, pairs // values, counts)
    return float(best.sum() / len(ids))
