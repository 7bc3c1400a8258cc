"""A release whose settings follow from what the data shows: what is promised, what is not, and who can check."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.anonymise.checked_lines import checked_lines
from workbench.anonymise.note_versions import COUNTED_WIDELY
from workbench.anonymise.terms import BY_DATA, Terms, asserted_lines, choices_line
from workbench.cli.main import main
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.report.stated_claim import stated_claim
from workbench.session import Session
from workbench.session.release_subject import SpreadsheetCounts, subject_of


@pytest.fixture
def session(staff: Session) -> Session:
    staff.release.anonymise()
    return staff


def export(session: Session, folder: Path) -> tuple[Path, Path, Path]:
    file, page, note = folder / "out.csv", folder / "out.html", folder / "out.json"
    session.release.export(file, page, note=note, without_claim=True, chosen=None)
    return file, page, note


def test_what_the_program_worked_out_is_not_asked_and_what_is_asked_can_be_said(session: Session) -> None:
    claim = session.release.current_claim()
    assert claim.holds and claim.terms.balanced and claim.terms.only
    assert set(claim.terms.by_rule) == {"job", "pay"}
    said = "\n".join(claim.asserted)
    assert "without looking" not in said and "made without this data" not in said and "picked" not in said
    assert any(line.startswith("The levels of the steps follow by a rule") for line in claim.checked)
    assert any("never from what stands in them: job, pay" in line for line in claim.checked)
    assert len(claim.asserted) == 4, "what has another answer stands by itself"


def test_a_hierarchy_that_somebody_typed_has_to_be_answered_for(session: Session) -> None:
    hierarchy = session.project.hierarchies["job"]
    session.data.attach_hierarchy("job", replace(hierarchy, specification=None))
    session.release.draw_again()
    claim = session.release.current_claim()
    assert claim.terms.by_rule == ("pay",)
    assert any("made without this data" in line and line.endswith(": job.") for line in claim.asserted)


def test_who_chose_by_the_data_claims_nothing_for_the_file(session: Session, tmp_path: Path) -> None:
    result = session.release.current_result()
    session.release.say(result.draw, [BY_DATA])
    claim = session.release.current_claim()
    assert not claim.holds and claim.given and claim.together is None
    assert [reason.code for reason in claim.reasons] == ["levels-not-blind"]
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and subject.given and subject.without_claim and "as they are" in subject.verdict[1]
    file, page, note = export(session, tmp_path)
    facts = json.loads(note.read_text("utf-8"))
    release = facts["release"]
    assert release["claim"] is False and release["promised"] is None
    assert release["given"]["epsilon"] == claim.epsilon and choices_line(claim.terms) not in release["asserted"]
    words = page.read_text("utf-8")
    assert "No (ε, δ) claim is made for this file" in words and "has no bound and is not counted" in words
    for given in (page, note):
        assert main(["verify", str(file), "--statement", str(given)]) == 0
    # Whoever is not sure answers so too, and has not said that anything was chosen by the data.
    may = "or ε and δ may have been chosen by what the table shows."
    assert may in words and "were chosen by what the table shows" not in words
    told = stated_claim(facts)
    assert (
        may in told.notes[0] and may.replace("may have been", "were") in stated_claim({**facts, "version": 15}).notes[0]
    )
    assert told.given and not told.holds and told.promised is None and told.to_json() is None
    # What it is added up with is promised nothing: its ledger counts it as a release without a claim.
    assert any(not entry.charge.claimed for entry in session.ledger.current.entries)


@pytest.mark.parametrize(
    "forge",
    [
        lambda release: release.update(claim=True, promised=release["given"]),
        lambda release: release["given"].update(epsilon=0.1),
        lambda release: release["terms"].update(only=not release["terms"]["only"]),
        lambda release: release["terms"].update(by_rule=[]),
        lambda release: release.update(against=[], reasons=[]),
        lambda release: release["steps"][0].update(epsilon=0.01),
        lambda release: release.update(given=None),
    ],
)
def test_what_holds_for_the_choices_cannot_be_made_to_say_more(session: Session, tmp_path: Path, forge: object) -> None:
    session.release.say(session.release.current_result().draw, [BY_DATA])
    file, _page, note = export(session, tmp_path)
    facts = json.loads(note.read_text("utf-8"))
    assert callable(forge)
    forge(facts["release"])
    note.write_text(json.dumps(facts), encoding="utf-8")
    assert main(["verify", str(file), "--statement", str(note)]) != 0


def test_anything_else_against_a_claim_leaves_nothing_for_the_choices(session: Session) -> None:
    session.release.say(session.release.current_result().draw, [BY_DATA])
    session.release.look()
    claim = session.release.current_claim()
    assert not claim.given and not claim.asserted


def test_several_draws_are_not_counted_in_what_holds_for_the_choices(session: Session) -> None:
    session.release.draw_again()
    result = session.release.current_result()
    session.release.say(result.draw, [BY_DATA])
    session.release.choose(result.draw, True)
    assert not session.release.current_claim().given


def test_a_choice_that_follows_from_the_data_has_no_bound_and_the_draw_at_each_choice_has() -> None:
    """Two tables that differ by a row, and a publisher who releases at ε 1 or at ε 2 by how many rows there are."""
    settings = {1: Fraction("2.718281828459045"), 2: Fraction("7.389056098930650")}  # e^ε, rounded down
    laws = {epsilon: trim_law(Fraction(epsilon), Fraction(1, 100), 1) for epsilon in settings}

    def apart(first: Outcomes, second: Outcomes, factor: Fraction) -> Fraction:
        return sum(
            (max(Fraction(0), p - factor * second.get(one, Fraction(0))) for one, p in first.items()), Fraction()
        )

    for epsilon, factor in settings.items():
        for rows in range(6):
            one, other = (_outcomes(number, laws[epsilon], epsilon) for number in (rows, rows + 1))
            assert max(apart(one, other, factor), apart(other, one, factor)) <= Fraction(1, 100) + Fraction(1, 10**12)
    # Which settings there are stands in the statement: by it the two tables are told apart for sure, at any ε.
    few, many = _outcomes(2, laws[1], 1), _outcomes(3, laws[2], 2)
    assert apart(few, many, Fraction(10**9)) == apart(many, few, Fraction(10**9)) == 1


Outcomes = dict[tuple[int, int], Fraction]


def _outcomes(rows: int, law: TrimLaw, epsilon: int) -> Outcomes:
    """How likely it is that so many of the rows of a group are released, beside the ε that is stated."""
    found: Outcomes = {}
    for lost, weight in enumerate(law.weights):
        one = (epsilon, max(0, rows - lost))
        found[one] = found.get(one, Fraction(0)) + Fraction(weight, law.total)
    return found


def test_notes_before_keep_their_words() -> None:
    terms = Terms(balanced=True, only=True, by_rule=("job",), public=("job",))
    assert any("were fixed without looking at this data" in line for line in asserted_lines(terms, 4))
    assert not any("levels of the steps" in line for line in checked_lines(terms, 4))
    (line,) = (line for line in checked_lines(terms, COUNTED_WIDELY) if "levels of the steps" in line)
    assert line.startswith("Nobody chose the levels of the steps: they follow by a rule from ")
