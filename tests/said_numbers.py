"""Which whole numbers a page says, so that digits inside a checksum or a longer number are not taken for one."""

from __future__ import annotations

import re


def whole_numbers(text: str) -> frozenset[int]:
    """Whole numbers that stand alone in a text, with or without separators of thousands."""
    found = re.findall(r"(?<![\w.,-])\d+(?:,\d{3})*(?![\w-]|[.,]\d)", text)
    return frozenset(int(word.replace(",", "")) for word in found)
