"""δ is counted in how often a guess is right, and is said to be; what steps spend adds up to what is promised."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, as_of, released, verify, write_anew
from workbench.anonymise.checked_lines import checked_lines
from workbench.anonymise.note_versions import DELTA_INCLUDED, READ_ONCE, ROWS_GUESSED, TOLD_AS_SEEN
from workbench.anonymise.promise import Promise, guessed_of_known, guessed_right, whole_up
from workbench.anonymise.recipe import ColumnPlan, Treatment
from workbench.anonymise.terms import ADD_REMOVE, REPLACE_PERSON
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.anonymise.trim_recipe import TrimRecipe, TrimStep
from workbench.core.number_text import parts_up, rounded_up
from workbench.report.plain_promise import how_counted, in_short, plainly
from workbench.report.release_note import trimming_of
from workbench.report.stated_claim import stated_claim
from workbench.report.stated_terms import terms_of
from workbench.report.statement import statement_page
from workbench.report.trimmed_statement import making_of
from workbench.report.well_formed import malformed

TRIM = ("--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--hierarchy", "age={public}")
STEPS = ("--step", "age=0", "--step", "age=1", "--step", "age=2")
THIRDS = TrimGuarantee(1.0, 1e-5, shares=(Fraction(1, 3),) * 3)
CASES = {
    "thirds": (*TRIM, *STEPS, "--shares", "1,1,1"),
    "tenths": (*TRIM, *STEPS, "--shares", "5,3,2"),
}


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released(tmp_path_factory.mktemp("steps"), CASES, lambda i: 20 + i % 40)


@pytest.fixture
def facts(releases: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((releases / "thirds" / NOTE).read_text("utf-8"))
    return found


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("delta", [1e-5, 0.01])
def test_who_learns_everything_with_probability_delta_is_right_no_more_often(epsilon: float, delta: float) -> None:
    """The worst of all that (ε, δ) allows tells everything with probability δ, and else keeps to e^ε."""
    worst = delta + (1 - delta) / (1 + math.exp(-epsilon))
    assert guessed_right(epsilon, delta) == pytest.approx(worst, rel=1e-12)
    assert guessed_right(epsilon, delta) >= worst


@pytest.mark.parametrize("neighbours", [ADD_REMOVE, REPLACE_PERSON])
def test_that_is_said_beside_the_percentage(neighbours: str) -> None:
    assert " %, δ included. Without the file it is 50 %." in plainly(1.0, 1e-5, neighbours, TOLD_AS_SEEN)
    assert "δ" not in plainly(1.0, 0.0, neighbours, TOLD_AS_SEEN), "there is none to be included"
    assert "δ" not in plainly(1.0, 1e-5, neighbours), "who knows no letters is not stopped by one"
    assert "at most (e^ε + δ) ÷ (e^ε + 1) of the time" in how_counted(1.0, 1e-5, neighbours, READ_ONCE)
    assert "δ" not in plainly(1.0, 1e-5, neighbours, DELTA_INCLUDED - 1)
    promised = Promise(TrimGuarantee(1.0, 1e-5))
    assert "Guessed right at most 74 %." in promised.in_short()
    assert "the percentage includes that" in promised.in_letters()


def test_what_is_true_of_somebody_who_is_known_to_be_there_is_said_of_what_hides_who_is_there() -> None:
    """By hand: e^2 ÷ (e^2 + 1) is 0.880797, and δ counts 1 + e times."""
    once = plainly(1.0, 0.0, version=READ_ONCE)
    assert once.endswith("With this file they guess right at most 89 % of the time.")
    assert "of them, if they are known to be in it, is guessed right at most 89 % of the time." in plainly(1.0, 0.0)
    assert f"right at most {math.ceil(100 * guessed_of_known(1.0, 0.01))} %" in plainly(1.0, 0.01)
    said = plainly(1.0, 0.0, version=TOLD_AS_SEEN)
    assert said.endswith("that is guessed right with a probability of at most 89 %.")
    before = plainly(1.0, 0.0, version=TOLD_AS_SEEN - 1)
    assert before.endswith("that is guessed right with a probability of at most 88.08 %.")
    assert "Where one is as likely as the other" in said, "without which no guess is bounded"
    older = plainly(1.0, 0.0, version=ROWS_GUESSED)
    assert older.endswith("which is true is then guessed right with a probability of at most 88.08 %.")
    assert "let one of two things be as likely as the other" in older and "known to be in it" in older
    assert "known to be in the table?" in said, "not in the file, of which the sentence before speaks"
    more = (math.exp(2) + 0.01 * (1 + math.e)) / (math.exp(2) + 1)
    assert f"at most {rounded_up(100 * more)} %, δ included." in plainly(1.0, 0.01, version=TOLD_AS_SEEN - 1)
    assert f"at most {math.ceil(100 * more)} %, δ included." in plainly(1.0, 0.01, version=TOLD_AS_SEEN)
    assert plainly(8.0, 0.0, version=TOLD_AS_SEEN).endswith("they may be all but sure which of two things is true.")
    assert plainly(8.0, 0.0, version=READ_ONCE).endswith("With this file they may be all but sure which it is.")
    assert "of them, if they are known to be in it, may be all but sure." in plainly(8.0, 0.0)
    assert "known to be in it" not in plainly(1.0, 0.0, version=ROWS_GUESSED - 1), "older ones are read as they were"
    replaced = plainly(1.0, 0.0, REPLACE_PERSON)
    assert "is in the table is guessed" not in replaced, "which is about those who are there"
    assert replaced.count(" at most ") == 1


@pytest.mark.parametrize("epsilon", [1e-9, 0.1, 1.0, 1.01, 2.0, 3.0, 4.0, 5.0, 9.2])
@pytest.mark.parametrize("neighbours", [ADD_REMOVE, REPLACE_PERSON])
def test_a_chance_has_one_form_in_the_rooms_and_in_the_statement(epsilon: float, neighbours: str) -> None:
    """Never below what it is, and in whole percent; above 99 % its digits stay, as they tell how sure a guess is."""
    said, short = plainly(epsilon, 1e-9, neighbours), in_short(epsilon, 1e-9, neighbours)
    told = [float(one) for one in re.findall(r"at most ([\d.]+) %", said)]
    known = guessed_of_known(epsilon, 1e-9)
    right = [guessed_right(epsilon, 1e-9), *([known] if neighbours == ADD_REMOVE and known <= 0.9999 else [])]
    assert len(told) == len(right)
    for shown, chance in zip(told, right, strict=True):
        assert 100 * chance <= shown <= 100 * chance + 1 and (shown == int(shown) or chance > 0.99)
        assert f"{whole_up(chance)} %" in said and f"{whole_up(chance)} %" in short
    assert "nearly always" in short or known <= 0.9999 or neighbours != ADD_REMOVE


def test_the_promise_in_a_breath_is_a_sentence() -> None:
    assert in_short(1.0, 0.0) == (
        "Whoever knows everyone else guesses who is there right at most 74 % of the time, what is true 89 %."
    )
    replaced = "Whoever knows everyone else guesses what is true of somebody right at most 89 % of the time."
    assert in_short(2.0, 0.0, REPLACE_PERSON) == (f"{replaced} That is weaker than ε = 1, where it would be 74 %.")
    assert in_short(1.01, 0.0, REPLACE_PERSON).endswith(
        " true of somebody right at most 74 % of the time. That is weaker than ε = 1."
    )


def test_the_statement_and_whoever_verifies_it_say_the_same(releases: Path, facts: dict[str, Any]) -> None:
    claim = stated_claim(facts)
    assert "is in the table is guessed right at most 74 % of the time. Which of two things is true" in claim.plain
    assert claim.plain in (releases / "thirds" / PAGE).read_text("utf-8")


def printed(page: str, name: str) -> list[Fraction]:
    """What the table of steps says of ε or δ."""
    line = re.search(f"<tr><th scope=row>{name}</th>(.*?)</tr>", page)
    assert line is not None
    return [amount(cell) for cell in re.findall("<td>(.*?)</td>", line[1])]


def amount(text: str) -> Fraction:
    """An amount as it is printed, such as 0.5, 1e-5/3 or 1/3 of 1e-5."""
    part, _, whole = text.partition(" of ")
    over, _, under = part.partition("/")
    return Fraction(over) / Fraction(under or 1) * Fraction(whole or 1)


@pytest.mark.parametrize("case", CASES)
def test_what_steps_are_said_to_spend_is_no_more_than_is_promised(releases: Path, case: str) -> None:
    page = (releases / case / PAGE).read_text("utf-8")
    steps = json.loads((releases / case / NOTE).read_text("utf-8"))["release"]["steps"]
    for name, sign, whole in (("epsilon", "ε", Fraction(1)), ("delta", "δ", Fraction("1e-5"))):
        found = printed(page, sign)
        assert len(found) == 3 and sum(found) <= whole, case
        assert all(one >= Fraction(str(step[name])) for one, step in zip(found, steps, strict=True)), "on the safe side"
    assert (">1/3 of 1<" in page and ">1/3 of 1e-5<" in page) is (case == "thirds") and ">0.3333" not in page


@pytest.mark.parametrize("before", [DELTA_INCLUDED - 1, DELTA_INCLUDED])
def test_statements_of_the_versions_before_verify_as_they_are(
    releases: Path, facts: dict[str, Any], tmp_path: Path, before: int
) -> None:
    checked = checked_lines(terms_of(facts["release"], before), before)
    older = as_of({**facts, "release": {**facts["release"], "checked": [*checked]}}, before)
    assert "No released label was made from the data" in " ".join(checked)
    assert "What becomes which label was not decided by the data" in " ".join(facts["release"]["checked"])
    page = statement_page(older)
    assert "A value that its hierarchy does not list becomes *" in page
    included = before >= DELTA_INCLUDED
    assert ("0.3334" in page) is not included and ("δ included" in page) is included
    assert ("δ included" in stated_claim(older).plain) is included
    write_anew(tmp_path / PAGE, page)
    write_anew(tmp_path / NOTE, json.dumps(older))
    (tmp_path / FILE).write_bytes((releases / "thirds" / FILE).read_bytes())
    assert verify(tmp_path, PAGE) == 0 and verify(tmp_path, NOTE) == 0
    other = page.replace(", δ included", "") if included else page.replace("73.11 %", "73.11 %, δ included")
    write_anew(tmp_path / PAGE, other)
    assert verify(tmp_path, PAGE) == 1


def test_parts_that_are_composed_otherwise_are_each_rounded_up() -> None:
    """By optimal composition parts may be more than the whole: then no digits bring them below it."""
    assert parts_up([0.71234567, 0.71234567], 1) == [rounded_up(0.71234567)] * 2
    assert parts_up([], 1) == []


def test_no_part_is_told_below_what_it_is() -> None:
    """Twelve digits of a third are less than a third."""
    for third in (Fraction(1, 3), 0.3333333333333333):
        assert parts_up([third] * 3, 1) == ["1/3"] * 3
        assert parts_up([third] * 3, 1, fractions=False) == ["0.3334"] * 3
    assert parts_up([0.5, 0.333333333333, 0.166666666666], 1) == ["0.5", "1/3", "1/6"]
    assert parts_up([0.6666666666666, 1.3333333333333], 2) == ["2/3", "4/3"]
    # A third that is above a third by less than anybody reads is still not told as a third.
    assert parts_up([0.33333333333334, 0.3333, 0.3333], 1) == ["0.3334", "0.3333", "0.3333"]
    assert parts_up([0.1 + 0.2, 0.12345, 0.12345], 0.5469) == ["0.3001", "0.1235", "0.1235"]


def test_a_plan_without_a_file_says_what_its_steps_spend() -> None:
    recipe = TrimRecipe(
        (ColumnPlan("age", Treatment.GENERALISE, 0),),
        tuple(TrimStep({"age": level}, step.epsilon, step.delta) for level, step in enumerate(THIRDS.steps)),
    )
    assert sum(printed(making_of(trimming_of(recipe)), "ε")) <= 1


def test_the_command_line_says_it_alike(quiet: Callable[[], str]) -> None:
    from workbench.cli.main import main

    assert main(["guarantee", "--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--shares", "1,1,1"]) == 0
    said = quiet()
    found = re.findall(r"Step \d: ε = (\S+), δ = (\S+);", said)
    assert len(found) == 3
    assert found[0] == ("1/3", "1e-5/3")
    assert sum(amount(one) for one, _ in found) <= 1 and sum(amount(one) for _, one in found) <= Fraction("1e-5")


_NO_NAME = "is stated as the engine, and is the name of none."


@pytest.mark.parametrize(
    ("engine", "why"),
    [
        *((one, _NO_NAME) for one in ("memory. The authority has checked it", "memory\n", "mem\u202eory")),
        (7, "“release.engine” is “7”, and it is a text in notes of this program."),
    ],
)
def test_nothing_is_told_in_the_place_of_the_engine(facts: dict[str, Any], engine: object, why: str) -> None:
    assert not list(malformed(facts)) and facts["release"]["engine"] == "memory"
    found = list(malformed({**facts, "release": {**facts["release"], "engine": engine}}))
    assert len(found) == 1 and found[0].endswith(why)
