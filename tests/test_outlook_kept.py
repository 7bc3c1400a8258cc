"""Which columns of a release are advised to be kept, or kept from becoming *, and what that costs the others."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from tests.outlook_steps import by_hand, expect, opened, outlook
from workbench.anonymise.balanced import Importance
from workbench.anonymise.recipe import Treatment
from workbench.core.builder_suggestions import Suggested, public_specification
from workbench.core.building import build_hierarchy
from workbench.core.progress import SILENT
from workbench.session import Session
from workbench.session.release.assessment import assess
from workbench.session.release.remedies import _candidates, _finer, is_due, remedies, what_is_lost
from workbench.session.release.spread import between
from workbench.session.release.steps import LevelSource
from workbench.session.release.wishes import least_of, never_star, wish_least
from workbench.session.suggested_hierarchies import reaching


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


def test_another_draw_is_worth_its_price_only_if_what_is_left_becomes_finer() -> None:
    before = ({"a": 2, "b": 1, "c": 1}, {"a": 2, "b": 3, "c": 2})
    assert _finer(before, ({"b": 0, "c": 1}, {"b": 3, "c": 2}))
    assert _finer(before, ({"b": 1, "c": 1}, {"b": 2, "c": 2})), "with fewer steps or more, first and last are compared"
    assert not _finer(before, ({"b": 1, "c": 1}, {"b": 3, "c": 2})), "nothing is gained"
    assert not _finer(before, ({"b": 0, "c": 2}, {"b": 3, "c": 2})), "nor where another becomes coarser"


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
    plain = public_specification(reaching(pay, ("0-60000",)), way=Suggested.FIRST)
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
            assert one.gain and one.offered == f"{one.words}: {one.gain}", "what it costs is said before the press"
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
