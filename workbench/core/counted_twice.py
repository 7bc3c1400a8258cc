"""The part of a total that counts twice, because all together hides only that a person is replaced."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, ReleaseSpending, total
from workbench.core.known_number import TWICE
from workbench.core.number_text import rounded_up
from workbench.core.release_spending import with_number_known


def amount_twice(releases: Sequence[ReleaseSpending], rows_per_person: int = 1) -> Fraction | None:
    """The ε of those that hide adding or removing a person where the total is about replacing one.

    Parameters
    ----------
    releases
        As they count, with `number_known` where it is known how many people there are.
    rows_per_person
        As of `total`.

    Returns
    -------
    Fraction or None
        0 where nothing counts twice; None where it is not one amount that does, but more than was spent counts.
    """
    spent, plain = total(releases, rows_per_person), with_number_known(releases, known=False)
    rows = spent.rows_per_person
    parts = [[one for one in plain if one.neighbours == kind] for kind in _KINDS]
    if spent.plans:  # of which each is counted as a whole, with what was drawn in it
        if all(any(one.spends for one in part) for part in parts):
            return None
        parts = [list(plain)]
    once = [total(part, rows) for part in parts]
    if (spent.epsilon, spent.delta) == (sum(one.epsilon for one in once), sum(one.delta for one in once)):
        return Fraction(0)
    hiding = once[0].epsilon
    return hiding if hiding and spent.epsilon == hiding + sum(one.epsilon for one in once) else None


def twice_words(releases: Sequence[ReleaseSpending], rows_per_person: int = 1) -> str:
    """That amount in brackets, to stand behind the ε that is spent, after a space; "" if nothing counts twice."""
    amount = amount_twice(releases, rows_per_person)
    return "" if amount == 0 else f" ({'some' if amount is None else rounded_up(amount)} {TWICE})"


_KINDS = (ADD_REMOVE, REPLACE_ONE)
