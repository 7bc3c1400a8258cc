"""What may be told of a hierarchy whose labels say nothing: only what would be told whatever its height is."""

from __future__ import annotations

import pytest

from workbench.anonymise.dp_search import Degree
from workbench.anonymise.released_columns import AS_IT_IS, LevelRule
from workbench.core.hierarchy import ANY, Hierarchy

AGES = Hierarchy.from_rows([(str(age), f"{age // 10 * 10}s", "*") for age in range(20, 40)])
TOP = {"age": (2, 2)}


@pytest.mark.parametrize(
    "rule,told",
    [
        # Levels given by hand would be the same whatever the hierarchy is.
        (LevelRule(), (AS_IT_IS, "", ANY)),
        # A private draw chose among all levels there are.
        (LevelRule(searched=True), ("", "", "")),
        (LevelRule(searched=True, limits=TOP), ("", "", "")),
        # A degree leads to a share of the height, save at its ends.
        (LevelRule(degree=Degree.NONE), (AS_IT_IS, "", "")),
        (LevelRule(degree=Degree.MEDIUM), ("", "", "")),
        (LevelRule(degree=Degree.COMPLETE), ("", "", ANY)),
        # Limits bend what follows from a degree, unless they leave one level only, the highest.
        (LevelRule(degree=Degree.NONE, limits={"age": (1, 2)}), ("", "", "")),
        (LevelRule(degree=Degree.NONE, limits={"age": (0, 1)}), (AS_IT_IS, "", "")),
        (LevelRule(degree=Degree.COMPLETE, limits={"age": (0, 2)}), ("", "", "")),
        (LevelRule(degree=Degree.COMPLETE, limits={"pay": (0, 2)}), ("", "", ANY)),
        (LevelRule(degree=Degree.MEDIUM, limits=TOP), (AS_IT_IS, "", ANY)),
    ],
)
def test_what_is_told_at_each_level(rule: LevelRule, told: tuple[str, ...]) -> None:
    assert tuple(rule.told_without("age", level, AGES) for level in range(3)) == told
