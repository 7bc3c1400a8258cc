"""Dominating pairs against every outcome of the mechanisms themselves, and their composition against closed forms."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.loss_composition import composed_loss_delta, composed_loss_epsilon
from workbench.core.loss_distributions import LossDistribution, LossPair, for_rows, from_curves, worst_pair
from workbench.core.loss_pairs import noisy_number_pair, sampling_pair
from workbench.core.optimal_composition import composed_delta, composed_epsilon

NONE = Fraction(0)
RATIOS = [math.exp(number / 4) for number in range(-8, 11)]
BEST, MOST = (0.275967674570816, 12), (0.6321205588, 46)
"""β and k at (1, 1e-5): the one that keeps the smallest groups, the one that keeps the most rows."""


def excess(first: Mapping[object, float], second: Mapping[object, float], ratio: float) -> float:
    return math.fsum(max(0.0, chance - ratio * second.get(output, 0.0)) for output, chance in first.items())


def released(rows: int, beta: float, k: int) -> dict[object, float]:
    """How many rows of a group are released, with their probabilities; 0 where it is suppressed."""
    found: dict[object, float] = {}
    for kept in range(rows + 1):
        shown = kept if kept >= k else 0
        found[shown] = found.get(shown, 0.0) + math.comb(rows, kept) * beta**kept * (1 - beta) ** (rows - kept)
    return found


def independent(*parts: Mapping[object, float]) -> dict[object, float]:
    return {
        outputs: math.prod(part[output] for part, output in zip(parts, outputs, strict=True))
        for outputs in itertools.product(*parts)
    }


@pytest.mark.parametrize(("beta", "k"), [(0.3, 1), (0.4, 3), (0.8, 5), (0.9, 2), BEST])
def test_the_pair_of_sampling_is_the_worst_of_all_group_sizes_and_no_worse(beta: float, k: int) -> None:
    pair = sampling_pair(beta, k)
    sizes = [released(rows, beta, k) for rows in range(130)]
    for ratio in RATIOS:
        epsilon = math.log(ratio)
        adding = max(excess(more, less, ratio) for less, more in itertools.pairwise(sizes))
        removing = max(excess(less, more, ratio) for less, more in itertools.pairwise(sizes))
        for found, true in ((pair.adding, adding), (pair.removing, removing)):
            assert found.delta(epsilon) >= true * (1 - 1e-12)
            assert found.delta(epsilon) <= true + 1e-10 if ratio >= 0.2 else True


@pytest.mark.parametrize(("beta", "k"), [(0.4, 2), (0.7, 3)])
def test_persons_with_two_rows_wherever_they_are(beta: float, k: int) -> None:
    pair = sampling_pair(beta, k, 2)
    one = [released(rows, beta, k) for rows in range(14)]
    for ratio in RATIOS:
        epsilon = math.log(ratio)
        together = [(one[rows], one[rows + 2]) for rows in range(12)]
        apart = [
            (independent(one[a], one[b]), independent(one[a + 1], one[b + 1])) for a in range(7) for b in range(a + 1)
        ]
        for less, more in (*together, *apart):
            assert pair.adding.delta(epsilon) >= excess(more, less, ratio) - 1e-12
            assert pair.removing.delta(epsilon) >= excess(less, more, ratio) - 1e-12


def test_what_cannot_be_sampled_or_listed_is_refused() -> None:
    for beta, k in ((0.0, 3), (1.0, 3), (0.5, 0), (1e-9, 5)):
        with pytest.raises(ValueError, match=r"impossible|too many"):
            sampling_pair(beta, k)
    with pytest.raises(ValueError, match="without an ε"):
        noisy_number_pair(NONE, 3)


def noisy(true: int, rate: float, reach: int = 400) -> dict[object, float]:
    q = math.exp(-rate)
    return {true + z: (1 - q) / (1 + q) * q ** abs(z) for z in range(-reach, reach + 1)}


@pytest.mark.parametrize(("epsilon", "sensitivity"), [("1", 1), ("2", 3), ("3/2", 4), ("1/2", 6)])
def test_the_pair_of_noisy_numbers_is_that_of_one_number(epsilon: str, sensitivity: int) -> None:
    pair = noisy_number_pair(Fraction(epsilon), sensitivity)
    rate = float(Fraction(epsilon)) / sensitivity
    before, after = noisy(0, rate), noisy(sensitivity, rate)
    for ratio in RATIOS:
        assert pair.delta(math.log(ratio)) == pytest.approx(excess(before, after, ratio), abs=1e-6)
        assert pair.delta(math.log(ratio)) >= excess(before, after, ratio) - 1e-12


def test_a_change_that_is_spread_over_numbers_is_no_worse() -> None:
    pair = noisy_number_pair(Fraction(3), 3)
    alone, ones = noisy(0, 1.0, 14), noisy(1, 1.0, 14)
    for ratio in RATIOS:
        for first, second in ((independent(alone, alone, alone), independent(ones, ones, ones)),):
            assert excess(first, second, ratio) <= pair.delta(math.log(ratio)) + 1e-9
        twos = noisy(2, 1.0, 30)
        two = excess(independent(noisy(0, 1.0, 30), alone), independent(twos, ones), ratio)
        assert two <= pair.delta(math.log(ratio)) + 1e-9


@pytest.mark.parametrize("sensitivity", [2_001, 10**6, 10**13 + 1])
def test_so_many_losses_that_some_stand_for_others(sensitivity: int) -> None:
    pair = noisy_number_pair(Fraction(2), sensitivity)
    for epsilon in (0.0, 0.3, 1.0, 1.9):
        laplace = -math.expm1((epsilon - 2) / 2)  # below what whole numbers have, and hardly
        assert laplace * (1 - 1e-12) <= pair.delta(epsilon) <= laplace + 1e-3
    assert pair.delta(2.0) <= 1e-9


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(
        st.tuples(st.fractions(0, 2, max_denominator=40), st.sampled_from([NONE, Fraction(1, 10**6), Fraction(1, 50)])),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([1e-3, 1e-6, 1e-12, 1e-30]),
)
def test_the_worst_pairs_compose_optimally(parts: list[tuple[Fraction, Fraction]], more: float) -> None:
    pairs = [(worst_pair(*part), 1) for part in parts]
    delta = float(sum((delta for _, delta in parts), NONE)) * (1 + 1e-6) + more
    true = float(composed_epsilon(parts, Fraction(delta)))
    found = composed_loss_epsilon(pairs, delta)
    assert true * (1 - 1e-9) - 1e-9 <= found <= true + 2e-3
    assert float(composed_delta(parts, Fraction(found))) <= delta * (1 + 1e-9)
    at = true / 2
    assert composed_loss_delta(pairs, at) >= float(composed_delta(parts, Fraction(at))) * (1 - 1e-9) - 1e-14


@pytest.mark.parametrize("delta", [1e-3, 1e-9, 1e-20, 1e-40])
def test_many_draws_at_any_delta(delta: float) -> None:
    true = float(composed_epsilon([(Fraction(1, 10), NONE)] * 100, Fraction(delta)))
    assert true * (1 - 1e-12) <= composed_loss_epsilon([(worst_pair(Fraction(1, 10), NONE), 100)], delta) <= true + 1e-6


def convolved(one: LossDistribution, times: int, epsilon: float) -> float:
    """δ of several draws, every combination of outcomes by itself."""
    found, infinite = {0.0: 1.0}, 1.0
    for _ in range(times):
        infinite *= 1 - one.infinite
        longer: dict[float, float] = {}
        for before, chance in found.items():
            for loss, mass in zip(one.losses.tolist(), one.masses.tolist(), strict=True):
                place = round(before + loss, 12)
                longer[place] = longer.get(place, 0.0) + chance * mass
        found = longer
    return 1 - infinite + math.fsum(c * -math.expm1(epsilon - loss) for loss, c in found.items() if loss > epsilon)


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("epsilon", [0.0, 0.4, 1.1])
def test_every_combination_of_outcomes_of_sampling(times: int, epsilon: float) -> None:
    pair = sampling_pair(0.8, 2)
    for direction in (pair.adding, pair.removing):
        found = composed_loss_delta([(LossPair.symmetric(direction), times)], epsilon)
        true = convolved(direction, times, epsilon)
        assert true * (1 - 1e-9) <= found <= true * (1 + 1e-4)


@pytest.mark.parametrize(
    ("setting", "times", "cost"),
    [
        (BEST, 1, 1.0),
        (BEST, 2, 1.077),
        (BEST, 6, 1.285),
        (BEST, 20, 1.836),
        (MOST, 1, 0.987),
        (MOST, 2, 1.151),
        (MOST, 6, 1.636),
        (MOST, 20, 2.689),
    ],
)
def test_what_samplings_cost_together(setting: tuple[float, int], times: int, cost: float) -> None:
    found = composed_loss_epsilon([(sampling_pair(*setting), times)], times * 1e-5)
    assert found == pytest.approx(cost, abs=6e-4)


@pytest.mark.parametrize(
    ("times", "small", "large"), [(2, 0.943, 0.877), (5, 1.357, 1.172), (10, 1.853, 1.527), (20, 2.596, 2.046)]
)
def test_what_samplings_cost_at_one_delta_and_at_as_many_as_they_are(times: int, small: float, large: float) -> None:
    parts = [(sampling_pair(0.5295191395710693, 40), times)]
    assert composed_loss_epsilon(parts, 1e-5) == pytest.approx(small, abs=6e-4)
    assert composed_loss_epsilon(parts, times * 1e-5) == pytest.approx(large, abs=6e-4)


def test_mixed_group_sizes_are_within_what_is_said() -> None:
    """Two samplings of a table whose groups have changed in between, whatever their sizes: brute force."""
    beta, k = 0.5, 2
    parts = [(sampling_pair(beta, k), 2)]
    one = [released(rows, beta, k) for rows in range(9)]
    for epsilon in (0.5, 1.0):
        said = composed_loss_delta(parts, epsilon)
        for a, b in itertools.product(range(8), repeat=2):
            less, more = independent(one[a], one[b]), independent(one[a + 1], one[b + 1])
            assert excess(more, less, math.exp(epsilon)) <= said
            assert excess(less, more, math.exp(epsilon)) <= said


def test_different_mechanisms_together() -> None:
    pairs = [(sampling_pair(*BEST), 2), (noisy_number_pair(Fraction(1, 2), 3), 4), (worst_pair(Fraction(1), NONE), 1)]
    found = composed_loss_epsilon(pairs, 1e-4)
    worst = [(Fraction(1), Fraction(1, 10**5))] * 2 + [(Fraction(1, 2), NONE)] * 4 + [(Fraction(1), NONE)]
    assert 1.5 < found < float(composed_epsilon(worst, Fraction(1, 10**4)))
    assert composed_loss_delta(pairs, found) <= 1e-4 * (1 + 1e-6)


def test_nothing_and_too_much() -> None:
    assert composed_loss_epsilon([], 1e-6) == 0.0
    assert composed_loss_delta([], 0.0) == 0.0
    surely = [(worst_pair(Fraction(1), Fraction(1, 100)), 3)]
    assert composed_loss_epsilon(surely, 1e-3) == math.inf
    assert composed_loss_epsilon([(worst_pair(Fraction(1), Fraction(1)), 1)], 0.5) == math.inf
    assert composed_loss_delta(surely, 50.0) == pytest.approx(1 - 0.99**3)


def test_a_curve_gives_back_its_pair() -> None:
    pair = sampling_pair(0.6, 3)
    at = np.linspace(0.0, 2.0, 300)
    adding = np.array([pair.adding.delta(x) for x in at.tolist()])
    removing = np.array([pair.removing.delta(x) for x in at.tolist()])
    again = from_curves(at, adding, removing)
    for epsilon in np.linspace(-1.5, 1.9, 30).tolist():
        for found, true in ((again.adding, pair.adding), (again.removing, pair.removing)):
            assert true.delta(epsilon) * (1 - 1e-9) <= found.delta(epsilon) <= true.delta(epsilon) + 1e-3


def test_more_rows_of_the_worst_mechanism_are_group_privacy() -> None:
    pair = for_rows(worst_pair(Fraction(1, 2), Fraction(1, 10**6)), 3)
    grown = 1e-6 * (1 + math.exp(0.5) + math.exp(1.0))
    assert grown * (1 - 1e-9) <= pair.delta(1.5) <= grown * (1 + 1e-3)
    assert pair.delta(0.5) <= 1.0


@pytest.mark.parametrize("order", [1.5, 4.0, 30.0])
def test_the_renyi_divergence_of_the_worst_mechanism(order: float) -> None:
    p = 1 / (1 + math.exp(-0.7))
    by_hand = math.log(p**order * (1 - p) ** (1 - order) + (1 - p) ** order * p ** (1 - order)) / (order - 1)
    pair = worst_pair(Fraction(7, 10), Fraction(1, 10**5))
    found, aside = pair.adding.renyi(order, 1e-5)
    # What is left has the whole probability, so that only rounding is added to it.
    assert by_hand <= found <= by_hand + 1e-4
    assert aside == pytest.approx(1e-5)
    assert worst_pair(NONE, NONE).adding.renyi(order, 0.0) == pytest.approx((0.0, 0.0), abs=1e-10)


def test_the_renyi_divergence_of_sampling_sets_aside_no_more_than_asked() -> None:
    pair = sampling_pair(*BEST)
    for one in (pair.adding, pair.removing):
        found, aside = one.renyi(8.0, 1e-5)
        assert 0 <= found < 0.2
        assert one.infinite <= aside <= 1e-5
    with pytest.raises(ValueError, match="above 1"):
        pair.adding.renyi(1.0, 0.0)


def test_impossible_distributions_are_refused() -> None:
    for losses, masses, infinite in (([1.0], [], 0.0), ([math.inf], [1.0], 0.0), ([0.0], [-1.0], 0.0), ([], [], 2.0)):
        with pytest.raises(ValueError, match=r"losses|impossible"):
            LossDistribution(np.array(losses), np.array(masses), infinite)


def test_a_second_opinion_on_sampling_and_noise() -> None:
    accounting = pytest.importorskip("dp_accounting")
    losses = accounting.pld.privacy_loss_distribution
    one = losses.from_discrete_laplace_mechanism(0.5, sensitivity=2, value_discretization_interval=1e-4)
    theirs = one.self_compose(10).get_epsilon_for_delta(1e-6)
    ours = composed_loss_epsilon([(noisy_number_pair(Fraction(1), 2), 10)], 1e-6)
    assert ours == pytest.approx(theirs, abs=2e-3)


def test_a_third_opinion_on_group_noise() -> None:
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    space = dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int)
    laplace = dp.m.make_laplace(*space, scale=2.0)
    assert float(laplace.map(2)) == pytest.approx(1.0)
    assert noisy_number_pair(Fraction(1), 2).delta(1.0) <= 1e-9
