"""A draw that was made after somebody looked at the data: what is promised of it, what is not, and who can check."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.anonymise.claim import CHOICES
from workbench.anonymise.looking import LOOKED_BEFORE, LOOKED_BEFORE_REMEDY, OTHER, SEEN, kind_of_look, looked_before
from workbench.anonymise.note_versions import SHAPED_AFTER
from workbench.anonymise.terms import BY_DATA, PUBLISHED_ANYWAY, Terms, asserted_lines, choices_line
from workbench.cli.main import main
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.query.ledger import LedgerHistory, RecordedLook
from workbench.query.ledger_entries import Charge
from workbench.report.older_sentences import recognised
from workbench.report.stated_claim import stated_claim
from workbench.session import Session
from workbench.session.release_subject import SpreadsheetCounts, subject_of


@pytest.fixture
def session(staff: Session) -> Session:
    return staff


def drawn_after_a_look(session: Session, at: str = "values") -> Session:
    session.looks.take(at)
    session.release.anonymise()
    return session


def export(session: Session, folder: Path) -> tuple[Path, Path, Path]:
    file, page, note = folder / "out.csv", folder / "out.html", folder / "out.json"
    session.release.export(file, page, note=note, without_claim=True, chosen=None)
    return file, page, note


def codes(session: Session) -> list[str]:
    return [reason.code for reason in session.release.current_claim().reasons]


def test_a_draw_after_a_look_has_what_holds_for_its_choices(session: Session, tmp_path: Path) -> None:
    session.looks.take("values")
    before = session.release.claim()
    assert not before.holds and before.given, "it is known before the draw is paid for"
    session.release.anonymise()
    claim = session.release.current_claim()
    assert not claim.holds and claim.given and codes(session) == [LOOKED_BEFORE]
    assert claim.terms.looked == "values" and SEEN["values"] in claim.reasons[0].text
    assert PUBLISHED_ANYWAY in claim.asserted and choices_line(claim.terms) not in claim.asserted
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and subject.given and subject.without_claim and SEEN["values"] in subject.words
    assert PUBLISHED_ANYWAY in subject.asserted and not subject.said
    file, page, note = export(session, tmp_path)
    facts = json.loads(note.read_text("utf-8"))
    release = facts["release"]
    assert release["claim"] is False and release["promised"] is None and release["terms"]["looked"] == "values"
    assert release["given"]["epsilon"] == claim.epsilon
    words = page.read_text("utf-8")
    assert "No (ε, δ) claim is made for this file" in words and "has no bound and is not counted" in words
    assert "This data had been looked at before the draw was made, beginning with its values." in words
    for given in (page, note):
        assert main(["verify", str(file), "--statement", str(given)]) == 0
    told = stated_claim(facts)
    assert told.given and told.promised is None and SEEN["values"] in told.notes[0]
    assert not any(entry.charge.claimed for entry in session.ledger.current.entries), "it bounds nothing with others"


def test_a_look_after_the_draw_leaves_nothing_of_it_and_a_new_draw_has_its_own(session: Session) -> None:
    first = session.release.anonymise()
    session.release.look()
    claim = session.release.current_claim()
    assert codes(session) == ["looked-at"] and not claim.given and not claim.asserted
    second = session.release.draw_again()
    assert codes(session) == [LOOKED_BEFORE] and session.release.current_claim().terms.looked == "figures"
    session.release.result = first
    assert codes(session) == ["looked-at"], "the order is that of the ledger, not of what is shown"
    assert second.draw != first.draw


def test_a_draw_that_was_settled_before_the_look_keeps_its_claim(session: Session) -> None:
    session.release.anonymise()
    session.release.look(publish=True)
    assert session.release.current_claim().holds
    session.release.draw_again()
    claim = session.release.current_claim(chosen=False)
    assert not claim.holds and claim.given and not claim.terms.only


def test_a_look_that_the_draw_does_not_name_may_have_come_after_it(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_after_a_look(session)
    assert session.release.current_claim().given
    look = RecordedLook.now("values", settled=())  # recorded elsewhere, and joined with this ledger later
    fingerprint = session.data.fingerprint
    kept = session.project
    session.state.project = kept.with_history(fingerprint, LedgerHistory(looks=(look,)))
    assert codes(session) == ["looked-at"] and not session.release.current_claim().given
    session.state.project = kept
    # What earlier programs charged names no looks at all.
    monkeypatch.setattr(Charge, "looks_known", property(lambda self: frozenset()))
    assert codes(session) == ["looked-at"] and not session.release.current_claim().given


def test_who_has_looked_and_picks_among_draws_has_nothing(session: Session) -> None:
    drawn_after_a_look(session)
    session.release.draw_again()
    result = session.release.current_result()
    assert not session.release.chosen(result) and session.release.current_claim().given
    session.release.choose(result.draw, True)
    assert not session.release.current_claim().given and "chosen" in codes(session)


def test_what_nobody_asserts_is_not_promised(session: Session) -> None:
    drawn_after_a_look(session)
    assert not session.release.current_claim(asserted=False).given


def test_both_reasons_are_told_where_both_are_so(session: Session, tmp_path: Path) -> None:
    drawn_after_a_look(session)
    session.release.say(session.release.current_result().draw, [BY_DATA])
    assert session.release.current_claim().given and set(codes(session)) == {CHOICES, LOOKED_BEFORE}
    file, page, note = export(session, tmp_path)
    for given in (page, note):
        assert main(["verify", str(file), "--statement", str(given)]) == 0


def test_what_a_draw_by_the_data_shows_is_no_look_at_it(session: Session) -> None:
    session.release.columns.set_levels_blind(False)
    session.release.anonymise()
    assert codes(session) == [CHOICES] and session.release.current_claim().given
    session.release.draw_again()
    assert set(codes(session)) == {CHOICES, LOOKED_BEFORE}
    claim = session.release.current_claim()
    assert claim.given and claim.terms.looked == "release without a claim"


@pytest.mark.parametrize(
    "forge",
    [
        lambda release: release.update(claim=True, promised=release["given"]),
        lambda release: release.update(claim=True, promised=release["given"], given=None, against=[], reasons=[]),
        lambda release: release.update(against=[], reasons=[]),
        lambda release: release["terms"].update(looked=""),
        lambda release: release["terms"].update(looked="figures"),
        lambda release: release["terms"].update(looked="nothing"),
        lambda release: release["against"][0].update(code="levels-not-blind"),
        lambda release: release["against"].append(dict(release["against"][0])),
        lambda release: release["asserted"].remove(PUBLISHED_ANYWAY),
        lambda release: release["given"].update(epsilon=0.1),
        lambda release: release.update(given=None),
    ],
)
def test_a_note_cannot_be_made_to_say_more(
    session: Session, tmp_path: Path, forge: Callable[[dict[str, Any]], object]
) -> None:
    file, page, note = export(drawn_after_a_look(session), tmp_path)
    page.unlink()
    facts = json.loads(note.read_text("utf-8"))
    forge(facts["release"])
    note.write_text(json.dumps(facts), encoding="utf-8")
    assert main(["verify", str(file), "--statement", str(note)]) == 1


def test_a_note_of_a_look_after_the_draw_cannot_be_given_what_holds_for_choices(
    session: Session, tmp_path: Path
) -> None:
    session.release.anonymise()
    given = session.release.current_claim()
    session.release.look()
    file, page, note = export(session, tmp_path)
    page.unlink()
    facts = json.loads(note.read_text("utf-8"))
    release = facts["release"]
    assert release["given"] is None and release["terms"] is None
    release["given"] = {"epsilon": given.epsilon, "delta": given.delta, "neighbours": given.terms.neighbours}
    note.write_text(json.dumps(facts), encoding="utf-8")
    assert main(["verify", str(file), "--statement", str(note)]) == 1


def test_notes_before_told_nothing_of_it() -> None:
    given = Terms(balanced=True, given=True)
    assert PUBLISHED_ANYWAY in asserted_lines(given)
    assert PUBLISHED_ANYWAY not in asserted_lines(given, SHAPED_AFTER)


def test_every_kind_of_look_has_words_that_a_reader_of_notes_knows() -> None:
    for kind in SEEN:
        known = recognised(f"{looked_before(kind)} {LOOKED_BEFORE_REMEDY}")
        assert known is not None and (known.code, known.text) == (LOOKED_BEFORE, looked_before(kind))
    assert recognised(f"{looked_before(OTHER)[:-1]}, or not. {LOOKED_BEFORE_REMEDY}") is None
    assert kind_of_look("what some plug-in shows") == OTHER


# Why it is so, on two tables that differ by a row: a group of n rows and one of n + 1.

_EPSILON, _DELTA = Fraction(1), Fraction(1, 100)
_FACTOR = Fraction("2.718281828459045")  # e^ε, rounded down
_LITTLE = Fraction(1, 10**12)
Outcomes = dict[Any, Fraction]


def _drawn(rows: int, law: TrimLaw) -> Outcomes:
    """How likely it is that so many of the rows of a group are released."""
    found: Outcomes = {}
    for lost, weight in enumerate(law.weights):
        left = max(0, rows - lost)
        found[left] = found.get(left, Fraction(0)) + Fraction(weight, law.total)
    return found


def _apart(one: Outcomes, other: Outcomes, factor: Fraction) -> Fraction:
    """The smallest δ with which they are as alike as the factor says, in either direction."""
    return max(
        sum((max(Fraction(0), p - factor * second.get(what, Fraction(0))) for what, p in first.items()), Fraction(0))
        for first, second in ((one, other), (other, one))
    )


def _given(outcomes: Outcomes, condition: Callable[[Any], bool]) -> Outcomes:
    kept = {what: chance for what, chance in outcomes.items() if condition(what)}
    whole = sum(kept.values(), Fraction(0))
    return {what: chance / whole for what, chance in kept.items()}


def _two(rows: int, law: TrimLaw) -> Outcomes:
    one = _drawn(rows, law)
    return {(first, second): p * q for first, p in one.items() for second, q in one.items()}


def _published(outcomes: Outcomes, rule: Callable[[Any], object]) -> Outcomes:
    found: Outcomes = {}
    for what, chance in outcomes.items():
        found[rule(what)] = found.get(rule(what), Fraction(0)) + chance
    return found


def test_settings_that_follow_from_what_a_draw_hid_leave_the_next_draw_its_law() -> None:
    """The first draw is looked at with what it lost; by that the second is made at ε 1 or at ε 2, and published."""
    factors = {1: _FACTOR, 2: Fraction("7.389056098930650")}
    laws = {epsilon: trim_law(Fraction(epsilon), _DELTA, 1) for epsilon in factors}

    def process(rows: int) -> Outcomes:
        found: Outcomes = {}
        for left, chance in _drawn(rows, laws[1]).items():
            epsilon = 1 if 2 * (rows - left) > rows else 2  # more than half was lost
            for second, again in _drawn(rows, laws[epsilon]).items():
                found[epsilon, second] = found.get((epsilon, second), Fraction(0)) + chance * again
        return found

    for rows in range(2, 7):
        one, other = process(rows), process(rows + 1)
        for epsilon, factor in factors.items():

            def stated(what: Any, epsilon: int = epsilon) -> bool:
                return bool(what[0] == epsilon)

            assert _apart(_given(one, stated), _given(other, stated), factor) <= _DELTA + _LITTLE


def test_who_knows_the_table_and_picks_or_withholds_makes_another_law() -> None:
    """It is asserted that nothing seen decides about publication, because no price of draws bounds it otherwise."""
    law = trim_law(_EPSILON, _DELTA, 1)

    def withheld(rows: int) -> Outcomes:
        """One draw, published if the number of its rows is even, or odd, as that of the table is."""
        return _given(_drawn(rows, law), lambda left: left % 2 == rows % 2)

    def picked(rows: int) -> Outcomes:
        """Two draws, of which one is published in which the number of rows is even, or odd, as that of the table is."""
        return _published(_two(rows, law), lambda both: next((one for one in both if one % 2 == rows % 2), both[0]))

    several = 9
    assert _apart(withheld(several), withheld(several + 1), Fraction(10**9)) == 1
    assert _apart(picked(several), picked(several + 1), _FACTOR**2) > 2 * _DELTA
    # By the draws alone, whatever is picked has what both of them have together.
    for rule in (max, min, lambda both: both[both[0] % 2]):
        one, other = (_published(_two(rows, law), rule) for rows in (several, several + 1))
        assert _apart(one, other, _FACTOR**2) <= 2 * _DELTA + _LITTLE
