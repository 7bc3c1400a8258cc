"""The fingerprints of a table's content: the same rows have the same ones, however their file is written.

They do not depend on the order of rows or columns, on delimiter, quoting, encoding or packing of the file. They are
public arithmetic without a key: whoever guesses the whole table can check the guess, so they go into no release.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table

_SCHEME = "rows1"
"""Begins every fingerprint; another scheme would need another name."""

_NAMELESS = "texts1"
"""Begins those in which headings have no part."""

_CHUNK = 1 << 16
_LANES = 2


@dataclass(frozen=True)
class Fingerprints:
    """What a table's content is recognised by.

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
    named, nameless = [], []
    for position, column in enumerate(columns):
        progress(0.6 * position / max(len(columns), 1), "Recognising the data")
        texts = _digests(column.values)
        named.append(_lanes(texts + _digests([column.name])))
        nameless.append(_lanes(texts))
    shape = (str(table.rows), *(column.name for column in columns))
    rows = _sums(table, columns, named, progress.part(0.6, 0.8))
    texts_only = _sums(table, columns, nameless, progress.part(0.8, 1.0))
    return Fingerprints(
        f"{_SCHEME}-{_digest((*shape, *rows))}",
        f"{_NAMELESS}-{_digest((str(table.rows), str(len(columns)), *texts_only))}",
    )


def content_fingerprint(table: Table, progress: Progress = SILENT) -> str:
    """The fingerprint under which a table's ledger is kept: that of its rows, with the names of their columns."""
    return fingerprints(table, progress).rows


def _sums(
    table: Table, columns: Sequence[Column], hashed: Sequence[NDArray[np.uint64]], progress: Progress
) -> tuple[str, ...]:
    """The sum over all rows, one per lane."""
    sums = [0] * _LANES
    for start in range(0, table.rows, _CHUNK):
        progress(start / table.rows)
        for lane in range(_LANES):
            rows = np.zeros(min(_CHUNK, table.rows - start), dtype=np.uint64)
            for column, hashes in zip(columns, hashed, strict=True):
                rows += hashes[lane][column.codes[start : start + _CHUNK]]
            sums[lane] += int(_scrambled(rows).sum(dtype=np.uint64))
    return tuple(str(lane % 2**64) for lane in sums)


def _digest(parts: Iterable[str]) -> str:
    whole = hashlib.sha256()
    for part in parts:
        text = part.encode("utf-8", "surrogatepass")
        whole.update(len(text).to_bytes(8, "big") + text)
    return whole.hexdigest()


def _lanes(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Hashes of shape (values, lanes) scrambled, shape (lanes, values)."""
    return np.stack([_scrambled(lane) for lane in hashes.T])


def _digests(texts: Iterable[str]) -> NDArray[np.uint64]:
    """128 bits of each text, shape (texts, lanes)."""
    new, size = hashlib.blake2b, 8 * _LANES
    found = b"".join([new(text.encode("utf-8", "surrogatepass"), digest_size=size).digest() for text in texts])
    return np.frombuffer(found, dtype="<u8").astype(np.uint64, copy=False).reshape(-1, _LANES)


def _scrambled(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64, a bijection without structure (Steele, Lea and Flood 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    scrambled: NDArray[np.uint64] = values ^ (values >> np.uint64(31))
    return scrambled
