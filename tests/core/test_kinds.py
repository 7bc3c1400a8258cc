"""Numbers and dates in texts, and the order of a column's values."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.core.kinds import is_missing, misfits, parse_dates, parse_numbers, sort_keys
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column

INTEGER, DECIMAL, MONEY, PERCENT = Kind.INTEGER, Kind.DECIMAL, Kind.MONEY, Kind.PERCENT


@pytest.mark.parametrize(
    ("text", "kind", "written", "number"),
    [
        ("12", INTEGER, Format(), 12),
        ("0", INTEGER, Format(), 0),
        ("+3", INTEGER, Format(), 3),
        ("-3", INTEGER, Format(), -3),
        ("−3", INTEGER, Format(), -3),
        (" 7 ", INTEGER, Format(), 7),
        ("9007199254740992", INTEGER, Format(), 2**53),
        ("1,234,567", INTEGER, Format(thousands=","), 1_234_567),
        ("12,34,567", INTEGER, Format(thousands=","), 1_234_567),
        ("1234", INTEGER, Format(thousands=","), 1234),
        ("1.5", DECIMAL, Format(), 1.5),
        (".5", DECIMAL, Format(), 0.5),
        ("5.", DECIMAL, Format(), 5),
        ("1e6", DECIMAL, Format(), 1e6),
        ("-1.5E-3", DECIMAL, Format(), -0.0015),
        ("1.234,50", DECIMAL, Format(",", "."), 1234.5),
        ("1 234,50", DECIMAL, Format(",", " "), 1234.5),
        ("1\u00a0234,50", DECIMAL, Format(",", " "), 1234.5),
        ("1\u202f234,50", DECIMAL, Format(",", " "), 1234.5),
        ("1'234.50", DECIMAL, Format(".", "'"), 1234.5),
        ("1’234.50", DECIMAL, Format(".", "'"), 1234.5),
        ("$1,234.50", MONEY, Format(".", ",", "$"), 1234.5),
        ("-$5", MONEY, Format(symbol="$"), -5),
        ("$-5", MONEY, Format(symbol="$"), -5),
        ("$ (1,234.50)", MONEY, Format(".", ",", "$"), -1234.5),
        ("($5)", MONEY, Format(symbol="$"), -5),
        ("(1,234.50)", MONEY, Format(".", ","), -1234.5),
        ("(0)", MONEY, Format(), 0),
        ("1,234", MONEY, Format(".", ",", "$"), 1234),
        ("1.234,50 €", MONEY, Format(",", ".", "€"), 1234.5),
        ("CHF 5.50", MONEY, Format(symbol="CHF"), 5.5),
        ("12.5 %", PERCENT, Format(symbol="%"), 12.5),
        ("12.5%", PERCENT, Format(), 12.5),
    ],
)
def test_numbers(text: str, kind: Kind, written: Format, number: float) -> None:
    assert parse_numbers([text], kind, written).tolist() == [number]


@pytest.mark.parametrize(
    ("text", "kind", "written"),
    [
        ("01234", INTEGER, Format()),
        ("00", INTEGER, Format()),
        ("1.0", INTEGER, Format()),
        ("1e3", INTEGER, Format()),
        ("1_000", INTEGER, Format()),
        ("٣", INTEGER, Format()),
        ("²", INTEGER, Format()),
        ("9007199254740993", INTEGER, Format()),
        ("9" * 5000, INTEGER, Format()),
        ("9" * 400 + ".5", DECIMAL, Format()),
        ("12345678901234567890", DECIMAL, Format()),
        ("1,234", INTEGER, Format()),
        ("0,123", INTEGER, Format(thousands=",")),
        ("1,23", INTEGER, Format(thousands=",")),
        ("1,2345", INTEGER, Format(thousands=",")),
        ("01.5", DECIMAL, Format()),
        ("nan", DECIMAL, Format()),
        ("inf", DECIMAL, Format()),
        ("1e999", DECIMAL, Format()),
        (".", DECIMAL, Format()),
        ("-", DECIMAL, Format()),
        ("1.5", DECIMAL, Format(",")),
        ("1  234", DECIMAL, Format(",", " ")),
        ("(5)", DECIMAL, Format()),
        ("€5", MONEY, Format(symbol="$")),
        ("US$5", MONEY, Format(symbol="$")),
        ("$5$", MONEY, Format(symbol="$")),
        ("1$2", MONEY, Format(symbol="$")),
        ("$", MONEY, Format(symbol="$")),
        ("(5", MONEY, Format()),
        ("5)", MONEY, Format()),
        ("(-5)", MONEY, Format()),
        ("$5", MONEY, Format()),
        ("%", PERCENT, Format()),
        ("5 $", PERCENT, Format()),
    ],
)
def test_what_is_no_number(text: str, kind: Kind, written: Format) -> None:
    assert np.isnan(parse_numbers([text], kind, written)).tolist() == [True]


def test_missing_values_are_nan_even_if_they_look_like_numbers() -> None:
    numbers = parse_numbers(["-99", "1", "", "NA", " "], INTEGER, Format(), ("", "-99", "NA"))
    assert np.isnan(numbers).tolist() == [True, False, True, True, True]
    assert is_missing("  ", ("",))
    assert not is_missing("x", ("",))


def test_negative_zero_is_zero() -> None:
    for text, kind in (("-0", INTEGER), ("-0.0", DECIMAL), ("(0.00)", MONEY)):
        [number] = parse_numbers([text], kind, Format()).tolist()
        assert math.copysign(1, number) == 1


@pytest.mark.parametrize(
    ("kind", "written"),
    [(Kind.TEXT, Format()), (DECIMAL, Format(",", ",")), (DECIMAL, Format(";")), (DECIMAL, Format(".", "x"))],
)
def test_impossible_formats(kind: Kind, written: Format) -> None:
    with pytest.raises(WorkbenchError) as caught:
        parse_numbers(["1"], kind, written)
    assert caught.value.hint


@given(st.integers(-(2**53), 2**53))
def test_every_exact_integer_is_read(number: int) -> None:
    assert parse_numbers([str(number)], INTEGER, Format()).tolist() == [number]
    assert parse_numbers([f"{number:,}"], INTEGER, Format(thousands=",")).tolist() == [number]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_read(number: float) -> None:
    if abs(number) < 2**53 or "e" in repr(number):
        assert parse_numbers([repr(number)], DECIMAL, Format()).tolist() == [number]


@given(st.text(max_size=20), st.sampled_from([INTEGER, DECIMAL, MONEY, PERCENT]))
def test_no_text_is_too_strange(text: str, kind: Kind) -> None:
    for mark, thousands in ((".", ","), (",", " "), (".", "")):
        assert parse_numbers([text], kind, Format(mark, thousands, "$")).shape == (1,)


@pytest.mark.parametrize(
    ("text", "pattern", "moment"),
    [
        ("2020-02-29", "%Y-%m-%d", datetime(2020, 2, 29)),
        ("1.2.2020", "%d.%m.%Y", datetime(2020, 2, 1)),
        ("1/2/2020", "%m/%d/%Y", datetime(2020, 1, 2)),
        ("1 Mar 69", "%d %b %y", datetime(1969, 3, 1)),
        ("1 march 2068", "%d %B %Y", datetime(2068, 3, 1)),
        ("Sept. 3, 2020", "%b %d, %Y", datetime(2020, 9, 3)),
        ("2020-03", "%Y-%m", datetime(2020, 3, 1)),
        ("2020-060", "%Y-%j", datetime(2020, 2, 29)),
        ("2020-01-01T12:34:56", "%Y-%m-%dT%H:%M:%S", datetime(2020, 1, 1, 12, 34, 56)),
        ("1/2/2020 12:05 AM", "%m/%d/%Y %I:%M %p", datetime(2020, 1, 2, 0, 5)),
        ("1/2/2020 12:05 pm", "%m/%d/%Y %I:%M %p", datetime(2020, 1, 2, 12, 5)),
        ("2020-01-01 01:00+02:30", "%Y-%m-%d %H:%M%z", datetime(2019, 12, 31, 22, 30)),
        ("2020-01-01 01:00Z", "%Y-%m-%d %H:%M%z", datetime(2020, 1, 1, 1)),
        ("0001-01-01", "%Y-%m-%d", datetime(1, 1, 1)),
    ],
)
def test_dates(text: str, pattern: str, moment: datetime) -> None:
    seconds = (moment - datetime(1970, 1, 1)).total_seconds()
    assert parse_dates([text], Kind.DATETIME, Format(pattern=pattern)).tolist() == [seconds]
    assert parse_dates([text], Kind.DATE, Format(pattern=pattern)).tolist() == [seconds // 86400]


@pytest.mark.parametrize("text", ["2021-02-29", "2021-13-01", "20210101", "2021-01-01x", "", "0000-01-01"])
def test_what_is_no_date(text: str) -> None:
    assert np.isnan(parse_dates([text], Kind.DATE, Format(pattern="%Y-%m-%d"), ())).all()


@given(st.datetimes(min_value=datetime(1000, 1, 1)))
def test_dates_agree_with_python(moment: datetime) -> None:
    for pattern in ("%Y-%m-%d %H:%M:%S", "%d/%m/%Y %H:%M", "%d %b %Y %I:%M:%S %p", "%B %d, %Y %H:%M:%S"):
        text = moment.strftime(pattern)
        expected = datetime.strptime(text, pattern).replace(tzinfo=UTC).timestamp()
        assert parse_dates([text], Kind.DATETIME, Format(pattern=pattern)).tolist() == [expected]


_ODD_DATES = (
    "2020-02-30",
    "0000-01-01",
    "2020-13-01",
    "2020-1-01",
    "2020-01-01 ",
    "",
    "NA",
    "2020/01/01",
    "２０２０-01-01",
)


@settings(max_examples=examples(60), deadline=None)
@given(
    st.lists(st.datetimes(min_value=datetime(1000, 1, 1)), min_size=1, max_size=20),
    st.lists(st.sampled_from(_ODD_DATES), max_size=2),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y", "%Y-%m-%dT%H:%M:%S", "%m/%d/%Y %H:%M", "%Y", "%d%m%Y", "%Y-%m"]),
    st.sampled_from([Kind.DATE, Kind.DATETIME]),
)
def test_dates_read_at_once_are_those_read_one_by_one(
    moments: list[datetime], odd: list[str], pattern: str, kind: Kind
) -> None:
    texts = [moment.strftime(pattern) for moment in moments]
    one_by_one = [parse_dates([text, "x"], kind, Format(pattern=pattern), ("", "NA"))[0] for text in [*texts, *odd]]
    together = parse_dates(texts, kind, Format(pattern=pattern), ("", "NA"))
    assert together.tolist() == one_by_one[: len(texts)]
    mixed = parse_dates([*texts, *odd], kind, Format(pattern=pattern), ("", "NA"))
    np.testing.assert_array_equal(mixed, one_by_one)


def test_a_date_that_is_listed_as_missing_is_missing_in_any_company() -> None:
    texts = ["2020-01-01", "1900-01-01", "2020-01-02"]
    found = parse_dates(texts, Kind.DATE, Format(pattern="%Y-%m-%d"), ("1900-01-01",))
    assert np.isnan(found).tolist() == [False, True, False]


def test_dates_need_a_pattern_and_a_kind() -> None:
    for kind, written in ((Kind.DATE, Format()), (INTEGER, Format(pattern="%Y"))):
        with pytest.raises(WorkbenchError):
            parse_dates(["2020"], kind, written)


def test_misfits_keep_their_order() -> None:
    values = ["3", "x", "", "NA", "1.5", "-99"]
    assert misfits(values, ColumnSpec("a", INTEGER, missing=("", "NA"))) == ["x", "1.5"]
    years = ColumnSpec("a", Kind.DATE, format=Format(pattern="%Y"))
    assert misfits(["2020", "20", ""], years) == ["20"]
    assert misfits(values, ColumnSpec("a", Kind.TEXT)) == []
    ordered = ColumnSpec("a", Kind.ORDERED, domain=("low", "high"))
    assert misfits(["high", "middle", "low", ""], ordered) == ["middle"]


def in_order(values: list[str], spec: ColumnSpec) -> list[str]:
    column = Column.from_texts("a", values)
    keys = sort_keys(column, spec)
    assert sorted(keys.tolist()) == list(range(len(column.values)))
    return [column.values[i] for i in np.argsort(keys)]


def test_order_of_numbers_dates_categories_and_texts() -> None:
    spec = ColumnSpec("a", INTEGER, missing=("", "NA"))
    assert in_order(["10", "9", "", "x", "-1", "NA", "X"], spec) == ["-1", "9", "10", "X", "x", "", "NA"]
    dates = ColumnSpec("a", Kind.DATE, format=Format(pattern="%d.%m.%Y"))
    assert in_order(["2.1.2020", "", "1.2.2019", "31.12.2018"], dates) == ["31.12.2018", "1.2.2019", "2.1.2020", ""]
    ordered = ColumnSpec("a", Kind.ORDERED, domain=("low", "middle", "high"))
    assert in_order(["high", "other", "low", "", "middle"], ordered) == ["low", "middle", "high", "other", ""]
    assert in_order(["b", "", "ä", "B", "a", "A"], ColumnSpec("a")) == ["A", "a", "B", "b", "ä", ""]
    money = ColumnSpec("a", MONEY, format=Format(".", ",", "$"))
    assert in_order(["$1,000", "$20", "($5)"], money) == ["($5)", "$20", "$1,000"]


def test_an_empty_column_has_an_order() -> None:
    assert in_order([], ColumnSpec("a")) == []


@settings(max_examples=examples(30), deadline=None)
@given(
    st.lists(st.text(alphabet="aAbBäß\U0001f600 z", max_size=12), unique=True, max_size=40),
    st.sampled_from(["", "a long common beginning "]),
)
def test_order_of_many_texts(some: list[str], start: str) -> None:
    # More than a thousand, so that they are sorted as integers.
    values = list(
        dict.fromkeys([*[f"{start}{text}{i % 7}" for i in range(40) for text in some], *map(str, range(2000))])
    )
    assert in_order(values, ColumnSpec("a")) == sorted(values, key=lambda text: (text.casefold(), text))
