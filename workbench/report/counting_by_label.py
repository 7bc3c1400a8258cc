"""The words of a statement on counting by one column, or by some: what can be added, and label by label."""

from __future__ import annotations

import math

from workbench.core.number_text import NONE, estimate, exact
from workbench.core.visible import visible
from workbench.report.column_labels import column_labels, ranges_in
from workbench.report.counting_words import mixed_columns
from workbench.report.label_counts import LABEL_COUNTS, several
from workbench.report.note import VERSION
from workbench.report.page import paragraph, table
from workbench.report.rows_set_aside import some_set_aside
from workbench.report.stated_facts import Facts

_LONGEST = 60
"""Letters of one label that a reader is shown."""


def counts_by_label(release: Facts) -> str:
    """The labels with their rows, and about how many there are at least in the table, as HTML; "" if not told."""
    counts, step = release.get(LABEL_COUNTS, {}), release["steps"][0]
    if not counts:
        return ""
    mixed = any(rows != finest for some in counts.values() for _, rows, finest, _ in some)
    part = some_set_aside(release, VERSION)
    mean, where = estimate(step["mean_lost"]), "that took part" if part else "in the table"
    than = "took part" if part else "are in the table"
    introduction = _INTRODUCTION.format(mean=mean, than=than)
    introduction += _ALONE.format(always=step["always_survive"]) + _NO_NEWS * mixed
    heads = ("Column", "Label", "Rows in the file", *(("of them with the finest labels",) * mixed), "Groups")
    return paragraph(introduction) + table(
        (*heads, f"About so many {where}, or more"),
        (
            (
                name * (not number),
                _shown(label),
                f"{rows:,}",
                *((f"{finest:,}",) * mixed),
                f"{groups:,}",
                _or_more(rows, finest, groups, step),
            )
            for name, some in counts.items()
            for number, (label, rows, finest, groups) in enumerate(some)
        ),
    )


def _or_more(rows: int, finest: int, groups: int, step: Facts) -> str:
    """The rounded number where it says more than the rows in the file do; it is not raised to these.

    The larger of both could be more than there are on average. Of one small group alone none is told: on average over
    all draws it would not be too high, but where a group has fewer rows than one gives up on average, it is too high
    in each file that has this group, and makes up for those that have not.
    """
    if groups == 1 and finest < step["always_survive"]:
        return NONE
    at_least = finest + groups * step["mean_lost"]
    return f"{math.floor(at_least):,}" if math.floor(at_least) >= rows else NONE


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


def by_some_columns(release: Facts) -> list[str]:
    """How to count by one column or some where groups of the finest labels are corrected, in sentences."""
    if release["worked"] is None or not several(release):
        return []
    mean, mixed = estimate(release["steps"][0]["mean_lost"]), bool(mixed_columns(release))
    out = "leave out the rows that have a coarser label, and " if mixed else ""
    there = "took part" if some_set_aside(release, VERSION) else "are in the table"
    always = f"{release['steps'][0]['always_survive']:,}"
    below = " “How to count with the file” has it for each label." if release[LABEL_COUNTS] else ""
    return [
        f"To count by one column alone, or by some, {out}add {mean} for each group, which is rows with equal labels in "
        f"all columns, that the count is made of, however small. To one group alone with fewer than {always} rows in "
        "the file add nothing: of one by itself no correction is right. The sum is too low rather than too high: on "
        f"average over all files that could have been drawn it is no more than {there}, as groups that are not in the "
        f"file gave up all their rows.{below}"
    ]


_INTRODUCTION = (
    "By one column alone: the last number is the rows before it with {mean} more for each of the groups that they are "
    "made of, rounded down. It is too low rather than too high: on average over all files that could have been drawn "
    "it is no more than {than}, as groups that are not in the file gave up all their rows."
)
_ALONE = (
    f" Where they are one group alone, with fewer than {{always:,}} rows, there is {NONE}: of one by itself no "
    "correction is right."
)
_NO_NEWS = f" Where it would be below the rows in the file, there is {NONE}."


def _shown(label: str) -> str:
    return visible(label if len(label) <= _LONGEST else f"{label[:_LONGEST]}…") or "(empty)"
