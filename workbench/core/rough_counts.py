"""Rough numbers, said before anybody looked at the data: an exact count is one of true rows."""

from __future__ import annotations

from workbench.core.number_text import count, rounded

ROUGHLY_FROM = 100
"""From here on one more or less hardly ever changes two leading digits; fewer are said to be fewer than this."""


def roughly(number: int) -> int:
    """Two leading digits of a count; of any that is smaller, `ROUGHLY_FROM`.

    One more or less is hardly ever seen in it, which is no promise: at the edge between two of them it is.
    """
    return ROUGHLY_FROM if number < ROUGHLY_FROM else int(rounded(float(number), 2))


def roughly_rows(number: int) -> str:
    """The same in words: "about 30,000 rows", "fewer than 100 rows"."""
    return f"fewer than {ROUGHLY_FROM} rows" if number < ROUGHLY_FROM else f"about {count(roughly(number))} rows"
