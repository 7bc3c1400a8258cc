"""A statement says first how to count by each column, and what exactly is promised after that (note version 19); what
to do before one counts apart from how much counts are too low (version 20); counting by all columns at once apart from
counting by one (version 21).
"""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, as_of, released, verify, write_anew
from workbench.anonymise.note_versions import ALIKE_AS_THEY_STAND, COUNTING_FIRST, COUNTS_AT_MOST, WAYS_APART
from workbench.report.counting_table import counting_table
from workbench.report.counting_words import before_counting, counting
from workbench.report.statement import statement_page

TRIM = ("--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--hierarchy", "age={public}")
CASES = {
    "balanced": (*TRIM, "--steps", "balanced", "--expect", "900"),
    "known": (*TRIM, "--steps", "balanced", "--expect", "900", "--known", "people"),
    "one step": (*TRIM, "--level", "age=1"),
    "told": (*TRIM, "--steps", "balanced", "--step-column", "step", "--as-counts", "rows"),
    "sampled": ("--mechanism", "sample", *TRIM[2:], "--level", "age=1"),
    "void": (*TRIM[:-1], "age={derived}"),
}
FIRST, EXACTLY, FACTOR = "Before you count with the file", "What exactly is promised", "(e^ε, rounded up)"


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released(tmp_path_factory.mktemp("first"), CASES, lambda i: 20 + i % 40)


def facts_of(releases: Path, case: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((releases / case / NOTE).read_text("utf-8"))
    return found


def lines_of(html: str) -> dict[str, list[str]]:
    """By their first cell the others of the lines of a table."""
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]
    return {unescape(first): [unescape(one) for one in others] for first, *others in rows}


def test_a_reader_is_told_first_how_to_count(releases: Path) -> None:
    for case in CASES:
        page = (releases / case / PAGE).read_text("utf-8")
        assert verify(releases / case, PAGE) == 0 and verify(releases / case, NOTE) == 0, case
        assert ("the file has at most as many rows as the table" in page) is (case != "sampled")
        if case != "void":
            places = [page.index(one) for one in ("differentially private release", FIRST, EXACTLY, FACTOR)]
            assert places == sorted(places), case
        else:
            assert EXACTLY not in page


def test_of_each_column_it_is_told_what_to_do(releases: Path) -> None:
    head, lines = "Column", lines_of(counting_table(facts_of(releases, "one step")["release"]))
    assert list(lines) == [head, "age"] and lines["age"][1] == "Leave its labels as they are."
    told = lines_of(counting_table(facts_of(releases, "told")["release"]))
    assert list(told) == [head, "age", "step", "rows"]
    assert "Add it up" in told["rows"][1] and "at which step" in told["step"][1]
    steps = facts_of(releases, "balanced")["release"]["steps"]
    levels = dict.fromkeys(step["levels"]["age"] for step in steps)
    (shown, to_do) = lines_of(counting_table(facts_of(releases, "balanced")["release"]))["age"]
    assert ("; coarser: " in shown) is (len(levels) > 1) and to_do


@pytest.mark.parametrize(
    ("levels", "shown", "to_do"),
    [
        ([1, 1], "decade", ["Leave its labels as they are."]),
        ([0, 1], "year; coarser: decade", ["Put every finer label into the coarser one that holds it."]),
        ([1, 2], "decade; coarser: *", ["Of each label more rows may stand under *"]),
        ([0, 1, 2], "year; coarser: decade; *", ["Put every finer label", "may stand under *"]),
        ([2, 2], "*", ["nothing can be counted by it"]),
    ],
)
def test_finer_and_coarser_labels_are_told_apart(levels: list[int], shown: str, to_do: list[str]) -> None:
    column = {"name": "born", "shown": "labels", "hierarchy": {"height": 2, "levels": ["year", "decade", "*"]}}
    release = {"columns": [column], "steps": [{"levels": {"born": level}} for level in levels]}
    told = lines_of(counting_table(release))["born"]
    assert told[0] == shown and all(one in told[1] for one in to_do)
    one_level = {**release, "after": {"left_out": [], "one_level": len(levels)}}
    assert "coarser" not in lines_of(counting_table(one_level))["born"][0], "the file has no other labels then"
    left_out = {**release, "columns": [], "after": {"left_out": [column], "one_level": 0}}
    assert "born" not in lines_of(counting_table(left_out))


@pytest.mark.parametrize("case", sorted(CASES))
def test_a_page_of_the_version_before_is_as_it_was(releases: Path, case: str, tmp_path: Path) -> None:
    older = as_of(facts_of(releases, case), COUNTING_FIRST - 1)
    page = statement_page(older)
    assert "count by it" not in page and EXACTLY not in page
    assert case == "void" or page.index(FACTOR) < page.index(FIRST)
    write_anew(tmp_path / PAGE, page)
    write_anew(tmp_path / NOTE, json.dumps(older))
    (tmp_path / FILE).write_bytes((releases / case / FILE).read_bytes())
    assert verify(tmp_path, PAGE) == 0 and verify(tmp_path, NOTE) == 0


@pytest.mark.parametrize("case", ["balanced", "one step", "told"])
def test_what_comes_before_counting_is_told_apart_from_how_much_counts_are_too_low(
    releases: Path, case: str, tmp_path: Path
) -> None:
    page = (releases / case / PAGE).read_text("utf-8")
    assert "Of whatever you count, the file has at most as many rows as the table, and as a rule fewer" in page
    assert "as they stand." not in page and "then count." not in page and "Every count of rows" not in page
    assert "point at nobody" not in page and "are what is left of groups that gave up rows" in page
    older = as_of(facts_of(releases, case), COUNTS_AT_MOST - 1)
    page = statement_page(older)
    assert "Every count of rows of this file is too low" in page and "To count by it" in page
    assert "point at nobody" in page and "are what is left" not in page
    write_anew(tmp_path / PAGE, page)
    write_anew(tmp_path / NOTE, json.dumps(older))
    (tmp_path / FILE).write_bytes((releases / case / FILE).read_bytes())
    assert verify(tmp_path, PAGE) == 0 and verify(tmp_path, NOTE) == 0


LABELS_OF_TWO = {
    name: {"name": name, "shown": "labels", "hierarchy": {"height": 2, "levels": ["as it is", words, "*"]}}
    for name, words in (("job", "field"), ("age", "decade"))
}
GIVEN_UP = ({"mean_lost": 3.5, "sd": 0.5}, {"mean_lost": 7.25, "sd": 2.0})


def made_of(levels: list[dict[str, int]], *, worked: bool = True, after: Any = None, told: str = "") -> dict[str, Any]:
    """What is stated of a draw at these levels, each step with numbers of its own."""
    steps = [
        {"levels": at, "half_survive": 4 + place, "always_survive": 8 + place, **GIVEN_UP[place]}
        for place, at in enumerate(levels)
    ]
    labels = dict.fromkeys(levels[0], "x")
    return {
        "columns": [LABELS_OF_TWO[name] for name in levels[0]],
        "steps": steps,
        "after": after or {"left_out": [], "one_level": 0},
        "step_column": told,
        "terms": {},
        "rows_per_person": 1,
        "floor": 1,
        "stars": {},
        "blank": {},
        "worked": {"labels": labels, "rows": 30} if worked else None,
    }


BOTH = [{"job": 0, "age": 1}, {"job": 1, "age": 1}]


def test_what_the_finest_groups_gave_up_is_added_to_them_alone() -> None:
    several = " ".join(before_counting(made_of(BOTH), WAYS_APART))
    assert "To count by all columns at once, leave out the rows that have a coarser label, and add 3.5 to" in several
    assert "each group with the finest labels: one of 8 rows or more in the table gave up so many on average" in several
    assert several.index("side by side in job.") < several.index("leave out") and "7.25" not in several
    table = counting_table(made_of(BOTH))
    assert "Before you count by it alone" in table and lines_of(table)["job"][1].startswith("Put every finer label")
    first, *_ = counting(made_of(BOTH), WAYS_APART)
    assert first.startswith("Group by group, by all columns at once: count the rows with the labels of step 1, and")
    assert "For example" not in first, "it stands where counting begins"


def test_one_column_is_counted_by_its_finest_labels_or_by_the_coarser() -> None:
    alone = made_of([{"job": 0}, {"job": 1}], told="step")
    said = " ".join(before_counting(alone, WAYS_APART))
    assert "To count by the finest labels, leave out the rows that have a coarser label, and add 3.5" in said
    assert "“step” says of each row which. Rows with a coarser label are among those" in said
    table = counting_table(alone)
    assert "by it alone" not in table and lines_of(table)["job"][1].startswith("Count by the finest as is said")


def test_where_all_labels_are_of_one_level_nothing_is_left_out() -> None:
    for release, by in (
        (made_of(BOTH[:1]), "To count by all columns at once, add 3.5 to the rows of each group: one of 8"),
        (made_of([{"job": 0}]), "To count, add 3.5 to the rows of each group: one of 8"),
        (made_of(BOTH, after={"left_out": [], "one_level": 1}), "To count by all columns at once, add 3.5 to the rows"),
    ):
        said = " ".join(before_counting(release, WAYS_APART))
        assert by in said and "leave out" not in said and "coarser label" not in said
        assert "Leave its labels as they are." in counting_table(release)
    kept = counting(made_of(BOTH, after={"left_out": [], "one_level": 1}), WAYS_APART)
    assert "This is right on average for groups of 8 rows or more" in kept[1]


def test_where_what_told_levels_apart_is_not_in_the_file_no_labels_are_brought_to_one_level() -> None:
    """It said so of no column, in brackets with nothing in them."""
    made = made_of([{"job": 1, "age": 1}, {"job": 1, "age": "*"}])
    left = {"left_out": [LABELS_OF_TWO["age"]], "one_level": 0}
    alike = {**made, "columns": [LABELS_OF_TWO["job"]], "after": left, "worked": None}
    first, *more = counting(alike, ALIKE_AS_THEY_STAND)
    assert first.startswith("Count the rows with equal labels, which are all at the levels of the last step. Such a")
    older, *others = counting(alike, ALIKE_AS_THEY_STAND - 1)
    assert older.startswith("Bring every label to its level at the last step (), and") and others == more
    worked = counting({**alike, "worked": made["worked"]}, ALIKE_AS_THEY_STAND)
    assert not any("()" in line for line in worked)
    mixed = counting(made_of(BOTH), ALIKE_AS_THEY_STAND)
    assert any("Bring every label to its level at the last step (job to field)" in one for one in mixed) or any(
        "bring every label to its level at the last step (job to field)" in one for one in mixed
    )


def test_without_a_group_to_show_nothing_is_added() -> None:
    release = made_of(BOTH, worked=False)
    said = " ".join(before_counting(release, WAYS_APART))
    assert "add " not in said and "Rows with a finer label are not all that had it" in said
    assert "by it alone" not in counting_table(release)


@pytest.mark.parametrize("case", ["balanced", "known", "one step", "told"])
def test_a_page_that_does_not_part_the_ways_is_as_it_was(releases: Path, case: str, tmp_path: Path) -> None:
    older = as_of(facts_of(releases, case), WAYS_APART - 1)
    page = statement_page(older)
    assert (
        "all columns at once" not in page and "count by it alone" not in page and "are not all that had it" not in page
    )
    write_anew(tmp_path / PAGE, page)
    write_anew(tmp_path / NOTE, json.dumps(older))
    (tmp_path / FILE).write_bytes((releases / case / FILE).read_bytes())
    assert verify(tmp_path, PAGE) == 0 and verify(tmp_path, NOTE) == 0
