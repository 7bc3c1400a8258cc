"""The values a release has lost most of: true counts beside released ones, so for the analyst only."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.anonymise.compared import Compared
from workbench.core.discreet import discreet
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.table import Column

_MOSTLY = 0.5


@discreet
@dataclass(frozen=True)
class LostValue:
    """A label of a column at its finest level, and the rows that had it before and have it after."""

    column: str
    label: str
    before: int
    after: int


def lost_values(compared: Compared) -> tuple[LostValue, ...]:
    """The labels of which less than half of the rows are left, those with the smallest part first.

    Rows that came out under a coarser label, or `*`, do not count as having the finer one: nobody can tell from the
    file that they have it.
    """
    found = []
    for name, level in compared.levels.items():
        hierarchy = compared.hierarchies.get(name)
        if hierarchy is None or name not in compared.released.names or hierarchy.says_nothing(level):
            continue
        after = _counts(compared.released[name], None, 0)
        for label, before in _counts(compared.table[name], hierarchy, level).items():
            left = after.get(label, 0)
            if label != ANY and left < _MOSTLY * before:
                found.append(LostValue(name, label, before, left))
    return tuple(sorted(found, key=lambda one: (one.after / one.before, -one.before, one.column, one.label)))


def _counts(column: Column, hierarchy: Hierarchy | None, level: int) -> dict[str, int]:
    """Rows by label; of the values as they are without a hierarchy."""
    place = {} if hierarchy is None else {value: at for at, value in enumerate(hierarchy.values)}
    found: dict[str, int] = {}
    for value, count in zip(column.values, column.counts.tolist(), strict=True):
        label = value
        if hierarchy is not None:
            known = place.get(value)
            label = ANY if known is None else hierarchy.labels[level][int(hierarchy.maps[level][known])]
        if count:
            found[label] = found.get(label, 0) + count
    return found
