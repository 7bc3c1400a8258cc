"""What a hierarchy says about itself, and how one goes from one form into another."""

from __future__ import annotations

import json

import numpy as np
import pytest

from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.hierarchy_checks import as_categories, check, reopened
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.table import Column
from workbench.core.trees import faults

ROWS = [("a", "g", "*"), ("b", "g", "*"), ("c", "h", "*")]
COLUMN = Column.from_texts("letter", list("aabcd"))


def test_a_check_names_what_is_missing_and_how_large_groups_are() -> None:
    found = check(Hierarchy.from_rows(ROWS, origin="by hand"), COLUMN).as_dict()
    assert json.loads(json.dumps(found)) == {
        "levels": 2,
        "values": 3,
        "groups": [3, 2, 1],
        "rows": 5,
        "uncovered": ["d"],
        "uncovered_rows": 1,
        "smallest_groups": [1, 1, 4],
        "duplicates": [],
        "nested": True,
        "not_nested": [],
        "provenance": "public",
        "origin": "by hand",
        "how_public": "",
        "misplaced": [],
    }


def test_a_check_without_data_counts_no_rows() -> None:
    found = check(Hierarchy.from_rows(ROWS))
    assert (found.rows, found.uncovered_rows, found.smallest_groups) == (None, None, None)


def test_rows_that_are_no_hierarchy_yet_are_described_value_by_value() -> None:
    found = faults([*ROWS, ("a", "h", "*"), ("d", "g", "other"), ("e",)])
    assert found.duplicates == ("a",) and found.uneven
    assert [(split.level, split.group) for split in found.splits] == [(2, "g")]
    ((_, most), (label, torn)) = found.splits[0].parts
    assert (label, torn) == ("other", ("d",)) and "d" not in most


def test_a_derived_hierarchy_says_how_it_could_be_public() -> None:
    column = ColumnSpec("", Kind.INTEGER)
    built = build_hierarchy(specification("order", {"order": "number"}), ["1", "2"], None, column)
    assert "domain" in check(built).how_public
    assert check(Hierarchy.from_rows(ROWS, provenance=Provenance.DERIVED)).how_public


@pytest.mark.parametrize("provenance", list(Provenance))
def test_an_imported_hierarchy_opens_as_categories_with_the_same_meaning(provenance: Provenance) -> None:
    imported = Hierarchy.from_rows(ROWS, provenance=provenance)
    plain = reopened(imported)
    assert plain["builder"] == "categories"
    again = build_hierarchy(plain)
    assert (again.rows(), again.provenance) == (imported.rows(), provenance)


def test_a_built_hierarchy_opens_in_its_builder_and_can_go_on_as_categories() -> None:
    column = ColumnSpec("", Kind.INTEGER)
    details = {"intervals": [{"from": 0, "to": 10}]}
    built = build_hierarchy(specification("intervals", {}, details), ["5", "12"], None, column)
    assert reopened(built)["builder"] == "intervals"
    assert build_hierarchy(as_categories(built)).rows() == built.rows()


def test_values_without_levels_can_be_reopened() -> None:
    plain = reopened(Hierarchy.identity(["a", "b"]))
    assert build_hierarchy(plain).rows() == [("a",), ("b",)]


def test_from_levels_says_the_same_as_from_rows() -> None:
    quick = Hierarchy.from_levels(
        "abc", [(np.array([1, 1, 0]), ["h", "g", "unused"]), (np.array([0, 1, 1]), ["*", "*"])]
    )
    slow = Hierarchy.from_rows(ROWS)
    assert (quick.values, quick.labels) == (slow.values, slow.labels)
    assert all(np.array_equal(a, b) for a, b in zip(quick.maps, slow.maps, strict=True))
    with pytest.raises(WorkbenchError, match="“a” a second time"):
        Hierarchy.from_levels("aba", [])
    with pytest.raises(WorkbenchError, match="leaves the others of “g”"):
        Hierarchy.from_levels("ab", [(np.array([0, 0]), ["g"]), (np.array([0, 1]), ["x", "y"])])
    with pytest.raises(WorkbenchError, match="empty"):
        Hierarchy.from_levels("", [])
