"""Tooltips in lines that can be read: Qt breaks those of plain text only where they are wider than the screen."""

from __future__ import annotations

from textwrap import TextWrapper

_LETTERS = 72
_LINES = TextWrapper(
    _LETTERS, expand_tabs=False, replace_whitespace=False, break_long_words=False, break_on_hyphens=False
)


def in_lines(words: str) -> str:
    """The words of a tooltip in lines of up to 72 letters; what is a line by itself stays one.

    >>> in_lines("A tip that is short.")
    'A tip that is short.'
    """
    return "\n".join("\n".join(_LINES.wrap(line)) for line in words.split("\n"))
