"""What a run leaves behind."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.anonymise.claim import Claim
from workbench.anonymise.mechanism import Outcome
from workbench.core.table import Table


@dataclass(frozen=True)
class Result:
    """One run: what came out, what may be claimed for it, and the key that tells whether it is current.

    `table` is the working table it was made from; the row numbers of the outcome are rows of this table.
    `fingerprint` is that of the file the table was read from.
    """

    outcome: Outcome
    claim: Claim
    key: str
    table: Table
    fingerprint: str
