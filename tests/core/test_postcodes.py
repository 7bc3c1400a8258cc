"""UK postcodes: unit, sector, district, area, by a rule that looks at each value alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from workbench.core.builder_suggestions import first_specification, public_specification, suggested_builders
from workbench.core.building import assess, build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy, Provenance
from workbench.core.level_words import can_be_stated, stated_words
from workbench.core.occurring import entries_of, occurring_labels
from workbench.core.public_sizes import public_sizes
from workbench.core.public_values import ShownValues, public_view
from workbench.core.schema import ColumnSpec, Format, Kind
from workbench.core.table import Column
from workbench.io.infer import propose, propose_format

HOME = ColumnSpec("home", Kind.TEXT, format=Format(pattern="UK postcode"))
CODES = ("LS1 4AP", "ls62fj", "WF10 3AA", "LS11 4AP")


def built(values: tuple[str, ...], **parameters: str) -> Hierarchy:
    return build_hierarchy(specification("postcodes", {"unlisted": "any", **parameters}), values, column=HOME)


def levels_of(value: str) -> tuple[str, ...]:
    return tuple(built((value,)).rows()[0][1:])


def column_of(values: list[str], name: str = "home") -> Column:
    distinct = tuple(dict.fromkeys(values))
    return Column(name, np.array([distinct.index(value) for value in values], dtype=np.int32), distinct)


@pytest.mark.parametrize(
    ("value", "levels"),
    [
        ("LS1 4AP", ("LS1 4AP", "LS1 4", "LS1", "LS", "*")),
        ("LS11 4AP", ("LS11 4AP", "LS11 4", "LS11", "LS", "*")),
        ("GIR 0AA", ("GIR 0AA", "GIR 0", "GIR", "GIR", "*")),
        ("W1A 1HQ", ("W1A 1HQ", "W1A 1", "W1A", "W", "*")),
        ("EC1A 1BB", ("EC1A 1BB", "EC1A 1", "EC1A", "EC", "*")),
        ("M1 1AE", ("M1 1AE", "M1 1", "M1", "M", "*")),
        ("B33 8TH", ("B33 8TH", "B33 8", "B33", "B", "*")),
        ("CR2 6XH", ("CR2 6XH", "CR2 6", "CR2", "CR", "*")),
        ("DN55 1PT", ("DN55 1PT", "DN55 1", "DN55", "DN", "*")),
        ("ZZ99 3VZ", ("ZZ99 3VZ", "ZZ99 3", "ZZ99", "ZZ", "*")),
        ("LS1", ("LS1", "LS1", "LS1", "LS", "*")),
        ("ls1 4", ("LS1 4", "LS1 4", "LS1", "LS", "*")),
    ],
)
def test_a_postcode_becomes_its_parts(value: str, levels: tuple[str, ...]) -> None:
    assert levels_of(value) == levels


@pytest.mark.parametrize("value", ["ls62fj", "LS62FJ", " Ls6 2fj ", "LS6  2FJ", "ls6\u00a02fj", "LS 6 2FJ"])
def test_case_and_spaces_make_no_label_of_their_own(value: str) -> None:
    assert levels_of(value) == ("LS6 2FJ", "LS6 2", "LS6", "LS", "*")


@pytest.mark.parametrize("value", ["LS1 4APX", "LS111 4AP", "LSX1 4AP", "01234", "LS1-4AP", "Leeds", "LS", "ſ1 4AP"])
def test_what_is_no_postcode_says_nothing_and_it_is_said(value: str) -> None:
    assert levels_of(value) == ("*",) * 5
    assert "has not the form of one becomes *" in built((value,)).origin
    left = assess(specification("postcodes", {"unlisted": "leave"}), HOME)
    assert left.provenance is Provenance.PUBLIC and "is left out and named" in left.origin


def test_a_blank_is_no_value() -> None:
    assert levels_of("") == ("", "", "", "", "*")


def test_no_value_decides_what_becomes_of_another_and_levels_are_nested() -> None:
    values = (*CODES, "LS1 4AQ", "LS1 4", "LS1", "lost", "")
    whole = {row[0]: row for row in built(values).rows()}
    for size in (1, 2, len(values) - 1):
        for some in itertools.combinations(values, size):
            assert {row[0]: row for row in built(some).rows()}.items() <= whole.items()
    for level in range(1, 5):
        above = {(row[level], row[level + 1]) for row in whole.values()}
        assert len(above) == len({label for label, _ in above}), "a label has one above it"
    assert built(values).provenance is Provenance.PUBLIC


def test_the_first_level_can_be_coarser() -> None:
    made = built(CODES, finest="district")
    assert made.rows()[0] == ("LS1 4AP", "LS1", "LS", "*")
    assert [stated_words(made, level) for level in range(4)] == ["as it is", "postcode district", "postcode area", "*"]
    words = [stated_words(built(CODES), level) for level in range(5)]
    assert words == ["as it is", "postcode unit", "postcode sector", "postcode district", "postcode area"]
    assert all(can_be_stated(word, level) for level, word in enumerate(words))


def test_it_is_suggested_where_values_are_written_so_and_the_suggestion_is_public() -> None:
    found = propose(column_of([*CODES, ""] * 3, "Postcode"))
    assert found.format.pattern == "UK postcode"
    assert suggested_builders(found)[0] == "postcodes" and public_specification(found)["builder"] == "postcodes"
    assert public_specification(found) == first_specification("postcodes", found)
    made = build_hierarchy(public_specification(found), [*CODES, "gone"], column=found)
    assert made.provenance is Provenance.PUBLIC
    assert {row[0]: row[3] for row in made.rows()}["ls62fj"] == "LS6"
    for kind in (Kind.TEXT, Kind.CATEGORY):
        assert propose_format(column_of(list(CODES)), kind).pattern == "UK postcode", "whoever chooses the kind gets it"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("zip", ["21201", "90210"]),
        ("PLZ", ["01067", "10115"]),
        ("postcode", ["01067", "10115"]),
        ("diagnosis", ["J45", "E11", "I10"]),
        ("postcode", ["1234 AB", "1011 AC"]),
        ("code", ["LS1 4AP", "no", "number", "at all"]),
    ],
)
def test_other_codes_keep_the_suggestion_they_had(name: str, values: list[str]) -> None:
    found = propose(column_of(values * 5, name))
    assert found.format.pattern == "" and suggested_builders(found)[0] != "postcodes"


def test_a_name_alone_offers_it_second() -> None:
    assert suggested_builders(ColumnSpec("home_postcode", Kind.TEXT)) == ("masking", "postcodes")
    assert suggested_builders(ColumnSpec("postcode", Kind.INTEGER)) == ("masking", "intervals")


def test_half_of_the_rows_are_enough_where_the_name_says_it() -> None:
    values = [*CODES, "Leeds", "unknown", "abroad"]
    assert propose(column_of(values, "postcode")).format.pattern == "UK postcode"
    assert propose(column_of(values, "home")).format.pattern == ""


def test_what_can_occur_and_what_is_shown_follow_from_the_rule_alone() -> None:
    made = built(CODES)
    entries = entries_of("LS, WF10, ls6 2, M1 1AE")
    assert occurring_labels(made, entries) == (15_501, 15_501, 101, 26, 3, 1), "LS6 2 lies in LS"
    assert occurring_labels(built(CODES, finest="area"), entries) == (15_501, 3, 1)
    with pytest.raises(WorkbenchError, match="says nothing of what can occur"):
        occurring_labels(made, ("Leeds",))
    shown = public_view(made, HOME)
    assert shown is not None and shown.values is ShownValues.MADE_UP
    other = public_view(built(("M1 1AE",)), HOME)
    assert other is not None and other.hierarchy.rows() == shown.hierarchy.rows()
    assert not set(shown.hierarchy.values) & set(CODES)
    said = public_view(made, HOME, ("LS", "WF10"))
    assert said is not None and said.values is ShownValues.SAID
    assert {row[4] for row in said.hierarchy.rows() if row[0]} == {"LS", "WF"}
    assert public_sizes(made).labels == (1_700_000, 1_700_000, 11_000, 3_000, 124, 1)


def test_spellings_come_first_among_the_examples_so_that_one_sees_them_join() -> None:
    shown = public_view(built(CODES), HOME)
    assert shown is not None and shown.hierarchy.rows()[0][:2] == ("ab11aa", "AB1 1AA")
