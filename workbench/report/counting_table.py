"""A table near the top of the statement on a trimmed release: how each column is counted by."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from workbench.anonymise.note_versions import (
    COUNTED_EXACTLY,
    COUNTS_AT_MOST,
    READ_FIRST,
    READ_ONCE,
    TOLD_AS_SEEN,
    WAYS_APART,
)
from workbench.core.hierarchy import ANY
from workbench.core.number_text import estimate
from workbench.report.absent_combinations import no_combination
from workbench.report.column_labels import not_listed
from workbench.report.counting_words import label_words, mixed_columns, parting, several_columns
from workbench.report.few_rows import in_few_rows
from workbench.report.no_row import no_row_says
from workbench.report.note import COUNT, STEP, after_of, taking_part
from workbench.report.page import table
from workbench.report.rows_set_aside import some_set_aside
from workbench.report.stated_facts import Facts

_HEADS, HEADS_FIRST = ("Column", "Its labels", "To count by it"), ("Column", "Its labels", "Before you count by it")
HEADS_ALONE = ("Column", "Its labels", "Before you count by it alone")
_TOO_LOW = (
    "Every count of rows of this file is too low, because rows were given up; by how much is said below. What to do in "
    "each column:"
)
_AT_MOST = (
    "No count of rows of this file is too high; as a rule it is too low, because each group gave up rows. By how much, "
    "and whether that can be made up for, is said below. Before you count by one column, do this with its labels:"
)
_ALONE = (
    "No count of rows of this file is too high; as a rule it is too low, because each group gave up rows. How to count "
    "by all columns at once is said below, with what can be added then. Before you count by one column alone, or by "
    "some, do this with the labels of each:"
)
_LOW = "No count of rows of this file is too high; as a rule it is too low"
_NEVER_MORE = "Of whatever you count, the file has at most as many rows as the table, and as a rule fewer"
"""Said of rows alone, as a count with what groups gave up, which the same page has, can be too high."""
_ROUND = 10
"""From so many rows on they are told as a whole number where they stand first."""
_AS_THEY_STAND = "Count its labels as they stand."
_NO_OTHERS = "Leave its labels as they are."
_NOTHING = f"It is {ANY} throughout: nothing can be counted by it."
_INTO_COARSER = "Put every finer label into the coarser one that holds it, then count."
_FINER_FIRST = "Put every finer label into the coarser one that holds it."
_EITHER = "Count by the finest as is said below, or put every finer label into the coarser one that holds it."
_UNDER_ANY = f"Of each label more rows may stand under {ANY}: its count is too low by these, too."
_BY_STEP = "It says at which step a row was released, and so which labels it has."
_ADD_UP = "Add it up: a line of the file stands for so many rows."
_SHARES = (
    "Shares counted in the file are not those of the table: small groups lose a larger part of their rows, so what is "
    "rare looks rarer than it is, as a rule, or is missing."
)


def counting_table(release: Facts, version: int = WAYS_APART) -> str:
    """The columns of the file with their labels, the finest first, and how to count by them, as HTML.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    if version >= READ_FIRST:
        return _since_read_first(release, version)
    first, heads = (_TOO_LOW, _HEADS) if version < COUNTS_AT_MOST else (_AT_MOST, HEADS_FIRST)
    if _has_ways(release, version) and several_columns(release):
        first, heads = _ALONE, HEADS_ALONE
    return f"<p>{escape(first)}</p>" + table(heads, columns_to_count(release, version))


def _since_read_first(release: Facts, version: int) -> str:
    """The same, after what is needed most; what is to be done with no labels stands once."""
    ways, lines = _has_ways(release, version), list(columns_to_count(release, version))
    several = ways and several_columns(release)
    how = "How to count by all columns at once is said below, with what can be added then. " if several else ""
    how = "What can be added to a count is said below. " if several and version >= TOLD_AS_SEEN else how
    how = how or ("" if parting(release) else "Whether that can be made up for is said below. ")
    alone = " alone, or by some" if several else ""
    unsaid = [no_row_says(release, version), *(untold(release) if version >= TOLD_AS_SEEN else [])]
    low = too_low(release, version) if version < READ_ONCE else f"{too_low(release, version)} {_SHARES}"
    needed = " ".join(filter(None, [low, *unsaid, in_few_rows(release, version), no_combination(release, version)]))
    heads: tuple[str, ...] = HEADS_ALONE if several else HEADS_FIRST
    if any(line[-1] for line in lines):
        rest = "" if all(line[-1] for line in lines) else ", and leave the labels as they are where nothing is said"
        do = f"Before you count by one column{alone}, do this with its labels{rest}:"
        told = table(heads, lines)
    else:
        do = f"To count by one column{alone}, leave the labels as they are:"
        told = table(heads[:2], (line[:2] for line in lines))
    return f"<p>{escape(needed)}</p><p>{escape(f'{how}{do}')}</p>{told}"


def never_more(version: int) -> str:
    """That counts of rows are too low, as the beginning of a sentence of notes of a version."""
    return _LOW if version < COUNTED_EXACTLY else _NEVER_MORE


def too_low(release: Facts, version: int = COUNTED_EXACTLY) -> str:
    """How much counts are too low, first of all: it follows from ε, δ and the rows per person, and from no row."""
    low = never_more(version)
    if parting(release):
        return f"{low}, because each group gave up rows. By how much, nobody can tell."
    steps, mixed, at = release["steps"], bool(mixed_columns(release)), after_of(release).one_level
    part = some_set_aside(release, READ_FIRST)
    alike = f"{'that took part and have' if part else 'with'} equal labels in all columns{', the finest ones,' * mixed}"
    if release["floor"] == 1 and (mixed or at == 1 or len(steps) == 1):
        mean, always = steps[0]["mean_lost"], steps[0]["always_survive"]
        about = about_rows(mean)
        most = f"{always:,} or more rows" if part else f"{always:,} rows or more"
        some = "; some of what was given up may stand under coarser labels" if mixed else ""
        return (
            f"{low}: each group of {most} {alike} gave up about {about} of them on average, and a "
            f"smaller one up to all{some}."
        )
    # At the levels of a later step rows that earlier ones gave up may have been released by it.
    step = steps[0] if mixed else steps[(at or len(steps)) - 1]
    return f"{low}: of each group of rows {alike} fewer than {step['always_survive']:,} are missing."


def about_rows(mean: float) -> str:
    """The rows that groups gave up on average, where they are told first."""
    return f"{round(mean):,}" if mean >= _ROUND else estimate(mean, 2)


def untold(release: Facts) -> list[str]:
    """Of which columns it is not said which labels are in no row, as their lists are too long, in sentences."""
    return [
        f"Which of its {labels:,} labels no row says is not told of {name}: that list is too long for this page."
        for name, labels in not_listed(release).items()
    ]


def _has_ways(release: Facts, version: int) -> bool:
    """Whether groups of the finest labels can be counted one by one, too."""
    return version >= WAYS_APART and release.get("worked") is not None


def columns_to_count(release: Facts, version: int) -> Iterator[tuple[str, str, str]]:
    after, steps = after_of(release), [step["levels"] for step in release["steps"]]
    steps = steps[after.one_level - 1 : after.one_level] or steps
    alone = _has_ways(release, version) and not several_columns(release)
    for column in taking_part(release):
        name, shown = column["name"], column["shown"]
        if shown in (STEP, COUNT):
            yield name, "numbers", _BY_STEP if shown == STEP else _ADD_UP
        elif name not in after.left_out:
            examples = release.get("examples", {}).get(name, {})
            levels = {step[name]: label_words(column, step, steps, version) for step in steps}
            words = list(dict.fromkeys(f"{said}{_such(examples, level)}" for level, said in levels.items()))
            yield name, _finest_first(words), _to_do(words, version, alone)


def _such(examples: Facts, level: object) -> str:
    example = examples.get(str(level), "")
    return f", such as “{example}”" if example else ""


def _finest_first(words: list[str]) -> str:
    finest, *coarser = words
    return f"{finest}; coarser: {'; '.join(coarser)}" if coarser else finest


def _to_do(words: list[str], version: int, alone: bool) -> str:
    if words == [ANY]:
        return _NOTHING
    several, starred = sum(one != ANY for one in words) > 1, ANY in words
    older = version < COUNTS_AT_MOST
    finer, alike = (_INTO_COARSER, _AS_THEY_STAND) if older else (_EITHER if alone else _FINER_FIRST, _NO_OTHERS)
    alike = "" if version >= READ_FIRST else alike
    said = [finer] if several else [] if starred else [alike]
    return " ".join(filter(None, [*said, *([_UNDER_ANY] if starred else [])]))
