"""Statements of a note about the labels of a public hierarchy, beside the words for its levels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from workbench.core.closed_end import INCLUDED, closed_end
from workbench.core.hierarchy import ANY, Hierarchy, Provenance
from workbench.core.occurring import Entries, occurring_places
from workbench.core.unsaid import begins_with_its_end
from workbench.core.widening_labels import widening_labels

LISTED, GRID, MASK = "listed", "grid", "mask"
MOST_LISTED = 100_000
"""Letters of the lists of one column that a note holds: it must stay small enough to be read."""


def stated_labels(hierarchy: Hierarchy, levels: Sequence[int], said: Entries) -> dict[str, Any]:
    """What a note states of a public hierarchy beside its words, so that labels can be told of the levels of a file.

    Parameters
    ----------
    levels
        Those of the file in the order of steps; one that is `*` throughout is passed over.
    said
        What was said to occur in the column.
    """
    told = list(dict.fromkeys(level for level in levels if not hierarchy.says_nothing(level)))
    if not told or hierarchy.provenance is not Provenance.PUBLIC:
        return {}
    places = occurring_places(hierarchy, said)
    if places is not None:
        kept = [list(path) for path in listed_paths(hierarchy, told, places)]
        if sum(len(label) for path in kept for label in path) > MOST_LISTED:
            return {LISTED: len({path[-1] for path in kept})}
        return {LISTED: kept} if kept else {}
    rule = hierarchy.specification or {"builder": "", "parameters": {}, "details": {}}
    if rule["builder"] == "intervals":
        widening = widening_labels(rule, told, said)
        return {LISTED: list(map(list, widening))} if widening else _stated_grid(rule, told)
    how = rule["parameters"]
    if rule["builder"] == "masking" and (how["side"], how["align"]) == ("right", "left"):
        return {MASK: {"length": int(how["length"]), "sign": str(how["mask"])}}
    return {}


def listed_paths(hierarchy: Hierarchy, levels: Sequence[int], places: Sequence[int]) -> list[tuple[str, ...]]:
    """The labels of listed values at the levels, each path once, without those that say nothing at the coarsest."""
    maps = [hierarchy.maps[level].tolist() for level in levels]
    labels = [hierarchy.labels[level] for level in levels]
    paths = (tuple(names[codes[place]] for names, codes in zip(labels, maps, strict=True)) for place in places)
    return [path for path in dict.fromkeys(paths) if path[-1] not in ("", ANY)]


def _stated_grid(rule: Mapping[str, Any], levels: Sequence[int]) -> dict[str, Any]:
    """Where intervals begin and are cut; nothing where labels are others than the program writes by itself."""
    details = rule["details"]
    base, ends = details.get("intervals", ()), [details.get(name) or {} for name in ("lowest", "highest")]
    made = details.get("levels", ())
    own = not all(begins_with_its_end(made[level - 1]) for level in levels if 0 < level <= len(made))
    # Numbers on the upper end are of the interval below it, which a range from that end on would deny.
    upper = rule["parameters"].get("closed") == "high"
    if len(base) != 1 or own or upper or any(end.get("label") for end in ends):
        return {}
    lowest, highest = (None if end.get("coding") is None else float(end["coding"]) for end in ends)
    held = {INCLUDED: True} if closed_end(details) is not None else {}
    return {GRID: {"from": float(base[0]["from"]), "lowest": lowest, "highest": highest, **held}}
