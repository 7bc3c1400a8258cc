"""The example of a filter: about a quantity, from what is declared, and one that can be read."""

from __future__ import annotations

import pytest

from workbench.core.filter_example import example_filter, text_example
from workbench.core.filtering import parse
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Role, Schema

CODES = (
    ColumnSpec("patient id", Kind.INTEGER),
    ColumnSpec("number", Kind.INTEGER, Role.IDENTIFYING),
    ColumnSpec("who", Kind.INTEGER),
    ColumnSpec("Postcode", Kind.INTEGER),
)
TOWN = ColumnSpec("town", Kind.CATEGORY, domain=("Aar'au", "Bern"))


@pytest.mark.parametrize(
    ("columns", "wanted"),
    [
        ((ColumnSpec("Salary", Kind.MONEY),), "Salary > 0"),
        ((ColumnSpec("Score", Kind.DECIMAL), ColumnSpec("Salary", Kind.MONEY, bounds=(0, 120_000))), "Salary >= 60000"),
        ((ColumnSpec("Salary", Kind.MONEY, bounds=(0, 9)), ColumnSpec("Age", Kind.INTEGER)), "Age >= 18"),
        ((TOWN, ColumnSpec("year of birth", Kind.INTEGER)), '"year of birth" >= 2000'),
        ((TOWN, ColumnSpec("born", Kind.DATE)), "born >= 2000-01-01"),
        ((TOWN,), "town = 'Aar''au'"),
        ((), "Postcode is not missing"),
    ],
)
def test_it_compares_what_is_sensible_to_compare(columns: tuple[ColumnSpec, ...], wanted: str) -> None:
    schema = Schema((*CODES, *columns), unit=PrivacyUnit(person_column="who"))
    found = example_filter(schema)
    assert found.replace("`", '"') == wanted
    parse(found, schema)


def test_nothing_that_was_read_from_the_data_is_in_it() -> None:
    read = ColumnSpec("Salary", Kind.MONEY, bounds=(17, 4711), observed=frozenset({"bounds"}))
    listed = ColumnSpec("town", Kind.CATEGORY, domain=("Bern",), observed=frozenset({"domain"}))
    assert example_filter(Schema((listed, read))) == "Salary > 0"
    assert example_filter(Schema((listed,))) == "town is not missing"
    assert example_filter(Schema(())) == "age >= 18"
    assert text_example(Schema((listed, read))) == "town = 'value'"


def test_a_text_is_shown_in_its_quotes_and_one_that_is_declared_goes_first() -> None:
    disease = ColumnSpec("main diagnosis", Kind.CATEGORY)
    schema = Schema((*CODES, ColumnSpec("name", Kind.TEXT, Role.IDENTIFYING), disease, TOWN))
    assert text_example(schema) == "town = 'Aar''au'"
    assert text_example(Schema((*CODES, disease))) == "\"main diagnosis\" = 'value'"
    parse(text_example(Schema((*CODES, disease))), schema)
    assert text_example(Schema(CODES)) == text_example(Schema(())) == ""
