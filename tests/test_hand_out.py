"""What is handed out of a collection is complete, and the file that it shows is one."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.collecting_helpers import JOBS, file, session
from workbench.core.amount_text import float_amount
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.randomness import SeededSource
from workbench.core.working_table import Preparation
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice
from workbench.ldp.participation import NO_PART
from workbench.ldp.report_file import read_reports
from workbench.project.storage import load_project
from workbench.session import Session
from workbench.session.collection.hand_out import (
    DO_NOT,
    READ_TABLE,
    WRITE_IT,
    WRITE_WHO,
    HandOut,
    entry_beside,
    hand_out,
    write_hand_out,
)
from workbench.session.existing_files import AlreadyThere

__all__ = ["file", "session"]
SEVEN = tuple("abcdefg")
GRR, SUBSET, OUE = map(ProtocolChoice, ("grr", "subset-selection", "oue"))


def planned(*answers: str, epsilon: float = 1.0) -> Session:
    session = Session()
    session.collection.change(encoding=EncodingChoice(domain=answers), epsilon=epsilon)
    return session


def made(session: Session, choice: ProtocolChoice) -> HandOut:
    return hand_out(session.collection, choice)(SILENT)


def test_a_page_has_the_question_the_answers_in_order_what_to_do_and_the_promise() -> None:
    found = made(planned(*SEVEN, epsilon=float_amount("ln 3")), SUBSET)
    assert found.answers == SEVEN and found.ticks and found.question == "answer"
    for written in (found.text, found.page):
        assert (
            "(ε = ln 3, about 1.099, e^ε ≤ 3)" in written
            and "at most 3 times as likely" in written
            and "rises to 75 %" in written
        )
        assert "name your true answer" in written and "2 answers that you came to" in written
        assert "There are" not in written, "the list stands there"
    assert "".join(f"  {place}. {one}\n" for place, one in enumerate(SEVEN, 1)) in found.text
    assert "".join(f"<li>☐ {one}</li>" for one in SEVEN) in found.page
    assert found.page.count("<li>☐ ") == len(SEVEN)
    assert all(step[0].isupper() and step.endswith(".") for step in found.steps) and len(found.steps) >= 3


@pytest.mark.parametrize("name", ["grr", "rr", "subset-selection", "oue", "olh", "hadamard", "rappor", "square-wave"])
def test_the_file_that_is_shown_is_a_file_of_reports_that_can_be_counted(name: str, tmp_path: Path) -> None:
    answers = SEVEN[:2] if name == "rr" else SEVEN
    path = tmp_path / "typed.csv"
    session = planned(*answers)
    found = made(session, ProtocolChoice(name))
    path.write_text("\n".join(found.lines) + "\n", encoding="utf-8")
    received = read_reports(path)
    announced = received.announcement
    assert received.support.reports == 1 and announced.domain is not None and announced.domain.labels == answers
    assert announced.randomiser.public() == ProtocolChoice(name).frequency(len(answers), 1.0).public()
    assert any("asserted by whoever wrote this file" in one for one in announced.cautions)
    more = found.lines[0].replace('"reports": 1', '"reports": 3', 1)
    path.write_text("\n".join([more, found.lines[1], *[found.lines[2]] * 3]) + "\n", encoding="utf-8")
    assert read_reports(path).support.reports == 3, "as the page says it is made"


def test_how_a_report_is_read_is_what_the_example_says() -> None:
    found = made(planned(*SEVEN), SUBSET)
    ones = [str(place) for place, sign in enumerate(found.lines[2], 1) if sign == "1"]
    assert len(ones) == 2 and found.lines[1] == "bits" and f"it names answers {', '.join(ones)}." in found.read
    assert "7 digits" in found.read
    direct = made(planned(*SEVEN), GRR)
    assert direct.lines[1] == "value" and f"it names answer {int(direct.lines[2]) + 1}." in direct.read
    assert "let it make each report" in made(planned(*SEVEN), ProtocolChoice("olh")).read


@pytest.mark.parametrize("name", ["grr", "rr"])
def test_a_report_of_one_answer_is_its_number_from_0(name: str) -> None:
    size = 2 if name == "rr" else 7
    built = ProtocolChoice(name).frequency(size, 30.0)
    codes = np.arange(size)
    assert [cells[0] for cells in built.cells(built.perturb(codes, SeededSource(1)))] == [str(one) for one in codes]


def test_of_a_table_who_takes_no_part_has_an_answer_in_the_list_and_no_row_decides(session: Session) -> None:
    session.collection.change(column="job")
    before = made(session, GRR)
    assert before.question == "job" and before.answers[: len(JOBS)] == JOBS
    assert (NO_PART in before.answers) is session.collection.attendance(GRR).none
    assert "200" not in before.text and "2,000" not in before.text and "2000" not in before.text


def test_answers_that_were_read_from_the_data_are_not_handed_out(session: Session) -> None:
    session.collection.change(column="day", encoding=EncodingChoice(assume_public=True))
    assert not session.collection.domain().declared
    with pytest.raises(WorkbenchError, match="read from the data"):
        hand_out(session.collection, GRR)


def test_a_promise_that_is_hardly_one_is_said_to_be() -> None:
    assert "hardly a promise" in made(planned(*SEVEN, epsilon=9.0), GRR).promise
    promise = made(planned(*SEVEN), GRR).promise
    assert "is less than 3 times as likely from your answer" in promise and promise.endswith("(ε = 1, e^ε ≤ 2.719).")
    for epsilon, said in (
        (0.1, "less than 1.2 times"),
        (math.log(1.1) - 1e-6, "less than 1.1 times"),
        (float_amount("ln 1.5"), "at most 1.5 times"),
        (0.7, "less than 3 times"),
        (float_amount("ln 3") + 1e-6, "less than 4 times"),
        (3.0, "less than 21 times"),
    ):
        assert said in made(planned(*SEVEN, epsilon=epsilon), GRR).promise, (
            "in whole times, of few in tenths: never less"
        )
    assert "rises to 73.11 % at most" in made(planned(*SEVEN), GRR).promise, "e ÷ (1 + e) is 73.106 %, rounded up"


def test_an_epsilon_is_a_logarithm_only_where_it_is_exactly_that() -> None:
    for epsilon, said in (
        (float_amount("ln 4"), "(ε = ln 4, about 1.387, e^ε ≤ 4)"),
        (float_amount("ln(3/2)"), "(ε = ln(3/2), about 0.4055, e^ε ≤ 1.5)"),
        (1.387, "(ε = 1.387, e^ε ≤ 4.003)"),
    ):
        assert said in made(planned(*SEVEN, epsilon=epsilon), GRR).promise


# Who asks, and who declines


def test_the_page_says_who_asks_and_what_becomes_of_declining(tmp_path: Path) -> None:
    session = planned("yes", "no", "rather not say")
    plain, key = made(session, GRR), session.collection.key()
    for written in (plain.people_text, plain.page):
        assert WRITE_WHO in written and "You may decline by handing in nothing; that you did is not hidden." in written
        assert "“rather not say” is an answer as the others are: drawn, and handed in by people" in written
    assert "as the others are" not in made(planned("yes", "no", "not yet"), GRR).people_text, "nobody declines by it"
    session.collection.change(asked_by=" Ann <Lee>, ann@example.org ")
    named = made(session, GRR)
    assert "Who asks\nAnn <Lee>, ann@example.org\n\n" in named.people_text and WRITE_WHO not in named.people_text
    assert "<p>Asked by Ann &lt;Lee&gt;, ann@example.org</p>" in named.page and WRITE_WHO not in named.page
    assert named.lines == plain.lines and session.collection.key() == key, "nothing else changes by it"
    session.save(tmp_path / "asked.json")
    assert load_project(tmp_path / "asked.json").collect.asked_by == " Ann <Lee>, ann@example.org "
    assert "Lee" not in named.entry_text + named.entry_page


def test_where_nobody_sees_who_takes_part_declining_is_an_answer(session: Session) -> None:
    session.collection.change(column="job")
    session.data.set_preparation(Preparation("age > 30"))
    found = made(session, GRR)
    assert found.answers[-1] == NO_PART
    for written in (found.people_text, found.page):
        assert f"takes “{NO_PART}” as the true answer" in written and "handing in nothing" not in written


# The words of the question, and a die


def test_the_question_stands_on_the_page_as_it_is_typed_and_changes_nothing_else() -> None:
    session = planned("yes", "no", "rather not say")
    plain, key = made(session, GRR), session.collection.key()
    assert plain.question == "answer" and WRITE_IT in plain.text and WRITE_IT in plain.page
    session.collection.change(question=" Did you ever drive after <5 beers? ")
    asked = made(session, GRR)
    assert "Question\nDid you ever drive after <5 beers?\n\n" in asked.text
    assert "<h1>Did you ever drive after &lt;5 beers?</h1>" in asked.page
    assert WRITE_IT not in asked.text and WRITE_IT not in asked.page
    assert asked.lines == plain.lines and asked.steps == plain.steps, "the file of reports names what is asked about"
    assert session.collection.key() == key, "and no simulation is out of date by it"


def test_on_the_page_people_roll_a_die_and_need_no_program() -> None:
    found = made(planned("yes", "no", "rather not say"), GRR)
    (table,) = found.tables
    assert found.steps[0] == "Roll a die by table 1, and show it to nobody." and not any(
        "program" in one for one in found.steps
    )
    assert "toss a coin, unseen, heads for the first of them" in found.steps[1]
    printed = found.text.partition("Table 1 for a die\n")[2].partition("\n\n")[0].split("\n")
    assert [line.split() for line in printed[1:3]] == [["1st", "1–3", "5–6", "4"], ["2nd", "1–2", "4–6", "3"]]
    assert found.page.count("<tr>") == len(table.rolls) + 1 and "<td>1–3</td><td>5–6</td><td>4</td>" in found.page
    assert READ_TABLE in found.text and "Mostly one roll is enough" in found.page
    p = math.e / (math.e + 2)
    assert p - 2e-6 < table.chance <= p
    assert found.by_program in found.text and "1 to 1,000,000" in found.by_program, "for whoever asks by a program"
    once = "One throw is enough with a coin at ε = ln(2) ≈ 0.6931, or two ten-sided dice at ε = ln(114/43) ≈ 0.975."
    assert found.easier.startswith(once), "the plainest first, and nothing above ε = 1, which a ten-sided die would be"
    assert once in found.entry_text and once in found.entry_page and once not in found.people_text + found.page
    coin = made(planned("yes", "no", "rather not say", epsilon=float_amount("ln 2")), GRR)
    assert not coin.tables and not coin.easier
    by_hand = made(planned("no", "yes", epsilon=float_amount("ln 3")), GRR)
    assert not by_hand.tables and not by_hand.by_program and not by_hand.easier and "die" not in by_hand.text


def test_the_question_is_saved_and_of_another_column_there_is_another_one(session: Session, tmp_path: Path) -> None:
    session.collection.change(question="What is your job?")
    session.collection.ask_about("age")
    assert session.collection.settings.question == ""
    session.collection.ask_about("job")
    assert session.collection.settings.question == "What is your job?"
    session.save(tmp_path / "asked.json")
    assert load_project(tmp_path / "asked.json").collect.question == "What is your job?"


def test_answers_with_sentences_in_them_part_no_step_and_lose_none() -> None:
    """Of an answer that goes on with “So the …” the rest of the step was taken for a remark, and was missing."""
    coins = ProtocolChoice("rr", {"design": "coins", "truth": 0.9, "yes": 0.3})
    answers = ("Yes (M.D. Smith). So the other", "No. So the Board says")
    plain, found = made(planned("a", "b"), coins), made(planned(*answers), coins)
    assert len(found.steps) == len(plain.steps) == 3
    assert f"say “{answers[1]}”; above it, say “{answers[0]}”" in found.steps[-1]
    direct = made(planned("Dr. So the A", "B. There are 3 answers.", "C"), GRR)
    assert direct.steps == made(planned("a", "b", "c"), GRR).steps


def test_one_answer_that_an_example_names_is_one() -> None:
    found = made(planned(*SEVEN, epsilon=2.0), SUBSET)
    assert found.lines[2].count("1") == 1 and f"names answer {found.lines[2].index('1') + 1}." in found.read


# What nobody is handed


@pytest.mark.parametrize("name", ["page.html", "page.txt"])
def test_what_is_for_whoever_enters_reports_is_in_a_file_of_its_own(name: str, tmp_path: Path) -> None:
    found, path = made(planned("yes", "no", "rather not say"), GRR), tmp_path / name
    write_hand_out(found, path)
    people, entering = (one.read_text(encoding="utf-8") for one in (path, entry_beside(path)))
    assert {one.name for one in tmp_path.iterdir()} == {path.name, f"page - for entering reports{path.suffix}"}
    assert "randomiser" not in people and "enters" not in people and "1 to 1,000,000" not in people
    assert found.promise in people and DO_NOT in entering and found.read in entering and found.promise not in entering
    assert "rather not say" in people and "rather not say" in entering
    assert (found.lines[0] if name.endswith("txt") else found.lines[0].replace('"', "&quot;")) in entering
    assert found.text.index(found.promise) < found.text.index(DO_NOT) < found.text.index(found.lines[0])


def test_of_both_files_none_is_written_where_one_cannot_be_or_another_would_be_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, path = made(planned("yes", "no"), GRR), tmp_path / "page.html"
    beside = entry_beside(path)
    beside.write_text("mine", encoding="utf-8")
    with pytest.raises(AlreadyThere, match="would be lost"):
        write_hand_out(found, path)
    assert beside.read_text(encoding="utf-8") == "mine" and not path.exists()
    with pytest.raises(WorkbenchError):
        write_hand_out(found, path, [beside], replaces=True)
    assert beside.read_text(encoding="utf-8") == "mine" and not path.exists()
    monkeypatch.setattr(HandOut, "page", property(lambda _: 1 / 0))
    with pytest.raises(ZeroDivisionError):
        write_hand_out(found, path, replaces=True)
    assert beside.read_text(encoding="utf-8") == "mine" and not path.exists(), "it came back"
    beside.unlink()
    with pytest.raises(ZeroDivisionError):
        write_hand_out(found, path)
    assert not beside.exists() and not path.exists()
    monkeypatch.undo()
    beside.write_text("mine", encoding="utf-8")
    write_hand_out(found, path, replaces=True)
    assert DO_NOT in beside.read_text(encoding="utf-8") and path.exists()


@pytest.mark.parametrize(("truth", "yes", "end"), [(1e-17, 1 - 2**-53, 0), (1 - 2**-53, 0.5, 1)])
def test_chances_that_no_die_tells_from_none_or_all_are_refused(truth: float, yes: float, end: int) -> None:
    coins = ProtocolChoice("rr", {"design": "coins", "truth": truth, "yes": yes})
    with pytest.raises(WorkbenchError, match=f"so near to {end} cannot be drawn"):
        made(planned("no", "yes"), coins)
