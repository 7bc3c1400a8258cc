"""Optimal composition against every single outcome, in 60 digits, and against closed forms."""

from __future__ import annotations

import gc
import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core import optimal_composition
from workbench.core.optimal_composition import composed_delta, composed_epsilon, pure_epsilon

Part = tuple[Fraction, Fraction]

NONE = Fraction(0)
EPSILONS = st.fractions(0, 2, max_denominator=60)
DELTAS = st.sampled_from([NONE, Fraction(1, 10**5), Fraction(1, 10**9), Fraction(1, 20), Fraction(1)])
PARTS = st.lists(st.tuples(EPSILONS, DELTAS), min_size=1, max_size=7)


def decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def delta_of_all_outcomes(parts: list[Part], epsilon: Fraction) -> Decimal:
    """δ of the worst mechanisms with these parts, outcome by outcome."""
    with localcontext(prec=60):
        exceeding, kept = Decimal(0), Decimal(1)
        for signs in itertools.product((1, -1), repeat=len(parts)):
            chance = Decimal(1)
            for sign, (amount, _) in zip(signs, parts, strict=True):
                chance /= 1 + decimal(-sign * amount).exp()
            loss = decimal(sum((sign * amount for sign, (amount, _) in zip(signs, parts, strict=True)), NONE))
            exceeding += chance * max(Decimal(0), 1 - (decimal(epsilon) - loss).exp())
        for _, delta in parts:
            kept *= 1 - decimal(delta)
        return 1 - kept * (1 - exceeding)


def close(found: Fraction, true: Decimal, slack: float = 1e-9) -> bool:
    """Not below the true one by more than 60 digits can hide, and hardly above it."""
    with localcontext(prec=60):
        return true - Decimal("1e-50") <= decimal(found) <= true * (1 + Decimal(slack)) + Decimal("1e-14")


@settings(max_examples=examples(80), deadline=None)
@given(PARTS, st.fractions(0, 8, max_denominator=30))
def test_delta_is_that_of_every_outcome(parts: list[Part], epsilon: Fraction) -> None:
    assert close(composed_delta(parts, epsilon), delta_of_all_outcomes(parts, epsilon))


@settings(max_examples=examples(80), deadline=None)
@given(PARTS, st.sampled_from([Fraction(1, 10**12), Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 3)]))
def test_epsilon_is_the_smallest_and_never_above_the_sum(parts: list[Part], more: Fraction) -> None:
    whole = sum((epsilon for epsilon, _ in parts), NONE)
    delta = sum((part for _, part in parts), NONE) + more
    found = composed_epsilon(parts, delta)
    assert 0 <= found <= whole
    with localcontext(prec=60):
        assert delta_of_all_outcomes(parts, found) <= decimal(delta)
        less = found - Fraction(1, 10**6)
        if less > 0 and more >= Fraction(1, 10**6):
            assert delta_of_all_outcomes(parts, less) > decimal(delta) * (1 - Decimal("1e-9")) or found == whole


def test_from_the_sum_on_only_the_deltas_count() -> None:
    parts = [(Fraction(1, 2), Fraction(5, 10**6)), (Fraction(3, 10), Fraction(3, 10**6)), (Fraction(1, 5), NONE)]
    both = Fraction(5, 10**6) + Fraction(3, 10**6) - Fraction(15, 10**12)
    assert composed_delta(parts, Fraction(1)) == composed_delta(parts, Fraction(2)) == both
    assert composed_epsilon(parts, both) == 1  # exactly what is left: no less would do
    assert composed_epsilon(parts, Fraction(8, 10**6)) < 1
    assert composed_delta([(Fraction(1), Fraction(1, 10**5))], Fraction(1)) == Fraction(1, 10**5)
    with pytest.raises(ValueError, match="no ε has"):
        composed_epsilon(parts, both - Fraction(1, 10**20))


def test_nothing_costs_nothing() -> None:
    assert composed_delta([], NONE) == composed_epsilon([], NONE) == 0
    assert composed_epsilon([(Fraction(3), NONE)], Fraction(1)) == 0
    assert composed_delta([(Fraction(3), Fraction(1))], Fraction(1)) == 1


@pytest.mark.parametrize("part", [(Fraction(-1), NONE), (Fraction(1), Fraction(-1)), (Fraction(1), Fraction(2))])
def test_what_is_no_promise_is_refused(part: Part) -> None:
    with pytest.raises(ValueError, match="impossible"):
        composed_delta([part], Fraction(1))
    with pytest.raises(ValueError, match="impossible"):
        composed_epsilon([part], Fraction(1))
    with pytest.raises(ValueError, match="below 0"):
        composed_delta([], Fraction(-1))


@pytest.mark.parametrize(("epsilon", "times"), [("0.1", 100), ("0.5", 30), ("1", 60), ("0.01", 400)])
def test_equal_parts_give_the_closed_form(epsilon: str, times: int) -> None:
    """Kairouz, Oh and Viswanath, Theorem 3.3, at any ε."""
    amount, target = Fraction(epsilon), Fraction(epsilon) * times / 3
    e, e_target = math.exp(amount), math.exp(target)
    true = math.fsum(
        math.comb(times, minus) * max(0.0, e ** (times - minus) - e_target * e**minus) / (1 + e) ** times
        for minus in range(times + 1)
    )
    assert float(composed_delta([(amount, NONE)] * times, target)) == pytest.approx(true, rel=1e-9)


@pytest.mark.parametrize(
    ("second", "times"), [("1.612", 1), (".556", 3), (".362", 5), (".215", 10), (".143", 20), (".098", 40)]
)
def test_paths_that_are_priced_alike(second: str, times: int) -> None:
    """Each of them costs (3, 1e-5) after 16 answers at ε = .1; that one of them may not be chosen is another matter."""
    parts = [(Fraction(1, 10), NONE)] * 16 + [(Fraction(second), NONE)] * times
    assert float(composed_delta(parts, Fraction(3))) == pytest.approx(1e-5, rel=0.05)


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(EPSILONS, min_size=2, max_size=8), st.fractions(0, 6, max_denominator=30))
def test_the_grid_errs_little_and_to_the_safe_side(amounts: list[Fraction], epsilon: Fraction) -> None:
    kept = tuple(sorted(amount for amount in amounts if amount))
    gap = float(sum(kept, NONE) - epsilon)
    if gap <= 0:
        return
    true = optimal_composition._losses(kept).exceeding(gap)
    found = optimal_composition._on_grid(kept, 1e-12).exceeding(gap)
    assert true * (1 - 1e-9) <= found <= true + 2e-4


def test_many_different_parts_cost_hardly_more_than_equal_ones() -> None:
    different = [Fraction(1, 10) + Fraction(1, 10**9 + number) for number in range(1000)]
    equal = pure_epsilon([Fraction(1, 10)] * 1000, Fraction(1, 10**6))
    assert equal <= pure_epsilon(different, Fraction(1, 10**6)) <= equal * Fraction(101, 100)


def test_huge_amounts_do_no_harm() -> None:
    parts = [(Fraction(800), NONE), (Fraction(1, 10), NONE)]
    assert composed_delta(parts, Fraction(800)) < Fraction(1, 10)
    assert composed_delta(parts, Fraction(1)) == 1


def test_sums_are_kept_within_some_megabytes() -> None:
    """A window holds them for as long as it is open, and each new charge of a ledger makes another."""
    for charges in range(16, 24):
        pure_epsilon([Fraction(1, 10 + number) for number in range(charges)], Fraction(1, 10**6))
    kept = [one for one in gc.get_objects() if isinstance(one, optimal_composition._SumOfLosses)]
    assert len(kept) > 2 and sum(one.below.nbytes + one.mass.nbytes for one in kept) <= 8 << 20
