"""Counting with a trimmed file in notes from version 32 on: what to do and the numbers by label first, the rules below.

Who has the table of numbers needs no rule; who counts otherwise finds each rule once, in a part of its own.
"""

from __future__ import annotations

from fractions import Fraction

from workbench.anonymise.note_versions import LISTED_AS_CELLS, SPELT_AS_IN_FILE
from workbench.core.number_text import estimate
from workbench.core.visible import visible
from workbench.report.absent_combinations import ALL_THE_SAME, no_combination
from workbench.report.counting_by_label import (
    LARGER,
    counts_by_label,
    cut_intervals,
    nearer,
    numbers_by_label,
    of_which_columns,
    shown_label,
)
from workbench.report.counting_once import IN_ONE_FILE, ON_AVERAGE, columns_to_do, low_in_full
from workbench.report.counting_table import never_more, untold
from workbench.report.counting_words import (
    by_groups,
    counting,
    finer_beside_coarser,
    mixed_columns,
    most_drawn,
    no_value,
    parting,
    several_columns,
    without_groups,
    worked_example,
)
from workbench.report.far_too_low import in_few_groups, rule_of_few_groups
from workbench.report.few_rows import in_few_rows
from workbench.report.first_step import added, of_later_steps_too, rows_of_first_step
from workbench.report.label_counts import LABEL_COUNTS, several
from workbench.report.no_row import no_row_says
from workbench.report.note import TRIMMED
from workbench.report.number_columns import no_means
from workbench.report.older_counting import LARGER_ONCE
from workbench.report.page import bullets, paragraph
from workbench.report.promise_meaning import rows_are_people
from workbench.report.rows_set_aside import ALIKE, ALIKE_THAT_TOOK_PART, some_set_aside, those_that_took_part
from workbench.report.stated_facts import Facts

_PERCENTAGES = "Percentages counted in the file are wrong, most for small groups"
_LOSE_MORE = (
    "Small groups lose a larger part: what few people have looks rarer than it is, as a rule, or is missing from the "
    "file though it is in the table."
)
_NO_BLANK = "No row has an empty cell."


def before_counting_plainly(release: Facts, version: int) -> str:
    """What is to be known before one counts, as HTML: what not to do, the numbers by label, and what is missing."""
    shares = " ".join(filter(None, [_percentages(release, version), _LOSE_MORE, no_means(release)]))
    few = [*untold(release), in_few_rows(release, version), in_few_groups(release, version)]
    missing = " ".join(filter(None, [_in_no_row(release, version), *few]))
    needed = [paragraph(_low(release, version)), paragraph(shares), counts_by_label(release, version)]
    needed += [paragraph(missing), "" if _by_coarser_below(release) else columns_to_do(release, version)]
    lines = [*rows_are_people(release, version), *those_that_took_part(release, version)]
    lines += [*finer_beside_coarser(release, mixed_columns(release), version), *no_value(release)]
    lines += cut_intervals(release)
    return "".join(needed) + (bullets(lines) if lines else "")


def not_to_count(release: Facts, version: int) -> tuple[str, ...]:
    """What its statement warns of before anybody counts, worst first: means, and percentages; nothing of older ones."""
    if version < SPELT_AS_IN_FILE or release["kind"] != TRIMMED:
        return ()
    return tuple(filter(None, (no_means(release), f"{_PERCENTAGES}: {in_their_place(release)}.")))


def in_their_place(release: Facts) -> str:
    """What to report where percentages are wrong: the numbers by label, if its statement has them."""
    listed = bool(release.get(LABEL_COUNTS))
    return "report how many by label, as the statement lists them" if listed else "count as the statement says"


def counting_plainly(release: Facts, version: int) -> str:
    """The rules for whoever counts otherwise than by the numbers that are told, as HTML; "" for none."""
    if release["worked"] is None:
        lines = counting(release, version)
    else:
        part = some_set_aside(release, version)
        names = mixed_columns(release)
        taken = rows_of_first_step(release, names)
        lines = [_by_groups(release, taken, version, part=part), *of_later_steps_too(release, names, version)]
        lines += [*_by_some(release, taken, version, part=part), *filter(None, [rule_of_few_groups(release, version)])]
        if len(release["steps"]) > 1:
            first, *more = without_groups(release, version, alike=True, part=part)
            lines += [f"With coarser labels: {first[0].lower()}{first[1:]}" if names else first, *more]
    said = bullets(lines) if lines else ""
    return said + (columns_to_do(release, version) if _by_coarser_below(release) else "")


def _by_coarser_below(release: Facts) -> bool:
    """Whether what is to be done with finer labels is a second way to count, beside that by the finest ones."""
    return release["worked"] is not None and bool(mixed_columns(release))


def _low(release: Facts, version: int) -> str:
    """That counts are too low and why; with how many rows these are where they are told nowhere else."""
    mixed = bool(mixed_columns(release))
    if release["floor"] > 1 or parting(release) or (len(release["steps"]) > 1 and not mixed):
        return low_in_full(release, version)
    alike = ALIKE_THAT_TOOK_PART if some_set_aside(release, version) else ALIKE
    gave_up = "in all columns make a group, and each gave up a random number of its rows, drawn for it alone."
    return f"{never_more(version)}. {alike} {gave_up}"


def _percentages(release: Facts, version: int) -> str:
    """That no percentage is to be counted in the file, and by what it can be instead, as a sentence."""
    if release["worked"] is None:
        return f"{_PERCENTAGES}."
    if not release.get(LABEL_COUNTS):
        return f"{_PERCENTAGES}: first add to each group what it gave up, as is said below."
    such = _grows_most(release, version)
    return f"{_PERCENTAGES}{f', such as those with {such}' * bool(such)}: use the numbers below."


def _grows_most(release: Facts, version: int) -> str:
    """The label whose rows become most times as many with what groups gave up, where that number can be relied on."""
    found: tuple[Fraction, str] = (Fraction(1), "")
    for one in numbers_by_label(release, version):
        if one.rows and one.says_something and not one.mark and Fraction(one.told, one.rows) > found[0]:
            found = Fraction(one.told, one.rows), f"{visible(one.column)} {shown_label(one.label)}"
    return found[1]


def _in_no_row(release: Facts, version: int) -> str:
    """What no row of the file says, and once for all of it that the table may."""
    unsaid = [no_row_says(release, version), no_combination(release, version)]
    said = [words.removesuffix(ALL_THE_SAME).rstrip() for words in unsaid if words]
    said += [] if release["blank"] else [_NO_BLANK]
    return " ".join([*said, ALL_THE_SAME]) if said else ""


def _by_groups(release: Facts, taken: str, version: int, *, part: bool) -> str:
    """How groups are counted one by one, and how large one can be that is missing."""
    step, names = by_groups(release), mixed_columns(release)
    by = " by all columns at once" if several_columns(release) else " by the finest labels" if names else ""
    always = f"{step['always_survive']:,} rows or more"
    large = f"of which {always} took part" if part else f"that had {always} in the table"
    # A group of the finest labels can have gone on to a later step, under other labels, with all its rows.
    missing = (
        "" if len(release["steps"]) > 1 else f" A group that is not in the file had at most {most_drawn(step, 1):,}."
    )
    return (
        f"To count{by}, {taken}add {added(step)} to the rows of each group{' with the finest labels' * bool(names)} "
        f"{large}, which is sure of one with so many in the file: so many it gave up on average, rounded down. Of a "
        "smaller one by itself no correction is right, because it is not always in the file. For several, add it once "
        f"for each; the standard deviation is {estimate(step['sd'])} times the square root of their number. "
        f"{worked_example(release, version)}{missing}"
    )


def _by_some(release: Facts, taken: str, version: int, *, part: bool) -> list[str]:
    """How to count by some of the columns, or by one of which it is not told by label."""
    if not several(release):
        return []
    told = bool(release[LABEL_COUNTS])
    larger = LARGER if version >= LISTED_AS_CELLS else LARGER_ONCE
    mixed = any(one.rows != one.finest for one in numbers_by_label(release))
    more = f" The table above has it for each label{of_which_columns(release)}." if told else f" {IN_ONE_FILE}"
    return [
        f"To count by one column alone, or by some, {taken}add {added(release['steps'][0])} for each group that the "
        f"count is made of, however small. {ON_AVERAGE.format(than='took part' if part else 'are in the table')}"
        f"{more}{larger * mixed}{nearer(release) * told}"
    ]
