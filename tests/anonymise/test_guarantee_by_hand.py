"""The δ of sampling, generalising and suppressing against brute force in fractions; several rows per person too."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.anonymise.sampling_by_hand import brute_classical, brute_delta, divergence, exponential, seen
from workbench.anonymise.sample_guarantee import Accounting, beta_max, delta, guarantee

CLASSICAL = Accounting.CLASSICAL


@pytest.mark.parametrize("epsilon", [0.05, 0.3, math.log(2), 1.0, 2.5, 6.0])
@pytest.mark.parametrize("beta", [0.05, 0.25, 0.5, 0.7, 0.9, 0.99])
@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_exact_delta_is_the_divergence_maximised_over_class_sizes(epsilon: float, beta: float, k: int) -> None:
    most = 50 if epsilon < 0.1 and beta < 0.1 else 24
    truth = brute_delta(exponential(epsilon), Fraction(beta), k, most)
    computed = Fraction(delta(epsilon, beta, k))
    assert truth <= computed <= truth * (1 + Fraction(1, 10**11))


@pytest.mark.parametrize(("epsilon", "beta", "k"), [(0.02, 0.1, 4), (0.05, 0.3, 12), (0.01, 0.9, 20), (0.3, 0.4, 25)])
def test_exact_delta_far_from_the_smallest_class(epsilon: float, beta: float, k: int) -> None:
    """The maximum lies at many rows, where a search over few class sizes would miss it."""
    gamma = 1 - (1 - beta) * math.exp(-epsilon)
    most = math.ceil(k / gamma) + 15
    truth = brute_delta(exponential(epsilon), Fraction(beta), k, most)
    assert truth <= Fraction(delta(epsilon, beta, k)) <= truth * (1 + Fraction(1, 10**11))


@pytest.mark.parametrize(("epsilon", "beta", "k"), [(0.05, 0.97, 35), (0.02, 0.95, 21)])
def test_removing_a_row_can_be_worse_than_adding_one(epsilon: float, beta: float, k: int) -> None:
    e, sampled = exponential(epsilon), Fraction(beta)
    sizes = range(k - 1, k + 8)
    adding = max(divergence(seen(n, sampled, k), seen(n - 1, sampled, k), e) for n in sizes)
    removing = max(divergence(seen(n - 1, sampled, k), seen(n, sampled, k), e) for n in sizes)
    assert removing > adding * Fraction(1001, 1000)
    assert removing <= Fraction(delta(epsilon, beta, k)) <= removing * (1 + Fraction(1, 10**11))


@pytest.mark.parametrize("epsilon", [0.25, 1.0, 2.0, 4.0])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("k", [1, 2, 4, 7])
def test_classical_delta_is_the_theorem(epsilon: float, share: float, k: int) -> None:
    beta = share * beta_max(epsilon)
    gamma = 1 - (1 - beta) * math.exp(-epsilon)
    truth = brute_classical(exponential(epsilon), Fraction(beta), k, math.ceil(k / gamma) + 25)
    computed = Fraction(delta(epsilon, beta, k, CLASSICAL))
    assert truth <= computed <= truth * (1 + Fraction(1, 10**11))


@pytest.mark.parametrize(("e", "beta"), [(2, 0.5), (2, 0.25), (3, 0.5), (3, 0.25), (4, 0.75), (5, 0.5)])
@pytest.mark.parametrize("k", [2, 3, 5, 6, 10])
def test_a_boundary_on_a_whole_number_counts_its_term(e: int, beta: float, k: int) -> None:
    """γn is often whole where e^ε is; the float nearest to ln e must not drop the term P[X = γn]."""
    gamma = 1 - (1 - beta) / e
    most = math.ceil(k / gamma) + 25
    with_term = brute_classical(Fraction(e), Fraction(beta), k, most, strict=False)
    without = brute_classical(Fraction(e), Fraction(beta), k, most)
    for epsilon in (math.log(e), math.nextafter(math.log(e), 0), math.nextafter(math.log(e), 9)):
        computed = delta(epsilon, beta, k, CLASSICAL)
        assert computed >= float(without)
        assert computed == pytest.approx(float(max(without, _with_doubtful_sizes(e, beta, k, most))), rel=1e-11)
        assert computed >= float(with_term) or computed == pytest.approx(float(with_term), rel=1e-11)


def _with_doubtful_sizes(e: int, beta: float, k: int, most: int) -> Fraction:
    """The theorem's maximum for a γ a hair smaller: term and class size at the boundary both count."""
    return brute_classical(Fraction(e) * (1 - Fraction(1, 10**14)), Fraction(beta), k, most)


# --- several rows per person -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("beta", [0.2, 0.6])
@pytest.mark.parametrize("k", [2, 4])
def test_rows_of_a_person_in_one_class(rows: int, epsilon: float, beta: float, k: int) -> None:
    truth = brute_delta(exponential(epsilon), Fraction(beta), k, 24, rows)
    assert delta(epsilon, beta, k, rows_per_person=rows) >= float(truth)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
@pytest.mark.parametrize("beta", [0.2, 0.6])
def test_rows_of_a_person_in_two_classes(epsilon: float, beta: float) -> None:
    k, e, sampled = 2, exponential(epsilon), Fraction(beta)
    worst = Fraction(0)
    for n in range(1, 7):
        for m in range(1, n + 1):
            both = _product(seen(n, sampled, k), seen(m, sampled, k))
            none = _product(seen(n - 1, sampled, k), seen(m - 1, sampled, k))
            worst = max(worst, divergence(both, none, e), divergence(none, both, e))
    assert delta(epsilon, beta, k, rows_per_person=2) >= float(worst)


def _product(p: dict[int, Fraction], q: dict[int, Fraction]) -> dict[tuple[int, int], Fraction]:
    return {(a, b): x * y for a, x in p.items() for b, y in q.items()}


@pytest.mark.parametrize(("rows", "truth"), [(1, 6e-7), (2, 5.5e-4), (5, 0.055), (20, 0.74)])
def test_what_unaccounted_rows_would_cost(rows: int, truth: float) -> None:
    """k = 61 is what the classical theorem asks for at (1, 1e-5) with one row per person."""
    k, beta = 61, beta_max(1)
    worst = 0.0
    for n in range(k, 260):
        with_person = _floats(n, beta, k)
        without = np.append(_floats(n - rows, beta, k), np.zeros(rows)) if n >= rows else with_person
        worst = max(worst, np.maximum(with_person - math.e * without, 0).sum())
    assert worst == pytest.approx(truth, rel=0.06)
    assert delta(1, beta, k, rows_per_person=rows) >= worst


def _floats(n: int, beta: float, k: int) -> np.ndarray:
    """The sampled sizes 0 … n with everything below k moved to 0."""
    mass = np.array(
        [
            math.exp(
                math.lgamma(n + 1)
                - math.lgamma(j + 1)
                - math.lgamma(n - j + 1)
                + j * math.log(beta)
                + (n - j) * math.log1p(-beta)
            )
            for j in range(n + 1)
        ]
    )
    mass[0] = mass[:k].sum()
    mass[1:k] = 0
    return mass


@given(st.floats(0.01, 10), st.integers(2, 50))
def test_a_row_pays_its_share_and_a_person_the_whole_series(epsilon: float, rows: int) -> None:
    share = Fraction(math.nextafter(epsilon / rows, 0))
    series = sum((exponential(float(share)) ** i for i in range(rows)), Fraction(0))
    of_a_row, of_a_person = delta(float(share), 0.01, 50), delta(epsilon, 0.01, 50, rows_per_person=rows)
    if of_a_row > 1e-290:
        whole = Fraction(of_a_row) * series
        assert whole * (1 - Fraction(1, 10**13)) <= of_a_person <= whole * (1 + Fraction(1, 10**11)) or whole > 1


def test_a_person_with_more_rows_needs_a_larger_k_and_gets_the_promise_for_all_of_them() -> None:
    found = [guarantee(epsilon=1, delta=1e-5, beta=0.2, rows_per_person=rows) for rows in (1, 2, 3, 5)]
    assert [one.epsilon for one in found] == [1, 1, 1, 1]
    assert sorted({one.k for one in found}) == [one.k for one in found]
    row_level = delta(0.5, 0.2, found[1].k)
    assert row_level * (1 + math.exp(0.5)) <= 1e-5 * (1 + 1e-9)


def test_the_largest_beta_of_a_person_is_that_of_a_row() -> None:
    found = guarantee(epsilon=1, delta=1e-5, rows_per_person=2, accounting=CLASSICAL)
    assert found.beta == pytest.approx(1 - math.exp(-0.5))
