"""Where rows of a table may not take part, each sentence on groups and counts is of those that did."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.forging import PAGE, verify
from tests.report.test_read_first import LEVEL, ONE, SAMPLE, STEPS, TRIM, TWO, body, release
from workbench.anonymise.note_versions import READ_FIRST
from workbench.report.counting_words import counting
from workbench.report.rows_set_aside import OF_THESE

FLOOR = ("--floor", "3")
WHERE = ("--where", "age > 1")
ASIDE: dict[str, Sequence[str]] = {
    "one row of each": (*TRIM, *LEVEL, *ONE),
    "one row of each, with a floor": (*TRIM, *LEVEL, *ONE, *FLOOR),
    "one row of each, in steps": (*TRIM, *STEPS, *ONE),
    "one row of each, in steps with a floor": (*TRIM, *STEPS, *ONE, *FLOOR),
    "two rows of each": (*TRIM, *LEVEL, *TWO),
    "a filter": (*TRIM, *LEVEL, *WHERE),
    "a filter, in steps": (*TRIM, *STEPS, *WHERE),
    "sampled, one row of each": (*SAMPLE, *LEVEL, *ONE),
    "sampled, two rows of each": (*SAMPLE, *LEVEL, *TWO),
    "a simulation": (*TRIM, *LEVEL, *ONE, "--seed", "1", "--without-claim"),
}
ALL: dict[str, Sequence[str]] = {
    "trimmed": (*TRIM, *LEVEL),
    "with a floor": (*TRIM, *LEVEL, *FLOOR),
    "in steps": (*TRIM, *STEPS),
    "two rows of each": (*TRIM, *LEVEL, "--rows-per-person", "2"),
    "sampled": (*SAMPLE, *LEVEL),
}
OF_THE_TABLE = (
    r"rows? in the table",
    r"rows of any one person, up to",
    r"rows or more in the table",
    r"with so many rows in",
    r"rows or more with equal labels",
    r"[Rr]ows with equal labels in every column",
    r"group of rows with equal labels",
    r"The count of a group",
    r" Such a count is",
    r"<li>A sum over",
    r"the true (count|one)",
    r"Each row was kept",
)
"""What is true of a table only where all of its rows take part."""


def counted_words(folder: Path, words: Sequence[str], rows_of_each: int = 2) -> str:
    """The statement but for what is true of the whole table whatever takes part."""
    said = body(release(folder, words, rows_of_each))
    for true in (
        "no group has more rows in the file than in the table",
        "No person has more than one row in the table",
    ):
        said = said.replace(true, "")
    return said


@pytest.mark.parametrize("case", ASIDE)
def test_what_is_said_of_groups_is_said_of_the_rows_that_took_part(tmp_path: Path, case: str) -> None:
    said = counted_words(tmp_path / "r", ASIDE[case])
    for words in OF_THE_TABLE:
        assert not re.search(words, said), words
    assert "that took part" in said
    assert verify(tmp_path / "r", PAGE) == 0


@pytest.mark.parametrize("case", ALL)
def test_where_all_rows_take_part_it_is_said_of_the_table(tmp_path: Path, case: str) -> None:
    said = counted_words(tmp_path / "r", ALL[case], 1)
    assert "took part" not in said.replace("took part in this", "")
    assert any(re.search(words, said) for words in OF_THE_TABLE)


@pytest.mark.parametrize("case", [case for case in ASIDE if case != "a simulation"])
def test_it_is_the_same_whether_anybody_has_more_rows(tmp_path: Path, case: str) -> None:
    pages = [counted_words(tmp_path / str(each), ASIDE[case], each) for each in (1, 2)]
    kept = [[one for one in re.split(r"<[^>]+>", page) if "took part" in one] for page in pages]
    # Rows of the file are counted anew at each draw: a group is shown with them, and which labels no row says follows.
    unsaid = re.compile(r" No row says .* all the same\.|^It has [\d,]+ rows and ")
    shown = [[unsaid.sub("", one).partition(" For example,")[0] for one in some] for some in kept]
    assert shown[0] == shown[1] and shown[0]


def test_the_sentences_are_true_of_a_table_in_which_people_have_many_rows(tmp_path: Path) -> None:
    """By hand: 600 people with three rows each in groups of 450; of each one row took part, in groups of 150."""
    facts = release(tmp_path / "r", (*TRIM, *LEVEL, *ONE), 3)
    always = facts["release"]["steps"][0]["always_survive"]
    lines = counting(facts["release"], READ_FIRST)
    assert lines[0].startswith(f"{OF_THESE}the count of a group in the file is too small by at most {always - 1} rows.")
    assert f"Of a group of which {always} rows or more took part it is too small by" in lines[0]
    assert "to estimate how many took part, with a standard deviation" in lines[0]
    assert lines[-1] == f"Of a group that is not in the file at most {always - 1} rows took part."
    for rows in _sizes(tmp_path / "r"):
        assert 150 - always < rows <= 150, "too small by more than that is what the table's 450 rows would make it"


def _sizes(folder: Path) -> list[int]:
    lines = (folder / "out.csv").read_text("utf-8").splitlines()[1:]
    return [lines.count(one) for one in set(lines)]


def test_at_the_levels_of_one_step_too(tmp_path: Path) -> None:
    facts: dict[str, Any] = release(tmp_path / "r", (*TRIM, *STEPS, *ONE), 2)
    later = {**facts["release"], "after": {"left_out": [], "one_level": 2}, "worked": None}
    said = " ".join(counting(later, READ_FIRST))
    assert f"{OF_THESE}such a count is too small by what its group gave up at that step alone" in said
    assert f"{OF_THESE}a sum over several groups is too small" in said and "rows took part." in said
    assert "estimates how many of its rows took part" in said
    before = " ".join(counting(later, READ_FIRST - 1))
    assert "took part" not in before and "estimates the true one" in before
