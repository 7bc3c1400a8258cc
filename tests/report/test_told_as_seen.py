"""Statements name the labels that no row says, as the screen does, and `verify` counts them again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.forging import NOTE, PAGE, as_of, verify
from tests.report.label_releases import pay, works
from tests.report.test_few_rows import payroll
from tests.report.test_read_first import body, said_anew
from workbench.anonymise.note_versions import READ_FIRST, SPELT_AS_IN_FILE, TOLD_AS_SEEN
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy
from workbench.core.level_functions import UNDER
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.unsaid import not_among
from workbench.core.visible import quoted
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.report.column_labels import ColumnLabels, label_faults
from workbench.report.counting_by_label import cut_intervals
from workbench.report.no_row import no_row_says
from workbench.report.stated_labels import MOST_LISTED, stated_labels
from workbench.session.release.came_out import came_out, missing_lines
from workbench.session.release.said import said_of

NOT_ONE = "Other labels that can occur are stated to be in no row than the file gives."


def test_of_intervals_that_are_cut_and_of_several_widths_the_same_is_named_as_on_the_screen(
    tmp_path: Path, quiet: Callable[[], str]
) -> None:
    folder = tmp_path / "r"
    session, facts = pay(folder)
    release, said = facts["release"], body(facts)
    screen = missing_lines(came_out(session.release.result, said_of(session.project)))
    pays = ["80000 to under 160000", "160000 to 200000"]
    assert release["in_no_row"]["pay"] == pays and release["in_no_row"]["town"] == ["C"]
    assert screen[0] == f"No row says pay: {', '.join(pays)}; town: C."
    quotes = ", ".join(map(quoted, pays))
    assert f"No row says pay: {quotes}; town: “C”. No row has an empty cell. The table may" in said
    cut = (
        "The first and the last intervals of pay are cut at 15,000 and 200,000, where what was said to occur begins and"
    )
    assert cut in said
    ends = (
        "intervals counted from 0 on; all numbers below 15,000 have one label; all numbers above 200,000 have one label"
    )
    unsaid = "what is beyond what is said to occur is not looked for"
    assert re.search(f"{ends}[^<]*; {unsaid}</td>", said) and unsaid not in body(facts, SPELT_AS_IN_FILE - 1)
    assert verify(folder, PAGE) == 0 and verify(folder, NOTE) == 0
    for stated in ({}, {"pay": ["80000 to 200000"], "town": ["C"]}, {"pay": pays}, {"pay": pays[:1], "town": ["C"]}):
        quiet()
        assert said_anew(folder, {**facts, "release": {**release, "in_no_row": stated}}) == 1, stated
        assert NOT_ONE in quiet(), stated


def test_the_screen_and_the_statement_name_the_same_of_numbers_and_years(tmp_path: Path) -> None:
    session = payroll(tmp_path / "r", "10000-200000")
    release = json.loads((tmp_path / "r" / NOTE).read_text("utf-8"))["release"]
    lines = missing_lines(came_out(session.release.result, said_of(session.project)))
    said = no_row_says(release, SPELT_AS_IN_FILE).partition(". The table")[0].replace("” to “", " … ")
    assert lines[0] == f"{said.replace('“', '').replace('”', '')}." and set(release["in_no_row"]) == {"pay", "born"}


def test_of_a_hierarchy_that_is_a_file_its_labels_are_named(tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = tmp_path / "r"
    facts = works(folder, "--level", "work=1", "--level", "sex=0", alone=3)
    release = facts["release"]
    assert release["in_no_row"] == {"work": ["Unemployed"], "sex": ["X"]}
    line = f"work: {quoted('Unemployed')}"
    assert line in body(facts) and "No row says" in body(facts)
    assert "<th scope=row>work</th><td>Non-Government, Government, Unemployed</td>" in body(facts), "labels it can have"
    assert verify(folder, PAGE) == 0 and verify(folder, NOTE) == 0
    for stated in ({}, {"work": ["Unemployed"]}, {"work": ["Unemployed", "Government"], "sex": ["X"]}):
        quiet()
        assert said_anew(folder, {**facts, "release": {**release, "in_no_row": stated}}) == 1, stated
        assert NOT_ONE in quiet(), stated
    assert said_anew(folder, as_of(facts, READ_FIRST)) == 1, "what it named then it does not name"
    older = as_of(facts, READ_FIRST)
    older["release"]["in_no_row"] = {}
    assert said_anew(folder, older) == 0
    (folder / NOTE).write_text(json.dumps(older | {"version": TOLD_AS_SEEN}), encoding="utf-8")
    (folder / PAGE).unlink()
    quiet()
    assert verify(folder, NOTE) == 1
    missing = quiet()
    assert "“release.label_counts” is missing." in missing and "“release.steps.mostly_lost” is missing." in missing


def test_somebody_more_of_whom_nothing_came_out_changes_nothing(tmp_path: Path) -> None:
    """A label that nobody has, and one that few have who all were given up, are named alike."""
    none, few = (
        works(tmp_path / str(alone), "--level", "work=1", "--level", "sex=0", "--seed", "5", "--without-claim",
              alone=alone)["release"]
        for alone in (0, 1)
    )  # fmt: skip
    assert none["in_no_row"] == few["in_no_row"] and none["columns"] == few["columns"]
    assert none["label_counts"].keys() == few["label_counts"].keys()
    assert none["in_no_row"]["work"] == ["Unemployed"]


def test_a_finer_label_says_the_coarser_one(tmp_path: Path) -> None:
    paths = (("a", "A"), ("b", "A"), ("c", "B"), ("d", "C"))
    listed = ColumnLabels(("as it is", "level 1"), listed=paths)
    assert listed.in_no_row(["a", "B", "*", ""]) == ["C"]
    assert listed.in_no_row(["a", "c"]) == ["b", "d"], "where no coarser label came out, the finest are told"
    assert listed.in_no_row(["*"]) == [], "it says nothing at all"
    assert listed.at_coarsest(["a", "b", "B"]) == {"a": "A", "b": "A", "B": "B"}
    assert listed.in_no_row(["A", "B", "C"]) == [] and ColumnLabels(("level 1",)).in_no_row(["A"]) == []


def test_cut_intervals_are_put_into_the_widest() -> None:
    grid = {"from": 0.0, "lowest": 15000.0, "highest": 190000.0}
    pays = ColumnLabels(("intervals of 20,000", "intervals of 80,000"), ("15000-190000",), grid=grid)
    labels = ["15000 to under 20000", "40000 to under 60000", "160000 to under 190000"]
    wide = {"15000 to under 20000": "15000 to under 80000", "40000 to under 60000": "15000 to under 80000"}
    assert pays.at_coarsest(labels) == wide | {"160000 to under 190000": "160000 to under 190000"}
    assert pays.in_no_row(labels) == ["80000 to under 160000"]
    # Where none is as wide as 80,000, the others tell at their own width.
    assert pays.in_no_row(labels[:2]) == ["20000 to under 40000", "60000 to under 80000 … 180000 to under 190000"]
    before = ["20000 to under 40000", "60000 to 190000"]
    assert pays.in_no_row(labels[:2], TOLD_AS_SEEN) == before, "as notes of before hold it"
    assert pays.in_no_row(["15000 to under 20000", "17000 to under 20000"]) == [], "of no such interval"
    assert pays.in_no_row(["<15000", "20000 to under 40000"]) == []
    assert pays.cut() == (15000.0, 190000.0)
    assert ColumnLabels(("intervals of 5,000",), grid=grid).cut() == (None, None)
    ages = ColumnLabels(("as it is", "intervals of 10"), ("0-39",), grid={"from": 0.0, "lowest": None, "highest": None})
    assert ages.in_no_row(["7", "12", "20-29"]) == ["30-39"] and ages.at_coarsest(["7", "20-29"])["7"] == "0-9"


def test_years_codes_and_words_of_several_levels() -> None:
    years = ColumnLabels(("year", "decade"), ("1950-1979",))
    assert years.in_no_row(["1951", "1960-1969"]) == ["1970-1979"] and years.in_no_row(["1951", "soon"]) == []
    codes = ColumnLabels(
        ("first 4 characters", "first 2 characters"), ("40-42", "43999"), mask={"length": 5, "sign": "*"}
    )
    assert codes.in_no_row(["4012*", "41***"]) == ["42***", "43***"] and codes.in_no_row(["40"]) == []
    words = ColumnLabels(("as it is", "spelt as listed"), ("Legal", "IT", "Head cook"), spelt=True)
    assert words.in_no_row(["LEGAL ", "head  cook"]) == ["IT"]


def test_of_a_list_that_is_too_long_it_is_said_so() -> None:
    hierarchy = Hierarchy.from_rows([(f"{n:06}", "*") for n in range(MOST_LISTED // 6 + 1)])
    assert stated_labels(hierarchy, [0], ()) == {"listed": MOST_LISTED // 6 + 1}
    assert stated_labels(hierarchy, [1], ()) == {}, "it is * throughout"
    short = Hierarchy.from_rows([(f"{n:06}", "*") for n in range(MOST_LISTED // 6)])
    assert len(stated_labels(short, [0, 1], ())["listed"]) == MOST_LISTED // 6


def test_a_column_of_a_long_list_is_named_with_its_number(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", "--level", "work=1", "--level", "sex=0")
    facts["release"]["columns"][0]["hierarchy"]["listed"] = 12_345
    said = body(facts)
    assert "Which of its 12,345 labels no row says is not told of sex: that list is too long for this page." in said
    assert "<td>12,345, too many for the note</td>" in said


def test_nothing_else_passes_for_what_can_occur(tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = tmp_path / "r"
    facts = works(folder, "--level", "work=1", "--level", "sex=0")
    place = next(n for n, one in enumerate(facts["release"]["columns"]) if one["name"] == "work")
    right = facts["release"]["columns"][place]["hierarchy"]["listed"]
    wrong: tuple[Any, ...] = ([], right[:-1], [*right, right[0]], [*right, ["a", "b"]], [[]], [["*"]], "x", 0, -1)
    wrong += (None, [1], [[1]], {"a": 1}, True, [*right, ["It is safe."]])
    for listed in wrong:
        forged = json.loads(json.dumps(facts))
        forged["release"]["columns"][place]["hierarchy"]["listed"] = listed
        quiet()
        try:
            assert said_anew(folder, forged) != 0, listed
        except Exception:  # no page can be made of it
            (folder / NOTE).write_text(json.dumps(forged), encoding="utf-8")
            assert verify(folder, NOTE) != 0, listed
    grids: tuple[Any, ...] = ({}, {"from": 0.0, "lowest": None, "highest": None}, {"from": "0"})
    for grid in grids:
        forged = json.loads(json.dumps(facts))
        forged["release"]["columns"][place]["hierarchy"]["grid"] = grid
        assert [*label_faults(forged["release"])], grid


OTHER_ENDS = (
    {"function": "maximum"},
    {"function": "minimum"},
    {"function": "median"},
    {"function": "pattern", "text": "up to {high}"},
    {"function": "pattern", "text": "under {high}"},
    {"function": "pattern", "text": "{high}, from {low}"},
    {"labels": ["few"]},
)


def pay_rule(whole: bool = False, closed: str = "low", **level: Any) -> Hierarchy:
    details = {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1, **level}]}
    rule = specification("intervals", {"whole": whole, "closed": closed}, details)
    return build_hierarchy(rule, [f"{n}.5" for n in range(5, 50, 10)], None, ColumnSpec("pay", Kind.DECIMAL))


@pytest.mark.parametrize("level", OTHER_ENDS)
def test_of_labels_that_name_another_end_nothing_is_denied(level: Mapping[str, Any]) -> None:
    """“10” can be the largest of 0 to 10: read as the first of 10 to 20, it denied what 800 rows had."""
    hierarchy = pay_rule(**level)
    assert stated_labels(hierarchy, [1], ("0-99",)) == {}
    assert not_among(hierarchy, 1, ["10", "20", "30", "40", "50"], ("0-99",)) is None


@pytest.mark.parametrize("level", [{}, {"function": "bounds"}, {"function": "pattern", "text": UNDER}])
def test_of_labels_that_begin_with_their_lower_end_it_is_told(level: Mapping[str, Any]) -> None:
    hierarchy = pay_rule(**level)
    assert stated_labels(hierarchy, [1], ("0-99",)) == {"grid": {"from": 0.0, "lowest": None, "highest": None}}
    some = [label for label in hierarchy.labels[1] if label not in ("*", "")]
    assert not_among(hierarchy, 1, some, ("0-99",)) == (f"50{'-' if 'bounds' in level.values() else ' to '}99",)


def test_where_an_upper_end_belongs_to_its_interval_it_is_not_denied() -> None:
    """Rows with 50 are above 40 to 50; a range from 50 on would deny them."""
    hierarchy = pay_rule(closed="high", function="pattern", text=UNDER)
    assert stated_labels(hierarchy, [1], ("0-99",)) == {}
    assert not_among(hierarchy, 1, ["above 40 to 50"], ("0-99",)) is None


def test_verify_holds_intervals_against_a_hierarchy_that_is_given(tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = tmp_path / "r"
    session, facts = pay(folder)
    write_hierarchy(session.project.hierarchies["pay"], folder / "h.csv")
    given = ("--hierarchy", f"pay={folder / 'h.csv'}")
    assert verify(folder, PAGE, *given) == 0
    for changed in (
        {"from": 7000.0},
        {"lowest": None},
        {"lowest": 11_000.0},
        {"highest": 60_000.0},
    ):
        forged = json.loads(json.dumps(facts))
        pays = next(one for one in forged["release"]["columns"] if one["name"] == "pay")
        pays["hierarchy"]["grid"] |= changed
        (folder / NOTE).write_text(json.dumps(forged), encoding="utf-8")
        quiet()
        assert verify(folder, NOTE, *given) == 1, changed
        assert "Other labels are stated to be possible in “pay” than its hierarchy has." in quiet(), changed
    for changed in ({"highest": 210_000.0}, {"included": False}, {"highest": None}, {"included": 1}):
        forged = json.loads(json.dumps(facts))
        pays = next(one for one in forged["release"]["columns"] if one["name"] == "pay")
        pays["hierarchy"]["grid"] |= changed
        (folder / NOTE).write_text(json.dumps(forged), encoding="utf-8")
        assert verify(folder, NOTE, *given) == 1, changed
    del pays["hierarchy"]["grid"]["included"]
    (folder / NOTE).write_text(json.dumps(forged), encoding="utf-8")
    assert verify(folder, NOTE, *given) == 1, "other intervals are in no row then"


def test_a_rule_is_held_against_what_is_stated_of_it() -> None:
    hierarchy = pay_rule(function="bounds")
    right = {"from": 0.0, "lowest": None, "highest": None}
    known = ColumnLabels(("intervals of 10",), ("0-99",), grid=right, levels=(1,))
    assert known.is_list_of(hierarchy) and known.is_list_of(replace(hierarchy, specification=None))
    for changed in ({"from": 10.0}, {"lowest": 5.0}, {"highest": 123_456.0}):
        assert not replace(known, grid={**right, **changed}).is_list_of(hierarchy), changed
    wide = replace(known, words=("intervals of 20",))
    assert not wide.is_list_of(hierarchy) and not wide.is_list_of(replace(hierarchy, specification=None))
    rule = specification("masking", {"length": 5, "step": 2, "side": "right", "align": "left", "mask": "*"}, {})
    codes = build_hierarchy(rule, ["40121", "50121"], None, ColumnSpec("zip", Kind.TEXT))
    masked = ColumnLabels(("first 3 characters",), ("4, 5",), mask={"length": 5, "sign": "*"}, levels=(1,))
    for other in (codes, replace(codes, specification=None)):
        assert masked.is_list_of(other)
        for mask in ({"length": 6, "sign": "*"}, {"length": 5, "sign": "#"}):
            assert not replace(masked, mask=mask).is_list_of(other), mask


def test_a_cut_that_was_not_said_is_of_the_rule() -> None:
    words = {"levels": ["as it is", "intervals of 40", "*"], "grid": {"from": 0.0, "lowest": 15.0, "highest": 190.0}}
    column = {"name": "pay", "hierarchy": words}
    release = {"columns": [column], "steps": [{"levels": {"pay": 1}}], "after": {"one_level": 0}}
    assert cut_intervals(release) == [
        "The first and the last intervals of pay are cut at 15 and 190, where its rule begins and ends, and narrower "
        "than the others."
    ]


@pytest.mark.parametrize("length", [0, -1, 1001, 10**10, 10**30, True, "5", 5.0])
def test_a_mask_of_a_length_that_no_rule_has_is_a_fault_before_anything_is_made_of_it(length: object) -> None:
    hierarchy = {"levels": ["as it is", "first 2 characters", "*"], "mask": {"length": length, "sign": "*"}}
    columns = [{"name": "code", "grouped": True, "hierarchy": hierarchy}]
    facts: dict[str, Any] = {"columns": columns, "steps": [{"levels": {"code": 1}}], "after": {"one_level": 0}}
    assert "“code”" in "".join(label_faults(facts))
    hierarchy["mask"] = {"length": 5, "sign": "*"}
    assert not [*label_faults(facts)]
