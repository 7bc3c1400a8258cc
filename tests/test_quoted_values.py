"""Values with a comma in them, said to occur in double quotes: through a session, a project and the dialog."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.project.model import new_project
from workbench.project.storage import load_project, save_project
from workbench.session import Session
from workbench.session.release.knowledge import say
from workbench.session.release.said import said_of
from workbench.session.suggested_hierarchies import follows_said
from workbench.session.typed_bounds import values_typed

_LISTED = '"West, old", East'


@pytest.fixture
def session(tmp_path: Path) -> Session:
    path = tmp_path / "towns.csv"
    rows = "".join(f"{('west, old', 'East', 'North')[place % 3]};{place}\n" for place in range(90))
    path.write_text("part;place\n" + rows, encoding="utf-8")
    made = Session(new_project())
    made.data.open(path)
    made.data.set_role(["place"], Role.IDENTIFYING)
    made.data.set_role(["part"], Role.QUASI)
    return made


def attach(session: Session) -> None:
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["part"])(SILENT))


def test_a_value_with_a_comma_is_one_value_wherever_the_list_goes(session: Session, tmp_path: Path) -> None:
    attach(session)
    say(session, {"part": (_LISTED, "")}, expected_rows=90, number_known=False)
    attach(session)
    hierarchy = session.project.hierarchies["part"]
    assert {row[0]: row[1] for row in hierarchy.rows()}["west, old"] == "West, old", "spelt as it was listed"
    assert values_typed(session.project, "part") == (("West, old", "East"), "Anonymise")
    assert follows_said(hierarchy, session.project.schema["part"], ("West, old", "East"))
    assert session.release.steps.said("part") == _LISTED, "to be typed anew"
    save_project(session.project, tmp_path / "kept.wbench")
    kept = load_project(tmp_path / "kept.wbench")
    assert said_of(kept)["part"] == ("West, old", "East")
    session.release.steps.set_said("part", session.release.steps.said("part"))
    assert session.project.anonymise == kept.anonymise, "what is shown says the same once more"


def test_quotes_of_a_project_from_before_stay_letters(session: Session, tmp_path: Path) -> None:
    project = session.project
    trim = replace(project.anonymise.trim, occurring=MappingProxyType({"part": '"West, old", East'}))
    save_project(replace(project, anonymise=replace(project.anonymise, trim=trim)), tmp_path / "before.wbench")
    assert said_of(load_project(tmp_path / "before.wbench"))["part"] == ('"West', 'old"', "East")


def test_a_rule_that_took_declared_values_apart_still_follows_from_them(session: Session) -> None:
    attach(session)
    say(session, {"part": ("West, old, East", "")}, expected_rows=90, number_known=False)
    attach(session)  # spelt as “West”, “old” and “East”, as a declared “West,old” once was
    hierarchy, spec = session.project.hierarchies["part"], session.project.schema["part"]
    assert follows_said(hierarchy, spec, ("West,old", "East")) and not follows_said(hierarchy, spec, ("West", "East"))


def test_a_long_list_that_was_taken_is_taken_again_as_it_is_shown(session: Session) -> None:
    listed = [f"value {place:06}" for place in range(3800)]
    typed = "\n".join([*listed, *(f'"part, {place}"' for place in range(30))])
    session.release.steps.set_said("part", typed)
    shown = session.release.steps.said("part")
    assert len(typed) < 50_000 < len(shown)
    session.release.steps.set_said("part", shown)
    assert session.release.steps.said("part") == shown
    with pytest.raises(WorkbenchError, match="there is room for 50,000"):
        session.release.steps.set_said("part", typed + "\n" + "\n".join(f"more {place:06}" for place in range(500)))
    assert session.release.steps.said("part") == shown, "and what was said stays"
