"""Postcodes of the United Kingdom: what has the form of one, written alike, and what lies around it.

`LS1 4AP` is a unit, of some fifteen addresses. It lies in the sector `LS1 4`, the district `LS1` and the area `LS`.
The last three characters are always a digit and two letters, so a space that is missing says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from workbench.core.column_words import words_of_name

UK_POSTCODE = "UK postcode"
"""The pattern of the format of a column that has them."""

LEVELS = ("unit", "sector", "district", "area")
"""From the finest to the coarsest."""

WITHIN = (155, 4, 24)
"""About as many units lie in a sector, sectors in a district, and districts in an area."""

ENOUGH, ENOUGH_BY_NAME = 0.8, 0.5
"""Share of the rows with a value that must be whole postcodes, for a column of any name and one that is named so."""

_OUTWARD = "GIR|[A-Z]{1,2}[0-9][0-9A-Z]?"
_WHOLE = re.compile(f"({_OUTWARD})([0-9][A-Z]{{2}})", re.IGNORECASE | re.ASCII)
_PART = re.compile(f"({_OUTWARD})(?: ([0-9]))?", re.IGNORECASE | re.ASCII)
_AREA = re.compile("GIR|[A-Z]{1,2}", re.IGNORECASE | re.ASCII)
_LAST = re.compile("[ABD-HJLNP-UW-Z]{2}", re.IGNORECASE | re.ASCII)
"""The letters that the last two are of, so that codes of another kind are seldom taken for postcodes."""
_WORDS = frozenset({"postcode", "postcodes", "pcd", "pcds"})
_PAIRS = frozenset({("post", "code"), ("post", "codes"), ("postal", "code"), ("postal", "codes")})


def tidied(text: str) -> str:
    """A postcode in capitals with one space, also one of a sector or a district alone; "" if it is none.

    >>> tidied("ls62fj"), tidied(" Wf10  3aa"), tidied("LS1 4"), tidied("ls11"), tidied("01234")
    ('LS6 2FJ', 'WF10 3AA', 'LS1 4', 'LS11', '')
    """
    words = text.split()
    whole = _WHOLE.fullmatch("".join(words))
    found = whole or _PART.fullmatch(" ".join(words))
    return " ".join(part for part in found.groups() if part).upper() if found else ""


def coarser(code: str, level: int) -> str:
    """A tidied postcode, or what is left of it, at a place of `LEVELS`.

    >>> [coarser("EC1A 1BB", level) for level in range(4)]
    ['EC1A 1BB', 'EC1A 1', 'EC1A', 'EC']
    """
    outward, _, inward = code.partition(" ")
    if level == 0:
        return code
    if level == 1:
        return f"{outward} {inward[0]}" if inward else outward
    return outward if level == 2 else re.split("[0-9]", outward, maxsplit=1)[0]


def part_of(text: str) -> tuple[str, int]:
    """A postcode or a part of one, tidied, and which of `LEVELS` it is; ("", 0) if it is neither.

    >>> part_of("ls"), part_of("Wf10"), part_of("LS6 2"), part_of("ls62fj"), part_of("Leeds")
    (('LS', 3), ('WF10', 2), ('LS6 2', 1), ('LS6 2FJ', 0), ('', 0))
    """
    if _AREA.fullmatch(text.strip()):
        return text.strip().upper(), 3
    code = tidied(text)
    inward = code.partition(" ")[2]
    return code, (0 if len(inward) > 1 else 2 - len(inward)) if code else 0


def names_postcodes(name: str) -> bool:
    """Whether a column of that name holds postcodes, of the United Kingdom or of a country that calls them so.

    >>> names_postcodes("home_postcode"), names_postcodes("Post code"), names_postcodes("PLZ"), names_postcodes("post")
    (True, True, False, False)
    """
    words = words_of_name(name)
    return not _WORDS.isdisjoint(words) or not _PAIRS.isdisjoint(pairwise(words))


def are_postcodes(name: str, texts: Iterable[tuple[str, int]]) -> bool:
    """Whether texts that say something, each with its rows, are mostly whole postcodes."""
    fitting = rows = 0
    for text, many in texts:
        rows += many
        code = "".join(text.split())
        if _WHOLE.fullmatch(code) and (_LAST.fullmatch(code[-2:]) or code.upper().startswith("ZZ99")):
            fitting += many
    return fitting > 0 and fitting >= (ENOUGH_BY_NAME if names_postcodes(name) else ENOUGH) * rows
