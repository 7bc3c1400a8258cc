"""Entries of a ledger by themselves: what is no charge, slot or budget; what two copies say; and what still fits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from workbench.core.charged_mechanism import LossKind
from workbench.core.composition import REPLACE_ONE, ReleaseSpending, TablePart
from workbench.core.content import OF_ROWS
from workbench.core.errors import WorkbenchError
from workbench.query import spent
from workbench.query.ledger import Ledger
from workbench.query.ledger_entries import (
    ASKED_OF,
    CHARGED,
    COLLECTION,
    HIDDEN,
    OPEN,
    PARTICIPATION,
    RECIPE,
    RELEASE,
    WHEN_DRAWN,
    Budget,
    Charge,
    LedgerEntry,
    LedgerHistory,
    LeftFile,
)
from workbench.query.ledger_plans import MOST_SLOTS, PLAN, PlanSlot, plan_spending, sampled_before
from workbench.query.open_slots import open_slots, slot_for
from workbench.query.recorded_look import RecordedLook

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
CELLS = TablePart("town", frozenset({"A"}))


def charge(**changed: Any) -> Charge:
    return Charge(**{"kind": "query", "what": "count", "epsilon": ONE, **changed})


def entry(number: int, one: Charge, **changed: Any) -> LedgerEntry:
    return LedgerEntry(f"{number}", f"2026-01-0{number}", one, **changed)


def look(number: int, when: int) -> RecordedLook:
    return RecordedLook(f"{number}", f"2026-01-0{when}", "recipe", False)


# Charges


@pytest.mark.parametrize(
    "possible",
    [
        {"epsilon": ZERO, "delta": Fraction(1, 10**9)},
        {"epsilon": ZERO, "delta": ONE},
        {"epsilon": ZERO, "claimed": False},
        {"rows_per_person": 1},
        {"neighbours": REPLACE_ONE},
        {"kind": PLAN, "slots": (PlanSlot(ONE),)},
        {"slot": ("1", 0)},
    ],
)
def test_a_charge_may_be_of_anything_that_costs(possible: dict[str, Any]) -> None:
    released = charge(**possible).released
    assert (released.epsilon, released.delta) == (possible.get("epsilon", ONE), possible.get("delta", ZERO))


@pytest.mark.parametrize(
    "wrong",
    [
        {"epsilon": ZERO},
        {"epsilon": Fraction(-1, 10**9)},
        {"epsilon": Fraction(-1), "claimed": False},
        {"delta": Fraction(-1, 10**9)},
        {"delta": Fraction(10**9 + 1, 10**9)},
        {"rows_per_person": 0},
        {"neighbours": "others"},
        {"kind": PLAN},
        {"slots": (PlanSlot(ONE),)},
        {"kind": PLAN, "slots": (PlanSlot(ONE),), "slot": ("1", 0)},
    ],
)
def test_what_costs_nothing_or_less_is_no_charge(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"charge|neighbours|plan"):
        charge(**wrong)


def test_a_collection_shows_who_takes_part_unless_it_says_that_it_hides_it() -> None:
    for kind, parameters, shown in (
        (COLLECTION, {}, True),
        (COLLECTION, {PARTICIPATION: OPEN}, True),
        (COLLECTION, {PARTICIPATION: HIDDEN}, False),
        ("query", {}, False),
    ):
        one = charge(kind=kind, parameters=parameters)
        assert one.open_participation is one.released.open_participation is shown
    slots = (PlanSlot(ONE), PlanSlot(ONE, open_participation=True))
    assert charge(kind=PLAN, slots=slots).released.open_participation
    assert not charge(kind=PLAN, slots=slots[:1]).released.open_participation


def test_no_fingerprint_and_no_digest_is_public() -> None:
    assert charge(parameters={"a": 1, ASKED_OF: "x", RECIPE: "y"}).public == {"a": 1}


@pytest.mark.parametrize(
    ("kind", "parameters", "sampled"),
    [
        (RELEASE, {"beta": 0.5, "k": 1}, True),
        (RELEASE, {"beta": 0.5, "k": 0}, False),
        (RELEASE, {"beta": 0.5, "k": True}, False),
        (RELEASE, {"beta": 0.5, "k": 5.0}, False),
        (RELEASE, {"beta": 1.0, "k": 5}, False),
        (RELEASE, {"beta": 0.0, "k": 5}, False),
        (RELEASE, {"beta": "0.5", "k": 5}, False),
        (RELEASE, {"beta": 0.5, "k": 5, "models": ["k=2"]}, False),
        ("query", {"beta": 0.5, "k": 5}, False),
        (RELEASE, {}, False),
    ],
)
def test_what_earlier_programs_drew_follows_from_beta_and_k(
    kind: str, parameters: dict[str, Any], sampled: bool
) -> None:
    found = sampled_before(kind, parameters, ONE, HALF)
    assert (found is not None) == sampled
    assert charge(kind=kind, parameters=parameters, delta=HALF).drawn == (() if found is None else (found,))
    if found is not None:
        assert (found.kind, found.epsilon, found.delta, found.beta, found.k) == (LossKind.SAMPLE, ONE, HALF, 0.5, 1)


# Entries


def test_a_draw_has_left_with_its_first_file_and_is_called_by_it() -> None:
    drawn = charge(kind=RELEASE, what="Draw 1", parameters={CHARGED: WHEN_DRAWN}, key="d")
    at_once = charge(kind=RELEASE, what="Release x.csv", key="e")
    kept, file = entry(1, drawn), LeftFile("y.csv", "00")
    gone = kept.with_files([file, file])
    assert (kept.left, kept.what) == (False, "Draw 1, not published")
    assert (gone.left, gone.what, gone.files) == (True, "Release y.csv", (file,))
    assert gone.with_files([file]) is gone
    assert (entry(2, at_once).left, entry(2, at_once).what) == (True, "Release x.csv")
    history = LedgerHistory((kept, entry(2, at_once), entry(3, charge())))
    assert history.left_keys == {"e"}
    assert replace(history, entries=(gone,)).left_keys == {"d"}


def test_two_copies_say_everything_that_one_of_them_says() -> None:
    file = LeftFile("y.csv", "00")
    one = LedgerHistory(
        (entry(2, charge(), answer=7), entry(3, charge())), Budget(ONE, HALF), (look(2, 5),), frozenset({"a"})
    )
    other = LedgerHistory(
        (entry(1, charge()), entry(2, charge(), answer=9, files=(file,)), entry(3, charge(), answer=8)),
        Budget(HALF, Fraction(3, 4)),
        (look(1, 1), look(2, 5)),
        frozenset({"b"}),
    )
    both = one.with_history(other)
    assert [(it.id, it.answer, it.files) for it in both.entries] == [("1", None, ()), ("2", 7, (file,)), ("3", 8, ())]
    assert both.budget == Budget(HALF, HALF) and [it.id for it in both.looks] == ["1", "2"]
    assert both.aliases == {"a", "b"} and one.with_history(LedgerHistory()) is one
    assert LedgerHistory().with_history(one).budget == one.budget
    assert one.with_history(replace(other, budget=None)).budget == one.budget


def test_anything_that_is_known_makes_a_history() -> None:
    assert not LedgerHistory()
    for known in (
        {"entries": (entry(1, charge()),)},
        {"budget": Budget(ONE, ZERO)},
        {"looks": (look(1, 1),)},
        {"aliases": frozenset({"a"})},
    ):
        assert LedgerHistory(**known)
    assert LedgerHistory(aliases=frozenset({f"{OF_ROWS}x"})).continued
    assert not LedgerHistory(aliases=frozenset({"bytes-x"})).continued


def test_parts_of_a_table_do_not_count_where_there_are_several_tables() -> None:
    slots = (PlanSlot(ONE, cells=CELLS),)
    history = LedgerHistory((entry(1, charge(cells=CELLS)), entry(2, charge(kind=PLAN, slots=slots))))
    first, second = history.of_several_tables().entries
    assert first.charge == charge() and second.charge.slots == (PlanSlot(ONE),)


def test_of_two_budgets_the_smaller_counts_and_one_filter_only_if_both_have_it() -> None:
    delta = Fraction(1, 100)
    assert Budget(ONE, ZERO).within(Budget(HALF, HALF)) == Budget(HALF, ZERO)
    filtered = Budget(Fraction(3), delta, 8.0)
    assert filtered.within(Budget(Fraction(2), delta, 8.0)) == Budget(Fraction(2), delta, 8.0)
    assert filtered.within(Budget(Fraction(2), delta, 4.0)) == Budget(Fraction(2), delta)
    assert filtered.within(Budget(Fraction(2), delta)) == Budget(Fraction(2), delta)
    assert filtered.within(Budget(Fraction(1, 10**6), delta)) == Budget(Fraction(1, 10**6), delta)


# What fits


def test_what_is_left_and_what_fits_are_exact(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.jsonl", "rows1-x")
    ledger.set_budget(ONE, Fraction(1, 10))
    ledger.charge(charge(epsilon=Fraction(3, 4)))
    fits = ledger.remaining_after(charge(epsilon=Fraction(1, 4)))
    assert (fits.refusal, fits.left, fits.fitting, fits.planned) == (None, 0, Fraction(1, 4), False)
    beyond = ledger.remaining_after(charge(epsilon=Fraction(1, 4) + Fraction(1, 10**9)))
    assert beyond.refusal is not None and beyond.refusal.field == "epsilon"
    assert (beyond.left, beyond.fitting) == (0, Fraction(1, 4))
    assert beyond.refusal.hint == "For this, at most ε = 0.25 would fit. Nothing was spent."
    by_delta = ledger.remaining_after(charge(epsilon=Fraction(1, 4), delta=Fraction(1, 5)))
    assert by_delta.refusal is not None and by_delta.refusal.field == "delta"
    assert "ε = 0.25 and δ = 0.1 would fit" in by_delta.refusal.hint
    # Of two rows per person what is spent counts twice, and nothing fits.
    twice = ledger.remaining_after(charge(epsilon=Fraction(1, 100), rows_per_person=2))
    assert twice.refusal is not None and "Nothing like it fits any more" in twice.refusal.hint
    assert twice.fitting <= 0
    left = ledger.remaining()
    assert left is not None and (left.epsilon, left.delta, left.order) == (Fraction(1, 4), Fraction(1, 10), 0.0)
    ledger.charge(charge(epsilon=Fraction(1, 4), delta=Fraction(1, 10)))
    left = ledger.remaining()
    assert left is not None and (left.epsilon, left.delta) == (0, 0)
    with pytest.raises(WorkbenchError, match="would go beyond the budget"):
        ledger.charge(charge(epsilon=Fraction(1, 10**9)))


def test_without_a_budget_everything_fits(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "l.jsonl", "rows1-x")
    room = ledger.remaining_after(charge(epsilon=Fraction(99)))
    assert (room.refusal, room.left, room.fitting, room.after.epsilon) == (None, None, 99, 99)


# Plans


def test_a_slot_is_for_something_possible() -> None:
    for possible in ({"epsilon": ZERO}, {"delta": ONE}, {"rows_per_person": 1}, {"neighbours": REPLACE_ONE}):
        slot = PlanSlot(**{"epsilon": ONE, **possible})
        assert PlanSlot.of(slot.spending) == slot == PlanSlot.from_json(slot.to_json())
    for wrong in (
        {"epsilon": Fraction(-1, 9)},
        {"delta": Fraction(-1, 9)},
        {"delta": Fraction(10, 9)},
        {"rows_per_person": 0},
        {"neighbours": "others"},
    ):
        with pytest.raises(ValueError, match=r"slot|neighbours"):
            PlanSlot(**{"epsilon": ONE, **wrong})


def test_a_plan_has_a_slot_at_least_and_not_too_many_and_a_delta_that_covers_them() -> None:
    one = ReleaseSpending(Fraction(1, 10**6), Fraction(1, 10**9))
    assert plan_spending([one]).delta == one.delta
    assert plan_spending([one] * 2, 2 * one.delta).delta == 2 * one.delta
    for slots, delta, field in (
        ([], None, "plan"),
        ([one] * (MOST_SLOTS + 1), None, "plan"),
        ([one, replace(one, rows_per_person=2)], None, "plan"),
        ([one, replace(one, neighbours=REPLACE_ONE)], None, "plan"),
        ([one, replace(one, claimed=False)], None, "plan"),
        ([one, replace(one, open_participation=True)], None, "plan"),
        ([one] * 2, one.delta, "plan_delta"),
        ([one] * 2, ONE, "plan_delta"),
    ):
        with pytest.raises(WorkbenchError) as caught:
            plan_spending(slots, delta)
        assert caught.value.field == field


def test_the_first_open_slot_of_the_oldest_plan_is_taken() -> None:
    plans = [
        entry(number, charge(kind=PLAN, slots=(PlanSlot(HALF), PlanSlot(ONE), PlanSlot(ONE)))) for number in (1, 2)
    ]
    drawn = entry(3, charge(slot=("1", 1)))
    assert open_slots([*plans, drawn]) == {"1": (0, 2), "2": (0, 1, 2)}
    assert slot_for([*plans, drawn], ReleaseSpending(ONE, ZERO)) == ("1", 2)
    assert slot_for([*plans, drawn], ReleaseSpending(HALF, ZERO)) == ("1", 0)
    assert slot_for([*plans, drawn], ReleaseSpending(Fraction(2), ZERO)) is None
    full = [entry(number, charge(slot=("1", number - 4))) for number in (4, 5, 6)]
    assert slot_for([*plans, *full], ReleaseSpending(ONE, ZERO)) == ("2", 1)


# What an action spent


def test_what_was_spent_is_noticed_while_somebody_watches() -> None:
    free = entry(1, charge(epsilon=ZERO, claimed=False))
    with spent.watching() as outer:
        spent.charged(entry(2, charge()))
        spent.charged(free)
        with spent.watching() as inner:
            spent.charged(entry(3, charge()))
            spent.answered("3")
        spent.charged(entry(4, charge()))
    spent.charged(entry(5, charge()))
    spent.answered("5")
    assert [it.id for it in outer.entries] == ["2", "4"] and outer.answered == set()
    assert [it.id for it in inner.entries] == ["3"] and inner.answered == {"3"}
