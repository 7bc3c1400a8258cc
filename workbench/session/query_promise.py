"""The promise of a question in words, and to whom it is made: in a line beside its ε, and in full."""

from __future__ import annotations

import math

from workbench.core.composition import REPLACE_ONE
from workbench.core.number_text import epsilon_up, estimate, rounded_up
from workbench.core.rationals import float_above
from workbench.query.catalogue import NoiseSource
from workbench.query.circumstances import kind_behind_step
from workbench.query.plans import QueryPlan
from workbench.session.charged_words import charged_of
from workbench.session.query_words import COUNT, yours_to_know

_HARDLY = 1000
"""So many times as likely is hardly a promise."""


def short_promise(plan: QueryPlan, *, number_known: bool = False) -> str:
    """e^ε in a line, or that this program promises nothing.

    Parameters
    ----------
    number_known
        Whether others know how many rows, or people, there are.

    Notes
    -----
    ε that is for a person more or less hides which value somebody has at 2 ε and (1 + e^ε) δ: one goes and another one
    comes. Of a plain count it is ε, which no change of one person's rows moves by more than their number.
    """
    if plan.unclaimed and not plan.mechanism.unclaimed:
        return f"No guarantee of ours: {plan.unclaimed} It is counted, but not vouched for."
    if plan.unclaimed:
        whose = "OpenDP's" if plan.draft.noise is NoiseSource.OPENDP else "diffprivlib's"
        return f"No guarantee of ours: ε is {whose} own promise. It is counted, but not vouched for."
    factor = math.exp(min(float(plan.epsilon), 700.0))
    if factor >= _HARDLY:
        return f"e^ε ≈ {estimate(factor, 2)}: this is hardly a promise at all."
    whole, twice = float_above(plan.epsilon), float_above(2 * plan.epsilon)
    sure, fails = f"{_sure(whole)} at most", f", but for a chance of δ = {rounded_up(plan.delta)}" if plan.delta else ""
    odds = f"e^ε ≤ {rounded_up(math.exp(whole))}: a 50 : 50 guess"
    if plan.neighbours == REPLACE_ONE:
        return f"{odds} between two values of a person rises to {sure}{fails}."
    both = f", but for a chance of {rounded_up(float(plan.delta) * (1 + math.exp(whole)))}" if plan.delta else ""
    if number_known:
        odds = f"e^2ε ≤ {rounded_up(math.exp(twice))}: a 50 : 50 guess"
        charged = f"Charged {epsilon_up(2 * plan.epsilon)}, as how many there are is known."
        return f"{odds} between two values of a person rises to {_sure(twice)} at most{both}. {charged}"
    if plan.kind.identifier == COUNT:
        return f"{odds} whether a person is in the data, or which value they have, rises to {sure}{fails}."
    value = f"which value they have, to {_sure(twice)} at most (e^2ε){both}"
    return f"{odds} whether a person is in the data rises to {sure}{fails}; {value}."


def kind_vouched(plan: QueryPlan) -> str:
    """What only the asker can know of the kinds from which steps follow, in a sentence; "" where nothing is rounded."""
    said = kind_behind_step(plan.parameters)
    return yours_to_know(said) if said else ""


def promise_words(plan: QueryPlan, *, number_known: bool = False) -> str:
    """What is promised, in full: of whether a person is there, and of which value they have.

    Parameters
    ----------
    number_known
        Whether others know how many rows, or people, there are.

    Notes
    -----
    The ε of a value is that of `short_promise`.
    """
    if plan.unclaimed or plan.neighbours == REPLACE_ONE:
        return plan.in_words
    once = plan.kind.identifier == COUNT and not number_known
    above, power = (float_above(plan.epsilon), "e^ε") if once else (float_above(2 * plan.epsilon), "e^2ε")
    odds = math.exp(min(above, 700.0))
    if odds >= _HARDLY:
        value = f"{power} ≈ {estimate(odds, 2)}: of which value you have, this is hardly a promise at all."
    else:
        fails = float(plan.delta) * (1 if once else 1 + math.exp(float_above(plan.epsilon)))
        but = f", but for a chance of {rounded_up(fails)}" if fails else ""
        value = (
            "Somebody who knows that you are in the data, and holds two values of yours for equally likely, can be at "
            f"most {_sure(above)} sure which of them you have ({power} ≤ {rounded_up(odds)}){but}."
        )
    return f"{plan.in_words}\n{value}"


def _sure(epsilon: float) -> str:
    """How sure somebody can be at most after the answer who held two cases for equally likely."""
    return f"{rounded_up(50 + 50 * math.tanh(epsilon / 2))} %"


def protected(plan: QueryPlan, *, unsaid: bool = False, number_known: bool = False) -> str:
    """Who is protected, in a line; a row, while nobody has said how many of them a person has.

    Parameters
    ----------
    number_known
        Whether others know how many rows, or people, there are.
    """
    if unsaid and plan.neighbours != REPLACE_ONE:
        return "Hides whether a row is there."
    # Where at most so many rows of each take part, people may have any number, and all of them are hidden.
    most = 0 if plan.table.get("limit") else plan.rows_per_person
    rows = {0: "rows", 1: "row"}.get(most, f"up to {most:,} rows")
    if plan.neighbours != REPLACE_ONE and not number_known:
        return f"Hides whether a person's {rows} {'is' if most == 1 else 'are'} in the data at all."
    said = f"Hides what a person's {rows} {'says' if most == 1 else 'say'}"
    if plan.neighbours == REPLACE_ONE:
        return f"{said}; how many rows there are counts as public."
    amount = charged_of((plan.epsilon, plan.delta), plan.neighbours, number_known=True)
    return f"{said}, at {amount}; how many there are counts as public."
