"""What a run leaves behind."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.anonymise.claim import Claim
from workbench.anonymise.dp_search import DrawnLevels
from workbench.anonymise.mechanism import Outcome
from workbench.core.discreet import discreet
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import rounded_up
from workbench.core.schema import Schema
from workbench.core.table import Table


def new_draw() -> str:
    """The name of a draw that nobody has made before."""
    return secrets.token_hex(16)


def levels_key(draw: str) -> str:
    """Under which key the private draw of the levels is charged."""
    return f"{draw} levels"


@discreet
@dataclass(frozen=True)
class Result:
    """One run: what came out, what may be claimed for it, and the key that tells whether it is current.

    `table` is the working table it was made from; the row numbers of the outcome are rows of this table.
    `fingerprint` is that of the data it was read from; `schema` and `hierarchies` are those of the run.
    `recipe` is the digest by which looks count it. `drawn` are the levels if they were drawn privately; of it, only
    the choice may be published. `draw` tells this draw of levels and sample from all others: each is paid for once.
    `where` is the filter that chose its rows, "" if all took part.
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
    draw: str = field(default_factory=new_draw, repr=False)
    where: str = ""

    @property
    def paid(self) -> float:
        """ε that its levels have cost when they were drawn, whether it is released or not."""
        return self.claim.guarantee.search_epsilon if self.outcome.secure else 0.0

    @property
    def spent(self) -> str:
        """What it has cost although nothing may leave, in a sentence; "" if nothing."""
        return f"Drawing the levels was paid for with ε = {rounded_up(self.paid)}." if self.paid else ""

    @property
    def keys(self) -> tuple[str, str]:
        """Under which keys the draw of its levels and its release are charged."""
        return levels_key(self.draw), self.draw
