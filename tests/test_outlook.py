"""What is said of a release before it is made: from public facts, the same for any rows, and with what would help."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.anonymise.balanced import Importance
from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.builder_suggestions import public_specification
from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.occurring import entries_of, example_of, occurring_labels
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Format, Kind, Role
from workbench.core.usual_delta import usual_delta
from workbench.project.model import LevelsBy, new_project
from workbench.project.trim_settings import StepsBy
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.column_details import DetailOutlook, vanishing
from workbench.session.release.knowledge import SOURCES, is_unknown, known_columns, refused, say
from workbench.session.release.outlook import Outlook
from workbench.session.release.remedies import _candidates, _finer, is_due, remedies, what_is_lost
from workbench.session.release.spread import between
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import least_of, never_star, telling_levels, wish_least
from workbench.session.suggested_hierarchies import follows_said, reaching

_ROWS = [
    (f"19{50 + i % 50}-0{1 + i % 9}-11", f"{10000 + i * 37 % 900}", ("cook", "Clerk")[i % 2], 900 * i)
    for i in range(60)
]


def opened(folder: Path, *more: tuple[str, str, str, int]) -> Session:
    """A new project of a table of which every hierarchy is built by a public rule, with these rows besides."""
    folder.mkdir()
    lines = (f"{born},{code},{job},{pay}\n" for born, code, job, pay in (*_ROWS, *more))
    (folder / "staff.csv").write_text("born,postcode,job,pay\n" + "".join(lines), encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "staff.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(session.project.schema.names)(SILENT))
    return session


def expect(session: Session, rows: int | None) -> None:
    session.release.set_trimming(replace(session.project.anonymise.trim, expected_rows=rows))


def outlook(session: Session) -> Outlook:
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is not None
    return prospect.outlook


@pytest.mark.parametrize("source", [LevelSource.BALANCED, LevelSource.STEPS, LevelSource.HAND])
@pytest.mark.parametrize("rows", [None, 2400])
def test_a_person_more_changes_neither_steps_nor_outlook(tmp_path: Path, source: LevelSource, rows: int | None) -> None:
    sessions = [opened(tmp_path / "one"), opened(tmp_path / "other", ("1811-12-31", "99999", "Lord Mayor", 987_654))]
    for session in sessions:
        session.release.steps.set_source(source)
        expect(session, rows)
    one, other = sessions
    assert one.project.hierarchies["born"].groups() != other.project.hierarchies["born"].groups()
    assert one.release.chain() == other.release.chain()
    assert outlook(one) == outlook(other)


def test_by_degree_it_warns_and_balanced_steps_do_better(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.STEPS)
    before = outlook(session)
    assert before.wanting and "hardly anything survives there" in before.words and "your 2,400 people" in before.words
    assert "In steps (recommended)" in [one.words for one in remedies(session, before)]
    assert "* in every column" in before.words
    session.release.steps.set_source(LevelSource.BALANCED)
    assert len(outlook(session).starred) < len(before.starred)


def test_most_is_said_only_where_it_is_so_however_columns_lie(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    said = set()
    for source in (LevelSource.STEPS, LevelSource.BALANCED):
        session.release.steps.set_source(source)
        found = assess(session)
        assert found.prospect is not None and found.prospect.outlook is not None
        stars = {one.column: one.rows[0] for one in found.details if one.words == "*"}
        starred = set(found.prospect.outlook.starred) - set(found.prospect.outlook.silent)
        words = re.search("(Most of these have|Many of these may have)", found.prospect.outlook.words)
        if words is None:
            assert not starred
            continue
        said.add(words[0])
        if words[0].startswith("Most"):
            assert all(2 * stars[name] >= found.prospect.outlook.fewest * 100 - 2 for name in starred)
    assert "Many of these may have" in said


def test_what_is_kept_is_not_starred_where_most_come_out(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    starred = outlook(session).starred
    assert starred
    session.release.steps.set_importance(starred[0], Importance.KEEP)
    assert starred[0] not in outlook(session).starred


def test_with_every_column_on_keep_it_says_which_are_likely_to_be_starred_all_the_same(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    for name, words in {"born": "1955-2005", "postcode": "01, 02, 03", "job": "cook, clerk", "pay": "0-120000"}.items():
        session.release.steps.set_said(name, words)
    for name in session.release.chain().vectors[0]:
        session.release.steps.set_importance(name, Importance.KEEP)
    found, last = outlook(session), session.release.chain().vectors[-1]
    stars = {name for name, level in last.items() if session.project.hierarchies[name].says_nothing(level)}
    assert stars and stars == {*found.starred, *found.often} and found.often
    assert all(f"have * in {name}" in found.words for name in found.often)
    assert "As all columns matter most, none is kept longer than another." in found.words and found.wanting


def test_how_many_rows_have_a_star_is_told_with_the_end_of_groups_of_one_size(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.STEPS)
    for name, words in {"born": "1955-2005", "postcode": "01, 02, 03", "job": "cook, clerk", "pay": "0-120000"}.items():
        session.release.steps.set_said(name, words)
    found = outlook(session)
    told = re.findall(r"bout (?:(\d+) to )?(\d+) (?:or more )?in 100 rows have \*", found.words)
    assert "up to" not in found.words, "an estimate is no bound"
    assert found.often and told and all(not low or int(low) < int(high) <= 100 for low, high in told)


def test_the_sentence_and_the_table_of_columns_give_the_same_numbers(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    for name, words in {"born": "1955-2005", "postcode": "01, 02, 03", "job": "cook, clerk", "pay": "0-120000"}.items():
        session.release.steps.set_said(name, words)
    for name in session.release.chain().vectors[0]:
        session.release.steps.set_importance(name, Importance.KEEP)
    found = assess(session)
    assert found.prospect is not None and found.prospect.outlook is not None and found.prospect.outlook.often
    for name in found.prospect.outlook.often:
        table = [one.rows_told for one in found.details if one.column == name and one.words == "*"]
        said = re.findall(rf"([^.]*) in 100 rows have \* in [^.]*{name}", found.prospect.outlook.words)
        numbers = [re.findall(r"\d+", text) for text in (*(one.partition(" of 100")[0] for one in table), *said)]
        assert len(numbers) == 2 and numbers[0] == numbers[1]


def test_every_range_is_told_by_both_ends_in_one_form() -> None:
    ranges = (0, 81), (3, 68), (14, 76), (14, 40), (20, 100), (7, 7), (0, 0)
    told = [DetailOutlook("age", 0, "as it is", ends).rows_words for ends in ranges]
    assert told == ["0–81", "0–68", "14–76", "14–40", "20–100", "7", "0"]


def test_how_many_rows_come_out_is_never_told_by_an_upper_end_that_passes_for_likely(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.HAND)
    session.release.columns.set_level("born", 3)
    assert "people from hardly any up to " in outlook(session).words


def test_without_stars_it_says_how_many_rows_are_coarser(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    fine = {"born": 4, "postcode": 4, "job": 1, "pay": 2}
    steps = replace(session.project.anonymise.trim, steps=StepsBy.TYPED, vectors=(fine, {**fine, "pay": 3}))
    session.release.set_trimming(steps)
    found = outlook(session)
    assert not {*found.starred, *found.often, *found.silent}
    assert "in 100 rows are coarser than step 1" in found.words


def test_a_column_that_says_nothing_at_any_step_is_named_and_can_go_without_a_loss(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 100)
    found = outlook(session)
    assert found.silent and all(name in found.words.partition("All have * in ")[2] for name in found.silent)
    before = session.release.chain()
    hierarchies = {name: made for name, made in session.project.hierarchies.items() if name != found.silent[0]}
    session.state.change(hierarchies=hierarchies)
    after = session.release.chain()
    without = [{name: level for name, level in levels.items() if name != found.silent[0]} for levels in before.vectors]
    assert list(after.vectors) == without and after.shares == before.shares


def test_without_a_number_ten_thousand_are_taken_and_said(tmp_path: Path) -> None:
    found = outlook(opened(tmp_path / "one"))
    assert not found.typed and found.words.startswith("If there were 10,000 people")


@pytest.mark.parametrize("rows", [60, 300, 2400, 30_000])
@pytest.mark.parametrize("source", [LevelSource.BALANCED, LevelSource.STEPS, LevelSource.HAND])
def test_no_advice_makes_the_outlook_worse(tmp_path: Path, source: LevelSource, rows: int) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_source(source)
    assert not remedies(session, outlook(session)), "how many rows there are comes first"
    expect(session, rows)
    before = outlook(session)
    for one in remedies(session, before):
        trial = session.snapshot()
        if one.edit is not None:
            one.edit(trial)
        assert outlook(trial).told >= before.told
        assert before.hopeful < 0.5 or len(outlook(trial).starred) <= len(before.starred)
    assert outlook(session) == before


def test_a_range_holds_what_independent_and_dependent_columns_keep(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.HAND)
    session.release.columns.set_level("born", 3)
    words = outlook(session).words
    assert not re.findall(r"\d+ to \d+ in 100", words), "however values lie next to nothing may come out: no lower end"
    (most,) = re.findall(r"up to (\d+) in 100 are likely to come out", words)
    session.release.steps.set_source(LevelSource.BALANCED)
    for name, words in {"born": "1955-2005", "postcode": "01, 02, 03", "job": "cook, clerk", "pay": "0-120000"}.items():
        session.release.steps.set_said(name, words)
    least, other = (int(part) for part in re.findall(r"(\d+) to (\d+) in 100", outlook(session).words)[0])
    assert 5 <= least < other <= 100 and 5 <= int(most) <= 100


def test_nothing_is_foreseen_of_levels_that_are_still_to_be_drawn(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.columns.set_search(PrivateSearch())
    session.release.columns.set_levels_by(LevelsBy.SEARCH)
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is None


def test_nor_where_a_column_may_have_any_values(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.columns.set_treatment("job", Treatment.GENERALISE)
    hierarchies = {name: made for name, made in session.project.hierarchies.items() if name != "job"}
    session.state.change(hierarchies=hierarchies)
    assert session.release.chain().vectors[0]["job"] == 0
    prospect = assess(session).prospect
    assert prospect is not None and prospect.outlook is None and prospect.steps[0][0] == "unknown"


def by_hand(session: Session) -> None:
    expect(session, 2400)
    session.release.steps.set_source(LevelSource.HAND)
    for name, level in {"born": 4, "postcode": 4, "pay": 2}.items():
        session.release.columns.set_level(name, level)


def test_where_nobody_says_what_occurs_a_range_is_told_and_who_says_it_is_told_more(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    before = outlook(session)
    assert before.unsaid[:1] == ("born",) and "fewest if all" in before.words and not before.wanting
    assert [one.field for one in remedies(session, before)][:1] == ["occurring:born"]
    said = {"born": "1950-1999", "postcode": "1", "job": "cook, clerk", "pay": "0-60000"}
    for name, words in said.items():
        session.release.steps.set_said(name, words)
    after = outlook(session)
    assert not after.unsaid and after.groups[0] < before.groups[0] and "fewest" not in after.words
    session.release.steps.set_said("born", "")
    assert "born" not in session.project.anonymise.trim.occurring


def test_of_a_column_that_would_be_no_value_it_is_asked_first_what_occurs_and_last_it_is_left_out(
    tmp_path: Path,
) -> None:
    sessions = [opened(tmp_path / "one"), opened(tmp_path / "other", ("1811-12-31", "99999", "Lord Mayor", 987_654))]
    offered = []
    for session in sessions:
        by_hand(session)
        session.release.columns.set_level("born", session.project.hierarchies["born"].height)
        for rows in (None, 2400):
            expect(session, rows)
            assert outlook(session).silent == ("born",)
            found = remedies(session, outlook(session))
            assert found[0].field == "occurring:born", "first of all columns of which it is asked"
            offered.append([one.words for one in found])
    assert offered[0] == ["Say what occurs in 4 columns", "Leave born out"], "all are asked about in one place"
    assert offered[:2] == offered[2:], "whoever is in the table, the same is offered"
    assert found[0].columns[0] == "born" and set(found[0].columns) == {"born", "postcode", "job", "pay"}
    assert all(name in found[0].about for name in found[0].columns), "those that the button only counts are named"
    assert found[1].about == "born would be * in every row: nothing is lost without it."
    for name, words in {"born": "1950-1959", "postcode": "1", "job": "cook", "pay": "0-60000"}.items():
        session.release.steps.set_said(name, words)
    found = remedies(session, outlook(session))
    assert not any(one.words.startswith("Say what occurs") for one in found)
    (out,) = (one for one in found if one.edit is not None)
    assert out.words == "Leave born, postcode and job out" and out.about == (
        "born would be * in every row, and postcode and job would have one label for all, or nearly all, that can "
        "occur: hardly anything is lost without them."
    ), "what was said leaves one label of two others, of which as little is told"
    session.data.set_role(["job"], Role.SENSITIVE)
    (out,) = (one for one in remedies(session, outlook(session)) if one.edit is not None)
    assert out.words == "Leave born and postcode out", "what is sensitive is why the table is published"
    session.release.steps.set_importance("pay", Importance.KEEP)
    (out,) = (one for one in remedies(session, outlook(session)) if one.words.startswith("Leave "))
    assert out.words == "Leave born, postcode and job out", "unless something else is, which was said"


@pytest.mark.parametrize("source", [LevelSource.BALANCED, LevelSource.HAND])
def test_nobody_is_led_to_leave_columns_out_where_the_others_gain_nothing_by_it(
    tmp_path: Path, source: LevelSource
) -> None:
    session = opened(tmp_path / "one")
    expect(session, 300)
    for name, words in {"born": "1955-2005", "postcode": "01, 02, 03", "job": "cook, clerk", "pay": "0-120000"}.items():
        session.release.steps.set_said(name, words)
    if source is LevelSource.HAND:
        session.release.steps.set_source(source)
        session.release.columns.set_level("born", session.project.hierarchies["born"].height)
    before = outlook(session)
    (out,) = (one for one in remedies(session, before) if one.words.startswith("Leave born"))
    assert out.edit is not None and "born would be * in every row" in out.about
    trial = session.snapshot()
    out.edit(trial)
    after = outlook(trial)
    assert (after.fewest, after.hopeful) == (before.fewest, before.hopeful), "nothing else changes by it"
    assert "Of the others" not in out.about and out.offered == f"{out.words}: nothing else changes"
    # What was chosen by hand and says nothing is more likely a slip: that is mended before a draw.
    assert is_due(out, before) is (source is LevelSource.HAND)


def test_once_it_is_said_what_matters_most_the_others_are_left_out_though_something_is_unsaid(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    said = {"job": "cook, clerk, baker, smith, priest", "pay": "0-60000", "born": "1950-1999"}
    for name, words in said.items():
        session.release.steps.set_said(name, words)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["pay", "born"])(SILENT))
    expect(session, 800)
    (asks,) = remedies(session, outlook(session))
    assert asks.words == "Say what occurs in postcode"
    assert is_due(asks, outlook(session))
    for name in ("pay", "job"):
        session.release.steps.set_importance(name, Importance.KEEP)
    found = outlook(session)
    (out,) = remedies(session, found)
    assert out.words == "Leave born and postcode out", "and of what pays for others it is not asked what occurs"
    assert out.is_choice, "nobody is led to it"
    assert "postcode" in found.silent and not is_due(asks, found, ("pay", "job")), "it pays for what matters most"
    assert is_due(asks, found, ("postcode",)), "what matters most is to say something"


@pytest.mark.parametrize("rows", [None, 2400])
def test_what_only_makes_others_finer_comes_after_what_helps_a_column_that_says_nothing(
    tmp_path: Path, rows: int | None
) -> None:
    session = opened(tmp_path / "one")
    jobs = Hierarchy.from_rows([("cook", "*"), ("Clerk", "*")])
    session.data.attach_hierarchy("job", replace(jobs, provenance=Provenance.PUBLIC))
    by_hand(session)
    session.release.columns.set_level("job", 1)
    expect(session, rows)
    found = outlook(session)
    assert found.silent == ("job",)
    offered = remedies(session, found)
    assert [one.words for one in offered] == ["Leave job out", "Say what occurs in 3 columns"]
    assert [is_due(one, found) for one in offered] == [True, False], "nobody is led to what need not be said"
    session.release.columns.set_level("born", session.project.hierarchies["born"].height)
    found = outlook(session)
    assert is_due(next(one for one in remedies(session, found) if one.field), found), "of born it has to be said"


def test_what_is_known_without_the_rows_is_asked_for_all_columns_at_once(tmp_path: Path) -> None:
    sessions = [opened(tmp_path / "one"), opened(tmp_path / "other", ("1811-12-31", "99999", "Lord Mayor", 987_654))]
    for session in sessions:
        session.release.columns.set_treatment("job", Treatment.LEAVE_OUT)
    asked = [known_columns(session) for session in sessions]
    assert asked[0] == asked[1], "whoever is in the table, the same is asked in the same words"
    assert [one.name for one in asked[0] if one.needed] == ["born", "postcode", "pay"]
    assert [one.name for one in asked[0] if not one.needed] == ["job"], "what was left out can be taken in again"
    assert not any(one.said for one in asked[0])
    session = sessions[0]
    wrong = refused(session, {"born": ("soon", ""), "postcode": ("1", SOURCES[0]), "pay": ("much", "")})
    assert set(wrong) == {"born", "pay"} and not session.project.anonymise.trim.occurring, "all are told, none is taken"
    said = {"born": ("1950-1999", SOURCES[0]), "postcode": ("1", SOURCES[1]), "pay": ("", SOURCES[2])}
    say(session, said, expected_rows=2400, number_known=True)
    trim = session.project.anonymise.trim
    assert trim.occurring == {"born": "1950-1999", "postcode": "1"} and trim.expected_rows == 2400 and trim.number_known
    assert trim.occurring_from == {"born": SOURCES[0], "postcode": SOURCES[1]}, "what is unsaid has none"
    session.release.steps.set_said("born", "1950-1959")
    assert session.release.steps.source_of("born") == SOURCES[0], "typed anew it is known from the same"
    session.save(tmp_path / "known.wbench")
    assert Session.from_file(tmp_path / "known.wbench").project.anonymise.trim == session.project.anonymise.trim


def test_what_occurs_keeps_the_recommended_steps_finer_and_makes_no_difference_to_levels_by_hand(
    tmp_path: Path,
) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    levels = session.release.chain().vectors
    session.release.steps.set_said("postcode", "10, 11")
    assert session.release.chain().vectors == levels
    coarse = session.snapshot()
    coarse.release.steps.set_said("postcode", "")
    for one in (coarse, session):
        one.release.steps.set_source(LevelSource.BALANCED)
    assert session.release.chain().vectors[0]["postcode"] < coarse.release.chain().vectors[0]["postcode"]


def test_public_values_and_bounds_of_a_column_count_too_but_none_that_were_read(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    before = outlook(session).groups[0]
    with pytest.raises(WorkbenchError, match="says nothing of what can occur"):
        session.release.steps.set_said("pay", "much")
    schema = session.project.schema.changed(["pay"], lambda one: replace(one, bounds=(0.0, 39_999.0)))
    session.state.change(schema=schema)
    assert outlook(session).groups[0] < before
    read = schema.changed(["pay"], lambda one: replace(one, observed=frozenset({"bounds"})))
    session.state.change(schema=read)
    assert outlook(session).groups[0] == before


@pytest.mark.parametrize(
    "builder, parameters, details, words, labels",
    [
        ("masking", {"length": 3}, {}, "0, 12", (110, 11, 2, 1)),
        ("masking", {"length": 3}, {}, "10-14", (50, 5, 1, 1)),
        ("dates", {}, {"levels": [{"unit": "month"}, {"unit": "decade"}]}, "1958-1961, 1990s", (5110, 168, 3, 1)),
        ("spelling", {}, {}, "m, M, f", (3, 2, 1)),
        (
            "intervals",
            {},
            {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1}, {"group": 2}]},
            "5-24, 40",
            (21, 4, 3, 1),
        ),
    ],
)
def test_labels_that_can_occur_are_counted_by_the_rule_alone(
    builder: str, parameters: dict[str, object], details: dict[str, object], words: str, labels: tuple[int, ...]
) -> None:
    value = {"dates": "2000-01-01", "intervals": "5"}.get(builder, "123")
    kind = {"dates": Kind.DATE, "intervals": Kind.INTEGER}.get(builder, Kind.TEXT)
    column = ColumnSpec("x", kind, format=Format(pattern="%Y-%m-%d" if builder == "dates" else ""))
    made = build_hierarchy(specification(builder, parameters, details, column=column), [value], column=column)
    found = occurring_labels(made, entries_of(words))
    assert found is not None and found[: len(labels)] == labels


@pytest.mark.parametrize(
    "words", ["a, b c; d", "a\nb c\nd", "a\r\nb c\r\n\r\nd\r\n", "a\tb c\td", "a\u2028b c\x0bd", "a,\nb c,\nd"]
)
def test_a_code_list_is_read_a_value_a_line_as_well(words: str) -> None:
    assert entries_of(words) == ("a", "b c", "d")


def test_values_or_groups_of_a_list_are_named_as_it_writes_them() -> None:
    listed = Hierarchy.from_rows([(str(age), f"{age // 10}0s", "*") for age in range(10, 60)])
    assert occurring_labels(listed, entries_of("20s, 35")) == (11, 2, 1)
    assert occurring_labels(listed, entries_of("30-41")) == (12, 2, 1)
    with pytest.raises(WorkbenchError, match="says nothing"):
        occurring_labels(listed, ("old",))
    derived = Hierarchy.from_rows([("1", "*")], provenance=Provenance.DERIVED)
    assert occurring_labels(derived, ("1",)) is None


def test_values_of_few_people_are_said_to_vanish_before_anything_is_drawn(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    promised = session.release.guarantee()
    assert isinstance(promised, TrimGuarantee)
    found = assess(session).vanishing
    assert "; in born, postcode, job and pay no number is enough in every table." in found
    assert f"fewer than {promised.half_somewhere} of your 2,400 people are" in found, (
        "what is true of every table is told"
    )
    expect(session, None)
    assert f"fewer than {promised.half_somewhere} people are" in assess(session).vanishing


def test_each_column_is_named_with_the_number_of_people_a_value_of_it_needs() -> None:
    def told(rows: int | None = None, **needs: tuple[int, int | None]) -> str:
        lines = [DetailOutlook(name, 0, "as it is", (80, 90), needed) for name, needed in needs.items()]
        return vanishing([*lines, DetailOutlook("race", 1, "*", (10, 20))], tuple(needs), rows, "people")

    assert told(race=(33, 400), age=(32, 300), job=(32, 300), sex=(31, 200)) == (
        "Values of fewer than 31 people are likely to be missing, those of 400 or more to come out in race, 300 in age "
        "and job, 200 in sex."
    )
    assert told(500, race=(33, None), sex=(31, 200)) == (
        "Values of fewer than 31 of your 500 people are likely to be missing, those of 200 or more to come out in sex; "
        "in race no number is enough in every table."
    )
    assert "those of 200 or more to come out in any column." in told(**dict.fromkeys("abcd", (31, 200)))
    assert "300 or more to come out in a, 200 in the others." in told(a=(31, 300), **dict.fromkeys("bcde", (31, 200)))


def test_all_columns_that_are_to_be_kept_are_kept_from_becoming_a_star_at_once(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, 2_400)
    for name in ("born", "pay", "postcode"):
        session.release.steps.set_importance(name, Importance.KEEP)
    before = outlook(session)
    assert {"born", "pay", "postcode"} & {*before.starred, *before.often}, "becoming * last keeps none of them for sure"
    offered = next(one for one in remedies(session, before) if one.words.startswith("Never * in "))
    assert offered.edit is not None
    coarse, lost = session.snapshot(), {name for name in ("born", "pay", "postcode") if name in offered.about}
    never_star(coarse, sorted(lost))
    price = re.search(r": (?:\d+ to )?\d+ in 100$", offered.words)
    assert bool(price) is (outlook(coarse).fewest < before.fewest - 0.05), "the rows that it costs are on the button"
    offered.edit(session)
    after = outlook(session)
    assert lost.isdisjoint({*after.starred, *after.often, *after.silent})
    hierarchies = session.project.hierarchies
    for step in session.release.chain().vectors:
        assert not any(hierarchies[name].says_nothing(step[name]) for name in lost)
    assert not [one for one in remedies(session, after) if one.words.startswith("Never * in ")]


@pytest.mark.parametrize("rows", [300, 1_200, 2_400, 10_000])
def test_what_must_not_become_a_star_is_as_fine_as_it_can_be_without_a_row_less(tmp_path: Path, rows: int) -> None:
    session, kept = opened(tmp_path / "one"), ("born", "pay", "postcode")
    by_hand(session)
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, rows)
    for name in kept:
        session.release.steps.set_importance(name, Importance.KEEP)
    found = outlook(session)
    (offered,) = [one for one in remedies(session, found) if one.words.startswith("Never * in ")]
    assert offered.edit is not None
    assert is_due(offered, found) is (" in 100" not in offered.words), "nobody is led to give up rows"
    names = [name for name in kept if name in offered.about.partition(".")[0]]
    coarse = session.snapshot()
    never_star(coarse, names)
    offered.edit(session)
    least, after = outlook(coarse), outlook(session)
    assert after.hopeful > least.hopeful - 0.01 and after.told >= 0.98 * least.told
    assert {*after.starred, *after.often} <= {*least.starred, *least.often}
    for name in names:
        level = least_of(session, name)
        assert level is not None and level <= (least_of(coarse, name) or 0)
        finer = session.snapshot()
        wish_least(finer, name, level - 1)
        told = outlook(finer)
        ends = [[round(100 * min(end, 1)) for end in (one.fewest, one.hopeful)] for one in (told, least)]
        costs = any(new < old for new, old in zip(*ends, strict=True)) or told.told < 0.98 * least.told
        assert costs or set(told.starred) - set(least.starred), "as the forecast allows"


def test_what_must_not_become_a_star_and_leaves_few_rows_is_said_and_never_taken_back(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 600)
    free = outlook(session)
    assert what_is_lost(session, free) == ""
    wish_least(session, "postcode", 2)
    assert least_of(session, "postcode") == 2
    assert all(step["postcode"] <= 2 for step in session.release.chain().vectors)
    bound = outlook(session)
    assert bound.fewest < free.fewest
    ends = f"{round(100 * free.fewest)} to {round(100 * free.hopeful)} in 100"
    assert what_is_lost(session, bound) == f"If postcode could become *, {ends}."
    assert assess(session).vanishing.startswith(f"If postcode could become *, {ends}.")
    assert between(0.916, 0.924) == "92 in 100", "no range of nothing"
    assert not [one for one in remedies(session, bound) if one.words.startswith("Let ")], (
        "what was wished stays the person's"
    )
    wish_least(session, "postcode", None)
    assert outlook(session) == free


def test_what_is_to_be_kept_is_never_advised_to_be_left_out(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    # Until it is said what occurs, nobody is offered to leave out what may tell something then.
    for name, words in {"born": "1955-2005", "postcode": "01, 02, 03", "job": "cook, clerk", "pay": "0-120000"}.items():
        session.release.steps.set_said(name, words)
    expect(session, 200)
    names, left = session.project.schema.names, set[str]()
    ways = [itertools.product((Importance.NORMAL, one), repeat=len(names)) for one in (Importance.KEEP, None)]
    for wished in itertools.chain(*ways):
        for name, one in zip(names, wished, strict=True):
            levels = telling_levels(session.project.hierarchies[name])
            wish_least(session, name, levels[-1] if one is None and levels else None)
            session.release.steps.set_importance(name, one or Importance.NORMAL)
        free = {name for name, one in zip(names, wished, strict=True) if one is Importance.NORMAL}
        found = [one for one in remedies(session, outlook(session)) if one.words.startswith("Leave ")]
        # Where there are many, they are named where the button is pointed at.
        shown = {f"Leave {one.about.split(' would ')[0]} out" if "columns" in one.words else one.words for one in found}
        offered = {words.replace(",", " and") for words in shown}
        said = {name for words in offered for name in words[len("Leave ") : -len(" out")].split(" and ")}
        assert said <= free, offered
        left |= offered
    assert left, "others are, where that helps"


def test_what_is_to_be_given_up_first_is_advised_to_be_left_out_first(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_source(LevelSource.STEPS)  # whose levels do not follow what is wished
    expect(session, 300)

    def offered() -> list[str]:
        silent = outlook(session).silent
        tried = [one.words for one in _candidates(session, outlook(session)) if one.words.startswith("Leave ")]
        return [one for one in tried if one.split()[1] not in silent]

    assert len(offered()) > 1
    for name in [one.split()[1] for one in offered()]:
        session.release.steps.set_importance(name, Importance.GIVE_UP)
        assert offered()[0] == f"Leave {name} out"
        session.release.steps.set_importance(name, Importance.NORMAL)
    session.data.set_role([name], Role.SENSITIVE)
    assert f"Leave {name} out" not in offered(), "what is sensitive is why the table is published"


@pytest.mark.parametrize("rows", [None, 900, 1_000, 1_100])
def test_a_delta_above_one_in_the_rows_that_are_expected_is_told_of(tmp_path: Path, rows: int | None) -> None:
    session = opened(tmp_path / "one")
    expect(session, rows)
    session.release.set_guarantee(replace(session.project.anonymise.guarantee, delta=1e-3))
    assert bool(assess(session).large_delta) is (rows == 1_100), "of what was typed alone, whatever the table has"


@pytest.mark.parametrize(("rows", "advised"), [(None, ""), (1_000, ""), (1_001, "1e-6"), (14_000, "1e-7")])
def test_how_small_delta_should_be_is_told_of_the_rows_that_are_expected(
    tmp_path: Path, rows: int | None, advised: str
) -> None:
    session = opened(tmp_path / "one")
    expect(session, rows)
    said = assess(session).delta_advice
    assert (f": {advised} for the" in said) if advised else not said
    session.release.set_guarantee(replace(session.project.anonymise.guarantee, delta=usual_delta(rows)))
    assert not assess(session).delta_advice


def test_another_draw_is_worth_its_price_only_if_what_is_left_becomes_finer() -> None:
    before = ({"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 3, "c": 2})
    assert _finer(before, ({"b": 0, "c": 1}, {"b": 3, "c": 2}))
    assert _finer(before, ({"b": 1, "c": 1}, {"b": 2, "c": 2})), "with fewer steps or more, first and last are compared"
    assert not _finer(before, ({"b": 1, "c": 1}, {"b": 3, "c": 2})), "nothing is gained"
    assert not _finer(before, ({"b": 0, "c": 2}, {"b": 3, "c": 2})), "nor where another becomes coarser"


def test_the_example_of_what_occurs_is_of_the_size_of_the_rule() -> None:
    for width, said in (
        (5, "such as 0-100"),
        (10, "such as 0-100"),
        (10_000, "such as 0-100000"),
        (0.5, "such as 0-10"),
    ):
        plain = specification("intervals", {"unlisted": "any"}, {"intervals": [{"from": 0, "to": width}]})
        assert example_of(build_hierarchy(plain, ["1"], None, ColumnSpec("age", Kind.DECIMAL))) == said
    assert example_of(None) == "such as a, b, c"


@pytest.mark.parametrize("rows", [400, 1_000, 4_000, 20_000])
def test_of_what_may_be_a_star_in_many_rows_it_is_asked_what_occurs(tmp_path: Path, rows: int) -> None:
    session = opened(tmp_path / "one")
    expect(session, rows)
    found = outlook(session)
    asked = {name for one in remedies(session, found) for name in one.columns}
    assert set(found.often) <= asked, "and not told as lost without a word of what to do"
    for name in found.often:
        said = {"born": "1950-1999", "postcode": "10", "job": "cook, clerk", "pay": "0-60000"}[name]
        session.release.steps.set_said(name, said, "common knowledge")
    assert not set(found.often) & {name for one in remedies(session, outlook(session)) for name in one.columns}


def test_of_a_rule_that_is_finer_since_it_is_known_how_far_a_column_reaches_it_is_told(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    expect(session, 4_000)

    def offered() -> list[tuple[str, str]]:
        return [(one.words, one.field) for one in remedies(session, outlook(session))]

    assert not any("finer" in words for words, _ in offered())
    session.release.steps.set_said("pay", "0-60000", "register or publication")
    assert offered()[0] == ("Make pay finer…", "hierarchy:pay")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["pay"])(SILENT))
    assert not any("finer" in words for words, _ in offered()), "it is as fine as its rule makes it"


def test_it_is_known_whether_anything_is_left_to_say_of_what_can_occur(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    said = {"born": "1950-1999", "postcode": "10, 11", "job": "cook, clerk", "pay": "0-60000"}
    for name, words in said.items():
        assert is_unknown(session)
        session.release.steps.set_said(name, words)
    assert not is_unknown(session)
    session.release.steps.set_said("pay", "")
    assert is_unknown(session)
    session.release.columns.set_treatment("pay", Treatment.LEAVE_OUT)
    assert not is_unknown(session), "what is left out need not be known"


def test_the_last_column_that_is_not_kept_longest_is_not_offered_to_be_kept_too(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, 300)
    for name in ("born", "postcode"):
        session.release.columns.set_treatment(name, Treatment.LEAVE_OUT)
    offered = {}
    for kept in ((), ("pay",), ("job",)):
        trial = session.snapshot()
        for name in kept:
            trial.release.steps.set_importance(name, Importance.KEEP)
        offered[kept] = [one.words for one in _candidates(trial, outlook(trial))]
    assert not any(words.startswith("Keep ") for kept, some in offered.items() if kept for words in some), offered


def test_nobody_is_led_to_keep_a_column_for_which_another_becomes_a_star(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    said = {"born": "1950-1999", "postcode": "10, 11", "job": "cook, clerk, baker, smith, priest", "pay": "0-60000"}
    for name, words in said.items():
        session.release.steps.set_said(name, words)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["born"])(SILENT))
    # Five times as wide each: with finer steps of it nothing is traded in tables as small as these.
    pay = session.project.schema["pay"]
    plain = public_specification(reaching(pay, ("0-60000",)), earlier=True)
    column = session.data.table["pay"]
    session.data.attach_hierarchies({"pay": build_hierarchy(plain, column.values, column.counts, pay)})
    session.release.columns.set_treatment("postcode", Treatment.LEAVE_OUT)
    traded = 0
    for rows in (300, 450, 600, 900):
        expect(session, rows)
        found = outlook(session)
        for one in remedies(session, found):
            if not one.words.startswith("Keep ") or one.edit is None:
                continue
            trial = session.snapshot()
            one.edit(trial)
            after = outlook(trial)
            lost = {*after.starred, *after.often} - {*found.starred, *found.often}
            traded += bool(lost)
            assert is_due(one, found) is not bool(lost), (rows, one.words)
            assert all(name in one.words for name in lost) or len(lost) > 2, one.words
    assert traded, "none of these tables shows anything"


def test_nobody_is_led_to_keep_a_column_beside_those_that_were_said_to_matter_most(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    by_hand(session)
    session.release.steps.set_source(LevelSource.BALANCED)

    def offered(one: Session) -> list[str]:
        return [found.words for found in _candidates(one, outlook(one)) if found.words.startswith("Keep ")]

    seen = 0
    for rows, kept in itertools.product((150, 300, 600), ("pay", "job", "born")):
        expect(session, rows)
        seen += len(offered(session))
        trial = session.snapshot()
        trial.release.steps.set_importance(kept, Importance.KEEP)
        assert not offered(trial), "it would be paid for by those that were said to matter"
    assert seen, "none of these tables offers one where nothing was said"


def test_intervals_by_the_rule_of_earlier_programs_follow_from_what_was_said_too(tmp_path: Path) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_said("pay", "0-60000")
    pay, column = session.project.schema["pay"], session.data.table["pay"]
    known = reaching(pay, ("0-60000",))
    for earlier in (False, True):
        made = build_hierarchy(public_specification(known, earlier=earlier), column.values, column.counts, known)
        plain = {**made.specification, "column": public_specification(pay)["column"]}
        assert follows_said(replace(made, specification=plain), pay, ("0-60000",)), earlier
        assert not follows_said(replace(made, specification=plain), pay, ("0-300000",)), earlier
    assert public_specification(known) != public_specification(known, earlier=True)
