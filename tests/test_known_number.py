"""A table of which everybody knows how many people are in it: what is promised then, and that nobody can have it said
to be more."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest

from workbench.anonymise.terms import ADD_REMOVE as ADD_OR_REMOVE
from workbench.anonymise.terms import (
    BOTH_NOT_TOLD,
    BY_DATA,
    PEOPLE_KNOWN,
    PEOPLE_NOT_TOLD,
    REPLACE_BY_ONE,
    REPLACE_PERSON,
    REPLACE_ROWS,
    ROWS_KNOWN,
    ROWS_NOT_TOLD,
)
from workbench.cli.main import main
from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, ReleaseSpending, total
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_up
from workbench.core.progress import SILENT
from workbench.core.rationals import float_above, rational
from workbench.core.release_spending import for_replacing, for_replacing_in_groups
from workbench.core.schema import PrivacyUnit
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.io.opening import file_fingerprint
from workbench.project.model import new_project
from workbench.project.storage import load_project
from workbench.report.note import VERSION
from workbench.report.promise_meaning import in_words, meaning
from workbench.report.stated_claim import stated_claim
from workbench.session import Session
from workbench.session.release.knowledge import answer_number, costs_of_yes, number_asked
from workbench.session.release_subject import SpreadsheetCounts, subject_of
from workbench.session.spoken import speak_again, spoken

_ROWS = [(("cook", "clerk")[i % 2], 1_000 * (i % 40)) for i in range(400)]


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return opened(tmp_path)


def opened(folder: Path, rows: int = 1) -> Session:
    lines = "".join(f"{job},{pay}\n" for job, pay in _ROWS)
    (folder / "staff.csv").write_text(f"job,pay\n{lines}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "staff.csv")
    session.data.set_unit(PrivacyUnit(rows))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
    session.release.anonymise()
    return session


def export(session: Session, folder: Path, name: str = "out", **how: Any) -> tuple[Path, Path, Path]:
    file, page, note = (folder / f"{name}.{kind}" for kind in ("csv", "html", "json"))
    session.release.export(file, page, note=note, **how)
    return file, page, note


# What holds, gone through in fractions

Chances = dict[Any, Fraction]
_E, _DELTA = Fraction("2.718281828459045"), Fraction(1, 10)
_SLACK = Fraction(1, 10**12)


def replaced(rows: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Rows by group in two tables that have some in common, and in each up to so many of one person."""
    spread = [one for one in itertools.product(range(rows + 1), repeat=3) if 0 < sum(one) <= rows]
    for common in ((0, 0, 0), (1, 2, 0), (3, 1, 2)):
        for mine, others in itertools.product(spread, spread):
            if mine < others:
                yield tuple(map(sum, zip(common, mine, strict=True))), tuple(map(sum, zip(common, others, strict=True)))


def apart(one: Chances, other: Chances, factor: Fraction) -> Fraction:
    """The largest excess of an event under either over the other times a factor."""
    zero = Fraction(0)
    return max(
        sum((max(zero, chance - factor * second.get(at, zero)) for at, chance in first.items()), zero)
        for first, second in ((one, other), (other, one))
    )


def together(parts: list[Chances]) -> Chances:
    """Of several that are independent."""
    found: Chances = {(): Fraction(1)}
    for part in parts:
        found = {(*at, one): chance * more for at, chance in found.items() for one, more in part.items()}
    return found


def trimmed(rows: int, law: TrimLaw) -> Chances:
    found: Chances = {}
    for lost, weight in enumerate(law.weights):
        found[max(0, rows - lost)] = found.get(max(0, rows - lost), Fraction(0)) + Fraction(weight, law.total)
    return found if rows else {0: Fraction(1)}


def sampled(rows: int, beta: Fraction, k: int) -> Chances:
    found: Chances = {}
    for kept in range(rows + 1):
        chance = comb(rows, kept) * beta**kept * (1 - beta) ** (rows - kept)
        seen = kept if kept >= k else 0
        found[seen] = found.get(seen, Fraction(0)) + chance
    return found


@pytest.mark.parametrize("rows", [1, 2])
def test_whoever_is_replaced_is_promised_twice_the_epsilon_and_not_once(rows: int) -> None:
    """Three groups; the person has up to so many rows, spread over any of them, and another one other rows."""
    law = trim_law(Fraction(1), _DELTA, rows)
    of = {number: trimmed(number, law) for number in range(9)}
    epsilon, delta = for_replacing_in_groups(Fraction(1), _DELTA)
    assert (epsilon, delta) == (2, Fraction(19, 100))
    worst = [Fraction(0), Fraction(0)]
    for one, other in replaced(rows):
        first, second = (together([of[number] for number in table]) for table in (one, other))
        for place, factor in enumerate((_E**2, _E)):
            worst[place] = max(worst[place], apart(first, second, factor))
    assert worst[0] <= delta + _SLACK
    assert worst[1] > delta, "once the ε is not enough, so that must not be claimed"
    assert worst[0] > _DELTA or rows > 1, "nor the δ of a person who is there or not"


@pytest.mark.parametrize("rows", [1, 2])
def test_so_it_is_in_steps(rows: int) -> None:
    """Two steps of their own ε and δ; the second puts the first two groups together."""
    shares = (Fraction(2, 5), Fraction(3, 5))
    laws = [trim_law(share, _DELTA * share, rows) for share in shares]
    of = {(number, step): trimmed(number, law) for step, law in enumerate(laws) for number in range(11)}

    def both(table: tuple[int, ...]) -> Chances:
        found: Chances = {}
        for given, chance in together([of[number, 0] for number in table]).items():
            a, b, c = (max(0, number - out) for number, out in zip(table, given, strict=True))
            for later, more in together([of[a + b, 1], of[c, 1]]).items():
                found[given, later] = chance * more
        return found

    _, delta = for_replacing_in_groups(Fraction(1), _DELTA)
    pairs = [pair for pair in replaced(rows) if max(map(sum, pair)) <= 3 + rows]
    assert len(pairs) > 2
    for one, other in pairs[:: max(1, len(pairs) // 12)]:
        assert apart(both(one), both(other), _E**2) <= delta + _SLACK


def test_so_it_is_by_sampling() -> None:
    """Whatever δ a change by one person has at ε, a replacement has no more than 2δ − δ² at 2ε."""
    beta, k = Fraction(1, 2), 2
    for rows in (1, 2):
        of = {number: sampled(number, beta, k) for number in range(9)}
        spread = [one for one in itertools.product(range(rows + 1), repeat=3) if sum(one) <= rows]
        commons = ((0, 0, 0), (1, 2, 0), (3, 1, 2))
        alone = max(
            apart(
                together([of[number] for number in common]),
                together([of[number + more] for number, more in zip(common, own, strict=True)]),
                _E,
            )
            for common in itertools.product(range(4), repeat=3)
            for own in spread
        )
        assert len(commons) == 3 and 0 < alone < 1
        for one, other in replaced(rows):
            first, second = (together([of[number] for number in table]) for table in (one, other))
            assert apart(first, second, _E**2) <= alone * (2 - alone) + _SLACK


def test_a_number_that_is_known_tells_who_is_in_the_table() -> None:
    """Why add and remove cannot be claimed: beside the number, two such tables are told apart for sure."""
    law = trim_law(Fraction(1), _DELTA, 1)
    few, many = ({(rows, at): chance for at, chance in trimmed(rows, law).items()} for rows in (2, 3))
    assert apart(few, many, Fraction(10**9)) == 1


# What is claimed

_CLAIMED = (2.0, float_above(rational(1e-5) * (2 - rational(1e-5))))


def test_the_other_answer_is_claimed_stated_and_verified(session: Session, tmp_path: Path) -> None:
    claim = session.release.current_claim()
    assert PEOPLE_NOT_TOLD in claim.asserted and ROWS_NOT_TOLD not in claim.asserted
    session.release.say(session.release.current_result().draw, [PEOPLE_KNOWN])
    claim = session.release.current_claim()
    assert claim.holds and (claim.epsilon, claim.delta) == _CLAIMED
    assert not any("how many people" in line for line in claim.asserted)
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and "for replacing a person" in subject.verdict[1]
    assert PEOPLE_NOT_TOLD in subject.asserted and subject.others[PEOPLE_NOT_TOLD].said == PEOPLE_KNOWN
    file, page, note = export(session, tmp_path)
    facts = json.loads(note.read_text("utf-8"))
    assert facts["release"]["promised"] == dict(zip(("epsilon", "delta"), _CLAIMED, strict=True)) | {
        "neighbours": REPLACE_PERSON
    }
    words = page.read_text("utf-8")
    for said in (
        "for replacing one person by another",
        "who is in it is not hidden from whoever knows all others",
        "Which of two things stands in somebody&#x27;s row, such as one salary or another, is guessed right at most",
    ):
        assert said in words
    assert "whether they are in it" not in words and "how many rows the table has" not in words
    # Whoever does not know whether it is known answers so too, and signs no more than that.
    assert "Others may know how many people there are" in words and "It is known" not in words
    for given in (page, note):
        assert main(["verify", str(file), "--statement", str(given)]) == 0
    told = stated_claim(facts)
    assert told.to_json() == {
        "epsilon": 2.0,
        "delta": _CLAIMED[1],
        "counted": 0,
        "asserted": list(claim.asserted),
        "neighbours": REPLACE_PERSON,
    }


@pytest.mark.parametrize("how", ["trim", "sample", "levels"])
def test_every_way_of_making_a_file_can_be_claimed_so(tmp_path: Path, how: str) -> None:
    town = "".join(f"{('a', 'b', 'c')[i % 3]},{20 + i % 3}\n" for i in range(600))
    (tmp_path / "data.csv").write_text(f"town,age\n{town}", encoding="utf-8")
    (tmp_path / "town.csv").write_text("a;x;*\nb;x;*\nc;y;*\n", encoding="utf-8")
    more = {
        "trim": ["--level", "town=1", "--mechanism", "trim"],
        "sample": ["--level", "town=1", "--mechanism", "sample"],
        "levels": ["--search", "dp", "--search-epsilon", "0.3", "--mechanism", "trim"],
    }[how]
    out = tmp_path / "out.csv"
    words = ["anonymise", str(tmp_path / "data.csv"), "--hierarchy", f"town={tmp_path / 'town.csv'}", "--group", "age"]
    words += [*more, "--epsilon", "1", "--delta", "1e-3", "--known", "people", "--out", str(out)]
    assert main([*words, "--statement", str(tmp_path / "s.html"), "--metadata", str(tmp_path / "n.json")]) == 0
    release = json.loads((tmp_path / "n.json").read_text("utf-8"))["release"]
    spent = sum(Fraction(str(one["epsilon"])) for one in release["mechanisms"])
    assert Fraction(str(release["promised"]["epsilon"])) == 2 * spent
    assert main(["verify", str(out), "--statement", str(tmp_path / "s.html")]) == 0


def test_where_people_have_several_rows_people_and_rows_are_two_numbers(tmp_path: Path) -> None:
    session = opened(tmp_path, rows=2)
    draw = session.release.current_result().draw
    assert BOTH_NOT_TOLD in session.release.current_claim().asserted
    session.release.say(draw, [PEOPLE_KNOWN])
    claim = session.release.current_claim()
    # A total of rows would tell how many the person has who stands in the place of another.
    assert ROWS_NOT_TOLD in claim.asserted and claim.terms.neighbours == REPLACE_PERSON
    session.release.say(draw, [PEOPLE_KNOWN, ROWS_KNOWN])
    claim = session.release.current_claim()
    assert ROWS_NOT_TOLD not in claim.asserted and claim.terms.neighbours == REPLACE_ROWS
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and list(subject.others)[-2:] == [BOTH_NOT_TOLD, ROWS_NOT_TOLD]
    assert [line for line in subject.asserted if line in subject.others][-2:] == [BOTH_NOT_TOLD, ROWS_NOT_TOLD]
    file, page, _note = export(session, tmp_path)
    assert (
        "So who is in it, and how many rows they have, is not hidden from whoever knows all others"
        in page.read_text("utf-8")
    )
    assert main(["verify", str(file), "--statement", str(page)]) == 0
    assert session.ledger.current.history.number_known is KnownNumber.ROWS


@pytest.mark.parametrize("rows", [1, 2])
def test_who_said_in_anonymise_that_others_know_both_numbers_is_not_asked_of_rows_again(
    tmp_path: Path, rows: int
) -> None:
    lines = "".join(f"p{i // 3},{('cook', 'clerk')[i % 2]},{1_000 * (i % 4)}\n" for i in range(6_000))
    (tmp_path / "staff.csv").write_text(f"who,job,pay\n{lines}", encoding="utf-8")
    session = Session(new_project())
    session.data.open(tmp_path / "staff.csv")
    session.data.set_unit(PrivacyUnit(rows, person_column="who"))
    session.data.attach_hierarchies(session.data.hierarchy_suggester(("job", "pay"))(SILENT))
    question, _no = number_asked(session)
    assert "people, or rows," in question
    answer_number(session, known=True)
    session.release.anonymise()
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and subject.verdict[1].startswith("ε = ")
    assert "for replacing a person by one with as many rows: the claim holds" in subject.verdict[1]
    claim = session.release.current_claim()
    assert claim.terms.neighbours == REPLACE_BY_ONE and claim.terms.known is KnownNumber.ROWS
    asked = [one for one in subject.asserted if one in subject.others and subject.others[one].question]
    assert asked == [ROWS_NOT_TOLD] and subject.others[ROWS_NOT_TOLD].said in subject.said
    assert subject.others[ROWS_NOT_TOLD].question == question, "as it was asked"
    session.release.say(subject.key, [ROWS_NOT_TOLD])  # more can be promised by whoever takes it back
    again = subject_of(session, SpreadsheetCounts())
    assert again is not None and BOTH_NOT_TOLD in again.asserted


def test_before_a_file_is_there_its_report_promises_what_its_statement_will(tmp_path: Path) -> None:
    session = opened(tmp_path, rows=2)
    session.release.say(session.release.current_result().draw, [PEOPLE_KNOWN, ROWS_KNOWN])
    claim = session.release.current_claim()
    for limited in ("", "job"):
        told = replace(claim, terms=replace(claim.terms, limited_by=limited))
        said = meaning(claim.epsilon, claim.delta, 2, VERSION, told.terms.neighbours)
        assert in_words(told) == said and ("another one with as many rows" in said) == bool(limited)


def test_what_is_answered_of_the_number_is_answered_of_each_draw_that_can_still_leave(session: Session) -> None:
    release, first = session.release, session.release.current_result().draw
    settings = session.project.anonymise.guarantee
    release.say(first, release.current_claim().asserted)
    release.set_guarantee(replace(settings, epsilon=2.0))
    second = release.anonymise().draw
    before = spoken(session.state)
    answer_number(session, known=True)
    release.set_guarantee(settings)
    assert release.recall() and release.current_result().draw == first
    assert PEOPLE_NOT_TOLD not in release.said(first) and release.current_claim().terms.known is KnownNumber.PEOPLE
    speak_again(session.state, spoken(session.state), before)
    assert PEOPLE_NOT_TOLD in release.said(first) and not release.said(second), "undo takes it back of both"
    release.say(first, [PEOPLE_KNOWN, ROWS_KNOWN])
    answer_number(session, known=True)
    assert release.said(first) == {PEOPLE_KNOWN, ROWS_KNOWN}, "more is said of it already"


def test_what_is_answered_while_a_draw_is_made_is_answered_of_it(session: Session) -> None:
    release = session.release
    release.set_guarantee(replace(session.project.anonymise.guarantee, epsilon=2.0))
    answer_number(session, known=False)
    made = release.anonymiser()
    assert costs_of_yes(session) == "doubles ε", "other settings would make it out of date before it is there"
    for known in (True, False, True):
        answer_number(session, known=known)
        assert session.project.anonymise.guarantee.epsilon == 2
    draw = release.accept(made(SILENT)).draw
    assert release.said(draw) == {PEOPLE_KNOWN} and release.current_claim().terms.known is KnownNumber.PEOPLE


def test_undo_takes_back_what_was_said_of_these_rows_and_not_of_others(session: Session) -> None:
    release, state = session.release, session.state
    answer_number(session, known=False)
    assert release.said(release.current_result().draw) == release.beforehand == {PEOPLE_NOT_TOLD}
    every = session.project.preparation
    state.change(preparation=replace(every, where="pay > 5000"))
    assert not release.beforehand
    before = spoken(state)
    answer_number(session, known=False)
    now, other = spoken(state), release.anonymise().draw
    assert now.differs(before) and release.said(other) == release.beforehand == {PEOPLE_NOT_TOLD}
    speak_again(state, now, before)
    assert not release.beforehand and not release.said(other)
    speak_again(state, before, now)
    assert release.beforehand == {PEOPLE_NOT_TOLD}
    speak_again(state, now, before)
    state.change(preparation=every)
    assert release.recall() and release.beforehand == {PEOPLE_NOT_TOLD}
    assert release.said(release.current_result().draw) == {PEOPLE_NOT_TOLD}


def test_with_one_row_each_rows_are_people(session: Session) -> None:
    session.release.say(session.release.current_result().draw, [ROWS_KNOWN])
    claim = session.release.current_claim()
    assert claim.known is KnownNumber.PEOPLE and claim.terms.neighbours == REPLACE_PERSON


def test_it_can_be_said_together_with_choices_that_follow_from_the_data(session: Session, tmp_path: Path) -> None:
    session.release.say(session.release.current_result().draw, [BY_DATA, PEOPLE_KNOWN])
    claim = session.release.current_claim()
    assert claim.given and not claim.holds and claim.epsilon == 2
    file, page, note = export(session, tmp_path, without_claim=True)
    assert json.loads(note.read_text("utf-8"))["release"]["given"]["neighbours"] == REPLACE_PERSON
    assert main(["verify", str(file), "--statement", str(page)]) == 0


@pytest.mark.parametrize(
    "forge",
    [
        lambda facts, release: release["promised"].update(epsilon=1.0),
        lambda facts, release: release["promised"].update(delta=1e-5),
        lambda facts, release: release["promised"].update(neighbours=ADD_OR_REMOVE),
        lambda facts, release: release["promised"].update(neighbours=REPLACE_ROWS),
        lambda facts, release: release["promised"].update(
            epsilon=1.0, delta=1e-5, neighbours="add or remove one person"
        ),
        lambda facts, release: release["terms"].update(known=""),
        lambda facts, release: release["terms"].update(known="rows"),
        lambda facts, release: release["terms"].update(known="nobody"),
        lambda facts, release: release["terms"].pop("known"),
        lambda facts, release: release["asserted"].append(PEOPLE_NOT_TOLD),
        lambda facts, release: release["asserted"].pop(),
        lambda facts, release: facts.update(version=5),
        lambda facts, release: (facts.update(version=5), release["terms"].pop("known")),
    ],
)
def test_nothing_more_can_be_made_of_it(
    session: Session, tmp_path: Path, forge: Callable[[dict[str, Any], dict[str, Any]], object]
) -> None:
    session.release.say(session.release.current_result().draw, [PEOPLE_KNOWN])
    file, _page, note = export(session, tmp_path)
    facts = json.loads(note.read_text("utf-8"))
    forge(facts, facts["release"])
    note.write_text(json.dumps(facts), encoding="utf-8")
    assert main(["verify", str(file), "--statement", str(note)]) != 0


def test_a_claim_for_people_who_come_and_go_cannot_become_one_for_whom_is_replaced(
    session: Session, tmp_path: Path
) -> None:
    file, _page, note = export(session, tmp_path)
    facts = json.loads(note.read_text("utf-8"))
    facts["release"]["terms"]["known"] = "people"
    facts["release"]["promised"]["neighbours"] = REPLACE_PERSON
    facts["release"]["asserted"].remove(PEOPLE_NOT_TOLD)
    note.write_text(json.dumps(facts), encoding="utf-8")
    assert main(["verify", str(file), "--statement", str(note)]) != 0, "at the same ε that is too good"


# What is counted with it


def test_from_then_on_everything_of_the_data_is_counted_so(session: Session, tmp_path: Path) -> None:
    session.release.say(session.release.current_result().draw, [PEOPLE_KNOWN])
    export(session, tmp_path, "first")
    spent = session.ledger.current.spent()
    assert (spent.epsilon, spent.delta, spent.neighbours) == (2, rational(1e-5) * (2 - rational(1e-5)), REPLACE_ONE)
    session.release.draw_again()
    claim = session.release.current_claim()  # nobody says it again, and nobody can say the opposite
    assert claim.known is KnownNumber.PEOPLE and PEOPLE_NOT_TOLD not in claim.asserted
    assert claim.together is not None and claim.epsilon == 4 and claim.together.exact_delta == 2 * spent.delta
    file, page, _note = export(session, tmp_path, "second", chosen=True)
    assert "because it is known how many there are" in page.read_text("utf-8")
    assert main(["verify", str(file), "--statement", str(page)]) == 0
    assert session.ledger.current.spent().epsilon == 4


def test_of_what_left_without_a_claim_no_promise_is_said_to_fail(session: Session, tmp_path: Path) -> None:
    def untold() -> set[str]:
        return set(session.ledger.left_untold(session.data.fingerprint).values())

    session.release.say(session.release.current_result().draw, [PEOPLE_NOT_TOLD])
    first, *_ = export(session, tmp_path, "first")
    assert untold() == {"first.csv"} and not session.ledger.is_contradicted(file_fingerprint(first))
    session.release.draw_again()
    session.looks.take("values")  # after it was drawn, and counted with its claim
    assert not session.release.current_claim().holds
    export(session, tmp_path, "second", without_claim=True)
    assert untold() == {"first.csv"}


def test_a_file_whose_promise_rests_on_nobody_being_told_the_number_is_contradicted_by_one_that_says_so(
    session: Session, tmp_path: Path
) -> None:
    session.release.say(session.release.current_result().draw, [PEOPLE_NOT_TOLD])
    first, *_ = export(session, tmp_path, "first")
    session.release.draw_again()
    session.release.say(session.release.current_result().draw, [PEOPLE_KNOWN])
    second, *_ = export(session, tmp_path, "second", chosen=True)
    assert [session.ledger.is_contradicted(file_fingerprint(one)) for one in (first, second)] == [True, False]


def test_a_project_takes_it_along(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session.release.say(session.release.current_result().draw, [PEOPLE_KNOWN])
    export(session, tmp_path)
    session.save(tmp_path / "staff.workbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "elsewhere"))
    other = Session(load_project(tmp_path / "staff.workbench"))
    other.data.open(tmp_path / "staff.csv")
    assert other.ledger.current.history.number_known is KnownNumber.PEOPLE
    assert other.release.claim().known is KnownNumber.PEOPLE
    # What another draw is said to come to is what it will be charged.
    foretold = " ".join(map(str, other.release.claim().cautions))
    both = 2 * other.ledger.current.spent().delta
    assert f"Together they are (4, {rounded_up(both)})-differentially private" in foretold


def test_a_budget_has_to_have_room_for_it_and_nothing_leaves_without(session: Session, tmp_path: Path) -> None:
    session.ledger.current.set_budget(Fraction(3, 2), Fraction(1, 1000))
    draw = session.release.current_result().draw
    session.release.say(draw, [PEOPLE_KNOWN])
    with pytest.raises(WorkbenchError, match="counts twice"):
        export(session, tmp_path)
    assert not list(tmp_path.glob("out.*")) and not session.ledger.current.history.number_known
    session.release.say(draw, [PEOPLE_NOT_TOLD])
    export(session, tmp_path)


@pytest.mark.parametrize("budget", [None, "3/2", "5"])
@pytest.mark.parametrize(
    ("when", "rows"), [("in the settings", 1), ("of the draw", 1), ("of the draw", 2), ("not at all", 1)]
)
@pytest.mark.parametrize("how", ["with a claim", "without", "simulated"])
def test_what_is_said_of_the_number_is_in_the_ledger_however_the_file_leaves(
    tmp_path: Path, budget: str | None, when: str, rows: int, how: str
) -> None:
    """A file without a claim tells as much of how many there are as one that has it."""
    session = opened(tmp_path, rows)
    if budget is not None:
        session.ledger.current.set_budget(Fraction(budget), Fraction(1, 100))
    whom = KnownNumber.NONE if when == "not at all" else KnownNumber.PEOPLE if rows == 1 else KnownNumber.ROWS
    if how == "simulated":
        session.release.set_seed(1)
        session.release.anonymise()
    if when == "in the settings":
        session.release.set_trimming(replace(session.project.anonymise.trim, number_known=True))
    session.release.say_number_known(session.release.current_result().draw, whom)
    try:
        written = session.release.exporter(tmp_path / "out.csv", without_claim=True, asserted=how == "with a claim")
        session.release.record_export(tmp_path / "out.csv", session.release.current_result(), written(SILENT))
    except WorkbenchError as error:
        # What promises nothing waits for no room; the charge of a simulation needs some.
        assert budget == "3/2" and (how == "simulated" or (how == "with a claim" and whom)), error
        assert not session.ledger.current.history.number_known and not (tmp_path / "out.csv").exists()
        return
    history = session.ledger.current.history
    assert history.number_known is whom and (tmp_path / "out.csv").exists()
    assert session.project.history(session.data.fingerprint).number_known is whom, "the project carries it along"
    assert session.release.claim().known is whom, "and what comes next is claimed so"


def test_what_left_without_a_claim_makes_no_room_for_a_claim(session: Session, tmp_path: Path) -> None:
    session.release.draw_again()
    session.ledger.current.set_budget(Fraction(2), Fraction(1, 100))
    session.release.say_number_known(session.release.current_result().draw, KnownNumber.PEOPLE)
    session.release.exporter(tmp_path / "first.csv", without_claim=True, asserted=False)(SILENT)
    assert session.ledger.current.spent().epsilon == 4
    with pytest.raises(WorkbenchError, match="counts twice"):
        session.ledger.current.refuse_number_known()


def test_a_command_refuses_before_it_draws(
    session: Session, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session.ledger.current.set_budget(Fraction(5, 2), Fraction(1, 1000))
    spent = session.ledger.current.spent().epsilon
    words = ["anonymise", str(tmp_path / "staff.csv"), "--group", "job", "--suppress", "pay", "--known", "people"]
    assert main([*words, "--out", str(tmp_path / "o.csv")]) != 0
    assert "counts twice" in capsys.readouterr().err
    assert session.ledger.current.spent().epsilon == spent


def test_only_what_acts_on_groups_apart_gets_the_smaller_delta() -> None:
    one = ReleaseSpending(Fraction(1), Fraction(1, 100), number_known=True)
    known = total([one])
    assert (known.epsilon, known.delta) == for_replacing(Fraction(1), Fraction(1, 100)) > (2, Fraction(2, 100))
    assert (
        known.neighbours == REPLACE_ONE and total([ReleaseSpending(Fraction(1), Fraction(0))]).neighbours == ADD_REMOVE
    )
