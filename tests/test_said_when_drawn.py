"""A statement tells what a draw followed from when it was made, whatever is said since."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from workbench.core.hierarchy import Hierarchy
from workbench.project.model import new_project
from workbench.project.trim_settings import StepsBy
from workbench.report.release_note import described
from workbench.session import Session
from workbench.session.release_subject import SampledSubject, SpreadsheetCounts

TOWNS = ("Basel", "Bern", "Chur", "Zug")


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """A session with a draw in balanced steps, before which it was said that two of the towns can occur."""
    rows = (f"{20 + number % 40},{'Bern' if number % 3 else 'Basel'}\n" for number in range(300))
    (tmp_path / "people.csv").write_text("age,town\n" + "".join(rows), encoding="utf-8")
    session = Session(new_project())
    session.data.open(tmp_path / "people.csv")
    ages = [(str(age), f"{age // 10}0s", "*") for age in range(10, 90)]
    session.data.attach_hierarchies(
        {"age": Hierarchy.from_rows(ages), "town": Hierarchy.from_rows([(town, "*") for town in TOWNS])}
    )
    session.release.set_guarantee(replace(session.project.anonymise.guarantee, epsilon=2.0, delta=1e-3))
    session.release.set_trimming(replace(session.project.anonymise.trim, steps=StepsBy.BALANCED, expected_rows=300))
    session.release.steps.set_said("town", "Bern, Basel")
    session.release.anonymise()
    return session


def stated(session: Session) -> object:
    """What the note of the draw says was said to occur, and whether anything was."""
    result = session.release.current_result()
    claim = session.release.current_claim()
    note = described(session.project.hierarchies, session.release.as_written(result), claim)
    return [one.get("said_to_occur") for one in note["columns"]], note["terms"]["occurring"]


def test_what_is_said_to_occur_after_a_draw_is_not_said_of_it(session: Session) -> None:
    before = stated(session)
    assert before == ([None, {"entries": ["Bern", "Basel"]}], True)
    session.release.steps.set_said("town", "Zug, Bern")
    assert session.release.result_is_current, "the steps are the same"
    assert stated(session) == before
    assert session.release.claim().occurring == {"town": ("Bern", "Basel")}
    subject = SampledSubject(session, session.release.current_result(), SpreadsheetCounts())
    signed = " ".join(line for told in (subject.short, subject.chosen) for lines in told.values() for line in lines)
    assert "Occurs in town: Bern, Basel" in signed and "Zug" not in signed


def test_another_draw_tells_what_was_said_before_it(session: Session) -> None:
    session.release.steps.set_said("town", "Zug, Bern")
    session.release.draw_again()
    assert stated(session) == ([None, {"entries": ["Zug", "Bern"]}], True)
