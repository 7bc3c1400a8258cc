"""The words for what was said to occur in columns, as the sentence on their hierarchies has them.

They follow from what a note lists, so that whoever receives it can make the sentence again.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import exact
from workbench.core.occurring import ranges_of
from workbench.core.visible import quoted

MOST_LETTERS = 1_000_000
"""Of all columns together that a note lists: it must stay small enough to be read. A longer list has its digest."""
_SHOWN = 60
"""Letters of one column that stand in the sentence."""
NUMBER_SAID = " said to occur"
"""The end of the words that have the number of entries alone."""
_GROUPED = 10_000
"""From here on digits are grouped; what is smaller may be years."""
_OF_NUMBERS = frozenset({"intervals", "dates"})
"""The rules that read a range as all numbers, or years, between its ends. To others, and to a list from a file, it may
be a group or the beginnings of codes."""


def range_in(entries: Sequence[str]) -> tuple[float, float] | None:
    """The two ends where the entries are one range of numbers; None of one number, of words, and of several."""
    if len(entries) != 1:
        return None
    try:
        ((least, most),) = ranges_of(entries)
    except WorkbenchError:
        return None
    return (least, most) if least < most and math.isfinite(most - least) else None


def said_as_ranges(said: Mapping[str, Sequence[str]], hierarchies: Mapping[str, Hierarchy]) -> frozenset[str]:
    """The columns of which from where to where their numbers, or years, run was said.

    Elsewhere the same letters may be a group, or how codes begin: then nobody said that the column runs so far.
    """
    rules = {name: hierarchies[name].specification for name in said if name in hierarchies}
    read = {name for name, rule in rules.items() if rule is not None and rule["builder"] in _OF_NUMBERS}
    return frozenset(name for name in read if range_in(said[name]) is not None)


def said_words(said: Mapping[str, Sequence[str]], ranges: Collection[str] = ()) -> tuple[tuple[str, str], ...]:
    """By column what was said to occur in it, as a sentence without its end.

    Of long lists it has the number of entries; of all, where together they are too long for a note. Whatever is not
    among the `ranges` (`said_as_ranges`) stands as it was typed.
    """
    letters = sum(len(entry) for entries in said.values() for entry in entries)
    if letters > MOST_LETTERS:
        return tuple((name, number_words(name, len(entries))) for name, entries in said.items())
    return tuple((name, _words(name, entries, name in ranges)) for name, entries in said.items())


def number_words(name: str, number: int) -> str:
    """The same of a column of which only the number of entries is told."""
    return f"In {quoted(name)} {'1 entry is' if number == 1 else f'{number:,} entries are'}{NUMBER_SAID}"


def _words(name: str, entries: Sequence[str], is_range: bool) -> str:
    ends = range_in(entries) if is_range else None
    if ends is not None:
        return f"{quoted(name)} is said to run from {end_of_range(ends[0])} to {end_of_range(ends[1])}"
    if sum(map(len, entries)) > _SHOWN:
        return number_words(name, len(entries))
    return f"Said to occur in {quoted(name)}: {', '.join(map(quoted, entries))}"


def end_of_range(number: float) -> str:
    """Where a range of numbers begins or ends, in words; digits are grouped where it cannot be a year."""
    return str(int(number)) if number.is_integer() and abs(number) < _GROUPED else exact(number)
