"""The forecast for numbers of which nobody said from where to where they reach: what came out lies in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outlook_steps import expect, outlook
from workbench.anonymise.balanced import Importance
from workbench.core.guessed_reach import possible_labels
from workbench.core.progress import SILENT
from workbench.core.public_sizes import public_sizes
from workbench.project.model import new_project
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.remedies import is_due, remedies

_PEOPLE = 900


def opened(folder: Path, name: str, *more: float) -> Session:
    """900 people of four clubs, with numbers from 20 to 900 in no order."""
    folder.mkdir()
    numbers = [*(round(20 + 880 * (i * 0.6180339887 % 1), 2) for i in range(_PEOPLE)), *more]
    lines = (f"{'abcd'[i % 4]},{number:.2f}\n" for i, number in enumerate(numbers))
    (folder / "clubs.csv").write_text(f"club,{name}\n" + "".join(lines), encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "clubs.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["club", name])(SILENT))
    expect(session, _PEOPLE)
    session.release.steps.set_importance(name, Importance.KEEP)
    return session


def test_what_comes_out_of_a_column_of_wide_reach_is_within_the_forecast(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", "score")
    session.release.set_seed(1)  # a simulation, which draws nothing for good
    found = outlook(session)
    assert session.release.chain().vectors[0]["score"] == 1, "intervals of 10, of which 88 occur"
    share = session.release.accept(session.release.anonymiser()(SILENT)).outcome.rows_out / _PEOPLE
    assert found.fewest <= share <= found.hopeful and share < 0.5 < found.hopeful
    assert found.risky and "nobody said how far score reaches" in found.short
    told = [one for one in assess(session).details if one.column == "score"]
    assert told and all(one.rows[0] <= 100 * share <= one.rows[1] for one in told if len(told) == 1)
    assert {one.caution for one in told} == {"how many is a guess"}


def test_it_is_asked_of_a_column_that_matters_before_a_draw_and_settled_by_its_ends(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", "score")
    found = outlook(session)
    asked = [one for one in remedies(session, found) if is_due(one, found, ("score",))]
    assert [one.columns for one in asked] == [("score",)] and found.unknown == ("score",)
    assert not any(is_due(one, found, ("club",)) for one in asked), "nobody is led to it for what the others pay for"
    session.release.steps.set_said("score", "0-1000")
    found = outlook(session)
    assert not found.unknown and found.fewest > 0.5 and "nobody said" not in found.short


def test_it_is_the_same_whoever_is_in_the_table(tmp_path: Path) -> None:
    one, other = opened(tmp_path / "one", "score"), opened(tmp_path / "other", "score", 987_654.0)
    assert outlook(one) == outlook(other) and assess(one).details == assess(other).details


@pytest.mark.parametrize("name", ["age", "visits", "year of joining", "BMI"])
def test_a_name_that_tells_how_far_it_reaches_is_taken_at_its_word(tmp_path: Path, name: str) -> None:
    session = opened(tmp_path / "one", name)
    hierarchy = session.project.hierarchies[name]
    assert possible_labels(name, hierarchy) == public_sizes(hierarchy).labels
    assert name not in outlook(session).unknown or outlook(session).fewest > 0.5


def test_more_labels_are_possible_only_of_intervals_that_nobody_bounded(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", "score")
    hierarchy = session.project.hierarchies["score"]
    assert public_sizes(hierarchy).labels[1:] == (16, 8, 4, 1)
    assert possible_labels("score", hierarchy)[1:] == (100, 50, 25, 1)
    assert possible_labels("score", hierarchy, ("0-200",)) == public_sizes(hierarchy, ("0-200",)).labels
    assert possible_labels("club", None) == public_sizes(None).labels


@pytest.mark.parametrize("name", ["fee €", "Rent", "monthly_fee", "cost in £", "Mitgliedsbeitrag", "Gebühr EUR"])
def test_names_with_money_in_them_are_amounts(tmp_path: Path, name: str) -> None:
    session = opened(tmp_path / "one", name)
    rule = session.project.hierarchies[name].specification
    assert rule is not None and rule["details"]["intervals"][0]["to"] == 10_000


@pytest.mark.parametrize("name", ["coffee", "neuron", "parent", "eurythmics"])
def test_other_names_are_not(tmp_path: Path, name: str) -> None:
    session = opened(tmp_path / "one", name)
    rule = session.project.hierarchies[name].specification
    assert rule is not None and rule["details"]["intervals"][0]["to"] == 10


def test_the_short_forecast_says_on_which_guess_it_rests_until_it_is_said(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", "age")
    session.release.steps.set_importance("club", Importance.KEEP)
    assert "more values than 8 in club" in outlook(session).short
    session.release.steps.set_said("club", "a, b, c, d")
    assert "more values than" not in outlook(session).short


def test_numbers_with_decimals_are_more_than_the_whole_ones_within_their_range(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", "score")
    hierarchy = session.project.hierarchies["score"]
    assert public_sizes(hierarchy, ("0-5",)).labels[:2] == (501, 1)
    assert public_sizes(hierarchy, ("1", "2.5", "7")).labels[0] == 3
