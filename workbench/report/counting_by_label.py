"""The words of a statement on counting by one column, or by some: what can be added, and label by label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workbench.anonymise.note_versions import (
    COUNTED_EXACTLY,
    COUNTED_WIDELY,
    FILE_FIRST,
    LISTED_AS_CELLS,
    READ_ONCE,
    SAID_ONCE,
    SPELT_AS_IN_FILE,
)
from workbench.core.canonical import natural_key
from workbench.core.hierarchy import ANY
from workbench.core.number_text import exact
from workbench.core.visible import quoted, visible
from workbench.report.column_labels import column_labels, ranges_in
from workbench.report.counting_words import mixed_columns
from workbench.report.far_too_low import far_too_low, in_few_rows_too
from workbench.report.first_step import added, rows_of_first_step, with_given_up
from workbench.report.label_counts import LABEL_COUNTS, several
from workbench.report.note import VERSION
from workbench.report.older_counting import LARGER_ONCE, OF_FEW_ROWS_ONCE, TOO_LOW_ONCE
from workbench.report.page import paragraph, table
from workbench.report.rows_set_aside import some_set_aside
from workbench.report.stated_facts import Facts

_LONGEST = 60
"""Letters of one label that a reader is shown."""


def counts_by_label(release: Facts, version: int) -> str:
    """The labels with their rows, and about how many there are at least in the table, as HTML; "" if not told.

    Beside the number of a label that is named at first, as its rows are so few, it is said again that it says next to
    nothing. It is shown: of labels chosen by how much their groups gave up it would be too high on average.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    numbers = numbers_by_label(release, version)
    if not numbers:
        return ""
    mixed = any(one.rows != one.finest for one in numbers)
    heads = ("Column", "Label", "Rows in the file", *(("of them with the finest labels",) * mixed), "Groups")
    lines = []
    for before, one in zip([None, *numbers], numbers, strict=False):
        name = "" if before is not None and before.column == one.column else one.column
        finest = (f"{one.finest:,}",) * mixed
        lines.append(
            (name, _shown(one.label), f"{one.rows:,}", *finest, f"{one.groups:,}", f"{one.told:,}{one.mark}"),
        )
    introduction = _introduction(release, numbers, version, mixed=mixed)
    return paragraph(introduction) + table((*heads, "With what groups gave up, on average"), lines)


@dataclass(frozen=True)
class NumberOfLabel:
    """A label with its rows, those of them with the finest labels, and the groups of these.

    Parameters
    ----------
    told
        About how many rows with it there are at least in the table.
    mark
        What is to be known of that number, in brackets; "" for nothing.
    """

    column: str
    label: str
    rows: int
    finest: int
    groups: int
    told: int
    mark: str

    @property
    def says_something(self) -> bool:
        """Whether the label is a value."""
        return self.label not in ("", ANY)


def numbers_by_label(release: Facts, version: int = COUNTED_EXACTLY) -> list[NumberOfLabel]:
    """The labels in their order, each with its numbers and what is to be known of the last.

    Of every label, however much its groups gave up: of those chosen by that the number would be too high. It is
    computed with what groups gave up as it is printed, so that a reader comes to the same.
    """
    step, found = release["steps"][0], []
    few = in_few_rows_too(release) if version >= READ_ONCE else frozenset()
    far = far_too_low(release, version) if version >= SAID_ONCE else {}
    known = column_labels(release) if version >= LISTED_AS_CELLS else {}
    mixed = mixed_columns(release) if version >= LISTED_AS_CELLS else ()
    for name, some in release.get(LABEL_COUNTS, {}).items():
        for label, rows, finest, groups, *_ in _in_order(some, version):
            told = with_given_up(step, finest, groups, version)
            mark = _NEXT_TO_NOTHING * ((name, label) in few) or _FAR_TOO_LOW * ((name, label) in far)
            if version >= LISTED_AS_CELLS:
                alike = name not in mixed or label == "" or (name in known and known[name].holds_no_other(label))
                mark = _TOO_LOW if told < rows and alike else mark
            elif version >= FILE_FIRST and told < rows:
                mark = TOO_LOW_ONCE
            found.append(NumberOfLabel(name, label, rows, finest, groups, told, mark))
    return found


def _introduction(release: Facts, numbers: Sequence[NumberOfLabel], version: int, *, mixed: bool) -> str:
    """What stands above the numbers."""
    mean, part = added(release["steps"][0]), some_set_aside(release, VERSION)
    if version >= SPELT_AS_IN_FILE:
        one = next((one for one in numbers if one.says_something and not one.mark), numbers[0])
        example = f"{visible(one.column)} {shown_label(one.label)}: {one.finest:,} + {one.groups:,} × {mean}"
        whose = "with the finest labels" if mixed else "in the file"
        instead = _INSTEAD if any(one.mark == _TOO_LOW for one in numbers) else _ITS_SUM
        together = _TOGETHER.format(expected=_more_than_expected(release)) if version >= LISTED_AS_CELLS else ""
        so = f"{example}, so {one.told:,}"
        return _FIRST.format(instead=instead, whose=whose, mean=mean, example=so, together=together)
    introduction = (_INTRODUCTION if version < SAID_ONCE else _ONCE).format(
        mean=mean,
        there="that took part" if part else "in the table",
        than="took part" if part else _THAN,
        larger=LARGER_ONCE * mixed,  # in one step this is always the larger
        nearer=nearer(release),
    )
    return introduction if version >= READ_ONCE else f"{introduction}{OF_FEW_ROWS_ONCE}"


def _more_than_expected(release: Facts) -> str:
    """That a sum can be more than the rows that were expected, where others may know how many these are."""
    told = (release["terms"] or {}).get("expected_rows") is not None
    return ", which can be more than were expected" if told else ""


def shown_label(label: str) -> str:
    """A label as it is quoted, as far as a reader is shown it."""
    return quoted(label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…")


def _in_order(some: list[Any], version: int) -> list[Any]:
    """The labels of a column as people sort them, by their numbers: a note has them as texts."""
    return sorted(some, key=lambda one: natural_key(one[0])) if version >= SAID_ONCE else some


def nearer(release: Facts) -> str:
    """The columns of one level where others become coarser, of which the last step gives up less than the first."""
    mixed = mixed_columns(release)
    names = [visible(name) for name in release[LABEL_COUNTS] if name not in mixed] if mixed else []
    return _NEARER.format(names=" and ".join(names), are="are" if len(names) > 1 else "is") if names else ""


def cut_intervals(release: Facts) -> list[str]:
    """Which first and last intervals are narrower than others, as they are cut where the rule ends, in sentences."""
    found = []
    for name, known in column_labels(release).items():
        said = ranges_in(known.entries)
        ends = [
            (which, end, end in bounds)
            for which, end, bounds in zip(("first", "last"), known.cut(), said, strict=True)
            if end is not None
        ]
        if ends:
            which, at = (" and the ".join(one[0] for one in ends), " and ".join(exact(one[1]) for one in ends))
            why = "what was said to occur" if all(one[2] for one in ends) else "its rule"
            ends_there = "begins and ends" if len(ends) > 1 else "begins" if ends[0][0] == "first" else "ends"
            several = len(ends) > 1
            found.append(
                f"The {which} interval{'s' * several} of {name} {'are' if several else 'is'} cut at {at}, where {why} "
                f"{ends_there}, and narrower than the others."
            )
    return found


def by_some_columns(release: Facts, version: int) -> list[str]:
    """How to count by one column or some where groups of the finest labels are corrected, in sentences."""
    if release["worked"] is None or not several(release):
        return []
    there = "took part" if some_set_aside(release, VERSION) else _THAN
    below = f" “How to count with the file” has it for each label{of_which_columns(release, version)}."
    taken = rows_of_first_step(release, mixed_columns(release))
    return [
        f"To count by one column alone, or by some, {taken}add {added(release['steps'][0])} for each group, "
        "which is rows with equal labels in all columns, that the count is made of, however small. "
        f"{_ON_AVERAGE.format(than=there)}{below * bool(release[LABEL_COUNTS])}"
    ]


def of_which_columns(release: Facts, version: int = VERSION) -> str:
    """Of which columns it is told label by label; "" where it is of all that make groups."""
    told = [visible(name) for name in release[LABEL_COUNTS]]
    grouped = {one["name"] for one in release["columns"] if one["grouped"]} - {release["step_column"]}
    if version < COUNTED_WIDELY or grouped <= set(release[LABEL_COUNTS]) or not told:
        return ""
    return f" of {', '.join(told[:-1])} and {told[-1]}" if len(told) > 1 else f" of {told[0]}"


_THAN = "are in the table"
_ON_AVERAGE = (
    "On average over all files that could have been drawn the sum is no more than {than}, as groups that are not in "
    "the file gave up all their rows. In one file it can be too high, most where few small groups make it."
)
_INTRODUCTION = (
    "By one column alone: the last number is the rows before it with {mean} more for each of the groups that they are "
    "made of, rounded down. The rows in the file are never more than those {there}. On average over all files that "
    "could have been drawn the last number is no more than {than}, as groups that are not in the file gave up all "
    "their rows, and labels that are not in it count as 0. In one file it can be too high, most where few "
    "small groups make it, and so can, on average, the larger of both numbers."
)
_ONCE = (
    "By one column alone: the last number is the rows before it with {mean} more for each of their groups, rounded "
    "down. Labels that are not in the file count as 0.{larger}{nearer}"
)
_FIRST = (
    "To count by one column alone, take the last number{instead} the rows {whose} and {mean} for each of their groups, "
    "rounded down; for {example}. In one file it can be too high, most where few small groups make it. {together}"
    "Labels that are not in the file count as 0."
)
_ITS_SUM = ". It is"
_INSTEAD = "; only where it is surely too low, take the rows in the file, which are nearer. The last number is"
_TOGETHER = (
    "So can all of a column together{expected}: each is an estimate by itself, with the average added for small "
    "groups, too, which are in the file only as they gave up less than all. "
)
LARGER = (
    " Where the sum is less than the rows in the file, and none of their labels holds finer ones, take these, which "
    "are nearer; on average over all files the larger of both can be too high."
)
_NEARER = " Of {names}, which {are} never coarser, a count with the labels of the last step may be nearer."
_NEXT_TO_NOTHING = " (says next to nothing)"
_FAR_TOO_LOW = " (may be far too low)"
_TOO_LOW = " (surely too low: take the rows in the file)"


def _shown(label: str) -> str:
    return visible(label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…") or "(empty)"
