"""Composition: the joint promise of several releases of the same data, in exact fractions.

Basic composition adds up ε and δ. Releases that look at disjoint cells of the table compose in parallel: a person
whose one row lies in one cell is touched by the releases of that cell only, so the largest sum over the cells counts.

Only promises about the same neighbouring tables add up. To replace a person's rows is to remove them and to add others,
so a release that hides adding or removing them hides replacing them at twice the ε; the other way round nothing
follows. As soon as one release is of the replace-one kind, all of them are brought to that.

Adding holds whatever is chosen after whatever answers. What was planned beforehand costs what it costs together, see
`planned_composition`, and is added as one.

A release that shows who takes part in it, where that depends on their values, hides less than either kind of neighbours
asks for: its (ε, δ) is about those who take part anyway. With one of these nothing bounds the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from workbench.core.planned_composition import outside_plans, planned_price, planned_price_at
from workbench.core.release_spending import ADD_REMOVE as ADD_REMOVE
from workbench.core.release_spending import REPLACE_ONE as REPLACE_ONE
from workbench.core.release_spending import ReleaseSpending as ReleaseSpending
from workbench.core.release_spending import TablePart as TablePart
from workbench.core.release_spending import counted_as as counted_as
from workbench.core.release_spending import for_replacing as for_replacing
from workbench.core.release_spending import for_rows as for_rows
from workbench.core.release_spending import with_number_known

OPEN_PARTICIPATION = (
    "Some show who takes part in them, which depends on people's values, so nothing can be promised for all of them "
    "together."
)
"""Why there is no sum where every release has a claim."""


@dataclass(frozen=True)
class Total:
    """Several releases together, for a person with up to `rows_per_person` rows.

    Parameters
    ----------
    epsilon, delta
        Of all that have an ε or a δ, with a claim or without one.
    rows_per_person
        The largest number any of them was accounted for, or more if more was asked for.
    count
        How many releases there were.
    unclaimed
        How many of them had no claim. If there is one, nothing bounds the whole.
    rows_public
        How many of them treat the number of rows as public, because their neighbours are replace-one. If there is
        one, (ε, δ) is about replacing a person's rows, and the others are counted as much as they cost there.
    number_known
        How many of them were published where it is known how many people, or rows, there are; the same follows.
    open_participation
        How many of them show who takes part, where that depends on values. If there is one, nothing bounds the whole.
    plans
        How many plans are counted, each as a whole, and not what was drawn in them.
    """

    epsilon: Fraction
    delta: Fraction
    rows_per_person: int
    count: int
    unclaimed: int = 0
    rows_public: int = 0
    open_participation: int = 0
    plans: int = 0
    number_known: int = 0

    @property
    def how(self) -> str:
        """How ε and δ came about, to stand behind them."""
        return "by adding up, what was planned as a whole" if self.plans else "by adding up"

    @property
    def bounded(self) -> bool:
        """Whether (ε, δ) is a promise for all of them together."""
        return not self.unclaimed and not self.open_participation

    @property
    def neighbours(self) -> str:
        """Which neighbouring tables (ε, δ) speaks of."""
        return REPLACE_ONE if self.rows_public or self.number_known else ADD_REMOVE

    @property
    def scope(self) -> tuple[str, ...]:
        """Sentences that must stand beside (ε, δ) because it is not about one row that is there or not."""
        said = []
        if self.rows_per_person > 1:
            said.append(f"This is for persons with up to {self.rows_per_person:,} rows.")
        return (*said, self.replacing) if self.replacing else tuple(said)

    @property
    def replacing(self) -> str:
        """That (ε, δ) is about replacing a person, and why; "" if it is about adding and removing one."""
        if self.rows_public:
            return (
                "This is for replacing a person's rows, because some of these treat the number of rows as public; what "
                "hides whether a person is there at all counts with twice its ε."
            )
        if self.number_known:
            return (
                "This is for replacing one person by another, because it is known how many there are; what hides "
                "whether a person is there at all counts with twice its ε."
            )
        return ""


def total(releases: Sequence[ReleaseSpending], rows_per_person: int = 1) -> Total:
    """Basic and parallel composition.

    Releases that were accounted for different numbers of rows per person are first brought to the largest, see
    `for_rows`, and those about different neighbours to replacing one person's rows, see `for_replacing`. Parallel
    composition needs one row per person and add/remove neighbours; for others the cells do not count.
    """
    if any(release.number_known for release in releases):
        releases = with_number_known(releases)  # whoever knows it knows it beside all of them
    counted = outside_plans(releases)
    rows = max([rows_per_person, *(release.rows_per_person for release in counted if release.spends)])
    parts = independent_losses(releases, rows)
    drawn = [release for release in releases if not release.slots]
    return Total(
        sum((epsilon for epsilon, _ in parts), Fraction(0)),
        sum((delta for _, delta in parts), Fraction(0)),
        rows,
        len(drawn),
        sum(not release.claimed for release in drawn),
        sum(release.spends and release.neighbours == REPLACE_ONE for release in counted),
        sum(release.open_participation for release in releases),
        len(releases) - len(drawn),
        sum(release.number_known for release in releases),
    )


def replaces(releases: Iterable[ReleaseSpending]) -> bool:
    """Whether all of these together can only hide that a person is replaced, because a number is public."""
    return any(one.number_known or (one.spends and one.neighbours == REPLACE_ONE) for one in releases)


def added(releases: Sequence[ReleaseSpending], rows_per_person: int = 1) -> Total:
    """All that was drawn, as if nothing of it had been planned."""
    return total([replace(release, slot=None) for release in releases if not release.slots], rows_per_person)


def independent_losses(releases: Iterable[ReleaseSpending], rows: int) -> list[tuple[Fraction, Fraction]]:
    """The releases as a sequence of (ε, δ) for persons with `rows` rows, whose composition bounds the whole.

    All releases on cells of one column are one part: its ε is the largest sum over a value, its δ likewise. If there
    is a replace-one release, or the number of people is known, every part speaks of replacing a person's rows. A plan
    is one part, instead of what was drawn in its slots; one on cells costs at each value what its slots there cost
    together.
    """
    listed = list(releases)
    spending = [release for release in outside_plans(listed) if release.spends]
    replacing = replaces(listed)
    whole = REPLACE_ONE if replacing else ADD_REMOVE
    parts: list[tuple[Fraction, Fraction]] = []
    columns: dict[str, dict[str, tuple[Fraction, Fraction]]] = {}
    for release in spending:
        if rows > 1 or release.cells is None or release.neighbours != ADD_REMOVE:
            price = planned_price if release.slots else counted_as
            parts.append(price(release, rows, whole))
            continue
        sums = columns.setdefault(release.cells.column, {})
        for value in release.cells.values:
            before = sums.get(value, (Fraction(0), Fraction(0)))
            epsilon, delta = planned_price_at(release, value) if release.slots else for_rows(release, rows)
            sums[value] = (before[0] + epsilon, before[1] + delta)
    for sums in columns.values():
        part = max(epsilon for epsilon, _ in sums.values()), max(delta for _, delta in sums.values())
        parts.append(for_replacing(*part) if replacing else part)
    return parts
