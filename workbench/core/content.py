"""The fingerprint of a table's content: the same rows have the same one, however their file is written.

It does not depend on the order of rows or columns, on delimiter, quoting, encoding or packing of the file. It is
public arithmetic without a key: whoever guesses the whole table can check the guess, so it goes into no release.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from workbench.core.progress import SILENT, Progress
from workbench.core.table import Column, Table

_SCHEME = "rows1"
"""Begins every fingerprint; another scheme would need another name."""

_CHUNK = 1 << 16
_LANES = 2


def content_fingerprint(table: Table, progress: Progress = SILENT) -> str:
    """Fingerprint of the multiset of rows, each a mapping of column name to text.

    Every (column, text) has a 128-bit hash; a row's is the sum over its columns, scrambled; the table's is the sum
    over its rows. Sums do not depend on any order. Cost follows the distinct values for the hashing, and the rows
    for the sums.

    Returns
    -------
    str
        "rows1-" and 64 hexadecimal digits.
    """
    columns = sorted(table.columns, key=lambda column: column.name)
    hashed = []
    for position, column in enumerate(columns):
        progress(0.7 * position / max(len(columns), 1), "Recognising the data")
        hashed.append(_hashes(column))
    sums = [0] * _LANES
    summing = progress.part(0.7, 1.0)
    for start in range(0, table.rows, _CHUNK):
        summing(start / table.rows)
        for lane in range(_LANES):
            rows = np.zeros(min(_CHUNK, table.rows - start), dtype=np.uint64)
            for column, hashes in zip(columns, hashed, strict=True):
                rows += hashes[lane][column.codes[start : start + _CHUNK]]
            sums[lane] += int(_scrambled(rows).sum(dtype=np.uint64))
    whole = hashlib.sha256()
    for part in (str(table.rows), *(column.name for column in columns), *(str(lane % 2**64) for lane in sums)):
        text = part.encode("utf-8", "surrogatepass")
        whole.update(len(text).to_bytes(8, "big") + text)
    return f"{_SCHEME}-{whole.hexdigest()}"


def _hashes(column: Column) -> NDArray[np.uint64]:
    """Hash of each distinct value in this column, shape (lanes, values)."""
    hashes = _digests(column.values) + _digests([column.name])
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
