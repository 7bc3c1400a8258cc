"""The ledger of the data as commands that spend from it name it, and what they say of it afterwards."""

from __future__ import annotations

import argparse
from dataclasses import replace
from fractions import Fraction
from typing import Any

from workbench.cli import near_data
from workbench.cli.files import ledger_file
from workbench.core.composition import OPEN_PARTICIPATION
from workbench.core.known_number import KnownNumber
from workbench.core.number_text import rounded_down, rounded_up
from workbench.core.rationals import float_above
from workbench.core.release_spending import REPLACE_ONE, ReleaseSpending, counted_as
from workbench.query.ledger import Ledger, Remaining


def add_ledger(parser: argparse.ArgumentParser) -> None:
    """The flags of all commands that spend from a ledger."""
    add_ledger_file(parser)
    near_data.add_options(parser)


def add_ledger_file(parser: argparse.ArgumentParser) -> None:
    """The flag of all commands that write into a ledger."""
    parser.add_argument(
        "--ledger",
        type=ledger_file,
        metavar="FILE",
        help="keep the ledger of the data in this file (default: the one in your own folder, which counts in any case)",
    )


def account(ledger: Ledger, *, number_known: bool = False) -> dict[str, Any]:
    """The account of what was spent and what is left, under the keys that every command uses.

    With `number_known` all counts twice, because it is said that it is known how many people there are.
    """
    spent, remaining = ledger.spent(number_known=number_known), ledger.remaining(number_known=number_known)
    return {
        "spent": {
            **exactly(spent),
            "rows_per_person": spent.rows_per_person,
            "neighbours": spent.neighbours,
            "bounded": spent.bounded,
            "unclaimed": spent.unclaimed,
            "rows_public": spent.rows_public,
            "number_known": bool(spent.number_known),
            "open_participation": spent.open_participation,
            "plans": spent.plans,
        },
        "remaining": None if remaining is None else {**exactly(remaining), "neighbours": remaining.neighbours},
    }


def account_lines(ledger: Ledger, *, number_known: bool = False) -> list[str]:
    """The same in the sentences that every command uses."""
    spent, remaining = ledger.spent(number_known=number_known), ledger.remaining(number_known=number_known)
    lines = [f"Spent on this data so far: ε = {rounded_up(spent.epsilon)}, δ = {rounded_up(spent.delta)}."]
    if remaining is not None:
        lines.append(f"Left: ε = {rounded_down(remaining.epsilon)}, δ = {rounded_down(remaining.delta)}.")
    lines += spent.scope
    if spent.open_participation:
        lines.append(OPEN_PARTICIPATION)
    if spent.unclaimed:
        have = "has" if spent.unclaimed == 1 else "have"
        lines.append(f"{spent.unclaimed:,} of the releases {have} no claim, so nothing bounds all of them together.")
    return lines


def exactly(amount: Any) -> dict[str, Any]:
    """ε and δ as floats, what is left never above the truth and all else never below it, and as fractions."""
    shown = _float_below if isinstance(amount, Remaining) else float_above
    return {
        "epsilon": shown(amount.epsilon),
        "delta": shown(amount.delta),
        "exactly": {"epsilon": str(amount.epsilon), "delta": str(amount.delta)},
    }


def _float_below(value: Fraction) -> float:
    return 0.0 - float_above(-value)  # nothing is no −0


def counted_twice(released: ReleaseSpending, known: KnownNumber) -> str:
    """The amount that a release counts as where everybody knows how many people, or rows, there are, in words."""
    epsilon, delta = counted_as(replace(released, number_known=True), released.rows_per_person, REPLACE_ONE)
    amounts = f"{rounded_up(epsilon)}, {rounded_up(delta)}" if delta else rounded_up(epsilon)
    return f"counts as {amounts}: the number of {known.value} is known"
