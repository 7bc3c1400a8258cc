"""Entries that say what can occur, where commas may stand within a number or between two values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.occurring import entries_of, occurring_labels
from workbench.core.occurring_listed import listing_of, saved_entries, saved_listing
from workbench.core.public_sizes import public_sizes
from workbench.core.public_values import public_view
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.unsaid import not_among

PAY = specification(
    "intervals",
    {"whole": True},
    {"intervals": [{"from": 0, "to": 1000}], "levels": [{"group": 1}, {"group": 10}]},
)


@pytest.mark.parametrize(
    "words, labels",
    [
        ("0-120,000", (120_001, 120, 12)),
        ("0 to 120,000", (120_001, 120, 12)),
        ("1,000-5,000", (4_001, 4, 1)),
        ("1,200-5,600; 9000", (4_402, 6, 1)),
        ("0-120000, 500000", (120_002, 121, 13)),
        ("0-120, 500", (122, 1, 1)),
        ("0-1,200,000.5", (1_200_001, 1_201, 121)),
    ],
)
def test_a_comma_within_a_number_of_a_range_does_not_part_it(words: str, labels: tuple[int, ...]) -> None:
    made = build_hierarchy(PAY, ["5"], column=ColumnSpec("pay", Kind.INTEGER))
    found = occurring_labels(made, entries_of(words))
    assert found is not None and found[:3] == labels
    listed = Hierarchy.from_rows([(str(pay), f"{pay // 50_000}", "*") for pay in range(0, 200_000, 40_000)])
    assert occurring_labels(listed, entries_of("0-120,000")) == (4, 3, 1)


@pytest.mark.parametrize(
    "words, said",
    [
        ("0-120,500", "Write 0-120500 for one range, or 0-120, 500 for several values"),
        ("100,200-300,400", "Write 100200-300400 for one range, or 100, 200-300, 400 for several values"),
        ("120,000", "Commas part values"),
        ("10-20,0-120,000", "Commas part values"),
    ],
)
def test_a_comma_that_may_part_two_values_is_asked_about(words: str, said: str) -> None:
    made = build_hierarchy(PAY, ["5"], column=ColumnSpec("pay", Kind.INTEGER))
    with pytest.raises(WorkbenchError) as caught:
        occurring_labels(made, entries_of(words))
    assert said in caught.value.hint
    # Nothing but its reading is refused: what is shown without it goes on.
    assert public_view(made, ColumnSpec("pay", Kind.INTEGER), entries_of(words)) is not None
    assert public_sizes(made, entries_of(words)) == public_sizes(made)


@pytest.mark.parametrize(
    "words, said",
    [
        ("0-120.000", "Write 120000 for the one, or 120 for the other"),
        ("1.000 to 9", "Write 1000 for the one, or 1 for the other"),
        ("0-5, -12.345", "Write -12345 for the one, or -12.345 for the other"),
    ],
)
def test_a_point_that_may_part_thousands_is_asked_about(words: str, said: str) -> None:
    made = build_hierarchy(PAY, ["5"], column=ColumnSpec("pay", Kind.INTEGER))
    with pytest.raises(WorkbenchError) as caught:
        occurring_labels(made, entries_of(words))
    assert said in caught.value.hint


@pytest.mark.parametrize("words", ["0-120.5", "0.125-2.50", "0-120.0000", "0-1200.500", "0-0.125"])
def test_a_point_that_can_only_begin_decimals_is_none_to_ask_about(words: str) -> None:
    made = build_hierarchy(PAY, ["5"], column=ColumnSpec("pay", Kind.INTEGER))
    assert occurring_labels(made, entries_of(words)) is not None


def test_commas_between_codes_part_them_with_or_without_a_space() -> None:
    made = build_hierarchy(specification("masking", {"length": 3}), ["123"], column=ColumnSpec("x", Kind.TEXT))
    for tight, apart in (("100-120,130", "100-120, 130"), ("10-14,000", "10-14, 000")):
        assert occurring_labels(made, entries_of(tight)) == occurring_labels(made, entries_of(apart))


def test_what_was_said_and_no_label_says_is_told_of_codes_and_words() -> None:
    def of(builder: str, **parameters: object) -> Hierarchy:
        made = specification(builder, parameters, {})
        return build_hierarchy(made, ["12001", "ab cd"], column=ColumnSpec("code", Kind.TEXT))

    codes, words = of("masking", length=5), of("spelling", letters="kept")
    assert not_among(codes, 3, {"12***"}, ("1200-1299",)) == ()
    assert not_among(codes, 3, {"12***"}, ("1100-1299", "3")) == ("11***", "3")
    assert not_among(codes, 3, {"12***"}, ("1",)) == (), "some of it came out"
    assert not_among(codes, 1, {"1200*"}, ("1200-1202",)) == ("1201*", "1202*")
    assert not_among(codes, 3, {"12***"}, ("12-1",)) is None, "that cannot be read"
    assert not_among(codes, 3, {"12***"}, ()) is None
    assert not_among(of("masking", length=5, side="left", align="right"), 3, {"***01"}, ("02",)) is None
    assert not_among(words, 1, {"ab cd", "Ef"}, ("AB  CD", "ef", "gh")) == ("gh",)


def test_the_label_beyond_an_end_stands_for_no_interval() -> None:
    details = {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1, "function": "bounds"}]}
    for end, coding, label, words in (("highest", 95, "≥95", "90-100"), ("lowest", 5, "<5", "0-9")):
        made = specification("intervals", {"whole": True}, details | {end: {"coding": coding}})
        column = ColumnSpec("age", Kind.INTEGER)
        aged = build_hierarchy(made, ["3", "97", "92", "7"], column=column)
        assert label in aged.labels[1]
        assert not_among(aged, 1, {label}, (words,)) is None, "what lies before the end did not come out"


def test_of_dates_it_is_told_which_years_or_decades_did_not_come_out() -> None:
    def of(unit: str, **ends: object) -> Hierarchy:
        made = specification("dates", {}, {"levels": [{"unit": "month"}, {"unit": unit}], **ends})
        column = ColumnSpec("born", Kind.DATE, format=Format(pattern="%Y-%m-%d"))
        return build_hierarchy(made, ["1984-02-29"], column=column)

    decades = of("decade")
    assert not_among(decades, 2, {"1980-1989", "1990-1999"}, ("1985-1992",)) == ()
    assert not_among(decades, 2, {"1980-1989"}, ("1975-1992",)) == ("1970-1979", "1990-1999")
    assert not_among(of("year"), 2, {"1984"}, ("1983", "1984-1985")) == ("1983", "1985")
    assert not_among(decades, 1, {"1984-02"}, ("1984",)) is None, "of months nothing is told"
    assert not_among(decades, 2, {"1980-1989"}, ("x",)) is None, "that cannot be read"
    early = {"coding": "1950-01-01", "label": "early"}
    assert not_among(of("decade", lowest=early), 2, {"early"}, ("1940-1945",)) is None


def test_of_intervals_it_is_told_between_which_numbers_none_came_out() -> None:
    pay = build_hierarchy(PAY, ["5"], column=ColumnSpec("pay", Kind.INTEGER))
    (finest,) = {pay.labels[1][pay.maps[1][0]]}
    assert not_among(pay, 1, {finest}, ("0-9",)) == ()
    wide = specification(
        "intervals", {}, {"intervals": [{"from": 0, "to": 200}], "levels": [{"group": 1}, {"group": 5}]}
    )
    pay = build_hierarchy(wide, ["5"], column=ColumnSpec("pay", Kind.INTEGER))
    both = {"0-199", "200-399"}
    assert not_among(pay, 1, both, ("0-400",)) == (), "few have just the far end of what can occur"
    assert not_among(pay, 1, both, ("0-401",)) == ("400-401",), "of what is missing no label is known"
    assert not_among(pay, 1, {"0-199"}, ("0-400",)) == ("200-400",), "where the end belongs is not asked"
    assert not_among(pay, 1, {"0-199", "400-599"}, ("0-400",)) == ("200-399",), "the end may well have come out"
    assert not_among(pay, 1, {"200-399"}, ("50-500",)) == ("50-199", "400-500"), "what is said reaches no further"
    assert not_among(pay, 1, {"200-399"}, ("250-300", "450")) == ("450",)
    assert not_among(pay, 1, both, ("0-200", "600-700", "820-1100", "1400-1500")) == (
        "600-1100",
        "1400-1500",
    )
    assert not_among(pay, 1, {*both, "400-599"}, ("0-400",)) == ()
    assert not_among(pay, 1, {"all", "200-399"}, ("0-400",)) is None, "that is no interval"
    assert not_among(pay, 1, both, ("a lot",)) is None, "that cannot be read"
    assert not_among(pay, 1, both, ()) is None
    halves = specification("intervals", {}, {"intervals": [{"from": 0, "to": 0.5}], "levels": [{"group": 1}]})
    weights = build_hierarchy(halves, ["0.2"], column=ColumnSpec("weight", Kind.DECIMAL))
    assert weights.labels[1][weights.maps[1][0]] == "[0, 0.5["
    assert not_among(weights, 1, {"[0, 0.5["}, ("0-2",)) == ("0.5 to 2",)
    assert not_among(weights, 1, {"[0, 0.5[", "[2, 2.5["}, ("0-2",)) == ("0.5 to under 2",)


@pytest.mark.parametrize(
    "words, entries",
    [
        ('"West, old", East', ("West, old", "East")),
        ('East,"West, old";"South"', ("East", "West, old", "South")),
        ('"the ""new"" town, north"\nEast', ('the "new" town, north', "East")),
        ('" first ", ""', (" first ",)),
        ('0-120,000, "a;b"', ("0-120,000", "a;b")),
        # What was read so before is no quotation: nothing ends it, or it begins within an entry.
        ('6" pipe, 8" pipe', ('6" pipe', '8" pipe')),
        ('"West, old', ('"West', "old")),
        ('the "old, new" town', ('the "old', 'new" town')),
    ],
)
def test_a_value_with_a_comma_stands_in_quotes(words: str, entries: tuple[str, ...]) -> None:
    assert entries_of(words) == entries
    assert entries_of(listing_of(entries)) == entries == saved_entries(saved_listing(entries))


@given(st.lists(st.text('a,; "1-0\t', min_size=1), min_size=1, max_size=4, unique=True))
def test_entries_that_are_shown_or_saved_are_read_again(entries: list[str]) -> None:
    assert entries_of(listing_of(entries)) == tuple(entries) == saved_entries(saved_listing(entries))


@given(st.text('a,; "1-0\t'))
def test_without_quotes_everything_is_read_and_saved_as_it_was(words: str) -> None:
    plain = words.replace('"', "")
    entries = entries_of(plain)
    assert saved_listing(entries) == ", ".join(entries) and saved_entries(", ".join(entries)) == entries


def test_quotes_that_were_saved_as_letters_stay_letters() -> None:
    assert saved_entries('"West, old", East') == ('"West', 'old"', "East")
    assert entries_of(listing_of(('"West', 'old"', "East"))) == ('"West', 'old"', "East")
