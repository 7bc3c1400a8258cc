"""Whether the number of people is known is said before anything is drawn: promise, price, budget and answers follow."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.promise import Promise, guessed_right
from workbench.anonymise.terms import PEOPLE_KNOWN, PEOPLE_NOT_TOLD, REPLACE_ROWS
from workbench.anonymise.trim_guarantee import solve_trim
from workbench.cli.main import main
from workbench.core.composition import REPLACE_ONE
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.schema import PrivacyUnit
from workbench.project.storage import load_project, save_project
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.knowledge import answer_number
from workbench.session.release.prospect import Prospect
from workbench.session.release_subject import SpreadsheetCounts, subject_of


@pytest.fixture
def session(staff: Session) -> Session:
    """The rows are people."""
    staff.data.set_unit(PrivacyUnit(1))
    return staff


def number_known(session: Session, known: bool = True) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, number_known=known))


def prospect(session: Session) -> Prospect:
    found = assess(session).prospect
    assert found is not None
    return found


def test_promise_and_price_speak_of_it_before_the_draw_which_has_it_as_answered(
    session: Session, tmp_path: Path
) -> None:
    assert session.release.claim().price == "ε 1, δ 1e-5" == prospect(session).cost
    number_known(session)
    claim = session.release.claim()
    assert claim.known is KnownNumber.PEOPLE and claim.price == "ε 2, δ 2e-5" == prospect(session).cost
    result = session.release.anonymise()
    assert session.release.said(result.draw) == {PEOPLE_KNOWN}
    assert session.release.current_claim().own == claim.own
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and PEOPLE_NOT_TOLD in subject.asserted and PEOPLE_KNOWN in subject.said
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    spent = session.ledger.current.spent()
    assert (spent.epsilon, spent.neighbours) == (2, REPLACE_ONE)
    number_known(session, False)
    assert session.release.claim().price == "ε 2, δ 2e-5" == prospect(session).cost, "the ledger knows it now"


def test_what_is_said_of_a_draw_afterwards_counts_for_it(session: Session) -> None:
    number_known(session)
    result = session.release.anonymise()
    session.release.say_number_known(result.draw, KnownNumber.NONE)
    assert not session.release.claim().known and not session.release.current_claim().known
    number_known(session, False)
    assert session.release.result_is_current, "the same rows came out"
    session.release.say_number_known(result.draw, KnownNumber.PEOPLE)
    assert session.release.claim().known is KnownNumber.PEOPLE
    other = session.release.draw_again()
    assert not session.release.said(other.draw), "another draw has to be spoken of anew"


def test_no_second_file_of_a_draw_says_what_was_taken_back_since_the_first_left(
    session: Session, tmp_path: Path
) -> None:
    answer_number(session, known=False)
    session.release.anonymise()
    session.release.export(tmp_path / "one.csv", tmp_path / "one.html")
    answer_number(session, known=True)
    with pytest.raises(WorkbenchError, match="you said since that others know it") as refused:
        session.release.export(tmp_path / "two.csv", tmp_path / "two.html")
    assert "answer No in Anonymise" in refused.value.hint and not (tmp_path / "two.csv").exists()
    answer_number(session, known=False)
    second = session.release.export(tmp_path / "two.csv", tmp_path / "two.html").claim
    assert second is not None and not second.known
    answer_number(session, known=True)
    session.release.draw_again()
    for name in ("three", "four"):
        exported = session.release.export(tmp_path / f"{name}.csv", tmp_path / f"{name}.html")
        assert exported.claim is not None and exported.claim.known is KnownNumber.PEOPLE


def test_a_budget_without_room_for_twice_refuses_before_the_draw(session: Session) -> None:
    ledger = session.ledger.current
    ledger.set_budget(Fraction(5, 2), Fraction(1, 100))
    session.release.anonymise()
    number_known(session, False)
    assert prospect(session).fits and prospect(session).remaining.startswith("ε 1.5, δ ")
    number_known(session)
    found = prospect(session)
    assert not found.fits and found.cost == "ε 2, δ 2e-5" and found.remaining.startswith("ε 0.5, δ ")
    before = ledger.entries
    with pytest.raises(WorkbenchError, match="counts twice"):
        session.release.draw_again()
    assert ledger.entries == before


def test_it_is_kept_with_the_project_and_a_run_of_it_claims_no_more(session: Session, tmp_path: Path) -> None:
    number_known(session)
    kept, out = tmp_path / "kept.json", tmp_path / "run"
    save_project(session.project, kept)
    assert load_project(kept).anonymise.trim.number_known
    assert main(["run", str(kept), "--data", str(tmp_path / "staff.csv"), "--out", str(out)]) == 0
    page = out / "statement.html"
    assert "Which of two things stands in somebody" in page.read_text("utf-8")
    assert main(["verify", str(out / "release.csv"), "--statement", str(page)]) == 0


def test_where_people_have_several_rows_the_number_of_rows_is_meant(session: Session) -> None:
    session.data.set_unit(PrivacyUnit(2))
    number_known(session)
    session.release.anonymise()
    assert session.release.current_claim().terms.neighbours == REPLACE_ROWS


def test_the_sentences_speak_of_whom_is_replaced() -> None:
    promised = Promise(solve_trim(epsilon=1, delta=1e-5, half_survive=None, always_survive=None))
    who, which, without = promised.in_short().splitlines()
    assert who == "Is somebody in the table? Guessed right at most 74 %."
    assert without == "Without the file: 50 %."
    assert len(promised.in_short().replace(" %", "").split()) <= 25, "it is read at a glance"
    # 0.8808015 = (e^2 + (1 + e) δ) ÷ (e^2 + 1), as one row in the place of another is one fewer and one more
    assert which == "If so, which of two values is theirs? At most 89 %."
    hidden, replaced, _ = promised.in_short(replacing=True).splitlines()
    assert hidden == "Is somebody in the table? Not hidden: the number may be known.", (
        "of both answers the same is told"
    )
    assert replaced == "Which of two values is theirs? Guessed right at most 89 %."
    for replacing in (False, True):
        assert "whoever knows everyone else" in promised.told_besides(replacing=replacing), "what it supposes"
    meant = promised.means(replacing=True)[1]
    assert "with one person’s row or another’s" in meant and "e^2ε ≈ 7.389" in meant
    assert "in your place" in promised.in_letters(replacing=True)
    assert promised.usual() == promised.usual(replacing=True) == "Usual with one: 53 to 96 %."
    assert promised.compared() == "Usual: ε 0.1 (53 %) to 3 (96 %)"
    assert promised.compared(replacing=True) == "Usual: ε 0.1 (53 %) to 3 (96 %)", "as the field has it"
    assert promised.counted(KnownNumber.NONE) == ("", "")
    words = "1 counts twice, as the number is known: ε 2 in all"
    assert promised.counted(KnownNumber.PEOPLE) == ("counted twice: ε 2", words)
    drawn = replace(promised, search=PrivateSearch(0.25))
    short, words = drawn.counted(KnownNumber.ROWS)
    assert short == "+ 0.25, counted twice: ε 2.5"
    assert words.startswith("1 + 0.25 for the levels counts twice, as the number is known: ε 2.5")


@pytest.mark.parametrize(
    ("epsilon", "replacing", "words"),
    [
        (1, False, "At least 26 in 100 guesses fail."),
        (1, True, "At least 11 in 100 guesses fail."),
        (3, False, "As few as 4 in 100 guesses may fail."),
        (4, False, "As few as 1 in 100 guesses may fail."),
        (6, False, "Next to no guess may fail."),
    ],
)
def test_what_a_guess_is_good_for_is_rounded_to_the_safe_side(epsilon: float, replacing: bool, words: str) -> None:
    promised = Promise(solve_trim(epsilon=epsilon, delta=1e-5, half_survive=None, always_survive=None))
    assert promised.deniable(replacing=replacing) == words
    times = re.search(r"At least (\d+)", words)
    right = guessed_right(*promised.about(replacing=replacing))
    assert times is None or 1 - right >= int(times[1]) / 100


@pytest.mark.parametrize("drawn", [True, False])
def test_a_draw_of_another_table_keeps_no_answer_about_this_one_from_halving_what_is_typed(
    session: Session, tmp_path: Path, drawn: bool
) -> None:
    """The next table of the same columns goes on with the settings, with which nothing of it was drawn."""
    if drawn:
        session.release.anonymise()
    path = Path(session.data.reading.path)
    head, _first, *rows = path.read_text("utf-8").splitlines()
    (tmp_path / "next.csv").write_text("\n".join([head, *rows, *rows[:9]]) + "\n", encoding="utf-8")
    session.data.open(tmp_path / "next.csv")
    assert session.release.claim().price == "ε 1, δ 1e-5"
    answer_number(session, known=True)
    assert session.project.anonymise.guarantee.epsilon == 0.5, "which counts twice"
