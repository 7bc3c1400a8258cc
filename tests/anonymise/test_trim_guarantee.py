"""The guarantee of trimming: what steps spend, and the calculator that solves for what is open."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.anonymise.trim_guarantee import StepBudget, TrimGuarantee, normal_shares, solve_trim
from workbench.core.errors import WorkbenchError
from workbench.core.optimal_composition import composed_delta
from workbench.core.rationals import rational
from workbench.core.trim_law import trim_law

THREE = (Fraction(1, 2), Fraction(3, 10), Fraction(1, 5))

epsilons = st.floats(0.05, 10)
deltas = st.floats(-12, -0.5).map(lambda power: 10.0**power)
sharings = st.lists(st.integers(1, 9), min_size=1, max_size=6).map(normal_shares)


def test_one_step_spends_all() -> None:
    promised = solve_trim(epsilon=1, delta=1e-5)
    assert promised.steps == (StepBudget(Fraction(1), Fraction(1, 100_000)),)
    assert promised.laws == (trim_law(Fraction(1), Fraction(1, 100_000)),)
    assert (promised.half_survive, promised.always_survive, promised.smallest_class) == (12, 23, 12.0)
    assert (round(promised.mean_lost, 2), round(promised.sd, 2)) == (10.83, 1.41)


def test_steps_spend_their_shares_of_both() -> None:
    promised = TrimGuarantee(1, 1e-5, shares=THREE)
    assert [(float(step.epsilon), float(step.delta)) for step in promised.steps] == [
        (0.5, 5e-6),
        (0.3, 3e-6),
        (0.2, 2e-6),
    ]
    assert promised.half_survive == trim_law(Fraction(1, 2), Fraction(5, 10**6)).half_survive
    assert normal_shares((5, 3, 2)) == THREE
    assert normal_shares((0.5, 0.3, 0.2)) == THREE


@settings(max_examples=examples(120), deadline=None)
@given(epsilons, deltas, sharings)
def test_steps_together_cost_no_more_than_they_may(epsilon: float, delta: float, shares: tuple[Fraction, ...]) -> None:
    promised = TrimGuarantee(epsilon, delta, shares=shares)
    parts = [(step.epsilon, step.delta) for step in promised.steps]
    whole_epsilon, whole_delta = rational(epsilon), rational(delta)
    added = sum(one for one, _ in parts) <= whole_epsilon and sum(one for _, one in parts) <= whole_delta
    assert added or composed_delta(parts, whole_epsilon) <= whole_delta
    # Never worse than adding, but for the digits that a file keeps.
    by_adding = trim_law(whole_epsilon * shares[0], whole_delta * shares[0])
    assert promised.laws[0].half_survive <= by_adding.half_survive
    assert promised.mean_lost <= by_adding.mean_lost * (1 + 1e-9)
    # A file that keeps floats keeps exactly what was spent.
    if len(parts) > 1:
        assert all(rational(float(one)) == one for part in parts for one in part)


def test_composing_gains_where_delta_is_large() -> None:
    promised = TrimGuarantee(0.1, 0.01, shares=(Fraction(1, 6),) * 6)
    parts = [(step.epsilon, step.delta) for step in promised.steps]
    assert sum(one for one, _ in parts) > Fraction(13, 100)
    assert composed_delta(parts, Fraction(1, 10)) <= Fraction(1, 100)
    assert promised.mean_lost < 0.9 * trim_law(Fraction(1, 60), Fraction(1, 600)).mean_lost


def test_a_floor_moves_every_survival_by_its_rows() -> None:
    plain, floored = solve_trim(epsilon=1, delta=1e-5), solve_trim(epsilon=1, delta=1e-5, floor=10)
    assert (floored.half_survive, floored.always_survive) == (plain.half_survive + 9, plain.always_survive + 9)
    assert [floored.keep(n) for n in (0, 9, 21, 32, 5000)] == [0, 0, plain.keep(12), 1, 1]


@pytest.mark.parametrize("shares", [(3, 1), (1, 3), (1, 1, 1, 1, 1, 1)])
def test_where_next_to_nothing_is_enough_every_step_has_something(shares: tuple[int, ...]) -> None:
    parts = normal_shares(shares)
    for found in (
        solve_trim(delta=0.9, half_survive=200, shares=parts),
        solve_trim(epsilon=10, always_survive=40_000, shares=parts),
    ):
        assert len(found.laws) == len(shares)
        assert min(step.epsilon for step in found.steps) > 0 and min(step.delta for step in found.steps) > 0


@settings(max_examples=examples(120), deadline=None)
@given(st.floats(0.2, 10), deltas, st.integers(1, 200), st.integers(1, 4), st.booleans(), st.integers(1, 5), sharings)
def test_what_is_solved_for_is_the_smallest(
    epsilon: float,
    delta: float,
    group: int,
    rows: int,
    always: bool,
    floor: int,
    shares: tuple[Fraction, ...],
) -> None:
    wanted = {"always_survive" if always else "half_survive": group}
    for name, fixed in (("delta", {"epsilon": epsilon}), ("epsilon", {"delta": delta})):
        try:
            found = solve_trim(**fixed, **wanted, rows_per_person=rows, floor=floor, shares=shares)
        except WorkbenchError as error:
            assert error.field in ("group", "floor"), error
            continue
        assert (found.always_survive if always else found.half_survive) <= group
        # A little less of it, and groups of this size do not survive so.
        less = {"epsilon": found.epsilon, "delta": found.delta}
        less[name] *= 1 - 1e-4
        if len(shares) == 1 and found.epsilon > 1e-6 and found.delta > 1e-299:
            fewer = solve_trim(**less, rows_per_person=rows, floor=floor, shares=shares)
            assert (fewer.always_survive if always else fewer.half_survive) > group


@pytest.mark.parametrize(
    ("given_numbers", "field"),
    [
        ({"epsilon": 1.0, "delta": 1e-5, "half_survive": 12}, "epsilon"),
        ({"epsilon": 1.0}, "delta"),
        ({"half_survive": 12}, "epsilon"),
        ({"epsilon": 1.0, "half_survive": 12, "always_survive": 23}, "always"),
        ({"epsilon": 0.0, "delta": 1e-5}, "epsilon"),
        ({"epsilon": 1.0, "delta": 1.0}, "delta"),
        ({"epsilon": 1.0, "delta": 0.0}, "delta"),
        ({"epsilon": 1.0, "delta": 1e-5, "rows_per_person": 0}, "rows_per_person"),
        ({"epsilon": 1.0, "delta": 1e-5, "floor": 0}, "floor"),
        ({"epsilon": 1.0, "half_survive": 4, "floor": 5}, "floor"),
        ({"epsilon": 1.0, "half_survive": 0}, "group"),
        ({"epsilon": 1.0, "half_survive": 10**6}, "group"),
        ({"epsilon": 1.0, "always_survive": 1}, "group"),
        ({"delta": 1e-5, "half_survive": 1}, "group"),
        ({"epsilon": 1.0, "delta": 1e-5, "shares": (Fraction(1, 2),)}, "shares"),
        ({"epsilon": 1.0, "delta": 1e-5, "shares": ()}, "shares"),
        ({"epsilon": 1.0, "delta": 1e-5, "shares": (Fraction(3, 2), Fraction(-1, 2))}, "shares"),
        ({"epsilon": 1.0, "delta": 1e-5, "shares": (Fraction(1, 7),) * 7}, "shares"),
        ({"epsilon": 0.001, "delta": 1e-15, "rows_per_person": 100}, "epsilon"),
    ],
)
def test_what_cannot_be_is_refused(given_numbers: dict[str, Any], field: str) -> None:
    with pytest.raises(WorkbenchError) as caught:
        solve_trim(**given_numbers)
    assert caught.value.field == field
    assert caught.value.hint


@pytest.mark.parametrize("typed", [(), (0,), (5, -1), (0, 0), (1,) * 7])
def test_shares_that_are_none_are_refused(typed: tuple[int, ...]) -> None:
    with pytest.raises(WorkbenchError) as caught:
        normal_shares(typed)
    assert caught.value.field == "shares"


@pytest.mark.parametrize("floor", [1, 3])
def test_a_group_is_released_at_some_level_if_any_step_keeps_it(floor: int) -> None:
    """By going through all draws of two short laws, a group alone at both steps."""
    promised = TrimGuarantee(3, 0.2, floor=floor, shares=(Fraction(1, 3), Fraction(2, 3)))
    first, second = promised.laws
    for rows in range(first.always_survive + floor + 1):
        nothing = Fraction(0)
        for z, weight in enumerate(first.weights):
            for other, again in enumerate(second.weights):
                if rows - z < floor and rows - other < floor:
                    nothing += Fraction(weight, first.total) * Fraction(again, second.total)
        assert promised.keep_somewhere(rows) == pytest.approx(float(1 - nothing), abs=1e-12)
    assert (
        promised.keep_somewhere(promised.half_somewhere) >= 0.5 > promised.keep_somewhere(promised.half_somewhere - 1)
    )
    assert (
        promised.keep_somewhere(promised.always_somewhere) == 1 > promised.keep_somewhere(promised.always_somewhere - 1)
    )
    assert promised.always_somewhere < promised.always_survive


def test_survival_is_told_of_the_whole_chain() -> None:
    assert TrimGuarantee(1, 1e-5).survival == (
        "A group of 12 rows that take part survives half of the time, one of 23 always."
    )
    steps = TrimGuarantee(1, 1e-5, shares=(Fraction(1, 10), Fraction(9, 10)))
    assert steps.survival == (
        f"A group of {steps.half_somewhere} rows that take part is released at some level half of the time, one of "
        f"{steps.always_somewhere} always; at the finest level that takes {steps.half_survive} and "
        f"{steps.always_survive}."
    )
    assert steps.always_somewhere < 30 < steps.half_survive
