"""The codes of short cells, many at once: a table of what was seen, filled and asked by numpy.

A cell of up to 32 bytes is up to four numbers of eight bytes, the rest of them zero; two cells without a zero byte are
the same if these numbers are. A place in the table follows from the numbers; where it is taken by another cell, the
next places are tried. What is not found within some tries is left to who asks, so that nothing hangs on how cells are
spread over the table, which somebody may have written on purpose.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

PADDING = 32
"""Bytes after the last cell that may be read with it."""

_WORD = 8
_MOST_WORDS = PADDING // _WORD
_TRIES = 8
_SMALLEST, _LARGEST = 10, 18
"""The table's size, as powers of two."""

_MASKS = np.array([(1 << (8 * size)) - 1 for size in range(_WORD + 1)], dtype="<u8")
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93], dtype="<u8")

Words = list[NDArray[np.uint64]]


def words_of(data: bytes, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> Words:
    """The bytes of cells as numbers, as few for each as the longest needs, at most four.

    Parameters
    ----------
    data
        The cells, with `PADDING` bytes after the last one.
    starts, lengths
        Where they begin and how many bytes they have; of longer ones the first 32 are taken.
    """
    # Plain bytes, because numpy takes those from anywhere faster than numbers that may straddle its words.
    everywhere = np.ndarray((len(data) - _WORD + 1,), "V8", data, 0, (1,))
    words = [everywhere[starts].view("<u8") & _MASKS.take(lengths, mode="clip")]
    longest = int(lengths.max(initial=0))
    for place in range(_WORD, min(longest, PADDING), _WORD):
        words.append(everywhere[starts + place].view("<u8") & _MASKS.take(lengths - place, mode="clip"))
    return words


class WordTable:
    """Knows the codes of cells it was told."""

    def __init__(self) -> None:
        self._told = 0
        self._bits = _SMALLEST
        self._words: Words = [np.zeros(1 << self._bits, np.uint64)]
        self._codes = np.full(1 << self._bits, -1, np.int32)

    @property
    def full(self) -> bool:
        """Whether it will not grow any more, and holds half of what it has room for."""
        return self._bits == _LARGEST and 2 * self._told > len(self._codes)

    def codes(self, words: Words, lengths: NDArray[np.int64]) -> NDArray[np.int32]:
        """The code of each cell; -1 where it is not known."""
        place = self._places(words)
        found = self._codes.take(place)
        other = np.flatnonzero(~self._same(words, place))
        if len(other):
            wrong = other[found[other] >= 0]
            found[other] = -1
            for _ in range(_TRIES):
                if not len(wrong):
                    break
                # Behind a place that belongs to another cell; an empty one would have ended the search.
                place[wrong] = (place[wrong] + 1) & (len(self._codes) - 1)
                here = place[wrong]
                codes, same = self._codes[here], self._same([word[wrong] for word in words], here)
                found[wrong[same]] = codes[same]
                wrong = wrong[~same & (codes >= 0)]
        if len(words) == _MOST_WORDS:
            found[lengths > PADDING] = -1
        return found

    def tell(self, words: Words, lengths: NDArray[np.int64], codes: NDArray[np.int32]) -> None:
        """Remember the codes of cells, which are all different and none of which it knows."""
        short = np.flatnonzero(lengths <= PADDING)
        words, codes = [word[short] for word in words], codes[short]
        while len(self._words) < len(words):
            # Cells that were told before have nothing but zeros there.
            self._words.append(np.zeros(len(self._codes), np.uint64))
        if 2 * (self._told + len(codes)) > len(self._codes) and self._bits < _LARGEST:
            self._grow(len(codes))
        room = max(0, len(self._codes) // 2 + 1 - self._told)
        self._put([word[:room] for word in words], codes[:room])

    def _grow(self, more: int) -> None:
        kept = np.flatnonzero(self._codes >= 0)
        words, codes = [word[kept] for word in self._words], self._codes[kept]
        while 2 * (self._told + more) > 1 << self._bits and self._bits < _LARGEST:
            self._bits += 2
        self._words = [np.zeros(1 << self._bits, np.uint64) for _ in words]
        self._codes = np.full(1 << self._bits, -1, np.int32)
        self._told = 0
        self._put(words, codes)

    def _put(self, words: Words, codes: NDArray[np.int32]) -> None:
        place = self._places(words)
        left = np.arange(len(codes))
        for _ in range(_TRIES):
            here = place[left]
            free = self._codes[here] < 0
            # Of several that want the same place the last one gets it.
            self._codes[here[free]] = codes[left[free]]
            placed = free & (self._codes[here] == codes[left])
            mine, there = left[placed], here[placed]
            for position, known in enumerate(self._words):
                known[there] = words[position][mine] if position < len(words) else 0
            self._told += len(mine)
            left = left[~placed]
            if not len(left):
                return
            place[left] = (place[left] + 1) & (len(self._codes) - 1)

    def _places(self, words: Sequence[NDArray[np.uint64]]) -> NDArray[np.int64]:
        mixed: NDArray[np.uint64] = words[0] * _FACTORS[0]
        for word, factor in zip(words[1:], _FACTORS[1:], strict=False):
            mixed ^= word * factor
        mixed >>= np.uint64(64 - self._bits)
        places: NDArray[np.int64] = mixed.view(np.int64)
        return places

    def _same(self, words: Words, place: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether what is kept at these places, if anything, is these cells; at an empty one the code is -1."""
        same: NDArray[np.bool_] = self._words[0].take(place) == words[0]
        for position, known in enumerate(self._words[1:], 1):
            same &= known.take(place) == (words[position] if position < len(words) else 0)
        for word in words[len(self._words) :]:
            same &= word == 0
        return same
