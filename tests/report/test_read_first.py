"""Statements begin with what is needed most, and say of each setting no more than is true of every table under it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, as_of, verify, write_anew
from workbench.anonymise.note_versions import COUNTED_WIDELY, READ_FIRST, SAID_ONCE, TOLD_AS_SEEN
from workbench.anonymise.terms import ADD_REMOVE, REPLACE_BY_ONE, REPLACE_PERSON, REPLACE_ROWS
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import estimate
from workbench.core.progress import SILENT
from workbench.core.schema import Role
from workbench.core.trim_law import trim_law
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.project.model import new_project
from workbench.report.counting_table import counting_table, too_low
from workbench.report.no_row import no_row_says
from workbench.report.note import VERSION
from workbench.report.plain_promise import plainly
from workbench.report.said_to_occur import not_among
from workbench.report.statement import statement_body, statement_page
from workbench.report.trimmed_statement import made
from workbench.session import Session
from workbench.session.finer_edits import take_finer
from workbench.session.release.knowledge import say

KEPT = Path(__file__).parents[1] / "kept" / "releases"
AGES = [(str(a), f"{a // 10 * 10}s", "*") for a in range(20, 60)]
PEOPLE_FIRST = (
    "Where this page counts rows, it counts people: of each person at most one row took part, chosen at random by the "
    "program, so further rows of theirs are not in the file."
)
ONE_OF_THEM = " Who has rows with different values in a column counts with one of them only.</p>"
SEVERAL = "<li>Of each person at most 2 rows took part, chosen at random by the program, so further rows of theirs are"
ONE_EACH = "<li>Nobody has more than one row in the file: where this page counts rows, it counts people.</li>"
LOW = "Of whatever you count, the file has at most as many rows as the table, and as a rule fewer"

TRIM = ("--mechanism", "trim")
SAMPLE = ("--mechanism", "sample", "--beta", "0.5")
ONE = ("--person", "who", "--limit-rows")
TWO = (*ONE, "--rows-per-person", "2")
STEPS = ("--steps", "balanced", "--occurs", "age=20-60", "--expect", "600")
LEVEL = ("--level", "age=1")
SETTINGS: dict[str, tuple[Sequence[str], str]] = {
    "trimmed, one row chosen": ((*TRIM, *LEVEL, *ONE), PEOPLE_FIRST),
    "in steps, one row chosen": ((*TRIM, *STEPS, *ONE), PEOPLE_FIRST),
    "number known": ((*TRIM, *STEPS, *ONE, "--known", "people"), PEOPLE_FIRST),
    "levels drawn": ((*TRIM, "--search", "dp", "--search-epsilon", "0.5", *ONE), PEOPLE_FIRST),
    "sampled, one row chosen": ((*SAMPLE, *LEVEL, *ONE), PEOPLE_FIRST),
    "trimmed, two rows chosen": ((*TRIM, *LEVEL, *TWO), SEVERAL),
    "trimmed, two rows known": ((*TRIM, *LEVEL, *TWO, "--known", "rows"), SEVERAL),
    "trimmed, all have one": ((*TRIM, *LEVEL), ONE_EACH),
    "sampled, all have one": ((*SAMPLE, *LEVEL), ONE_EACH),
    "a simulation": ((*TRIM, *LEVEL, *ONE, "--seed", "1", "--without-claim"), ""),
}


def release(folder: Path, words: Sequence[str], rows_of_each: int = 1) -> dict[str, Any]:
    """Release 600 people of a few ages, and give the note."""
    folder.mkdir(parents=True)
    lines = [f"P{i},{20 + i // 3 % 4 * 10}" for i in range(600) for _ in range(rows_of_each)]
    (folder / "data.csv").write_text("\n".join(["who,age", *lines]) + "\n", encoding="utf-8")
    write_hierarchy(Hierarchy.from_rows(AGES), folder / "age.csv")
    return draw(folder, words)


def draw(folder: Path, words: Sequence[str]) -> dict[str, Any]:
    """Release what lies in a folder, and give the note."""
    given = ["anonymise", folder / "data.csv", "--hierarchy", f"age={folder / 'age.csv'}", "--epsilon", "1"]
    out = ["--out", folder / FILE, "--statement", folder / PAGE, "--metadata", folder / NOTE]
    ledger = ["--delta", "1e-3", "--ledger", folder / "ledger.jsonl"]
    assert main([*map(str, given), *map(str, ledger), *words, *map(str, out)]) == 0
    found: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return found


def body(facts: dict[str, Any], version: int = VERSION) -> str:
    return unescape(statement_body(as_of(facts, version)))


@pytest.mark.parametrize("case", SETTINGS)
def test_whose_rows_are_counted_is_said_as_the_settings_have_it(tmp_path: Path, case: str) -> None:
    words, expected = SETTINGS[case]
    facts = release(tmp_path / "r", words)
    page = (tmp_path / "r" / PAGE).read_text("utf-8")
    assert page == statement_page(facts), "what is written is made of the note"
    assert verify(tmp_path / "r", PAGE) == 0 and verify(tmp_path / "r", NOTE) == 0
    for one in (PEOPLE_FIRST, SEVERAL, ONE_EACH):
        assert (one in body(facts)) is (one == expected), one
        assert one == ONE_EACH or one not in body(facts, READ_FIRST - 1)
    assert (ONE_OF_THEM in body(facts)) is (expected == PEOPLE_FIRST) and ONE_OF_THEM not in body(facts, READ_FIRST)
    assert expected != PEOPLE_FIRST or f"{PEOPLE_FIRST}{ONE_OF_THEM}" in body(facts)
    assert expected != PEOPLE_FIRST or f"<h1>Privacy statement</h1><p>{PEOPLE_FIRST}</p>" in body(facts, READ_FIRST)
    assert "It may be that not all rows" not in body(facts)
    earlier = "It may be that not all rows of the table took part: of each person at most"
    chosen = expected in (PEOPLE_FIRST, SEVERAL) and "sample" not in words
    assert (earlier in body(facts, READ_FIRST - 1)) is chosen


def test_what_holds_for_the_choices_as_they_are_begins_so_too(tmp_path: Path) -> None:
    release(tmp_path / "r", (*TRIM, *LEVEL, *ONE, "--analyst"))
    facts = draw(tmp_path / "r", (*TRIM, *LEVEL, *ONE, "--force", "--without-claim"))
    assert not facts["release"]["claim"] and facts["release"]["given"]
    assert PEOPLE_FIRST in body(facts) and too_low(facts["release"], COUNTED_WIDELY) in body(facts, COUNTED_WIDELY)
    assert f"{LOW}. Rows that took part and have equal labels in all columns make a group" in body(facts)
    assert verify(tmp_path / "r", PAGE) == 0


@pytest.mark.parametrize("words", [(*TRIM, *LEVEL, *ONE), (*TRIM, *STEPS, *ONE), (*SAMPLE, *LEVEL, *ONE)])
def test_whether_anybody_has_more_rows_is_not_told(tmp_path: Path, words: Sequence[str]) -> None:
    heads = []
    for each in (1, 2):
        page = body(release(tmp_path / str(each), words, each))
        # Which ages no row says is counted in the file, where a coarser one may have come out or none.
        first = re.sub(r" ?No row (?:says|has) .*? all the same\.", "", re.split("<table>|<ul>", page)[0])
        first = re.sub(r"It has \d+ rows and", "", first.replace("<p></p>", ""))
        exactly = re.split("Rows in|Neighbouring", page.partition("What exactly is promised")[2])[0]
        heads.append((first.strip(), exactly))
    assert heads[0] == heads[1]


def test_a_filter_and_a_sample_may_leave_out_rows_or_none(tmp_path: Path) -> None:
    facts = release(tmp_path / "r", (*TRIM, *LEVEL, *TWO, "--where", "age > 1"))
    may = "It may be that not all rows of the table took part: only rows with age > 1. All counts are of rows that took"
    assert f"rows of theirs are not in the file. {may}" in body(facts)


def test_how_much_counts_are_too_low_is_said_first_and_follows_from_the_settings(tmp_path: Path) -> None:
    """By hand of the law: what a group gives up, and from when on it always keeps a row."""
    one = release(tmp_path / "one", (*TRIM, *LEVEL))["release"]
    law = trim_law(Fraction(1), Fraction(1, 1000), 1)
    assert too_low(one) == (
        f"{LOW}: each group of {law.always_survive} rows or more with equal labels in all columns gave up about "
        f"{law.mean_lost:.1f} of them on average, and a smaller one up to all."
    )
    facts = release(tmp_path / "steps", (*TRIM, *STEPS))
    steps = facts["release"]
    first = steps["steps"][0]
    assert too_low(steps) == (
        f"{LOW}: each group of {first['always_survive']} rows or more with equal labels in all columns, the finest "
        f"ones, gave up about {estimate(first['mean_lost'], 2)} of them on average, and a smaller one up to all; some "
        "of what was given up may stand under coarser labels."
    )
    said = body(facts)
    assert said.index("Before you count with the file") < said.index(LOW) < said.index("<table>")
    assert too_low(steps, READ_FIRST - 1) not in body(facts, READ_FIRST - 1)
    floored = release(tmp_path / "floor", (*TRIM, *LEVEL, "--floor", "3"))["release"]
    fewer = f"fewer than {law.always_survive + 2} are missing."
    assert too_low(floored) == f"{LOW}: of each group of rows with equal labels in all columns {fewer}"
    # What told groups apart is not in the file: of how many groups a count is, nobody knows.
    left = {**one, "columns": one["columns"], "after": {"left_out": one["columns"], "one_level": 0}}
    assert too_low(left) == f"{LOW}, because each group gave up rows. By how much, nobody can tell."


def test_at_the_levels_of_a_later_step_no_average_is_told(tmp_path: Path) -> None:
    steps = release(tmp_path / "r", (*TRIM, *STEPS))["release"]
    for at, words in ((1, "gave up about"), (2, "are missing")):
        alike = {**steps, "after": {"left_out": [], "one_level": at}}
        assert words in too_low(alike) and "finest" not in too_low(alike), at


def test_what_is_to_be_done_with_no_labels_is_said_once(tmp_path: Path) -> None:
    one = release(tmp_path / "one", (*TRIM, *LEVEL))["release"]
    table = counting_table(one, VERSION)
    assert "To count by one column, leave the labels as they are:</p>" in table
    assert "Before you count by it" not in table and "Leave its labels" not in table and "<td></td>" not in table
    assert "Leave its labels as they are." in counting_table(one, READ_FIRST - 1)
    steps = release(tmp_path / "steps", (*TRIM, *STEPS))["release"]
    assert "leave the labels as they are" not in counting_table(steps, VERSION), "each has something to be done"
    town = {**steps["columns"][0], "name": "town"}
    both = [{**one, "levels": {**one["levels"], "town": 1}} for one in steps["steps"]]
    mixed = {**steps, "columns": [*steps["columns"], town], "steps": both}
    table = counting_table(mixed, VERSION)
    assert "do this with its labels, and leave the labels as they are where nothing is said:" in table
    assert "<td></td>" in table


@pytest.mark.parametrize("about", [ADD_REMOVE, REPLACE_PERSON, REPLACE_ROWS, REPLACE_BY_ONE])
def test_what_is_guessed_is_asked_in_the_words_of_the_program(about: str) -> None:
    said = plainly(1.0, 1e-5, about, TOLD_AS_SEEN)
    assert "Which of two things is true of" in said and "who then guesses" not in said
    assert ("Is one person in the table?" in said) is (about == ADD_REMOVE)
    assert "one answer is as likely as the other" in said, "without which no guess is bounded"
    assert "%, δ included. Without the file it is 50 %." in said
    assert "who then guesses from the file" in plainly(1.0, 1e-5, about, READ_FIRST - 1)


def staff(folder: Path, *, listed: str, known: bool = False) -> Session:
    """A draw of staff, of whose departments it was said which there are, in the file of a folder."""
    folder.mkdir(parents=True)
    rows = [f"{('PRODUCTION', 'Sales', ' Sales', 'it')[i % 4]},{('junior', 'senior')[i // 7 % 2]}" for i in range(400)]
    (folder / "staff.csv").write_text("\n".join(["department,grade", *rows]) + "\n", encoding="utf-8")
    session = Session(new_project())
    session.data.open(folder / "staff.csv")
    names = ("department", "grade")
    session.data.set_role(names, Role.QUASI)
    session.data.attach_hierarchies(session.data.hierarchy_suggester(names)(SILENT))
    said = {"department": (listed, "a handbook"), "grade": ("junior, senior", "")}
    not_told = "" if known else "Nobody is told how many people there are in the table."
    say(session, said, expected_rows=400, number_known=known, not_told=not_told)
    take_finer(session, session.data.hierarchy_suggester(names)(SILENT))
    session.release.anonymise(SILENT)
    session.release.export(folder / FILE, folder / PAGE, note=folder / NOTE, chosen=None)
    return session


@pytest.mark.parametrize("known", [False, True])
def test_words_that_no_row_says_are_named_and_counted_again(
    tmp_path: Path, quiet: Callable[[], str], *, known: bool
) -> None:
    staff(tmp_path / "r", listed="Production, Sales, IT, Legal, HR", known=known)
    folder, facts = tmp_path / "r", json.loads((tmp_path / "r" / NOTE).read_text("utf-8"))
    said = body(facts)
    missing = "No row says department: “Legal”, “HR”. No row has an empty cell. The table may have such rows"
    assert facts["version"] == VERSION and facts["release"]["in_no_row"] == {"department": ["Legal", "HR"]}
    assert said.index("Before you count with the file") < said.index(missing) < said.index("What exactly is promised")
    assert "No row says" not in body(facts, READ_FIRST - 1)
    assert (folder / PAGE).read_text("utf-8") == statement_page(facts), "the window writes it so, too"
    assert verify(folder, PAGE) == 0 and verify(folder, NOTE) == 0
    wrong: tuple[Any, ...] = (
        {},
        {"department": ["Legal"]},
        {"department": ["Legal", "HR", "Sales"]},
        {"department": ["HR", "Legal"]},
        {"department": "Legal"},
        {"department": ["Legal", "HR"], "grade": ["chief"]},
    )
    for stated in wrong:
        quiet()
        assert said_anew(folder, {**facts, "release": {**facts["release"], "in_no_row": stated}}) == 1, stated
        assert "Other labels that can occur are stated to be in no row than the file gives." in quiet(), stated
    older = as_of(facts, READ_FIRST - 1)
    assert said_anew(folder, older) == 0, "one of the version before does not hold it"
    assert said_anew(folder, as_of(facts, READ_FIRST - 1) | {"version": READ_FIRST}) == 1
    assert "“release.in_no_row” is missing." in quiet()
    assert said_anew(folder, facts | {"version": READ_FIRST - 1}) == 1
    assert "“release.in_no_row” is stated" in quiet()


def said_anew(folder: Path, facts: dict[str, Any]) -> int:
    """Whether a note verifies with the page that says the same."""
    write_anew(folder / NOTE, json.dumps(facts))
    write_anew(folder / PAGE, statement_page(facts))
    return verify(folder, PAGE)


def test_where_all_words_are_said_nothing_is_named_and_levels_are_called_as_elsewhere(tmp_path: Path) -> None:
    staff(tmp_path / "r", listed="Production, Sales, IT")
    facts = json.loads((tmp_path / "r" / NOTE).read_text("utf-8"))
    assert facts["release"]["in_no_row"] == {} and "No row says" not in body(facts)
    covers = "A value that its hierarchy neither lists nor covers by its rule"
    like_others = "<li>* is a label like any other.</li>"
    assert covers not in body(facts) and covers not in body(facts, READ_FIRST), "they cover every text"
    assert like_others in body(facts, READ_FIRST) and "* is a label" not in body(facts), "no row has it"
    assert covers in body(facts, READ_FIRST - 1)
    some = facts["release"]["columns"]
    ages = {
        **some[0],
        "name": "age",
        "hierarchy": {**some[0]["hierarchy"], "levels": ["as it is", "intervals of 10", "*"]},
    }
    left = {**facts["release"], "after": {"left_out": [ages], "one_level": 0}}
    for one in (left, {**facts["release"], "columns": [*some, ages]}):
        assert covers in " ".join(made(one, COUNTED_WIDELY)), "what is no number is in no interval"
        assert covers not in " ".join(made(one)), "it stands among what was checked"
        assert covers in " ".join(made({**one, "claim": False})), "which is not on the page without a claim"
    assert "What a hierarchy neither lists nor covers by its rule became *, as it would in any table" in body(facts)
    assert facts["release"]["columns"][0]["hierarchy"]["levels"] == ["as it is", "spelt as listed", "*"]
    assert body(facts, COUNTED_WIDELY).count("<td>as it is, spelt as listed</td>") == 4, "two columns in two tables"
    assert "<th scope=row>department, grade</th><td>as it is, spelt as listed</td>" in body(facts, SAID_ONCE), "once"
    # One word, as on the screen: how they are spelt is said beside it, with the rule.
    spelt = "<td>as it is</td><td>public: Every value as the list of the rule spells it, or else as it is written,"
    assert f"<th scope=row>department, grade</th>{spelt}" in body(facts) and "spelt as listed" not in body(facts)
    assert body(facts, READ_FIRST - 1).count("<td>spelt as listed</td>") == 4
    # Beside values with their spaces, those without are told apart.
    step = facts["release"]["steps"][0]
    steps = [{**step, "levels": {"department": level, "grade": 1}} for level in (0, 1)]
    both = counting_table({**facts["release"], "steps": steps}, VERSION)
    assert "<td>as it is; coarser: spelt as listed</td>" in both and "<td>as it is</td>" in both


def test_words_are_the_same_in_capitals_or_not_and_other_spaces() -> None:
    assert not_among(["Legal", "Head  cook", "IT"], ["LEGAL", "head cook", "*"]) == ["IT"]
    assert no_row_says({"in_no_row": {}}, READ_FIRST) == ""
    absent = {"in_no_row": {"a": ["x"], "b": ["y”. It is safe"]}}
    assert no_row_says(absent, READ_FIRST).count("No row says a: “x”; b: “") == 1


def test_of_a_list_from_a_file_a_range_names_the_values_that_can_occur(tmp_path: Path) -> None:
    absent = [str(age) for age in range(20, 60) if age % 10]
    facts = release(tmp_path / "steps", (*TRIM, *STEPS))
    coarse = "0s" in (tmp_path / "steps" / FILE).read_text("utf-8")  # what a group gave up came out by chance
    told = {} if coarse else {"age": absent}
    assert facts["release"]["terms"]["occurring"] and facts["release"]["in_no_row"] == told
    facts = release(tmp_path / "one", (*TRIM, "--level", "age=0"))
    assert facts["release"]["in_no_row"] == {"age": absent}
    assert "No row says age: “21”, “22”, “23”" in body(facts) and "“58”, “59”. No row has" in body(facts)


@pytest.mark.parametrize("name", ["deep_steps", "deep_number_known", "deep_one_step", "deep_sampled", "deep_spelt"])
def test_a_release_of_the_version_before_keeps_its_own_words(name: str) -> None:
    page = (KEPT / name / "statement.html").read_text("utf-8")
    facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    assert facts["version"] == READ_FIRST - 1 and statement_page(facts) == page
    assert "At most one row of everybody takes part" in page and "Is one person in the table?" not in page
    assert ("Leave its labels as they are." in page) is (name != "deep_sampled")
    assert ("It may be that not all rows" in page) is (name not in ("deep_sampled", "deep_spelt"))
