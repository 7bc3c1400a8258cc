"""Whatever is done to a ledger, its sums are those of a count by brute force."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.properties import examples
from workbench.core.composition import REPLACE_ONE, total
from workbench.core.errors import WorkbenchError
from workbench.query.ledger import Charge, Ledger, LedgerEntry, LedgerHistory, TablePart

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
