"""Labels of intervals that can be read in two ways are held against both, and what fits no level is not seen."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.anonymise.note_versions import READ_ONCE, TOLD_AS_SEEN
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.report.column_labels import ColumnLabels, label_faults
from workbench.report.first_step import of_later_steps_too
from workbench.report.listed_labels import labels_section


def intervals(*widths: str, begin: float = 0.0, **ends: float) -> ColumnLabels:
    words = tuple(f"intervals of {width}" for width in widths)
    return ColumnLabels(words, grid={"from": begin, "lowest": None, "highest": None, **ends}, levels=(1, 2))


@pytest.mark.parametrize(
    ("known", "label", "fits"),
    [
        (intervals("10", "20"), "-20 to -11", (True, False)),  # whole numbers, both of which belong to it
        (intervals("10", "20"), "-20 to -1", (False, True)),
        (intervals("10", "20"), "-10 to -1", (True, False)),
        (intervals("20", "40", begin=-10), "-10 to 9", (True, False)),
        (intervals("10", "20"), "10-19", (True, False)),
        (intervals("10", "20"), "0-20", (False, True)),  # numbers that are not whole, of which 20 does not belong to it
        (intervals("10", "20"), "0-10", (True, False)),
        (intervals("1.2", "2.4"), "3.6 to under 4.8", (True, False)),
        (intervals("1.2", "2.4"), "4.8 to under 7.2", (False, True)),  # 3 · 2.4 is 7.199999999999999 in floating point
        (intervals("2", "4", begin=0.1), "0.1 to under 4.1", (False, True)),
        (intervals("1", "2"), "-2 to -1", (True, True)),  # may be either, so that it is not said to be of one
        (intervals("10", "20"), "7 to 9", (True, True)),
        (intervals("10", "20", lowest=15.0), "15-19", (True, True)),
    ],
)
def test_at_which_level_a_label_can_be(known: ColumnLabels, label: str, fits: tuple[bool, bool]) -> None:
    assert tuple(known.can_be_at(label, words) for words in known.words) == fits


@pytest.mark.parametrize(
    ("labels", "holds"),
    [(("-20 to -11", "-10 to -1", "0-9"), True), (("0-10", "10-20"), True), (("0-4", "5-9"), False)],
)
def test_a_list_of_whole_intervals_below_0_is_one_of_what_is_stated(labels: tuple[str, ...], *, holds: bool) -> None:
    listed = Hierarchy.from_rows([(str(place), label, "*") for place, label in enumerate(labels)])
    known = ColumnLabels(("intervals of 10",), grid={"from": 0.0, "lowest": None, "highest": None}, levels=(1,))
    assert known.is_list_of(listed) is holds


@pytest.mark.parametrize(
    ("ends", "holds"),
    [
        ({"lowest": -20.0, "highest": 30.0}, True),
        ({"lowest": -20.0}, False),
        ({"lowest": -20.0, "highest": 123_456.0}, False),
        ({"lowest": -50.0, "highest": 30.0}, False),
    ],
)
def test_labels_beyond_the_ends_of_a_list_name_the_ends_that_are_stated(ends: dict[str, float], *, holds: bool) -> None:
    labels = ("<-20", "-20 to -11", "-10 to -1", "0-9", "20-29", "≥30")
    listed = Hierarchy.from_rows([(str(place), label, "*") for place, label in enumerate(labels)])
    known = ColumnLabels(("intervals of 10",), grid={"from": 0.0, "lowest": None, "highest": None, **ends}, levels=(1,))
    assert known.is_list_of(listed) is holds


def column(levels: list[str], **grid: float | None) -> dict[str, Any]:
    stated = {"from": 0.0, "lowest": None, "highest": None, **grid}
    return {"name": "pay", "grouped": True, "hierarchy": {"levels": levels, "grid": stated}}


def release(one: dict[str, Any], *levels: int) -> dict[str, Any]:
    steps = [{"levels": {"pay": level}} for level in levels]
    return {"columns": [one], "steps": steps, "after": {"one_level": 0}, "step_column": ""}


def test_narrow_intervals_have_no_width_in_words_and_are_no_fault() -> None:
    facts = release(column(["as it is", "level 1", "intervals of 1.25", ANY]), 1, 2)
    assert not [*label_faults(facts)]
    facts = release(column(["as it is", "decade", "century", ANY]), 1, 2)
    assert [*label_faults(facts)], "of years it is not"


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        ((1,), "on; all numbers below 30 have one label; all numbers from 90 on have one label"),
        (
            (0, 1),
            "on; where they are in intervals, all numbers below 30 have one label; where they are",
        ),
    ],
)
def test_numbers_beyond_the_ends_have_one_label_where_they_are_in_intervals(levels: tuple[int, ...], told: str) -> None:
    one = column(["as it is", "intervals of 10", ANY], lowest=30.0, highest=90.0)
    assert told in labels_section(release(one, *levels), READ_ONCE)


@pytest.mark.parametrize(("lowest", "told"), [(None, True), (20.0, True), (30.0, False)])
def test_where_the_largest_number_said_to_occur_lies_below_all_intervals_none_begins_with_it(
    lowest: float | None, *, told: bool
) -> None:
    one = column(["as it is", "intervals of 10", ANY], lowest=lowest) | {"said_to_occur": {"entries": ["0-20"]}}
    page = labels_section(release(one, 1), READ_ONCE)
    assert ("20, up to which numbers are said to run, is in the interval that begins with it" in page) is told


def test_a_column_that_gets_coarser_later_has_its_finest_labels_at_the_second_step_too() -> None:
    one = column(["as it is", "intervals of 10", ANY])
    for levels, named in (((0, 0, 1), True), ((0, 1, 2), False)):
        (said,) = of_later_steps_too(release(one, *levels), ["pay"], READ_ONCE)
        assert ("A later step can have, too, every label of pay, each label" in said) is named
        (before,) = of_later_steps_too(release(one, *levels), ["pay"], TOLD_AS_SEEN)
        assert "every label" not in before
