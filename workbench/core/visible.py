"""Text of other people as a terminal or a page can be trusted with it: nothing in it is obeyed, all of it is seen."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_OBEYED = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Categories of what a terminal or a reader's eye obeys instead of showing it: escapes, directions, ends of lines, and
what takes no room, so that two names look like one."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Characters that count as letters or marks and show nothing."""
_JOINING = frozenset("\u200c\u200d")
"""Characters with which Persian, Indian languages and pictures are spelled; elsewhere they do nothing but deceive."""


def visible(text: str) -> str:
    """One line of text, with whatever would be obeyed and not shown spelled out: \\x1b, \\u202e, \\x0a.

    Names in a file could otherwise wipe out what is said of it, or begin a line of their own.
    """
    if text.isprintable() and text.isascii():
        return text
    around = zip(f" {text}", text, f"{text[1:]} ", strict=False)
    return "".join(sign if sign in _JOINING and _joined(one, other) else _shown(sign) for one, sign, other in around)


def quoted(text: str) -> str:
    """Somebody's text within a sentence of the program: where it ends can be seen, whatever marks are in it."""
    return f"“{visible(text).translate(_MARKS)}”"


_MARKS = str.maketrans("“”„‟«»", '""""""')
"""Marks with which a text could end its own quotation."""


def visible_lines(text: str) -> str:
    """The same of a text of several lines, whose ends are the program's own."""
    return "\n".join(map(visible, text.split("\n")))


def _joined(one: str, other: str) -> bool:
    """Whether two signs are of a kind between which joining, or not joining, can be seen."""
    return all(not sign.isascii() and unicodedata.category(sign)[0] in "LMS" for sign in (one, other))


def is_shown(sign: str) -> bool:
    """Whether a sign does nothing but be seen."""
    return sign == "\t" or not (unicodedata.category(sign) in _OBEYED or sign in _BLANK)


@lru_cache(maxsize=1024)
def _shown(sign: str) -> str:
    if is_shown(sign):
        return sign
    code = ord(sign)
    return f"\\x{code:02x}" if code < 1 << 8 else f"\\u{code:04x}" if code < 1 << 16 else f"\\U{code:08x}"
