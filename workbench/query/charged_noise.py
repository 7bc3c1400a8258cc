"""The draws behind an answer, as a ledger keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from workbench.core.charged_mechanism import LossKind, MechanismPart
from workbench.core.composition import ADD_REMOVE
from workbench.query.mechanism import Additive, QueryMechanism
from workbench.query.undeclared import UndeclaredGroups


def drawn_for(asked: QueryMechanism) -> MechanismPart:
    """The noise of numbers on the grid if that is all that is drawn, otherwise the worst with this ε.

    A part of a question is made of numbers that a person changes by no more than its sensitivity in all. What a plug-in
    draws is taken for no more than its ε.
    """
    parts = asked.parts
    if (
        isinstance(asked, Additive)
        and type(asked).__module__.startswith("workbench.query.")
        and type(asked).release is Additive.release
        and asked.neighbours == ADD_REMOVE
        and not asked.tool
        and not asked.unclaimed
        and len(parts) == 1
        and parts[0].epsilon == asked.epsilon > 0
    ):
        return MechanismPart(LossKind.NOISE, asked.epsilon, sensitivity=parts[0].sensitivity)
    if isinstance(asked, UndeclaredGroups):
        return MechanismPart(LossKind.TRIM, asked.epsilon, asked.delta)
    return MechanismPart(LossKind.WORST, asked.epsilon, asked.delta)


def drawn_for_all(asked: Sequence[tuple[QueryMechanism, Fraction, Fraction]]) -> tuple[MechanismPart, ...]:
    """The draws of questions that are asked together, each with the ε and δ it is charged for."""
    found = []
    for one, epsilon, delta in asked:
        part = drawn_for(one) if (one.epsilon, one.delta) == (epsilon, delta) else None
        found.append(part or MechanismPart(LossKind.WORST, epsilon, delta))
    return tuple(found)
