"""What a certificate says, and the page it makes."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from workbench.report.page import bullets, page, section, table, verdict
from workbench.report.publisher import Publisher


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
    """

    title: str
    holds: bool
    sentence: str
    meaning: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[tuple[str, tuple[str, ...]], ...]

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
        """As one self-contained HTML page."""
        return page(self.title, self.body(publisher))
