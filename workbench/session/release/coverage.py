"""Values that hierarchies miss, in a run: a public rule takes them in; a failure would tell that they are there.

By sampling they become `*` above level 0, as statements say; trimming has the same rule of its own, at every level.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from workbench.core.hierarchy import Hierarchy
from workbench.core.table import Table


def covering(hierarchies: Mapping[str, Hierarchy], table: Table) -> dict[str, Hierarchy]:
    """The hierarchies with every value of the table; those they missed become `*` above level 0."""
    return {
        name: hierarchy.covering(table[name].values) if name in table else hierarchy
        for name, hierarchy in hierarchies.items()
    }


def listed_rows(table: Table, hierarchies: Mapping[str, Hierarchy]) -> Table:
    """The rows of which the hierarchies list every value, which is public of each row by itself.

    Levels are scored on these alone: taking others in would let the values that occur decide about the scores.
    """
    listed = np.ones(table.rows, dtype=np.bool_)
    for name, hierarchy in hierarchies.items():
        known = set(hierarchy.values)
        knows = np.array([value in known for value in table[name].values], dtype=np.bool_)
        if not knows.all():
            listed &= knows[table[name].codes]
    return table if listed.all() else table.take(np.flatnonzero(listed))
