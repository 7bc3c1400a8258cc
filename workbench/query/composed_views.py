"""Other ways to add up a ledger: what holds for all its charges together if a small δ more is accepted.

They hold where every (ε, δ) was fixed before the first answer. That is known of what was drawn in one plan, and of a
single charge; where settings may have followed from answers, a composed price can be less than the truth, and none is
quoted. What a ledger comes to without them is `core.composition.total`; a plan's own price, `core.planned_composition`.

Source: Kairouz, Oh and Viswanath 2015 (arXiv 1311.0776), Theorems 3.3 and 3.5.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.composition import ReleaseSpending, independent_losses, replaces, total
from workbench.core.optimal_composition import pure_epsilon
from workbench.core.rationals import rational
from workbench.core.release_spending import with_number_known
from workbench.query.ledger_plans import fixed_beforehand

EXTRA_DELTA = Fraction(1, 10**9)
"""The δ that views add unless another one is chosen."""

AMOUNTS_FIXED = "every ε was fixed before any of these answers was seen"
"""When the views hold."""
CHOSEN_MEANWHILE = (
    "No composed price is quoted: something was drawn outside a plan, so its settings may have followed from earlier "
    "answers, and then only adding up is certain."
)
"""Why there are none."""

_ROUNDING = 1 + 1e-9
_WORTH_IT = Fraction(9999, 10_000)
"""An ε that is smaller by less than this is not worth a larger δ."""


@dataclass(frozen=True)
class ComposedBound:
    """An (ε, δ) of all charges together, never below the true one if all of them have a claim."""

    epsilon: Fraction
    delta: Fraction


def advanced(
    releases: Sequence[ReleaseSpending], extra: Fraction = EXTRA_DELTA, rows_per_person: int = 1
) -> ComposedBound:
    """Advanced composition: ε = Σ εᵢ(e^εᵢ − 1)/(e^εᵢ + 1) + √(2 ln(1/δ′) Σ εᵢ²), δ = δ′ + Σ δᵢ.

    Parameters
    ----------
    extra
        δ′, above 0 and below 1.

    Returns
    -------
    View
        The basic sum where that is smaller.
    """
    parts, basic = _parts(releases, rows_per_person)
    amounts = [float(epsilon) for epsilon, _ in parts]
    drift = math.fsum(amount * math.tanh(amount / 2) for amount in amounts)
    spread = math.sqrt(2 * -math.log(extra) * math.fsum(amount * amount for amount in amounts))
    epsilon = rational((drift + spread) * _ROUNDING)
    return ComposedBound(epsilon, basic.delta + extra) if epsilon < basic.epsilon else basic


def numerical(
    releases: Sequence[ReleaseSpending], extra: Fraction = EXTRA_DELTA, rows_per_person: int = 1
) -> ComposedBound:
    """The smallest ε at which the composition of the worst mechanisms with these εᵢ has a δ of at most δ′.

    The worst (εᵢ, δᵢ)-private mechanism fails with probability δᵢ and else has a privacy loss of ±εᵢ, with
    probability e^εᵢ/(1 + e^εᵢ) for the plus, see `core.optimal_composition`; δ = δ′ + Σ δᵢ.
    """
    parts, basic = _parts(releases, rows_per_person)
    epsilon = pure_epsilon([epsilon for epsilon, _ in parts], extra)
    return ComposedBound(epsilon, basic.delta + extra) if epsilon < basic.epsilon * _WORTH_IT else basic


@dataclass(frozen=True)
class ComposedViews:
    """The views of a ledger, where they hold."""

    advanced: ComposedBound
    numerical: ComposedBound


def composed_views(
    releases: Sequence[ReleaseSpending], extra: Fraction = EXTRA_DELTA, rows_per_person: int = 1
) -> ComposedViews | None:
    """The views of what was fixed before its first answer; None if anything was drawn besides."""
    fixed = fixed_beforehand(releases)
    if not fixed and any(release.spends for release in releases):
        return None
    if replaces(releases):  # what is drawn in a plan may tell of a number that its slots do not know of
        fixed = with_number_known(fixed)
    return ComposedViews(advanced(fixed, extra, rows_per_person), numerical(fixed, extra, rows_per_person))


def _parts(
    releases: Sequence[ReleaseSpending], rows_per_person: int
) -> tuple[list[tuple[Fraction, Fraction]], ComposedBound]:
    basic = total(releases, rows_per_person)
    return independent_losses(releases, basic.rows_per_person), ComposedBound(basic.epsilon, basic.delta)
