"""The (ε, δ) of sampling, generalising and suppressing: reference tables, usual questions, and what cannot be asked."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.anonymise.sampling_by_hand import divergence, exponential, seen
from workbench.anonymise.sample_guarantee import Accounting, Guarantee, beta_max, delta, guarantee
from workbench.core.errors import WorkbenchError

DATA = Path(__file__).parents[1] / "data"
EXACT, CLASSICAL = Accounting.EXACT, Accounting.CLASSICAL


def rows_of(name: str) -> Iterator[dict[str, str]]:
    with (DATA / name).open(newline="") as file:
        yield from csv.DictReader(file)


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
