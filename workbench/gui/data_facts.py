"""The strip at the bottom: facts of the data that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.number_text import counted
from workbench.core.rough_counts import rows_scale
from workbench.gui.document import Document
from workbench.gui.widgets.job_strip import JobStrip

if TYPE_CHECKING:
    from workbench.io.reading import Reading

_NAMED_LINES = 20
_ASK_HOW_MANY = frozenset({"anonymise"})
"""Rooms that ask how many rows are expected, which must not be read off this line."""
_EXACT = "So many rows take part. The number is for you alone and in no release"
_ROUGH = "How many exactly is said once you look at the values: that weakens your promise"


def rows_words(rows: int, *, looked: bool) -> str:
    """How many rows there are: exactly after a look at the data, before it only in which range.

    No number then, as whoever is asked how many rows they expect would copy it, and what follows rests on the data.
    """
    return counted(rows, "row") if looked else rows_scale(rows)


class DataFacts:
    """Says in every room how many rows there are, and which lines are missing from all numbers."""

    def __init__(self, document: Document, strip: JobStrip) -> None:
        self._document, self._strip = document, strip

    def show(self, room: str) -> None:
        """Say it in a room; not about how many there are where somebody is asked how many they expect."""
        document = self._document
        if document.has_data:
            reading, prepared = document.session.data.reading, document.session.data.prepared
            read, looked = reading.table.rows, document.looked
            rows = rows_words(read, looked=looked)
            if prepared is not None and prepared.table.rows != read:
                rows = f"{prepared.table.rows:,} of {rows}" if looked else f"{rows}, some take part"
            told = looked or room not in _ASK_HOW_MANY
            # An exact count of true rows, where the promise is that of adding or removing one.
            self._strip.set_fact(
                "rows",
                f"Your table: {rows}" if told else "",
                f"{reading.path}\n{_EXACT if looked else _ROUGH}",
            )
            self._show_unread(reading)
        else:
            self._strip.set_fact("rows", "")
            self._strip.set_fact("unread", "")

    def _show_unread(self, reading: Reading) -> None:
        """Show in every room the lines that were not read, since they are missing from every number there."""
        if not reading.skipped:
            self._strip.set_fact("unread", "")
            return
        one = reading.skipped == 1
        words = "1 line not read" if one else "{count} lines not read"
        named = reading.unread(_NAMED_LINES)
        more = f" and {reading.skipped - len(named):,} more"
        self._strip.set_fact(
            "unread",
            words.format(count=f"{reading.skipped:,}"),
            "They take no part in anything: {lines}. Data says why.".format(
                lines=", ".join(named) + (more if reading.skipped > len(named) else "")
            ),
        )
