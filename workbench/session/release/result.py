"""The results of an (ε, δ) release: a run, why one may be empty, and what would survive with other settings."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.anonymise.claim import Claim
from workbench.anonymise.dp_search import DrawnLevels
from workbench.anonymise.mechanism import Outcome
from workbench.anonymise.survival import Survival
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import estimate, rounded_up
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


@discreet
@dataclass(frozen=True, eq=False)
class Explored:
    """What would survive, and which settings it was simulated for.

    Parameters
    ----------
    survival
        From the true rows: analyst only.
    key
        Whether it still belongs to the settings.
    recipe, fingerprint
        The settings that were in force and the file, for the record that this was seen.
    """

    survival: Survival
    key: str
    recipe: str
    fingerprint: str


_TUNED = (
    "But what is changed now is tuned on this outcome and carries no (ε, δ) claim on this data, a degree or a private "
    "search too: a claim needs settings that were settled before the first run."
)
"""What `claim` says of settings that were changed after a result had been seen."""


def nothing_survived(result: Result) -> WorkbenchError:
    """Why every row was dropped, and what would help."""
    outcome = result.outcome
    spent = f" {result.spent}" if result.spent else ""
    largest = int(outcome.class_sizes.max()) if len(outcome.class_sizes) else 0
    k = outcome.recipe.k
    of_filter = f" (filter: {result.where})" if result.where else ""
    if not outcome.rows_in:
        return WorkbenchError(
            f"No row takes part{of_filter}, so there is nothing to release.",
            hint=f"Choose other rows in Data. {_TUNED}{spent}",
            field="where",
        )
    if not outcome.sampled.rows:
        return WorkbenchError(
            f"None of the rows that take part{of_filter} was sampled, so there is nothing to release.",
            hint=f"β is {estimate(outcome.recipe.beta)}; a larger β or a larger table would give more rows. "
            f"{_TUNED}{spent}",
            field="beta",
        )
    return WorkbenchError(
        f"Every row was dropped: the largest group of alike rows has {largest:,} sampled rows, and k is {k:,}.",
        hint="Higher levels, fewer columns, or a larger ε or δ, which makes k smaller, would leave more rows. "
        f"{_TUNED}{spent}",
        field="k",
    )
