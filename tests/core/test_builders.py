"""Every builder's exact tables but those of intervals, provenance, errors, and how specifications are kept."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tests.core.building_by_hand import BASE, DATE, DECIMAL, TEXT, WHOLE, built, table
from workbench.contracts.builders import made_again
from workbench.core.building import BUILDERS, assess, build_hierarchy, normalised, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.presets import pairs_of_means
from workbench.core.schema import ColumnSpec, Format, Kind


@pytest.mark.parametrize(
    ("order", "values", "expected"),
    [
        ("natural", "a10 A2 b1 a1", "a1 A2 a10 b1"),
        ("number", "10 9 -1 100", "-1 9 10 100"),
        ("date", "2024-02-01 2023-12-31", "2023-12-31 2024-02-01"),
        ("locale", "zoo École ecole Eb eg", "Eb ecole École eg zoo"),
        ("frequency", "c b a d", "b d a c"),
    ],
)
def test_orders(order: str, values: str, expected: str) -> None:
    column = {"number": DECIMAL, "date": DATE}.get(order, TEXT)
    counts = [1, 3, 2, 3] if order == "frequency" else None
    assert built("order", values, {"order": order}, {}, column, counts).values == tuple(expected.split())
    falling = built("order", values, {"order": order, "descending": True}, {}, column, counts).values
    assert falling == tuple(reversed(expected.split()))


def test_groups_of_n_and_runs_by_hand() -> None:
    details = {"levels": [{"group": [1, 3], "labels": [None, "middle"], "function": "interval"}, {"group": 2}]}
    assert table(built("order", "a b c d e", {"order": "natural"}, details)) == [
        "a;[a, a];[a, d];*",
        "b;middle;[a, d];*",
        "c;middle;[a, d];*",
        "d;middle;[a, d];*",
        "e;[e, e];[e, e];*",
    ]


@pytest.mark.parametrize(
    ("function", "labels"),
    [
        ("interval", ["[1, 2]", "[4, 9]"]),
        ("bounds", ["1-2", "4-9"]),
        ("set", ["{1, 2}", "{4, 9}"]),
        ("mean", ["1.5", "6.5"]),
        ("geometric-mean", ["1.41", "6"]),
        ("median", ["1.5", "6.5"]),
        ("minimum", ["1", "4"]),
        ("maximum", ["2", "9"]),
        ("midpoint", ["1.5", "6.5"]),
        ("prefix", ["[1, 2]", "[4, 9]"]),
        ("pattern", ["2 from 1 (no 1)", "2 from 4 (no 2)"]),
    ],
)
def test_level_functions_over_members(function: str, labels: list[str]) -> None:
    entry = {"group": 2, "function": function, "decimals": 2, "text": "{size} from {low} (no {number})"}
    found = built("order", "9 1 4 2", {"order": "number"}, {"levels": [entry]}, WHOLE)
    assert list(found.labels[1]) == labels


def test_equal_numbers_written_differently_stay_together() -> None:
    found = built(
        "order", "1 1.0 2 3", {"order": "number", "top": False}, {"levels": [{"function": "bounds"}]}, DECIMAL
    )
    assert found.groups() == (4, 2)
    assert found.maps[1].tolist() == [0, 0, 0, 1]


def test_rounding_never_joins_groups() -> None:
    entry = {"group": 2, "function": "mean", "decimals": 0}
    found = built("order", "1 1.1 1.2 1.3", {"order": "number", "top": False}, {"levels": [entry]}, DECIMAL)
    assert found.labels[1] == ("1.05", "1.25")


def test_common_beginnings_keep_apart_when_they_read_alike() -> None:
    entry = {"group": 2, "function": "prefix"}
    found = built("order", "ab ac ad ae b", {"top": False}, {"levels": [entry]})
    assert found.labels[1] == ("a*", "a* (2)", "b")


def test_means_of_dates_are_dates() -> None:
    entry = {"group": 2, "function": "mean"}
    found = built("order", "2024-01-01 2024-01-03", {"order": "date"}, {"levels": [entry]}, DATE)
    assert found.labels[1] == ("2024-01-02",)


def test_pairs_of_means_over_and_over() -> None:
    found = build_hierarchy(pairs_of_means(WHOLE, levels=3), ["9176", "5047", "6941", "8718", "100"], None, WHOLE)
    assert table(found) == [
        "100;2573.5;5201.5;*",
        "5047;2573.5;5201.5;*",
        "6941;7829.5;5201.5;*",
        "8718;7829.5;5201.5;*",
        "9176;9176;9176;*",
    ]
    assert found.provenance is Provenance.DERIVED
    assert build_hierarchy(pairs_of_means(WHOLE), ["1"], None, WHOLE).height == 7


@pytest.mark.parametrize(
    ("parameters", "rows"),
    [
        ({}, ["123;12*;1**;*", "4;4_*;4**;*"]),
        ({"side": "left"}, ["123;*23;**3;*", "4;*__;**_;*"]),
        ({"align": "right", "pad": "0"}, ["123;12*;1**;*", "4;00*;0**;*"]),
        ({"align": "right", "side": "left"}, ["123;*23;**3;*", "4;*_4;**4;*"]),
        ({"align": "none"}, ["123;12*;1**;*", "4;*;*;*"]),
        ({"align": "none", "side": "left", "mask": "x"}, ["123;x23;xx3;*", "4;x;x;*"]),
        ({"step": 2, "top": False}, ["123;1**;***", "4;4**;***"]),
        ({"levels": 1, "top": False}, ["123;12*", "4;4_*"]),
    ],
)
def test_masking(parameters: dict[str, Any], rows: list[str]) -> None:
    found = built("masking", "123 4", {"length": 3} | parameters)
    assert found.provenance is Provenance.PUBLIC
    assert table(found) == rows


def test_masking_cuts_what_is_longer_than_declared() -> None:
    assert table(built("masking", "12345", {"length": 3})) == ["12345;12*;1**;*"]
    assert built("masking", "12 1", {"length": 0}).provenance is Provenance.DERIVED


@pytest.mark.parametrize(
    ("unit", "label"),
    [
        ("second", "2024-12-30 13:05:09"),
        ("minute", "2024-12-30 13:05"),
        ("hour", "2024-12-30 13:00"),
        ("hour-of-day", "13:00"),
        ("day", "2024-12-30"),
        ("weekday", "Monday"),
        ("week", "2025-W01"),
        ("month", "2024-12"),
        ("month-of-year", "December"),
        ("quarter", "2024-Q4"),
        ("quarter-of-year", "Q4"),
        ("year", "2024"),
        ("decade", "2020-2029"),
        ("century", "2000-2099"),
        ("millennium", "2000-2999"),
        ("own", "Mon 30.12.24 #365"),
    ],
)
def test_calendar_units(unit: str, label: str) -> None:
    column = ColumnSpec("", Kind.DATETIME, format=Format(pattern="%Y-%m-%d %H:%M:%S"))
    details = {"levels": [{"unit": unit, "format": "%a %d.%m.%y #%j"}]}
    assert built("dates", ["2024-12-30 13:05:09.5"[:19]], {}, details, column).labels[1] == (label,)


def test_dates_before_1970_and_beyond_bounds() -> None:
    details = {
        "levels": [{"unit": "week"}],
        "lowest": {"coding": "1900-01-01"},
        "highest": {"coding": "2000-01-01", "label": "new"},
    }
    values = "1899-12-31 1969-12-31 1969-12-28 2000-01-01 1900-01-01"
    assert dict(row[:2] for row in built("dates", values, {}, details, DATE).rows()) == {
        "1899-12-31": "<1900-01-01",
        "1900-01-01": "1900-W01",
        "1969-12-28": "1969-W52",
        "1969-12-31": "1970-W01",
        "2000-01-01": "new",
    }


def test_times_with_a_zone_are_read_on_the_clocks_of_a_place() -> None:
    column = ColumnSpec("", Kind.DATETIME, format=Format(pattern="%Y-%m-%d %H:%M%z"))
    values = ["2024-07-01 23:30+0000", "2024-01-01 23:30+0000", "2024-01-01 22:30+0000"]
    found = built("dates", values, {"zone": "Europe/Paris", "top": False}, {"levels": [{"unit": "hour"}]}, column)
    assert [row[1] for row in found.rows()] == ["2024-01-01 23:00", "2024-01-02 00:00", "2024-07-02 01:00"]
    with pytest.raises(WorkbenchError, match="time zone"):
        built("dates", "2024-01-01", {"zone": "Europe/Paris"}, {"levels": [{"unit": "day"}]}, DATE)
    with pytest.raises(WorkbenchError, match="not known"):
        built("dates", values, {"zone": "Nowhere/Land"}, {"levels": [{"unit": "day"}]}, column)


@pytest.mark.parametrize("units", [("week", "month"), ("year", "month"), ("weekday", "year"), ("month", "week")])
def test_calendar_units_that_do_not_nest_are_refused_whatever_the_data(units: tuple[str, str]) -> None:
    with pytest.raises(WorkbenchError, match="not coarser"):
        built("dates", "2024-01-01", {}, {"levels": [{"unit": unit} for unit in units]}, DATE)


def test_categories_of_unequal_depth() -> None:
    tree = [{"label": "A", "children": [{"label": "a", "children": ["1", "2"]}, "3"]}, "4"]
    found = built("categories", "1 9", {"declared": True}, {"tree": tree})
    assert table(found) == ["1;a;A;*", "2;a;A;*", "3;3;A;*", "4;4;4;*"]
    assert found.uncovered(["9"]) == ["9"]
    assert table(built("categories", "9", {"unlisted": "any"}, {"tree": tree}))[-1] == "9;*;*;*"


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ([], "empty"),
        ([{"label": "a", "children": []}], "“a” of the tree is empty"),
        ([{"label": "a", "children": ["x", "x"]}], "“x” twice"),
        ([{"label": "a"}], "neither a value nor a group"),
        ([3], "neither a value nor a group"),
        (
            [
                {"label": "a", "children": [{"label": "g", "children": ["x"]}]},
                {"label": "b", "children": [{"label": "g", "children": ["y"]}]},
            ],
            "leaves the others of “g”",
        ),
    ],
)
def test_a_tree_that_is_none_is_refused(tree: list[Any], words: str) -> None:
    with pytest.raises(WorkbenchError, match=words):
        built("categories", "x", {}, {"tree": tree})


def test_a_tree_under_one_root_has_no_second_top() -> None:
    tree = {"label": "*", "children": [{"label": "g", "children": ["a"]}, "b"]}
    found = built("categories", ["a", ""], {"missing_label": "none"}, {"tree": tree})
    assert table(found) == ["a;g;*", "b;b;*", ";none;*"]


def test_the_number_of_levels_does_not_depend_on_the_values() -> None:
    rules = {"rules": [{"pattern": "[0-9]"}, {"pattern": "x"}]}
    assert {built("redaction", values, {}, rules).height for values in ("0", "0 a", "x")} == {3}


def test_priority_by_hand_and_by_frequency() -> None:
    found = built(
        "priority", "a b c d", {"declared": True, "other": "rest"}, {"values": ["c", "z", "a"], "keep": [2, 1]}
    )
    assert table(found) == ["c;c;c;*", "z;z;rest;*", "a;rest;rest;*", "b;rest;rest;*", "d;rest;rest;*"]
    often = built("priority", "a b c d", {"by": "frequency"}, {"keep": 2}, counts=[1, 5, 2, 5])
    assert table(often) == ["b;b;*", "d;d;*", "c;other;*", "a;other;*"]
    with pytest.raises(WorkbenchError, match="rows of each value are not known"):
        built("priority", "a b", {"by": "frequency"})


def test_redaction_applies_one_rule_after_the_other() -> None:
    rules = [{"pattern": "[0-9]", "replacement": "#", "each": True}, {"pattern": "#+$", "replacement": r"\1"}]
    assert table(built("redaction", ["Suite 12", "Suite 99", "Attic"], {}, {"rules": rules})) == [
        "Suite 12;Suite ##;Suite \\1;*",
        "Suite 99;Suite ##;Suite \\1;*",
        "Attic;Attic;Attic;*",
    ]
    with pytest.raises(WorkbenchError, match="regular expression"):
        built("redaction", "a", {}, {"rules": [{"pattern": "("}]})


def test_a_table_is_taken_as_it_is() -> None:
    rows = [["a", "x"], ["b", "x"], ["a", "x"]]
    found = built("table", "a c", {"declared": True, "source": "my.csv"}, {"rows": rows})
    assert table(found) == ["a;x;*", "b;x;*"]
    assert "my.csv" in found.origin
    with pytest.raises(WorkbenchError, match="listed twice: “a”"):
        built("table", "a", {}, {"rows": [["a", "x"], ["a", "y"]]})
    with pytest.raises(WorkbenchError, match="another length: “b”"):
        built("table", "a", {}, {"rows": [["a", "x"], ["b"], ["c", "x"]]})


DOMAIN = ColumnSpec("", Kind.CATEGORY, domain=("a", "b", "c"))
TREE = {"tree": [{"label": "g", "children": ["a", "b"]}]}


@pytest.mark.parametrize(
    ("builder", "parameters", "details", "column", "public"),
    [
        ("intervals", {}, {"intervals": BASE}, WHOLE, True),
        ("intervals", {"source": "observed"}, {}, WHOLE, False),
        ("intervals", {}, {"intervals": BASE, "levels": [{"function": "mean"}]}, WHOLE, True),
        ("intervals", {}, {"intervals": BASE, "levels": [{"function": "mean", "of": "data"}]}, WHOLE, False),
        ("order", {"order": "natural"}, {}, TEXT, False),
        ("order", {"order": "number"}, {}, WHOLE, False),
        ("order", {"order": "natural"}, {}, DOMAIN, True),
        ("order", {"order": "locale"}, {}, DOMAIN, True),
        ("order", {"order": "frequency"}, {}, DOMAIN, False),
        ("order", {"order": "custom"}, {"sequence": ["a", "b"]}, TEXT, False),
        ("order", {"order": "custom"}, {"sequence": ["a", "b"]}, DOMAIN, False),
        ("order", {"order": "custom", "declared": True}, {"sequence": ["a", "b"]}, TEXT, True),
        ("masking", {"length": 5}, {}, TEXT, True),
        ("masking", {"length": 0}, {}, TEXT, False),
        ("dates", {}, {"levels": [{"unit": "year"}], "lowest": {"coding": "2000-01-01"}}, DATE, True),
        ("ends", {"high": "90", "steps": "5 10"}, {}, WHOLE, True),
        ("ends", {"low": "2000-01-01", "steps": "year"}, {}, DATE, True),
        ("categories", {}, TREE, TEXT, False),
        ("categories", {"declared": True}, TREE, TEXT, True),
        ("priority", {"by": "frequency"}, {}, TEXT, False),
        ("priority", {}, {"values": ["a"]}, TEXT, False),
        ("priority", {"declared": True}, {"values": ["a"]}, TEXT, True),
        ("redaction", {}, {"rules": [{"pattern": "a"}]}, TEXT, True),
        ("table", {}, {"rows": [["a", "b"]]}, TEXT, False),
        ("table", {"declared": True}, {"rows": [["a", "b"]]}, TEXT, True),
    ],
)
def test_provenance_follows_from_how_it_was_built(
    builder: str, parameters: dict[str, Any], details: dict[str, Any], column: ColumnSpec, public: bool
) -> None:
    judged = assess(specification(builder, parameters, details), column)
    assert (judged.provenance is Provenance.PUBLIC) == public
    assert judged.origin.endswith(".")
    assert bool(judged.how_public) != public


@pytest.mark.parametrize("builder", [builder.identifier for builder in BUILDERS])
def test_every_builder_starts_from_something_that_works(builder: str) -> None:
    plugin = BUILDERS[builder]
    columns = (
        WHOLE,
        DECIMAL,
        ColumnSpec("", Kind.MONEY),
        TEXT,
        DOMAIN,
        DATE,
        ColumnSpec("", Kind.INTEGER, bounds=(0, 90)),
    )
    works = 0
    for column in columns:
        parameters, details = plugin.suggest(column)
        plain = specification(builder, parameters, details, column=column)
        values = ["2024-01-05"] if column.kind.temporal else ["1", "7", "12"]
        try:
            found = build_hierarchy(plain, values, np.ones(len(values), dtype=np.int64), column)
        except WorkbenchError:
            continue
        works += 1
        made_again(found, column)
    assert works >= (1 if builder == "dates" else 3)


def test_a_specification_alone_knows_how_to_read_the_values() -> None:
    column = ColumnSpec(
        "", Kind.MONEY, format=Format(".", ",", "$"), missing=("", "?"), bounds=(0, 9), domain=("$1", "$2")
    )
    plain = json.loads(json.dumps(specification("intervals", {}, {"intervals": BASE}, column=column)))
    assert table(build_hierarchy(plain, ["$1,005", "?"])) == [
        "$1;[0, 10[;*",
        "$2;[0, 10[;*",
        "$1,005;[1000, 1010[;*",
        "?;;*",
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"format": "other"}, "no hierarchy specification"),
        ({"version": 2}, "version 2"),
        ({"builder": "nothing"}, "nothing"),
        ({"surprise": 1}, "surprise"),
        ({"parameters": {"surprise": 1}}, "surprise"),
        ({"parameters": {"repeat": "yes"}}, "neither yes nor no"),
        ({"details": {"surprise": 1}}, "surprise"),
        ({"details": {"intervals": [{"from": 0, "to": 10, "till": 3}]}}, "till"),
        ({"details": {"intervals": [{"from": 0}]}}, "“to” is missing"),
        ({"details": {"intervals": [{"from": 0, "to": "10"}]}}, "not a number"),
        ({"details": {"intervals": [{"from": 0, "to": 0}]}}, "do not follow"),
        ({"details": {"intervals": [{"from": 0, "to": 1}, {"from": 2, "to": 3}]}}, "starts at 2"),
        ({"details": {"intervals": []}}, "no base interval"),
        ({"details": {"intervals": BASE, "levels": [{"function": "what"}]}}, "what"),
        ({"details": {"intervals": BASE, "levels": [{"function": "pattern", "text": "{low.real}"}]}}, "means nothing"),
        (
            {"details": {"intervals": BASE, "levels": [{"function": "pattern", "text": "{mean}"}]}},
            "only values of the data",
        ),
        ({"details": {"intervals": BASE, "levels": [{"function": "pattern", "text": "{low"}]}}, "brace"),
        ({"details": {"intervals": BASE, "levels": [{"function": "prefix"}]}}, "depends on which numbers"),
        ({"details": {"intervals": BASE, "levels": [{}, {"group": 0}]}}, "above 0"),
        ({"details": {"intervals": BASE, "levels": [{"group": 2}]}}, "is not 1"),
        ({"details": {"intervals": BASE, "lowest": {"coding": 5}, "highest": {"coding": 5}}}, "not below"),
        ({"column": {"kind": "colour"}}, "no kind of column"),
    ],
)
def test_a_wrong_specification_says_what_is_wrong(change: dict[str, Any], words: str) -> None:
    plain = specification("intervals", {}, {"intervals": BASE}, column=WHOLE) | change
    with pytest.raises(WorkbenchError, match=words) as caught:
        build_hierarchy(plain, ["5"], None, None if "column" in change else WHOLE)
    assert caught.value.hint


def test_a_hierarchy_needs_a_value() -> None:
    with pytest.raises(WorkbenchError, match="no value"):
        built("masking", "")
    with pytest.raises(WorkbenchError, match="covers none"):
        built("intervals", "x", {}, {"intervals": BASE}, WHOLE)


def test_covering_more_values_keeps_the_specification_in_step() -> None:
    found = built("intervals", "5", {}, {"intervals": BASE}, WHOLE).covering(["x"])
    assert found.specification is not None
    again = build_hierarchy(found.specification, ["5", "x"])
    assert again.rows() == found.rows()


def test_a_title_and_a_sentence_are_kept() -> None:
    plain = specification("intervals", {}, {"intervals": BASE}, title="Tens", about="By ten.")
    assert (normalised(plain)["title"], normalised(plain)["about"]) == ("Tens", "By ten.")


def test_groups_too_large_to_count_are_refused() -> None:
    wide = [{"function": "interval"}, *({"group": 1_000_000} for _ in range(3))]
    with pytest.raises(WorkbenchError, match="more base intervals"):
        built("intervals", "5", {}, {"intervals": BASE, "levels": wide}, WHOLE)
    with pytest.raises(WorkbenchError, match="above 0"):
        built("order", "a b", {}, {"levels": [{"group": 10**30}]})
    with pytest.raises(WorkbenchError, match="too far out"):
        built("intervals", "5", {}, {"intervals": [{"from": 0, "to": 1e300}]}, WHOLE)
    with pytest.raises(WorkbenchError, match="too narrow"):
        built("intervals", "5", {}, {"intervals": [{"from": 0, "to": 1e-300}]}, WHOLE)


def test_of_a_length_of_codes_it_is_said_what_becomes_of_longer_ones() -> None:
    """Whether somebody declared it is not known: it may be the one that is suggested."""
    origins = {
        align: build_hierarchy(specification("masking", {"length": 5, "align": align}), ["LS1 4AB", "LS11 4AB"]).origin
        for align in ("left", "none")
    }
    said = "Characters masked from the right, 1 at each level, of a length of 5 fixed without the data"
    assert origins == {
        "left": f"{said}; longer values are cut to it.",
        "none": f"{said}; of longer values the rest stays.",
    }
