"""A table of people whose levels are drawn privately."""

from __future__ import annotations

from pathlib import Path

from workbench.anonymise.dp_search import PrivateSearch
from workbench.core.hierarchy import Hierarchy
from workbench.project.model import GuaranteeSettings, LevelsBy
from workbench.session import Session

AGES = Hierarchy.from_rows([(str(a), f"{a // 10 * 10}s", "20 to 59", "*") for a in range(20, 60)])
CITIES = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])
ROWS = 3_000


def drawing(data: Path) -> Session:
    """A session in which the levels are drawn privately."""
    made = Session()
    made.data.open(data)
    made.data.attach_hierarchy("age", AGES)
    made.data.attach_hierarchy("city", CITIES)
    made.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-5))
    made.release.columns.set_levels_by(LevelsBy.SEARCH)
    made.release.columns.set_search(PrivateSearch(0.2))
    return made
