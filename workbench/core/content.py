"""The fingerprints of a table's content: the same rows have the same ones, however their file is written.

They do not depend on the order of rows or columns, on delimiter, quoting, encoding or packing of the file. They are
public arithmetic without a key: whoever guesses the whole table can check the guess, so they go into no release.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table

_SCHEME = "rows1"
"""Begins every fingerprint; another scheme would need another name."""

OF_ROWS = "rows"
"""Begins the fingerprints of rows with their headings, by whatever scheme."""

_NAMELESS = "texts1"
"""Begins those in which headings have no part."""

_CHUNK = 1 << 16
_LANES = 2


@dataclass(frozen=True)
class Fingerprints:
    """The fingerprints by which a table's content is recognised.

    Parameters
    ----------
    rows
        Of the multiset of rows, each a mapping of column name to text: "rows1-" and 64 hexadecimal digits.
    texts
        Of the multiset of rows, each a multiset of texts, whatever the columns are called: "texts1-" and as many.
    """

    rows: str
    texts: str


def fingerprints(table: Table, progress: Progress = SILENT) -> Fingerprints:
    """The fingerprints of a table.

    Every (column, text), or text, has a 128-bit hash; a row's is the sum over its columns, scrambled; the table's is
    the sum over its rows. Sums do not depend on any order. Cost follows the distinct values for the hashing, and the
    rows for the sums.
    """
    columns = sorted(table.columns, key=lambda column: column.name)
    hashes = []
    for position, column in enumerate(columns):
        progress(0.6 * position / max(len(columns), 1), "Recognising the data")
        hashes.append(_Hashes.of(table, column))
    shape = (str(table.rows), *(column.name for column in columns))
    rows, texts_only = _sums(table, hashes, progress.part(0.6, 1.0))
    return Fingerprints(
        f"{_SCHEME}-{_digest((*shape, *rows))}",
        f"{_NAMELESS}-{_digest((str(table.rows), str(len(columns)), *texts_only))}",
    )


def content_fingerprint(table: Table, progress: Progress = SILENT) -> str:
    """The fingerprint under which a table's ledger is kept: that of its rows, with the names of their columns."""
    return fingerprints(table, progress).rows


@dataclass(frozen=True, eq=False)
class _Hashes:
    """The hashes of the texts of a column with its name, and without it, scrambled, shape (2, lanes, values).

    `known` is None for a column whose values are not listed; they are hashed row by row.
    """

    name: str
    known: NDArray[np.uint64] | None

    @classmethod
    def of(cls, table: Table, column: Column) -> _Hashes:
        listed = table.lists(column.name)
        return cls(column.name, cls._of_texts(column.name, column.values) if listed else None)

    @staticmethod
    def _of_texts(name: str, texts: Iterable[str]) -> NDArray[np.uint64]:
        plain = _digests(texts)
        return np.stack([_lanes(plain + _digests([name])), _lanes(plain)])

    def of_rows(self, cells: NDArray[Any]) -> NDArray[np.uint64]:
        """For the codes, or the texts, of some rows."""
        if self.known is None:
            return self._of_texts(self.name, cells.tolist())
        return np.take(self.known, cells, axis=2)


def _sums(table: Table, hashes: Sequence[_Hashes], progress: Progress) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The sums over all rows, one per lane, with the names of the columns and without."""
    sums = [[0] * _LANES for _ in range(2)]
    if hashes:
        for block in table.blocks([one.name for one in hashes], _CHUNK, progress):
            rows = np.zeros((2, _LANES, len(block[0])), dtype=np.uint64)
            for one, cells in zip(hashes, block, strict=True):
                rows += one.of_rows(cells)
            for kind, lane in np.ndindex(2, _LANES):
                sums[kind][lane] += int(scrambled(rows[kind, lane]).sum(dtype=np.uint64))
    named, nameless = (tuple(str(lane % 2**64) for lane in lanes) for lanes in sums)
    return named, nameless


def _digest(parts: Iterable[str]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        whole.update(len(text).to_bytes(8, "big") + text)
    return whole.hexdigest()


def _lanes(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hashes of shape (values, lanes) scrambled, shape (lanes, values)."""
    return np.stack([scrambled(lane) for lane in hashes.T])


def _digests(texts: Iterable[str]) -> NDArray[np.uint64]:
    """128 bits of each text, shape (texts, lanes)."""
    new, size = hashlib.blake2b, 8 * _LANES
    found = b"".join([new(text.encode("utf-8", "surrogatepass"), digest_size=size).digest() for text in texts])
    return np.frombuffer(found, dtype="<u8").astype(np.uint64, copy=False).reshape(-1, _LANES)


def scrambled(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64, a bijection without structure (Steele, Lea and Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: NDArray[np.uint64] = values ^ (values >> np.uint64(31))
    return found
