"""A sketch of a table: a few of its rows under a secret key, by which data that is nearly the same is recognised.

The fingerprint of a table is another one as soon as a cell is. A sketch keeps some rows drawn at random, each cell as
a hash under a key of the person's, and how many rows of the table are like each of them; what a later table has in
common with it is estimated from these by `core.likeness`. Texts are brought into one form first, so that `07` and `7`,
capitals and spaces around a text make no difference. Columns of one value say nothing and are left out.

Without the key the hashes say nothing about a text, but which cells are equal still shows; so sketches are kept sealed.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.content import scrambled
from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table

SAMPLE = 2048
"""Rows in a sketch; a table of no more rows is in it whole, so that nothing about it is estimated."""

MOST_COLUMNS = 32
"""Columns in a sketch: those with the most different values tell rows apart best."""

_LISTED, _ONE_IN = 4096, 16
"""So many different values are always hashed; of more, one in so many rows, or the column is a wide one."""

_TELL_ENOUGH = 500
"""Different rows in a sketch from which on no wide column is needed; to hash one takes long."""

_NUMBER = re.compile(r"([+-]?)0*(\d+?)(?:[.,](\d*?)0*)?")

Words = NDArray[np.uint64]


def plain(text: str) -> str:
    """A text as it is compared: no spaces around it, no capitals, numbers without zeros that change nothing."""
    text = " ".join(text.split()).casefold()
    number = _NUMBER.fullmatch(text)
    if number is None:
        return text
    sign, whole, rest = number.groups()
    found = f"{whole}.{rest}" if rest else whole
    return f"-{found}" if sign == "-" and found != "0" else found


class KeyedHash:
    """Hashes of texts that nobody can compute who does not have the key (BLAKE2b with a key, 32 bits)."""

    def __init__(self, key: bytes) -> None:
        self._cells = hashlib.blake2b(digest_size=4, key=key, person=b"cell")
        self._names = hashlib.blake2b(digest_size=4, key=key, person=b"name")
        self.seed = int.from_bytes(hashlib.blake2b(digest_size=16, key=key, person=b"rows").digest(), "little")

    def cells(self, texts: Iterable[str]) -> NDArray[np.uint32]:
        """Of each text, in its plain form."""
        return _hashes(self._cells, map(plain, texts))

    def names(self, texts: Iterable[str]) -> NDArray[np.uint32]:
        """Of headings, which are other hashes than those of cells with the same text."""
        return _hashes(self._names, map(plain, texts))


def _hashes(begun: hashlib.blake2b, texts: Iterable[str]) -> NDArray[np.uint32]:
    found = []
    for text in texts:
        one = begun.copy()
        one.update(text.encode("utf-8", "surrogatepass"))
        found.append(one.digest())
    return np.frombuffer(b"".join(found), dtype="<u4").astype(np.uint32, copy=False)


def words(cells: NDArray[np.uint32]) -> Words:
    """64 bits for each hash of a cell. Those of a row are added, so that the order of columns does not matter."""
    return scrambled(cells.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15))


@dataclass(frozen=True, eq=False)
class Sketch:
    """Some rows of a table.

    Parameters
    ----------
    rows
        Rows of the table.
    names
        Hashes of the headings, shape (columns,).
    cells
        Hashes of the cells, shape (columns, rows in the sketch).
    counts
        How many rows of the table are like each of these: first in all the columns of the sketch, then in all but the
        first of them, but the second, …, shape (columns + 1, rows in the sketch).
    wide
        The place of the column among these that has very many values, -1 if there is none.
    """

    rows: int
    names: NDArray[np.uint32]
    cells: NDArray[np.uint32]
    counts: NDArray[np.uint32]
    wide: int = -1

    @property
    def size(self) -> int:
        """Rows in the sketch."""
        return int(self.cells.shape[1])

    def sums(self, columns: Iterable[int]) -> Words:
        """Sum of the words of each row over these columns, shape (rows in the sketch,)."""
        total = np.zeros(self.size, dtype=np.uint64)
        for column in columns:
            total += words(self.cells[column])
        return total


@dataclass(frozen=True, eq=False)
class Lookup:
    """Rows that are looked for: those whose words add up to one of `sums` over these columns."""

    columns: frozenset[str]
    sums: Words


class HashedTable:
    """A table whose cells are hashed under a key as far as they are needed.

    Columns of one value, and those whose values an engine does not list, take no part.
    """

    def __init__(self, table: Table, keyed: KeyedHash) -> None:
        self.table = table
        self.keyed = keyed
        limit = max(_LISTED, table.rows // _ONE_IN)
        listed = [column for column in table.columns if table.lists(column.name)] if table.rows else []
        self._wide = {column.name for column in listed if len(column.values) > limit}
        self._hashed: dict[str, NDArray[np.uint32]] = {}
        self.narrow = tuple(c.name for c in listed if c.name not in self._wide and self._says_something(c))
        self.wide = tuple(column.name for column in listed if column.name in self._wide)

    def _says_something(self, column: Column) -> bool:
        used = self.values(column.name)[column.counts > 0]
        return len(used) > 1 and bool((used != used[0]).any())

    def values(self, name: str) -> NDArray[np.uint32]:
        """The hash of each of a column's values."""
        known = self._hashed.get(name)
        if known is None:
            known = self._hashed[name] = self.keyed.cells(self.table[name].values)
        return known

    def some_rows(self) -> NDArray[np.intp]:
        """The numbers of some rows drawn at random, all of them in a table of no more than `SAMPLE`; rising."""
        size = min(self.table.rows, SAMPLE)
        return np.sort(np.random.default_rng(self.keyed.seed).choice(self.table.rows, size, replace=False))

    def some_cells(self, names: Sequence[str]) -> NDArray[np.uint32]:
        """The hashes of the cells of these rows, shape (columns, rows)."""
        codes = self.table.codes_at(names, self.some_rows())
        return np.stack([self.values(name)[picked] for name, picked in zip(names, codes, strict=True)])

    def some_sums(self, names: Sequence[str]) -> Words:
        """Sum of the words of each of these rows, shape (rows,)."""
        total: Words = words(self.some_cells(names)).sum(axis=0, dtype=np.uint64)
        return total

    def rows_like(self, lookups: Sequence[Lookup], progress: Progress = SILENT) -> list[NDArray[np.int64]]:
        """How many rows of the table there are for each sum of each look-up. One pass over the rows."""
        names = sorted(set().union(*(one.columns for one in lookups)))
        spread = {name: words(self.values(name)) for name in names}
        places = [_Places(one.sums) for one in lookups]
        for block in self.table.blocks(names, 1 << 16, progress) if names else ():
            found = {name: np.take(spread[name], codes, mode="clip") for name, codes in zip(names, block, strict=True)}
            whole = np.zeros(len(block[0]), dtype=np.uint64)
            for one in found.values():
                whole += one
            for lookup, place in zip(lookups, places, strict=True):
                left = [name for name in names if name not in lookup.columns]
                if 2 * len(left) <= len(names):
                    total = whole
                    for name in left:
                        total = total - found[name]
                else:
                    total = np.zeros_like(whole)
                    for name in lookup.columns:
                        total += found[name]
                place.count(total)
        return [place.counts for place in places]


class _Places:
    """Counts how often each of some sums occurs among many."""

    def __init__(self, sums: Words) -> None:
        self._sums, self._where = np.unique(sums, return_inverse=True)
        self._counted = np.zeros(len(self._sums), dtype=np.int64)
        self._bits = max(12, min(20, 6 + len(self._sums).bit_length() * 2))
        self._factor, self._table = self._without_collisions()

    @property
    def counts(self) -> NDArray[np.int64]:
        """For each sum that was asked for, shape (sums,)."""
        counts: NDArray[np.int64] = self._counted[self._where]
        return counts

    def _without_collisions(self) -> tuple[np.uint64, NDArray[np.int16]]:
        """A factor after which the highest bits tell the sums apart, and the table of these bits."""
        places = np.arange(len(self._sums), dtype=np.int16)
        for number in range(_TRIES):
            factor = np.uint64(0xD1342543DE82EF95 + 2 * 0x9E3779B97F4A * number)
            table = np.full(1 << self._bits, -1, dtype=np.int16)
            bits = self._high(self._sums * factor)
            table[bits] = places
            if (table[bits] == places).all():
                break
        # Were there no such factor, a few sums would be taken for absent.
        return factor, table

    def _high(self, product: Words) -> NDArray[np.int64]:
        found: NDArray[np.int64] = (product >> np.uint64(64 - self._bits)).view(np.int64)
        return found

    def count(self, totals: Words) -> None:
        place = np.take(self._table, self._high(totals * self._factor), mode="clip")
        rows = np.flatnonzero(place >= 0)
        if len(rows):
            place = place[rows]
            place = place[self._sums[place] == totals[rows]]
            self._counted += np.bincount(place, minlength=len(self._sums))


_TRIES = 200


def sketch_of(hashed: HashedTable, progress: Progress = SILENT) -> Sketch | None:
    """A sketch of a table; None if it has no rows, or no column that says anything.

    Costs a pass over the rows, and one more where a wide column is needed to tell them apart.
    """
    names = _telling(hashed)
    if not (names or hashed.wide):
        return None
    made = _sketch(hashed, names, progress.part(0.0, 0.5)) if names else None
    if hashed.wide and (made is None or len(np.unique(made.sums(range(len(names))))) < _TELL_ENOUGH):
        made = _sketch(hashed, [*names[: MOST_COLUMNS - 1], hashed.wide[0]], progress.part(0.5, 1.0))
        return replace(made, wide=len(made.names) - 1)
    return made


def _telling(hashed: HashedTable) -> list[str]:
    """The narrow columns that tell rows apart best, in the order of the table."""
    sizes: Mapping[str, int] = {name: len(hashed.table[name].values) for name in hashed.narrow}
    chosen = set(sorted(sizes, key=lambda name: -sizes[name])[:MOST_COLUMNS])
    return [name for name in hashed.narrow if name in chosen]


def _sketch(hashed: HashedTable, names: Sequence[str], progress: Progress) -> Sketch:
    cells = hashed.some_cells(names)
    bare = Sketch(hashed.table.rows, hashed.keyed.names(names), cells, np.zeros((0, 0), dtype=np.uint32))
    every = range(len(names))
    sets = [set(every), *({*every} - {left} for left in every)]
    lookups = [Lookup(frozenset(names[i] for i in chosen), bare.sums(chosen)) for chosen in sets]
    counts = np.stack(hashed.rows_like(lookups, progress)).astype(np.uint32)
    return replace(bare, counts=np.maximum(counts, 1))


def noise(counts: NDArray[Any], sums: Words, ratio: float, of: NDArray[np.bool_] | None = None) -> float:
    """The deviation of the share of rows in common that two unrelated tables of one kind of people would seem to have.

    Parameters
    ----------
    counts, sums
        Of the rows in a sketch: rows of its table like each of them, and what tells which of them are alike.
    ratio
        Rows of the other table for each of this one.
    of
        The rows that are asked about; None for all.
    """
    _, first, alike = np.unique(sums, return_index=True, return_counts=True)
    variance = (alike / len(sums)) ** 2 * (ratio * (1 + ratio) * counts[first])
    if of is not None:
        variance = variance[of[first]]
    return math.sqrt(float(variance.sum())) * max(1.0, 1.0 / ratio)
