"""The (ε, δ) of sampling, generalising and suppressing: reference tables, brute force in fractions, properties."""

from __future__ import annotations

import contextlib
import csv
import itertools
import math
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise import _sample_solving
from workbench.anonymise.sample_guarantee import Accounting, Guarantee, beta_max, delta, guarantee, trade_off
from workbench.core.errors import WorkbenchError

DATA = Path(__file__).parents[1] / "data"
EXACT, CLASSICAL = Accounting.EXACT, Accounting.CLASSICAL

epsilons = st.floats(0.01, 10)
betas = st.floats(0.001, 0.999)
ks = st.integers(1, 3000)


def rows_of(name: str) -> Iterator[dict[str, str]]:
    with (DATA / name).open(newline="") as file:
        yield from csv.DictReader(file)


# --- brute force -----------------------------------------------------------------------------------------------------


def exponential(epsilon: float) -> Fraction:
    """e^ε of the float itself, to 60 digits."""
    with localcontext(prec=60):
        return Fraction(Decimal(epsilon).exp())


@lru_cache(maxsize=4096)
def binomial(n: int, beta: Fraction) -> tuple[Fraction, ...]:
    return tuple(math.comb(n, j) * beta**j * (1 - beta) ** (n - j) for j in range(n + 1))


def seen(n: int, beta: Fraction, k: int) -> dict[int, Fraction]:
    """What a class of n original rows shows: its size if it is at least k, otherwise nothing (-1)."""
    probabilities = binomial(n, beta)
    outputs = {j: probabilities[j] for j in range(k, n + 1)}
    outputs[-1] = sum(probabilities[:k], Fraction(0))
    return outputs


def divergence(p: dict[Any, Fraction], q: dict[Any, Fraction], e: Fraction) -> Fraction:
    return sum((max(Fraction(0), mass - e * q.get(output, Fraction(0))) for output, mass in p.items()), Fraction(0))


def brute_delta(e: Fraction, beta: Fraction, k: int, most: int, rows: int = 1) -> Fraction:
    """The largest divergence in either direction over classes of up to `most` rows, `rows` of them one person's."""
    worst = Fraction(0)
    for n in range(rows, most + 1):
        with_person, without = seen(n, beta, k), seen(n - rows, beta, k)
        worst = max(worst, divergence(with_person, without, e), divergence(without, with_person, e))
    return worst


def brute_classical(e: Fraction, beta: Fraction, k: int, most: int, *, strict: bool = True) -> Fraction:
    gamma = (e - 1 + beta) / e
    worst = Fraction(0)
    for n in range(max(1, math.ceil(k / gamma - 1)), most + 1):
        limit = gamma * n
        tail = sum(
            (mass for j, mass in enumerate(binomial(n, beta)) if j > limit or (not strict and j == limit)),
            Fraction(0),
        )
        worst = max(worst, tail)
    return worst


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


# --- reference tables ------------------------------------------------------------------------------------------------


def test_every_row_of_the_delta_table() -> None:
    rows = list(rows_of("sdgs_delta.csv"))
    assert len(rows) == 1140
    wrong = []
    for row in rows:
        epsilon, beta, k = float(row["epsilon"]), float(row["beta"]), int(row["k"])
        for column, accounting in (("delta_exact", EXACT), ("delta_classical", CLASSICAL)):
            if not row[column]:
                with pytest.raises(WorkbenchError):
                    delta(epsilon, beta, k, accounting)
                continue
            # Twelve digits of 1 − e^−ε may lie above it.
            sampled = min(beta, beta_max(epsilon)) if row["delta_classical"] else beta
            computed, truth = delta(epsilon, sampled, k, accounting), float(row[column])
            floor = truth < 1e-300
            right = computed == 1e-300 if floor else math.isclose(computed, truth, rel_tol=1e-9)
            if not right:
                wrong.append((row, column, computed))
    assert not wrong


@pytest.mark.parametrize("row", list(rows_of("sdgs_k.csv")), ids=lambda row: f"{row['epsilon']}-{row['delta']}")
def test_every_row_of_the_k_table(row: dict[str, str]) -> None:
    epsilon, wanted = float(row["epsilon"]), float(row["delta"])
    exact = guarantee(epsilon=epsilon, delta=wanted)
    classical = guarantee(epsilon=epsilon, delta=wanted, accounting=CLASSICAL)
    assert exact.beta == pytest.approx(float(row["beta_max"]), abs=1e-12)
    assert (exact.k, classical.k) == (int(row["k_exact"]), int(row["k_classical"]))


@pytest.mark.parametrize(
    ("epsilon", "beta", "k"), [(0.1, "max", 26), (1, "max", 46), (2, "max", 92), (1, 0.316, 15), (1, 0.9, 235)]
)
def test_published_examples(epsilon: float, beta: Any, k: int) -> None:
    assert guarantee(epsilon=epsilon, delta=1e-5, beta=beta).k == k


def test_a_smaller_sample_lets_rarer_groups_survive() -> None:
    assert guarantee(epsilon=1, delta=1e-5, beta=0.316).smallest_class == pytest.approx(15 / 0.316)
    assert guarantee(epsilon=1, delta=1e-5, accounting=CLASSICAL).smallest_class == pytest.approx(
        61 / 0.63212, rel=1e-4
    )


@pytest.mark.parametrize(
    ("epsilon", "wanted", "beta", "k"),
    [(0.01, 1e-12, "max", 88), (10, 1e-5, 0.9, 110), (1, 1e-300, "max", 4337)],
)
def test_extreme_inputs_agree_with_neighbouring_k(epsilon: float, wanted: float, beta: Any, k: int) -> None:
    found = guarantee(epsilon=epsilon, delta=wanted, beta=beta)
    assert found.k == k
    assert delta(epsilon, found.beta, k) <= wanted
    assert k == 1 or delta(epsilon, found.beta, k - 1) > wanted


@pytest.mark.parametrize(("epsilon", "k"), [(1.0, 700), (0.1, 100), (1.5, 300)])
def test_large_k_agrees_with_whole_number_arithmetic(epsilon: float, k: int) -> None:
    """δ down to 1e-50, at the class sizes around the maximum, without a single rounding."""
    beta = Fraction(5, 8) if epsilon >= 1 else Fraction(1, 8)
    e = exponential(epsilon)
    middle = round((k - 1) / (1 - (1 - beta) / e))
    truth = max(divergence(seen(n, beta, k), seen(n - 1, beta, k), e) for n in range(middle - 2, middle + 3))
    assert truth <= Fraction(delta(epsilon, float(beta), k)) <= truth * (1 + Fraction(1, 10**10))


def test_delta_stays_in_reach_where_it_underflows() -> None:
    assert delta(1, 0.5, 100_000) == 1e-300
    assert delta(10, 1 - 2**-53, 100_000) <= 1
    assert delta(1e-9, 1e-9, 1) == pytest.approx(1e-9, rel=1e-9)


# --- every usual question has an answer ------------------------------------------------------------------------------

_EPSILONS = (0.01, 0.1, 0.5, 1, 3, 5, 7, 8, 9, 9.5, 10)
_DELTAS = (1e-12, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2)


@pytest.mark.parametrize("accounting", Accounting)
@pytest.mark.parametrize("beta", [None, "max", "best"])
def test_every_usual_epsilon_and_delta_is_answered(accounting: Accounting, beta: Any) -> None:
    for epsilon in _EPSILONS:
        needed = [guarantee(epsilon=epsilon, delta=one, beta=beta, accounting=accounting) for one in _DELTAS]
        for one in needed:  # That β, k and δ hold is checked when a guarantee is built; here that k is the smallest.
            assert one.k == 1 or delta(epsilon, one.beta, one.k - 1, accounting) > one.delta
            assert beta == "best" or one.beta <= beta_max(epsilon)
        # To 1 %, which is how near the best β is looked for.
        assert all(a.smallest_class >= 0.99 * b.smallest_class for a, b in pairwise(needed))


@pytest.mark.parametrize("wanted", [1e-12, 1e-5, 1e-2])
def test_where_no_k_goes_with_the_usual_beta_the_largest_that_has_one_is_taken(wanted: float) -> None:
    """Of a group of k rows the person is given away if all are sampled: β^k, which is what the brute force below adds
    up around the size at which it is largest."""
    found = guarantee(epsilon=10, delta=wanted)
    assert found == guarantee(epsilon=10, delta=wanted, beta="max")
    assert found.k <= 100_000
    assert found.beta < beta_max(10) < 1
    with pytest.raises(WorkbenchError):
        guarantee(epsilon=10, delta=wanted, beta=found.beta * (1 + 1e-9))
    truth = max(_near_certain(10.0, found.beta, found.k, n) for n in range(found.k, found.k + 4))
    assert truth <= Decimal(found.delta)
    assert truth >= Decimal(found.delta) * Decimal("0.999999")


def _near_certain(epsilon: float, beta: float, k: int, n: int) -> Decimal:
    """Σ_{j ≥ k} max(0, P[Bin(n, β) = j] − e^ε·P[Bin(n−1, β) = j]), term by term; a few rows are missed only."""
    with localcontext(prec=60):
        sampled, e = Decimal(beta), Decimal(epsilon).exp()

        def chance(rows: int, j: int) -> Decimal:
            return math.comb(rows, rows - j) * sampled**j * (1 - sampled) ** (rows - j) if j <= rows else Decimal(0)

        return sum((max(Decimal(0), chance(n, j) - e * chance(n - 1, j)) for j in range(k, n + 1)), Decimal(0))


@pytest.mark.parametrize("rows", [2, 3, 5, 7, 13])
@pytest.mark.parametrize("beta", ["max", "best"])
def test_a_person_with_more_rows_is_answered_too(rows: int, beta: Any) -> None:
    for epsilon in _EPSILONS:
        for wanted in _DELTAS:
            assert guarantee(epsilon=epsilon, delta=wanted, beta=beta, rows_per_person=rows).k <= 100_000


# --- beta_max --------------------------------------------------------------------------------------------------------


@given(st.floats(1e-9, 10))
def test_beta_max_is_covered_by_the_theorem_and_rounded_down(epsilon: float) -> None:
    beta = beta_max(epsilon)
    limit = 1 - 1 / exponential(epsilon)
    assert Fraction(beta) <= limit < Fraction(math.nextafter(beta, 1))
    assert 0 < delta(epsilon, beta, 30, CLASSICAL) <= 1


def test_ln_2_goes_with_one_half() -> None:
    assert guarantee(epsilon=math.log(2), delta=1e-6, beta=0.5, accounting=CLASSICAL).k == 67


# --- properties ------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(epsilons, betas, ks, st.integers(1, 200))
def test_exact_delta_falls_with_k(epsilon: float, beta: float, k: int, more: int) -> None:
    assert delta(epsilon, beta, k + more) <= delta(epsilon, beta, k) * (1 + 1e-9)


@settings(deadline=None)
@given(epsilons, betas, ks, st.floats(1, 3))
def test_exact_delta_falls_with_epsilon(epsilon: float, beta: float, k: int, factor: float) -> None:
    assert delta(min(10, epsilon * factor), beta, k) <= delta(epsilon, beta, k) * (1 + 1e-9)


@settings(deadline=None)
@given(epsilons, betas, ks, st.floats(0.1, 1))
def test_exact_delta_rises_with_beta(epsilon: float, beta: float, k: int, factor: float) -> None:
    assert delta(epsilon, beta * factor, k) <= delta(epsilon, beta, k) * (1 + 1e-9)


@settings(deadline=None)
@given(epsilons, st.floats(0.01, 1), ks)
def test_exact_is_never_above_classical(epsilon: float, share: float, k: int) -> None:
    beta = share * beta_max(epsilon)
    assert delta(epsilon, beta, k) <= delta(epsilon, beta, k, CLASSICAL) * (1 + 1e-9)


@settings(deadline=None)
@given(epsilons, st.floats(0.01, 1), ks, st.integers(1, 50))
def test_classical_delta_never_rises_with_k(epsilon: float, share: float, k: int, more: int) -> None:
    beta = share * beta_max(epsilon)
    assert delta(epsilon, beta, k + more, CLASSICAL) <= delta(epsilon, beta, k, CLASSICAL) * (1 + 1e-9)


# --- solving ---------------------------------------------------------------------------------------------------------

exponents = st.floats(-60, -1)


@settings(deadline=None, max_examples=examples(60))
@given(epsilons, exponents, st.floats(0.01, 1), st.sampled_from(Accounting), st.integers(1, 4))
def test_k_is_enough_and_one_less_is_not(
    epsilon: float, exponent: float, share: float, accounting: Accounting, rows: int
) -> None:
    wanted, beta = 10**exponent, share * beta_max(epsilon / rows) * (1 - 1e-12)
    try:
        found = guarantee(epsilon=epsilon, delta=wanted, beta=beta, accounting=accounting, rows_per_person=rows)
    except WorkbenchError as error:
        assert error.field == "beta"
        return
    assert (found.epsilon, found.delta, found.beta, found.rows_per_person) == (epsilon, wanted, beta, rows)
    assert delta(epsilon, beta, found.k, accounting, rows_per_person=rows) <= wanted * (1 + 1e-12)
    if found.k > 1:
        assert delta(epsilon, beta, found.k - 1, accounting, rows_per_person=rows) > wanted * (1 - 1e-9)


@settings(deadline=None, max_examples=examples(60))
@given(epsilons, betas, st.integers(1, 2000), st.integers(1, 4))
def test_delta_and_back(epsilon: float, beta: float, k: int, rows: int) -> None:
    try:
        found = guarantee(epsilon=epsilon, beta=beta, k=k, rows_per_person=rows)
    except WorkbenchError as error:
        assert error.field == "k"
        assert delta(epsilon, beta, k, rows_per_person=rows) == 1
        return
    again = guarantee(epsilon=epsilon, delta=found.delta, beta=beta, rows_per_person=rows)
    assert again.k <= k


@settings(deadline=None, max_examples=examples(60))
@given(exponents, betas, st.integers(1, 2000), st.sampled_from(Accounting), st.integers(1, 3))
def test_epsilon_is_enough_and_a_little_less_is_not(
    exponent: float, beta: float, k: int, accounting: Accounting, rows: int
) -> None:
    wanted = 10**exponent
    try:
        found = guarantee(delta=wanted, beta=beta, k=k, accounting=accounting, rows_per_person=rows)
    except WorkbenchError as error:
        assert error.field in ("k", "accounting")
        return
    assert delta(found.epsilon, beta, k, accounting, rows_per_person=rows) <= wanted * (1 + 1e-12)
    less = found.epsilon * (1 - 1e-7)
    if less > 2e-9 * rows and (accounting is EXACT or beta < beta_max(less / rows)):
        assert delta(less, beta, k, accounting, rows_per_person=rows) > wanted


@settings(deadline=None, max_examples=examples(60))
@given(epsilons, exponents, st.integers(1, 2000))
def test_exact_beta_is_enough_and_a_little_more_is_not(epsilon: float, exponent: float, k: int) -> None:
    wanted = 10**exponent
    try:
        found = guarantee(epsilon=epsilon, delta=wanted, k=k)
    except WorkbenchError as error:
        assert error.field == "k"
        return
    assert delta(epsilon, found.beta, k) <= wanted * (1 + 1e-12)
    assert delta(epsilon, min(found.beta * (1 + 1e-9), 1 - 2**-53), k) > wanted


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("k", [3, 10, 40])
def test_classical_beta_is_the_largest_of_a_jagged_function(epsilon: float, k: int) -> None:
    wanted = 1e-4
    found = guarantee(epsilon=epsilon, delta=wanted, k=k, accounting=CLASSICAL).beta
    assert delta(epsilon, found, k, CLASSICAL) <= wanted * (1 + 1e-12)
    larger = np.linspace(found * (1 + 1e-6), beta_max(epsilon), 300)
    larger = larger[larger > found * (1 + 1e-6)]
    assert all(delta(epsilon, float(beta), k, CLASSICAL) > wanted for beta in larger)


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("wanted", [1e-3, 1e-6])
def test_no_k_beats_the_best_beta(epsilon: float, wanted: float) -> None:
    best = guarantee(epsilon=epsilon, delta=wanted, beta="best")
    for k in range(2, 60):
        assert guarantee(epsilon=epsilon, delta=wanted, k=k).smallest_class >= best.smallest_class * (1 - 1e-4)


@pytest.mark.parametrize("accounting", [EXACT, CLASSICAL])
def test_a_sample_gives_way_only_to_a_better_one(monkeypatch: pytest.MonkeyPatch, accounting: Accounting) -> None:
    """Here k/β is 4,096 for 6 and 9 and more for others, and 9 is seen first; then 6 is better by a billionth."""
    steps = {6: 6 / 4096, 9: 9 / 4096}

    def largest(_share: float, _target: float, k: int, _how: Accounting, above: float, *_: float) -> float | None:
        found = max([k / 8192, *(beta for at, beta in steps.items() if at <= k)])
        return found if found >= above else None

    def log_delta(share: float, beta: float, k: int, how: Accounting) -> float:
        return 0.0 if largest(share, 0.0, k, how, beta) is None else -100.0

    monkeypatch.setattr(_sample_solving, "_largest_beta", largest)
    monkeypatch.setattr(_sample_solving, "_row_log_delta", log_delta)
    assert _sample_solving.best_beta(1, 1e-5, accounting, 1) == (steps[9], 9)
    steps[6] *= 1 + 1e-9
    assert _sample_solving.best_beta(1, 1e-5, accounting, 1) == (steps[6], 6)


def test_the_best_classical_beta_is_better_than_the_largest() -> None:
    best = guarantee(epsilon=1, delta=1e-5, beta="best", accounting=CLASSICAL)
    assert best.smallest_class == pytest.approx(13 / 0.24555, rel=0.01)
    for k in range(2, 70):
        other = guarantee(epsilon=1, delta=1e-5, k=k, accounting=CLASSICAL)
        assert other.smallest_class >= best.smallest_class * (1 - 0.011)


def test_trade_off_is_the_smallest_k_of_each_beta() -> None:
    sampled = [0.1, 0.316, 0.6, 0.9]
    exact = trade_off(1, 1e-5, sampled)
    assert exact.tolist() == [guarantee(epsilon=1, delta=1e-5, beta=beta).k for beta in sampled]
    classical = trade_off(1, 1e-5, np.array(sampled), CLASSICAL)
    assert math.isnan(classical[3])
    assert (classical[:3] >= exact[:3]).all()
    assert np.isnan(trade_off(0.01, 1e-12, [0.95])).all()
    assert trade_off(1, 1e-5, []).shape == (0,)


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


@pytest.mark.parametrize("accounting", [EXACT, CLASSICAL])
@pytest.mark.parametrize("rows", [1, 2, 5])
@pytest.mark.parametrize(("wanted", "beta", "k"), [(1e-6, 0.1, 20), (1e-9, 0.05, 40), (1e-3, 0.3, 10)])
def test_an_epsilon_is_found_by_few_looks(
    monkeypatch: pytest.MonkeyPatch, accounting: Accounting, rows: int, wanted: float, beta: float, k: int
) -> None:
    """At most 100, where the search for it throws away every range that holds none."""
    one_look, looks = _sample_solving._row_log_delta, itertools.count(1)

    def counted(*given: Any) -> float:
        assert next(looks) <= 100
        return one_look(*given)

    monkeypatch.setattr(_sample_solving, "_row_log_delta", counted)
    with contextlib.suppress(WorkbenchError):
        guarantee(delta=wanted, beta=beta, k=k, accounting=accounting, rows_per_person=rows)


# --- what cannot be asked --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"epsilon": 0, "delta": 1e-5}, "epsilon"),
        ({"epsilon": -1, "delta": 1e-5}, "epsilon"),
        ({"epsilon": math.nan, "delta": 1e-5}, "epsilon"),
        ({"epsilon": math.inf, "delta": 1e-5}, "epsilon"),
        ({"epsilon": 10.1, "delta": 1e-5}, "epsilon"),
        ({"epsilon": 10**400, "delta": 1e-5}, "epsilon"),
        ({"epsilon": "1", "delta": 1e-5}, "epsilon"),
        ({"epsilon": True, "delta": 1e-5}, "epsilon"),
        ({"epsilon": 1, "delta": 0}, "delta"),
        ({"epsilon": 1, "delta": 1}, "delta"),
        ({"epsilon": 1, "delta": math.nan}, "delta"),
        ({"epsilon": 1, "delta": 1e-5, "beta": 0}, "beta"),
        ({"epsilon": 1, "delta": 1e-5, "beta": 1}, "beta"),
        ({"epsilon": 1, "delta": 1e-5, "beta": -0.1}, "beta"),
        ({"epsilon": 1, "delta": 1e-5, "beta": math.nan}, "beta"),
        ({"epsilon": 1, "delta": 1e-5, "beta": "large"}, "beta"),
        ({"epsilon": 1, "k": 20, "beta": "best"}, "beta"),
        ({"delta": 1e-5, "k": 20, "beta": "max"}, "beta"),
        ({"epsilon": 1, "beta": 0.5, "k": 0}, "k"),
        ({"epsilon": 1, "beta": 0.5, "k": 100_001}, "k"),
        ({"epsilon": 1, "beta": 0.5, "k": 2.5}, "k"),
        ({"epsilon": 1, "delta": 1e-5, "beta": 0.5, "k": 20}, "k"),
        ({"epsilon": 1, "delta": 1e-5, "beta": "max", "k": 20}, "k"),
        ({}, "epsilon"),
        ({"epsilon": 1}, "delta"),
        ({"epsilon": 1, "k": 20}, "delta"),
        ({"delta": 1e-5, "k": 20}, "epsilon"),
        ({"epsilon": 1, "delta": 1e-5, "accounting": "guess"}, "accounting"),
        ({"epsilon": 1, "delta": 1e-5, "beta": 0.7, "accounting": CLASSICAL}, "accounting"),
        ({"delta": 1e-5, "beta": 0.99999, "k": 20, "accounting": CLASSICAL}, "accounting"),
        ({"epsilon": 1, "delta": 1e-5, "rows_per_person": 0}, "rows_per_person"),
        ({"epsilon": 1, "delta": 1e-5, "rows_per_person": 1.5}, "rows_per_person"),
        ({"epsilon": 1e-4, "delta": 1e-5, "rows_per_person": 1_000_000}, "rows_per_person"),
        ({"epsilon": 0.01, "delta": 1e-12, "beta": 0.9}, "beta"),
        ({"epsilon": 0.01, "delta": 1e-12, "beta": 0.9, "accounting": CLASSICAL}, "accounting"),
        ({"epsilon": 1, "delta": 1e-12, "k": 1}, "k"),
        ({"delta": 1e-12, "beta": 0.5, "k": 5}, "k"),
        ({"epsilon": 1, "beta": 0.9, "k": 2, "rows_per_person": 5}, "k"),
    ],
)
def test_impossible_questions_name_the_number_to_change(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        guarantee(**arguments)
    assert caught.value.field == field
    assert caught.value.hint


def test_hints_hold_what_they_promise() -> None:
    with pytest.raises(WorkbenchError, match="at most 0") as caught:
        guarantee(epsilon=0.01, delta=1e-12, beta=0.9)
    beta = float(caught.value.hint.split("at most ")[1].split(",")[0])
    assert guarantee(epsilon=0.01, delta=1e-12, beta=beta).k <= 100_000
    with pytest.raises(WorkbenchError, match="at least") as caught:
        guarantee(delta=1e-12, beta=0.5, k=5)
    k = int(caught.value.hint.split("at least ")[1].split(",")[0])
    assert guarantee(delta=1e-12, beta=0.5, k=k).epsilon <= 10
    with pytest.raises(WorkbenchError, match="exact accounting") as caught:
        delta(1, 0.7, 20, CLASSICAL)
    assert delta(1, float(caught.value.hint.split("at most ")[1].split(",")[0]), 20, CLASSICAL) < 1


def test_a_false_guarantee_cannot_be_built() -> None:
    true = guarantee(epsilon=1, delta=1e-5, beta=0.5)
    assert Guarantee(1, 1e-5, 0.5, true.k) == true
    for false in (
        (1, 1e-5, 0.5, true.k - 1),
        (0.9, 1e-5, 0.5, true.k),
        (1, 1e-6, 0.5, true.k),
        (1, 1e-5, 0.6, true.k),
        (1, 1e-5, 0.5, true.k, CLASSICAL),
        (1, 1e-5, 0.5, true.k, EXACT, 2),
    ):
        with pytest.raises(WorkbenchError):
            Guarantee(*false)
