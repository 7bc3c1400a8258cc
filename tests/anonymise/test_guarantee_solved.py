"""The numbers that are solved for: enough, and no more than that; how they rise and fall."""

from __future__ import annotations

import contextlib
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise import _sample_solving
from workbench.anonymise.sample_guarantee import Accounting, beta_max, delta, guarantee, trade_off
from workbench.core.errors import WorkbenchError

EXACT, CLASSICAL = Accounting.EXACT, Accounting.CLASSICAL
epsilons = st.floats(0.01, 10)
betas = st.floats(0.001, 0.999)
ks = st.integers(1, 3000)


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
