"""The lines of a statement as a reader sees them, and which of them differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from workbench.report.content import Bullets, Paragraph, ReportHeading, ReportTable
from workbench.report.from_html import blocks_of

_LENGTH, _AROUND = 240, 60
"""So many letters are shown of a long line, and so many before and after what matters in it."""


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
            page_says, facts_give = _parts_that_differ(says, gives)
            said.append(f"{other.place}: the page says “{page_says}”, and the facts in it give “{facts_give}”.")
        said += [f"{one.place}: the page says “{_cut(_whole(one))}”, which no fact in it gives." for one in here]
        said += [
            f"{one.place}: the page does not say “{_cut(_whole(one))}”, which the facts in it give." for one in there
        ]
    return said


def _whole(line: PageLine) -> str:
    return f"{line.name}: {line.text}" if line.name else line.text


def _first_difference(one: str, other: str) -> int:
    """The place of the first letter in which they differ, or where the shorter of them ends."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (here, there) in pairs if here != there), min(len(one), len(other)))


def _parts_that_differ(one: str, other: str) -> tuple[str, str]:
    """Both texts without most of what they begin and end with alike, so that nobody looks for a number in two pages."""
    start = _first_difference(one, other)
    alike = _first_difference(one[start:][::-1], other[start:][::-1])
    return _cut(one, start, len(one) - alike), _cut(other, start, len(other) - alike)


def _cut(text: str, start: int = 0, end: int | None = None) -> str:
    """As much of a text as is read in a message: the part that matters, from one place to another, and words by it."""
    first = text.rfind(" ", 0, start - _AROUND) + 1 if start > _AROUND else 0
    last = first + _LENGTH
    if end is not None and end + _AROUND < min(last, len(text)):
        last = text.find(" ", end + _AROUND)
        last = last if 0 <= last <= first + _LENGTH else first + _LENGTH
    return f"{'…' * (first > 0)}{text[first:last]}{'…' * (last < len(text))}"
