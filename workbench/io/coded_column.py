"""A column of codes that grows while a file is read."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from workbench.core.table import Column
from workbench.io.plain_blocks import PlainBlock
from workbench.io.rows import damaged, repaired
from workbench.io.word_table import WordTable, words_of

_ROOM = 690_000  # the next resize of a dictionary of that size would hold up every other thread for 100 ms
_SHARDS = 64
_AT_FIRST = 1 << 10
_AT_ONCE = 1 << 14


class Codes(dict[str, int]):
    """Gives every new text the next code; a damaged text shares the code of its repaired form.

    Damaged texts are not stored, so `hurt` is set each time one comes. When the dictionary is full, further
    texts go to several smaller ones, none of which takes long to grow.
    """

    def __init__(self) -> None:
        super().__init__()
        self.hurt = False
        self._more: list[str] = []
        self._shards: tuple[dict[str, int], ...] = ()

    def __missing__(self, text: str) -> int:
        if self._shards:
            # The upper bits, because dictionaries go by the lower ones.
            shard = self._shards[(hash(text) >> 40) % _SHARDS]
            known = shard.get(text)
            if known is not None:
                return known
        if damaged(text):
            self.hurt = True
            return self[repaired(text)]
        if len(self) < _ROOM:
            code = self[text] = len(self)
            return code
        if not self._shards:
            self._shards = tuple({} for _ in range(_SHARDS))
            shard = self._shards[(hash(text) >> 40) % _SHARDS]
        code = shard[text] = len(self) + len(self._more)
        self._more.append(text)
        return code

    @property
    def distinct(self) -> int:
        return len(self) + len(self._more)

    def texts(self) -> tuple[str, ...]:
        """The texts in the order of their codes."""
        found: list[str] = []
        rest = chain(self, self._more)
        while len(found) < self.distinct:
            found.extend(islice(rest, _AT_ONCE))  # a little at a time, so that other threads get their turn
        return tuple(found)

    def release(self) -> None:
        """Forget everything, a little at a time, so that other threads get their turn."""
        for codes in (self, *self._shards):
            while len(codes) > _AT_ONCE:
                for _ in range(_AT_ONCE):
                    codes.popitem()
            codes.clear()
        self._shards, self._more = (), []


class CodedColumn:
    """A column that grows by batches of codes."""

    def __init__(self) -> None:
        self.codes = Codes()
        self._parts: list[NDArray[np.integer]] = []
        self._table: WordTable | None = WordTable()
        self._known = False

    def add(self, cells: Iterable[str], count: int) -> None:
        """Append `count` cells; `codes.hurt` tells whether one was damaged."""
        self.codes.hurt = False
        self.add_coded(np.fromiter(map(self.codes.__getitem__, cells), np.int32, count))

    def add_plain(self, block: PlainBlock, column: int) -> None:
        """Append the cells of a column of a plain block."""
        starts, lengths = block.starts[column], block.lengths[column]
        if self._table is None:
            self.add_coded(self._of_texts(block, starts, lengths))
            return
        words = words_of(block.data, starts, lengths)
        codes = np.empty(len(starts), np.int32)
        unknown = first = 0
        while first < len(starts):
            # A few cells at first, so that what is new is learned from them and not from all at once.
            last = first + (_AT_FIRST if first == 0 and not self._known else len(starts))
            these = [word[first:last] for word in words]
            found = self._table.codes(these, lengths[first:last])
            new = np.flatnonzero(found < 0)
            if len(new):
                fresh = self._of_texts(block, starts[first:last][new], lengths[first:last][new])
                found[new] = fresh
                _, places = np.unique(fresh, return_index=True)
                different = new[places]
                self._table.tell([word[different] for word in these], lengths[first:last][different], fresh[places])
                unknown += len(new) if first or self._known else 0
            codes[first:last] = found
            first = last
        self._known = True
        self.add_coded(codes)
        if self._table.full or 2 * unknown > len(starts):
            self._table = None  # hardly a value comes again, or there are too many of them

    def _of_texts(self, block: PlainBlock, starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int32]:
        """The codes of cells that are looked up by their texts."""
        data, encoding = block.data, block.encoding
        spans = zip(starts.tolist(), (starts + lengths).tolist(), strict=True)
        texts = [data[start:stop].decode(encoding) for start, stop in spans]
        return np.fromiter(map(self.codes.__getitem__, texts), np.int32, len(starts))

    def add_coded(self, codes: NDArray[np.integer]) -> None:
        """Append cells whose codes are known."""
        self._parts.append(codes.astype(smallest_type(self.codes.distinct)))

    def joined(self, name: str, rows: int) -> Column:
        """The column; this object is empty afterwards."""
        codes = np.empty(rows, dtype=smallest_type(self.codes.distinct))
        filled = 0
        for part in self._parts:
            codes[filled : filled + len(part)] = part
            filled += len(part)
        values = self.codes.texts()
        self._parts.clear()
        self._table = None
        self.codes.release()
        return Column(name, codes, values)


def smallest_type(distinct: int) -> type[np.unsignedinteger]:
    """The smallest type that holds codes below `distinct`."""
    if distinct <= 1 << 8:
        return np.uint8
    return np.uint16 if distinct <= 1 << 16 else np.uint32
