"""Values that differ in case and spaces only become one, by a rule that needs no list of values."""

from __future__ import annotations

from workbench.core.builder_suggestions import first_specification, public_specification
from workbench.core.building import build_hierarchy, specification
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.level_words import can_be_stated, level_words, stated_words
from workbench.core.schema import ColumnSpec, Kind

JOB = ColumnSpec("job", Kind.CATEGORY)


def built(values: tuple[str, ...], letters: str = "lower") -> Hierarchy:
    return build_hierarchy(specification("spelling", {"letters": letters}), values, column=JOB)


def test_spellings_are_joined_and_then_nothing_is_left() -> None:
    made = built(("cook", "COOK", " Cook", "head  cook", ""))
    assert {row[0]: tuple(row[1:]) for row in made.rows()} == {
        "cook": ("cook", "*"),
        "COOK": ("cook", "*"),
        " Cook": ("cook", "*"),
        "head  cook": ("head cook", "*"),
        "": ("", "*"),
    }
    assert made.provenance is Provenance.PUBLIC


def test_no_value_decides_what_becomes_of_another() -> None:
    values = ("cook", "COOK", "Nurse")
    for letters in ("kept", "lower", "upper"):
        whole = {row[0]: row for row in built(values, letters).rows()}
        for left_out in values:
            fewer = built(tuple(value for value in values if value != left_out), letters)
            assert {row[0]: row for row in fewer.rows()}.items() <= whole.items()


def test_of_a_public_list_each_value_is_written_as_the_list_has_it_and_others_as_they_are() -> None:
    values = ("COOK", " cook ", "Cook", "nurse", "It", "chef", "Maße")
    rule = specification("spelling", {"letters": "kept"}, {"listed": ["Cook", " Head  cook", "IT", "it", "Masse"]})
    made = build_hierarchy(rule, values, column=JOB)
    spelt = {row[0]: row[1] for row in made.rows()}
    listed_twice = {"It": "It"}  # of “IT” and “it” neither is the one
    others = {"nurse": "nurse", "chef": "chef", "Maße": "Maße"}
    assert spelt == {"COOK": "Cook", " cook ": "Cook", "Cook": "Cook", **others, **listed_twice}
    assert made.provenance is Provenance.PUBLIC
    assert stated_words(made, 1) == "spelt as listed" and can_be_stated("spelt as listed", 1)
    for left_out in values:
        fewer = build_hierarchy(rule, tuple(value for value in values if value != left_out), column=JOB)
        assert {row[0]: row[1] for row in fewer.rows()}.items() <= spelt.items(), "no value decides of another"


def test_what_is_suggested_keeps_every_letter_as_it_is_written() -> None:
    values = ("<=50K", " >50K", "HS-grad", "J45", "cook", "Cook")
    made = build_hierarchy(public_specification(JOB), values, column=JOB)
    assert {row[0]: row[1] for row in made.rows()} == {value: value.strip() for value in values}
    assert made.provenance is Provenance.PUBLIC and stated_words(made, 1) == "spaces tidied"
    assert can_be_stated("spaces tidied", 1) and can_be_stated("as written", 1), "as files that were saved say it"
    fewer = build_hierarchy(public_specification(JOB), values[:2], column=JOB)
    assert level_words(made, 1) == level_words(fewer, 1) == "spaces tidied", "how many values occur is not told"


def test_a_specification_that_says_nothing_of_letters_means_lower_case() -> None:
    assert specification("spelling", {})["parameters"]["letters"] == "lower", "as files that were saved had it"


def test_letters_may_be_large() -> None:
    plain = first_specification("spelling", JOB)
    plain["parameters"]["letters"] = "upper"
    assert build_hierarchy(plain, ("a", "A"), column=JOB).labels[1] == ("A",)


def test_categories_without_declared_values_get_it() -> None:
    assert public_specification(JOB)["builder"] == "spelling"
