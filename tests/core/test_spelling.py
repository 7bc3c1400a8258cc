"""Values that differ in case and spaces only become one, by a rule that needs no list of values."""

from __future__ import annotations

from workbench.core.builder_suggestions import first_specification, public_specification
from workbench.core.building import build_hierarchy
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.schema import ColumnSpec, Kind

JOB = ColumnSpec("job", Kind.CATEGORY)


def built(values: tuple[str, ...]) -> Hierarchy:
    return build_hierarchy(first_specification("spelling", JOB), values, column=JOB)


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
    whole = {row[0]: row for row in built(values).rows()}
    for left_out in values:
        fewer = built(tuple(value for value in values if value != left_out))
        assert {row[0]: row for row in fewer.rows()}.items() <= whole.items()


def test_letters_may_be_large() -> None:
    plain = first_specification("spelling", JOB)
    plain["parameters"]["letters"] = "upper"
    assert build_hierarchy(plain, ("a", "A"), column=JOB).labels[1] == ("A",)


def test_categories_without_declared_values_get_it() -> None:
    assert public_specification(JOB)["builder"] == "spelling"
