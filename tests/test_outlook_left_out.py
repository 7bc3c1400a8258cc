"""Which columns are advised to be left out of a release before it is made, and that no advice makes it worse."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from tests.outlook_steps import by_hand, expect, opened, outlook
from workbench.anonymise.balanced import Importance
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.session.release.remedies import FIGURES, _candidates, is_due, remedies
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import telling_levels, wish_least


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


def test_no_advice_speaks_of_what_is_not_ticked_and_a_star_in_every_row(tmp_path: Path) -> None:
    """It is left out with the draw, so that nobody gains by its being finer."""
    session = opened(tmp_path / "one")
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, 2400)
    session.release.set_guarantee(replace(session.project.anonymise.guarantee, epsilon=2))
    session.release.steps.set_importance("job", Importance.KEEP)
    found = outlook(session)
    assert found.silent == ("postcode",) and found.typed
    offered = remedies(session, found)
    assert offered and not any("postcode" in one.gain for one in offered), [(one.words, one.gain) for one in offered]


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
    assert not out.with_draw, "before it is said what the release is for, that may be it"
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


def test_a_question_instead_is_offered_where_what_matters_would_say_nothing_and_not_for_what_does_not(
    tmp_path: Path,
) -> None:
    """A question of counts is no use to whoever gets what the release is for, though most other columns are `*`."""
    session = opened(tmp_path / "one")
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, 60)
    found = outlook(session)
    assert len(found.silent) > 2 and any(one.field == FIGURES for one in remedies(session, found)), found.silent
    told = [name for name in session.project.schema.names if name not in found.silent]
    for name in told or ["job"]:
        session.release.steps.set_importance(name, Importance.KEEP)
    kept = outlook(session)
    assert not {*(told or ["job"])} & {*kept.silent} and len(kept.silent) > 1
    assert not any(one.field == FIGURES for one in remedies(session, kept))
    lost = kept.silent[0]
    session.release.steps.set_importance(lost, Importance.KEEP)
    for name in told or ["job"]:
        session.release.steps.set_importance(name, Importance.NORMAL)
    after = outlook(session)
    assert (lost in after.silent) == any(one.field == FIGURES for one in remedies(session, after))


@pytest.mark.parametrize("rows", [60, 300, 2400])
def test_before_it_is_said_what_the_release_is_for_no_column_of_it_is_offered_to_be_left_out(
    tmp_path: Path, rows: int
) -> None:
    session = opened(tmp_path / "one")
    session.release.steps.set_source(LevelSource.BALANCED)
    expect(session, rows)
    found = outlook(session)
    assert not any(one.words.startswith("Leave ") for one in _candidates(session, found))
