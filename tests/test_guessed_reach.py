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
    assert found.risky and "nobody said what occurs in" in found.short
    told = [one for one in assess(session).details if one.column == "score"]
    assert told and all(one.rows[0] <= 100 * share <= one.rows[1] for one in told if len(told) == 1)
    assert {one.caution for one in told} == {"say what occurs"}


def test_it_is_asked_of_a_column_that_matters_before_a_draw_and_settled_by_its_ends(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", "score")
    found = outlook(session)
    asked = [one for one in remedies(session, found) if is_due(one, found, ("score",))]
    assert [one.columns for one in asked] == [("score",)] and "score" in found.unknown
    assert not any(is_due(one, found, ("club",)) for one in asked), "nobody is led to it for what the others pay for"
    session.release.steps.set_said("score", "0-1000")
    found = outlook(session)
    assert "score" not in found.unknown and found.fewest > 0.5 and "nobody said" not in found.short


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
    assert possible_labels("club", None) == (30, 1) and possible_labels("sex", None) == public_sizes(None).labels


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


def test_what_comes_out_of_more_words_than_guessed_is_within_the_forecast(tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    lines = (f"word{chr(97 + i % 26)},{'xyzuvwst'[i // 26 % 8]}oo\n" for i in range(_PEOPLE))
    (tmp_path / "many" / "t.csv").write_text("department,town\n" + "".join(lines), encoding="utf-8")
    session = Session(new_project())
    session.data.open(tmp_path / "many" / "t.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester(["department", "town"])(SILENT))
    expect(session, _PEOPLE)
    for name in ("department", "town"):
        session.release.steps.set_importance(name, Importance.KEEP)
    session.release.set_seed(1)
    found = outlook(session)
    share = session.release.accept(session.release.anonymiser()(SILENT)).outcome.rows_out / _PEOPLE
    assert found.fewest <= share < 0.5 <= found.hopeful
    assert "as nobody said what occurs in" in found.short and set(found.unknown) == {"department", "town"}
    asked = [one for one in remedies(session, found) if is_due(one, found, ("department", "town"))]
    assert set(asked[0].columns) == {"department", "town"}, "before it is asked whether they must not be *"
    session.release.steps.set_said("department", ", ".join(f"word{chr(97 + i)}" for i in range(26)))
    session.release.steps.set_said("town", ", ".join(f"{one}oo" for one in "xyzuvwst"))
    assert "nobody said" not in outlook(session).short


def test_numbers_with_decimals_are_more_than_the_whole_ones_within_their_range(tmp_path: Path) -> None:
    session = opened(tmp_path / "one", "score")
    hierarchy = session.project.hierarchies["score"]
    assert public_sizes(hierarchy, ("0-5",)).labels[:2] == (501, 1)
    assert public_sizes(hierarchy, ("1", "2.5", "7")).labels[0] == 3


@pytest.mark.parametrize("far", [1e300, -1e300, 1e16])
def test_a_number_that_is_too_far_away_does_not_decide_whether_there_is_a_hierarchy(tmp_path: Path, far: float) -> None:
    one, other = opened(tmp_path / "one", "score"), opened(tmp_path / "other", "score", far)
    assert "score" in other.project.hierarchies and outlook(one) == outlook(other)
    assert one.release.chain() == other.release.chain()


def test_not_how_many_columns_nobody_spoke_of_is_told_beside_the_button_that_asks_of_more(tmp_path: Path) -> None:
    """Columns of codes and words widen the forecast, of numbers it is asked too: two counts would seem a mistake."""
    names = ("department", "town", "street", "team")
    (tmp_path / "t.csv").write_text(
        "\n".join(
            [
                ",".join((*names, "pay")),
                *(f"{chr(97 + i % 20)}x,t{i % 9}q,s{i % 30}v,m{i % 7}n,{i}" for i in range(900)),
            ]
        )
        + "\n"
    )
    session = Session(new_project())
    session.data.open(tmp_path / "t.csv")
    session.data.attach_hierarchies(session.data.hierarchy_suggester([*names, "pay"])(SILENT))
    expect(session, 20_000)
    found = outlook(session)
    assert found.short.endswith("as nobody said what occurs."), found.short
    assert any(one.words == "Say what occurs in 5 columns" for one in remedies(session, found))
