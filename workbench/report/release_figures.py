"""The figures of a trimmed release that its statement names: counted in the released rows, and in nothing else.

How many rows have `*` and how many an empty cell, by column; which of the labels that can occur none says, which too
few have, and which combinations none has; a label of each level that has a number and no name; one group with which it
is shown how to count, and the rows and groups of each label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from workbench.anonymise.released_lines import ReleasedLines, released_lines
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.report.absent_combinations import COMBINATIONS, absent_combinations
from workbench.report.column_labels import column_labels
from workbench.report.few_rows import IN_FEW_ROWS, few_at, fewest
from workbench.report.label_counts import LABEL_COUNTS, label_counts
from workbench.report.level_examples import level_examples
from workbench.report.recheck_original import as_compared
from workbench.report.said_to_occur import IN_NO_ROW


def figures_of(
    outcome: TrimOutcome,
    release: Mapping[str, Any],
    *,
    parted: bool,
    hierarchies: Mapping[str, Hierarchy] = MappingProxyType({}),
) -> dict[str, Any]:
    """The figures in a note on the rows as they are written.

    Parameters
    ----------
    release
        The rest of it, of which the steps are asked.
    parted
        Whether columns were left out that told groups apart, so that no count can be corrected.
    hierarchies
        What is shown of whose levels.
    """
    after = outcome.after
    lines, line_of = released_lines(outcome.axes, outcome.steps, left_out=after.left_out, one_level=after.one_level)
    # At a later level a group is what is left of it and what earlier steps released of it, however much that is.
    corrected = not (parted or release["floor"] > 1 or after.one_level > 1)
    worked = _worked(outcome, lines, line_of, release["steps"][0]["always_survive"]) if corrected else None
    by_step, _ = released_lines(
        outcome.axes,
        outcome.steps,
        release["step_column"],
        left_out=after.left_out,
        one_level=after.one_level,
    )
    of_labels = _of_labels(lines, release)
    return {
        "stars": _rows_with(lines, ANY),
        "blank": _rows_with(lines, ""),
        "examples": level_examples(lines, release, hierarchies),
        **of_labels,
        COMBINATIONS: absent_combinations({**release, **of_labels}, lines.names, _groups(lines)),
        "worked": worked,
        LABEL_COUNTS: label_counts({**release, "worked": worked}, by_step.names, _groups(by_step)),
    }


def _rows_with(lines: ReleasedLines, label: str) -> dict[str, int]:
    """By column the rows that have a label, where any has."""
    found = {
        name: int(lines.sizes[codes == labels.index(label)].sum())
        for name, labels, codes in zip(lines.names, lines.labels, lines.codes, strict=True)
        if label in labels
    }
    return {name: rows for name, rows in found.items() if rows}


def _of_labels(lines: ReleasedLines, release: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """By column the labels that no released row says, and those that too few say to be counted, where there are any."""
    no_row, few = {}, {}
    for name, known in column_labels(release).items():
        place = lines.names.index(name)
        labels = lines.labels[place]
        rows = np.bincount(lines.codes[place], lines.sizes, len(labels)).astype(np.int64).tolist()
        found = {label: some for label, some in zip(labels, rows, strict=True) if some}
        no_row[name] = known.in_no_row(found)
        few[name] = few_at(found, known.at_coarsest(found), fewest(release))
    return {
        IN_NO_ROW: {name: some for name, some in no_row.items() if some},
        IN_FEW_ROWS: {name: some for name, some in few.items() if some},
    }


def _groups(lines: ReleasedLines) -> Iterator[tuple[tuple[str, ...], int]]:
    """The groups of the file, by their labels, with their rows."""
    columns = [[labels[code] for code in codes] for labels, codes in zip(lines.labels, lines.codes, strict=True)]
    yield from zip(zip(*columns, strict=True), lines.sizes.tolist(), strict=True)


def _worked(
    outcome: TrimOutcome, lines: ReleasedLines, line_of: tuple[np.ndarray[Any, Any], ...], always: int
) -> dict[str, Any] | None:
    """The first group of the first step that always keeps a row and says most; None if none released is so large.

    Not the largest, of which one would be shown that happened to give up little.
    """
    mine = np.ones(len(lines.sizes), dtype=np.bool_)
    if not outcome.after.one_level and len(line_of) > 1:
        # What such a group gave up is released by later steps under other labels, or not at all.
        mine[:] = False
        mine[line_of[0][(line_of[0] >= 0) & _named_anew(outcome)]] = True
        for later in line_of[1:]:
            mine[later[later >= 0]] = False
    mine &= lines.sizes >= always
    silent = np.zeros(len(lines.sizes), dtype=np.int64)
    for labels, codes in zip(lines.labels, lines.codes, strict=True):
        silent += np.isin(codes, [place for place, label in enumerate(labels) if label in (ANY, "")])
    # Of labels that a file may hold written alike, such as 1,5 and 1.5, nobody could find the rows again.
    for labels, codes in zip(lines.labels, lines.codes, strict=True):
        alike = Counter(map(as_compared, labels))
        mine &= ~np.isin(codes, [place for place, label in enumerate(labels) if alike[as_compared(label)] > 1])
    places = np.flatnonzero(mine)
    if not len(places):
        return None
    place = int(places[np.argmin(silent[places])])
    told = {
        name: labels[int(codes[place])]
        for name, labels, codes in zip(lines.names, lines.labels, lines.codes, strict=True)
    }
    return {"labels": told, "rows": int(lines.sizes[place])}


def _named_anew(outcome: TrimOutcome) -> np.ndarray[Any, Any]:
    """Which groups of the first step have another label in some column at each later one, shape (groups,)."""
    groups = outcome.steps[0].groups
    anew = np.ones(len(groups), dtype=np.bool_)
    at = list(groups.digits)
    for step in range(1, len(outcome.steps)):
        at = [axis.ups[step - 1][digits] for axis, digits in zip(outcome.axes, at, strict=True)]
        differs = np.zeros(len(groups), dtype=np.bool_)
        for axis, first, digits in zip(outcome.axes, groups.digits, at, strict=True):
            differs |= np.array(axis.labels[0])[first] != np.array(axis.labels[step])[digits]
        anew &= differs
    return anew
