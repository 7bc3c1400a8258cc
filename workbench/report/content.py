"""The content of a report apart from its format: headings, sentences, tables and pictures.

The pages of HTML and of PDF are made from the same content, so that one can be checked for what the other tells.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from workbench.core.discreet import discreet
from workbench.plots.style import ChartKind


class Tone(StrEnum):
    """The weight of a sentence among others."""

    PLAIN = "plain"
    HOLDS = "holds"
    VOID = "void"
    WARNING = "warning"


@dataclass(frozen=True)
class ReportHeading:
    """The heading of a part; `level` is 2 for a part of the report and 3 within one."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A sentence or several."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class ReportTable:
    """A table; the first cell of each row is its heading. In a table of `figures` the others stand to the right."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    figures: bool = False


@discreet
@dataclass(frozen=True, eq=False)
class Picture:
    """A chart, which says itself in words and numbers what it shows."""

    title: str
    kind: ChartKind[Any]
    data: Any

    @property
    def words(self) -> str:
        """A description of the chart in words, for those who cannot see it."""
        return self.kind.describe(self.data)

    @property
    def numbers(self) -> list[tuple[str, ...]]:
        """The numbers behind it, the heading first."""
        return self.kind.rows(self.data)


Block = ReportHeading | Paragraph | Bullets | ReportTable | Picture


@discreet
@dataclass(frozen=True)
class Report:
    """A report.

    Parameters
    ----------
    title
        Its heading.
    blocks
        What it says, in order.
    analyst
        Whether it holds something computed from true values: then every page says so.
    """

    title: str
    blocks: tuple[Block, ...]
    analyst: bool = field(kw_only=True)


def part(title: str, *blocks: Block, level: int = 2) -> tuple[Block, ...]:
    """A heading and what stands below it; nothing if nothing does."""
    return (ReportHeading(title, level), *blocks) if blocks else ()


def listed(items: Iterable[str]) -> tuple[Block, ...]:
    """The sentences as a list; nothing if there are none."""
    found = tuple(items)
    return (Bullets(found),) if found else ()
