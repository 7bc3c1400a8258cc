"""Statements of version 32 say what not to do, then the numbers by label; the rules stand in a part of their own."""

from __future__ import annotations

import re
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.forging import NOTE, PAGE, as_of, verify, write_anew
from tests.report.label_releases import pay, works
from tests.report.test_read_first import SAMPLE, body, release, said_anew
from tests.report.test_read_first import TRIM as TRIMMED
from workbench.anonymise.note_versions import COUNTED_EXACTLY, SAID_ONCE
from workbench.report.counting_by_label import numbers_by_label
from workbench.report.first_step import added, with_given_up
from workbench.report.page import EMBEDDED

ONE_STEP = ("--level", "work=0", "--level", "sex=0")
STEPS = ("--step", "work=0,sex=0", "--step", "work=2,sex=0", "--expect", "3000")
PERCENTAGES = "Percentages counted in the file are wrong, most for small groups"
BEFORE, AFTER, RULES = "Before you count with the file", "What exactly is promised", "How to count with the file"
SUM = re.compile(r"for (\w+) “([^”]+)”: ([\d,]+) \+ ([\d,]+) × ([\d.]+), so ([\d,]+)\.")


def number(text: str) -> int:
    return int(text.replace(",", ""))


def part(said: str, heading: str) -> str:
    return said.partition(f"<h2>{heading}</h2>")[2].partition("</section>")[0]


@pytest.mark.parametrize("words", [ONE_STEP, STEPS])
def test_the_sum_above_the_numbers_is_that_of_its_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Where two numbers of rows stand before the last, it is of those with the finest labels."""
    facts = works(tmp_path / "r", *words)
    said = part(body(facts), BEFORE)
    (found,) = SUM.findall(said)
    _, label, rows, groups, mean, told = found
    line = re.search(rf"<td>{label}</td>(.*?)</tr>", said) or re.search(rf">\w+</th><td>{label}</td>(.*?)</tr>", said)
    assert line is not None
    cells = re.findall("<td>(.*?)</td>", line[1])
    assert cells[-3:] == [rows, groups, told]
    assert number(told) == int(number(rows) + number(groups) * Fraction(mean))
    it = "The last number" if "(surely too low" in said else "It"
    whose = f"{it} is the rows {'with the finest labels' if len(words) > len(ONE_STEP) else 'in the file'} and"
    assert whose in said and said.index("so ") < said.index("<table>")


def test_a_sum_that_is_whole_is_told_whole_from_the_version_on_that_says_so(tmp_path: Path) -> None:
    """45 × 277.4 is 12,483, and as binary fractions a little less."""
    release = works(tmp_path / "r", *ONE_STEP)["release"]
    step = {**release["steps"][0], "mean_lost": 277.41}
    forged = {**release, "steps": [step], "label_counts": {"sex": [["F", 3729, 3729, 45, 60]]}}
    assert added(step) == "277.4"
    assert [numbers_by_label(forged, version)[0].told for version in (COUNTED_EXACTLY - 1, COUNTED_EXACTLY)] == [
        16_211,
        16_212,
    ]
    for groups in range(1, 400):
        for mean in (19.7, 46.27, 0.3, 1e-7, 277.4, 12_340.0):
            exact = int(5 + groups * Fraction(str(mean)))
            assert with_given_up({"mean_lost": mean}, 5, groups) == exact


@pytest.mark.parametrize("words", [ONE_STEP, STEPS])
def test_percentages_are_warned_of_first_and_the_rules_come_after_the_numbers(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    facts = works(tmp_path / "r", *words)
    said = body(facts)
    first, rules = part(said, BEFORE), part(said, RULES)
    assert first.index(PERCENTAGES) < first.index("take the last number") < first.index("<table>")
    assert "Means of " not in first, "there is no column of numbers, and percentages are wrong all the same"
    assert first.index("</table>") < first.index("No row has an empty cell.")
    for rule in ("square root of their number", "On average over all files", "no correction is right", "For example, "):
        assert rule in rules and rule not in first, rule
    assert ("Put every finer label" in first or "more rows may stand under" in first) is False
    assert PERCENTAGES not in body(facts, SAID_ONCE)


def test_the_label_that_is_named_is_the_one_whose_share_changes_most_of_those_with_a_number(
    tmp_path: Path,
) -> None:
    facts = works(tmp_path / "r", *ONE_STEP)
    counts = {"work": [["A", 900, 900, 4, 4], ["B", 60, 60, 3, 4], ["C", 20, 20, 2, 2], ["", 30, 30, 3, 4]]}
    facts["release"]["label_counts"] = counts
    assert f"{PERCENTAGES}, such as those with work “C”: use the numbers below." in body(facts)
    facts["release"]["in_few_rows"] = {"work": [["C", 20]]}
    assert f"{PERCENTAGES}, such as those with work “B”: use the numbers below." in body(facts), "that one says nothing"
    facts["release"]["label_counts"] = {"work": counts["work"][2:3]}
    assert f"{PERCENTAGES}: use the numbers below." in body(facts)
    facts["release"]["label_counts"] = {}
    assert f"{PERCENTAGES}: first add to each group what it gave up, as is said below." in body(facts)
    facts["release"]["worked"] = None
    assert f"{PERCENTAGES}. Small groups lose" in body(facts), "where nothing can be added, nothing is advised"


def test_a_sample_without_its_small_groups_warns_of_them_too(tmp_path: Path) -> None:
    facts = release(tmp_path / "r", (*SAMPLE, "--level", "age=1"))
    assert f"So {PERCENTAGES[0].lower()}{PERCENTAGES[1:]}." in body(facts)
    assert PERCENTAGES.casefold() not in body(facts, SAID_ONCE).casefold()


def test_what_nobody_is_told_is_said_in_plain_words_and_as_before_in_notes_of_before(tmp_path: Path) -> None:
    facts = release(tmp_path / "r", (*TRIMMED, "--level", "age=1"))
    now = (
        "Nobody is told how many rows a group or another part of the table has, such as one town or age, or how many "
        "of them were dropped. What stands in the file and in this statement may be told."
    )
    before = "Nobody is told how many rows a group, or another part of the table, has or gave up."
    assert now in body(facts) and before not in body(facts)
    assert before in body(facts, SAID_ONCE) and said_anew(tmp_path / "r", as_of(facts, SAID_ONCE)) == 0
    said = [line.replace(now.partition(". ")[0], before[:-1]) for line in facts["release"]["asserted"]]
    stated = {**facts, "release": {**facts["release"], "asserted": said}}
    assert said_anew(tmp_path / "r", stated) == 1, "in a note of today that is another sentence"


def altered(page: str, words: str, other: str) -> str:
    """The page with other words where a reader sees them: what programs read comes after that."""
    shown, mark, facts = page.partition(EMBEDDED)
    assert shown.count(words) == 1, words
    return shown.replace(words, other) + mark + facts


def test_every_altered_word_and_number_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    facts = works(folder, *STEPS)
    page, release_ = (folder / PAGE).read_text("utf-8"), facts["release"]
    assert verify(folder) == 0 and verify(folder, NOTE) == 0
    (found,) = SUM.findall(unescape(page))
    column, label, rows, groups, mean, told = found
    line: dict[str, Any] = {one[0]: one for one in release_["label_counts"][column]}
    assert line[label][2] == number(rows)
    for words, other in (
        (f"{rows} + {groups} × {mean}", f"{rows} + {number(groups) + 1} × {mean}"),
        (f"× {mean}, so {told}.", f"× {mean}, so {number(told) + 1:,}."),
        ("use the numbers below", "use the numbers of the file"),
        ("are wrong, most for small groups", "are right, most for small groups"),
        ("with the finest labels and", "in the file and"),
        ("or how many of them were dropped", "or how many of them were added"),
    ):
        write_anew(folder / PAGE, altered(page, words, other))
        assert verify(folder) == 1, words


def test_where_a_hierarchy_comes_from_is_told_and_what_is_asserted_of_it_only_once(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", *ONE_STEP)
    known = "made without this data, as the person says who imported it"
    for column in facts["release"]["columns"]:
        column["hierarchy"]["origin"] = f"imported from {column['name']}.csv, {known}"
    said = body(facts)
    assert "public: imported from work.csv</td>" in said and known not in said
    assert "These hierarchies were made without this data: " in part(said, "What the publisher asserts")
    assert body(facts, SAID_ONCE).count(known) == 2
    facts["release"]["asserted"] = []
    assert body(facts).count(known) == 2, "where nobody asserts it, it stays where it is"


def test_every_row_is_said_to_be_of_the_table_where_nothing_is_said_to_be_checked(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", *STEPS)
    rows, invented = (
        "Every row of the file is one of the table",
        "No row was invented: of no group more rows are released",
    )
    assert (
        rows not in body(facts) and invented in body(facts) and "the first with the finest labels: what" in body(facts)
    )
    assert rows in body(facts, SAID_ONCE)
    _, drawn = pay(tmp_path / "p")
    assert rows not in body(drawn) and invented in body(drawn)
    unclaimed = works(tmp_path / "u", *STEPS, "--without-claim", "--seed", "1")
    assert rows in body(unclaimed) and invented not in body(unclaimed)
