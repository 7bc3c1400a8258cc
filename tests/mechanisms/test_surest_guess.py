"""What somebody may believe after an output: on average, after the one that makes them surest, and at most."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.utility import LossFunction, Posterior, Utility, best_gain, utility
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import Examination, examiner
from workbench.session.audit_words import bets_words, capacity_words, guess_words

F = Fraction


def channel(*rows: Sequence[int]) -> Channel:
    """Inputs a, b, …, outputs 1, 2, …, each row by its weights."""
    chances = [[F(weight, sum(row)) for weight in row] for row in rows]
    outputs = [str(number + 1) for number in range(len(rows[0]))]
    return Channel.of_fractions("abcdef"[: len(rows)], outputs, chances)


def found(made: Channel, *weights: int) -> Utility:
    return utility(made, [F(weight, sum(weights)) for weight in weights], LossFunction.WRONG)


def asked(table: str = "", **changes: str) -> Examination:
    plain = LaboratorySettings(mechanism="typed" if table else "survey", loss="wrong", **changes)
    return examiner(plain.with_parameter("table", table) if table else plain, with_curve=False)()


COINS = ",yes,no\nyes,5/8,3/8\nno,1/8,7/8"
"""A survey whose second coin says yes with 1/4."""


class TestSurest:
    def test_two_coins(self) -> None:
        value = asked(COINS).utility
        # Of “yes”: 5/8 : 1/8; of “no”: 3/8 : 7/8.
        assert value.surest == Posterior(F(5, 6), "yes", "yes") and value.guess_after == F(3, 4)
        assert value.capacity == value.gain == F(3, 2)

    def test_three_inputs_with_zeros_and_an_output_that_never_occurs(self) -> None:
        three = channel([2, 1, 0, 1], [1, 2, 0, 1], [0, 1, 0, 3])
        value = found(three, 1, 1, 1)
        assert value.surest == Posterior(F(2, 3), "a", "1")
        assert value.capacity == F(2 + 2 + 0 + 3, 4)
        # 1/2 · 2/4 : 1/4 · 1/4 : 0, against 1/2 · 1/4 : 1/4 · 2/4 : 1/4 · 1/4 and 1/8 : 1/16 : 3/16.
        value = found(three, 2, 1, 1)
        assert value.surest == Posterior(F(4, 5), "a", "1") and value.guess_after == F(4 + 2 + 3, 16)

    def test_what_is_impossible_under_the_prior_makes_nobody_sure(self) -> None:
        tell_tale = channel([1, 1, 0], [1, 1, 0], [0, 0, 1])
        assert found(tell_tale, 1, 1, 1).surest == Posterior(F(1), "c", "3")
        assert found(tell_tale, 1, 1, 0).surest == Posterior(F(1, 2), "a", "1")
        assert found(tell_tale, 1, 1, 0).capacity == 2, "whatever is believed"
        assert found(tell_tale, 0, 1, 0).surest == Posterior(F(1), "b", "1")

    @settings(max_examples=examples(60), deadline=None)
    @given(
        st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4).filter(any), min_size=2, max_size=4),
        st.lists(st.integers(0, 5), min_size=4, max_size=4),
    )
    def test_by_definition(self, rows: list[list[int]], weights: list[int]) -> None:
        weights = weights[: len(rows)] if any(weights[: len(rows)]) else [1] * len(rows)
        made, value = channel(*rows), found(channel(*rows), *weights)
        assert made.exact is not None
        posteriors = {}
        for column, output in enumerate(made.outputs):
            total = sum(p * row[column] for p, row in zip(value.prior, made.exact, strict=True))
            for p, name, row in zip(value.prior, made.inputs, made.exact, strict=True):
                if total:
                    posteriors[name, output] = p * row[column] / total
        surest = value.surest
        assert surest.chance == max(posteriors.values()) == posteriors[surest.input, surest.output]
        assert value.guess_before <= value.guess_after <= surest.chance
        rounded = found(Channel.of_floats(made.inputs, made.outputs, made.floats), *weights)
        assert float(surest.chance) == pytest.approx(rounded.surest.chance)
        assert (rounded.surest.input, rounded.surest.output) == (surest.input, surest.output)
        assert rounded.capacity == pytest.approx(float(value.capacity))

    @pytest.mark.parametrize(
        "rows",
        [
            ([3, 1], [1, 7]),
            ([2, 1, 0, 1], [1, 2, 0, 1], [0, 1, 0, 3]),
            ([1, 0, 0], [0, 1, 0], [0, 0, 1]),
            ([1, 2], [1, 2], [1, 2]),
            ([5, 1, 1], [1, 5, 1], [4, 0, 3], [1, 1, 5]),
        ],
    )
    def test_no_prior_gains_more_than_the_capacity_and_the_uniform_one_gains_it(self, rows: list[list[int]]) -> None:
        made = channel(*rows)
        gains = [found(made, *weights).gain for weights in product(range(5), repeat=len(rows)) if any(weights)]
        assert max(gains) == found(made, *[1] * len(rows)).gain == found(made, *[1] * len(rows)).capacity

    @settings(max_examples=examples(60))
    @given(st.lists(st.lists(st.integers(1, 9), min_size=3, max_size=3), min_size=2, max_size=5))
    def test_no_mechanism_gains_more_than_its_epsilon_allows(self, rows: list[list[int]]) -> None:
        made = channel(*rows)
        assert made.exact is not None
        odds = max(a / b for column in zip(*made.exact, strict=True) for a in column for b in column)
        assert found(made, *[1] * len(rows)).capacity <= best_gain(odds, len(rows)) <= odds

    @pytest.mark.parametrize("inputs", [2, 3, 6])
    def test_randomised_response_gains_as_much_as_its_epsilon_allows(self, inputs: int) -> None:
        made = channel(*([3 if a == b else 1 for b in range(inputs)] for a in range(inputs)))
        assert found(made, *[1] * inputs).capacity == best_gain(F(3), inputs)


class TestWords:
    def test_the_average_is_not_taken_for_the_surest_answer(self) -> None:
        words = bets_words(asked(COINS))
        assert "75 after it, on average over outputs" in words
        assert "surest after output “yes”: there they win 83.3 of 100, on input yes" in words
        assert bets_words(asked()).endswith("and 75 after it, whatever it is.")

    def test_what_is_nearly_certain_is_not_said_to_be(self) -> None:
        assert "99.9… of 100" in bets_words(asked(",a,b\nx,1/2,1/2\ny,1/1000000,999999/1000000"))

    def test_the_gain_is_that_of_the_matrix(self) -> None:
        assert capacity_words(asked(COINS)).endswith(
            "at most 3/2 = 1.5 times as often; with any mechanism of this ε on 2 inputs, at most 5/3 ≈ 1.667 times."
        )
        most = "at most 3/2 = 1.5 times as often, the most that this ε allows."
        assert capacity_words(asked()).endswith(most), "of two inputs no ε allows 3"
        assert capacity_words(asked(",a,b\nx,1,0\ny,0,1")).endswith("at most 2 times as often."), "without any ε"
        assert "helps nobody" in capacity_words(asked(",a,b\nx,1/3,2/3\ny,1/3,2/3"))
        assert capacity_words(asked(",a,b\nx,1/2,1/2\ny,1/4,3/4\nz,1/8,7/8", neighbours="adjacent")).endswith(
            "at most 11/8 = 1.375 times as often."
        )

    def test_what_epsilon_means_of_an_even_guess(self) -> None:
        assert guess_words(asked()) == "ε lets a 50 : 50 guess between two neighbours rise to 75 % at most."
        assert guess_words(asked(COINS, claim="ln 3")).endswith("rise to 83.34 % at most; the claimed ε, to 75 %.")
        assert guess_words(asked(COINS, claim="1")).endswith("the claimed ε, to 73.11 %.")
        assert guess_words(asked(COINS, claim="1", claimed_delta="0.1")).endswith("83.34 % at most."), "δ has a part"
        assert guess_words(asked(",a,b\nx,1,0\ny,0,1")).startswith("No ε keeps a 50 : 50 guess")
