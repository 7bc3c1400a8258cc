"""The budget that remains: by adding up, or by the Rényi filter whose order was fixed when it was set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from workbench.core.composition import ReleaseSpending, Total, counted_as, total
from workbench.core.errors import WorkbenchError
from workbench.core.loss_distributions import worst_pair
from workbench.core.number_text import exact, rounded_down, rounded_up
from workbench.core.planned_composition import drawn_losses, outside_plans, planned_price
from workbench.core.release_spending import with_number_known
from workbench.core.renyi import FilterSpending, filter_limit, largest_epsilon
from workbench.query.ledger_entries import Budget, Charge, LedgerHistory, Remaining
from workbench.query.open_slots import slot_for

_ZERO = Fraction(0)


@dataclass(frozen=True)
class RemainingBudget:
    """The budget that a charge would leave, before anything is spent.

    Parameters
    ----------
    after
        What all charges add up to with this one.
    budget
        The budget, None if none was set.
    refusal
        Why it would be refused, None if it fits.
    fitting
        The largest ε of a charge like this that fits; at most 0 if none does.
    filtered
        The ε that the filter would leave, where the budget is kept by one.
    planned
        Whether a plan pays for it.
    price
        ε and δ with which it counts in `after`: more than it promises by itself where that is about replacing a person.
    """

    after: Total
    budget: Budget | None
    refusal: WorkbenchError | None
    fitting: Fraction
    filtered: Fraction | None = None
    planned: bool = False
    price: tuple[Fraction, Fraction] = (_ZERO, _ZERO)

    @property
    def left(self) -> Fraction | None:
        """ε that the budget would leave; None if none was set."""
        if self.filtered is not None:
            return self.filtered
        return None if self.budget is None else max(self.budget.epsilon - self.after.epsilon, _ZERO)


def possible_budget(epsilon: Fraction, delta: Fraction, order: float) -> Budget:
    """A budget, kept by adding up or by the Rényi filter of that order.

    Raises
    ------
    WorkbenchError
        If no budget can be so.
    """
    if not (epsilon > 0 and 0 <= delta < 1):
        raise WorkbenchError(
            f"A budget of ε = {epsilon} and δ = {delta} is impossible.",
            hint="ε must be above 0, and δ at least 0 and below 1.",
            field="epsilon" if epsilon <= 0 else "delta",
        )
    try:
        return Budget(epsilon, delta, order)
    except ValueError as error:
        raise WorkbenchError(
            f"A budget of ε = {epsilon} and δ = {delta} has no room for a filter of order {exact(order)}.",
            hint="Name no order, choose a larger δ, or keep the budget by adding up.",
            field="filter",
        ) from error


def check_new_budget(history: LedgerHistory, budget: Budget) -> None:
    """Refuse a budget where there is one, or where it came too late.

    Raises
    ------
    WorkbenchError
        If one was set before, a filter comes after a release, or more was spent already.
    """
    if history.budget is not None:
        raise WorkbenchError(
            f"The budget of this data was set to ε = {rounded_up(history.budget.epsilon)}, "
            f"δ = {rounded_up(history.budget.delta)} before.",
            hint="It is set once: a budget that can be raised is none.",
            field="budget",
        )
    spent = total(history.released)
    if budget.order and any(one.spends for one in history.released):
        raise WorkbenchError(
            "Something was released of this data already, and a filter must be fixed before anything is.",
            hint="Keep the budget by adding up: that holds whenever it is set.",
            field="filter",
        )
    if spent.epsilon > budget.epsilon or spent.delta > budget.delta:
        raise WorkbenchError(
            f"ε = {rounded_up(spent.epsilon)} and δ = {rounded_up(spent.delta)} were spent already.",
            hint="Set a budget that is not below this.",
            field="epsilon" if spent.epsilon > budget.epsilon else "delta",
        )


def remaining(history: LedgerHistory, rows_per_person: int, *, number_known: bool = False) -> Remaining | None:
    """The remaining budget for charges on the whole table; None if no budget was set."""
    budget, releases = history.budget, _counted(history, number_known=number_known)
    if budget is None:
        return None
    spent = total(releases, rows_per_person)
    if budget.order:
        left = _filtered(releases, budget, spent).leaves(_limit(budget))
        return Remaining(
            largest_epsilon(left, budget.order), left.aside, spent.rows_per_person, spent.neighbours, budget.order
        )
    return Remaining(
        max(budget.epsilon - spent.epsilon, _ZERO),
        max(budget.delta - spent.delta, _ZERO),
        spent.rows_per_person,
        spent.neighbours,
    )


def remaining_after(history: LedgerHistory, charge: Charge, *, number_known: bool = False) -> RemainingBudget:
    """The budget that a charge would leave; with `number_known` where it is said how many people there are."""
    budget = history.budget
    if not charge.slots and charge.claimed and slot_for(history.entries, charge.released) is not None:
        after = total(_counted(history, number_known=number_known))
        left = remaining(history, 1, number_known=number_known)
        filtered = left.epsilon if left is not None and left.order else None
        return RemainingBudget(after, budget, None, charge.epsilon, filtered, planned=True)
    every = _counted(history, charge.released, number_known=number_known)
    after = total(every)
    priced = planned_price if charge.slots else counted_as
    price = priced(every[-1], after.rows_per_person, after.neighbours)
    if budget is None:
        return RemainingBudget(after, budget, None, charge.epsilon, price=price)
    epsilon, delta = _what_fits(every, after, budget)
    filtered = None
    if budget.order:
        filtered = largest_epsilon(_filtered(every, budget, after).leaves(_limit(budget)), budget.order)
    try:
        check(history, budget, charge, number_known=number_known)
    except WorkbenchError as refusal:
        return RemainingBudget(after, budget, refusal, epsilon if delta >= 0 else _ZERO, filtered, price=price)
    return RemainingBudget(after, budget, None, epsilon, filtered, price=price)


def check(history: LedgerHistory, budget: Budget, charge: Charge, *, number_known: bool = False) -> None:
    """Refuse a charge that goes beyond the budget, with a claim or without; one that has no ε and δ takes nothing.

    Parameters
    ----------
    number_known
        Whether it is said that it is known how many people there are, so that all counts twice, though nothing that
        left says so.

    Raises
    ------
    WorkbenchError
        With what would fit.
    """
    if not charge.released.spends:
        return
    every = _counted(history, charge.released, number_known=number_known)
    after = total(every)
    if budget.order:
        if _filtered(every, budget, after).within(_limit(budget)):
            return
    elif after.epsilon <= budget.epsilon and after.delta <= budget.delta:
        return
    fits_epsilon, fits_delta = _what_fits(every, after, budget)
    spent = total(every[:-1])
    if fits_epsilon > 0 and fits_delta >= 0:
        left = f"ε = {rounded_down(fits_epsilon)}" + (
            f" and δ = {rounded_down(fits_delta)}" if charge.delta or after.delta > budget.delta else ""
        )
        hint = f"For this, at most {left} would fit. Nothing was spent."
    else:
        hint = "Nothing like it fits any more. Answers that were given can be shown again for nothing."
    twice = " All of it counts twice, because it is known how many people there are." if after.number_known else ""
    known = f"of ε = {rounded_up(budget.epsilon)} and δ = {rounded_up(budget.delta)}, "
    if budget.order:
        raise WorkbenchError(
            f"This would go beyond the budget of this data: {known}too little is left in its Rényi filter of order "
            f"{exact(budget.order)}.{twice}",
            hint=hint,
            field="epsilon",
        )
    raise WorkbenchError(
        f"This would go beyond the budget of this data: {known}{rounded_up(spent.epsilon)} and "
        f"{rounded_up(spent.delta)} are spent, and with this it would be {rounded_up(after.epsilon)} and "
        f"{rounded_up(after.delta)}.{twice}",
        hint=hint,
        field="epsilon" if after.epsilon > budget.epsilon else "delta",
    )


def check_number_known(history: LedgerHistory, new: Sequence[ReleaseSpending] = ()) -> None:
    """Refuse that something leaves where it is known how many people there are, if all then goes beyond the budget.

    Raises
    ------
    WorkbenchError
        If it does.
    """
    budget = history.budget
    if budget is None:
        return
    known = _counted(history, *new, number_known=True)
    after = total(known)
    if budget.order:
        if _filtered(known, budget, after).within(_limit(budget)):
            return
    elif after.epsilon <= budget.epsilon and after.delta <= budget.delta:
        return
    raise WorkbenchError(
        "Where it is known how many people there are, everything that was released of this data counts twice: that "
        f"one person is replaced by another is hidden with ε = {rounded_up(after.epsilon)} and δ = "
        f"{rounded_up(after.delta)}, and the budget is ε = {rounded_up(budget.epsilon)} and δ = "
        f"{rounded_up(budget.delta)}.",
        hint="Nothing was written or spent by this. It can leave without a claim; or begin with half of the budget.",
        field="epsilon",
    )


def _counted(history: LedgerHistory, *new: ReleaseSpending, number_known: bool) -> tuple[ReleaseSpending, ...]:
    """The releases, the new ones behind them, as they count: whoever knows a number knows it beside all of them."""
    every = (*history.released, *new)
    return with_number_known(every) if number_known or history.number_known else every


def _what_fits(every: Sequence[ReleaseSpending], after: Total, budget: Budget) -> tuple[Fraction, Fraction]:
    """How much ε and δ of the last of these releases fit, given what it would bring the total to."""
    asked = every[-1]
    epsilon, delta = counted_as(asked, after.rows_per_person, after.neighbours)
    if budget.order:
        left = _filtered(every[:-1], budget, after).leaves(_limit(budget))
        return (
            _share(asked.epsilon, epsilon, largest_epsilon(left, budget.order)),
            _share(asked.delta, delta, left.aside),
        )
    # Above the budget the total grows with the charge in proportion, so that what fits is exact.
    return (
        _fitting(asked.epsilon, epsilon, after.epsilon, budget.epsilon),
        _fitting(asked.delta, delta, after.delta, budget.delta),
    )


def filter_use(history: LedgerHistory) -> float | None:
    """Which share of the filter of the budget is used, from above; None if the budget is not kept by one."""
    budget = history.budget
    if budget is None or not budget.order:
        return None
    spent, limit = _filtered(history.released, budget, total(history.released)), _limit(budget)
    return max(spent.divergence / limit.divergence, float(spent.aside / limit.aside))


def _limit(budget: Budget) -> FilterSpending:
    return filter_limit(budget.epsilon, budget.delta, budget.order)


def _filtered(releases: Sequence[ReleaseSpending], budget: Budget, whole: Total) -> FilterSpending:
    """The part of the filter that releases take, each slot of a plan by itself, as they count in a whole."""
    drawn = [one for release in outside_plans(releases) for one in (release.slots or (release,))]
    losses = drawn_losses(drawn, whole.rows_per_person, whole.neighbours)
    return FilterSpending.of(
        ((pair or worst_pair(epsilon, delta), delta) for epsilon, delta, pair in losses), budget.order
    )


def _share(asked: Fraction, counted: Fraction, left: Fraction) -> Fraction:
    """How much of what was asked for counts as no more than is left; where it counts for more people, less fits."""
    return asked * min(left / counted, Fraction(1)) if counted else asked


def _fitting(asked: Fraction, counted: Fraction, after: Fraction, budget: Fraction) -> Fraction:
    """How much of what was asked for would fit; below 0 if nothing does."""
    if after <= budget:
        return asked
    return asked - (after - budget) * asked / counted if counted else Fraction(-1)
