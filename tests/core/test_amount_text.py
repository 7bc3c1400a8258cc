from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.amount_text import float_amount, kept_text, read_amount, read_chance
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import typed
from workbench.core.params import ParamSpec, ParamType
from workbench.core.rationals import rational
from workbench.mechanisms.channel_text import parse_channel


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", "1/2"),
        ("0,5", "1/2"),
        (",5", "1/2"),
        (" 1/3 ", "1/3"),
        ("1e-3", "1/1000"),
        ("0,00001", "1/100000"),
        ("0", "0"),
        ("ln 1", "0"),
        ("0 ln 3", "0"),
    ],
)
def test_what_is_rational_is_read_exactly(text: str, value: str) -> None:
    assert read_amount(text) == Fraction(value)


@pytest.mark.parametrize("text", ["ln 3", "ln(3)", "log(3)", "LN 3", "1 ln 3", "1·ln(3)"])
def test_a_logarithm_is_natural(text: str) -> None:
    assert read_amount(text) == Fraction("1.09861228867")


@given(st.fractions(Fraction(1), Fraction(10**9), max_denominator=10**9), st.fractions(0, 50, max_denominator=1000))
def test_a_logarithm_is_rounded_up_and_hardly(inside: Fraction, times: Fraction) -> None:
    found = read_amount(f"{times} ln({inside})")
    context = Context(prec=60)
    true = context.ln(context.divide(Decimal(inside.numerator), Decimal(inside.denominator)))
    value = Fraction(true) * times
    assert found == value == 0 or value < found <= value * (1 + Fraction(1, 10**11) + Fraction(1, 10**12))


def test_a_logarithm_next_to_nothing_is_not_nothing() -> None:
    found = read_amount(f"ln({10**30 + 1}/{10**30})")
    assert Fraction(1, 10**30) - Fraction(1, 10**50) < found <= Fraction(1, 10**30)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_float_never_reads_as_less_and_a_field_shows_it_in_full(top: int, bottom: int) -> None:
    found = float_amount(f"{top}/{bottom}")
    assert Fraction(top, bottom) <= rational(found) <= Fraction(top, bottom) * (1 + Fraction(1, 10**11))
    assert float(typed(found)) == found


@given(st.just(0.0) | st.floats(1e-300, 10**9))
def test_plain_numbers_stay_what_they_are(number: float) -> None:
    assert float_amount(repr(number)) == number and kept_text(repr(number)) == repr(number)


@given(st.floats(0, 1e-300, exclude_min=True, exclude_max=True))
def test_what_is_nearer_to_0_than_is_computed_with_is_refused(number: float) -> None:
    for read in (float_amount, kept_text):
        with pytest.raises(WorkbenchError, match="is too small a number"):
            read(repr(number))


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("1,000", "Write 1000 or 1.000."),
        ("12,500 ln 2", "Write 12500 or 12.500."),
        ("ln 3/2", "Write ln(3/2) or 1/2 ln 3."),
        ("", "Write 0.5, 1/3 or ln 3."),
        ("0,5,1", "Write 0.5, 1/3 or ln 3."),
        ("1.000,5", "Write 0.5, 1/3 or ln 3."),
        ("a lot", "Write 0.5, 1/3 or ln 3."),
        ("1/0", "Write 0.5, 1/3 or ln 3."),
        ("ln 0", "Write 0.5, 1/3 or ln 3."),
        ("ln -1", "Write 0.5, 1/3 or ln 3."),
        ("log2 8", "Write 0.5, 1/3 or ln 3."),
        ("inf", "Write 0.5, 1/3 or ln 3."),
        ("nan", "Write 0.5, 1/3 or ln 3."),
        ("1e400", "Write 0.5, 1/3 or ln 3."),
        ("1e999999999 ln 2", "Write 0.5, 1/3 or ln 3."),
    ],
)
def test_what_is_no_amount_is_refused_and_what_may_be_two_is_asked(text: str, hint: str) -> None:
    for read in (read_amount, float_amount, kept_text):
        with pytest.raises(WorkbenchError) as refused:
            read(text, "epsilon")
        assert (refused.value.hint, refused.value.field) == (hint, "epsilon")


def test_what_is_kept_reads_as_the_same() -> None:
    for text in ("0,5", "0.50", "1/3", "ln 3", "2 ln 2", "ln(1000001/1000000)"):
        assert read_amount(kept_text(text)) == read_amount(text)
    assert math.isclose(float(read_amount("2 ln 2")), 2 * math.log(2))


@pytest.mark.parametrize("text", ["3/4", "0.75", "0,75", "75 %", "75%", " 75 % "])
def test_a_chance_is_read_as_people_write_it(text: str) -> None:
    assert read_chance(text) == Fraction(3, 4)
    spec = ParamSpec("p", "p", ParamType.FRACTION, default=Fraction(1, 2), minimum=0, maximum=1)
    assert spec.parse(text) == Fraction(3, 4)
    number = ParamSpec("p", "p", ParamType.NUMBER, default=0.5, minimum=0.0, maximum=1.0, chance=True)
    assert number.parse(text) == 0.75
    assert parse_channel(f";a;b\nx;{text};1/4\ny;1/2;1/2", "a table").exact is not None


@pytest.mark.parametrize("text", ["", "%", "75 %%", "% 75", "three", "1,000"])
def test_what_is_no_chance_is_refused(text: str) -> None:
    with pytest.raises(WorkbenchError):
        read_chance(text)


def test_a_percentage_beyond_the_whole_is_no_chance() -> None:
    spec = ParamSpec("p", "p", ParamType.FRACTION, default=Fraction(1, 2), minimum=0, maximum=1)
    with pytest.raises(WorkbenchError, match="at most 1"):
        spec.parse("175 %")
