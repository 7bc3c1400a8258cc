"""Texts broken into lines by the widths of their letters, in the font the program brings with its charts."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

FAMILY = "DejaVu Sans"
"""It comes with matplotlib, so a report has the same line breaks and the same bytes on every machine."""

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def lines_of(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """The text in lines of at most `width` points; words that are longer are broken.

    Parameters
    ----------
    text
        Line ends in it are kept.
    width, size
        Of the line and of the font, in points.
    """
    found: list[str] = []
    for passage in printable(text).split("\n"):
        line, used = "", 0.0
        for word in passage.split(" "):
            wide = width_of(word, size, bold)
            space = width_of(" ", size, bold) if line else 0.0
            if line and used + space + wide > width:
                found.append(line)
                line, used, space = "", 0.0, 0.0
            while wide > width and len(word) > 1:
                fitting = max(1, _fitting(word, width, size, bold))
                found.append(word[:fitting])
                word = word[fitting:]  # noqa: PLW2901
                wide = width_of(word, size, bold)
            line = f"{line} {word}" if line else word
            used += space + wide
        found.append(line)
    return found


@lru_cache(maxsize=20_000)
def width_of(text: str, size: float, bold: bool) -> float:
    """Width in points."""
    from matplotlib.textpath import text_to_path

    if not text:
        return 0.0
    width, _, _ = text_to_path.get_text_width_height_descent(text, _font(size, bold), ismath=False)
    # Measured by its ink, which leaves out what a space adds at the ends.
    return float(width) if text.strip() else 0.318 * size * len(text)


def _fitting(word: str, width: float, size: float, bold: bool) -> int:
    low, high = 1, len(word)
    while low < high:
        half = (low + high + 1) // 2
        low, high = (half, high) if width_of(word[:half], size, bold) <= width else (low, half - 1)
    return low


@lru_cache(maxsize=64)
def _font(size: float, bold: bool) -> Any:
    from matplotlib.font_manager import FontProperties

    return FontProperties(family=FAMILY, size=size, weight="bold" if bold else "normal")


@lru_cache(maxsize=1)
def _known() -> frozenset[int]:
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    return frozenset(FT2Font(font_manager.findfont(_font(10, False))).get_charmap())


def printable(text: str) -> str:
    """The text with a mark in the place of every sign that the font does not have."""
    known = _known()
    return "".join(sign if sign == "\n" or ord(sign) in known else _UNKNOWN for sign in text.replace("\t", " "))
