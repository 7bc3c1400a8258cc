"""Which values a release has lost most of, by counts that were made by hand."""

from __future__ import annotations

from pathlib import Path

from workbench.anonymise.lost_values import lost_values
from workbench.core.hierarchy import Hierarchy
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.before_and_after import compared_result
from workbench.session.release.steps import LevelSource

_RACES = {"White": 300, "Black": 120, "Other": 3}


def test_small_groups_are_named_with_what_is_left_of_them(tmp_path: Path) -> None:
    rows = "".join(f"{race}\n" * count for race, count in _RACES.items())
    (tmp_path / "people.csv").write_text(f"race\n{rows}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(tmp_path / "people.csv")
    session.data.attach_hierarchy("race", Hierarchy.from_rows([(race, "*") for race in _RACES]))
    session.release.steps.set_source(LevelSource.HAND)
    session.release.columns.set_level("race", 0)
    session.release.set_seed(1)
    result = session.release.anonymise()
    found = lost_values(compared_result(result))
    left = result.outcome.release["race"].texts().count("Other")
    assert [(one.column, one.label, one.before, one.after) for one in found] == [("race", "Other", 3, left)]
    assert "Other" not in repr(found[0])
