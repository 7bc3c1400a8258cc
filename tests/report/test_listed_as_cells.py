"""Statements of version 34 list values as a CSV file has them, and say of each number one thing wherever it stands."""

from __future__ import annotations

import csv
import itertools
import json
import math
import re
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, verify
from tests.report.label_releases import works
from tests.report.test_counting_by_label import law_by_hand
from tests.report.test_read_first import body
from workbench.anonymise.note_versions import COUNTED_EXACTLY, LISTED_AS_CELLS
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.report.counting_by_label import numbers_by_label
from workbench.report.first_step import added
from workbench.report.statement import statement_page

KEPT = Path(__file__).parents[1] / "kept" / "releases"
PARTS = ["West, old", "West", '5" lane', "East; new", "North side of the river", "South side of the river"]


def parts(folder: Path) -> dict[str, Any]:
    """A balanced release of parts of a town with commas and quotes in their names, all of which were said to occur."""
    folder.mkdir(parents=True)
    write_hierarchy(Hierarchy.from_rows([(part, "*") for part in PARTS]), folder / "part.csv")
    write_hierarchy(Hierarchy.from_rows([("F", "*"), ("M", "*")]), folder / "sex.csv")
    with (folder / "people.csv").open("w", encoding="utf-8", newline="") as stream:
        rows = [(PARTS[i // 2 % len(PARTS)], "FM"[i % 2]) for i in range(1200)]
        csv.writer(stream).writerows([("part", "sex"), *rows])
    said = ", ".join('"' + part.replace('"', '""') + '"' for part in PARTS)
    given = ["anonymise", folder / "people.csv", "--hierarchy", f"part={folder / 'part.csv'}", "--epsilon", "2"]
    given += [
        "--hierarchy",
        f"sex={folder / 'sex.csv'}",
        "--delta",
        "1e-3",
        "--mechanism",
        "trim",
        "--steps",
        "balanced",
    ]
    given += ["--expect", "1200", "--occurs", f"part={said}", "--occurs", "sex=F,M", "--quiet"]
    out = ["--out", folder / FILE, "--statement", folder / PAGE, "--metadata", folder / NOTE]
    assert main([*map(str, given), *map(str, out), "--ledger", str(folder / "ledger.jsonl")]) == 0
    found: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return found


def cell_of(said: str, heading: str, column: str) -> str:
    table = said.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]
    (found,) = re.findall(rf"<th scope=row>{column}</th><td>(.*?)</td>", table)
    return unescape(found)


@pytest.mark.parametrize("heading", ["What can occur, as the publisher says", "Labels that a column can have"])
def test_a_list_of_values_is_read_as_csv(tmp_path: Path, heading: str) -> None:
    facts = parts(tmp_path / "r")
    shown = cell_of(body(facts), heading, "part").partition("; SHA")[0]
    assert next(csv.reader([shown], skipinitialspace=True)) == PARTS
    before = cell_of(body(facts, COUNTED_EXACTLY), heading, "part")
    assert before.startswith('West, old, West, 5" lane, ')
    assert verify(tmp_path / "r", PAGE) == verify(tmp_path / "r", NOTE) == 0


@pytest.mark.parametrize("name", sorted(json.loads((KEPT / "made_exact.json").read_text("utf-8"))))
def test_a_release_of_the_version_before_keeps_its_own_words(name: str) -> None:
    facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    assert facts["version"] == COUNTED_EXACTLY
    assert statement_page(facts) == (KEPT / name / "statement.html").read_text("utf-8")


def test_the_example_of_a_group_is_rounded_as_its_line_is(tmp_path: Path) -> None:
    """School A at night is one group, and all that has its label: 159 + 42.59 is told once as 202 and once as 201."""
    facts = json.loads((KEPT / "exact_many" / "note.json").read_text("utf-8"))
    worked, mean = facts["release"]["worked"], added(facts["release"]["steps"][0])
    (line,) = (one for one in numbers_by_label(facts["release"]) if one.label == worked["labels"]["school"])
    told = math.floor(worked["rows"] + Fraction(mean))
    assert (line.groups, line.finest, line.told) == (1, worked["rows"], told)
    assert f"so about {told:,} in the table" in body(facts, LISTED_AS_CELLS)
    assert f"so about {told + 1:,} in the table" in body(facts, COUNTED_EXACTLY)


def test_one_number_is_to_be_taken_where_a_sum_is_less_than_the_rows_in_the_file(tmp_path: Path) -> None:
    facts = json.loads((KEPT / "exact_many" / "note.json").read_text("utf-8"))
    last, instead = (
        "take the last number",
        "; only where it is surely too low, take the rows in the file, which are nearer.",
    )
    assert f"{last}. It is the rows with the finest labels" in body(facts, LISTED_AS_CELLS)
    line = facts["release"]["label_counts"]["shift"][0]
    line[1] = line[2] + 10_000
    said, before = body(facts, LISTED_AS_CELLS), body(facts, COUNTED_EXACTLY)
    assert f"{last}{instead} The last number is the rows with the finest labels" in said
    assert said.count("(surely too low: take the rows in the file)") == 1
    assert (
        "Where the sum is less than the rows in the file, and none of their labels holds finer ones, take these" in said
    )
    assert "Always to take the larger" not in said and "on average over all files the larger of both can be too" in said
    assert "Always to take the larger" in before and f"{last}. " in before


def test_why_the_numbers_of_a_column_add_up_to_more_is_said_beside_them(tmp_path: Path) -> None:
    together = "So can all of a column together"
    why = "each is an estimate by itself, with the average added for small groups, too, which are in the file only as"
    facts = works(tmp_path / "r", "--level", "work=0", "--level", "sex=0")
    said = body(facts)
    assert f"most where few small groups make it. {together}: {why} they gave up less than all. Labels" in said
    assert said.index("take the last number") < said.index(together) < said.index("<table>")
    assert together not in body(facts, COUNTED_EXACTLY)
    facts["release"]["terms"]["expected_rows"] = 3000
    assert f"{together}, which can be more than were expected: {why}" in body(facts)


def test_together_they_are_too_high_in_some_files_by_small_groups_alone_and_not_on_average() -> None:
    """By enumeration of what three groups of two rows give up: what the sentence says of one file and of all."""
    weights, mean = law_by_hand()
    average, most, small = Fraction(0), Fraction(0), Fraction(0)
    for lost in itertools.product(range(len(weights)), repeat=3):
        chance = math.prod((weights[z] for z in lost), start=Fraction(1))
        told = sum((2 - z + mean for z in lost if z < 2), start=Fraction(0))
        average, most = average + chance * told, max(most, told)
        small += chance * sum(mean - z for z in lost if z < 2)
    assert average <= 6 < most
    assert small > 0, "of those that are in the file more is added than they gave up"


@pytest.mark.parametrize(("town", "marked"), [("a", True), ("c", False)])
def test_a_sum_is_not_said_to_be_too_low_where_other_labels_may_be_among_the_rows(town: str, marked: bool) -> None:
    """Rows that are c at the second step can be b, too, so that they say nothing of c at the first."""
    facts = json.loads((KEPT / "exact_many" / "note.json").read_text("utf-8"))
    (school,) = (one["hierarchy"] for one in facts["release"]["columns"] if one["name"] == "school")
    school["listed"] = [["a", "a"], ["b", "c"], ["c", "c"]]
    facts["release"]["label_counts"] = {"school": [[town, 1000, 10, 1, 1], ["*", 1000, 10, 1, 1]]}
    found = {one.label: "surely too low" in one.mark for one in numbers_by_label(facts["release"], LISTED_AS_CELLS)}
    assert found == {town: marked, "*": False}
    before = {one.label: "surely too low" in one.mark for one in numbers_by_label(facts["release"], COUNTED_EXACTLY)}
    assert before == {town: True, "*": True}
