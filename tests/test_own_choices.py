"""Beside what is signed in short stands what was chosen."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from tests.test_to_say import by_rule
from workbench.anonymise.balanced import Importance
from workbench.anonymise.claimed_sum import ClaimedSum
from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.terms import Terms
from workbench.core.hierarchy import Hierarchy
from workbench.core.known_number import KnownNumber
from workbench.session import Session
from workbench.session.release.own_choices import amounts_of_each, amounts_words, own_choices
from workbench.session.release.wishes import wish_exactly, wish_least


def test_what_was_chosen_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("age,ward\n" + "30,x\n31,n/a\n" * 40 + "n.a.,x\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    terms = Terms(mechanism=ReleaseMechanism.TRIM, steps=2, balanced=True)
    lines = own_choices(session, terms, ("age", "ward"))
    # Which of the words of a list occur among numbers is nobody's choice, nor is an empty cell.
    by_list = "an empty cell; from the program’s own list “n.a.”"
    assert lines == ("Asked of each column: nothing, so all is automatic",)
    session.data.set_missing(["ward"], ["", "n/a"])
    session.release.steps.set_importance("age", Importance.KEEP)
    lines = own_choices(session, terms, ("age", "ward"), ["age", "ward", "sex"], "1 and 1e-5")
    assert (
        f"Missing: {by_list.replace(';', ', “n/a”;')}" in lines
        and lines[-1] == "ε and δ, fixed before the draw: 1 and 1e-5"
    )
    assert lines[0] == "Released: age, ward, sex" and "Asked of each column: age matters most" in lines
    assert not [line for line in lines if line.startswith(("Left out", "Protected"))]
    lines = own_choices(session, replace(terms, limited_by="ward"), ("age",), ["age"])
    assert lines[:3] == ("Protected: the persons of ward, 1 row of each", "Released: age", "Left out: ward")
    session.release.steps.set_said("ward", "x, y", "code list or law")
    said = own_choices(session, replace(terms, occurring=True), ("age", "ward"))
    assert "Occurs in ward: x, y, from code list or law" in said


def test_what_a_rule_made_of_a_choice_is_not_told_as_one(tmp_path: Path) -> None:
    session = Session()
    path = tmp_path / "a.csv"
    path.write_text("age,ward,pay\n" + "30,x,1\n31,y,2\n" * 40, encoding="utf-8")
    session.data.open(path)
    for name in ("age", "ward", "pay"):
        session.data.attach_hierarchies({name: Hierarchy.from_rows([(f"{n}", f"{n // 2}", "*") for n in range(40)])})
    for name in ("age", "ward"):
        session.release.steps.set_importance(name, Importance.KEEP)
    wish_least(session, "age", 1)
    terms = Terms(mechanism=ReleaseMechanism.TRIM, steps=2, balanced=True)

    def asked() -> str:
        return own_choices(session, terms, ("age", "ward", "pay"))[-1].partition(": ")[2]

    assert asked() == "age, ward matter most"
    wish_exactly(session, "age", 1)
    wish_least(session, "pay", 1)
    assert asked().startswith("age, ward matter most; age exactly ") and asked().endswith(" or finer")
    session.data.attach_hierarchies({"ward": Hierarchy.from_rows([(ward, "*") for ward in "xy"])})
    wish_exactly(session, "age", None)
    wish_least(session, "pay", None)
    wish_least(session, "ward", 0)
    assert asked() == "age, ward matter most", "there is no other detail that could have been chosen"


def test_of_two_pairs_of_numbers_it_is_said_which_is_which(tmp_path: Path) -> None:
    """The claim of a draw has twice its ε where others know how many people there are, and that stands above it."""
    claim = by_rule(tmp_path).release.anonymise().claim
    assert amounts_words(claim) == "1 and 1e-5"
    known = replace(claim, terms=replace(claim.terms, known=KnownNumber.PEOPLE))
    assert amounts_words(known) == "2 and 2e-5" and not amounts_of_each(claim)
    each = "One person in the place of another is one fewer and one more, each with 1 and 1e-5."
    assert amounts_of_each(known) == each, "for whoever computes with them"
    summed = replace(
        claim, together=ClaimedSum(3, Fraction(3), Fraction(3, 10**5)), terms=replace(claim.terms, counted=3)
    )
    assert amounts_words(summed) == "1 and 1e-5. The claim is 3 and 3e-5: all 3 releases count."
    both = replace(summed, terms=replace(summed.terms, known=KnownNumber.PEOPLE))
    said = amounts_words(both)
    assert said.startswith("2 and 2e-5. The claim is ") and amounts_of_each(both) == each, "first what was chosen"
