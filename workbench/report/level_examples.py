"""A released label for each level that has no name but its number, so that a reader knows which labels stand there.

Which labels a level has is told from what the hierarchy lists whether it occurs or not, and which of them is shown from
the released rows: nothing else decides. So `verify` finds each in the file, and no note can hold words of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.anonymise.released_lines import ReleasedLines
from workbench.core.building import build_hierarchy, listed_by
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.report.counting_words import words_at
from workbench.report.note import LABELS
from workbench.report.recheck_original import as_compared


def level_examples(
    lines: ReleasedLines, release: Mapping[str, Any], hierarchies: Mapping[str, Hierarchy]
) -> dict[str, dict[str, str]]:
    """By column and number of the level a label of the file, where the level is called by its number.

    Parameters
    ----------
    lines
        The released rows as they are written.
    release
        The rest of the note, of which columns and steps are asked.
    """
    found = {}
    for column in release["columns"]:
        levels = numbered_levels(column, release)
        if levels and column["name"] in hierarchies and column["name"] in lines.names:
            labels = _frequent_first(lines, lines.names.index(column["name"]))
            examples = _of_column(hierarchies[column["name"]], levels, labels)
            if examples:
                found[column["name"]] = examples
    return found


def numbered_levels(column: Mapping[str, Any], release: Mapping[str, Any]) -> list[int]:
    """The levels of a column at any step that its statement calls by their number alone."""
    if column["shown"] != LABELS or "levels" not in column["hierarchy"]:
        return []
    steps = [step["levels"] for step in release["steps"]]
    levels = {step[column["name"]] for step in steps if words_at(column, step) == f"level {step[column['name']]}"}
    return sorted(level for level in levels if isinstance(level, int))


def _of_column(hierarchy: Hierarchy, levels: list[int], labels: list[str]) -> dict[str, str]:
    """The first of the labels that the list has at each level, and at no other if there is one."""
    listed = _listed(hierarchy)
    if listed is None or listed.height != hierarchy.height:
        return {}
    stands: dict[str, set[int]] = defaultdict(set)
    for level, texts in enumerate(listed.labels):
        for text in texts:
            stands[text].add(level)
    found = {}
    for level in levels:
        alone = (one for one in labels if stands.get(one) == {level})
        example = next(alone, next((one for one in labels if level in stands.get(one, ())), None))
        if example is not None:
            found[str(level)] = example
    return found


def _listed(hierarchy: Hierarchy) -> Hierarchy | None:
    """The hierarchy over what it lists whatever the data is; None of one that is no list, or not public."""
    if hierarchy.provenance is not Provenance.PUBLIC:
        return None
    if hierarchy.specification is None:
        rows = hierarchy.rows()[: len(hierarchy.values) - hierarchy.added]
        return Hierarchy.from_rows(rows) if rows else None
    try:
        values = listed_by(hierarchy.specification)
        return build_hierarchy(hierarchy.specification, values) if values else None
    except WorkbenchError:
        return None


def _frequent_first(lines: ReleasedLines, place: int) -> list[str]:
    """The labels of a column that somebody can find in the file, those of most released rows first."""
    labels, codes = lines.labels[place], lines.codes[place]
    rows = np.bincount(codes, weights=lines.sizes, minlength=len(labels))
    there = [code for code in np.argsort(-rows, kind="stable").tolist() if rows[code]]
    return [labels[code] for code in there if labels[code] != ANY and as_compared(labels[code]) == labels[code] != ""]
