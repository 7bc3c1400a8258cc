"""Statements of version 28 are read once: how often a guess is right, one figure for a number, and where labels end."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, verify
from tests.report.label_releases import pay, works
from tests.report.test_few_rows import payroll
from tests.report.test_read_first import body
from workbench.anonymise.note_versions import READ_ONCE, SAID_ONCE, TOLD_AS_SEEN
from workbench.anonymise.promise import guessed_of_known, guessed_right, whole_up
from workbench.anonymise.terms import ADD_REMOVE, REPLACE_BY_ONE, REPLACE_PERSON, REPLACE_ROWS
from workbench.core.building import build_hierarchy
from workbench.core.number_text import rounded_down
from workbench.core.schema import ColumnSpec, Kind
from workbench.report.counting_by_label import counts_by_label
from workbench.report.listed_labels import labels_section
from workbench.report.plain_promise import how_counted, plainly
from workbench.report.stated_claim import stated_claim
from workbench.report.stated_labels import GRID
from workbench.report.statement import statement_page
from workbench.report.trimmed_statement import making_of
from workbench.session.verifying.beside import received_files, verify_received
from workbench.session.verifying.verified import Verified

KEPT = Path(__file__).parents[1] / "kept" / "releases"
STEPS = ("--step", "work=0,sex=0", "--step", "work=1,sex=0", "--expect", "3000")
LIMITED = "What this file tells about any one person is limited. "
WHO = (
    "Suppose somebody knows everything about everyone else, but not whether person A is in the table: yes is as likely "
    "as no. Without this file they guess right 50 % of the time. With it, they guess right at most 74 % of the time. "
)
KNOWN = (
    "Now suppose they know that A is in the table, but not which of two things is true of A, such as one salary or "
    "another: one is as likely as the other. "
)
WHICH = (
    "Suppose somebody knows everything about everyone else, and that person A is in the table. They guess which of two "
    "things stands in A's {}, such as one salary or another: one is as likely as the other. Without this file they "
    "guess right 50 % of the time. With it, they guess right at most 74 % of the time."
)


# What can be guessed


def test_it_is_said_as_a_supposition_in_short_sentences() -> None:
    told, weak = (plainly(epsilon, 0.0, version=READ_ONCE) for epsilon in (1.0, 8.0))
    assert told == f"{LIMITED}{WHO}{KNOWN}With this file they guess right at most 89 % of the time."
    sure = f"{KNOWN}With this file they may be all but sure which it is."
    assert weak.endswith(sure) and weak.count(" at most ") == 1
    for said in (told, weak, plainly(1.0, 0.0, REPLACE_PERSON, READ_ONCE)):
        assert max(len(one.split()) for one in re.split(r"[.:] ", said)) <= 26


@pytest.mark.parametrize("about", [REPLACE_PERSON, REPLACE_ROWS, REPLACE_BY_ONE])
@pytest.mark.parametrize(("several", "whose"), [(False, "row"), (True, "rows")])
def test_where_the_number_is_known_it_is_of_what_stands_in_the_row_or_rows(
    about: str, whose: str, *, several: bool
) -> None:
    assert plainly(1.0, 0.0, about, READ_ONCE, several=several) == LIMITED + WHICH.format(whose)
    nothing = plainly(20.0, 0.0, about, READ_ONCE, several=several)
    assert nothing.startswith("What is promised is very little: ") and nothing.endswith(f"stands in A's {whose}.")
    assert plainly(20.0, 0.0, version=READ_ONCE).endswith("may be all but sure whether person A is in the table.")


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("delta", [0.0, 1e-5, 0.05])
def test_how_often_a_guess_is_right_follows_as_it_is_said(epsilon: float, delta: float) -> None:
    """By the sentence itself: its formula, and for somebody who is known to be there with what it puts into it."""
    factor = math.exp(epsilon)
    first = (factor + delta) / (factor + 1)
    twice, more = math.exp(2 * epsilon), (1 + factor) * delta
    second = min(1.0, (twice + more) / (twice + 1))
    assert guessed_right(epsilon, delta) == pytest.approx(first) and guessed_of_known(epsilon, delta) == pytest.approx(
        second
    )
    said, told = plainly(epsilon, delta, version=READ_ONCE), how_counted(epsilon, delta, ADD_REMOVE, READ_ONCE)
    assert f"at most {whole_up(guessed_right(epsilon, delta))} % of the time. Now" in said and "δ" not in said
    assert "at most (e^ε + δ) ÷ (e^ε + 1) of the time, rounded up" in told
    assert ("with 2ε in the place of ε, and (1 + e^ε) δ in that of δ" in told) is (second <= 0.9999)
    assert how_counted(epsilon, delta, REPLACE_PERSON, READ_ONCE).endswith("of the time, rounded up.")
    assert not how_counted(epsilon, delta, ADD_REMOVE, TOLD_AS_SEEN) and not how_counted(20, 0, ADD_REMOVE, READ_ONCE)


def worst(epsilon: Fraction, delta: Fraction) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """Two neighbours' chances of four files that are as far apart as e^ε (here a whole number) and δ allow."""
    told, half = 1 - delta, 1 / (1 + epsilon)
    there = {"surely there": delta, "yes": told * (1 - half), "no": told * half}
    return there, {"surely not": delta, "yes": told * half, "no": told * (1 - half)}


@pytest.mark.parametrize("factor", [2, 3, 20])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 100), Fraction(1, 3)])
def test_no_better_guess_is_possible_than_is_said_and_that_one_is(factor: int, delta: Fraction) -> None:
    """In whole numbers: all sets of files keep to (ε, δ), and the best guess is right as often as is said."""
    there, gone = worst(Fraction(factor), delta)
    files = list(there | gone)
    for some in itertools.chain.from_iterable(itertools.combinations(files, n) for n in range(len(files) + 1)):
        one, other = (sum((law.get(file, Fraction(0)) for file in some), Fraction(0)) for law in (there, gone))
        assert one <= factor * other + delta and other <= factor * one + delta
    best = sum((max(there.get(file, Fraction(0)), gone.get(file, Fraction(0))) for file in files), Fraction(0)) / 2
    assert best == (factor + delta) / (factor + 1)
    assert float(best) <= guessed_right(math.log(factor), float(delta)) + 1e-12


def test_rows_are_spoken_of_as_many_as_a_person_may_have(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", *STEPS, "--known", "people")
    assert "stands in A's row, such" in body(facts, READ_ONCE)
    assert "what is promised is about what stands in their row." in body(facts, READ_ONCE)
    assert "what is promised is about what stands in their rows." in body(facts, TOLD_AS_SEEN)
    claim = stated_claim(facts)
    assert "stands in somebody's row, such" in claim.plain and "of the time, rounded up." in claim.meaning
    for name in ("seen_number_known", "seen_three_rows_known"):  # one of several, and three
        facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
        assert "stands in A's rows, such" in body(facts, READ_ONCE)
        assert "what stands in their rows." in body(facts, READ_ONCE)
        assert "stands in A's rows, such" in stated_claim({**facts, "version": READ_ONCE}).plain


@pytest.mark.parametrize("name", sorted(json.loads((KEPT / "made_seen.json").read_text("utf-8"))))
def test_a_release_of_the_version_before_keeps_its_own_words(name: str) -> None:
    page = (KEPT / name / "statement.html").read_text("utf-8")
    facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    assert facts["version"] == TOLD_AS_SEEN and statement_page(facts) == page
    assert "person A" not in page and "says next to nothing)" not in page and "upper end" not in page
    assert stated_claim(facts).plain.replace("'", "&#x27;") in page and "person A" in body(facts, READ_ONCE)


# One figure, labels in few rows, and where intervals end


def numbers_given_up(page: str) -> Iterator[str]:
    yield from re.findall(r"[ ,]add ([\d.,]+\d)", page)
    yield from re.findall(r"with ([\d.,]+\d) more for each of the(?:ir)? groups", page)
    yield from re.findall(r"It is the rows [a-z ]+ and ([\d.,]+\d) for each of their groups", page)
    yield from re.findall(r" \+ [\d,]+ × ([\d.,]+\d), so ", page)
    yield from re.findall(r"too small by ([\d.,]+\d) on average", page)
    yield from re.findall(r"drawn for a group is ([\d.,]+\d) on average", page)


@pytest.mark.parametrize("words", [("--level", "work=0", "--level", "sex=0"), STEPS])
def test_what_a_group_gave_up_on_average_is_one_figure_on_a_page(tmp_path: Path, words: tuple[str, ...]) -> None:
    facts = works(tmp_path / "r", *words)
    step = facts["release"]["steps"][0]
    step["mean_lost"] = 39.37589  # of which the nearest of four digits is above it
    said, before = body(facts), body(facts, TOLD_AS_SEEN)
    assert set(numbers_given_up(said)) == {"39.37"} and len(list(numbers_given_up(said))) > 2
    assert set(numbers_given_up(before)) == {"39.37", "39.38"}
    assert "39.38" not in said
    if len(facts["release"]["steps"]) > 1:
        assert "<th scope=row>given up on average, rounded down</th><td>39.37</td>" in said


@pytest.mark.parametrize("words", [("--level", "work=0", "--level", "sex=0"), STEPS])
def test_a_reader_is_told_that_shares_are_not_those_of_the_table(tmp_path: Path, words: tuple[str, ...]) -> None:
    facts = works(tmp_path / "r", *words)
    told = "hares counted in the file are not those of the table"
    assert told in body(facts, SAID_ONCE) and told not in body(facts, TOLD_AS_SEEN)
    assert "Percentages counted in the file are wrong" in body(facts)


def test_a_plan_has_the_same_figure(tmp_path: Path) -> None:
    release = works(tmp_path / "r", "--level", "work=0", "--level", "sex=0")["release"]
    release["steps"][0]["mean_lost"] = 39.37589
    assert set(numbers_given_up(making_of(release))) == {"39.37"}


def counted(facts: dict[str, Any], version: int = READ_ONCE) -> dict[str, str]:
    """By label the last number of the table label by label."""
    lines = re.findall("<tr><th scope=row>.*?</tr>", counts_by_label(facts["release"], version))
    cells = (re.findall("<td>(.*?)</td>", line) for line in lines)
    return {label: last for label, *_, last in cells}


def test_a_label_in_few_rows_is_not_said_to_be_uncountable_and_then_counted(tmp_path: Path) -> None:
    """Its number stays, as only then the averages that are told hold of those that are shown."""
    facts = works(tmp_path / "r", "--step", "work=0,sex=0", "--step", "work=0,sex=1", "--expect", "3000")
    release = facts["release"]
    release["label_counts"] = {"sex": [["F", 900, 900, 2]], "work": [["Private", 20, 10, 1], ["Self", 900, 900, 1]]}
    release["in_few_rows"] = {"work": [["Private", 20]]}
    mean = float(rounded_down(release["steps"][0]["mean_lost"]))
    low, high = f"{math.floor(10 + mean):,}", f"{math.floor(900 + mean):,}"
    assert counted(facts) == {
        "F": f"{math.floor(900 + 2 * mean):,}", "Private": f"{low} (says next to nothing)", "Self": high
    }  # fmt: skip
    assert counted(facts, TOLD_AS_SEEN)["Private"] == low
    assert "In so few rows that a count says next to nothing: work “Private” in 20." in body(facts)
    assert "too few rows to be counted" not in body(facts)
    before = body(facts, TOLD_AS_SEEN)
    assert "In too few rows to be counted: work “Private” in 20." in before and "named at first, it says" in before


def test_a_finer_label_of_a_coarser_one_in_few_rows_is_marked_with_it(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", *STEPS)
    release = facts["release"]
    release["label_counts"] = {"work": [["Private", 9, 9, 1], ["Self", 9, 9, 1], ["State", 800, 800, 1]]}
    release["in_few_rows"] = {"work": [["Non-Government", 18]]}
    marked = {label for label, last in counted(facts).items() if last.endswith(" (says next to nothing)")}
    assert marked == {"Private", "Self"}
    release["in_few_rows"] = {}
    assert not any("nothing" in last for last in counted(facts).values())


def test_where_intervals_end_is_said_and_where_the_largest_number_is(tmp_path: Path) -> None:
    session, facts = pay(tmp_path / "r")  # said to run from 15,000 to 200,000
    hierarchy = session.project.hierarchies["pay"]
    (column,) = (one for one in facts["release"]["columns"] if one["name"] == "pay")
    assert column["hierarchy"][GRID] == {"from": 0.0, "lowest": 15000.0, "highest": 200000.0, "included": True}
    closed = labels_section(facts["release"], READ_ONCE)
    assert "; all numbers above 200,000 have one label" in closed and "in the interval that begins with" not in closed
    column["hierarchy"][GRID] = {"from": 0.0, "lowest": 15000.0, "highest": None}  # as earlier programs suggested it
    said = labels_section(facts["release"], READ_ONCE)
    assert "intervals counted from 0 on; all numbers below 15,000 have one label; there is no upper end" in said
    assert hierarchy.specification is not None
    assert hierarchy.specification["details"]["highest"] == {"coding": 200_000.0, "included": True}
    widest = max(int(word.removeprefix("intervals of ").replace(",", "")) for word in widths(column, facts))
    itself = "200,000, up to which numbers are said to run, is in the interval that begins with it"
    assert (itself in said) is (200_000 % widest == 0)
    assert "cut to numbers from 15,000" in labels_section(facts["release"], TOLD_AS_SEEN)
    column["hierarchy"][GRID]["highest"] = 200000.0
    cut = labels_section(facts["release"], READ_ONCE)
    assert "; all numbers from 200,000 on have one label" in cut and "is in the interval that begins" not in cut
    column["hierarchy"][GRID] |= {"highest": None, "from": -1e308}
    labels_section(facts["release"], READ_ONCE)


def widths(column: dict[str, Any], facts: dict[str, Any]) -> list[str]:
    named = column["hierarchy"]["levels"]
    used = {step["levels"][column["name"]] for step in facts["release"]["steps"]}
    return [named[level] for level in used if level in range(len(named)) and named[level].startswith("intervals")]


@pytest.mark.parametrize(("said", "begins"), [("0-160000", True), ("0-200000", True), ("0-190001", False)])
def test_the_far_end_of_a_range_is_in_an_interval_of_its_own_where_one_begins_with_it(
    tmp_path: Path, said: str, *, begins: bool
) -> None:
    session = payroll(tmp_path / "r", said)
    facts = json.loads((tmp_path / "r" / NOTE).read_text("utf-8"))
    (column,) = (one for one in facts["release"]["columns"] if one["name"] == "pay")
    end = int(said.partition("-")[2])
    widest = max(int(word.removeprefix("intervals of ").replace(",", "")) for word in widths(column, facts))
    told = f"{end:,}, up to which numbers are said to run, is in the interval that begins with it" in body(facts)
    assert told is (end % widest == 0) and (begins or not told)
    levels = [level for level, word in enumerate(column["hierarchy"]["levels"]) if word.startswith("intervals")]
    used = {step["levels"]["pay"] for step in facts["release"]["steps"]}
    rule = session.project.hierarchies["pay"].specification
    assert rule is not None
    made = build_hierarchy(rule, [str(end)], None, ColumnSpec("pay", Kind.INTEGER))
    assert not told or all(made.labels[level][0].startswith(f"{end}-") for level in levels if level in used)
    assert verify(tmp_path / "r", PAGE) == 0


# The verdict of the check


def checked(folder: Path) -> Verified:
    return verify_received(received_files(folder / FILE))


def test_a_yes_says_what_was_checked_and_then_what_is_on_the_publishers_word(tmp_path: Path) -> None:
    works(tmp_path / "r", "--level", "work=0", "--level", "sex=0")
    found = checked(tmp_path / "r")
    assert found.claim is not None
    assert found.verdict == (
        "Yes: the file is what its statement says. Its rows were counted again, and what is promised was computed "
        f"again. That holds if the {len(found.claim.asserted)} sentences below are true, on the publisher's word."
    )


def test_what_differs_late_in_a_long_sentence_is_shown(tmp_path: Path, quiet: Callable[[], str]) -> None:
    works(tmp_path / "r", "--level", "work=0", "--level", "sex=0")
    page = tmp_path / "r" / PAGE
    text = page.read_text("utf-8")
    told = re.search(r"right at most (\d+) % of the time\. Without", text)
    assert told is not None and int(told[1]) > 55
    page.write_text(text.replace(f"at most {told[1]} %", "at most 51 %", 1), encoding="utf-8")
    quiet()
    assert verify(tmp_path / "r", PAGE) == 1
    said = quiet()
    assert re.search(
        rf"the page says “…[^”]*at most 51 %[^”]*”, and the facts in it give “…[^”]*at most {told[1]} %", said
    )
    shown = re.findall("“(…[^”]*)”", said)
    assert [one.endswith("…") and len(one) < 200 for one in shown] == [True, True], "and little of what is alike"
