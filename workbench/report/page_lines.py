"""The lines of a statement as a reader sees them, and which of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from workbench.report.content import Bullets, Paragraph, ReportHeading, ReportTable
from workbench.report.from_html import blocks_of

_LENGTH = 240


@dataclass(frozen=True)
class PageLine:
    """One line: the heading it stands under, the name of its row in a table or "", and what it says."""

    section: str
    name: str
    text: str

    @property
    def place(self) -> str:
        return ", ".join(part for part in (self.section, self.name) if part) or "At the top"


def lines_of(html: str) -> list[PageLine]:
    """Every paragraph, item of a list and row of a table, in their order."""
    lines: list[PageLine] = []
    section = ""
    for block in blocks_of(html):
        if isinstance(block, ReportHeading):
            section = block.text
            lines.append(PageLine(section, "", section))
        elif isinstance(block, Paragraph):
            lines.append(PageLine(section, "", block.text))
        elif isinstance(block, Bullets):
            lines += [PageLine(section, "", item) for item in block.items]
        elif isinstance(block, ReportTable):
            rows = [*([block.heads] if block.heads else []), *block.rows]
            lines += [PageLine(section, row[0], " | ".join(row[1:])) for row in rows]
    return lines


def differing(page: Sequence[PageLine], given: Sequence[PageLine]) -> list[str]:
    """The differences between the page and the facts, in either direction, in words."""
    said: list[str] = []
    matcher = SequenceMatcher(None, page, given, autojunk=False)
    for kind, start, end, first, last in matcher.get_opcodes():
        if kind == "equal":
            continue
        here, there = list(page[start:end]), list(given[first:last])
        while here and there:
            one, other = here.pop(0), there.pop(0)
            says, gives = (one.text, other.text) if one.place == other.place else (_whole(one), _whole(other))
            said.append(f"{other.place}: the page says “{_cut(says)}”, and the facts in it give “{_cut(gives)}”.")
        said += [f"{one.place}: the page says “{_cut(_whole(one))}”, which no fact in it gives." for one in here]
        said += [
            f"{one.place}: the page does not say “{_cut(_whole(one))}”, which the facts in it give." for one in there
        ]
    return said


def _whole(line: PageLine) -> str:
    return f"{line.name}: {line.text}" if line.name else line.text


def _cut(text: str) -> str:
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}…"
