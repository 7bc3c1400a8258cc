"""What is proposed for a column: kind, format, missing values, role."""

from __future__ import annotations

import pytest

from workbench.core.kinds import misfits
from workbench.core.progress import SILENT, Cancelled, CancelToken, Progress
from workbench.core.role_suggestions import suggest_role
from workbench.core.schema import Format, Kind, Role
from workbench.core.table import Column
from workbench.io.infer import agreeing, likely_missing, propose

NUMBERED = [f"text {i} here" for i in range(60)]
CASES: dict[str, tuple[list[str], Kind, Format]] = {
    "whole": (["1", "22", "-3"], Kind.INTEGER, Format()),
    "years": (["1999", "2020"], Kind.INTEGER, Format()),
    "grouped": (["1,234", "567"], Kind.INTEGER, Format(thousands=",")),
    "grouped by spaces": (["1 234", "1\u202f567"], Kind.INTEGER, Format(thousands=" ")),
    "decimal": (["1.5", "2", "1e-5"], Kind.DECIMAL, Format()),
    "decimals, not thousands": (["1.234", "5.678"], Kind.DECIMAL, Format()),
    "decimal commas": (["1,5", "2,25"], Kind.DECIMAL, Format(",")),
    "European": (["1.234,5", "2,5"], Kind.DECIMAL, Format(",", ".")),
    "Swiss": (["1'234.50", "2.5"], Kind.DECIMAL, Format(".", "'")),
    "dollars": (["$1,234.50", "$5"], Kind.MONEY, Format(".", ",", "$")),
    "euros": (["1.234,50 €", "3,00 €"], Kind.MONEY, Format(",", ".", "€")),
    "francs": (["CHF 5", "CHF 6.50"], Kind.MONEY, Format(symbol="CHF")),
    "accounts": (["(1,234.50)", "5.00"], Kind.MONEY, Format(".", ",")),
    "percent": (["12.5 %", "3 %"], Kind.PERCENT, Format(symbol="%")),
    "ISO": (["2020-01-01", "2020-12-31"], Kind.DATE, Format(pattern="%Y-%m-%d")),
    "German": (["1.2.2020", "31.12.2020"], Kind.DATE, Format(pattern="%d.%m.%Y")),
    "month first": (["12/31/2020", "01/02/2020"], Kind.DATE, Format(pattern="%m/%d/%Y")),
    "day first": (["31/12/2020", "01/02/2020"], Kind.DATE, Format(pattern="%d/%m/%Y")),
    "either first": (["01/02/2020", "03/04/2020"], Kind.DATE, Format(pattern="%d/%m/%Y")),
    "written in two ways": (
        ["31.12.2020", "01.02.2020", "2020-01-01", "n.a."],
        Kind.DATE,
        Format(pattern="%d.%m.%Y | %Y-%m-%d"),
    ),
    "day or month first": (["31/12/2020", "01/02/2020", "02/29/2020"], Kind.TEXT, Format()),
    "words": (["1 Jan 2020", "2 Feb 2021"], Kind.DATE, Format(pattern="%d %b %Y")),
    "with time": (["2020-01-01 12:00:00"], Kind.DATETIME, Format(pattern="%Y-%m-%d %H:%M:%S")),
    "ISO time": (["2020-01-01T12:00:00Z"], Kind.DATETIME, Format(pattern="%Y-%m-%dT%H:%M:%S%z")),
    "twelve hours": (["1/2/2020 3:04 PM"], Kind.DATETIME, Format(pattern="%m/%d/%Y %I:%M %p")),
    "leading zeros": (["01234", "12345"] * 20, Kind.CATEGORY, Format()),
    "one leading zero": ([*map(str, range(1000, 1200)), "0123"], Kind.TEXT, Format()),
    "long identifiers": (["12345678901234567890", "12345678901234567891"], Kind.TEXT, Format()),
    "two currencies": (["$5", "€6"], Kind.TEXT, Format()),
    "units": (["5 kg", "6 kg"], Kind.TEXT, Format()),
    "phones": (["+49 170 1234567", "+49 171 2345678"], Kind.TEXT, Format()),
    "intervals": (["0-4", "5-9"] * 9, Kind.CATEGORY, Format()),
    "addresses": (["1.2.3.4", "5.6.7.8"], Kind.TEXT, Format()),
    "categories": (["a", "b"] * 10, Kind.CATEGORY, Format()),
    "free text": (NUMBERED, Kind.TEXT, Format()),
    "nothing": (["", " "], Kind.TEXT, Format()),
}


@pytest.mark.parametrize("case", CASES)
def test_kind_and_format(case: str) -> None:
    texts, kind, written = CASES[case]
    spec = propose(Column.from_texts("x", texts))
    assert (spec.kind, spec.format) == (kind, written)
    assert misfits(texts, spec) == []
    assert (spec.bounds, spec.domain, spec.role) == (None, None, Role.INSENSITIVE)


def test_missing_values_are_proposed_where_the_rest_is_numbers() -> None:
    assert propose(Column.from_texts("x", ["1", "NA", "", "-", "2"])).missing == ("", "NA", "-")
    assert propose(Column.from_texts("x", ["None", "some"] * 5)).missing == ("",)


def test_a_rare_word_does_not_hide_numbers_but_stays_visible() -> None:
    texts = [*map(str, range(200)), "unknown"]
    spec = propose(Column.from_texts("x", texts))
    assert spec.kind is Kind.INTEGER
    assert misfits(texts, spec) == ["unknown"]
    assert propose(Column.from_texts("x", [*map(str, range(20)), "unknown"])).kind is Kind.TEXT
    assert propose(Column.from_texts("x", [*map(str, range(200)), "90+"])).kind is Kind.TEXT


def test_very_many_values_are_all_read_before_anything_is_proposed() -> None:
    numbers = [str(i) for i in range(60_000)]
    assert propose(Column.from_texts("x", numbers)).kind is Kind.INTEGER
    # One identifier among them, wherever it stands, and they are no numbers.
    for place in (0, 1, 30_001, 59_999):
        assert propose(Column.from_texts("x", [*numbers[:place], "0123", *numbers[place:]])).kind is Kind.TEXT
    spec = propose(Column.from_texts("x", [*numbers[:31_111], "n/a", *numbers[31_111:], "soon"]))
    assert (spec.kind, spec.missing) == (Kind.INTEGER, ("", "n/a"))
    dates = [f"{1 + i % 12:02}/{1 + i // 12 % 12:02}/{1900 + i // 144}" for i in range(25_000)]
    assert propose(Column.from_texts("x", dates)).format.pattern == "%d/%m/%Y"
    assert propose(Column.from_texts("x", [*dates, "12/31/2020"])).format.pattern == "%m/%d/%Y"


def test_cancel_stops_a_proposal() -> None:
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        propose(Column.from_texts("x", ["1", "2"]), Progress(None, token))


def test_values_no_row_uses_do_not_count() -> None:
    column = Column.from_texts("x", ["1", "2", "word"])
    assert propose(column.take(column.codes < 2)).kind is Kind.INTEGER


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("email", ["a"] * 9),
        ("E-Mail address", ["a"] * 9),
        ("firstName", ["a"] * 9),
        ("last_name", ["a"] * 9),
        ("SSN", ["a"] * 9),
        ("Téléphone", ["a"] * 9),
        ("user", ["1", "2"] * 5),
        ("Player", ["a", "b", "c"]),
        ("contact", ["a@b.co", "c@d.org", "x"]),
        ("remarks", NUMBERED),
        ("row", [str(i) for i in range(30)]),
    ],
)
def test_identifying(name: str, texts: list[str]) -> None:
    column = Column.from_texts(name, texts)
    role, reason = suggest_role(column, propose(column))
    assert role is Role.IDENTIFYING
    assert reason


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("country name", ["FR", "DE"] * 50),
        ("identity", ["x", "y"] * 20),
        ("salary", [str(i * 7.5) for i in range(50)]),
        ("weight", [str(i * 3) for i in range(50)]),
        ("sex", ["Male", "Female"] * 20),
        ("empty", [""] * 30),
    ],
)
def test_not_identifying(name: str, texts: list[str]) -> None:
    column = Column.from_texts(name, texts)
    role, reason = suggest_role(column, propose(column))
    assert role is Role.INSENSITIVE
    assert reason


def test_words_for_no_value_are_offered_as_missing() -> None:
    texts = ("3", "n/a", "", "NULL ", "a long remark that says n/a", "-")
    column = Column.from_texts("x", list(texts))
    found = likely_missing(column, SILENT)
    assert found[0] == "" and {"n/a", "NULL "} <= set(found)
    assert "3" not in found and "a long remark that says n/a" not in found


def test_one_file_has_one_decimal_mark() -> None:
    columns = {
        name: Column.from_texts(name, texts)
        for name, texts in {
            "pay": ["32.312", "80.201", "15.360", ""],
            "weight": ["54,2", "99,9", "110,6", "7"],
            "ratio": ["0.312", "1.201", "5.360", "2.000"],
            "name": ["a", "b", "c", "d"],
        }.items()
    }
    alone = {name: propose(column) for name, column in columns.items()}
    assert alone["pay"].kind is Kind.DECIMAL and alone["weight"].format.decimal_mark == ","
    pay, weight, ratio, name = agreeing(alone.values(), columns)
    assert (pay.kind, pay.format) == (Kind.INTEGER, Format(decimal_mark=",", thousands="."))
    assert (weight, ratio, name) == (alone["weight"], alone["ratio"], alone["name"])
    assert agreeing([alone["pay"]], columns) == (alone["pay"],), "nothing speaks of commas"
