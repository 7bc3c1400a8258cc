"""The widths of the columns of a table: with room to spare, without, or in smaller letters, so that all are seen."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import floor

from PySide6.QtGui import QFont, QFontMetrics

from workbench.gui import tokens
from workbench.gui.theme import tabular_font

_LONGEST = 200
"""Characters of a text that are measured."""
_WIDE = 2 * tokens.COLUMN_MIN
_BREAK = re.compile(r"\s+|(?<=-)(?=[^\W\d])")


def words_of(text: str) -> list[str]:
    """The parts of a text between which a line may end: after a space, or after a hyphen within a word."""
    return _BREAK.split(text)


def halves_of(text: str, width: Callable[[str], int]) -> tuple[str, str]:
    """A text in two lines that are as short as they can be; the second is empty where it cannot be parted."""
    places = [(one.start(), one.end()) for one in _BREAK.finditer(text)]
    parted = [(text[:end], text[start:]) for end, start in places]
    return min(parted, key=lambda two: max(map(width, two)), default=(text, ""))


def letters(*, small: bool, heading: bool = False) -> QFont:
    """The font of values in a table, or of the headings above them."""
    font = tabular_font()
    if heading:
        font.setWeight(QFont.Weight.DemiBold)
    if small:
        font.setPixelSize(tokens.FONT_SMALL)
    return font


@dataclass(frozen=True)
class ColumnWidths:
    """Widths of the columns in pixels, by what there is room for.

    Parameters
    ----------
    ample, least
        With room to spare, and without.
    values, whole
        In smaller letters, for the values alone, and for the headings as well.
    named
        As `cut`, but with headings of which no word is cut.
    cut
        As `values`, with words cut: a number or a date of which an end is missing reads like another one.
    headings
        In smaller letters, for the headings in one line.
    """

    ample: tuple[int, ...] = ()
    least: tuple[int, ...] = ()
    values: tuple[int, ...] = ()
    whole: tuple[int, ...] = ()
    named: tuple[int, ...] = ()
    cut: tuple[int, ...] = ()
    headings: tuple[int, ...] = ()

    @classmethod
    def of(cls, columns: Iterable[tuple[str, Collection[str]]]) -> ColumnWidths:
        """Widths for columns, each with its heading, of one or more lines, and some of its values."""
        usual, small = (QFontMetrics(letters(small=one)).horizontalAdvance for one in (False, True))
        found = [_of_column(heading.split("\n"), values, usual, small) for heading, values in columns]
        return cls(*zip(*found, strict=True)) if found else cls()

    def within(self, room: int) -> tuple[Sequence[int], bool]:
        """Widths with which all are in sight, and whether they are for smaller letters; the ample ones if none are."""
        if sum(self.ample) <= room:
            return self.ample, False
        for low, high, small in (
            (self.least, self.ample, False),
            (self.values, self.whole, True),
            (self.named, self.values, True),
            (self.cut, self.values, True),
        ):
            if sum(low) <= room:
                lack, pairs = sum(high) - sum(low), zip(low, high, strict=True)
                share = min(1.0, (room - sum(low)) / lack) if lack else 0.0
                return self._spread([one + floor((other - one) * share) for one, other in pairs], room), small
        return self.ample, False

    def _spread(self, widths: Sequence[int], room: int) -> list[int]:
        """The same with what is left of the room, given to each by what it lacks to the ample ones."""
        lacks = [max(ample - one, 0) for one, ample in zip(widths, self.ample, strict=True)]
        share = min(1.0, max(room - sum(widths), 0) / sum(lacks)) if any(lacks) else 0.0
        return [one + floor(lack * share) for one, lack in zip(widths, lacks, strict=True)]


def _of_column(
    lines: Sequence[str], values: Collection[str], usual: Callable[[str], int], small: Callable[[str], int]
) -> tuple[int, ...]:
    texts = {text[:_LONGEST] for text in values}
    # The heading is semibold, may have two lines, and carry the mark of a role or the arrow of the order.
    title, cell = max(map(usual, lines)), max(map(usual, texts), default=0)
    ample = max(title * 1.1 + tokens.ICON + tokens.SPACE_S, cell) + 2 * tokens.SPACE_M + tokens.SPACE_XS
    # Qt keeps some pixels about a text, which would be cut without them.
    least = max(title * 1.06 + tokens.ICON, cell + tokens.SPACE_HAIR) + 2 * tokens.SPACE_S + tokens.SPACE_XS
    around = 3 * tokens.SPACE_XS + tokens.SPACE_HAIR
    heading = max(map(small, lines)) * 1.06 + around
    # Where it has no room in one line it stands in two, of which no word is cut that is not very long.
    in_two = min(max(small(half) for line in lines for half in halves_of(line, small)) * 1.06 + around, _WIDE)
    # A short heading is never cut: “age” without its first letter is another word.
    shown = max(max(map(small, texts), default=0) + around, min(heading, max(tokens.COLUMN_MIN, in_two)))
    whole = max(heading, shown)
    words = any(sign.isalpha() for text in texts for sign in text)
    narrow = tokens.COLUMN_MIN // 2
    cut = min(max(round(shown), narrow), tokens.COLUMN_MIN if words else tokens.COLUMN_MAX)
    return (
        *(min(max(round(width), tokens.COLUMN_MIN), tokens.COLUMN_MAX) for width in (ample, least)),
        *(min(max(round(width), narrow), tokens.COLUMN_MAX) for width in (shown, whole)),
        max(cut, min(round(in_two), round(shown))),
        cut,
        round(heading),
    )
