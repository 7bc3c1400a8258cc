"""Beside what is signed in short stands what was chosen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import Terms, choices_in_short
from workbench.session import Session
from workbench.session.release.own_choices import choices_with_own


def test_what_was_chosen_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("age,ward\n" + "30,x\n31,n/a\n" * 40 + "n.a.,x\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    terms = Terms(mechanism=ReleaseMechanism.TRIM, steps=2, balanced=True)
    lines = choices_with_own(session, terms, ("age", "ward"))
    # Which of the words of a list occur among numbers is nobody's choice.
    by_list = "an empty cell; from the program’s own list “n.a.”"
    assert "How fine you wanted each column (automatic)" in lines and f"What counts as missing ({by_list})" in lines
    assert "ε and δ" in lines and lines[0] == choices_in_short(terms)[0]
    session.data.set_missing(["ward"], ["", "n/a"])
    session.release.steps.set_importance("age", Importance.KEEP)
    lines = choices_with_own(session, terms, ("age", "ward"), ["age", "ward", "sex"], (1.0, 1e-5))
    assert f"What counts as missing ({by_list.replace(';', ', “n/a”;')})" in lines and "ε and δ (1 and 1e-5)" in lines
    assert "Which columns are released (age, ward, sex) and how they are named and read" in lines
    assert "How fine you wanted each column (age last to become *)" in lines
    session.release.steps.set_said("ward", "x, y", "code list or law")
    said = choices_with_own(session, replace(terms, occurring=True), ("age", "ward"))
    assert any("said to occur in them (ward x, y, from code list or law)" in line for line in said)
