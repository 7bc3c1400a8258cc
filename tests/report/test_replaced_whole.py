"""Where rows are counted before those of a person are limited, a person is replaced by one person alone."""

from __future__ import annotations

import pytest

from workbench.anonymise.terms import ADD_REMOVE, REPLACE_PERSON, REPLACE_ROWS, REPLACED_WHOLE
from workbench.report.statement_parts import meaning, neighbours


@pytest.mark.parametrize("rows", [1, 3])
def test_rows_of_one_person_are_not_replaced_by_those_of_several(rows: int) -> None:
    """200 rows of one person show at most `rows` of them; those of 200 persons could all be in the file."""
    limited = meaning(1.0, 1e-5, rows, REPLACED_WHOLE, REPLACE_ROWS, limited=True)
    most = {1: "one takes part", 3: "3 take part"}[rows]
    assert (
        f"If any one person were replaced by another one with as many rows, of which at most {most}, every" in limited
    )
    assert "the rows of any one person" in meaning(1.0, 1e-5, rows, REPLACED_WHOLE, REPLACE_ROWS), "nobody has more"
    assert "stood as many others" in meaning(1.0, 1e-5, rows, REPLACED_WHOLE - 1, REPLACE_ROWS, limited=True)


@pytest.mark.parametrize("about", [ADD_REMOVE, REPLACE_PERSON])
def test_where_rows_are_not_known_a_limit_changes_no_word(about: str) -> None:
    for version in (REPLACED_WHOLE - 1, REPLACED_WHOLE):
        found = {meaning(1.0, 1e-5, 2, version, about, limited=limited) for limited in (False, True)}
        assert len(found) == 1


@pytest.mark.parametrize("known", ["", "site"])
def test_the_tables_that_must_look_alike_are_told_with_the_limit(known: str) -> None:
    release = {
        "rows_per_person": 1,
        "promised": {"neighbours": REPLACE_ROWS},
        "given": None,
        "claim": True,
        "terms": {"limited_by": known},
    }
    told = neighbours(release, REPLACED_WHOLE)
    if known:
        assert (
            told == "differ by replacing one person by another one with as many rows, of which at most one takes part"
        )
    else:
        assert told == "differ by replacing the rows of one person by as many others"
