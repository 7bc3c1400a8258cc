"""Labels that are left out between values that stand in for those of the data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workbench.core.building import build_hierarchy, specification
from workbench.core.public_values import PublicView, ShownValues, public_view
from workbench.core.schema import ColumnSpec, Format, Kind

SALARY = ColumnSpec("salary", Kind.INTEGER, bounds=(0, 200_000))
BORN = ColumnSpec("born", Kind.DATE, format=Format(pattern="%d.%m.%Y"))
MONTHS = specification("dates", {"unlisted": "any"}, {"levels": [{"unit": "month"}, {"unit": "decade"}]})


def intervals(width: int) -> dict[str, Any]:
    return specification("intervals", {"unlisted": "any"}, {"intervals": [{"from": 0, "to": width}]})


def view(plain: dict[str, Any], column: ColumnSpec, *values: str) -> PublicView:
    found = public_view(build_hierarchy(plain, values, None, column), column)
    assert found is not None
    return found


def lines(found: PublicView, level: int = 1) -> list[str]:
    """Labels in their order, with … where some are left out."""
    after = found.gaps[level]
    labels = enumerate(found.hierarchy.labels[level])
    return [line for place, label in labels for line in ((label, "…") if place in after else (label,))]


def test_intervals_between_two_that_are_shown_are_not_passed_over() -> None:
    found = view(intervals(1000), SALARY, "52000")
    assert found.values is ShownValues.BOUNDED
    assert lines(found)[:5] == ["[0, 1000[", "…", "[2000, 3000[", "…", "[4000, 5000["]
    narrow = view(intervals(10), SALARY, "52000")
    assert lines(narrow)[:4] == ["[0, 10[", "…", "[2000, 2010[", "…"], "however many are left out"


def test_where_none_is_left_out_nothing_stands_between() -> None:
    found = view(intervals(50_000), SALARY, "52000")
    assert "…" not in lines(found) and len(lines(found)) > 4
    assert not found.gaps[found.hierarchy.height], "of all in one there are no others"


def test_days_have_months_between_and_decades_have_none() -> None:
    found = view(MONTHS, BORN, "01.02.1990")
    assert lines(found)[1] == "…" and not found.gaps[2]


def test_gaps_follow_from_what_is_declared_and_no_row_decides_about_them() -> None:
    one, other = (view(intervals(1000), SALARY, *values) for values in (("52000",), ("2500", "199999")))
    assert one.gaps == other.gaps
    wider = view(intervals(1000), replace(SALARY, bounds=(0, 400_000)), "52000")
    assert wider.gaps != one.gaps


def test_of_words_and_of_a_list_nothing_lies_between() -> None:
    words = view(specification("spelling", {}), ColumnSpec("ward"), "A")
    assert not any(words.gaps)
    listed = replace(SALARY, bounds=None, domain=("1", "5000"))
    assert view(intervals(1000), listed, "1").gaps == ()
