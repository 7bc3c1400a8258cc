"""The outlook of a release before it is made: from public facts, the same for any rows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.outlook_steps import by_hand, expect, opened, outlook
from workbench.anonymise.balanced import Importance
from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.recipe import Treatment
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.usual_delta import usual_delta
from workbench.project.model import LevelsBy
from workbench.project.trim_settings import StepsBy
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.rare_values import vanishing
from workbench.session.release.remedies import remedies
from workbench.session.release.steps import LevelSource


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


def kept_whole(folder: Path) -> Session:
    """2,400 people are expected, it is said what occurs, and every column is to be kept from becoming a star."""
    session = opened(folder / "one")
    expect(session, 2400)
    for name, words in {"born": "1955-2005", "postcode": "01, 02, 03", "job": "cook, clerk", "pay": "0-120000"}.items():
        session.release.steps.set_said(name, words)
    for name in session.release.chain().vectors[0]:
        session.release.steps.set_importance(name, Importance.KEEP)
    return session


def test_with_every_column_on_keep_it_says_which_are_likely_to_be_starred_all_the_same(tmp_path: Path) -> None:
    session = kept_whole(tmp_path)
    found, last = outlook(session), session.release.chain().vectors[-1]
    stars = {name for name, level in last.items() if session.project.hierarchies[name].says_nothing(level)}
    assert stars and stars == {*found.starred, *found.often} and found.often
    assert all(f"have * in {name}" in found.words for name in found.often)
    assert found.wanting


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
    session = kept_whole(tmp_path)
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
