"""The ledger: exact sums, and a budget that holds."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.query.helpers import again, query
from workbench.core.composition import REPLACE_ONE, ReleaseSpending, for_rows, total
from workbench.core.errors import WorkbenchError
from workbench.query.ledger import Budget, Charge, Ledger, LedgerEntry, TablePart


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
    assert ledger.remaining_after(query("0.6", claimed=False)).refusal is not None
    ledger.charge(query("0.5", claimed=False))
    assert not ledger.spent().bounded
    assert (ledger.spent().epsilon, ledger.spent().unclaimed) == (1, 1)


def test_what_has_no_epsilon_is_recorded_whatever_the_budget(ledger: Ledger) -> None:
    ledger.set_budget(Fraction(1))
    ledger.merge([LedgerEntry("e", "2024-01-01", query("7"))])
    syntactic = Charge("release", "k-anonymous", Fraction(0), claimed=False, rows_per_person=9)
    assert ledger.remaining_after(syntactic).refusal is None
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
    fits = ledger.remaining_after(query("9", **then)).fitting
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
