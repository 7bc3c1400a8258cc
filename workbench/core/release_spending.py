"""The spending of one release: its (ε, δ) for whom, about which neighbouring tables, and what was drawn for it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.rationals import at_least
from workbench.core.typed_fields import typed_fields

ADD_REMOVE = "add/remove"
"""Neighbouring tables differ by adding or removing all rows of one person."""
REPLACE_ONE = "replace-one"
"""Neighbouring tables differ in the values of one row; how many rows there are is public."""

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

    `mechanism` is what is known of the draws beyond that, nothing if it is empty. A plan has `slots`, releases that
    were fixed before the first of them was drawn, and is the plan `identity`; it costs what they cost together, drawn
    or not. A release that is drawn in the slot of a plan names both in `slot`.

    With `number_known`, it is known beside it how many people or rows there are, so that only replacing a person is
    hidden.
    """

    epsilon: Fraction
    delta: Fraction
    rows_per_person: int = 1
    claimed: bool = True
    cells: TablePart | None = None
    neighbours: str = ADD_REMOVE
    open_participation: bool = False
    mechanism: tuple[MechanismPart, ...] = ()
    slots: tuple[ReleaseSpending, ...] = ()
    identity: str = ""
    slot: tuple[str, int] | None = None
    number_known: bool = False

    @property
    def draws(self) -> tuple[MechanismPart, ...]:
        """Parts of the mechanism that is drawn, as far as they are known."""
        return self.mechanism or (MechanismPart(LossKind.WORST, self.epsilon, self.delta),)

    def covers(self, other: ReleaseSpending) -> bool:
        """Whether the other may be drawn where this was planned."""
        if (
            self.rows_per_person != other.rows_per_person
            or self.neighbours != other.neighbours
            or self.cells not in (None, other.cells)
        ):
            return False
        mine, others = self.draws, other.draws
        if len(mine) == 1 and mine[0].kind in (LossKind.WORST, LossKind.TRIM):
            return other.epsilon <= self.epsilon and other.delta <= self.delta
        return len(mine) == len(others) and all(one.covers(two) for one, two in zip(mine, others, strict=True))

    @property
    def spends(self) -> bool:
        """Whether it has an ε or a δ at all."""
        return bool(self.epsilon or self.delta)

    @property
    def by_groups(self) -> bool:
        """Whether it is one draw of rows in which what becomes of a group is independent of all others."""
        return len(self.mechanism) == 1 and self.mechanism[0].kind in (LossKind.TRIM, LossKind.SAMPLE)


def counted_as(release: ReleaseSpending, rows: int, neighbours: str) -> tuple[Fraction, Fraction]:
    """(ε, δ) with which a release on the whole table counts in a total about these rows and neighbours."""
    found = for_rows(release, rows)
    if release.neighbours == neighbours:
        return found
    if release.number_known and release.by_groups:
        return for_replacing_in_groups(*found)
    return for_replacing(*found)


def for_replacing(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """Cost of replacing a person's rows where adding or removing them costs (ε, δ): (2ε, δ(1 + e^ε)), δ rounded up."""
    if delta == 0:
        return 2 * epsilon, delta
    if epsilon > _BEYOND:
        return 2 * epsilon, Fraction(1)
    return 2 * epsilon, min(at_least(delta * _growth(epsilon, 2, 1), _DIGITS), Fraction(1))


def with_number_known(releases: Iterable[ReleaseSpending], *, known: bool = True) -> tuple[ReleaseSpending, ...]:
    """The same releases where it is known beside them how many people there are, or where it is not."""
    return tuple(replace(release, number_known=known) for release in releases)


def for_replacing_in_groups(epsilon: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """The same where what becomes of a group is independent of all others: (2ε, 2δ − δ²).

    Take what two tables have in common. In some groups the first has more rows, in others the second, up to c in all
    each; what happens in the ones is independent of what happens in the others, and each is (ε, δ)-private for adding
    or removing these rows. Both together are (2ε, 1 − (1 − δ)²)-private (Kairouz, Oh and Viswanath 2015, Theorem 3.3).
    In several steps this is so for each of them, whatever those before gave out, so that the whole is no worse than
    the composition of the steps, twice.
    """
    return 2 * epsilon, delta * (2 - delta)


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
