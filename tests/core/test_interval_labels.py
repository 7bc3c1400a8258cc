"""Labels that read as intervals, and values that they do not hold."""

from __future__ import annotations

import pytest

from workbench.core.hierarchy import Hierarchy
from workbench.core.interval_labels import Misplaced, misplaced


def found(*rows: tuple[str, ...]) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(one.level, one.label, one.values) for one in misplaced(Hierarchy.from_rows(rows))]


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("0-4", "0 1 4 4.5 4.99", "5 -1 40"),
        ("0–4", "0 4", "5"),
        ("5 - 9", "5 9", "4 10"),
        ("18 to 24", "18 20 24", "25 17"),
        ("18-24 years", "18 24", "25"),
        ("1..9", "1 9", "10"),
        ("[0, 5)", "0 4 4.9", "5"),
        ("(0, 5]", "1 5", "0"),
        ("]0;5]", "1 5", "0"),
        ("[0,5[", "0 4", "5"),
        ("<5", "4 -3 4.9", "5"),
        ("<=5", "4 5", "6"),
        ("≤ 5", "4 5", "6"),
        ("under 18", "3 17", "19"),
        (">=80", "80 99", "79"),
        (">80", "81 99", "80"),
        ("80+", "80 99", "79"),
        ("65 and over", "65 99", "64"),
        ("-10--5", "-10 -7 -5", "-4 -11"),
        ("-10 to 5", "-10 0 5", "6"),
        ("−10–−5", "-10 −5", "-4"),
        ("20,000-29,999", "20000 29,999 25000", "30000"),
        ("0.5-1.5", "0.5 1 1.5", "1.6 2"),
    ],
)
def test_a_value_outside_of_its_label_is_told(label: str, inside: str, outside: str) -> None:
    held = [(text, label, "*") for text in inside.split()]
    for text in outside.split():
        assert found(*held, (text, label, "*")) == [(1, label, (text,))]
    assert found(*held) == []


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([("2020", "2020-2021"), ("2021", "2020-2021")], id="years"),
        pytest.param([("2020-05-01", "2020-2021"), ("2023-01-01", "2020-2021")], id="dates are no numbers"),
        pytest.param([("202012", "2020-12"), ("202011", "2020-11")], id="months"),
        pytest.param([("5", "01-05"), ("6", "01-05")], id="leading zeros make a code"),
        pytest.param([("20095", "200-209"), ("20357", "200-209")], id="prefixes of postcodes"),
        pytest.param([("04109", "0-1"), ("10115", "2-3")], id="postcodes with a zero"),
        pytest.param([("20000", "20-30"), ("31000", "31-40")], id="thousands in the label"),
        pytest.param([("1951", "1950-59"), ("1961", "1960-69")], id="short decades"),
        pytest.param([("3", "3-1"), ("4", "4-1")], id="scores"),
        pytest.param([("5", "low"), ("-", "0-4"), ("?", "0-4"), ("", "0-4")], id="no number"),
        pytest.param([("5", "*"), ("6", "*")], id="all"),
        pytest.param([("5", "5"), ("6", "-5")], id="a number is no interval"),
        pytest.param([("10th", "9-12"), ("1st", "9-12")], id="names with digits"),
    ],
)
def test_what_is_no_interval_or_means_another_unit_is_let_be(rows: list[tuple[str, ...]]) -> None:
    assert found(*rows) == []


def test_a_slip_of_one_is_told_at_every_level() -> None:
    rows = [(str(age), f"{(age - 1) // 5 * 5}-{(age - 1) // 5 * 5 + 4}", "1-20") for age in range(1, 16)]
    assert found(*rows) == [(1, "0-4", ("5",)), (1, "5-9", ("10",)), (1, "10-14", ("15",))]
    assert Misplaced(1, "0-4", ("5",)).words == "5 in “0-4”"


def test_values_that_were_added_from_the_data_count_for_nothing() -> None:
    listed = Hierarchy.from_rows([("1", "0-4"), ("2", "0-4")])
    assert misplaced(listed.covering(["77"])) == misplaced(listed) == ()
