"""Random rows in an engine: coins and orders from a keyed hash of the row number, never from the engine's `random()`.

A row's hash is SHA-256 of a key of 128 bits and the row's number. Without the key nobody can tell it from fresh random
bits, and the key comes from the operating system, is drawn anew for every draw and is forgotten after it. The first 64
bits are the row's coin: it is kept if they are below ⌊p · 2⁶⁴⌋, a comparison of whole numbers that rounds p down. The
next 60 are its place in a random order.

Engines optimise conditions away that look as if they did nothing: a sample is therefore a relation made in a step of
its own, and its size is compared with what the coins must give.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.core.progress import SILENT, Progress
from workbench.core.randomness import RandomSource
from workbench.engines.dialect import SqlDialect
from workbench.engines.store import Store

_COIN = 16
_ORDER = 15
_SIGMAS = 6
_SLACK = 6
"""Rows by which a sample of a small table may be off besides."""


@dataclass(frozen=True)
class Key:
    """A key at work: the relation that holds it, and the key itself, to check the engine by."""

    relation: str
    text: str

    def hashed(self, dialect: SqlDialect, row: str) -> str:
        """The hash of a row as 64 hexadecimal digits; the relation must be joined as `key`."""
        return dialect.sha256(f"concat(secret.v, ':', CAST({row} AS {dialect.text}))")

    def coin(self, row: int) -> str:
        """The digits that decide about a row, computed here."""
        return hashlib.sha256(f"{self.text}:{row}".encode()).hexdigest()[:_COIN]

    @property
    def join(self) -> str:
        """Makes the key known to a statement. It stands in a relation so that no log of statements holds it."""
        return f" CROSS JOIN {self.relation} AS secret"


@contextmanager
def fresh_key(store: Store, source: RandomSource) -> Iterator[Key]:
    """A new key, forgotten at the end."""
    text = source.words(2).astype(">u8").tobytes().hex()
    relation = store.upload({"v": [text]})
    try:
        yield Key(relation, text)
    finally:
        store.drop(relation)


def order_of(hashed: str, dialect: SqlDialect) -> str:
    """The place of a row in a random order, a whole number below 2⁶⁰."""
    return dialect.from_hex(f"substr({hashed}, {_COIN + 1}, {_ORDER})")


def threshold(probability: float) -> str | None:
    """The coins below this keep their row; None if all do."""
    limit = int(Fraction(probability) * (1 << 64))
    return None if limit >= 1 << 64 else f"{limit:0{_COIN}x}"


def draw_rows(
    store: Store,
    relation: str,
    columns: Sequence[str],
    probability: float,
    source: RandomSource,
    progress: Progress = SILENT,
) -> str:
    """Keep each row of a relation with a probability, independently of everything.

    Parameters
    ----------
    columns
        What is taken along of each row.
    source
        Where the key comes from.

    Returns
    -------
    str
        A relation with these columns and with `n`, the number of each row in the relation it came from; its rows are
        in no particular order.

    Raises
    ------
    WorkbenchError
        If the engine kept other rows than the coins say.
    """
    limit = threshold(probability)
    with fresh_key(store, source) as key:
        dialect = store.dialect
        inner = (
            f"SELECT {', '.join(f'd.{column}' for column in columns)}{', ' if columns else ''}d.{dialect.row} AS n, "
            f"{key.hashed(dialect, f'd.{dialect.row}')} AS h FROM {relation} AS d{key.join}"
        )
        # A text of 64 digits is before one of 16 if and only if its first 16 are.
        condition = "" if limit is None else f" WHERE h < {dialect.literal(limit)}"
        taken = ", ".join([*columns, "n"])
        drawn = store.keep(f"SELECT {taken} FROM ({inner}) AS x{condition}", progress, "Sampling rows")
        try:
            _check(store, relation, drawn, probability, limit, key)
        except BaseException:
            store.drop(drawn)
            raise
    return drawn


def _check(store: Store, relation: str, drawn: str, probability: float, limit: str | None, key: Key) -> None:
    """Refuse a sample that is not the one the coins make.

    A size within 6 σ is what 999,999,998 of 10⁹ honest samples have. Another one is not refused unseen, because a
    release that had to pass such a test would not quite be what was promised: each coin is looked up instead.
    """
    rows, kept = store.count(relation), store.count(drawn)
    if limit is None:
        fits = kept == rows
    else:
        deviation = math.sqrt(rows * probability * (1 - probability))
        fits = abs(kept - rows * probability) <= _SIGMAS * deviation + _SLACK
    if not fits and not _is_the_one(store, relation, drawn, limit, key):
        raise WorkbenchError(
            f"{store.title} did not sample as it was told: of {rows:,} rows {kept:,} were kept with a probability of "
            f"{estimate(probability, 6)}. Nothing is released.",
            hint="Use another version of the engine, or work in memory; please report this with the version.",
            field="engine",
        )


def _is_the_one(store: Store, relation: str, drawn: str, limit: str | None, key: Key) -> bool:
    """Whether exactly the rows were kept whose coins say so, each coin computed here."""
    kept = np.sort(store.fetch(f"SELECT n FROM {drawn}")[0])
    wanted = [
        row
        for (block,) in store.stream(f"SELECT {store.dialect.row} AS n FROM {relation}")
        for row in block.tolist()
        if limit is None or key.coin(row) < limit
    ]
    return np.array_equal(kept, np.sort(np.array(wanted, dtype=np.int64)))
