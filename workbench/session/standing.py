"""The standing of a session's budget: what is spent, and what is left, as all of it counts.

Everything that says so reads it here, and so says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.composition import ADD_REMOVE, REPLACE_ONE, Total, total
from workbench.core.counted_twice import twice_words
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_down, rounded_up
from workbench.core.planned_composition import outside_plans, paid_by_plans, planned_price, planned_price_at
from workbench.core.release_spending import ReleaseSpending, counted_as, for_replacing, with_number_known
from workbench.query.ledger_entries import Budget, LedgerEntry, LedgerHistory, Remaining
from workbench.query.remaining_budget import remaining
from workbench.session.number_said import number_said
from workbench.session.state import SessionState

NO_BUDGET = "no budget is set"
_LAST_DIGIT = Fraction(1, 10**40)
"""No more than this part of a δ comes of the digit to which it was rounded up."""
_NONE = Fraction(0)


@dataclass(frozen=True)
class Standing:
    """The charges to the data that is open, and the budget that remains.

    Parameters
    ----------
    spent
        What all charges come to, those of draws that have not left too.
    waiting
        How many draws were charged and have not left.
    budget, left
        None if none was set.
    known
        Which number of the table is known, so that all counts twice.
    only_said
        Whether that was said, and nothing has left yet that says so.
    counted
        What of the ε that is spent counts twice, in brackets to stand after it; "" if nothing does.
    told
        The entries as a person is told of them.
    """

    spent: Total
    waiting: int
    budget: Budget | None
    left: Remaining | None
    known: KnownNumber
    only_said: bool
    counted: str
    told: tuple[LedgerEntry, ...] = ()

    @property
    def remaining(self) -> str:
        """The remaining budget in words."""
        if self.left is None:
            return NO_BUDGET
        return f"ε {rounded_down(self.left.epsilon)}, δ {rounded_down(self.left.delta)} left"

    @property
    def twice(self) -> str:
        """Why more is spent than its parts come to, once a number of the table is said to be known; "" if it is not."""
        if not self.only_said:
            return ""
        spent = f"ε {rounded_up(self.spent.epsilon)}, δ {rounded_up(self.spent.delta)}"
        return f"You said that others may know the number: so all of it counts twice, together {spent}."

    @property
    def counted_told(self) -> str:
        """What of the ε that is spent counts twice, in a sentence; "" if nothing does."""
        words = self.counted.strip(" ()")
        return f"In it {words}: one person in the place of another is one fewer and one more." if words else ""

    @property
    def only_drawn(self) -> str:
        """Why draws count that nobody exported; "" where there are none."""
        return only_drawn(self.waiting)

    @property
    def sum(self) -> str:
        """The spending, and the budget it is taken from, in one line; "" where there is neither.

        What of it counts twice is in `counted_told` and `twice`, for whoever asks why.
        """
        spent, budget = self.spent, self.budget
        if budget is not None:
            words = (
                f"Spent of the budget  ε {rounded_up(spent.epsilon)} of {rounded_down(budget.epsilon)}"
                f" · δ {rounded_up(spent.delta)} of {rounded_down(budget.delta)}"
            )
        elif spent.epsilon or spent.delta:
            # A draw spends when it is made, whether it is released or not.
            words = f"Spent so far  ε {rounded_up(spent.epsilon)} · δ {rounded_up(spent.delta)}"
        else:
            words = "Released so far" if spent.count else ""
        return words if spent.bounded else f"{words} · no joint claim"


@dataclass(frozen=True)
class CountedPrices:
    """Releases as they count in their sum.

    Parameters
    ----------
    together
        The sum.
    prices
        (ε, δ) of each, for the rows of a person and the neighbouring tables that the sum is about. Added up they are
        never less than the sum.
    paid
        Of each, whether a plan among them pays for it, so that it is not added again.
    more
        Why the prices come to more than the sum, in a sentence; "" where they add up to it.
    """

    together: Total
    prices: tuple[tuple[Fraction, Fraction], ...]
    paid: tuple[bool, ...]
    more: str


def counted_prices(
    releases: Sequence[ReleaseSpending], rows_per_person: int = 1, *, known: bool = False
) -> CountedPrices:
    """What each release comes to in the `total` of all, which may be more than it promises by itself.

    Parameters
    ----------
    rows_per_person
        As of `total`.
    known
        Whether the number of people or rows is known beside them, as of now.
    """
    # Whoever knows the number knows it beside all that was released.
    every = with_number_known(releases) if known or any(one.number_known for one in releases) else tuple(releases)
    together, paid = total(every, rows_per_person), paid_by_plans(every)
    rows, whole = together.rows_per_person, together.neighbours
    apart = _together_in_columns(every, rows)
    prices = []
    for one in every:
        price = (planned_price if one.slots else counted_as)(one, rows, whole) if one.spends else (_NONE, _NONE)
        if one.cells is not None and rows == 1 and one.neighbours == ADD_REMOVE and one.spends:
            at_cells = [_at(one, value) for value in one.cells.values]
            epsilon, delta = max(epsilon for epsilon, _ in at_cells), max(delta for _, delta in at_cells)
            if whole == REPLACE_ONE:
                # δ of all that look at one cell is brought to replacing by the ε of all of them.
                delta = for_replacing(max(apart.get(one.cells.column, _NONE), epsilon), delta)[1]
                epsilon *= 2
            price = max(price[0], epsilon), max(price[1], delta)
        prices.append(price)
    prices = _with_last_digit(prices, paid, together.delta)
    added_up = [price for price, by_plan in zip(prices, paid, strict=True) if not by_plan]
    once = sum((epsilon for epsilon, _ in added_up), _NONE), sum((delta for _, delta in added_up), _NONE)
    why = ["what was drawn in a plan is paid with it"] if any(paid) else []
    if once != (together.epsilon, together.delta):
        why.append("of parts of the table that share no person only the largest counts")
    more = f"The lines come to more: {', and '.join(why)}." if why else ""
    return CountedPrices(together, tuple(prices), tuple(paid), more)


def _with_last_digit(
    prices: list[tuple[Fraction, Fraction]], paid: Sequence[bool], delta: Fraction
) -> list[tuple[Fraction, Fraction]]:
    """The same where δ of the sum was rounded up later than those of its lines, which have finer last digits.

    What the sum has more by that alone goes to the line with the largest δ.
    """
    short = delta - sum((price[1] for price, by_plan in zip(prices, paid, strict=True) if not by_plan), _NONE)
    if not 0 < short <= delta * _LAST_DIGIT:
        return prices
    largest = max((at for at, by_plan in enumerate(paid) if not by_plan), key=lambda at: prices[at][1])
    return [(one, more + short) if at == largest else (one, more) for at, (one, more) in enumerate(prices)]


def _together_in_columns(releases: Sequence[ReleaseSpending], rows: int) -> dict[str, Fraction]:
    """By column, the ε that the releases on a cell of it come to, where they are composed in parallel."""
    sums: dict[tuple[str, str], Fraction] = {}
    for one in outside_plans(releases):
        if rows == 1 and one.cells is not None and one.neighbours == ADD_REMOVE:
            for value in one.cells.values:
                place = one.cells.column, value
                sums[place] = sums.get(place, _NONE) + _at(one, value)[0]
    found: dict[str, Fraction] = {}
    for (column, _), epsilon in sums.items():
        found[column] = max(found.get(column, _NONE), epsilon)
    return found


def _at(release: ReleaseSpending, value: str) -> tuple[Fraction, Fraction]:
    """(ε, δ) for a person with one row in this cell."""
    return planned_price_at(release, value) if release.slots else (release.epsilon, release.delta)


def only_drawn(waiting: int) -> str:
    """Why so many draws count that nobody exported; "" where there are none."""
    if not waiting:
        return ""
    one = waiting == 1
    drawn = "1 draw was not exported and counts" if one else f"{waiting:,} draws were not exported and count"
    it = "it" if one else "them"
    return f"{drawn} all the same: whoever saw {it} knows what came out, and what they do next can follow from that."


def standing_of(history: LedgerHistory, state: SessionState) -> Standing:
    """Where the budget of the data that is open stands, for persons with as many rows as the project says."""
    rows = state.project.schema.unit.rows_per_person
    known = number_at_stake(state).with_other(history.number_known)
    once = with_number_known(history.released, known=False)
    released = with_number_known(once) if known else once
    waiting = sum(not entry.left for entry in history.entries)
    return Standing(
        total(released, rows),
        waiting,
        history.budget,
        remaining(history, rows, number_known=bool(known)),
        known,
        bool(known) and not history.number_known and bool(history.entries),
        twice_words(released, rows),
        history.told,
    )


def number_at_stake(state: SessionState) -> KnownNumber:
    """Which number is known by the settings, or by what is said of the draw that was made with them.

    Whatever is priced, charged or refused counts by it, and by what left already.
    """
    known = number_said(state)
    if state.results.result is None:
        return known
    # What releases need is not loaded for the first page, where there is none.
    from workbench.session.release.claims import number_answered

    return known.with_other(number_answered(state))
