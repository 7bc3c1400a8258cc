"""What a run leaves behind."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.anonymise.claim import Claim
from workbench.anonymise.dp_search import DrawnLevels
from workbench.anonymise.mechanism import Outcome
from workbench.core.hierarchy import Hierarchy
from workbench.core.schema import Schema
from workbench.core.table import Table


@dataclass(frozen=True)
class Result:
    """One run: what came out, what may be claimed for it, and the key that tells whether it is current.

    `table` is the working table it was made from; the row numbers of the outcome are rows of this table.
    `fingerprint` is that of the data it was read from; `schema` and `hierarchies` are those of the run.
    `recipe` is the digest by which looks count it. `drawn` are the levels if they were drawn privately; of it, only
    the choice may be published. `draw` tells this draw of the sample from all others: it is paid for once.
    """

    outcome: Outcome
    claim: Claim
    key: str
    table: Table
    fingerprint: str
    schema: Schema = field(repr=False)
    hierarchies: Mapping[str, Hierarchy] = field(repr=False)
    recipe: str = ""
    drawn: DrawnLevels | None = None
    draw: str = field(default_factory=lambda: secrets.token_hex(16), repr=False)
