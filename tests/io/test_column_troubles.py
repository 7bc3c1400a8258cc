"""What is odd about the values of columns, and what the description becomes where it is mended."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.kinds import misfits, parse_dates
from workbench.core.missing_codes import number_codes
from workbench.core.quick_reading import read_values
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column
from workbench.io.column_troubles import ColumnTrouble, column_troubles
from workbench.io.infer import propose

BOTH_WAYS = "%d.%m.%Y | %Y-%m-%d"


def troubles_of(texts: list[str]) -> tuple[ColumnTrouble, ...]:
    column = Column.from_texts("x", texts)
    return column_troubles(column, propose(column))


def mended(texts: list[str]) -> ColumnSpec:
    column = Column.from_texts("x", texts)
    spec = propose(column)
    for trouble in column_troubles(column, spec):
        spec = trouble.mended(spec)
    return spec


def test_a_table_in_order_has_none() -> None:
    assert troubles_of([str(i) for i in range(50)]) == ()
    assert troubles_of(["a", "b"] * 20) == ()
    assert troubles_of([f"{i:02}.03.1990" for i in range(1, 29)]) == ()


def test_codes_are_offered_as_no_value_and_never_taken_unasked() -> None:
    texts = [f"{i},500 €" for i in range(20, 60)] + ["-99"] * 3 + ["unknown"]
    column = Column.from_texts("pay", texts)
    spec = propose(column)
    assert spec.kind is Kind.MONEY and spec.missing == ("",)
    found = next(one for one in column_troubles(column, spec) if one.mend)
    assert (found.missing, found.rows, found.mend) == (("-99", "unknown"), 4, "Treat as no value")
    assert found.mended(spec).missing == ("", "-99", "unknown")
    assert misfits(texts, found.mended(spec)) == []


@pytest.mark.parametrize(
    ("texts", "codes"),
    [
        (["1", "2", "-99"], ("-99",)),
        (["-3", "2", "-99"], ()),  # something else is below 0 as well
        (["18", "80", "999"], ("999",)),
        (["18", "800", "999"], ()),
        (["0", "1", "-1"], ()),  # steps down are values
        (["a", "b"], ()),
        (["-9"], ()),
    ],
)
def test_a_code_is_like_no_other_number(texts: list[str], codes: tuple[str, ...]) -> None:
    assert number_codes(texts) == codes


def test_dates_in_two_ways_are_said_to_be_read() -> None:
    texts = [f"{i:02}.03.1990" for i in range(1, 29)] + [f"1991-04-{i:02}" for i in range(1, 20)]
    (found,) = troubles_of(texts)
    assert "“01.03.1990”, “1991-04-01”" in found.words and not found.mend
    assert mended(texts).format.pattern == BOTH_WAYS


def test_a_column_read_in_one_way_is_mended_to_both() -> None:
    texts = [f"{i:02}.03.1990" for i in range(1, 29)] + ["1991-04-05"] * 3
    column = Column.from_texts("x", texts)
    spec = ColumnSpec("x", Kind.DATE, format=Format(pattern="%d.%m.%Y"))
    (found,) = column_troubles(column, spec)
    assert found.rows == 3 and found.mend == "Read every way"
    assert found.mended(spec).format.pattern == BOTH_WAYS


def test_what_can_be_two_dates_is_said_and_not_guessed() -> None:
    texts = ["31/12/2020", "12/31/2020", "03/04/2020", "05/05/2020"]
    spec = ColumnSpec("x", Kind.DATE, format=Format(pattern="%d/%m/%Y | %m/%d/%Y"))
    (_, second) = column_troubles(Column.from_texts("x", texts), spec)
    assert "“03/04/2020” can be two different dates" in second.words and not second.mend
    days = parse_dates(texts, Kind.DATE, spec.format)
    assert [day == day for day in days.tolist()] == [True, True, False, True]
    assert propose(Column.from_texts("x", texts)).kind is Kind.TEXT


def test_spellings_and_mixed_amounts_are_named() -> None:
    (alike,) = troubles_of(["cook", "COOK", "nurse"] * 10)
    assert "“cook”, “COOK” differ in case" in alike.words and alike.rows == 10, "those that are not spelt the usual way"
    assert alike.harmless and not alike.mend
    (amounts,) = troubles_of(["21,200 €", "26600", "40,000"] * 5)
    assert "Some amounts carry €" in amounts.words and amounts.rows == 5


def test_most_being_dates_is_offered() -> None:
    texts = [f"{1 + i % 28:02}.03.1990" for i in range(60)] + ["in May", "3. Quartal 12"] * 10
    (found,) = troubles_of(texts)
    assert found.mend == "Read as dates" and found.rows == 20
    assert mended(texts).kind is Kind.DATE


@pytest.mark.parametrize("word", ["none", "None", "unknown", "refused"])
def test_a_word_that_may_be_an_answer_is_never_said_to_be_odd(word: str) -> None:
    """Nobody but the person can tell whether “none” of an insurance is an answer."""
    first, *others = troubles_of(["public", "private", word, "n/a"] * 10)
    assert first.missing == ("n/a",) and not first.doubtful
    (second,) = [one for one in others if one.mend]
    assert second.missing == (word,) and second.doubtful and second.rows == 10
    assert f"“{word}” may be an answer" in second.words
    column = Column.from_texts("pay", [*map(str, range(90)), word])
    (alone,) = (one for one in column_troubles(column, ColumnSpec("pay", Kind.INTEGER)) if one.mend)
    assert not alone.doubtful, "a word among numbers is none of them"


@pytest.mark.parametrize(
    ("texts", "kind", "written", "now", "then"),
    [
        (["66850", "35.150 €"], Kind.MONEY, Format(",", ".", "€"), "35.15", "35,150"),
        (["5", "1.250", "-3.125"], Kind.INTEGER, Format(",", "."), "1.25", "1,250"),
    ],
)
def test_numbers_that_can_be_read_in_two_ways_are_said(
    texts: list[str], kind: Kind, written: Format, now: str, then: str
) -> None:
    (found,) = (trouble for trouble in troubles_of(texts) if trouble.unsure)
    assert f"It is read as {now}." in found.words and found.mend == f"Read as {then}" and not found.harmless
    spec = mended(texts)
    assert (spec.kind, spec.format) == (kind, written) and misfits(texts, spec) == []
    assert found.doubtful is (kind is not Kind.MONEY)


@pytest.mark.parametrize(
    "texts",
    [
        ["1.250", "2.125"],  # no whole number beside them
        ["5", "1.250", "1.5"],
        ["5", "0.125"],
        ["5", "1.250,50"],
        ["5", "1.250.000"],
        ["999", "1,250"],  # read with thousands, as ever
        ["66850", "35.15"],
    ],
)
def test_numbers_with_one_reading_are_not_asked_about(texts: list[str]) -> None:
    assert not any(trouble.unsure for trouble in troubles_of(texts))


def test_of_very_many_numbers_only_those_with_two_readings_are_named() -> None:
    whole = [str(number) for number in range(25_000, 50_000)]
    assert [trouble.unsure for trouble in troubles_of([*whole, "66.850", "n/a"])] == [True]
    assert troubles_of(whole) == troubles_of([*whole, "66.85"]) == troubles_of([*whole, "66.850", "1.5"]) == ()


def test_dates_of_four_ways_are_read_unasked_where_all_of_them_say_which_day_is_meant() -> None:
    texts = ["25/11/1996", "14/02/1961", "13/05/1970", "28/12/2001", "1974-06-18", "18-Jun-1982", "03.07.99"]
    texts += ["1975-06-18", "1976-06-18", "18-Jun-1983"]  # no way is that of half of them
    column = Column.from_texts("DOB", texts)
    spec = propose(column)
    assert spec.kind is Kind.DATE
    (told,) = column_troubles(column, spec)
    assert told.harmless and told.words.startswith("Dates are written in several ways: ")
    assert told.words.endswith(". All are read.")


def test_a_birth_that_would_lie_in_the_future_is_asked_about_in_words_that_say_why() -> None:
    texts = ["25/11/1996", "14/02/1961", "13/05/1970", "28/12/2001", "1974-06-18", "18-Jun-1982", "18.09.60"]
    texts += ["1975-06-18", "1976-06-18", "18-Jun-1983"]  # no way is that of half of them
    column = Column.from_texts("DOB", texts)
    spec = propose(column)
    assert spec.kind is not Kind.DATE, "nobody was born in 2060"
    (asked,) = column_troubles(column, spec)
    assert asked.words.startswith("All are dates, written in several ways: “25/11/1996”, “1974-06-18”, “18-Jun-1982”.")
    assert asked.words.endswith("Some say no century: “18.09.60” would be 2060.")
    mended = asked.mended(spec)
    assert mended.kind is Kind.DATE
    unread = np.isnan(read_values(texts, mended)).tolist()
    assert [text for text, bad in zip(texts, unread, strict=True) if bad] == ["18.09.60"], "never read as 2060"
