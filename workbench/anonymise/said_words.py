"""The words for what was said to occur in columns, as the sentence on their hierarchies has them.

They follow from what a note lists, so that whoever receives it can make the sentence again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import exact
from workbench.core.occurring import ranges_of
from workbench.core.visible import quoted

MOST_LETTERS = 1_000_000
"""Of all columns together that a note lists: it must stay small enough to be read. A longer list has its digest."""
_SHOWN = 60
"""Letters of one column that stand in the sentence."""
_GROUPED = 10_000
"""From here on digits are grouped; what is smaller may be years."""


def said_words(said: Mapping[str, Sequence[str]]) -> tuple[tuple[str, str], ...]:
    """By column what was said to occur in it, as a sentence without its end.

    Of long lists it has the number of entries; of all, where together they are too long for a note.
    """
    letters = sum(len(entry) for entries in said.values() for entry in entries)
    if letters > MOST_LETTERS:
        return tuple((name, number_words(name, len(entries))) for name, entries in said.items())
    return tuple((name, _words(name, entries)) for name, entries in said.items())


def number_words(name: str, number: int) -> str:
    """The same of a column of which only the number of entries is told."""
    return f"In {quoted(name)} {'1 entry is' if number == 1 else f'{number:,} entries are'} said to occur"


def _words(name: str, entries: Sequence[str]) -> str:
    try:
        ((least, most),) = ranges_of(entries)
    except (WorkbenchError, ValueError):  # words, or more than one range
        if sum(map(len, entries)) > _SHOWN:
            return number_words(name, len(entries))
        return f"Said to occur in {quoted(name)}: {', '.join(map(quoted, entries))}"
    return f"{quoted(name)} is said to run from {_end(least)} to {_end(most)}"


def _end(number: float) -> str:
    return f"{number:.0f}" if number.is_integer() and abs(number) < _GROUPED else exact(number)
