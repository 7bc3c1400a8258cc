"""One number of sentences that a publisher must be able to say: before and after the draw, in Release, in the file."""

from __future__ import annotations

import html
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.recipe import Treatment
from workbench.anonymise.said_words import MOST_LETTERS, said_as_ranges, said_words
from workbench.anonymise.terms import (
    BOTH_NOT_TOLD,
    BY_DATA,
    PEOPLE_KNOWN,
    PEOPLE_NOT_TOLD,
    ROWS_KNOWN,
    choices_line,
    hierarchies_line,
)
from workbench.core.known_number import KnownNumber
from workbench.core.paths import sample_data
from workbench.core.schema import Kind, PrivacyUnit, Role, UnitAnswer
from workbench.project.model import new_project
from workbench.project.trim_settings import StepsBy
from workbench.report.said_to_occur import listed, words_of
from workbench.session import Session
from workbench.session.release.draw_choice import PARTLY_FOLLOWS, declared_before
from workbench.session.release.drawn_before import drawn_before
from workbench.session.release.knowledge import number_asked, say
from workbench.session.release.to_say import ToSay, sentences_words, to_say
from workbench.session.release_subject import SpreadsheetCounts, subject_of
from workbench.session.verifying.beside import received_files, verify_received


def from_files(folder: Path) -> Session:
    """Everybody has one row, and hierarchies are from files that were declared."""
    session = opened(folder, sample_data() / "nba_salaries.csv")
    for name in ("age", "position", "team"):
        # Nothing beside it says how it was made.
        file = folder / f"{name}.csv"
        file.write_bytes((sample_data() / f"nba_hierarchy_{name}.csv").read_bytes())
        session.data.attach_hierarchy_file(name, file)
    session.data.declare_imported()
    session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.SAID))
    return session


def by_rule(folder: Path) -> Session:
    """Patients have several stays, and hierarchies follow from kinds and names."""
    file = folder / "stays.csv"
    rows = [
        f"P{i % 700:04},{20 + i % 50},2024-{1 + i % 12:02}-1{i % 9},{('flu', 'asthma')[i % 2]}" for i in range(1500)
    ]
    file.write_text("\n".join(("patient,age,admitted,illness", *rows)), encoding="utf-8")
    session = opened(folder, file)
    session.data.set_unit(PrivacyUnit(1, "patient", protected=UnitAnswer.SAID))
    session.data.set_preparation(replace(session.project.preparation, limit_rows=True))
    for name in ("age", "admitted", "illness"):
        session.data.set_role([name], Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["age", "admitted", "illness"])())
    return session


def opened(folder: Path, file: Path) -> Session:
    session = Session(new_project())
    session.ledger.use_file(folder / "ledger.jsonl")
    session.data.open(file)
    session.release.set_trimming(replace(session.project.anonymise.trim, steps=StepsBy.BALANCED))
    return session


KINDS: dict[str, Callable[[Path], Session]] = {"from files": from_files, "by rule": by_rule}


@pytest.fixture(params=KINDS)
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Session:
    return KINDS[request.param](tmp_path)


def planned(session: Session) -> ToSay:
    return to_say(session.release.claim(), session.project.schema, session.project.hierarchies)


@pytest.mark.parametrize("known", [False, True])
def test_the_number_is_the_same_wherever_it_is_told(session: Session, tmp_path: Path, known: bool) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, number_known=known))
    before = planned(session)
    session.release.anonymise()
    assert planned(session) == before, "the draw is no sentence more or less"
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and subject.rests_on == before.words and subject.declared == before.before
    # What is answered otherwise is shown, and is no sentence of the claim.
    asked = [
        one for one in subject.asserted if one not in subject.others or subject.others[one].said not in subject.said
    ]
    assert sentences_words(len(asked) + len(subject.declared)) == before.words
    several = session.project.schema.unit.person_column
    unsaid = {PEOPLE_NOT_TOLD, BOTH_NOT_TOLD}
    told = ROWS_KNOWN if several else PEOPLE_KNOWN  # where people have several rows, both are asked for at once
    assert (told in subject.said) is (known and bool(subject.said)) and unsaid.isdisjoint(subject.said)
    assert any("patient" in one for one in before.before) is bool(several)
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    found = verify_received(received_files(tmp_path / "out.csv"))
    assert found.claim is not None and found.claim.asserted == before.sentences
    assert found.verdict.endswith(f" holds if the {before.words} below are true, on the publisher's word.")


def test_what_was_said_before_is_counted_with_the_rest(tmp_path: Path) -> None:
    found = planned(from_files(tmp_path))
    assert found.left == sentences_words(len(found.sentences) - 2), "what is left is no progress"
    assert found.told == f"{found.words}, 2 said", "as Release counts them"
    assert set(found.before.values()) == {"data", "hierarchies"}
    every = replace(found, before=dict.fromkeys(found.sentences, "data"))
    assert every.left == "nothing more" and every.told == f"{found.words}, {len(found.sentences)} said"
    none = replace(found, before={})
    assert none.told == none.left == found.words and sentences_words(1) == "1 sentence"


def test_what_was_answered_before_the_draw_is_said_of_it_and_can_be_taken_back(session: Session) -> None:
    several = bool(session.project.schema.unit.person_column)
    question, sentence = number_asked(session)
    assert (sentence, "or rows" in question) == (BOTH_NOT_TOLD if several else PEOPLE_NOT_TOLD, several)
    say(session, {}, expected_rows=None, number_known=False, not_told=sentence)
    first = session.release.anonymise()
    assert session.release.said(first.draw) == {sentence}, "nothing else is said in anybody's name"
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None and sentence in subject.asserted and subject.others[sentence].question == question
    session.release.say_number_known(first.draw, KnownNumber.PEOPLE)
    assert session.release.current_claim().known is KnownNumber.PEOPLE, "it was said otherwise in Release"
    assert session.release.said(first.draw) == {PEOPLE_KNOWN}, "both cannot be so"
    assert not session.release.said(session.release.draw_again().draw), "nor of the draws to come"


def test_what_was_said_of_some_rows_is_not_said_of_others(session: Session) -> None:
    sentence = number_asked(session)[1]
    say(session, {}, expected_rows=None, number_known=False, not_told=sentence)
    assert session.release.beforehand == {sentence}
    all_rows = session.project.preparation
    session.data.set_preparation(replace(all_rows, sample=0.5))
    assert not session.release.beforehand and not session.release.said(session.release.anonymise().draw)
    session.data.set_preparation(all_rows)
    assert session.release.beforehand == {sentence}, "of these it was said"


def test_an_answer_after_the_draw_is_said_of_it_where_nothing_was(session: Session) -> None:
    sentence = number_asked(session)[1]
    draw = session.release.anonymise().draw
    say(session, {}, expected_rows=None, number_known=False)
    assert not session.release.said(draw), "no answer is none"
    say(session, {}, expected_rows=None, number_known=False, not_told=sentence)
    assert session.release.said(draw) == {sentence}
    session.release.say_number_known(draw, KnownNumber.PEOPLE)
    say(session, {}, expected_rows=None, number_known=False, not_told=sentence)
    assert PEOPLE_KNOWN in session.release.said(draw), "what was said of the draw is taken back in Release alone"


def test_who_answers_otherwise_or_not_at_all_has_said_nothing(session: Session) -> None:
    sentence = number_asked(session)[1]
    say(session, {}, expected_rows=None, number_known=False, not_told=sentence)
    say(session, {}, expected_rows=None, number_known=True, not_told=sentence)
    assert not session.release.beforehand
    session.release.set_trimming(replace(session.project.anonymise.trim, number_known=False))
    assert not session.release.said(session.release.anonymise().draw)


def test_an_answer_about_another_unit_is_none(session: Session) -> None:
    """Who said it of people who have one row each has not said it of rows."""
    sentence = number_asked(session)[1]
    say(session, {}, expected_rows=None, number_known=False, not_told=sentence)
    unit = session.project.schema.unit
    other = (
        PrivacyUnit(1, protected=UnitAnswer.SAID) if unit.person_column else PrivacyUnit(3, protected=unit.protected)
    )
    session.data.set_unit(other)
    assert number_asked(session)[1] != sentence
    assert not session.release.said(session.release.anonymise().draw)


def test_of_a_hierarchy_that_was_detached_nothing_is_said(tmp_path: Path) -> None:
    """While a claim is checked, that of the settings before is shown."""
    session = from_files(tmp_path)
    claim = session.release.claim()
    session.data.detach_hierarchy("age")
    found = to_say(claim, session.project.schema, session.project.hierarchies)
    assert set(found.before.values()) == {"data"} and found.sentences == claim.asserted


def by_said(folder: Path, words: str = "0-100") -> Session:
    """A hierarchy is what a rule makes of what was said to occur in its column; others are from declared files."""
    session = from_files(folder)
    session.release.steps.set_said("age", words)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["age"])())
    return session


def made_without(found: ToSay) -> str:
    return next(one for one in found.sentences if "made without this data" in one)


def test_a_rule_made_of_what_was_said_needs_no_word_beside_that(tmp_path: Path) -> None:
    session = by_said(tmp_path)
    found = planned(session)
    assert "age" in made_without(found), "the statement says it all the same"
    assert found.before[made_without(found)] == "hierarchies anonymise"
    alone = by_said(tmp_path)
    for name in ("position", "team"):
        alone.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    assert planned(alone).before[made_without(planned(alone))] == "anonymise"
    draw = session.release.anonymise()
    choices = {one for one in found.sentences if one not in found.before}
    assert made_without(found) not in choices and any("said to occur" in one for one in choices)
    session.release.say(draw.draw, choices)
    assert session.release.current_claim().holds
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    told = verify_received(received_files(tmp_path / "out.csv"))
    assert told.claim is not None and told.claim.asserted == found.sentences


def test_a_rule_made_of_something_else_is_asked_about(tmp_path: Path) -> None:
    session = by_said(tmp_path)
    session.release.steps.set_said("age", "0-500")
    assert made_without(planned(session)) not in planned(session).before, "the hierarchy is not of what is said now"
    session.release.steps.set_said("age", "")
    assert made_without(planned(session)) not in planned(session).before, "nobody says it any more"
    session.release.steps.set_said("age", "0-100")
    assert made_without(planned(session)) in planned(session).before
    observed = by_said(tmp_path, "")
    observed.data.set_bounds("age", (18.0, 44.0), observed=True)
    assert not any("age" in one for one in planned(observed).before if "hierarch" in one), "ends of the data"


def test_who_said_where_a_column_reaches_reads_and_signs_what_is_published(tmp_path: Path) -> None:
    session = by_said(tmp_path, "0-120")
    for name in ("position", "team"):
        session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    result = session.release.anonymise()
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None
    signed = "“age” is said to run from 0 to 120. Its hierarchy was made without this data."
    assert signed in subject.declared and signed not in subject.short, "it is shown as it is signed"
    session.release.say(result.draw, session.release.current_claim().asserted)
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    assert signed in html.unescape((tmp_path / "out.html").read_text(encoding="utf-8"))
    told = verify_received(received_files(tmp_path / "out.csv"))
    assert told.holds and told.claim is not None and signed in told.claim.asserted
    other = tmp_path / "other"
    other.mkdir()
    with_files = by_said(other, "0-120")
    with_files.release.write_otherwise(with_files.release.anonymise(), left_out=["age", "team"])
    subject = subject_of(with_files, SpreadsheetCounts())
    assert subject is not None
    ((told_of_files,),) = (words for sentence, words in subject.short.items() if sentence in subject.declared)
    assert told_of_files == (
        "“age” is said to run from 0 to 120. These hierarchies were made without this data: position, age, team. "
        "“age” and “team” were in the draw, so they count, though not in the file."
    )
    assert result.followed is not None and result.followed.said["age"] == ("0-120",)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        (("1950-1999",), "“a” is said to run from 1950 to 1999"),
        (("0-150000",), "“a” is said to run from 0 to 150,000"),
        (("2024",), "Said to occur in “a”: “2024”"),
        (("7-7",), "Said to occur in “a”: “7-7”"),
        (("0-10", "20-30"), "Said to occur in “a”: “0-10”, “20-30”"),
        (("Basel", "Bern"), "Said to occur in “a”: “Basel”, “Bern”"),
        (("x" * 61,), "In “a” 1 entry is said to occur"),
        (tuple(map(str, range(100))), "In “a” 100 entries are said to occur"),
    ],
)
def test_what_occurs_is_said_in_the_same_words_from_the_note(entries: tuple[str, ...], words: str) -> None:
    """Of what is too long for a note, numbers alone: there is no more to make the sentence from."""
    ranges = {"a"} if "to run" in words else set()
    assert said_words({"a": entries}, {"a"}) == (("a", words),), "what is no range is not said to be one"
    for said in (
        {"a": entries},
        {"a": entries, "b": ("y" * MOST_LETTERS,)},
        {"b": ("y" * MOST_LETTERS,), "a": entries},
    ):
        columns = [{"name": name, "said_to_occur": one} for name, one in listed(said, ranges).items()]
        assert words_of({"columns": columns}) == said_words(said, ranges)


def with_codes(folder: Path, words: str, *, declared: bool) -> Session:
    """Codes of five digits of which it was typed what can occur; their hierarchy is a file, or a mask by rule."""
    folder.mkdir(exist_ok=True)
    rows = [f"{words[0]}{1000 + i % 900},{'xy'[i % 2]}" for i in range(2000)]
    (folder / "codes.csv").write_text("\n".join(("plz,job", *rows)), encoding="utf-8")
    session = opened(folder, folder / "codes.csv")
    session.data.set_unit(PrivacyUnit(1, protected=UnitAnswer.SAID))
    session.data.set_kind(["plz"], Kind.CATEGORY)
    session.data.set_role(["plz"], Role.QUASI)
    session.release.columns.set_treatment("job", Treatment.LEAVE_OUT)
    if declared:
        lines = [f"{code};{code // 1000};{code // 10_000};*" for code in range(10_000, 100_000)]
        (folder / "h.csv").write_text("\n".join(lines), encoding="utf-8")
        session.data.attach_hierarchy_file("plz", folder / "h.csv")
        session.data.declare_imported()
    else:
        session.data.attach_hierarchies(session.data.hierarchy_suggester(["plz"])())
    session.release.steps.set_said("plz", words)
    return session


@pytest.mark.parametrize("words", ["4", "10000-19999"])
def test_codes_and_how_they_begin_are_signed_as_they_were_typed(tmp_path: Path, words: str) -> None:
    """Of codes that begin with 4 nobody said that they run from 4 to 4, nor are digits of codes grouped."""
    session = with_codes(tmp_path, words, declared=True)
    result = session.release.anonymise()
    signed = f"Said to occur in “plz”: “{words}”. Its hierarchy was made without this data."
    claim = session.release.current_claim()
    assert signed in claim.asserted
    session.release.say(result.draw, claim.asserted)
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    assert signed in html.unescape((tmp_path / "out.html").read_text(encoding="utf-8"))
    told = verify_received(received_files(tmp_path / "out.csv"))
    assert told.holds and told.claim is not None and signed in told.claim.asserted


def test_a_mask_by_rule_does_not_make_a_range_of_codes_one_of_numbers(tmp_path: Path) -> None:
    session = with_codes(tmp_path, "4", declared=False)
    hierarchy = session.project.hierarchies["plz"]
    assert said_as_ranges({"plz": ("10000-19999",)}, {"plz": hierarchy}) == frozenset()
    assert said_as_ranges({"age": ("0-120",)}, by_said(tmp_path, "0-120").project.hierarchies) == {"age"}


def test_who_declares_a_file_has_not_said_what_can_occur(tmp_path: Path) -> None:
    """That is said where it is typed, by whoever says too that it does not come from the data."""
    session = with_codes(tmp_path, "4", declared=True)
    found = planned(session)
    assert made_without(found).startswith("Said to occur in “plz”: “4”. ")
    assert found.before[made_without(found)] == PARTLY_FOLLOWS == "hierarchies anonymise"
    draw = session.release.anonymise().draw
    session.release.say(draw, {BY_DATA})
    claim, project = session.release.current_claim(), session.project
    asserted = (*claim.asserted, hierarchies_line(claim.terms))
    by_data = replace(claim, asserted=tuple(one for one in asserted if one != choices_line(claim.terms)))
    assert hierarchies_line(claim.terms) not in declared_before(by_data, project.schema, project.hierarchies)
    session.release.steps.set_said("plz", "")
    plain = planned(session)
    assert made_without(plain) == "These hierarchies were made without this data: plz."
    assert plain.before[made_without(plain)] == "hierarchies"


def test_what_is_listed_as_released_is_what_the_file_has(tmp_path: Path) -> None:
    session = from_files(tmp_path)
    session.release.write_otherwise(session.release.anonymise(), left_out=["team", "age"])
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None
    ((*lines,),) = subject.chosen.values()
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    written = (tmp_path / "out.csv").read_text(encoding="utf-8").splitlines()[0]
    assert lines[0] == f"Released: {written.replace(',', ', ')}"
    gone, names = lines[1].split(": ")
    assert gone == "In the draw, not in the file" and set(names.split(", ")) == {"age", "team"}


def test_that_no_project_keeps_drawn_rows_is_said_where_one_comes_back(tmp_path: Path) -> None:
    session = from_files(tmp_path)
    assert not drawn_before(session)
    session.release.anonymise()
    assert not drawn_before(session), "they are there"
    session.save(tmp_path / "p.wbench")

    def again() -> str:
        back = Session.from_file(tmp_path / "p.wbench")
        back.ledger.use_file(tmp_path / "ledger.jsonl")
        back.data.open(sample_data() / "nba_salaries.csv")
        return drawn_before(back)

    begin, end = "A release of this table was drawn before. No project keeps drawn rows.", "Another draw costs again."
    assert again() == f"{begin} Nothing of it was exported. {end}"
    subject = subject_of(session, SpreadsheetCounts())
    assert subject is not None
    session.release.say(subject.key, subject.asserted)
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    assert again() == f"{begin} “out.csv” was exported last. {end}"
