"""The cost of a release, computed again from how it was made: one line for each kind of mechanism.

A statement says of what mechanisms a release consists. Whoever checks it computes the cost of each anew and adds up;
what is added up is true for mechanisms in sequence, each with fresh randomness. A new kind of mechanism joins by a line
in `RECOMPUTATIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from workbench.anonymise.dp_search import PrivateSearch
from workbench.anonymise.level_scores import Score
from workbench.anonymise.sample_guarantee import Accounting, Guarantee, delta
from workbench.core.errors import WorkbenchError
from workbench.core.private_draw import Draw
from workbench.core.rationals import rational
from workbench.report.recheck_trim_law import composed, recomputed_trimming
from workbench.report.stated_facts import Facts


@dataclass(frozen=True)
class Cost:
    """(ε, δ) of a person, never below what is true."""

    epsilon: Fraction = Fraction(0)
    delta: Fraction = Fraction(0)

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.epsilon + other.epsilon, self.delta + other.delta)

    def for_replacing(self) -> Cost:
        """The same for a person who is replaced by another, where it is known how many there are.

        To lose a person and to gain another one touches groups of their own; each is (ε, δ)-private, and what becomes
        of a group is independent of all others: (2ε, 1 − (1 − δ)²).
        """
        return Cost(self.epsilon + self.epsilon, 1 - (1 - self.delta) ** 2)


def cost_of(release: Facts) -> Cost:
    """The cost of the mechanisms of a release together, from what its note states about it.

    Raises
    ------
    WorkbenchError
        If there is a kind of mechanism that this program does not know, or a number that cannot be.
    KeyError, TypeError, ValueError
        If something is missing or is of another kind.
    """
    return sum((cost_of_one(mechanism, release) for mechanism in release["mechanisms"]), Cost())


def cost_of_one(mechanism: Facts, release: Facts) -> Cost:
    """The cost of one mechanism of a release; raises as `cost_of` does."""
    kind = mechanism["kind"]
    if kind not in RECOMPUTATIONS:
        raise WorkbenchError(
            f"What “{kind}” costs cannot be computed by this version of the program.",
            hint="Use the version that the statement names, or a newer one.",
            field="statement",
        )
    return RECOMPUTATIONS[kind](mechanism, release)


def _sampling(mechanism: Facts, release: Facts) -> Cost:
    """Sampling, generalisation and suppression: δ at ε from β, k, the rows per person and the accounting."""
    epsilon, stated = mechanism["epsilon"], mechanism["delta"]
    how = release["beta"], release["k"], Accounting(release["accounting"])
    rows = release["rows_per_person"]
    try:
        Guarantee(epsilon, stated, *how, rows)
    except WorkbenchError:
        return Cost(rational(epsilon), rational(delta(epsilon, *how, rows_per_person=rows)))
    return Cost(rational(epsilon), rational(stated))


def _trimming(mechanism: Facts, release: Facts) -> Cost:
    """Trimming: what its steps cost together, each of which must have a law that keeps its (ε, δ)."""
    epsilon, stated = rational(mechanism["epsilon"]), rational(mechanism["delta"])
    parts = [(rational(step["epsilon"]), rational(step["delta"])) for step in release["steps"]]
    for one, delta_of_one in parts:
        recomputed_trimming(one, delta_of_one, release["rows_per_person"])
    return Cost(epsilon, max(stated, composed(parts, epsilon)))


def _private_levels(mechanism: Facts, _release: Facts) -> Cost:
    """A draw of levels costs the ε it was made with: its rate is set by that ε, whatever the scores are."""
    search = PrivateSearch(mechanism["epsilon"], Draw(mechanism["draw"]), Score(mechanism["score"]))
    return Cost(rational(search.epsilon))


RECOMPUTATIONS: Mapping[str, Callable[[Facts, Facts], Cost]] = MappingProxyType(
    {"sampling": _sampling, "trimming": _trimming, "private-levels": _private_levels}
)
"""By the kind of mechanism: its cost, from what is stated about it and about the release."""
