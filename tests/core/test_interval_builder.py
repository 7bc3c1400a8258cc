"""The builder of intervals: its exact tables, its ends, and what lies beyond them."""

from __future__ import annotations

import pytest

from tests.core.building_by_hand import BASE, DECIMAL, WHOLE, built, levels, table
from workbench.core.building import build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.level_functions import UNDER
from workbench.core.schema import ColumnSpec, Format, Kind


def test_intervals_join_level_by_level() -> None:
    found = built("intervals", "25 3 -1 10", {}, {"intervals": BASE, "levels": levels("interval", "interval")}, DECIMAL)
    assert table(found) == [
        "-1;[-10, 0[;[-20, 0[;*",
        "3;[0, 10[;[0, 20[;*",
        "10;[10, 20[;[0, 20[;*",
        "25;[20, 30[;[20, 40[;*",
    ]


def test_interval_edges_are_the_decimals_that_were_typed() -> None:
    values = [f"{n / 10:.1f}" for n in range(-30, 31)]
    found = built("intervals", values, {"top": False}, {"intervals": [{"from": 0, "to": 0.1}]}, DECIMAL)
    for value, label in found.rows():
        low, high = label.strip("[").split(", ")
        assert float(low) == float(value) < float(high)


def test_the_closed_end_decides_where_an_edge_belongs() -> None:
    parameters = {"closed": "high", "top": False}
    assert table(built("intervals", "0 10 11", parameters, {"intervals": BASE}, DECIMAL)) == [
        "0;]-10, 0]",
        "10;]0, 10]",
        "11;]10, 20]",
    ]


def test_low_and_high_values_share_a_label_and_the_label_next_to_them_stops_at_the_bound() -> None:
    details = {
        "intervals": BASE,
        "levels": levels("interval", "interval"),
        "lowest": {"coding": 5},
        "highest": {"coding": 25, "label": "much"},
    }
    assert table(built("intervals", "4 5 24 25", {"top": False}, details, DECIMAL)) == [
        "4;<5;<5",
        "5;[5, 10[;[5, 20[",
        "24;[20, 25[;[20, 25[",
        "25;much;much",
    ]


def test_intervals_of_unequal_width_without_repetition_are_open_at_both_ends() -> None:
    details = {
        "intervals": [{"from": 18, "to": 25}, {"from": 25, "to": 65}],
        "levels": [{"function": "interval", "labels": ["young", None]}],
    }
    assert table(built("intervals", "17 18 30 65", {"repeat": False, "top": False}, details, DECIMAL)) == [
        "17;<18",
        "18;young",
        "30;[25, 65[",
        "65;≥65",
    ]


def test_a_pattern_of_unequal_intervals_and_groups_repeats_from_its_start() -> None:
    details = {
        "intervals": [{"from": 0, "to": 1}, {"from": 1, "to": 3}],
        "levels": [{"function": "interval"}, {"group": [1, 2], "function": "interval"}],
    }
    assert table(built("intervals", "0 2 3 4 -1", {"top": False}, details, DECIMAL)) == [
        "-1;[-2, 0[;[-3, 0[",
        "0;[0, 1[;[0, 1[",
        "2;[1, 3[;[1, 4[",
        "3;[3, 4[;[1, 4[",
        "4;[4, 6[;[4, 6[",
    ]


@pytest.mark.parametrize(
    ("function", "whole", "label"),
    [
        ("bounds", True, "10-19"),
        ("bounds", False, "10-20"),
        ("mean", True, "14.5"),
        ("mean", False, "15"),
        ("midpoint", False, "15"),
        ("median", True, "14.5"),
        ("geometric-mean", False, "14.14"),
        ("minimum", True, "10"),
        ("maximum", True, "19"),
        ("set", True, "{10, 11, 12, 13, 14, 15, 16, 17, 18, 19}"),
        ("pattern", False, "10 up to 20"),
        ("constant", False, "some"),
    ],
)
def test_the_functions_of_an_interval_follow_from_its_ends(function: str, whole: bool, label: str) -> None:
    text = {"pattern": "{low} up to {high}", "constant": "some"}.get(function, "")
    entry = {"function": function, "text": text, "decimals": 2}
    found = built("intervals", "12", {"whole": whole}, {"intervals": BASE, "levels": [entry]}, WHOLE)
    assert table(found) == [f"12;{label};*"]


def test_labels_of_the_datas_values_make_intervals_derived() -> None:
    entry = {"function": "mean", "of": "data"}
    found = built("intervals", "1 2 6 12", {}, {"intervals": BASE, "levels": [entry]}, DECIMAL)
    assert [row[1] for row in found.rows()] == ["3", "3", "3", "12"]
    assert found.provenance is Provenance.DERIVED


def test_numbers_are_written_as_the_column_writes_them() -> None:
    column = ColumnSpec("", Kind.DECIMAL, format=Format(",", "."))
    found = built("intervals", "0,2 1.000,7", {"top": False}, {"intervals": [{"from": 0, "to": 0.5}]}, column)
    assert table(found) == ["0,2;[0; 0,5[", "1.000,7;[1000,5; 1001["]


def test_intervals_from_the_smallest_to_the_largest_value_cover_both() -> None:
    for closed in ("low", "high"):
        for whole in (True, False):
            found = built(
                "intervals", "3 7 23", {"source": "observed", "number": 4, "closed": closed, "whole": whole}, {}, WHOLE
            )
            assert not any(label[0] in "<≤≥>" for label in found.labels[1])
            assert found.provenance is Provenance.DERIVED


def test_a_value_beyond_an_error_bound_is_named() -> None:
    with pytest.raises(WorkbenchError, match="“200”") as caught:
        built("intervals", "3 200", {}, {"intervals": BASE, "highest": {"error": 125}}, WHOLE)
    assert caught.value.field == "highest"


def test_missing_and_other_values() -> None:
    details = {"intervals": BASE}
    left = built("intervals", ["3", "", "x"], {}, details, WHOLE)
    assert table(left) == ["3;[0, 10[;*", ";;*"]
    assert left.uncovered(["x", "3"]) == ["x"]
    every = built("intervals", ["3", "", "x"], {"unlisted": "any", "missing_label": "none"}, details, WHOLE)
    assert table(every) == ["3;[0, 10[;*", ";none;*", "x;*;*"]


def test_all_whole_numbers_within_bounds_can_be_listed() -> None:
    details = {"intervals": BASE, "lowest": {"error": 8}, "highest": {"error": 11}}
    found = built("intervals", "", {"whole": True, "list_all": True}, details, WHOLE)
    assert found.values == ("8", "9", "10", "11")


CLOSED = {"coding": 100, "included": True}


@pytest.mark.parametrize("repeat", [False, True])
@pytest.mark.parametrize(
    ("whole", "label", "last"),
    [
        (True, {"function": "bounds"}, ["90-100", "80-100"]),
        (False, {"function": "pattern", "text": UNDER}, ["90 to 100", "80 to 100"]),
        (False, {"function": "interval"}, ["[90, 100]", "[80, 100]"]),
        (True, {"function": "interval"}, ["[90, 100]", "[80, 100]"]),
    ],
)
def test_a_closed_end_is_in_the_last_interval_at_every_level(
    label: dict[str, str], last: list[str], *, whole: bool, repeat: bool
) -> None:
    base = [{"from": low, "to": low + 10} for low in range(0, 10 if repeat else 100, 10)]
    details = {"intervals": base, "levels": [{"group": 1, **label}, {"group": 2, **label}], "highest": CLOSED}
    plain = specification("intervals", {"whole": whole, "repeat": repeat}, details)
    column = ColumnSpec("charge", Kind.INTEGER if whole else Kind.DECIMAL)
    made = build_hierarchy(plain, ["90", "100", "101", "120"], None, column)
    of = {row[0]: list(row[1:3]) for row in made.rows()}
    assert of["90"] == of["100"] == last and of["101"] == of["120"] == [">100", ">100"]
    alone = build_hierarchy(plain, ["100"], None, column)
    assert list(alone.rows()[0][1:3]) == last, "whatever other values occur"


def test_without_the_entry_an_upper_end_means_what_it_did() -> None:
    details = {"intervals": [{"from": 0, "to": 10}], "levels": [{"group": 1, "function": "bounds"}]}
    for end in ({"coding": 100}, {"coding": 100, "included": False}):
        plain = specification("intervals", {"whole": True}, {**details, "highest": end})
        made = build_hierarchy(plain, ["99", "100"], None, ColumnSpec("charge", Kind.INTEGER))
        assert [row[1] for row in made.rows()] == ["90-99", "≥100"]


@pytest.mark.parametrize(("side", "end"), [("highest", {"coding": 9, "included": 1}), ("lowest", CLOSED)])
def test_an_entry_that_means_nothing_is_refused(side: str, end: dict[str, object]) -> None:
    plain = specification("intervals", None, {"intervals": [{"from": 0, "to": 10}], side: end})
    with pytest.raises(WorkbenchError, match="included"):
        build_hierarchy(plain, ["1"], None, ColumnSpec("charge", Kind.INTEGER))
