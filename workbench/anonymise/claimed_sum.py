"""The claim for a release that was chosen among several: the sum of what all of them promise.

Whoever draws, looks, draws again with other settings and publishes one of the draws computes what leaves from all of
their outputs and from nothing else of the data, so it is post-processing of all of them together. All charges of the
ledger count, also answers to questions and private draws of levels: a choice may rest on each of them.

Where it is known how many people there are, each of them counts as much as it costs to replace a person.

The sum is true whatever was chosen meanwhile, the number of draws and their ε among it: follow the publisher with
any data. The files that carry the claim (E, D) are those where the charges before them add up to just that, which is an
event of the process that stops before it would go beyond (E, D). By basic composition with a bound that is fixed this
process is (E, D)-differentially private (Rogers, Roth, Ullman and Vadhan 2016, Theorem 3.6), so every set of such files
is about as likely for a neighbouring table. Composed prices are less, and hold only for what was planned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workbench.anonymise.circumstances import Circumstances
from workbench.anonymise.promise import Promise
from workbench.anonymise.reasons import Reason
from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.composition import REPLACE_ONE, ReleaseSpending, Total, total
from workbench.core.near_releases import NearReleases
from workbench.core.rationals import float_above, rational
from workbench.core.release_spending import with_number_known

MOST_DELTA = 1
"""A δ of one allows everything."""

UNBOUNDED = "what was released of this data before has no bound together"
ROWS_PUBLIC = "some of what was released of this data treats the number of its rows as public"
NOT_COUNTED = "results of this data were seen that its ledger does not count"
NEARLY_SAME = "releases of nearly the same data are not counted with it"
TOO_LARGE = "their δ add up to one or more"
NO_SUM = (UNBOUNDED, ROWS_PUBLIC, NOT_COUNTED, NEARLY_SAME, TOO_LARGE)
"""Why there is no sum that could be claimed."""


@dataclass(frozen=True)
class ClaimedSum:
    """The promise of several releases together.

    Parameters
    ----------
    releases
        How many they are, this one among them.
    exact_epsilon, exact_delta
        Their ε and δ, added up, for persons with as many rows as any of them was accounted for.
    """

    releases: int
    exact_epsilon: Fraction
    exact_delta: Fraction

    @property
    def epsilon(self) -> float:
        """ε, not rounded down."""
        return float_above(self.exact_epsilon)

    @property
    def delta(self) -> float:
        """δ, not rounded down."""
        return float_above(self.exact_delta)


def summed(
    own: Sequence[ReleaseSpending],
    earlier: Sequence[ReleaseSpending],
    near: NearReleases = NearReleases.NONE,
    *,
    uncounted: bool = False,
    number_known: bool = False,
) -> ClaimedSum | str | None:
    """Sum that a release promises together with everything else of its data.

    Parameters
    ----------
    own, earlier
        What this release is charged, and everything else that the ledger knows.
    near
        Whether something was released of nearly the same data.
    uncounted
        Whether results were seen that the ledger does not count.
    number_known
        Whether it is known how many people there are, so that the sum is for replacing one of them.

    Returns
    -------
    ClaimedSum, str or None
        Why there is no such sum, one of `NO_SUM`; None if there is nothing to choose among.
    """
    others = sum(not release.slots for release in earlier)
    if not others:
        return None
    if number_known:
        own, earlier = with_number_known(own), with_number_known(earlier)
    together: Total = total((*earlier, *own))
    if not together.bounded:
        return UNBOUNDED
    # An answer can take the number of rows that match it to be public, which is more than that of all people.
    public = any(one.spends and one.neighbours == REPLACE_ONE for one in earlier)
    if public or (together.number_known and not number_known):
        return ROWS_PUBLIC
    if uncounted:
        return NOT_COUNTED
    if near is NearReleases.NOT_ADDED_UP:
        return NEARLY_SAME
    if together.delta >= MOST_DELTA:
        return TOO_LARGE
    # A plan can have a smaller ε at its larger δ; together they are never said to be less than this one.
    least = total(own)
    return ClaimedSum(others + 1, max(together.epsilon, least.epsilon), max(together.delta, least.delta))


def sum_of(guarantee: Promise, circumstances: Circumstances) -> ClaimedSum | str | None:
    """Sum that the draw and all else of its data promise together, or why there is none. See `summed`."""
    own = circumstances.own or (spending_of(guarantee),)
    return summed(
        own,
        circumstances.earlier,
        circumstances.near,
        uncounted=circumstances.uncounted,
        number_known=bool(circumstances.known),
    )


def spending_of(guarantee: Promise) -> ReleaseSpending:
    """Cost of a draw that was not charged yet, its levels included.

    What becomes of a group is independent of all others, whether rows are sampled or groups trimmed. A private choice
    of the levels adds nothing to δ, so that it changes nothing in what replacing a person costs.
    """
    amounts = rational(guarantee.epsilon), rational(guarantee.delta)
    return ReleaseSpending(*amounts, guarantee.rows_per_person, mechanism=(MechanismPart(LossKind.TRIM, *amounts),))


def no_sum(why: str) -> Reason:
    """The reason against a claim for something that was chosen where there is no sum."""
    return Reason(
        "chosen",
        f"It was chosen among several releases of this data, and there is no sum to claim: {why}.",
        "Publish it only if it was settled before the others were made.",
    )
