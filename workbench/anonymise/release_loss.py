"""The loss of a release of generalised rows, whatever its mechanism. From true rows: analyst only.

The measure is that of the default metric, the share of its domain each value might stand for, because it is defined row
by row: L = (Σ share/n − 1/D)/(1 − 1/D) for a column whose hierarchy lists D values, over the n rows that were to be
released. A label stands for the values under it at the level it was released at, `*` and a row that was not released
for all D. (V. S. Iyengar: Transforming data to satisfy privacy constraints, KDD 2002.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.recipe import ReleaseOutcome, Treatment
from workbench.core.hierarchy import ANY, Hierarchy
from workbench.core.table import Table


@dataclass(frozen=True)
class ReleaseLoss:
    """Losses between 0, nothing, and 1, everything.

    Parameters
    ----------
    columns
        Of each generalised column.
    loss
        Of all together: their geometric mean, Π(1 + Lᵢ)^(1/m) − 1, as the search takes it.
    mean
        The plain mean: the share of everything a reader might have known that is lost.
    """

    columns: Mapping[str, float]
    loss: float
    mean: float


def release_loss(outcome: ReleaseOutcome, table: Table, hierarchies: Mapping[str, Hierarchy]) -> ReleaseLoss:
    """The loss of a release of this table.

    Parameters
    ----------
    hierarchies
        Of the generalised columns. A column without one is as it is, of as many values as occur, or `*`.
    """
    columns = {
        plan.name: _loss(outcome, plan.name, table, hierarchies.get(plan.name))
        for plan in outcome.recipe.named(Treatment.GENERALISE)
    }
    each = np.array(list(columns.values()))
    return ReleaseLoss(columns, float(np.exp(np.log1p(each).mean()) - 1), float(each.mean()))


def _loss(outcome: ReleaseOutcome, name: str, table: Table, hierarchy: Hierarchy | None) -> float:
    domain = int((table[name].counts > 0).sum()) if hierarchy is None else len(hierarchy.values)
    if domain < 2 or not table.rows:
        return 0.0
    stands_for, released = 0, 0
    for level, labels, counts in outcome.label_counts(name):
        stands_for += int((_shares(labels, level, hierarchy, domain) * counts).sum())
        released += int(counts.sum())
    stands_for += domain * (table.rows - released)
    return max(0.0, (stands_for / table.rows - 1) / (domain - 1))


def _shares(labels: tuple[str, ...], level: int, hierarchy: Hierarchy | None, domain: int) -> NDArray[np.int64]:
    """How many values each label stands for."""
    if hierarchy is None:
        under = dict.fromkeys(labels, 1)
    else:
        listed = np.bincount(hierarchy.maps[level], minlength=len(hierarchy.labels[level])).tolist()
        under = dict(zip(hierarchy.labels[level], listed, strict=True))
    return np.array([domain if label == ANY else under.get(label, domain) for label in labels], dtype=np.int64)
