"""At which levels the labels of a released file stand, and which are no labels of them."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.hierarchy import ANY
from workbench.report.recheck_chain import first_of, levels_of_chain
from workbench.report.recheck_counting import Counted
from workbench.report.recheck_original import Level, level_of
from workbench.report.recheck_stated import Stated


def levels_of(counted: Counted, stated: Stated) -> tuple[dict[str, Level], list[str]]:
    """The level of each grouped column, or None where rows differ, and labels that are none."""
    if stated.chain is not None:
        return levels_of_chain(counted, stated.hierarchies, stated.chain)
    levels: dict[str, Level] = {}
    faults = []
    for name in counted.grouped:
        hierarchy = stated.hierarchies.get(name)
        if hierarchy is None:
            continue
        labels, wanted = counted.labels(name), stated.levels.get(name)
        level = level_of(hierarchy, labels, wanted)
        if level is None and stated.mixed_levels:
            known = {text for at_level in hierarchy.labels for text in at_level} | {ANY}
            strange = sorted(labels - known)
        elif level is None:
            # Of the levels there are, the one that explains most tells best what is wrong.
            tried = [wanted] if wanted is not None else range(hierarchy.height + 1)
            there = [n for n in tried if 0 <= n <= hierarchy.height]
            strange = min((sorted(labels - set(hierarchy.labels[n])) for n in there), key=len, default=sorted(labels))
        else:
            strange = []
        levels[name] = level
        if strange:
            where = f"level {wanted} of its hierarchy" if wanted is not None else "any one level of its hierarchy"
            faults.append(f"“{name}” has values that are no labels of {where}: {first_of(strange)}.")
    return levels, faults


def star_faults(counted: Counted, stated: Stated, levels: Mapping[str, Level]) -> list[str]:
    """Rows of nothing but `*` among others: they tell how many rows were suppressed."""
    stars = counted.sizes.get((ANY,) * len(counted.grouped), 0)
    if not stars or stars == counted.rows or stated.mixed_levels or stated.small_groups_dropped:
        return []
    places = [(hierarchy, levels.get(name)) for name, hierarchy in stated.hierarchies.items()]
    if places and all(h.covers_all or (level is not None and ANY in h.labels[level]) for h, level in places):
        return []  # a row whose values have this label, or that no hierarchy lists
    return [f"{stars:,} rows are nothing but *, which tells how many rows were suppressed."]
