"""Statements of version 31 say each rule of counting once, and lose no caution of those of version 30 by it."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, as_of, verify
from tests.report.label_releases import works
from tests.report.test_counting_by_label import law_by_hand
from tests.report.test_read_first import body, said_anew
from workbench.anonymise.note_versions import COUNTED_EXACTLY, COUNTED_WIDELY, SAID_ONCE
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.report.label_counts import LABEL_COUNTS, label_counts
from workbench.report.statement import statement_page

KEPT = Path(__file__).parents[1] / "kept" / "releases"
KINDS, FEES, SPORTS = ("basic", "silver", "gold"), ("60", "90", "120", "240"), ("gym", "yoga", "tennis", "swim")
FAR = "A count may be far too low even with what groups gave up, as few groups with the label are in the file"
RULE = (
    "A count is said to be perhaps far too low where the groups that a label could make with the other labels there, "
    "but that are not in the file, would reach it with {half} rows each, below which groups mostly gave up all."
)
FAR_ONCE = (
    "A count may be far too low, even with what groups gave up, where the groups that a label could make with the "
    "other labels there, but that are not in the file, could hold as many rows"
)
MARK = "(may be far too low)"


def words_of(page: str) -> int:
    text = unescape(re.sub("<[^>]+>", " ", page))
    return sum(bool(re.search(r"\w", one)) for one in text.split())


def members(folder: Path, *, rare: Sequence[int] = ()) -> dict[str, Any]:
    """A release of kind, fee and sport; so many people of each group have a `rare` fee."""
    folder.mkdir(parents=True)
    rows = [(KINDS[i % 3], FEES[i // 3 % 4], SPORTS[i // 12 % 4]) for i in range(3000)]
    rows += [(KINDS[at % 3], "500", SPORTS[at // 3]) for at, some in enumerate(rare) for _ in range(some)]
    heads = ("kind", "fee", "sport")
    (folder / "members.csv").write_text("\n".join(map(",".join, [heads, *rows])) + "\n", encoding="utf-8")
    given = ["anonymise", folder / "members.csv", "--epsilon", "1", "--delta", "1e-6", "--mechanism", "trim", "--quiet"]
    for name, labels in zip(heads, (KINDS, (*FEES, "500"), SPORTS), strict=True):
        write_hierarchy(Hierarchy.from_rows([(label, "*") for label in labels]), folder / f"{name}.csv")
        given += ["--hierarchy", f"{name}={folder / name}.csv"]
    given += ["--step", "kind=0,fee=0,sport=0", "--expect", "3000", "--ledger", folder / "ledger.jsonl"]
    out = ["--out", folder / FILE, "--statement", folder / PAGE, "--metadata", folder / NOTE]
    assert main([*map(str, given), *map(str, out)]) == 0
    found: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return found


def test_it_has_a_fifth_fewer_words_at_least_and_says_what_groups_gave_up_once(tmp_path: Path) -> None:
    facts = members(tmp_path / "r")
    now, before = body(facts), body(facts, COUNTED_WIDELY)
    assert words_of(now) < 0.8 * words_of(before), (words_of(now), words_of(before))
    assert verify(tmp_path / "r", PAGE) == verify(tmp_path / "r", NOTE) == 0
    rules = ("square root of their number", "For example, kind ", "because it is not always in the file")
    for once in (*rules, "random number of its rows, drawn for it alone", "on average over all files", "at most 27."):
        assert now.casefold().count(once.casefold()) == 1, once
    assert now.count("is not in the file had at most") == before.count("is not in the file had at most") == 1


CAUTIONS = (
    "No count of rows of this file is too high; as a rule it is too low|the file has at most as many rows as the table",
    "hares counted in the file are not those of the table|Percentages counted in the file are wrong",
    "looks rarer than it is, as a rule, or is missing",
    "though it is in the table",
    "no correction is right",
    "In one file it can be too high, most where few small groups make it",
    "as groups that are not in the file gave up all their rows",
    "is in the file with a probability of at most δ",
    "What the rows of others show about people like them is not hidden.",
    "one value set against another counts ε twice, and δ 1 + e^ε times",
    "apart from an excess probability",
)


@pytest.mark.parametrize(
    "steps", [("work=0,sex=0",), ("work=0,sex=0", "work=1,sex=0"), ("work=0,sex=0", "work=2,sex=0")]
)
def test_no_caution_is_lost(tmp_path: Path, steps: tuple[str, ...]) -> None:
    words = [word for one in steps for word in ("--step", one)]
    facts = works(tmp_path / "r", *words, "--expect", "3000")
    now, before = unescape(body(facts)), unescape(body(facts, COUNTED_WIDELY))
    for caution in CAUTIONS:
        assert re.search(caution.replace("+", r"\+").replace("^", r"\^"), before, re.IGNORECASE), caution
        assert re.search(caution.replace("+", r"\+").replace("^", r"\^"), now, re.IGNORECASE), caution
    if len(steps) > 1:
        apart = ("Finer and coarser labels may stand side by side", "A later step can have, too,")
        for caution in (*apart, "With coarser labels: bring every label to its level at the last step"):
            assert caution in now and caution in before
    assert verify(tmp_path / "r", PAGE) == 0


def test_with_a_floor_it_says_what_is_left_out_and_in_one_step_how_much_is_drawn(tmp_path: Path) -> None:
    drawn, steps = "The number that is drawn for a group is ", ("--step", "work=0,sex=0", "--step", "work=1,sex=0")
    one = body(works(tmp_path / "one", "--level", "work=0", "--level", "sex=0", "--floor", "3"))
    assert drawn in one and "Where fewer than 3 are left, the group is left out." in one
    several = body(works(tmp_path / "two", *steps, "--expect", "3000", "--floor", "3"))
    assert drawn not in several and "Where fewer than 3 are left, the group is left out at that step." in several
    assert "No correction of counts is offered" in one and "No correction of counts is offered" in several


def test_every_way_to_void_it_is_still_listed(tmp_path: Path) -> None:
    said = body(members(tmp_path / "r")).partition("What would void this statement")[2]
    for way in (
        "how many rows were given up, by one group or by all, or these rows themselves",
        "true counts beside the file: of people or rows, in the table or in some group of it",
        "the draw that pleases",
        "by what only the analyst sees",
        "Choosing levels, steps, columns, ε or δ by this data or true figures of it",
        "More rows of a person than were accounted for",
        "read off this data, and neither known beforehand nor enforced",
        "Labels made from the data, such as intervals that end at its smallest or largest value, or averages",
        "which values no hierarchy lists, or how many",
        "a column that did not take part in the grouping",
        "keeping or publishing the original order of the rows",
        "the random numbers, how long the run took, or the size, date or fingerprint of the table's file",
        "Another release of the same data that is not added up with this one",
    ):
        assert way in said, way


def test_a_label_in_few_of_its_groups_is_named_and_one_in_all_of_them_is_not(tmp_path: Path) -> None:
    """Of 190 people 80 are in ten groups of eight, hardly any of which is in the file; 600 are counted well."""
    few = members(tmp_path / "few", rare=(55, 55, *[8] * 10))
    told = {one[0]: one for one in few["release"][LABEL_COUNTS]["fee"]}
    assert all(one[4] == len(KINDS) * len(SPORTS) for one in told.values()), "groups that each fee could be"
    said, groups = body(few), told["500"][3]
    assert RULE.format(half=few["release"]["steps"][0]["half_survive"]) in said
    assert f"{FAR}: fee “500” in {groups} of 12 groups." in said and said.count(MARK) == 1 and groups < 5
    assert f"{FAR_ONCE}: fee “500” in {groups} of 12 groups." in body(few, SAID_ONCE), "without the number, as it was"
    assert FAR_ONCE not in body(few, COUNTED_WIDELY) and verify(tmp_path / "few", PAGE) == 0
    every = body(members(tmp_path / "every", rare=(50,) * 12))
    assert FAR_ONCE not in every and "would reach it" not in every and MARK not in every


def test_the_warning_follows_from_the_rows_of_the_file_and_how_many_groups_there_could_be(tmp_path: Path) -> None:
    facts = members(tmp_path / "r")
    release = facts["release"]
    half, mean = release["steps"][0]["half_survive"], release["steps"][0]["mean_lost"]
    for finest, groups, could in ((14, 4, 25), (70, 2, 4), (240, 15, 20), (170, 13, 50), (5000, 40, 1000), (20, 1, 1)):
        release[LABEL_COUNTS] = {"fee": [["60", finest, finest, groups, could], ["90", 5000, 5000, 25, 25]]}
        release["in_few_rows"] = {}
        low = (could - groups) * half >= math.floor(finest + groups * mean)
        assert low is ((finest, groups) in ((14, 4), (170, 13), (5000, 40)))
        said = body(facts)
        line = f"{FAR}: fee “60” in {groups} of {could:,} groups."
        assert (line in said) is (RULE.format(half=half) in said) is low and (said.count(MARK) == 1) is low
        release["in_few_rows"] = {"fee": [["60", finest]]}
        assert "would reach it" not in body(facts) and "(says next to nothing)" in body(facts), "which is said already"


def test_how_many_groups_a_label_could_be_is_counted_again(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    facts = members(folder)
    counts = facts["release"][LABEL_COUNTS]
    kind = counts["kind"]
    for wrong in ([*kind[0][:4], kind[0][4] + 1], kind[0][:4], [*kind[0], 1]):
        forged = {**facts["release"], LABEL_COUNTS: {**counts, "kind": [wrong, *kind[1:]]}}
        assert said_anew(folder, {**facts, "release": forged}) == 1
    told = as_of(facts, COUNTED_WIDELY)
    assert all(len(one) == 4 for some in told["release"][LABEL_COUNTS].values() for one in some)
    assert said_anew(folder, told) == 0, "notes of the version before do not hold it"
    assert said_anew(folder, {**told, "release": {**told["release"], LABEL_COUNTS: counts}}) == 1


def test_of_how_many_groups_a_label_could_be_is_counted_in_the_labels_of_the_file() -> None:
    """By hand: whatever group is in the table and not in the file, the same is told."""
    release = {
        "worked": {}, "after": {"one_level": 0}, "step_column": "",
        "steps": [{"levels": {"a": 0, "b": 0}}], "columns": [{"name": name, "grouped": True} for name in "ab"],
    }  # fmt: skip
    file = [(("x", "1"), 5), (("x", "2"), 3), (("y", "1"), 4)]
    told = label_counts(release, ("a", "b"), file)
    assert told == {"a": [["x", 8, 8, 2, 2], ["y", 4, 4, 1, 2]], "b": [["1", 9, 9, 2, 2], ["2", 3, 3, 1, 2]]}
    assert label_counts(release, ("a", "b"), file, version=COUNTED_WIDELY)["a"] == [["x", 8, 8, 2], ["y", 4, 4, 1]]


def test_always_to_take_the_larger_number_is_too_high_on_average_by_enumeration(tmp_path: Path) -> None:
    """Two towns of four people each, whose names are * at step 2: the rows in the file, or what is corrected."""
    weights, mean = law_by_hand()
    larger, corrected = Fraction(0), Fraction(0)
    for lost in itertools.product(range(len(weights)), repeat=3):
        chance = math.prod((weights[z] for z in lost), start=Fraction(1))
        first = [max(0, 4 - z) for z in lost[:2]]
        rows = sum(first) + max(0, 8 - sum(first) - lost[2])
        told = sum(first) + mean * sum(one > 0 for one in first)
        larger, corrected = larger + chance * max(Fraction(rows), told), corrected + chance * told
    assert corrected <= 8 < larger
    said = "on average over all files the larger of both can be too high."
    before = "Always to take the larger of this and of the rows in the file can come out too high on average."
    steps = works(tmp_path / "steps", "--step", "work=0,sex=0", "--step", "work=2,sex=0", "--expect", "3000")
    assert said in body(steps) and before in body(steps, COUNTED_EXACTLY) and before not in body(steps)
    assert "Of sex, which is never coarser, a count with the labels of the last" in body(steps)
    assert said not in body(works(tmp_path / "one", "--level", "work=0", "--level", "sex=0")), "there it is the last"


def test_intervals_that_widen_are_called_by_where_they_begin_and_end() -> None:
    facts = json.loads((KEPT / "wide_charges" / "note.json").read_text("utf-8"))
    assert "<td>10 intervals, widening to 50,000</td>" in body(facts, COUNTED_WIDELY)
    said = body(facts, SAID_ONCE)
    assert "<td>10 widening intervals from 0 to 100,000</td>" in said and "widening to" not in said
    (charge,) = (one["hierarchy"] for one in facts["release"]["columns"] if one["name"] == "charge")
    del charge["listed"]
    assert "<td>10 widening intervals, of which the last is 50,000 wide</td>" in body(facts, SAID_ONCE)


def test_the_warning_is_found_again_from_what_the_statement_prints(tmp_path: Path) -> None:
    """A reader multiplies what is missing by the number of the sentence, and compares it with the last column."""
    said = unescape(body(members(tmp_path / "r", rare=(55, 55, *[8] * 10))))
    (half,) = re.findall(r"would reach it with (\d+) rows each", said)
    named = re.findall(r"(?:: |, |; |; \w+ )(?:fee |kind |sport )?“([^”]+)” in \d+ of \d+ groups", said)
    table = said.partition("To count by one column alone, take the last number.")[2].partition("</table>")[0]
    cells = [re.findall("<t[dh][^>]*>(.*?)</t[dh]>", line) for line in table.split("<tr>")[2:]]
    per = {"kind": 20, "fee": 12, "sport": 15}
    column, found = "", []
    for name, label, _, groups, last in cells:
        column = name or column
        if (per[column] - int(groups)) * int(half) >= int(last.split()[0].replace(",", "")):
            found.append(label)
    assert named == found == ["500"]


@pytest.mark.parametrize("name", sorted(json.loads((KEPT / "made_shortly.json").read_text("utf-8"))))
def test_a_release_of_this_version_keeps_its_words(name: str) -> None:
    page = (KEPT / name / "statement.html").read_text("utf-8")
    facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    assert facts["version"] == SAID_ONCE and statement_page(facts) == page


@pytest.mark.parametrize("name", sorted(json.loads((KEPT / "made_wide.json").read_text("utf-8"))))
def test_a_release_of_the_version_before_keeps_its_own_words(name: str) -> None:
    page = (KEPT / name / "statement.html").read_text("utf-8")
    facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    assert facts["version"] == COUNTED_WIDELY and statement_page(facts) == page
    assert FAR_ONCE not in page and Counter(re.findall("<h2>(.*?)</h2>", page)).most_common(1)[0][1] == 1
