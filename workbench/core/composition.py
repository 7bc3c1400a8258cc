"""Composition: the joint promise of several releases of the same data, in exact fractions.

Basic composition adds up ε and δ. Releases that look at disjoint cells of the table compose in parallel: a person
whose one row lies in one cell is touched by the releases of that cell only, so the largest sum over the cells counts.

Only promises about the same neighbouring tables add up. To replace a person's rows is to remove them and to add others,
so a release that hides adding or removing them hides replacing them at twice the ε; the other way round nothing
follows. As soon as one release is of the replace-one kind, all of them are brought to that.

A release that shows who takes part in it, where that depends on their values, hides less than either kind of neighbours
asks for: its (ε, δ) is about those who take part anyway. With one of these nothing bounds the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction

from workbench.core.rationals import at_least
from workbench.core.typed_fields import typed_fields

ADD_REMOVE = "add/remove"
"""Neighbouring tables differ by adding or removing all rows of one person."""
REPLACE_ONE = "replace-one"
"""Neighbouring tables differ in the values of one row; how many rows there are is public."""

OPEN_PARTICIPATION = (
    "Some show who takes part in them, which depends on people's values, so nothing can be promised for all of them "
    "together."
)
"""Why there is no sum where every release has a claim."""

_DIGITS = 50
_BEYOND = 700
"""An ε at which a δ says nothing any more, and e^ε is too large to compute with."""


@dataclass(frozen=True)
@typed_fields
class TablePart:
    """The part of the table a release looks at: the rows with one of these values in a column.

    The values are texts as they stand in the column of the file, and every text the release can look at must be
    among them: a condition on numbers, for which 30, 30.0 and 030 are the same, names no cells.
    """

    column: str
    values: frozenset[str]

    def __post_init__(self) -> None:
        if not self.values:
            raise ValueError("cells without a value")


@dataclass(frozen=True)
class ReleaseSpending:
    """One release: the (ε, δ) of a person with up to `rows_per_person` rows, if it had a claim.

    `neighbours` says which neighbouring tables the (ε, δ) speaks of, `cells` which part of the table was looked at;
    None for the whole table. With `open_participation` it speaks of those only who take part in it, and who does
    depends on values and is not hidden.
    """

    epsilon: Fraction
    delta: Fraction
    rows_per_person: int = 1
    claimed: bool = True
    cells: TablePart | None = None
    neighbours: str = ADD_REMOVE
    open_participation: bool = False

    @property
    def spends(self) -> bool:
        """Whether it has an ε or a δ at all."""
        return bool(self.epsilon or self.delta)


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
    open_participation
        How many of them show who takes part, where that depends on values. If there is one, nothing bounds the whole.
    """

    epsilon: Fraction
    delta: Fraction
    rows_per_person: int
    count: int
    unclaimed: int = 0
    rows_public: int = 0
    open_participation: int = 0

    @property
    def bounded(self) -> bool:
        """Whether (ε, δ) is a promise for all of them together."""
        return not self.unclaimed and not self.open_participation

    @property
    def neighbours(self) -> str:
        """Which neighbouring tables (ε, δ) speaks of."""
        return REPLACE_ONE if self.rows_public else ADD_REMOVE

    @property
    def scope(self) -> tuple[str, ...]:
        """Sentences that must stand beside (ε, δ) because it is not about one row that is there or not."""
        said = []
        if self.rows_per_person > 1:
            said.append(f"This is for persons with up to {self.rows_per_person:,} rows.")
        if self.rows_public:
            said.append(
                "This is for replacing a person's rows, because some of these treat the number of rows as public; what "
                "hides whether a person is there at all counts with twice its ε."
            )
        return tuple(said)


def total(releases: Sequence[ReleaseSpending], rows_per_person: int = 1) -> Total:
    """Basic and parallel composition.

    Releases that were accounted for different numbers of rows per person are first brought to the largest, see
    `for_rows`, and those about different neighbours to replacing one person's rows, see `for_replacing`. Parallel
    composition needs one row per person and add/remove neighbours; for others the cells do not count.
    """
    rows = max([rows_per_person, *(release.rows_per_person for release in releases if release.spends)])
    parts = independent_losses(releases, rows)
    return Total(
        sum((epsilon for epsilon, _ in parts), Fraction(0)),
        sum((delta for _, delta in parts), Fraction(0)),
        rows,
        len(releases),
        sum(not release.claimed for release in releases),
        sum(release.spends and release.neighbours == REPLACE_ONE for release in releases),
        sum(release.open_participation for release in releases),
    )


def independent_losses(releases: Iterable[ReleaseSpending], rows: int) -> list[tuple[Fraction, Fraction]]:
    """The releases as a sequence of (ε, δ) for persons with `rows` rows, whose composition bounds the whole.

    All releases on cells of one column are one part: its ε is the largest sum over a value, its δ likewise. If there
    is a replace-one release, every part speaks of replacing a person's rows.
    """
    spending = [release for release in releases if release.spends]
    replacing = any(release.neighbours == REPLACE_ONE for release in spending)
    whole = REPLACE_ONE if replacing else ADD_REMOVE
    parts: list[tuple[Fraction, Fraction]] = []
    columns: dict[str, dict[str, tuple[Fraction, Fraction]]] = {}
    for release in spending:
        if rows > 1 or release.cells is None or release.neighbours != ADD_REMOVE:
            parts.append(counted_as(release, rows, whole))
            continue
        epsilon, delta = for_rows(release, rows)
        sums = columns.setdefault(release.cells.column, {})
        for value in release.cells.values:
            before = sums.get(value, (Fraction(0), Fraction(0)))
            sums[value] = (before[0] + epsilon, before[1] + delta)
    for sums in columns.values():
        part = max(epsilon for epsilon, _ in sums.values()), max(delta for _, delta in sums.values())
        parts.append(for_replacing(*part) if replacing else part)
    return parts


def counted_as(release: ReleaseSpending, rows: int, neighbours: str) -> tuple[Fraction, Fraction]:
    """(ε, δ) with which a release on the whole table counts in a total about these rows and neighbours."""
    found = for_rows(release, rows)
    return for_replacing(*found) if release.neighbours != neighbours else found


def for_replacing(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """What an (ε, δ) for adding or removing a person's rows is for replacing them: (2ε, δ(1 + e^ε)), δ rounded up."""
    if delta == 0:
        return 2 * epsilon, delta
    if epsilon > _BEYOND:
        return 2 * epsilon, Fraction(1)
    return 2 * epsilon, min(at_least(delta * _growth(epsilon, 2, 1), _DIGITS), Fraction(1))


def for_rows(release: ReleaseSpending, rows: int) -> tuple[Fraction, Fraction]:
    """(ε, δ) of a person with up to `rows` rows C, of a release that was accounted for c rows.

    By group privacy (ε, δ) for c rows comes from (ε/c, δ/Σ_{i<c} e^{iε/c}) for one row, and gives
    (Cε/c, δ·Σ_{i<C} e^{iε/c} / Σ_{i<c} e^{iε/c}) for C rows. δ is rounded up.
    """
    counted = release.rows_per_person
    if rows == counted:
        return release.epsilon, release.delta
    per_row = release.epsilon / counted
    if release.delta == 0:
        return per_row * rows, Fraction(0)
    if per_row * rows > _BEYOND:
        return per_row * rows, Fraction(1)
    return per_row * rows, min(at_least(release.delta * _growth(per_row, rows, counted), _DIGITS), Fraction(1))


def _growth(per_row: Fraction, rows: int, counted: int) -> Fraction:
    """Σ_{i<rows} e^{ix} / Σ_{i<counted} e^{ix} = (e^{x·rows} − 1)/(e^{x·counted} − 1), rounded up."""
    if per_row == 0:
        return Fraction(rows, counted)
    with localcontext() as context:
        # Digits that e^x − 1 loses for a small x are added beforehand.
        small = max(per_row.denominator.bit_length() - per_row.numerator.bit_length(), 0)
        context.prec = _DIGITS + 20 + small
        x = Decimal(per_row.numerator) / Decimal(per_row.denominator)
        ratio = ((x * rows).exp() - 1) / ((x * counted).exp() - 1)
        return Fraction(ratio) * (1 + Fraction(1, 10 ** (_DIGITS + 5)))
