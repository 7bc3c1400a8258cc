"""The first few of many texts, as a sentence names them."""

from __future__ import annotations

from collections.abc import Sequence


def first_few(texts: Sequence[str], most: int, *, quoted: bool = False) -> str:
    """At most so many of the texts, and how many more there are; one more is named instead, as that is as short.

    >>> first_few(["a", "b", "c"], 2), first_few(["a", "b", "c", "d"], 2, quoted=True)
    ('a, b, c', '“a”, “b” and 2 more')
    """
    most = len(texts) if len(texts) <= most + 1 else most
    shown = ", ".join(f"“{text}”" if quoted else text for text in texts[:most])
    return f"{shown} and {len(texts) - most:,} more" if len(texts) > most else shown
