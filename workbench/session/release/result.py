"""The results of an (ε, δ) release: a run, an empty one, and what would survive with other settings."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from workbench.anonymise.claim import Claim
from workbench.anonymise.dp_search import DrawnLevels
from workbench.anonymise.sampling import Outcome
from workbench.anonymise.survival import Survival
from workbench.anonymise.trim_survival import TrimSurvival
from workbench.anonymise.trimming import TrimOutcome
from workbench.core.discreet import discreet
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.number_text import rounded_up
from workbench.core.schema import Schema
from workbench.core.table import Table
from workbench.core.working_table import PreparedTable

_MOSTLY = 0.5
"""A column that is `*` in a larger share of the released rows is named beside them."""


def new_draw() -> str:
    """The name of a draw that nobody has made before."""
    return secrets.token_hex(16)


def levels_key(draw: str) -> str:
    """Under which key the private draw of the levels is charged."""
    return f"{draw} levels"


def starred(outcome: Outcome | TrimOutcome) -> dict[str, float]:
    """Of each generalised column, in which share of the released rows it is `*`, and so says nothing."""
    rows = max(outcome.rows_out, 1)
    return {
        name: sum(
            int(count)
            for _, labels, counts in outcome.label_counts(name)
            for label, count in zip(labels, counts.tolist(), strict=True)
            if label == ANY
        )
        / rows
        for name in outcome.recipe.levels
    }


def is_one_label(outcome: Outcome | TrimOutcome, name: str) -> bool:
    """Whether all released rows that say anything in a generalised column say the same."""
    said = {
        label
        for _, labels, counts in outcome.label_counts(name)
        for label, count in zip(labels, counts.tolist(), strict=True)
        if count and label != ANY
    }
    return len(said) == 1


@dataclass(frozen=True)
class Followed:
    """The settings that levels and shares of a draw follow from, as its statement tells them; see `Terms`.

    They stay what they were when it was drawn: others may lead to the same steps, and were not what decided.
    """

    degree: str = ""
    degrees: tuple[str, ...] = ()
    expected: bool = False
    balanced: bool = False
    said: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What was said to occur in the columns that take part."""
    rows: int | None = None
    """How many rows were expected, as it was typed; None where nothing follows from it."""


@discreet
@dataclass(frozen=True)
class Result:
    """One run: what came out, what may be claimed for it, and the key that tells whether it is current.

    `prepared` has the working table it was made from; the row numbers of the outcome are rows of this table.
    `fingerprint` is that of the data it was read from; `schema` and `hierarchies` are those of the run.
    `recipe` is the digest of what was done to the data. `drawn` are the levels if they were drawn privately; of it,
    only the choice may be published. `draw` tells this draw of levels and sample from all others, each of which is
    paid for once.
    `where` is the filter that chose its rows, "" if all took part. `followed` is what its levels follow from.
    `starred` is, by column, the share of the released rows in which it is `*`: anybody who gets the release can count
    it.
    """

    outcome: Outcome | TrimOutcome
    claim: Claim
    key: str
    prepared: PreparedTable
    fingerprint: str
    schema: Schema = field(repr=False)
    hierarchies: Mapping[str, Hierarchy] = field(repr=False)
    recipe: str = ""
    drawn: DrawnLevels | None = None
    draw: str = field(default_factory=new_draw, repr=False)
    where: str = ""
    followed: Followed | None = None
    starred: Mapping[str, float] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        """The working table it was made from."""
        return self.prepared.table

    @property
    def sampled(self) -> Outcome:
        """The outcome of a release by sampling.

        Raises
        ------
        WorkbenchError
            If groups were trimmed, so that no rows were sampled.
        """
        if isinstance(self.outcome, Outcome):
            return self.outcome
        raise WorkbenchError(
            "This is about rows that were sampled, and the release trimmed groups.",
            hint="Choose sampling as the mechanism to see it.",
            field="mechanism",
        )

    @property
    def spent(self) -> str:
        """The cost of its draw, be it published or not, in a sentence; "" if there was none."""
        promised = self.claim.guarantee
        price = f"ε = {rounded_up(promised.epsilon)} and δ = {rounded_up(promised.delta)}"
        return f"This draw was charged with {price}." if self.outcome.secure else ""

    @property
    def keys(self) -> tuple[str, str]:
        """Under which keys the draw of its levels and its release are charged."""
        return levels_key(self.draw), self.draw


@discreet
@dataclass(frozen=True, eq=False)
class Explored:
    """The share that would survive, and the settings it was simulated for.

    Parameters
    ----------
    survival
        From the true rows: analyst only.
    key
        Whether it still belongs to the settings.
    fingerprint
        The file, for the record that this was seen.
    """

    survival: Survival | TrimSurvival
    key: str
    fingerprint: str


_MOST, _LEAST = 20, 2
_CELLS = 50_000_000
"""Of all tables of the remembered results together, beyond the least of them."""


def remembered(results: Sequence[Result]) -> tuple[Result, ...]:
    """Those of the results, newest first, that are kept, so that the same settings bring back the draw made then."""
    kept: list[Result] = []
    cells = 0
    for result in results[:_MOST]:
        release = result.outcome.release
        cells += release.rows * len(release.names)
        if cells > _CELLS and len(kept) >= _LEAST:
            break
        kept.append(result)
    return tuple(kept)


def nothing_released() -> WorkbenchError:
    """That a release is empty, which anybody who gets it would see, and what would help; nothing more is told."""
    return WorkbenchError(
        "Nothing was released: no group of alike rows was left.",
        hint="Higher levels, fewer columns, or a larger ε or δ would leave more rows. Other settings can be tried: "
        "each draw is charged when it is made, and all of them count together.",
        field="levels",
    )


def mostly_starred(result: Result, left_out: Collection[str] = ()) -> tuple[str, ...]:
    """The columns that are `*` in most of the released rows, those with most of it first, but for what is left out."""
    most = sorted((-share, name) for name, share in result.starred.items() if share > _MOSTLY and name not in left_out)
    return tuple(name for _, name in most)
