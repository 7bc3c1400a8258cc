"""A table near the top of the statement on a trimmed release: how each column is counted by."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from workbench.anonymise.note_versions import COUNTS_AT_MOST, WAYS_APART
from workbench.core.hierarchy import ANY
from workbench.report.counting_words import several_columns, words_at
from workbench.report.note import COUNT, STEP, after_of, taking_part
from workbench.report.page import table
from workbench.report.stated_facts import Facts

_HEADS, _HEADS_FIRST = ("Column", "Its labels", "To count by it"), ("Column", "Its labels", "Before you count by it")
_HEADS_ALONE = ("Column", "Its labels", "Before you count by it alone")
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
_AS_THEY_STAND = "Count its labels as they stand."
_NO_OTHERS = "Leave its labels as they are."
_NOTHING = f"It is {ANY} throughout: nothing can be counted by it."
_INTO_COARSER = "Put every finer label into the coarser one that holds it, then count."
_FINER_FIRST = "Put every finer label into the coarser one that holds it."
_EITHER = "Count by the finest as is said below, or put every finer label into the coarser one that holds it."
_UNDER_ANY = f"Of each label more rows may stand under {ANY}: its count is too low by these, too."
_BY_STEP = "It says at which step a row was released, and so which labels it has."
_ADD_UP = "Add it up: a line of the file stands for so many rows."


def counting_table(release: Facts, version: int = WAYS_APART) -> str:
    """The columns of the file with their labels, the finest first, and how to count by them, as HTML.

    Parameters
    ----------
    version
        Of the notes that word it so.
    """
    first, heads = (_TOO_LOW, _HEADS) if version < COUNTS_AT_MOST else (_AT_MOST, _HEADS_FIRST)
    if _has_ways(release, version) and several_columns(release):
        first, heads = _ALONE, _HEADS_ALONE
    return f"<p>{escape(first)}</p>" + table(heads, _lines(release, version))


def _has_ways(release: Facts, version: int) -> bool:
    """Whether groups of the finest labels can be counted one by one, too."""
    return version >= WAYS_APART and release.get("worked") is not None


def _lines(release: Facts, version: int) -> Iterator[tuple[str, str, str]]:
    after, steps = after_of(release), [step["levels"] for step in release["steps"]]
    steps = steps[after.one_level - 1 : after.one_level] or steps
    alone = _has_ways(release, version) and not several_columns(release)
    for column in taking_part(release):
        name, shown = column["name"], column["shown"]
        if shown in (STEP, COUNT):
            yield name, "numbers", _BY_STEP if shown == STEP else _ADD_UP
        elif name not in after.left_out:
            examples = release.get("examples", {}).get(name, {})
            levels = {step[name]: words_at(column, step) for step in steps}
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
    said = [finer] if several else [] if starred else [alike]
    return " ".join([*said, *([_UNDER_ANY] if starred else [])])
