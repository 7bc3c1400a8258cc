"""What a statement says of a value of a person, of rows that are people, and of how many rows were expected."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.forging import FILE, NOTE, PAGE, as_of, released, verify, write_anew
from workbench.anonymise.note_versions import COUNTS_AT_MOST, VALUES_BOUNDED
from workbench.anonymise.terms import ADD_REMOVE, REPLACE_BY_ONE, REPLACE_PERSON, REPLACE_ROWS
from workbench.core.release_spending import for_replacing_in_groups
from workbench.core.trim_law import TrimLaw, trim_law
from workbench.report.promise_meaning import of_a_value, rows_are_people
from workbench.report.stated_claim import stated_claim
from workbench.report.statement import statement_page
from workbench.report.well_formed import malformed

TRIM = ("--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--hierarchy", "age={public}")
BALANCED = (*TRIM, "--steps", "balanced")
CASES = {
    "alone": (*BALANCED, "--expect", "900"),
    "known": (*BALANCED, "--expect", "900", "--known", "people"),
    "unexpected": (*BALANCED, "--known", "people"),
    "filtered": (*BALANCED, "--expect", "600", "--known", "people", "--where", "age < 50"),
    "of people": (*BALANCED, "--expect", "900", "--known", "people", "--rows-per-person", "2"),
    "of rows": (*BALANCED, "--expect", "900", "--known", "rows", "--rows-per-person", "2"),
    "drawn": (*TRIM, "--rows-per-person", "2", "--level", "age=1"),
    "void": ("--mechanism", "trim", "--epsilon", "1", "--delta", "1e-5", "--hierarchy", "age={derived}"),
}
PEOPLE = "where this page counts rows, it counts people"
VALUE = "such as a salary or a diagnosis"


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return released(tmp_path_factory.mktemp("values"), CASES, lambda i: 20 + i % 40)


def facts_of(releases: Path, case: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((releases / case / NOTE).read_text("utf-8"))
    return found


def test_a_value_is_bounded_by_the_factor_that_is_promised(releases: Path) -> None:
    page = (releases / "alone" / PAGE).read_text("utf-8")
    assert (
        VALUE in page
        and "if that person were not in the table" in page
        and "counts ε twice, and δ 1 + e^ε times" in page
    )
    known = (releases / "known" / PAGE).read_text("utf-8")
    assert VALUE in known and "if something else stood in its place" in known
    assert "counts ε twice" not in known, "what is promised there is of two values as it is"
    assert VALUE not in (releases / "void" / PAGE).read_text("utf-8"), "nothing is promised"
    assert VALUE in stated_claim(facts_of(releases, "alone")).meaning, "whoever verifies is told"
    for about in (REPLACE_PERSON, REPLACE_ROWS, REPLACE_BY_ONE):
        assert "stood in its place" in of_a_value({"epsilon": 1.0, "delta": 0, "neighbours": about}, VALUES_BOUNDED)
    law = {"epsilon": 1.0, "delta": 1e-5, "neighbours": ADD_REMOVE}
    assert not of_a_value(law, VALUES_BOUNDED - 1) and not of_a_value(law | {"epsilon": 20.0}, VALUES_BOUNDED)


def excess(first: list[Fraction], second: list[Fraction], factor: Fraction) -> Fraction:
    """The largest δ by which a set of outputs is likelier than `factor` allows."""
    return sum((max(Fraction(0), one - factor * other) for one, other in zip(first, second, strict=True)), Fraction(0))


def counts(law: TrimLaw, rows: int, most: int) -> list[Fraction]:
    """The probability of each released count of a group."""
    found = [Fraction(0)] * (most + 1)
    for lost, weight in enumerate(law.weights):
        found[max(0, rows - lost)] += Fraction(weight, law.total)
    return found


def test_with_or_without_somebody_a_conclusion_has_that_factor_and_between_two_values_its_square() -> None:
    """A value decides in which of two groups a person is: 1 more row there, or in the other one, or in neither."""
    epsilon, delta = Fraction(1, 2), Fraction(1, 100)
    law = trim_law(epsilon, delta)
    factor = Fraction(1648721270700129, 10**15)  # e^(1/2), rounded up
    twice, most_delta = for_replacing_in_groups(epsilon, delta)
    assert twice == 1
    most = law.always_survive + 2

    def files(first: int, second: int) -> list[Fraction]:
        return [one * other for one in counts(law, first, most) for other in counts(law, second, most)]

    for rows in (0, 1, law.half_survive, law.always_survive):
        absent, value, other = files(rows, rows), files(rows + 1, rows), files(rows, rows + 1)
        for one in (value, other):
            assert max(excess(one, absent, factor), excess(absent, one, factor)) <= delta
        assert excess(value, other, factor**2) <= min(most_delta, (1 + factor) * delta)
    rows = law.always_survive
    assert excess(files(rows + 1, rows), files(rows, rows + 1), factor) > most_delta, "the factor alone is too little"


def test_rows_are_said_to_be_people_where_everybody_has_one(releases: Path) -> None:
    for case, expected in (("alone", True), ("known", True), ("drawn", False), ("void", False)):
        assert (PEOPLE in (releases / case / PAGE).read_text("utf-8")) is expected, case
        assert bool(rows_are_people(facts_of(releases, case)["release"], VALUES_BOUNDED)) is expected
        assert not rows_are_people(facts_of(releases, case)["release"], VALUES_BOUNDED - 1)
    assert "of people or rows, in the table" in (releases / "alone" / PAGE).read_text("utf-8")


def test_a_person_of_whom_one_row_takes_part_may_have_others_in_the_table(releases: Path) -> None:
    release = facts_of(releases, "alone")["release"]
    (before,), (now,) = (rows_are_people(release, version) for version in (COUNTS_AT_MOST - 1, COUNTS_AT_MOST))
    assert before.startswith("Everybody has at most one row in the table") and PEOPLE in before
    assert now.startswith("At most one row of everybody takes part") and PEOPLE in now


def test_how_many_rows_were_expected_is_told_only_where_others_may_know_it(releases: Path) -> None:
    told = {"known", "of rows"}
    for case in CASES.keys() - {"void"}:
        expected = case in told
        terms, page = facts_of(releases, case)["release"]["terms"], (releases / case / PAGE).read_text("utf-8")
        assert ("expected_rows" in terms) is expected, case
        assert ("900, as the publisher said before the draw" in page) is expected
        assert verify(releases / case, PAGE) == 0 and verify(releases / case, NOTE) == 0


@pytest.mark.parametrize("case", ["alone", "known", "drawn"])
def test_a_page_of_the_version_before_is_as_it_was(releases: Path, case: str, tmp_path: Path) -> None:
    older = as_of(facts_of(releases, case), VALUES_BOUNDED - 1)
    older["release"]["terms"].pop("expected_rows", None)
    page = statement_page(older)
    assert VALUE not in page and PEOPLE not in page and "as the publisher said before" not in page
    assert "how many rows the table has, or some group of it" in page or case == "known"
    write_anew(tmp_path / PAGE, page)
    write_anew(tmp_path / NOTE, json.dumps(older))
    (tmp_path / FILE).write_bytes((releases / case / FILE).read_bytes())
    assert verify(tmp_path, PAGE) == 0 and verify(tmp_path, NOTE) == 0


def test_no_other_number_passes_for_it(releases: Path) -> None:
    def refused(case: str, change: Callable[[dict[str, Any]], object]) -> bool:
        facts = copy.deepcopy(facts_of(releases, case))
        change(facts)
        return bool(malformed(facts))

    assert not refused("known", lambda _: None)

    def stating(number: object) -> Callable[[dict[str, Any]], object]:
        return lambda facts: facts["release"]["terms"].update(expected_rows=number)

    for wrong in (0, -1, True, 900.0, "900", None, [900]):
        assert refused("known", stating(wrong)), wrong
    assert refused("alone", stating(900)), "nobody is told"
    assert refused("unexpected", stating(900)), "nothing follows from it"
    assert refused("filtered", stating(600)), "how many rows a filter leaves is not known with the number of all"
    assert refused("of people", stating(900)), "nor how many rows with the number of people"
    assert refused("known", lambda f: f.update(version=VALUES_BOUNDED - 1)), "notes before hold no such thing"
