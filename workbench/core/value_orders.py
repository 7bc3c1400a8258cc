"""Orders of texts, and runs of neighbours in an order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import WorkbenchError

_DIGITS = re.compile("[0-9]+")


def text_ranks(values: Sequence[str], order: str = "plain") -> NDArray[np.intp]:
    """For each text its place in the order, shape (len(values),): a permutation, ties by the text itself.

    Parameters
    ----------
    order
        "plain" goes by the characters' codes; "natural" takes digits as numbers and letters without regard to
        case, `a2` before `a10`; "locale" puts accents and case last, the same on every machine.
    """
    ranked = sorted(range(len(values)), key=values.__getitem__)
    if order == "natural":
        ranked.sort(key=_natural_keys(values).__getitem__)
    elif order == "locale":
        ranked.sort(key=[_locale_key(value) for value in values].__getitem__)
    ranks = np.empty(len(values), dtype=np.intp)
    ranks[ranked] = np.arange(len(values))
    return ranks


def _natural_keys(values: Sequence[str]) -> list[str]:
    # One pass over all texts is far quicker than one each; a line break inside a text would cut it in two.
    joined = "\n".join(values)
    if joined.count("\n") == len(values) - 1:
        return _DIGITS.sub(_comparable, joined.casefold()).split("\n")
    return [_DIGITS.sub(_comparable, value.casefold()) for value in values]


def _comparable(digits: re.Match[str]) -> str:
    """Digits written so that the order of texts is that of numbers: how many there are comes first."""
    plain = digits[0].lstrip("0")
    return f"{len(plain):06}{plain}"


def _locale_key(text: str) -> tuple[str, str]:
    folded = text.casefold()
    if folded.isascii():
        return folded, folded
    return "".join(c for c in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(c)), folded


def runs(count: int, sizes: Sequence[int]) -> NDArray[np.int64]:
    """The run each of `count` neighbours belongs to, shape (count,), rising from 0.

    Parameters
    ----------
    sizes
        Lengths of the runs in their order; the last one is repeated for what is left.
    """
    if len(sizes) == 1:
        return np.arange(count, dtype=np.int64) // sizes[0]
    ends = np.cumsum(np.asarray(sizes, dtype=np.int64))
    places = np.arange(count, dtype=np.int64)
    within = np.searchsorted(ends, places, side="right")
    return np.where(places < ends[-1], within, len(sizes) + (places - ends[-1]) // sizes[-1])


def cyclic_groups(places: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[np.int64]:
    """The group of each place on an endless line, where groups of `sizes` repeat in both directions from 0."""
    ends = np.cumsum(np.asarray(sizes, dtype=np.int64))
    cycle, within = np.divmod(places, ends[-1])
    return cycle * len(sizes) + np.searchsorted(ends, within, side="right")


def cyclic_starts(groups: NDArray[np.int64], sizes: Sequence[int]) -> NDArray[np.int64]:
    """The first place of each group of `cyclic_groups`."""
    ends = np.cumsum(np.asarray(sizes, dtype=np.int64))
    cycle, within = np.divmod(groups, len(sizes))
    starts: NDArray[np.int64] = cycle * ends[-1] + np.r_[0, ends[:-1]][within]
    return starts


def distinct_or_refuse(texts: Sequence[str], what: str) -> None:
    """Refuse a list that names a text twice.

    Raises
    ------
    WorkbenchError
        Naming the first such text.
    """
    if len(set(texts)) == len(texts):
        return
    seen: set[str] = set()
    for text in texts:
        if text in seen:
            raise WorkbenchError(f"{what} lists “{text}” twice.", hint="Keep one of the two.", field="values")
        seen.add(text)
