"""Plans, filters, and why nothing is composed that was not fixed beforehand."""

from __future__ import annotations

import itertools
import json
import math
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main
from workbench.core.charged_mechanism import LossKind, MechanismPart, mechanism_from_json, mechanism_to_json
from workbench.core.composition import REPLACE_ONE, ReleaseSpending, TablePart, added, total
from workbench.core.errors import WorkbenchError
from workbench.core.loss_pairs import sampling_pair
from workbench.core.optimal_composition import composed_delta
from workbench.query.composed_views import composed_views
from workbench.query.ledger import Charge, Ledger, LedgerHistory
from workbench.query.ledger_entries import Budget
from workbench.query.ledger_records import history_from_records, records_of
from workbench.query.open_slots import open_slots
from workbench.report.certificate import certificate_of

ONE, SMALL = Fraction(1), Fraction(1, 10**5)
SAMPLED = MechanismPart(LossKind.SAMPLE, ONE, SMALL, 0.27596767457081595, 12)
SAMPLING = ReleaseSpending(ONE, SMALL, mechanism=(SAMPLED,))


def sampling(number: int = 0, **changed: Any) -> Charge:
    parameters = {"file": f"{number}.csv", "beta": SAMPLED.beta, "k": SAMPLED.k}
    return replace(Charge("release", f"Release {number}", ONE, SMALL, parameters=parameters), **changed)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "l.jsonl", "rows1-x")


def test_six_planned_samplings_cost_what_they_cost_together(ledger: Ledger) -> None:
    plan = ledger.plan("Six samplings", [SAMPLING] * 6)
    assert float(ledger.spent().epsilon) == pytest.approx(1.285, abs=6e-4)
    assert ledger.spent().delta == 6 * SMALL
    for number in range(6):
        entry = ledger.charge(sampling(number))
        assert entry.charge.slot == (plan.id, number)
        # Drawn or not, the plan costs the same.
        assert float(ledger.spent().epsilon) == pytest.approx(1.285, abs=6e-4)
    spent = ledger.spent()
    assert (spent.count, spent.plans, spent.how) == (6, 1, "by adding up, what was planned as a whole")
    assert added(ledger.history.released).epsilon == 6
    seventh = ledger.charge(sampling(6))
    assert seventh.charge.slot is None
    assert ledger.spent().epsilon == spent.epsilon + 1
    assert open_slots(ledger.entries) == {plan.id: ()}
    again = Ledger(ledger.path, "rows1-x")
    assert again.spent() == ledger.spent()
    assert again.entries == ledger.entries


@pytest.mark.parametrize(
    ("changed", "paid"),
    [
        ({}, True),
        ({"epsilon": Fraction(2)}, True),  # what its losses are says β and k
        ({"parameters": {"beta": 0.27, "k": 12}}, True),
        ({"parameters": {"beta": 0.2759676745, "k": 13}}, True),
        ({"parameters": {"beta": 0.2759677, "k": 12}}, False),
        ({"parameters": {"beta": 0.25, "k": 11}}, False),
        ({"parameters": {}}, False),
        ({"rows_per_person": 2}, False),
        ({"neighbours": REPLACE_ONE}, False),
        ({"claimed": False}, False),
    ],
)
def test_what_a_slot_pays_for(ledger: Ledger, changed: dict[str, Any], paid: bool) -> None:
    ledger.plan("Two samplings", [SAMPLING] * 2)
    before = ledger.spent()
    charge = sampling(**changed)
    assert ledger.remaining_after(charge).planned is paid
    entry = ledger.charge(charge)
    assert (entry.charge.slot is not None) is paid
    assert (ledger.spent().epsilon == before.epsilon) is paid


def test_a_slot_for_anything_takes_what_is_no_more(ledger: Ledger) -> None:
    ledger.plan("Three of anything", [ReleaseSpending(ONE, SMALL)] * 3)
    assert ledger.charge(sampling()).charge.slot is not None
    assert ledger.charge(Charge("query", "count", Fraction(1, 2))).charge.slot is not None
    assert ledger.charge(Charge("query", "count", Fraction(1001, 1000))).charge.slot is None
    assert ledger.charge(Charge("query", "count", Fraction(1, 2), Fraction(1, 10**4))).charge.slot is None


def test_the_statement_on_a_plan_says_what_it_promises(ledger: Ledger) -> None:
    plan = ledger.plan("Six samplings", [SAMPLING] * 6)
    first = ledger.charge(sampling())
    page = certificate_of(plan, ledger.entries)
    assert page.holds
    assert "together (1.285, 6e-5)-differentially private" in page.sentence
    assert "With the 1 other that the ledger" in str(page.sections)
    assert "no other release" in str(certificate_of(first, ledger.entries).sections)


def test_a_plan_is_charged_and_refused_as_one(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(3, 2), Fraction(1, 10**4))
    ledger.plan("Six samplings", [SAMPLING] * 6)
    left = ledger.remaining()
    assert left is not None
    assert float(left.epsilon) == pytest.approx(0.2154, abs=6e-4)
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.plan("Six more", [SAMPLING] * 6)
    for number in range(6):
        assert ledger.remaining_after(sampling(number)).refusal is None
        ledger.charge(sampling(number))
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(sampling(6))
    assert ledger.remaining() == left


@pytest.mark.parametrize(
    ("slots", "delta", "message"),
    [
        ([], None, "between one and"),
        ([SAMPLING] * 10_001, None, "between one and"),
        ([SAMPLING, replace(SAMPLING, rows_per_person=2)], None, "different numbers of rows"),
        ([SAMPLING] * 2, SMALL, "not below the sum"),
        ([SAMPLING, replace(SAMPLING, open_participation=True)], None, "with a claim"),
        ([SAMPLING, replace(SAMPLING, claimed=False)], None, "with a claim"),
    ],
)
def test_what_is_no_plan(ledger: Ledger, slots: list[ReleaseSpending], delta: Fraction | None, message: str) -> None:
    with pytest.raises(WorkbenchError, match=message):
        ledger.plan("None", slots, delta)
    assert not ledger.entries


def test_a_larger_delta_makes_pure_releases_cheaper_together(ledger: Ledger) -> None:
    slots = [ReleaseSpending(Fraction(1, 10), Fraction(0))] * 100
    assert ledger.plan("A hundred", slots).charge.epsilon == 10
    entry = ledger.plan("A hundred", slots, Fraction(1, 10**6))
    assert float(entry.charge.epsilon) == pytest.approx(4.7746, abs=1e-3)
    assert entry.charge.delta == Fraction(1, 10**6)


def test_two_copies_that_used_the_same_slot_pay_for_one_of_them(tmp_path: Path) -> None:
    here, there = Ledger(tmp_path / "a.jsonl", "rows1-x"), Ledger(tmp_path / "b.jsonl", "rows1-x")
    here.plan("Two", [SAMPLING] * 2)
    there.merge(here.entries)
    here.charge(sampling(1))
    there.charge(sampling(2))
    before = here.spent()
    here.merge(there.entries)
    assert {entry.charge.slot[1] for entry in here.entries if entry.charge.slot} == {0}
    assert here.spent().epsilon == before.epsilon + 1


def test_what_was_drawn_before_the_plan_is_not_in_it(ledger: Ledger) -> None:
    ledger.charge(sampling(0))
    ledger.plan("Two", [SAMPLING] * 2)
    assert float(ledger.spent().epsilon) == pytest.approx(1 + 1.0771, abs=6e-4)


def test_more_rows_and_other_neighbours_are_counted_slot_by_slot() -> None:
    plan = ReleaseSpending(Fraction(2), 2 * SMALL, slots=(SAMPLING,) * 2, identity="p")
    more = total([plan], 2)
    assert more.delta >= 2 * SMALL * Fraction(3718, 1000)
    assert 1.0771 * 2 * 0.9 < float(more.epsilon) < 4
    replacing = total([plan, ReleaseSpending(ONE, Fraction(0), neighbours=REPLACE_ONE)])
    assert replacing.epsilon <= 1 + 4
    assert replacing.delta >= 2 * SMALL * Fraction(3718, 1000)
    cells = tuple(
        ReleaseSpending(Fraction(1, 2), Fraction(0), cells=TablePart("city", frozenset({name}))) for name in "abc"
    )
    assert total([ReleaseSpending(ONE, Fraction(0), slots=cells, identity="q")]).epsilon == Fraction(1, 2)


def test_entries_of_earlier_programs_are_read_as_what_they_were(ledger: Ledger) -> None:
    old = sampling()
    assert not old.mechanism
    assert old.drawn == (SAMPLED,)
    assert Charge("search", "levels", ONE, parameters={"beta": 0.3, "k": 5}).drawn == ()
    assert Charge("release", "models", Fraction(0), parameters={"beta": 0.0, "k": 0}, claimed=False).drawn == ()
    # What is said to be a sampling and could not have this (ε, δ) counts as the worst of its kind.
    wrong = MechanismPart(LossKind.SAMPLE, ONE, Fraction(1, 10**9), SAMPLED.beta, SAMPLED.k)
    assert wrong.pair(1, 1) is None
    slots = (ReleaseSpending(ONE, wrong.delta, mechanism=(wrong,)),) * 6
    assert total([ReleaseSpending(ONE, 6 * wrong.delta, slots=slots, identity="p")]).epsilon > 5
    ledger.plan("Two", [SAMPLING] * 2)
    ledger.charge(replace(old, mechanism=(SAMPLED,)))
    history = ledger.history
    assert history_from_records(json.loads(json.dumps(records_of(history)))) == history


def test_a_program_that_knows_no_plans_counts_both(ledger: Ledger) -> None:
    ledger.plan("Two", [SAMPLING] * 2)
    ledger.charge(sampling())
    records = [json.loads(line) for line in ledger.path.read_text().splitlines()][1:]
    assert [record["type"] for record in records] == ["charge", "charge"]
    known = {"slots", "slot", "mechanism"}
    older = history_from_records([{k: v for k, v in one.items() if k not in known} | PLAIN for one in records])
    assert older.released[0].epsilon + older.released[1].epsilon > ledger.spent().epsilon


PLAIN = {"kind": "release"}


@pytest.mark.parametrize(
    "part",
    [
        SAMPLED,
        MechanismPart(LossKind.WORST, Fraction(1, 3), SMALL),
        MechanismPart(LossKind.TRIM, ONE, SMALL),
        MechanismPart(LossKind.NOISE, Fraction(1, 2), sensitivity=10**13),
    ],
)
def test_mechanisms_are_kept_as_they_are(part: MechanismPart) -> None:
    assert mechanism_from_json(json.loads(json.dumps(mechanism_to_json([part])))) == (part,)


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": LossKind.SAMPLE},
        {"kind": LossKind.NOISE},
        {"beta": 0.5},
        {"sensitivity": 3},
        {"epsilon": Fraction(-1)},
        {"delta": Fraction(2)},
    ],
)
def test_impossible_mechanisms_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="impossible"):
        MechanismPart(**{"kind": LossKind.WORST, "epsilon": ONE, **wrong})


# Where composing would be false


def responses(epsilon: float, times: int) -> list[tuple[float, float]]:
    """Randomised response so many times: how probable each number of heads is under both answers."""
    p = 1 / (1 + math.exp(-epsilon))
    return [
        (math.comb(times, n) * p ** (times - n) * (1 - p) ** n, math.comb(times, n) * p**n * (1 - p) ** (times - n))
        for n in range(times + 1)
    ]


def test_two_rounds_whose_paths_are_priced_alike_and_cost_more_together() -> None:
    """After an answer at ε = 1: another at ε = 1 where it pointed to the person, else one at (.9, .0509)."""
    epsilon, first = Fraction(19, 10), (ONE, Fraction(0))
    claimed = composed_delta([first, first], epsilon)
    second = (Fraction(9, 10), claimed)
    assert float(claimed) == pytest.approx(0.0509, abs=5e-5)
    assert composed_delta([first, second], epsilon) == claimed
    (yes, no), (lie, lied) = responses(1.0, 1)
    ratio = math.exp(1.9)
    again = math.fsum(max(0.0, yes * p - ratio * no * q) for p, q in responses(1.0, 1))
    sure = float(claimed) * lie + (1 - float(claimed)) * math.fsum(
        max(0.0, lie * p - ratio * lied * q) for p, q in responses(0.9, 1)
    )
    assert again + sure == pytest.approx(0.0645, abs=5e-5)


def test_many_paths_that_are_priced_alike_and_cost_more_together() -> None:
    ratio, total_delta = math.exp(3), 0.0
    choices = [(1.612, 1), (0.556, 3), (0.362, 5), (0.215, 10), (0.143, 20), (0.098, 40)]
    for p, q in responses(0.1, 16):
        total_delta += max(
            math.fsum(max(0.0, p * a - ratio * q * b) for a, b in responses(epsilon, times))
            for epsilon, times in choices
        )
    assert total_delta == pytest.approx(2.57e-5, rel=0.01)
    assert total_delta > 2.5 * 1.01e-5


def test_nothing_composed_is_quoted_where_settings_may_have_followed_from_answers(ledger: Ledger) -> None:
    assert composed_views(ledger.history.released) is not None
    ledger.charge(Charge("query", "first", ONE))
    assert composed_views(ledger.history.released) is not None  # of one alone there is nothing to choose
    ledger.charge(Charge("query", "second", ONE))
    assert composed_views(ledger.history.released) is None


def test_what_was_planned_is_quoted_composed(ledger: Ledger) -> None:
    ledger.plan("A hundred", [ReleaseSpending(Fraction(1, 10), Fraction(0))] * 100)
    for number in range(3):
        ledger.charge(Charge("query", f"{number}", Fraction(1, 10)))
    views = composed_views(ledger.history.released, Fraction(1, 10**6))
    assert views is not None
    assert float(views.numerical.epsilon) == pytest.approx(4.7746, abs=1e-3)
    assert views.numerical.epsilon < views.advanced.epsilon
    ledger.charge(Charge("query", "another", ONE))
    assert composed_views(ledger.history.released) is None


# Filters


def test_a_filter_pays_for_more_small_answers_than_their_sum(tmp_path: Path) -> None:
    sums, filtered = Ledger(tmp_path / "a.jsonl", "rows1-x"), Ledger(tmp_path / "b.jsonl", "rows1-x")
    sums.set_budget(Fraction(2), Fraction(1, 10**5))
    filtered.set_budget(Fraction(2), Fraction(1, 10**5), 14.0)
    one = Charge("query", "count", Fraction(1, 20))

    def fitting(ledger: Ledger) -> int:
        for number in itertools.count():
            if ledger.remaining_after(one).refusal is not None:
                with pytest.raises(WorkbenchError, match="beyond the budget"):
                    ledger.charge(one)
                return number
            ledger.charge(one)
        raise AssertionError

    assert fitting(sums) == 40
    assert fitting(filtered) > 50
    left = filtered.remaining()
    assert left is not None
    assert left.order == 14
    assert left.epsilon < Fraction(1, 20)
    again = Ledger(filtered.path, "rows1-x")
    assert again.budget == Budget(Fraction(2), Fraction(1, 10**5), 14.0)


def test_samplings_in_a_filter_set_their_delta_aside(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(2), 20 * SMALL, 8.0)
    for number in range(10):
        ledger.charge(sampling(number))
    assert ledger.spent().epsilon == 10  # by adding up they would have been far beyond the budget
    with pytest.raises(WorkbenchError, match="Rényi filter of order 8"):
        ledger.charge(sampling(10))


def test_a_filter_is_fixed_before_anything_is_released(ledger: Ledger) -> None:
    ledger.charge(Charge("query", "count", Fraction(1, 10)))
    with pytest.raises(WorkbenchError, match="before anything is"):
        ledger.set_budget(Fraction(2), SMALL, 10.0)
    assert ledger.budget is None
    ledger.set_budget(Fraction(2), SMALL)


@pytest.mark.parametrize(("delta", "order"), [(Fraction(0), 10.0), (SMALL, 1.0), (SMALL, 2.0), (SMALL, -3.0)])
def test_a_budget_without_room_for_a_filter_is_refused(ledger: Ledger, delta: Fraction, order: float) -> None:
    with pytest.raises(WorkbenchError, match="no room"):
        ledger.set_budget(Fraction(2), delta, order)


def test_budgets_that_are_kept_differently_are_kept_by_adding_up() -> None:
    one, other = Budget(Fraction(2), SMALL, 14.0), Budget(Fraction(3), SMALL)
    both = LedgerHistory(budget=one).with_history(LedgerHistory(budget=other)).budget
    assert both == Budget(Fraction(2), SMALL)
    smaller = LedgerHistory(budget=one).with_history(LedgerHistory(budget=Budget(Fraction(1), SMALL, 14.0))).budget
    assert smaller is not None
    assert smaller.epsilon == 1


# The command line


def said(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["ledger", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    return found


@pytest.fixture
def data(tmp_path: Path) -> str:
    path = tmp_path / "data.csv"
    path.write_text("a,b\n1,2\n3,4\n")
    return str(path)


def test_a_plan_on_the_command_line(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, data, "--set-budget", "3,1e-4", "--plan-sampling", "6,1,0.2759676,12")
    assert found["spent"]["epsilon"] == pytest.approx(1.285, abs=6e-4)
    assert found["prices"]["planned"]["epsilon"] == found["spent"]["epsilon"]
    assert found["prices"]["added"]["epsilon"] == 0
    assert [(one["slots"], one["open"]) for one in found["plans"]] == [(6, 6)]
    assert main(["ledger", data]) == 0
    assert "6 of 6 still to be made" in capsys.readouterr().out
    found = said(capsys, data, "--plan", "2,0.1,0")
    assert found["advanced"] is None
    assert "outside a plan" in found["views"]["not_quoted"]


def test_statements_count_what_was_planned_as_a_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "jobs.csv"
    path.write_text("job\n" + "nurse\n" * 200 + "chef\n" * 200)
    said(capsys, str(path), "--plan-sampling", "2,1,0.2759677,12")
    words = ["anonymise", str(path), "--mechanism", "sample", "--epsilon", "1", "--delta", "1e-5", "--beta", "best"]
    told = []
    for number in range(3):
        page = tmp_path / f"{number}.html"
        out = ["--group", "job", "--out", str(tmp_path / f"{number}.csv"), "--statement", str(page)]
        assert main([*words, *out]) == 0
        told += re.findall(r"Together they are \((.+?)\)-differentially private, ([^.]*)", page.read_text())[:1]
    capsys.readouterr()
    # The first is alone; the second is in the plan; the third comes on top of it.
    assert told == [
        ("1.078, 2.001e-5", "by adding up, what was planned as a whole"),
        ("2.078, 3.001e-5", "by adding up, what was planned as a whole"),
    ]
    found = said(capsys, str(path), "--statements", str(tmp_path / "pages"))
    assert [one["in_plan"] is not None for one in found["entries"]] == [False, True, True, False]
    assert len(found["statements"]) == 3
    assert found["entries"][1]["mechanism"][0]["kind"] == "sample"
    for number in range(3):
        assert main(["verify", str(tmp_path / f"{number}.csv"), "--statement", str(tmp_path / f"{number}.html")]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_samplings_for_several_rows_are_known_by_their_losses(rows: int) -> None:
    growth = sum(math.exp(row / rows) for row in range(rows))
    alone = sampling_pair(SAMPLED.beta, SAMPLED.k).delta(1 / rows)
    part = MechanismPart(LossKind.SAMPLE, ONE, Fraction(alone * growth * (1 + 1e-10)), SAMPLED.beta, SAMPLED.k)
    assert part.pair(rows, rows) is not None
    assert part.pair(rows, rows + 1) is not None
    assert replace(part, delta=part.delta * Fraction(99, 100)).pair(rows, rows) is None


def test_a_filter_on_the_command_line(data: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = said(capsys, data, "--set-budget", "3,1e-5", "--filter")
    filtered = found["prices"]["filtered"]
    assert filtered["order"] > 2
    assert (filtered["epsilon"], filtered["used"], filtered["holds"]) == (3.0, 0.0, True)
    assert main(["ledger", data]) == 0
    assert "kept by a Rényi filter" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["--filter"],
        ["--plan", "6,1"],
        ["--plan", "0,1,1e-5"],
        ["--plan", "1.5,1,1e-5"],
        ["--plan-sampling", "6,1,2,12"],
        ["--plan-sampling", "6,0.01,0.9,1"],
        ["--plan-sampling", "6,1,1e-9,12"],
        ["--plan-delta", "1e-5"],
        ["--plan", "2,1,1e-5", "--plan-delta", "1e-5"],
        ["--set-budget", "3,0", "--filter"],
    ],
)
def test_what_cannot_be_planned_is_refused(data: str, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", data, *words]) == 2
    assert capsys.readouterr().err
    assert said(capsys, data)["entries"] == []
