"""The rules for whoever counts with a trimmed file, each said once, in the words of notes of version 31.

Those of before are in `counting_words` and `counting_table`, those of notes since in `counting_plainly`.
"""

from __future__ import annotations

from workbench.core.number_text import estimate
from workbench.report.absent_combinations import no_combination
from workbench.report.counting_by_label import cut_intervals, of_which_columns
from workbench.report.counting_table import (
    HEADS_ALONE,
    HEADS_FIRST,
    about_rows,
    columns_to_count,
    never_more,
    too_low,
    untold,
)
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
from workbench.report.far_too_low import in_few_groups
from workbench.report.few_rows import in_few_rows
from workbench.report.first_step import added, of_later_steps_too, rows_of_first_step
from workbench.report.label_counts import LABEL_COUNTS, several
from workbench.report.no_row import no_row_says
from workbench.report.page import bullets, paragraph, table
from workbench.report.promise_meaning import rows_are_people
from workbench.report.rows_set_aside import ALIKE, ALIKE_THAT_TOOK_PART, some_set_aside, those_that_took_part
from workbench.report.stated_facts import Facts

_SHARES = (
    "Small groups lose a larger part, so shares counted in the file are not those of the table: what few people have "
    "looks rarer than it is, as a rule, or is missing from the file though it is in the table."
)
ON_AVERAGE = (
    "On average over all files that could have been drawn the sum is no more than {than}, as groups that are not in "
    "the file gave up all their rows."
)
IN_ONE_FILE = "In one file it can be too high, most where few small groups make it."


def before_counting_once(release: Facts, version: int) -> str:
    """What is to be known before one counts, as HTML."""
    missing = [no_row_says(release, version), *untold(release), in_few_rows(release, version)]
    missing += [in_few_groups(release, version), no_combination(release, version)]
    # The rule, what follows from it for shares, and what is missing: each is looked for by itself.
    needed = [low_in_full(release, version), _SHARES, " ".join(filter(None, missing))]
    lines = [*rows_are_people(release, version), *those_that_took_part(release, version), *_ways(release, version)]
    lines += [*no_value(release), *cut_intervals(release)]
    return "".join(map(paragraph, needed)) + columns_to_do(release, version) + (bullets(lines) if lines else "")


def low_in_full(release: Facts, version: int) -> str:
    """That counts are too low, why, and by how much: it follows from ε, δ and the rows per person, and from no row."""
    part, low = some_set_aside(release, version), f"{never_more(version)}."
    alike, steps = ALIKE_THAT_TOOK_PART if part else ALIKE, release["steps"]
    last, several_steps = steps[-1], len(steps) > 1
    gave_up = f"{alike} in all columns make a group, and each gave up a random number of its rows, drawn for it alone:"
    half, always = f"{last['half_survive']:,}", f"{last['always_survive']:,}"
    if several_steps or release["floor"] > 1 or parting(release):
        where = "at the last step, whose labels are coarsest, " if several_steps else ""
        left = "that were left to it" if several_steps else "of them"
        mostly = f"{where}mostly all {left} where these were fewer than {half}, and never all where they were {always}"
        if mixed_columns(release) and release["floor"] == 1 and not parting(release):
            return f"{low} {gave_up} {_of_finest(steps[0])}; {mostly} or more."
        return f"{too_low(release, version)} {gave_up} {mostly} or more."
    most = f"{most_drawn(last, 1):,}"
    return (
        f"{low} {gave_up} one of {always} rows or more about {about_rows(last['mean_lost'])} on average, and never "
        f"more than {most}; a smaller one up to all, and one of fewer than {half} mostly all. So one that is not in "
        f"the file had at most {most}."
    )


def _of_finest(step: Facts) -> str:
    """What a group of the finest labels gave up at the first step, in part of a sentence."""
    about, always = about_rows(step["mean_lost"]), f"{step['always_survive']:,}"
    return (
        f"with the finest labels one of {always} rows or more about {about} on average, and a smaller one up to all "
        "(some of this may stand under coarser labels)"
    )


def columns_to_do(release: Facts, version: int) -> str:
    """The columns with whose labels something is to be done before one counts by them, as HTML."""
    several_by = release["worked"] is not None and several_columns(release)
    every = list(columns_to_count(release, version))
    lines = [line for line in every if line[-1]]
    rest = "" if parting(release) or release["worked"] is not None else "Whether that can be made up for is said below."
    if not lines:
        return paragraph(rest)
    alone = " alone, or by some" if several_by else ""
    others = ", and leave those of other columns as they are" if len(lines) < len(every) else ""
    do = f"Before you count by one column{alone}, do this with its labels{others}:"
    told = table(HEADS_ALONE if several_by else HEADS_FIRST, lines)
    return paragraph(" ".join(filter(None, [rest, do]))) + told


def _ways(release: Facts, version: int) -> list[str]:
    """How groups are counted, and by one column or some; what coarser labels stand for comes before, in sentences."""
    names = mixed_columns(release)
    mixed = finer_beside_coarser(release, names, version)
    if release["worked"] is None:
        return mixed
    step, part = by_groups(release), some_set_aside(release, version)
    by = " by all columns at once" if several_columns(release) else " by the finest labels" if names else ""
    whose = "each group with the finest labels" if names else "each group"
    always = f"{step['always_survive']:,} rows or more"
    large = f"of which {always} took part" if part else f"that had {always} in the table"
    taken = rows_of_first_step(release, names)
    return [
        *mixed,
        f"To count{by}, {taken}add {added(step)} to the rows of {whose} {large}, which is sure of one with so many in "
        "the file: so many it gave up on average. Of a smaller one by itself no correction is right, because it is not "
        "always in the file. For several, add it once for each; the standard deviation is "
        f"{estimate(step['sd'])} times the square root of their number. {worked_example(release, version)}",
        *of_later_steps_too(release, names, version),
        *_by_some(release, taken, part=part),
    ]


def _by_some(release: Facts, taken: str, *, part: bool) -> list[str]:
    if not several(release):
        return []
    than = "took part" if part else "are in the table"
    below = f" “How to count with the file” has it for each label{of_which_columns(release)}."
    below *= bool(release[LABEL_COUNTS])
    return [
        f"To count by one column alone, or by some, {taken}add {added(release['steps'][0])} for each group that the "
        f"count is made of, however small. {ON_AVERAGE.format(than=than)} {IN_ONE_FILE}{below}"
    ]


def counting_once(release: Facts, version: int) -> list[str]:
    """How to count with the file, as far as it is not said before one counts, in sentences."""
    if release["worked"] is None:
        return counting(release, version)
    if len(release["steps"]) == 1:
        return []
    first, *more = without_groups(release, version, alike=True, part=some_set_aside(release, version))
    return [f"With coarser labels: {first[0].lower()}{first[1:]}" if mixed_columns(release) else first, *more]
