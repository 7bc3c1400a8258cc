"""The fingerprint of a table's content, and a ledger of many entries: charging, reading anew, adding up."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

from workbench.core.content import content_fingerprint
from workbench.core.table import Column, Table
from workbench.query.composed_views import numerical
from workbench.query.ledger import Charge, Ledger, LedgerEntry
from workbench.query.ledger_file import SUFFIX
from workbench.query.ledger_folder import LedgerFolder

ROWS = 1_000_000
ENTRIES = 1_000
BESIDE = 200


def shown(what: str, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    print(f"{what:48} {time.perf_counter() - start:8.3f} s")


def main() -> None:
    rng = np.random.default_rng(1)
    few = tuple(f"value {number}" for number in range(73))
    nine = Table(tuple(Column(f"c{n}", rng.integers(0, len(few), ROWS).astype(np.int32), few) for n in range(9)))
    shown(f"fingerprint of {ROWS:,} rows × 9 columns", lambda: content_fingerprint(nine))
    many = tuple(f"person {number}" for number in range(ROWS))
    names = Table((Column("name", np.arange(ROWS, dtype=np.int32), many),))
    shown(f"fingerprint of {ROWS:,} different values", lambda: content_fingerprint(names))
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder) / "l.jsonl", "rows1-x")
        ledger.merge(
            [LedgerEntry(f"{n:032}", f"2026-{n:05}", Charge("query", "x", Fraction(1, 100))) for n in range(ENTRIES)]
        )
        again = Ledger(ledger.path, "rows1-x")
        shown(f"reading {ENTRIES:,} entries", lambda: again.entries)
        shown("adding them up", again.spent)
        shown("one more charge", lambda: again.charge(Charge("query", "x", Fraction(1, 100))))
        shown("numerical composition", lambda: numerical([entry.released for entry in again.entries]))
        for number in range(BESIDE):
            Ledger(Path(folder) / f"{number}{SUFFIX}", f"rows1-{number}").charge(Charge("query", "x", Fraction(1)))
        one = Ledger(ledger.path, "rows1-x", beside=LedgerFolder(Path(folder)))
        shown(f"reading it with {BESIDE} ledgers beside it", lambda: one.history)
        shown("once more", lambda: one.history)


if __name__ == "__main__":
    main()
