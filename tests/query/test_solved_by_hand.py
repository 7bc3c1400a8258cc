"""The ε that a wished error needs, the noise of a library at its ends, and a number that becomes known."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.query.helpers import schema
from workbench.core.composition import ReleaseSpending, total
from workbench.core.errors import WorkbenchError
from workbench.core.release_spending import with_number_known
from workbench.query import opendp_bridge
from workbench.query.catalogue import QUERIES, QueryDraft
from workbench.query.epsilon_for import solve
from workbench.query.ledger import Budget, Charge, Ledger, LedgerHistory
from workbench.query.plans import plan
from workbench.query.remaining_budget import check_number_known

COUNT = QueryDraft("count", "1", {})


def half_width(epsilon: str) -> float:
    found = plan(replace(COUNT, epsilon=epsilon), schema(1)).expected.half_width
    assert found is not None
    return found


@pytest.mark.parametrize("target", ["0.5", "1", "3", "10", "250"])
def test_the_epsilon_that_is_found_is_enough_and_hardly_less_would_be(target: str) -> None:
    found = solve(COUNT, schema(1), target)
    assert half_width(found) <= float(target)
    less = Context(prec=3, rounding=ROUND_FLOOR).plus(Decimal(found) * Decimal("0.99"))
    assert half_width(str(less)) > float(target)


@pytest.mark.parametrize("target", ["0", "-1", "-1/2"])
def test_no_error_is_below_nothing(target: str) -> None:
    with pytest.raises(WorkbenchError, match="must be above 0") as refused:
        solve(COUNT, schema(1), target)
    assert refused.value.field == "target"


def test_an_error_that_no_epsilon_reaches_is_said() -> None:
    with pytest.raises(WorkbenchError, match="No ε makes the answer that exact"):
        solve(QueryDraft("median", "1", {"column": "age"}), schema(1), "1e-12")


def test_an_error_that_every_epsilon_reaches_needs_the_smallest() -> None:
    assert Fraction(solve(COUNT, schema(1), "1e300")) < Fraction(1, 1000)


def charge(epsilon: str, delta: str = "0") -> Charge:
    return Charge(kind="query", what="a question", epsilon=Fraction(epsilon), delta=Fraction(delta))


@pytest.mark.parametrize(
    ("budget", "fits"),
    [
        (None, True),
        (Budget(Fraction(1), Fraction(1, 10)), True),
        (Budget(Fraction(99, 100), Fraction(1, 10)), False),
        (Budget(Fraction(1), Fraction(26, 1000)), False),
    ],
)
def test_a_number_that_becomes_known_doubles_what_was_spent(tmp_path: Path, budget: Budget | None, fits: bool) -> None:
    """Replacing one person is removing one and adding one: (2ε, δ + δ·e^ε). With 1/2 and 1/100 that is 1 and 0.0265."""
    ledger = Ledger(tmp_path / "x.ledger.jsonl", "x")
    ledger.charge(charge("1/2", "1/100"))
    history = replace(ledger.history, budget=budget)
    if fits:
        check_number_known(history)
    else:
        with pytest.raises(WorkbenchError, match="counts twice"):
            check_number_known(history)


def test_at_the_very_budget_there_is_room() -> None:
    alone = (ReleaseSpending(Fraction(1, 2), Fraction(1, 100)),)
    delta = total(with_number_known(alone)).delta
    assert float(delta) == pytest.approx(0.01 * (1 + math.exp(0.5))), "removing one person, and then adding one"
    check_number_known(LedgerHistory(budget=Budget(Fraction(1), delta)), alone)
    hair = Fraction(1, 10**9)
    for less in (Budget(1 - hair, delta), Budget(Fraction(1), delta - hair)):
        with pytest.raises(WorkbenchError, match="counts twice"):
            check_number_known(LedgerHistory(budget=less), alone)


@dataclass(frozen=True)
class Measurement:
    """Whose privacy map states a little more than the scale says, and whose noise is none."""

    scale: float
    more: float

    def map(self, sensitivity: int) -> float:
        return sensitivity / self.scale + self.more

    def __call__(self, numbers: list[int]) -> list[int]:
        return list(numbers)


class Library:
    """Stands in for OpenDP."""

    def __init__(self, more: float) -> None:
        self.more, self.scales = more, list[float]()
        self.m = SimpleNamespace(make_laplace=self._made)

    def atom_domain(self, **_: Any) -> None: ...

    def vector_domain(self, _: Any) -> None: ...

    def l1_distance(self, **_: Any) -> None: ...

    def _made(self, *_: Any, scale: float) -> Measurement:
        self.scales.append(scale)
        return Measurement(scale, self.more)


def used(monkeypatch: pytest.MonkeyPatch, more: float) -> Library:
    library = Library(more)
    monkeypatch.setattr(opendp_bridge, "_library", lambda: library)
    return library


def test_the_scale_is_what_one_person_changes_over_epsilon(monkeypatch: pytest.MonkeyPatch) -> None:
    library = used(monkeypatch, 0.0)
    opendp_bridge.check(6, Fraction(1, 2))
    assert library.scales == [12.0]


def test_a_scale_whose_own_map_states_too_much_is_made_larger(monkeypatch: pytest.MonkeyPatch) -> None:
    library = used(monkeypatch, 3e-16)
    opendp_bridge.check(3, Fraction(1, 2))
    assert len(library.scales) > 1
    assert all(one < two for one, two in itertools.pairwise(library.scales)), "each is larger than the one before"


def test_a_map_that_always_states_too_much_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, 1.0)
    with pytest.raises(WorkbenchError, match="states a larger ε"):
        opendp_bridge.check(1, Fraction(1, 2))


@pytest.mark.parametrize(("sensitivity", "fits"), [(2**62, True), (2**62 + 1, False)])
def test_what_one_person_changes_fits_whole_numbers(
    monkeypatch: pytest.MonkeyPatch, sensitivity: int, fits: bool
) -> None:
    used(monkeypatch, 0.0)
    if fits:
        opendp_bridge.check(sensitivity, Fraction(1))
    else:
        with pytest.raises(WorkbenchError, match="more than OpenDP's whole numbers hold"):
            opendp_bridge.check(sensitivity, Fraction(1))


def test_numbers_beyond_what_it_holds_are_cut_at_both_ends_and_others_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    used(monkeypatch, 0.0)
    sent = [-(2**70), -(2**62), -(2**40), 0, 2**40, 2**62, 2**70]
    assert opendp_bridge.noisy(sent, 1, Fraction(1)) == [-(2**62), -(2**62), -(2**40), 0, 2**40, 2**62, 2**62]
    assert opendp_bridge.noisy([], 1, Fraction(1)) == []


def test_no_epsilon_is_looked_for_where_it_follows_from_the_question() -> None:
    (kind, *_) = [one for one in QUERIES if not one.needs_epsilon]
    with pytest.raises(WorkbenchError, match="follows from its own parameters") as refused:
        solve(QueryDraft(kind.identifier, "", {"column": "age"}), schema(1), "1")
    assert refused.value.field == "epsilon"


def test_a_ledger_says_of_which_data_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.ledger.jsonl"
    assert Ledger.of_file(path).fingerprint == ""
    Ledger(path, "of these rows").charge(charge("1"))
    assert Ledger.of_file(path).fingerprint == "of these rows"
