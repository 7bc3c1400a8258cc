"""Plans, filters and prices of a ledger, as the command line takes and says them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from workbench.cli.ledgers import exactly
from workbench.core.amount_text import read_amount
from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.composition import ReleaseSpending, added, total
from workbench.core.errors import WorkbenchError
from workbench.core.loss_distributions import float_down
from workbench.core.loss_pairs import sampling_pair
from workbench.core.number_text import exact, rounded_up
from workbench.core.rationals import at_least, rational
from workbench.core.renyi import suitable_order
from workbench.query.ledger import Ledger, LedgerEntry, LedgerHistory
from workbench.query.ledger_plans import MOST_SLOTS
from workbench.query.open_slots import open_slots
from workbench.query.remaining_budget import filter_use

_DIGITS = 6


def order_of(typed: str | None, epsilon: Fraction, delta: Fraction) -> float:
    """The order of the filter that was asked for; 0 if none was.

    Raises
    ------
    WorkbenchError
        If the budget has no room for a filter, or the order is none.
    """
    if typed is None:
        return 0.0
    if typed:
        return float(rational(typed, "filter"))
    try:
        return suitable_order(epsilon, delta)
    except ValueError as error:
        raise WorkbenchError(
            "This budget has no room for a filter.", hint="Choose a larger δ, or leave out --filter.", field="filter"
        ) from error


def make(ledger: Ledger, options: argparse.Namespace, rows: int) -> None:
    """Write the plan that was asked for into the ledger.

    Raises
    ------
    WorkbenchError
        If it is no plan, or goes beyond the budget.
    """
    slots: list[ReleaseSpending] = []
    words = []
    for typed in options.plan:
        times, epsilon, delta = _numbers(typed, 3, "plan", "6,1,1e-5")
        one = ReleaseSpending(epsilon, delta, rows)
        slots += [one] * _times(times, "plan")
        words.append(f"{times} releases of ε = {rounded_up(epsilon)}, δ = {rounded_up(delta)}")
    for typed in options.plan_sampling:
        times, epsilon, beta, k = _numbers(typed, 4, "plan_sampling", "6,1,0.275,12")
        one = _sampling(epsilon, beta, k, rows)
        slots += [one] * _times(times, "plan_sampling")
        words.append(
            f"{times} samplings of ε = {rounded_up(epsilon)}, δ = {rounded_up(one.delta)} with "
            f"β = {exact(float(beta))}, k = {k}"
        )
    if slots:
        accepted = None if options.plan_delta is None else read_amount(options.plan_delta, "plan_delta")
        ledger.plan(f"Plan of {' and '.join(words)}", slots, accepted)
    elif options.plan_delta is not None:
        raise WorkbenchError("There is no plan.", hint="Say what is planned with --plan.", field="plan_delta")


def prices(history: LedgerHistory) -> dict[str, Any]:
    """The prices of all that was drawn: by adding up, with plans composed, and as the filter bounds it."""
    releases, budget, use = history.released, history.budget, filter_use(history)
    filtered = None
    if budget is not None and use is not None:
        filtered = {**exactly(budget), "order": budget.order, "used": min(use, 1.0), "holds": use <= 1}
    spent = total(releases)
    return {
        "added": exactly(added(releases)),
        "planned": exactly(spent) if spent.plans else None,
        "filtered": filtered,
    }


def plans(entries: Sequence[LedgerEntry]) -> list[dict[str, Any]]:
    """The plans, and how many of their slots are open."""
    free = open_slots(entries)
    return [
        {
            "entry": entry.id,
            "what": entry.charge.what,
            **exactly(entry.charge),
            "slots": len(entry.charge.slots),
            "open": len(free[entry.id]),
        }
        for entry in entries
        if entry.charge.slots
    ]


def lines(history: LedgerHistory) -> list[str]:
    """The same in sentences."""
    said = []
    batches = {entry.id for entry in history.entries if entry.is_batch}
    for one in plans(history.entries):
        if one["entry"] not in batches:
            said.append(f"{one['what']}: {one['open']:,} of {one['slots']:,} still to be made, at no further cost.")
        elif one["open"]:
            said.append(f"{one['what']}: ask it again for {one['open']:,} of {one['slots']:,}, at no further cost.")
    use, budget = filter_use(history), history.budget
    if use is not None and budget is not None:
        said.append(
            f"The budget is kept by a Rényi filter of order {exact(budget.order)}, whatever is chosen after seeing "
            f"answers; {rounded_up(100 * use)} % of it is used."
        )
    return said


def _sampling(epsilon: Fraction, beta: Fraction, k: Fraction, rows: int) -> ReleaseSpending:
    if not (0 < beta < 1 and k >= 1 and k.denominator == 1 and epsilon > 0):
        raise WorkbenchError(
            "β must be between 0 and 1, k a whole number from 1 on, and ε above 0.",
            hint="Write --plan-sampling 6,1,0.275,12.",
            field="plan_sampling",
        )
    try:
        delta = at_least(Fraction(sampling_pair(float(beta), int(k), rows).delta(float_down(epsilon))), _DIGITS)
    except ValueError as error:
        raise WorkbenchError(
            "There is no plan of samplings with so small a β.", hint="Choose a larger β.", field="plan_sampling"
        ) from error
    if delta >= 1:
        raise WorkbenchError(
            "With this β and k there is no promise at this ε.", hint="Choose a larger k or ε.", field="plan_sampling"
        )
    drawn = MechanismPart(LossKind.SAMPLE, epsilon, delta, float(beta), int(k))
    return replace(ReleaseSpending(epsilon, delta, rows), mechanism=(drawn,))


def _numbers(typed: str, count: int, field: str, example: str) -> list[Fraction]:
    parts = typed.split(",")
    if len(parts) != count:
        raise WorkbenchError(
            f"“{typed}” does not say what is planned.",
            hint=f"Write it like --{field.replace('_', '-')} {example}.",
            field=field,
        )
    return [read_amount(part, field) for part in parts]


def _times(times: Fraction, field: str) -> int:
    if times.denominator != 1 or not 1 <= times <= MOST_SLOTS:
        raise WorkbenchError(
            f"A plan has between one and {MOST_SLOTS:,} releases.", hint="Say how many there are.", field=field
        )
    return int(times)
