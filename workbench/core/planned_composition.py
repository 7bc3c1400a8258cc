"""The joint price of releases that were fixed before the first of them was drawn: a plan.

The price of a plan is an (ε, δ): δ is the sum of those of its slots, or more if more was accepted, and ε the smallest
at which the composed losses have that δ, never above the sum. What is asked in a slot may depend on every answer
before, but not what may be drawn there; and whether the slots are used, or some of them, does not change the price. So
a plan adds up with everything else as one release does, also with what is drawn between its slots (Haney et al.,
"Concurrent composition for interactive differential privacy with adaptive privacy-loss parameters", CCS 2023).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from workbench.core.loss_composition import composed_loss_epsilon
from workbench.core.loss_distributions import LossPair, float_down, worst_pair
from workbench.core.optimal_composition import composed_epsilon, is_exact
from workbench.core.rationals import at_least
from workbench.core.release_spending import ADD_REMOVE, ReleaseSpending, counted_as, for_rows

_DIGITS = 9
_NONE = Fraction(0)

DrawnLosses = tuple[Fraction, Fraction, LossPair | None]
"""(ε, δ) of a draw, and its losses where more is known of them."""


def outside_plans(releases: Iterable[ReleaseSpending]) -> list[ReleaseSpending]:
    """The releases without those that a plan among them pays for: one for each slot, if it fits."""
    listed = list(releases)
    # What is counted by itself has no slot, so that this can be done again; without a plan there is none to leave.
    plain = [one if one.slot is None else replace(one, slot=None) for one in listed]
    if not any(one.slots for one in listed):
        return listed
    return [one for one, paid in zip(plain, paid_by_plans(listed), strict=True) if not paid]


def paid_by_plans(releases: Iterable[ReleaseSpending]) -> list[bool]:
    """Of each of the releases, whether a plan among them pays for it."""
    listed = list(releases)
    plans = {release.identity: release for release in listed if release.slots}
    taken: set[tuple[str, int]] = set()
    found = []
    for release in listed:
        slot = release.slot
        paid = False
        if slot is not None and slot not in taken and slot[0] in plans:
            slots = plans[slot[0]].slots
            paid = 0 <= slot[1] < len(slots) and slots[slot[1]].covers(release)
        if slot is not None and paid:
            taken.add(slot)
        found.append(paid)
    return found


def planned_price(plan: ReleaseSpending, rows: int, neighbours: str) -> tuple[Fraction, Fraction]:
    """(ε, δ) of a plan for persons with so many rows and about these neighbouring tables.

    Parameters
    ----------
    plan
        A release with slots; what its δ exceeds the sum of theirs is accepted on top of that.
    rows
        At least as many as any slot was accounted for.
    """
    return _price(plan.slots, rows, neighbours, _accepted(plan))


def planned_price_at(plan: ReleaseSpending, value: str) -> tuple[Fraction, Fraction]:
    """(ε, δ) of a plan on cells, for persons with one row, which has this value: only some slots look at it."""
    there = tuple(slot for slot in plan.slots if slot.cells is not None and value in slot.cells.values)
    return _price(there, 1, ADD_REMOVE, _accepted(plan))


def _accepted(plan: ReleaseSpending) -> Fraction:
    """The δ that was accepted beyond that of the slots."""
    return max(plan.delta - sum((slot.delta for slot in plan.slots), _NONE), _NONE)


@lru_cache(maxsize=64)
def _price(
    slots: tuple[ReleaseSpending, ...], rows: int, neighbours: str, extra: Fraction
) -> tuple[Fraction, Fraction]:
    losses = drawn_losses(slots, rows, neighbours)
    delta = min(sum((part for _, part, _ in losses), _NONE) + extra, Fraction(1))
    whole = sum((part for part, _, _ in losses), _NONE)
    if delta == 0 or whole == 0:
        return whole, delta
    found, exact = whole, is_exact([part for part, _, _ in losses])
    if exact:
        found = min(whole, _up(composed_epsilon([(part, own) for part, own, _ in losses], delta)))
    if delta < 1 and (not exact or any(pair is not None for _, _, pair in losses)):
        counted: dict[int, tuple[LossPair, int]] = {}
        for part, own, known in losses:
            pair = known or _worst(part, own)
            counted[id(pair)] = (pair, counted.get(id(pair), (pair, 0))[1] + 1)
        together = composed_loss_epsilon(list(counted.values()), float_down(delta))
        if together < float(found):
            found = min(found, _up(Fraction(together)))
    return found, delta


def drawn_losses(releases: Sequence[ReleaseSpending], rows: int, neighbours: str) -> list[DrawnLosses]:
    """Each draw of releases that are no plans, for persons with so many rows.

    Releases on cells of one column are one draw with the largest sums over a value, as in `core.composition`.
    """
    found: list[DrawnLosses] = []
    columns: dict[str, dict[str, tuple[Fraction, Fraction]]] = {}
    for release in releases:
        if not release.spends:
            continue
        if release.neighbours != neighbours or neighbours != ADD_REMOVE:
            found.append((*counted_as(release, rows, neighbours), None))
        elif rows > 1 or release.cells is None:
            found += _draws(release, rows)
        else:
            sums = columns.setdefault(release.cells.column, {})
            for value in release.cells.values:
                before = sums.get(value, (_NONE, _NONE))
                sums[value] = (before[0] + release.epsilon, before[1] + release.delta)
    for sums in columns.values():
        found.append((max(part for part, _ in sums.values()), max(part for _, part in sums.values()), None))
    return found


def _draws(release: ReleaseSpending, rows: int) -> list[DrawnLosses]:
    """The draws of a release, or all of it as one where they promise more than it does."""
    whole = for_rows(release, rows)
    found: list[DrawnLosses] = []
    for part in release.draws:
        own = ReleaseSpending(part.epsilon, part.delta, release.rows_per_person)
        found.append((*for_rows(own, rows), part.pair(release.rows_per_person, rows)))
    if sum((part for part, _, _ in found), _NONE) > whole[0] or sum((part for _, part, _ in found), _NONE) > whole[1]:
        return [(*whole, None)]
    return found


@lru_cache(maxsize=2048)
def _worst(epsilon: Fraction, delta: Fraction) -> LossPair:
    return worst_pair(epsilon, delta)


def _up(value: Fraction) -> Fraction:
    """Rounded up to few digits, which a ledger keeps; 0 stays 0."""
    return at_least(value, _DIGITS) if value else value
