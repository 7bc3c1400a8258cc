"""Where the levels of an (ε, δ) release come from, through the session."""

from __future__ import annotations

import json
import math
import zipfile
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.levels.helpers import AGES, CITIES, drawing
from tests.report.stated import stated
from workbench.anonymise import dp_search
from workbench.anonymise.dp_search import Degree, PrivateSearch, choose_levels, public_nodes
from workbench.anonymise.level_scores import Score
from workbench.anonymise.reasons import Reason
from workbench.anonymise.recipe import Treatment
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.private_draw import Draw
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.randomness import SeededSource
from workbench.core.schema import PrivacyUnit
from workbench.project.model import LevelChoice, LevelsBy
from workbench.project.storage import load_project
from workbench.report.checklist import checklist
from workbench.session import Session


def statement(session: Session) -> str:
    result = session.release.current_result()
    return stated(session, result.outcome, session.release.current_claim())


def test_search_and_release_are_promised_together(session: Session) -> None:
    before = session.release.claim()
    assert (before.guarantee.epsilon, before.guarantee.release.epsilon) == (1.2, 1.0)
    result = session.release.anonymise()
    claim = result.claim
    assert claim.holds
    assert claim.guarantee.epsilon == 1.2
    assert claim.guarantee.delta <= 1e-5
    assert result.drawn is not None
    assert result.drawn.choice.levels in public_nodes({"age": AGES, "city": CITIES})
    assert result.outcome.recipe.levels == result.drawn.choice.levels
    assert (result.outcome.recipe.k, result.outcome.recipe.beta) == (claim.guarantee.k, claim.guarantee.beta)
    text = statement(session)
    assert "ε = 1.2, δ = 1e-5" in text
    assert "ε 1.2 = 0.2 for choosing the levels + 1 for the release" in text
    assert "3.321 (e^ε, rounded up)" in text
    for name, level in result.drawn.choice.levels.items():
        assert f"<th scope=row>{name}</th><td>level {level} of" in text
    assert "drawn privately (permute-and-flip)" in text
    fine = {check.title: check.text for check in checklist(claim, result.outcome)}["Levels and parameters"]
    assert "1.2 = 0.2" in fine


def test_an_attacker_is_bounded_by_the_whole_promise(session: Session) -> None:
    """Guessing with ε = 1.2 is right up to 76.9 % of the time; with that of the file alone, 1, it would be 73.1 %."""
    session.release.anonymise()
    session.release.look(publish=True)
    told = session.attacks.membership_tester()()
    assert told.bound == pytest.approx((1 + math.tanh(0.6)) / 2, abs=1e-5)
    assert told.bound == pytest.approx(0.769, abs=5e-4)


def test_the_likelihood_of_a_draw_stays_with_the_analyst(session: Session) -> None:
    session.release.columns.set_search(PrivateSearch(1e-3))
    drawn = session.release.anonymise().drawn
    assert drawn is not None
    text = statement(session)
    for chance in (drawn.chance, *(one.probability for one in drawn.likeliest)):
        assert f"{chance:.4g}" not in text and f"{100 * chance:.1f}" not in text


def test_the_sample_of_the_release_is_not_the_one_that_was_judged(session: Session) -> None:
    # The search sees every row, the release only some: with a seed both can be told apart.
    session.release.set_seed(5)
    searched = session.release.anonymise()
    session.release.columns.set_levels_by(LevelsBy.HAND)
    for name, level in searched.outcome.recipe.levels.items():
        session.release.columns.set_level(name, level)
    by_hand = session.release.anonymise()
    assert searched.outcome.recipe == by_hand.outcome.recipe
    assert searched.outcome.sampled_rows.tolist() != by_hand.outcome.sampled_rows.tolist()


def test_a_seeded_search_is_a_simulation(session: Session) -> None:
    session.release.set_seed(5)
    results = [session.release.anonymise() for _ in range(2)]
    assert results[0].outcome.recipe == results[1].outcome.recipe
    assert {reason.code for reason in results[0].claim.reasons} == {"seeded"}
    assert results[0].drawn is not None and not results[0].drawn.choice.secure


def test_undo_and_redo_do_not_draw_again(session: Session) -> None:
    project, first = session.project, session.release.anonymise()
    session.release.columns.set_search(PrivateSearch(0.5))
    assert not session.release.result_is_current
    session.project = project
    assert session.release.recall()
    assert session.release.result is first
    assert session.release.claim().guarantee.epsilon == 1.2
    assert "earlier-releases" not in codes(session.release.claim().cautions), "what is there is not drawn again"
    assert session.release.anonymise() is first, "equal settings on equal data show the draw that exists"
    assert session.ledger.current.spent().epsilon == Fraction("1.2")


def codes(reasons: Iterable[Reason]) -> set[str]:
    return {reason.code for reason in reasons}


def test_every_draw_is_charged_when_it_is_made(session: Session, tmp_path: Path) -> None:
    first = session.release.anonymise()
    assert "earlier-releases" not in codes(first.claim.cautions)
    assert session.ledger.current.spent().epsilon == Fraction("1.2")
    second = session.release.draw_again()
    assert session.ledger.current.spent().epsilon == Fraction("2.4")
    assert [entry.charge.kind for entry in session.ledger.current.entries] == ["search", "release"] * 2
    assert not session.project.releases, "nothing has left"
    assert second.claim.guarantee.epsilon == 1.2 and second.claim.holds
    (caution,) = second.claim.cautions
    assert caution.code == "earlier-releases" and "(2.4," in caution.text, "the first draw counts, seen or not"
    session.release.export(tmp_path / "out.csv", tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "ε = 1.2," in text and "(2.4," in text
    (record,) = session.project.releases
    assert (record.file, record.epsilon, record.levels_epsilon) == ("out.csv", 1.0, 0.2)
    assert session.ledger.current.spent().epsilon == Fraction("2.4"), "leaving costs nothing more"
    assert session.release.current_claim().guarantee.epsilon == 1.2
    assert "(2.4," in next(
        one.text for one in session.release.current_claim().cautions if one.code == "earlier-releases"
    )
    third = session.release.draw_again()
    assert "(3.6," in next(one.text for one in third.claim.cautions if one.code == "earlier-releases")


def test_writing_the_same_release_again_costs_nothing(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    session.release.export(tmp_path / "a.csv")
    session.release.export(tmp_path / "b.csv")
    assert len(session.project.releases) == 1
    assert session.ledger.current.spent().epsilon == Fraction("1.2")


def test_draws_that_were_seen_count_for_everybody(session: Session, data: Path) -> None:
    for _ in range(4):
        session.release.draw_again()
    fresh = Session()
    fresh.data.open(data)
    assert fresh.ledger.current.spent().epsilon == Fraction("4.8")
    # Other settings may be tried: what was shown of the data is paid for, and added up with their price.
    assert fresh.release.claim().holds and "(4.8" not in earlier(fresh) and "(5" in earlier(fresh)
    again = drawing(data)
    assert again.release.claim().holds and "(6," in earlier(again)


def earlier(session: Session) -> str:
    """What the claim says of earlier releases."""
    return next(one.text for one in session.release.claim().cautions if one.code == "earlier-releases")


def test_a_reopened_project_brings_its_draws_with_it(
    session: Session, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.release.anonymise()
    session.save(tmp_path / "p.wbench")
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "another machine"))
    again = Session.from_file(tmp_path / "p.wbench")
    again.data.open(data)
    assert again.project.anonymise == session.project.anonymise
    assert again.ledger.current.spent().epsilon == Fraction("1.2")
    again.release.anonymise()
    assert again.ledger.current.spent().epsilon == Fraction("2.4"), "the first draw is not kept, and not drawn anew"


def test_the_charge_stands_before_the_draw(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    spent = []
    draw = dp_search.draw_position

    def watched(*arguments: Any) -> int:
        spent.append(session.ledger.current.spent().epsilon)
        return draw(*arguments)

    monkeypatch.setattr(dp_search, "draw_position", watched)
    session.release.anonymise()
    assert spent and spent[0] >= Fraction("0.2")


def test_beyond_the_budget_nothing_is_drawn(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.ledger.current.set_budget(Fraction("1.3"), Fraction(2, 10**5))
    first = session.release.anonymise()
    monkeypatch.setattr(dp_search, "draw_position", None)
    with pytest.raises(WorkbenchError, match="beyond the budget") as refused:
        session.release.draw_again()
    assert "at most ε = 0.1" in refused.value.hint
    assert session.release.result is first
    assert len(session.ledger.current.entries) == 2 and not session.ledger.current.history.looks


def test_cancelled_before_the_draw_costs_nothing_and_afterwards_it_is_too_late(session: Session) -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        session.release.anonymiser()(Progress(token=token))
    assert not session.ledger.current.entries
    late = CancelToken()

    def told(_fraction: float, _text: str) -> None:
        if session.ledger.current.entries:
            late.cancel()

    produced = session.release.anonymiser()(Progress(told, late))
    assert produced.drawn is not None
    assert session.ledger.current.spent().epsilon == Fraction("1.2")


def test_a_seeded_draw_costs_nothing(session: Session) -> None:
    session.release.set_seed(3)
    session.release.anonymise()
    assert not session.ledger.current.entries


@pytest.mark.parametrize(("name", "holds"), [("loosely_described", False), ("peeked", False), ("passed_through", True)])
def test_what_breaks_the_choice_of_levels_is_charged_without_a_claim(session: Session, name: str, holds: bool) -> None:
    globals()[name](session)
    session.release.anonymise()
    entry, release = session.ledger.current.entries
    assert not release.charge.claimed
    assert (entry.charge.claimed, entry.charge.epsilon) == (holds, Fraction("0.2"))
    assert session.ledger.certificate(entry).holds is holds


def test_certificates_add_up_what_the_levels_have_cost(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    session.release.export(tmp_path / "out.csv")
    search, release = session.ledger.current.entries
    assert "(0.2, 0)" in session.ledger.certificate(search).sentence
    found = session.ledger.certificate(release)
    assert found.sentence.startswith("The file is (1.2, ")
    assert ("ε of drawing its levels, and of the file at these", "0.2 + 1") in found.facts


def loosely_described(session: Session) -> None:
    session.data.set_provenance("age", Provenance.DERIVED, "sorted and averaged")


def tuned(session: Session) -> None:
    session.release.anonymise()
    session.release.look(publish=True)
    session.release.columns.set_search(PrivateSearch(0.3))


def by_hand_afterwards(session: Session) -> None:
    levels = session.release.anonymise().outcome.recipe.levels
    session.release.look()
    session.release.columns.set_levels_by(LevelsBy.HAND)
    for name, level in levels.items():
        session.release.columns.set_level(name, level)


def peeked(session: Session) -> None:
    session.release.columns.set_levels_blind(False)


def limited_afterwards(session: Session) -> None:
    session.release.anonymise()
    session.release.look()
    session.release.columns.limit_levels("age", (0, 1))


def passed_through(session: Session) -> None:
    session.release.columns.set_treatment("person", Treatment.KEEP)


@pytest.mark.parametrize(
    ("break_it", "code"),
    [
        (loosely_described, "data-derived-hierarchy"),
        (tuned, "looked-before"),
        (by_hand_afterwards, "looked-before"),
        (limited_afterwards, "looked-before"),
        (peeked, "levels-not-blind"),
        (passed_through, "ungrouped-column"),
    ],
)
def test_what_voids_the_claim(session: Session, break_it: Callable[[Session], None], code: str) -> None:
    break_it(session)
    claim = session.release.anonymise().claim
    assert code in {reason.code for reason in claim.reasons}
    assert "claim is made" in statement(session)


def test_a_derived_hierarchy_matters_even_if_level_0_is_drawn(session: Session) -> None:
    loosely_described(session)
    session.release.columns.limit_levels("age", (0, 0))
    assert "data-derived-hierarchy" in {reason.code for reason in session.release.anonymise().claim.reasons}


def test_what_would_survive_is_told_for_the_drawn_levels_only(session: Session) -> None:
    with pytest.raises(WorkbenchError):
        session.release.survival.simulator()(SILENT)
    session.release.columns.limit_levels("age", (3, 3))
    session.release.columns.limit_levels("city", (1, 1))
    session.release.anonymise()
    explored = session.release.survival.simulator()(SILENT)
    assert explored.survival.classes == 1, "everybody is alike at the top, which is what was drawn"


def test_limits_bind_the_draw_and_the_degree(session: Session) -> None:
    session.release.columns.limit_levels("age", (2, 2))
    drawn = session.release.anonymise().drawn
    assert drawn is not None
    assert drawn.choice.nodes == 2
    assert drawn.choice.levels["age"] == 2
    session.release.columns.set_levels_by(LevelsBy.DEGREE)
    session.release.columns.set_degree(Degree.NONE)
    assert session.release.recipe().levels == {"age": 2, "city": 0}
    with pytest.raises(WorkbenchError):
        session.release.columns.limit_levels("age", (0, 9))
    with pytest.raises(WorkbenchError):
        session.release.columns.limit_levels("age", (2, 1))


def test_a_degree_fixes_the_levels_and_costs_nothing(session: Session) -> None:
    session.release.columns.set_levels_by(LevelsBy.DEGREE)
    session.release.columns.set_degree(Degree.MEDIUM)
    result = session.release.anonymise()
    assert result.outcome.recipe.levels == {"age": 2, "city": 1}
    assert result.drawn is None
    assert result.claim.guarantee.epsilon == 1.0
    assert any("degree “medium”" in sentence for sentence in result.claim.checked)
    # Going back to the same levels by hand is the same draw; another degree is another one.
    session.release.columns.set_levels_by(LevelsBy.HAND)
    session.release.columns.set_level("age", 2)
    session.release.columns.set_level("city", 1)
    assert session.release.anonymise() is result
    session.release.columns.set_levels_by(LevelsBy.DEGREE)
    session.release.columns.set_degree(Degree.COMPLETE)
    assert session.release.anonymise() is not result and session.release.claim().holds


def test_a_person_with_more_rows_is_promised_the_same_total(session: Session) -> None:
    session.data.set_unit(PrivacyUnit(3))
    result = session.release.anonymise()
    assert result.claim.guarantee.epsilon == 1.2
    assert result.claim.guarantee.rows_per_person == 3
    assert result.drawn is not None
    assert "up to 3" in statement(session)
    promised = result.claim.guarantee
    hierarchies, search = {"age": AGES, "city": CITIES}, PrivateSearch(0.01)
    session.release.columns.set_search(search)
    drawn = session.release.anonymise().drawn
    expected = [
        choose_levels(
            session.data.table,
            hierarchies,
            search,
            k=promised.k,
            beta=promised.beta,
            source=SeededSource(1),
            rows_per_person=rows,
        ).likeliest
        for rows in (3, 1)
    ]
    assert drawn is not None
    assert drawn.likeliest == expected[0] != expected[1]


def test_without_levels_to_choose_from_nothing_is_drawn(data: Path) -> None:
    session = Session()
    session.data.open(data)
    session.release.columns.set_treatment("city", Treatment.GENERALISE)
    session.release.columns.set_levels_by(LevelsBy.SEARCH)
    with pytest.raises(WorkbenchError):
        session.release.anonymise()
    assert session.project.looks == ()


def unpacked(path: Path) -> tuple[dict[str, bytes], dict[str, Any]]:
    """The files in a saved project, and what its settings say."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    return members, json.loads(members["project.json"])


def packed(path: Path, members: dict[str, bytes], document: dict[str, Any]) -> None:
    """Save it with other settings."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in {**members, "project.json": json.dumps(document).encode()}.items():
            archive.writestr(name, content)


def test_old_projects_open_and_new_ones_keep_everything(session: Session, tmp_path: Path) -> None:
    session.release.columns.limit_levels("age", (1, 2))
    session.release.columns.set_search(PrivateSearch(0.3, Draw.EXPONENTIAL, Score.CLASSES))
    session.release.columns.set_degree(Degree.LOW)
    path = tmp_path / "p.wbench"
    session.save(path)
    assert load_project(path).anonymise == session.project.anonymise
    # A file of an earlier program has none of it.
    members, document = unpacked(path)
    del document["anonymise"]["level_choice"]
    packed(path, members, document)
    assert load_project(path).anonymise.level_choice == LevelChoice()


@pytest.mark.parametrize("epsilon", [0, -0.1, 99, None])
def test_a_project_with_an_impossible_search_is_damaged(session: Session, tmp_path: Path, epsilon: object) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    members, document = unpacked(path)
    document["anonymise"]["level_choice"]["search"]["epsilon"] = epsilon
    packed(path, members, document)
    with pytest.raises(WorkbenchError):
        load_project(path)


def test_looks_of_earlier_programs_are_still_known(session: Session, data: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.wbench"
    session.save(path)
    members, document = unpacked(path)
    fingerprint = session.data.fingerprint
    looks = [
        {"fingerprint": fingerprint, "recipe": "theirs", "draws": 3, "paid": 1},
        {"fingerprint": fingerprint, "recipe": "simulated", "draws": 0},
    ]
    document |= {"version": 3, "looks": looks, "ledgers": {}}
    packed(path, members, document)
    again = Session.from_file(path)
    again.data.open(data)
    assert [(look.recipe, look.drawn) for look in again.ledger.looks(fingerprint)] == [
        *[("theirs", True)] * 3, ("simulated", False),
    ]  # fmt: skip
    assert codes(again.release.claim().reasons) == {"tuned-on-outcome"}
    assert again.release.anonymise().claim.reasons
    other = Session.from_file(path)
    other.data.open(data)
    looks = other.ledger.looks(fingerprint)
    assert len(looks) == 5, "they are in the ledger too by now, and count once"
    assert [look.settled is None for look in looks] == [True] * 4 + [False], (
        "a result without a claim is a look of today"
    )
