"""How to count with a file that was trimmed: what a reader must know first, and how much each count is short of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from workbench.anonymise.terms import CHOICES_APART
from workbench.core.number_text import estimate
from workbench.report.statement_parts import RARE

Facts = Mapping[str, Any]


def small_groups_once(release: Facts, version: int) -> str:
    """That small groups are not in the file, and how small they are, as HTML: it follows from ε and δ alone."""
    return f"<p>{escape(small_groups(release['steps']))}</p>" if version == CHOICES_APART else ""


def small_groups(steps: Sequence[Facts]) -> str:
    """What becomes of small groups, in sentences.

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


def before_counting(release: Facts) -> list[str]:
    """What whoever uses the file must know first, in sentences: what is not in it, and what must not be counted."""
    last, several = release["steps"][-1], len(release["steps"]) > 1
    where = "at the last step, whose labels are coarsest, " if several else ""
    left = "that were left to it" if several else "of them"
    lines = [
        f"{RARE} Rows with equal labels in every column make a group, and each group gave up a random number of its "
        f"rows: {where}mostly all {left} where these were fewer than {last['half_survive']:,}, and never all where "
        f"they were {last['always_survive']:,} or more."
    ]
    names = mixed_columns(release)
    if names:
        told = f" “{release['step_column']}” says of each row which." if release["step_column"] else ""
        lines.append(
            f"Finer and coarser labels stand side by side in {', '.join(names)}, such as 30–39 beside 0–39.{told} To "
            "count the rows with one of the finer labels is wrong, because others of them stand under a coarser one: "
            "bring all labels to the coarsest level first."
        )
    return lines


def mixed_columns(release: Facts) -> tuple[str, ...]:
    """Columns in which finer and coarser labels can stand side by side, because their level differs among steps."""
    levels = [step["levels"] for step in release["steps"]]
    return tuple(name for name in levels[0] if len({str(step[name]) for step in levels}) > 1)


def mixed_once(release: Facts, version: int) -> str:
    """Which columns hold labels of several levels, as HTML."""
    names = mixed_columns(release)
    if version != CHOICES_APART or not names:
        return ""
    which = f"These columns hold finer and coarser labels side by side: {', '.join(names)}."
    told = f" “{release['step_column']}” says of each row which." if release["step_column"] else ""
    words = (
        f"{which}{told} Do not count one of their labels before all labels are brought to the level of the last step."
    )
    return f"<p>{escape(words)}</p>"


def counting(release: Facts) -> list[str]:
    """How to count with the file, in sentences that hold whatever the table was."""
    steps, floor = release["steps"], release["floor"]
    if len(steps) > 1:
        return _counting_in_steps(floor)
    step = steps[0]
    always, most = step["always_survive"], most_drawn(step, floor)
    missing = f"A group that is not in the file had {_up_to(always - 1)} in the table."
    if floor > 1:
        return [
            f"The count of a group in the file is too small by {_up_to(most)}.",
            missing,
            "No correction of counts is offered, because small groups were left out by their counts.",
        ]
    mean, sd = estimate(step["mean_lost"]), estimate(step["sd"])
    return [
        f"The count of a group in the file is too small by {_up_to(most)}. Of a group with {always:,} rows or more in "
        f"the table it is too small by {mean} on average: add {mean} to estimate the true count, with a standard "
        f"deviation of {sd}.",
        f"A group with {always:,} rows or more in the file is surely one of these. For groups of fewer rows in the "
        "table no such correction is right on average, because they are not always in the file.",
        f"Each group gives up a number of its own: for a sum over several groups add {mean} for each of them; the "
        f"standard deviation is then {sd} times the square root of their number.",
        missing,
    ]


def _counting_in_steps(floor: int) -> list[str]:
    lines = [
        "Count at the levels of one step. The rows of a group are then those that this step and the ones before "
        "released with its labels, or with finer labels that belong to it. Rows that were released later have coarser "
        "labels, of which nobody can tell what they were.",
        "Such a count is too small by what the group gave up at that step alone: by fewer rows than the table of steps "
        "says under “always from”.",
        "A sum over several groups of one step is too small by what each of them gave up, so counts are best made at "
        "the latest step that still tells apart what is to be counted.",
    ]
    if floor > 1:
        return [*lines, "No correction of counts is offered, because small groups were left out by their counts."]
    return [
        *lines,
        "A group of which that many rows were left to a step gave up the number there that the table says under “given "
        "up on average”: adding it to the count estimates the true one, with the standard deviation beside it. A group "
        "of which the step itself released so many rows had as many left. Of others no correction is right on average.",
    ]


def _up_to(rows: int) -> str:
    return "no row" if rows == 0 else "at most 1 row" if rows == 1 else f"at most {rows:,} rows"


def most_drawn(step: Facts, floor: int) -> int:
    """The most rows that are drawn for a group: one less than a group needs that always keeps a row."""
    return int(step["always_survive"] - floor)
