"""Statements tell what can be added to counts by some columns, label by label, and how much groups mostly gave up."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, verify
from tests.report.label_releases import rows_of, works
from tests.report.test_read_first import body, said_anew
from workbench.anonymise.note_versions import COUNTED_WIDELY, FILE_FIRST, READ_FIRST, TOLD_AS_SEEN
from workbench.cli.main import main
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import rounded_down
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.core.visible import quoted
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.report.column_labels import ColumnLabels
from workbench.report.label_counts import MOST_LABELS, label_counts
from workbench.report.no_row import no_row_says
from workbench.report.recheck_trim_law import recomputed_trimming
from workbench.report.statement import statement_page

KEPT = Path(__file__).parents[1] / "kept" / "releases"
BY_LABEL = "Other numbers of rows are stated label by label than the file has."


def laws() -> Iterator[TrimLaw]:
    for epsilon, delta, rows in itertools.product(("1/10", "1/2", "1", "4"), ("1/1000000", "1/100", "1/3"), (1, 3)):
        yield trim_law(Fraction(epsilon), Fraction(delta), rows)


def test_no_group_is_counted_too_high_on_average_whatever_its_size() -> None:
    """Of n rows E[(n − Z + E[Z])·1(Z < n)] is at most n, in whole numbers; and n where none is ever given up whole."""
    for law in laws():
        mean = Fraction(sum(z * weight for z, weight in enumerate(law.weights)), law.total)
        for n in range(len(law.weights) + 3):
            counted = sum((n - z + mean) * weight for z, weight in enumerate(law.weights) if z < n)
            assert counted <= n * law.total, (law.epsilon, law.delta, n)
        assert counted == n * law.total


def law_by_hand() -> tuple[list[Fraction], Fraction]:
    weights = [Fraction(weight, 10) for weight in (1, 2, 4, 2, 1)]  # rises and falls, as every law of trimming does
    return weights, sum((z * weight for z, weight in enumerate(weights)), Fraction(0))


@pytest.mark.parametrize("table", [(1,), (2, 3), (4, 1, 6), (7, 2), (3, 3, 3)])
def test_a_sum_over_groups_is_at_most_the_true_one_on_average_by_enumeration(table: tuple[int, ...]) -> None:
    weights, mean = law_by_hand()
    found = Fraction(0)
    for lost in itertools.product(range(len(weights)), repeat=len(table)):
        chance = math.prod((weights[z] for z in lost), start=Fraction(1))
        left = [rows - z for rows, z in zip(table, lost, strict=True) if rows > z]
        found += chance * (sum(left) + mean * len(left))
    assert found <= sum(table)


@pytest.mark.parametrize("table", [{"a": 2, "b": 3}, {"a": 5, "b": 1}, {"a": 4, "b": 4}])
def test_in_two_steps_the_finest_groups_are_at_most_those_of_the_table_on_average(table: Mapping[str, int]) -> None:
    """What step 1 gives up is released again under a coarser label, and is left out of the count."""
    weights, mean = law_by_hand()
    release = {
        "worked": {},
        "after": {"one_level": 0},
        "step_column": "",
        "steps": [{"levels": {"town": 0, "sex": 0}}, {"levels": {"town": 1, "sex": 0}}],
        "columns": [
            {"name": "town", "grouped": True, "hierarchy": {"levels": ["as it is", "*"]}},
            {"name": "sex", "grouped": True, "hierarchy": {"levels": ["as it is", "*"]}},
        ],
    }
    found, chances = Fraction(0), Fraction(0)
    for lost in itertools.product(range(len(weights)), repeat=len(table) + 1):
        chance = math.prod((weights[z] for z in lost), start=Fraction(1))
        first = {town: max(0, rows - z) for (town, rows), z in zip(table.items(), lost, strict=False)}
        second = max(0, sum(table.values()) - sum(first.values()) - lost[-1])
        groups = [((town, "F"), rows) for town, rows in first.items() if rows] + [(("*", "F"), second)] * (second > 0)
        told = label_counts(release, ("town", "sex"), groups)
        for label, rows, finest, number, could in told.get("sex", []):
            assert label == "F" and rows == sum(first.values()) + second
            assert finest == sum(first.values()) and number == sum(one > 0 for one in first.values()) == could
            found += chance * (finest + number * mean)
        assert all(one[0] != "*" for one in told.get("town", []))
        chances += chance
    assert chances == 1 and found <= sum(table.values())


def test_labels_are_told_with_their_rows_and_counted_again(tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = tmp_path / "r"
    facts = works(folder, "--step", "work=0,sex=0", "--step", "work=2,sex=0", "--expect", "3000")
    release, rows = facts["release"], rows_of(folder)
    mean = release["steps"][0]["mean_lost"]
    for name, told in release["label_counts"].items():
        every = Counter(row[name] for row in rows)
        finest = [row for row in rows if row["work"] != "*"]
        groups = {(row["sex"], row["work"]) for row in finest}
        for label, there, fine, number, could in told:
            assert there == every[label] and fine == sum(row[name] == label for row in finest)
            assert number == sum(label in group for group in groups)
            assert could == len({group[name == "sex"] for group in groups})
            at_least = math.floor(fine + number * float(rounded_down(mean)))
            assert f"<td>{there:,}</td><td>{fine:,}</td><td>{number}</td>" in body(facts)
            low = " (surely too low: take the rows in the file)" * (at_least < there)
            assert f"<td>{number}</td><td>{at_least:,}{low}</td></tr>" in body(facts)
    assert [one[0] for one in release["label_counts"]["sex"]] == ["F", "M"]
    assert {one[0] for one in release["label_counts"]["work"]} == {"Private", "Self", "State"}
    said = body(facts)
    assert "take only the rows with a label that no later step has, and add" in said and "however small." in said
    assert "each label that stays the same at a coarser level, *" in said and "have a coarser label, and" not in said
    instead = "; only where it is surely too low, take the rows in the file" * ("(surely too low" in said)
    assert f"To count by one column alone, take the last number{instead or '.'}" in said
    assert "By one column alone" not in body(facts, READ_FIRST)
    assert verify(folder, PAGE) == 0
    (label, there, fine, number, could), *rest = release["label_counts"]["sex"]
    whole = release["label_counts"]
    counted = [there, fine, number, could]
    for wrong in (*([*counted[:at], counted[at] + 1, *counted[at + 1 :]] for at in range(4)), counted[:3]):
        quiet()
        stated = {**whole, "sex": [[label, *wrong], *rest]}
        assert said_anew(folder, {**facts, "release": {**release, "label_counts": stated}}) == 1
        assert BY_LABEL in quiet()
    for more in ({}, {"work": whole["work"]}, {**whole, "sex": rest}, {**whole, "age": rest}):
        assert said_anew(folder, {**facts, "release": {**release, "label_counts": more}}) == 1


def test_several_intervals_without_rows_are_told_as_a_range_and_one_as_its_label() -> None:
    def said(known: list[str], levels: list[str], grid: dict[str, float | None]) -> str:
        hierarchy = {"levels": ["as it is", *levels, "*"], "grid": grid}
        columns = [{"name": "pay", "grouped": True, "hierarchy": hierarchy}]
        steps = [{"levels": {"pay": level + 1}} for level in range(len(levels))]
        facts = {"columns": columns, "steps": steps, "after": {"one_level": 0}, "in_no_row": {"pay": known}}
        return no_row_says(facts, TOLD_AS_SEEN).removeprefix("No row says pay: ").partition(". The")[0]

    whole: dict[str, float | None] = {"from": 0.0, "lowest": None, "highest": None}
    cut: dict[str, float | None] = {"from": 0.0, "lowest": 15000.0, "highest": None}
    forty = ["intervals of 40,000"]
    assert said(["120000 to 200000"], forty, whole) == "from 120,000 to 200,000"
    assert said(["80000 to under 160000"], forty, whole) == "from 80,000 to under 160,000", "two of them"
    assert said(["80000 to under 120000"], forty, whole) == "“80000 to under 120000”", "one, as it stands in rows"
    assert said(["160000 to 200000"], forty, whole) == "from 160,000 to 200,000", "a label says under"
    assert said(["200000"], forty, whole) == "200,000", "alone in what can occur of an interval"
    assert said(["15000 to under 40000"], forty, whole) == "from 15,000 to under 40,000", "part of one"
    assert said(["15000 to under 40000"], forty, cut) == "“15000 to under 40000”", "which is cut so"
    assert said(["-20--1", "40-59", "60-99"], ["intervals of 20"], whole) == "“-20--1”, “40-59”, from 60 to 99"
    assert said(["40-79"], ["intervals of 20", "intervals of 40"], whole) == "“40-79”", "of the coarser level"
    assert said(["1950-1999"], ["intervals of 10"], whole) == "from 1950 to 1999", "which may be years"
    assert said(["9" * 400, "x”y"], forty, whole).startswith("“999"), "what no rule gives is a quotation"


def test_with_a_column_for_the_step_it_is_seen_there(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    steps = ("--step", "work=0,sex=0", "--step", "work=1,sex=0", "--step-column", "step")
    facts = works(folder, *steps, "--expect", "3000")
    finest = [row for row in rows_of(folder) if row["step"] == "1"]
    assert sum(one[2] for one in facts["release"]["label_counts"]["sex"]) == len(finest)
    assert "step" not in facts["release"]["label_counts"] and verify(folder, PAGE) == 0


def test_where_groups_were_left_out_by_their_counts_nothing_can_be_added(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", "--level", "work=0", "--level", "sex=0", "--floor", "3")
    assert facts["release"]["label_counts"] == {} and "By one column alone" not in body(facts)
    assert "No correction of counts is offered, because small groups were left out by their counts." in body(facts)
    assert verify(tmp_path / "r", PAGE) == 0


def test_columns_of_many_labels_are_not_told_label_by_label() -> None:
    release = {
        "worked": {}, "after": {"one_level": 0}, "step_column": "",
        "steps": [{"levels": {"a": 0, "b": 0, "c": 0}}], "columns": [{"name": name, "grouped": True} for name in "abc"],
    }  # fmt: skip
    groups = [((str(n % (MOST_LABELS + 1)), str(n % MOST_LABELS), "*"), 5) for n in range(100)]
    told = label_counts(release, tuple("abc"), groups)
    assert sorted(told) == ["b"] and len(told["b"]) == MOST_LABELS


def test_it_is_said_of_which_columns_labels_are_counted_and_older_notes_stay_as_they_were(tmp_path: Path) -> None:
    """It was said of each label, though a column of more than twelve had none."""
    kept = Path("tests/kept/releases/file_many/note.json")
    facts = json.loads(kept.read_text("utf-8"))
    assert facts["version"] == FILE_FIRST and list(facts["release"]["label_counts"]) == ["shift"]
    assert "has it for each label." in body(facts, FILE_FIRST), "as it was published"
    assert "has it for each label of shift." in body(facts, COUNTED_WIDELY)
    for labels, told in ((MOST_LABELS, ["school", "shift"]), (MOST_LABELS + 1, ["shift"])):
        folder = tmp_path / str(labels)
        folder.mkdir()
        names = [f"School {chr(65 + n)}" for n in range(labels)]
        rows = [f"{names[i % labels]},{'day' if i % 3 else 'night'}" for i in range(6000)]
        (folder / "schools.csv").write_text("\n".join(["school,shift", *rows]) + "\n", encoding="utf-8")
        write_hierarchy(Hierarchy.from_rows([(name, "*") for name in names]), folder / "school.csv")
        write_hierarchy(Hierarchy.from_rows([("day", "*"), ("night", "*")]), folder / "shift.csv")
        given = [
            "anonymise",
            folder / "schools.csv",
            "--hierarchy",
            f"school={folder / 'school.csv'}",
            "--epsilon",
            "1",
        ]
        given += ["--hierarchy", f"shift={folder / 'shift.csv'}", "--delta", "1e-3", "--mechanism", "trim", "--quiet"]
        given += ["--step", "school=0,shift=0", "--expect", "6000", "--metadata", folder / NOTE, "--out", folder / FILE]
        out = ["--statement", folder / PAGE, "--ledger", folder / "ledger.jsonl"]
        assert main([*map(str, given), *map(str, out)]) == 0
        found = json.loads((folder / NOTE).read_text("utf-8"))
        assert list(found["release"]["label_counts"]) == told and verify(folder, PAGE) == 0
        assert ("has it for each label of shift." in body(found)) is (told == ["shift"])


LAND = [("Germany", "Germany"), ("France", "France"), ("Malta", "Small"), ("Cyprus", "Small")]


def lands(folder: Path, *words: str) -> dict[str, Any]:
    """A release in two steps of a hierarchy in which large values keep their names."""
    folder.mkdir(parents=True)
    rows = [f"{'FM'[i % 2]},{LAND[i // 2 % 4][0]}" for i in range(3000)]
    (folder / "land.csv").write_text("\n".join(["sex,land", *rows]) + "\n", encoding="utf-8")
    write_hierarchy(Hierarchy.from_rows([(*path, "*") for path in LAND]), folder / "h.csv")
    write_hierarchy(Hierarchy.from_rows([("F", "*"), ("M", "*")]), folder / "s.csv")
    given = ["anonymise", folder / "land.csv", "--hierarchy", f"land={folder / 'h.csv'}", "--epsilon", "1", *words]
    given += ["--hierarchy", f"sex={folder / 's.csv'}", "--delta", "1e-3", "--mechanism", "trim", "--quiet"]
    given += ["--step", "land=0,sex=0", "--step", "land=1,sex=0", "--expect", "3000", "--metadata", folder / NOTE]
    out = ["--out", folder / FILE, "--statement", folder / PAGE, "--ledger", folder / "ledger.jsonl"]
    assert main([*map(str, given), *map(str, out)]) == 0
    found: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return found


def test_nothing_is_added_to_labels_that_are_the_same_at_a_coarser_level(tmp_path: Path) -> None:
    """Rows that step 1 gave up lie in the file in the same group again, so that adding would count them twice."""
    said = body(lands(tmp_path / "r"))
    assert "leave out the rows that have a coarser label" not in said
    assert said.count("take only the rows with a label that no later step has, and add") == 2
    assert f"stays the same at a coarser level (land: {quoted('Germany')}, {quoted('France')}), * and an empty" in said
    assert verify(tmp_path / "r", PAGE) == 0
    told = body(lands(tmp_path / "told", "--step-column", "step"))
    assert told.count("take only the rows of which “step” says 1, and add") == 2 and "stays the same" not in told


@pytest.mark.parametrize("table", [{"a": 6, "b": 5}, {"a": 9, "b": 2}])
def test_rows_of_a_label_that_stays_the_same_would_be_counted_twice(table: Mapping[str, int]) -> None:
    """Town a keeps its name at step 2, b does not: by enumeration, a with what would be added, and all that is."""
    weights, mean = law_by_hand()
    labels = ColumnLabels(("as it is", "level 1"), listed=(("a", "a"), ("b", "c")))
    assert labels.at_several() == ["a"]
    found, twice = Fraction(0), Fraction(0)
    for lost in itertools.product(range(len(weights)), repeat=3):
        chance = math.prod((weights[z] for z in lost), start=Fraction(1))
        first = {town: max(0, rows - z) for (town, rows), z in zip(table.items(), lost, strict=False)}
        again = max(0, table["a"] - first["a"] - lost[2])
        file = {"a": first["a"] + again, "b": first["b"]}
        twice += chance * (file["a"] + mean) * (file["a"] > 0)
        found += chance * sum(rows + mean for town, rows in file.items() if rows and town not in labels.at_several())
    assert found <= table["b"] and twice > table["a"]


def test_a_number_stands_by_every_label_however_much_its_groups_gave_up(tmp_path: Path) -> None:
    """Only where they gave up little would it be shown otherwise, and too high on average."""
    facts = works(tmp_path / "r", "--step", "work=0,sex=0", "--step", "work=1,sex=0", "--expect", "3000")
    facts["release"]["label_counts"] = {"sex": [["F", 1000, 10, 1], ["M", 1000, 900, 2]]}
    mean, said = facts["release"]["steps"][0]["mean_lost"], body(facts)
    for rows, finest, groups in ((1000, 10, 1), (1000, 900, 2)):
        number, low = math.floor(finest + groups * mean), " (surely too low: take the rows in the file)"
        last = f"{number:,}{low * (number < rows)}"
        assert f"<td>{rows:,}</td><td>{finest}</td><td>{groups}</td><td>{last}</td>" in said
    assert "With what groups gave up, on average" in said and "Labels that are not in the file count as 0" in said
    assert "In one file it can be too high, most where few small groups make it" in said


def test_what_is_added_is_rounded_down(tmp_path: Path) -> None:
    facts = works(tmp_path / "r", "--level", "work=0", "--level", "sex=0")
    facts["release"]["steps"][0]["mean_lost"] = 1003.527
    said = body(facts)
    assert (
        "add 1,003 for each group that the count" in said
        and "and 1,003 for each of their groups, rounded down; for " in said
        and "so many it gave up on average, rounded down." in said
    )
    assert "add 1,003 to the rows of each group" in said
    assert "so many it gave up on average, rounded down." in said, "so that nobody takes it for the nearest number"


def test_nineteen_of_twenty_groups_gave_up_so_many() -> None:
    for law in laws():
        low, high = law.mostly_lost
        inside = Fraction(sum(law.weights[low : high + 1]), law.total)
        assert inside >= Fraction(19, 20), (law.epsilon, law.delta)
        assert 40 * sum(law.weights[: low + 1]) > law.total, "no closer end leaves so few below"
        assert not high or 40 * sum(law.weights[high:]) > law.total
        again = recomputed_trimming(law.epsilon, law.delta, law.rows_per_person)
        assert again.mostly_lost([low, high])
        for wrong in ([low + 1, high], [low, high - 1], [low - 1, high], [low, high + 1], [low], low, [low, "x"]):
            assert not again.mostly_lost(wrong), wrong


def test_the_example_says_between_which_numbers_and_verify_finds_others(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    facts = works(folder, "--level", "work=0", "--level", "sex=0")
    step, worked = facts["release"]["steps"][0], facts["release"]["worked"]
    low, high = (worked["rows"] + lost for lost in step["mostly_lost"])
    assert (
        f"so about {round(worked['rows'] + step['mean_lost']):,} in the table, and from {low} to {high} in 19 of 20"
        in (body(facts))
    )
    forged = json.loads(json.dumps(facts))
    forged["release"]["steps"][0]["mostly_lost"][0] += 1
    assert said_anew(folder, forged) == 1


def test_steps_are_told_as_parts_of_the_whole(tmp_path: Path) -> None:
    words = ("--step", "work=0,sex=0", "--step", "work=1,sex=0", "--shares", "2,1")
    alone = body(works(tmp_path / "one", *words, "--expect", "3000"))
    assert "<th scope=row>ε</th><td>2/3 of 1</td><td>1/3 of 1</td>" in alone and "share of ε" not in alone
    known = body(works(tmp_path / "two", *words, "--expect", "3000", "--known", "people"))
    assert "<th scope=row>ε of the draw by itself</th><td>2/3 of 1</td><td>1/3 of 1</td>" in known


def test_where_the_number_expected_is_not_told_it_is_said_so(tmp_path: Path) -> None:
    words = ("--steps", "balanced", "--expect", "3000")
    hidden, known = works(tmp_path / "one", *words), works(tmp_path / "two", *words, "--known", "people")
    assert "by the publisher before the draw, and not told, so that nobody learns how many there are" in body(hidden)
    assert "3,000, as the publisher said" in body(known) and "and not told" not in body(known)
    before = "a number that the publisher said before the draw, of rows that take part. It is not told"
    assert before in body(hidden, COUNTED_WIDELY) and before not in body(hidden)


@pytest.mark.parametrize("name", sorted(json.loads((KEPT / "made_first.json").read_text("utf-8"))))
def test_a_release_of_the_version_before_keeps_its_own_words(name: str) -> None:
    page = (KEPT / name / "statement.html").read_text("utf-8")
    facts = json.loads((KEPT / name / "note.json").read_text("utf-8"))
    assert facts["version"] == READ_FIRST and statement_page(facts) == page
    assert "19 of 20" not in page and "Labels that a column can have" not in page
