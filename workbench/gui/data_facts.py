"""The strip at the bottom: facts of the data that is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.number_text import counted
from workbench.gui.document import Document
from workbench.gui.widgets.job_strip import JobStrip

if TYPE_CHECKING:
    from workbench.io.reading import Reading

_NAMED_LINES = 20
_NAME = 28
"""So many signs of a file's name are shown."""
_EXACT = "So many rows take part. The number is for you alone and in no release"
_UNSEEN = "How many rows it has is said once you look at the values: that weakens your promise"


class DataFacts:
    """Says in every room how many rows there are, and which lines are missing from all numbers."""

    def __init__(self, document: Document, strip: JobStrip) -> None:
        self._document, self._strip = document, strip

    def show(self) -> None:
        """Name the file that is open, and after a look at the data how many rows take part.

        Not even their scale before: whoever is asked how many people they expect would go by it.
        """
        if not self._document.has_data:
            self._strip.set_fact("rows", "")
            self._strip.set_fact("unread", "")
            return
        reading = self._document.session.data.reading
        self._strip.set_fact("rows", self._words(reading), f"{reading.path}\n{self._told}")
        self._show_unread(reading)

    @property
    def _told(self) -> str:
        return _EXACT if self._document.looked else _UNSEEN

    def _words(self, reading: Reading) -> str:
        name = reading.path.name
        short = name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
        if not self._document.looked:
            # That settings choose rows is said, not whether one is missing by them.
            chosen = self._document.project.preparation
            return f"{short}: some rows" if chosen.where or chosen.sample < 1 else short
        read, prepared = reading.table.rows, self._document.session.data.prepared
        rows = counted(read, "row")
        part = read if prepared is None else prepared.table.rows
        return f"{short}: {rows if part == read else f'{part:,} of {rows}'}"

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
