"""k-map: every released row looks like at least k people of the population."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.anonymise.class_table import ClassTable
from workbench.anonymise.models.k_anonymity import AtLeast
from workbench.anonymise.privacy import SUBSET, Background, ClassRequirement, PrivacyModel
from workbench.core.errors import WorkbenchError
from workbench.core.params import ParamSpec, ParamType


@dataclass(frozen=True)
class PopulationAtLeast(ClassRequirement):
    """At least k rows of the population. Parts of a class with too few have too few as well."""

    k: int

    def holds(self, classes: ClassTable) -> NDArray[np.bool_]:
        holds: NDArray[np.bool_] = (classes.population >= self.k) | (classes.sizes == 0)
        return holds


def estimated_k(k: int, fraction: float, significance: float, *, truncated: bool) -> int:
    """The class size in a sample from which a class of at least k people follows, at a level of significance.

    Parameters
    ----------
    k
        Smallest class in the population.
    fraction
        Rows of the sample divided by people of the population, in (0, 1].
    significance
        The chance that is accepted to take a smaller class for one of k, in (0, 1).
    truncated
        Whether classes that the sample misses are left out of account (zero-truncated Poisson).

    Returns
    -------
    int
        The smallest k' with P[X ≥ k'] ≤ significance for X ~ Poisson(k·fraction), at most k.

    Notes
    -----
    K. El Emam, F. Dankar: Protecting privacy using k-anonymity, JAMIA 15(5), 2008, estimators D3 and D4.
    """
    mean = k * fraction
    probability = math.exp(-mean)
    whole = 1.0 - probability if truncated else 1.0
    below = 0.0 if truncated else probability
    size = 1
    while size < k and whole - below > significance * whole:
        probability *= mean / size
        below += probability
        size += 1
    return size


def fit(values: Mapping[str, Any], background: Background) -> ClassRequirement:
    k = int(values["k"])
    people = int(values["people"])
    if bool(values["subset_column"]) == bool(people):
        raise WorkbenchError(
            "k-map needs to know the population: either the table is the population and a column marks the released "
            "rows, or the number of people is given.",
            hint="Give one of the two.",
            field="subset_column" if not people else "people",
        )
    if not people:
        if k > background.population:
            raise WorkbenchError(
                f"k = {k:,} is more than all rows of the population together.",
                hint="Choose a smaller k, or use a table with more rows.",
                field="k",
            )
        return PopulationAtLeast(k)
    if people < background.rows:
        raise WorkbenchError(
            f"A population of {people:,} people is smaller than the table.",
            hint="Give the number of people the rows were drawn from.",
            field="people",
        )
    truncated = values["estimator"] == "truncated"
    derived = estimated_k(k, background.rows / people, float(values["significance"]), truncated=truncated)
    if derived > background.rows:
        raise WorkbenchError(
            f"k = {k:,} people need classes of more rows than there are.",
            hint="Choose a smaller k.",
            field="k",
        )
    if derived == 1 < k:
        raise WorkbenchError(
            f"Where {background.rows:,} of {people:,} people have a row, classes of one row convince the estimator of "
            f"k = {k:,} people: nothing would be asked of the table, and somebody could be alone in the population.",
            hint="Choose k-anonymity, or mark the released rows in a table of the population.",
            field="people",
        )
    return AtLeast(derived)


PLUGIN = PrivacyModel(
    "k-map",
    "k-map",
    "Every released row looks like at least k people of the population. The population is the table itself, of which "
    "some rows are released, or only its size is known.",
    "L. Sweeney: Computational disclosure control, 2001; K. El Emam, F. Dankar, JAMIA 15(5), 2008.",
    (
        ParamSpec(
            "k",
            "k",
            ParamType.INTEGER,
            default=5,
            minimum=2,
            unit="people",
            help="People of the population who must share the released labels.",
        ),
        *SUBSET,
        ParamSpec(
            "people",
            "Size of the population",
            ParamType.INTEGER,
            default=0,
            minimum=0,
            unit="people",
            help="How many people the rows were drawn from; 0 if the table is the population.",
        ),
        ParamSpec(
            "significance",
            "Significance",
            ParamType.NUMBER,
            default=0.05,
            minimum=0.0,
            maximum=1.0,
            open_minimum=True,
            open_maximum=True,
            help="With an estimated population: the accepted chance that a class has fewer than k people.",
        ),
        ParamSpec(
            "estimator",
            "Estimator",
            ParamType.CHOICE,
            default="poisson",
            choices=(("poisson", "Poisson"), ("truncated", "zero-truncated Poisson")),
            help="How class sizes in the population are estimated from the sample.",
        ),
    ),
    fit,
)
