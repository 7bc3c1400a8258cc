"""Counting with a file that was trimmed: what a reader must know first, and how much each count is short of."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.anonymise.note_versions import (
    ALIKE_AS_THEY_STAND,
    COUNTED_BY_GROUPS,
    LEVELS_SHOWN,
    LISTED_AS_CELLS,
    READ_FIRST,
    REPLACED_BY_ONE,
    SAID_ONCE,
    SHAPED_AFTER,
    SPELT_AS_IN_FILE,
    TOLD_AS_SEEN,
    WAYS_APART,
    WITHOUT_EXAMPLE,
)
from workbench.anonymise.released_columns import AS_IT_IS
from workbench.core.hierarchy import ANY
from workbench.core.number_text import estimate
from workbench.report.first_step import added, of_later_steps_too, rows_of_first_step, with_given_up
from workbench.report.note import LABELS, after_of, taking_part
from workbench.report.older_sentences import CORRECTED_AT_FIRST, CORRECTED_TOLD, COUNTED_IN_STEPS_AT_FIRST
from workbench.report.rows_set_aside import ALIKE, ALIKE_THAT_TOOK_PART, of_these, some_set_aside, those_that_took_part
from workbench.report.stated_facts import Facts
from workbench.report.statement_parts import RARE
from workbench.report.widening_told import from_where_to_where

_TIDIED = ("spaces tidied", "spelt as listed")
_ONE_CASE = ("lower case", "upper case")


def small_groups(steps: Sequence[Facts]) -> str:
    """The fate of small groups, in sentences.

    Parameters
    ----------
    steps
        With the rows from which a group is released half of the time and always, with any floor.
    """
    last, where = steps[-1], "At the last step, whose labels are coarsest, a" if len(steps) > 1 else "A"
    coarser = ", or stand under a coarser label or *" if len(steps) > 1 else ""
    return (
        f"Small groups are not in the file, which protects the people in them. {where} group of fewer than "
        f"{last['half_survive']:,} rows mostly gives up all of them, and one of {last['always_survive']:,} rows or "
        f"more never does. So rare values are counted too low{coarser}, and one that is missing may have been there."
    )


def before_counting(release: Facts, version: int) -> list[str]:
    """The cautions for whoever uses the file, in sentences: what is not in it, and what must not be counted."""
    last, several = release["steps"][-1], len(release["steps"]) > 1
    where = "at the last step, whose labels are coarsest, " if several else ""
    left = "that were left to it" if several else "of them"
    alike = ALIKE_THAT_TOOK_PART if some_set_aside(release, version) else ALIKE
    rare = RARE if version < COUNTED_BY_GROUPS else RARE.replace(", such as a very high income,", "")
    lines = [
        f"{rare} {alike} in every column make a group, and each group gave up a random number of its "
        f"rows: {where}mostly all {left} where these were fewer than {last['half_survive']:,}, and never all where "
        f"they were {last['always_survive']:,} or more."
    ]
    names = mixed_columns(release)
    if version >= LEVELS_SHOWN:
        lines += those_that_took_part(release, version)
    if version >= WAYS_APART:
        return [*lines, *_ways(release, names, version), *no_value(release)]
    if version >= COUNTED_BY_GROUPS:
        return [
            *lines,
            *_add_what_was_given_up(release),
            *finer_beside_coarser(release, names, version),
            *no_value(release),
        ]
    if names:
        told = f" “{release['step_column']}” says of each row which." if release["step_column"] else ""
        if version >= SHAPED_AFTER:
            # Notes up to version 9 had an example of ages, whatever the columns held.
            such = "" if version >= WITHOUT_EXAMPLE else ", such as 30–39 beside 0–39"
            lines.append(
                f"Finer and coarser labels stand side by side in {', '.join(names)}{such}.{told} "
                "To count the rows with one of the finer labels is wrong, because others of them stand under a coarser "
                "one. How to count is said below."
            )
            return lines
        lines.append(
            f"Finer and coarser labels stand side by side in {', '.join(names)}, such as 30–39 beside 0–39.{told} To "
            "count the rows with one of the finer labels is wrong, because others of them stand under a coarser one: "
            "bring all labels to the coarsest level first."
        )
    return lines


def parting(release: Facts) -> list[str]:
    """Columns that were left out although they can have parted the groups that are counted one by one."""
    after = after_of(release)
    return _telling_apart(release, by_groups(release)) if after.left_out else []


def by_groups(release: Facts) -> Facts:
    """The step whose groups are counted one by one."""
    step: Facts = release["steps"][max(after_of(release).one_level, 1) - 1]
    return step


def _add_what_was_given_up(release: Facts) -> list[str]:
    """The way to count that keeps every column, with one group of the file; nothing where no group is so large."""
    if release["worked"] is None:
        return []
    mean = estimate(by_groups(release)["mean_lost"])
    return [
        f"To count, add {mean} to the rows of each group: that many rows such a group gave up on average. "
        f"{worked_example(release)}"
    ]


def several_columns(release: Facts) -> bool:
    """Whether rows of the file are alike by the labels of more than one column."""
    left_out = after_of(release).left_out
    return len([one for one in taking_part(release) if one["shown"] == LABELS and one["name"] not in left_out]) > 1


def _ways(release: Facts, names: Sequence[str], version: int) -> list[str]:
    """What coarser labels stand for, and how the groups with the finest ones are counted; the table has the other way.

    Only the groups of one step gave up what is added: each later step has a number of its own.
    """
    step = by_groups(release)
    mixed = finer_beside_coarser(release, names, WAYS_APART)
    if release["worked"] is None:
        return mixed
    by = "by all columns at once" if several_columns(release) else "by the finest labels" if names else ""
    there = "that took part" if some_set_aside(release, version) else "in the table"
    whose = "each group with the finest labels" if names else "each group"
    if version >= TOLD_AS_SEEN:
        out = rows_of_first_step(release, names)
        always = f"{step['always_survive']:,} rows or more"
        part = some_set_aside(release, version)
        large = f"of which {always} took part" if part else f"that had {always} in the table"
        return [
            *mixed,
            f"To count{f' {by}' if by else ''}, {out}add {added(step)} to the rows of {whose} {large}: "
            f"so many such a group gave up on average. One of {always} in the file is surely such a group; of a "
            f"smaller one by itself no correction is right. {worked_example(release, version)}",
            *of_later_steps_too(release, names, version),
        ]
    out = "leave out the rows that have a coarser label, and " if names else ""
    return [
        *mixed,
        f"To count{f' {by}' if by else ''}, {out}add {estimate(step['mean_lost'])} to the rows of {whose}: one of "
        f"{step['always_survive']:,} rows or more {there} gave up so many on average. {worked_example(release)}",
    ]


def worked_example(release: Facts, version: int = WAYS_APART) -> str:
    """One group of the file with its rows, and about how many there were in the table."""
    worked, step = release["worked"], by_groups(release)
    labels = ", ".join(f"{name} {label or '(empty)'}" for name, label in worked["labels"].items())
    about = f"{round(worked['rows'] + step['mean_lost']):,}"
    if version >= LISTED_AS_CELLS:  # as the numbers by label are told
        about = f"{with_given_up(step, worked['rows'], 1, version):,}"
    there = "of those that took part" if those_that_took_part(release) else "in the table"
    if version >= TOLD_AS_SEEN:
        low, high = (f"{worked['rows'] + lost:,}" for lost in step["mostly_lost"])
        return (
            f"For example, {labels}: {worked['rows']:,} rows in the file, so about {about} {there}, and from {low} to "
            f"{high} in 19 of 20 such groups."
        )
    return (
        f"For example, {labels}: {worked['rows']:,} rows in the file, about {about} {there}, with a standard deviation "
        f"of {estimate(step['sd'])}."
    )


def finer_beside_coarser(release: Facts, names: Sequence[str], version: int) -> list[str]:
    """Which labels hold others. That they do stand in the file was said up to version 14: a level may have lost all."""
    if not names:
        return []
    told = f" “{release['step_column']}” says of each row which." if release["step_column"] else ""
    if version >= WAYS_APART:
        coarser = (
            "Rows with a coarser label are among those that groups with finer labels gave up."
            if release["worked"] is not None
            else "Rows with a finer label are not all that had it: others stand under a coarser one. How to count is "
            "said below."
        )
        return [f"Finer and coarser labels may stand side by side in {', '.join(names)}.{told} {coarser}"]
    way = (
        "Count rows with finer labels as said above, and leave the rows under a coarser one out then: these are what "
        "such groups gave up. Or bring every label to the coarser one. More on both is said below."
        if release["worked"] is not None
        else "To count the rows with one of the finer labels is wrong: others of them stand under a coarser one. How "
        "to count is said below."
    )
    stand = "may stand" if version >= REPLACED_BY_ONE else "stand"
    return [f"Finer and coarser labels {stand} side by side in {', '.join(names)}.{told} {way}"]


def no_value(release: Facts) -> list[str]:
    """The meaning of cells without a value, where there are any."""
    stars, blank = release["stars"], release["blank"]
    said = [f"{ANY} stands for a value that is not told ({_rows_of(stars)})."] if stars else []
    said += [f"An empty cell stands for a missing value, such as no answer ({_rows_of(blank)})."] if blank else []
    return [" ".join(said)] if said else []


def _rows_of(counts: Facts) -> str:
    some = [f"{name} in {rows:,}" for name, rows in counts.items()]
    return f"{', '.join(some)} rows" if list(counts.values()) != [1] else f"{some[0]} row"


def mixed_columns(release: Facts) -> tuple[str, ...]:
    """Columns in which finer and coarser labels can stand side by side, because their level differs among steps."""
    levels, after = [step["levels"] for step in release["steps"]], after_of(release)
    if after.one_level:
        return ()
    differ = (name for name in levels[0] if len({str(step[name]) for step in levels}) > 1)
    return tuple(name for name in differ if name not in after.left_out)


def counting(release: Facts, version: int, *, alike: bool | None = None, part: bool | None = None) -> list[str]:
    """How to count with the file, in sentences that hold whatever the table was.

    Parameters
    ----------
    alike
        Whether rows are counted as they stand where no labels are of several levels; None for what the version says.
    part
        Whether it is said of the rows that took part, as there may be others; None for what the version says.
    """
    alike = version >= ALIKE_AS_THEY_STAND if alike is None else alike
    part = some_set_aside(release, version) if part is None else part
    steps = release["steps"]
    if version >= COUNTED_BY_GROUPS and len(steps) > 1 and release["worked"] is not None:
        first, *more = without_groups(release, version, alike=alike, part=part)
        other = f"With coarser labels: {first[0].lower()}{first[1:]}" if mixed_columns(release) else first
        return [*_group_by_group(release, version, part=part), other, *more]
    return without_groups(release, version, alike=alike, part=part)


def without_groups(release: Facts, version: int, *, alike: bool, part: bool) -> list[str]:
    """How to count at one level for all rows."""
    steps, floor, after = release["steps"], release["floor"], after_of(release)
    if parted := _parted(release):
        return [_of_several(parted), *_one_step_at_a_time(release)]
    if after.one_level:
        return _counting_at(steps[after.one_level - 1], after.one_level, floor, version, part=part)
    if len(steps) > 1:
        if version < SHAPED_AFTER:
            return [*COUNTED_IN_STEPS_AT_FIRST, _correction(floor, version)]
        return _counting_in_steps(release, version, alike=alike, part=part)
    return _counting_at_once(steps[0], floor, version, part=part)


def _counting_at_once(step: Facts, floor: int, version: int, *, part: bool) -> list[str]:
    """Where there is one step."""
    always, most = step["always_survive"], most_drawn(step, floor)
    low = of_these(f"The count of a group in the file is too small by {_up_to(most)}.", part=part)
    missing = _missing(always, part=part)
    if floor > 1:
        return [
            low,
            missing,
            "No correction of counts is offered, because small groups were left out by their counts.",
        ]
    mean, sd = estimate(step["mean_lost"]), estimate(step["sd"])
    large = f"of which {always:,} rows or more took part" if part else f"with {always:,} rows or more in the table"
    smaller = "which fewer rows took part" if part else "fewer rows in the table"
    true = "how many took part" if part else "the true count"
    mostly = ""
    if version >= TOLD_AS_SEEN:
        mostly = "; 19 of 20 such groups gave up {:,} to {:,}".format(*step["mostly_lost"])
    return [
        f"{low} Of a group {large} it is too small by {mean} on average: add {mean} to estimate {true}, with a "
        f"standard deviation of {sd}{mostly}.",
        f"A group with {always:,} rows or more in the file is surely one of these. For groups of {smaller} no such "
        "correction is right on average, because they are not always in the file.",
        f"Each group gives up a number of its own: for a sum over several groups add {mean} for each of them; the "
        f"standard deviation is then {sd} times the square root of their number.",
        missing,
    ]


def _missing(always: int, *, part: bool) -> str:
    """How large a group can be that is not in the file."""
    if part:
        return f"Of a group that is not in the file {_up_to(always - 1)} took part."
    return f"A group that is not in the file had {_up_to(always - 1)} in the table."


def _group_by_group(release: Facts, version: int, *, part: bool) -> list[str]:
    """Counting with the labels of one step and what its groups gave up there."""
    step = by_groups(release)
    mean, sd, always = estimate(step["mean_lost"]), estimate(step["sd"]), step["always_survive"]
    which = "the rows with the labels of step 1, and none under a coarser label"
    whose = "" if version >= WAYS_APART else "and "  # a word too many until then, kept as it was printed
    if after_of(release).one_level:
        which = "the rows with equal labels"
    else:
        whose = "whose labels no later step has too and "
    large = f"of which {always:,} rows or more took part" if part else f"of {always:,} rows or more in the table"
    example = "" if version >= WAYS_APART else f"{worked_example(release)} "  # it stands where counting begins since
    at_once = ", by all columns at once" if version >= WAYS_APART and several_columns(release) else ""
    alone = " by itself" if version >= TOLD_AS_SEEN else ""
    smaller = f"Of a smaller group{alone}" if version >= TOLD_AS_SEEN else "Of smaller groups"
    their = "it is" if version >= TOLD_AS_SEEN else "they are"
    return [
        f"Group by group{at_once}: count {which}, and add {mean} for each group. {example}For several groups "
        f"add it once for each; the standard deviation is then {sd} times the square root of their number.",
        f"This is right on average for groups {whose}{large}; a group with so "
        f"many in the file is surely one. {smaller} no such correction is right, because {their} not always in "
        "the file.",
    ]


def _parted(release: Facts) -> list[str]:
    """Columns that were left out although they can have parted groups at the level that is counted at."""
    after = after_of(release)
    return _telling_apart(release, release["steps"][after.one_level - 1]) if after.left_out else []


def _telling_apart(release: Facts, step: Facts) -> list[str]:
    """Of the columns that were left out, those that were more than `*` at a step."""
    left_out = () if "after" not in release else release["after"]["left_out"]
    return [one["name"] for one in left_out if words_at(one, step["levels"]) != ANY]


def label_words(column: Facts, levels: Facts, steps: Sequence[Facts], version: int) -> str:
    """The same, in a list of the levels of these steps: as it is where spaces are tidied, as the program calls it.

    How such a column is spelt is said with where its hierarchy comes from, so since version 32 only there.
    """
    words, name = words_at(column, levels), column["name"]
    if version >= SAID_ONCE:
        words = from_where_to_where(column, words)
    tidied = words in _TIDIED and all(step[name] != 0 for step in steps)
    if tidied and version >= SPELT_AS_IN_FILE:
        return AS_IT_IS
    return f"{AS_IT_IS}, {words}" if version >= READ_FIRST and (tidied or words in _ONE_CASE) else words


def words_at(column: Facts, levels: Facts) -> str:
    """The words for the labels of a column at these levels: “decade”, “level 2”, `*`.

    Parameters
    ----------
    column
        As a note describes it.
    levels
        By column its level.
    """
    level = levels[column["name"]]
    if column["shown"] != LABELS or level == ANY:
        return ANY if level == ANY else AS_IT_IS
    words = column["hierarchy"].get("levels")
    known = words is not None and level in range(len(words))
    return str(words[level]) if known else f"level {level}"


def _of_several(names: Sequence[str]) -> str:
    which = ", ".join(f"“{name}”" for name in names)
    return (
        f"Rows that are alike without {which} can be of several groups, and each group gave up rows of its own. So a "
        "count is too small by an amount that nobody can tell, and no bound is given."
    )


def _one_step_at_a_time(release: Facts) -> list[str]:
    """How labels of several levels are counted, as far as they stand side by side."""
    return [] if not mixed_columns(release) else [_to_one_level(release)]


def _to_one_level(release: Facts) -> str:
    columns = {one["name"]: one for one in release["columns"]}
    last = release["steps"][-1]["levels"]
    to = ", ".join(f"{name} to {_at(words_at(columns[name], last))}" for name in mixed_columns(release))
    return f"Bring every label to its level at the last step ({to}), and count the rows with equal labels."


def _at(words: str) -> str:
    return "one *" if words == ANY else words


def _counting_at(step: Facts, number: int, floor: int, version: int, *, part: bool) -> list[str]:
    """Where all labels stand at the levels of one step, rows with equal labels are a group of it."""
    always, most = step["always_survive"], most_drawn(step, floor)
    low = f"Such a count is too small by what its group gave up at that step alone: by {_up_to(most)}."
    untold = "; nothing can be added, as it is not told which of them gave up rows there" if number > 1 else ""
    untold = untold if version >= TOLD_AS_SEEN else ""
    return [
        f"All labels of a column stand at one level, that of step {number:,}, so rows with equal labels can be counted "
        f"as they stand. {of_these(low, part=part)}",
        of_these(f"A sum over several groups is too small by what each of them gave up{untold}.", part=part),
        _missing(always, part=part),
        _correction(floor, version, part=part),
    ]


def _correction(floor: int, version: int, *, part: bool = False) -> str:
    if floor > 1:
        return "No correction of counts is offered, because small groups were left out by their counts."
    true = "how many of its rows took part" if part else "the true one"
    if version >= SPELT_AS_IN_FILE:
        return (
            "Of one group by itself, add the number under “given up on average” to the count where at least so many "
            "rows were left to a step as the table says under “always from”, which is sure where the step itself "
            f"released so many: that estimates {true}, with the standard deviation below it. Of others no correction "
            "is right on average."
        )
    return (CORRECTED_TOLD if version >= TOLD_AS_SEEN else CORRECTED_AT_FIRST).format(true=true)


def _counting_in_steps(release: Facts, version: int, *, alike: bool, part: bool) -> list[str]:
    told = f", which “{release['step_column']}” tells" if release["step_column"] else ""
    finer = (
        "Who needs finer labels does the same with the levels of an earlier step, and leaves out the rows that later "
        f"steps released{told}: of their coarser labels nobody can tell what they were."
    )
    apart = dict.fromkeys(name for step in release["steps"] for name in _telling_apart(release, step))
    if apart:
        finer = f"No finer count has a bound, because {', '.join(apart)} told groups apart there and was left out."
    first = _to_one_level(release)
    if alike and not mixed_columns(release):
        first = "Count the rows with equal labels, which are all at the levels of the last step."
    low = (
        "Such a count is too small by what its group gave up at that step alone: by fewer rows than the table of steps "
        "says under “always from”."
    )
    sums = (
        "A sum over several groups is too small by what each of them gave up, so counts are best made at the latest "
        "step that still tells apart what is to be counted."
    )
    return [
        f"{first} {of_these(low, part=part)}",
        finer,
        of_these(sums, part=part),
        _correction(release["floor"], version, part=part),
    ]


def _up_to(rows: int) -> str:
    return "no row" if rows == 0 else "at most 1 row" if rows == 1 else f"at most {rows:,} rows"


def most_drawn(step: Facts, floor: int) -> int:
    """The most rows that are drawn for a group: one less than a group needs that always keeps a row."""
    return int(step["always_survive"] - floor)
