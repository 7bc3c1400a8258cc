"""Statements of version 29 begin with what the file is, and name combinations of values that no row of it has."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, verify
from tests.report.label_releases import pay, works
from tests.report.test_read_first import body, said_anew
from workbench.anonymise.note_versions import COUNTED_EXACTLY, FILE_FIRST, READ_ONCE, SAID_ONCE
from workbench.anonymise.terms import ADD_REMOVE, REPLACE_BY_ONE, REPLACE_PERSON, REPLACE_ROWS
from workbench.cli.main import main
from workbench.report.absent_combinations import COMBINATIONS, absent_combinations, is_stated, no_combination
from workbench.report.label_counts import LABEL_COUNTS
from workbench.report.plain_promise import plainly
from workbench.report.stated_claim import stated_claim
from workbench.report.statement import statement_page
from workbench.report.statement_parts import what_it_is

KEPT = Path(__file__).parents[1] / "kept" / "releases"
LEVELS = ("--level", "work=0", "--level", "sex=0")
LIMITED = "What this file tells about any one person is limited. "
NOT_ONE = "Other combinations of values are stated to be in no row than the file gives."


# What comes first


@pytest.mark.parametrize("words", [LEVELS, (*LEVELS, "--mechanism", "sample", "--beta", "0.5")])
def test_it_begins_with_the_claim_and_the_file_and_then_says_what_is_promised(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    facts = works(tmp_path / "r", *words) if "sample" not in words else None
    if facts is None:
        facts = json.loads((KEPT / "once_sampled" / "note.json").read_text("utf-8")) | {"version": FILE_FIRST}
    release = facts["release"]
    names = ", ".join(one["name"] for one in release["columns"])
    said = statement_page(facts).partition("<h1>Privacy statement</h1>")[2]
    claim, what, promise, *_ = re.findall("<p.*?>(.*?)</p>", said)
    assert claim.startswith("This file is an (ε = ") and promise.startswith(LIMITED)
    assert what.startswith(f"It has {release['rows']:,} rows and {len(release['columns'])} columns: {names}.")
    assert stated_claim(facts).plain.replace("'", "&#x27;") == promise


def test_a_line_for_each_group_stands_for_rows_and_many_columns_are_counted(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", *LEVELS)
    release = facts["release"]
    wide = [*release["columns"], *({**release["columns"][0], "name": f"more <{n}>"} for n in range(12))]
    told = what_it_is({**release, "columns": wide}, FILE_FIRST)
    assert " and 14 columns: sex, work, more &lt;0&gt;, " in told and " and 2 more." in told
    assert what_it_is(release, READ_ONCE) == ""
    release["count_column"] = "rows"
    assert f"Its lines stand for {release['rows']:,} rows, in 2 columns" in body(facts)


def test_without_a_claim_it_says_so_first_and_what_the_file_is_all_the_same(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", *LEVELS, "--seed", "1", "--without-claim")
    said = body(facts)
    assert said.index("No (ε, δ) claim") < said.index("It has ") < said.index("Why not, and what would restore it")
    assert "is guessed right" not in said


@pytest.mark.parametrize("about", [ADD_REMOVE, REPLACE_PERSON, REPLACE_ROWS, REPLACE_BY_ONE])
@pytest.mark.parametrize("several", [False, True])
def test_how_often_a_guess_is_right_comes_before_what_is_supposed_in_short_sentences(
    about: str, *, several: bool
) -> None:
    for epsilon in (0.1, 1.0, 8.0):
        said = plainly(epsilon, 1e-6, about, several=several)
        assert said.startswith(LIMITED) and "person A" not in said
        places = [said.index(one) for one in ("right at most", "50 % of the time", "is as likely as the other")]
        assert places == sorted(places)
        assert "knows everything about everyone else" in said, "a guess is bounded whatever else they know"
        assert max(len(one.split()) for one in re.split(r"[.:] ", said)) <= 26
        if about != ADD_REMOVE:
            assert f"stands in somebody's {'rows' if several else 'row'}, " in said
            assert "and that this person is in the table" in said and said.count(" at most ") == 1
    nothing = plainly(20.0, 0.0, about, several=several)
    assert nothing.startswith("What is promised is very little: with this file, ") and "all but sure" in nothing


@pytest.mark.parametrize("name", sorted(json.loads((KEPT / "made_once.json").read_text("utf-8"))))
def test_a_release_of_the_version_before_keeps_its_own_words(name: str) -> None:
    page = (KEPT / name / "statement.html").read_text("utf-8")
    facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    assert facts["version"] == READ_ONCE and statement_page(facts) == page
    assert "<p>It has " not in page and stated_claim(facts).plain.replace("'", "&#x27;") in page
    assert "person A" in page and "person A" not in body(facts, FILE_FIRST)


# Labels


def test_a_corrected_number_below_the_rows_of_the_file_is_said_to_be_too_low(tmp_path: Path) -> None:
    """The rows of a file are never more than those of the table, so a smaller number is further from these."""
    facts = works(tmp_path / "r", *LEVELS)
    counts = facts["release"][LABEL_COUNTS]
    name, (label, rows, finest, groups, could) = next((name, some[0]) for name, some in counts.items())
    flagged, before = "(surely too low: take the rows in the file)", "(surely too low: the rows in the file are nearer)"
    assert flagged not in body(facts)
    counts[name][0] = [label, rows + finest + 10_000, finest, groups, could]
    assert body(facts).count(flagged) == 1 and "surely too low" not in body(facts, READ_ONCE)
    assert body(facts, FILE_FIRST).count(before) == body(facts, COUNTED_EXACTLY).count(before) == 1


def test_no_interval_is_described_where_numbers_stay_as_they_are(tmp_path: Path) -> None:
    _, facts = pay(tmp_path / "r")
    described = "intervals counted from "
    assert described in body(facts) and "<td>numbers as they are</td>" not in body(facts)
    release = facts["release"]
    release["steps"] = [{**one, "levels": {**one["levels"], "pay": 0}} for one in release["steps"]]
    assert described not in body(facts, FILE_FIRST) and "<td>numbers as they are</td>" in body(facts, FILE_FIRST)
    assert described not in body(facts) and "<td>numbers as they are</td>" not in body(facts), "which it says above"
    assert described in body(facts, READ_ONCE)


@pytest.mark.parametrize("path", [[], ["town", "*", "*"]])
def test_a_list_of_labels_that_somebody_emptied_ends_no_command(
    tmp_path: Path, quiet: Callable[[], str], path: list[str]
) -> None:
    facts = json.loads((KEPT / "once_steps" / "note.json").read_text("utf-8"))
    facts["release"]["columns"][1]["hierarchy"]["listed"][0] = path
    (tmp_path / NOTE).write_text(json.dumps(facts), encoding="utf-8")
    quiet()
    assert main(["verify", str(KEPT / "once_steps" / "release.csv"), "--statement", str(tmp_path / NOTE)]) == 1
    assert "NOT what is stated" in quiet()


# Combinations


def told_by_hand(folder: Path, names: list[str]) -> set[tuple[str, ...]]:
    """Combinations of the values of the file that none of its rows has, from the file alone."""
    with (folder / FILE).open(encoding="utf-8", newline="") as stream:
        rows = [tuple(row[name] for name in names) for row in csv.DictReader(stream)]
    values = [sorted({row[at] for row in rows} - {"", "*"}) for at in range(len(names))]
    return set(product(*values)) - set(rows)


def uneven(folder: Path, *more: str) -> dict[str, Any]:
    """A release of two columns whose every value is in many rows, and one pair of them in none.

    `more` are kinds of work that can occur, and none of its rows has.
    """
    folder.mkdir(parents=True)
    rows = [f"{work},{sex}\n" for work in "abc" for sex in "FM" for _ in range(0 if work + sex == "cM" else 200)]
    (folder / "data.csv").write_text("work,sex\n" + "".join(rows), encoding="utf-8")
    for name, values in (("work", ("a", "b", "c", *more)), ("sex", ("F", "M"))):
        (folder / f"{name}.csv").write_text("".join(f"{one};*\n" for one in values), encoding="utf-8")
    return drawn(folder)


def drawn(folder: Path) -> dict[str, Any]:
    words = ["anonymise", folder / "data.csv", "--mechanism", "trim", "--epsilon", "1", "--delta", "1e-3"]
    words += ["--hierarchy", f"work={folder / 'work.csv'}", "--hierarchy", f"sex={folder / 'sex.csv'}", *LEVELS]
    words += ["--out", folder / FILE, "--statement", folder / PAGE, "--metadata", folder / NOTE]
    assert main([str(word) for word in words]) == 0
    facts: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return facts


def test_a_pair_of_values_that_no_row_has_is_named_and_counted_again(tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = tmp_path / "r"
    facts = uneven(folder)
    release = facts["release"]
    stated = release[COMBINATIONS]
    assert {tuple(one) for one in stated["named"]} == told_by_hand(folder, stated["columns"]) and stated["of"] == 6
    assert set(map(tuple, stated["named"])) == {("c", "M")} and stated["number"] == 1
    assert "No row says work “c” with sex “M”. No row has an empty cell. The table may" in body(facts)
    assert "with sex" not in body(facts, READ_ONCE)
    assert verify(folder, PAGE) == 0 and verify(folder, NOTE) == 0
    two = {"named": [["c", "M"]] * 2, "number": 2}
    for one in ({}, stated | {"named": [["b", "M"]]}, stated | {"of": 7}, stated | two):
        quiet()
        assert said_anew(folder, {**facts, "release": {**release, COMBINATIONS: one}}) == 1, one
        assert NOT_ONE in quiet(), one
    quiet()
    missing = {name: value for name, value in release.items() if name != COMBINATIONS}
    assert said_anew(folder, {**facts, "release": missing}) == 1 and "is missing" in quiet()


def test_only_the_released_rows_and_the_note_decide_what_is_told(tmp_path: Path) -> None:
    """The same file has the same sentence, whatever stands in the table: it is found again from the file alone."""
    facts = uneven(tmp_path / "r")
    release = {name: value for name, value in facts["release"].items() if name != COMBINATIONS}
    with (tmp_path / "r" / FILE).open(encoding="utf-8", newline="") as stream:
        names, *rows = csv.reader(stream)
    found = absent_combinations(release, names, [(row, 1) for row in rows])
    assert found == facts["release"][COMBINATIONS]
    assert absent_combinations(release, names, [(row, 1) for row in (*rows, ["c", "M"])]) == {}


def test_it_is_told_and_counted_again_also_where_a_value_is_missing(tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = tmp_path / "r"
    facts = uneven(folder, "d")
    release = facts["release"]
    stated = release[COMBINATIONS]
    assert release["in_no_row"] == {"work": ["d"]} and stated["named"] == [["c", "M"]]
    assert stated["of"] == 6, "of the labels that the file has"
    said = body(facts)
    assert "No row says work “c” with sex “M”. " in said
    assert verify(folder, PAGE) == 0 and verify(folder, NOTE) == 0
    for one in ({}, stated | {"named": [["b", "M"]]}, stated | {"of": 8}):
        quiet()
        assert said_anew(folder, {**facts, "release": {**release, COMBINATIONS: one}}) == 1, one
        assert NOT_ONE in quiet(), one


def test_more_than_two_are_counted_of_the_labels_in_the_file(tmp_path: Path) -> None:
    release = uneven(tmp_path / "r")["release"]
    groups = [(("a", "F"), 50), (("b", "M"), 50), (("c", "F"), 50)]
    names = ("work", "sex")
    found = absent_combinations(release, names, groups)
    assert (found["number"], found["of"], found["named"]) == (3, 6, [])
    said = no_combination({**release, COMBINATIONS: found}, FILE_FIRST)
    assert said == "Of 6 combinations of work and sex 3 are in no row. The table may have such rows all the same."
    now = no_combination({**release, COMBINATIONS: found}, SAID_ONCE)
    assert now.startswith("Of the labels in the file, 3 of the 6 combinations of work and sex are in no row. ")
    for known in ({"in_no_row": {"work": ["d"]}}, {"in_few_rows": {"work": [["c", 1]]}}):
        assert absent_combinations({**release, **known}, names, groups, SAID_ONCE - 1) == {}, "as it was told before"
        assert absent_combinations({**release, **known}, names, groups) == found
    assert absent_combinations(release, names, [(("a", "F"), 50), (("a", "M"), 50), (("*", ""), 9)]) == {}
    twice = absent_combinations({**release, "columns": release["columns"] * 2}, names, groups)
    assert twice == found, "what somebody wrote into a note ends no command"
    mixed = [{**step, "levels": {**step["levels"], "work": level}} for step in release["steps"] for level in (0, 1)]
    named = [{**one, "hierarchy": {**one["hierarchy"], "levels": ["as it is", "half"]}} for one in release["columns"]]
    assert absent_combinations({**release, "steps": mixed, "columns": named}, names, groups) == {}


@pytest.mark.parametrize(
    "value", [[], None, {"columns": []}, {"columns": ["a", "b"], "of": 4, "number": 3, "named": [["a", "b"]]},
              {"columns": ["a", "b"], "of": 4, "number": 1, "named": [["a"]]},
              {"columns": ["a", "b"], "of": True, "number": 1, "named": [["a", "b"]]},
              {"columns": ["a", "b"], "of": 4, "number": 4, "named": []}]
)  # fmt: skip
def test_what_no_note_holds_is_refused(value: object) -> None:
    assert not is_stated(value)
    assert is_stated({}) and is_stated({"columns": ["a", "b"], "of": 4, "number": 1, "named": [["x", "y"]]})
