"""Numbers as people read them: the examples of every function, and that what is promised never looks better."""

from __future__ import annotations

import doctest
import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core import number_text
from workbench.core.number_text import count, estimate, exact, percent, rounded_down, rounded_up, typed

FINITE = st.floats(-1e300, 1e300, allow_subnormal=False)


def test_the_examples_say_what_is_written() -> None:
    found = doctest.testmod(number_text)
    assert found.attempted >= 12
    assert not found.failed


@given(st.floats(1e-300, 1e300))
def test_what_is_promised_is_rounded_to_the_safe_side(value: float) -> None:
    assert float(rounded_down(value)) <= value <= float(rounded_up(value))


@given(st.fractions(min_value=Fraction(1, 10**12), max_value=10**6))
def test_a_fraction_is_rounded_to_the_safe_side_too(value: Fraction) -> None:
    assert Fraction(rounded_down(value)) <= value <= Fraction(rounded_up(value))


@given(FINITE)
def test_a_setting_can_be_typed_in_again(value: float) -> None:
    assert float(typed(value)) == pytest.approx(value, rel=1e-11)
    assert exact(value).replace(",", "") == typed(value)


@given(FINITE)
def test_an_estimate_is_near_and_has_no_needless_zeros(value: float) -> None:
    text = estimate(value).replace(",", "")
    assert float(text) == pytest.approx(value, rel=6e-4)
    mantissa = text.partition("e")[0]
    assert "." not in mantissa or not mantissa.endswith("0")


@given(st.integers(-(10**18), 10**18))
def test_a_count_loses_nothing(value: int) -> None:
    assert int(count(value).replace(",", "")) == value
    assert estimate(value) == exact(value) == count(value)


@pytest.mark.parametrize("write", [estimate, count, exact, typed])
def test_what_is_no_number_is_a_dash(write: object) -> None:
    assert callable(write)
    assert write(math.nan) == "–"
    assert write(math.inf) == "∞"
    assert write(-math.inf) == "-∞"


def test_whole_numbers_beyond_all_floats_are_written() -> None:
    assert len(exact(10**400)) == 401 + 133
    assert percent(1 / 3) == "33.3 %"
