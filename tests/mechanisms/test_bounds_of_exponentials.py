"""e^ε in fractions and roots, against a hundred times as many digits as are worked with."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest

from workbench.mechanisms.epsilon import LARGEST, Epsilon, _exp_bounds, _root, growth

F = Fraction
MANY = Context(prec=700, Emin=-999_999, Emax=999_999)
VALUES = [F(1, 10**9), F(1, 7), F(1, 2), F(1), F(10, 3), F(99, 10), F(100), F(LARGEST) - F(1, 3), F(LARGEST)]


def true_exponential(value: Fraction) -> Fraction:
    return F(MANY.exp(MANY.divide(Decimal(value.numerator), Decimal(value.denominator))))


@pytest.mark.parametrize("digits", [1, 8, 40, 160])
@pytest.mark.parametrize("value", VALUES)
def test_an_exponential_lies_between_its_bounds_which_are_near(value: Fraction, digits: int) -> None:
    low, high = _exp_bounds(value, digits)
    true = true_exponential(value)
    assert low < true < high
    # In the middle, to a thousandth of how far they are apart.
    assert abs((low + high) / 2 - true) < (high - low) / 1000
    assert F(199, 100) < (high - low) * 10**digits / true < F(201, 100)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("digits", [20, 39, 41, 90, 200, 450])
def test_a_ratio_is_covered_up_to_the_exponential_and_not_beyond(value: Fraction, digits: int) -> None:
    epsilon, true = Epsilon(value=value), true_exponential(value)
    assert epsilon.covers(true * (1 - F(1, 10**digits)))
    assert not epsilon.covers(true * (1 + F(1, 10**digits)))
    assert epsilon.exp_below() < true < epsilon.exp_below() * (1 + F(1, 10**38))


def test_whole_roots_are_found_and_others_are_not() -> None:
    for degree in range(1, 7):
        for number in range(1, 300):
            root = next((n for n in range(1, number + 1) if n**degree == number), None)
            assert _root(number, degree) == root
    for base in (2, 3, 10, 12345, 10**30 + 57):
        for degree in (2, 3, 5):
            assert _root(base**degree, degree) == base
            assert _root(base**degree - 1, degree) is None and _root(base**degree + 1, degree) is None


@pytest.mark.parametrize(
    ("epsilon", "times", "expected"),
    [
        (Epsilon(ratio=F(4, 9) + 4), F(1, 2), F(40, 9) ** 0.5),
        (Epsilon(ratio=F(9, 4)), F(1, 2), F(3, 2)),
        (Epsilon(ratio=F(9, 4)), F(-3, 2), F(8, 27)),
        (Epsilon(ratio=F(27, 8)), F(2, 3), F(9, 4)),
        (Epsilon(ratio=F(27, 8)), F(0), F(1)),
        (Epsilon(ratio=F(8)), F(1, 2), math.sqrt(8)),
        (Epsilon(ratio=F(9, 2)), F(1, 2), math.sqrt(4.5)),
        (Epsilon(value=F(3, 4)), F(2), math.exp(1.5)),
        (Epsilon(value=F(3, 4)), F(-1, 3), math.exp(-0.25)),
    ],
)
def test_a_growth_is_the_power_of_e(epsilon: Epsilon, times: Fraction, expected: Fraction | float) -> None:
    found = growth(epsilon, times)
    assert isinstance(found, Fraction) == isinstance(expected, Fraction)
    assert found == expected if isinstance(expected, Fraction) else found == pytest.approx(expected, rel=1e-12)
