"""The ledger: exact sums, a budget that holds, and a file that crashes, disks and hands cannot bend."""

from __future__ import annotations

import errno
import itertools
import json
import math
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.properties import examples
from workbench.core.composition import REPLACE_ONE, ReleaseSpending, for_rows, total
from workbench.core.errors import WorkbenchError
from workbench.core.known_number import KnownNumber
from workbench.query.ledger import Budget, Charge, Ledger, LedgerEntry, LedgerHistory, LeftFile, TablePart
from workbench.query.ledger_file import ledgers_folder


def query(epsilon: str, delta: str = "0", **rest: object) -> Charge:
    return Charge("query", f"count at {epsilon}", Fraction(epsilon), Fraction(delta), **rest)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "data.ledger.jsonl", "rows1-x")


def again(ledger: Ledger) -> Ledger:
    """The same ledger as another process would see it."""
    return Ledger(ledger.path, ledger.fingerprint)


# Sums


def test_a_tenth_and_two_tenths_are_three_tenths(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(3, 10))
    ledger.charge(query("0.1"))
    ledger.charge(query("0.2"))
    assert ledger.spent().epsilon == ledger.budget.epsilon
    left = ledger.remaining()
    assert left is not None and (left.epsilon, left.delta) == (0, 0)
    with pytest.raises(WorkbenchError, match="budget"):
        ledger.charge(query("1e-300"))


def test_no_charge_leaves_a_file_open(ledger: Ledger) -> None:
    def next_free() -> int:
        descriptor = os.open(os.devnull, os.O_RDONLY)
        os.close(descriptor)
        return descriptor

    ledger.charge(query("0.1"))
    before = next_free()
    for _ in range(5):
        ledger.charge(query("0.1"))
        again(ledger).spent()
    assert next_free() == before


def test_what_would_fit_is_said_and_fits(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1), Fraction(1, 10**5))
    ledger.charge(query("0.7", "1e-6"))
    with pytest.raises(WorkbenchError, match=r"ε = 1 and δ = 1e-5") as refused:
        ledger.charge(query("0.5", "1e-6"))
    assert "at most ε = 0.3 and δ = 1e-6 would fit" in refused.value.hint
    assert refused.value.field == "epsilon"
    with pytest.raises(WorkbenchError) as refused:
        ledger.charge(query("0.1", "1e-4"))
    assert "δ = 9e-6" in refused.value.hint
    assert refused.value.field == "delta"
    ledger.charge(query("0.3", "9e-6"))
    with pytest.raises(WorkbenchError) as refused:
        ledger.charge(query("0.1"))
    assert "Nothing like it fits" in refused.value.hint
    assert len(again(ledger).entries) == 2


def test_disjoint_cells_cost_once_and_overlapping_ones_add_up(ledger: Ledger) -> None:
    for value in "abc":
        ledger.charge(query("0.2", "1e-7", cells=TablePart("city", frozenset(value))))
    assert (ledger.spent().epsilon, ledger.spent().delta) == (Fraction(1, 5), Fraction(1, 10**7))
    ledger.charge(query("0.3", cells=TablePart("city", frozenset("bd"))))
    assert ledger.spent().epsilon == Fraction(1, 2)
    ledger.charge(query("0.4", cells=TablePart("pay", frozenset({"1"}))))  # a row has a city and a pay
    assert ledger.spent().epsilon == Fraction(9, 10)
    ledger.charge(query("1"))
    assert ledger.spent().epsilon == Fraction(19, 10)


def test_what_fits_into_a_cell_is_more_than_what_fits_into_the_whole(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1))
    ledger.charge(query("0.9", cells=TablePart("city", frozenset("a"))))
    with pytest.raises(WorkbenchError) as refused:
        ledger.charge(query("2", cells=TablePart("city", frozenset("b"))))
    assert "ε = 1 would fit" in refused.value.hint
    ledger.charge(query("1", cells=TablePart("city", frozenset("b"))))


def test_cells_do_not_count_for_persons_with_several_rows_or_for_replaced_rows(ledger: Ledger) -> None:
    for value in "ab":
        ledger.charge(query("0.2", cells=TablePart("city", frozenset(value)), neighbours=REPLACE_ONE))
    assert ledger.spent().epsilon == Fraction(2, 5)
    assert (ledger.spent().rows_public, ledger.spent().neighbours) == (2, REPLACE_ONE)
    several = Ledger(ledger.path.with_name("several.jsonl"), "rows1-x")
    for value in "ab":
        several.charge(query("0.2", rows_per_person=2, cells=TablePart("city", frozenset(value))))
    assert several.spent().epsilon == Fraction(2, 5)
    assert ledger.spent(3).epsilon == 3 * Fraction(2, 5)


@pytest.mark.parametrize("rows", [2, 5, 40])
@pytest.mark.parametrize(("epsilon", "counted"), [("1e-40", 1), ("1/10", 1), ("3", 7), ("9", 3)])
def test_group_privacy_is_rounded_up_by_a_hair(epsilon: str, counted: int, rows: int) -> None:
    given_delta = Fraction(1, 10**30)
    found = for_rows(ReleaseSpending(Fraction(epsilon), given_delta, counted), rows)
    per_row = Fraction(epsilon) / counted
    # e^x by its series in fractions, enough terms for 60 digits.
    power, term, one = Fraction(1), Fraction(1), []
    for number in range(1, 120):
        term *= per_row / number
        power += term
        power = Fraction(int(power * 10**90), 10**90) if power.denominator > 10**200 else power
        term = Fraction(int(term * 10**150), 10**150) if term.denominator > 10**300 else term
    one = [power**number for number in range(max(rows, counted))]
    true = min(given_delta * sum(one[:rows]) / sum(one[:counted]), Fraction(1))
    assert found[0] == per_row * rows
    assert found[1] <= 1
    # Cutting the digits of e^x off moved the reference by less than 1e-80.
    assert true * (1 - Fraction(1, 10**60)) <= found[1] <= true * (1 + Fraction(1, 10**45))


def test_a_hundred_thousand_rows_leave_no_delta() -> None:
    assert for_rows(ReleaseSpending(Fraction(1), Fraction(1, 10**300)), 100_000)[1] == 1


def test_without_a_claim_an_epsilon_counts_as_much_and_bounds_nothing(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1))
    ledger.charge(query("0.5"))
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(query("0.6", claimed=False))
    assert ledger.room_for(query("0.6", claimed=False)).refusal is not None
    ledger.charge(query("0.5", claimed=False))
    assert not ledger.spent().bounded
    assert (ledger.spent().epsilon, ledger.spent().unclaimed) == (1, 1)


def test_what_has_no_epsilon_is_recorded_whatever_the_budget(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1))
    ledger.merge([LedgerEntry("e", "2024-01-01", query("7"))])
    syntactic = Charge("release", "k-anonymous", Fraction(0), claimed=False, rows_per_person=9)
    assert ledger.room_for(syntactic).refusal is None
    ledger.charge(syntactic)
    spent = ledger.spent()
    assert (spent.epsilon, spent.count, spent.unclaimed, spent.rows_per_person) == (7, 2, 1, 1)


def e_to_the(x: Fraction) -> Fraction:
    """e^x in fractions, to more than 60 digits for the small x that are asked here."""
    return sum((x**n / math.factorial(n) for n in range(80)), Fraction(0))


def test_hiding_whether_somebody_is_there_costs_twice_where_rows_are_replaced(ledger: Ledger) -> None:
    small = Fraction(1, 10**6)
    ledger.charge(query("0.5", "1e-6"))
    assert (ledger.spent().neighbours, ledger.spent().scope) == ("add/remove", ())
    ledger.charge(query("1", "1e-9", neighbours=REPLACE_ONE))
    spent = ledger.spent()
    assert spent.epsilon == 2 and spent.neighbours == REPLACE_ONE
    true = small * (1 + e_to_the(Fraction(1, 2))) + Fraction(1, 10**9)
    assert true <= spent.delta <= true * (1 + Fraction(1, 10**40))
    assert "replacing a person's rows" in " ".join(spent.scope)
    # What has an ε and no claim forces the same relation; what has none does not.
    ledger.charge(query("1", neighbours=REPLACE_ONE, claimed=False))
    assert ledger.spent().epsilon == 3


def test_replacing_one_of_several_rows_counts_each_of_them_twice() -> None:
    one, other = (
        ReleaseSpending(Fraction(1), Fraction(1, 10**9)),
        ReleaseSpending(Fraction(1), Fraction(0), 3, neighbours=REPLACE_ONE),
    )
    spent = total([one, other])
    assert (spent.epsilon, spent.rows_per_person) == (2 * 3 + 1, 3)
    group = Fraction(1, 10**9) * sum(e_to_the(Fraction(n)) for n in range(3))
    true = group * (1 + e_to_the(Fraction(3)))
    assert true * (1 - Fraction(1, 10**30)) <= spent.delta <= true * (1 + Fraction(1, 10**30))
    assert total([ReleaseSpending(Fraction(800), Fraction(1, 10**300)), replace(other, rows_per_person=1)]).delta == 1


def test_a_replaced_row_can_leave_one_cell_and_enter_another() -> None:
    """Two cells at ε = 1 and 0.5: a row that moves is seen by both, one that changes within a cell twice by one."""
    cells = [ReleaseSpending(Fraction(epsilon), Fraction(0), cells=TablePart("city", frozenset(value)))
             for epsilon, value in (("1", "a"), ("1/2", "b"))]  # fmt: skip
    assert total(cells).epsilon == 1
    assert total([*cells, ReleaseSpending(Fraction(1, 4), Fraction(0), neighbours=REPLACE_ONE)]).epsilon == Fraction(
        9, 4
    )


@pytest.mark.parametrize(
    "before,then",
    [
        ([{"neighbours": REPLACE_ONE}], {}),
        ([{}], {"neighbours": REPLACE_ONE}),
        ([{}, {"neighbours": REPLACE_ONE}], {}),
        ([{"neighbours": REPLACE_ONE}, {}], {"neighbours": REPLACE_ONE}),
        ([{"rows_per_person": 2}], {}),
        ([{}], {}),
    ],
)
def test_what_a_filter_says_would_fit_fits_and_hardly_more_does(
    ledger: Ledger, before: list[dict[str, object]], then: dict[str, object]
) -> None:
    ledger.set_budget(Fraction(3), Fraction(1, 10**5), 8.0)
    for one in before:
        ledger.charge(query("0.3", **one))
    fits = ledger.room_for(query("9", **then)).fitting
    assert 0 < fits < 2
    with pytest.raises(WorkbenchError, match="too little is left") as refused:
        ledger.charge(query("9", **then))
    said = Fraction(str(refused.value.hint).split("ε = ")[1].split(" would")[0])
    assert said <= fits < said * Fraction(101, 100)
    with pytest.raises(WorkbenchError, match="too little is left"):
        ledger.charge(query(str(fits * Fraction(101, 100)), **then))
    ledger.charge(query(str(said), **then))


def test_the_budget_is_kept_in_the_relation_of_the_whole(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1))
    ledger.charge(query("0.4"))
    with pytest.raises(WorkbenchError, match=r"with this it would be 1\.1") as refused:
        ledger.charge(query("0.3", neighbours=REPLACE_ONE))
    assert "at most ε = 0.2" in refused.value.hint
    ledger.charge(query("0.2", neighbours=REPLACE_ONE))
    left = ledger.remaining()
    assert left is not None and (left.epsilon, left.neighbours) == (0, REPLACE_ONE)
    other = Ledger(ledger.path.with_name("other.jsonl"), "rows1-x")
    other.set_budget(Fraction(1))
    other.charge(query("0.6", neighbours=REPLACE_ONE))
    with pytest.raises(WorkbenchError, match="beyond") as refused:
        other.charge(query("0.3"))
    assert "at most ε = 0.2" in refused.value.hint
    other.charge(query("0.2"))
    assert other.spent().epsilon == 1


def test_a_statement_that_counts_too_little_spends_nothing(ledger: Ledger) -> None:
    first = ledger.charge(query("0.1"))
    counted = {entry.id for entry in ledger.entries}
    mine = query("0.2", key="mine")
    again(ledger).charge(query("0.3"))
    with pytest.raises(WorkbenchError, match="meanwhile"):
        ledger.charge(mine, counted)
    assert len(again(ledger).entries) == 2
    entry = ledger.charge(mine, {entry.id for entry in ledger.entries})
    # What was paid for already leaves with a statement of now, too: a draw is paid for long before its file is written.
    with pytest.raises(WorkbenchError, match="meanwhile"):
        ledger.charge(mine, {first.id})
    assert ledger.charge(mine, {entry.id for entry in ledger.entries}).id == entry.id
    assert len(again(ledger).entries) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        {"epsilon": Fraction(-1)}, {"delta": Fraction(2)}, {"epsilon": Fraction(0)}, {"rows_per_person": 0},
        {"epsilon": 0.1}, {"delta": Fraction(-1, 10)},
    ],
)  # fmt: skip
def test_impossible_charges_cannot_be_made(wrong: dict) -> None:
    with pytest.raises((TypeError, ValueError)):
        Charge(**{"kind": "query", "what": "x", "epsilon": Fraction(1), **wrong})


# Budget


def test_a_budget_is_set_once(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1), Fraction(1, 10**6))
    for epsilon in (2, Fraction(1, 2), 1):
        with pytest.raises(WorkbenchError, match="before"):
            again(ledger).set_budget(Fraction(epsilon))
    assert again(ledger).budget == Budget(Fraction(1), Fraction(1, 10**6))


@pytest.mark.parametrize(("epsilon", "delta"), [("0", "0"), ("-1", "0"), ("1", "1"), ("1", "-1")])
def test_an_impossible_budget_is_refused(ledger: Ledger, epsilon: str, delta: str) -> None:
    with pytest.raises(WorkbenchError, match="impossible"):
        ledger.set_budget(Fraction(epsilon), Fraction(delta))
    assert not ledger.path.exists()


def test_a_budget_below_what_was_spent_is_refused(ledger: Ledger) -> None:
    ledger.charge(query("1"))
    with pytest.raises(WorkbenchError, match="spent already"):
        ledger.set_budget(Fraction(1, 2))
    ledger.set_budget(Fraction(1))


def test_without_a_budget_nothing_remains_to_be_said(ledger: Ledger) -> None:
    ledger.charge(query("100"))
    assert ledger.remaining() is None


# Entries and answers


def test_everything_comes_back_as_it_was_written(ledger: Ledger) -> None:
    charge = Charge(
        "query", "mean of “größe”\n", Fraction(1, 3), Fraction(1, 10**7), 2, "grid", REPLACE_ONE,
        {"bounds": [0, 1.5], "where": "a = 'ü'", "none": None}, TablePart("größe", frozenset({"x", ""})), True, "draw",
    )  # fmt: skip
    entry = ledger.charge(charge)
    ledger.answer(entry.id, {"value": 3.25, "interval": [1, 2]})
    (found,) = again(ledger).answered()
    assert (found.id, found.when, found.answer) == (entry.id, entry.when, {"value": 3.25, "interval": [1, 2]})
    assert found.charge == charge


def test_an_answer_belongs_to_one_charge_and_stays(ledger: Ledger) -> None:
    entry = ledger.charge(query("1"))
    ledger.answer(entry.id, 7)
    ledger.answer(entry.id, 7)
    with pytest.raises(ValueError, match="second answer"):
        ledger.answer(entry.id, 8)
    with pytest.raises(ValueError, match="without a charge"):
        ledger.answer("nobody", 8)
    assert [e.answer for e in again(ledger).entries] == [7]


def test_the_same_draw_is_paid_for_once(ledger: Ledger) -> None:
    first = ledger.charge(query("1", key="draw"))
    assert again(ledger).charge(query("1", key="draw")).id == first.id
    ledger.charge(query("1"))
    ledger.charge(query("1"))  # no key: always a new one
    assert again(ledger).spent().epsilon == 3


def test_copies_are_united_entry_by_entry(ledger: Ledger, tmp_path: Path) -> None:
    other = Ledger(tmp_path / "other.jsonl", ledger.fingerprint)
    shared = ledger.charge(query("0.1"))
    other.merge(ledger.entries)
    other.charge(query("0.2"))
    other.answer(shared.id, 5)
    other.set_budget(Fraction(2), Fraction(1, 10))
    ledger.set_budget(Fraction(3))
    for _ in range(2):
        ledger.merge(other.entries, other.budget)
    assert again(ledger).spent().epsilon == Fraction(3, 10)
    assert again(ledger).entries[0].answer == 5
    assert again(ledger).budget == Budget(Fraction(2), Fraction(0))  # the smaller of each


def test_what_is_carried_counts_before_it_is_written(ledger: Ledger) -> None:
    carried = LedgerHistory((LedgerEntry("a", "2020", query("0.9")),), Budget(Fraction(1), Fraction(0)))
    fresh = Ledger(ledger.path, ledger.fingerprint, carried)
    assert fresh.spent().epsilon == Fraction(9, 10)
    assert not fresh.path.exists()
    with pytest.raises(WorkbenchError, match="budget"):
        fresh.charge(query("0.2"))
    fresh.charge(query("0.1"))
    assert again(ledger).spent().epsilon == 1
    assert again(ledger).budget == carried.budget


@pytest.mark.parametrize("others", [0, 4])
def test_what_was_known_counts_also_where_an_older_copy_of_the_file_was_put_back(ledger: Ledger, others: int) -> None:
    ledger.set_budget(Fraction(1))
    ledger.charge(query("1/4"))
    early = ledger.path.read_bytes()
    ledger.charge(query("1/2"))
    ledger.path.write_bytes(early)
    for _ in range(others):
        again(ledger).charge(query("1/100"))
    spent = Fraction(3, 4) + others * Fraction(1, 100)
    assert ledger.spent().epsilon == spent
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(query("1/2"))
    ledger.charge(query("1/5"))
    assert again(ledger).spent().epsilon == spent + Fraction(1, 5), "and stands in the file again"


@pytest.mark.parametrize("begun_by_another", [False, True])
@pytest.mark.parametrize("how", ["removed", "emptied", "moved to another folder", "copied and removed"])
def test_what_was_known_counts_also_where_the_file_is_gone(
    ledger: Ledger, tmp_path: Path, how: str, begun_by_another: bool
) -> None:
    ledger.set_budget(Fraction(1))
    entry = ledger.charge(query("1/2"))
    ledger.answer(entry.id, 7)
    (tmp_path / "elsewhere").mkdir()
    if how == "emptied":
        ledger.path.write_bytes(b"")
    elif how == "moved to another folder":
        ledger.path.rename(tmp_path / "elsewhere" / ledger.path.name)
    else:
        if how == "copied and removed":
            (tmp_path / "copy").write_bytes(ledger.path.read_bytes())
        ledger.path.unlink()
        (tmp_path / "anything").write_text("a new file may take the number of the one that is gone", encoding="utf-8")
    spent = Fraction(1, 2)
    if begun_by_another:
        again(ledger).charge(query("1/4"))
        spent += Fraction(1, 4)
    assert ledger.spent().epsilon == spent
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(query("3/5"))
    ledger.charge(query("1/5"))
    written = again(ledger)
    assert written.spent().epsilon == spent + Fraction(1, 5), "and stands in the file again"
    assert (written.budget, [one.answer for one in written.answered()]) == (Budget(Fraction(1), Fraction(0)), [7])


@pytest.mark.parametrize("looked_first", [False, True])
def test_what_was_known_counts_where_the_file_went_just_before_a_charge(ledger: Ledger, looked_first: bool) -> None:
    """The charge makes the file anew, so that there is one again when it looks what was spent."""
    ledger.set_budget(Fraction(1))
    ledger.charge(query("1/2"))
    ledger.path.unlink()
    if looked_first:
        ledger.spent()
    with pytest.raises(WorkbenchError, match="beyond the budget"):
        ledger.charge(query("3/5"))
    ledger.charge(query("1/2"))
    assert again(ledger).spent().epsilon == 1


def test_a_file_of_what_was_charged_before_is_judged_without_charging_it_again(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(2))
    once = query("1", key="k")
    ledger.charge(once)
    left = LeftFile("x.csv", "0" * 64, None, KnownNumber.PEOPLE)
    ledger.charge(once, left=left)  # where the number is known it comes to 2, and would come to 4 if it counted twice
    assert ledger.history.number_known


def test_the_persons_own_folder_can_be_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "elsewhere"))
    Ledger.for_data("rows1-y").charge(query("1"))
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["rows1-y.ledger.jsonl"]
    assert Ledger.for_data("rows1-y").spent().epsilon == 1
    assert Ledger.for_data("rows1-z").spent().epsilon == 0
    assert ledgers_folder() == tmp_path / "elsewhere"


# The file


@pytest.fixture
def filled(ledger: Ledger) -> Ledger:
    ledger.set_budget(Fraction(10))
    for number in range(1, 4):
        entry = ledger.charge(query(f"{number}/10"))
        ledger.answer(entry.id, number)
    return ledger


def test_a_crash_at_any_byte_loses_at_most_the_last_line(filled: Ledger) -> None:
    whole = filled.path.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    charges = [b'"type":"charge"' in line for line in whole.split(b"\n")]
    for cut in range(len(whole) + 1):
        filled.path.write_bytes(whole[:cut])
        left = again(filled)
        lines = sum(end <= cut for end in ends)
        assert len(left.entries) == sum(charges[:lines])
        if cut % 311 == 0 or cut + 1 in ends:  # the next charge goes behind what was torn
            left.charge(query("1/7"))
            (last,) = (e for e in again(filled).entries if e.charge.epsilon == Fraction(1, 7))
            assert len(again(filled).entries) == sum(charges[:lines]) + 1
            assert filled.path.read_bytes().startswith(whole[:cut])
            left.answer(last.id, "after")
            assert again(filled).entries[-1].answer == "after"


def test_crash_upon_crash_is_survived(filled: Ledger) -> None:
    expected = len(filled.entries)
    for number in range(5):
        with filled.path.open("ab") as file:
            file.write(b'{"digest":"' + b"ab" * number)
        if number % 2:
            filled.charge(query("1/100"))
            expected += 1
        assert len(again(filled).entries) == expected


def test_a_line_that_was_changed_cut_out_or_moved_is_noticed(filled: Ledger) -> None:
    lines = filled.path.read_bytes().splitlines(keepends=True)
    cheaper = [line.replace(b'"epsilon":"1/10"', b'"epsilon":"1/99"') for line in lines]
    assert cheaper != lines
    other_answer = [line.replace(b'"answer":3', b'"answer":4') for line in lines]
    wrong = [
        cheaper,
        other_answer,
        lines[1:],
        lines[:2] + lines[3:],
        lines[:2] + lines[3:4] + lines[2:],
        [*lines[:2], b"{}\n", *lines[2:]],
        [*lines, b"rubbish\n"],
        [*lines, lines[-1]],
        [b"\n", *lines],
    ]
    for content in wrong:
        filled.path.write_bytes(b"".join(content))
        with pytest.raises(WorkbenchError, match="damaged or no ledger"):
            again(filled).spent()
        before = filled.path.read_bytes()
        with pytest.raises(WorkbenchError, match="damaged or no ledger"):
            again(filled).charge(query("1"))
        assert filled.path.read_bytes() == before


def test_other_files_are_not_taken_for_a_ledger(tmp_path: Path, filled: Ledger) -> None:
    table = tmp_path / "table.csv"
    for content in (b"a,b\n1,2\n", b"a,b", b"\x00" * 100, b"{}\n", b"null\n"):
        table.write_bytes(content)
        with pytest.raises(WorkbenchError, match="no ledger"):
            Ledger(table, "rows1-x").charge(query("1"))
        assert table.read_bytes() == content
    with pytest.raises(WorkbenchError, match="other data"):
        Ledger(filled.path, "rows1-other").charge(query("1"))
    with pytest.raises(WorkbenchError, match="no ordinary file"):
        Ledger(Path("/dev/full"), "rows1-x").charge(query("1"))


def test_a_newer_ledger_is_left_alone(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as context:
        context.setattr("workbench.query.ledger_file.VERSION", 99)
        ledger.charge(query("1"))
    with pytest.raises(WorkbenchError, match="newer version"):
        again(ledger).spent()


def test_a_record_of_an_unknown_kind_is_not_skipped(ledger: Ledger) -> None:
    ledger._file.append(lambda _: [{"type": "refund", "epsilon": "1"}])
    with pytest.raises(WorkbenchError, match="does not understand"):
        again(ledger).charge(query("1"))


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_a_full_disk_refuses_before_any_answer(filled: Ledger, monkeypatch: pytest.MonkeyPatch, code: int) -> None:
    write, room = os.write, 40

    def full(descriptor: int, data: bytes) -> int:
        nonlocal room
        if room <= 0:
            raise OSError(code, os.strerror(code))
        written = write(descriptor, bytes(data)[:room])
        room -= written
        return written

    before = filled.spent()
    with monkeypatch.context() as context, pytest.raises(WorkbenchError, match=r"cannot be written.*was released"):
        context.setattr(os, "write", full)
        filled.charge(query("1"))
    assert again(filled).spent() == before
    filled.charge(query("1"))
    assert again(filled).spent().epsilon == before.epsilon + 1


def test_a_disk_that_cannot_promise_refuses(filled: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_descriptor: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    before = filled.spent().epsilon
    with monkeypatch.context() as context, pytest.raises(WorkbenchError, match="cannot be written"):
        context.setattr(os, "fsync", broken)
        filled.charge(query("1"))
    assert again(filled).spent().epsilon >= before  # it may stand there, which is the safe side


def test_places_that_cannot_be_written(tmp_path: Path, ledger: Ledger) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="cannot be written"):
        Ledger(tmp_path / "file" / "l.jsonl", "x").charge(query("1"))
    with pytest.raises(WorkbenchError, match="cannot be written"):
        Ledger(tmp_path, "x").charge(query("1"))
    with pytest.raises(WorkbenchError, match="cannot be read"):
        Ledger(tmp_path, "x").spent()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_without_permission_refuses(ledger: Ledger) -> None:
    ledger.path.parent.chmod(0o500)
    try:
        with pytest.raises(WorkbenchError, match="you may not write there"):
            ledger.charge(query("1"))
    finally:
        ledger.path.parent.chmod(0o700)


def test_others_may_not_read_a_ledger(ledger: Ledger) -> None:
    ledger.charge(query("1"))
    if os.name == "posix":
        assert ledger.path.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.name != "posix", reason="who may read is said in another way")
def test_others_may_not_even_list_the_folder_of_ledgers(tmp_path: Path) -> None:
    folder = tmp_path / "ledgers"
    before = os.umask(0)
    try:
        Ledger(folder / "data.ledger.jsonl", "x").charge(query("1"))
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(os.name != "posix", reason="not every system brings the names of a folder to the disk")
def test_a_new_ledger_has_its_name_on_the_disk_before_it_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without its name, a power cut would take the whole ledger away, and what was spent would count as unspent."""
    folder, forced, force = tmp_path / "ledgers", [], os.fsync
    ledger = Ledger(folder / "data.ledger.jsonl", "x")

    def watched(descriptor: int) -> None:
        forced.append(os.fstat(descriptor).st_ino)
        force(descriptor)

    monkeypatch.setattr(os, "fsync", watched)
    ledger.charge(query("1"))
    assert forced == [ledger.path.stat().st_ino, folder.stat().st_ino]
    ledger.charge(query("1"))
    assert forced[2:] == [ledger.path.stat().st_ino]


def test_a_ledger_that_was_moved_away_while_open_is_begun_anew(filled: Ledger) -> None:
    filled.path.rename(filled.path.with_name("moved"))
    filled.charge(query("1"))
    assert filled.spent().epsilon == 1
    assert Ledger(filled.path.with_name("moved"), "rows1-x").spent().epsilon == Fraction(6, 10), "which keeps the rest"


def test_lines_are_json(filled: Ledger) -> None:
    records = [json.loads(line) for line in filled.path.read_text("ascii").splitlines()]
    assert records[0]["version"] == 1
    assert [record["epsilon"] for record in records if record.get("type") == "charge"] == ["1/10", "1/5", "3/10"]


# Everything together

AMOUNTS = st.sampled_from([Fraction(n, 20) for n in (1, 2, 3, 7, 20)])
DELTAS = st.sampled_from([Fraction(0), Fraction(1, 10**6), Fraction(3, 10**6)])
NEIGHBOURS = st.just("add/remove") | st.sampled_from(["add/remove", REPLACE_ONE])
CELLS = st.none() | st.builds(
    TablePart, st.sampled_from(["city", "pay"]), st.frozensets(st.sampled_from("abc"), min_size=1)
)


def brute(entries: tuple[LedgerEntry, ...]) -> Fraction:
    """The largest ε of a person, over all persons with one row, and over what that row may be replaced by."""
    charges = [entry.charge for entry in entries]
    replacing = any(charge.neighbours == REPLACE_ONE for charge in charges)
    rows = [dict(zip(("city", "pay"), values, strict=True)) for values in itertools.product("abc", repeat=2)]

    def touches(charge: Charge, row: dict[str, str]) -> bool:
        return charge.cells is None or row[charge.cells.column] in charge.cells.values

    def loss(charge: Charge, before: dict[str, str], after: dict[str, str]) -> Fraction:
        if charge.neighbours == REPLACE_ONE:
            return charge.epsilon
        return charge.epsilon * (touches(charge, before) + (replacing and touches(charge, after)))

    pairs = itertools.product(rows, rows if replacing else rows[:1])
    return max(sum((loss(charge, *pair) for charge in charges), Fraction(0)) for pair in pairs)


class Spending(RuleBasedStateMachine):
    """Whatever is done to a ledger, its total never falls, never exceeds the budget, and is the right one."""

    folder: Path
    number = itertools.count()

    @initialize()
    def begin(self) -> None:
        self.path = self.folder / f"{next(self.number)}.jsonl"
        self.ledger = Ledger(self.path, "rows1-x")
        self.seen = total([])
        self.copies: list[LedgerHistory] = []
        self.answers: dict[str, int] = {}

    @rule(epsilon=AMOUNTS, delta=DELTAS, cells=CELLS, claimed=st.booleans() | st.just(True), neighbours=NEIGHBOURS)
    def charge(
        self, epsilon: Fraction, delta: Fraction, cells: TablePart | None, claimed: bool, neighbours: str
    ) -> None:
        before, budget = self.ledger.spent(), self.ledger.budget
        charge = Charge("query", "x", epsilon, delta, cells=cells, claimed=claimed, neighbours=neighbours)
        after = total([*(entry.released for entry in self.ledger.entries), charge.released])
        fits = budget is None or (after.epsilon <= budget.epsilon and after.delta <= budget.delta)
        try:
            self.ledger.charge(charge)
        except WorkbenchError:
            assert not fits
            assert self.ledger.spent() == before
        else:
            assert fits
            assert self.ledger.spent() == after

    @rule(epsilon=AMOUNTS, delta=DELTAS)
    def set_budget(self, epsilon: Fraction, delta: Fraction) -> None:
        known, spent = self.ledger.budget, self.ledger.spent()
        possible = known is None and spent.epsilon <= 2 * epsilon and spent.delta <= delta
        try:
            self.ledger.set_budget(2 * epsilon, delta)
        except WorkbenchError:
            assert not possible
            assert self.ledger.budget == known
        else:
            assert possible

    @precondition(lambda self: self.ledger.entries)
    @rule(data=st.data())
    def answer(self, data: st.DataObject) -> None:
        entry = data.draw(st.sampled_from(self.ledger.entries))
        value = self.answers.setdefault(entry.id, len(self.answers))
        self.ledger.answer(entry.id, value)

    @rule()
    def start_again(self) -> None:
        self.ledger = Ledger(self.path, "rows1-x")

    @rule()
    def copy(self) -> None:
        self.copies.append(self.ledger.history)

    @precondition(lambda self: self.copies)
    @rule(data=st.data())
    def bring_a_copy(self, data: st.DataObject) -> None:
        copy = data.draw(st.sampled_from(self.copies))
        self.ledger.merge(copy.entries, copy.budget)

    @rule(cut=st.integers(1, 60))
    def crash_in_a_line(self, cut: int) -> None:
        with self.path.open("ab") as file:
            file.write((b'{"digest":"' + b"0f" * 40)[:cut])

    @invariant()
    def holds(self) -> None:
        other = Ledger(self.path, "rows1-x")
        spent = other.spent()
        assert spent == self.ledger.spent()
        assert spent.epsilon >= self.seen.epsilon and spent.delta >= self.seen.delta
        assert spent.count >= self.seen.count and spent.unclaimed >= self.seen.unclaimed
        assert spent.epsilon == brute(other.entries)
        if other.budget is not None:
            assert spent.epsilon <= other.budget.epsilon and spent.delta <= other.budget.delta
        assert {entry.id: entry.answer for entry in other.answered()} == self.answers
        self.seen = spent


def test_whatever_is_done_the_total_is_right(tmp_path: Path) -> None:
    machine = type("SpendingHere", (Spending,), {"folder": tmp_path})
    machine.TestCase.settings = settings(
        max_examples=examples(20), stateful_step_count=15, deadline=None, suppress_health_check=list(HealthCheck)
    )
    machine.TestCase().runTest()
