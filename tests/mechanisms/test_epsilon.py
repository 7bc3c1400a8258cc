"""ε without a rounding: read, compared and shown."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.exact import fraction_text, parse_fraction
from workbench.core.params import ParamSpec, ParamType
from workbench.core.rationals import rational
from workbench.mechanisms.audit import audit
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channels.grr import finite_epsilon
from workbench.mechanisms.epsilon import Epsilon, growth, log_ratio


@pytest.mark.parametrize(
    ("text", "ratio"),
    [
        ("ln 3", Fraction(3)),
        ("ln(943/292)", Fraction(943, 292)),
        ("2 ln 2", Fraction(4)),
        ("4*ln(2)", Fraction(16)),
        (" LN(1.5) ", Fraction(3, 2)),
        ("0", Fraction(1)),
        ("0 ln 7", Fraction(1)),
    ],
)
def test_reads_logarithms(text: str, ratio: Fraction) -> None:
    assert Epsilon.parse(text).ratio == ratio


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.1", Fraction(1, 10)), ("1e-3", Fraction(1, 1000)), ("1/3", Fraction(1, 3)), ("0,5", Fraction(1, 2))],
)
def test_reads_numbers_exactly(text: str, value: Fraction) -> None:
    assert Epsilon.parse(text).value == value


@pytest.mark.parametrize(
    "text",
    ["", "-1", "ln(1/2)", "ln 0", "ln(-3)", "1/2 ln 3", "nan", "1001", "1e9", "ln", "e", "1,500", "1/0", "1e999999999"],
)
def test_refuses_what_is_no_epsilon(text: str) -> None:
    with pytest.raises(WorkbenchError) as refused:
        Epsilon.parse(text, field="claim")
    assert refused.value.field == "claim" and refused.value.hint


def test_an_infinite_one_covers_everything() -> None:
    for text in ("inf", "∞"):
        assert Epsilon.parse(text).infinite
    assert Epsilon().covers(Fraction(10**100))
    assert Epsilon().upper == math.inf
    assert log_ratio(Fraction(1, 2), Fraction(0)).infinite


def test_decides_next_to_the_boundary() -> None:
    e = Fraction(Context(prec=200).exp(Decimal(1)))
    hair = Fraction(1, 10**150)
    assert Epsilon.parse("1").covers(e - hair)
    assert not Epsilon.parse("1").covers(e + hair)
    assert Epsilon.parse("ln(943/292)").covers(Fraction(943, 292))
    assert not Epsilon.parse("ln(943/292)").covers(Fraction(943, 292) + hair)


@pytest.mark.parametrize("text", ["ln 2", "ln 3", "ln(1000000000000001/1000000000000000)", "0.1", "ln(943/292)", "7"])
def test_the_float_is_never_below(text: str) -> None:
    epsilon = Epsilon.parse(text)
    exact = Decimal(epsilon.ratio.numerator).ln(Context(prec=60)) - Decimal(epsilon.ratio.denominator).ln(
        Context(prec=60)
    ) if epsilon.ratio else None  # fmt: skip
    if exact is None:
        assert epsilon.value is not None
        assert rational(epsilon.lower) <= epsilon.value <= rational(epsilon.upper)
    else:
        assert Decimal(epsilon.lower) <= exact <= Decimal(epsilon.upper)
        assert epsilon.upper - epsilon.lower <= 2e-16 * max(epsilon.upper, 1e-300) * 4


def test_says_what_it_is() -> None:
    assert Epsilon.parse("ln(8)").text == "ln(8)"
    assert Epsilon.parse("ln(943/292)").text == "ln(943/292)"
    assert Epsilon.parse("0.50").text == "0.5"
    assert Epsilon.parse("ln 1").text == "0"
    assert Epsilon().text == "∞"


def test_growth_is_a_fraction_where_it_can_be() -> None:
    assert growth(Epsilon.parse("ln 4"), Fraction(1, 2)) == 2
    assert growth(Epsilon.parse("ln(27/8)"), Fraction(-2, 3)) == Fraction(4, 9)
    rounded = growth(Epsilon.parse("ln 3"), Fraction(1, 2))
    assert isinstance(rounded, float) and rounded == pytest.approx(math.sqrt(3))
    with pytest.raises(WorkbenchError):
        growth(Epsilon.parse("999"), Fraction(5))


class TestFractions:
    @pytest.mark.parametrize(
        ("text", "value"), [("3/4", "3/4"), (" .5 ", "1/2"), ("1e-2", "1/100"), ("−2", "-2"), ("0.5/2", "1/4")]
    )
    def test_are_read_as_typed(self, text: str, value: str) -> None:
        assert parse_fraction(text) == Fraction(value)

    @pytest.mark.parametrize("text", ["", "a", "1/0", "1/2/3", "1e99999999", "1" * 5000, "inf", "nan", "0x1"])
    def test_others_are_refused(self, text: str) -> None:
        with pytest.raises(WorkbenchError):
            parse_fraction(text)

    @pytest.mark.parametrize("text", ["15,000", "15 000", "15'000", "15’000", "-15,000"])
    def test_of_one_in_thousands_it_is_said_how_to_write_it(self, text: str) -> None:
        """“15,000” is 15 to some and 15000 to others, so neither is taken; “0,500” is only half to both."""
        with pytest.raises(WorkbenchError, match=r"Write -?15000, without marks between thousands"):
            parse_fraction(text)
        with pytest.raises(WorkbenchError, match=r"a decimal number such as 0\.25 with a point"):
            parse_fraction("0,500")

    def test_a_parameter_keeps_them(self) -> None:
        spec = ParamSpec("alpha", "α", ParamType.FRACTION, minimum=0, maximum=1, open_minimum=True, open_maximum=True)
        assert spec.parse("1/3") == Fraction(1, 3)
        for text in ("0", "1", "4/3", "x"):
            with pytest.raises(WorkbenchError) as refused:
                spec.parse(text)
            assert refused.value.field == "alpha"
        with pytest.raises(WorkbenchError):
            spec.check(0.5)  # a float has been rounded already

    def test_thousands_of_digits_are_not_written_out(self) -> None:
        assert fraction_text(Fraction(1, 3)) == "1/3"
        assert fraction_text(Fraction(2**20_000 + 1, 2**20_000 * 3)) == "≈ 0.333333"
        assert fraction_text(Fraction(12345678, 87654321), longest=10).startswith("≈ 0.1408")
        assert fraction_text(Fraction(1, 10**5000)) == "≈ 1e-5000"


def test_what_cannot_be_decided_is_not_covered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.mechanisms.epsilon._MOST_DIGITS", 1)
    assert not Epsilon.parse("1").covers(Fraction(2))


@pytest.mark.parametrize("given", [{"ratio": Fraction(99, 100)}, {"value": Fraction(-1, 100)}])
def test_none_is_negative(given: dict[str, Fraction]) -> None:
    with pytest.raises(ValueError):
        Epsilon(**given)
    with pytest.raises(ValueError):
        Epsilon(Fraction(2), Fraction(1))
    assert Epsilon(ratio=Fraction(1)).upper == 0 == Epsilon(value=Fraction(0)).lower


def test_mechanisms_are_made_for_a_finite_one_only() -> None:
    assert finite_epsilon("ln 3").ratio == 3
    with pytest.raises(WorkbenchError) as refused:
        finite_epsilon("inf")
    assert refused.value.field == "epsilon"


@pytest.mark.parametrize("size", [2, 3])
def test_an_audit_of_rounded_chances_never_finds_less_than_they_give(size: int) -> None:
    """The logarithm of the quotient, rounded up: about half of these would be too small otherwise."""
    names = [str(value) for value in range(size)]
    for step in range(1, 40):
        chance = 1 / size + step * (1 - 1 / size) / 41
        rest = (1 - chance) / (size - 1)
        rows = [[chance if x == y else rest for y in range(size)] for x in range(size)]
        channel = Channel.of_floats(names, names, np.array(rows))
        table = channel.floats
        quotient = float(table.max() / table.min())
        assert Decimal(audit(channel).epsilon) >= Decimal(quotient).ln(Context(prec=40))


def test_no_multiple_of_the_logarithm_of_nothing_is_an_epsilon() -> None:
    for text in ("ln 0", "0 ln 0", "0 ln(0)"):
        with pytest.raises(WorkbenchError):
            Epsilon.parse(text)


@pytest.mark.parametrize("value", [Fraction(5, 6), Fraction(2, 3), Fraction(1, 10), Fraction(7, 1)])
def test_a_mechanism_is_made_with_no_more_than_its_epsilon(value: Fraction) -> None:
    lower = Epsilon(value=value).lower
    assert rational(lower) <= value < rational(math.nextafter(math.nextafter(lower, math.inf), math.inf))


def test_an_infinite_epsilon_has_no_exponential() -> None:
    for asked in (Epsilon().exp_below, lambda: growth(Epsilon(), Fraction(1)), lambda: growth(Epsilon(), Fraction(0))):
        with pytest.raises(ValueError, match="infinite"):
            asked()


@pytest.mark.parametrize("text", ["1/2 ln 3", "-1 ln 3", "0.5 ln(9)", "1001 ln(2)"])
def test_logarithms_are_taken_whole_times(text: str) -> None:
    assert Epsilon.parse("3 ln 2").exp == 8 and Epsilon.parse("0 ln 2").exp == 1 and Epsilon.parse("ln(1)").exp == 1
    with pytest.raises(WorkbenchError):
        Epsilon.parse(text)
