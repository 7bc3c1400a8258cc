"""`workbench verify` finds every statement on a trimmed release that was forged: numbers, sentences, steps, labels."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, copied, edits, released, text_edits, verify, with_facts, write_anew
from workbench.cli.main import main
from workbench.core.trim_law import trim_law
from workbench.report.note import VERSION
from workbench.report.proof import NOT_SIGNED
from workbench.report.statement import statement_page

pytestmark = pytest.mark.usefixtures("thousands_verified")

TRIM = ("--mechanism", "trim", "--epsilon", "2", "--delta", "1e-3", "--hierarchy", "age={public}")
STEPS = ("--step", "age=0,illness=0", "--step", "age=1", "--step", "age=2,illness=1")
CASES: dict[str, tuple[str, ...]] = {
    "one": (*TRIM, "--group", "illness", "--steps", "one", "--level", "age=1"),
    "steps": (*TRIM, "--group", "illness", *STEPS, "--shares", "5,3,2", "--step-column", "step"),
    "untold": (*TRIM, "--group", "illness", *STEPS, "--rows-per-person", "2"),
    "degrees": (*TRIM, "--steps", "none,complete", "--expect", "900", "--where", "age > 20"),
    "counts": (*TRIM, "--group", "illness", "--steps", "one", "--level", "age=1", "--as-counts", "--floor", "5"),
    "drawn": (*TRIM, "--search", "dp", "--search-epsilon", "0.23456", "--person", "name", "--limit-rows",
              "--rows-per-person", "2", "--sample", "0.95"),
    "void": ("--mechanism", "trim", "--epsilon", "2", "--delta", "1e-3", "--hierarchy", "age={derived}",
             "--group", "illness", *STEPS, "--as-counts", "rows", "--seed", "3"),
    "stars": ("--mechanism", "trim", "--epsilon", "2", "--delta", "1e-3", "--hierarchy", "age={derived}",
              "--group", "illness", "--steps", "one", "--level", "age=2"),
}  # fmt: skip


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a trimmed release of every kind."""
    return released(tmp_path_factory.mktemp("trimmed"), CASES, lambda i: 20 + i * i % 40 if i > 9 else 70)


def facts_of(folder: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads((folder / NOTE).read_text("utf-8"))
    return facts


def write(folder: Path, facts: dict[str, Any]) -> None:
    """Page and note of these facts, by whoever knows the template."""
    write_anew(folder / PAGE, statement_page(facts))
    write_anew(folder / NOTE, json.dumps(facts))


def hierarchy_of(releases: Path, case: str) -> tuple[str, str]:
    source = "derived" if case in ("void", "stars") else "public"
    return "--hierarchy", f"age={releases / f'{source}.csv'}"


@pytest.mark.parametrize("case", CASES)
def test_what_was_not_forged_verifies(releases: Path, case: str, quiet: Callable[[], str]) -> None:
    folder, hierarchy = releases / case, hierarchy_of(releases, case)
    quiet()
    for given in (PAGE, NOTE):
        for more in ((), hierarchy):
            assert verify(folder, given, *more) == 0, quiet()
            said = quiet()
            assert NOT_SIGNED in said
            assert "Not checked" not in said
    facts = facts_of(folder)
    assert facts["version"] == VERSION
    assert statement_page(facts) == (folder / PAGE).read_text("utf-8")
    assert main(["verify", str(folder / FILE), "--statement", str(folder / PAGE), "--json"]) == 0
    found = json.loads(quiet())
    promised = facts["release"]["promised"]
    if promised is not None:
        assert found["statement"]["delta"] <= promised["delta"]
        assert found["statement"]["epsilon"] <= promised["epsilon"]


@pytest.mark.parametrize("case", ["steps", "counts", "drawn", "void"])
def test_every_edit_of_a_page_is_found(releases: Path, tmp_path: Path, case: str) -> None:
    folder = copied(releases / case, tmp_path / "forged")
    (folder / NOTE).unlink()
    page = (folder / PAGE).read_text("utf-8")
    missed, count = [], 0
    for what, changed in text_edits(page):
        write_anew(folder / PAGE, changed)
        count += 1
        if verify(folder) != 1:
            missed.append(what)
    assert count > 80
    assert missed == []


@pytest.mark.parametrize("case", ["steps", "counts", "drawn", "stars"])
def test_every_edit_of_the_facts_in_a_page_is_found_without_a_note(releases: Path, tmp_path: Path, case: str) -> None:
    folder = copied(releases / case, tmp_path / "forged")
    facts = facts_of(folder)
    (folder / NOTE).unlink()
    page = (folder / PAGE).read_text("utf-8")
    missed = []
    for where, was, now, changed in edits(facts):
        write_anew(folder / PAGE, with_facts(page, changed))
        if verify(folder) == 0:
            missed.append(f"{where}: {was} → {now}")
    assert missed == []


TRUE_OR_UNKNOWN = (
    r"date|program\.version|file\.name|file\.texts_made_safe_for_spreadsheets|release\.engine",
    r"file\.written\.quote_all",
    r"release\.columns\.\d+\.hierarchy\.(origin|height)",
    r"release\.(against|reasons|cautions)\.\d+\.text",
    r"release\.cautions",
)
ALL_STARS = r"release\.steps\.\d\.levels\.age 2 1"
"""Rows of a last step are nothing but `*`, which is what values that are not listed are at every level."""
WITHOUT_CLAIM = r"release\.(mechanisms|steps|survival|rows_per_person).*"
"""Where nothing is promised, nothing of what would decide about it is false."""


@pytest.mark.parametrize("case", ["steps", "degrees", "counts", "drawn", "void"])
def test_every_edit_of_page_facts_and_note_at_once_is_found_unless_it_is_true(
    releases: Path, tmp_path: Path, case: str, quiet: Callable[[], str]
) -> None:
    """Without its hierarchy nobody knows at which of several levels a label stands."""
    folder = copied(releases / case, tmp_path / "forged")
    facts, hierarchy = facts_of(folder), hierarchy_of(releases, case)
    allowed = (*TRUE_OR_UNKNOWN, ALL_STARS, *(() if facts["release"]["claim"] else (WITHOUT_CLAIM,)))
    missed, found = [], 0
    for where, was, now, changed in edits(facts):
        try:
            write(folder, changed)
        except Exception:
            continue
        quiet()
        code = verify(folder, PAGE, *hierarchy)
        found += code != 0
        if code == 0 and not any(
            re.fullmatch(one, told) for one in allowed for told in (where, f"{where} {was} {now}")
        ):
            missed.append(f"{where}: {was} → {now}")
    assert found > 30
    assert missed == []


# Whole forgeries, by somebody who knows the template and the theory


def forge(folder: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    facts = facts_of(folder)
    edit(facts)
    write(folder, facts)


def numbers_of(step: dict[str, Any], epsilon: float, delta: float, rows: int = 1) -> None:
    """Give a step another ε and δ, with the numbers of its law."""
    law = trim_law(Fraction(repr(epsilon)), Fraction(repr(delta)), rows)
    step.update(epsilon=epsilon, delta=delta, mean_lost=law.mean_lost, sd=law.sd)
    step.update(half_survive=law.half_survive, always_survive=law.always_survive)


def _smaller_epsilon(facts: dict[str, Any]) -> None:
    facts["release"]["promised"]["epsilon"] = facts["release"]["mechanisms"][-1]["epsilon"] = 1.0


def _smaller_delta(facts: dict[str, Any]) -> None:
    facts["release"]["promised"]["delta"] = facts["release"]["mechanisms"][-1]["delta"] = 1e-4


def _fewer_steps(number: int) -> Callable[[dict[str, Any]], None]:
    def edit(facts: dict[str, Any]) -> None:
        del facts["release"]["steps"][number]

    return edit


def _step_says(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def edit(facts: dict[str, Any]) -> None:
        facts["release"]["steps"][0][name] = value

    return edit


def _vector(number: int, **levels: Any) -> Callable[[dict[str, Any]], None]:
    def edit(facts: dict[str, Any]) -> None:
        facts["release"]["steps"][number]["levels"].update(levels)

    return edit


def _richer_step(facts: dict[str, Any]) -> None:
    """A step that spends more than is promised, so that it says to lose less."""
    numbers_of(facts["release"]["steps"][0], 1.9, 9e-4)


def _more_rows_per_person(facts: dict[str, Any]) -> None:
    facts["release"]["rows_per_person"] = 3
    asserted = facts["release"]["asserted"]
    asserted[0] = asserted[0].replace("one row", "3 rows")


def _other_survival(facts: dict[str, Any]) -> None:
    del facts["release"]["survival"][0]


def _unfavourable_left_out(facts: dict[str, Any]) -> None:
    facts["release"]["survival"] = facts["release"]["survival"][-1:]


def _added_column(facts: dict[str, Any]) -> None:
    facts["release"]["step_column"] = "illness"


def _other_column(facts: dict[str, Any]) -> None:
    facts["release"]["step_column"] = ""


def _edited_release(name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def edit(facts: dict[str, Any]) -> None:
        facts["release"][name] = value

    return edit


def _older(facts: dict[str, Any]) -> None:
    facts["version"] = 2


def _sampled(facts: dict[str, Any]) -> None:
    facts["release"]["kind"] = "sampled, generalised, suppressed"


def _floor(facts: dict[str, Any]) -> None:
    facts["release"]["floor"] = 2
    facts["release"]["models"] = [{"model": "k-anonymity", "parameters": {"k": 2}}]


FORGERIES: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "a smaller ε": (_smaller_epsilon, "the steps give no less than"),
    "a smaller δ": (_smaller_delta, "the steps give no less than"),
    "without its first step": (_fewer_steps(0), "“20”|no labels|groups of|a step from 1 to 2"),
    "without its second step": (_fewer_steps(1), "no labels|a step from 1 to 2"),
    "without its last step": (_fewer_steps(2), "no labels|a step from 1 to 2"),
    "another mean": (_step_says("mean_lost", 3.0), "given up on average"),
    "another deviation": (_step_says("sd", 0.5), "standard deviation"),
    "smaller groups survive": (_step_says("half_survive", 2), "survive half of the time"),
    "smaller groups always survive": (_step_says("always_survive", 3), "survive always"),
    "a step that is rid of its ε": (_step_says("epsilon", 0), "no number|Nothing is trimmed|between 0 and 10"),
    "a vector that is coarser": (_vector(0, age=1), "two ways|no labels|no one step"),
    "a vector that is finer": (_vector(2, age=0), "finer than the one before"),
    "a level that is not there": (_vector(2, age=7), "which there is not"),
    "a level of no number": (_vector(1, age="*"), "which there is not"),
    "a column that is not there": (_vector(1, salary=1), "levels for"),
    "a step that costs more": (_richer_step, "the steps give no less than"),
    "more rows per person for the same": (_more_rows_per_person, "given up on average"),
    "a group left out": (_other_survival, "and others are told of"),
    "only what looks well": (_unfavourable_left_out, "and others are told of"),
    "another column for the step": (_added_column, "two ways"),
    "no column for the step": (_other_column, "two ways"),
    "an engine without a name": (_edited_release("engine", None), "is null, and it is a text"),
    "an older note": (_older, "Notes of that version"),
    "another kind": (_sampled, "missing|hold no such thing"),
    "a floor": (_floor, "k-anonymity|survive"),
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_forged_statement_is_found_by_its_price_its_law_or_its_file(
    releases: Path, tmp_path: Path, what: str, quiet: Callable[[], str]
) -> None:
    folder = copied(releases / "steps", tmp_path / "forged")
    edit, words = FORGERIES[what]
    facts = facts_of(folder)
    edit(facts)
    write_anew(folder / NOTE, json.dumps(facts))
    try:
        write(folder, facts)
    except (KeyError, ValueError, TypeError):
        (folder / PAGE).unlink()  # no page of the program can be made of it
    hierarchy = hierarchy_of(releases, "steps")
    quiet()
    given = PAGE if (folder / PAGE).exists() else NOTE
    assert verify(folder, given, *hierarchy) in (1, 2)
    assert re.search(words, quiet()), what


@pytest.mark.parametrize("degrees", [["none"], ["none", "low", "complete"]])
def test_degrees_are_as_many_as_steps(
    releases: Path, tmp_path: Path, degrees: list[str], quiet: Callable[[], str]
) -> None:
    folder = copied(releases / "degrees", tmp_path / "forged")

    def edit(facts: dict[str, Any]) -> None:
        release = facts["release"]
        (place,) = (n for n, line in enumerate(release["checked"]) if "follow from the degrees" in line)
        named = ", ".join(f"“{degree}”" for degree in degrees)
        release["checked"][place] = release["checked"][place].replace("“none”, “complete”", named)
        release["terms"]["degrees"] = degrees

    quiet()
    forge(folder, edit)
    assert verify(folder) == 1
    assert "degrees are stated, and 2 steps" in quiet()


def test_a_step_without_a_column_is_found_and_no_accident(
    releases: Path, tmp_path: Path, quiet: Callable[[], str]
) -> None:
    """Whoever leaves a column out of a step would let it hold anything."""
    folder = copied(releases / "steps", tmp_path / "forged")
    facts = facts_of(folder)
    del facts["release"]["steps"][1]["levels"]["illness"]
    (folder / PAGE).unlink()
    write_anew(folder / NOTE, json.dumps(facts))
    quiet()
    assert verify(folder, NOTE, *hierarchy_of(releases, "steps")) == 1
    assert "“illness” is missing" in quiet()


def test_a_weaker_promise_is_one_that_holds(releases: Path, tmp_path: Path, quiet: Callable[[], str]) -> None:
    folder = copied(releases / "steps", tmp_path / "forged")
    for name, value in (("epsilon", 2.5), ("delta", 1e-2)):

        def edit(facts: dict[str, Any], name: str = name, value: float = value) -> None:
            facts["release"]["promised"][name] = facts["release"]["mechanisms"][-1][name] = value

        forge(folder, edit)
        assert verify(folder) == 0, quiet()


# The file


def lines_of(file: Path) -> list[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.reader(stream))


def write_lines(file: Path, lines: list[list[str]]) -> None:
    with file.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\r\n").writerows(lines)


@pytest.mark.parametrize(
    ("case", "of", "change", "words"),
    [
        ("steps", "0s", {"age": "41"}, "no one step together"),
        ("steps", "0s", {"age": "90s"}, "“90s”"),
        ("steps", "0s", {"step": "1"}, "no one step together"),
        ("steps", "0s", {"step": "4"}, "a step from 1 to 3"),
        ("untold", "0s", {"age": "3"}, "“3”"),
        ("one", "0s", {"age": "*x"}, "“*x”"),
        ("counts", "0s", {"rows_released": "4"}, "VIOLATED"),
        ("counts", "0s", {"rows_released": "4.5"}, "no numbers of rows"),
        ("stars", "*", {"age": "30s"}, "“30s”"),
    ],
)
def test_a_changed_row_is_found_whatever_its_statement_says(
    releases: Path, tmp_path: Path, case: str, of: str, change: dict[str, str], words: str, quiet: Callable[[], str]
) -> None:
    """Also without the fingerprint: the labels of a row must be those of one step."""
    folder = copied(releases / case, tmp_path / "forged")
    heading, *rows = lines_of(folder / FILE)
    count_column = facts_of(folder)["release"]["count_column"]
    change = {count_column if name == "rows_released" else name: value for name, value in change.items()}
    place = next(n for n, row in enumerate(rows) if row[0].endswith(of))
    rows[place] = list((dict(zip(heading, rows[place], strict=True)) | change).values())
    write_lines(folder / FILE, [heading, *rows])
    quiet()
    assert verify(folder, PAGE, *hierarchy_of(releases, case)) == 1
    said = quiet()
    assert words in said
    assert "fingerprint" in said


def test_the_page_says_what_a_reader_needs(releases: Path) -> None:
    one = (releases / "one" / PAGE).read_text("utf-8")
    release = facts_of(releases / "one")["release"]
    (step,) = release["steps"]
    law = trim_law(Fraction(2), Fraction(1, 1000))
    assert (step["mean_lost"], step["half_survive"]) == (law.mean_lost, law.half_survive)
    for words in (
        "each gave up a random number of its rows, drawn for it alone",
        "No row was invented",
        f"add {law.mean_lost:.4g} to the rows of each group that had {law.always_survive} rows or more in the table",
        f"A group that is not in the file had at most {law.always_survive - 1}.",
        "became *, as it would in any table",
        "read off this data",
        "Publishing true counts beside the file",
    ):
        assert words in one
    steps = (releases / "steps" / PAGE).read_text("utf-8")
    for words in (
        "in 3 steps",
        "50 %",
        "30 %",
        "20 %",
        "the column “step” says which",
        "Level at steps 1 to 3",
        "<td>as it is · level 1, such as “",
    ):
        assert words in steps
    counts = (releases / "counts" / PAGE).read_text("utf-8")
    assert "No correction of counts is offered" in counts
    assert "to estimate" not in counts
    assert "one line for each group" in counts
    void = (releases / "void" / PAGE).read_text("utf-8")
    assert "No (ε, δ) claim is made" in void
    assert "differentially private release" not in void
    assert not any("epsilon" in one or "delta" in one for one in facts_of(releases / "void")["release"]["steps"])


def test_nothing_is_told_of_a_hierarchy_that_must_not_be_spoken_of(releases: Path) -> None:
    facts = facts_of(releases / "stars")
    assert facts["release"]["steps"][0]["levels"]["age"] == "*"
    assert not any("hierarchy" in column or "level" in column for column in facts["release"]["columns"][:1])
    page = (releases / "stars" / PAGE).read_text("utf-8")
    assert "sorted" not in page
    assert not re.search(r"\d of \d", page.replace("19 of 20", ""))


def test_groups_of_the_file_are_none_below_the_floor(releases: Path) -> None:
    heading, *lines = lines_of(releases / "counts" / FILE)
    name = facts_of(releases / "counts")["release"]["count_column"]
    sizes = [int(line[heading.index(name)]) for line in lines]
    assert min(sizes) >= 5
    assert sum(sizes) == facts_of(releases / "counts")["release"]["rows"]


def test_a_chance_is_called_certain_only_where_it_is(releases: Path) -> None:
    survival = facts_of(releases / "one")["release"]["survival"]
    assert all(before[1] < after[1] for before, after in pairwise(survival))
    assert survival[-1][1] == 1.0 and math.isclose(survival[0][1], 1e-3)
    page = (releases / "one" / PAGE).read_text("utf-8")
    assert page.count("<td>100 %</td>") == 1


def test_labels_of_several_levels_are_told_without_an_example_that_fits_no_column(releases: Path) -> None:
    folder = releases / "steps"
    page = (folder / PAGE).read_text("utf-8")
    assert "Finer and coarser labels may stand side by side in " in page and "30–39 beside 0–39" not in page
    facts = facts_of(folder)
    for version in (7, 9):
        assert "such as 30–39 beside 0–39" in statement_page({**facts, "version": version}), "as it was written then"


@pytest.mark.parametrize("case", ["one", "untold", "degrees"])
def test_rows_in_another_order_than_that_of_their_labels_are_found(
    releases: Path, tmp_path: Path, case: str, quiet: Callable[[], str]
) -> None:
    """Also where the fingerprint is that of the file: the order could be that of the table."""
    folder = copied(releases / case, tmp_path / "forged")
    heading, *rows = lines_of(folder / FILE)
    write_lines(folder / FILE, [heading, *reversed(rows)])
    facts, content = facts_of(folder), (folder / FILE).read_bytes()
    facts["file"] |= {"sha256": sha256(content).hexdigest(), "bytes": len(content)}
    write(folder, facts)
    quiet()
    assert verify(folder, PAGE) == 1
    said = quiet()
    assert "not stand in the order of their labels" in said
    assert "(SHA-256) is another" not in said


def test_texts_that_had_an_apostrophe_before_do_not_make_rows_stand_out_of_order(
    tmp_path: Path, quiet: Callable[[], str]
) -> None:
    """As of a table that a spreadsheet made safe once: '=z was sorted as it stands, and =y got its apostrophe later."""
    labels = ("'=z", "(k)", "=y", "7")
    rows = [f'"{labels[number % 4]}","{labels[number // 4 % 4]}"' for number in range(640)]
    (tmp_path / "table.csv").write_text("\n".join(["one,two", *rows]) + "\n", encoding="utf-8")
    made = [
        "anonymise", str(tmp_path / "table.csv"), "--group", "one", "--group", "two", "--steps", "one",
        "--epsilon", "2", "--delta", "1e-3", "--out", str(tmp_path / FILE), "--statement", str(tmp_path / PAGE),
    ]  # fmt: skip
    assert main(made) == 0, quiet()
    assert verify(tmp_path, PAGE) == 0, quiet()
    heading, *lines = lines_of(tmp_path / FILE)
    assert {cell for line in lines for cell in line} == {"'=z", "(k)", "'=y", "7"}
    write_lines(tmp_path / FILE, [heading, *reversed(lines)])
    quiet()
    assert verify(tmp_path, PAGE) == 1
    assert "not stand in the order of their labels" in quiet()


def test_groups_that_look_alike_in_a_file_are_lines_of_their_own(tmp_path: Path, quiet: Callable[[], str]) -> None:
    """=z and '=z are both '=z there: the file was called another one than was to be released, and its draw was lost."""
    labels = ("'=z", "=z", "-7")
    rows = [f'"{labels[number % 3]}","{number % 2}"' for number in range(600)]
    (tmp_path / "table.csv").write_text("\n".join(["one,two", *rows]) + "\n", encoding="utf-8")
    made = [
        "anonymise", str(tmp_path / "table.csv"), "--group", "one", "--group", "two", "--steps", "one", "--as-counts",
        "--epsilon", "2", "--delta", "1e-3", "--out", str(tmp_path / FILE), "--statement", str(tmp_path / PAGE),
    ]  # fmt: skip
    assert main(made) == 0, quiet()
    assert verify(tmp_path, PAGE) == 0, quiet()
    heading, *lines = lines_of(tmp_path / FILE)
    assert [line[0] for line in lines].count("'=z") == 4 and len(lines) == 6
    write_lines(tmp_path / FILE, [heading, *lines, lines[0], next(line for line in lines if line[0] == "-7")])
    quiet()
    assert verify(tmp_path, PAGE) == 1
    assert "lines too many: 2" in quiet()


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_numbers_and_hyphens_with_an_apostrophe_before_are_lines_of_their_own(
    tmp_path: Path, quiet: Callable[[], str], kind: str
) -> None:
    labels, file = ("-5", "'-5", "--", "'--", "-7"), tmp_path / f"out.{kind}"
    rows = [f'"{labels[number % 5]}","{number % 2}"' for number in range(1000)]
    (tmp_path / "table.csv").write_text("\n".join(["one,two", *rows]) + "\n", encoding="utf-8")
    made = ["anonymise", str(tmp_path / "table.csv"), "--header", "--group", "one", "--group", "two", "--steps", "one"]
    made += ["--as-counts", "--epsilon", "2", "--delta", "1e-3", "--kind", "one=category", "--out-format", kind]
    assert main([*made, "--out", str(file), "--statement", str(tmp_path / PAGE)]) == 0, quiet()
    assert main(["verify", str(file), "--statement", str(tmp_path / PAGE)]) == 0, quiet()
    if kind == "csv":
        heading, *lines = lines_of(file)
        assert len(lines) == 10
        write_lines(file, [heading, *lines, *(line for line in lines if line[0] in ("-7", "'-5"))])
        quiet()
        assert verify(tmp_path, PAGE) == 1
        assert "lines too many: 4" in quiet()
