"""What a specification would make of a column."""

from __future__ import annotations

import numpy as np

from workbench.core.building import specification
from workbench.core.hierarchy_preview import ColumnMaterial, build_preview
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.specification_edits import covered, listed, with_details, with_parameter, without_repeats
from workbench.core.table import Column

TOWN = ColumnSpec("town", Kind.CATEGORY)


def source(*values: str) -> ColumnMaterial:
    texts = tuple(dict.fromkeys(values))
    codes = np.array([texts.index(value) for value in values], dtype=np.int64)
    return ColumnMaterial(Column(TOWN.name, codes, texts), TOWN)


def test_values_are_named_by_frequency_and_in_a_natural_order() -> None:
    made = source("a10", "a2", "a10", "b", "a10", "b")
    assert made.by_frequency() == ("a10", "b", "a2")
    assert made.natural_order() == ("a2", "a10", "b")


def test_faults_are_told_and_not_raised() -> None:
    plain = specification("table", {"declared": False}, {"rows": [["a", "x"], ["a", "y"]]}, column=TOWN)
    shown = build_preview(plain, source("a", "b"), SILENT)
    assert shown.hierarchy is None and shown.error is not None and shown.faults is not None


def test_a_group_may_wait_for_its_values() -> None:
    tree = [{"label": "empty", "children": []}, {"label": "both", "children": ["a", "b", "a"]}]
    plain = specification("categories", {"declared": False}, {"tree": tree}, column=TOWN)
    torn = build_preview(plain, source("a", "b"), SILENT)
    assert torn.repeated == ("a",)
    whole = build_preview(without_repeats(plain), source("a", "b"), SILENT)
    assert whole.hierarchy is not None and whole.repeated == () and whole.coverage is not None


def test_values_that_are_added_by_a_click_came_from_the_data() -> None:
    plain = specification("categories", {"declared": True}, {"tree": ["a"]}, column=TOWN)
    more = listed(plain, ["b"])
    assert more["details"]["tree"] == ["a", "b"] and more["parameters"]["declared"] is False
    assert plain["details"]["tree"] == ["a"] and plain["parameters"]["declared"] is True


def test_edits_give_a_new_specification() -> None:
    plain = specification("intervals", {}, {"intervals": [{"from": 0, "to": 10}]}, column=TOWN)
    assert covered(plain)["parameters"]["unlisted"] == "any"
    assert with_parameter(plain, "top", False)["parameters"]["top"] is False
    assert "intervals" not in with_details(plain, intervals=None)["details"]
    assert plain["parameters"]["top"] is True
