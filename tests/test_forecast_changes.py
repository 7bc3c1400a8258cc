"""What a step made of the forecast, in words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from workbench.core.hierarchy import Hierarchy
from workbench.core.occurring import entries_of
from workbench.session.release.column_details import DetailOutlook
from workbench.session.release.forecast_changes import ShownForecast, Turn, changes_between

CITIES = Hierarchy.from_rows([("Bern", "West", "*"), ("Basel", "West", "*"), ("Chur", "East", "*")])
ROWS = (80, 90)


def line(column: str, level: int, words: str, rows: tuple[int, int] = ROWS) -> DetailOutlook:
    return DetailOutlook(column, level, words, rows)


def foreseen(
    *details: DetailOutlook, rows: tuple[int, int] = ROWS, city: Hierarchy | None = CITIES, **others: Hierarchy
) -> ShownForecast:
    return ShownForecast(details, {**({} if city is None else {"city": city}), **others}, rows)


def intervals(width: float) -> Hierarchy:
    """Hierarchy of amounts by a rule, in groups of a width."""
    details = {"intervals": [{"from": 0.0, "to": width, "label": ""}], "levels": [{"group": 1}]}
    plain = {"builder": "intervals", "parameters": {}, "details": details}
    return replace(Hierarchy.from_rows([("5", "0-", "*"), ("105", "100-", "*")]), specification=plain)


def test_a_column_that_is_coarser_says_what_it_was() -> None:
    before = foreseen(line("city", 0, "as it is"), line("age", 1, "intervals of 5"))
    now = foreseen(line("city", 1, "2 groups"), line("age", 1, "intervals of 5"))
    found = changes_between(before, now)
    assert list(found.columns) == ["city"], "what is as it was is not marked"
    assert found.columns["city"].words == "coarser, was as it is" and found.columns["city"].turn.tone == "warning"
    assert found.words == "city coarser." and found.rows is None
    back = changes_between(now, before)
    assert back.columns["city"].words == "finer, was 2 groups" and back.columns["city"].turn.tone == "success"


def test_what_says_nothing_is_the_coarsest_by_whatever_hierarchy() -> None:
    before = foreseen(line("city", 2, "*"))
    other = Hierarchy.from_rows([("Bern", "*"), ("Basel", "*"), ("Chur", "*")])
    assert changes_between(before, foreseen(line("city", 0, "as it is"), city=other)).words == "city finer."


def test_one_label_for_all_that_can_occur_is_no_finer_than_a_star() -> None:
    one_label = replace(line("city", 1, "first 2 characters"), covers=True)
    found = changes_between(foreseen(line("city", 2, "*")), foreseen(one_label)).columns["city"]
    assert found.turn is Turn.OTHERWISE and not found.turn.tone
    assert changes_between(foreseen(one_label), foreseen(line("city", 0, "as it is"))).words == "city finer."


def test_a_detail_in_fewer_rows_says_in_how_many_it_was() -> None:
    before = foreseen(line("city", 0, "as it is", (80, 90)))
    now = foreseen(line("city", 0, "as it is", (30, 40)), line("city", 2, "*", (50, 50)))
    found = changes_between(before, now).columns["city"]
    assert found.turn is Turn.IN_FEWER and found.words == "in fewer rows, was 80–90"
    found = changes_between(now, before).columns["city"]
    assert found.turn is Turn.IN_MORE and found.words == "in more rows, was 30–40"


def test_a_range_that_rises_is_never_said_to_be_in_fewer_rows() -> None:
    """What is usual may fall while both ends rise, and who reads both ranges sees the opposite of what is said."""
    usual = partial(replace, usual=95)
    before = foreseen(usual(line("city", 0, "as it is", (5, 99))), line("city", 2, "*", (0, 87)))
    now = foreseen(replace(line("city", 0, "as it is", (10, 100)), usual=50), line("city", 2, "*", (0, 90)))
    assert "city" not in changes_between(before, now).columns
    assert "city" not in changes_between(now, before).columns


def test_fewer_rows_of_the_table_are_no_change_of_each_column() -> None:
    before = foreseen(line("city", 0, "as it is"), line("age", 1, "intervals of 5"))
    rows = (40, 50)
    now = foreseen(line("city", 0, "as it is", rows), line("age", 1, "intervals of 5", rows), rows=rows)
    found = changes_between(before, now)
    assert not found.columns and found
    assert found.words == "fewer rows come out (40–50 of 100, was 80–90)."
    assert changes_between(now, before).words == "more rows come out (80–90 of 100, was 40–50)."
    narrower, wider = (replace(before, rows=rows) for rows in ((89, 95), (78, 98)))
    assert not changes_between(wider, narrower).rows and not changes_between(narrower, wider).rows, "neither is said"
    assert not changes_between(before, foreseen(*before.details, rows=(79, 91))), "what is guessed is not that exact"


@pytest.mark.parametrize("rises", [False, True])
def test_more_rows_of_a_column_and_fewer_in_all_are_said_as_one(rises: bool) -> None:
    """A column may be in more rows though fewer come out, and the other way round; apart, one seems wrong."""
    few = foreseen(line("ward", 0, "as it is", (20, 50)), line("ward", 1, "*", (40, 50)), rows=(78, 98))
    many = foreseen(line("ward", 0, "as it is", (44, 80)), line("ward", 1, "*", (5, 9)), rows=(44, 85))
    words = changes_between(many, few).words if rises else changes_between(few, many).words
    told = ("in fewer rows, though more", "78–98 of 100, was 44–85") if rises else (
        "in more rows, though fewer", "44–85 of 100, was 78–98"
    )  # fmt: skip
    assert words == f"ward {told[0]} come out in all ({told[1]})."


def test_a_column_that_was_left_out_for_nothing_is_told_so() -> None:
    before = foreseen(line("city", 0, "as it is"), line("age", 3, "*"))
    found = changes_between(before, foreseen(line("city", 0, "as it is")))
    assert found.words == "age left out; no other detail changes."
    finer = changes_between(foreseen(line("city", 1, "2 groups"), line("age", 3, "*")), foreseen(line("city", 0, "as")))
    assert finer.words == "city finer; age left out."
    assert changes_between(foreseen(line("city", 0, "as it is")), before).words == "age * in every row.", "no gain"
    taken = foreseen(line("city", 0, "as it is"), line("age", 3, "as it is"))
    assert changes_between(foreseen(line("city", 0, "as it is")), taken).words == "age taken in."


@pytest.mark.parametrize("widths", [(10.0, 20.0), (20.0, 10.0)])
def test_intervals_of_another_rule_are_compared_by_their_width(widths: tuple[float, float]) -> None:
    one, other = (foreseen(line("pay", 1, f"intervals of {width:.0f}"), pay=intervals(width)) for width in widths)
    assert changes_between(one, other).columns["pay"].turn is (Turn.COARSER if widths[0] < widths[1] else Turn.FINER)


def test_what_cannot_be_compared_says_only_what_it_was() -> None:
    other = Hierarchy.from_rows([("Bern", "A", "*"), ("Basel", "B", "*"), ("Chur", "C", "*")])
    found = changes_between(
        foreseen(line("city", 1, "2 groups")), foreseen(line("city", 1, "3 groups"), city=other)
    ).columns["city"]
    assert found.words == "changed, was 2 groups" and not found.turn.tone


def test_many_columns_are_counted_and_what_is_worse_comes_first() -> None:
    names = ("a", "b", "c", "d")
    before = foreseen(*(line(name, 0, "as it is") for name in names), line("city", 1, "2 groups"))
    now = foreseen(*(line(name, 1, "*") for name in names), line("city", 0, "as it is"))
    assert changes_between(before, now, steps=2).words == "4 columns * in every row; city finer."


@pytest.mark.parametrize(("now", "told"), [((84, 95), True), ((66, 95), True), ((69, 95), False)])
def test_where_only_more_was_said_no_row_more_or_less_comes_out(now: tuple[int, int], told: bool) -> None:
    before = foreseen(line("ward", 0, "as it is"), rows=(70, 95))
    said = replace(foreseen(line("ward", 0, "as it is"), rows=now), said={"ward": entries_of("A1, A2")})
    words = f"by what you said {'more' if now[0] > 70 else 'fewer'} rows come out than before (70–95 of 100)."
    assert changes_between(before, said).words == (words if told else "")
    coarser = replace(foreseen(line("ward", 1, "*"), rows=(90, 99)), said=said.said)
    assert changes_between(before, coarser).words == (
        "ward * in every row; by what you said more rows come out than before (70–95 of 100)."
    ), "which is why, whatever else changes"


def test_a_forecast_that_was_guessed_before_it_was_said_what_occurs_is_called_so() -> None:
    guessed = foreseen(replace(line("pay", 1, "intervals of 40,000"), unknown=True), rows=(53, 90))
    said = foreseen(line("pay", 1, "intervals of 20,000"), rows=(42, 80))
    assert changes_between(guessed, said).words.endswith("fewer rows come out (42–80 of 100, was guessed 53–90).")
    answered = replace(said, said={"pay": entries_of("0-100000")})
    assert changes_between(guessed, answered).words.endswith(
        "by what you said fewer rows come out than was guessed (53–90 of 100)."
    ), "how many come out now stands above it, and is read once"
    known = foreseen(line("pay", 1, "intervals of 40,000"), rows=(53, 90))
    for before, now in ((known, said), (said, guessed), (guessed, foreseen(*guessed.details, rows=(20, 30)))):
        assert "was guessed" not in changes_between(before, now).words
    assert "was guessed" not in changes_between(guessed, foreseen(line("city", 0, "as it is"), rows=(20, 30))).words, (
        "a column that is left out was not said"
    )
