"""The page of a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from workbench import __version__
from workbench.report.page import bullets, page, section, table, today, verdict
from workbench.report.publisher import PUBLISHER, Publisher

FORMAT = "anonymisation-workbench-statement"
"""The name, for programs, of the format of a page whose statement is about no release of the note's kind."""
MAY_BE_KNOWN = 2
"""The first version of pages that say of a number that others may know it, as whoever is not sure answers so too."""
PERSONS_NAMED = 3
"""The first version of pages that speak of a person where everybody has one row, as statements on releases do."""
CONDITIONS_NAMED = 4
"""The first version of pages that say on what the promise of a file, a draw or levels rests, and of a person with one
row that no other takes part, as there may be more in the data.
"""
VERSION: int = CONDITIONS_NAMED
"""The newest. A page has the version that first had its words."""


@dataclass(frozen=True)
class Certificate:
    """One statement.

    Parameters
    ----------
    title, sentence, meaning
        What it is about, the verdict, and what that means.
    holds
        Whether something is promised.
    facts
        Pairs of a name and what is so.
    sections
        Headings with their sentences.
    known
        All that it follows from, with what it is about, for programs; None where no page is made of it.
    version
        The version of pages that first had these words.
    """

    title: str
    holds: bool
    sentence: str
    meaning: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]
    known: Mapping[str, Any] | None = None
    version: int = 1

    def body(self, publisher: Publisher | None = None) -> str:
        """As HTML without a page around it; where a publisher speaks too, between their words."""
        made = (
            f"<h1>{escape(self.title)}</h1>"
            + verdict(self.sentence, holds=self.holds)
            + f"<p>{escape(self.meaning)}</p>"
            + section("What was done", table(("", ""), self.facts))
            + "".join(section(heading, bullets(sentences)) for heading, sentences in self.sections if sentences)
        )
        return made if publisher is None else publisher.around(made, "statement")

    def page(self, publisher: Publisher | None = None) -> str:
        """As one self-contained HTML page, with all that its text follows from, for programs."""
        if self.known is None:
            return page(self.title, self.body(publisher))
        day = today()
        embedded = {"format": FORMAT, "version": self.version, "program": __version__, "date": day, **self.known}
        if publisher is not None:
            embedded[PUBLISHER] = publisher.to_json()
        return page(self.title, self.body(publisher), embedded, day)
