"""Statements of version 32 name labels as the file has them, and give the reason for each number beside them."""

from __future__ import annotations

import json
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.report.test_read_first import body
from workbench.anonymise.note_versions import SAID_ONCE, SPELT_AS_IN_FILE
from workbench.core.release_spending import for_replacing_in_groups
from workbench.report.absent_cells import absent_cells
from workbench.report.column_labels import ColumnLabels
from workbench.report.no_row import no_row_says
from workbench.report.number_columns import number_columns

KEPT = Path(__file__).parents[1] / "kept" / "releases"


def kept(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize(
    ("absent", "like", "width", "cut", "labels"),
    [
        ("60-74", "20-39", 20, {}, ["60-79"]),
        ("140000 to 150000", "0 to under 20000", 20000, {}, ["140000 to under 160000"]),
        ("80-119", "20-39", 20, {}, ["80-99", "100-119"]),
        ("80 to under 160", "0 to under 20", 20, {}, ["80 to under 100 … 140 to under 160"]),
        ("160 to 200", "0 to under 40", 40, {}, ["160 to under 200"]),
        ("200", "0 to under 40", 40, {}, ["200 to under 240"]),
        ("15 to under 40", "40 to under 80", 40, {"lowest": 15.0}, ["15 to under 40"]),
        ("80 to 150", "0 to under 40", 40, {"highest": 100.0}, ["80 to under 100", "≥100"]),
        ("-60--41", "0-19", 20, {}, ["-60--41"]),
    ],
)
def test_what_no_row_says_is_named_by_the_labels_that_the_file_would_have(
    absent: str, like: str, width: float, cut: dict[str, float], labels: list[str]
) -> None:
    """That a label begins or ends elsewhere than what can occur is nobody's claim of what lies there."""
    ends = {"from": 0.0, "lowest": None, "highest": None, **cut}
    assert absent_cells([absent], like, width, ends) == labels


def test_a_statement_quotes_these_labels_and_one_of_before_has_its_range() -> None:
    grid = {"from": 0.0, "lowest": None, "highest": None}
    column = {"name": "age", "hierarchy": {"levels": ["as it is", "intervals of 20", "*"], "grid": grid}}
    release = {"columns": [column], "steps": [{"levels": {"age": 1}}], "after": {"one_level": 0}}
    now = no_row_says(release | {"in_no_row": {"age": ["60-79", "100-119 … 180-199"]}}, SPELT_AS_IN_FILE)
    assert now.startswith("No row says age: “60-79”, “100-119” to “180-199”. ")
    before = no_row_says(release | {"in_no_row": {"age": ["60-74", "100-199"]}}, SAID_ONCE)
    assert before.startswith("No row says age: from 60 to 74, from 100 to 199. ")


def test_labels_beyond_what_is_said_to_occur_are_listed_as_not_looked_for() -> None:
    facts = kept("shortly_charges")
    (charge,) = (one for one in facts["release"]["columns"] if one["name"] == "charge")
    assert [one for one in charge["hierarchy"]["listed"] if one[0][0] in "<≥"] == [["<0"], ["≥100000"]]
    said = unescape(body(facts))
    line = "not looked for: “<0”, beyond what is said to occur, and “≥100000”, of which 100,000 alone is said to occur"
    assert line in said and "not looked for" not in body(facts, SAID_ONCE)


def test_every_listed_label_is_in_a_row_or_named_absent_or_said_not_to_be_looked_for() -> None:
    listed = [["<0"], ["0 to under 100"], ["100 to under 1000"], ["≥1000"]]
    widening = ("2 intervals, widening to 900",)
    for entries in ((), ("0 to 1000",), ("0 to 5000",), ("-20 to 400",)):
        known = ColumnLabels(widening, entries, listed=tuple(map(tuple, listed)))
        absent, beyond = known.in_no_row(["0 to under 100"]), known.beyond_all
        assert {"0 to under 100", *absent, *beyond} == {path[0] for path in listed}, entries
        assert not set(absent) & set(beyond)
        assert ("≥1000" in absent) is ("0 to 5000" in entries) and ("<0" in absent) is ("-20 to 400" in entries)
        assert not {"<0", "≥1000"} & set(known.in_no_row(["0 to under 100"], SAID_ONCE)), "as it was told before"


def test_each_of_the_two_ways_to_count_delta_has_its_reason() -> None:
    """By composition of groups that are independent 2δ − δ², which is no more than twice; by ε and δ alone 1 + e^ε."""
    known, there = kept("shortly_number_known"), kept("shortly_steps")
    twice = "so ε counts twice, and δ at most twice, as each group is drawn for by itself."
    assert twice in body(known) and "almost twice" not in body(known) and "δ almost twice." in body(known, SAID_ONCE)
    assert for_replacing_in_groups(Fraction(1), Fraction(1, 1000))[1] <= Fraction(2, 1000)
    alone = "one value set against another counts ε twice, and δ 1 + e^ε times"
    assert f"{alone}: so much follows from ε and δ alone." in body(there) and f"{alone}." in body(there, SAID_ONCE)


def test_no_means_are_to_be_reported_where_a_column_has_numbers_and_no_row_may_have_an_empty_cell() -> None:
    numbers, words = kept("shortly_charges"), kept("shortly_many")
    means, none = "Means of ", "No row has an empty cell"
    wrong = "can be far off and in a wrong order, as rows with rare numbers, often the large ones, are missing most"
    assert f"{wrong}: do not report them." in body(numbers)
    assert means not in body(words) and means not in body(numbers, SAID_ONCE)
    listed = kept("shortly_number_known")["release"]
    assert [number_columns(one) for one in (numbers["release"], listed, words["release"])] == [["charge"], ["age"], []]
    assert none in body(numbers) and none not in body(numbers, SAID_ONCE)
    numbers["release"]["blank"] = {"charge": 3}
    assert none not in body(numbers)
